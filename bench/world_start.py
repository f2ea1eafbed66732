"""What the world costs before it is warm: the first call of every tool, a server's start, memory over many seeds.

python bench/world_start.py            everything, into results/world_start.json
python bench/world_start.py first Food  the first calls of one category
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "world_start.json"
HELLO = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)
SEEDS = 8


def children_seconds() -> float:
    """The processor time of all processes that this one waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def examples(category: str | None) -> list[tuple[str, dict[str, object]]]:
    """Every tool of a category (of all) with its first example, read in a process of its own."""
    code = (
        "import json; from toolyard.world import library; "
        "print(json.dumps([(t.id, dict(t.examples[0])) for t in library().values()]))"
    )
    found = json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
    return [(name, given) for name, given in found if category in (None, name.split("/")[0])]


def first_calls(calls: list[tuple[str, dict[str, object]]]) -> Iterator[tuple[str, float]]:
    """Tool -> processor seconds of its first call in a process that has imported `toolyard.world` and nothing else."""
    import toolyard.world  # noqa: F401 - the children start with it

    for name, given in calls:
        before = children_seconds()
        child = os.fork()
        if child == 0:
            from toolyard.world import World, call

            call(World.fresh(), name, given)
            os._exit(0)
        os.waitpid(child, 0)
        yield name, children_seconds() - before


def server_seconds(part: str) -> tuple[float, float]:
    """Time by the clock and processor time until a server of one category has listed its tools."""
    before, start = children_seconds(), time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "toolyard", "serve", part],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin and server.stdout
        server.stdin.write("".join(json.dumps(message) + "\n" for message in HELLO))
        server.stdin.flush()
        while '"id":2' not in server.stdout.readline().replace(" ", ""):
            pass
        passed = time.perf_counter() - start
        server.stdin.close()
        server.wait(20)
    return passed, children_seconds() - before


def memory_megabytes() -> list[int]:
    """Resident memory after all first examples under one seed, two, ... up to eight, in one process."""
    code = f"""
import resource
from toolyard.world import World, call, library
for seed in range({SEEDS}):
    for tool in library().values():
        if not tool.isolated:
            call(World.fresh(seed), tool.id, tool.examples[0])
    print(int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() // 2**20, flush=True)
"""
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return [int(line) for line in found.split()]


def main() -> None:
    """Prints the figures and writes them to results/world_start.json."""
    category = sys.argv[2] if len(sys.argv) > 2 else None
    first = dict(first_calls(examples(category)))
    slowest = sorted(first, key=first.__getitem__)[-10:]
    figures: dict[str, object] = {
        "first_call_median_seconds": round(statistics.median(first.values()), 3),
        "first_calls_over_one_second": sum(1 for seconds in first.values() if seconds > 1),
        "slowest_first_calls_seconds": {name: round(first[name], 2) for name in slowest},
    }
    if category is None:
        clock, processor = min(server_seconds("Weather") for _ in range(3))
        figures["server_start_seconds"] = {"clock": round(clock, 2), "processor": round(processor, 2)}
        figures["megabytes_after_seeds"] = memory_megabytes()
    text = json.dumps(figures, indent=2)
    print(text)
    if category is None:
        RESULTS.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
