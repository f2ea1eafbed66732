"""How many people fly: between two cities, and on one airline's route."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.shared.geography import City, airport_keys, read_table
from toolyard.world.state import World
from toolyard.world.tables import kilometres
from toolyard.world.worlds.travel.air import Route, airports_of, city_of_code, find_airline, flights, leaving

# Of pairs that no table tells, fewer fly than on the busiest ones.
_LESS = 0.45
_LONG_KM = 3_500
# Of how many pairs of a city passengers must be known to tell where most people fly.
_ENOUGH = 8


@functools.cache
def _busy() -> Mapping[frozenset[str], int]:
    """Two cities -> thousands of people who fly one way in a month, about, on the busiest routes of 2023."""
    return {
        frozenset((row["city"], other.rpartition(" ")[0])): int(other.rpartition(" ")[2])
        for row in read_table("busy_routes.tsv")
        for other in row["others"].split(";")
    }


@functools.cache
def _pairs_of() -> Mapping[str, int]:
    """City -> of how many of its pairs the table tells how many people fly."""
    return Counter(name for pair in _busy() for name in pair)


def ranked_targets(world: World, start: City, legs: Sequence[Route]) -> list[City]:
    """Where flights from a city go, the best first: by passengers where they are on record, else by number of airlines."""
    airlines: dict[str, set[str]] = {}
    for leg in sorted(legs, key=lambda leg: leg["destination"]):
        airlines.setdefault(city_of_code(leg["destination"])["id"], set()).add(leg["airline"])
    ends = {(city := city_of_code(leg["destination"]))["id"]: city for leg in legs}
    if _pairs_of().get(start["name"], 0) >= _ENOUGH:
        told = [city for city in ends.values() if _known(start, city)]
        return sorted(told, key=lambda city: (-travellers(world, start, city), city["id"]))
    return sorted(
        ends.values(), key=lambda city: (-len(airlines[city["id"]]), -city["population"], city["id"])
    )


def _known(start: City, target: City) -> int | None:
    return _busy().get(frozenset((start["name"], target["name"])))


@seeds.remembered(4096)
def _size(seed: int, port: str, abroad: bool) -> int:
    """How many flights leave an airport for other countries, or for towns of its own; one at least."""
    own = airport_keys()[port]["country_code"]
    ends = (airport_keys()[leg["destination"]]["country_code"] for leg in leaving(seed, port))
    return max(1, sum((country != own) == abroad for country in ends))


def _rank(seed: int, port: str, abroad: bool) -> float:
    """How large an airport is beside the largest of its city, for such flights."""
    others = (row["iata"] for row in airports_of(city_of_code(port)))
    size = _size(seed, port, abroad)
    return size / max(size, *(_size(seed, other, abroad) for other in others), 1)


def _weight(seed: int, route: Route) -> float:
    """How much of the traffic between two cities a flight takes: more at home, from main airports, and cheap if short."""
    airline = find_airline(route["airline"])
    ports = (route["origin"], route["destination"])
    place = min((airline["hubs"].index(port) for port in ports if port in airline["hubs"]), default=3)
    one, other = (airport_keys()[port]["country_code"] for port in ports)
    rank = _rank(seed, ports[0], one != other) * _rank(seed, ports[1], one != other)
    cheap = (1.6 if route["distance_km"] < _LONG_KM else 0.5) if airline["low_cost"] else 1.0
    return (3.2, 1.5, 1.1, 0.9)[min(place, 3)] * rank * cheap


@seeds.remembered(4096)
def _shared_by(seed: int, start: str, target: str) -> float:
    """What the flights of all airlines between the airports of two cities (by a code of each) weigh."""
    return added(
        _weight(seed, flight)
        for port in airports_of(city_of_code(start))
        for other in airports_of(city_of_code(target))
        for flight in flights(seed, port["iata"], other["iata"])
    )


def on_board(world: World, route: Route) -> int:
    """Passengers of a route in a month: about as many there as back."""
    start, target = city_of_code(route["origin"]), city_of_code(route["destination"])
    ports = sorted((route["origin"], route["destination"]))
    share = 0.5 + 0.4 * seeds.unit(world.seed, "share", route["airline"], *ports)
    lean = 0.97 + 0.06 * seeds.unit(world.seed, "lean", route["number"])
    hubs = find_airline(route["airline"])["hubs"]
    place = min((hubs.index(port) for port in ports if port in hubs), default=0)
    if _known(start, target):
        own = _weight(world.seed, route)
        part = min(0.9, own / max(own, _shared_by(world.seed, *ports))) * (0.85 + share / 5)
        return int(travellers(world, start, target) * part * lean)
    return int(travellers(world, start, target) * share * lean * (1.6, 1.1, 0.9, 0.7)[min(place, 3)])


def travellers(world: World, start: City, target: City) -> int:
    """How many people fly between two cities a month: fewer the farther they are, few where a train would do."""
    one, other = sorted((start["id"], target["id"]))
    known = _known(start, target)
    if known:
        return int(1000 * known * (0.94 + 0.12 * seeds.unit(world.seed, "passengers", one, other)))
    away = kilometres(start["latitude"], start["longitude"], target["latitude"], target["longitude"])
    near = min(1.0, away / 700) ** 1.5 / (1 + away / 1200) ** 1.6
    abroad = 1.0 if start["country_code"] == target["country_code"] else 0.55
    size = (start["population"] * target["population"]) ** 0.25
    luck = 8 + 6 * seeds.unit(world.seed, "passengers", one, other)
    return int(8 * _LESS * near * abroad * size * luck)
