"""Airlines and airports: who flies where, over the timetable and beside it."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Annotated

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.reference.airlines import listed_airlines
from toolyard.world.shared.geography import (
    Airport,
    City,
    airport_city,
    airport_keys,
    airports,
    all_airports,
    capital_city,
    cities,
    countries,
    find_city,
    find_country,
    plain,
    read_table,
    serves_by_name,
)
from toolyard.world.tables import group_rows, kilometres
from toolyard.world.types import Semantic
from toolyard.world.worlds.travel.airspace import closed
from toolyard.world.worlds.travel.fleets import AircraftCode
from toolyard.world.worlds.travel.metropolitan import CITY_CODES
from toolyard.world.worlds.travel.scheduled import Airline as Airline
from toolyard.world.worlds.travel.scheduled import FlightNumber as FlightNumber
from toolyard.world.worlds.travel.scheduled import Route as Route
from toolyard.world.worlds.travel.scheduled import airlines as airlines
from toolyard.world.worlds.travel.scheduled import far, network, route_between, type_flown
from toolyard.world.worlds.travel.scheduled import outgoing as outgoing
from toolyard.world.worlds.travel.scheduled import routes as routes

CityCode = Annotated[str, Semantic("city_code", r"[A-Za-z]{3}")]
# Brands of cheap airlines whose flights are sold under the code of another.
_CHEAP_BRANDS = frozenset(("RK", "W9", "DS", "EC"))
_REACH_KM = 120  # how far from its city an airport is at most
# Cities whose airport bears the name of another one.
_ALSO = {("New Delhi", "IN"): "DEL", ("Incheon", "KR"): "ICN", ("Goa", "IN"): "GOI", ("Lourdes", "FR"): "LDE"}
_COMMON_FLEET = ("320", "73H")  # of airlines whose fleet is not known


@functools.cache
def other_airlines() -> Mapping[str, Airline]:
    """Airlines whose timetable is not known, by IATA code."""
    known = airlines()
    return {
        iata: Airline(
            iata=iata,
            icao=icao,
            name=name,
            country_code=country,
            alliance="",
            hubs=[],
            low_cost=iata in _CHEAP_BRANDS,
            fleet=list(_COMMON_FLEET),
        )
        for iata, icao, name, country in listed_airlines()
        if iata not in known
    }


@functools.cache
def former_airlines() -> Mapping[str, Airline]:
    """Airlines that ceased to fly and whose codes others may bear now, by each of their names."""
    return {
        plain(called): Airline(
            iata=row["iata"],
            icao=row["icao"],
            name=row["name"],
            country_code=row["country"],
            alliance="",
            hubs=[],
            low_cost=row["iata"] == "WW",
            fleet=[],
        )
        for row in read_table("airlines_gone.tsv")
        for called in (row["name"], *filter(None, row["called"].split(";")))
    }


@seeds.remembered(256)
def flown_by(seed: int, code: str) -> tuple[Route, ...]:
    """The flights of an airline; none where its timetable is not known."""
    carrier = find_airline(code)["iata"]
    own = (pair for pair, carriers in network().items() if carrier in carriers)
    return tuple(route for pair in own for route in routes(seed)[pair] if route["airline"] == carrier)


def find_airline(code: str) -> Airline:
    """The airline of an IATA code; a not_found fault otherwise."""
    found = airlines().get(code.strip().upper()) or other_airlines().get(code.strip().upper())
    if found is None:
        raise not_found(
            "airline with code",
            code[:20],
            known=("AF", "BA", "DL", "LH", "SQ"),
            count=len(airlines().keys() | other_airlines().keys()),
            listed_by="Travel/Flight_JSON_Data/search_airline",
        )
    return found


def aircraft_of(seed: int, route: Route) -> AircraftCode:
    """The type of aircraft of a flight."""
    return type_flown(seed, find_airline(route["airline"]), route)


@functools.cache
def city_airports() -> Mapping[str, tuple[Airport, ...]]:
    """City id -> its airports, for cities that have some."""
    groups = group_rows(airports(), lambda row: find_city(f"{row['city']}, {row['country_code']}")["id"])
    return {city: tuple(rows) for city, rows in groups.items()}


@functools.cache
def _served() -> Mapping[tuple[str, str], tuple[Airport, ...]]:
    groups = group_rows(all_airports(), lambda row: (row["country_code"], plain(row["city"])))
    return {key: tuple(rows) for key, rows in groups.items()}


def airports_of(city: City) -> tuple[Airport, ...]:
    """The airports of a city; none where it has none."""
    beside = _ALSO.get((city["name"], city["country_code"]))
    if beside:
        return (airport_keys()[beside],)
    own = city_airports().get(city["id"])
    if own:
        return (*own, *_second_airports().get(city["id"], ()))
    near = _served().get((city["country_code"], plain(city["name"])), ())
    named = tuple(port for port in near if _is_near(port, city) and airport_city(port)["id"] == city["id"])
    # Of a city with a timetable the airfields are left out: Curitiba is CWB.
    flown = tuple(port for port in named if port["iata"] in _flown())
    if flown:
        return flown
    others = _called_otherwise(city["id"])
    return tuple(port for port in others if port["iata"] in _flown()) or named or others


def _is_near(port: Airport, city: City) -> bool:
    places = port["latitude"], port["longitude"], city["latitude"], city["longitude"]
    return kilometres(*places) < _REACH_KM


@functools.cache
def _by_degree() -> Mapping[tuple[int, int], list[Airport]]:
    return group_rows(all_airports(), _degrees)


def _degrees(place: Airport | City) -> tuple[int, int]:
    return math.floor(place["latitude"]), math.floor(place["longitude"])


@functools.lru_cache(maxsize=4096)
def _called_otherwise(city_id: str) -> tuple[Airport, ...]:
    """The airports that serve a city under another name."""
    city = find_city(city_id)
    north, east = _degrees(city)
    cells = ((north + up, east + along) for up in (-1, 0, 1) for along in (-1, 0, 1))
    named = (port for cell in cells for port in _by_degree().get(cell, ()) if serves_by_name(port, city))
    return tuple(sorted(named, key=lambda port: port["iata"]))


@functools.cache
def _flown() -> frozenset[str]:
    return frozenset(port["iata"] for port in _flown_to())


@functools.cache
def _flown_to() -> tuple[Airport, ...]:
    """The airports with a timetable: the well-known ones, then those of the further routes."""
    names = (
        name for row in read_table("further_routes.tsv") for name in (row["hub"], *row["airports"].split())
    )
    known = {row["iata"]: row for row in airports()}
    return tuple((known | {name: airport_keys()[name] for name in names if name not in known}).values())


@functools.cache
def _second_airports() -> Mapping[str, tuple[Airport, ...]]:
    """City id -> airports with a timetable beside its well-known ones: Luton is London's."""
    groups = group_rows(_flown_to()[len(airports()) :], lambda row: airport_city(row)["id"])
    return {city: tuple(rows) for city, rows in groups.items() if city in city_airports()}


