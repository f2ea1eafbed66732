"""Untrusted JSON schemas simplified: references resolved, cycles and sizes bounded, `allOf` merged."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolyard.core.types import JsonValue, Record
from toolyard.text.json_values import mapping

DEEPEST = 12
MOST_NODES = 5_000
AGAIN = "the same kind of object again"
_HIDDEN = frozenset({"$schema", "$defs", "definitions", "$id", "$comment"})


@dataclass(frozen=True, slots=True)
class Resolved:
    """A schema without references, and what could not be kept of it."""

    schema: Record
    faults: tuple[str, ...] = ()


@dataclass(slots=True)
class _Walk:
    root: JsonValue
    nodes: int = 0
    faults: dict[str, None] = field(default_factory=dict)

    def fault(self, text: str) -> None:
        self.faults.setdefault(text)


def resolve_references(schema: JsonValue, root: JsonValue = None) -> Resolved:
    """The schema with every `#/...` reference in place of its name; `root` holds what they point to."""
    walk = _Walk(schema if root is None else root)
    found = _plain_schema(schema, walk, (), 0)
    return Resolved(mapping(found), tuple(walk.faults))


def _plain_schema(value: JsonValue, walk: _Walk, seen: tuple[str, ...], depth: int) -> JsonValue:
    walk.nodes += 1
    if walk.nodes > MOST_NODES:
        walk.fault(f"the schema has more than {MOST_NODES:,} parts; the rest is left out")
        return {}
    if isinstance(value, list):
        return [_plain_schema(item, walk, seen, depth + 1) for item in value]
    if not isinstance(value, Mapping):
        return value
    if depth > DEEPEST:
        walk.fault(f"the schema is nested more than {DEEPEST} deep; what lies deeper is left out")
        return {}
    if isinstance(value.get("$ref"), str):
        return _resolve_reference(value, walk, seen, depth)
    kept = {
        str(key): _plain_schema(item, walk, seen, depth + (key != "properties"))
        for key, item in value.items()
        if key not in _HIDDEN
    }
    return _merge_all_of(kept)


def _resolve_reference(
    value: Mapping[str, JsonValue], walk: _Walk, seen: tuple[str, ...], depth: int
) -> JsonValue:
    pointer = str(value["$ref"])
    if pointer in seen:
        walk.fault(f"{pointer} refers to itself; it is shown once")
        return {"type": "object", "description": AGAIN}
    target = follow_pointer(walk.root, pointer)
    if target is None:
        walk.fault(f"{pointer} leads nowhere in this document")
        return {}
    found = _plain_schema(target, walk, (*seen, pointer), depth + 1)
    beside = {key: item for key, item in value.items() if key != "$ref"}
    return {**found, **beside} if isinstance(found, Mapping) else found


def follow_pointer(root: JsonValue, pointer: str) -> JsonValue:
    """What a JSON pointer such as `#/components/schemas/Pet` leads to; None where it leads nowhere."""
    if not pointer.startswith("#"):
        return None
    found = root
    for part in pointer[1:].strip("/").split("/") if pointer not in ("#", "#/") else []:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping) and key in found:
            found = found[key]
        elif isinstance(found, list) and key.isdecimal() and len(key) < 6 and int(key) < len(found):
            found = found[int(key)]
        else:
            return None
    return found


def _merge_all_of(schema: dict[str, Any]) -> dict[str, JsonValue]:
    """`allOf` as one schema, and a choice between a type and null as that type."""
    parts = schema.pop("allOf", None) if isinstance(schema.get("allOf"), list) else None
    for part in parts or ():
        if isinstance(part, Mapping):
            schema = _merge_schemas(schema, part)
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        if isinstance(options, list):
            real = [
                each for each in options if not (isinstance(each, Mapping) and each.get("type") == "null")
            ]
            if len(real) == 1 and isinstance(real[0], Mapping):
                rest = {name: item for name, item in schema.items() if name != key}
                return {**real[0], **rest}
    return schema


def _merge_schemas(first: Record, second: Record) -> dict[str, JsonValue]:
    both = {**second, **first}
    if isinstance(first.get("properties"), Mapping) and isinstance(second.get("properties"), Mapping):
        both["properties"] = {**second["properties"], **first["properties"]}
    wanted = [each.get("required") for each in (first, second)]
    lists = [each for each in wanted if isinstance(each, list)]
    if lists:
        both["required"] = list(
            dict.fromkeys(name for each in lists for name in each if isinstance(name, str))
        )
    return both


def json_type(schema: JsonValue) -> str:
    """The one JSON type that a schema asks for; empty where it leaves it open."""
    if not isinstance(schema, Mapping):
        return ""
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), "")
    if isinstance(kind, str) and kind:
        return kind
    if isinstance(schema.get("properties"), Mapping):
        return "object"
    if "items" in schema:
        return "array"
    values = schema.get("enum")
    if isinstance(values, list) and values and all(isinstance(each, str) for each in values):
        return "string"
    return ""
