"""568 tools that run offline: a library, the worlds they act on, and the ways to call them."""

from toolyard.core.declared_world import DECLARATION, VERSION
from toolyard.world.kernel.allowance import Allowance
from toolyard.world.kernel.executor import Faults, Rules, call, call_async
from toolyard.world.kernel.registry import Tool, library, select
from toolyard.world.kernel.state import World

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
