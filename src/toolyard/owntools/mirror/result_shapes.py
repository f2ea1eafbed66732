"""Values of a mirror in the shape of a tool's result: what the state knows stands in it, the rest is derived."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from toolyard.core.types import JsonValue, Record
from toolyard.owntools.drawn_values import draw_value
from toolyard.owntools.sources.source_schemas import json_type
from toolyard.text.json_values import CLASSES

_YES = frozenset({"deleted", "success", "ok", "done", "created", "updated", "removed", "acknowledged"})
_COUNTS = frozenset({"count", "total", "total_count", "size", "length"})
# What a mirror promises about its results is the source's schema as far as its answers keep it: clients of the protocol
# check every answer against the schema and raise. These are left out: not checked by anything here, and slow to check
# where a stranger wrote them. A schema that recorded results or drawn values break is left out whole.
_UNCHECKED = frozenset({"pattern", "format", "patternProperties", "propertyNames"})
# Below these stand names of fields, which may be any word.
_NAMES = frozenset({"properties", "$defs", "definitions"})
TRIES = 3


def shape_result(
    schema: Record | None, value: JsonValue, arguments: Mapping[str, JsonValue], rng: Random
) -> object:
    """A row, rows or nothing (None) in the shape of a result schema; plainly itself where there is no schema."""
    if schema is None:
        return value if value is not None else {"ok": True}
    kind = json_type(schema)
    options = [
        each
        for key in ("anyOf", "oneOf")
        for each in schema.get(key) or ()
        if json_type(each) not in ("", "null")
    ]
    if options and not schema.get("type"):
        return shape_result(options[0], value, arguments, rng)
    if kind == "array":
        items = schema.get("items") if isinstance(schema.get("items"), Mapping) else {}
        if isinstance(value, list):
            return [_fit_item(items, row, arguments, rng) for row in value]
        return (
            [_fit_item(items, value, arguments, rng)]
            if value is not None
            else draw_value(schema, "result", rng)
        )
    if kind == "object":
        return _shape_object(schema, value, arguments, rng)
    if isinstance(value, list):
        return (
            "\n".join(map(_line_of_row, value))
            if kind in ("string", "")
            else draw_value(schema, "result", rng)
        )
    if isinstance(value, Mapping) and kind in ("string", ""):
        return _line_of_row(value)
    return draw_value(schema, "result", rng)


def _line_of_row(row: object) -> str:
    return ", ".join(f"{key}: {item}" for key, item in row.items()) if isinstance(row, Mapping) else str(row)


def _fit_item(schema: JsonValue, row: JsonValue, arguments: Record, rng: Random) -> object:
    """A row where objects are wanted, else what identifies it."""
    if json_type(schema) == "object" or not isinstance(row, Mapping) or not json_type(schema):
        return (
            _shape_object(schema, row, arguments, rng)
            if isinstance(schema, Mapping) and row is not None
            else row
        )
    return next(iter(row.values()), None)


def _shape_object(schema: Record, value: JsonValue, arguments: Record, rng: Random) -> object:
    fields = schema.get("properties")
    if not isinstance(fields, Mapping) or not fields:
        return value if isinstance(value, Mapping) else {"items": value} if value is not None else {}
    holder = _rows_field(fields, value)
    is_row = isinstance(value, Mapping) and bool(set(fields) & set(value))
    required = schema.get("required") or ()
    found: dict[str, object] = {}
    for name, part in fields.items():
        if name == holder:
            found[name] = shape_result(part, value, arguments, rng)
        elif isinstance(value, Mapping) and name in value and _may_hold(part, value[name]):
            found[name] = value[name]
        elif not is_row or name in required:
            found[name] = _derive_field(str(name), part, value, arguments, rng)
    return found


def _rows_field(fields: Mapping[str, JsonValue], value: JsonValue) -> str:
    """The field that holds the rows, or the one row; empty where the object itself is the row."""
    if isinstance(value, list):
        lists = [name for name, part in fields.items() if json_type(part) == "array"]
        return (
            lists[0]
            if lists
            else next((name for name, part in fields.items() if json_type(part) == "string"), "")
        )
    if isinstance(value, Mapping) and not set(fields) & set(value):
        inner = [name for name, part in fields.items() if json_type(part) == "object"]
        return inner[0] if inner else ""
    return ""


def _derive_field(name: str, part: JsonValue, value: JsonValue, arguments: Record, rng: Random) -> object:
    kind = json_type(part)
    if name in arguments and _same_kind(arguments[name], kind):
        return arguments[name]
    if kind == "boolean" and name.lower() in _YES:
        return True
    if kind in ("integer", "number") and name.lower() in _COUNTS and isinstance(value, list):
        return len(value)
    if kind == "object" and isinstance(part, Mapping) and part.get("properties"):
        return _shape_object(part, None, arguments, rng)
    return draw_value(part, name, rng)


def _may_hold(schema: JsonValue, value: JsonValue) -> bool:
    """Whether a plain value of a row has the one type that a field declares."""
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return not isinstance(kind, str) or not isinstance(value, str | int | float) or _same_kind(value, kind)


def _same_kind(value: JsonValue, kind: str) -> bool:
    return not kind or isinstance(value, CLASSES.get(kind, object))


def kept_schema(schema: Record | None, results: Iterable[JsonValue]) -> Record | None:
    """The schema that answers will keep; None where it is none, or where known results or drawn values break it."""
    if not schema:
        return None
    open_schema: Record = _drop_patterns(schema)
    drawn = [shape_result(open_schema, None, {}, Random(seed)) for seed in range(TRIES)]
    return open_schema if all(fits_schema(open_schema, each) for each in (*results, *drawn)) else None


def fitting_value(schema: Record | None, value: object, rng: Random) -> object:
    """The value where it keeps the promise, else one that is drawn from the schema alone."""
    if schema is None or fits_schema(schema, value):
        return value
    drawn = draw_value(schema, "result", rng)
    return drawn if fits_schema(schema, drawn) else value


def fits_schema(schema: Record, value: Any) -> bool:
    """Whether a value is as a schema says, by the validator that clients use; yes where that is not installed."""
    try:
        import jsonschema
    except ImportError:
        return True
    validator = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    try:
        validator.check_schema(dict(schema))
        return bool(validator(dict(schema)).is_valid(value))
    except (jsonschema.SchemaError, ValueError, TypeError, RecursionError, AttributeError):
        return False


def _drop_patterns(schema: object, *, names: bool = False) -> Any:
    if isinstance(schema, list):
        return [_drop_patterns(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {
        key: _drop_patterns(value, names=not names and key in _NAMES)
        for key, value in schema.items()
        if names or key not in _UNCHECKED
    }
