"""Intervals and tests; every random draw comes from a seed given by the caller."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from toolyard.core.metrics import Floats, Metric, Row, Terms, leaves
from toolyard.stats.sample_strata import stratified_weights

RESAMPLES = 1000
# Weights of this many numbers at most (16 MB) are kept.
KEPT_WEIGHTS = 2_000_000
# Weights of more numbers than this (80 MB) are drawn a few resamples at a time; those below are kept as bytes.
LARGEST_BLOCK = 10_000_000
CONFIDENCE = 0.95
# Resampling so few shows only what was seen, so that what was not is reckoned with as well.
FEW_CLUSTERS = 5
# What is narrower comes from rounding.
NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its bootstrap interval, and the answers it is based on; None where it is undefined."""

    value: float | None
    low: float | None
    high: float | None
    # No part of what is compared: the same figure may come from so many answers or others.
    count: int | None = field(default=None, compare=False)

    @property
    def interval(self) -> list[float | None] | None:
        """The interval as JSON has it; None where there is none."""
        return None if self.low is None else [self.low, self.high]


def rows_by_cluster(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows by cluster, in order of first appearance."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.cluster].append(row)
    return list(groups.values())


def resampling_weights(clusters: int, resamples: int, seed: int) -> Floats:
    """How often each cluster is drawn in each resample; shape (resamples, clusters). Not to be written to."""
    # Profiles, breakdowns and tables of one run, and the runs of a comparison, draw the same weights again and again.
    if clusters * resamples <= KEPT_WEIGHTS:
        return _kept_weights(clusters, resamples, seed)
    if clusters * resamples <= LARGEST_BLOCK:
        return _kept_counts(clusters, resamples, seed).astype(np.float64)
    return _drawn_weights(clusters, resamples, seed)


def weight_blocks(clusters: int, resamples: int, seed: int) -> Iterator[Floats]:
    """The same weights, a few resamples at a time where all together would take much memory."""
    if clusters * resamples <= LARGEST_BLOCK or not resamples:
        yield resampling_weights(clusters, resamples, seed)
        return
    generator = np.random.default_rng(seed)
    shares = np.full(clusters, 1 / clusters)
    rows = max(1, LARGEST_BLOCK // clusters)
    for start in range(0, resamples, rows):
        drawn = generator.multinomial(clusters, shares, size=min(rows, resamples - start))
        yield drawn.astype(np.float64)


def _drawn_weights(clusters: int, resamples: int, seed: int) -> Floats:
    return _drawn_counts(clusters, resamples, seed).astype(np.float64)


def _drawn_counts(clusters: int, resamples: int, seed: int) -> NDArray[np.int64]:
    generator = np.random.default_rng(seed)
    return generator.multinomial(clusters, np.full(clusters, 1 / clusters), size=resamples)


_kept_weights = lru_cache(maxsize=24)(_drawn_weights)


@lru_cache(maxsize=8)
def _kept_counts(clusters: int, resamples: int, seed: int) -> NDArray[np.integer]:
    counts = _drawn_counts(clusters, resamples, seed)
    # No cluster is drawn so often that it would not fit into a byte or two.
    return counts.astype(np.min_scalar_type(counts.max()))


def drawn_weights(clusters: Sequence[Sequence[Row]], resamples: int, seed: int) -> Iterable[Floats]:
    """How often each cluster counts in each resample, in blocks; a stratified part is drawn within its strata."""
    if any(rows[0].stratum for rows in clusters):
        return [stratified_weights([rows[0].stratum for rows in clusters], resamples, seed)]
    return weight_blocks(len(clusters), resamples, seed)


def percentile_interval(values: Floats, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """The percentile interval of the defined values, or None where there is none."""
    defined = values[~np.isnan(values)]
    if not defined.size:
        return None
    tail = (1 - confidence) / 2
    defined.sort()
    return _sorted_quantile(defined, tail), _sorted_quantile(defined, 1 - tail)


def _sorted_quantile(ordered: Floats, share: float) -> float:
    """What `np.quantile` gives, to the last bit, for values in order: that takes three times as long."""
    place = share * (len(ordered) - 1)
    below = int(place)
    first, second = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    part = place - below
    # From the nearer of the two, as numpy does.
    return first + (second - first) * part if part < 0.5 else second - (second - first) * (1 - part)


def estimate(
    metrics: Sequence[Metric],
    rows: Sequence[Row],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    known: KnownTerms | None = None,
) -> dict[str, Estimate]:
    """Every metric with its seeded cluster-bootstrap interval (95 %, percentile); none for 0 resamples.

    `known` carries terms over from one estimate to the next, e.g. from the total to its breakdowns.
    """
    clusters = rows_by_cluster(rows)
    if not clusters:
        return {metric.name: Estimate(None, None, None) for metric in metrics}
    matrices = TermMatrices(clusters, {} if known is None else known)
    if resamples:
        matrices.draw(metrics, resamples, seed)
    return {metric.name: estimate_metric(metric, matrices, resamples) for metric in metrics}


def metric_values(metrics: Sequence[Metric], rows: Sequence[Row]) -> dict[str, float | None]:
    """The metrics on these rows, without intervals."""
    return {name: found.value for name, found in estimate(metrics, rows, resamples=0).items()}


# Terms of a metric for the rows of one cluster, which are named by their identity: as long as the rows live.
KnownTerms: TypeAlias = dict[Terms, dict[tuple[int, ...], Sequence[float]]]


class ClusterTerms(Protocol):
    """The terms of metrics over some clusters: what a figure and its interval are computed from."""

    def sums(self, metric: Metric) -> Floats:
        """The metric's terms summed over all clusters."""
        ...

    def nonzero_clusters(self, metric: Metric) -> int:
        """How many clusters have anything but zeros."""
        ...

    def answers(self, metric: Metric) -> int:
        """How many answers have anything but zeros."""
        ...

    def resampled_terms(self, metric: Metric) -> Floats:
        """The metric's terms summed over each resample."""
        ...

    def drawn_answers(self, metric: Metric) -> Floats:
        """The same where single answers are drawn instead of clusters; nothing where they are not at hand."""
        ...


class TermMatrices:
    """The terms of metrics over the same clusters, each computed once however many metrics share them."""

    def __init__(self, clusters: Sequence[Sequence[Row]], known: KnownTerms) -> None:
        self._clusters = clusters
        self._draws = (0, 0)
        self._standing_for = cluster_weights(clusters)
        self._names = [tuple(map(id, rows)) for rows in clusters]
        self._lines = known
        self._known: dict[Terms, Floats] = {}
        self._answers: dict[Terms, Floats] = {}
        self._sums: dict[Terms, Floats] = {}
        self._drawn: dict[Terms, Floats] = {}

    def matrix(self, metric: Metric) -> Floats:
        """One line per cluster, one column per term."""
        if metric.parts:
            return np.hstack([self.matrix(part) for part in metric.parts])
        if metric.terms not in self._known:
            lines = self._lines.setdefault(metric.terms, {})
            for name, rows in zip(self._names, self._clusters, strict=True):
                if name not in lines:
                    lines[name] = metric.terms(rows)
            terms = np.array([lines[name] for name in self._names], dtype=np.float64)
            self._known[metric.terms] = terms if self._standing_for is None else terms * self._standing_for
        return self._known[metric.terms]

    def sums(self, metric: Metric) -> Floats:
        """The metric's terms summed over all clusters."""
        if metric.parts:
            return np.concatenate([self.sums(part) for part in metric.parts])
        if metric.terms not in self._sums:
            self._sums[metric.terms] = exact_sums(self.matrix(metric))
        return self._sums[metric.terms]

    def nonzero_clusters(self, metric: Metric) -> int:
        """How many clusters have anything but zeros."""
        return int(np.any(self.matrix(metric) != 0, axis=1).sum())

    def draw(self, metrics: Sequence[Metric], resamples: int, seed: int) -> TermMatrices:
        """The same, with the terms of these metrics summed over each resample, all in one pass over the weights."""
        self._draws = (resamples, seed)
        found: dict[Terms, list[Floats]] = {metric.terms: [] for metric in metrics}
        matrices = {metric.terms: self.matrix(metric) for metric in metrics}
        for weights in drawn_weights(self._clusters, resamples, seed):
            for terms, matrix in matrices.items():
                found[terms].append(weights @ matrix)
        self._drawn = {
            terms: blocks[0] if len(blocks) == 1 else np.concatenate(blocks)
            for terms, blocks in found.items()
        }
        return self

    def resampled_terms(self, metric: Metric) -> Floats:
        """The metric's terms summed over each resample; `draw` comes first."""
        return self._drawn[metric.terms]

    def answers(self, metric: Metric) -> int:
        """How many answers have anything but zeros; all of a cluster that has a value as a whole only."""
        if not self._clusters:
            return 0
        touched = np.any(self.matrix(metric) != 0, axis=1)
        if not self._is_nested():
            return int(touched.sum())
        rows = np.any(
            np.stack([np.any(self._row_terms(part) != 0, axis=1) for part in leaves(metric)]), axis=0
        )
        sizes = np.array([len(rows) for rows in self._clusters])
        counts = np.add.reduceat(rows, np.cumsum(sizes) - sizes, dtype=np.int64)
        return int(np.where(counts == 0, sizes, counts)[touched].sum())

    def _is_nested(self) -> bool:
        """Whether any cluster has more than one answer."""
        return any(len(rows) > 1 for rows in self._clusters)

    def _row_terms(self, metric: Metric) -> Floats:
        """One line per answer, one column per term of a metric without parts."""
        if metric.terms not in self._answers:
            lines = self._lines.setdefault(metric.terms, {})
            rows = [row for cluster in self._clusters for row in cluster]
            for row in rows:
                if (id(row),) not in lines:
                    lines[id(row),] = metric.terms([row])
            self._answers[metric.terms] = np.array([lines[id(row),] for row in rows], dtype=np.float64)
        return self._answers[metric.terms]

    def drawn_answers(self, metric: Metric) -> Floats:
        """The metric's terms where single answers are drawn; nothing where every cluster is one answer."""
        if not self._is_nested():
            return np.empty((0, metric.width))
        weights = np.array([row.weight for cluster in self._clusters for row in cluster])
        terms = np.hstack([self._row_terms(part) for part in leaves(metric)]) * weights[:, None]
        resamples, seed = self._draws
        drawn: Floats = resampling_weights(len(weights), resamples, seed) @ terms
        return drawn


def cluster_weights(clusters: Sequence[Sequence[Row]]) -> Floats | None:
    """How many clusters each stands for, as a column; None where each stands for itself."""
    weights = np.array([rows[0].weight for rows in clusters], dtype=np.float64)
    return None if np.all(weights == 1) else weights[:, None]


def estimate_metric(metric: Metric, clusters: ClusterTerms, resamples: int) -> Estimate:
    """The metric over the clusters, with its interval where there are resamples."""
    point = float(metric.value(clusters.sums(metric)))
    if np.isnan(point):
        return Estimate(None, None, None)
    if not resamples:
        return Estimate(point, None, None)
    drawn = drawn_values(metric, clusters.sums(metric), clusters.resampled_terms(metric))
    found = replace(
        bounded_estimate(point, drawn, clusters.nonzero_clusters(metric)), count=clusters.answers(metric)
    )
    if found.low is None or found.high is None or _interval_width(percentile_interval(drawn)) >= NO_SPREAD:
        return found
    # Clusters that earn the same with other answers: what varies is inside of them, and bounds a new cluster too.
    inside = percentile_interval(metric.value(clusters.drawn_answers(metric)))
    if inside is None or _interval_width(inside) < NO_SPREAD:
        return found
    return replace(found, low=max(found.low, inside[0]), high=min(found.high, inside[1]))


def _interval_width(bounds: tuple[float, float] | None) -> float:
    return bounds[1] - bounds[0] if bounds is not None else 0.0


def bounded_estimate(point: float, drawn: Floats, clusters: int) -> Estimate:
    """A value with the interval of its draws, no narrower than so few clusters allow."""
    bounds = percentile_interval(drawn)
    if bounds is None:
        return Estimate(point, None, None)
    if _interval_width(bounds) < NO_SPREAD:
        return Estimate(point, *exact_bounds(point, clusters))
    if clusters < FEW_CLUSTERS and bounds[0] >= 0 and bounds[1] <= 1:
        bounds = covering_interval(bounds, exact_bounds(point, clusters))
    return Estimate(point, *bounds)


def drawn_values(metric: Metric, sums: Floats, drawn: Floats) -> Floats:
    """The metric in each resample; undefined where a part has no value that it has over all clusters.

    A mean of those parts that are defined would otherwise jump to the other parts in such a resample.
    """
    values, start = metric.value(drawn), 0
    for part in metric.parts:
        place = slice(start, start + part.width)
        if not np.isnan(part.value(sums[place])):
            values = np.where(np.isnan(part.value(drawn[..., place])), np.nan, values)
        start += part.width
    return values


def covering_interval(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """The interval that holds both."""
    return min(first[0], second[0]), max(first[1], second[1])


def exact_bounds(value: float, clusters: int) -> tuple[float, float]:
    """The interval of a share on which all clusters agree, where resampling shows no spread.

    n clusters that agree do not prove that all do: others, worth 0 or 1, could be as frequent as would stay unseen in n
    draws with the chance that is left. At 0 and 1 this is Clopper and Pearson's interval.
    """
    if not 0 <= value <= 1:
        return value, value
    unseen = _unseen_share(clusters)
    return value * (1 - unseen), value * (1 - unseen) + unseen


def _unseen_share(clusters: int) -> float:
    return 1 - ((1 - CONFIDENCE) / 2) ** (1 / clusters) if clusters else 1.0


def exact_difference(value: float, clusters: int) -> tuple[float, float]:
    """The same for the difference of two shares, where every cluster shows the same one: unseen clusters may be -1 or 1."""
    if not -1 <= value <= 1:
        return value, value
    unseen = _unseen_share(clusters)
    return max(-1.0, value * (1 - unseen) - unseen), min(1.0, value * (1 - unseen) + unseen)


def exact_sums(terms: Floats) -> Floats:
    """Column sums without rounding drift, so that a perfect score is 1.0 and not 0.9999999999999999."""
    from math import fsum

    return np.array([fsum(column) for column in terms.T], dtype=np.float64)


def corrected_for_chance(value: float | None, chance: float | None) -> float | None:
    """Share of the way from what a trivial baseline scores to a perfect score; can be negative."""
    if value is None or chance is None or chance >= 1:
        return None
    return (value - chance) / (1 - chance)


def independent_difference(metric: Metric, first: Sequence[Row], second: Sequence[Row]) -> Estimate:
    """First minus second over two sets of clusters that have nothing in common, each resampled by itself."""
    sides = [rows_by_cluster(rows) for rows in (first, second)]
    if not all(sides):
        return Estimate(None, None, None)
    terms = [np.array([metric.terms(rows) for rows in side], dtype=np.float64) for side in sides]
    point = float(metric.value(exact_sums(terms[0])) - metric.value(exact_sums(terms[1])))
    drawn = [
        metric.value(resampling_weights(len(side), RESAMPLES, place) @ terms[place])
        for place, side in enumerate(sides)
    ]
    bounds = percentile_interval(drawn[0] - drawn[1])
    if np.isnan(point) or bounds is None:
        return Estimate(None, None, None)
    if bounds[0] == bounds[1]:
        return Estimate(point, None, None)
    return Estimate(point, *bounds)
