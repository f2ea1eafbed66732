"""Which places lie by the sea, and which port is the nearest to one that does not."""

import functools

from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.tables import kilometres, table_words
from toolyard.world.reference.climates import is_near_sea, is_on_coast, is_on_shore
from toolyard.world.reference.places.gazetteer import large_rows
from toolyard.world.reference.places.gazetteer import read_city as city_of_row
from toolyard.world.reference.places.geography import City, cities, plain

# Arms of the sea with large cities: the fjord of Oslo, Puget Sound, the bay of Chesapeake, the strait of Singapore (south,
# north, west, east).
_INLETS = ((59, 60, 10, 11), (47, 48.6, -123, -122), (38.5, 39.5, -77, -76), (1.1, 1.6, 103.5, 104.2))


def is_on_inlet(city: City) -> bool:
    """Whether a place lies on an arm of the sea."""
    return any(
        south <= city["latitude"] <= north and west <= city["longitude"] <= east
        for south, north, west, east in _INLETS
    )


def has_shore(city: City) -> bool:
    """Whether a place is near enough to the sea to have waves of its own."""
    return plain(city["name"]) not in _INLAND and is_near_sea(city["latitude"], city["longitude"])


# Waves farther away than this say nothing about a place.
_FARTHEST_COAST_KM = 400


def nearest_coast(city: City) -> City:
    """The nearest city by the sea with 150,000 people or more, whose waves are told for a place inland."""
    coast = _nearest_coast_city(city["latitude"], city["longitude"])
    far = kilometres(city["latitude"], city["longitude"], coast["latitude"], coast["longitude"])
    if far > _FARTHEST_COAST_KM:
        raise ToolFault(
            "out_of_range",
            f"{city['name']} lies inland, {far:.0f} km from {coast['name']}; ask for a place by the sea",
            parameter="q",
        )
    return coast


# Ports whose quarter of a degree is land, and cities a short way from the sea without a shore of their own.
_PORTS = frozenset(table_words("coasts.ports"))
_INLAND = frozenset(table_words("coasts.inland"))


def _reaches_the_sea(latitude: float, longitude: float, people: int, name: str) -> bool:
    """Whether a city lies on the coast; ports and the largest ones reach farther than their middle."""
    if is_on_coast(latitude, longitude):
        return True
    return (people > 2_000_000 or plain(name) in _PORTS) and is_near_sea(latitude, longitude)


_LARGE_BY_THE_SEA = 150_000
# A city that everybody knows is named instead of its suburbs, however much nearer they are.
_SUBURB_KM = 40


@functools.lru_cache(maxsize=1024)
def _nearest_coast_city(latitude: float, longitude: float) -> City:
    """The nearest large city by the sea: a well known one (which counts its suburbs), or another."""
    known = [row for row in cities() if row["population"] >= _LARGE_BY_THE_SEA]
    known.sort(key=lambda row: kilometres(latitude, longitude, row["latitude"], row["longitude"]))
    best = next(
        row
        for row in known
        if _reaches_the_sea(row["latitude"], row["longitude"], row["population"], row["name"])
    )
    limit = kilometres(latitude, longitude, best["latitude"], best["longitude"])
    places = ((kilometres(latitude, longitude, one[0], one[1]), one) for one in large_rows(_LARGE_BY_THE_SEA))
    nearer = sorted((place for place in places if place[0] < limit), key=lambda place: place[0])
    for _, (north, east, row) in nearer:
        suburb = kilometres(north, east, best["latitude"], best["longitude"]) < _SUBURB_KM
        if not suburb and (is_on_shore(north, east) or plain(row[0]) in _PORTS):
            return city_of_row(row)
    return best
