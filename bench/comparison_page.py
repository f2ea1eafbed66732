"""Processor seconds, memory and page size of a comparison of many runs.

    python bench/comparison_page.py [runs] [samples] [--rounds 3] [--folder DIR]
                                        # default 4 runs of 300; 20 runs of 10,000 is the full form

Runs are NesTools records of the starter set under new ids; each run's model answers rightly with a probability of its
own. Two runs are played, one that is always right and one that never is; since a sample's transcript and scores depend
on no other sample, the runs that are compared take theirs line by line from the one or the other, which is what playing
them would have written. Making the runs is not counted. In the first round the trivial baselines are played on the data
as well, which are kept after that: a column of its own. In a folder that is given, runs stay for the next time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import orjson
from scoring_memory import spread, took, write_rows

from toolyard.core.types import Completion, Request
from toolyard.models.base import Price
from toolyard.run.grade.evidence import Instruments
from toolyard.run.play.execute import execute_run
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.run.store.run_directory import MANIFEST, SCORES, TRANSCRIPTS

SETTINGS = Settings("nestools", "python/always-right", embedder="hash")
HEAD = (
    "| runs | samples each | CPU s | seconds | MB at most | page MB | CPU s with baselines |\n"
    "|---:|---:|---:|---:|---:|---:|---:|"
)


class Constant:
    """A model that gives the oracle's answer, or always an empty list."""

    name = "constant"
    price: Price | None = Price(0.0, 0.0)

    def __init__(self, run: Run, *, right: bool) -> None:
        self._oracle = run.benchmark.checks.oracle
        self._samples = {sample.id: sample for sample in run.samples}
        self._right = right

    async def generate(self, request: Request) -> Completion:
        """The same at every asking."""
        sample = self._samples[request.sample]
        return Completion(self._oracle(sample, (), random.Random(0)) if self._right else "[]")

    async def close(self) -> None:
        """Nothing to end."""


def write_runs(folder: Path, runs: int, samples: int) -> list[str]:
    """The run directories; the later, the better the model."""
    (folder / "data").mkdir()
    write_rows(folder / "data", samples)
    (folder / "data" / "predictions.jsonl").unlink()
    settings = replace(SETTINGS, data=str(folder / "data"), runs=folder / "played")
    played = []
    for name, right in (("right", True), ("wrong", False)):
        run = Run.plan(replace(settings, name=name))
        asyncio.run(execute_run(run, Constant(run, right=right), Instruments(embedder="hash")))
        played.append(run.folder)
    made = [folder / "runs" / f"model-{number}" for number in range(runs)]
    mix(made, played)
    return [str(each) for each in made]


def mix(made: Sequence[Path], played: Sequence[Path]) -> None:
    """The runs of models that are right on half of the samples at the least, and on nine in ten at the most."""
    for folder in made:
        folder.mkdir(parents=True)
        manifest = orjson.loads((played[0] / MANIFEST).read_bytes())
        manifest["identity"]["model"] = f"python/{folder.name}"
        (folder / MANIFEST).write_bytes(orjson.dumps(manifest))
    for name in (TRANSCRIPTS, SCORES):
        right, wrong = (by_sample(place / name) for place in played)
        for number, folder in enumerate(made):
            with (folder / name).open("wb") as file:
                for sample, line in right.items():
                    file.write(line if is_right(folder.name, sample, number / len(made)) else wrong[sample])


def is_right(model: str, sample: str, rank: float) -> bool:
    """Whether a model answers a sample rightly, the same at every asking."""
    return random.Random(f"{model}/{sample}").random() < 0.5 + 0.4 * rank


def by_sample(path: Path) -> dict[str, bytes]:
    """The lines of a file by the sample that they are about."""
    with path.open("rb") as file:
        return {orjson.loads(line)["sample"]: line for line in file}


def main() -> None:
    """Prints one line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=int, nargs="?", default=4)
    parser.add_argument("samples", type=int, nargs="?", default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where the runs are made, or lie from another time")
    chosen = parser.parse_args()
    print(HEAD, flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = chosen.folder or Path(name)
        made = sorted(map(str, folder.glob("runs/*")))
        baselines_kept = bool(made)
        # What others have kept is none of this.
        os.environ["TOOLYARD_CACHE"] = str(folder / "cache")
        made = made or write_runs(folder, chosen.runs, chosen.samples)
        page = folder / "compare.html"
        command = [sys.executable, "-m", "toolyard", "compare", *made, "--html", str(page)]
        first = None if baselines_kept else took(command)
        found = [took(command) for _ in range(chosen.rounds)]
        size = page.stat().st_size / 1e6
    with_baselines = "not measured" if first is None else f"{first.processor:,.1f}"
    print(
        f"| {len(made)} | {chosen.samples:,} | {spread([each.processor for each in found], ',.1f')} "
        f"| {spread([each.seconds for each in found], ',.1f')} "
        f"| {spread([each.megabytes for each in found], ',.0f')} | {size:.1f} | {with_baselines} |"
    )


if __name__ == "__main__":
    main()
