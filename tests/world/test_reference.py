"""The reference tables: packed, looked up, listed with their licences; and rows derived where no table has one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from toolyard.world import World, call
from toolyard.world.kernel.derived import RECORD, derived
from toolyard.world.kernel.tables import read_table
from toolyard.world.reference.climates import by_the_sea, climate_of
from toolyard.world.reference.packed import Packed, packed
from toolyard.world.reference.places.gazetteer import city_at, number_of
from toolyard.world.reference.places.geography import city_or_none, find_city, nearest_city
from toolyard.world.reference.sky import sky
from toolyard.world.reference.sources import licence_table, sources

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src" / "toolyard" / "world" / "data" / "reference"
KINDS = sorted(path.name.split(".")[0] for path in FOLDER.glob("*.tsv.*"))


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
    assert sum(path.stat().st_size for path in FOLDER.glob("*.tsv.*")) <= 12_000_000
    assert len(KINDS) == len(set(KINDS))
    for kind in KINDS:
        table = packed(kind)
        assert next(FOLDER.glob(f"{kind}.tsv.*")).stat().st_size < 2_500_000, kind
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


def test_every_data_file_names_where_its_rows_come_from() -> None:
    """A package and its version, `simulated`, or `written`: put together by hand for the world."""
    named = {row["file"]: row["source"].split("; ") for row in read_table("table_sources.tsv")}
    files = {path.relative_to(FOLDER.parent).as_posix() for path in FOLDER.parent.rglob("*.tsv*")}
    assert set(named) == files - {"sources.tsv", "table_sources.tsv"}
    packages = {f"{row['package']} {row['version']}" for row in sources()}
    assert {source for group in named.values() for source in group} <= packages | {"simulated", "written"}


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
    ("text", "name", "country", "region"),
    [
        ("Springfield, IL", "Springfield", "US", "IL"),
        ("Portland Maine", "Portland", "US", "ME"),
        ("München", "Munich", "DE", "BY"),
        ("東京", "Tokyo", "JP", "13"),
        ("Lodz", "Łódź", "PL", None),
        ("St. Petersburg, Florida", "St. Petersburg", "US", "FL"),
        ("Chamonix", "Chamonix-Mont-Blanc", "FR", "ARA"),
        ("Hallstatt", "Hallstatt", "AT", "4"),
        ("BJ-OU-porto-novo", "Porto-Novo", "BJ", "OU"),
    ],
)
def test_towns_are_found_as_people_write_them(text: str, name: str, country: str, region: str | None) -> None:
    city = find_city(text)
    assert (city["name"], city["country_code"]) == (name, country)
    assert region in (None, city["region_code"])
    assert city_at(number_of(city["id"])) == city


@pytest.mark.parametrize(
    "text", ["Xqzzburg", "Paris, Zembla", "Nowhereville-upon-Nothing", "", "Edinburgrad"]
)
def test_towns_that_do_not_exist_are_refused(text: str) -> None:
    assert city_or_none(text) is None


def test_a_point_belongs_to_the_large_city_around_it() -> None:
    found = [nearest_city(*at)["name"] for at in ((48.8584, 2.2945), (41.8781, -87.6298), (42.05, -87.69))]
    assert found == ["Paris", "Chicago", "Evanston"]


def test_climates_follow_latitude_height_and_sea() -> None:
    july = {name: climate_of(city["latitude"], city["longitude"]) for name in ("Dubai", "Sydney", "Yakutsk")
            for city in [find_city(name)]}  # fmt: skip
    means = {name: here.mean_c + here.swing_c * here.warmth(196) for name, here in july.items()}
    assert means["Dubai"] > 30 > means["Yakutsk"] > 15 > means["Sydney"] > 5
    assert by_the_sea(38.72, -9.14) and not by_the_sea(39.74, -104.98)


def test_sun_and_moon_are_those_of_the_almanac() -> None:
    london = sky(51.5074, -0.1278, "Europe/London", date(2026, 6, 21))
    assert (london.sunrise, london.sunset) == ("04:43", "21:21")
    assert sky(78.22, 15.65, "Arctic/Longyearbyen", date(2024, 6, 21)).sunrise is None


def test_inland_places_have_no_tides() -> None:
    refused = call(World.fresh(0), "Weather/weatherapi/marine", {"q": "Denver", "tide": True})
    assert refused.error == "out_of_range"
    assert call(World.fresh(0), "Weather/weatherapi/marine", {"q": "Lisbon", "tide": True}).error is None


@pytest.mark.parametrize(
    ("place", "city"),
    [("90210", "Beverly Hills"), ("10001-1234", "New York"), ("SW1A 1AA", "London"), ("EH1 1YZ", "Edinburgh"),
     ("M5V 3L9", "Toronto"), ("G1R 4P5", "Quebec City"), ("CDG", "Paris"), ("CMB", "Colombo")],
)  # fmt: skip
def test_a_place_is_said_by_post_code_or_airport_code(place: str, city: str) -> None:
    observation = call(World.fresh(0), "Weather/weatherapi/time_zone", {"q": place})
    assert observation.value["city"] == city


@pytest.mark.parametrize(
    ("name", "code"), [("El Prat", "BCN"), ("Vaclav Havel", "PRG"), ("O'Hare", "ORD"), ("Luton", "LTN")]
)
def test_airports_are_found_by_the_names_people_use(name: str, code: str) -> None:
    search = "Travel/Flight_JSON_Data/search_airport"
    assert call(World.fresh(0), search, {"query": name}).value["code"] == code


@pytest.mark.parametrize("name", ["Tübingen", "Condor Flugdienst", "Universidad de Salamanca"])
def test_towns_airlines_and_universities_are_in_the_encyclopaedia_and_have_an_entity(name: str) -> None:
    page = call(World.fresh(0), "Search/CostumizeSearch/wiki_search", {"entity": name}).value
    assert page["title"] == name
    number = call(World.fresh(0), "get_entity_id", {"input": name}).value[0]["entity_id"]
    assert call(World.fresh(0), "find_entity", {"input": number}).value["label"] == name


def test_berlin_has_its_wikidata_number() -> None:
    assert call(World.fresh(0), "find_entity", {"input": "Q64"}).value["label"] == "Berlin"
