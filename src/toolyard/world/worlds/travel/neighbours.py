"""Cities with an airport near another city."""

from __future__ import annotations

import itertools

from toolyard.world.shared.geography import City, cities
from toolyard.world.tables import kilometres
from toolyard.world.worlds.travel.air import airports_of, city_airports

_LARGE = 300_000
_DRIVE_KM = 230.0


def _near(city: City, count: int) -> list[City]:
    """A city with an airport and those closest to it."""
    served = [row for row in cities() if row["id"] in city_airports()]
    served.sort(
        key=lambda row: kilometres(city["latitude"], city["longitude"], row["latitude"], row["longitude"])
    )
    return served[:count]


def beside(city: City, other: City, count: int) -> list[City]:
    """A city with an airport and those closest to it: within an hour or two, or half the way, and nearer than the other."""
    most = max(_DRIVE_KM, 0.5 * _apart(city, other))
    around = (
        row
        for row in _near(city, len(cities()))
        if row["id"] not in (city["id"], other["id"]) and _apart(city, row) < min(most, _apart(other, row))
    )
    return [city, *itertools.islice(around, count - 1)]


def _apart(one: City, other: City) -> float:
    return kilometres(one["latitude"], one["longitude"], other["latitude"], other["longitude"])


def with_airport(place: City) -> City:
    """A large city that has an airport itself, else the closest one of the country, else the closest one."""
    if place["population"] >= _LARGE and airports_of(place):
        return place
    inland = [row for row in _near(place, len(cities())) if row["country_code"] == place["country_code"]]
    return inland[0] if inland else _near(place, 1)[0]
