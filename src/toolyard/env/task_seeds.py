"""Which tasks are for training and which for evaluation: two sets without a common seed and without a common task.

Training draws from even numbers, evaluation from odd ones. Two seeds could still lead to the same calls, so the
calls decide as well: a quarter of all call lists, by their digest, belongs to evaluation and the rest to training,
and a draw that falls on the other side is drawn again. The calls are those of world 0, whichever world is played.
What the starter set of the benchmark asks is in neither.

Kept apart by goals, the set of tools decides in the place of the calls with their arguments. Kept apart by tools, an
eighth of all tools is for evaluation alone: each of its tasks needs one of them, and none of training's does.
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
from typing import TypeAlias, TypeVar

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError, did_you_mean
from toolyard.core.types import Failure, JsonValue, Record, Sample, derived_seed
from toolyard.env.gym_task import SPLITS, Draft, EnvironmentTask, ExecutedCalls, Fits, Split, TaskPlace
from toolyard.lines import read_lines
from toolyard.synth.chains.execution import EXECUTION
from toolyard.synth.chains.remembered_calls import remembered_calls
from toolyard.world.kernel.result_text import encode
from toolyard.world.kernel.seeds import build_without_gc

# Rises with every change of the tasks that a place gives.
VERSION = "3"
EVALUATION_SHARE = 4
HELD_OUT_TOOLS = 8
MOST_DRAWS = 400
Drawn = TypeVar("Drawn", Draft, Sample)
Source: TypeAlias = Callable[[Random, Fits, int], Drawn | Failure]
SOURCES = Path(__file__).parent / "sources"


def environments() -> tuple[str, ...]:
    """The benchmarks that tasks can be drawn for."""
    return tuple(sorted(path.stem for path in SOURCES.glob("[a-z]*.py")))


def drawn_task(place: TaskPlace) -> EnvironmentTask:
    """The task of that place, drawn anew; `task_pool` keeps tasks."""
    draft = _draw_until_valid(place, task_source(place.benchmark), "environment")
    if place.catalogue > len(draft.functions):
        from toolyard.env.task_functions import offer_more

        rng = Random(derived_seed(_split_seed(place), f"catalogue/{place.benchmark}", place.catalogue))
        draft = offer_more(draft, place.catalogue, rng)
    return EnvironmentTask(place, draft)


def drawn_sample(place: TaskPlace) -> Sample:
    """The sample of that place: a task in the benchmark's own form, to be answered at once."""
    benchmark = place.benchmark
    source: Source[Sample] | None = getattr(_module(benchmark), "sample", None)
    if source is None:
        raise UsageError(f"{benchmark} is not answered at once; play it with Environment({benchmark!r})")
    drawn = _draw_until_valid(place, source, "answer")
    return replace(drawn, id=f"{benchmark}/{place.split}/{place.seed}")


def _split_seed(place: TaskPlace) -> int:
    return 2 * place.seed + SPLITS.index(place.split)


def _draw_until_valid(place: TaskPlace, source: Source[Drawn], what: str) -> Drawn:
    benchmark, number = place.benchmark, _split_seed(place)
    reasons: dict[str, int] = {}
    for attempt in range(MOST_DRAWS):
        rng = Random(derived_seed(number, f"{what}/{benchmark}", attempt))
        with remembered_calls():
            # A search for garbage goes through all tables of the world, again and again.
            drawn = build_without_gc(source, rng, lambda calls: _fits_split(place, calls), place.world_seed)
        if not isinstance(drawn, Failure):
            return drawn
        reasons[drawn.kind] = reasons.get(drawn.kind, 0) + 1
    raise UsageError(
        f"{benchmark} seed {place.seed}: none of {MOST_DRAWS} draws stands ({reasons}); try another seed or wider limits"
    )


def task_source(benchmark: str) -> Source[Draft]:
    """What draws the tasks of a benchmark."""
    source: Source[Draft] = _module(benchmark).draw
    return source


@functools.cache
def _module(benchmark: str) -> ModuleType:
    if benchmark not in environments():
        meant = did_you_mean(benchmark, environments())
        raise UsageError(f"{benchmark!r} has no environment; {meant}choose {', '.join(environments())}")
    return importlib.import_module(f"toolyard.env.sources.{benchmark}")


def result_view(benchmark: str) -> Callable[[str, JsonValue], object] | None:
    """What of a tool's result its caller sees in this benchmark; None where it is all."""
    view: Callable[[str, JsonValue], object] | None = getattr(_module(benchmark), "documented_part", None)
    return view


def _fits_split(place: TaskPlace, calls: ExecutedCalls) -> bool:
    long_enough = place.fewest_calls <= len(calls) <= (place.most_calls or len(calls))
    return long_enough and belongs_to_split(place, calls)


def belongs_to_split(place: TaskPlace, calls: ExecutedCalls) -> bool:
    """Whether a task with these calls is one of the split."""
    own: Split = "eval" if _is_for_evaluation(place, calls) else "train"
    return own == place.split and digest_of(calls) not in asked_by_shipped_sets(place.benchmark)


def _is_for_evaluation(place: TaskPlace, calls: ExecutedCalls) -> bool:
    if place.apart == "tools":
        return any(int(digest_of([(tool, {})]), 16) % HELD_OUT_TOOLS == 0 for tool, _ in calls)
    decides = (
        calls if place.apart == "calls" else [(tool, {}) for tool in sorted({tool for tool, _ in calls})]
    )
    return int(digest_of(decides), 16) % EVALUATION_SHARE == 0


def digest_of(calls: ExecutedCalls) -> str:
    """A short name of the calls with their arguments, whatever their order."""
    written = sorted(encode([tool, dict(sorted(arguments.items()))]) for tool, arguments in calls)
    return hashlib.blake2b("\n".join(written).encode(), digest_size=8).hexdigest()


@functools.cache
def asked_by_shipped_sets(benchmark: str) -> frozenset[str]:
    """The call lists of the sets that ship with the benchmark, as far as they were made by execution."""
    files = [folder / EXECUTION for folder in load_benchmark(benchmark).data.shipped_folders]
    lines = [line for path in files if path.exists() for line in read_lines(path)]
    return frozenset(digest_of(_executed_calls(line["calls"])) for line in lines)


def _executed_calls(stored: list[Record]) -> ExecutedCalls:
    return [(call["tool"], call["arguments"]) for call in stored]
