"""One value per entity and field: what two tools tell of the same thing under the same name is the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from toolyard.core.types import JsonValue
from toolyard.world.kernel.checks.check_counts import Count
from toolyard.world.kernel.checks.seen_calls import SeenCall
from toolyard.world.kernel.result_text import encode
from toolyard.world.kernel.schema import Schema

# Meanings whose value names one thing: numbers and codes. A name may be shared, and a day is a day of many things.
_NAMING = (
    "_id",
    "_slug",
    "_symbol",
    "_handle",
    "_key",
    "ticker",
    "upc",
    "doi",
    "fdc_id",
    "airport_code",
    "icao_code",
)
# Whoever says when speaks of a moment, and of another one in another record.
_WHEN = ("date", "day", "time", "moment", "year", "season", "round")
Entity = tuple[str, str]
# An entity and a field of it with its kind -> tool -> what it told.
Told = dict[tuple[Entity, str, str], dict[str, set[str]]]


def agreement(calls: Iterable[SeenCall]) -> Count:
    """Fields of things that several tools show, each with one value over all of them.

    What one tool alone tells in several ways, or takes as an argument, is no field of the thing: it depends on what
    was asked. Nor is a record that repeats words of the request, such as "3 eggs": it tells of those.
    """
    told: Told = {}
    asked: set[tuple[str, str]] = set()
    for each in calls:
        if each.error is None:
            given = {parameter.name for parameter in each.tool.document.parameters}
            said = encode(dict(each.arguments))
            for entity, field, kind, value in _statements(each.value, each.tool.document.result, said):
                tools = told.setdefault((entity, field, kind), {})
                tools.setdefault(each.tool.id, set()).add(value)
                if field in given or len(tools[each.tool.id]) > 1:
                    asked.add((entity[0], field))
    count = Count()
    for (entity, field, _), tools in told.items():
        if len(tools) < 2 or (entity[0], field) in asked:
            continue
        count.looked_at += 1
        values = {value: tool for tool, own in tools.items() for value in own}
        if len(values) > 1:
            (one, first), (other, second) = list(values.items())[:2]
            count.wrong(first, f"{field} of {' '.join(entity)} is {one}, but {other} in {second}")
    return count


def _statements(value: JsonValue, schema: Schema, said: str) -> Iterator[tuple[Entity, str, str, str]]:
    """(entity, field, kind of value, value) of every record that is about one thing at no particular time.

    A record within that of another thing, such as an ingredient of a recipe, is about both and left out.
    """
    for option in schema.get("anyOf", ()):
        yield from _statements(value, option, said)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for item in value:
            yield from _statements(item, schema["items"], said)
    if not isinstance(value, Mapping):
        return
    parts: Mapping[str, Schema] = schema.get("properties", {})
    entity = _entity(value, parts)
    if entity is not None and any(_repeats(value.get(name), part, said) for name, part in parts.items()):
        return
    for name, part in parts.items():
        found = value.get(name)
        kind = _meaning(part)
        if entity is None:
            yield from _statements(found, part, said)
        elif isinstance(found, str | int | float | bool) and kind != entity[0]:
            yield entity, name, f"{kind} {part.get('x-unit', '')}", repr(found)


def _repeats(value: JsonValue, part: Schema, said: str) -> bool:
    """Whether a text that names nothing stands in the request."""
    return isinstance(value, str) and _meaning(part) == "text" and len(value) > 3 and value in said


def _entity(value: Mapping[str, Any], parts: Mapping[str, Schema]) -> Entity | None:
    """What a record is about: the one thing that it names; none where it names several, or a time."""
    kinds = [(name, str(_meaning(part))) for name, part in parts.items() if value.get(name) is not None]
    if any(word in kind and kind != "time_zone" for _, kind in kinds for word in _WHEN):
        return None
    named = [(kind, str(value[name])) for name, kind in kinds if kind.endswith(_NAMING)]
    return named[0] if len(named) == 1 else None


def _meaning(part: Schema) -> str:
    options = [each.get("x-semantic", "") for each in part.get("anyOf", ())]
    return str(part.get("x-semantic") or next((each for each in options if each), ""))
