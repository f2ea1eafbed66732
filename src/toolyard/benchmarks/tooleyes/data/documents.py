"""Tool documents: what a prompt offers, and the two tools that the loop itself performs."""

from collections.abc import Mapping
from typing import TypeGuard

from toolyard.benchmarks.tooleyes.data.sample import ASK, FINISH, ToolEyesSample
from toolyard.core.cache_by_object import PerObject
from toolyard.core.types import Failure, JsonValue, Record
from toolyard.text.parsing import excerpt, first_json_value

# Where the official system prompts put the documents, and what may follow them.
BEFORE_DOCUMENTS = "you have access of the following tools:"
AFTER_DOCUMENTS = ("You should reply in the format of the examples.", "Let's Begin!")


def _special_document(name: str, description: str, parameter: str, meaning: str) -> dict[str, object]:
    properties = {parameter: {"type": "string", "description": meaning}}
    schema = {"type": "object", "properties": properties, "required": [parameter]}
    return {"name": name, "description": description, "parameters": schema}


SPECIAL: tuple[dict[str, object], ...] = (
    _special_document(
        ASK,
        "Asks the user for something that only the user can know. Use it sparingly.",
        "question",
        "What the user should tell you.",
    ),
    _special_document(
        FINISH, "Ends the task with the answer that the user will read.", "answer", "The whole answer."
    ),
)


def _all_documents(sample: ToolEyesSample) -> tuple[Record, ...]:
    """Everything the model may call: the sample's tools, then `ask_to_user` and `finish`."""
    documents = tuple(item for item in sample.input.get("documents", ()) if isinstance(item, Mapping))
    names = {document.get("name") for document in documents}
    return (*documents, *(document for document in SPECIAL if document["name"] not in names))


# Every rule and every question asks for them.
documents_of: PerObject[ToolEyesSample, tuple[Record, ...]] = PerObject(_all_documents)


def tool_documents(sample: ToolEyesSample) -> tuple[Record, ...]:
    """The documents less those of the loop itself."""
    return tuple(document for document in documents_of(sample) if document.get("name") not in (ASK, FINISH))


def documents_in_prompt(system: str) -> list[Record] | Failure:
    """The documents inside an official system prompt."""
    place = system.rfind(BEFORE_DOCUMENTS)
    if place < 0:
        return Failure("not_found", excerpt(system))
    listing = system[place + len(BEFORE_DOCUMENTS) :]
    for mark in AFTER_DOCUMENTS:
        listing = listing.split(mark, 1)[0]
    documents = first_json_value(listing, "[", lenient=True)
    if isinstance(documents, Failure):
        return documents
    if not isinstance(documents, list) or not all(is_document(item) for item in documents):
        return Failure("not_found", "not every entry has a name and parameters")
    return documents


def is_document(value: object) -> TypeGuard[Record]:
    """Whether a value has what scoring reads: a name, properties, and what is required."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return False
    schema = value.get("parameters")
    if not isinstance(schema, dict) or not isinstance(schema.get("properties", {}), dict):
        return False
    required = required_names(value)
    return isinstance(required, list) and all(isinstance(name, str) for name in required)


def declared_parameters(document: Record) -> Mapping[str, JsonValue]:
    """The parameters that a document declares."""
    found: Mapping[str, JsonValue] = document["parameters"].get("properties", {})
    return found


def required_names(document: Record) -> list[str]:
    """The required parameters; some documents list them outside `parameters`."""
    found: list[str] = document.get("required", document["parameters"].get("required", []))
    return found
