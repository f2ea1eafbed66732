"""Matching of items, words and things that are the same."""

import os
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.optimize import linear_sum_assignment

from cases import each_case
from toolyard.text.counted_nouns import ONES, SMALL_NUMBERS, TENS
from toolyard.text.json_values import leaves
from toolyard.text.matching import (
    bigrams,
    cheapest_assignment,
    edit_ratio,
    greedy_matching,
    maximum_weight_matching,
    multiset_intersection,
    rouge_l_summary,
)
from toolyard.text.names import name_in_words, name_words
from toolyard.text.ordinals import MONTH_NUMBERS, MONTHS, WEEKDAYS, ordinal_day
from toolyard.text.synonyms import same_thing
from toolyard.text.word_overlap import overlap_scores

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


def test_greedy_matching_takes_the_heaviest_free_item_that_is_not_forbidden() -> None:
    table = [[1.0, 1.0], [5.0, 0.0]]
    assert greedy_matching(2, 2, lambda row, column, _: table[row][column]) == {0: 0, 1: 1}
    assert greedy_matching(2, 1, lambda row, column, _: None if row == 0 else 0.0) == {1: 0}


@given(weights)
def test_no_assignment_weighs_more_than_the_maximum(table: list[list[int]]) -> None:
    rows, columns = len(table), len(table[0])
    matched = maximum_weight_matching(table)
    assert len(matched) == min(rows, columns)
    assert len(set(matched.values())) == len(matched)
    wide = np.array(table) if rows <= columns else np.array(table).T
    orders = permutations(range(max(rows, columns)), min(rows, columns))
    best = max(sum(wide[row, column] for row, column in enumerate(order)) for order in orders)
    assert sum(table[row][column] for row, column in matched.items()) == best


@pytest.mark.parametrize(
    ("candidate", "reference", "ratio"), [("find", "find", 0.0), ("finds", "find", 0.25), ("x", "", 1.0)]
)
def test_edit_distance_is_relative_to_reference(candidate: str, reference: str, ratio: float) -> None:
    assert edit_ratio(candidate, reference) == ratio


@each_case("gold, predicted, score")
def test_rouge_l_is_that_of_the_released_package(gold: str, predicted: str, score: float | None) -> None:
    assert rouge_l_summary(predicted, gold) == score


def test_texts_too_long_for_the_released_package_are_incomparable() -> None:
    text = " ".join(f"word{number}" for number in range(1100))
    assert rouge_l_summary(text, text) is None


@given(st.text("ab. ", max_size=30), st.text("ab. ", max_size=30))
def test_rouge_l_is_a_fraction(gold: str, predicted: str) -> None:
    score = rouge_l_summary(predicted, gold)
    assert score is None or 0 <= score < 1


SHAPES = st.tuples(st.integers(1, 7), st.integers(1, 7))
TIES = st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, 3.0])


def theirs(costs: np.ndarray) -> dict[int, int]:
    return dict(zip(*(part.tolist() for part in linear_sum_assignment(costs)), strict=True))


@settings(max_examples=400)
@given(arrays.arrays(np.float64, SHAPES, elements=TIES))
def test_equal_costs_are_chosen_as_in_scipy(costs: np.ndarray) -> None:
    assert cheapest_assignment(costs) == theirs(costs)


@settings(max_examples=200)
@given(arrays.arrays(np.float64, SHAPES, elements=st.floats(-1, 1)))
def test_any_costs_are_assigned_as_in_scipy(costs: np.ndarray) -> None:
    assert cheapest_assignment(costs) == theirs(costs)


def test_large_tables_are_assigned_as_in_scipy() -> None:
    generator = np.random.default_rng(3)
    for shape in ((60, 60), (40, 90), (90, 40)):
        for costs in (generator.random(shape), generator.integers(0, 4, shape) / 3):
            assert cheapest_assignment(costs) == theirs(costs)


def test_the_heaviest_matching_takes_as_many_pairs_as_fit() -> None:
    assert maximum_weight_matching([[1.0, 2.0], [1.0, 3.0], [0.0, 0.0]]) == {0: 0, 1: 1}
    assert maximum_weight_matching([]) == {}


