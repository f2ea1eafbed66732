"""Rows of countries, currencies, best known cities and airports; `geography` finds them as people write them.

{"id": "GB-LON-london", "name": "London", "country": "United Kingdom", "country_code": "GB",
 "region": "England", "region_code": "ENG", "latitude": 51.5074, "longitude": -0.1278,
 "population": 8866000, "time_zone": "Europe/London"}
"""

import functools
from collections.abc import Mapping, Sequence
from sys import intern
from typing import TypedDict

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import plain as plain
from toolyard.world.kernel.tables import read_record, share_keys, table_texts
from toolyard.world.kernel.tables import read_table as read_table
from toolyard.world.kernel.types import (
    AirportCode,
    CityName,
    ContinentName,
    CountryCode,
    CountryName,
    CurrencyCode,
    IcaoCode,
    LanguageCode,
    Latitude,
    Longitude,
    PlaceId,
    RegionCode,
    RegionName,
    TimeZoneName,
)
from toolyard.world.reference.packed_tables import packed_table


class Country(TypedDict):
    """A country."""

    code: CountryCode
    code3: str
    name: CountryName
    capital: CityName
    continent: ContinentName
    currency: CurrencyCode
    calling_code: str
    languages: list[LanguageCode]
    population: int
    area_km2: float
    time_zone: TimeZoneName
    wikidata_id: str


class Currency(TypedDict):
    """A currency and what one US dollar bought of it in May 2024."""

    code: CurrencyCode
    name: str
    symbol: str
    per_usd: float


class City(TypedDict):
    """A city."""

    id: PlaceId
    name: CityName
    country: CountryName
    country_code: CountryCode
    region: RegionName
    region_code: RegionCode
    latitude: Latitude
    longitude: Longitude
    population: int
    time_zone: TimeZoneName


class Airport(TypedDict):
    """An airport."""

    iata: AirportCode
    icao: IcaoCode
    name: str
    city: CityName
    country: CountryName
    country_code: CountryCode
    latitude: Latitude
    longitude: Longitude
    time_zone: TimeZoneName


@functools.cache
def countries() -> tuple[Country, ...]:
    """All countries of ISO 3166 and Kosovo, by code."""
    return tuple(_read_country(row) for row in packed_table("countries"))


@functools.cache
def country_names() -> Mapping[str, str]:
    """Code -> name of a country."""
    return {row["code"]: row["name"] for row in countries()}


@functools.cache
def large_countries() -> tuple[Country, ...]:
    """The countries with a million people or more, by code: for lists that would be too long with all."""
    return tuple(row for row in countries() if row["population"] >= 1_000_000)


# Money that was in use in May 2024, where the table has what came later.
_THEN = {"BG": "BGN", "CW": "ANG", "SX": "ANG"}
# What the table cuts short: languages of the law, and areas below a square kilometre.
_LANGUAGES = table_texts("atlas.languages")
_SMALL = {"VA": 0.49}
_CONTINENTS = {"TL": "Asia", "CC": "Oceania"}


@functools.cache
def _old_populations() -> dict[str, int]:
    """How many people lived in a country in 2024, where the table is of another time or counts otherwise."""
    return {row["code"]: int(row["population"]) for row in read_table("populations.tsv")}


def _read_country(row: list[str]) -> Country:
    return Country(
        code=row[0],
        code3=row[1],
        name=row[2],
        capital=row[3],
        continent=_CONTINENTS.get(row[0], row[4]),
        currency=_THEN.get(row[0], row[5]),
        calling_code=row[6],
        languages=_LANGUAGES.get(row[0], row[7]).split(","),
        population=_old_populations().get(row[0], int(row[8])),
        area_km2=_SMALL.get(row[0]) or int(row[9]),
        time_zone=row[10],
        wikidata_id=row[11],
    )


# How people write currencies of which the table has only the code.
_SIGNS = table_texts("atlas.signs")


@functools.cache
def currencies() -> tuple[Currency, ...]:
    """All currencies, by code."""
    return tuple(
        read_record(Currency, row, symbol=_SIGNS.get(row["code"], row["symbol"]))
        for row in read_table("currencies.tsv")
    )


