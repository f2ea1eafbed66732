"""Parameter values compared by meaning."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases
from toolyard.benchmarks.mtu.scoring.value_equality import arguments_equal, exactly_equal, reference_day
from toolyard.text.meaning import canonical, values_equal

TODAY = date(2024, 1, 4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(("first", "second"), cases(__file__, "these_mean_the_same"))
def test_these_mean_the_same(first: Any, second: Any) -> None:
    assert values_equal(first, second, TODAY)
    assert values_equal(second, first, TODAY)


@pytest.mark.parametrize(("first", "second"), cases(__file__, "these_differ"))
def test_these_differ(first: Any, second: Any) -> None:
    assert not values_equal(first, second, TODAY)


def test_relative_days_need_a_day_to_start_from() -> None:
    assert not values_equal("tomorrow", "2024-01-05")


def test_names_of_parameters_are_exact() -> None:
    assert arguments_equal({"city": "OSLO"}, {"city": "Oslo"})
    assert not arguments_equal({"City": "Oslo"}, {"city": "Oslo"})
    assert not arguments_equal({"city": "Oslo", "more": 1}, {"city": "Oslo"})


def test_exact_equality_knows_types() -> None:
    assert exactly_equal({"a": [1, "x"]}, {"a": [1, "x"]})
    assert not exactly_equal(7, "7")
    assert not exactly_equal(1, True)
    assert not exactly_equal("a", "A")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("7. Today is Monday, January 4, 2024.", TODAY),
        ("8. Today is January 4th, 2024. ", TODAY),
        ("Today is Thursday, 2024-05-16.", date(2024, 5, 16)),
        ("Today is a nice day.", None),
        ("Today is February 31, 2024.", None),
    ],
)
def test_the_prompt_names_its_day(text: str, day: date | None) -> None:
    assert reference_day(text) == day


@given(JSON)
def test_every_value_equals_itself_and_has_a_canonical_form(value: Any) -> None:
    assert canonical(value, TODAY) == canonical(value, TODAY)
    assert values_equal(value, value, TODAY)


ODD = {
    "huge integer": 10**5000,
    "many digits": "9" * 5000,
    "long text": "1" * 30_000,
    "infinity": float("inf"),
    "lone surrogate": "\ud800",
    "many number words": "one " * 4000,
}


@pytest.mark.parametrize("name", ODD)
def test_odd_values_are_compared_and_do_not_raise(name: str) -> None:
    assert values_equal(ODD[name], ODD[name])
    assert not values_equal(ODD[name], "another")


@pytest.mark.parametrize(("number", "text"), [(0.2, "0.2"), (1e-7, "0.0000001"), (12.50, "12.5"), (3.0, "3")])
def test_a_float_equals_its_usual_spelling(number: float, text: str) -> None:
    assert values_equal(number, text)
    assert values_equal(text, number)
