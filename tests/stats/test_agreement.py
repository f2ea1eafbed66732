"""Agreement between people and judges: kappas, preferences, and the spread of a judge."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolyard.core.metrics import Row, mean
from toolyard.core.types import Score
from toolyard.stats.agreement import cohen_kappa, fleiss_kappa, majority_label, raw_agreement, wilson_share
from toolyard.stats.judge_spread import self_preferences, share_at_least, spread_table, spreads_of_figures
from toolyard.stats.preference import figure_preference, metric_differences, pearson_or_none, same_side

TABLES = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from("abc"), min_size=raters, max_size=raters), min_size=1, max_size=30
    )
)


def test_kappas_of_worked_tables() -> None:
    both_true, both_false, split = [("T", "T")] * 90, [("F", "F")] * 6, [("T", "F")] * 4
    assert raw_agreement([*both_true, *both_false, *split]) == 0.96
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa(["a", "a"], ["a", "a"]) is None
    assert fleiss_kappa([["a", "a", "a"]]) is None
    assert fleiss_kappa([]) is None


@settings(deadline=None)
@given(TABLES)
def test_fleiss_equals_statsmodels(ratings: list[list[str]]) -> None:
    from statsmodels.stats.inter_rater import aggregate_raters
    from statsmodels.stats.inter_rater import fleiss_kappa as theirs

    ours = fleiss_kappa(ratings)
    if ours is None:
        assert len({label for labels in ratings for label in labels}) == 1
    else:
        assert ours == pytest.approx(float(theirs(aggregate_raters(ratings)[0])), abs=1e-12)


@settings(deadline=None)
@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_interval_equals_statsmodels(counts: tuple[int, int]) -> None:
    from statsmodels.stats.proportion import proportion_confint

    found = wilson_share(*counts)
    low, high = proportion_confint(*counts, method="wilson")
    assert found.low is not None and found.high is not None
    assert math.isclose(found.low, low, abs_tol=1e-12) and math.isclose(found.high, high, abs_tol=1e-12)


def test_a_perfect_share_reaches_exactly_one() -> None:
    assert wilson_share(500, 500).high == 1.0
    assert wilson_share(0, 500).low == 0.0
    assert wilson_share(0, 0).value is None


@pytest.mark.parametrize(
    ("labels", "winner"),
    [(["a", "a", "b"], "a"), (["a", "b", "tie"], "tie"), (["a", "b"], "tie"), (["b"], "b"), ([], "tie")],
)
def test_majority_needs_more_than_half_and_a_split_is_a_tie(labels: list[str], winner: str) -> None:
    assert majority_label(labels, "tie") == winner


DIFFERENCES = {"a": 0.9, "b": 0.0, "c": -0.8, "d": 0.4}
LABELS = {
    "ann": {"a": 1, "b": 0, "c": -1, "d": 1},
    "ben": {"a": 1, "b": 0, "c": -1, "d": 0},
    "cia": {"a": 1, "b": 1, "c": -1, "x": 1},
}


def row(cluster: str, value: float | None) -> Row:
    return Row(Score(cluster, values={"figure": value}), cluster)


def test_correlations_and_sides_of_series_worked_by_hand() -> None:
    assert pearson_or_none([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert pearson_or_none([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert pearson_or_none([0.5, 0.5], [1, -1]) is None
    assert same_side([0.5, 0.0, -0.1, 0.2], [1, 0, 1, 1]) == 0.75
    assert same_side([0.05], [0], tie=0.1) == 1.0
    assert same_side([], []) is None
    with pytest.raises(ValueError, match="pairs"):
        same_side([1.0], [])
    with pytest.raises(ValueError, match="ann gave a the label 2"):
        figure_preference("tool_number", {"a": 0.5}, {"ann": {"a": 2}})


def test_differences_are_taken_per_cluster_that_both_runs_have() -> None:
    first = [row("a", 1.0), row("a", 0.0), row("b", 1.0), row("c", None)]
    second = [row("a", 0.0), row("b", 0.25), row("c", 1.0), row("d", 1.0)]
    assert metric_differences(mean("figure"), first, second) == {"a": 0.5, "b": 0.75}


def test_the_metric_is_held_against_the_mean_label_of_the_people_who_gave_one() -> None:
    found = figure_preference("soft_average_turn_success", DIFFERENCES, LABELS)
    assert (found.items, found.annotators) == (4, 3)
    # 0.9, 0, -0.8, 0.4 against the mean labels 1, 1/3, -1, 1/2
    assert found.metric_human == pytest.approx(0.976060345)
    assert found.same_side == 0.75
    turned = {item: -value for item, value in DIFFERENCES.items()}
    found = figure_preference("tool_order", turned, LABELS)
    assert found.metric_human == pytest.approx(-0.976060345)
    assert found.same_side == 0.0


def test_people_are_compared_pair_by_pair_on_the_items_they_share() -> None:
    found = figure_preference("tool_number", DIFFERENCES, LABELS)
    # ann-ben 0.852803 on four items, ann-cia and ben-cia 0.866025 on three
    assert found.human_human == pytest.approx((0.852802865 + 2 * 0.866025404) / 3)
    assert found.human_same_side == pytest.approx((3 / 4 + 2 / 3 + 2 / 3) / 3)
    # three items that all decided, two unanimous: 7/9 observed; labels given 4, 2 and 3 times: 29/81 by chance
    assert found.fleiss == pytest.approx((7 / 9 - 29 / 81) / (1 - 29 / 81))
    found = figure_preference("tool_order", DIFFERENCES, {"ann": LABELS["ann"]})
    assert (found.human_human, found.cohen, found.fleiss) == (None, None, None)
    assert found.metric_human is not None


def test_the_spread_is_mean_sample_deviation_lowest_and_highest() -> None:
    (found,) = spreads_of_figures([{"quality": 0.2}, {"quality": 0.4}, {"quality": 0.6}])
    assert (found.trials, found.low, found.high) == (3, 0.2, 0.6)
    assert found.mean == pytest.approx(0.4)
    assert found.deviation == pytest.approx(0.2)
    found = spreads_of_figures([{"quality": None, "never": None}, {"quality": 0.5}])
    assert [(one.figure, one.trials, one.mean, one.deviation) for one in found] == [("quality", 1, 0.5, None)]
    assert spread_table(found).rows == (("quality", 1, 0.5, None, 0.5, 0.5),)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_a_mean_lies_between_lowest_and_highest(values: list[float]) -> None:
    (found,) = spreads_of_figures([{"x": value} for value in values])
    assert found.low - 1e-12 <= found.mean <= found.high + 1e-12


RATINGS = {
    ("ann", "ann"): {"quality": 0.9},
    ("bob", "ann"): {"quality": 0.6},
    ("cy", "ann"): {"quality": 0.4},
    ("ann", "bob"): {"quality": 0.5},
    ("bob", "bob"): {"quality": 0.7},
    ("cy", "bob"): {"quality": 0.3},
}


def test_a_judge_is_held_against_the_others_on_its_own_model_and_elsewhere() -> None:
    ann, bob = self_preferences(RATINGS, {"ann": "ann", "bob": "bob"})
    assert (ann.judge, ann.own, ann.others) == ("ann", 0.9, 0.5)
    assert ann.difference == pytest.approx(0.4)
    assert ann.elsewhere == pytest.approx(0.0)
    assert ann.favour == pytest.approx(0.4)
    assert bob.difference == pytest.approx(0.3)
    assert bob.elsewhere == pytest.approx(-0.05)
    assert bob.favour == pytest.approx(0.35)
    ratings = {
        ("ann", "ann"): {"x": 0.8}, ("bob", "ann"): {"x": 0.5},
        ("ann", "bob"): {"x": 0.6}, ("bob", "bob"): {"x": 0.3},
    }  # fmt: skip
    (ann,) = self_preferences(ratings, {"ann": "ann"})
    assert ann.difference == pytest.approx(0.3)
    assert ann.favour == pytest.approx(0.0)
    assert self_preferences({("ann", "ann"): {"x": 0.8}}, {"ann": "ann"}) == ()
    (alone,) = self_preferences({("ann", "ann"): {"x": 0.8}, ("bob", "ann"): {"x": 0.5}}, {"ann": "ann"})
    assert alone.favour is None


def test_ties_count_for_the_other_model_and_only_shared_samples_count() -> None:
    assert share_at_least({"1": 0.5, "2": 0.5, "3": 0.5}, {"1": 0.5, "2": 0.4, "9": 1.0}) == 0.5
    assert share_at_least({"1": 0.5}, {"2": 0.5}) is None
