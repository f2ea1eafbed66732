"""Executes a run: answers what is missing, keeps every line, scores everything from the files."""

import asyncio
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from toolyard import __version__
from toolyard.core.errors import (
    CHARGED_FOR_NOTHING,
    FATAL_KINDS,
    OVER_BUDGET,
    BudgetExceeded,
    DataError,
    ProviderError,
)
from toolyard.core.types import Completion, Failure, JsonValue, Profile, Record, Request, Transcript, Usage
from toolyard.models.base import Model
from toolyard.models.batch.batches import BatchModel
from toolyard.models.environment_settings import read_prices
from toolyard.models.request_costs import Budget
from toolyard.run.cost.run_budget import refuse_unpriced, run_budget, usage_pricing
from toolyard.run.grade.evidence import Instruments, collect_evidence
from toolyard.run.grade.grading import score_lines
from toolyard.run.grade.judge_trials import JudgeSpread, judge_spread, write_spread
from toolyard.run.plan.rewriting import rewrite_missing
from toolyard.run.plan.run_config import refuse_mismatch
from toolyard.run.play.environment import User, make_environment, playing_user, scripted_user
from toolyard.run.play.episodes import Unit, play_unit
from toolyard.run.play.progress_counts import Tally, show_nothing
from toolyard.run.play.side_models import REWRITER, USER, paid_answers, side_cost, side_models
from toolyard.run.play.timed_units import kept_reach, units_in_time
from toolyard.run.run import Run, asked_part, refuse_strange_answers
from toolyard.run.store.rewrites import count_rewrites
from toolyard.stats.summary import Graded, Summary

# An endpoint that fails for so many samples from the start fails for all.
FAILURES_TO_STOP = 10
# One that refuses the very first requests as wrong refuses all.
REFUSALS_TO_STOP = 3


@dataclass(frozen=True, slots=True, repr=False)
class RunResult:
    """A finished run: its place, its figures under each profile, and every graded sample."""

    run: Run
    instruments: Instruments
    graded: Mapping[Profile, Sequence[Graded]]
    judge_spread: JudgeSpread | None = None

    @property
    def summaries(self) -> Mapping[Profile, Summary]:
        """All metrics with their intervals under each profile, computed when first asked for."""
        return self.run.summaries(self.instruments)

    @property
    def folder(self) -> Path:
        """The run directory."""
        return self.run.folder

    @property
    def first_failure(self) -> str:
        """Why the first sample that has no answer has none; empty where all have one."""
        errors = (item.transcript.error for item in self.graded["paper"])
        return next((error.detail or error.kind for error in errors if error is not None), "")

    def __repr__(self) -> str:
        """The headline, why an answer is missing, and where the rest is."""
        summary = self.summaries["paper"]
        headline = self.run.setup.headline
        figure = summary.figures[headline]
        why = f" (first failure: {self.first_failure})" if self.first_failure else ""
        return (
            f"RunResult({self.run.benchmark.name}, {self.run.config.model}: {headline}={figure.value} "
            f"[{figure.low}, {figure.high}], {summary.samples} scored, {summary.unscored} unscored{why}, "
            f"{str(self.run.folder)!r})"
        )


def refuse_unkeepable(run: Run, model: Model, judge: Model | None) -> None:
    """A cost limit without prices, and what a cluster cannot do, are refused before anything is sent."""
    refuse_unpriced(run, model, judge)
    if run.settings.engine == "ray":
        from toolyard.run.play.ray_cluster import refuse_on_ray

        refuse_on_ray(run)


async def execute_run(
    run: Run, model: Model, instruments: Instruments, show: Callable[[Tally], None] = show_nothing
) -> RunResult:
    """Whatever of the run is not done yet, then all scores; the same call again sends nothing."""
    refuse_unkeepable(run, model, instruments.judge)
    with run.store.locked():
        manifest = begin_run(run)
        budget = run_budget(run, model, instruments)
        run = await rewrite_missing(run, lambda rewriter: paid_answers(run, REWRITER, rewriter, budget))
        manifest["rewrites"] = count_rewrites(run.folder)
        seconds = None if run.settings.minutes is None else 60 * run.settings.minutes
        tally = Tally(len(run.samples) * run.config.trials, usage_pricing(model), show, seconds=seconds)
        served: Record = {}
        try:
            served = await answer_missing(run, model, budget, tally)
        finally:
            usage = run.store.usage()
            manifest |= {"usage": asdict(usage), **kept_reach(run)}
            manifest["adjustments"] = list(getattr(model, "adjustments", ()))
            manifest["serving"] = {**manifest.get("serving", {}), **getattr(model, "serving", {}), **served}
            manifest["price"] = None if model.price is None else asdict(model.price)
            manifest["cost"] = usage_pricing(model)(usage)
            if run.settings.prices is not None:
                listed = read_prices(run.settings.prices)
                manifest["prices"] = {"file": listed.path.name, "date": listed.date}
            if side_models(run):
                manifest["side_cost"] = side_cost(run)
            run.store.write_manifest(manifest)
            run.store.discard_if_empty()
        # Still locked: no other process may come between answers and scores.
        return await score_run(asked_part(run), instruments, budget)


