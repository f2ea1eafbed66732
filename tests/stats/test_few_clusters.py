"""Intervals on a handful of clusters: never of no width, and never narrower than what may have stayed unseen."""

from __future__ import annotations

import pytest

from toolyard.core.metrics import Row, mean
from toolyard.core.types import Score
from toolyard.stats.bootstrap import estimate, exact_bounds, exact_difference
from toolyard.stats.paired import paired_test

METRIC = mean("right")


def rows(values: list[float]) -> list[Row]:
    return [
        Row(Score(str(place), values={"right": value}), str(place), {}) for place, value in enumerate(values)
    ]


@pytest.mark.parametrize("values", [[0.5], [0.5, 0.5], [0.3] * 3, [0.0, 0.0], [1.0, 1.0, 1.0], [0.4, 0.6]])
def test_two_or_three_samples_never_look_certain(values: list[float]) -> None:
    found = estimate((METRIC,), rows(values))["right"]
    assert found.value is not None and found.low is not None and found.high is not None
    assert found.high - found.low > 0.6
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_at_nought_and_one_it_is_clopper_and_pearson() -> None:
    assert exact_bounds(0.0, 3) == (0.0, pytest.approx(0.7076, abs=1e-4))
    assert exact_bounds(1.0, 3) == (pytest.approx(0.2924, abs=1e-4), 1.0)
    assert exact_bounds(0.5, 0) == (0.0, 1.0)
    assert exact_bounds(7.0, 3) == (7.0, 7.0)


def test_many_samples_that_agree_leave_little_room() -> None:
    low, high = exact_bounds(0.5, 1000)
    assert high - low == pytest.approx(0.00368, abs=1e-5)


def test_runs_that_never_differ_are_not_proven_equal() -> None:
    few = paired_test(METRIC, rows([1.0, 0.0, 1.0]), rows([1.0, 0.0, 1.0]))
    assert (few.difference.low, few.difference.high) == (
        -few.difference.high,
        pytest.approx(0.7076, abs=1e-4),
    )  # type: ignore[operator]
    assert exact_difference(-1.0, 2) == (-1.0, pytest.approx(0.6838, abs=1e-4))


def test_two_clusters_that_differ_do_not_rule_out_no_difference() -> None:
    test = paired_test(METRIC, rows([0.0, 0.0]), rows([1.0, 0.5]))
    assert test.difference.value == -0.75
    assert test.difference.low == -1.0
    assert test.difference.high is not None
    assert test.difference.high > 0
