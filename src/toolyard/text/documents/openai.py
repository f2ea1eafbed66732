"""Function schemas, as ToolEyes and OpenAI-compatible endpoints write them, with or without the wrapper.

{"type": "function", "function": {
    "name": "find_seat", "description": "Finds a free seat in a hall.",
    "parameters": {"type": "object", "properties": {"hall": {"type": "string"}}, "required": ["hall"]}}}
"""

from collections.abc import Mapping

from toolyard.core.types import JsonValue
from toolyard.text.documents.dialect_parts import (
    DocumentLayout,
    Parameter,
    ToolDocument,
    read_parameters,
    require_names,
    require_object,
    require_text,
    spelled_type,
    write_parameter,
)

DIALECT = "openai"
KNOWN = frozenset({"name", "description", "parameters"})
KNOWN_SCHEMA = frozenset({"type", "properties", "required"})


def from_openai(document: JsonValue, where: str = "tool document") -> ToolDocument:
    """The tool that a function schema describes."""
    written = require_object(document, where)
    wrapped = "function" in written and "name" not in written
    if wrapped:
        written = require_object(written["function"], f"{where}, field function")
    name = require_text(written, "name", where)
    where = f"{where} {name!r}"
    schema = require_object(written.get("parameters", {}), f"{where}, field parameters")
    properties = require_object(schema.get("properties", {}), f"{where}, field properties")
    required = require_names(schema.get("required", []), properties, f"{where}, field required")
    return ToolDocument(
        name=name,
        description=require_text({"description": "", **written}, "description", where),
        parameters=read_parameters(properties, required, f"{where}, field properties"),
        dialect=DIALECT,
        layout={
            "wrapped": wrapped,
            "keys": tuple(written),
            "schema_keys": tuple(schema),
            "required": tuple(required),
            "extra": {key: value for key, value in written.items() if key not in KNOWN},
            "schema_extra": {key: value for key, value in schema.items() if key not in KNOWN_SCHEMA},
        },
    )


def to_openai(document: ToolDocument, *, wrapped: bool | None = None) -> dict[str, JsonValue]:
    """The document as a function schema; wrapped as it was read, or as asked."""
    layout = document.layout_of(DIALECT)
    fields: dict[str, JsonValue] = {
        "name": document.name,
        "description": document.description,
        "parameters": _parameters_schema(document, layout),
        **layout.get("extra", {}),
    }
    function = _order_fields(fields, layout.get("keys", ("name", "description", "parameters")))
    if layout.get("wrapped", False) if wrapped is None else wrapped:
        return {"type": "function", "function": function}
    return function


def _parameters_schema(document: ToolDocument, layout: DocumentLayout) -> dict[str, JsonValue]:
    order = layout.get("required", ())
    fields: dict[str, JsonValue] = {
        "type": "object",
        "properties": {each.name: _property_schema(each, document.dialect) for each in document.parameters},
        "required": document.required_in(order),
        **layout.get("schema_extra", {}),
    }
    return _order_fields(fields, layout.get("schema_keys", ("type", "properties", "required")))


def _order_fields(fields: Mapping[str, JsonValue], order: tuple[str, ...]) -> dict[str, JsonValue]:
    """The fields in the order they were written; one that was not written stays away while it is empty."""
    added = [key for key, value in fields.items() if key not in order and value not in ("", [], {}, "object")]
    return {key: fields[key] for key in [*(key for key in order if key in fields), *added]}


def _property_schema(parameter: Parameter, dialect: str) -> dict[str, JsonValue]:
    kept = dialect == DIALECT
    fields = write_parameter(
        parameter,
        type_spelling=spelled_type(parameter, kept=kept),
        choice_key="enum",
        order=parameter.keys if kept else ("type", "description", "enum" if parameter.choices else ""),
    )
    return {key: value for key, value in fields.items() if key != "name"}
