"""Many pairs tested together give what each gives alone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from toolyard.core.metrics import Metric, Row, f1, mean
from toolyard.core.types import Counts, Score
from toolyard.stats.paired import NO_TEST, PairedTest, paired_test, paired_tests, terms_of


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
    terms = [terms_of(metric, rows) for rows in RESULTS]
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
    terms = [terms_of(mean("x"), rows) for rows in (RESULTS[5], empty, RESULTS[0])]
    tests: list[PairedTest] = paired_tests([(terms[0], terms[1]), (terms[0], terms[2])])
    assert tests[0] == NO_TEST
    assert tests[1].p_value is not None
