"""Tests, effect sizes, tails, ranks and quantiles are what scipy and statsmodels compute on the same data."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats
from scipy.stats import rankdata
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.oneway import anova_oneway
from statsmodels.stats.power import TTestPower

from toolyard.core.metrics import Metric, Row, average, f1, mean
from toolyard.core.types import Counts, Score
from toolyard.stats import bootstrap
from toolyard.stats.bootstrap import (
    estimate,
    estimate_metric,
    percentile_interval,
    resampling_weights,
    rows_by_cluster,
    weight_blocks,
)
from toolyard.stats.cluster_tally import CountedTerms, term_columns
from toolyard.stats.distributions import correlation_tail, f_tail, normal_quantile
from toolyard.stats.paired import paired_test
from toolyard.stats.significance import (
    adjust_holm,
    benjamini_hochberg,
    classical_anova,
    cohens_d_paired,
    detectable_between_runs,
    mean_ranks,
    pass_at_k,
    pass_hat_k,
    pass_rates,
    pearson_correlation,
    rank_biserial,
    smallest_detectable,
    welch_anova,
)

GENERATOR = np.random.default_rng(7)
GROUPS = [
    GENERATOR.normal(0.5 + shift, scale, size).tolist()
    for shift, scale, size in ((0.0, 0.1, 30), (0.1, 0.25, 12), (0.05, 0.4, 51))
]
P_VALUES = [0.001, 0.04, 0.03, 0.5, 0.012, 0.04, 1.0]


def rows(values: list[float]) -> list[Row]:
    return [Row(Score(str(n), values={"x": value}), str(n)) for n, value in enumerate(values)]


def test_pass_rates_are_the_share_of_draws_without_replacement() -> None:
    trials = [True, True, False, False, False]
    draws = list(itertools.combinations(trials, 3))
    assert pass_at_k(5, 2, 3) == pytest.approx(sum(map(any, draws)) / len(draws))
    assert pass_hat_k(5, 3, 2) == pytest.approx(3 / 10)
    assert pass_hat_k(4, 4, 4) == pass_at_k(4, 4, 1) == 1.0


def test_pass_rates_fall_for_all_and_rise_for_any() -> None:
    rates = pass_rates([[True, False, True], [False, False, False], [True, True, True]])
    assert [rate.at_least_one for rate in rates] == pytest.approx([5 / 9, 2 / 3, 2 / 3])
    assert [rate.all_of_them for rate in rates] == pytest.approx([5 / 9, 4 / 9, 1 / 3])
    assert [rate.samples for rate in rates] == [3, 3, 3]
    rates = pass_rates([[True], [False, True]])
    assert [(rate.k, rate.samples, rate.at_least_one) for rate in rates] == [(1, 2, 0.75), (2, 1, 1.0)]
    assert pass_rates([]) == ()


@pytest.mark.parametrize(("trials", "successes", "k"), [(3, 1, 4), (3, 1, 0), (3, 4, 2), (3, -1, 2)])
def test_impossible_trials_are_refused(trials: int, successes: int, k: int) -> None:
    for rate in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match="needs 1 <= k <= trials"):
            rate(trials, successes, k)


def test_small_permutation_tests_are_exact_as_in_scipy() -> None:
    first = [0.9, 0.4, 1.0, 0.7, 0.3, 0.8, 0.6, 0.75]
    second = [0.5, 0.45, 0.6, 0.7, 0.1, 0.9, 0.2, 0.5]
    found = paired_test(mean("x"), rows(first), rows(second)).p_value
    wanted = stats.permutation_test(
        (first, second),
        lambda a, b: float(np.mean(a) - np.mean(b)),
        permutation_type="samples",
        vectorized=False,
        n_resamples=1000,
    )
    assert found == pytest.approx(wanted.pvalue)


def test_large_permutation_tests_approach_the_sign_flip_limit() -> None:
    first = GENERATOR.random(400)
    second = first + GENERATOR.normal(-0.02, 0.2, 400)
    found = paired_test(mean("x"), rows(first.tolist()), rows(second.tolist())).p_value
    assert found == pytest.approx(stats.ttest_rel(first, second).pvalue, abs=0.02)


def test_the_same_result_twice_does_not_differ_and_only_shared_clusters_count() -> None:
    values = [0.0, 1.0, 1.0, 0.5] * 10
    found = paired_test(mean("x"), rows(values), rows(values))
    assert (found.difference.value, found.p_value, found.clusters) == (0.0, 1.0, 40)
    assert found.cohens_d is None
    assert found.rank_biserial is None
    found = paired_test(mean("x"), rows([1.0, 0.0, 1.0]), rows([1.0, 0.0]))
    assert (found.clusters, found.difference.value) == (2, 0.0)
    assert paired_test(mean("x"), rows([1.0]), []).p_value is None


def test_a_test_of_micro_f1_swaps_whole_clusters() -> None:
    def counted(matched: list[float]) -> list[Row]:
        return [Row(Score(str(n), counts={"k": Counts(hit, 4, 4)}), str(n)) for n, hit in enumerate(matched)]

    found = paired_test(f1("k"), counted([4, 4, 4, 4]), counted([2, 2, 2, 2]))
    assert found.difference.value == 0.5
    assert found.p_value == 2 / 16


def test_bootstrap_intervals_agree_with_scipy() -> None:
    values = GENERATOR.random(120)
    wanted = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    found = estimate([mean("x")], rows(values.tolist()), resamples=20_000)["x"]
    assert [found.low, found.high] == pytest.approx([wanted.low, wanted.high], abs=0.002)


def test_the_detectable_difference_is_the_power_formula_of_statsmodels() -> None:
    differences = GENERATOR.normal(0, 0.3, 2000)
    error = float(np.std(differences, ddof=1) / np.sqrt(2000))
    wanted = TTestPower().solve_power(nobs=2000, alpha=0.05, power=0.8) * np.std(differences, ddof=1)
    assert smallest_detectable(error) == pytest.approx(wanted, rel=0.002)
    assert smallest_detectable(None) is None


def test_four_times_the_samples_detect_half_the_difference() -> None:
    values = GENERATOR.random(100).tolist()
    few, many = (detectable_between_runs([mean("x")], rows(values * times))["x"] for times in (1, 4))
    assert few is not None
    assert many == pytest.approx(few / 2, rel=0.1)


def test_corrections_are_those_of_scipy_and_statsmodels() -> None:
    assert adjust_holm(P_VALUES) == pytest.approx(multipletests(P_VALUES, method="holm")[1])
    assert adjust_holm([]) == []
    assert benjamini_hochberg(P_VALUES) == pytest.approx(multipletests(P_VALUES, method="fdr_bh")[1])
    assert benjamini_hochberg(P_VALUES) == pytest.approx(stats.false_discovery_control(P_VALUES))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_corrections_never_lower_a_p_value_and_keep_the_order(p_values: list[float]) -> None:
    for adjusted in (adjust_holm(p_values), benjamini_hochberg(p_values)):
        assert all(0 <= new <= 1 and new >= old for old, new in zip(p_values, adjusted, strict=True))
        ranked = [new for _, new in sorted(zip(p_values, adjusted, strict=True))]
        assert ranked == sorted(ranked)


def test_effect_sizes_come_from_t_and_signed_ranks() -> None:
    first, second = np.array(GROUPS[0]), np.array(GROUPS[2][:30])
    wanted = stats.ttest_rel(first, second).statistic / np.sqrt(30)
    assert cohens_d_paired(first - second) == pytest.approx(wanted)
    differences = np.array([0.5, -0.1, 0.2, 0.2, -0.3, 0.0])
    wilcoxon = stats.wilcoxon(differences, alternative="greater", method="approx")
    total = 5 * 6 / 2
    assert rank_biserial(differences) == pytest.approx((2 * wilcoxon.statistic - total) / total)
    assert rank_biserial(np.zeros(3)) is None


def test_anova_is_that_of_scipy_and_statsmodels() -> None:
    found, wanted = classical_anova(GROUPS), stats.f_oneway(*GROUPS)
    assert (found.statistic, found.p_value) == pytest.approx((wanted.statistic, wanted.pvalue))
    assert (found.df_between, found.df_within) == (2, 90)
    found, wanted = welch_anova(GROUPS), anova_oneway(GROUPS, use_var="unequal")
    assert (found.statistic, found.p_value) == pytest.approx((wanted.statistic, wanted.pvalue))
    assert (found.df_between, found.df_within) == pytest.approx(wanted.df)
    wanted = stats.ttest_ind(GROUPS[0], GROUPS[1], equal_var=False)
    found = welch_anova(GROUPS[:2])
    assert found.statistic == pytest.approx(wanted.statistic**2)
    assert found.p_value == pytest.approx(wanted.pvalue)


@pytest.mark.parametrize("groups", [[], [[1.0, 0.0]], [[1.0, 1.0], [0.0, 0.0]], [[1.0], [0.0]]])
def test_anova_without_spread_or_groups_is_undefined(groups: list[list[float]]) -> None:
    assert welch_anova(groups).p_value is None
    assert classical_anova(groups).p_value is None


def test_pearson_is_that_of_scipy_on_known_pairs() -> None:
    first, second = GROUPS[0], [a * 0.4 + b for a, b in zip(GROUPS[0], GROUPS[2][:30], strict=True)]
    found, wanted = pearson_correlation(first, second, unit="samples"), stats.pearsonr(first, second)
    assert (found.value, found.p_value) == pytest.approx((wanted.statistic, wanted.pvalue))
    assert (found.pairs, found.unit) == (30, "samples")
    found = pearson_correlation([0.0, None, 1.0, 2.0], [1.0, 5.0, None, 3.0], unit="models")
    assert (found.value, found.p_value, found.pairs) == (1.0, None, 2)
    assert pearson_correlation([1.0, 1.0], [0.0, 2.0], unit="models").value is None


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


def clustered_rows(number: int) -> list[Row]:
    return [
        Row(
            Score(f"s{place}", values={"right": place % 3 / 3}, counts={"calls": Counts(place % 2, 1, 2)}),
            cluster=f"c{place // 2}",
        )
        for place in range(number)
    ]


def lines(members: list[Row]) -> Counter[bytes]:
    columns = term_columns(METRICS)
    return Counter(
        np.array([term for terms in columns for term in terms(cluster)], dtype=np.float64).tobytes()
        for cluster in rows_by_cluster(members)
    )


def test_values_are_exactly_those_of_all_clusters() -> None:
    members = clustered_rows(600)
    together = estimate(METRICS, members)
    counted = CountedTerms(METRICS, lines(members), Counter(), 1000, 0)
    apart = {metric.name: estimate_metric(metric, counted, 1000) for metric in METRICS}
    for name, figure in together.items():
        assert apart[name].value == figure.value
        assert apart[name].low == pytest.approx(figure.low, abs=0.01)
        assert apart[name].high == pytest.approx(figure.high, abs=0.01)


def test_terms_that_metrics_share_stand_once() -> None:
    assert [(place.start, place.stop) for place in term_columns(METRICS).values()] == [(0, 2), (2, 5), (5, 7)]


def test_weights_in_blocks_are_the_weights_and_give_the_same_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = resampling_weights(40, 25, 3)
    monkeypatch.setattr(bootstrap, "LARGEST_BLOCK", 200)
    blocks = list(weight_blocks(40, 25, 3))
    assert [len(block) for block in blocks] == [5] * 5
    assert np.array_equal(np.concatenate(blocks), whole)
    members = clustered_rows(300)
    whole = estimate(METRICS, members)
    monkeypatch.setattr(bootstrap, "LARGEST_BLOCK", 1000)
    blocked = estimate(METRICS, members)
    for name, figure in whole.items():
        assert blocked[name].value == figure.value
        assert blocked[name].low == pytest.approx(figure.low, abs=1e-12)
