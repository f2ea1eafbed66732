"""Documents are what signature and docstring say: names, types, defaults, units and meanings."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict, Unpack

from toolyard.world import World
from toolyard.world.kernel.checks.lint import problems
from toolyard.world.kernel.document import document_of
from toolyard.world.kernel.registry import Tool, library
from toolyard.world.kernel.types import CityName, Named, Page, Range, Unit


class Row(TypedDict):
    city: CityName
    replies: NotRequired[list[Row]]


class Filters(TypedDict, total=False):
    """Filters.

    minCalories: Least energy.
    class_: never read, the documented name is class
    class: Which class.
    """

    minCalories: Annotated[int, Unit("kcal"), Range(0, 9000)]
    class_: Literal["a", "b"]


def search(
    world: World,
    *,
    query: str,
    from_: int = 0,
    to: Annotated[int | None, Named("to_")] = None,
    tags: tuple[str, ...] = ("x",),
    **filters: Unpack[Filters],
) -> Page[Row]:
    """Rows that match.

    A second line of description.

    query: What to look for,
        over two lines.
    from: First row.
    to_: Last row.
    tags: Tags.
    colour: Not a parameter.
    """
    raise NotImplementedError


def test_names_come_from_keywords_less_an_underscore_or_from_an_annotation() -> None:
    parameters = document_of(search).parameters
    assert [p.name for p in parameters] == ["query", "from", "to_", "tags", "minCalories", "class"]
    assert [p.keyword for p in parameters] == ["query", "from_", "to", "tags", "minCalories", "class_"]


def test_schema_has_types_defaults_units_bounds_and_enums() -> None:
    document = document_of(search)
    schema = document.schema()
    assert schema["required"] == ["query"]
    assert schema["properties"]["from"]["default"] == 0
    assert schema["properties"]["tags"] == {
        "type": "array",
        "items": {"type": "string", "x-semantic": "text"},
        "description": "Tags.",
        "default": ["x"],
    }
    assert schema["properties"]["minCalories"] == {
        "type": "integer",
        "x-semantic": "number",
        "x-unit": "kcal",
        "minimum": 0,
        "maximum": 9000,
        "description": "Least energy.",
    }
    assert schema["properties"]["class"]["enum"] == ["a", "b"]
    assert schema["properties"]["query"]["description"] == "What to look for, over two lines."


def test_optional_parameters_may_be_left_out_but_not_be_null() -> None:
    assert document_of(search).parameters[2].schema["type"] == "integer"


def test_description_is_all_before_the_first_parameter() -> None:
    document = document_of(search)
    assert document.description == "Rows that match. A second line of description."
    assert document.takes_world


def test_records_may_hold_themselves() -> None:
    items = document_of(search).result["properties"]["items"]["items"]
    assert items["properties"]["city"]["x-semantic"] == "city"
    assert items["required"] == ["city"]
    assert items["properties"]["replies"]["items"] == {"type": "object"}


def test_lint_names_what_is_missing() -> None:
    found = problems(Tool("Food/Tasty/search", search, ({"query": 5},)))
    assert "the docstring describes colour, which is no parameter" in found
    assert any("query: wanted a string" in problem for problem in found)
    assert "at least one example call is needed" in problems(Tool("Food/Tasty/search", search, ()))


def test_credentials_are_told_from_words_that_look_like_them() -> None:
    assert library()["NLP/NLP/linguistic_analysis"].is_credential("key")
    assert not library()["Advice/Bored/get_activity_by_key"].is_credential("key")
    assert not library()["NLP/NLP/linguistic_analysis"].is_credential("keyword")
