"""Where a traveller wants to go: a city, an address, an airport or a sight."""

import functools
import re

from toolyard.world.kernel.faults import ToolFault, not_found
from toolyard.world.kernel.tables import plain
from toolyard.world.reference.places.geography import (
    Airport,
    City,
    Country,
    airport_city,
    capital_city,
    cities,
    city_in_address,
    city_or_none,
    country_or_none,
    find_airport,
    find_city,
    place_in_address,
)
from toolyard.world.reference.places.sights import famous_cities, sights_in
from toolyard.world.simulated.travel.network import airport_named

_LARGE = 200_000  # people of a town that is meant rather than a country of its name
_POST_CODE = re.compile(r"(?<=, )(?:[A-Z]-)?\d{4,6} (?=[^\W\d])")


@functools.cache
def _cities_of_sights() -> dict[str, str]:
    """Name of a sight -> its city; a name that sights of several cities have (Chinatown) tells none."""
    found: dict[str, list[str]] = {}
    for city in famous_cities():
        for row in sights_in(city):
            found.setdefault(plain(row["name"]), []).append(city)
    return {name: places[0] for name, places in found.items() if len(places) == 1}


def _sight_key(text: str) -> str | None:
    wanted = plain(text.strip()).removeprefix("the ")
    names = (wanted, f"the {wanted}", f"{wanted} museum", wanted.removesuffix(" museum"))
    return next((name for name in names if name in _cities_of_sights()), None)


def city_of_sight(text: str) -> City | None:
    """The city of a well-known sight, with or without its article or the word museum."""
    key = _sight_key(text)
    return find_city(_cities_of_sights()[key]) if key else None


def point_of(text: str) -> tuple[float, float] | None:
    """Where a well-known sight or an airport is; none of a city or an address."""
    key = _sight_key(text)
    if key:
        rows = sights_in(_cities_of_sights()[key])
        return next((row["latitude"], row["longitude"]) for row in rows if plain(row["name"]) == key)
    port = named_airport(text)
    return (port["latitude"], port["longitude"]) if port else None


def city_of_airport(text: str) -> City | None:
    """The city of an airport by code or name."""
    try:
        return airport_city(find_airport(text.strip()))
    except ToolFault:
        named = airport_named(text)
    return airport_city(named) if named else None


def named_airport(text: str) -> Airport | None:
    """The airport that a text names by code or name; none where it names a sight, an address or a city."""
    if city_of_sight(text) or (
        city_in_address(text) and not (len(text.strip()) == 3 and text.strip().isupper())
    ):
        return None
    try:
        return find_airport(text.strip())
    except ToolFault:
        return airport_named(text)


def find_country_meant(text: str) -> Country | None:
    """The country of a name that no large town elsewhere bears: Malta is no village of Montana."""
    country = country_or_none(text) if len(text.strip()) > 3 else None
    town = city_or_none(text) if country else None
    if country and town and town["country_code"] != country["code"] and town["population"] >= _LARGE:
        return None
    return country


def _capital_named(text: str) -> City | None:
    """The capital of a country that is named; none where a town of it bears the name."""
    country = find_country_meant(text)
    town = city_or_none(text) if country else None
    if country is None or (town and town["country_code"] == country["code"]):
        return None
    return capital_city(country)


def city_meant(text: str) -> City:
    """The city of a name, or the capital of a country; a not_found fault otherwise."""
    return _capital_named(text) or find_city(text)


def _city_of_address(text: str) -> City | None:
    """The city that an address is in, whatever quarter it names."""
    found = place_in_address(text)
    return found[0] if found else None


def destination_city(text: str) -> City:
    """The city of a name, address, airport code or sight; a not_found fault otherwise."""
    wanted = text.strip()[:200]
    bare = _POST_CODE.sub("", wanted)
    found = (
        city_of_sight(wanted) or _capital_named(wanted) or _city_of_address(wanted) or city_of_airport(wanted)
    )
    found = found or (_city_of_address(bare) if bare != wanted else None)
    if found:
        return found
    named = [city for city in cities() if plain(wanted).startswith(f"{plain(city['name'])} ")]
    if named:
        return named[0]
    raise not_found(
        "destination",
        text[:60],
        such_as=("Seattle", "Paris", "Eiffel Tower", "LHR"),
        listed_by="Travel/Hotels/search_locations",
    )
