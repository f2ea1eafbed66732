"""A mirror over the Model Context Protocol, by the server of the package's own world."""

from toolyard.owntools.mirror.kernel import Mirror
from toolyard.world.kernel.executor import Faults
from toolyard.world.kernel.registry import mount
from toolyard.world.mcp import stdio as mcp_stdio


def serve_stdio(
    mirror: Mirror, *, seed: int = 0, faults: Faults | None = None, control: bool = False
) -> None:
    """Serves on standard input and output until the client closes them."""
    mount(mirror.tools)
    mcp_stdio.serve_stdio(mirror.group, seed=seed, faults=faults, control=control)
