"""What `toolyard score` does: saved predictions, or a run again, to figures; no generation."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.errors import DataError, UsageError, refuse_unknown
from toolyard.core.processes.stopping import run_async
from toolyard.core.types import PROFILES, JsonValue, Options, Profile, Sample, Transcript
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.models.base import Model
from toolyard.models.loading import load_judge
from toolyard.models.settings import refuse_unknown_embedder
from toolyard.models.spec import ModelSpec
from toolyard.run.grade.evidence import Instruments, evidence_without_run, given_evidence, pending_questions
from toolyard.run.grade.grading import EvidenceBook, grade_all, keep_printed_metrics
from toolyard.run.grade.judge_trials import JudgeSpread
from toolyard.run.grade.pieces import LARGEST_WHOLE, PieceEngine, PieceScoring, size_on_disk, tally_in_pieces
from toolyard.run.plan.data_sources import data_path, load_predictions, load_samples, refuse_special
from toolyard.run.plan.run_config import judge_decoding, require_options
from toolyard.run.play.execute import RunResult, score_run
from toolyard.run.run import Run
from toolyard.run.settings import ScoreSettings, refuse_idle_trials
from toolyard.run.store.object_storage import is_remote
from toolyard.run.store.records import score_line
from toolyard.run.store.run_directory import MANIFEST, TRANSCRIPTS
from toolyard.stats.cluster_tally import summarise_tally
from toolyard.stats.summary import Graded, Summary, summarise


@dataclass(frozen=True, slots=True)
class Scored:
    """Figures under the profile asked for, and the samples they come from."""

    benchmark: Benchmark
    summary: Summary
    graded: Sequence[Graded]
    judge_spread: JudgeSpread | None = None

    def to_json(self, *, per_sample: bool = False) -> dict[str, JsonValue]:
        """The object of design section 4; with `per_sample` also every sample's own score."""
        result = {**self.summary.to_json()}
        if self.judge_spread is not None:
            result["judge_spread"] = self.judge_spread.to_json(self.summary.profile)
        if per_sample:
            result["scores"] = [
                json_safe({"sample": item.sample.id, "trial": item.score.trial, **score_line(item.score)})
                for item in self.graded
            ]
        return result


def score_settings(settings: ScoreSettings, *, per_sample: bool = True) -> Scored:
    """The figures of saved predictions, or of a run directory; large sets keep no samples unless they are wanted."""
    profile = require_profile(settings.profile)
    if settings.embedder:
        refuse_unknown_embedder(settings.embedder)
    if settings.predictions is not None:
        refuse_explained(settings)
        return score_predictions(settings, profile, per_sample=per_sample)
    folder = Path(settings.what)
    if not folder.is_dir() and not is_remote(folder):
        raise UsageError(
            f"{settings.what} is not a run directory; to score saved answers add --predictions PATH "
            f"to one of {', '.join(benchmark_names())}"
        )
    refuse_settings_of_predictions(settings)
    run = Run.open(folder)
    refuse_unoffered_profile(run.benchmark, profile)
    refuse_lost_answers(run)
    result = run_async(rescore_run(run, settings))
    return Scored(run.benchmark, result.summaries[profile], result.graded[profile], result.judge_spread)


def refuse_lost_answers(run: Run) -> None:
    """A finished run that has lost answers keeps the scores that they had."""
    manifest, found = run.store.manifest(), run.store.transcripts()
    lost = [key for key in run.wanted if key not in found] if manifest and manifest["finished"] else []
    if lost:
        raise DataError(
            f"{run.folder} has lost {len(lost)} of its {len(run.wanted)} answers (first: sample {lost[0][0]}); "
            "put transcripts.jsonl back, or repeat its `toolyard run` command"
        )


def refuse_settings_of_predictions(settings: ScoreSettings) -> None:
    """A run has its own data, options and evidence: others would have to be ignored."""
    given = {"--data": settings.data, "--evidence": settings.evidence, "--workers": settings.workers or None}
    given |= {"--printed-only": settings.printed_only or None}
    flags = [flag for flag, value in given.items() if value is not None]
    flags += [f"--{name}" for name in settings.options]
    if flags:
        raise UsageError(
            f"{', '.join(flags)} cannot change what the run {settings.what} was made with; "
            "it goes with --predictions, or start another run"
        )


def refuse_explained(settings: ScoreSettings) -> None:
    """What stands beside the paper's own figures cannot be asked for together with these alone."""
    given = {"--report": settings.report, "--judge": settings.judge, "--evidence": settings.evidence}
    flags = [flag for flag, value in given.items() if value]
    if settings.printed_only and flags:
        raise UsageError(f"--printed-only leaves out what {', '.join(flags)} is for; give one of them")


async def rescore_run(run: Run, settings: ScoreSettings) -> RunResult:
    """The run's scores again; with another judge or embedder only the questions are asked again.

    A judge that is named starts from the benchmark's temperature and one trial; without a name the run's own
    judge goes on as it was asked last, if it works on this machine: a directory may come from a stranger, and
    must not choose who gets a key.
    """
    config = run.config
    name = settings.judge or config.judge
    asked_before = 1 if settings.judge else config.judge_trials
    trials = asked_before if settings.judge_trials is None else settings.judge_trials
    refuse_idle_trials(trials, name)
    usual = run.benchmark.judge_decoding if settings.judge else config.judge_decoding
    decoding = judge_decoding(usual, settings.judge_temperature)
    instruments = Instruments(
        None,
        ModelSpec.parse(name).printable,
        settings.embedder or config.embedder,
        decoding,
        judge_trials=trials,
        named=bool(settings.embedder),
    )
    model: Model | None = None
    if settings.judge or is_local_judge(name):
        model = load_judge(name, run.benchmark, samples=run.samples, seed=config.seed) if name else None
        instruments = replace(instruments, judge=model)
    else:
        refuse_strange_judge(run, instruments)
    try:
        return await score_run(run, instruments)
    finally:
        if model is not None:
            await model.close()


