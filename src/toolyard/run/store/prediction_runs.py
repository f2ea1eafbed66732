"""Saved predictions as a run directory, so that they can be reported, compared and exported like any run."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from toolyard.core.errors import DataError, UsageError
from toolyard.core.processes.stopping import run_async
from toolyard.core.types import Sample, Transcript
from toolyard.lines import Appender
from toolyard.models.loading import load_judge
from toolyard.models.spec import ModelSpec
from toolyard.run.grade.evidence import Instruments, given_evidence
from toolyard.run.plan.data_sources import load_predictions
from toolyard.run.play.execute import RunResult, begin_run, score_run
from toolyard.run.run import Run
from toolyard.run.settings import ScoreSettings, Settings
from toolyard.run.store.rewrites import REWRITES
from toolyard.text.counted_nouns import how_many

# Runs of answers that were made elsewhere are named `predictions/NAME`.
PREDICTIONS = "predictions"
GIVEN_JUDGE = "given"


def run_of_predictions(settings: ScoreSettings) -> RunResult:
    """The run that the saved predictions amount to, written to a directory of its own and scored."""
    if settings.predictions is None:
        raise UsageError("--report writes the run of saved predictions; add --predictions PATH")
    path = settings.predictions
    label = settings.name or path.stem
    planned = Settings(
        benchmark=settings.what,
        model=f"{PREDICTIONS}/{label}",
        data=settings.data or "starter",
        judge=GIVEN_JUDGE if settings.evidence is not None else settings.judge,
        judge_temperature=settings.judge_temperature,
        embedder=settings.embedder or "minilm",
        options=settings.options,
        runs=settings.runs,
    )
    whole = Run.plan(planned)
    transcripts = read_answers(whole, path)
    answered = {item.sample for item in transcripts}
    ids = () if answered >= {sample.id for sample in whole.samples} else tuple(sorted(answered))
    run = Run.plan(replace(planned, ids=ids))
    return run_async(_write_run(run, transcripts, settings))


def read_answers(run: Run, path: Path) -> tuple[Transcript, ...]:
    """The saved answers; rows that the data do not have cannot become part of a run."""
    transcripts = load_predictions(run.benchmark, path, run.samples)
    strange = {item.sample for item in transcripts} - {sample.id for sample in run.samples}
    if strange:
        raise DataError(
            f"{path} answers {how_many(len(strange), 'row')} that the data do not have, e.g. {min(strange)!r}; a run holds "
            "each row of its data once: give the data that were answered with --data, or score without --report"
        )
    # A row that nobody answered is no failure of the model: the run is of the rows that were.
    answered = tuple(item for item in transcripts if item.error is None)
    if not answered:
        raise DataError(f"{path} answers no row of the data; give the data that were answered with --data")
    return answered


async def _write_run(run: Run, transcripts: Sequence[Transcript], settings: ScoreSettings) -> RunResult:
    with run.store.locked():
        begin_run(run)
        run = _add_own_input(run, settings)
        known = run.store.transcripts()
        with run.store.append_transcripts() as append:
            for item in transcripts:
                if known.get((item.sample, item.trial)) != item:
                    append(item)
        return await _score_with_evidence(run, settings)


def _add_own_input(run: Run, settings: ScoreSettings) -> Run:
    """The run whose samples carry what the file of answers says about them, e.g. the tool documents shown."""
    saved = run.benchmark.scoring.saved
    if saved is None or saved.samples is None or settings.predictions is None:
        return run
    before = {sample.id: sample for sample in run.samples}
    found = saved.samples(settings.predictions, run.samples)
    changed = [sample for sample in found if sample.id in before and sample.input != before[sample.id].input]
    with Appender(run.folder / REWRITES) as appender:
        for sample in changed:
            appender.append(
                {"sample": sample.id, "input": _new_input(before[sample.id], sample), "refused": ""}
            )
    return run.with_rewrites()


def _new_input(before: Sample, after: Sample) -> dict[str, object]:
    return {key: value for key, value in after.input.items() if before.input.get(key) != value}


async def _score_with_evidence(run: Run, settings: ScoreSettings) -> RunResult:
    """The scores, with evidence that was given or is asked for now."""
    if settings.evidence is not None:
        temperature = run.setup.judge_decoding.temperature
        book = given_evidence(run.benchmark, settings.evidence, run.samples)
        with run.store.append_evidence() as append:
            for (_, _, key), item in book.items():
                append(replace(item, key=key, model=GIVEN_JUDGE, temperature=temperature))
    named = settings.judge if settings.evidence is None else ""
    judge = load_judge(named, run.benchmark, samples=run.samples) if named else None
    instruments = Instruments(
        judge, ModelSpec.parse(run.config.judge).printable, run.config.embedder, run.setup.judge_decoding
    )
    try:
        return await score_run(run, instruments)
    finally:
        if judge is not None:
            await judge.close()
