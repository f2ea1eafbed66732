"""Scores of the trivial baselines on the whole starter sets, which ship with the benchmarks.

    python recipes/starter_baselines.py [BENCHMARK ...]            # play them and write the files
    python recipes/starter_baselines.py [BENCHMARK ...] --check    # only say which files are out of date

A file holds for one data set, benchmark version, world version and style; where any of them differs, `toolyard run` plays
the baselines itself. About a minute of one core; needs the extras embed and world, and `toolyard fetch embedder`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from toolyard.benchmarks import benchmark_names
from toolyard.lines import encode, write_whole
from toolyard.run.baselines import (
    SHIPPED,
    baselines_json,
    has_embedder,
    play_baselines,
    shipped_baselines,
    shipped_key,
)
from toolyard.run.run import Run
from toolyard.run.settings import Settings


def starter_run(benchmark: str) -> Run:
    """The run that the file of a benchmark is about: the whole starter set in the first style."""
    return Run.plan(Settings(benchmark, "scripted/empty"))


def write_baselines(benchmark: str) -> Path:
    """Plays the baselines of a benchmark; the file with their scores."""
    run = starter_run(benchmark)
    instruments = run.planned_instruments()
    judging = run.benchmark.judging
    if judging is not None and judging.similar and not has_embedder(run.benchmark, instruments):
        raise SystemExit(
            f"{benchmark} needs the embedder: pip install -e '.[embed]' && toolyard fetch embedder"
        )
    found = play_baselines(run.setup, run.samples, instruments)
    path = run.benchmark.data.starter.parent / SHIPPED
    write_whole(path, encode(baselines_json(found, shipped_key(run, instruments))) + b"\n")
    return path


def is_current(benchmark: str) -> bool:
    """Whether the file of a benchmark is about its data, version and style as they are."""
    run = starter_run(benchmark)
    return shipped_baselines(run, run.planned_instruments()) is not None


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes or checks; 1 where a file is out of date."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benchmarks", nargs="*", metavar="BENCHMARK")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    names = given.benchmarks or benchmark_names()
    if given.check:
        current = {name: is_current(name) for name in names}
        for name, holds in current.items():
            print(f"{name}: {'current' if holds else 'out of date'}")
        return 0 if all(current.values()) else 1
    with ProcessPoolExecutor() as pool:
        for path in pool.map(write_baselines, names):
            print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
