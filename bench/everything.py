"""All tables of speed and memory, one after the other: `make bench`.

python bench/everything.py               the short form, under ten minutes
python bench/everything.py --full        all sizes, for an idle machine
python bench/everything.py --write       also writes results.md: every table with machine, load, commit and versions
python bench/everything.py --only report --write     one table, where it was measured last for the others
python bench/everything.py --tables DIR              results.md out of tables that were written elsewhere

Every part of the short form has its seconds, ten minutes together: one that needs more is ended, what it has printed by
then stands, and it is said that the rest is missing. Scripts print line by line, what matters most first. Parts come one
after the other, since most of them compare times.

A table that is written is kept under results/tables/; results.md is made of these and of aims.md, which says which
aims are met, by how much others are missed, and why.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Thread

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
SCORING_MEMORY = ["scoring_memory.py", "--workers", "1", "--rounds", "1", "--only"]
KEPT_ONLY = ["--skip", "toolyard run, baselines not kept yet"]
# All parts together, with what the end of each may take.
MOST_SECONDS = 600
# Seconds for each of: cleaning up when it is asked to, being killed, the last of its output.
GRACE = 1
STOPPED = "\n(stopped after {seconds} s: what is missing above was not measured)\n"


@dataclass(frozen=True)
class Part:
    """One table: the script in its two forms, the short one where there is one, and the seconds that it has."""

    name: str
    title: str
    seconds: int
    short: list[str]
    full: list[str]


PARTS = (
    Part(
        "whole_run", "The whole command", 60,
        ["whole_run.py", "--rounds", "2", "--skip", "inspect eval", *KEPT_ONLY], ["whole_run.py", "--rounds", "5"],
    ),
    Part(
        "harnesses", "The whole command beside other harnesses", 85,
        ["harnesses.py", "--samples", "400", "--rounds", "2"], ["harnesses.py", "--full"],
    ),
    Part("scoring", "Scoring, one core", 60, ["scoring.py", "--rounds", "3"], ["scoring.py", "--rounds", "7"]),
    Part(
        "scoring_memory", "Scoring and checking in flat memory", 80,
        ["scoring_memory.py", "500", "5000", "--rounds", "1"],
        [*SCORING_MEMORY, "score", "1000", "10000", "100000", "1000000"],
    ),
    Part("checking_memory", "Checking in flat memory", 0, [], [*SCORING_MEMORY, "check", "1000", "10000", "100000"]),
    Part("instructions", "Instructions of the inner loops", 20, ["instructions.py"], ["instructions.py"]),
    Part(
        "running", "Running", 80,
        ["running.py", "--part", "grid", "--rounds", "2"], ["running.py", "--part", "grid", "--full", "--rounds", "2"],
    ),
    Part(
        "clients", "Clients with nothing around them", 25,
        ["running.py", "--part", "clients", "--rounds", "2"], ["running.py", "--part", "clients", "--full"],
    ),
    Part(
        "memory", "Memory of answering", 35,
        ["running.py", "--part", "memory"], ["running.py", "--part", "memory", "--full"],
    ),
    Part("ray", "A cluster of one and two nodes", 60, ["ray_scaling.py", "120"], ["ray_scaling.py", "600", "--full"]),
    Part("report", "The report page", 30, ["report_page.py", "1000"], ["report_page.py", "100000"]),
    Part(
        "comparison", "A comparison of runs", 25,
        ["comparison_page.py", "4", "300", "--rounds", "2"], ["comparison_page.py", "20", "10000", "--rounds", "1"],
    ),
)  # fmt: skip


def machine() -> str:
    """What the figures depend on besides the code."""
    versions = [f"{name} {_version(name)}" for name in PACKAGES]
    asked = ["git", "rev-parse", "--short", "HEAD"]
    # A copy without its history is told its commit.
    commit = (
        os.environ.get("BENCH_COMMIT")
        or subprocess.run(asked, cwd=HERE, capture_output=True, text=True, check=False).stdout.strip()
    )
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


def printed(command: list[str], seconds: float | None = None) -> tuple[str, int]:
    """What a script prints, shown while it runs, and how it ended; one that needs longer is stopped, and that is said."""
    lines: list[str] = []
    script = [sys.executable, str(HERE / command[0]), *command[1:]]
    with tempfile.TemporaryFile("w+") as complaints:
        process = subprocess.Popen(
            script, cwd=HERE, stdout=subprocess.PIPE, stderr=complaints, text=True, start_new_session=True
        )
        reader = Thread(target=show, args=(process, lines), daemon=True)
        reader.start()
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            stop(process)
            code = 0
            lines.append(STOPPED.format(seconds=seconds))
            print(lines[-1], end="", flush=True)
        # Whatever it started and nobody ended may hold its output open.
        reader.join(GRACE)
        if process.stdout is not None and not reader.is_alive():
            process.stdout.close()
        if code:
            complaints.seek(0)
            print(complaints.read()[-2000:], file=sys.stderr)
    return "".join(lines), code


def show(process: subprocess.Popen[str], lines: list[str]) -> None:
    """Prints and keeps every line as it comes."""
    assert process.stdout is not None
    for line in process.stdout:
        print(line, end="", flush=True)
        lines.append(line)


def stop(process: subprocess.Popen[str]) -> None:
    """Ends a script and all that it started: first so that it can clean up, then for good."""
    for number in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(GRACE)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def keep(name: str, title: str, command: list[str], text: str, load: str) -> None:
    """Keeps a table with all that its figures depend on; those of the full form have names of their own."""
    TABLES_FOLDER.mkdir(parents=True, exist_ok=True)
    about = f"`{' '.join(command)}`; {machine()}; load {load} before and {loads()} after."
    (TABLES_FOLDER / f"{name}.md").write_text(f"## {title}\n\n{about}\n\n{text.strip()}\n")


def write_results(elsewhere: Path | None = None) -> None:
    """results.md out of all tables that were kept, those of the full form last; with those of another machine."""
    for path in () if elsewhere is None else sorted(elsewhere.glob("*.md")):
        (TABLES_FOLDER / path.name).write_text(path.read_text())
    parts = ["# Results\n\nMade by `bench/everything.py --write`.\n", AIMS.read_text()]
    for heading, ending in ((SHORT, ""), (FULL, FULL_FORM)):
        kept = [TABLES_FOLDER / f"{part.name}{ending}.md" for part in PARTS]
        parts += [heading, *(path.read_text() for path in kept if path.exists())]
    RESULTS.write_text("\n".join(parts))


def measure(part: Part, full: bool, write: bool, seconds: float | None) -> bool:
    """Prints one table; whether its script ended well."""
    command = part.full if full else part.short
    print(f"\n## {part.title}\n", flush=True)
    started, processor, load = time.perf_counter(), spent(), loads()
    text, code = printed(command, seconds if full else part.seconds)
    took = f"{time.perf_counter() - started:.0f} s, {spent() - processor:.0f} of the processor"
    print(f"({took}, load {load} before and {loads()} after)", flush=True)
    if write and text.strip():
        keep(part.name + FULL_FORM if full else part.name, part.title, command, text, load)
    return code == 0


def main() -> None:
    """Prints every table; exit 1 where a script failed or a check did not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", action="append", choices=[part.name for part in PARTS], default=[])
    parser.add_argument("--seconds", type=float, help="Stop a table of the full form after so many seconds.")
    parser.add_argument(
        "--tables", type=Path, help="Take tables of this folder into results.md; nothing is measured."
    )
    chosen = parser.parse_args()
    if chosen.tables:
        write_results(chosen.tables)
        return
    begun = time.perf_counter()
    shown = [part for part in PARTS if chosen.full or part.short]
    wanted = [part for part in shown if not chosen.only or part.name in chosen.only]
    failed = [part.title for part in wanted if not measure(part, chosen.full, chosen.write, chosen.seconds)]
    print(f"\nall in {time.perf_counter() - begun:.0f} s, {spent():.0f} of the processor; {machine()}")
    if chosen.write:
        write_results()
    if failed:
        sys.exit(f"did not hold: {', '.join(failed)}")


if __name__ == "__main__":
    main()
