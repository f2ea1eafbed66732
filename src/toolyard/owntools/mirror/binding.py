"""An untrusted schema in the form that the world checks arguments against; what it cannot check is left open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolyard.owntools.sources.source_schemas import type_of
from toolyard.world.kernel.schema import Schema

_BOUNDS = {
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
}
_KNOWN = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})


def bindable_schema(schema: Any) -> Schema:
    """Type, values, bounds and required fields; patterns and the rest of JSON Schema are not checked."""
    if not isinstance(schema, Mapping):
        return {}
    text = schema.get("description")
    described: Schema = {"description": text if isinstance(text, str) else ""}
    options = [
        each for key in ("anyOf", "oneOf") for each in schema.get(key) or () if isinstance(each, Mapping)
    ]
    if options and not type_of(
        {key: value for key, value in schema.items() if key not in ("anyOf", "oneOf")}
    ):
        return {**described, "anyOf": [bindable_schema(each) for each in options]}
    kinds = schema.get("type")
    if isinstance(kinds, list) and len(kinds) > 1:
        return {
            **described,
            "anyOf": [bindable_schema({**schema, "type": each}) for each in kinds if each in _KNOWN],
        }
    kind = type_of(schema)
    if kind not in _KNOWN:
        return described
    found: Schema = {**described, "type": kind}
    for bound in _BOUNDS.get(kind, ()):
        value = schema.get(bound)
        if isinstance(value, int | float) and not isinstance(value, bool):
            found[bound] = value
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        found["enum"] = list(schema["enum"])
    if kind == "array":
        found["items"] = bindable_schema(schema.get("items"))
    return found
