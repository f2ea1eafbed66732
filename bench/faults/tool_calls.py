"""Calls of every tool, strict and compatible: what escapes, runs over, grows, or reaches for the host.

python bench/faults/tool_calls.py --calls 62500 --seed 1 --out parts/calls-1.json

Prints a summary as JSON and exits with 1 where anything was found. A case is repeated with --seed S --only N.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import resource
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from drawn_calls import FILES_MADE, MANNERS, Drawn, Draws  # noqa: E402 - found through the lines above
from shards import write_shard  # noqa: E402

from toolyard.world import Tool, World, call, isolation, library  # noqa: E402
from toolyard.world.kernel.faults import KINDS  # noqa: E402
from toolyard.world.kernel.registry import extra_tools  # noqa: E402
from toolyard.world.tools.file.files import FILES  # noqa: E402

IN_PROCESS_SECONDS = 2.0
WORLD_CALLS = 25
REACHES = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "socket.connect",
    "tempfile.",
    "shutil.",
)


@dataclass(slots=True)
class Findings:
    """What a run has seen."""

    outcomes: dict[str, Counter[str]] = field(
        default_factory=lambda: {manner: Counter[str]() for manner in MANNERS}
    )
    per_tool: Counter[str] = field(default_factory=Counter)
    escapes: list[str] = field(default_factory=list)
    internal: dict[str, str] = field(default_factory=dict)
    slow: dict[str, float] = field(default_factory=dict)
    reached: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    slowest_here: tuple[float, str] = (0.0, "")


def watch(findings: Findings) -> None:
    """Counts what this process does to the host; starting our own workers is not counted."""

    def notice(event: str, details: tuple[Any, ...]) -> None:
        writes = (
            event == "open"
            and isinstance(details[2], int)
            and details[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        )
        if event == "subprocess.Popen" and "isolated_worker" in str(details[1]):
            return
        if (writes and details[0] != os.devnull and isinstance(details[0], str)) or event.startswith(REACHES):
            findings.reached[f"{event} {str(details)[:80]}"] += 1

    sys.addaudithook(notice)


def attempt(number: int, drawn: Drawn, world: World, findings: Findings) -> None:
    """One call and what came of it."""
    tool, arguments = drawn.tool, drawn.arguments
    findings.per_tool[tool.id] += 1
    start = time.perf_counter()
    try:
        seen = call(world, tool.id, arguments, compatibility=drawn.compatibility)
        seen.text.encode()
        findings.outcomes[drawn.manner][seen.error or "answered"] += 1
        if seen.error is not None and seen.error not in KINDS:
            findings.escapes.append(f"{number} {tool.id} unknown kind {seen.error}")
        if seen.error == "internal_error":
            findings.internal.setdefault(f"{tool.id} {seen.text[:160]}", f"{number} {shown(arguments)}")
    except BaseException as error:  # whatever it is, it left through the call
        findings.escapes.append(
            f"{number} {tool.id} {type(error).__name__}: {str(error)[:200]} {shown(arguments)}"
        )
        if isinstance(error, KeyboardInterrupt):
            raise
    took = time.perf_counter() - start
    if took > IN_PROCESS_SECONDS and not tool.isolated:  # the first call of a tool builds its tables
        start = time.perf_counter()
        call(world, tool.id, arguments, compatibility=drawn.compatibility)
        took = time.perf_counter() - start
    record(findings, f"{number} {tool.id} {shown(arguments)}", took, tool)


def put_files(world: World, chance: Random) -> None:
    """Gives the world documents that a model might have written."""
    for path, made in FILES_MADE.items():
        world.store(FILES)[path] = made(chance)


def shown(arguments: Any) -> str:
    """The beginning of the arguments, whatever they are."""
    try:
        return ascii(arguments)[:300]
    except (ValueError, RecursionError) as error:
        return f"({error})"


def record(findings: Findings, what: str, took: float, tool: Tool) -> None:
    """Keeps the slowest calls, and those beyond their limit."""
    findings.slowest = max(findings.slowest, (round(took, 3), what))
    if not tool.isolated:
        findings.slowest_here = max(findings.slowest_here, (round(took, 3), what))
    limit = isolation.WALL_SECONDS + 10 if tool.isolated else IN_PROCESS_SECONDS
    if took > limit:
        findings.slow[what] = round(took, 2)


def kilobytes() -> int:
    """The memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1024


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="repeat this one call")
    parser.add_argument("--part", default="", help="tools whose id starts so")
    parser.add_argument(
        "--kind", choices=("all", "isolated", "here"), default="all", help="where the tools run"
    )
    parser.add_argument("--cpu-seconds", type=float, default=isolation.CPU_SECONDS)
    parser.add_argument("--out", type=Path, help="write the summary there, as a part for join.py")
    return parser.parse_args()


def main() -> None:
    """Makes the calls and prints what was found."""
    chosen = arguments()
    isolation.CPU_SECONDS = chosen.cpu_seconds
    logging.basicConfig(level=logging.ERROR)
    findings = Findings()
    wanted = {"all": (True, False), "isolated": (True,), "here": (False,)}[chosen.kind]
    tools = [*library().values(), *extra_tools().values()]
    draws = Draws([tool for tool in tools if tool.id.startswith(chosen.part) and tool.isolated in wanted])
    numbers = range(chosen.calls) if chosen.only is None else range(chosen.only, chosen.only + 1)
    watch(findings)
    world, memory, start = World.fresh(), 0, time.perf_counter()
    for count, number in enumerate(numbers):
        if number % WORLD_CALLS == 0:
            world = World.fresh(number % 3)
        drawn = draws.drawn(chosen.seed, number)
        if drawn.tool.id.startswith("File/"):
            put_files(world, Random(f"{chosen.seed}:{number}"))
        attempt(number, drawn, world, findings)
        if count == len(numbers) // 2:
            memory = kilobytes()
    report = summary(findings, chosen.seed, time.perf_counter() - start, kilobytes() - memory)
    print(json.dumps({**report, "per_tool": {}}, indent=1, ensure_ascii=True))
    write_shard(chosen.out, "calls", report)
    if findings.escapes or findings.internal or findings.slow or findings.reached:
        sys.exit(1)


def summary(findings: Findings, seed: int, seconds: float, grown: int) -> dict[str, Any]:
    """All that was seen, as JSON."""
    return {
        "seed": seed,
        "calls": sum(findings.per_tool.values()),
        "tools": len(findings.per_tool),
        "seconds": round(seconds),
        "outcomes": {manner: dict(ends.most_common()) for manner, ends in findings.outcomes.items()},
        "escapes": findings.escapes,
        "internal_errors": findings.internal,
        "over_limit": findings.slow,
        "reached_for_the_host": dict(findings.reached),
        "slowest": findings.slowest,
        "slowest_in_process": findings.slowest_here,
        "grown_kilobytes_in_second_half": grown,
        "per_tool": dict(findings.per_tool),
    }


if __name__ == "__main__":
    main()