# Words of one, two, ... seven documents: shares whose sum depends on the order in which they are added.
WORDS = ["anchor", "basket", "candle", "dragon", "engine", "falcon", "garden"]
DOCUMENTS = [" ".join(WORDS[count:]) for count in range(len(WORDS))]
SHOW = f"from toolyard.text.word_overlap import overlap_scores; print(overlap_scores({' '.join(WORDS)!r}, {DOCUMENTS!r}))"


def test_a_common_word_counts_less_whatever_the_order_of_a_set() -> None:
    assert overlap_scores("find the red bus", ["find a bus", "find a train"]) == [1.5, 0.5]
    said = set()
    for seed in range(4):
        places = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": str(seed)}
        line = [sys.executable, "-c", SHOW]
        said.add(subprocess.run(line, env=places, capture_output=True, text=True, check=True).stdout)
    assert said == {f"{overlap_scores(' '.join(WORDS), DOCUMENTS)}\n"}


def test_airport_codes_stand_for_their_own_cities_alone() -> None:
    assert same_thing("PDX", "Portland", "origin_airport")
    assert same_thing("Los Angeles", "LAX", "destination")
    assert same_thing("Portland (PDX)", "Portland", "origin_airport")
    assert same_thing("Salt Lake City", "SLC", "to")
    assert same_thing("LHR", "London", "from")
    assert not same_thing("SFO", "Los Angeles", "destination_airport")
    assert not same_thing("Seattle (PDX)", "Portland", "origin_airport")
    assert not same_thing("San", "San Diego", "city")
    assert not same_thing("JFK or LAX", "Los Angeles", "destination_airport")
    assert not same_thing("JFK", "LGA", "origin_airport")


def test_people_and_country_are_one_where_food_is_meant() -> None:
    assert same_thing("Afghanistan", "Afghan", "food Type of food or cuisine offered.")
    assert same_thing("Thai food", "Thai", "cuisine")
    assert not same_thing("Afghanistan", "Afghan", "language")
    assert not same_thing("Pakistan", "Afghan", "food")
    assert not same_thing("food", "cuisine", "food")


def test_everyday_doubles_are_one_and_neighbours_are_not() -> None:
    assert same_thing("Music", "concert", "event_type")
    assert same_thing("autumn", "fall", "season")
    assert same_thing("inexpensive", "cheap", "price_range")
    assert not same_thing("moderate", "cheap", "price_range")
    assert not same_thing("theater", "concert", "event_type")
    assert not same_thing("dermatologist", "ophthalmologist", "type")


def test_months_have_their_numbers_by_name_and_short_form() -> None:
    assert [MONTH_NUMBERS[month] for month in MONTHS] == list(range(1, 13))
    assert {MONTH_NUMBERS[text] for text in ("sep", "sept", "september")} == {9}
    assert len(MONTH_NUMBERS) == 24  # "may" is its own short form, september has two
    assert WEEKDAYS[0] == "monday"


@pytest.mark.parametrize(
    ("day", "said"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"),
     (22, "22nd"), (23, "23rd"), (30, "30th"), (31, "31st")],
)  # fmt: skip
def test_a_day_of_the_month_is_said_with_its_ending(day: int, said: str) -> None:
    assert ordinal_day(day) == said


def test_number_words_give_numbers() -> None:
    assert SMALL_NUMBERS["zero"] == 0
    assert SMALL_NUMBERS["nineteen"] == 19
    assert TENS["ninety"] == 90
    assert len(ONES) == 10


def test_a_name_is_cut_into_words() -> None:
    assert name_words("searchOneway_flight") == ["search", "oneway", "flight"]
    assert name_words("HTTPServer2") == ["http", "server", "2"]
    assert name_in_words("airportCode") == name_in_words("airport_code") == "airport code"
    assert name_in_words("ip_url") == "IP URL"


def test_leaves_come_in_order_and_of_a_deep_value_without_recursion() -> None:
    assert list(leaves({"a": [1, {"b": None}], "c": ("x", []), "d": {}})) == [1, None, "x"]
    assert list(leaves("alone")) == ["alone"]
    value: object = 7
    for _ in range(50_000):
        value = [value]
    assert list(leaves(value)) == [7]
