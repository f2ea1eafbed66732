"""Reference tables: found by key, small, sourced, and in agreement with each other."""

import lzma
import re
import runpy
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from cases import each_case
from toolyard.world import World, call
from toolyard.world.kernel.derived_rows import RECORD, derive_row
from toolyard.world.kernel.tables import kilometres, plain, read_table
from toolyard.world.reference.climates import climate_at, is_near_sea
from toolyard.world.reference.companies import companies
from toolyard.world.reference.encyclopaedia.entries import by_name
from toolyard.world.reference.packed_tables import Packed, packed_table
from toolyard.world.reference.places.atlas import main_airports
from toolyard.world.reference.places.gazetteer import city_by_number, city_number
from toolyard.world.reference.places.geography import (
    cities,
    city_or_none,
    countries,
    currencies,
    find_city,
    find_country,
    nearest_city,
)
from toolyard.world.reference.sun_and_moon import sky_of_day

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src" / "toolyard" / "world" / "data" / "reference"
LICENCES = runpy.run_path(str(ROOT / "recipes" / "world_tables" / "licences.py"))
sources, licence_table = LICENCES["sources"], LICENCES["licence_table"]
KINDS = sorted(path.name.split(".")[0] for path in FOLDER.glob("*.tsv.*"))


PACKING = runpy.run_path(str(ROOT / "recipes" / "world_tables" / "packing.py"))
# Some keys stand in many rows, so that their rows lie in two blocks.
LARGE = sorted((f"k{number // 40 * 7 % 500:03d}", f"é{number} " + "x" * 50) for number in range(6000))


@pytest.mark.parametrize("packing", [bytes, lzma.compress, PACKING["members"]], ids=["text", "xz", "gzip"])
def test_a_table_of_many_blocks_answers_as_reading_every_row_does(packing: Callable[[bytes], bytes]) -> None:
    rows = Packed(packing(PACKING["content"](("key", "name"), LARGE, keyed=True)))
    assert rows.columns == ("key", "name") and [tuple(row) for row in rows] == LARGE
    assert rows.text.decode().split("\n")[:-1] == [plain("\t".join(row)) for row in LARGE]
    assert [rows[number] for number in range(len(rows))] == [list(row) for row in LARGE]
    for key in ("a", "k", "k000", "k0005", "k001", "k250", "k495", "k499", "z"):
        assert rows.place(key) == sum(row[0] < key for row in LARGE)
        assert rows.with_key(key) == [list(row) for row in LARGE if row[0] == key]
        assert rows.starting(key, 99) == [list(row) for row in LARGE if row[0].startswith(key)][:99]
        assert rows.last_up_to(key) == next((list(row) for row in reversed(LARGE) if row[0] <= key), None)


def test_the_tables_are_small_and_every_row_has_all_its_columns() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.tsv.*")) <= 12_000_000
    assert len(KINDS) == len(set(KINDS))
    for kind in KINDS:
        table = packed_table(kind)
        assert next(FOLDER.glob(f"{kind}.tsv.*")).stat().st_size < 2_500_000, kind
        assert {len(row) for row in table} == {len(table.columns)}, kind
        packed_table.cache_clear()


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
        return derive_row(seed, kind, name, lambda chance: chance.randrange(10**9))

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


@each_case("text, name, country, region")
def test_towns_are_found_as_people_write_them(text: str, name: str, country: str, region: str | None) -> None:
    city = find_city(text)
    assert (city["name"], city["country_code"]) == (name, country)
    assert region in (None, city["region_code"])
    assert city_by_number(city_number(city["id"])) == city


@pytest.mark.parametrize(
    "text", ["Xqzzburg", "Paris, Zembla", "Nowhereville-upon-Nothing", "", "Edinburgrad"]
)
def test_towns_that_do_not_exist_are_refused(text: str) -> None:
    assert city_or_none(text) is None


def test_a_point_belongs_to_the_large_city_around_it() -> None:
    found = [nearest_city(*at)["name"] for at in ((48.8584, 2.2945), (41.8781, -87.6298), (42.05, -87.69))]
    assert found == ["Paris", "Chicago", "Evanston"]


def test_climates_follow_latitude_height_and_sea() -> None:
    july = {name: climate_at(city["latitude"], city["longitude"]) for name in ("Dubai", "Sydney", "Yakutsk")
            for city in [find_city(name)]}  # fmt: skip
    means = {name: here.mean_c + here.swing_c * here.seasonal_warmth(196) for name, here in july.items()}
    assert means["Dubai"] > 30 > means["Yakutsk"] > 15 > means["Sydney"] > 5
    assert is_near_sea(38.72, -9.14) and not is_near_sea(39.74, -104.98)


def test_sun_and_moon_are_those_of_the_almanac() -> None:
    london = sky_of_day(51.5074, -0.1278, "Europe/London", date(2026, 6, 21))
    assert (london.sunrise, london.sunset) == ("04:43", "21:21")
    assert sky_of_day(78.22, 15.65, "Arctic/Longyearbyen", date(2024, 6, 21)).sunrise is None


