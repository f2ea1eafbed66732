"""Peak memory and processor seconds of `score --workers` and of `check --workers` against the number of rows.

    python bench/scoring_memory.py [rows ...]      # default 1000 10000; 10000 100000 1000000 is the full form

Rows are NesTools records of the starter set under new ids, answered in turn by the oracle, a baseline and nothing, and
turns of MTU-Bench's starter dialogues; they are written to a temporary folder first. Memory is the most that any one
process of the command held.
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

from toolyard.benchmarks.mtu import BENCHMARK as MTU
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.core.types import Options

SIZES = (1_000, 10_000)
# Beyond it all rows in one process want many gigabytes, and every check plays several answerers over all rows.
MOST_AT_ONCE = 10_000
MOST_CHECKED = 100_000


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


def commands_of(folder: Path, size: int) -> dict[str, list[str]]:
    """The commands that are measured on so many rows, by name."""
    tool = [sys.executable, "-m", "toolyard"]
    data = ["nestools", "--data", str(folder / "nestools")]
    score = [*tool, "score", *data, "--predictions", str(folder / "nestools" / "predictions.jsonl"), "--json"]
    found = {"score nestools --workers 2": [*score, "--workers", "2"]}
    if size <= MOST_AT_ONCE:
        found["score nestools"] = score
    if size <= MOST_CHECKED:
        found["check nestools --workers 2"] = [*tool, "check", *data, "--workers", "2"]
        found["check mtu --workers 2"] = [
            *tool,
            "check",
            "mtu",
            "--data",
            str(folder / "mtu"),
            "--workers",
            "2",
        ]
    return found


def main() -> None:
    """Prints one line per size and command."""
    print("| command | rows | MB at most | CPU s | rows per CPU s |\n|---|---:|---:|---:|---:|", flush=True)
    for size in tuple(map(int, sys.argv[1:])) or SIZES:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for benchmark, write in (("nestools", write_rows), ("mtu", write_mtu_rows)):
                (folder / benchmark).mkdir()
                if benchmark == "nestools" or size <= MOST_CHECKED:
                    write(folder / benchmark, size)
            for label, command in commands_of(folder, size).items():
                seconds, megabytes = took(command)
                print(
                    f"| {label} | {size:,} | {megabytes:,.0f} | {seconds:.1f} | {size / seconds:,.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