async def score_run(run: Run, instruments: Instruments, budget: Budget | None = None) -> RunResult:
    """All scores of a run from its files; only questions without an answer are asked, within the budget."""
    store = run.store
    with store.locked():
        try:
            await collect_evidence(run.setup, run.samples, store, instruments, budget)
        except (BudgetExceeded, ProviderError):
            # What the judge has cost is known all the same.
            store.write_manifest(
                {**(store.manifest() or begin_run(run)), **_judging_record(run, instruments)}
            )
            raise
        run.forget_grades()
        graded = run.graded(instruments)
        spread = spread_of_run(run, instruments, graded)
        store.write_scores(score_lines(graded))
        write_spread(run.folder, spread)
        manifest = store.manifest() or begin_run(run)
        finished = {"finished": (manifest["finished"] or _time_now()) if run.is_played() else None}
        store.write_manifest({**manifest, **finished, **_judging_record(run, instruments)})
    return RunResult(run, instruments, graded, spread)


def spread_of_run(
    run: Run, instruments: Instruments, graded: Mapping[Profile, Sequence[Graded]]
) -> JudgeSpread | None:
    """How far the figures move over judge trials; `graded` is trial 0. None for a single trial."""
    if instruments.judge_trials < 2:
        return None
    repeated = [run.graded(instruments, trial) for trial in range(1, instruments.judge_trials)]
    unjudged = run.graded(Instruments(embedder=instruments.embedder))
    return judge_spread(
        run.benchmark, [graded, *repeated], unjudged,
        judge=instruments.judge_name, temperature=instruments.decoding.temperature,
    )  # fmt: skip


def _judging_record(run: Run, instruments: Instruments) -> dict[str, JsonValue]:
    """What the manifest says of how questions were answered, and what that took over all sessions."""
    trials = range(instruments.judge_trials)
    used = (
        item for item in run.store.evidence() if any(instruments.answered(item, trial) for trial in trials)
    )
    usage = sum((item.usage for item in used), Usage())
    return {
        "judge": instruments.judge_name,
        "judge_decoding": asdict(instruments.decoding),
        "judge_trials": instruments.judge_trials,
        "judge_usage": asdict(usage),
        "judge_cost": _judge_cost(run, instruments, usage),
        "similarity": instruments.embedder,
    }


def _judge_cost(run: Run, instruments: Instruments, usage: Usage) -> float | None:
    """What judging took; where nobody was asked now, as it was told before."""
    if instruments.judge is not None:
        return usage_pricing(instruments.judge)(usage)
    before = run.store.manifest() or {}
    return before.get("judge_cost") if before.get("judge") == instruments.judge_name else None


def begin_run(run: Run) -> dict[str, Any]:
    """The manifest of the run, new or found; another run's stops here, a damaged one is written again."""
    try:
        manifest = run.store.manifest()
    except DataError:
        refuse_strange_answers(run)
        manifest = None
    if manifest is not None:
        refuse_mismatch(run.folder, manifest["identity"], run.config)
        run.take_back_end()
        return run.store.manifest() or manifest
    config = run.config
    manifest = {
        "digest": config.digest(),
        "identity": config.identity(),
        "data": config.data,
        "benchmark_version": run.benchmark.version,
        "package_version": __version__,
        "templates": dict(config.texts),
        "judge": config.judge,
        **({"label": config.label} if config.label else {}),
        "judge_decoding": asdict(config.judge_decoding),
        "judge_trials": config.judge_trials,
        "similarity": config.embedder,
        "engine": {"python": platform.python_version(), "machine": platform.machine()},
        "started": _time_now(),
        "finished": None,
        "usage": asdict(Usage()),
        "cost": None,
    }
    run.store.write_manifest(manifest)
    return manifest


async def answer_missing(run: Run, model: Model, budget: Budget, tally: Tally) -> Record:
    """Plays every episode that has no complete transcripts yet; how workers elsewhere served them."""
    finished = {key for key, transcript in run.store.transcripts().items() if transcript.error is None}
    tally.kept = tally.done = len(finished & set(run.wanted))
    tally.show(tally)
    todo = [
        unit for unit in run.units if not all((sample.id, unit.trial) in finished for sample in unit.samples)
    ]
    tally.done -= sum((sample.id, unit.trial) in finished for unit in todo for sample in unit.samples)
    if todo and run.settings.engine == "ray":
        return answer_on_ray(run, model, budget, tally, todo)
    if todo:
        await answer_here(run, model, budget, tally, todo)
    return {}


