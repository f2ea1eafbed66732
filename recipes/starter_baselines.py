"""Scores of the trivial baselines on whole sets - starter, hard, official - which ship with the benchmarks.

    python recipes/starter_baselines.py [BENCHMARK ...]            # play them and write the files
    python recipes/starter_baselines.py [BENCHMARK ...] --check    # only say which files are out of date

A file holds for one data set, benchmark version, world version and style; where any of them differs, `toolyard run` plays
the baselines itself. About three minutes of one core; needs the extras embed and world, and `toolyard fetch embedder`.
Official sets are left as they are unless they were fetched (`toolyard fetch BENCHMARK`).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.metrics import SIMILAR
from toolyard.lines import encode, write_whole
from toolyard.run.grade.baselines import (
    SHIPPED,
    baselines_json,
    has_embedder,
    play_baselines,
    shipped_baselines,
    shipped_key,
)
from toolyard.run.plan.data_sources import official_folder
from toolyard.run.run import Run
from toolyard.run.settings import Settings


def sets_at_hand(names: Sequence[str]) -> list[tuple[str, str]]:
    """Each benchmark with each of its sets that is on this machine."""
    every = [load_benchmark(name) for name in names]
    return [
        (benchmark.name, data)
        for benchmark in every
        for data in ("starter", "hard", "official")
        if (data != "hard" or benchmark.data.hard is not None)
        and (data != "official" or official_folder(benchmark).exists())
    ]


def whole_run(benchmark: str, data: str) -> Run:
    """The run that a file is about: the whole set in the first style."""
    return Run.plan(Settings(benchmark, "scripted/empty", data=data))


def write_baselines(benchmark: str, data: str) -> Path:
    """Plays the baselines of a benchmark on one of its sets; the file with their scores."""
    run = whole_run(benchmark, data)
    instruments = run.planned_instruments()
    if run.benchmark.scoring.metrics_tagged(SIMILAR) and not has_embedder(run.benchmark, instruments):
        raise SystemExit(
            f"{benchmark} needs the embedder: pip install -e '.[embed]' && toolyard fetch embedder"
        )
    found = play_baselines(run.setup, run.samples, instruments)
    path = run.benchmark.data.starter.parent / SHIPPED.format(data)
    write_whole(path, encode(baselines_json(found, shipped_key(run, instruments))) + b"\n")
    return path


def is_current(benchmark: str, data: str) -> bool:
    """Whether the file of a set is about its data, version and style as they are."""
    run = whole_run(benchmark, data)
    return shipped_baselines(run, run.planned_instruments()) is not None


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes or checks; 1 where a file is out of date."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benchmarks", nargs="*", metavar="BENCHMARK")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    sets = sets_at_hand(given.benchmarks or benchmark_names())
    if given.check:
        current = {each: is_current(*each) for each in sets}
        for (name, data), holds in current.items():
            print(f"{name} {data}: {'current' if holds else 'out of date'}")
        return 0 if all(current.values()) else 1
    with ProcessPoolExecutor() as pool:
        for path in pool.map(write_baselines, *zip(*sets, strict=True)):
            print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
