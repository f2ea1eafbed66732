"""Fresh sets: parallel forms of a benchmark, made from the world under a seed that no model has seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import MissingAsset, UsageError
from toolyard.models.assets import cache_folder

if TYPE_CHECKING:
    from toolyard.synth.pipeline import StageProgress

FRESH = "fresh:"
# Enough for an interval of a few points, and made in about a minute.
ROWS = 120


def fresh_data(seed: int) -> str:
    """What `--data` is called for the fresh set of that seed."""
    return f"{FRESH}{seed}"


def is_fresh(data: str) -> bool:
    """Whether a run's data are a fresh set."""
    return data.startswith(FRESH)


def fresh_folder(benchmark: Benchmark, data: str) -> Path:
    """Where the fresh set lies once it is made; a new version of the benchmark makes its own."""
    seed = data.removeprefix(FRESH)
    if not seed.isdigit():
        raise UsageError(f"--data {data!r} is no fresh set; want {FRESH}SEED with a number from 0 up")
    return cache_folder() / "fresh" / f"{benchmark.name}-{benchmark.version}-{ROWS}-{seed}"


def made_fresh(benchmark: Benchmark, data: str) -> Path:
    """The folder of a fresh set that was made before."""
    folder = fresh_folder(benchmark, data)
    if not folder.exists():
        raise MissingAsset(
            f"the fresh set {data} of {benchmark.name} is not here; run makes it with --fresh --fresh-seed N"
        )
    return folder


def make_fresh(
    benchmark: Benchmark, seed: int, show: Callable[[StageProgress], None] = lambda _: None
) -> str:
    """Makes the fresh set of a seed where it is not there yet; what `--data` is called for it."""
    from toolyard.synth.command import WORLD, SynthSettings, pipelines_of, synthesise

    if WORLD not in pipelines_of(benchmark.name):
        raise UsageError(f"{benchmark.name} has no pipeline from the world, so there is no fresh set of it")
    data = fresh_data(seed)
    folder = fresh_folder(benchmark, data)
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        synthesise(SynthSettings(benchmark.name, WORLD, rows=ROWS, seed=seed, out=folder), show)
    return data
