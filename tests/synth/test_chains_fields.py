"""Projected fields and values by meaning."""

import re
from pathlib import Path

import pytest

from toolyard.core.declared_world import VERSION
from toolyard.lines import read_lines
from toolyard.synth.chains.example_values import RETURNED, other_values, values_of_meaning
from toolyard.synth.chains.projection import (
    MOST_FIELDS,
    field,
    fields,
    project,
    returned_fields,
    telling_fields,
    value_at_path,
)
from toolyard.text.names import name_in_words
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World

PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    "str": str,
    "int": int,
    "float": (int, float),
    "bool": bool,
    "list": list,
    "dict": dict,
}


def test_every_tool_has_a_few_fields_with_names_of_their_own() -> None:
    for tool in library():
        known = fields(tool)
        assert 1 <= len(known) <= MOST_FIELDS
        assert len({item.name for item in known}) == len(known)
        assert all(item.description.strip() and item.type in PYTHON_TYPES for item in known)


def test_results_of_examples_fill_most_fields_with_values_of_the_stated_type() -> None:
    poor = []
    for tool in list(library().values())[::4]:
        for example in tool.examples:
            found = project(tool.id, call(World.fresh(0), tool.id, example).value)
            if 2 * len(found) < len(fields(tool.id)):
                poor.append(tool.id)
            for item in fields(tool.id):
                assert item.name not in found or isinstance(found[item.name], PYTHON_TYPES[item.type])
    assert len(poor) <= 3, poor


@pytest.mark.parametrize(
    ("path", "expected"),
    [("items[0].city", "Rome"), ("items[0].no", None), ("total", 2), ("total[0]", None), ("", {"total": 2})],
)
def test_a_path_takes_the_first_entry_of_a_list(path: str, expected: object) -> None:
    value = {"total": 2, "items": [{"city": "Rome"}, {"city": "Oslo"}]} if path else {"total": 2}
    assert value_at_path(value, path) == expected


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("airportCode", "airport code"),
        ("airport_code", "airport code"),
        ("f1_driver_id", "F1 driver id"),
        ("IPAddress", "IP address"),
    ],
)
def test_names_are_spoken_as_words(name: str, words: str) -> None:
    assert name_in_words(name) == words


def test_fields_come_with_names_meanings_and_descriptions_of_their_own() -> None:
    for tool in library():
        meanings = {meaning for item in fields(tool) for meaning in item.meanings}
        assert ("latitude" in meanings) == ("longitude" in meanings), tool
    for tool in library():
        for item in fields(tool):
            known = {*re.findall(r"[a-z]+", name_in_words(item.name).lower()), *FILLERS}
            assert set(re.findall(r"[a-z]+", item.description.lower())) - known, (tool, item)
    names = [item.name for item in fields("Food/spoonacular_products/autocomplete_product_search")]
    assert names == ["grocery_product_id", "product"]
    assert field("Advice/Advice_slip/advice_by_id", "nothing") is None


FILLERS = frozenset(
    {"the", "a", "an", "of", "that", "it", "its", "as", "by", "in", "is", "are", "which", "to", "and", "or"}
    | {"for", "part", "first", "entry", "one", "listed"}
)


def test_everything_returned_has_a_name_of_its_own_and_begins_with_the_usual_fields() -> None:
    for tool in list(library())[::7]:
        names = [item.name for item in returned_fields(tool)]
        assert len(set(names)) == len(names), tool
        assert {item.name for item in fields(tool)} <= set(names)
        assert {item.name for item in telling_fields(tool)} == set(names)


def test_what_a_tool_is_asked_for_comes_before_where_it_is() -> None:
    first = [item.name for item in telling_fields("Finance/USStockRealTime/get_stock_quote_endpoint")][:4]
    assert "price" in first


def test_values_of_a_meaning_are_distinct_and_can_be_said() -> None:
    cities = values_of_meaning("city")
    assert len(cities) == len({*cities}) > 5
    assert all(any(sign.isalnum() for sign in str(code)) for code in values_of_meaning("city_code"))
    assert "Berlin" not in other_values(("city",), "Berlin")


def test_stored_example_values_are_those_that_tools_return_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where this fails, `python recipes/example_values.py` writes them anew."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "recipes"))
    from example_values import executed_values

    head, *stored = read_lines(RETURNED)
    assert head == {"world": VERSION}
    assert {line["meaning"]: line["values"] for line in stored} == executed_values()
