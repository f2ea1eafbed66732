"""Pairs of runs: tested together as alone, and only where both have a value."""

from itertools import combinations

import numpy as np
import pytest

from toolyard.core.metrics import Metric, Row, average, average_of_defined, cluster_mean, f1, mean, within
from toolyard.core.types import Counts, Score
from toolyard.stats.bootstrap import Estimate, estimate
from toolyard.stats.drop_test import drop_test
from toolyard.stats.paired import NO_TEST, PairedTest, paired_test, paired_tests, result_terms


def result(seed: int, clusters: list[str]) -> list[Row]:
    generator = np.random.default_rng(seed)
    return [
        Row(
            Score(
                name,
                values={"x": float(generator.random())},
                counts={"k": Counts(int(generator.integers(0, 4)), 4, 4)},
            ),
            name,
        )
        for name in clusters
    ]


NAMES = [str(number) for number in range(60)]
RESULTS = [
    result(0, NAMES),
    result(1, NAMES),
    result(2, NAMES[::-1]),
    result(3, NAMES[:30]),
    result(4, [*NAMES[20:50], "elsewhere"]),
    result(5, NAMES[:4]),
    result(6, ["nowhere"]),
]


@pytest.mark.parametrize("metric", [mean("x"), f1("k")], ids=["mean", "f1"])
def test_pairs_tested_together_are_each_as_if_alone(metric: Metric) -> None:
    terms = [result_terms(metric, rows) for rows in RESULTS]
    together = paired_tests([(terms[a], terms[b]) for a, b in combinations(range(len(RESULTS)), 2)])
    alone = [paired_test(metric, RESULTS[a], RESULTS[b]) for a, b in combinations(range(len(RESULTS)), 2)]
    assert together == alone
    assert {test.clusters for test in together} == {60, 30, 10, 4, 0}


def test_a_weight_is_the_word_of_the_first_result() -> None:
    def weighted(values: list[float], weights: list[float]) -> list[Row]:
        return [
            Row(Score(str(n), values={"x": value}), str(n), weight=weight)
            for n, (value, weight) in enumerate(zip(values, weights, strict=True))
        ]

    first, second = weighted([1.0, 0.0], [3.0, 1.0]), weighted([0.0, 0.0], [1.0, 1.0])
    assert paired_test(mean("x"), first, second).difference.value == 0.75
    assert paired_test(mean("x"), second, first).difference.value == -0.5


def test_a_figure_that_is_undefined_is_not_tested_beside_one_that_is() -> None:
    empty = [Row(Score(str(n), values={"x": None}), str(n)) for n in range(4)]
    terms = [result_terms(mean("x"), rows) for rows in (RESULTS[5], empty, RESULTS[0])]
    tests: list[PairedTest] = paired_tests([(terms[0], terms[1]), (terms[0], terms[2])])
    assert tests[0] == NO_TEST
    assert tests[1].p_value is not None


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
