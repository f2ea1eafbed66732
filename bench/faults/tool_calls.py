"""Hostile calls of every tool, strict and compatible: what escapes, runs over, grows, or reaches for the host.

python bench/faults/tool_calls.py --calls 150000 --seed 1

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
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import hostile_documents as documents
import hostile_grammars as grammars
import hostile_values as values

from toolyard.world import Tool, World, call, isolation, library
from toolyard.world.faults import KINDS
from toolyard.world.worlds.file.files import FILES

IN_PROCESS_SECONDS = 2.0
WORLD_CALLS = 25
FILES_MADE: Mapping[str, Callable[[Random], bytes]] = {
    "/workspace/bad.pdf": documents.pdf, "/workspace/bad.docx": documents.archive, "/workspace/bad.png": documents.picture,
}  # fmt: skip
GRAMMARS: Mapping[tuple[str, str], tuple[grammars.Grammar, str]] = {
    ("Execute/Execute/execute_bash_code", "commands"): (grammars.SHELL, "line"),
    ("Execute/Execute/execute_mysql_query", "sql_cmd"): (grammars.SQL, "line"),
    ("Execute/Execute/execute_pycode", "code"): (grammars.PYTHON, "line"),
    ("Execute/Execute/exectue_pycode_REPL", "code"): (grammars.PYTHON, "line"),
    ("Execute/Execute/exectue_pycode_REPL_Ast", "code"): (grammars.PYTHON, "line"),
    ("Calculator/Calculator/calculator", "input_query"): (grammars.MATHEMATICS, "e"),
    ("Calculator/Calculator/wolfram_alpha_calculator", "input_query"): (grammars.MATHEMATICS, "line"),
    ("Calculator/Calculator/newton_calculator", "expression"): (grammars.MATHEMATICS, "bar"),
    ("Search/WolframSearch/get_wolfram_results", "query"): (grammars.MATHEMATICS, "line"),
    ("Word/Word/search_word", "letterPattern"): (grammars.PATTERNS, "line"),
    ("Word/Word/search_word", "pronunciationPattern"): (grammars.PATTERNS, "line"),
}
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

    outcomes: Counter[str] = field(default_factory=Counter)
    escapes: list[str] = field(default_factory=list)
    internal: dict[str, str] = field(default_factory=dict)
    slow: dict[str, float] = field(default_factory=dict)
    reached: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    slowest_here: tuple[float, str] = (0.0, "")


def arguments_for(chance: Random, tool: Tool) -> Any:
    """Arguments for a tool: an example, its parameters replaced by fitting, hostile or wrong values."""
    if chance.random() < 0.01:
        return values.anything(chance)
    given = dict(chance.choice(tool.examples)) if chance.random() < 0.7 else {}
    for parameter in tool.document.parameters:
        if chance.random() < 0.5 or (parameter.required and parameter.name not in given):
            given[parameter.name] = value_for(chance, tool, parameter)
    if chance.random() < 0.03:
        given[values.text(chance)] = values.anything(chance)
    return given


def value_for(chance: Random, tool: Tool, parameter: Any) -> Any:
    """One value: of the language that the parameter holds, of its type, or anything."""
    known = GRAMMARS.get((tool.id, parameter.name))
    if known and chance.random() < 0.9:
        return values.of(chance, *known)
    if "path" in parameter.name and chance.random() < 0.7:
        path = chance.choice(tuple(FILES_MADE))
        return [path] if parameter.schema.get("type") == "array" else path
    kind = chance.random()
    if kind < 0.7:
        return values.fitting(chance, parameter.schema)
    return values.text(chance) if kind < 0.85 else values.anything(chance)


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


def weighted(tools: list[Tool]) -> list[Tool]:
    """The tools, those that compute as often as all others together."""
    computing = [tool for tool in tools if tool.isolated]
    return tools + computing * (len(tools) // max(len(computing), 1))


def attempt(number: int, seed: int, tools: list[Tool], world: World, findings: Findings) -> None:
    """One call and what came of it."""
    chance = Random(f"{seed}:{number}")
    tool = chance.choice(tools)
    if tool.id.startswith("File/"):
        for path, made in FILES_MADE.items():
            world.store(FILES)[path] = made(chance)
    arguments, compatibility = arguments_for(chance, tool), chance.random() < 0.5
    start = time.perf_counter()
    try:
        seen = call(world, tool.id, arguments, compatibility=compatibility)
        seen.text.encode()
        findings.outcomes[seen.error or "answered"] += 1
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
        call(world, tool.id, arguments, compatibility=compatibility)
        took = time.perf_counter() - start
    record(findings, f"{number} {tool.id} {shown(arguments)}", took, tool)


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


def main() -> None:
    """Makes the calls and prints what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="repeat this one call")
    parser.add_argument("--part", default="", help="tools whose id starts so")
    parser.add_argument(
        "--kind", choices=("all", "isolated", "here"), default="all", help="where the tools run"
    )
    parser.add_argument("--cpu-seconds", type=float, default=isolation.CPU_SECONDS)
    chosen = parser.parse_args()
    isolation.CPU_SECONDS = chosen.cpu_seconds
    logging.basicConfig(level=logging.ERROR)
    findings = Findings()
    wanted = {"all": (True, False), "isolated": (True,), "here": (False,)}[chosen.kind]
    known = [
        tool for tool in library().values() if tool.id.startswith(chosen.part) and tool.isolated in wanted
    ]
    tools = weighted(known)
    numbers = range(chosen.calls) if chosen.only is None else range(chosen.only, chosen.only + 1)
    watch(findings)
    world, memory, start = World.fresh(), 0, time.perf_counter()
    for count, number in enumerate(numbers):
        if number % WORLD_CALLS == 0:
            world = World.fresh(number % 3)
        attempt(number, chosen.seed, tools, world, findings)
        if count == len(numbers) // 2:
            memory = kilobytes()
    report = {
        "calls": len(numbers),
        "seconds": round(time.perf_counter() - start),
        "outcomes": dict(findings.outcomes.most_common()),
        "escapes": findings.escapes,
        "internal_errors": findings.internal,
        "over_limit": findings.slow,
        "reached_for_the_host": dict(findings.reached),
        "slowest": findings.slowest,
        "slowest_in_process": findings.slowest_here,
        "grown_kilobytes_in_second_half": kilobytes() - memory,
    }
    print(json.dumps(report, indent=1, ensure_ascii=True))
    if findings.escapes or findings.internal or findings.slow or findings.reached:
        sys.exit(1)


if __name__ == "__main__":
    main()
