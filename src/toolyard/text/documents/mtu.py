r"""MTU-Bench documents: one frame of five fields, in which parameters are written in three ways.

    {"name": "find_seat", "description": "...", "required_parameters": ["hall"],
     "optional_parameters": {"day": "today"}, "result_parameters": ["seat"]}

This is the SGD way: names and defaults. In the way of Figure 9 each of the three is a list of
`{"name": "hall", "type": "string", "description": "..."}`; in the SNIPS way what is required is a mapping
from names to formats, `{"hall": "", "date": "^\d{4}-\d{2}-\d{2}$"}`.

A list of tools is a JSON list, a Python list, or `{"apis": [...], "available_parameters": [...]}`, where the
parameters belong to all tools.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.core.types import Failure, JsonValue
from toolyard.text.documents.dialect_parts import (
    ABSENT,
    Parameter,
    ToolDocument,
    document_error,
    json_kind,
    read_parameter,
    require_list,
    require_object,
    require_text,
    spelled_type,
    write_parameter,
)
from toolyard.text.parsing import read_literal

DIALECT = "mtu"
REQUIRED, OPTIONAL, RESULT = "required_parameters", "optional_parameters", "result_parameters"
SECTIONS = (REQUIRED, OPTIONAL, RESULT)
# The paper's Figure 9 prints two of the names with a blank.
PRINTED = {section.replace("_", " "): section for section in SECTIONS}
FIGURE_9_ORDER = ("name", "type", "description")


@dataclass(frozen=True, slots=True)
class ToolListing:
    """The tools of one prompt, and the parameters that all of them share in the `apis` form (else None)."""

    tools: tuple[ToolDocument, ...]
    shared_parameters: tuple[Parameter, ...] | None = None


def from_mtu(document: JsonValue, where: str = "tool document") -> ToolDocument:
    """The tool that an MTU document describes, in any of the three ways."""
    written = {PRINTED.get(key, key): value for key, value in require_object(document, where).items()}
    name = require_text(written, "name", where)
    where = f"{where} {name!r}"
    sections = {
        section: _read_section(written[section], section, f"{where}, field {section}")
        for section in SECTIONS
        if section in written
    }
    return ToolDocument(
        name=name,
        description=require_text(written, "description", where),
        parameters=sections.get(REQUIRED, ()) + sections.get(OPTIONAL, ()),
        returns=sections.get(RESULT, ()),
        dialect=DIALECT,
        layout={
            "keys": tuple(written),
            "mappings": tuple(key for key in sections if isinstance(written[key], Mapping)),
            "extra": {key: value for key, value in written.items() if key not in SECTIONS},
        },
    )


def to_mtu(document: ToolDocument) -> dict[str, JsonValue]:
    """The document as it was written, or in the way of Figure 9 when it comes from another dialect."""
    layout = document.layout_of(DIALECT)
    members = {
        REQUIRED: [each for each in document.parameters if each.required],
        OPTIONAL: [each for each in document.parameters if not each.required],
        RESULT: list(document.returns),
    }
    fields: dict[str, JsonValue] = {
        **layout.get("extra", {}),
        "name": document.name,
        "description": document.description,
    }
    keys = layout.get("keys", ("name", "description", *SECTIONS))
    for section, parameters in members.items():
        if section in keys or parameters:
            fields[section] = _written_section(document, section, parameters)
    return {key: fields[key] for key in [*keys, *(key for key in fields if key not in keys)]}


def from_mtu_list(listing: JsonValue, where: str = "tool list") -> ToolListing:
    """The tools of a prompt, from text (JSON or Python) or from the value that it holds."""
    value = read_literal(listing, lenient=True) if isinstance(listing, str) else listing
    if isinstance(value, Failure):
        raise document_error(
            where, f"text that is not a list ({value.kind}: {value.detail})", "a JSON or Python list"
        )
    if not isinstance(value, Mapping):
        return ToolListing(_read_tools(value, where))
    if "apis" not in value:
        raise document_error(where, "an object without the field apis", 'a list, or {"apis": [...]}')
    tools = _read_tools(value["apis"], f"{where}, field apis")
    shared = value.get("available_parameters")
    if shared is None:
        return ToolListing(tools, ())
    return ToolListing(tools, _read_section(shared, OPTIONAL, f"{where}, field available_parameters"))


def to_mtu_list(listing: ToolListing) -> JsonValue:
    """The listing as a value: a list, or an object with `apis` when it was one."""
    tools = [to_mtu(tool) for tool in listing.tools]
    if listing.shared_parameters is None:
        return tools
    shared = [_item_schema(each, kept=True) for each in listing.shared_parameters]
    return {"apis": tools, **({"available_parameters": shared} if shared else {})}


def _read_tools(value: JsonValue, where: str) -> tuple[ToolDocument, ...]:
    documents = enumerate(require_list(value, where), start=1)
    return tuple(from_mtu(document, f"{where}, tool {position}") for position, document in documents)


def _read_section(value: JsonValue, section: str, where: str) -> tuple[Parameter, ...]:
    required = section == REQUIRED
    if isinstance(value, Mapping):
        return tuple(
            _read_mapped_parameter(name, entry, required, where)
            for name, entry in require_object(value, where).items()
        )
    return tuple(_read_listed_parameter(entry, required, where) for entry in require_list(value, where))


def _read_mapped_parameter(name: str, entry: JsonValue, required: bool, where: str) -> Parameter:
    """An entry of a mapping: a default for what is optional, a format for what is required."""
    if isinstance(entry, Mapping):
        return read_parameter(name, require_object(entry, f"{where}.{name}"), required, f"{where}.{name}")
    if required and isinstance(entry, str):
        return Parameter(name=name, required=True, format=entry)
    return Parameter(name=name, required=required, default=entry)


def _read_listed_parameter(entry: JsonValue, required: bool, where: str) -> Parameter:
    if isinstance(entry, str):
        return Parameter(name=entry, required=required)
    if not isinstance(entry, Mapping):
        raise document_error(where, f"{json_kind(entry)} among the parameters", "a name or an object")
    written = require_object(entry, where)
    name = require_text(written, "name", where)
    return read_parameter(name, written, required, f"{where}.{name}")


def _written_section(document: ToolDocument, section: str, parameters: list[Parameter]) -> JsonValue:
    kept = document.dialect == DIALECT
    if section in document.layout_of(DIALECT).get("mappings", ()):
        return {each.name: _write_mapped_parameter(each) for each in parameters}
    return [_item_schema(each, kept=kept) for each in parameters]


def _write_mapped_parameter(parameter: Parameter) -> JsonValue:
    if parameter.keys:
        return {key: value for key, value in _parameter_fields(parameter, kept=True).items() if key != "name"}
    if parameter.default is not ABSENT:
        return parameter.default
    return parameter.format or ""


def _item_schema(parameter: Parameter, *, kept: bool) -> JsonValue:
    return parameter.name if kept and not parameter.keys else _parameter_fields(parameter, kept=kept)


def _parameter_fields(parameter: Parameter, *, kept: bool) -> dict[str, JsonValue]:
    return write_parameter(
        parameter,
        type_spelling=spelled_type(parameter, kept=kept),
        choice_key="choices",
        order=parameter.keys if kept else FIGURE_9_ORDER,
    )
