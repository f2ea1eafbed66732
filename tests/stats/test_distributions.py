"""Tails of distributions are those of scipy to twelve digits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from scipy.stats import rankdata

from toolyard.stats.distributions import correlation_tail, f_tail, normal_quantile
from toolyard.stats.significance import mean_ranks


@settings(max_examples=500)
@given(st.integers(1, 60), st.floats(1, 20_000), st.floats(0, 200))
def test_the_tail_of_f_is_that_of_scipy(between: int, within: float, statistic: float) -> None:
    wanted = float(special.fdtrc(between, within, statistic))
    assert f_tail(between, within, statistic) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@settings(max_examples=500)
@given(st.floats(-1, 1), st.integers(1, 20_000))
def test_the_tail_of_a_correlation_is_that_of_scipy(value: float, freedom: int) -> None:
    wanted = float(special.betaincc(0.5, freedom / 2, value * value))  # 1 - value**2 would lose digits
    assert correlation_tail(value, freedom) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def test_extreme_statistics_have_plain_tails() -> None:
    assert f_tail(3, 10, 0.0) == 1.0
    assert f_tail(3, 10, 1e300) == 0.0 or f_tail(3, 10, 1e300) < 1e-12
    assert correlation_tail(1.0, 5) == 0.0
    assert correlation_tail(0.0, 5) == 1.0


@given(st.floats(1e-6, 1 - 1e-6))
def test_quantiles_of_the_normal_are_those_of_scipy(share: float) -> None:
    assert normal_quantile(share) == pytest.approx(float(special.ndtri(share)), rel=1e-12, abs=1e-13)


@given(st.lists(st.sampled_from([0.1, 0.5, 0.5, 2.0, 3.5]), min_size=1, max_size=30))
def test_ranks_are_those_of_scipy(values: list[float]) -> None:
    assert mean_ranks(np.array(values)).tolist() == rankdata(values).tolist()
