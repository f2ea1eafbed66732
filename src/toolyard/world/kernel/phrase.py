"""How a person asks for a tool: the phrase of its `@GROUP.tool(...)`, read once and checked against its parameters.

    look up the forecast for {q}[ over the next {days} days]

A group in brackets is written only where its parameter is used.
"""

import functools
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from toolyard.core.types import Failure
from toolyard.world.kernel.registry import Tool, library

_SLOT = re.compile(r"\{([^{}\[\]]+)\}")
_GROUP = re.compile(r"\[([^\[\]]*)\]|([^\[\]]+)")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a request: fixed text around at most one slot; `optional` pieces need their parameter."""

    before: str
    parameter: str | None = None
    after: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """How a person asks for a tool, and what to call what it returns."""

    tool: str
    pieces: tuple[Piece, ...]
    noun: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that the request can say."""
        return tuple(piece.parameter for piece in self.pieces if piece.parameter is not None)


@functools.cache
def phrases() -> Mapping[str, Phrase]:
    """The phrases of all tools that can be asked for, by id; a warning names those that cannot."""
    read = {tool.id: read_phrase(tool) for tool in library().values()}
    silent = [f"{tool} ({found.detail})" for tool, found in read.items() if isinstance(found, Failure)]
    if silent:
        more = f" and {len(silent) - _SHOWN} more" if len(silent) > _SHOWN else ""
        warnings.warn(
            f"no data are made with {', '.join(silent[:_SHOWN])}{more}; "
            "give each a phrase and a noun in its @tool(...)",
            stacklevel=2,
        )
    return {tool: found for tool, found in read.items() if isinstance(found, Phrase)}


@functools.cache
def speakable() -> Mapping[str, Tool]:
    """The tools that can be asked for, in the order of the library: data are made of no others."""
    return {tool_id: tool for tool_id, tool in library().items() if tool_id in phrases()}


def read_phrase(tool: Tool) -> Phrase | Failure:
    """The phrase of a tool, or what is wrong with it."""
    facts = tool.facts
    if not facts.phrase.strip() or not facts.noun.strip():
        return Failure("no_phrase", f"no {'noun' if facts.phrase.strip() else 'phrase'}")
    if "".join(match.group(0) for match in _GROUP.finditer(facts.phrase)) != facts.phrase:
        return Failure("bad_phrase", "its brackets do not pair; want [ text {parameter} ]")
    groups = [match.group(1) for match in _GROUP.finditer(facts.phrase) if match.group(1) is not None]
    crowded = [group for group in groups if len(_SLOT.split(group)) != 3]
    if crowded:
        return Failure("bad_phrase", f"[{crowded[0]}] wants exactly one {{parameter}}")
    phrase = Phrase(tool.id, tuple(_request_pieces(facts.phrase)), facts.noun)
    return _slot_failure(tool, phrase) or phrase


def _request_pieces(request: str) -> Iterator[Piece]:
    for match in _GROUP.finditer(request):
        group, plain = match.groups()
        slots = _SLOT.split(plain if group is None else group)
        if group is not None:
            yield Piece(slots[0], slots[1], slots[2], optional=True)
        else:
            yield from (Piece(slots[n], slots[n + 1]) for n in range(0, len(slots) - 1, 2))
            yield Piece(slots[-1])


def _slot_failure(tool: Tool, phrase: Phrase) -> Failure | None:
    known = {parameter.name: parameter.required for parameter in tool.document.parameters}
    named = phrase.parameters
    wrong = [name for name in named if name not in known or named.count(name) > 1]
    if wrong:
        return Failure("bad_phrase", f"{{{wrong[0]}}} is no parameter, or is there twice")
    fixed = {piece.parameter for piece in phrase.pieces if not piece.optional}
    missing = [name for name, required in known.items() if required and name not in fixed]
    return Failure("bad_phrase", f"required {missing[0]} has no slot outside brackets") if missing else None
