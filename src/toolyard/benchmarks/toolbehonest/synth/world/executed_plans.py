"""Executed plans: chains of calls that were run in one fresh world, as they are kept with a row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from toolyard.core.types import Failure, Record, derived_seed
from toolyard.synth.chains.chain import Chain, ChainStep, argument_to_json, execute
from toolyard.synth.chains.chain import chain_from_json as chain_from_json
from toolyard.synth.chains.execution import output_digest
from toolyard.world.kernel.result_text import encode

TRIES = 8
Written = TypeVar("Written")
Plan = TypeVar("Plan")
EVERYDAY = ("trip", "kitchen", "money", "study", "sport", "leisure", "town")


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A stretch of calls of one tool with one parameter that changes."""

    first: int
    length: int
    parameter: str


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """An executed chain; `again` is the step that repeats another with other words, `run` a stretch of one tool."""

    chain: Chain
    again: int | None = None
    run: ToolRun | None = None

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools in their order."""
        return tuple(step.tool for step in self.chain.steps)


def run_entry(
    book: Sequence[Written],
    name: str,
    seed: int,
    n: int,
    executed: Callable[[Written, Random], Plan | Failure],
) -> Plan | Failure:
    """Entry n of a shuffled book, executed, each entry in its turn; or why the last of some tries does not stand."""
    rng = Random(derived_seed(seed, name, n))
    shuffled = list(book)
    Random(derived_seed(seed, name, -1)).shuffle(shuffled)
    chosen = shuffled[n % len(shuffled)]
    made = executed(chosen, rng)
    for _ in range(TRIES - 1):
        if not isinstance(made, Failure):
            break
        made = executed(chosen, rng)
    return made


def repeat_index(tools: Sequence[str]) -> int | None:
    """The step at which a tool comes back."""
    return next((place for place, tool in enumerate(tools) if tool in tools[:place]), None)


def to_json(chain: Chain) -> Record:
    """The executed calls as plain data: what each returned as a digest, and the fields that were looked at."""
    return {"seed": chain.seed, "steps": [_step_json(step) for step in chain.steps]}


def _step_json(step: ChainStep) -> dict[str, object]:
    arguments = {name: argument_to_json(given) for name, given in step.arguments.items()}
    result = dict(step.result)
    return {"tool": step.tool, "arguments": arguments, "result": result, "digest": output_digest(step.output)}


def re_execute(row: Record) -> bool:
    """Whether the calls kept with a row return, in a fresh world, what they returned when it was made."""
    execution = row["execution"]
    again = execute(chain_from_json(execution).plan, execution["seed"])
    return isinstance(again, Chain) and encode(to_json(again)["steps"]) == encode(execution["steps"])
