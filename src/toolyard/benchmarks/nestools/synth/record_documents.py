"""Tools in the form of the data: the parameters that requests speak of, and the flat fields they return.

A document says what its words need: the permitted values of a fixed choice, the form of a date, the default.
"""

import functools
from collections.abc import Iterable, Mapping

from toolyard.benchmarks.nestools.synth.similar_tools import names
from toolyard.benchmarks.nestools.synth.written_rows import written_rows
from toolyard.core.types import JsonValue, Record
from toolyard.synth.chains.chain import PlannedStep, references_in
from toolyard.synth.chains.projection import Field, returned_fields, telling_fields
from toolyard.synth.goals.goal_book import all_goals
from toolyard.text.documents.nestools import PYTHON_NAMES
from toolyard.world.kernel.document import Parameter
from toolyard.world.kernel.phrase import phrases
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.types import DATE_PATTERN

LEAST_FIELDS = 3
# Results that come in one of several shapes: a field of each shape is listed.
OTHER_SHAPES: Mapping[str, tuple[str, ...]] = {
    "Trend/Google_Trends/google_trends_search": ("location", "related_queries_query"),
    "NLP/NLP/get_topics": ("form",),
}


@functools.cache
def record_document(tool_id: str) -> Record:
    """The tool in the form of the data."""
    tool = library()[tool_id].document
    spoken = {*phrases()[tool_id].parameters, *_used_parameters_and_fields()[0].get(tool_id, ())}
    return {
        "api_name": names()[tool_id],
        "api_description": tool.description,
        "parameters": {
            item.name: {"type": PYTHON_NAMES[item.schema["type"]], "description": describe_parameter(item)}
            for item in tool.parameters
            if item.required or item.name in spoken
        },
        "required": [item.name for item in tool.parameters if item.required],
        "responses": {
            field.name: {"type": field.type, "description": field.description}
            for field in documented_fields(tool_id)
        },
    }


@functools.cache
def documented_fields(tool_id: str) -> tuple[Field, ...]:
    """The returned fields that the document lists: those that some record takes, and what the tool is there for."""
    taken = _used_parameters_and_fields()[1].get(tool_id, frozenset())
    known = returned_fields(tool_id)
    kept = {field.name for field in known if field.name in (*taken, *OTHER_SHAPES.get(tool_id, ()))}
    for field in telling_fields(tool_id):
        if len(kept) < max(LEAST_FIELDS, len(taken) + 1) + len(OTHER_SHAPES.get(tool_id, ())):
            kept.add(field.name)
    return tuple(field for field in known if field.name in kept)


def describe_parameter(parameter: Parameter) -> str:
    """What a parameter means, with its permitted values, its form and its default where they are not said."""
    schema = parameter.schema
    text = schema.get("description") or parameter.name
    additions = [text if text.endswith((".", "!", "?")) else f"{text}."]
    items = schema.get("items")
    choices = schema.get("enum") or (items.get("enum") if isinstance(items, Mapping) else None)
    if choices and not all(str(choice) in text for choice in choices):
        kind = "Any of" if schema["type"] == "array" else "One of"
        additions.append(f"{kind}: {', '.join(map(str, choices))}.")
    if schema.get("pattern") == DATE_PATTERN and "YYYY" not in text:
        additions.append("As YYYY-MM-DD.")
    default = schema.get("default")
    if default not in (None, "", []) and "default" not in text.lower() and "left out" not in text:
        additions.append(f"Default: {_value_as_text(default)}.")
    return " ".join(additions)


def _value_as_text(value: JsonValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@functools.cache
def _used_parameters_and_fields() -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
    """The parameters that written rows and goals fill, and the returned fields that they take, by tool."""
    filled: dict[str, frozenset[str]] = {}
    taken: dict[str, frozenset[str]] = {}
    for plan in _plans_of_goals():
        for step in plan:
            filled[step.tool] = filled.get(step.tool, frozenset()) | step.arguments.keys()
            for given in step.arguments.values():
                for link in references_in(given):
                    source = plan[link.step].tool
                    taken[source] = taken.get(source, frozenset()) | {link.field}
    return filled, taken


def _plans_of_goals() -> Iterable[tuple[PlannedStep, ...]]:
    yield from (row.plan for row in written_rows())
    yield from (goal.plan for goal in all_goals())
