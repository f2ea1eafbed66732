"""Multisets, assignments, subsequences, edit distance and ROUGE-L."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolyard.text.matching import (
    bigrams,
    edit_ratio,
    greedy_matching,
    maximum_weight_matching,
    multiset_intersection,
    rouge_l_summary,
)

weights = st.integers(1, 4).flatmap(
    lambda columns: st.lists(
        st.lists(st.integers(0, 9), min_size=columns, max_size=columns), min_size=1, max_size=4
    )
)


def test_items_in_common_count_as_often_as_both_have_them() -> None:
    assert multiset_intersection(["a", "a", "b"], ["a", "b", "b"]) == 2
    assert multiset_intersection([], ["a"]) == 0


def test_one_item_has_no_bigram() -> None:
    assert bigrams(["a"]) == []
    assert bigrams(["a", "b", "a"]) == [("a", "b"), ("b", "a")]


def test_greedy_matching_takes_the_heaviest_free_item_in_turn_and_the_first_on_ties() -> None:
    table = [[1.0, 1.0], [5.0, 0.0]]
    assert greedy_matching(2, 2, lambda row, column, _: table[row][column]) == {0: 0, 1: 1}


def test_greedy_matching_leaves_out_what_is_forbidden() -> None:
    assert greedy_matching(2, 1, lambda row, column, _: None if row == 0 else 0.0) == {1: 0}


def test_maximum_weight_matching_beats_the_greedy_one() -> None:
    assert maximum_weight_matching([[3, 2], [3, 0]]) == {0: 1, 1: 0}


@given(weights)
def test_no_assignment_weighs_more_than_the_maximum(table: list[list[int]]) -> None:
    rows, columns = len(table), len(table[0])
    matched = maximum_weight_matching(table)
    assert len(matched) == min(rows, columns)
    assert len(set(matched.values())) == len(matched)
    best = 0
    if rows <= columns:
        best = max(
            sum(table[r][c] for r, c in enumerate(order)) for order in permutations(range(columns), rows)
        )
    else:
        best = max(
            sum(table[r][c] for c, r in enumerate(order)) for order in permutations(range(rows), columns)
        )
    assert sum(table[row][column] for row, column in matched.items()) == best


@pytest.mark.parametrize(
    ("candidate", "reference", "ratio"), [("find", "find", 0.0), ("finds", "find", 0.25), ("x", "", 1.0)]
)
def test_edit_distance_is_divided_by_the_length_of_the_reference(
    candidate: str, reference: str, ratio: float
) -> None:
    assert edit_ratio(candidate, reference) == ratio


@pytest.mark.parametrize(
    ("gold", "predicted", "score"),
    [
        ("a b c", "a b c", 0.999999995),
        ("the cat the dog", "the dog", 0.7999999952000001),
        ("3.5 mm", "3.5 cm", 0.6666666616666668),
        ("a b", "c d", 0.0),
        ("a", "", None),
        ("...", "a", None),
    ],
)
def test_rouge_l_is_that_of_the_released_package(gold: str, predicted: str, score: float | None) -> None:
    assert rouge_l_summary(predicted, gold) == score


def test_texts_too_long_for_the_released_package_are_incomparable() -> None:
    text = " ".join(f"word{number}" for number in range(1100))
    assert rouge_l_summary(text, text) is None


@given(st.text("ab. ", max_size=30), st.text("ab. ", max_size=30))
def test_rouge_l_is_a_fraction(gold: str, predicted: str) -> None:
    score = rouge_l_summary(predicted, gold)
    assert score is None or 0 <= score < 1
