"""Pairs stand on what both results have a value for: equal results never differ, and the n printed is theirs."""

from __future__ import annotations

import pytest

from toolyard.core.metrics import Metric, Row, average, f1, mean, within
from toolyard.core.types import Counts, Score
from toolyard.stats.drops import drop_test
from toolyard.stats.paired import paired_test


def rows(values: list[float | None], key: str = "x") -> list[Row]:
    return [
        Row(Score(str(n), values={key: value}), str(n), {"half": "ab"[n % 2]})
        for n, value in enumerate(values)
    ]


RIGHT = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0] * 3
GAPS = [None if n % 5 == 0 else value for n, value in enumerate(RIGHT)]


@pytest.mark.parametrize(
    "metric",
    [mean("x"), average("whole", [within(mean("x"), "half", "a"), within(mean("x"), "half", "b")])],
    ids=["mean", "average of halves"],
)
def test_equal_answers_do_not_differ_where_one_run_lacks_values(metric: Metric) -> None:
    for first, second in ((RIGHT, GAPS), (GAPS, RIGHT)):
        test = paired_test(metric, rows(first), rows(second))  # type: ignore[arg-type]
        assert test.difference.value == 0
        assert test.clusters == sum(value is not None for value in GAPS)


def test_clusters_are_those_with_a_value_on_both_sides() -> None:
    first: list[float | None] = [1.0, 1.0, None, None, 0.0, 1.0]
    second: list[float | None] = [0.0, None, 1.0, None, 0.0, 0.0]
    test = paired_test(mean("x"), rows(first), rows(second))
    assert (test.clusters, test.difference.value) == (3, pytest.approx(2 / 3))
    assert drop_test(mean("x"), rows(first), rows(second), allowed=0.1, level=0.05).clusters == 3  # type: ignore[union-attr]


def test_turns_of_a_dialogue_are_paired_one_by_one() -> None:
    def dialogue(values: list[float | None]) -> list[Row]:
        return [Row(Score(f"d{n}", values={"x": value}), "d") for n, value in enumerate(values)]

    test = paired_test(mean("x"), dialogue([1.0, 0.0, 1.0]), dialogue([None, 0.0, 1.0]))
    assert (test.clusters, test.difference.value) == (1, 0.0)


def test_calls_where_none_is_wanted_still_cost_precision() -> None:
    def counted(*counts: Counts) -> list[Row]:
        return [Row(Score(str(n), counts={"k": count}), str(n)) for n, count in enumerate(counts)]

    quiet, busy = Counts(0, 0, 0), Counts(0, 4, 0)
    test = paired_test(f1("k"), counted(Counts(2, 2, 2), quiet), counted(Counts(2, 2, 2), busy))
    assert test.difference.value == pytest.approx(1 - 0.5)
    assert test.clusters == 2