def own_code(city: City) -> str | None:
    """The IATA code of a city: its own, or that of its first airport; none without an airport."""
    own = airports_of(city)
    return city_codes().get(city["id"]) or (own[0]["iata"] if own else None)


def code_of(city: City) -> str:
    """The IATA code of a city, or that of the airport closest to it."""
    return own_code(city) or airports_near(city)[0]["iata"]


def airports_near(city: City) -> tuple[Airport, ...]:
    """The airports of a city, or the one with a timetable that is closest to it."""
    return airports_of(city) or (_nearest(city["latitude"], city["longitude"]),)


@functools.cache
def _main_airports() -> tuple[Airport, ...]:
    second = {port["iata"] for ports in _second_airports().values() for port in ports}
    return tuple(row for row in _flown_to() if row["iata"] not in second)


@functools.lru_cache(maxsize=4096)
def _nearest(latitude: float, longitude: float) -> Airport:
    return min(
        _main_airports(), key=lambda row: kilometres(latitude, longitude, row["latitude"], row["longitude"])
    )


@functools.cache
def city_codes() -> Mapping[str, str]:
    """City id -> the IATA code of the city."""
    names = {row["id"]: row for row in cities()}
    return {key: CITY_CODES.get(names[key]["name"], rows[0]["iata"]) for key, rows in city_airports().items()}


