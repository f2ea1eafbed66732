"""The machine checks of the world: each finds what it is for, and the counts of defects may only fall."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from toolyard.world.kernel.checks import WorldReport, check_world
from toolyard.world.kernel.checks.call_checks import (
    check_bounds,
    check_collection,
    check_determinism,
    check_freshness,
    check_promises,
    check_state,
    closure,
)
from toolyard.world.kernel.checks.check_counts import Count
from toolyard.world.kernel.checks.entity_agreement import check_agreement
from toolyard.world.kernel.checks.seen_calls import SeenCall, drawn_call, drawn_calls, seen_call
from toolyard.world.kernel.graph import Edge, edges
from toolyard.world.kernel.registry import any_tool

CEILINGS = Path(__file__).with_name("check_ceilings.json")
PLACES = any_tool("Location/Geodatabase/find_places")
MARINE = "Weather/weatherapi/marine"


@pytest.fixture(scope="module")
def report() -> WorldReport:
    return check_world((0, 1), share=0.15, elsewhere=False)


@pytest.mark.parametrize("name", json.loads(CEILINGS.read_text()))
def test_defects_only_become_fewer(name: str, report: WorldReport) -> None:
    found = sorted(report.counts[name].defects)
    most = json.loads(CEILINGS.read_text())[name]
    shown = "\n".join(f"{each.tool}: {each.detail}" for each in found)
    assert report.counts[name].looked_at, "nothing was looked at"
    assert len(found) <= most, f"{len(found)} defects, {most} before; see `toolyard check world`\n{shown}"


def test_every_check_has_a_ceiling(report: WorldReport) -> None:
    assert set(json.loads(CEILINGS.read_text())) == set(report.counts)


@pytest.fixture
def seen() -> SeenCall:
    return seen_call(PLACES, PLACES.examples[0], 0)


def defects(count: Count) -> list[str]:
    return [each.detail for each in count.defects]


def test_a_promise_is_broken_by_a_refusal_and_a_null(seen: SeenCall) -> None:
    assert not defects(check_promises([seen]))
    assert "example is refused" in defects(check_promises([replace(seen, error="not_found")]))[0]
    assert "wanted an object" in defects(check_promises([replace(seen, value=None)]))[0]
    promising = replace(PLACES, facts=replace(PLACES.facts, promises={"places": "items[].name"}))
    without = json.loads(re.sub(r'"name": "[^"]+"', '"name": null', json.dumps(seen.value)))
    assert not defects(check_promises([replace(seen, tool=promising)]))
    assert "items[].name is null" in defects(check_promises([replace(seen, tool=promising, value=without)]))


def test_arguments_are_drawn_from_the_schema() -> None:
    drawn = [*drawn_calls(0, 0.1), *drawn_calls(1, 0.1)]
    assert len(drawn) > 30
    assert all(each.error is None for each in drawn)
    assert any(dict(each.arguments) not in map(dict, each.tool.examples) for each in drawn)


def test_bounds_are_broken_by_a_value_beyond_them() -> None:
    tool = any_tool("Weather/weatherapi/current_weather")
    seen = seen_call(tool, tool.examples[0], 0)
    text = json.dumps(seen.value).replace('"latitude": 48.8534', '"latitude": 912.5')
    assert not defects(check_bounds([seen]))
    assert "912.5" in defects(check_bounds([replace(seen, value=json.loads(text))]))[0]


def test_collection_is_broken_by_long_and_empty_results_and_by_poor_documents(seen: SeenCall) -> None:
    twin = replace(seen, tool=replace(PLACES, id="Location/Geodatabase/find_more_places"))

    def silent(*, kind: str) -> str:
        return kind

    bare = replace(seen, tool=replace(PLACES, function=silent))
    assert not defects(check_collection([seen]))
    assert "beyond 4,096 tokens" in defects(check_collection([replace(seen, text="x" * 12_289)]))[0]
    assert "returns nothing" in defects(check_collection([replace(seen, value=None)]))[0]
    assert f"has the document of {PLACES.id}" in defects(check_collection([seen, twin]))[0]
    assert "lacks a scenario, or words about itself" in defects(check_collection([bare]))[0]


def test_closure_is_broken_by_a_refusal(seen: SeenCall) -> None:
    edge = Edge("Some/other/tool", "id", PLACES.id, "limit", "place_id")
    given = replace(seen, edge=edge, arguments={"limit": "x"})
    assert not defects(closure([given]))
    assert (
        "limit='x' of Some/other/tool is refused" in defects(closure([replace(given, error="not_found")]))[0]
    )


def test_freshness_and_determinism_compare_texts() -> None:
    tool = any_tool("Job/the_muse/search_jobs")
    one, other = (seen_call(tool, tool.examples[0], seed) for seed in (0, 1))
    assert not defects(check_freshness([one], [other]))
    assert sorted(defects(check_freshness([one], [one]))) == [
        "1 of 1 answer the same, 35% may",
        "answers the same under both seeds",
    ]
    assert not defects(check_determinism([one]))
    assert "another answer" in defects(check_determinism([replace(one, text="other")]))[0]


def test_who_only_reads_must_not_change_anything(seen: SeenCall) -> None:
    assert not defects(check_state([seen]))
    assert defects(check_state([replace(seen, changes={"mail": {}})])) == ["is read-only and changes mail"]
    mail = any_tool("Mail/Mail/send")
    assert not defects(check_state([seen_call(mail, mail.examples[0], 0)]))


def test_two_tools_that_tell_two_values_do_not_agree() -> None:
    tool = any_tool("Location/Geodatabase/get_place_details")
    seen = seen_call(tool, tool.examples[0], 0)
    other = json.loads(json.dumps(seen.value).replace('"population": 8961989', '"population": 1'))
    elsewhere = replace(seen, tool=replace(tool, id="Some/other/tool"), value=other)
    assert other != seen.value
    assert not defects(check_agreement([seen, replace(elsewhere, value=seen.value)]))
    assert len(defects(check_agreement([seen, elsewhere]))) == 1


def test_a_number_of_a_day_and_a_word_of_the_tools_name_are_no_fields_of_a_thing() -> None:
    tool = any_tool("Finance/USStockRealTime/get_stock_time_series_weekly")
    weekly = seen_call(tool, {"symbol": "IBM"}, 0)
    daily = seen_call(any_tool("Finance/USStockRealTime/get_stock_time_series_daily"), {"symbol": "IBM"}, 0)
    assert weekly.error is daily.error is None
    assert not defects(check_agreement([weekly, daily]))
    race = any_tool("Competition/Horse_Racing/race_detail_info")
    seen = seen_call(race, race.examples[0], 0)
    older = json.loads(re.sub(r'"age": \d+', '"age": 99', json.dumps(seen.value)))
    assert older != seen.value
    assert not defects(
        check_agreement([seen, replace(seen, tool=replace(race, id="Some/other/tool"), value=older)])
    )


def test_after_a_value_beyond_a_range_another_producer_is_asked() -> None:
    into = [edge for edge in edges() if (edge.consumer, edge.semantic) == (MARINE, "coordinates")]
    inland = next(edge for edge in into if edge.producer == "Travel/Hotels_Data/search_city_hotels")
    returned: dict[str, list[SeenCall]] = {}
    for edge in into:
        tool = any_tool(edge.producer)
        returned[edge.producer] = [seen_call(tool, example, 10) for example in tool.examples]
    key = (MARINE, "q", "coordinates")
    assert [each.error for each in drawn_call(key, [inland], returned)] == ["out_of_range"]
    assert [each.error for each in drawn_call(key, into, returned)] == [None]
