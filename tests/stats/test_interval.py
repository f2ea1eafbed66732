"""The percentile interval of resampled figures is numpy's, to the last bit, and so are the weights."""

import numpy as np
import pytest

from toolyard.stats.bootstrap import interval, resampling_weights


@pytest.mark.parametrize("size", [1, 2, 3, 40, 999, 1000])
def test_the_interval_is_numpys(size: int) -> None:
    draws = np.random.default_rng(size)
    for values in (draws.random(size), np.round(draws.random(size) * 7) / 7, np.full(size, 0.3)):
        low, high = np.quantile(values, [(1 - 0.95) / 2, 1 - (1 - 0.95) / 2])
        assert interval(values) == (float(low), float(high))


def test_undefined_draws_are_left_out_and_the_draws_stay_as_they_are() -> None:
    values = np.array([0.5, np.nan, 0.1, 0.9])
    assert interval(values, 0.0) == (0.5, 0.5)
    assert values[0] == 0.5
    assert interval(np.array([np.nan])) is None


def test_weights_that_are_kept_as_bytes_are_those_that_were_drawn() -> None:
    drawn = np.random.default_rng(3).multinomial(2_500, np.full(2_500, 1 / 2_500), size=1_000)
    for _ in range(2):
        found = resampling_weights(2_500, 1_000, 3)
        assert found.dtype == np.float64
        assert np.array_equal(found, drawn)
