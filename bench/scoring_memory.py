"""Peak memory and processor seconds of `score --workers` and of `check --workers` against the number of rows.

    python bench/scoring_memory.py [largest]      # default 30000; 1000000 is the full form

Rows are NesTools records of the starter set under new ids, answered in turn by the oracle, a baseline and nothing; they
are written to a temporary folder first. Memory is the most that any one process of the command held.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import orjson

from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.core.types import Options

SIZES = (1_000, 10_000, 30_000, 100_000, 1_000_000)


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


def took(command: list[str]) -> tuple[float, float]:
    """Processor seconds of a command and all it started, and the most megabytes of any one process."""
    before = os.times()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peaks: dict[int, int] = {}
    while process.poll() is None:
        for pid in _family(process.pid):
            peaks[pid] = max(peaks.get(pid, 0), _resident(pid))
        time.sleep(0.05)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return spent, max(peaks.values()) / 1024


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


def main() -> None:
    """Prints one line per size and command."""
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
    tool = [sys.executable, "-m", "toolyard"]
    print("| command | rows | MB at most | CPU s | rows per CPU s |\n|---|---:|---:|---:|---:|")
    for size in (size for size in SIZES if size <= largest):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_rows(folder, size)
            score = [
                *tool,
                "score",
                "nestools",
                "--data",
                name,
                "--predictions",
                f"{name}/predictions.jsonl",
                "--json",
            ]
            commands = {"score --workers 2": [*score, "--workers", "2"]}
            if size <= 100_000:
                commands["score"] = score
            commands["check --workers 2"] = [*tool, "check", "nestools", "--data", name, "--workers", "2"]
            for label, command in commands.items():
                seconds, megabytes = took(command)
                print(
                    f"| {label} | {size:,} | {megabytes:,.0f} | {seconds:.1f} | {size / seconds:,.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
