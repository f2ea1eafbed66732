"""The two functions for Python programs: evaluate a model, score saved answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolyard.core.aggregate import Summary
from toolyard.core.benchmark import Benchmark
from toolyard.models.base import Respond
from toolyard.models.loading import load_model
from toolyard.run.estimate import load_for
from toolyard.run.evidence import Instruments
from toolyard.run.plan import Plan, Wish, plan_run
from toolyard.run.runner import RunResult, run_plan
from toolyard.run.scoring import ScoreWish, score_wish
from toolyard.run.tally import Tally, silent


def evaluate(
    benchmark: str | Benchmark, model: str | Respond, *, judge: str | Respond = "", **settings: Any
) -> RunResult:
    """The result of running a benchmark on a model or a Python callable.

    Settings are those of the command line (`limit=20`, `data="official"`, `trials=3`, ...); a callable
    gets a list of {"role", "content"} and returns text. The run directory can be resumed and reported.
    """
    record = None if isinstance(benchmark, str) else benchmark
    name = benchmark if isinstance(benchmark, str) else benchmark.name
    wish = Wish(benchmark=name, model=name_of(model), judge=name_of(judge), **settings)
    plan = plan_run(replace(wish, runs=Path(wish.runs)), record)
    return asyncio.run(execute(plan, model=model, judge=judge))


def name_of(model: str | Respond) -> str:
    """What a model is called in the run's files."""
    return model if isinstance(model, str) else f"python/{getattr(model, '__name__', type(model).__name__)}"


async def execute(
    plan: Plan,
    *,
    model: str | Respond = "",
    judge: str | Respond = "",
    show: Callable[[Tally], None] = silent,
) -> RunResult:
    """Runs a plan with its model and judge, and ends both whatever happens."""
    wish = plan.wish
    answering = load_for(plan, model)
    judging = load_model(judge or wish.judge, timeout=wish.timeout) if judge or wish.judge else None
    instruments = Instruments(
        judging, wish.judge, wish.embedder, plan.benchmark.judge_decoding, wish.concurrency
    )
    try:
        return await run_plan(plan, answering, instruments, show)
    finally:
        await answering.close()
        if judging is not None:
            await judging.close()


def score(
    benchmark: str, predictions: str | Path, *, data: str = "starter", profile: str = "paper"
) -> Summary:
    """The figures of saved answers in the benchmark's official results form."""
    wish = ScoreWish(what=benchmark, data=data, predictions=Path(predictions), profile=profile)
    return score_wish(wish).summary
