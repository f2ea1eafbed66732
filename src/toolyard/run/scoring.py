"""What `toolyard score` does: saved predictions, or a run again, to figures; no generation."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.errors import DataError, UsageError
from toolyard.core.json_safe import json_safe
from toolyard.core.types import PROFILES, Json, Options, Profile, Sample, Transcript
from toolyard.models.loading import load_judge
from toolyard.run.config import checked_options
from toolyard.run.data import load_samples
from toolyard.run.evidence import Instruments, evidence_for, given_evidence
from toolyard.run.grading import EvidenceBook, grade_all
from toolyard.run.judging import JudgeSpread
from toolyard.run.plan import judge_decoding
from toolyard.run.records import score_line
from toolyard.run.rerun import reopen, rescore
from toolyard.stats.summary import Graded, Summary, summarise


@dataclass(frozen=True, slots=True)
class ScoreWish:
    """What the user wants scored, word by word."""

    what: str
    data: str = "starter"
    predictions: Path | None = None
    evidence: Path | None = None
    profile: str = "paper"
    judge: str = ""
    judge_trials: int | None = None
    judge_temperature: float | None = None
    embedder: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """Figures under the profile asked for, and the samples they come from."""

    benchmark: Benchmark
    summary: Summary
    graded: Sequence[Graded]
    judge_spread: JudgeSpread | None = None

    def to_json(self, *, per_sample: bool = False) -> dict[str, Json]:
        """The object of design section 4; with `per_sample` also every sample's own score."""
        result = self.summary.to_json()
        if self.judge_spread is not None:
            result["judge_spread"] = self.judge_spread.to_json(self.summary.profile)
        if per_sample:
            result["scores"] = [
                json_safe({"sample": item.sample.id, "trial": item.score.trial, **score_line(item.score)})
                for item in self.graded
            ]
        return result


def score_wish(wish: ScoreWish) -> Scored:
    """The figures of saved predictions, or of a run directory."""
    profile = checked_profile(wish.profile)
    if wish.predictions is not None:
        return score_predictions(wish, profile)
    folder = Path(wish.what)
    if not folder.is_dir():
        raise UsageError(
            f"{wish.what} is not a run directory; to score saved answers add --predictions PATH "
            f"to one of {', '.join(benchmark_names())}"
        )
    result = asyncio.run(
        rescore(
            reopen(folder), judge=wish.judge, embedder=wish.embedder,
            judge_trials=wish.judge_trials, judge_temperature=wish.judge_temperature,
        )
    )  # fmt: skip
    return Scored(
        result.plan.benchmark, result.summaries[profile], result.graded[profile], result.judge_spread
    )


def checked_profile(name: str) -> Profile:
    """The profile of that name."""
    for profile in PROFILES:
        if profile == name:
            return profile
    raise UsageError(f"--profile {name!r} is not one of {', '.join(PROFILES)}")


def score_predictions(wish: ScoreWish, profile: Profile) -> Scored:
    """The figures of answers in the official results form."""
    if wish.judge_trials not in (None, 1):
        raise UsageError("--judge-trials repeats the judging of a run; saved predictions are judged once")
    benchmark = load_benchmark(wish.what)
    if wish.predictions is None or not wish.predictions.exists():
        raise DataError(f"{wish.predictions} does not exist; give the file or folder with the answers")
    options = Options(benchmark.task.styles[0], values=checked_options(benchmark, wish.options))
    samples = load_samples(benchmark, wish.data, options)
    if benchmark.scoring.predicted_samples is not None:
        samples = benchmark.scoring.predicted_samples(wish.predictions, samples)
    if benchmark.scoring.read_predictions is None:
        raise UsageError(f"{benchmark.name} has no form of saved predictions; run it on a model instead")
    transcripts = benchmark.scoring.read_predictions(wish.predictions, samples)
    setup = RunSetup.default(benchmark, options)
    book = asyncio.run(_evidence(wish, setup, samples, transcripts))
    graded = grade_all(setup, samples, transcripts, book, profile)
    return Scored(benchmark, summarise(benchmark, graded, profile), graded)


async def _evidence(
    wish: ScoreWish, setup: RunSetup, samples: tuple[Sample, ...], transcripts: Sequence[Transcript]
) -> EvidenceBook:
    if wish.evidence is not None:
        return given_evidence(setup.benchmark, wish.evidence, samples)
    judge = load_judge(wish.judge, setup.benchmark, samples=samples) if wish.judge else None
    decoding = judge_decoding(setup.judge_decoding, wish.judge_temperature)
    instruments = Instruments(judge, wish.judge, wish.embedder or "minilm", decoding)
    try:
        return await evidence_for(setup, samples, transcripts, instruments)
    finally:
        if judge is not None:
            await judge.close()
