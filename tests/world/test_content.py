"""Every tool says whether what it returns is computed, looked up or simulated."""

from __future__ import annotations

import re

import pytest

from toolyard.world import library
from toolyard.world.kernel.categories import Category, category
from toolyard.world.kernel.registry import any_tool

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


# Words that once said of single tools what is now declared once for all of them.
HEDGE = re.compile(r"\b(on record|simulated|invented|made[ -]up)\b", re.IGNORECASE)
# What is left; it may only become less.
HEDGED_TOOLS = 114


def test_documents_do_not_say_that_they_are_simulated() -> None:
    hedged = [
        tool.id
        for tool in library().values()
        for texts in [
            [tool.document.description, *(each.schema["description"] for each in tool.document.parameters)]
        ]
        if any(map(HEDGE.search, texts))
    ]
    assert len(hedged) <= HEDGED_TOOLS, hedged
