"""Figures of more samples than fit in memory: clusters that score alike are counted, not kept.

A figure is a function of sums over clusters, so all that matters of a cluster are its terms, and most clusters share
theirs with many others. Drawing clusters with replacement is then drawing from the distinct ones in proportion to how
often each occurs: the interval has the same distribution, and the values are exactly those of `summarise`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from toolyard.core.benchmark import Benchmark
from toolyard.core.metrics import Floats, Metric, Row, Terms, leaves
from toolyard.core.types import Profile
from toolyard.stats.bootstrap import (
    RESAMPLES,
    Estimate,
    KnownTerms,
    TermMatrices,
    estimate_metric,
    rows_by_cluster,
)
from toolyard.stats.summary import Graded, Summary, error_counts, metrics_for_key, rows_of

# a breakdown and one of its keys; both empty for the whole
Part: TypeAlias = tuple[str, str]
WHOLE: Part = ("", "")
LARGEST_BLOCK = 4_000_000


@dataclass(slots=True)
class ClusterTally:
    """What clusters of samples add up to; made of complete clusters, added to each other in any order."""

    clusters: dict[Part, Counter[bytes]] = field(default_factory=dict)
    # On how many answers each metric of a part is based.
    answers: dict[Part, Counter[str]] = field(default_factory=dict)
    samples: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    sizes: dict[str, Counter[str]] = field(default_factory=dict)
    errors: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, other: "ClusterTally") -> None:
        """Counts what the other has as well."""
        self.samples += other.samples
        self.reasons.update(other.reasons)
        for mine, theirs in ((self.sizes, other.sizes), (self.errors, other.errors)):
            for name, counts in theirs.items():
                mine.setdefault(name, Counter()).update(counts)
        for part, rows in other.clusters.items():
            self.clusters.setdefault(part, Counter()).update(rows)
            self.answers.setdefault(part, Counter()).update(other.answers[part])


def tally_clusters(benchmark: Benchmark, graded: Sequence[Graded]) -> ClusterTally:
    """What these graded samples, with every sample of their clusters among them, add up to."""
    rows = rows_of(graded)
    tally = ClusterTally()
    tally.reasons.update(item.score.unscored for item in graded if item.score.unscored is not None)
    tally.samples = len(graded) - tally.reasons.total()
    for grouping in benchmark.scoring.groupings:
        tally.sizes[grouping.name] = Counter(row.groups.get(grouping.name, "") for row in rows)
    tally.errors = {name: Counter(labels) for name, labels in error_counts(benchmark, rows).items()}
    known: KnownTerms = {}
    for part, members in _parts_of_rows(benchmark, rows):
        metrics, clusters = metrics_of_part(benchmark, part), rows_by_cluster(members)
        columns, matrices = term_columns(metrics), TermMatrices(clusters, known)
        tally.clusters[part] = Counter(_terms_line(columns, cluster) for cluster in clusters)
        tally.answers[part] = Counter({metric.name: matrices.answers(metric) for metric in metrics})
    return tally


def _parts_of_rows(benchmark: Benchmark, rows: Sequence[Row]) -> Iterator[tuple[Part, Sequence[Row]]]:
    yield WHOLE, rows
    for grouping in benchmark.scoring.groupings:
        members: dict[str, list[Row]] = {}
        for row in rows:
            if grouping.name in row.groups:
                members.setdefault(row.groups[grouping.name], []).append(row)
        for key, found in members.items():
            if not grouping.keys or key in grouping.keys:
                yield (grouping.name, key), found


def metrics_of_part(benchmark: Benchmark, part: Part) -> list[Metric]:
    """The figures that are shown of a part."""
    if part == WHOLE:
        return list(benchmark.scoring.metrics)
    grouping = next(each for each in benchmark.scoring.groupings if each.name == part[0])
    return metrics_for_key(benchmark, grouping, part[1])


def term_columns(metrics: Sequence[Metric]) -> dict[Terms, slice]:
    """Where the terms of each metric without parts stand in the line of a cluster."""
    columns: dict[Terms, slice] = {}
    width = 0
    for metric in (leaf for each in metrics for leaf in leaves(each)):
        if metric.terms not in columns:
            columns[metric.terms] = slice(width, width + metric.width)
            width += metric.width
    return columns


def _terms_line(columns: dict[Terms, slice], cluster: Sequence[Row]) -> bytes:
    return np.array([term for terms in columns for term in terms(cluster)], dtype=np.float64).tobytes()


class CountedTerms:
    """The terms of metrics over clusters of which only the distinct ones are kept, with their numbers."""

    def __init__(
        self,
        metrics: Sequence[Metric],
        clusters: Counter[bytes],
        answers: Counter[str],
        resamples: int,
        seed: int,
    ) -> None:
        self._answers = answers
        self._columns = term_columns(metrics)
        # Sorted, so that pieces may come in any order.
        lines = sorted(clusters)
        self._matrix = np.array([np.frombuffer(line, dtype=np.float64) for line in lines])
        self._counts = [clusters[line] for line in lines]
        self._drawn = self._draw(resamples, seed)

    def _draw(self, resamples: int, seed: int) -> Floats:
        generator, counts = np.random.default_rng(seed), np.array(self._counts, dtype=np.float64)
        rows = max(1, LARGEST_BLOCK // len(counts))
        total = sum(self._counts)
        blocks = [
            generator.multinomial(total, counts / total, size=min(rows, resamples - start)) @ self._matrix
            for start in range(0, resamples, rows)
        ]
        return np.concatenate(blocks) if blocks else np.zeros((0, self._matrix.shape[1]))

    def _columns_of_metric(self, metric: Metric, matrix: Floats) -> Floats:
        places = [self._columns[leaf.terms] for leaf in leaves(metric)]
        return np.hstack([matrix[:, place] for place in places])

    def sums(self, metric: Metric) -> Floats:
        """The metric's terms summed over all clusters, without rounding on the way."""
        columns = self._columns_of_metric(metric, self._matrix).T
        return np.array([_exact_sum(column.tolist(), self._counts) for column in columns], dtype=np.float64)

    def nonzero_clusters(self, metric: Metric) -> int:
        """How many clusters have anything but zeros."""
        any_term = np.any(self._columns_of_metric(metric, self._matrix) != 0, axis=1)
        return sum(count for count, touched in zip(self._counts, any_term, strict=True) if touched)

    def answers(self, metric: Metric) -> int:
        """How many answers have anything but zeros."""
        return self._answers[metric.name]

    def resampled_terms(self, metric: Metric) -> Floats:
        """The metric's terms summed over each resample."""
        return self._columns_of_metric(metric, self._drawn)

    def drawn_answers(self, metric: Metric) -> Floats:
        """Nothing: of single answers no terms are kept."""
        return np.empty((0, metric.width))


