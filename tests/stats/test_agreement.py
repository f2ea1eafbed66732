"""Kappas, shares and majorities."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolyard.stats.agreement import cohen_kappa, fleiss_kappa, majority, raw_agreement, share

TABLES = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from("abc"), min_size=raters, max_size=raters), min_size=1, max_size=30
    )
)


def test_raw_agreement_is_what_both_call_true_plus_what_both_call_false() -> None:
    both_true, both_false, split = [("T", "T")] * 90, [("F", "F")] * 6, [("T", "F")] * 4
    assert raw_agreement([*both_true, *both_false, *split]) == 0.96


def test_cohen_of_a_worked_table() -> None:
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_kappa_is_undefined_when_everybody_always_says_the_same() -> None:
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

    found = share(*counts)
    low, high = proportion_confint(*counts, method="wilson")
    assert found.low is not None and found.high is not None
    assert math.isclose(found.low, low, abs_tol=1e-12) and math.isclose(found.high, high, abs_tol=1e-12)


def test_a_perfect_share_reaches_exactly_one() -> None:
    assert share(500, 500).high == 1.0
    assert share(0, 500).low == 0.0
    assert share(0, 0).value is None


@pytest.mark.parametrize(
    ("labels", "winner"),
    [(["a", "a", "b"], "a"), (["a", "b", "tie"], "tie"), (["a", "b"], "tie"), (["b"], "b"), ([], "tie")],
)
def test_majority_needs_more_than_half_and_a_split_is_a_tie(labels: list[str], winner: str) -> None:
    assert majority(labels, "tie") == winner
