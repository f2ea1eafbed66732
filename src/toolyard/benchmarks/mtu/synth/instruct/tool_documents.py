"""Tool documents in the form of Figure 9, from a corpus' own schema or from a model.

    {"name": "find_ferry", "description": "Ferries between two ports",
     "required_parameters": [{"name": "from_port", "type": "string", "description": "Where it leaves"}],
     "optional_parameters": [{"name": "day", "type": "string", "description": "...", "default": "dontcare"}],
     "result_parameters": [{"name": "departure", "type": "string", "description": "...", "format": "HH:MM"}]}

Descriptions are those of the user's copy of the corpus and are read when the data are made: none lies here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusParameter, CorpusTool
from toolyard.core.errors import DataError
from toolyard.core.json_safe import safe_object
from toolyard.core.types import Failure, JsonValue
from toolyard.text import documents
from toolyard.text.documents.dialect_parts import ABSENT, canonical_type
from toolyard.text.parsing import answer_text, excerpt, json_safe, json_values
from toolyard.text.templates import render

TEMPLATE = (Path(__file__).parents[1] / "templates" / "document.txt").read_text(encoding="utf-8")
SECTIONS = ("required_parameters", "optional_parameters", "result_parameters")
MOST_CALLS = 8


def tool_document(tool: CorpusTool) -> dict[str, JsonValue]:
    """The tool's document in the paper's form."""
    parameters = (
        *(_written(each, required=True) for each in tool.required),
        *(_written(each, required=False) for each in tool.optional),
    )
    returns = tuple(_written(each, required=False) for each in tool.results)
    return documents.to_mtu(documents.ToolDocument(tool.name, tool.description, parameters, returns))


def document_prompt(name: str, examples: Sequence[Mapping[str, JsonValue]]) -> str:
    """The request for a tool's document, from its name and the arguments of some of its calls."""
    calls = ({"parameters": arguments, "results": None} for arguments in examples[:MOST_CALLS])
    lines = "\n".join(orjson.dumps(json_safe(call)).decode() for call in calls)
    return render(TEMPLATE, {"name": name, "calls": lines}).strip()


def parse_document(text: str, name: str = "", used: Iterable[str] = ()) -> dict[str, Any] | Failure:
    """The document in a model's reply, or why it is none.

    `name` is the tool that was asked for, `used` the parameters that its calls give; a document must be of
    that tool and have all of them. Kinds: those of reading (`not_found`, `thinking_not_closed` ...),
    `wrong_form`, `wrong_name`, `unknown_type`, `repeated_parameter`, `missing_parameter`.
    """
    written = _object_in(text)
    if isinstance(written, Failure):
        return written
    try:
        parsed = documents.from_mtu({**dict.fromkeys(SECTIONS, ()), **written})
    except DataError as error:
        return Failure("wrong_form", excerpt(str(error)))
    if name and parsed.name != name:
        return Failure("wrong_name", excerpt(f"{parsed.name!r} instead of {name!r}"))
    return _faults(parsed, used) or _in_order(parsed)


def _object_in(text: str) -> Mapping[str, JsonValue] | Failure:
    """The first object of the reply that has a name; a model may explain itself before."""
    answer = answer_text(text)
    if isinstance(answer, Failure):
        return answer
    objects = [found.value for found in json_values(answer, "{", lenient=True)]
    named = [value for value in objects if isinstance(value, dict) and "name" in value]
    if named:
        return named[0]
    return Failure("wrong_form" if objects else "not_found", excerpt(answer))


def _faults(parsed: documents.ToolDocument, used: Iterable[str]) -> Failure | None:
    for each in (*parsed.parameters, *parsed.returns):
        if each.spelling is ABSENT or not canonical_type(each.spelling):
            return Failure("unknown_type", excerpt(f"{each.name}: {each.spelling!r}"))
    for section in (parsed.parameters, parsed.returns):
        names = [each.name for each in section]
        if len(set(names)) < len(names) or not all(names):
            return Failure("repeated_parameter", excerpt(", ".join(names)))
    missing = sorted(set(used) - {each.name for each in parsed.parameters})
    return Failure("missing_parameter", excerpt(", ".join(missing))) if missing else None


def _in_order(parsed: documents.ToolDocument) -> dict[str, JsonValue]:
    """The document with the five keys in the paper's order and nothing besides."""
    plain = documents.ToolDocument(parsed.name, parsed.description, parsed.parameters, parsed.returns)
    written: dict[str, Any] = safe_object(documents.to_mtu(plain))
    return written


def _written(parameter: CorpusParameter, *, required: bool) -> documents.Parameter:
    return documents.Parameter(
        name=parameter.name,
        type=canonical_type(parameter.type) or "string",
        description=parameter.description,
        required=required,
        default=ABSENT if parameter.default is None else parameter.default,
        choices=parameter.choices,
        format=parameter.format or None,
    )
