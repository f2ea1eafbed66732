"""Arguments for wired calls: examples varied by meaning, kept only where the tool really takes them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from toolyard.core.types import Failure, JsonValue, Record
from toolyard.synth.chains.chain import (
    Argument,
    ChainStep,
    PlannedStep,
    ResultReference,
    execute_step,
    resolve_arguments,
)
from toolyard.synth.chains.example_values import is_sayable, vary_value
from toolyard.world.kernel.phrase import phrases
from toolyard.world.kernel.registry import Tool, library
from toolyard.world.kernel.result_text import encode
from toolyard.world.kernel.state import World

LONGEST_LITERAL = 240
_VARIED_TRIES = 2
_VARY = 0.7
_DROP_OPTIONAL = 0.4


@dataclass(frozen=True, slots=True)
class Demand:
    """What whoever draws takes, asked before anything is executed for it; the calls are all of a plan."""

    tools: Callable[[Sequence[str]], Failure | None] = lambda tools: None  # noqa: ARG005
    calls: Callable[[Sequence[tuple[str, Record]]], bool] = lambda calls: True  # noqa: ARG005


ANYTHING = Demand()
UNWANTED = Failure("unwanted_calls")


def fill_plan(
    tools: Sequence[str],
    wires: Sequence[Mapping[str, ResultReference]],
    world_seed: int,
    rng: Random,
    demand: Demand = ANYTHING,
) -> tuple[PlannedStep, ...] | Failure:
    """A plan whose every call succeeds in that world and returns what later calls refer to."""
    world = World.fresh(world_seed)
    steps: list[ChainStep] = []
    for index, tool in enumerate(tools):
        wanted = {ref.field for wired in wires for ref in wired.values() if ref.step == index}
        last = demand if index == len(tools) - 1 else ANYTHING
        done = _first_standing_step(world, library()[tool], wires[index], wanted, steps, rng, last)
        if isinstance(done, Failure):
            return done
        steps.append(done[0])
        world = done[1]
    return tuple(PlannedStep(step.tool, step.arguments) for step in steps)


def is_fillable(tool: Tool) -> bool:
    """Whether some example of the tool can be said in words; a list of empty lists, for one, cannot."""
    return any(True for _ in _example_arguments(tool, {}))


def _first_standing_step(
    world: World,
    tool: Tool,
    wired: Mapping[str, ResultReference],
    wanted: set[str],
    earlier: Sequence[ChainStep],
    rng: Random,
    demand: Demand,
) -> tuple[ChainStep, World] | Failure:
    """The first of some candidate calls that stands, with the world after it."""
    failure = Failure("no_arguments", tool.id)
    for arguments in _candidate_arguments(tool, wired, rng):
        planned = PlannedStep(tool.id, arguments)
        if demand is not ANYTHING and not demand.calls(_calls((*earlier, planned), earlier)):
            failure = UNWANTED
            continue
        twin = world.copy()
        done = execute_step(twin, planned, earlier)
        if isinstance(done, Failure):
            failure = done
        elif wanted <= done.result.keys():
            return done, twin
        else:
            failure = Failure("empty_reference", f"{tool.id}: {sorted(wanted - done.result.keys())[0]}")
    return failure


def _calls(steps: Sequence[ChainStep | PlannedStep], done: Sequence[ChainStep]) -> list[tuple[str, Record]]:
    """The steps with the values of their references, all of which stand for something done."""
    return [(step.tool, resolve_arguments(step, done)) for step in steps]


def _candidate_arguments(
    tool: Tool, wired: Mapping[str, ResultReference], rng: Random
) -> Iterator[dict[str, Argument]]:
    """Varied arguments first, then an example as it is; references in their places, in the document's order."""
    bases = list(_example_arguments(tool, wired))
    if not bases:
        return
    base = rng.choice(bases)
    for _ in range(_VARIED_TRIES):
        yield _in_document_order(tool, _vary_example(tool, base, rng), wired)
    for example in (base, *(other for other in bases if other is not base)):
        yield _in_document_order(tool, example, wired)


def _example_arguments(tool: Tool, wired: Mapping[str, ResultReference]) -> Iterator[dict[str, JsonValue]]:
    """The examples less what cannot be said; one that lacks a wired parameter gives only what is required.

    An example may stand for one of two ways to call a tool (by text or by address): what it says beside the
    required parameters goes with the way it chose.
    """
    said = phrases()[tool.id].parameters
    required = {item.name for item in tool.document.parameters if item.required}
    for example in tool.examples:
        kept = required if wired.keys() - example.keys() else set(said)
        base = {
            name: value
            for name, value in example.items()
            if name in kept and name in said and name not in wired and is_sayable(value)
        }
        missing = required - base.keys() - wired.keys()
        if not missing and all(len(encode(value)) <= LONGEST_LITERAL for value in base.values()):
            yield base


def _vary_example(tool: Tool, base: Mapping[str, JsonValue], rng: Random) -> dict[str, JsonValue]:
    optional = {item.name for item in tool.document.parameters if not item.required}
    found: dict[str, JsonValue] = {}
    for name, value in base.items():
        if name in optional and len(base) > 1 and rng.random() < _DROP_OPTIONAL:
            continue
        found[name] = vary_value(tool.id, name, value, rng) if rng.random() < _VARY else value
    return found


def _in_document_order(tool: Tool, base: Record, wired: Mapping[str, ResultReference]) -> dict[str, Argument]:
    given: dict[str, Argument] = {**base, **wired}
    return {item.name: given[item.name] for item in tool.document.parameters if item.name in given}
