"""The timetable: airlines, and the flights between the airports that they are known to join.

{"airline": "AF", "origin": "CDG", "destination": "MAD", "distance_km": 1063.1, "number": "AF1300", "departs": 615, ...}
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.shared.geography import Airport, airport_keys, read_table
from toolyard.world.tables import kilometres
from toolyard.world.types import AirlineCode, AirportCode, CountryCode, Semantic
from toolyard.world.worlds.travel.airspace import round_minutes
from toolyard.world.worlds.travel.fleets import AircraftCode, flown_with
from toolyard.world.worlds.travel.flight_numbers import flight_number, known_aircraft

FlightNumber = Annotated[str, Semantic("flight_number")]
Pair = tuple[AirportCode, AirportCode]
_FARTHEST_KM = 15_400  # nor farther without a stop
_OVER_THE_SEA, _MID_ATLANTIC = 4_500, -30  # kilometres, degrees of longitude


class Airline(TypedDict):
    """An airline and the airports that it flies from."""

    iata: AirlineCode
    icao: str
    name: str
    country_code: CountryCode
    alliance: str
    hubs: list[AirportCode]
    low_cost: bool
    fleet: list[str]


class Route(TypedDict):
    """A scheduled flight; times are minutes after midnight, days are Monday to Sunday."""

    airline: AirlineCode
    origin: AirportCode
    destination: AirportCode
    distance_km: float
    number: FlightNumber
    departs: int
    minutes: int
    days: tuple[bool, ...]


@functools.cache
def airlines() -> Mapping[str, Airline]:
    """Airlines by IATA code."""
    return {
        row["iata"]: Airline(
            iata=row["iata"],
            icao=row["icao"],
            name=row["name"],
            country_code=row["country"],
            alliance=row["alliance"],
            hubs=row["hubs"].split(","),
            low_cost=row["lowcost"] == "yes",
            fleet=row["fleet"].split(","),
        )
        for row in read_table("airlines.tsv")
    }


def _recorded() -> Iterator[tuple[AirlineCode, AirportCode, AirportCode]]:
    """Airline, hub and airport of every route on record."""
    for row in (*read_table("airline_routes.tsv"), *read_table("further_routes.tsv")):
        for name in row["airports"].split():
            yield row["airline"], row["hub"], name


@functools.cache
def _lengths() -> Mapping[Pair, float]:
    """(origin, destination) of the routes on record -> kilometres; those are left out that nobody flies without a stop."""
    ports = airport_keys()
    ways = dict.fromkeys((hub, port) for _, hub, port in _recorded())
    found = {way: far(ports[way[0]], ports[way[1]]) for way in ways}
    return {way: away for way, away in found.items() if away < _FARTHEST_KM}


def far(one: Airport, other: Airport) -> float:
    """Kilometres between two airports."""
    return kilometres(one["latitude"], one["longitude"], other["latitude"], other["longitude"])


@functools.cache
def _hubs() -> frozenset[str]:
    return frozenset(hub for airline in airlines().values() for hub in airline["hubs"])


def _departs(key: int, origin: Airport, destination: Airport, distance: float) -> int:
    """When a flight leaves: over the Atlantic eastwards in the evening, westwards by day, others from six to nine."""
    here, there = origin["longitude"], destination["longitude"]
    minute = key // 9000
    if distance > _OVER_THE_SEA and here < _MID_ATLANTIC < there < 60:
        return 1020 + minute % 360 // 5 * 5
    if distance > _OVER_THE_SEA and there < _MID_ATLANTIC < here < 60:
        return 540 + minute % 540 // 5 * 5
    return 360 + minute % 900 // 5 * 5


def type_flown(seed: int, airline: Airline, route: Route) -> AircraftCode:
    """The type that an airline flies a route with, the same there and back."""
    origin, destination = route["origin"], route["destination"]
    known = known_aircraft(airline["iata"], origin, destination)
    if known:
        return known
    fitting = flown_with(airline["fleet"], origin, destination, route["distance_km"], _hubs())
    pair = seeds.number(seed, "aircraft", airline["iata"], *sorted((origin, destination)))
    return fitting[pair % len(fitting)]["code"]


def route_between(
    seed: int, airline: Airline, origin: Airport, destination: Airport, away: float | None = None
) -> Route:
    """The flight of an airline from one airport to another, so many kilometres away if that is known."""
    key = seeds.number(seed, "flight", airline["iata"], origin["iata"], destination["iata"])
    distance = far(origin, destination) if away is None else away
    return Route(
        airline=airline["iata"],
        origin=origin["iata"],
        destination=destination["iata"],
        distance_km=distance,
        number=flight_number(seed, airline["iata"], origin["iata"], destination["iata"], distance),
        departs=_departs(key, origin, destination, distance),
        minutes=35
        + round(distance / 13.5 / 5) * 5
        + round_minutes(airline["country_code"], origin["country_code"], destination["country_code"]),
        # Most flights go every day, long ones on most days and at least once a week.
        days=tuple(distance < 6000 or (key >> 2 * day) % 4 != 0 or key % 7 == day for day in range(7)),
    )


@functools.cache
def network() -> Mapping[Pair, tuple[AirlineCode, ...]]:
    """(origin, destination) airports -> the airlines that fly between them."""
    found: dict[Pair, dict[str, None]] = {}
    for airline, hub, port in _recorded():
        if (hub, port) in _lengths():
            found.setdefault((hub, port), {})[airline] = None
            found.setdefault((port, hub), {})[airline] = None
    return {pair: tuple(carriers) for pair, carriers in found.items()}


@functools.cache
def _joined() -> Mapping[AirportCode, tuple[AirportCode, ...]]:
    """Airport -> where one flies from it."""
    found: dict[str, list[str]] = {}
    for origin, destination in network():
        found.setdefault(origin, []).append(destination)
    return {origin: tuple(ends) for origin, ends in found.items()}


class Flights(Mapping[Pair, tuple[Route, ...]]):
    """(origin, destination) airports -> the flights between them, one per airline; made when they are asked for."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._made: dict[Pair, tuple[Route, ...]] = {}

    def __getitem__(self, pair: Pair) -> tuple[Route, ...]:
        if pair not in self._made:
            carriers, ports = network()[pair], airport_keys()
            start, end = ports[pair[0]], ports[pair[1]]
            away = _lengths().get(pair) or _lengths()[pair[::-1]]
            self._made[pair] = tuple(
                route_between(self._seed, airlines()[code], start, end, away) for code in carriers
            )
        return self._made[pair]

    def __iter__(self) -> Iterator[Pair]:
        return iter(network())

    def __len__(self) -> int:
        return len(network())


class Departures(Mapping[AirportCode, tuple[Route, ...]]):
    """Airport -> all flights that leave it; made when they are asked for."""

    def __init__(self, seed: int) -> None:
        self._flights = routes(seed)
        self._made: dict[AirportCode, tuple[Route, ...]] = {}

    def __getitem__(self, origin: AirportCode) -> tuple[Route, ...]:
        if origin not in self._made:
            ends = _joined()[origin]
            self._made[origin] = tuple(flight for end in ends for flight in self._flights[origin, end])
        return self._made[origin]

    def __iter__(self) -> Iterator[AirportCode]:
        return iter(_joined())

    def __len__(self) -> int:
        return len(_joined())


@seeds.table
def routes(seed: int) -> Flights:
    """(origin, destination) airports -> the flights between them, one per airline."""
    return Flights(seed)


@seeds.table
def outgoing(seed: int) -> Departures:
    """Airport -> all flights that leave it."""
    return Departures(seed)
