"""568 tools that run offline: a library, the worlds they act on, and the ways to call them."""

from toolyard.world.executor import Faults, call
from toolyard.world.registry import Tool, library, select
from toolyard.world.state import World

__all__ = ["Faults", "Tool", "World", "call", "library", "select"]
