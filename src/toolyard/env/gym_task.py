"""One task of an environment: what the user says turn by turn, the functions on offer, and the calls that are right.

    Task("mtu", 14, "mtu-14", system="...", functions=(Function("find_bus", "Travel/Bus/find", "...", {...}), ...),
         turns=(Turn("A bus to Bergen on Friday.", (GoldCall("find_bus", {"to": "Bergen"}, "5f1c0e9a3b7d2468"),)),))

Every gold call was executed when the task was drawn; `output` is the digest of what it returned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from toolyard.benchmarks.tooleyes.checks.fact_verdicts import Fact
from toolyard.core.types import Failure, JsonValue, Record

Split: TypeAlias = Literal["train", "eval"]
SPLITS: tuple[Split, ...] = ("train", "eval")
# What of a tool's result its caller sees.
Shown: TypeAlias = Callable[[str, Any], Any]


@dataclass(frozen=True, slots=True)
class Function:
    """A tool of the world under the name that the task gives it; without a tool it ends the task."""

    name: str
    tool: str
    description: str
    parameters: Record
    shown: Shown | None = None

    @property
    def schema(self) -> dict[str, JsonValue]:
        """The function as OpenAI-compatible endpoints take it."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": dict(self.parameters),
            },
        }


@dataclass(frozen=True, slots=True)
class GoldCall:
    """A call that is right here. One that ends the task has no output, and `about` holds words that describe why."""

    function: str
    arguments: Record
    output: str = ""
    about: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TaskTurn:
    """What the user says, the calls it needs, facts that the answer must state, and a right answer."""

    user: str
    gold: tuple[GoldCall, ...]
    reply: str
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """What a benchmark's source gives: a task without its seed."""

    system: str
    turns: tuple[TaskTurn, ...]
    functions: tuple[Function, ...]
    groups: Mapping[str, str] = field(default_factory=dict)
    world_seed: int = 0


@dataclass(frozen=True, slots=True)
class EnvironmentTask:
    """A draft with its place: the same (benchmark, split, seed) in the same world always gives the same task."""

    benchmark: str
    split: Split
    seed: int
    draft: Draft

    @property
    def id(self) -> str:
        """A name that no other task has."""
        world = f"/world-{self.draft.world_seed}" if self.draft.world_seed else ""
        return f"{self.benchmark}/{self.split}/{self.seed}{world}"

    @property
    def gold(self) -> tuple[GoldCall, ...]:
        """The right calls of all turns, in order."""
        return tuple(call for turn in self.draft.turns for call in turn.gold)

    def function(self, name: str) -> Function | None:
        """The function of that name, None where none is offered."""
        return next((each for each in self.draft.functions if each.name == name), None)


# Executed calls as (tool, arguments); a source asks whether they belong to the split before it goes on.
ExecutedCalls: TypeAlias = Sequence[tuple[str, Record]]
Fits: TypeAlias = Callable[[ExecutedCalls], bool]
OTHER_SPLIT = Failure("other_split")
