"""The proof that a missing tool was needed: by the documents nothing else can do its step, nor by execution.

By execution (`answered_by`): the other tools are called with what the step was called with, and must not show what
the step found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import category, group, offered
from toolyard.core.types import JsonValue
from toolyard.synth.chains.chain import Chain
from toolyard.synth.chains.projection import is_empty
from toolyard.synth.chains.rivals import field_names, near, replaces
from toolyard.text.values import leaves
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.graph import consumed
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World

__all__ = ["answered_by", "conflict", "distractors", "field_names", "replaces", "wanted"]


def conflict(plan: Sequence[str], others: Sequence[str] = ()) -> str:
    """The first pair of tools of which one could do a step of the other, as text; empty where there is none."""
    for needed in dict.fromkeys(plan):
        for other in dict.fromkeys((*plan, *others)):
            if other != needed and replaces(other, needed):
                return f"{other} could stand in for {needed}"
    return ""


def distractors(plan: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Tools that can do no step of the plan: those of its groups, of its categories, and of its kinds."""
    groups, categories = {group(tool) for tool in plan}, {category(tool) for tool in plan}
    tiers: tuple[list[str], ...] = ([], [], [])
    for tool in offered():
        if tool in plan or any(replaces(tool, used) for used in plan):
            continue
        if group(tool) in groups:
            tiers[0].append(tool)
        elif category(tool) in categories:
            tiers[1].append(tool)
        elif any(near(tool, used) for used in plan):
            tiers[2].append(tool)
    return tuple(map(tuple, tiers))


def wanted(chain: Chain, index: int) -> dict[str, JsonValue]:
    """What the step was done for: the fields that later steps take, else those that are no echo of what it was given."""
    step = chain.steps[index]
    taken = [
        reference.field
        for later in chain.steps
        for reference in later.references.values()
        if reference.step == index
    ]
    given = [str(value).casefold() for value in chain.resolved(index).values()]
    new = [name for name, value in step.result.items() if str(value).casefold() not in given]
    return {name: step.result[name] for name in dict.fromkeys(taken or new or step.result)}


def answered_by(chain: Chain, index: int, others: Sequence[str]) -> tuple[str, ...]:
    """Those of the other tools that show, called with the same values, all that the step was done for."""
    step = chain.steps[index]
    sought = {str(value).casefold() for value in wanted(chain, index).values()}
    world = World.fresh(chain.seed)
    for earlier in range(index):
        call(world, chain.steps[earlier].tool, chain.resolved(earlier))
    meant = _by_meaning(step.tool, chain.resolved(index))
    found = []
    for other in others:
        observation = call(world.copy(), other, _arguments(other, meant))
        shown = {str(value).casefold() for value in leaves(observation.value)}
        if observation.error is None and sought <= shown:
            found.append(other)
    return tuple(found)


def _by_meaning(tool: str, arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Meaning -> value, of the arguments that mean something."""
    taken = dict(reversed([*consumed(library()[tool])]))
    return {taken[name]: value for name, value in arguments.items() if name in taken and not is_empty(value)}


def _arguments(tool: str, meant: Mapping[str, JsonValue]) -> dict[str, object]:
    """An example of the tool with the given values wherever it takes such."""
    known = library()[tool]
    lists = {item.name for item in known.document.parameters if item.schema.get("type") == "array"}
    fitting = {
        name: [meant[meaning]] if name in lists and not isinstance(meant[meaning], list) else meant[meaning]
        for name, meaning in consumed(known)
        if meaning in meant
    }
    return {**known.examples[0], **fitting}
