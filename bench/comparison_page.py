"""Processor seconds, memory and page size of a comparison of many runs.

    python bench/comparison_page.py [runs] [samples] [--rounds 3] [--processes 1]
                                        # default 4 runs of 300; 20 runs of 10,000 is the full form

Runs are NesTools records of the starter set under new ids; each run's model answers rightly with a probability of its
own. Making the runs, in so many processes, is not counted. In the first round the trivial baselines are played on the
data as well, which are kept after that: the high end of the spread.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scoring_memory import spread, took, write_rows

from toolyard.core.types import Completion, Request
from toolyard.models.base import Price
from toolyard.run.evidence import Instruments
from toolyard.run.execute import execute
from toolyard.run.run import Run
from toolyard.run.settings import Settings


class Guessing:
    """A model that gives the oracle's answer with some probability, and an empty list otherwise."""

    name = "guessing"
    price: Price | None = Price(0.0, 0.0)

    def __init__(self, run: Run, skill: float) -> None:
        self._oracle = run.benchmark.checks.oracle
        self._samples = {sample.id: sample for sample in run.samples}
        self._skill = skill

    async def generate(self, request: Request) -> Completion:
        """Right or nothing, the same at every asking."""
        rng = random.Random(f"{request.sample}/{self._skill}")
        sample = self._samples[request.sample]
        return Completion(self._oracle(sample, (), rng) if rng.random() < self._skill else "[]")

    async def close(self) -> None:
        """Nothing to end."""


def write_runs(folder: Path, runs: int, samples: int, processes: int = 1) -> list[str]:
    """The run directories."""
    (folder / "data").mkdir()
    write_rows(folder / "data", samples)
    (folder / "data" / "predictions.jsonl").unlink()
    shares = [(folder, runs, list(range(first, runs, processes))) for first in range(processes)]
    # Fresh processes: a copy of this one would share its threads' locks.
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        pool.starmap(write_some, shares)
    return [str(folder / "runs" / f"run-{number}") for number in range(runs)]


def write_some(folder: Path, runs: int, numbers: Sequence[int]) -> None:
    """The runs of these numbers out of so many; the later, the better the model."""
    base_settings = Settings(
        "nestools", "python/model", data=str(folder / "data"), embedder="hash", runs=folder / "runs"
    )
    plan = Run.plan(base_settings)
    for number in numbers:
        settings = replace(base_settings, model=f"python/model-{number}", name=f"run-{number}")
        run = replace(Run.plan(settings), samples=plan.samples)
        asyncio.run(execute(run, Guessing(run, 0.5 + 0.4 * number / runs), Instruments(embedder="hash")))


def main() -> None:
    """Prints one line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=int, nargs="?", default=4)
    parser.add_argument("samples", type=int, nargs="?", default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--processes", type=int, default=1)
    chosen = parser.parse_args()
    print(
        "| runs | samples each | CPU s | seconds | MB at most | page MB |\n|---:|---:|---:|---:|---:|---:|",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = write_runs(folder, chosen.runs, chosen.samples, chosen.processes)
        page = folder / "compare.html"
        command = [sys.executable, "-m", "toolyard", "compare", *made, "--html", str(page)]
        found = [took(command) for _ in range(chosen.rounds)]
        size = page.stat().st_size / 1e6
    print(
        f"| {chosen.runs} | {chosen.samples:,} | {spread([each.processor for each in found], ',.1f')} "
        f"| {spread([each.seconds for each in found], ',.1f')} "
        f"| {spread([each.megabytes for each in found], ',.0f')} | {size:.1f} |"
    )


if __name__ == "__main__":
    main()
