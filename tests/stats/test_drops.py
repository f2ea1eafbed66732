"""Drops, budgets over strata and pairs of runs: nothing is certain that few clusters cannot show."""

import numpy as np
import pytest
from scipy import stats

from toolyard.core.metrics import Row, mean
from toolyard.core.types import Sample, Score, Transcript
from toolyard.stats.bootstrap import estimate, exact_bounds, exact_difference, independent_difference
from toolyard.stats.distributions import t_quantile, t_tail
from toolyard.stats.drop_test import drop_test, jackknife_error, pairs_drop_test
from toolyard.stats.paired import PairedTerms, paired_test, permutation_p_value
from toolyard.stats.sample_strata import allocate_samples, floor_spreads, stratified_weights
from toolyard.stats.sequential import confidence_sequence, find_stop
from toolyard.stats.summary import Graded, rows_of

METRIC = mean("right")


def rows(values: list[float], prefix: str = "") -> list[Row]:
    names = [f"{prefix}{number}" for number in range(len(values))]
    return [
        Row(Score(name, values={"right": value}), name) for name, value in zip(names, values, strict=True)
    ]


def test_students_t_equals_scipys() -> None:
    for freedom in (1, 4, 30, 999):
        for statistic in (-3.0, -0.2, 0.0, 0.7, 4.0):
            assert t_tail(statistic, freedom) == pytest.approx(stats.t.sf(statistic, freedom), rel=1e-9)
        for share in (0.01, 0.5, 0.95, 0.999):
            assert t_quantile(share, freedom) == pytest.approx(stats.t.ppf(share, freedom), abs=1e-9)


def test_the_jackknife_of_a_mean_is_the_textbook_error() -> None:
    first, second = [1.0, 0.0, 0.5, 1.0], [0.0, 0.0, 1.0, 0.5]
    ones = [1.0] * 4
    pairs = PairedTerms(np.array([first, ones]).T, np.array([second, ones]).T)
    gaps = np.array(first) - np.array(second)
    assert jackknife_error(METRIC, pairs) == pytest.approx(float(np.std(gaps, ddof=1)) / 2)


def test_a_clear_fall_is_beyond_and_a_small_one_is_within() -> None:
    fallen = drop_test(METRIC, rows([0.0] * 20 + [1.0] * 80), rows([1.0] * 100), allowed=0.02, level=0.05)
    assert fallen is not None
    assert fallen.difference == pytest.approx(-0.2)
    assert (fallen.beyond < 0.001, fallen.within > 0.99) == (True, True)
    same = drop_test(METRIC, rows([1.0, 0.0] * 200), rows([1.0, 0.0] * 200), allowed=0.02, level=0.05)
    assert same is not None
    assert same.within == pytest.approx(0.98**400, rel=1e-6)
    assert same.beyond > 0.5


def test_few_clusters_without_a_loss_prove_nothing_and_three_flips_no_fall() -> None:
    test = drop_test(METRIC, rows([1.0] * 20), rows([1.0] * 20), allowed=0.02, level=0.05)
    assert test is not None
    assert test.within == pytest.approx(0.98**20)
    assert test.low == pytest.approx(0.05 ** (1 / 20) - 1)
    test = drop_test(METRIC, rows([0.0] * 3 + [1.0] * 297), rows([1.0] * 300), allowed=0.0, level=0.05)
    assert test is not None
    assert test.beyond == pytest.approx(0.125, abs=0.02)


def test_one_sided_swaps_are_counted_exactly_and_nothing_shared_is_no_test() -> None:
    ones = np.ones(3)
    pairs = PairedTerms(np.array([[0.0] * 3, ones]).T, np.array([ones, ones]).T)
    assert permutation_p_value(METRIC, pairs, side="lower") == 1 / 8
    assert permutation_p_value(METRIC, pairs) == 2 / 8
    assert drop_test(METRIC, rows([1.0]), rows([1.0]), allowed=0.0, level=0.05) is None
    undefined = PairedTerms(np.zeros((5, 2)), np.zeros((5, 2)))
    assert pairs_drop_test(METRIC, undefined, allowed=0.0, level=0.05) is None


