"""Flights to search among, by airports and airline, direct and with a change."""

from __future__ import annotations

from collections.abc import Iterable

from toolyard.world.shared.geography import airport_keys
from toolyard.world.tables import kilometres
from toolyard.world.worlds.travel.air import Route, flights, flown_by, leaving, routes
from toolyard.world.worlds.travel.airspace import is_detour


def timetable(seed: int, start: str | None, end: str | None, carrier: str | None) -> Iterable[Route]:
    """The flights among which to search, as few as will do."""
    if carrier:
        return flown_by(seed, carrier)
    if start and end:
        return flights(seed, start, end)
    if start:
        return leaving(seed, start)
    if end and end in airport_keys():
        starts = dict.fromkeys(back["destination"] for back in leaving(seed, end))
        return (route for name in starts for route in flights(seed, name, end))
    return (route for found in routes(seed).values() for route in found)


def with_change(seed: int, start: str, end: str, carrier: str | None) -> list[list[Route]]:
    """The ways with one change of the same airline, the shortest first, long detours left out."""
    one, other = airport_keys()[start], airport_keys()[end]
    away = kilometres(one["latitude"], one["longitude"], other["latitude"], other["longitude"])
    ways = [
        [first, second]
        for first in leaving(seed, start)
        if first["destination"] != end and carrier in (None, first["airline"])
        for second in flights(seed, first["destination"], end)
        if second["airline"] == first["airline"]
        and not is_detour(first["distance_km"] + second["distance_km"], away)
    ]
    return sorted(ways, key=lambda legs: legs[0]["distance_km"] + legs[1]["distance_km"])
