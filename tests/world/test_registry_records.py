"""Documents, categories and content of tools follow the conventions."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict, Unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases, each_case
from toolyard.world import World, call
from toolyard.world.index import Index
from toolyard.world.index.prefixes import Completions
from toolyard.world.kernel import seeds, tables
from toolyard.world.kernel.categories import Category, are_related_categories, category
from toolyard.world.kernel.checks.lint import lint_tool
from toolyard.world.kernel.document import tool_document
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.registry import SCENARIOS, Tool, any_tool, library, same_named_tools
from toolyard.world.kernel.schema import schema_from_hint, schema_leaves
from toolyard.world.kernel.tables import complete, find, kilometres, sort_rows
from toolyard.world.kernel.types import CityName, Named, Page, Range, Unit
from toolyard.world.kernel.views import View
from toolyard.world.reference.companies import companies
from toolyard.world.reference.places.geography import cities, city_or_none, countries, main_airports


class Row(TypedDict):
    city: CityName
    replies: "NotRequired[list[Row]]"


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


def test_documents_come_from_signatures_and_docstrings() -> None:
    parameters = tool_document(search).parameters
    assert [p.name for p in parameters] == ["query", "from", "to_", "tags", "minCalories", "class"]
    assert [p.keyword for p in parameters] == ["query", "from_", "to", "tags", "minCalories", "class_"]
    document = tool_document(search)
    schema = document.schema()
    assert schema["required"] == ["query"]
    assert schema["properties"]["from"]["default"] == 0
    for name, wanted in cases(__file__, "documents_come_from_signatures_and_docstrings"):
        assert schema["properties"][name] == wanted
    assert schema["properties"]["class"]["enum"] == ["a", "b"]
    assert schema["properties"]["query"]["description"] == "What to look for, over two lines."
    assert tool_document(search).parameters[2].schema["type"] == "integer"
    assert document.description == "Rows that match. A second line of description."
    assert document.takes_world
    items = tool_document(search).result["properties"]["items"]["items"]
    assert items["properties"]["city"]["x-semantic"] == "city"
    assert items["required"] == ["city"]
    assert items["properties"]["replies"]["items"] == {"type": "object"}


def test_lint_names_what_is_missing() -> None:
    found = lint_tool(Tool("Food/Tasty/search", search, ({"query": 5},)))
    assert "the docstring describes colour, which is no parameter" in found
    assert any("query: wanted a string" in problem for problem in found)
    assert "at least one example call is needed" in lint_tool(Tool("Food/Tasty/search", search, ()))


CATEGORIES = sorted({tool.category for tool in library().values()})


@each_case("tool, content")
def test_the_nearest_entry_counts(tool: str, content: str) -> None:
    assert any_tool(tool).content == content
    assert any_tool(tool).to_json()["content"] == content
    assert "content" not in any_tool(tool).row()


@pytest.mark.parametrize("name", CATEGORIES)
def test_every_exception_names_a_tool_once(name: str) -> None:
    record = category(name)
    named = [
        f"{group}/{tool}".rstrip("/")
        for parts in (record.computed, record.reference, record.simulated)
        for part in parts
        for group, _, tools in [part.partition("/")]
        for tool in tools.split() or [""]
    ]
    assert len(named) == len(set(named))
    for each in named:
        assert any(f"{tool}/".startswith(f"{name}/{each}/") for tool in library()), each


def test_a_tool_goes_before_its_subcategory() -> None:
    record = Category(content="computed", reference=("A",), simulated=("A/b c",))
    assert [record.content_of(*tool) for tool in (("A", "c"), ("A", "d"), ("B", "c"))] == [
        "simulated", "reference", "computed",
    ]  # fmt: skip


# Words that once said of single tools what is now declared once for all of them.
HEDGE = re.compile(r"\b(on record|simulated|invented|made[ -]up)\b", re.IGNORECASE)
# Its data are for tests.
# The second: rows of version 4 hold its words.
HEDGED = ["Faker/fake_data/fake_data_custom", "Weather/weatherapi/history"]


def test_documents_do_not_say_that_they_are_simulated() -> None:
    hedged = [
        tool.id
        for tool in library().values()
        for texts in [
            [tool.document.description, *(each.schema["description"] for each in tool.document.parameters)]
        ]
        if any(map(HEDGE.search, texts))
    ]
    assert hedged == HEDGED


def test_every_category_has_a_record_of_its_own() -> None:
    names = [name for categories in SCENARIOS.values() for name in categories]
    assert len(names) == 41
    assert not [name for name in names if category(name) == Category()]


@each_case("one, other, expected")
def test_categories_of_one_kind_are_related(one: str, other: str, expected: bool) -> None:
    assert are_related_categories(one, other) is are_related_categories(other, one) is expected


@each_case("tool, name, value")
def test_a_tool_is_about_things_and_fields_of_work_of_its_category(tool: str, name: str, value: Any) -> None:
    assert getattr(library()[tool], name) == value


def test_a_credential_is_one_by_its_whole_name_and_tool() -> None:
    assert library()["NLP/NLP/linguistic_analysis"].is_credential("key")
    assert not library()["Advice/Bored/get_activity_by_key"].is_credential("key")
    assert not library()["NLP/NLP/linguistic_analysis"].is_credential("keyword")


@dataclass(frozen=True)
class Race:
    name: str
    circuit: dict[str, str]
    ms: int


RACES = [Race(f"Race {n}", {"city": f"City {n}"}, 83_456 + n) for n in range(5)]
VIEW: View[dict[str, Any]] = View(
    {"race": "name", "city": "circuit.city", "seconds": lambda race: race.ms / 1000}
)


def test_a_row_has_paths_and_functions_of_its_record_and_a_page_counts_all() -> None:
    assert VIEW.row(RACES[0]) == {"race": "Race 0", "city": "City 0", "seconds": 83.456}
    page = VIEW.page(RACES, 3, 10)
    assert (page["total"], page["offset"]) == (5, 3)
    assert [row["race"] for row in page["items"]] == ["Race 3", "Race 4"]


ROWS = [
    {"name": name}
    for name in ("New York", "York", "Łódź", "Newark", "São Paulo", "Old Newport", "new new", "Yor")
]


def test_whole_names_come_first_and_words_after_them_in_the_order_of_the_table() -> None:
    found = Completions(ROWS, "name").starting("new")
    assert [row["name"] for row in found] == ["New York", "Newark", "new new", "Old Newport"]
    assert Completions(ROWS, "name").starting("lod") == [{"name": "Łódź"}]
    assert Completions(ROWS, "name").starting("zz") == []


@given(st.text("neywork sãłp", max_size=5), st.integers(1, 9))
def test_the_same_as_reading_every_row(prefix: str, limit: int) -> None:
    assert Completions(ROWS, "name").starting(prefix, limit) == complete(ROWS, prefix, "name", limit)


def test_a_key_that_no_row_has_and_a_wrong_order_are_refused_with_the_right_ones() -> None:
    rows = [{"id": 1, "name": "Red Apple"}, {"id": 2, "name": "Pear"}]
    with pytest.raises(ToolFault, match="no fruit 9; known ones are 1, 2"):
        find(rows, 9, what="fruit")
    with pytest.raises(ToolFault, match="sort by one of name"):
        sort_rows(rows, "colour", ("name",))
    index = Index(rows, ("name",))
    assert index.search("the") == []
    assert index.search("apples pears", where=lambda row: row["id"] == 2) == rows[1:]


def test_seeds_are_stable_over_time() -> None:
    assert seeds.number("a", 1) == 9331952569449725121
    assert seeds.pick(("x", "y", "z"), "a", 1) == "x"


def test_shared_tables_are_rich_and_their_companies_stand_in_known_cities() -> None:
    assert (len(countries()), len(cities()), len(main_airports()), len(companies())) >= (60, 250, 120, 80)
    assert not [row["city"] for row in companies() if city_or_none(row["city"]) is None]
    assert len({row["id"] for row in cities()}) == len(cities())


def test_distance_from_london_to_paris() -> None:
    assert kilometres(51.5074, -0.1278, 48.8566, 2.3522) == pytest.approx(343.6, abs=1)


def test_generic_pages_keep_the_meaning_of_their_items() -> None:
    assert list(schema_leaves(schema_from_hint(Page[CityName]))) == [("items[]", "city")]


GROUPS = sorted({tool_id.rsplit("/", 1)[0] for tool_id in library()})


def leaves_admission(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves_admission(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from leaves_admission(item, name)
    else:
        yield name, repr(value)


def is_subset(tool: Tool, other: Tool) -> bool:
    for example in tool.examples:
        own = call(World.fresh(), tool.id, example)
        its = call(World.fresh(), other.id, example)
        if its.error or not set(leaves_admission(own.value)) <= set(leaves_admission(its.value)):
            return False
    return True


@pytest.mark.parametrize("group", GROUPS)
def test_no_tool_is_a_duplicate_or_subset_within_its_subcategory(group: str) -> None:
    tools = [tool for tool in library().values() if tool.id.startswith(f"{group}/")]
    found = [
        (tool.id, other.id)
        for tool in tools
        for other in tools
        if tool is not other
        and not {f"{tool.id}_2", f"{other.id}_2"} & set(same_named_tools())
        and is_subset(tool, other)
    ]
    assert found == []


def test_rows_that_share_their_keys_are_equal_and_smaller() -> None:
    row = {"name": "Bern", "country": "CH", "people": 134_000}
    shared = tables.share_keys(row)
    assert (type(shared), list(shared.items())) == (dict, list(row.items()))
    assert sys.getsizeof(shared) < sys.getsizeof(row)
    assert {**shared, "more": 1} == {**row, "more": 1} and shared == row
