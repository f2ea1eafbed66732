"""ToolBeHonest's tool lists: numbered lines, ASCII or full-width colon.

1. SeatFinder: Finds a free seat in a hall.
2. Finish: Ends the plan.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from toolyard.text.documents.dialect_parts import ToolDocument, document_error

DIALECT = "toolbehonest"
_LINE = re.compile(r"\s*+([0-9]{1,9})\.\s*+([^:：]+)([:：])(.*)", re.DOTALL)


def from_toolbehonest(text: str, where: str = "tool list") -> tuple[ToolDocument, ...]:
    """The tools of a numbered list, in order; a line without a number continues the description above it."""
    tools: list[tuple[ToolDocument, list[str]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        matched = _LINE.fullmatch(line)
        if matched is not None:
            tool = _read_tool(matched, f"{where}, line {number}")
            tools.append((tool, [tool.description]))
        elif line.strip() and not tools:
            raise document_error(f"{where}, line {number}", repr(line[:60]), "'1. Name: description'")
        elif line.strip():
            tools[-1][1].append(line.strip())
    return tuple(replace(tool, description="\n".join(lines)) for tool, lines in tools)


def to_toolbehonest(tools: Sequence[ToolDocument]) -> str:
    """The numbered list: numbers as they were read, otherwise counted from 1."""
    lines = []
    for position, tool in enumerate(tools, start=1):
        kept = tool.dialect == DIALECT
        number = tool.id if kept else position
        lines.append(f"{number}. {tool.name}{tool.layout_of(DIALECT).get('colon', ': ')}{tool.description}")
    return "\n".join(lines)


def _read_tool(matched: re.Match[str], where: str) -> ToolDocument:
    number, name, colon, rest = matched.groups()
    if not name.strip():
        raise document_error(where, "no name before the colon", "'1. Name: description'")
    description = rest.strip()
    space = rest[: len(rest) - len(rest.lstrip())] if description else ""
    return ToolDocument(
        name=name.strip(),
        description=description,
        id=int(number),
        dialect=DIALECT,
        layout={"colon": colon + space},
    )