def is_local_judge(name: str) -> bool:
    """Whether a judge of that name answers on this machine, out of what is installed."""
    return name in ("", "local", "local-tuned") or re.fullmatch(r"scripted/[\w-]+", name) is not None


def refuse_strange_judge(run: Run, instruments: Instruments) -> None:
    """Questions that only a judge of the directory's own choice would answer are not asked."""
    asked = pending_questions(run.setup, run.samples, run.store, instruments)
    asked = [item for item in asked if item.question.kind == "judge"]
    if asked:
        shown = instruments.judge_name
        raise UsageError(
            f"{len(asked)} judged questions of {run.folder} have no answer yet, and {shown} is named by the run "
            f"directory alone, which may send nothing anywhere; name it yourself: --judge '{shown}'"
        )


def require_profile(name: str) -> Profile:
    """The profile of that name."""
    refuse_unknown("--profile", name, PROFILES)
    return next(profile for profile in PROFILES if profile == name)


def refuse_unoffered_profile(benchmark: Benchmark, profile: Profile) -> None:
    """A profile that the benchmark does not have is refused."""
    if profile not in benchmark.profiles:
        raise UsageError(f"{benchmark.name} has no released scorer to equal; it has --profile paper only")


def refuse_run_as_predictions(path: Path) -> None:
    """A run directory, or a file of one, is scored as a run: its answers are in a form of their own."""
    for folder in (path, path.parent):
        if (folder / MANIFEST).is_file() and (folder / TRANSCRIPTS).is_file():
            raise UsageError(
                f"{path} belongs to a run, whose answers are not predictions in the official form; score it with: "
                f"toolyard score {folder}"
            )


def score_predictions(settings: ScoreSettings, profile: Profile, *, per_sample: bool = True) -> Scored:
    """The figures of answers in the official results form; large sets keep no samples unless they are wanted."""
    if settings.judge_trials not in (None, 1):
        raise UsageError("--judge-trials repeats the judging of a run; saved predictions are judged once")
    benchmark = load_benchmark(settings.what)
    refuse_unoffered_profile(benchmark, profile)
    if settings.predictions is not None:
        refuse_run_as_predictions(settings.predictions)
    if settings.predictions is None or not settings.predictions.exists():
        raise DataError(f"{settings.predictions} does not exist; give the file or folder with the answers")
    for path in (settings.predictions, *([settings.evidence] if settings.evidence is not None else [])):
        refuse_special(path)
    if settings.printed_only:
        benchmark = keep_printed_metrics(benchmark)
    options = Options(benchmark.task.styles[0], values=require_options(benchmark, settings.options))
    if settings.workers or settings.engine != "local":
        return _scored_in_pieces(settings, benchmark, options, profile)
    if not per_sample and is_scored_in_pieces(settings, benchmark):
        # Where a piece cannot be read, the whole names the file and the line.
        with suppress(DataError):
            return _scored_in_pieces(replace(settings, workers=1), benchmark, options, profile)
    samples = load_samples(benchmark, settings.data or "starter", options)
    saved = benchmark.scoring.saved
    if saved is not None and saved.samples is not None:
        samples = saved.samples(settings.predictions, samples)
    transcripts = load_predictions(benchmark, settings.predictions, samples)
    setup = RunSetup.default(benchmark, options)
    book = {} if settings.printed_only else run_async(_gather_evidence(settings, setup, samples, transcripts))
    graded = grade_all(setup, samples, transcripts, book, profile)
    return Scored(benchmark, summarise(benchmark, graded, profile), graded)


def is_scored_in_pieces(settings: ScoreSettings, benchmark: Benchmark) -> bool:
    """Whether the data can be divided and are so large that nobody should hold all of them in memory."""
    if benchmark.data.divide is None or benchmark.judging is not None or settings.evidence or settings.judge:
        return False
    return size_on_disk(data_path(benchmark, settings.data or "starter")) > LARGEST_WHOLE


def _scored_in_pieces(
    settings: ScoreSettings, benchmark: Benchmark, options: Options, profile: Profile
) -> Scored:
    """The figures alone: the samples of a very large set are not kept."""
    if settings.workers < (settings.engine == "local"):
        raise UsageError(f"--workers {settings.workers} leaves nobody to work; give a number from 1 up")
    if benchmark.judging is not None or settings.predictions is None:
        raise UsageError(f"{benchmark.name} asks questions about all answers at once; leave out --workers")
    scoring = PieceScoring(benchmark.name, options, profile, settings.printed_only)
    data = data_path(benchmark, settings.data or "starter")
    where = PieceEngine(settings.engine, settings.workers, settings.ray_address)
    tally = tally_in_pieces(scoring, data, settings.predictions, where)
    return Scored(benchmark, summarise_tally(benchmark, tally, profile), ())


async def _gather_evidence(
    settings: ScoreSettings, setup: RunSetup, samples: tuple[Sample, ...], transcripts: Sequence[Transcript]
) -> EvidenceBook:
    if settings.evidence is not None:
        return given_evidence(setup.benchmark, settings.evidence, samples)
    judge = load_judge(settings.judge, setup.benchmark, samples=samples) if settings.judge else None
    decoding = judge_decoding(setup.judge_decoding, settings.judge_temperature)
    instruments = Instruments(judge, settings.judge, settings.embedder or "minilm", decoding)
    try:
        return await evidence_without_run(setup, samples, transcripts, instruments)
    finally:
        if judge is not None:
            await judge.close()
