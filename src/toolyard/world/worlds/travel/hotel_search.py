"""Cities and hotels that a text names: a country, a city, a sight, an airport, or a house with or without its city."""

from __future__ import annotations

import functools
import re

from toolyard.world.shared.gazetteer import beginning
from toolyard.world.shared.geography import (
    City,
    all_airports,
    capital_city,
    cities,
    city_or_none,
    find_city,
    plain,
)
from toolyard.world.tables import complete
from toolyard.world.worlds.travel.destinations import city_of_airport, city_of_sight, country_meant
from toolyard.world.worlds.travel.hotel_names import hotel_name
from toolyard.world.worlds.travel.rooms import Hotel, hotels, house_count

Rows = list[tuple[City, Hotel | None]]
_TOWNS, _TOWN, _HOUSES, _LONGEST = 10, 5000, 12, 200
_LEADING = re.compile(
    r"(?:(?:the|best|cheap)\s+)*(?:hotels?|rooms?|stay)\s+(?:in|near|at|around|of)\s+(?:the\s+)?",
    re.IGNORECASE,
)
# Words around the name of a city that name no house.
_AROUND = frozenset("hotel hotels in near at the of best cheap a stay rooms".split())
# Real chains, whose houses are not among the simulated ones; who writes Marriott means no village of that name.
_CHAINS = frozenset(
    "hilton marriott hyatt sheraton novotel ritz radisson westin kempinski ibis mercure sofitel".split()
)


def _towns_of(query: str) -> list[City]:
    """The best known towns of the country that a text names, then others with an airport, ten in all; none otherwise."""
    country = country_meant(query)
    if country is None:
        return []
    code = country["code"]
    known = [city for city in cities() if city["country_code"] == code] or [capital_city(country)]
    if len(known) >= _TOWNS:
        return known[:_TOWNS]
    served = (
        city_or_none(f"{port['city']}, {code}") for port in all_airports() if port["country_code"] == code
    )
    towns = [city for city in served if city and city["country_code"] == code and city["population"] >= _TOWN]
    own = (*known, *sorted(towns, key=lambda city: -city["population"]))
    return list({city["id"]: city for city in own}.values())[:_TOWNS]


@functools.cache
def _houses() -> tuple[tuple[str, str, int], ...]:
    """Plain name, city and place of every hotel of the well-known cities."""
    return tuple(
        (plain(hotel_name(city, place)), city["id"], place)
        for city in cities()
        for place in range(house_count(city))
    )


@functools.cache
def _bearing() -> dict[str, frozenset[int]]:
    """Word -> the numbers of the hotels that bear it."""
    found: dict[str, set[int]] = {}
    for number, (name, _, _) in enumerate(_houses()):
        for word in name.split():
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@functools.cache
def _well_known() -> frozenset[str]:
    return frozenset(city["id"] for city in cities())


def _is_called(name: str, query: str) -> bool:
    """Whether a plain name has all words of a plain text, in any order."""
    return set(query.split()) <= set(name.split())


def _bearers(seed: int, query: str) -> Rows:
    """Hotels of the well-known cities that bear a name, those that are called just so first."""
    wanted = plain(query)
    words = [_bearing().get(word, frozenset()) for word in wanted.split()]
    found = [_houses()[number] for number in sorted(frozenset.intersection(*words))] if words else []
    found.sort(key=lambda house: house[0] != wanted)
    return [(find_city(place), hotels(seed, place)[number]) for _, place, number in found[:_HOUSES]]


def _named_cities(query: str) -> list[City]:
    """The well-known cities whose name stands in a text, those with the longest name."""
    words = f" {plain(query).replace(',', ' ')} "
    named = [city for city in cities() if f" {plain(city['name'])} " in words]
    longest = max((len(city["name"]) for city in named), default=0)
    return [city for city in named if len(city["name"]) == longest][:3]


def _meant(query: str) -> list[City]:
    """The cities that a text names, or that its letters begin."""
    found = complete(cities(), query, "name", 5)
    meant = city_of_sight(query) or city_or_none(query)
    meant = meant or (city_of_airport(query) if "airport" in plain(query) else None)
    if not meant and not found:
        named = _named_cities(query)
        bare = set(plain(query).split()) - _AROUND
        meant = named[0] if named and bare <= set(plain(named[0]["name"]).split()) else None
    found = [meant, *found] if meant else found
    return list({city["id"]: city for city in found}.values())


def search_places(seed: int, query: str) -> Rows:
    """Cities, then hotels: a country brings its towns with a house of each, a city its houses; else houses so called."""
    if len(query) > _LONGEST:
        return []
    leading = _LEADING.match(query.strip())
    query = query.strip()[leading.end() :] if leading else query
    if _CHAINS & set(plain(query).replace("-", " ").split()):
        return [(city, None) for city in _named_cities(query)]
    inland = _towns_of(query)
    if inland and all(plain(town["name"]) != plain(query) for town in inland):
        return [*((town, None) for town in inland), *((town, hotels(seed, town["id"])[0]) for town in inland)]
    found = _meant(query)
    if found:
        bearers = _bearers(seed, query) if found[0]["id"] not in _well_known() else []
        if bearers:
            return [(found[0], None), *bearers]
        own = hotels(seed, found[0]["id"])
        first = sorted(own, key=lambda house: not _is_called(plain(house["name"]), plain(query)))
        return [*((city, None) for city in found), *((found[0], house) for house in first)]
    named = _named_cities(query)
    inside: Rows = [
        (city, house) for city in named for house in hotels(seed, city["id"]) if _is_house(house, city, query)
    ]
    return (
        inside
        or _bearers(seed, query)
        or [(city, None) for city in named]
        or [(city, None) for city in beginning(query, _LONGEST)[:5]]
    )


def _is_house(house: Hotel, city: City, query: str) -> bool:
    """Whether a hotel bears all words of a text but those of its city."""
    name, place = set(plain(house["name"]).split()), set(plain(city["name"]).split())
    return set(plain(query).replace(",", " ").split()) <= name | place