async def answer_here(run: Run, model: Model, budget: Budget, tally: Tally, todo: Sequence[Unit]) -> None:
    """Plays the episodes in this process, as many at once as the settings say."""
    queue = units_in_time(run, todo)
    batches = await recover_batches(run, model, tally)
    settings = run.settings
    places = settings.episodes_at_once if getattr(model, "paced", False) else settings.concurrency
    workers = min(places, len(todo)) if batches is None else len(todo)
    with run.store.append_transcripts() as append:
        paid = partial(paid_answers, run, USER, budget=budget)
        async with playing_user(run.setup, paid) as user:
            worker = EpisodeWorker(run, model, user, budget, append, tally, batches)
            if batches is not None:
                batches.join(workers)
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(workers):
                        group.create_task(worker.work(queue))
            except* Exception as errors:
                # One failure ended them all; the user is told of it, not of the group.
                raise errors.exceptions[0] from None
    if worker.stops:
        raise ProviderError(worker.stops[0].kind, worker.stops[0].detail)
    if budget.refused:
        left = tally.total - tally.done
        raise BudgetExceeded(f"{budget.reached}: {left} of {tally.total} samples remain; {budget.go_on}")


def answer_on_ray(run: Run, model: Model, budget: Budget, tally: Tally, todo: Sequence[Unit]) -> Record:
    """Plays the episodes on a cluster; this process keeps every answer."""
    from toolyard.run.play.ray_cluster import play_on_ray

    with run.store.append_transcripts() as append:
        worker = EpisodeWorker(run, model, scripted_user, budget, append, tally)
        return play_on_ray(run, todo, worker.keep)


async def recover_batches(run: Run, model: Model, tally: Tally) -> BatchModel | None:
    """The batches that all episodes go round by round with; None where requests are sent one by one.

    What earlier batches answered is used in any case.
    """
    batches: BatchModel | None = getattr(model, "batches", None)
    if batches is None:
        return None
    batches.tell = tally.tell
    failed = {key for key, item in run.store.transcripts().items() if item.error is not None}
    await batches.recover(failed)
    return batches if batches.sends else None


@dataclass(frozen=True, slots=True)
class EpisodeWorker:
    """What every worker of a run shares."""

    run: Run
    model: Model
    user: User
    budget: Budget
    append: Callable[[Transcript], Transcript]
    tally: Tally
    batches: BatchModel | None = None
    # what ends the run once the episodes in flight have ended
    stops: list[Failure] = field(default_factory=list)

    async def work(self, queue: Iterator[Unit]) -> None:
        """Plays one episode after the other until none is left or the limit is reached."""
        try:
            await self._play(queue)
        finally:
            if self.batches is not None:
                self.batches.leave()

    async def _play(self, queue: Iterator[Unit]) -> None:
        for unit in queue:
            if self.stops:
                return
            # What the judge will read is not known before the answer is: the largest so far stands for it.
            largest = self.budget.largest_judging * len(unit.samples)
            held = await self.budget.reserve(lambda: largest)  # noqa: B023 - called before it returns
            if held is None:
                return
            around = make_environment(self.run.setup, unit, self.user)
            transcripts = await play_unit(unit, self.run.setup, self._ask, around, self.append)
            goes_on = self.keep(transcripts)
            self.budget.release(held)
            if not goes_on:
                return

    async def _ask(self, request: Request) -> Completion:
        return await self.budget.ask(self.model, request)

    def keep(self, transcripts: Sequence[Transcript]) -> bool:
        """Whether the work goes on; what was answered is written in any case."""
        last = transcripts[-1]
        stopped = last.error is not None and last.error.kind == OVER_BUDGET
        for transcript in transcripts:
            fatal = fatal_failure(transcript, self.tally)
            if (stopped or fatal is not None) and transcript.usage == Usage():
                continue
            kept = self.append(transcript)
            if not stopped and fatal is None:
                self.tally.add(kept)
                self.budget.owe_judging(kept)
        if (found := fatal_failure(last, self.tally)) is not None:
            self.stops.append(found)
            # Those in flight are waited for where they cost money, so that it is written down.
            if found.kind != CHARGED_FOR_NOTHING:
                raise ProviderError(found.kind, found.detail)
            return False
        _stop_if_nothing_works(self.tally, last)
        return not stopped


def fatal_failure(transcript: Transcript, tally: Tally) -> Failure | None:
    """The failure of a sample that every other would share, as with a wrong key or address; None where there is none.

    So would a function whose very first answer is no text; one that fails later on leaves single samples out.
    """
    error = transcript.error
    if error is None or not (error.kind in FATAL_KINDS or (error.kind == "bad_answer" and not tally.done)):
        return None
    return error


def _stop_if_nothing_works(tally: Tally, last: Transcript) -> None:
    """An endpoint that fails for the first ten samples fails for all; so does one that refuses the first three."""
    if last.error is None or tally.failed != tally.done - tally.kept:
        return
    if tally.failed >= (REFUSALS_TO_STOP if last.error.kind == "bad_request" else FAILURES_TO_STOP):
        raise ProviderError(
            last.error.kind,
            f"the first {tally.failed} samples all failed, the last with: {last.error.detail}",
        )


def _time_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
