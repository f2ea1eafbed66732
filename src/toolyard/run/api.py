"""The two functions for Python programs: evaluate a model, score saved answers."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from types import CodeType
from typing import Any

from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import CALLABLE_FAILED, MissingAsset, MissingExtra, ProviderError, UsageError
from toolyard.core.metrics import SIMILAR
from toolyard.core.processes.stopping import run_async
from toolyard.models.base import Model, Respond
from toolyard.models.batch.batch_files import JUDGE_FOLDER as JUDGE_BATCHES
from toolyard.models.embed.embedding import refuse_unready
from toolyard.models.environment_settings import fill_in_price
from toolyard.models.loading import load_judge, load_model
from toolyard.run.cost.estimate import load_model_of_run
from toolyard.run.grade.evidence import NO_EMBEDDER, Instruments
from toolyard.run.grade.scoring import score_settings
from toolyard.run.play.execute import RunResult, execute_run, refuse_unkeepable
from toolyard.run.play.progress_counts import Tally, show_nothing
from toolyard.run.play.side_models import side_models
from toolyard.run.run import Run
from toolyard.run.settings import ScoreSettings, Settings
from toolyard.stats.summary import Summary
from toolyard.text.counted_nouns import how_many

# The place of an object in memory says nothing about it.
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def evaluate(
    benchmark: str | Benchmark, model: str | Respond, *, judge: str | Respond = "", **settings: Any
) -> RunResult:
    """The result of running a benchmark on a model or a Python callable.

    Settings are those of the command line (`limit=20`, `data="official"`, `trials=3`, ...); a callable
    gets a list of {"role", "content"} and returns text. The run directory can be resumed and reported.
    A callable that raises leaves a sample unscored; where it raised for all of them, that is an error.
    """
    known = {item.name for item in fields(Settings)} - {"benchmark", "model", "judge"}
    unknown = sorted(set(settings) - known)
    if unknown:
        raise UsageError(f"evaluate takes no {', '.join(unknown)}; settings are {', '.join(sorted(known))}")
    record = None if isinstance(benchmark, str) else benchmark
    name = benchmark if isinstance(benchmark, str) else benchmark.name
    model = fill_in_price(model) if isinstance(model, str) else model
    judge = fill_in_price(judge) if isinstance(judge, str) and judge else judge
    given = Settings(benchmark=name, model=model_file_name(model), judge=model_file_name(judge), **settings)
    run = Run.plan(replace(given, runs=Path(given.runs), data=str(given.data)), record)
    result = run_async(answer_and_score(run, model=model, judge=judge))
    refuse_broken_function(result)
    return result


def refuse_broken_function(result: RunResult) -> None:
    """A function of the user's that raised for every sample has measured nothing but its own mistake."""
    errors = [item.transcript.error for item in result.graded["paper"]]
    if errors and all(error is not None and error.kind == CALLABLE_FAILED for error in errors):
        raise ProviderError(
            CALLABLE_FAILED,
            f"no answer to {how_many(len(errors), 'sample')}, the first failure: {result.first_failure}; mend the "
            f"function, which gets a list of messages and returns text (all failures: {result.folder})",
        )


def model_file_name(model: str | Respond) -> str:
    """What a model is called in the run's files; a function that was changed is another model."""
    if isinstance(model, str):
        return model
    name = getattr(model, "__name__", type(model).__name__)
    return f"python/{name}@{function_fingerprint(model)}"


def function_fingerprint(respond: Respond) -> str:
    """A digest of a function's code, constants, defaults and captured values."""
    function = respond if hasattr(respond, "__code__") else type(respond).__call__
    digest = hashlib.sha256()
    pending: list[object] = [getattr(function, "__code__", None)]
    while pending:
        code = pending.pop()
        if not isinstance(code, CodeType):
            digest.update(ADDRESS.sub("", repr(code)).encode("utf-8", "backslashreplace"))
            continue
        digest.update(code.co_code + repr((code.co_names, code.co_varnames)).encode())
        pending.extend(code.co_consts)
    captured = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    about = repr((getattr(function, "__defaults__", None), captured, getattr(respond, "__dict__", None)))
    digest.update(ADDRESS.sub("", about).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()[:8]


async def answer_and_score(
    run: Run,
    *,
    model: str | Respond = "",
    judge: str | Respond = "",
    show: Callable[[Tally], None] = show_nothing,
    do_without: bool = False,
) -> RunResult:
    """The result of a run with its model and judge, both ended whatever happens.

    Where the embedder is not here, the run is refused; or it may `do_without`, and its similarities come another time.
    """
    settings = run.settings
    embedder = usable_embedder(run, do_without=do_without)
    answering = load_model_of_run(run, model)
    judging = _load_judge(run, judge or settings.judge)
    instruments = Instruments(
        judging, run.config.judge, embedder, run.setup.judge_decoding, settings.concurrency,
        judge_trials=settings.judge_trials,
    )  # fmt: skip
    try:
        return await execute_run(run, answering, instruments, show)
    finally:
        try:
            await answering.close()
        finally:
            # A signal may fall into the closing of the first.
            if judging is not None:
                await judging.close()


def refuse_unready_models(run: Run) -> None:
    """Stops at a wrong name, or at a key or price that is missing, of any model of the run; nothing is sent."""
    refuse_unkeepable(run, load_model_of_run(run), _load_judge(run, run.settings.judge))
    for name in side_models(run).values():
        load_model(name)


def _load_judge(run: Run, judge: str | Respond) -> Model | None:
    """The judge of a run, or none where it has none."""
    if not judge:
        return None
    settings = run.settings
    return load_judge(
        judge,
        run.benchmark,
        samples=run.samples,
        seed=settings.seed,
        batches=run.folder / JUDGE_BATCHES,
        batch=settings.batch,
        **settings.limits,
    )


def usable_embedder(run: Run, *, do_without: bool) -> str:
    """The embedder of a run, or none where it is not here and the run may do without it."""
    if run.benchmark.scoring.metrics_tagged(SIMILAR):
        try:
            refuse_unready(run.settings.embedder)
        except (MissingAsset, MissingExtra):
            if not do_without:
                raise
            return NO_EMBEDDER
    return run.settings.embedder


def score(
    benchmark: str, predictions: str | Path, *, data: str = "starter", profile: str = "paper"
) -> Summary:
    """The figures of saved answers in the benchmark's official results form."""
    settings = ScoreSettings(what=benchmark, data=data, predictions=Path(predictions), profile=profile)
    return score_settings(settings, per_sample=False).summary