@each_case("tool, said, field, wanted")
def test_places_and_airports_are_found_by_codes_and_by_the_names_people_use(
    tool: str, said: dict[str, str], field: str, wanted: str
) -> None:
    assert call(World.fresh(0), tool, said).value[field] == wanted


MOVED = {"COIN", "UNH", "MRK", "CVX", "XOM", "NKE", "PEP", "WFC", "AIR.PA", "GE", "LIN"}


def listed() -> dict[str, dict[str, str]]:
    table = packed_table("listed_companies")
    return {row[0]: dict(zip(table.columns, row, strict=True)) for row in table}


def test_capitals_are_cities_of_their_country() -> None:
    strange = [
        row["name"]
        for row in countries()
        if row["capital"]
        and row["population"] > 20_000
        and city_or_none(f"{row['capital']}, {row['code']}") is None
    ]
    assert strange == []


def test_countries_speak_of_currencies_that_exist_and_agree_with_the_locales() -> None:
    from babel.numbers import get_territory_currencies

    codes = {row["code"] for row in currencies()}
    assert [row["code"] for row in countries() if row["currency"] not in codes] == []
    other = [
        row["code"]
        for row in countries()
        if (known := get_territory_currencies(row["code"])) and row["currency"] not in known
    ]
    # Bulgaria took the euro in 2026, Croatia in 2023; small territories use several.
    assert len(other) <= 6, other


def test_the_best_known_cities_lie_where_the_gazetteer_has_them() -> None:
    table = {(row[0], row[2]): row for row in packed_table("cities")}
    far = []
    for city in cities():
        row = table.get((plain(city["name"]), city["country_code"]))
        if row and int(row[6]) > 100_000:
            way = kilometres(city["latitude"], city["longitude"], float(row[4]), float(row[5]))
            far += [city["id"]] if way > 60 else []
    assert far == []


def test_airports_are_those_of_the_package_near_the_towns_that_they_name() -> None:
    far = []
    for row in main_airports():
        town = city_or_none(f"{row['city']}, {row['country_code']}")
        if (
            town is None
            or kilometres(town["latitude"], town["longitude"], row["latitude"], row["longitude"]) > 120
        ):
            far.append(row["iata"])
    assert far == []
    table = {row[0]: row for row in packed_table("airports")}
    unknown = [row["iata"] for row in read_table("airports.tsv") if row["iata"] not in table]
    assert unknown == []


def test_head_offices_are_those_of_the_listed_companies() -> None:
    other = []
    for company in companies():
        row = listed().get(company["ticker"])
        if row and row["city"] and company["ticker"] not in MOVED:
            code = find_country(company["country"])["code"]
            mine, theirs = (city_or_none(f"{name}, {code}") for name in (company["city"], row["city"]))
            if mine is None or theirs is None or mine["id"] != theirs["id"]:
                other.append((company["ticker"], company["city"], row["city"]))
    assert other == []


def test_the_encyclopaedia_repeats_capital_and_head_office() -> None:
    for row in filter(lambda row: row["population"] or row["capital"], countries()):
        entry = next(one for one in by_name()[plain(row["name"])] if one["kind"] == "country")
        assert entry["properties"].get("P36", [""]) == [row["capital"]]
    apple = next(one for one in by_name()["apple inc."] if one["kind"] == "company")
    assert apple["properties"]["P159"] == ["Cupertino"]


def test_the_years_of_people_agree_where_two_tables_have_them() -> None:
    lived: dict[str, set[str]] = {}
    for name, year in _births():
        lived.setdefault(plain(name), set()).add(year)
    assert [name for name, years in lived.items() if len(years) > 1 and name not in NAMESAKES] == []


# Two people of one name.
NAMESAKES = frozenset({"francis bacon", "margaret mitchell"})


def _births() -> Iterator[tuple[str, str]]:
    for row in read_table("people.tsv"):
        for part in row["names"].split(";"):
            match = re.fullmatch(r"(.+?) (\d{3,4})(?:-\d{3,4})?", part.strip())
            if match:
                yield match[1], match[2]
    for row in read_table("authors.tsv"):
        if row["lived"][:4].isdigit():
            yield row["author"], row["lived"].split("-")[0]
    for row in read_table("artworks.tsv"):
        if row["lived"][:4].isdigit() and row["artist"] != "Unknown":
            yield row["artist"], row["lived"].split("-")[0]


def test_elements_of_the_table_and_of_the_dictionary_have_the_same_symbols() -> None:
    from toolyard.world.reference import wordnet

    other = []
    for row in packed_table("elements"):
        words = {word for sense in wordnet.senses(row[0]) for word in sense.words}
        symbols = {word for word in words if re.fullmatch("[A-Z][a-z]?", word)}
        if symbols and row[2] not in symbols:
            other.append((row[0], row[2], symbols))
    assert other == []
