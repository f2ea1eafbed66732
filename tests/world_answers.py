"""What tools of the world answer where no error is expected."""

from collections.abc import Mapping
from typing import Any

from toolyard.world import World, call


def answer(world: World, tool: str, arguments: Mapping[str, Any]) -> Any:
    """What a tool answers."""
    observation = call(world, tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


def ask(tool: str, /, seed: int = 0, world: World | None = None, **arguments: Any) -> Any:
    """What a tool answers in a new world of some seed, or in a given one."""
    return answer(world or World.fresh(seed), tool, arguments)
