"""The difference of two figures that stand on different samples."""

from __future__ import annotations

import pytest

from toolyard.core.metrics import Row, mean
from toolyard.core.types import Score
from toolyard.stats.bootstrap import independent_difference


def rows(prefix: str, values: list[float]) -> list[Row]:
    return [
        Row(Score(f"{prefix}{n}", values={"hit": value}), f"{prefix}{n}") for n, value in enumerate(values)
    ]


def test_the_point_is_the_difference_of_the_means_and_lies_in_its_interval() -> None:
    found = independent_difference(mean("hit"), rows("a", [1, 1, 0, 1] * 10), rows("b", [0, 1, 0, 0] * 10))
    assert found.value == pytest.approx(0.5)
    assert found.low is not None and found.high is not None
    assert found.low < 0.5 < found.high
    assert found.low > 0, "forty a side are enough to tell 0.75 from 0.25"


def test_sets_are_resampled_apart() -> None:
    same = [1.0, 0.0] * 20
    found = independent_difference(mean("hit"), rows("a", same), rows("b", same))
    assert found.value == 0
    assert found.low is not None and found.low < -0.1, "equal sets of other samples still differ by chance"


def test_an_empty_side_is_undefined() -> None:
    assert independent_difference(mean("hit"), rows("a", [1.0]), []).value is None
