"""What is wrong with a tool's definition, in sentences; an empty answer means that it may enter the library."""

import re
from collections.abc import Iterator

from toolyard.core.types import Failure
from toolyard.world.kernel.arguments import bind_arguments, schema_problem
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.phrase import read_phrase
from toolyard.world.kernel.registry import Tool


def lint_tool(tool: Tool) -> tuple[str, ...]:
    """Everything in name, document and examples that breaks a convention."""
    return (*_name_problems(tool), *_text_problems(tool), *_word_problems(tool), *_value_problems(tool))


def _name_problems(tool: Tool) -> Iterator[str]:
    if not re.fullmatch(r"[A-Za-z0-9_]{1,60}", tool.name):
        yield f"name {tool.name!r} cannot be used over MCP"
    for parameter in tool.document.parameters:
        if tool.is_credential(parameter.name):
            yield f"{parameter.name} is a credential and must not be a parameter"


def _text_problems(tool: Tool) -> Iterator[str]:
    document = tool.document
    if len(document.description) < 15 or not document.description.endswith((".", "?")):
        yield "the docstring must open with a full sentence"
    for parameter in document.parameters:
        if len(parameter.schema["description"]) < 5:
            yield f"{parameter.name} is not described in the docstring"
    for word in document.stray:
        yield f"the docstring describes {word}, which is no parameter"


def _word_problems(tool: Tool) -> Iterator[str]:
    """A tool may do without a phrase, but not have a wrong one."""
    read = read_phrase(tool)
    if isinstance(read, Failure) and read.kind != "no_phrase":
        yield f"phrase {tool.facts.phrase!r}: {read.detail}"


def _value_problems(tool: Tool) -> Iterator[str]:
    if not tool.examples:
        yield "at least one example call is needed"
    for example in tool.examples:
        try:
            bind_arguments(tool.document, example)
        except ToolFault as fault:
            yield f"example {dict(example)}: {fault.message}"
    for parameter in tool.document.parameters:
        if "default" in parameter.schema:
            wrong = schema_problem(parameter.schema["default"], parameter.schema)
            if wrong:
                yield f"default of {parameter.name}: {wrong[1]}"
