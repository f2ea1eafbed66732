"""Metrics as functions of sums, so that one matrix product bootstraps them all.

A metric reads the scored rows of one cluster into a few additive terms; its value is a function of
the terms summed over clusters. Means, micro-F1 and dialogue rates all have this form:

    mean("format").terms(rows) -> (sum of values, number of values); value = first / second
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from toolyard.core.ordered_sums import sum_in_order
from toolyard.core.types import Score

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """One scored (sample, trial) with where it belongs and what it stands for; what metrics reduce."""

    score: Score
    cluster: str
    groups: Mapping[str, str] = field(default_factory=dict)
    stratum: str = ""
    weight: float = 1.0


# What is special about a metric, as its tags say. It needs a judge, or an embedder:
JUDGED, SIMILAR = "judged", "similar"
# even a perfect answer stays below 1, by the paper's own formula;
BELOW_ONE = "below one"
# it is what the radar shows, or stands beside that as ours;
CAPABILITY, BESIDE = "capability", "beside the capabilities"
# people compare two answers by it;
COMPARED = "compared by people"
# it is the headline on our own data, or where no judge looked.
OWN_HEADLINE, UNJUDGED_HEADLINE = "headline on our own data", "headline without a judge"
Terms: TypeAlias = Callable[[Sequence[Row]], Sequence[float]]
Value: TypeAlias = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Metric:
    """A named figure: `terms` of one cluster's rows (always `width` numbers), `value` of their sum.

    `value` maps an array of shape (..., width) to one of shape (...); NaN means undefined. A figure made of
    others names them in `parts`: its terms are theirs, one after the other, and are computed only once. `tags` say what
    is special about it: the constants above, or the names of shared abilities that it speaks for.
    """

    name: str
    terms: Terms
    value: Value
    width: int
    parts: tuple[Metric, ...] = ()
    tags: tuple[str, ...] = ()

    def with_tags(self, *tags: str) -> Metric:
        """The same metric with more tags."""
        return replace(self, tags=(*self.tags, *tags))

    def named(self, name: str) -> Metric:
        """The same figure under another name."""
        return replace(self, name=name)


def tag_metrics(metrics: Sequence[Metric], names: Mapping[str, Sequence[str]]) -> tuple[Metric, ...]:
    """The metrics, those named under a tag with that tag."""
    unknown = {name for each in names.values() for name in each} - {metric.name for metric in metrics}
    if unknown:
        raise ValueError(f"no metric is called {', '.join(sorted(unknown))}")
    return tuple(
        metric.with_tags(*(tag for tag, named in names.items() if metric.name in named)) for metric in metrics
    )


def ratio(numerator: Floats, denominator: Floats, empty: float = np.nan) -> Floats:
    """Numerator over denominator, and `empty` where the denominator is zero."""
    out = np.full(np.broadcast(numerator, denominator).shape, empty, dtype=np.float64)
    np.divide(numerator, denominator, out=out, where=np.asarray(denominator) != 0)
    return out


def mean(key: str, name: str = "") -> Metric:
    """Mean of `values[key]` over the rows that have it."""

    def terms(rows: Sequence[Row]) -> tuple[float, float]:
        # One row is what most clusters are, and what every single sample is.
        if len(rows) == 1:
            value = rows[0].score.values.get(key)
            return (0.0, 0.0) if value is None else (float(value), 1.0)
        known = [value for row in rows if (value := row.score.values.get(key)) is not None]
        return (sum_in_order(known), float(len(known)))

    return Metric(name or key, terms, lambda sums: ratio(sums[..., 0], sums[..., 1]), 2)


@cache
def _count_terms(key: str) -> Terms:
    def terms(rows: Sequence[Row]) -> tuple[float, float, float]:
        # Summed by hand: this is the innermost loop of every report.
        matched = predicted = gold = 0.0
        for row in rows:
            counts = row.score.counts.get(key)
            if counts is not None:
                matched, predicted, gold = (
                    matched + counts.matched, predicted + counts.predicted, gold + counts.gold
                )  # fmt: skip
        return (matched, predicted, gold)

    return terms


def precision(key: str) -> Metric:
    """Micro precision of `counts[key]`: 0 where nothing was predicted but something was wanted."""

    def value(sums: Floats) -> Floats:
        undefined = sums[..., 2] == 0
        return np.where(undefined, np.nan, ratio(sums[..., 0], sums[..., 1], 0.0))

    return Metric(f"{key}_precision", _count_terms(key), value, 3)


def recall(key: str) -> Metric:
    """Micro recall of `counts[key]`; undefined where nothing is wanted."""
    return Metric(f"{key}_recall", _count_terms(key), lambda sums: ratio(sums[..., 0], sums[..., 2]), 3)


def f1(key: str) -> Metric:
    """Micro F1 of `counts[key]`; undefined where nothing is wanted, 0 where nothing matches."""

    def value(sums: Floats) -> Floats:
        matched, predicted, gold = sums[..., 0], sums[..., 1], sums[..., 2]
        p, r = ratio(matched, predicted, 0.0), ratio(matched, gold)
        return np.where(np.isnan(r), np.nan, ratio(2 * p * r, p + r, 0.0))

    return Metric(f"{key}_f1", _count_terms(key), value, 3)


def cluster_mean(name: str, figure: Callable[[Sequence[Row]], float | None]) -> Metric:
    """Mean over clusters of a figure of the whole cluster, e.g. a dialogue's success."""

    def terms(rows: Sequence[Row]) -> tuple[float, float]:
        value = figure(rows) if rows else None
        return (0.0, 0.0) if value is None else (float(value), 1.0)

    return Metric(name, terms, lambda sums: ratio(sums[..., 0], sums[..., 1]), 2)


