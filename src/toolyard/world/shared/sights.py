"""Sights of cities: real ones where they are known, a museum, a garden, a market and a park elsewhere.

{"name": "Eiffel Tower", "city": "Paris", "rating": 4.7, "reviews": 48211, "category": "landmark", ...}
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple, TypedDict

from toolyard.world import seeds
from toolyard.world.shared.geography import City, cities, find_city, find_country, read_table
from toolyard.world.tables import kilometres, plain
from toolyard.world.types import CityName, Latitude, Longitude, SightName

_KINDS = (
    ("museum", ("museum", "gallery", "galleria", "louvre", "rijks", "prado", "musée", "museo ", "museu ", "pinako")),
    ("park", ("park", "parc ", "garden", " zoo", "zoo ", "aquarium")),
    ("religious site", ("cathedral", "basilica", "temple", "mosque", "shrine", "church", "wat ", "abbey", "monastery",
                        "pagoda", "masjid", "synagogue", "chapel", "-ji ", "-dera ", "sagrada", "hagia ", "kirche ",
                        "minster ", "münster ", "kirkja", "koutoubia", "western wall", "dome of the rock")),
    ("palace", ("palace", "palazzo", "castle", "fort ", "fortress", "alcázar", "hofburg")),
    ("beach", ("beach", "strand")),
    ("market", ("market", "bazaar", "souk", "souq")),
    ("nature", ("lake ", "mountain", "mount ", "falls ", " island", " bay ")),
)  # fmt: skip


# What is none of these kinds, whatever its name has.
_NAMED_ONLY = frozenset(
    ("Basilica Cistern", "Temple Bar", "Temple Square", "Marina Bay Sands", "Fenway Park", "Forth Bridge",
     "East Side Gallery", "Palace of Fine Arts", "Palace of Culture and Science", "Fort Kochi", "Castle Hill",
     "Palace of the Parliament", "Alcatraz Island", "Granville Island", "Market Square", "Main Market Square",
     "Old Town Market Place", "Hallstatt Market Square", "Galleria Vittorio Emanuele II", "Palazzo Pubblico",
     "Mount of Olives", "Universal Studios Hollywood", "Palace of Westminster", "Mount Rushmore", "Victoria Falls Bridge",
     "Lotte World Tower", "Bayside Marketplace", "Federal Palace of Switzerland", "National Congress Palace")
)  # fmt: skip
# What a name does not tell.
_TOLD = {
    **dict.fromkeys(("Art Institute of Chicago", "Mozart's Birthplace", "The Broad",
                     "Jim Thompson House", "Anne Frank House"), "museum"),
    **dict.fromkeys(("Belvedere", "Kremlin", "Peterhof"), "palace"),
    **dict.fromkeys(("Prater", "Vondelpark", "Kirstenbosch", "Skansen", "Gellért Hill", "Ubud Monkey Forest"), "park"),
}  # fmt: skip
_PLACES_OF_WORSHIP = frozenset(
    ("Angkor Wat", "Borobudur", "Prambanan", "Tanah Lot", "Doi Suthep", "Akshardham", "Florence Cathedral", "Batu Caves")
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
    if name in _PLACES_OF_WORSHIP:
        return "religious site"
    if name in _TOLD:
        return _TOLD[name]
    lower = f"{name.lower()} "
    return next((kind for kind, words in _KINDS if any(word in lower for word in words)), "landmark")


@functools.cache
def _fees() -> Mapping[str, int]:
    return {name: int(row["usd"]) for row in read_table("sight_fees.tsv") for name in row["names"].split(";")}


class _Told(NamedTuple):
    """What the table of towns says of a sight."""

    point: tuple[float, float]
    fee: int | None
    kind: str


@functools.cache
def _own() -> Mapping[tuple[str, str], Mapping[str, _Told]]:
    """(City, country) -> sights with latitude, longitude and, where they are told, fee and kind."""
    found: dict[tuple[str, str], dict[str, _Told]] = {}
    for row in read_table("town_sights.tsv"):
        names = found.setdefault((plain(row["city"]), row["country"]), {})
        for one in row["sights"].split(";"):
            name, _, told = one.partition("=")
            north, east, fee, kind = (*told.split(","), "", "")[:4]
            names[name] = _Told((float(north), float(east)), int(fee) if fee else None, kind)
    return found


@functools.cache
def _further() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(City, country) -> museums and landmarks whose place is known."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in read_table("sights_and_museums.tsv"):
        for entry in row["names"].split(";"):
            name, _, city = entry.partition("@")
            if name in _points():
                found.setdefault((plain(city), find_country(row["country"])["code"]), []).append(name)
    return {key: tuple(names) for key, names in found.items()}


def _known(city: City) -> tuple[str, ...]:
    """The sights of a city that are known by name, the best known first; none of a namesake far away."""
    key = plain(city["name"]), city["country_code"]
    own = {name: told.point for name, told in _own().get(key, {}).items()}
    famous = _famous().get(city["id"], ())
    names = dict.fromkeys((*famous, *own, *(() if famous else _further().get(key, ()))))
    middle = city["latitude"], city["longitude"]
    near = (
        name
        for name in names
        if name in famous or kilometres(*middle, *(own.get(name) or _points()[name])) < _FAR
    )
    return tuple(near)[:_MOST]


def has_known_sights(city: City) -> bool:
    """Whether sights of a city are known by name."""
    return bool(_known(city))


_MANY, _MOST, _FAR = 15_000, 12, 120
# People who come to see a town, at least and at most where its sights are not famous, and where they are.
_VISITORS, _SEEN, _FAMED = 400_000, 900_000, 3_000_000
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
    known = _known(city)
    names = known or tuple(f"{city['name']} {what}" for what in _COMMON)
    found = [_sight(seed, city, name, rank) for rank, name in enumerate(names)]
    if not known:
        return tuple(found)
    counts = sorted((row["reviews"] for row in found), reverse=True)
    rows, least = [], 0
    for row, count in reversed(list(zip(found, counts, strict=True))):
        # Of those that are best known, most people write.
        least = max(least, count + (_MANY if row["name"] in _WORLD_FAMOUS else 0))
        rows.append(Sight(**{**row, "reviews": least}))
        least += 1 + least // 40
    return tuple(reversed(rows))


def _fee(seed: int, city: City, name: str, kind: str) -> int | None:
    told = _own().get((plain(city["name"]), city["country_code"]), {}).get(name)
    if told:
        return told.fee
    if name in _famous().get(city["id"], ()):
        return _fees().get(name, 0)
    if has_known_sights(city):
        return _fees().get(name)
    return seeds.pick((5, 8, 10, 12), seed, "fee", city["id"]) if kind == "museum" else 0


@functools.cache
def _points() -> Mapping[str, tuple[float, float]]:
    return {
        row["name"]: (float(row["latitude"]), float(row["longitude"]))
        for row in read_table("sight_points.tsv")
    }


def _point(city: City, name: str) -> tuple[float, float]:
    """Where a sight is; the middle of its city where no table says it, and a common one somewhere near."""
    middle = city["latitude"], city["longitude"]
    told = _own().get((plain(city["name"]), city["country_code"]), {}).get(name)
    if told:
        return told.point
    found = _points().get(name)
    if found and kilometres(*middle, *found) < _FAR:
        return found
    if not name.startswith(f"{city['name']} "):
        return middle
    aside = [0.02 * seeds.unit(0, "sight point", city["id"], name, axis) - 0.01 for axis in "yx"]
    return round(middle[0] + aside[0], 4), round(middle[1] + aside[1], 4)


def _visitors(city: City) -> int:
    if city["id"] in _famous():
        return max(city["population"], _FAMED)
    return min(max(city["population"], _VISITORS), _SEEN)


def _sight(seed: int, city: City, name: str, rank: int) -> Sight:
    chance = seeds.stream(seed, "sight", city["id"], name)
    told = _own().get((plain(city["name"]), city["country_code"]), {}).get(name)
    kind = (told and told.kind) or _kind(name)
    latitude, longitude = _point(city, name)
    return Sight(
        name=name,
        city=city["name"],
        category=kind,
        rating=round(4.8 - 0.04 * rank - 0.2 * chance.random(), 1),
        reviews=int(_visitors(city) ** 0.5 * (3 + 20 * chance.random())),
        entry_usd=_fee(seed, city, name, kind),
        latitude=latitude,
        longitude=longitude,
    )
