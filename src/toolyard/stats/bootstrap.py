"""Intervals and tests; every random draw comes from a seed given by the caller."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toolyard.core.metrics import Floats, Metric, Row, Terms

RESAMPLES = 1000
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
    """How often each cluster is drawn in each resample; shape (resamples, clusters)."""
    generator = np.random.default_rng(seed)
    weights = generator.multinomial(clusters, np.full(clusters, 1 / clusters), size=resamples)
    return weights.astype(np.float64)


def interval(values: Floats, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """The percentile interval of the defined values, or None where there is none."""
    defined = values[~np.isnan(values)]
    if not defined.size:
        return None
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return float(low), float(high)


def estimate(
    metrics: Sequence[Metric], rows: Sequence[Row], *, seed: int = 0, resamples: int = RESAMPLES
) -> dict[str, Estimate]:
    """Every metric with its seeded cluster-bootstrap interval (95 %, percentile); none for 0 resamples."""
    clusters = clusters_of(rows)
    if not clusters:
        return {metric.name: Estimate(None, None, None) for metric in metrics}
    weights = resampling_weights(len(clusters), resamples, seed)
    matrices = TermMatrices(clusters)
    return {metric.name: _estimate(metric, matrices.of(metric), weights) for metric in metrics}


class TermMatrices:
    """The terms of metrics over the same clusters, each computed once however many metrics share them."""

    def __init__(self, clusters: Sequence[Sequence[Row]]) -> None:
        self._clusters = clusters
        self._known: dict[Terms, Floats] = {}

    def of(self, metric: Metric) -> Floats:
        """One line per cluster, one column per term."""
        if metric.parts:
            return np.hstack([self.of(part) for part in metric.parts])
        if metric.terms not in self._known:
            lines = [metric.terms(rows) for rows in self._clusters]
            self._known[metric.terms] = np.array(lines, dtype=np.float64)
        return self._known[metric.terms]


def _estimate(metric: Metric, terms: Floats, weights: Floats) -> Estimate:
    point = float(metric.value(exact_sums(terms)))
    if np.isnan(point):
        return Estimate(None, None, None)
    if not len(weights):
        return Estimate(point, None, None)
    bounds = interval(metric.value(weights @ terms))
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
