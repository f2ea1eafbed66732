"""Completion by prefix answers as the scan of all rows does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolyard.world.index.prefixes import Completions
from toolyard.world.kernel.tables import complete

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
