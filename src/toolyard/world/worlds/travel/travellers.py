"""How many people fly: between two cities, and on one airline's route."""

from __future__ import annotations

from toolyard.world import seeds
from toolyard.world.shared.geography import City
from toolyard.world.state import World
from toolyard.world.tables import kilometres
from toolyard.world.worlds.travel.air import Route, city_of_code, find_airline


def on_board(world: World, route: Route) -> int:
    """Passengers of a route in a month: about as many there as back."""
    start, target = city_of_code(route["origin"]), city_of_code(route["destination"])
    ports = sorted((route["origin"], route["destination"]))
    share = 0.5 + 0.4 * seeds.unit(world.seed, "share", route["airline"], *ports)
    lean = 0.97 + 0.06 * seeds.unit(world.seed, "lean", route["number"])
    hubs = find_airline(route["airline"])["hubs"]
    place = min((hubs.index(port) for port in ports if port in hubs), default=0)
    return int(travellers(world, start, target) * share * lean * (1.6, 1.1, 0.9, 0.7)[min(place, 3)])


def travellers(world: World, start: City, target: City) -> int:
    """How many people fly between two cities a month: fewer the farther they are, few where a train would do."""
    away = kilometres(start["latitude"], start["longitude"], target["latitude"], target["longitude"])
    near = min(1.0, away / 700) ** 1.5 / (1 + away / 1200) ** 1.6
    abroad = 1.0 if start["country_code"] == target["country_code"] else 0.55
    size = (start["population"] * target["population"]) ** 0.25
    one, other = sorted((start["id"], target["id"]))
    luck = 8 + 6 * seeds.unit(world.seed, "passengers", one, other)
    return int(8 * near * abroad * size * luck)
