"""What every dialect has in common: the records, the types, and the fields of one parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypedDict

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue


class Absent(Enum):
    """The one value that says a field was not written, where null is itself a value."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT

TYPES: Mapping[str, str] = {
    **dict.fromkeys(("string", "str", "text", "url", "date", "time"), "string"),
    **dict.fromkeys(("integer", "int", "long"), "integer"),
    **dict.fromkeys(("number", "float", "double"), "number"),
    **dict.fromkeys(("boolean", "bool"), "boolean"),
    **dict.fromkeys(("array", "list", "tuple", "set"), "array"),
    **dict.fromkeys(("object", "dict", "map"), "object"),
}
CHOICE_KEYS = ("enum", "choices", "options")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument or one returned value of a tool.

    `type` is the JSON Schema type, empty where none is known; `spelling` is what the document wrote.
    `keys` is the order in which its fields were written, `extra` the fields that have no name here.
    """

    name: str
    type: str = ""
    description: str | None = None
    required: bool = False
    default: JsonValue | Absent = ABSENT
    choices: tuple[JsonValue, ...] = ()
    format: str | None = None
    items: JsonValue | Absent = ABSENT
    spelling: JsonValue | Absent = ABSENT
    keys: tuple[str, ...] = ()
    extra: Mapping[str, JsonValue] = field(default_factory=dict)


class DocumentLayout(TypedDict, total=False):
    """How a document was written, as far as its dialect leaves it open."""

    keys: tuple[str, ...]
    required: tuple[str, ...]
    extra: Mapping[str, JsonValue]
    # OpenAI: whether it stands in {"type": "function", ...}, and the schema inside
    wrapped: bool
    schema_keys: tuple[str, ...]
    schema_extra: Mapping[str, JsonValue]
    # MTU-Bench: the sections that are objects; ToolBeHonest: what stands between name and description
    mappings: tuple[str, ...]
    colon: str


@dataclass(frozen=True, slots=True)
class ToolDocument:
    """What a model is told about one tool.

    `dialect` is the one it was read from, and `layout` what only that dialect needs to write it again.
    """

    name: str
    description: str = ""
    parameters: tuple[Parameter, ...] = ()
    returns: tuple[Parameter, ...] = ()
    id: int | str | None = None
    dialect: str = ""
    layout: DocumentLayout = field(default_factory=DocumentLayout)

    @property
    def required(self) -> tuple[str, ...]:
        """The names that a call must give."""
        return tuple(parameter.name for parameter in self.parameters if parameter.required)

    @property
    def optional(self) -> tuple[str, ...]:
        """The names that a call may leave out."""
        return tuple(parameter.name for parameter in self.parameters if not parameter.required)

    def layout_of(self, dialect: str) -> DocumentLayout:
        """The layout, if it was read from this dialect; otherwise there is none to keep."""
        return self.layout if self.dialect == dialect else {}

    def required_in(self, order: Sequence[str]) -> list[str]:
        """The required names, those of an order first and in it."""
        return sorted(self.required, key=lambda name: order.index(name) if name in order else len(order))


def canonical_type(spelling: JsonValue | Absent) -> str:
    """The JSON Schema type for a dialect's spelling (`str`, `Dict`, `["integer", "null"]`), or ""."""
    if isinstance(spelling, list | tuple):
        known = [canonical_type(each) for each in spelling]
        return next((each for each in known if each), "")
    return TYPES.get(spelling.strip().lower(), "") if isinstance(spelling, str) else ""


def spelled_type(
    parameter: Parameter, *, kept: bool, names: Mapping[str, str] | None = None
) -> JsonValue | Absent:
    """The type as the document wrote it while it still holds, otherwise by its name in the dialect."""
    if kept and canonical_type(parameter.spelling) == parameter.type:
        return parameter.spelling
    if not parameter.type:
        return ABSENT
    return names[parameter.type] if names is not None else parameter.type


