"""Queries rewritten by a model before a run: asked once, checked, kept in the run directory.

{"sample": "7", "input": {"rewritten_query": "..."}, "refused": ""}
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace

from toolyard.core.benchmark import Rewriting
from toolyard.core.types import Failure, Json, Request, Sample
from toolyard.lines import Appender, read_lines
from toolyard.models.loading import load_model
from toolyard.run.episodes import Answer, Unit
from toolyard.run.plan import Plan
from toolyard.run.store import RunStore

REWRITES = "rewrites.jsonl"
ATTEMPTS = 2


async def rewrite_missing(plan: Plan, store: RunStore) -> Plan:
    """The plan with rewritten samples; those that have no line yet are asked for."""
    rewriting = plan.benchmark.task.rewriting
    if not plan.config.rewriter or rewriting is None:
        return plan
    known = stored_rewrites(store)
    todo = iter([sample for sample in plan.samples if sample.id not in known])
    model = load_model(plan.wish.rewriter, timeout=plan.wish.timeout, cache=plan.wish.cache)
    try:
        with Appender(store.folder / REWRITES) as appender:
            async with asyncio.TaskGroup() as group:
                for _ in range(plan.wish.concurrency):
                    group.create_task(_work(todo, rewriting, model.generate, appender))
    finally:
        await model.close()
    return with_rewrites(plan, store)


async def _work(todo: Iterator[Sample], rewriting: Rewriting, ask: Answer, appender: Appender) -> None:
    for sample in todo:
        appender.append(await rewrite(sample, rewriting, ask))


async def rewrite(sample: Sample, rewriting: Rewriting, ask: Answer) -> dict[str, Json]:
    """The line for one sample: what the model made of it, or why that was refused."""
    refused = ""
    for attempt in range(ATTEMPTS):
        request = Request(rewriting.prompt(sample), rewriting.decoding, sample=sample.id, trial=attempt)
        found = rewriting.accept(sample, (await ask(request)).text)
        if not isinstance(found, Failure):
            return {"sample": sample.id, "input": dict(found), "refused": ""}
        refused = f"{found.kind}: {found.detail}"
    return {"sample": sample.id, "input": {}, "refused": refused}


def stored_rewrites(store: RunStore) -> dict[str, Mapping[str, Json]]:
    """The lines that are there, by sample."""
    return {line["sample"]: line for line in read_lines(store.folder / REWRITES)}


def with_rewrites(plan: Plan, store: RunStore) -> Plan:
    """The plan whose samples carry what the model made of them; refused ones stay as they are."""
    known = stored_rewrites(store)
    if not known:
        return plan
    changed = {
        sample.id: sample.with_input(known[sample.id]["input"]) if sample.id in known else sample
        for sample in plan.samples
    }
    units = tuple(Unit(tuple(changed[each.id] for each in unit.samples), unit.trial) for unit in plan.units)
    return replace(plan, samples=tuple(changed.values()), units=units)


def count_rewrites(store: RunStore) -> dict[str, int]:
    """How many samples the model rewrote, and how many of its texts were refused."""
    lines = stored_rewrites(store).values()
    refused = sum(bool(line["refused"]) for line in lines)
    return {"accepted": len(lines) - refused, "refused": refused}
