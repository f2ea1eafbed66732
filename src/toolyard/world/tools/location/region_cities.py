"""Which cities lie in a region of ISO 3166-2.

The gazetteer has codes of its own for many regions, and provinces as they were merged later.

region_iso.tsv: PL	Greater Poland	30
region_seats.tsv: VN	30	31	13.776	109.224
"""

import functools
from collections.abc import Mapping

from toolyard.world.kernel.tables import kilometres, plain, read_table, table_texts
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.atlas import City
from toolyard.world.reference.places.gazetteer import cities_in_country, read_city

# Regions that are listed as countries of their own too: region -> country.
_OWN_COUNTRIES = table_texts("region_cities.own_countries")
# Regions with towns that are listed under another country.
_SHARED = {"MA-11": "EH", "MA-12": "EH"}
# Regions that are one city, whose quarters are listed like towns.
_ONE_CITY = frozenset("US-DC DE-BE DE-HH AT-9 CZ-10 HU-BU UA-30 BY-HM AR-C BG-22".split())
# Cities under a region that they do not belong to any more.
_MOVED = {"ID-RI-batam": "KR", "PH-CEB-cebu-city": "07"}
_WHOLE = "*"


@functools.cache
def iso_codes() -> Mapping[tuple[str, str], str]:
    """Country and name that cities have for a region -> its ISO code, where the gazetteer has another."""
    return {(row["country"], row["name"]): row["code"] for row in read_table("region_iso.tsv")}


@functools.cache
def _region_seats() -> Mapping[tuple[str, str], tuple[tuple[str, float, float], ...]]:
    """Country and listed region -> code and place of the seats of the regions that it is made of."""
    found: dict[tuple[str, str], list[tuple[str, float, float]]] = {}
    for row in read_table("region_seats.tsv"):
        seat = (row["code"], float(row["latitude"]), float(row["longitude"]))
        found.setdefault((row["country"], row["listed"]), []).append(seat)
    return {key: tuple(rows) for key, rows in found.items()}


def region_code(city: City) -> str:
    """The ISO code of the region that a city lies in, without the country."""
    country = city["country_code"]
    if city["id"] in _MOVED:
        return _MOVED[city["id"]]
    code = iso_codes().get((country, city["region"]), city["region_code"])
    seats = _region_seats().get((country, _WHOLE)) or (
        _region_seats().get((country, code)) if (country, city["region"]) not in iso_codes() else None
    )
    if not seats:
        return code
    return min(seats, key=lambda seat: kilometres(city["latitude"], city["longitude"], *seat[1:]))[0]


@functools.lru_cache(maxsize=64)
def _cities_by_region(country: str) -> Mapping[str, tuple[City, ...]]:
    """Code -> the cities of a region, the largest first; of a region that has parts, those of the parts too."""
    found: dict[str, list[City]] = {}
    parents = {row[0]: row[3] for row in packed_table("subdivisions").starting(f"{country}-", 500)}
    for city in cities_in_country(country):
        code: str = region_code(city)
        found.setdefault(code, []).append(city)
        if above := parents.get(f"{country}-{code}"):
            found.setdefault(above.partition("-")[2] or above, []).append(city)
    return {code: tuple(rows) for code, rows in found.items()}


@functools.lru_cache(maxsize=64)
def _villages_by_region(country: str) -> Mapping[str, tuple[City, ...]]:
    """Code -> the places of less than 5,000 people in a region, the largest first."""
    found: dict[str, list[City]] = {}
    rows = sorted(
        (row for row in packed_table("villages") if row[2] == country), key=lambda row: -int(row[6])
    )
    for city in map(read_city, rows):
        found.setdefault(region_code(city), []).append(city)
    return {code: tuple(cities) for code, cities in found.items()}


def cities_of_region(country: str, code: str, name: str) -> tuple[City, ...]:
    """The cities of a region, the largest first: towns, else smaller places, else the town of its name."""
    full = f"{country}-{code}"
    if full in _OWN_COUNTRIES:
        return cities_in_country(_OWN_COUNTRIES[full])
    found = _cities_by_region(country).get(code, ())
    if full in _SHARED:
        more = [city for city in cities_in_country(_SHARED[full]) if region_code(city) == code]
        found = tuple(sorted((*found, *more), key=lambda city: -city["population"]))
    if full in _ONE_CITY:
        return found[:1]
    return found or _city_of_same_name(country, name) or _villages_by_region(country).get(code, ())


def _city_of_same_name(country: str, name: str) -> tuple[City, ...]:
    wanted = plain(name).removesuffix(" city")
    return tuple(city for city in cities_in_country(country) if plain(city["name"]) == wanted)[:1]
