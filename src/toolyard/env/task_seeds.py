"""Which tasks are for training and which for evaluation: two sets without a common seed and without a common task.

Training draws from even numbers, evaluation from odd ones. Two seeds could still lead to the same calls, so the
calls decide as well: a quarter of all call lists, by their digest, belongs to evaluation and the rest to training,
and a draw that falls on the other side is drawn again. The calls are those of world 0, whichever world is played.
What the starter set of the benchmark asks is in neither.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType
from typing import NamedTuple, TypeAlias, TypeVar

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.core.types import Failure, Record, Sample, derived_seed
from toolyard.env.gym_task import SPLITS, Draft, EnvironmentTask, ExecutedCalls, Fits, Split
from toolyard.lines import read_lines
from toolyard.synth.chains.execution import EXECUTION
from toolyard.world.kernel.result_text import encode

EVALUATION_SHARE = 4
MOST_DRAWS = 400
Drawn = TypeVar("Drawn", Draft, Sample)
Source: TypeAlias = Callable[[Random, Fits, int], Drawn | Failure]
SOURCES = Path(__file__).parent / "sources"


class TaskPlace(NamedTuple):
    """Which task is drawn, and in which world it is played."""

    benchmark: str
    split: Split
    seed: int
    world_seed: int


def environments() -> tuple[str, ...]:
    """The benchmarks that tasks can be drawn for."""
    return tuple(sorted(path.stem for path in SOURCES.glob("[a-z]*.py")))


def drawn_task(benchmark: str, split: Split, seed: int, world_seed: int = 0) -> EnvironmentTask:
    """The task of that seed in that split, played in that world."""
    place = TaskPlace(benchmark, split, seed, world_seed)
    return EnvironmentTask(benchmark, split, seed, _drawn(place, source_of(benchmark), "environment"))


def drawn_sample(benchmark: str, split: Split, seed: int, world_seed: int = 0) -> Sample:
    """The sample of that seed in that split: a task in the benchmark's own form, to be answered at once."""
    source: Source[Sample] | None = getattr(_module(benchmark), "sample", None)
    if source is None:
        raise UsageError(f"{benchmark} is not answered at once; play it with Environment({benchmark!r})")
    return replace(
        _drawn(TaskPlace(benchmark, split, seed, world_seed), source, "answer"),
        id=f"{benchmark}/{split}/{seed}",
    )


def _drawn(place: TaskPlace, source: Source[Drawn], what: str) -> Drawn:
    benchmark, split, seed, world_seed = place
    number = 2 * seed + SPLITS.index(split)
    reasons: dict[str, int] = {}
    for attempt in range(MOST_DRAWS):
        rng = Random(derived_seed(number, f"{what}/{benchmark}", attempt))
        drawn = source(rng, lambda calls: belongs(benchmark, split, calls), world_seed)
        if not isinstance(drawn, Failure):
            return drawn
        reasons[drawn.kind] = reasons.get(drawn.kind, 0) + 1
    raise UsageError(
        f"{benchmark} seed {seed}: none of {MOST_DRAWS} draws stands ({reasons}); try another seed"
    )


def source_of(benchmark: str) -> Source[Draft]:
    """What draws the tasks of a benchmark."""
    source: Source[Draft] = _module(benchmark).draw
    return source


@functools.cache
def _module(benchmark: str) -> ModuleType:
    if benchmark not in environments():
        raise UsageError(f"{benchmark!r} has no environment; choose {', '.join(environments())}")
    return importlib.import_module(f"toolyard.env.sources.{benchmark}")


def belongs(benchmark: str, split: Split, calls: ExecutedCalls) -> bool:
    """Whether a task with these calls is one of the split."""
    name = digest_of(calls)
    own = "train" if int(name, 16) % EVALUATION_SHARE else "eval"
    return own == split and name not in asked_by_shipped_sets(benchmark)


def digest_of(calls: ExecutedCalls) -> str:
    """A short name of the calls with their arguments, whatever their order."""
    written = sorted(encode([tool, dict(sorted(arguments.items()))]) for tool, arguments in calls)
    return hashlib.blake2b("\n".join(written).encode(), digest_size=8).hexdigest()


@functools.cache
def asked_by_shipped_sets(benchmark: str) -> frozenset[str]:
    """The call lists of the sets that ship with the benchmark, as far as they were made by execution."""
    files = [folder / EXECUTION for folder in load_benchmark(benchmark).data.shipped]
    lines = [line for path in files if path.exists() for line in read_lines(path)]
    return frozenset(digest_of(_calls(line["calls"])) for line in lines)


def _calls(stored: list[Record]) -> ExecutedCalls:
    return [(call["tool"], call["arguments"]) for call in stored]
