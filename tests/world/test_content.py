"""Every tool says whether what it returns is computed, looked up or simulated."""

from __future__ import annotations

import pytest

from toolyard.world import library
from toolyard.world.categories import Category, category
from toolyard.world.registry import any_tool

CATEGORIES = sorted({tool.category for tool in library().values()})


@pytest.mark.parametrize(
    ("tool", "content"),
    [
        ("Calculator/Calculator/calculator", "computed"),
        ("Stock/Stock/add_date", "computed"),
        ("Finance/Currency_Converter/currency_converter", "reference"),
        ("Location/Geodatabase/get_place_details", "reference"),
        ("Location/Ticket/event_search", "simulated"),
        ("Job/the_muse/search_jobs", "simulated"),
    ],
)
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
