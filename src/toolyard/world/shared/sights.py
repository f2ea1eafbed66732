"""Sights of cities: real ones where they are famous, a museum, an old town and a park elsewhere.

{"name": "Eiffel Tower", "city": "Paris", "rating": 4.7, "reviews": 48211, "category": "landmark", ...}
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.shared.geography import City, find_city, read_table
from toolyard.world.tables import kilometres
from toolyard.world.types import CityName, Latitude, Longitude, SightName

_KINDS = (
    ("museum", ("museum", "gallery", "louvre", "rijks", "prado")),
    ("park", ("park", "garden", "beach", "bay", "lake", "mountain", "zoo")),
    ("religious site", ("cathedral", "basilica", "temple", "mosque", "shrine", "church", "wat ", "abbey")),
    ("palace", ("palace", "castle", "fort", "alcázar", "hofburg")),
)


class Sight(TypedDict):
    """A place that visitors go to; entry in US dollars, 0 where it is free."""

    name: SightName
    city: CityName
    category: str
    rating: float
    reviews: int
    entry_usd: int
    latitude: Latitude
    longitude: Longitude


@functools.cache
def _famous() -> Mapping[str, tuple[str, ...]]:
    return {
        find_city(f"{row['city']}, {row['country']}")["id"]: tuple(row["sights"].split(";"))
        for row in read_table("attractions.tsv")
    }


def famous_cities() -> tuple[str, ...]:
    """Ids of the cities whose sights are known by name, best known first."""
    return tuple(_famous())


def _kind(name: str) -> str:
    lower = f"{name.lower()} "
    return next((kind for kind, words in _KINDS if any(word in lower for word in words)), "landmark")


@functools.lru_cache(maxsize=512)
def sights(seed: int, city_id: str) -> tuple[Sight, ...]:
    """The sights of a city, the best known first."""
    city = find_city(city_id)
    names = _famous().get(city["id"]) or tuple(
        f"{city['name']} {what}" for what in ("Old Town", "City Museum", "Botanical Garden", "Market Hall")
    )
    return tuple(_sight(seed, city, name, rank) for rank, name in enumerate(names))


@functools.cache
def _points() -> Mapping[str, tuple[float, float]]:
    return {
        row["name"]: (float(row["latitude"]), float(row["longitude"]))
        for row in read_table("sight_points.tsv")
    }


def _point(city: City, name: str) -> tuple[float, float]:
    """Where a sight is; the middle of its city where no table says it."""
    middle = city["latitude"], city["longitude"]
    found = _points().get(name, middle)
    return found if kilometres(*middle, *found) < 120 else middle


def _sight(seed: int, city: City, name: str, rank: int) -> Sight:
    chance = seeds.stream(seed, "sight", city["id"], name)
    kind = _kind(name)
    latitude, longitude = _point(city, name)
    return Sight(
        name=name,
        city=city["name"],
        category=kind,
        rating=round(4.8 - 0.1 * rank - 0.2 * chance.random(), 1),
        reviews=int(city["population"] ** 0.5 * (3 + 20 * chance.random())),
        entry_usd=0 if kind in ("park", "religious site") else chance.choice((0, 8, 12, 18, 25)),
        latitude=latitude,
        longitude=longitude,
    )
