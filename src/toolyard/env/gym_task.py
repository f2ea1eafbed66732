"""One task of an environment: what the user says turn by turn, the functions on offer, and the calls that are right.

    Task("mtu", 14, "mtu-14", system="...", functions=(Function("find_bus", "Travel/Bus/find", "...", {...}), ...),
         turns=(Turn("A bus to Bergen on Friday.", (GoldCall("find_bus", {"to": "Bergen"}, "5f1c0e9a3b7d2468"),)),))

Every gold call was executed when the task was drawn; `output` is the digest of what it returned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolyard.core.types import Failure, JsonValue, Record

Split: TypeAlias = Literal["train", "eval"]
SPLITS: tuple[Split, ...] = ("train", "eval")
# By what training and evaluation are kept apart: lists of calls, sets of tools that go together, or tools.
Apart: TypeAlias = Literal["calls", "goals", "tools"]
APART: tuple[Apart, ...] = ("calls", "goals", "tools")


@dataclass(frozen=True, slots=True)
class Function:
    """A tool of the world under the name that the task gives it; without a tool it ends the task."""

    name: str
    tool: str
    description: str
    parameters: Record

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
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskTurn:
    """What the user says, the calls it needs, values that the answer must state, and a right answer."""

    user: str
    gold: tuple[GoldCall, ...]
    reply: str
    facts: tuple[str | float, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """What a benchmark's source gives: a task without its seed."""

    system: str
    turns: tuple[TaskTurn, ...]
    functions: tuple[Function, ...]
    groups: Mapping[str, str] = field(default_factory=dict)
    world_seed: int = 0
    # Tools that may not be offered beside the functions, since the task rests on their absence.
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskPlace:
    """Which task is drawn, in which world it is played, and what is asked of it."""

    benchmark: str
    split: Split = "train"
    seed: int = 0
    world_seed: int = 0
    apart: Apart = "calls"
    # The fewest and the most calls of a task; 0 is no limit.
    fewest_calls: int = 0
    most_calls: int = 0
    # As many functions at least.
    catalogue: int = 0


@dataclass(frozen=True, slots=True)
class EnvironmentTask:
    """A draft with its place: the same place always gives the same task."""

    place: TaskPlace
    draft: Draft

    @property
    def id(self) -> str:
        """A name that no other task has."""
        place = self.place
        world = f"/world-{place.world_seed}" if place.world_seed else ""
        calls = (
            f"/calls-{place.fewest_calls}-{place.most_calls}"
            if place.fewest_calls or place.most_calls
            else ""
        )
        apart = f"/by-{place.apart}" if place.apart != "calls" else ""
        catalogue = f"/catalogue-{place.catalogue}" if place.catalogue else ""
        return f"{place.benchmark}/{place.split}/{place.seed}{world}{calls}{apart}{catalogue}"

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
