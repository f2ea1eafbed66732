"""This machine: requests side by side in one event loop, plain functions in a pool of processes."""

import asyncio
import itertools
import multiprocessing
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor

from toolyard.core.processes.stopping import run_async
from toolyard.models.base import Model
from toolyard.synth.pipeline import Pair, Take
from toolyard.synth.row_questions import Answering, StageResult, ask_model_about_row
from toolyard.synth.stages import Ask, Context, Each, visible_row

# Fewer rows than this are done before a pool of processes has started.
ALONE = 192
BATCH = 32
BATCHES_AHEAD = 4


def batch_pairs(pairs: Iterator[Pair], size: int) -> Iterator[list[Pair]]:
    """The pairs, some at a time."""
    while batch := list(itertools.islice(pairs, size)):
        yield batch


def stage_outcomes(stage: Each, batch: list[Pair], context: Context) -> list[StageResult]:
    """What a stage makes of some rows."""
    return [StageResult(stage.work(visible_row(stage, row), context)) for _, row in batch]


class LocalEngine:
    """All work on this machine, never more than a few batches ahead of what has been written down."""

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers

    def each(self, stage: Each, pairs: Iterator[Pair], context: Context, take: Take) -> None:
        """Does a stage of plain functions; outcomes are taken in the order of the rows."""
        first = list(itertools.islice(pairs, ALONE))
        if self._workers == 1 or len(first) < ALONE:
            for pair in itertools.chain(first, pairs):
                take(pair, stage_outcomes(stage, [pair], context)[0])
            return
        batches = batch_pairs(itertools.chain(first, pairs), BATCH)
        with ProcessPoolExecutor(self._workers, multiprocessing.get_context("spawn")) as pool:
            self._drain(pool, stage, batches, context, take)

    def _drain(
        self,
        pool: ProcessPoolExecutor,
        stage: Each,
        batches: Iterator[list[Pair]],
        context: Context,
        take: Take,
    ) -> None:
        waiting: deque[tuple[list[Pair], Future[list[StageResult]]]] = deque()
        for pairs in batches:
            waiting.append((pairs, pool.submit(stage_outcomes, stage, pairs, context)))
            if len(waiting) >= self._workers * BATCHES_AHEAD:
                _take_first(waiting, take)
        while waiting:
            _take_first(waiting, take)

    def ask(
        self, stage: Ask, pairs: Iterator[Pair], context: Context, answering: Answering, take: Take
    ) -> None:
        """Does a stage of questions; outcomes are taken as they come."""
        first = next(pairs, None)
        if first is not None:
            run_async(_ask_all(stage, itertools.chain([first], pairs), context, answering, take))


def _take_first(waiting: deque[tuple[list[Pair], Future[list[StageResult]]]], take: Take) -> None:
    pairs, future = waiting.popleft()
    for pair, result in zip(pairs, future.result(), strict=True):
        take(pair, result)


async def _ask_all(
    stage: Ask, pairs: Iterator[Pair], context: Context, answering: Answering, take: Take
) -> None:
    model = answering.load()
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(answering.concurrency):
                group.create_task(_ask_in_turn(stage, pairs, context, model, take))
    except* Exception as several:
        raise several.exceptions[0] from None
    finally:
        await model.close()


async def _ask_in_turn(stage: Ask, pairs: Iterator[Pair], context: Context, model: Model, take: Take) -> None:
    for pair in pairs:
        take(pair, await ask_model_about_row(stage, pair[1], context, model))
