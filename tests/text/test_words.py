"""Months, number words, names and the leaves of values."""

from __future__ import annotations

import pytest

from toolyard.text.dates import MONTH_NUMBERS, MONTHS, WEEKDAYS, ordinal
from toolyard.text.names import name_words, spoken
from toolyard.text.numbers import ONES, SMALL_NUMBERS, TENS
from toolyard.text.values import leaves


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
    assert ordinal(day) == said


def test_number_words_give_numbers() -> None:
    assert SMALL_NUMBERS["zero"] == 0
    assert SMALL_NUMBERS["nineteen"] == 19
    assert TENS["ninety"] == 90
    assert len(ONES) == 10


def test_a_name_is_cut_into_words() -> None:
    assert name_words("searchOneway_flight") == ["search", "oneway", "flight"]
    assert name_words("HTTPServer2") == ["http", "server", "2"]
    assert spoken("airportCode") == spoken("airport_code") == "airport code"
    assert spoken("ip_url") == "IP URL"


def test_leaves_come_in_order_without_keys() -> None:
    assert list(leaves({"a": [1, {"b": None}], "c": ("x", []), "d": {}})) == [1, None, "x"]
    assert list(leaves("alone")) == ["alone"]


def test_leaves_of_a_deep_value_need_no_recursion() -> None:
    value: object = 7
    for _ in range(50_000):
        value = [value]
    assert list(leaves(value)) == [7]
