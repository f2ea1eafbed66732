"""Sights of cities that are known by name.

{"name": "Eiffel Tower", "city": "Paris", "latitude": 48.8584, "longitude": 2.2945}
"""

import functools
from collections.abc import Mapping
from typing import TypedDict

from toolyard.world.kernel.tables import kilometres, plain, read_table
from toolyard.world.kernel.types import CityName, Latitude, Longitude, SightName
from toolyard.world.reference.places.geography import City, cities, find_city, find_country


class Sight(TypedDict):
    """A place that visitors go to."""

    name: SightName
    city: CityName
    latitude: Latitude
    longitude: Longitude


@functools.cache
def _famous_sights() -> Mapping[str, tuple[str, ...]]:
    # Most of them are among the best known cities, which need no gazetteer.
    known = {(row["name"], row["country_code"]): row["id"] for row in reversed(cities())}
    found = {}
    for row in read_table("attractions.tsv"):
        place = (
            known.get((row["city"], row["country"])) or find_city(f"{row['city']}, {row['country']}")["id"]
        )
        found[place] = tuple(row["sights"].split(";"))
    return found


def famous_cities() -> tuple[str, ...]:
    """Ids of the cities whose sights are known by name, best known first."""
    return tuple(_famous_sights())


@functools.cache
def _own_sights() -> Mapping[tuple[str, str], Mapping[str, tuple[float, float]]]:
    """(City, country) -> sights with latitude and longitude."""
    found: dict[tuple[str, str], dict[str, tuple[float, float]]] = {}
    for row in read_table("town_sights.tsv"):
        names = found.setdefault((plain(row["city"]), row["country"]), {})
        for one in row["sights"].split(";"):
            name, _, told = one.partition("=")
            north, east = told.split(",")
            names[name] = float(north), float(east)
    return found


@functools.cache
def _museums_and_landmarks() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(City, country) -> museums and landmarks whose place is known."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in read_table("sights_and_museums.tsv"):
        for entry in row["names"].split(";"):
            name, _, city = entry.partition("@")
            if name in _sight_points():
                found.setdefault((plain(city), find_country(row["country"])["code"]), []).append(name)
    return {key: tuple(names) for key, names in found.items()}


def _known_sights(city: City) -> tuple[str, ...]:
    """The sights of a city that are known by name, the best known first; none of a namesake far away."""
    key = plain(city["name"]), city["country_code"]
    own = _own_sights().get(key, {})
    famous = _famous_sights().get(city["id"], ())
    names = dict.fromkeys((*famous, *own, *(() if famous else _museums_and_landmarks().get(key, ()))))
    middle = city["latitude"], city["longitude"]
    near = (
        name
        for name in names
        if name in famous or kilometres(*middle, *(own.get(name) or _sight_points()[name])) < _FAR
    )
    return tuple(near)[:_MOST]


_MOST, _FAR = 12, 120


@functools.lru_cache(maxsize=512)
def sights_in(city_id: str) -> tuple[Sight, ...]:
    """The sights of a city that are known by name, the best known first."""
    city = find_city(city_id)
    return tuple(_make_sight(city, name) for name in _known_sights(city))


@functools.cache
def _sight_points() -> Mapping[str, tuple[float, float]]:
    return {
        row["name"]: (float(row["latitude"]), float(row["longitude"]))
        for row in read_table("sight_points.tsv")
    }


def _sight_point(city: City, name: str) -> tuple[float, float]:
    """Where a sight is; the middle of its city where no table says it."""
    middle = city["latitude"], city["longitude"]
    told = _own_sights().get((plain(city["name"]), city["country_code"]), {}).get(name)
    if told:
        return told
    found = _sight_points().get(name)
    return found if found and kilometres(*middle, *found) < _FAR else middle


def _make_sight(city: City, name: str) -> Sight:
    latitude, longitude = _sight_point(city, name)
    return Sight(name=name, city=city["name"], latitude=latitude, longitude=longitude)
