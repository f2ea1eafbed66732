"""From scored samples to figures: totals, groups, intervals and error counts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from toolyard.core.benchmark import Benchmark, Grouping
from toolyard.core.metrics import Metric, Row
from toolyard.core.types import Profile, Record, Sample, Score, Transcript
from toolyard.stats.bootstrap import RESAMPLES, Estimate, KnownTerms, estimate

# How the reasons begin for which a sample has no verdict of a judge.
JUDGE = "judge_"
UNSCORED_LIMIT = 0.02
Picked = TypeVar("Picked")


@dataclass(frozen=True, slots=True)
class Graded:
    """One (sample, trial) with what happened and what it earned."""

    sample: Sample
    transcript: Transcript
    score: Score


@dataclass(frozen=True, slots=True)
class Summary:
    """All figures of one run under one profile."""

    benchmark: str
    version: str
    profile: Profile
    samples: int
    clusters: int
    unscored: int
    unscored_reasons: Mapping[str, int]
    figures: Mapping[str, Estimate]
    groups: Mapping[str, Mapping[str, Mapping[str, Estimate]]]
    group_sizes: Mapping[str, Mapping[str, int]]
    errors: Mapping[str, Mapping[str, int]]

    @property
    def withheld(self) -> bool:
        """Whether too much is unscored for the headline to mean anything (design, section 1)."""
        total = self.samples + self.unscored
        return total > 0 and self.unscored / total > UNSCORED_LIMIT

    def to_json(self) -> Record:
        """The object that `toolyard score --json` prints."""
        return {
            "benchmark": self.benchmark,
            "version": self.version,
            "profile": self.profile,
            "samples": self.samples,
            "unscored": self.unscored,
            "unscored_reasons": dict(self.unscored_reasons),
            "figures": figure_values(self.figures),
            "groups": _map_groups(self.groups, figure_values),
            "intervals": {
                "figures": figure_intervals(self.figures),
                "groups": _map_groups(self.groups, figure_intervals),
            },
            "errors": {name: dict(labels) for name, labels in self.errors.items()},
        }


def figure_values(figures: Mapping[str, Estimate]) -> dict[str, float | None]:
    """The figures alone."""
    return {name: figure.value for name, figure in figures.items()}


def figure_intervals(figures: Mapping[str, Estimate]) -> dict[str, list[float | None] | None]:
    """[low, high] of each figure, None where it is undefined."""
    return {name: figure.interval for name, figure in figures.items()}


def _map_groups(
    groups: Mapping[str, Mapping[str, Mapping[str, Estimate]]],
    pick: Callable[[Mapping[str, Estimate]], dict[str, Picked]],
) -> dict[str, dict[str, dict[str, Picked]]]:
    return {
        name: {key: pick(figures) for key, figures in members.items()} for name, members in groups.items()
    }


def rows_of(graded: Iterable[Graded]) -> list[Row]:
    """The scored ones as rows for metrics; unscored ones are left out, and their stratum stands on the others.

    A judge that failed or cannot be read costs the judged metrics alone: what is known without it counts.
    """
    items = list(graded)
    scored = [item for item in items if (item.score.unscored or JUDGE).startswith(JUDGE)]
    more = _stratum_weights(items, scored)
    return [
        Row(
            item.score,
            item.sample.cluster,
            item.sample.groups,
            item.sample.stratum,
            item.sample.weight * more.get(item.sample.stratum, 1.0),
        )
        for item in scored
    ]


def _stratum_weights(items: Sequence[Graded], scored: Sequence[Graded]) -> dict[str, float]:
    """For each stratum, how many of its drawn clusters one scored cluster stands for."""
    if not any(item.sample.stratum for item in items):
        return {}
    before, after = (
        Counter(stratum for stratum, _ in {(item.sample.stratum, item.sample.cluster) for item in some})
        for some in (items, scored)
    )
    return {stratum: before[stratum] / after[stratum] for stratum in after}


def summarise(
    benchmark: Benchmark,
    graded: Sequence[Graded],
    profile: Profile,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Summary:
    """Every figure of the benchmark over the graded samples, in total and by group."""
    rows = rows_of(graded)
    known: KnownTerms = {}
    figures = estimate(benchmark.scoring.metrics, rows, seed=seed, resamples=resamples, known=known)
    reasons = Counter(item.score.unscored for item in graded if item.score.unscored is not None)
    return Summary(
        benchmark=benchmark.name,
        version=benchmark.version,
        profile=profile,
        samples=len(graded) - reasons.total(),
        clusters=len({row.cluster for row in rows}),
        unscored=reasons.total(),
        unscored_reasons=dict(sorted(reasons.items())),
        figures=figures,
        groups=groups_of(benchmark, rows, seed=seed, resamples=resamples, known=known),
        group_sizes=group_sizes(benchmark, rows),
        errors=error_counts(benchmark, rows),
    )


def groups_of(
    benchmark: Benchmark,
    rows: Sequence[Row],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    known: KnownTerms | None = None,
) -> dict[str, dict[str, dict[str, Estimate]]]:
    """The figures of every breakdown: breakdown -> key -> figures."""
    terms: KnownTerms = {} if known is None else known
    return {
        grouping.name: _estimates_by_key(benchmark, grouping, rows, seed, resamples, terms)
        for grouping in benchmark.scoring.groupings
    }


def group_sizes(benchmark: Benchmark, rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """How many rows every key of every breakdown has."""
    return {
        grouping.name: dict(Counter(row.groups.get(grouping.name, "") for row in rows))
        for grouping in benchmark.scoring.groupings
    }


def _estimates_by_key(
    benchmark: Benchmark,
    grouping: Grouping,
    rows: Sequence[Row],
    seed: int,
    resamples: int,
    known: KnownTerms,
) -> dict[str, dict[str, Estimate]]:
    present = {row.groups[grouping.name] for row in rows if grouping.name in row.groups}
    keys = [key for key in grouping.keys or sorted(present) if key in present]
    result = {}
    for key in keys:
        members = [row for row in rows if row.groups.get(grouping.name) == key]
        metrics = metrics_for_key(benchmark, grouping, key)
        result[key] = estimate(metrics, members, seed=seed, resamples=resamples, known=known)
    return result


def metrics_for_key(benchmark: Benchmark, grouping: Grouping, key: str) -> list[Metric]:
    """The figures that a breakdown shows for one of its keys."""
    wanted = grouping.figures_of.get(key, grouping.figures)
    if not wanted:
        return list(benchmark.scoring.metrics)
    return [benchmark.scoring.metric(name) for name in wanted]


def error_counts(benchmark: Benchmark, rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """How often each label was given, including those never given."""
    totals: dict[str, dict[str, int]] = {
        name: dict.fromkeys(labels, 0) for name, labels in benchmark.scoring.errors.items()
    }
    for row in rows:
        for name, labels in row.score.errors.items():
            bucket = totals.setdefault(name, {})
            for label, count in labels.items():
                bucket[label] = bucket.get(label, 0) + count
    return totals
