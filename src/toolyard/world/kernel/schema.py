"""JSON schemas out of Python type hints, with the meaning of every leaf in `x-semantic`."""

import dataclasses
import functools
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from toolyard.world.kernel.types import GENERIC, Range, Semantic, Unit, Within

Schema = dict[str, Any]
_SCALARS: dict[object, tuple[str, str]] = {
    str: ("string", "text"),
    int: ("integer", "number"),
    float: ("number", "number"),
    bool: ("boolean", "flag"),
    type(None): ("null", "flag"),
}
_ARRAYS = (list, tuple, Sequence)
_OBJECTS = (dict, Mapping)


def schema_from_hint(hint: object) -> Schema:
    """The JSON schema of a type hint."""
    return _build_schema(hint, {}, ())


def without_none(hint: object) -> object:
    """The hint less `None`: an optional parameter may be left out, not be null."""
    if get_origin(hint) is Annotated:
        base, *notes = get_args(hint)
        return Annotated[(without_none(base), *notes)]
    if get_origin(hint) not in (Union, types.UnionType):
        return hint
    rest = [option for option in get_args(hint) if option is not type(None)]
    return rest[0] if len(rest) == 1 else Union[tuple(rest)]  # noqa: UP007 - built at run time


def schema_leaves(schema: Schema, path: str = "") -> Iterator[tuple[str, str]]:
    """Every (path, meaning) in a schema; `[]` steps into a list, `*` into an open object."""
    for option in schema.get("anyOf", ()):
        yield from schema_leaves(option, path)
    if "x-semantic" in schema and schema["x-semantic"] not in GENERIC:
        yield from ((path, meaning) for meaning in (schema["x-semantic"], *schema.get("x-is-a", ())))
    for name, part in schema.get("properties", {}).items():
        yield from schema_leaves(part, f"{path}.{name}" if path else name)
    if isinstance(schema.get("items"), dict):
        yield from schema_leaves(schema["items"], f"{path}[]")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from schema_leaves(schema["additionalProperties"], f"{path}.*" if path else "*")


def schema_meanings(schema: Schema) -> Iterator[str]:
    """Every meaning of a parameter's values: its own, and those of others that it accepts."""
    if "x-semantic" in schema:
        yield schema["x-semantic"]
    yield from schema.get("x-accepts", ())
    if isinstance(schema.get("items"), dict):
        yield from schema_meanings(schema["items"])
    for option in schema.get("anyOf", ()):
        yield from schema_meanings(option)


def _build_schema(hint: object, bound: Mapping[object, object], stack: tuple[object, ...]) -> Schema:
    if isinstance(hint, TypeVar):
        return _build_schema(bound.get(hint, Any), {}, stack)
    if hint in _SCALARS:
        kind, meaning = _SCALARS[hint]
        return {"type": kind, "x-semantic": meaning}
    if hint is Any:
        return {"x-semantic": "json"}
    origin = get_origin(hint)
    if origin is Annotated:
        return _annotated_schema(hint, bound, stack)
    if origin in (typing.NotRequired, typing.Required):
        return _build_schema(get_args(hint)[0], bound, stack)
    if origin is Literal:
        return _enum_schema(get_args(hint))
    if origin in (Union, types.UnionType):
        return {"anyOf": [_build_schema(option, bound, stack) for option in get_args(hint)]}
    if origin in _ARRAYS:
        return {"type": "array", "items": _build_schema(get_args(hint)[0], bound, stack)}
    if origin in _OBJECTS:
        return {"type": "object", "additionalProperties": _build_schema(get_args(hint)[1], bound, stack)}
    return _record_schema(hint, bound, stack)


def _enum_schema(values: tuple[object, ...]) -> Schema:
    kinds = {type(value) for value in values}
    if len(kinds) != 1:
        raise TypeError(f"an enumeration has values of one type, got {values}")
    kind, meaning = _SCALARS[kinds.pop()]
    return {"type": kind, "enum": list(values), "x-semantic": meaning}


def _annotated_schema(hint: object, bound: Mapping[object, object], stack: tuple[object, ...]) -> Schema:
    base, *metadata = get_args(hint)
    schema = _build_schema(base, bound, stack)
    for note in metadata:
        if isinstance(note, Semantic):
            schema.pop("pattern", None)
            schema["x-semantic"] = note.name
            if note.pattern:
                schema["pattern"] = f"^(?:{note.pattern})$"
            others = {"x-accepts": list(note.accepts), "x-is-a": list(note.is_a)}
            schema.update({key: names for key, names in others.items() if names})
        elif isinstance(note, Unit):
            schema["x-unit"] = note.name
        elif isinstance(note, Within):
            schema.setdefault("x-within", []).append(note.parameter)
        elif isinstance(note, Range):
            schema.update(_bound_keywords(note, str(schema.get("type"))))
    return schema


def _bound_keywords(limits: Range, kind: str) -> Schema:
    low, high = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}.get(
        kind, ("minimum", "maximum")
    )
    found = {low: limits.minimum, high: limits.maximum}
    return {key: value for key, value in found.items() if value is not None}


def _record_schema(hint: object, bound: Mapping[object, object], stack: tuple[object, ...]) -> Schema:
    shape = get_origin(hint) or hint
    if shape in stack:  # a record that holds itself, e.g. replies to replies
        return {"type": "object"}
    inner = dict(zip(getattr(shape, "__parameters__", ()), get_args(hint), strict=False))
    inner = {name: bound.get(value, value) for name, value in inner.items()}
    hints = _field_hints(shape)
    properties = {name: _build_schema(part, inner, (*stack, shape)) for name, part in hints.items()}
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in hints if name in _required_fields(shape)],
        "additionalProperties": False,
    }


@functools.cache
def _field_hints(shape: object) -> Mapping[str, object]:
    return typing.get_type_hints(shape, include_extras=True)


@functools.cache
def _required_fields(shape: Any) -> frozenset[str]:
    if typing.is_typeddict(shape):
        return frozenset(
            name
            for name, hint in _field_hints(shape).items()
            if name in shape.__required_keys__ and get_origin(hint) is not typing.NotRequired
        )
    if dataclasses.is_dataclass(shape):
        return frozenset(field.name for field in dataclasses.fields(shape))
    raise TypeError(f"{shape!r} is no type of a tool: use a TypedDict, dataclass, list, dict or scalar")
