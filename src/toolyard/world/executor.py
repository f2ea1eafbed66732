"""Calling a tool in a world: a result or a structured error, always within the token budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolyard.core.errors import MissingExtra
from toolyard.core.types import Json, Observation
from toolyard.world import seeds
from toolyard.world.arguments import bind
from toolyard.world.budget import render
from toolyard.world.faults import ToolFault
from toolyard.world.meant import as_meant
from toolyard.world.naming import resolve, shown_name
from toolyard.world.registry import Tool
from toolyard.world.state import World

BUDGET_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class Faults:
    """Seeded trouble: this share of calls is refused as rate limited or times out."""

    rate: float = 0.0
    seed: int = 0

    def of_call(self, world: World, tool: Tool) -> ToolFault | None:
        """The trouble that the world's present call runs into, if any."""
        chance = seeds.unit(self.seed, world.seed, world.calls, tool.id)
        if chance >= self.rate:
            return None
        if chance < self.rate / 2:
            return ToolFault(
                "rate_limited", "too many requests; try the same call again", retry_after_seconds=1
            )
        return ToolFault("timeout", "the service did not answer in time; try the same call again")


def call(
    world: World,
    name: str,
    arguments: Mapping[str, Json],
    *,
    offered: Sequence[str] | None = None,
    compatibility: bool = False,
    renames: Mapping[str, str] | None = None,
    budget_tokens: int = BUDGET_TOKENS,
    faults: Faults | None = None,
) -> Observation:
    """What the tool answers. A fault leaves the world as it was.

    `offered` limits which ids exist for the caller; `name` is an id or a name unique among them.
    """
    world.calls += 1
    before = world.snapshot()
    try:
        value = _execute(world, name, arguments, offered, compatibility, renames, faults)
    except ToolFault as fault:
        world.restore(before)
        shown = render(fault.as_json(lambda tool_id: shown_name(tool_id, offered)), budget_tokens)
        return Observation(shown.text, shown.value, fault.kind)
    shown = render(value, budget_tokens)
    return Observation(shown.text, shown.value)


def _execute(
    world: World,
    name: str,
    arguments: Mapping[str, Json],
    offered: Sequence[str] | None,
    compatibility: bool,
    renames: Mapping[str, str] | None,
    faults: Faults | None,
) -> Json:
    tool = resolve(name, offered)
    if not isinstance(arguments, Mapping):
        raise ToolFault("wrong_type", f"arguments must be an object, got {type(arguments).__name__}")
    arguments = as_meant(tool.document, arguments, world.today, renames)
    keywords = bind(tool.document, arguments, compatibility=compatibility, renames=renames)
    trouble = faults.of_call(world, tool) if faults else None
    if trouble:
        raise trouble
    positional = (world,) if tool.document.takes_world else ()
    try:
        return tool.function(*positional, **keywords)
    except ModuleNotFoundError as error:
        raise MissingExtra(
            f"{tool.id} needs {(error.name or '').partition('.')[0]}: pip install 'toolyard[world]'"
        ) from error
