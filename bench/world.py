"""Speed of the world: import, fresh worlds, snapshots, and the median call of every tool's examples.

python bench/world.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from toolyard.world import World, call, library


def median_ms(action: Callable[[], object], repeats: int = 200) -> float:
    """The median time of an action in milliseconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def import_seconds() -> float:
    """How much longer Python takes to start with the package imported."""

    def run(code: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - start

    return min(run("import toolyard.world") for _ in range(5)) - min(run("pass") for _ in range(5))


def main() -> None:
    """Prints one line per measurement, slowest tools last."""
    world = World.fresh()
    calls = {tool.id: [] for tool in library().values()}
    for tool in library().values():
        for example in tool.examples:
            call(World.fresh(), tool.id, example)
            calls[tool.id].append(median_ms(lambda t=tool.id, e=example: call(World.fresh(), t, e), 15))
    medians = sorted((statistics.median(times), tool_id) for tool_id, times in calls.items())
    print(f"import of the package: {import_seconds():.3f} s (limit 0.3)")
    print(f"fresh world: {median_ms(World.fresh):.4f} ms, copy: {median_ms(world.copy):.4f} ms (limit 5)")
    print(f"median call over {len(medians)} tools: {medians[len(medians) // 2][0]:.3f} ms (limit 1)")
    for milliseconds, tool_id in medians[-10:]:
        print(f"  {milliseconds:8.2f} ms  {tool_id}")


if __name__ == "__main__":
    main()
