"""The lowest fares of each day of a calendar of departures or returns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from toolyard.world.shared.geography import City
from toolyard.world.state import World
from toolyard.world.worlds.travel.fares import Fare, cheapest, fares, period

_CHANGE = 60  # minutes between an arrival and the way back


def _follows(back: Fare, out: Fare) -> bool:
    """Whether a way back leaves after the arrival, with an hour between."""
    arrives = out["way"]["legs"][0]["departs"] + out["way"]["minutes"] + _CHANGE
    return 1440 * (back["day"] - out["day"]).days + back["way"]["legs"][0]["departs"] >= arrives


def way_home(world: World, target: City, origin: City, back: list[date], out: Fare) -> Fare | None:
    """The lowest fare back after a way out, non-stop after a non-stop one; among several days from the next on."""
    stops = None if out["way"]["stops"] else 0
    least = out["day"] + timedelta(days=1 if len(back) > 1 else 0)
    later = fares(world, target, origin, [day for day in back if day >= least], stops)
    return cheapest(fare for fare in later if _follows(fare, out))


def calendar_days(world: World, text: str | None, parameter: str) -> list[date]:
    """The days of a month, or the thirty from a day on."""
    days = period(world, text, parameter, 30)
    return days if len(days) > 1 else [days[0] + timedelta(days=n) for n in range(30)]


def by_departure(
    world: World, start: City, target: City, days: list[date], back: list[date], length: int | None
) -> Iterator[tuple[date, Fare, Fare | None]]:
    """Each day with its lowest fare, and the way back where one is wanted."""
    for day in days:
        fare = cheapest(fares(world, start, target, [day]))
        returns = [day + timedelta(days=length)] if length else back
        way_back = way_home(world, target, start, returns, fare) if fare and returns else None
        if fare and (way_back or not returns):
            yield day, fare, way_back


def by_return(
    world: World, start: City, target: City, days: list[date], leaving_on: list[date], length: int | None
) -> Iterator[tuple[date, Fare, Fare | None]]:
    """Each day of return with its lowest fare back and the lowest one there on a day before, or so many days before."""
    if length:
        leaving_on = [out for day in days if (out := day - timedelta(days=length)) >= world.today]
    there = {out: cheapest(fares(world, start, target, [out])) for out in leaving_on}
    for day in days:
        wanted = [day - timedelta(days=length)] if length else [out for out in there if out < day]
        way_back = cheapest(fares(world, target, start, [day]))
        found = [there[out] for out in wanted if out in there]
        fare = cheapest(out for out in found if out and way_back and _follows(way_back, out))
        if fare and way_back:
            yield day, fare, way_back
