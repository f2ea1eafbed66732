"""Processor seconds, memory and page size of a comparison of many runs.

    python bench/comparison_page.py [runs] [samples]      # default 4 runs of 500; 20 runs of 10,000 is the full form

Runs are NesTools records of the starter set under new ids; each run's model answers rightly with a probability of its
own. Making the runs is not counted.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from scoring_memory import took, write_rows

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


def write_runs(folder: Path, runs: int, samples: int) -> list[str]:
    """The run directories."""
    (folder / "data").mkdir()
    write_rows(folder / "data", samples)
    (folder / "data" / "predictions.jsonl").unlink()
    wish = Settings(
        "nestools", "python/model", data=str(folder / "data"), embedder="hash", runs=folder / "runs"
    )
    plan = Run.plan(wish)
    for number in range(runs):
        settings = replace(wish, model=f"python/model-{number}", name=f"run-{number}")
        run = replace(Run.plan(settings), samples=plan.samples)
        asyncio.run(execute(run, Guessing(run, 0.5 + 0.4 * number / runs), Instruments(embedder="hash")))
    return [str(folder / "runs" / f"run-{number}") for number in range(runs)]


def main() -> None:
    """Prints one line."""
    runs, samples = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (4, 500)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = write_runs(folder, runs, samples)
        page = folder / "compare.html"
        seconds, megabytes = took([sys.executable, "-m", "toolyard", "compare", *made, "--html", str(page)])
        size = page.stat().st_size / 1e6
    print("| runs | samples each | CPU s | MB at most | page MB |\n|---:|---:|---:|---:|---:|")
    print(f"| {runs} | {samples:,} | {seconds:.1f} | {megabytes:,.0f} | {size:.1f} |")


if __name__ == "__main__":
    main()
