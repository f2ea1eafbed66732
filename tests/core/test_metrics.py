"""Metrics are functions of sums; intervals come from resampled sums."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolyard.core.metrics import (
    Row,
    average,
    average_of_defined,
    cluster_mean,
    f1,
    mean,
    precision,
    recall,
    within,
)
from toolyard.core.types import Counts, Score
from toolyard.stats.bootstrap import FEW_CLUSTERS, corrected_for_chance, estimate


def rows(*values: float | None, cluster: str = "") -> list[Row]:
    return [
        Row(Score(str(n), values={"x": value}), cluster or str(n), {"half": "a" if n % 2 else "b"})
        for n, value in enumerate(values)
    ]


def counted(matched: float, predicted: float, gold: float, cluster: str = "c") -> Row:
    return Row(Score("s", counts={"k": Counts(matched, predicted, gold)}), cluster)


def value(metric, scored):  # type: ignore[no-untyped-def]
    return estimate([metric], scored, resamples=0)[metric.name].value


def test_unknown_values_stay_out_of_the_mean() -> None:
    assert value(mean("x"), rows(1.0, None, 0.5)) == 0.75


def test_a_mean_of_nothing_is_undefined() -> None:
    assert value(mean("x"), rows(None, None)) is None
    assert value(mean("x"), []) is None


def test_precision_recall_and_f1_are_micro() -> None:
    scored = [counted(1, 2, 1, "a"), counted(1, 1, 3, "b")]
    assert value(precision("k"), scored) == pytest.approx(2 / 3)
    assert value(recall("k"), scored) == pytest.approx(0.5)
    assert value(f1("k"), scored) == pytest.approx(4 / 7)


def test_nothing_predicted_scores_zero_and_nothing_wanted_is_undefined() -> None:
    assert value(f1("k"), [counted(0, 0, 3)]) == 0.0
    assert value(precision("k"), [counted(0, 0, 3)]) == 0.0
    assert value(f1("k"), [counted(0, 2, 0)]) is None


def test_a_thousand_perfect_scores_are_exactly_one() -> None:
    assert value(mean("x"), rows(*[1 / 3] * 3000)) == 1 / 3
    assert value(mean("x"), rows(*[1.0] * 1000)) == 1.0


def test_cluster_mean_weighs_clusters_not_rows() -> None:
    scored = [*rows(1, 1, 1, cluster="long"), *rows(0, cluster="short")]
    metric = cluster_mean("all right", lambda turns: float(all(row.score.values["x"] for row in turns)))
    assert value(metric, scored) == 0.5


def test_within_restricts_to_one_group() -> None:
    assert value(within(mean("x"), "half", "a"), rows(0, 1, 0, 0.5)) == 0.75


def test_average_needs_all_parts_and_average_of_defined_does_not() -> None:
    parts = [mean("x"), mean("y")]
    assert value(average("both", parts), rows(0.5)) is None
    assert value(average_of_defined("some", parts), rows(0.5)) == 0.5


def test_an_average_of_defined_parts_may_weigh_them() -> None:
    parts = [within(mean("x"), "half", "a"), within(mean("x"), "half", "b"), mean("y")]
    assert value(average_of_defined("weighed", parts, [3, 1, 4]), rows(1, 0, 1, 0)) == 0.25


def test_intervals_are_the_same_for_the_same_seed_and_differ_for_another() -> None:
    scored = rows(*[n % 3 / 2 for n in range(60)])
    first, again, other = (estimate([mean("x")], scored, seed=seed)["x"] for seed in (1, 1, 2))
    assert first == again
    assert (first.low, first.high) != (other.low, other.high)


@pytest.mark.parametrize(
    ("value", "count", "low", "high"),
    [(0.0, 2, 0.0, 0.841886), (1.0, 2, 0.158114, 1.0), (1.0, 100, 0.963783, 1.0)],
)
def test_no_spread_at_the_bounds_is_no_certainty(value: float, count: int, low: float, high: float) -> None:
    found = estimate([mean("x")], rows(*[value] * count))["x"]
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-6), pytest.approx(high, abs=1e-6))


def test_clustered_rows_widen_the_interval() -> None:
    flags = [float(n % 2) for n in range(40)]
    apart = rows(*[flag for flag in flags for _ in range(5)])
    together = [Row(Score("s", values={"x": flag}), str(n)) for n, flag in enumerate(flags) for _ in range(5)]
    wide, narrow = (estimate([mean("x")], each)["x"] for each in (together, apart))
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


@pytest.mark.parametrize(
    ("figure", "chance", "corrected"), [(0.75, 0.5, 0.5), (0.5, 0.5, 0.0), (0.2, 0.5, -0.6), (1.0, 1.0, None)]
)
def test_chance_correction(figure: float, chance: float, corrected: float | None) -> None:
    assert corrected_for_chance(figure, chance) == (
        corrected if corrected is None else pytest.approx(corrected)
    )


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_a_mean_lies_within_its_values_and_its_interval_within_their_range(values: list[float]) -> None:
    found = estimate([mean("x")], rows(*values), resamples=200)["x"]
    assert found.value is not None and found.low is not None and found.high is not None
    slack = 1e-12
    assert found.low <= found.value + slack
    assert found.value - slack <= found.high
    if len(values) < FEW_CLUSTERS:
        assert 0 <= found.low <= found.high <= 1
    elif max(values) - min(values) > 1e-9:  # less is no spread
        assert min(values) - slack <= found.low <= found.high <= max(values) + slack
    assert min(values) - slack <= found.value <= max(values) + slack
