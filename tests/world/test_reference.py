"""The reference tables: packed, looked up, listed with their licences; and rows derived where no table has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolyard.world import World
from toolyard.world.derived import RECORD, derived, well_formed
from toolyard.world.reference.packed import Packed, packed
from toolyard.world.reference.sources import licence_table, sources

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src" / "toolyard" / "world" / "data" / "reference"
KINDS = sorted(path.name.removesuffix(".tsv.xz") for path in FOLDER.glob("*.tsv.xz"))


def test_a_packed_table_finds_by_key_and_by_prefix() -> None:
    rows = Packed(b"key\tname\nberlin\tBerlin, DE\nberlin\tBerlin, NH\nbern\tBern\nbonn\tBonn\n")
    assert rows.columns == ("key", "name")
    assert len(rows) == 4
    assert rows[2] == ["bern", "Bern"]
    assert rows.under("berlin") == [["berlin", "Berlin, DE"], ["berlin", "Berlin, NH"]]
    assert rows.under("ber") == []
    assert [row[1] for row in rows.starting("ber", 2)] == ["Berlin, DE", "Berlin, NH"]
    assert rows.starting("c", 5) == []
    assert [row[0] for row in rows] == ["berlin", "berlin", "bern", "bonn"]


def test_the_tables_are_small_and_every_row_has_all_its_columns() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.tsv.xz")) <= 12_000_000
    for kind in KINDS:
        table = packed(kind)
        assert (FOLDER / f"{kind}.tsv.xz").stat().st_size < 2_500_000, kind
        assert {len(row) for row in table} == {len(table.columns)}, kind
        packed.cache_clear()


def test_every_table_and_package_has_a_source_with_its_licence() -> None:
    assert all(row["code_licence"] and row["data_licence"] and row["content"] for row in sources())
    assert {row["use"] for row in sources()} <= {"table", "run time"}
    listed = {part for row in sources() if row["use"] == "table" for part in row["kind"].split(", ")}
    assert set(KINDS) == listed
    pinned = {line.strip().lower() for line in (ROOT / "constraints.txt").read_text().splitlines()}
    for row in sources():
        if row["use"] == "run time":
            assert f"{row['package']}=={row['version']}".lower() in pinned, row["package"]


def test_the_page_of_tools_shows_the_table_of_sources() -> None:
    page = (ROOT / "docs" / "tools.md").read_text("utf-8")
    assert f"<!-- sources -->\n{licence_table()}\n<!-- end of sources -->" in page


def test_a_derived_row_depends_on_seed_kind_and_name_alone_and_is_noted() -> None:
    def draw(seed: int, kind: str, name: str) -> int:
        return derived(seed, kind, name, lambda chance: chance.randrange(10**9))

    world = World.fresh(3)
    token = RECORD.set(world.simulated)
    try:
        assert draw(3, "hotel", "Hôtel Zita") == draw(3, "hotel", " hotel zita ")
        assert draw(3, "hotel", "Zita") != draw(4, "hotel", "Zita")
        assert draw(3, "hotel", "Zita") != draw(3, "company", "Zita")
    finally:
        RECORD.reset(token)
    assert world.simulated == {("hotel", "hotel zita"), ("hotel", "zita"), ("company", "zita")}
    assert world.copy().simulated == world.simulated


@pytest.mark.parametrize(
    "name", ["Harbour & Sons Ltd", "KLM", "3M", "Müller GmbH", "東京堂", "Hotel 21", "Nvidia"]
)
def test_names_that_may_exist(name: str) -> None:
    assert well_formed(name)


@pytest.mark.parametrize("name", ["Xqzzburg", "asdfghjkl", "12345", "", "!!!", "zzzz", "qwrtp", "x" * 90])
def test_names_that_can_hardly_exist(name: str) -> None:
    assert not well_formed(name)
