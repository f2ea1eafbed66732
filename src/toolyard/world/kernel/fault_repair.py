"""What a refusal says beyond the tool's own words: the argument at fault, the tool that lists what exists, other faults.

A tool that does not find a key knows the key alone. Which argument held it, which of the tools that the caller has shows
such keys, and whether another argument of the same call names nothing either, follows from the documents.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from toolyard.core.types import JsonValue
from toolyard.world.kernel.document import Parameter
from toolyard.world.kernel.faults import ToolFault, join_faults
from toolyard.world.kernel.registry import Tool, select
from toolyard.world.kernel.schema import schema_leaves, schema_meanings

# Meanings that tools show beside what they are about: whoever returns one is no list of them.
_OPEN = frozenset(
    "amount app artist book city clock_time company continent coordinates cooking_instructions country country_code cuisine "
    "currency_code diet dish domain email employer encyclopedia_title film first_name food_query forecast_date "
    "future_date game ip_address "
    "icao_code industry ingredient iso_date iso_datetime job_category job_title language language_code latitude locale "
    "longitude math_expression moment nutrient page_url past_date person phone place postal_code product prose region "
    "region_code search_text sector sight song street_address time_zone topic trading_date unix_time url word year".split()
)


_SEARCHING = re.compile(r"search|list|find|suggest|complet|recent|latest|_all_|_map")
_NAMING = re.compile(r"by_name|names|ids|_breed|by_keywords|calendar|calender")


def explain_fault(
    fault: ToolFault,
    tool: Tool,
    arguments: Mapping[str, JsonValue],
    offered: Sequence[str] | None,
    renames: Mapping[str, str] | None = None,
) -> ToolFault:
    """The fault of a call, with what the documents add to it."""
    listed_here = fault.listed_by == tool.id
    fault.listed_by = "" if listed_here else fault.listed_by
    if fault.kind != "not_found" or fault.wanted is None:
        return fault
    given = {(renames or {}).get(name, name): (name, value) for name, value in arguments.items()}
    at_fault = next(
        (
            each
            for each in tool.document.parameters
            if _holds_key(fault.wanted, given.get(each.name, ("", None))[1])
        ),
        None,
    )
    if at_fault is None:
        return fault
    fault.details.setdefault("parameter", given[at_fault.name][0])
    fault.listed_by = fault.listed_by or ("" if listed_here else _listing_tool(tool, at_fault, offered))
    others = [one for one in _other_faults(tool, at_fault, given) if one.message != fault.message]
    return _join_faults(fault, others) if others else fault


def _join_faults(fault: ToolFault, others: Sequence[ToolFault]) -> ToolFault:
    whole = join_faults([fault, *others])
    whole.listed_by = fault.listed_by
    return whole


def _holds_key(wanted: object, value: JsonValue) -> bool:
    """Whether an argument is the key that was not found, or the list that has it; tools may have cut or trimmed it."""
    if isinstance(value, list):
        return any(_holds_key(wanted, item) for item in value)
    text, key = str(value).strip().casefold(), str(wanted).strip().casefold()
    return value is not None and bool(key) and (text == key or (len(key) >= 10 and text.startswith(key)))


def _listing_tool(tool: Tool, parameter: Parameter, offered: Sequence[str] | None) -> str:
    """The id of the tool of the same service, else of the same field, that shows most plainly what the parameter takes.

    None is named to somebody who was searching already, or whose tool lists them itself.
    """
    if parameter.schema.get("type") == "string" and _SEARCHING.match(tool.name):
        return ""
    wanted = [meaning for meaning in schema_meanings(parameter.schema) if meaning not in _OPEN]
    ranked = sorted(
        (rank, other.id)
        for meaning in wanted
        for other in select(tool.category)
        if (other.id != tool.id or not parameter.required) and (offered is None or other.id in offered)
        for rank in _listing_ranks(tool, other, meaning)
    )
    return ranked[0][1] if ranked and ranked[0][1] != tool.id else ""


def _listing_ranks(tool: Tool, other: Tool, meaning: str) -> Iterator[tuple[int, ...]]:
    """How plainly a tool lists a meaning, the least first; nothing where it lists none."""
    path = next((path for path, kind in schema_leaves(other.document.result) if kind == meaning), "")
    needed = [each for each in other.document.parameters if each.required]
    if "[]" not in path or not _is_listing_tool(other.name, len(needed)):
        return
    asked = [meaning for each in needed for meaning in schema_meanings(each.schema)]
    strange = sum(1 for kind in asked if kind not in _OPEN and not kind.endswith(("query", "words")))
    elsewhere = other.subcategory != tool.subcategory
    if meaning not in asked and not (elsewhere and strange):
        depth = path.count(".") + path.count("[]")
        yield (
            int(elsewhere),
            strange,
            depth,
            int(not _SEARCHING.search(other.name)),
            len(needed),
            len(other.name),
        )


def _is_listing_tool(name: str, needed: int) -> bool:
    """Whether a tool is there to list or search things, by its name; what wants several arguments is not."""
    plainly = _SEARCHING.search(name) or _NAMING.search(name) or name.rstrip("_2").endswith("s")
    return bool(plainly) and needed < 3 and "random" not in name


def _other_faults(
    tool: Tool, at_fault: Parameter, given: Mapping[str, tuple[str, JsonValue]]
) -> Iterator[ToolFault]:
    """Faults of the other arguments whose kind can be looked up without the tool."""
    for parameter in tool.document.parameters:
        name, value = given.get(parameter.name, ("", None))
        kind = parameter.schema.get("x-semantic", "")
        check = _CHECKS.get(kind) if kind != "city" or kind in schema_meanings(at_fault.schema) else None
        if parameter is at_fault or check is None or not isinstance(value, str) or not value:
            continue
        try:
            check(value)
        except ToolFault as fault:
            fault.details.setdefault("parameter", name)
            yield fault


def _resolve_airport(text: str) -> object:
    from toolyard.world.reference.places.geography import find_airport

    return find_airport(text)


def _resolve_zone(text: str) -> object:
    from toolyard.world.reference.days import zone

    return zone(text)


def _resolve_country(text: str) -> object:
    from toolyard.world.reference.places.geography import find_country

    return find_country(text)


def _resolve_city(text: str) -> object:
    from toolyard.world.reference.places.geography import find_city

    return find_city(text)


_CHECKS: Mapping[str, Callable[[str], object]] = {
    "airport_code": _resolve_airport,
    "city": _resolve_city,
    "country_code": _resolve_country,
    "time_zone": _resolve_zone,
}
