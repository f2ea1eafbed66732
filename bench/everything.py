"""All tables of speed and memory, one after the other: `make bench`.

python bench/everything.py               the short form, under ten minutes on two idle cores
python bench/everything.py --full        all sizes, for an idle machine
python bench/everything.py --write       also writes results.md: every table with machine, load, commit and versions
python bench/everything.py --only report --write     one table, where it was measured last for the others

A table that is written is kept under results/tables/; results.md is made of these and of aims.md, which says which
aims are met, by how much others are missed, and why.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.md"
PACKAGES = (
    "toolyard",
    "aiohttp",
    "orjson",
    "numpy",
    "onnxruntime",
    "inspect-ai",
    "lm-eval",
    "ray",
    "playwright",
)
TABLES_FOLDER = HERE / "results" / "tables"
AIMS = HERE / "aims.md"
FULL_FORM = "_full"
SHORT = "# The short form, as `make bench` runs it\n"
FULL = "# The full form, one table at a time\n"
KEPT_ONLY = ["--skip", "toolyard run, baselines not kept yet"]
# name, title, short form, full form
TABLES = (
    (
        "whole_run", "The whole command",
        ["whole_run.py", "--rounds", "2", "--skip", "inspect eval", *KEPT_ONLY], ["whole_run.py", "--rounds", "5"],
    ),
    (
        "harnesses", "The whole command beside other harnesses",
        ["harnesses.py", "--samples", "400", "--rounds", "2"], ["harnesses.py", "--full"],
    ),
    ("scoring", "Scoring, one core", ["scoring.py", "--rounds", "3"], ["scoring.py", "--rounds", "7"]),
    (
        "scoring_memory", "Scoring and checking in flat memory",
        ["scoring_memory.py", "500", "5000"], ["scoring_memory.py", "10000", "100000", "1000000"],
    ),
    ("instructions", "Instructions of the inner loops", ["instructions.py"], ["instructions.py"]),
    (
        "running", "Running",
        ["running.py", "--part", "grid", "--rounds", "2"], ["running.py", "--part", "grid", "--full", "--rounds", "3"],
    ),
    (
        "clients", "Clients with nothing around them",
        ["running.py", "--part", "clients", "--rounds", "2"], ["running.py", "--part", "clients", "--full"],
    ),
    (
        "memory", "Memory of answering",
        ["running.py", "--part", "memory"], ["running.py", "--part", "memory", "--full"],
    ),
    ("ray", "A cluster of one and two nodes", ["ray_scaling.py", "200"], ["ray_scaling.py", "1200"]),
    ("report", "The report page", ["report_page.py", "2000"], ["report_page.py", "100000"]),
    (
        "comparison", "A comparison of runs",
        ["comparison_page.py", "4", "500"], ["comparison_page.py", "20", "10000"],
    ),
)  # fmt: skip


def machine() -> str:
    """What the figures depend on besides the code."""
    versions = [f"{name} {_version(name)}" for name in PACKAGES]
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True, check=False
    ).stdout.strip()
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit}, {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}; {', '.join(versions)}"
    )


def loads() -> str:
    """How many processes wanted a core over the last minute."""
    return f"{os.getloadavg()[0]:.1f}"


def spent() -> float:
    """Processor seconds of all scripts so far and what they started; on two idle cores the clock shows about as many."""
    times = os.times()
    return times.children_user + times.children_system


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def printed(command: list[str]) -> tuple[str, int]:
    """What a script prints, shown while it runs, and how it ended."""
    lines = []
    with subprocess.Popen(
        [sys.executable, str(HERE / command[0]), *command[1:]], cwd=HERE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    return "".join(lines), process.returncode


def keep(name: str, title: str, command: list[str], text: str, load: str) -> None:
    """Keeps a table with all that its figures depend on; those of the full form have names of their own."""
    TABLES_FOLDER.mkdir(parents=True, exist_ok=True)
    about = f"`{' '.join(command)}`; {machine()}; load {load} before and {loads()} after."
    (TABLES_FOLDER / f"{name}.md").write_text(f"## {title}\n\n{about}\n\n{text.strip()}\n")


def write_results() -> None:
    """results.md out of all tables that were kept, those of the full form last."""
    parts = ["# Results\n\nMade by `bench/everything.py --write`.\n", AIMS.read_text()]
    for heading, ending in ((SHORT, ""), (FULL, FULL_FORM)):
        kept = [TABLES_FOLDER / f"{name}{ending}.md" for name, *_ in TABLES]
        parts += [heading, *(path.read_text() for path in kept if path.exists())]
    RESULTS.write_text("\n".join(parts))


def main() -> None:
    """Prints every table; exit 1 where a script failed or a check did not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", action="append", choices=[name for name, *_ in TABLES], default=[])
    chosen = parser.parse_args()
    failed, begun = [], time.perf_counter()
    for name, title, short, full in TABLES:
        if chosen.only and name not in chosen.only:
            continue
        command = full if chosen.full else short
        print(f"\n## {title}\n", flush=True)
        started, processor, load = time.perf_counter(), spent(), loads()
        text, code = printed(command)
        took = f"{time.perf_counter() - started:.0f} s, {spent() - processor:.0f} of the processor"
        print(f"({took}, load {load} before and {loads()} after)", flush=True)
        failed += [title] if code else []
        if chosen.write and text.strip():
            keep(name + FULL_FORM if chosen.full else name, title, command, text, load)
    print(f"\nall in {time.perf_counter() - begun:.0f} s, {spent():.0f} of the processor; {machine()}")
    if chosen.write:
        write_results()
    if failed:
        sys.exit(f"did not hold: {', '.join(failed)}")


if __name__ == "__main__":
    main()
