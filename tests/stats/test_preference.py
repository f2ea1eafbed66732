"""Metrics against people's preferences, on made-up labels (MTU-Bench, Table 6)."""

from __future__ import annotations

import pytest

from toolyard.core.metrics import Row, mean
from toolyard.core.types import Score
from toolyard.stats.preference import correlation, metric_differences, preference, same_side

DIFFERENCES = {"a": 0.9, "b": 0.0, "c": -0.8, "d": 0.4}
LABELS = {
    "ann": {"a": 1, "b": 0, "c": -1, "d": 1},
    "ben": {"a": 1, "b": 0, "c": -1, "d": 0},
    "cia": {"a": 1, "b": 1, "c": -1, "x": 1},
}


def row(cluster: str, value: float | None) -> Row:
    return Row(Score(cluster, values={"figure": value}), cluster)


def test_correlation_of_series_worked_by_hand() -> None:
    assert correlation([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert correlation([0.5, 0.5], [1, -1]) is None


def test_ties_are_a_side_of_their_own() -> None:
    assert same_side([0.5, 0.0, -0.1, 0.2], [1, 0, 1, 1]) == 0.75
    assert same_side([0.05], [0], tie=0.1) == 1.0
    assert same_side([], []) is None


def test_preferences_need_pairs() -> None:
    with pytest.raises(ValueError, match="pairs"):
        same_side([1.0], [])


def test_differences_are_taken_per_cluster_that_both_runs_have() -> None:
    first = [row("a", 1.0), row("a", 0.0), row("b", 1.0), row("c", None)]
    second = [row("a", 0.0), row("b", 0.25), row("c", 1.0), row("d", 1.0)]
    assert metric_differences(mean("figure"), first, second) == {"a": 0.5, "b": 0.75}


def test_the_metric_is_held_against_the_mean_label_of_the_people_who_gave_one() -> None:
    found = preference("soft_average_turn_success", DIFFERENCES, LABELS)
    assert (found.items, found.annotators) == (4, 3)
    # 0.9, 0, -0.8, 0.4 against the mean labels 1, 1/3, -1, 1/2
    assert found.metric_human == pytest.approx(0.976060345)
    assert found.same_side == 0.75


def test_people_are_compared_pair_by_pair_on_the_items_they_share() -> None:
    found = preference("tool_number", DIFFERENCES, LABELS)
    # ann-ben 0.852803 on four items, ann-cia and ben-cia 0.866025 on three
    assert found.human_human == pytest.approx((0.852802865 + 2 * 0.866025404) / 3)
    assert found.human_same_side == pytest.approx((3 / 4 + 2 / 3 + 2 / 3) / 3)
    # three items that all decided, two unanimous: 7/9 observed; labels given 4, 2 and 3 times: 29/81 by chance
    assert found.fleiss == pytest.approx((7 / 9 - 29 / 81) / (1 - 29 / 81))


def test_a_metric_against_people_who_prefer_the_other_run_correlates_negatively() -> None:
    turned = {item: -value for item, value in DIFFERENCES.items()}
    found = preference("tool_order", turned, LABELS)
    assert found.metric_human == pytest.approx(-0.976060345)
    assert found.same_side == 0.0


def test_one_annotator_has_nobody_to_agree_with() -> None:
    found = preference("tool_order", DIFFERENCES, {"ann": LABELS["ann"]})
    assert (found.human_human, found.cohen, found.fleiss) == (None, None, None)
    assert found.metric_human is not None


def test_labels_other_than_win_tie_loss_are_refused() -> None:
    with pytest.raises(ValueError, match="ann gave a the label 2"):
        preference("tool_number", {"a": 0.5}, {"ann": {"a": 2}})
