"""Calls in a world where nothing has happened yet, executed once where many draws make the same.

    with remembered_calls():
        draw(...)

What a tool does depends on the world's seed, on what happened in it before, and on the arguments. Pipelines of `synth`
execute every call each time, since their last stage proves that calls return the same again; whoever draws without
such a proof may remember them. Observations are shared: nobody may change them.
"""

import functools
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from toolyard.core.types import JsonValue, Observation
from toolyard.world.kernel import executor
from toolyard.world.kernel.state import Snapshot, World

KEPT = 4_096
_REMEMBERED: ContextVar[bool] = ContextVar("remembered", default=False)


@dataclass(frozen=True, slots=True)
class FirstCall:
    """What a first call returned, and the world after it."""

    observation: Observation
    after: Snapshot
    simulated: frozenset[tuple[str, str]]


@contextmanager
def remembered_calls() -> Iterator[None]:
    """Within the block, a call that was made before in an untouched world of the same seed is not executed again."""
    before = _REMEMBERED.set(True)
    try:
        yield
    finally:
        _REMEMBERED.reset(before)


def call(world: World, tool: str, arguments: Mapping[str, JsonValue]) -> Observation:
    """What the tool answers, and its effect on the world."""
    if not _REMEMBERED.get() or not world.is_untouched:
        return executor.call(world, tool, arguments)
    done = _first_call(world.seed, tool, json.dumps(dict(arguments)))
    world.calls += 1
    world.simulated |= done.simulated
    world.restore(done.after)
    return done.observation


@functools.lru_cache(maxsize=KEPT)
def _first_call(seed: int, tool: str, arguments: str) -> FirstCall:
    world = World.fresh(seed)
    observation = executor.call(world, tool, json.loads(arguments))
    return FirstCall(observation, world.snapshot(), frozenset(world.simulated))