def document_error(where: str, found: str, wanted: str) -> DataError:
    """The error for a tool document: which field, what it holds, what it should."""
    return DataError(f"{where}: found {found}, wanted {wanted}; correct the tool document")


def json_kind(value: object) -> str:
    """A value's JSON kind, for messages."""
    names = {dict: "an object", list: "a list", tuple: "a list", str: "a string", bool: "a boolean"}
    return "null" if value is None else names.get(type(value), "a number")


def require_object(value: object, where: str) -> Mapping[str, JsonValue]:
    """The value as an object with string keys."""
    if not isinstance(value, Mapping):
        raise document_error(where, json_kind(value), "an object")
    for key in value:
        if not isinstance(key, str):
            raise document_error(where, f"the key {key!r}", "string keys")
    return value


def require_list(value: object, where: str) -> list[JsonValue]:
    """The value as a list."""
    if not isinstance(value, list | tuple):
        raise document_error(where, json_kind(value), "a list")
    return list(value)


def require_text(document: Mapping[str, JsonValue], key: str, where: str) -> str:
    """A field that must be there and be text."""
    if key not in document:
        raise document_error(where, f"no field {key}", "one with text")
    text = document[key]
    if not isinstance(text, str):
        raise document_error(f"{where}, field {key}", json_kind(text), "a string")
    return text


def require_names(value: JsonValue, declared: Mapping[str, JsonValue], where: str) -> list[str]:
    """The list of required names, each of them declared."""
    names: list[str] = []
    for name in require_list(value, where):
        if not isinstance(name, str) or name not in declared:
            raise document_error(where, f"{name!r}", "names of declared parameters")
        names.append(name)
    return names


def read_parameter(name: str, written: Mapping[str, JsonValue], required: bool, where: str) -> Parameter:
    """A parameter from an object of its fields; a name among the fields is the caller's business."""
    description = written.get("description")
    if description is not None and not isinstance(description, str):
        raise document_error(f"{where}, field description", json_kind(description), "a string")
    format_ = written.get("format")
    if format_ is not None and not isinstance(format_, str):
        raise document_error(f"{where}, field format", json_kind(format_), "a string")
    choice_key = next((key for key in CHOICE_KEYS if key in written), "")
    known = {"name", "description", "format", "type", "default", "items", choice_key}
    return Parameter(
        name=name,
        type=canonical_type(written.get("type")),
        description=description,
        required=required,
        default=written.get("default", ABSENT),
        choices=tuple(require_list(written[choice_key], f"{where}, field {choice_key}"))
        if choice_key
        else (),
        format=format_,
        items=written.get("items", ABSENT),
        spelling=written.get("type", ABSENT),
        keys=tuple(written),
        extra={key: value for key, value in written.items() if key not in known},
    )


def read_parameters(declared: JsonValue, required: Sequence[str], where: str) -> tuple[Parameter, ...]:
    """The parameters of an object that maps their names to their fields."""
    return tuple(
        read_parameter(name, require_object(fields, f"{where}.{name}"), name in required, f"{where}.{name}")
        for name, fields in require_object(declared, where).items()
    )


def write_parameter(
    parameter: Parameter, *, type_spelling: JsonValue | Absent, choice_key: str, order: tuple[str, ...]
) -> dict[str, JsonValue]:
    """The parameter's fields in the given order; fields that the order does not name come last."""
    choice_key = next((key for key in CHOICE_KEYS if key in order), choice_key)
    fields: dict[str, JsonValue | Absent] = {"name": parameter.name, "type": type_spelling}
    fields["description"] = ABSENT if parameter.description is None else parameter.description
    fields["format"] = ABSENT if parameter.format is None else parameter.format
    fields["default"] = parameter.default
    fields["items"] = parameter.items
    fields[choice_key] = list(parameter.choices) if parameter.choices or choice_key in order else ABSENT
    fields.update(parameter.extra)
    wanted = [*(key for key in order if key in fields), *(key for key in fields if key not in order)]
    return {key: value for key in wanted if not isinstance(value := fields[key], Absent)}