@functools.cache
def _code_cities() -> Mapping[str, City]:
    names = {row["id"]: row for row in cities()}
    found = {row["iata"]: names[key] for key, rows in city_airports().items() for row in rows}
    return found | {code: names[key] for key, code in city_codes().items()}


def city_of_code(code: str) -> City:
    """The city of a city or airport code; a not_found fault otherwise."""
    key = code.strip().upper()
    found = _code_cities().get(key)
    if found is None and len(key) == 3 and key in airport_keys():
        return airport_city(airport_keys()[key])
    if found is None:
        raise not_found(
            "city or airport with IATA code",
            code[:20],
            such_as=("PAR", "MAD", "LON", "NYC", "BJS"),
            listed_by="Travel/Flight_JSON_Data/search_city",
        )
    return found


def cities_of(code: str) -> list[City]:
    """The cities with airports behind a city, airport or country code; for a country without one, the nearest."""
    key = code.strip().upper()
    if len(key) == 2 and any(row["code"] == key for row in countries()):
        names = {row["id"]: row for row in cities()}
        own = [names[city] for city in city_airports() if names[city]["country_code"] == key]
        return own or [city_of_code(airports_near(capital_city(find_country(key)))[0]["iata"])]
    return [city_of_code(code)]


@functools.cache
def _networks() -> tuple[str, ...]:
    """The airlines that join the towns of their country."""
    listed = dict.fromkeys(row["airline"] for row in read_table("airline_routes.tsv"))
    return tuple(code for code in listed if not airlines()[code]["low_cost"])


def _links(seed: int, port: Airport) -> tuple[Route, ...]:
    """The flights from an airport without a timetable of its own to at most three hubs: of its country, else near.

    Airlines with a network fly them; cheap ones and those with a few lines fly where a table says so.
    """
    hubs = {
        (hub, code)
        for code in _networks()
        for hub in airlines()[code]["hubs"]
        if not closed(port["country_code"], airlines()[code]["country_code"])
    }
    own = {pair for pair in hubs if airport_keys()[pair[0]]["country_code"] == port["country_code"]}
    ranked = sorted(own or hubs, key=lambda pair: (far(airport_keys()[pair[0]], port), pair))
    near = list(dict.fromkeys(hub for hub, _ in ranked if hub != port["iata"]))[:3]
    found: dict[tuple[str, str], Route] = {}
    for hub in near:
        for _, carrier in [pair for pair in ranked if pair[0] == hub][:2]:
            found[hub, carrier] = route_between(seed, airlines()[carrier], port, airport_keys()[hub])
    return tuple(found.values())


@functools.cache
def _timetabled() -> frozenset[str]:
    return frozenset(row["iata"] for row in airports())


@seeds.remembered(1024)
def _linked(seed: int, code: str) -> tuple[Route, ...]:
    """The flights to the nearest hubs; none from airports of a city that has a timetable."""
    port = airport_keys().get(code)
    if port is None or code in _timetabled() or port in _second_airports().get(airport_city(port)["id"], ()):
        return ()
    known = {(route["destination"], route["airline"]) for route in outgoing(seed).get(code, ())}
    links = _links(seed, port)
    return tuple(link for link in links if (link["destination"], link["airline"]) not in known)


def leaving(seed: int, code: str) -> tuple[Route, ...]:
    """All flights that leave an airport; one that is not well known is joined to the nearest hubs, too."""
    return (*outgoing(seed).get(code, ()), *_linked(seed, code))


@seeds.remembered(4096)
def flights(seed: int, origin: str, destination: str) -> tuple[Route, ...]:
    """The flights from one airport to another."""
    listed = routes(seed).get((origin, destination), ())
    if {origin, destination} <= _timetabled():
        return listed
    out = [route for route in _linked(seed, origin) if route["destination"] == destination]
    if out:
        return (*listed, *out)
    back = (
        route_between(seed, airlines()[route["airline"]], airport_keys()[origin], airport_keys()[destination])
        for route in _linked(seed, destination)
        if route["destination"] == origin
    )
    return (*listed, *back)
