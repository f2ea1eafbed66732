"""The further flights of a day: on busy routes an airline leaves more than once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolyard.world import seeds
from toolyard.world.shared.geography import City
from toolyard.world.state import World
from toolyard.world.worlds.travel.fares import Fare, Way
from toolyard.world.worlds.travel.flight_numbers import is_known
from toolyard.world.worlds.travel.scheduled import Route
from toolyard.world.worlds.travel.travellers import travellers

_FIRST, _SPAN = 360, 900  # minutes of the day
_PEOPLE, _MOST = 15_000, 6  # a month, for each further flight of a day
_FAR_KM = 4500
# The busiest routes have so many people a month; there an airline whose first number is well known has more flights.
_BUSIEST = 60_000


def of_the_day(world: World, start: City, target: City, found: Iterable[Fare]) -> Iterator[Fare]:
    """The fares, each cheapest of its airline, followed by those of the same airline's other flights on a busy route."""
    people = travellers(world, start, target)
    for fare in found:
        yield fare
        leg = fare["way"]["legs"][0]
        if fare["way"]["stops"] or leg["distance_km"] > _FAR_KM:
            continue
        count = _flights(people, known=is_known(*_key(leg)))
        for place in range(1, count):
            dearer = 1.05 + 0.35 * seeds.unit(world.seed, "further flight", leg["number"], fare["day"], place)
            way = Way(**{**fare["way"], "legs": [_later(leg, place, count)]})
            yield Fare(way=way, day=fare["day"], usd=round(fare["usd"] * dearer, 2))


def _flights(people: int, *, known: bool) -> int:
    """How many flights an airline has a day; one alone where its number is well known, but for the busiest routes."""
    if known:
        return _MOST if people >= _BUSIEST else 1
    return min(_MOST, 1 + people // _PEOPLE)


def _key(leg: Route) -> tuple[str, str, str]:
    return leg["airline"], leg["origin"], leg["destination"]


def _later(leg: Route, place: int, count: int) -> Route:
    """The next flight of an airline on its route: its number is even where the first is."""
    number = int(leg["number"][2:]) + 2 * place
    minute = (leg["departs"] - _FIRST + place * _SPAN // count) % _SPAN // 5 * 5
    return Route(**{**leg, "number": f"{leg['airline']}{number}", "departs": _FIRST + minute})
