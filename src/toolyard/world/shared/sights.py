"""Sights of cities: real ones where they are known, a museum, a garden, a market and a park elsewhere.

{"name": "Eiffel Tower", "city": "Paris", "rating": 4.7, "reviews": 48211, "category": "landmark", ...}
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.shared.geography import City, cities, find_city, find_country, read_table
from toolyard.world.tables import kilometres, plain
from toolyard.world.types import CityName, Latitude, Longitude, SightName

_KINDS = (
    ("museum", ("museum", "gallery", "louvre", "rijks", "prado", "musée", "museo ")),
    ("park", ("park", "parc ", "garden", "beach", "bay ", "lake", "mountain", "zoo")),
    ("religious site", ("cathedral", "basilica", "temple", "mosque", "shrine", "church", "wat ", "abbey")),
    ("palace", ("palace", "castle", "fort", "alcázar", "hofburg")),
)


# What is none of these kinds, whatever its name has.
_NAMED_ONLY = frozenset(
    ("Basilica Cistern", "Temple Street Night Market", "Temple Bar", "Temple Square", "Marina Bay Sands", "Fenway Park",
     "Forth Bridge", "East Side Gallery", "Palace of Fine Arts", "Palace of Culture and Science", "Fort Kochi",
     "Palace of the Parliament", "Castle Hill")
)  # fmt: skip


class Sight(TypedDict):
    """A place that visitors go to; entry in US dollars, 0 where it is free, None where it is not known."""

    name: SightName
    city: CityName
    category: str
    rating: float
    reviews: int
    entry_usd: int | None
    latitude: Latitude
    longitude: Longitude


@functools.cache
def _famous() -> Mapping[str, tuple[str, ...]]:
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
    return tuple(_famous())


def _kind(name: str) -> str:
    if name in _NAMED_ONLY:
        return "landmark"
    lower = f"{name.lower()} "
    return next((kind for kind, words in _KINDS if any(word in lower for word in words)), "landmark")


@functools.cache
def _fees() -> Mapping[str, int]:
    return {name: int(row["usd"]) for row in read_table("sight_fees.tsv") for name in row["names"].split(";")}


@functools.cache
def _further() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(City, country) -> sights that are known by name in cities that are not famous for theirs."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in read_table("sights_and_museums.tsv"):
        for entry in row["names"].split(";"):
            name, _, city = entry.partition("@")
            found.setdefault((plain(city), row["country"]), []).append(name)
    for row in read_table("town_sights.tsv"):
        key = plain(row["city"]), find_country(row["country"])["name"]
        own = [one.partition("=")[0] for one in row["sights"].split(";")]
        found[key] = list(dict.fromkeys((*own, *found.get(key, ()))))
    return {key: tuple(names[:8]) for key, names in found.items()}


def has_known_sights(city: City) -> bool:
    """Whether sights of a city are known by name."""
    return city["id"] in _famous() or (plain(city["name"]), city["country"]) in _further()


_MANY = 15_000
# The rows that are shipped quote the sights of these.
_QUOTED = frozenset(
    "Chicago Seattle Kyoto Miami Venice Lisbon Paris Prague Rome Barcelona Madrid Florence Vienna".split()
)
# Where people from everywhere go, however small the town.
_WORLD_FAMOUS = frozenset(
    (
        "Machu Picchu", "Angkor Wat", "Times Square", "Pyramids of Giza", "Taj Mahal", "Colosseum", "Eiffel Tower",
        "Statue of Liberty", "Great Wall at Badaling", "Forbidden City", "Sagrada Família", "Petra", "Acropolis",
        "Acropolis of Athens", "Christ the Redeemer", "Hagia Sophia", "Burj Khalifa", "Golden Gate Bridge",
        "Sydney Opera House", "Alhambra", "Chichén Itzá", "Niagara Falls", "Great Pyramid of Giza",
    )
)  # fmt: skip
_COMMON = ("City Museum", "Botanical Garden", "Central Market", "City Park")


@seeds.remembered(512)
def sights(seed: int, city_id: str) -> tuple[Sight, ...]:
    """The sights of a city, the best known first."""
    city = find_city(city_id)
    known = _famous().get(city["id"]) or _further().get((plain(city["name"]), city["country"]))
    names = known or tuple(f"{city['name']} {what}" for what in _COMMON)
    found = [_sight(seed, city, name, rank) for rank, name in enumerate(names)]
    if known and city["name"] not in _QUOTED:  # of those that are best known, most people write
        counts = sorted((row["reviews"] for row in found), reverse=True)
        found = [
            {**row, "reviews": count + (_MANY if row["name"] in _WORLD_FAMOUS and count < _MANY else 0)}
            for row, count in zip(found, counts, strict=True)
        ]
    return tuple(found)


def _fee(seed: int, city: City, name: str, kind: str) -> int | None:
    if city["id"] in _famous():
        return _fees().get(name, 0)
    if (plain(city["name"]), city["country"]) in _further():
        return None
    return seeds.pick((5, 8, 10, 12), seed, "fee", city["id"]) if kind == "museum" else 0


@functools.cache
def _points() -> Mapping[str, tuple[float, float]]:
    own = [
        one.partition("=")[::2] for row in read_table("town_sights.tsv") for one in row["sights"].split(";")
    ]
    told = {name: (float(point.split(",")[0]), float(point.split(",")[1])) for name, point in own}
    return told | {
        row["name"]: (float(row["latitude"]), float(row["longitude"]))
        for row in read_table("sight_points.tsv")
    }


def _point(city: City, name: str) -> tuple[float, float]:
    """Where a sight is; the middle of its city where no table says it, and a common one somewhere near."""
    middle = city["latitude"], city["longitude"]
    if not name.startswith(f"{city['name']} "):
        found = _points().get(name, middle)
        return found if kilometres(*middle, *found) < 120 else middle
    aside = [0.02 * seeds.unit(0, "sight point", city["id"], name, axis) - 0.01 for axis in "yx"]
    near = round(middle[0] + aside[0], 4), round(middle[1] + aside[1], 4)
    return _points().get(name, near)


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
        entry_usd=_fee(seed, city, name, kind),
        latitude=latitude,
        longitude=longitude,
    )
