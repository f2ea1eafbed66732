"""How single values are compared under each profile."""

import pytest

from cases import cases
from toolyard.benchmarks.nestools.scoring.official import plain_date, similarity_or_zero
from toolyard.benchmarks.nestools.scoring.value_equality import are_equal, normal_form, same_but_for_type
from toolyard.core.nesting import ReturnValue

PLACES = {"API_call_0": ReturnValue(0, 0), "API_call_1": ReturnValue(0, 1)}


def agree(gold: object, predicted: object) -> bool:
    first, second = normal_form(gold, PLACES.get), normal_form(predicted, PLACES.get)
    return are_equal(first, second, lambda left, right: left == right)


@pytest.mark.parametrize(("gold", "predicted"), cases(__file__, "differences_that_do_not_count"))
def test_differences_that_do_not_count(gold: object, predicted: object) -> None:
    assert agree(gold, predicted)


@pytest.mark.parametrize(("gold", "predicted"), cases(__file__, "differences_that_count"))
def test_differences_that_count(gold: object, predicted: object) -> None:
    assert not agree(gold, predicted)


@pytest.mark.parametrize(
    ("gold", "predicted", "alike"), cases(__file__, "values_written_alike_differ_in_type_only")
)
def test_values_written_alike_differ_in_type_only(gold: object, predicted: object, alike: bool) -> None:
    assert same_but_for_type(gold, predicted) is alike


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("October 8th, 2023", "2023-10-08"),
        ("May 3, 2024", "2024-05-03"),
        ("May 3th, 2024", "May 3th, 2024"),
        ("meet on May 1st, 2023", "meet on May 1, 2023"),
        ("Oct 8, 2023", "Oct 8, 2023"),
        ("2023-10-08T10:00", "2023-10-08T10:00"),
        ("May " + "1" * 5000 + "st, 2023", "May " + "1" * 5000 + "st, 2023"),
    ],
)
def test_the_release_recognises_few_dates(text: str, plain: str) -> None:
    assert plain_date(text) == plain


@pytest.mark.parametrize(
    ("gold", "predicted", "score"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, 1.0),
        ({"a": 1, "b": 2}, {"b": 3, "a": 1}, 0.0),
        ({"a": 1}, {1: 1}, 0.0),
        ([1, 2], [1, "2"], 0.5),
        ([1], (1,), 0.0),
    ],
)
def test_the_release_compares_parts_by_place(gold: object, predicted: object, score: float) -> None:
    assert similarity_or_zero(gold, predicted) == score
