"""Runs a plan: answers what is missing, keeps every line, scores everything from the files."""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from toolyard import __version__
from toolyard.core.errors import FATAL_KINDS, BudgetExceeded, ProviderError
from toolyard.core.types import PROFILES, Failure, Json, Profile, Transcript, Usage
from toolyard.lines import Appender
from toolyard.models.base import Model
from toolyard.run.budget import owe_judging, refuse_unpriced, reserve
from toolyard.run.config import refuse_mismatch
from toolyard.run.episodes import Unit, play
from toolyard.run.evidence import Instruments, collect_evidence
from toolyard.run.grading import grade_all, score_lines
from toolyard.run.judging import JudgeSpread, judge_spread, write_spread
from toolyard.run.plan import Plan
from toolyard.run.records import transcript_line
from toolyard.run.rewriting import count_rewrites, rewrite_missing
from toolyard.run.store import RunStore
from toolyard.run.surroundings import User, playing_user, surroundings_of
from toolyard.run.tally import Tally, silent
from toolyard.stats.summary import Graded, Summary, summarise

HOPELESS = 10


@dataclass(frozen=True, slots=True, repr=False)
class RunResult:
    """A finished run: its place, its figures under each profile, and every graded sample."""

    plan: Plan
    summaries: Mapping[Profile, Summary]
    graded: Mapping[Profile, Sequence[Graded]]
    judge_spread: JudgeSpread | None = None

    def __repr__(self) -> str:
        """The headline and where the rest is."""
        summary = self.summaries["paper"]
        headline = self.plan.setup.headline
        figure = summary.figures[headline]
        return (
            f"RunResult({self.plan.benchmark.name}, {self.plan.config.model}: {headline}={figure.value} "
            f"[{figure.low}, {figure.high}], {summary.samples} scored, {summary.unscored} unscored, "
            f"{str(self.plan.folder)!r})"
        )


async def run_plan(
    plan: Plan,
    model: Model,
    instruments: Instruments,
    show: Callable[[Tally], None] = silent,
) -> RunResult:
    """Whatever of the plan is not done yet, then all scores; the same call again sends nothing."""
    store = RunStore(plan.folder)
    refuse_unpriced(plan, model, instruments)
    with store.locked():
        manifest = begin(plan, store)
        plan = await rewrite_missing(plan, store)
        manifest["rewrites"] = count_rewrites(store)
        tally = Tally(len(plan.samples) * plan.config.trials, _pricing(model), show)
        owe_judging(plan, store, instruments, tally)
        try:
            await answer_missing(plan, model, store, tally)
        finally:
            manifest["usage"] = _add_usage(manifest, tally.usage)
            manifest["adjustments"] = list(getattr(model, "adjustments", ()))
            manifest["cost"] = _pricing(model)(Usage(**manifest["usage"]))
            store.write_manifest(manifest)
            store.discard_if_empty()
    limit = plan.wish.max_cost
    return await score_run(plan, instruments, None if limit is None else limit - (tally.cost or 0.0))


async def score_run(plan: Plan, instruments: Instruments, left: float | None = None) -> RunResult:
    """All scores of a run from its files; only questions without an answer are asked.

    `left` is what the judge may still cost, where that is limited.
    """
    store = RunStore(plan.folder)
    with store.locked():
        await collect_evidence(plan.setup, plan.samples, store, instruments, left)
        graded = grade_run(plan, store, instruments)
        spread = spread_of_run(plan, store, instruments, graded)
        store.write_scores(score_lines(graded))
        write_spread(store, spread)
        manifest = store.manifest() or begin(plan, store)
        finished = {"finished": manifest["finished"] or _now()}
        store.write_manifest({**manifest, **finished, **_judged(instruments, store)})
    summaries = {
        profile: summarise(plan.benchmark, items, profile, seed=plan.config.seed)
        for profile, items in graded.items()
    }
    return RunResult(plan, summaries, graded, spread)


def spread_of_run(
    plan: Plan, store: RunStore, instruments: Instruments, graded: Mapping[Profile, Sequence[Graded]]
) -> JudgeSpread | None:
    """How far the figures move over judge trials; `graded` is trial 0. None for a single trial."""
    if instruments.judge_trials < 2:
        return None
    repeated = [grade_run(plan, store, instruments, trial) for trial in range(1, instruments.judge_trials)]
    unjudged = grade_run(plan, store, Instruments(embedder=instruments.embedder))
    return judge_spread(
        plan.benchmark, [graded, *repeated], unjudged,
        judge=instruments.judge_name, temperature=instruments.decoding.temperature,
    )  # fmt: skip


