"""Fresh sets: parallel forms of a benchmark, made from the world under a seed that no model has seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from toolyard.core.benchmark import Benchmark
from toolyard.core.declared_world import VERSION
from toolyard.core.errors import MissingAsset, UsageError
from toolyard.models.assets import cache_folder

if TYPE_CHECKING:
    from toolyard.synth.pipeline import StageProgress

FRESH = "fresh:"
# Enough for an interval of a few points, and made in about a minute.
ROWS = 120


def fresh_data(seed: int, rows: int = ROWS) -> str:
    """What `--data` is called for the fresh set of that seed; a smaller one than usual is another set."""
    return f"{FRESH}{seed}" if rows >= ROWS else f"{FRESH}{seed}:{rows}"


def is_fresh(data: str) -> bool:
    """Whether a run's data are a fresh set."""
    return data.startswith(FRESH)


def fresh_folder(benchmark: Benchmark, data: str) -> Path:
    """Where the fresh set lies once it is made; a new version of the benchmark or of the world makes its own."""
    seed, _, rows = data.removeprefix(FRESH).partition(":")
    if not (seed.isascii() and seed.isdigit()) or (rows and not (rows.isascii() and rows.isdigit())):
        raise UsageError(
            f"--data {data!r} is not a fresh set; want {FRESH}SEED or {FRESH}SEED:ROWS with numbers from 0 up"
        )
    made_by = f"{benchmark.name}-{benchmark.version}-world{VERSION}"
    return cache_folder() / "fresh" / f"{made_by}-{rows or ROWS}-{seed}"


def existing_fresh_folder(benchmark: Benchmark, data: str) -> Path:
    """The folder of a fresh set that was made before."""
    folder = fresh_folder(benchmark, data)
    if not folder.exists():
        raise MissingAsset(
            f"the fresh set {data} of {benchmark.name} is not here; run makes it with --fresh --fresh-seed N"
        )
    return folder


def make_fresh(
    benchmark: Benchmark,
    seed: int,
    show: Callable[[StageProgress], None] = lambda _: None,
    *,
    limit: int | None = None,
) -> str:
    """Makes the fresh set of a seed where it is not there yet; what `--data` is called for it.

    A run of few items gets a set of as many, which is made in seconds.
    """
    from toolyard.synth.command import WORLD, SynthSettings, benchmark_pipelines, synthesise

    if WORLD not in benchmark_pipelines(benchmark.name):
        raise UsageError(f"{benchmark.name} has no pipeline from the world, so there is no fresh set of it")
    rows = ROWS if limit is None else max(1, min(limit, ROWS))
    data = fresh_data(seed, rows)
    folder = fresh_folder(benchmark, data)
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        synthesise(SynthSettings(benchmark.name, WORLD, rows=rows, seed=seed, out=folder), show)
    return data
