"""Cities and hotels that a text names: a country, a city, a sight, an airport, or a house with or without its city."""

import functools
import re

from toolyard.world.kernel.tables import complete, plain
from toolyard.world.reference.places.gazetteer import beginning
from toolyard.world.reference.places.geography import City, capital_city, cities, city_or_none, find_city
from toolyard.world.simulated.travel.destinations import city_of_airport, city_of_sight, find_country_meant
from toolyard.world.simulated.travel.rooms import Hotel, hotel_name, hotels, house_count

Rows = list[tuple[City, Hotel | None]]
_TOWNS, _HOUSES, _LONGEST = 10, 12, 200
# A smaller place gives way to hotels of its name.
_TOWN = 50_000
_LEADING = re.compile(
    r"(?:(?:the|best|cheap)\s+)*(?:hotels?|rooms?|stay)\s+(?:in|near|at|around|of)\s+(?:the\s+)?",
    re.IGNORECASE,
)


def _query_words(text: str) -> list[str]:
    return plain(text).replace(",", " ").split()


@functools.cache
def _known_hotels() -> tuple[tuple[str, str, int], ...]:
    """Plain name, city and place of every hotel of the well-known cities."""
    return tuple(
        (plain(hotel_name(city, place)), city["id"], place)
        for city in cities()
        for place in range(house_count(city))
    )


@functools.cache
def _hotels_by_word() -> dict[str, frozenset[int]]:
    """Word -> the numbers of the hotels that bear it or whose city does."""
    found: dict[str, set[int]] = {}
    towns = {city["id"]: city["name"] for city in cities()}
    for number, (name, city, _) in enumerate(_known_hotels()):
        for word in _query_words(f"{name} {towns[city]}"):
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


def _hotels_named(seed: int, query: str) -> Rows:
    """Hotels of the well-known cities with all words of a text in their name or city, those called just so first."""
    words = [_hotels_by_word().get(word, frozenset()) for word in _query_words(query)]
    found = [_known_hotels()[number] for number in sorted(frozenset.intersection(*words))] if words else []
    found.sort(key=lambda house: house[0] != plain(query))
    return [(find_city(place), hotels(seed, place)[number]) for _, place, number in found[:_HOUSES]]


def _cities_named(query: str) -> list[City]:
    """The city that a text names, by itself or by a sight or airport, and those that its letters begin."""
    meant = city_of_sight(query) or city_or_none(query)
    meant = meant or (city_of_airport(query) if "airport" in plain(query) else None)
    found = ([meant] if meant else []) + complete(cities(), query, "name", 5)
    return list({city["id"]: city for city in found}.values())


def search_places(seed: int, query: str) -> Rows:
    """Cities, then hotels: a country brings its towns with a house of each, a city its houses; else houses so called."""
    if len(query) > _LONGEST:
        return []
    query = _LEADING.sub("", query.strip(), count=1)
    country = find_country_meant(query)
    if country:
        own = [city for city in cities() if city["country_code"] == country["code"]][:_TOWNS]
        towns = own or [capital_city(country)]
        return [*((town, None) for town in towns), *((town, hotels(seed, town["id"])[0]) for town in towns)]
    found = _cities_named(query)
    if found and not (found[0]["population"] < _TOWN and _hotels_named(seed, query)):
        return [
            *((city, None) for city in found),
            *((found[0], hotel) for hotel in hotels(seed, found[0]["id"])),
        ]
    return _hotels_named(seed, query) or [(city, None) for city in beginning(query, _LONGEST)[:5]]
