"""A whole is known no worse than both of its parts, and every figure says on how many answers it is based."""

from __future__ import annotations

import pytest

from toolyard.core.metrics import Metric, Row, average, average_of_defined, cluster_mean, f1, mean, within
from toolyard.core.types import Counts, Score
from toolyard.stats.bootstrap import Estimate, estimate


def complementary(clusters: int) -> list[Row]:
    """Twins of which each cluster has one right answer of six, on the one side or on the other."""
    return [
        Row(
            Score(f"{n}-{side}{level}", values={"x": float(level == 1 and side == "ab"[n % 2])}),
            str(n),
            {"side": side},
        )
        for n in range(clusters)
        for side in "ab"
        for level in (1, 2, 3)
    ]


WHOLE, HALVES = mean("x"), [within(mean("x"), "side", side).named(side) for side in "ab"]


@pytest.mark.parametrize("whole", [WHOLE, average("x", HALVES)], ids=["mean", "average of halves"])
@pytest.mark.parametrize("clusters", [8, 20, 60])
def test_the_interval_of_a_whole_does_not_exceed_both_halves(whole: Metric, clusters: int) -> None:
    found = estimate([whole, *HALVES], complementary(clusters))
    low, high = found["x"].low, found["x"].high
    assert found["x"].value == pytest.approx(1 / 6)
    assert low is not None and high is not None and low < 1 / 6 < high
    # Within what draws of so few leave open.
    assert high <= max(found[side].high or 0.0 for side in "ab") + 0.02
    assert low >= min(found[side].low or 0.0 for side in "ab") - 0.02


def test_a_resample_without_a_part_is_no_value_of_the_whole() -> None:
    few = [Row(Score(f"b{n}", values={"x": 0.0}), f"b{n}", {"side": "b"}) for n in range(2)]
    many = [Row(Score(f"a{n}", values={"x": float(n % 10 > 0)}), f"a{n}", {"side": "a"}) for n in range(20)]
    found = estimate([average_of_defined("whole", HALVES), *HALVES], [*few, *many])
    assert found["whole"].value == pytest.approx(0.45)
    assert found["whole"].high is not None and found["whole"].high <= 0.5


@pytest.mark.parametrize(
    ("metric", "count"),
    [
        (mean("known"), 4),
        (mean("sometimes"), 2),
        (f1("calls"), 3),
        (average("both", [mean("sometimes"), f1("calls")]), 3),
        (cluster_mean("pairs", lambda rows: 1.0 if len(rows) == 2 else None), 2),
    ],
    ids=lambda item: item.name if isinstance(item, Metric) else "",
)
def test_a_figure_counts_the_answers_that_it_is_based_on(metric: Metric, count: int) -> None:
    rows = [
        Row(
            Score(
                str(n),
                values={"known": 0.0, "sometimes": None if n % 2 else 1.0},
                counts={"calls": Counts(0, 0, 0 if n == 3 else 1)},
            ),
            str(max(n, 1)),
        )
        for n in range(4)
    ]
    assert estimate([metric], rows)[metric.name].count == count
    assert Estimate(0.5, None, None, 3) == Estimate(0.5, None, None)
