"""One clock in all tools: what they tell as past or present is not after the world's time, whatever they are asked."""

import re
from collections.abc import Iterator
from typing import Any

from cases import each_case
from toolyard.world import World, call, library

MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d)?(Z|[+-]\d\d:?\d\d)?)?")
# What looks ahead by its nature: forecasts, holidays, journeys, fixtures, sales of tickets, terms of contracts.
AHEAD = (
    "Calendar/", "Travel/", "Location/Ticket/", "Weather/", "Zapier/", "Competition/",
    "Search/CostumizeSearch/google_events",
    "Social/Open_Collective/list_events", "Social/Open_Collective/get_event", "Finance/Yelp/yelp_event",
    "Finance/USStockInfo/get_earnings", "Finance/USStockInfo/get_ipo", "Finance/Yahoo_Finance_stock/get_analysis",
    "Finance/Yahoo_Finance_stock/get_options", "Stock/Stock/options_data",
)  # fmt: skip
# Local times are ahead of UTC in the east, by 14 hours at most.
NOW, LOCAL_NOW = "2024-05-15T09:00", "2024-05-15T23:00"


def moments(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from moments(item)
    elif isinstance(value, list):
        for item in value:
            yield from moments(item)
    elif isinstance(value, str) and (match := MOMENT.match(value)):
        yield match[0]


def is_late(moment: str) -> bool:
    match = MOMENT.match(moment)
    assert match
    if match[2] is None:
        return match[1] > NOW[:10]
    return f"{match[1]}T{match[2]}" > (NOW if match[3] == "Z" else LOCAL_NOW)


def test_no_tool_knows_what_is_yet_to_come() -> None:
    late = {}
    for tool in library().values():
        if tool.id.startswith(AHEAD) or tool.isolated:
            continue
        value = call(World.fresh(), tool.id, tool.examples[0]).value
        found = [moment for moment in moments(value) if is_late(moment)]
        if found:
            late[tool.id] = found[:3]
    assert late == {}


@each_case("name, arguments, told")
def test_the_clock_moves_for_all_tools_at_once(name: str, arguments: Any, told: str) -> None:
    world = World.fresh()
    world.advance(25 * 3600)
    assert told in call(world, name, arguments).text
