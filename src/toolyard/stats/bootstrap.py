"""Intervals and tests; every random draw comes from a seed given by the caller."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from toolyard.core.metrics import Floats, Metric, Row, Terms

RESAMPLES = 1000
# Weights of this many numbers at most (16 MB) are kept.
KEPT_WEIGHTS = 2_000_000
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its bootstrap interval; None where it is undefined."""

    value: float | None
    low: float | None
    high: float | None


def clusters_of(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows by cluster, in order of first appearance."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.cluster].append(row)
    return list(groups.values())


def resampling_weights(clusters: int, resamples: int, seed: int) -> Floats:
    """How often each cluster is drawn in each resample; shape (resamples, clusters). Not to be written to."""
    # Profiles, breakdowns and tables of one run draw the same weights again and again.
    if clusters * resamples <= KEPT_WEIGHTS:
        return _kept_weights(clusters, resamples, seed)
    return _drawn_weights(clusters, resamples, seed)


def _drawn_weights(clusters: int, resamples: int, seed: int) -> Floats:
    generator = np.random.default_rng(seed)
    weights = generator.multinomial(clusters, np.full(clusters, 1 / clusters), size=resamples)
    return weights.astype(np.float64)


_kept_weights = lru_cache(maxsize=24)(_drawn_weights)


def interval(values: Floats, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """The percentile interval of the defined values, or None where there is none."""
    defined = values[~np.isnan(values)]
    if not defined.size:
        return None
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return float(low), float(high)


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
    clusters = clusters_of(rows)
    if not clusters:
        return {metric.name: Estimate(None, None, None) for metric in metrics}
    weights = resampling_weights(len(clusters), resamples, seed)
    matrices = TermMatrices(clusters, {} if known is None else known)
    return {metric.name: _estimate(metric, matrices, weights) for metric in metrics}


def values_on(metrics: Sequence[Metric], rows: Sequence[Row]) -> dict[str, float | None]:
    """The metrics on these rows, without intervals."""
    return {name: found.value for name, found in estimate(metrics, rows, resamples=0).items()}


# Terms of a metric for the rows of one cluster, which are named by their identity: as long as the rows live.
KnownTerms: TypeAlias = dict[Terms, dict[tuple[int, ...], Sequence[float]]]


class TermMatrices:
    """The terms of metrics over the same clusters, each computed once however many metrics share them."""

    def __init__(self, clusters: Sequence[Sequence[Row]], known: KnownTerms) -> None:
        self._clusters = clusters
        self._names = [tuple(map(id, rows)) for rows in clusters]
        self._lines = known
        self._known: dict[Terms, Floats] = {}
        self._drawn: dict[Terms, Floats] = {}

    def of(self, metric: Metric) -> Floats:
        """One line per cluster, one column per term."""
        if metric.parts:
            return np.hstack([self.of(part) for part in metric.parts])
        if metric.terms not in self._known:
            lines = self._lines.setdefault(metric.terms, {})
            for name, rows in zip(self._names, self._clusters, strict=True):
                if name not in lines:
                    lines[name] = metric.terms(rows)
            self._known[metric.terms] = np.array([lines[name] for name in self._names], dtype=np.float64)
        return self._known[metric.terms]

    def drawn(self, metric: Metric, weights: Floats) -> Floats:
        """The metric's terms summed over each resample; `weights` are the same at every call."""
        if metric.parts:
            return weights @ self.of(metric)
        if metric.terms not in self._drawn:
            self._drawn[metric.terms] = weights @ self.of(metric)
        return self._drawn[metric.terms]


def _estimate(metric: Metric, matrices: TermMatrices, weights: Floats) -> Estimate:
    terms = matrices.of(metric)
    point = float(metric.value(exact_sums(terms)))
    if np.isnan(point):
        return Estimate(None, None, None)
    if not len(weights):
        return Estimate(point, None, None)
    bounds = interval(metric.value(matrices.drawn(metric, weights)))
    if bounds is None:
        return Estimate(point, None, None)
    if bounds[0] == bounds[1]:
        bounds = exact_bounds(point, int(np.any(terms != 0, axis=1).sum()))
    return Estimate(point, *bounds)


def exact_bounds(value: float, clusters: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of a figure on which all clusters agree, where resampling shows no spread.

    At 0 and 1 it is Clopper and Pearson's: n clusters without a failure do not prove that there is none.
    """
    slack = ((1 - confidence) / 2) ** (1 / clusters) if clusters else 0.0
    if value >= 1:
        return slack, 1.0
    return (0.0, 1 - slack) if value <= 0 else (value, value)


def exact_sums(terms: Floats) -> Floats:
    """Column sums without rounding drift, so that a perfect score is 1.0 and not 0.9999999999999999."""
    from math import fsum

    return np.array([fsum(column) for column in terms.T], dtype=np.float64)


def corrected_for_chance(value: float | None, chance: float | None) -> float | None:
    """Share of the way from what a trivial baseline scores to a perfect score; can be negative."""
    if value is None or chance is None or chance >= 1:
        return None
    return (value - chance) / (1 - chance)


def independent_difference(
    metric: Metric,
    first: Sequence[Row],
    second: Sequence[Row],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Estimate:
    """First minus second over two sets of clusters that have nothing in common, each resampled by itself."""
    sides = [clusters_of(rows) for rows in (first, second)]
    if not all(sides):
        return Estimate(None, None, None)
    terms = [np.array([metric.terms(rows) for rows in side], dtype=np.float64) for side in sides]
    point = float(metric.value(exact_sums(terms[0])) - metric.value(exact_sums(terms[1])))
    drawn = [
        metric.value(resampling_weights(len(side), resamples, seed + place) @ terms[place])
        for place, side in enumerate(sides)
    ]
    bounds = interval(drawn[0] - drawn[1])
    if np.isnan(point) or bounds is None:
        return Estimate(None, None, None)
    if bounds[0] == bounds[1]:
        return Estimate(point, None, None)
    return Estimate(point, *bounds)
