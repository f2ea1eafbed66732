"""Speed of the world: import, fresh worlds, snapshots, the median call of every tool's examples, the first calls that
`bench/world_start.py` measured, the start of a server, and memory over eight seeds.

python bench/world.py
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from world_start import memory_megabytes, server_seconds, summary

from toolyard.world import World, call, library

RESULTS = Path(__file__).parent / "results" / "world.json"


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


def list_seconds() -> float:
    """How long `toolyard tools list --json` takes from start to end: every world imported, no table built."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "toolyard", "tools", "list", "--json"], check=True, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - start


def call_milliseconds() -> dict[str, float]:
    """Tool -> the median time of its examples, tables built."""
    found = {}
    for tool in library().values():
        times = []
        for example in tool.examples:
            call(World.fresh(), tool.id, example)
            times.append(median_ms(lambda t=tool.id, e=example: call(World.fresh(), t, e), 7))
        found[tool.id] = statistics.median(times)
    return found


def main() -> None:
    """Prints the figures and writes them to results/world.json."""
    calls = call_milliseconds()
    slowest = sorted(calls, key=calls.__getitem__)[-10:]
    figures = {
        "import_seconds": round(import_seconds(), 3),
        "tools_list_seconds": round(min(list_seconds() for _ in range(3)), 2),
        "fresh_world_milliseconds": round(median_ms(World.fresh), 4),
        "copy_world_milliseconds": round(median_ms(World.fresh().copy), 4),
        "copy_changed_world_milliseconds": round(median_ms(changed_world().copy), 4),
        "tools": len(calls),
        "median_call_milliseconds": round(statistics.median(calls.values()), 3),
        "tools_under_one_millisecond": sum(1 for time in calls.values() if time < 1),
        "slowest_milliseconds": {tool_id: round(calls[tool_id], 1) for tool_id in slowest},
        **summary(),
        "megabytes_after_seeds": memory_megabytes(),
    }
    clock, processor = min(server_seconds("Weather") for _ in range(3))
    figures["server_start_seconds"] = {"clock": round(clock, 2), "processor": round(processor, 2)}
    text = json.dumps(figures, indent=2)
    print(text)
    RESULTS.write_text(text + "\n", "utf-8")


def changed_world() -> World:
    """A world in which an episode wrote fifty files and sent fifty mails."""
    world = World.fresh()
    for number in range(50):
        call(
            world,
            "File/file_operation/write_file",
            {"text": "x" * 1000, "file_path": f"/workspace/{number}.txt"},
        )
        call(
            world, "Mail/Mail/send", {"to_email": "mary@example.org", "subject": str(number), "content": "x"}
        )
    return world


if __name__ == "__main__":
    main()
