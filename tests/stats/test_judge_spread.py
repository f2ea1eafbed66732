"""The spread of a judge over its trials, and whether it favours its own model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolyard.stats.judge_spread import self_preferences, share_at_least, spread_table, spreads


def test_the_spread_is_mean_sample_deviation_lowest_and_highest() -> None:
    (found,) = spreads([{"quality": 0.2}, {"quality": 0.4}, {"quality": 0.6}])
    assert (found.trials, found.low, found.high) == (3, 0.2, 0.6)
    assert found.mean == pytest.approx(0.4)
    assert found.deviation == pytest.approx(0.2)


def test_trials_without_the_figure_are_left_out_and_one_trial_has_no_deviation() -> None:
    found = spreads([{"quality": None, "never": None}, {"quality": 0.5}])
    assert [(item.figure, item.trials, item.mean, item.deviation) for item in found] == [
        ("quality", 1, 0.5, None)
    ]
    assert spread_table(found).rows == (("quality", 1, 0.5, None, 0.5, 0.5),)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_a_mean_lies_between_lowest_and_highest(values: list[float]) -> None:
    (found,) = spreads([{"x": value} for value in values])
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


def test_a_judge_that_is_generous_to_everybody_favours_nobody() -> None:
    ratings = {
        ("ann", "ann"): {"x": 0.8}, ("bob", "ann"): {"x": 0.5},
        ("ann", "bob"): {"x": 0.6}, ("bob", "bob"): {"x": 0.3},
    }  # fmt: skip
    (ann,) = self_preferences(ratings, {"ann": "ann"})
    assert ann.difference == pytest.approx(0.3)
    assert ann.favour == pytest.approx(0.0)


def test_a_judge_that_stands_alone_cannot_be_held_against_anybody() -> None:
    assert self_preferences({("ann", "ann"): {"x": 0.8}}, {"ann": "ann"}) == ()
    (alone,) = self_preferences({("ann", "ann"): {"x": 0.8}, ("bob", "ann"): {"x": 0.5}}, {"ann": "ann"})
    assert alone.favour is None


def test_ties_count_for_the_other_model_and_only_shared_samples_count() -> None:
    assert share_at_least({"1": 0.5, "2": 0.5, "3": 0.5}, {"1": 0.5, "2": 0.4, "9": 1.0}) == 0.5
    assert share_at_least({"1": 0.5}, {"2": 0.5}) is None