@functools.cache
def cities() -> tuple[City, ...]:
    """The best known cities, the most important first; `gazetteer` has all others."""
    by_code = {row["code"]: row for row in countries()}
    return tuple(
        read_record(
            City,
            row,
            id=place_id(row["country"], row["region_code"], row["name"]),
            country=by_code[row["country"]]["name"],
            country_code=row["country"],
            time_zone=row["zone"],
        )
        for row in read_table("cities.tsv")
    )


def place_id(country: str, region: str, name: str) -> str:
    """The id of a city, made of codes and its name: GB-ENG-london."""
    return f"{country}-{region}-{plain(name).replace(' ', '-')}"


# The airport that a later one has replaced since.
_BEFORE = {
    "KTI": ["PNH", "VDPP", "Phnom Penh International Airport", "Phnom Penh", "KH", "11.5466", "104.844", "Asia/Phnom_Penh"]
}  # fmt: skip


@functools.cache
def all_airports() -> tuple[Airport, ...]:
    """Every airport with an IATA code, by code."""
    names = country_names()
    rows = (
        Airport(
            iata=iata,
            icao=icao,
            name=name,
            city=city,
            country=names[country],
            country_code=intern(country),
            latitude=float(latitude),
            longitude=float(longitude),
            time_zone=intern(zone),
        )
        for iata, icao, name, city, country, latitude, longitude, zone in sorted(
            _BEFORE.get(row[0], row) for row in packed_table("airports")
        )
    )
    return tuple(map(share_keys, rows))


@functools.cache
def airport_keys() -> Mapping[str, Airport]:
    """IATA and ICAO code -> airport."""
    by_icao = {row["icao"]: row for row in all_airports() if row["icao"]}
    return by_icao | {row["iata"]: row for row in all_airports()}


@functools.cache
def main_airports() -> tuple[Airport, ...]:
    """The airports of the best known cities, by IATA code: those between which airlines fly by timetable."""
    found = airport_keys()
    return tuple(
        found[row["iata"]] for row in sorted(read_table("airports.tsv"), key=lambda row: row["iata"])
    )


@functools.cache
def _country_keys() -> Mapping[str, Country]:
    keys: dict[str, Country] = {}
    for fields, row in zip(packed_table("countries"), countries(), strict=True):
        for key in (row["code"], row["code3"], row["name"], row["wikidata_id"], *fields[12].split(";")):
            keys.setdefault(plain(key), row)
    return keys


def country_or_none(wanted: str) -> Country | None:
    """The country of a code, name, other name or Wikidata id."""
    key = plain(wanted)
    if not key:
        return None
    keys = _country_keys()
    return keys.get(key) or keys.get(key.removeprefix("the ").replace("&", "and").replace("st. ", "saint "))


def find_country(wanted: str) -> Country:
    """As `country_or_none`, with a not_found fault instead of None."""
    row = country_or_none(wanted)
    if row is None:
        names = [known["name"] for known in countries()]
        raise not_found("country", wanted[:60], known=names, listed_by="Location/Geodatabase/find_countries")
    return row


_CITY_ALIASES = table_texts("atlas.city_aliases")


@functools.cache
def _city_keys() -> Mapping[str, City]:
    found: dict[str, City] = {}
    for row in cities():
        for key in (row["name"], row["id"], f"{row['name']}, {row['region']}", f"{row['name']}, {row['region_code']}",
                    f"{row['name']}, {row['country']}", f"{row['name']}, {row['country_code']}"):  # fmt: skip
            found.setdefault(plain(key).replace(", ", ","), row)
    return found


def known_city(parts: Sequence[str]) -> City | None:
    """The best known city that folded parts name: its name, and behind it region or country."""
    keys = _city_keys()
    name = _CITY_ALIASES.get(parts[0], parts[0])
    if len(parts) == 1:
        return keys.get(name)
    country = country_or_none(parts[-1])
    tails = [parts[-1], country["code"].lower() if country else parts[-1]]
    # "Austin, Texas, United States": the middle part is one too many for the keys above.
    tails = [parts[1], *tails] if len(parts) > 2 else tails
    return next((keys[f"{name},{tail}"] for tail in tails if f"{name},{tail}" in keys), None)
