"""All tables of speed and memory, one after the other: `make bench`.

python bench/everything.py            the short form, under ten minutes on two cores
python bench/everything.py --full     all sizes, for an idle machine
python bench/everything.py --write    also writes results.md, with machine, versions and commit
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
# title, short form, full form
TABLES = (
    ("Scoring, one core", ["scoring.py", "--rounds", "3"], ["scoring.py", "--rounds", "7"]),
    ("Scoring and checking in flat memory", ["scoring_memory.py", "10000"], ["scoring_memory.py", "1000000"]),
    ("Instructions of the inner loops", ["instructions.py"], ["instructions.py"]),
    ("Running", ["running.py", "--rounds", "3"], ["running.py", "--full", "--rounds", "3"]),
    ("A cluster of one and two nodes", ["ray_scaling.py", "300"], ["ray_scaling.py", "1200"]),
    ("The report page", ["report_page.py", "2000"], ["report_page.py", "100000"]),
    ("A comparison of runs", ["comparison_page.py", "4", "500"], ["comparison_page.py", "20", "10000"]),
)


def machine() -> str:
    """What the figures depend on besides the code."""
    versions = [f"{name} {_version(name)}" for name in PACKAGES]
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True, check=False
    ).stdout.strip()
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit}, {platform.machine()}, {os.cpu_count()} cores, load {load}, "
        f"Python {platform.python_version()}; {', '.join(versions)}"
    )


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


def main() -> None:
    """Prints every table; exit 1 where a script failed or a check did not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    parts = [
        "# Results\n",
        f"Made by `bench/everything.py{' --full' if chosen.full else ''}`. {machine()}.\n",
    ]
    failed = []
    for title, short, full in TABLES:
        command = full if chosen.full else short
        print(f"\n## {title}\n", flush=True)
        started = time.perf_counter()
        text, code = printed(command)
        print(f"({time.perf_counter() - started:.0f} s)", flush=True)
        failed += [title] if code else []
        parts.append(f"## {title}\n\n`{' '.join(command)}`\n\n{text.strip()}\n")
    if chosen.write:
        RESULTS.write_text("\n".join(parts))
    if failed:
        sys.exit(f"did not hold: {', '.join(failed)}")


if __name__ == "__main__":
    main()
