"""What a probe asks: a tool that runs, a task with the calls that solve it, and what went before.

Task("add", "plain", "Add 19 and 23.", (ADD,), (Wanted("add", {"a": 19, "b": 23}),))
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolyard.core.types import JsonValue

Arguments: TypeAlias = Mapping[str, JsonValue]
Kind: TypeAlias = Literal["calls", "count", "limit"]

ROOM = 512


class ProbeToolFault(Exception):
    """What a tool answers to a call that it cannot serve; the text is sent back to the model."""


@dataclass(frozen=True, slots=True)
class ProbeTool:
    """A function with its schema; `run` is pure and raises ToolFault on arguments that do not fit."""

    name: str
    description: str
    parameters: dict[str, JsonValue]
    run: Callable[[Arguments], str]
    strict: bool = False


@dataclass(frozen=True, slots=True)
class WantedCall:
    """A call that solves the task."""

    tool: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Past:
    """A finished round before the question: what the user said, the call, its result, the answer."""

    user: str
    call: WantedCall
    result: str
    answer: str
    text: str = ""
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Longer:
    """What the second request of a count probe has more than the first; its prompt must be longer."""

    part: Literal["tools", "parameters", "result", "system", "past call"]


@dataclass(frozen=True, slots=True)
class ProbeTask:
    """One task, the same on every surface.

    `choice` is auto, required, none or a tool's name. `answer` must stand in the last text. With `any_call`
    a call that the tool takes is enough, whatever its arguments.
    """

    name: str
    feature: str
    ask: str
    tools: tuple[ProbeTool, ...]
    wanted: tuple[WantedCall, ...] = ()
    answer: str = ""
    choice: str = "auto"
    any_call: bool = False
    one_at_a_time: bool = False
    system: str = ""
    past: tuple[Past, ...] = ()
    room: int = ROOM
    kind: Kind = "calls"
    longer: Longer | None = None
    native_only: bool = False
    # what the task leans on, so that a refusal of the request has a name
    leans_on: Literal["", "schema", "choice", "history"] = ""
    by_name: dict[str, ProbeTool] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {tool.name: tool for tool in self.tools})

    def run(self, name: str, arguments: JsonValue) -> str:
        """What the tool answers; ToolFault where there is no such tool or the arguments do not fit."""
        tool = self.by_name.get(name)
        if tool is None:
            raise ProbeToolFault(f"there is no tool {name[:80]!r}")
        if not isinstance(arguments, dict):
            raise ProbeToolFault("the arguments are no object")
        return tool.run(arguments)
