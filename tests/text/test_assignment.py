"""The cheapest assignment is scipy's, down to the choice among equally cheap ones."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.optimize import linear_sum_assignment

from toolyard.text.assignment import cheapest_assignment
from toolyard.text.matching import maximum_weight_matching

SHAPES = st.tuples(st.integers(1, 7), st.integers(1, 7))
TIES = st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, 3.0])


def theirs(costs: np.ndarray) -> dict[int, int]:
    return dict(zip(*(part.tolist() for part in linear_sum_assignment(costs)), strict=True))


@settings(max_examples=400)
@given(arrays.arrays(np.float64, SHAPES, elements=TIES))
def test_equal_costs_are_chosen_as_in_scipy(costs: np.ndarray) -> None:
    assert cheapest_assignment(costs) == theirs(costs)


@settings(max_examples=200)
@given(arrays.arrays(np.float64, SHAPES, elements=st.floats(-1, 1)))
def test_any_costs_are_assigned_as_in_scipy(costs: np.ndarray) -> None:
    assert cheapest_assignment(costs) == theirs(costs)


def test_large_tables_are_assigned_as_in_scipy() -> None:
    generator = np.random.default_rng(3)
    for shape in ((60, 60), (40, 90), (90, 40)):
        for costs in (generator.random(shape), generator.integers(0, 4, shape) / 3):
            assert cheapest_assignment(costs) == theirs(costs)


def test_the_heaviest_matching_takes_as_many_pairs_as_fit() -> None:
    assert maximum_weight_matching([[1.0, 2.0], [1.0, 3.0], [0.0, 0.0]]) == {0: 0, 1: 1}
    assert maximum_weight_matching([]) == {}
