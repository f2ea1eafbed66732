"""Queries rewritten by a model before a run: asked once, checked, kept in the run directory."""

import asyncio
from collections.abc import Callable, Iterator

from toolyard.core.benchmark import Rewriting
from toolyard.core.types import Failure, Record, Request, Sample
from toolyard.lines import Appender
from toolyard.models.base import Model
from toolyard.models.loading import load_model
from toolyard.run.play.episodes import Answer
from toolyard.run.run import Run
from toolyard.run.store.rewrites import REWRITES, stored_rewrites

ATTEMPTS = 2


async def rewrite_missing(run: Run, paid: Callable[[Model], Answer]) -> Run:
    """The run with rewritten samples; those that have no line yet are asked for, each answer counted by `paid`."""
    rewriting = run.benchmark.task.preparation.rewriting
    if not run.config.rewriter or rewriting is None:
        return run
    known = stored_rewrites(run.folder)
    todo = iter([sample for sample in run.samples if sample.id not in known])
    settings = run.settings
    model = load_model(settings.rewriter, cache=settings.cache, **settings.limits)
    ask = paid(model)
    try:
        with Appender(run.folder / REWRITES) as appender:
            async with asyncio.TaskGroup() as group:
                for _ in range(settings.concurrency):
                    group.create_task(_rewrite_remaining(todo, rewriting, ask, appender))
    except* Exception as errors:
        # One failure ended them all; the user is told of it, not of the group.
        raise errors.exceptions[0] from None
    finally:
        await model.close()
    return run.with_rewrites()


async def _rewrite_remaining(
    todo: Iterator[Sample], rewriting: Rewriting, ask: Answer, appender: Appender
) -> None:
    for sample in todo:
        appender.append(await rewrite_sample(sample, rewriting, ask))


async def rewrite_sample(sample: Sample, rewriting: Rewriting, ask: Answer) -> Record:
    """The line for one sample: what the model made of it, or why that was refused."""
    refused = ""
    for attempt in range(ATTEMPTS):
        request = Request(rewriting.prompt(sample), rewriting.decoding, sample=sample.id, trial=attempt)
        found = rewriting.accept(sample, (await ask(request)).text)
        if not isinstance(found, Failure):
            return {"sample": sample.id, "input": dict(found), "refused": ""}
        refused = f"{found.kind}: {found.detail}"
    return {"sample": sample.id, "input": {}, "refused": refused}
