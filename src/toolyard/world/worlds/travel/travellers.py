"""How many people fly: between two cities, and on one airline's route."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.world import seeds
from toolyard.world.shared.geography import City, read_table
from toolyard.world.state import World
from toolyard.world.tables import kilometres
from toolyard.world.worlds.travel.air import Route, airports_of, city_of_code, find_airline, flights

# Of pairs that no table tells, fewer fly than on the busiest ones.
_LESS = 0.45


@functools.cache
def _busy() -> Mapping[frozenset[str], int]:
    """Two cities -> thousands of people who fly one way in a month, about, on the busiest routes of 2023."""
    return {
        frozenset((row["city"], other.rpartition(" ")[0])): int(other.rpartition(" ")[2])
        for row in read_table("busy_routes.tsv")
        for other in row["others"].split(";")
    }


def _known(start: City, target: City) -> int | None:
    return _busy().get(frozenset((start["name"], target["name"])))


@seeds.remembered(4096)
def _shared_by(seed: int, start: str, target: str) -> int:
    """How many flights of airlines there are between the airports of two cities (by a code of each)."""
    return sum(
        len(flights(seed, port["iata"], other["iata"]))
        for port in airports_of(city_of_code(start))
        for other in airports_of(city_of_code(target))
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
        rivals = max(1, _shared_by(world.seed, *ports))
        part = min(0.9, (1.25, 1.0, 0.9, 0.8)[min(place, 3)] / rivals) * (0.75 + share / 3)
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
