"""What the world costs before it is warm: the first call of every tool, a server's start, memory over many seeds.

python bench/world_start.py               the first calls of all tools, into results/world_first_calls.json
python bench/world_start.py Food Travel   those of some categories; the others stay in that file as they are
python bench/world_start.py --sample      one tool of every subcategory

`bench/world.py` prints their summary, the start of a server and the memory beside its own figures.
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

RESULTS = Path(__file__).parent / "results" / "world_first_calls.json"
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


def examples(categories: list[str]) -> list[tuple[str, dict[str, object]]]:
    """Every tool of some categories (of all for none) with its first example, read in a process of its own."""
    code = (
        "import json; from toolyard.world import library; "
        "print(json.dumps([(t.id, dict(t.examples[0])) for t in library().values()]))"
    )
    found = json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
    return [(name, given) for name, given in found if not categories or name.split("/")[0] in categories]


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


def summary() -> dict[str, object]:
    """The first calls on file in short."""
    first: dict[str, float] = json.loads(RESULTS.read_text("utf-8"))
    slowest = sorted(first, key=first.__getitem__)[-10:]
    return {
        "first_calls": len(first),
        "first_call_median_seconds": round(statistics.median(first.values()), 3),
        "first_calls_over_one_second": sum(1 for seconds in first.values() if seconds > 1),
        "slowest_first_calls_seconds": {name: first[name] for name in slowest},
    }


def main() -> None:
    """Measures, writes and prints the first calls."""
    # Modules are compiled once, as an installation does, not anew in every process.
    sys.dont_write_bytecode = False
    known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    wanted = examples([argument for argument in sys.argv[1:] if argument != "--sample"])
    if "--sample" in sys.argv:
        wanted = list({name.rpartition("/")[0]: (name, given) for name, given in reversed(wanted)}.values())
    for name, seconds in first_calls(wanted):
        known[name] = round(seconds, 3)
        # Written each time: what was measured stays where the rest takes too long.
        RESULTS.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", "utf-8")
    print(json.dumps(summary(), indent=2))


if __name__ == "__main__":
    main()