def _exact_sum(terms: Sequence[float], counts: Sequence[int]) -> float:
    if all(term.is_integer() for term in terms):
        return float(sum(int(term) * count for term, count in zip(terms, counts, strict=True)))
    return float(sum(Fraction(term) * count for term, count in zip(terms, counts, strict=True)))


def summarise_tally(
    benchmark: Benchmark, tally: ClusterTally, profile: Profile, *, seed: int = 0, resamples: int = RESAMPLES
) -> Summary:
    """Every figure of the benchmark, as `summarise` gives it for samples that are all at hand."""
    return Summary(
        benchmark=benchmark.name,
        version=benchmark.version,
        profile=profile,
        samples=tally.samples,
        clusters=tally.clusters[WHOLE].total(),
        unscored=tally.reasons.total(),
        unscored_reasons=dict(sorted(tally.reasons.items())),
        figures=_estimates_of_part(benchmark, tally, WHOLE, seed, resamples),
        groups={
            grouping.name: {
                key: _estimates_of_part(benchmark, tally, (grouping.name, key), seed, resamples)
                for key in grouping.keys
                or sorted(key for name, key in tally.clusters if name == grouping.name)
                if (grouping.name, key) in tally.clusters
            }
            for grouping in benchmark.scoring.groupings
        },
        group_sizes={name: dict(counts) for name, counts in tally.sizes.items()},
        errors={name: dict(counts) for name, counts in tally.errors.items()},
    )


def _estimates_of_part(
    benchmark: Benchmark, tally: ClusterTally, part: Part, seed: int, resamples: int
) -> dict[str, Estimate]:
    metrics = metrics_of_part(benchmark, part)
    clusters = tally.clusters.get(part)
    if not clusters:
        return {metric.name: Estimate(None, None, None) for metric in metrics}
    counted = CountedTerms(metrics, clusters, tally.answers[part], resamples, seed)
    return {metric.name: estimate_metric(metric, counted, resamples) for metric in metrics}