def test_equal_pairs_raise_an_alarm_at_the_nominal_rate() -> None:
    generator = np.random.default_rng(5)
    alarms = 0
    for number in range(300):
        sides = generator.random((2, 80)) < 0.6
        first, second = (rows([float(value) for value in side]) for side in sides)
        test = drop_test(METRIC, first, second, allowed=0.0, level=0.05, seed=number, permutations=199)
        alarms += test is not None and test.beyond < 0.05
    assert 4 <= alarms <= 26


def test_bounds_stay_within_shares_and_are_wider_only_where_no_cluster_changed() -> None:
    test = drop_test(METRIC, rows([1.0, 0.0]), rows([0.0, 1.0]), allowed=0.02, level=0.05)
    assert test is not None
    assert (test.low, test.high) == (-1.0, 1.0)
    test = drop_test(METRIC, rows([1.0, 0.0] * 6), rows([1.0, 0.0] * 6), allowed=0.02, level=0.05)
    assert test is not None
    assert test.low == pytest.approx(-test.high)
    assert test.high == pytest.approx(1 - 0.05 ** (1 / 12)), "so many gains could have stayed unseen"
    first, second = [1.0] * 12, [1.0] * 11 + [0.0]
    gained = drop_test(METRIC, rows(first), rows(second), allowed=0.02, level=0.05)
    lost = drop_test(METRIC, rows(second), rows(first), allowed=0.02, level=0.05)
    assert gained is not None and lost is not None
    assert (gained.low, gained.high) == pytest.approx((-lost.high, -lost.low))
    assert gained.difference - gained.low > gained.high - gained.difference


@pytest.mark.parametrize("values", [[0.5], [0.5, 0.5], [0.3] * 3, [0.0, 0.0], [1.0, 1.0, 1.0], [0.4, 0.6]])
def test_two_or_three_samples_never_look_certain(values: list[float]) -> None:
    found = estimate((METRIC,), rows(values))["right"]
    assert found.value is not None and found.low is not None and found.high is not None
    assert found.high - found.low > 0.6
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_exact_bounds_are_those_of_clopper_and_pearson() -> None:
    assert exact_bounds(0.0, 3) == (0.0, pytest.approx(0.7076, abs=1e-4))
    assert exact_bounds(1.0, 3) == (pytest.approx(0.2924, abs=1e-4), 1.0)
    assert exact_bounds(0.5, 0) == (0.0, 1.0)
    assert exact_bounds(7.0, 3) == (7.0, 7.0)
    low, high = exact_bounds(0.5, 1000)
    assert high - low == pytest.approx(0.00368, abs=1e-5)


def test_few_pairs_prove_neither_equality_nor_difference() -> None:
    few = paired_test(METRIC, rows([1.0, 0.0, 1.0]), rows([1.0, 0.0, 1.0]))
    assert (few.difference.low, few.difference.high) == (
        -few.difference.high,
        pytest.approx(0.7076, abs=1e-4),
    )  # type: ignore[operator]
    assert exact_difference(-1.0, 2) == (-1.0, pytest.approx(0.6838, abs=1e-4))
    test = paired_test(METRIC, rows([0.0, 0.0]), rows([1.0, 0.5]))
    assert test.difference.value == -0.75
    assert test.difference.low == -1.0
    assert test.difference.high is not None
    assert test.difference.high > 0


def test_sets_are_resampled_apart_and_the_point_lies_in_its_interval() -> None:
    found = independent_difference(METRIC, rows([1, 1, 0, 1] * 10, "a"), rows([0, 1, 0, 0] * 10, "b"))
    assert found.value == pytest.approx(0.5)
    assert found.low is not None and found.high is not None
    assert found.low < 0.5 < found.high
    assert found.low > 0, "forty a side are enough to tell 0.75 from 0.25"
    same = [1.0, 0.0] * 20
    found = independent_difference(METRIC, rows(same, "a"), rows(same, "b"))
    assert found.value == 0
    assert found.low is not None and found.low < -0.1, "equal sets of other samples still differ by chance"
    assert independent_difference(METRIC, rows([1.0], "a"), []).value is None


