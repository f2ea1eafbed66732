"""Peak memory and processor seconds of `score --workers` and of `check --workers` against the number of rows.

    python bench/scoring_memory.py [rows ...] [--workers 2] [--rounds 2] [--only score]
                                        # default 1000 10000; 1000 10000 100000 1000000 is the full form

Rows are NesTools records of the starter set under new ids, answered in turn by the oracle, a baseline and nothing, and
turns of MTU-Bench's starter dialogues; they are written to a temporary folder first. Memory is the most that any one
process of the command held. More than 20,000 rows are measured once.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from toolyard.benchmarks.mtu import BENCHMARK as MTU
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.core.types import Options

SIZES = (1_000, 10_000)
KINDS = ("score", "check")
ONE_CHECK = ("check nestools", "check mtu")
# Beyond it all rows in one process want many gigabytes, and every check plays several answerers over all rows.
MOST_AT_ONCE = 10_000
MOST_CHECKED = 100_000
MEASURED_ONCE = 20_000
HEAD = "| command | rows | MB at most | CPU s | rows per CPU s | seconds |\n|---|---:|---:|---:|---:|---:|"


def write_rows(folder: Path, count: int) -> None:
    """So many records with their ids, and predictions for all of them."""
    starter = BENCHMARK.data.starter
    rows = [orjson.loads(line) for line in (starter / "test_data.jsonl").read_bytes().splitlines() if line]
    ids = [
        orjson.loads(line)["api_ids"]
        for line in (starter / "test_api_ids.jsonl").read_bytes().splitlines()
        if line
    ]
    samples = BENCHMARK.data.load(starter, Options())
    baseline = next(iter(BENCHMARK.checks.baselines.values()))
    answers = [
        (BENCHMARK.checks.oracle(sample, (), random.Random(0)), baseline(sample, (), random.Random(0)), "")
        for sample in samples
    ]
    with (
        (folder / "test_data.jsonl").open("wb") as data,
        (folder / "test_api_ids.jsonl").open("wb") as numbers,
        (folder / "predictions.jsonl").open("wb") as predictions,
    ):
        for number in range(count):
            place = number % len(rows)
            data.write(orjson.dumps({**rows[place], "test_id": number}) + b"\n")
            numbers.write(orjson.dumps({"test_id": number, "api_ids": ids[place]}) + b"\n")
            said = answers[place][number % 3]
            predictions.write(orjson.dumps({"test_id": number, "response": said}) + b"\n")


def write_mtu_rows(folder: Path, count: int) -> None:
    """So many turns of MTU-Bench's starter dialogues under new numbers; the last round of dialogues is whole."""
    files = {path.name: path.read_bytes().splitlines() for path in MTU.data.starter.glob("*_eval.jsonl")}
    rows = {name: [orjson.loads(line) for line in lines if line] for name, lines in files.items()}
    each = sum(map(len, rows.values()))
    for name, some in rows.items():
        dialogues = 1 + max(int(row["id"].split("_")[1]) for row in some)
        with (folder / name).open("wb") as file:
            for number in range(-(-count // each)):
                for row in some:
                    # S-S_7 is the seventh single turn, M-S_7_0 the first turn of the seventh dialogue.
                    setting, dialogue, *turn = row["id"].split("_")
                    new = "_".join([setting, str(int(dialogue) + number * dialogues), *turn])
                    file.write(orjson.dumps({**row, "id": new}) + b"\n")


@dataclass(frozen=True)
class CommandTook:
    """A command: processor seconds with all it started, seconds on the clock, the most megabytes of any one process."""

    processor: float
    seconds: float
    megabytes: float


def took(command: list[str]) -> CommandTook:
    """What one command took; ends the script where it fails."""
    before, started = os.times(), time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peaks: dict[int, int] = {}
    while process.poll() is None:
        for pid in _family(process.pid):
            peaks[pid] = max(peaks.get(pid, 0), _resident(pid))
        time.sleep(0.05)
    seconds, after = time.perf_counter() - started, os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return CommandTook(spent, seconds, max(peaks.values()) / 1024)


def spread(values: list[float], form: str) -> str:
    """The middle of some values, with the smallest and the largest where there are several."""
    middle = format(statistics.median(values), form)
    return middle if len(values) == 1 else f"{middle} ({min(values):{form}} to {max(values):{form}})"


def _family(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [pid, *(each for child in text.split() for each in _family(int(child)))]


def _resident(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def commands_of(folder: Path, size: int, workers: int) -> dict[str, list[str]]:
    """The commands that are measured on so many rows, by name."""
    tool, several = [sys.executable, "-m", "toolyard"], ["--workers", str(workers)]
    data = ["nestools", "--data", str(folder / "nestools")]
    score = [*tool, "score", *data, "--predictions", str(folder / "nestools" / "predictions.jsonl"), "--json"]
    found = {f"score nestools --workers {workers}": [*score, *several]}
    if size >= MOST_CHECKED:
        found[f"score nestools --workers {workers} --printed-only"] = [*score, *several, "--printed-only"]
    if size <= MOST_CHECKED:
        found[f"check nestools --workers {workers}"] = [*tool, "check", *data, *several]
        found[f"check mtu --workers {workers}"] = [
            *tool,
            "check",
            "mtu",
            "--data",
            str(folder / "mtu"),
            *several,
        ]
    if size <= MOST_AT_ONCE:
        found["score nestools"] = score
    return found


def lines_of(size: int, workers: int, rounds: int, kinds: tuple[str, ...]) -> Iterator[str]:
    """One line for every command of these kinds on so many rows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for benchmark, write in (("nestools", write_rows), ("mtu", write_mtu_rows)):
            (folder / benchmark).mkdir()
            if benchmark == "nestools" or (kinds != ("score",) and size <= MOST_CHECKED):
                write(folder / benchmark, size)
        for label, command in commands_of(folder, size, workers).items():
            if not label.startswith(kinds):
                continue
            found = [took(command) for _ in range(1 if size > MEASURED_ONCE else rounds)]
            rate = size / statistics.median([each.processor for each in found])
            yield (
                f"| {label} | {size:,} | {spread([each.megabytes for each in found], ',.0f')} "
                f"| {spread([each.processor for each in found], ',.1f')} | {rate:,.0f} "
                f"| {spread([each.seconds for each in found], ',.1f')} |"
            )


def main() -> None:
    """Prints one line per size and command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=int, nargs="*", default=[*SIZES])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", choices=(*KINDS, *ONE_CHECK), help="one of the commands")
    chosen = parser.parse_args()
    print(HEAD, flush=True)
    for size in chosen.rows:
        for line in lines_of(size, chosen.workers, chosen.rounds, (chosen.only,) if chosen.only else KINDS):
            print(line, flush=True)


if __name__ == "__main__":
    main()