def _judged(instruments: Instruments, store: RunStore) -> dict[str, Json]:
    """What the manifest says of how questions were answered, and what that took over all sessions."""
    trials = range(instruments.judge_trials)
    told = (item for item in store.evidence() if any(instruments.speaks_for(item, trial) for trial in trials))
    usage = sum((item.usage for item in told), Usage())
    return {
        "judge": instruments.judge_name,
        "judge_decoding": asdict(instruments.decoding),
        "judge_trials": instruments.judge_trials,
        "judge_usage": asdict(usage),
        "judge_cost": None if instruments.judge is None else _pricing(instruments.judge)(usage),
        "similarity": instruments.embedder,
    }


def begin(plan: Plan, store: RunStore) -> dict[str, Json]:
    """The manifest of the run, new or found; other settings stop here."""
    manifest = store.manifest()
    if manifest is not None:
        refuse_mismatch(plan.folder, manifest, plan.config)
        return manifest
    config = plan.config
    manifest = {
        "digest": config.digest(),
        "identity": config.identity(),
        "data": config.data,
        "benchmark_version": plan.benchmark.version,
        "package_version": __version__,
        "templates": dict(config.texts),
        "judge": config.judge,
        "judge_decoding": asdict(config.judge_decoding),
        "judge_trials": config.judge_trials,
        "similarity": config.embedder,
        "engine": {"python": platform.python_version(), "machine": platform.machine()},
        "started": _now(),
        "finished": None,
        "usage": asdict(Usage()),
        "cost": None,
    }
    store.write_manifest(manifest)
    return manifest


async def answer_missing(plan: Plan, model: Model, store: RunStore, tally: Tally) -> None:
    """Plays every episode that has no complete transcripts yet."""
    finished = {key for key, transcript in store.transcripts().items() if transcript.error is None}
    wanted = {(sample.id, unit.trial) for unit in plan.units for sample in unit.samples}
    tally.kept = tally.done = len(finished & wanted)
    tally.show(tally)
    todo = [
        unit for unit in plan.units if not all((sample.id, unit.trial) in finished for sample in unit.samples)
    ]
    tally.done -= sum((sample.id, unit.trial) in finished for unit in todo for sample in unit.samples)
    if not todo:
        return
    queue = iter(todo)
    with store.append_transcripts() as appender:
        async with playing_user(plan.setup) as user:
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(min(plan.wish.concurrency, len(todo))):
                        group.create_task(_work(queue, plan, model, user, appender, tally))
            except* Exception as errors:
                # One failure ended them all; the user is told of it, not of the group.
                raise errors.exceptions[0] from None
    if tally.refused:
        judging = f" and ${tally.owed:.4f} set aside for the judge" if tally.owed else ""
        raise BudgetExceeded(
            f"stopped at ${tally.cost or 0:.4f}{judging} of --max-cost {plan.wish.max_cost:g}, "
            f"{tally.done} of {tally.total} samples done; the same command with a higher limit goes on from here"
        )


async def _work(
    queue: Iterator[Unit], plan: Plan, model: Model, user: User, appender: Appender, tally: Tally
) -> None:
    for unit in queue:
        reserved = reserve(plan, unit, tally)
        if reserved is None:
            return
        around = surroundings_of(plan.setup, unit, user)
        transcripts = await play(unit, plan.setup, model.generate, around)
        tally.reserved -= reserved
        for transcript in transcripts:
            _stop_if_hopeless(transcript)
            appender.append(transcript_line(transcript))
            tally.add(transcript)
        _stop_if_nothing_works(tally, transcripts[-1])


def _stop_if_hopeless(transcript: Transcript) -> None:
    """A wrong key or address fails every sample alike: better one line now than a file full of errors."""
    if transcript.error is not None and transcript.error.kind in FATAL_KINDS:
        raise ProviderError(transcript.error.kind, transcript.error.detail)


def _stop_if_nothing_works(tally: Tally, last: Transcript) -> None:
    """An endpoint that has failed for the first ten samples will fail for the rest."""
    if last.error is not None and tally.failed >= HOPELESS and tally.failed == tally.done - tally.kept:
        raise ProviderError(
            last.error.kind,
            f"the first {tally.failed} samples all failed, the last with: {last.error.detail}",
        )


def grade_run(
    plan: Plan, store: RunStore, instruments: Instruments, judge_trial: int = 0
) -> dict[Profile, list[Graded]]:
    """All scores of the plan's samples from the files alone."""
    wanted = {(sample.id, unit.trial) for unit in plan.units for sample in unit.samples}
    found = store.transcripts()
    transcripts = [
        found.get(key) or Transcript(*key, error=Failure("not_run", "the run has not come to it yet"))
        for key in sorted(wanted)
    ]
    book = instruments.valid(store.evidence(), judge_trial)
    return {profile: grade_all(plan.setup, plan.samples, transcripts, book, profile) for profile in PROFILES}


def _pricing(model: Model) -> Callable[[Usage], float | None]:
    return lambda usage: None if model.price is None else model.price.cost(usage)


def _add_usage(manifest: Mapping[str, Json], usage: Usage) -> dict[str, int]:
    return asdict(Usage(**manifest["usage"]) + usage)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
