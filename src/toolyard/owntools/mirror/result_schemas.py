"""What a mirror promises about its results: the source's schema as far as its answers keep it.

Clients of the protocol check every answer against the schema and raise. A promise that cannot be kept is therefore not
made: patterns and formats are left out, and a schema that recorded results or drawn values break is left out whole.
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from toolyard.core.types import JsonValue, Record
from toolyard.owntools.drawn_values import draw_value
from toolyard.owntools.mirror.result_shapes import shape_result

# Not checked by anything here, and slow to check where a stranger wrote them.
_UNCHECKED = frozenset({"pattern", "format", "patternProperties", "propertyNames"})
# Below these stand names of fields, which may be any word.
_NAMES = frozenset({"properties", "$defs", "definitions"})
TRIES = 3


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
