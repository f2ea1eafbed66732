"""One value per entity and field: what two tools tell of the same thing under the same name is the same."""

from collections.abc import Iterable, Iterator, Mapping

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


def check_agreement(calls: Iterable[SeenCall]) -> Count:
    """Fields of things that several tools show, each with one value over all of them.

    What one tool alone tells in several ways, or takes as an argument, is no field of the thing: it depends on what
    was asked. Nor is a record that repeats words of the request, such as "3 eggs", or of the tool's name, such as
    "weekly": it tells of those.
    """
    told: Told = {}
    asked: set[tuple[str, str]] = set()
    for each in calls:
        if each.error is None:
            given = {parameter.name for parameter in each.tool.document.parameters}
            said = f"{each.tool.name} {encode(dict(each.arguments))}"
            for entity, field, kind, value in _entity_statements(each.value, each.tool.document.result, said):
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
            count.note_defect(first, f"{field} of {' '.join(entity)} is {one}, but {other} in {second}")
    return count


def _entity_statements(
    value: JsonValue, schema: Schema, said: str, dated: bool = False
) -> Iterator[tuple[Entity, str, str, str]]:
    """(entity, field, kind of value, value) of every record that is about one thing at no particular time.

    A record within that of another thing, such as an ingredient of a recipe, is about both and left out. Within a dated
    record numbers are those of its day, such as the age of a runner.
    """
    for option in schema.get("anyOf", ()):
        yield from _entity_statements(value, option, said, dated)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for item in value:
            yield from _entity_statements(item, schema["items"], said, dated)
    if not isinstance(value, Mapping):
        return
    parts: Mapping[str, Schema] = schema.get("properties", {})
    kinds = {name: _schema_meaning(part) for name, part in parts.items() if value.get(name) is not None}
    timed = any(word in kind and kind != "time_zone" for kind in kinds.values() for word in _WHEN)
    named = [(kind, str(value[name])) for name, kind in kinds.items() if kind.endswith(_NAMING)]
    if timed or len(named) != 1:
        for name in kinds:
            yield from _entity_statements(value[name], parts[name], said, dated or timed)
    elif not any(_repeats_request(value[name], kind, said) for name, kind in kinds.items()):
        told = str if dated else str | int | float
        for name, kind in kinds.items():
            if isinstance(value[name], told) and kind != named[0][0]:
                yield named[0], name, f"{kind} {parts[name].get('x-unit', '')}", repr(value[name])


def _repeats_request(value: JsonValue, kind: str, said: str) -> bool:
    """Whether a text that names nothing stands in the request."""
    return isinstance(value, str) and kind == "text" and len(value) > 3 and value in said


def _schema_meaning(part: Schema) -> str:
    options = [each.get("x-semantic", "") for each in part.get("anyOf", ())]
    return str(part.get("x-semantic") or next((each for each in options if each), ""))