def test_a_budget_follows_sizes_or_size_times_spread() -> None:
    sizes = {"a": 60, "b": 30, "c": 10}
    assert allocate_samples(sizes, 20) == {"a": 12, "b": 6, "c": 2}
    assert allocate_samples(sizes, 20, {"a": 0.0, "b": 1.0, "c": 0.0}) == {"a": 2, "b": 16, "c": 2}
    assert allocate_samples({"a": 3, "b": 50}, 40, {"a": 9.0, "b": 1.0}) == {"a": 3, "b": 37}
    assert allocate_samples({"a": 1, "b": 3}, 4) == {"a": 1, "b": 3}
    assert floor_spreads({"a": 0.0, "b": 0.4}, {"a": 10, "b": 10, "c": 5}) == {"a": 0.05, "b": 0.4, "c": 0.2}


def test_weights_within_a_stratum_sum_to_its_size() -> None:
    weights = stratified_weights(["a", "a", "a", "b"], 50, 3)
    assert np.allclose(weights[:, :3].sum(axis=1), 3.0)
    assert np.all(weights[:, 3] == 1.0)


def test_an_estimate_weights_strata_back_to_the_whole() -> None:
    rows = [Row(Score(f"a{n}", values={"right": 1.0}), f"a{n}", {}, "a", 1.0) for n in range(4)]
    rows += [Row(Score(f"b{n}", values={"right": n % 2}), f"b{n}", {}, "b", 9.0) for n in range(4)]
    found = estimate([METRIC], rows)["right"]
    assert found.value == pytest.approx((4 * 1.0 + 36 * 0.5) / 40)
    assert found.low is not None
    assert found.high is not None
    assert 0.1 <= found.low < found.value < found.high <= 1.0


def test_an_unscored_cluster_is_stood_for_by_the_others_of_its_stratum() -> None:
    def graded(name: str, stratum: str, unscored: str | None = None) -> Graded:
        score = Score(name, values={} if unscored else {"right": 1.0}, unscored=unscored)
        return Graded(Sample(name, {}, None, stratum=stratum, weight=2.0), Transcript(name), score)

    rows = rows_of([graded("x", "a"), graded("y", "a", "timeout"), graded("z", "b")])
    assert [(row.cluster, row.weight) for row in rows] == [("x", 4.0), ("z", 2.0)]


def test_stratified_intervals_cover_the_whole() -> None:
    generator = np.random.default_rng(2)
    whole = {"a": generator.random(80) < 0.9, "b": generator.random(40) < 0.2}
    truth = float(np.concatenate(list(whole.values())).mean())
    covered = 0
    for _ in range(200):
        rows = []
        for name, values in whole.items():
            taken = generator.choice(len(values), 15, replace=False)
            rows += [
                Row(Score(f"{name}{n}", values={"right": float(values[n])}), f"{name}{n}", {}, name, len(values) / 15)
                for n in taken
            ]  # fmt: skip
        found = estimate([METRIC], rows, resamples=200)["right"]
        covered += found.low is not None and found.high is not None and found.low <= truth <= found.high
    assert covered >= 180


def test_a_clear_difference_stops_early_and_equal_runs_are_alike_or_unclear() -> None:
    better = find_stop([0.6, 0.4, 0.5, 0.3] * 50)
    assert better is not None
    assert (better.verdict, better.of) == ("first", 200)
    assert better.look.count < 60
    assert better.saved_share == 1 - better.look.count / 200
    worse = find_stop([-0.6, -0.4, -0.5, -0.3] * 50)
    assert worse is not None
    assert (worse.verdict, worse.look.count) == ("second", better.look.count)
    assert find_stop([]) is None
    alike = find_stop([0.0] * 400, margin=0.1)
    assert alike is not None
    assert alike.verdict == "alike"
    unclear = find_stop([0.3, -0.3] * 40)
    assert unclear is not None
    assert (unclear.verdict, unclear.look.count) == ("unclear", 80)


def test_intervals_hold_at_all_looks_together() -> None:
    generator = np.random.default_rng(8)
    missed = 0
    for _ in range(60):
        differences = generator.choice([-1.0, 0.0, 1.0], size=250, p=[0.1, 0.7, 0.2])
        missed += any(not look.low <= 0.1 <= look.high for look in confidence_sequence(list(differences)))
    assert missed <= 8
