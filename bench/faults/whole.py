"""Fuzzes every group of parsers and plays the fault schedules, all at once, on one machine without a network.

python bench/faults/whole.py --minutes 10 --schedules 1000 --out parts

One process for each group of parsers, or several that share its time (one processor each, memory bounded), and
a few for the schedules, which wait most of their time. Parts are written as they go, so that a machine
that goes away leaves what was done; `join.py` makes the page of them. `--engine both` lets atheris have half the time.
`--schedules 0` or `--minutes 0` leaves one out. Exit 1 where something was found.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Starts all, waits for all; 1 where one of them found something."""
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    jobs = {**(fuzzers(options) if options.minutes else {}), **campaigns(options)}
    running = {name: begun(name, command, options.out) for name, command in jobs.items()}
    codes = {name: process.wait() for name, process in running.items()}
    for name, code in codes.items():
        last = (options.out / f"{name}.log").read_text(errors="replace").rstrip().rpartition("\n")[2]
        print(f"{name}: exit {code}: {last[:200]}")
    print(f"{len(codes)} processes in {(time.monotonic() - started) / 60:.1f} min")
    return int(any(codes.values()))


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="Of fuzzing, for each group.")
    parser.add_argument("--engine", choices=("tracer", "both"), default="tracer", help="As in parsers.py.")
    parser.add_argument("--schedules", type=int, default=1000, help="How many, from number 0 on.")
    parser.add_argument("--campaigns", type=int, default=4, help="Processes that share the schedules.")
    parser.add_argument("--workers", type=int, default=8, help="Schedules at once in each of them.")
    parser.add_argument("--copies", type=int, default=1, help="Processes that share the minutes of a group.")
    parser.add_argument("--seed", type=int, default=1, help="Of the first of them.")
    parser.add_argument("--out", type=Path, default=Path("parts"), help="Folder of the parts and logs.")
    return parser.parse_args()


def fuzzers(options: argparse.Namespace) -> dict[str, list[str]]:
    """The command of each group of parsers."""
    listed = subprocess.run(
        [sys.executable, str(HERE / "parsers.py"), "--groups"], capture_output=True, text=True, check=True
    )
    same = ["--minutes", str(options.minutes / options.copies), "--engine", options.engine]
    return {
        f"doors-{group}-{seed}": [
            str(HERE / "parsers.py"), "--group", group, *same, "--seed", str(seed),
            "--out", str(options.out / f"doors-{group}-{seed}.json"),
        ]
        for group in listed.stdout.split()
        for seed in range(options.seed, options.seed + options.copies)
    }  # fmt: skip


def campaigns(options: argparse.Namespace) -> dict[str, list[str]]:
    """The commands that share the schedules."""
    edges = [options.schedules * part // options.campaigns for part in range(options.campaigns + 1)]
    return {
        f"schedules-{number}": [
            str(HERE / "campaign.py"), "--seed", str(first), "--schedules", str(last - first), "--workers",
            str(options.workers), "--out", str(options.out / f"schedules-{number}.json"),
        ]
        for number, (first, last) in enumerate(pairwise(edges))
        if last > first
    }  # fmt: skip


def begun(name: str, command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    """The process, its output in a file beside its part."""
    with (folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen([sys.executable, *command], stdout=log, stderr=subprocess.STDOUT)


if __name__ == "__main__":
    sys.exit(main())
