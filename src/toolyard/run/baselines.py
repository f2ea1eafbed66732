"""What needs no ability: the figures of trivial baselines on the very samples of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.core.aggregate import summarise, values_of
from toolyard.core.benchmark import Benchmark
from toolyard.core.types import Json, Options, Profile, Sample, Transcript
from toolyard.run.evidence import Instruments, similarity_book
from toolyard.run.grading import grade_all
from toolyard.run.offline import empty, play_offline


@dataclass(frozen=True, slots=True)
class Baseline:
    """The figures of one trivial answerer under one profile."""

    name: str
    figures: Mapping[str, float | None]


def baselines_of(
    benchmark: Benchmark,
    samples: tuple[Sample, ...],
    options: Options,
    instruments: Instruments,
    profile: Profile,
) -> tuple[Baseline, ...]:
    """Every trivial baseline of the benchmark; the empty answer is always among them."""
    answerers = {"empty": empty, **benchmark.baselines}
    return tuple(
        Baseline(
            f"scripted/{name}",
            offline_figures(
                benchmark, samples, play_offline(benchmark, samples, options, answerer), instruments, profile
            ),
        )
        for name, answerer in answerers.items()
    )


def offline_figures(
    benchmark: Benchmark,
    samples: tuple[Sample, ...],
    transcripts: list[Transcript],
    instruments: Instruments,
    profile: Profile,
) -> dict[str, Json]:
    """The figures of offline transcripts; judged ones are left out, similarities are computed."""
    book = similarity_book(benchmark, samples, transcripts, instruments)
    graded = grade_all(benchmark, samples, transcripts, book, profile)
    return values_of(summarise(benchmark, graded, profile, resamples=0).figures)


def chance_level(baselines: tuple[Baseline, ...], figure: str) -> float | None:
    """What the best trivial baseline scores on a figure."""
    known = [value for baseline in baselines if (value := baseline.figures.get(figure)) is not None]
    return max(known, default=None)
