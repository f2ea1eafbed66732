"""NesTools documents.

    {"api_name": "find_seat", "api_id": 12, "api_description": "Finds a free seat in a hall.",
     "parameters": {"hall": {"type": "str", "description": "..."}}, "required": ["hall"],
     "responses": {"seat": {"type": "int", "description": "..."}}}

Types are Python's names; `api_id` stands only where a prompt shows it.
"""

from collections.abc import Mapping

from toolyard.core.types import JsonValue
from toolyard.text.documents.dialect_parts import (
    Parameter,
    ToolDocument,
    document_error,
    read_parameters,
    require_names,
    require_object,
    require_text,
    spelled_type,
    write_parameter,
)

DIALECT = "nestools"
PYTHON_NAMES: Mapping[str, str] = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict",
}  # fmt: skip


def from_nestools(document: JsonValue, where: str = "tool document") -> ToolDocument:
    """The tool that a NesTools document describes."""
    written = require_object(document, where)
    name = require_text(written, "api_name", where)
    where = f"{where} {name!r}"
    for key in ("parameters", "required", "responses"):
        if key not in written:
            raise document_error(where, f"no field {key}", "one (it may be empty)")
    declared = require_object(written["parameters"], f"{where}, field parameters")
    required = require_names(written["required"], declared, f"{where}, field required")
    identity = written.get("api_id")
    if identity is not None and not isinstance(identity, int | str):
        raise document_error(f"{where}, field api_id", repr(identity), "a number or a string")
    return ToolDocument(
        name=name,
        description=require_text(written, "api_description", where),
        parameters=read_parameters(declared, required, f"{where}, field parameters"),
        returns=read_parameters(written["responses"], [], f"{where}, field responses"),
        id=identity,
        dialect=DIALECT,
        layout={"required": tuple(required)},
    )


def to_nestools(document: ToolDocument) -> dict[str, JsonValue]:
    """The document as NesTools writes it, `api_id` right after the name where the tool has one."""
    identity = {} if document.id is None else {"api_id": document.id}
    order = document.layout_of(DIALECT).get("required", ())
    required = document.required_in(order)
    return {
        "api_name": document.name,
        **identity,
        "api_description": document.description,
        "parameters": {each.name: _parameter_entry(each, document.dialect) for each in document.parameters},
        "required": required,
        "responses": {each.name: _parameter_entry(each, document.dialect) for each in document.returns},
    }


def _parameter_entry(parameter: Parameter, dialect: str) -> dict[str, JsonValue]:
    kept = dialect == DIALECT
    fields = write_parameter(
        parameter,
        type_spelling=spelled_type(parameter, kept=kept, names=PYTHON_NAMES),
        choice_key="enum",
        order=parameter.keys if kept else ("type", "description"),
    )
    return {key: value for key, value in fields.items() if key != "name"}