def within(metric: Metric, group: str, key: str) -> Metric:
    """The metric over the rows whose `groups[group]` is `key`."""
    nothing = tuple(metric.terms([]))

    def terms(rows: Sequence[Row]) -> Sequence[float]:
        if len(rows) == 1:
            return metric.terms(rows) if rows[0].groups.get(group) == key else nothing
        members = [row for row in rows if row.groups.get(group) == key]
        if len(members) == len(rows):
            # The very same list, for which terms may be known.
            return metric.terms(rows)
        return metric.terms(members) if members else nothing

    return replace(metric, terms=terms, parts=())


def combine(name: str, parts: Sequence[Metric], value: Callable[[Sequence[Floats]], Floats]) -> Metric:
    """A figure computed from other figures, resampled together with them."""
    edges = np.cumsum([0, *(part.width for part in parts)])

    def terms(rows: Sequence[Row]) -> list[float]:
        return [term for part in parts for term in part.terms(rows)]

    def joint(sums: Floats) -> Floats:
        slices = [
            part.value(sums[..., start:stop])
            for part, start, stop in zip(parts, edges, edges[1:], strict=False)
        ]
        return value(slices)

    return Metric(name, terms, joint, int(edges[-1]), tuple(parts))


def leaves(metric: Metric) -> Iterator[Metric]:
    """The metrics that it is made of, down to those without parts; their terms side by side are its own."""
    if not metric.parts:
        yield metric
    for part in metric.parts:
        yield from leaves(part)


def average(name: str, parts: Sequence[Metric]) -> Metric:
    """Arithmetic mean of the parts; undefined as soon as one part is."""
    return combine(name, parts, lambda values: np.mean(np.stack(values), axis=0))


def average_of_defined(name: str, parts: Sequence[Metric], weights: Sequence[float] = ()) -> Metric:
    """Mean of those parts that are defined, weighted where weights are given; undefined where none is."""
    shares = np.array(weights or [1.0] * len(parts))

    def value(values: Sequence[Floats]) -> Floats:
        stacked = np.stack(values)
        weighed = np.where(np.isnan(stacked), 0.0, shares.reshape(-1, *[1] * (stacked.ndim - 1)))
        return ratio((np.nan_to_num(stacked) * weighed).sum(axis=0), weighed.sum(axis=0))

    return combine(name, parts, value)
