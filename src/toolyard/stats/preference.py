"""How far a metric and people prefer the same run, and people among each other (MTU-Bench, Table 6).

People compare the answers of two runs item by item: 1 the first is better, 0 a tie, -1 the second is better.
A metric compares them by its difference on that item. Appendix E gives the labels, not the aggregation:
here the metric is held against the mean label, and people against each other pair by pair.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np

from toolyard.core.metrics import Metric, Row
from toolyard.stats.agreement import cohen_kappa, fleiss_kappa
from toolyard.stats.bootstrap import rows_by_cluster
from toolyard.stats.means import mean_of_known
from toolyard.stats.significance import pearson_correlation

LABELS = (-1, 0, 1)


@dataclass(frozen=True, slots=True)
class Preference:
    """How well one figure tracks human preference; None where it is undefined, e.g. for constant labels."""

    figure: str
    items: int
    annotators: int
    metric_human: float | None
    human_human: float | None
    same_side: float | None
    human_same_side: float | None
    cohen: float | None
    fleiss: float | None


def metric_differences(metric: Metric, first: Sequence[Row], second: Sequence[Row]) -> dict[str, float]:
    """First minus second on every cluster that both have and for which the metric is defined."""
    left, right = (
        {
            rows[0].cluster: float(metric.value(np.array(metric.terms(rows), dtype=np.float64)))
            for rows in rows_by_cluster(run)
        }
        for run in (first, second)
    )
    pairs = {name: (value, right[name]) for name, value in left.items() if name in right}
    return {name: a - b for name, (a, b) in pairs.items() if not (np.isnan(a) or np.isnan(b))}


def same_side(first: Sequence[float], second: Sequence[float], tie: float = 0.0) -> float | None:
    """The share of items on which two comparisons prefer the same side, ties being a side of their own."""
    if len(first) != len(second):
        raise ValueError(f"preferences need pairs, got {len(first)} and {len(second)} values")
    if not first:
        return None
    return sum(
        _side_of_zero(a, tie) == _side_of_zero(b, 0.0) for a, b in zip(first, second, strict=True)
    ) / len(first)


def _side_of_zero(value: float, tie: float) -> int:
    return 0 if abs(value) <= tie else (1 if value > 0 else -1)


def figure_preference(
    figure: str,
    differences: Mapping[str, float],
    labels: Mapping[str, Mapping[str, int]],
) -> Preference:
    """How the differences of a figure agree with people's labels, and people with each other.

    `labels` is annotator -> item -> 1, 0 or -1. Items that the metric and at least one annotator know count.
    """
    _check_labels(labels)
    items = [item for item in differences if any(item in given for given in labels.values())]
    means = [fmean([given[item] for given in labels.values() if item in given]) for item in items]
    values = [differences[item] for item in items]
    pairs = [_shared_labels(labels[a], labels[b], items) for a, b in combinations(sorted(labels), 2)]
    complete = [item for item in items if all(item in given for given in labels.values())]
    ratings = [[labels[name][item] for name in sorted(labels)] for item in complete]
    return Preference(
        figure=figure,
        items=len(items),
        annotators=len(labels),
        metric_human=pearson_or_none(values, means),
        human_human=mean_of_known([pearson_or_none(a, b) for a, b in pairs]),
        same_side=same_side(values, means),
        human_same_side=mean_of_known([same_side(a, b) for a, b in pairs]),
        cohen=mean_of_known([cohen_kappa(a, b) for a, b in pairs]),
        fleiss=fleiss_kappa(ratings) if len(labels) > 1 else None,
    )


def pearson_or_none(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's r; None with too few pairs or where one side is constant."""
    return pearson_correlation(first, second, unit="items").value


def _check_labels(labels: Mapping[str, Mapping[str, int]]) -> None:
    for annotator, given in labels.items():
        for item, label in given.items():
            if label not in LABELS:
                raise ValueError(f"{annotator} gave {item} the label {label!r}; it may be 1, 0 or -1")


def _shared_labels(
    first: Mapping[str, int], second: Mapping[str, int], items: Sequence[str]
) -> tuple[list[int], list[int]]:
    both = [item for item in items if item in first and item in second]
    return [first[item] for item in both], [second[item] for item in both]
