"""The generic handlers, search and price series that most tools consist of."""

from __future__ import annotations

import pytest

from toolyard.world.index import Index
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.schema import leaves, schema_of
from toolyard.world.kernel.tables import complete, filter_rows, find, kilometres, page, sort_rows
from toolyard.world.kernel.types import CityName, Page
from toolyard.world.reference.companies import companies
from toolyard.world.reference.places.geography import (
    airports,
    cities,
    city_or_none,
    countries,
    currencies,
)

ROWS = [
    {"id": 1, "name": "Red Apple", "tags": ["fruit", "red"], "price": 3},
    {"id": 2, "name": "Pear", "tags": ["fruit"], "price": 5},
    {"id": 3, "name": "Red Pepper", "tags": ["red"], "price": None},
]


def test_rows_are_found_by_key_whatever_the_case() -> None:
    assert find(ROWS, "pear", "name")["id"] == 2
    assert find(ROWS, "2")["name"] == "Pear"
    with pytest.raises(ToolFault, match="no fruit 9; known ones are 1 to 3"):
        find(ROWS, 9, what="fruit")


def test_filters_skip_none_and_look_into_lists() -> None:
    assert [row["id"] for row in filter_rows(ROWS, tags="RED", name=None)] == [1, 3]


def test_sorting_puts_unknown_values_last_and_refuses_other_fields() -> None:
    assert [row["id"] for row in sort_rows(ROWS, "-name", ("name",))] == [3, 1, 2]
    assert [row["id"] for row in sort_rows(ROWS, "price", ("price",))] == [1, 2, 3]
    with pytest.raises(ToolFault, match="sort by one of name"):
        sort_rows(ROWS, "colour", ("name",))


def test_pages_know_the_total() -> None:
    assert page(ROWS, 1, 1) == {"total": 3, "offset": 1, "items": [ROWS[1]]}
    assert page(ROWS, 5, 9)["items"] == []


def test_completion_prefers_the_beginning_of_the_name() -> None:
    assert [row["id"] for row in complete(ROWS, "pe")] == [2, 3]


def test_search_ranks_rows_with_rarer_words_first() -> None:
    index = Index(ROWS, ("name", "tags"))
    assert [row["id"] for row in index.search("a red apple")] == [1, 3]
    assert index.search("the") == []
    assert [row["id"] for row in index.search("fruits", where=lambda row: row["id"] == 2)] == [2]


def test_seeds_are_stable_over_time() -> None:
    assert seeds.number("a", 1) == 9331952569449725121
    assert seeds.pick(("x", "y", "z"), "a", 1) == "x"


def test_shared_tables_are_rich_and_consistent() -> None:
    assert (len(countries()), len(cities()), len(airports()), len(companies())) >= (60, 250, 120, 80)
    codes = {row["code"] for row in currencies()}
    assert {row["currency"] for row in countries()} <= codes
    capitals = [f"{row['capital']}, {row['code']}" for row in countries() if row["capital"]]
    assert [name for name in capitals if city_or_none(name) is None] == ["Diego Garcia, IO"]
    assert not [row["city"] for row in companies() if city_or_none(row["city"]) is None]
    assert len({row["id"] for row in cities()}) == len(cities())


def test_distance_from_london_to_paris() -> None:
    assert kilometres(51.5074, -0.1278, 48.8566, 2.3522) == pytest.approx(343.6, abs=1)


def test_generic_pages_keep_the_meaning_of_their_items() -> None:
    assert list(leaves(schema_of(Page[CityName]))) == [("items[]", "city")]
