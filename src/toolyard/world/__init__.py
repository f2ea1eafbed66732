"""568 tools that run offline: a library, the worlds they act on, and the ways to call them."""

from toolyard.core.declared_world import DECLARATION, VERSION
from toolyard.world.allowance import Allowance
from toolyard.world.executor import Faults, Rules, call, call_async
from toolyard.world.registry import Tool, library, select
from toolyard.world.state import World

__all__ = [
    "DECLARATION",
    "VERSION",
    "Allowance",
    "Faults",
    "Rules",
    "Tool",
    "World",
    "call",
    "call_async",
    "library",
    "select",
]
