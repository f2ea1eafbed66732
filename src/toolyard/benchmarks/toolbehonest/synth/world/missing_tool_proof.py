"""The proof that a missing tool was needed: by the documents nothing else can do its step, nor by execution.

By the documents (`stands_in`): what tools return and say of themselves, and the table `stand_ins.toml`.
By execution (`answered_by`): the other tools are called with what the step was called with, and must not show what
the step found.
"""

import functools
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources

from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import (
    category_of_tool,
    group_of_tool,
    offered_tools,
)
from toolyard.core.types import JsonValue, Record
from toolyard.synth.chains.chain import Chain
from toolyard.synth.chains.projection import is_empty
from toolyard.synth.chains.remembered_calls import call
from toolyard.synth.chains.rivals import are_near, can_stand_in, field_names, may_replace, shares_job
from toolyard.text.json_values import leaves
from toolyard.world.kernel.categories import category as known_category
from toolyard.world.kernel.graph import consumed_meanings
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World

__all__ = [
    "answered_by", "are_near", "could_replace", "distractors", "field_names", "may_replace", "stands_in",
    "wanted_fields",
]  # fmt: skip
# Services that people name: whoever wants it from one of them does not want it from another.
_SERVICES = ("ebay", "walmart", "youtube", "yelp", "bing", "google", "itunes")


@functools.cache
def stands_in(other: str, needed: str) -> bool:
    """Whether a listed tool could pass for doing what another is wanted for; in doubt it could."""
    if may_replace(other, needed):
        return True
    about = library()[needed].about
    beyond = next(
        (kept for name, kept in _read_table()["searches"].items() if other.endswith(f"/{name}")), None
    )
    if beyond is not None and known_category(about).on_the_web and about not in beyond:
        return True
    return not _lines_with_tool(other).isdisjoint(_lines_with_tool(needed))


def could_replace(other: str, needed: str, line: str) -> bool:
    """Whether another tool of a plan could do a step that is said like this.

    Not where the line names another service; and what acts on files or mail does what it says, however alike the results.
    """
    named = [service for service in _SERVICES if service in line.lower()]
    document = " ".join(offered_tools()[other]).lower()
    if not all(service in document for service in named):
        return False
    if known_category(library()[needed].about).on_the_web:
        return stands_in(other, needed)
    return (
        can_stand_in(other, needed)
        or shares_job(other, needed)
        or not _lines_with_tool(other).isdisjoint(_lines_with_tool(needed))
    )


@functools.cache
def _read_table() -> Record:
    table: Record = tomllib.loads(resources.files(__package__).joinpath("stand_ins.toml").read_text("utf-8"))
    return table


@functools.cache
def _lines_with_tool(tool: str) -> frozenset[int]:
    """The lines of the table that hold a tool."""
    lines = enumerate(_read_table()["answers"])
    return frozenset(number for number, names in lines if any(tool.endswith(f"/{name}") for name in names))


def distractors(plan: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Tools that can do no step of the plan: those of its groups, of its categories, and of its kinds."""
    groups, categories = {group_of_tool(tool) for tool in plan}, {category_of_tool(tool) for tool in plan}
    tiers: tuple[list[str], ...] = ([], [], [])
    for tool in offered_tools():
        if tool in plan or any(stands_in(tool, used) for used in plan):
            continue
        if group_of_tool(tool) in groups:
            tiers[0].append(tool)
        elif category_of_tool(tool) in categories:
            tiers[1].append(tool)
        elif any(are_near(tool, used) for used in plan):
            tiers[2].append(tool)
    return tuple(map(tuple, tiers))


def wanted_fields(chain: Chain, index: int) -> dict[str, JsonValue]:
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
    sought = {str(value).casefold() for value in wanted_fields(chain, index).values()}
    world = World.fresh(chain.seed)
    for earlier in range(index):
        call(world, chain.steps[earlier].tool, chain.resolved(earlier))
    meant = _values_by_meaning(step.tool, chain.resolved(index))
    found = []
    for other in others:
        observation = call(world.copy(), other, _example_arguments(other, meant))
        shown = {str(value).casefold() for value in leaves(observation.value)}
        if observation.error is None and sought <= shown:
            found.append(other)
    return tuple(found)


def _values_by_meaning(tool: str, arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Meaning -> value, of the arguments that mean something."""
    taken = dict(reversed([*consumed_meanings(library()[tool])]))
    return {taken[name]: value for name, value in arguments.items() if name in taken and not is_empty(value)}


def _example_arguments(tool: str, meant: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """An example of the tool with the given values wherever it takes such."""
    known = library()[tool]
    lists = {item.name for item in known.document.parameters if item.schema.get("type") == "array"}
    fitting = {
        name: [meant[meaning]] if name in lists and not isinstance(meant[meaning], list) else meant[meaning]
        for name, meaning in consumed_meanings(known)
        if meaning in meant
    }
    return {**known.examples[0], **fitting}
