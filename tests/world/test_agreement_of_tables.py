"""Facts that two tables or packages both hold: they agree, or the difference is listed here with its reason."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from toolyard.world.kernel.tables import kilometres, plain
from toolyard.world.reference.companies import companies
from toolyard.world.reference.encyclopaedia.entries import by_name
from toolyard.world.reference.packed import packed
from toolyard.world.reference.places.atlas import airports
from toolyard.world.reference.places.geography import (
    cities,
    city_or_none,
    countries,
    currencies,
    find_country,
    read_table,
)
from toolyard.world.simulated.scholarship import papers

# Boeing, Coca-Cola and others: the two tables count parents, subsidiaries or later moves; the year is that of the name.
OTHER_FOUNDING = 13
MOVED = {"COIN", "UNH", "MRK", "CVX", "XOM", "NKE", "PEP", "WFC", "AIR.PA", "GE", "LIN"}


def listed() -> dict[str, dict[str, str]]:
    table = packed("listed_companies")
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
    table = {(row[0], row[2]): row for row in packed("cities")}
    far = []
    for city in cities():
        row = table.get((plain(city["name"]), city["country_code"]))
        if row and int(row[6]) > 100_000:
            way = kilometres(city["latitude"], city["longitude"], float(row[4]), float(row[5]))
            far += [city["id"]] if way > 60 else []
    assert far == []


def test_airports_lie_near_the_towns_that_they_name() -> None:
    far = []
    for row in airports():
        town = city_or_none(f"{row['city']}, {row['country_code']}")
        if (
            town is None
            or kilometres(town["latitude"], town["longitude"], row["latitude"], row["longitude"]) > 120
        ):
            far.append(row["iata"])
    assert far == []


def test_airports_of_our_own_table_are_those_of_the_package() -> None:
    table = {row[0]: row for row in packed("airports")}
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


def test_founding_years_mostly_agree() -> None:
    pairs = [
        (company["ticker"], company["founded"], int(row["founded"]))
        for company in companies()
        if (row := listed().get(company["ticker"])) and row["founded"] and company["founded"]
    ]
    assert len(pairs) > 60
    assert sum(abs(mine - theirs) > 2 for _, mine, theirs in pairs) <= OTHER_FOUNDING, pairs


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


def test_papers_with_a_preprint_appeared_after_it() -> None:
    early = [
        paper["title"]
        for paper in papers(0)
        if (number := paper["arxiv_id"])
        and number[:4].isdigit()
        and paper["year"] < 2000 + int(number[:2]) - 1
    ]
    assert early == []


def test_elements_of_the_table_and_of_the_dictionary_have_the_same_symbols() -> None:
    from toolyard.world.reference import wordnet

    other = []
    for row in packed("elements"):
        words = {word for sense in wordnet.senses(row[0]) for word in sense.words}
        symbols = {word for word in words if re.fullmatch("[A-Z][a-z]?", word)}
        if symbols and row[2] not in symbols:
            other.append((row[0], row[2], symbols))
    assert other == []


def test_the_sources_list_every_packed_table() -> None:
    folder = Path(__file__).parents[2] / "src" / "toolyard" / "world" / "data"
    text = (folder / "sources.tsv").read_text("utf-8")
    kinds = {
        kind.strip()
        for row in csv.DictReader(io.StringIO(text), delimiter="\t")
        for kind in row["kind"].split(",")
    }
    packed_kinds = {path.name.split(".")[0] for path in (folder / "reference").glob("*.tsv.*")}
    assert packed_kinds - kinds == set()
