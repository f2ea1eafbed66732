"""Countries, currencies, cities and airports: public facts under weather, travel, business and jobs.

{"id": "GB-LON-london", "name": "London", "country": "United Kingdom", "country_code": "GB",
 "region": "England", "region_code": "ENG", "latitude": 51.5074, "longitude": -0.1278,
 "population": 8866000, "time_zone": "Europe/London"}
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TypedDict

from toolyard.world.faults import not_found
from toolyard.world.tables import kilometres
from toolyard.world.tables import plain as plain
from toolyard.world.tables import read_table as read_table
from toolyard.world.types import (
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
    area_km2: int
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
    """An airport; its coordinates are those of its city, a little aside."""

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
    """All countries, by code."""
    rows = [
        Country(
            code=row["code"],
            code3=row["code3"],
            name=row["name"],
            capital=row["capital"],
            continent=row["continent"],
            currency=row["currency"],
            calling_code=row["calling"],
            languages=row["languages"].split(","),
            population=int(row["population"]),
            area_km2=int(row["area"]),
            time_zone=row["zone"],
            wikidata_id=row["wikidata"],
        )
        for row in read_table("countries.tsv")
    ]
    return tuple(sorted(rows, key=lambda row: row["code"]))


@functools.cache
def currencies() -> tuple[Currency, ...]:
    """All currencies, by code."""
    return tuple(
        Currency(code=row["code"], name=row["name"], symbol=row["symbol"], per_usd=float(row["per_usd"]))
        for row in read_table("currencies.tsv")
    )


@functools.cache
def cities() -> tuple[City, ...]:
    """All cities, largest first."""
    by_code = {row["code"]: row for row in countries()}
    rows = [
        City(
            id=f"{row['country']}-{row['region_code']}-{plain(row['name']).replace(' ', '-')}",
            name=row["name"],
            country=by_code[row["country"]]["name"],
            country_code=row["country"],
            region=row["region"],
            region_code=row["region_code"],
            latitude=float(row["latitude"]),
            longitude=float(row["longitude"]),
            population=int(row["population"]),
            time_zone=row["zone"] or by_code[row["country"]]["time_zone"],
        )
        for row in read_table("cities.tsv")
    ]
    return tuple(sorted(rows, key=lambda row: (-row["population"], row["id"])))


@functools.cache
def airports() -> tuple[Airport, ...]:
    """All airports, by IATA code."""
    places = {(row["country_code"], row["name"]): row for row in cities()}
    rows = []
    for number, row in enumerate(read_table("airports.tsv")):
        city = places[row["country"], row["city"]]
        rows.append(
            Airport(
                iata=row["iata"],
                icao=row["icao"],
                name=f"{row['name']} Airport",
                city=city["name"],
                country=city["country"],
                country_code=city["country_code"],
                latitude=round(city["latitude"] + 0.04 + number % 7 / 100, 4),
                longitude=round(city["longitude"] - 0.05 - number % 5 / 100, 4),
                time_zone=city["time_zone"],
            )
        )
    return tuple(sorted(rows, key=lambda row: row["iata"]))


@functools.cache
def _country_keys() -> Mapping[str, Country]:
    return {
        plain(key): row
        for row in countries()
        for key in (row["code"], row["code3"], row["name"], row["wikidata_id"])
    }


_COUNTRY_ALIASES = {"usa": "us", "u.s.": "us", "united states of america": "us", "uk": "gb", "england": "gb",
                    "great britain": "gb", "korea": "kr", "uae": "ae", "holland": "nl", "czech republic": "cz"}  # fmt: skip
_CITY_ALIASES = {"new york city": "new york", "nyc": "new york", "la": "los angeles", "sf": "san francisco",
                 "washington dc": "washington", "washington d.c.": "washington", "bangalore": "bengaluru",
                 "bombay": "mumbai", "saigon": "ho chi minh city", "peking": "beijing", "bali": "denpasar"}  # fmt: skip


def find_country(wanted: str) -> Country:
    """The country of a code, name or Wikidata id; a not_found fault otherwise."""
    key = plain(wanted)
    row = _country_keys().get(_COUNTRY_ALIASES.get(key, key))
    if row is None:
        raise not_found("country", wanted, known=("US", "GB", "FR", "CN", "IN"))
    return row


@functools.cache
def _city_keys() -> Mapping[str, City]:
    found: dict[str, City] = {}
    for row in cities():
        for key in (row["name"], row["id"], f"{row['name']}, {row['region']}", f"{row['name']}, {row['region_code']}",
                    f"{row['name']}, {row['country']}", f"{row['name']}, {row['country_code']}"):  # fmt: skip
            found.setdefault(plain(key).replace(", ", ","), row)
    return found


def city_or_none(wanted: str) -> City | None:
    """The city of a name, "name, country", "name, region" or place id; the largest where several fit."""
    keys = _city_keys()
    parts = [part.strip() for part in plain(wanted).split(",") if part.strip()]
    if not parts:
        return None
    parts[0] = _CITY_ALIASES.get(parts[0], parts[0])
    tail = _COUNTRY_ALIASES.get(parts[-1], parts[-1])
    for key in (",".join(parts), f"{parts[0]},{tail}"):
        if key in keys:
            return keys[key]
    # "Austin, Texas, United States": the middle part is one too many for the keys above.
    return keys.get(f"{parts[0]},{parts[1]}") if len(parts) > 2 else None


def find_city(wanted: str) -> City:
    """As `city_or_none`, with a not_found fault instead of None."""
    row = city_or_none(wanted)
    if row is None:
        raise not_found("city", wanted, known=("London", "Paris", "New York", "Beijing", "Sydney"))
    return row


def city_in_address(text: str) -> City | None:
    """The city that an address such as "350 5th Ave, New York, NY 10118" names; None if there is none."""
    parts = [" ".join(w for w in part.split() if not w.isdigit()) for part in text[:300].split(",")]
    parts = [part for part in parts if part]
    for start in range(len(parts)):
        city = city_or_none(",".join(parts[start:])) or city_or_none(parts[start])
        if city:
            return city
    return None


def find_airport(wanted: str) -> Airport:
    """The airport of an IATA or ICAO code; a not_found fault otherwise."""
    key = wanted.strip().upper()
    for row in airports():
        if key in (row["iata"], row["icao"]):
            return row
    raise not_found("airport", wanted, known=("LHR", "CDG", "JFK", "PEK", "SIN"))


def nearest_city(latitude: float, longitude: float) -> City:
    """The city closest to a point."""
    return min(cities(), key=lambda row: kilometres(latitude, longitude, row["latitude"], row["longitude"]))
