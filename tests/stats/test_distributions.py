"""Tails, ranks and quantiles are those of scipy; sums do not depend on how they are cut."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from scipy.stats import rankdata

from toolyard.core.metrics import Metric, Row, average, f1, mean
from toolyard.core.types import Counts, Score
from toolyard.stats import bootstrap
from toolyard.stats.bootstrap import (
    clusters_of,
    estimate,
    estimate_metric,
    percentile_interval,
    resampling_weights,
    weight_blocks,
)
from toolyard.stats.cluster_tally import CountedTerms, columns_of
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


@pytest.mark.parametrize("size", [1, 2, 3, 40, 999, 1000])
def test_the_interval_is_numpys(size: int) -> None:
    draws = np.random.default_rng(size)
    for values in (draws.random(size), np.round(draws.random(size) * 7) / 7, np.full(size, 0.3)):
        low, high = np.quantile(values, [(1 - 0.95) / 2, 1 - (1 - 0.95) / 2])
        assert percentile_interval(values) == (float(low), float(high))


def test_undefined_draws_are_left_out_and_the_draws_stay_as_they_are() -> None:
    values = np.array([0.5, np.nan, 0.1, 0.9])
    assert percentile_interval(values, 0.0) == (0.5, 0.5)
    assert values[0] == 0.5
    assert percentile_interval(np.array([np.nan])) is None


def test_weights_that_are_kept_as_bytes_are_those_that_were_drawn() -> None:
    drawn = np.random.default_rng(3).multinomial(2_500, np.full(2_500, 1 / 2_500), size=1_000)
    for _ in range(2):
        found = resampling_weights(2_500, 1_000, 3)
        assert found.dtype == np.float64
        assert np.array_equal(found, drawn)


METRICS: list[Metric] = [mean("right"), f1("calls"), average("both", [mean("right"), f1("calls")])]


def rows(number: int) -> list[Row]:
    return [
        Row(
            Score(f"s{place}", values={"right": place % 3 / 3}, counts={"calls": Counts(place % 2, 1, 2)}),
            cluster=f"c{place // 2}",
        )
        for place in range(number)
    ]


def lines(members: list[Row]) -> Counter[bytes]:
    columns = columns_of(METRICS)
    return Counter(
        np.array([term for terms in columns for term in terms(cluster)], dtype=np.float64).tobytes()
        for cluster in clusters_of(members)
    )


def test_values_are_exactly_those_of_all_clusters() -> None:
    members = rows(600)
    together = estimate(METRICS, members)
    counted = CountedTerms(METRICS, lines(members), Counter(), 1000, 0)
    apart = {metric.name: estimate_metric(metric, counted, 1000) for metric in METRICS}
    for name, figure in together.items():
        assert apart[name].value == figure.value
        assert apart[name].low == pytest.approx(figure.low, abs=0.01)
        assert apart[name].high == pytest.approx(figure.high, abs=0.01)


def test_terms_that_metrics_share_stand_once() -> None:
    assert [(place.start, place.stop) for place in columns_of(METRICS).values()] == [(0, 2), (2, 5), (5, 7)]


def test_weights_in_blocks_are_the_weights_and_give_the_same_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = resampling_weights(40, 25, 3)
    monkeypatch.setattr(bootstrap, "LARGEST_BLOCK", 200)
    blocks = list(weight_blocks(40, 25, 3))
    assert [len(block) for block in blocks] == [5] * 5
    assert np.array_equal(np.concatenate(blocks), whole)
    members = rows(300)
    whole = estimate(METRICS, members)
    monkeypatch.setattr(bootstrap, "LARGEST_BLOCK", 1000)
    blocked = estimate(METRICS, members)
    for name, figure in whole.items():
        assert blocked[name].value == figure.value
        assert blocked[name].low == pytest.approx(figure.low, abs=1e-12)
