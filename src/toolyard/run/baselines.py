"""What needs no ability: the figures of trivial baselines on the very samples of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Json, Profile, Sample, Transcript
from toolyard.run.evidence import Instruments, similarity_book
from toolyard.run.grading import grade_all
from toolyard.run.offline import empty, play_offline
from toolyard.stats.summary import Summary, summarise, values_of


@dataclass(frozen=True, slots=True)
class Baseline:
    """The figures of one trivial answerer under one profile."""

    name: str
    figures: Mapping[str, float | None]
    # breakdown -> key -> figures, where the benchmark has breakdowns
    groups: Mapping[str, Mapping[str, Mapping[str, float | None]]] = field(default_factory=dict)


def baselines_of(
    setup: RunSetup,
    samples: tuple[Sample, ...],
    instruments: Instruments,
    profile: Profile,
) -> tuple[Baseline, ...]:
    """Every trivial baseline of the benchmark; the empty answer is always among them."""
    answerers = {"empty": empty, **setup.benchmark.checks.baselines}
    return tuple(
        baseline_of(f"scripted/{name}", offline_summary(setup, samples, transcripts, instruments, profile))
        for name, answerer in answerers.items()
        for transcripts in (play_offline(setup, samples, answerer),)
    )


def baseline_of(name: str, summary: Summary) -> Baseline:
    """A summary's figures without their intervals, in total and by group."""
    groups = {
        grouping: {key: values_of(figures) for key, figures in members.items()}
        for grouping, members in summary.groups.items()
    }
    return Baseline(name, values_of(summary.figures), groups)


def offline_figures(
    setup: RunSetup,
    samples: tuple[Sample, ...],
    transcripts: list[Transcript],
    instruments: Instruments,
    profile: Profile,
) -> dict[str, Json]:
    """The figures of offline transcripts; judged ones are left out, similarities are computed."""
    return values_of(offline_summary(setup, samples, transcripts, instruments, profile).figures)


def offline_summary(
    setup: RunSetup,
    samples: tuple[Sample, ...],
    transcripts: list[Transcript],
    instruments: Instruments,
    profile: Profile,
) -> Summary:
    """The same with breakdowns, without intervals."""
    book = similarity_book(setup, samples, transcripts, instruments)
    graded = grade_all(setup, samples, transcripts, book, profile)
    return summarise(setup.benchmark, graded, profile, resamples=0)


def chance_level(baselines: tuple[Baseline, ...], figure: str) -> float | None:
    """What the best trivial baseline scores on a figure."""
    known = [value for baseline in baselines if (value := baseline.figures.get(figure)) is not None]
    return max(known, default=None)
