"""Who flies where: airlines, aircraft, the airports of cities, and the routes that airlines fly without a stop.

airline_routes.tsv: AF	CDG	ABJ AMS ATH	(there and back)
"""

import functools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import kilometres, plain, read_record, read_table
from toolyard.world.kernel.types import AirlineCode, AirportCode, CountryCode, Semantic
from toolyard.world.reference.airlines import listed_airlines
from toolyard.world.reference.places.geography import (
    Airport,
    City,
    airport_city,
    airport_keys,
    all_airports,
    capital_city,
    city_or_none,
    country_or_none,
    main_airports,
)

AircraftCode = Annotated[str, Semantic("aircraft_code")]
AllianceName = Annotated[str, Semantic("airline_alliance")]
CityCode = Annotated[str, Semantic("city_code", r"[A-Za-z]{3}")]
FlightNumber = Annotated[str, Semantic("flight_number")]
_WIDE_SEATS, _LONG_KM = 230, 5000
_HUBS_NEAR, _REACH_DEGREES = 3, (-1, 0, 1)
_COMMON_WORDS = frozenset({"airport", "international", "the", "of"})


@dataclass(frozen=True, slots=True)
class Airplane:
    """A type of aircraft."""

    code: AircraftCode
    name: str
    maker: str
    seats: int
    range_km: int


@dataclass(frozen=True, slots=True)
class Airline:
    """An airline and the airports that it flies from."""

    iata: AirlineCode
    icao: str
    name: str
    country_code: CountryCode
    alliance: str | None = None
    hubs: tuple[AirportCode, ...] = ()
    low_cost: bool = False
    fleet: tuple[AircraftCode, ...] = ()


@dataclass(frozen=True, slots=True)
class Leg:
    """The flight of an airline from one airport to another without a stop."""

    airline: AirlineCode
    origin: AirportCode
    destination: AirportCode
    km: float

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return 35 + round(self.km / 13.5 / 5) * 5

    @property
    def number(self) -> FlightNumber:
        """The number of the flight; those of the ways there and back follow each other."""
        pair = seeds.number("flight number", self.airline, *sorted((self.origin, self.destination)))
        return f"{self.airline}{100 + 2 * (pair % 1950) + (self.origin > self.destination)}"

    @property
    def aircraft(self) -> Airplane:
        """A type of the airline's fleet that flies so far, a wide one over long ways."""
        fleet = [airplane_types()[code] for code in all_airlines()[self.airline].fleet]
        able = [plane for plane in fleet if plane.range_km >= self.km] or fleet
        sized = [plane for plane in able if (plane.seats >= _WIDE_SEATS) == (self.km > _LONG_KM)] or able
        return seeds.pick(sized, "aircraft", self.airline, *sorted((self.origin, self.destination)))


@functools.cache
def airplane_types() -> Mapping[str, Airplane]:
    """Types of aircraft by code."""
    return {row["iata"]: read_record(Airplane, row, code=row["iata"]) for row in read_table("airplanes.tsv")}


@functools.cache
def all_airlines() -> Mapping[str, Airline]:
    """Airlines by code: those with routes first, then all others."""
    known = {
        row["iata"]: read_record(
            Airline,
            row,
            country_code=row["country"],
            hubs=tuple(row["hubs"].split(",")),
            low_cost=row["lowcost"] == "yes",
            fleet=tuple(row["fleet"].split(",")),
        )
        for row in read_table("airlines.tsv")
    }
    others = {row.iata: Airline(row.iata, row.icao, row.name, row.country) for row in listed_airlines()}
    return known | {code: airline for code, airline in others.items() if code not in known}


@functools.cache
def former_airlines() -> Mapping[str, Airline]:
    """Airlines that ceased to fly and whose codes others may bear now, by each of their names."""
    return {
        plain(called): Airline(row["iata"], row["icao"], row["name"], row["country"])
        for row in read_table("airlines_gone.tsv")
        for called in (row["name"], *filter(None, row["called"].split(";")))
    }


def find_airline(code: str) -> Airline:
    """The airline of an IATA code; a not_found fault otherwise."""
    found = all_airlines().get(code.strip().upper())
    if found is None:
        raise not_found(
            "airline with code",
            code[:20],
            known=("AF", "BA", "DL", "LH", "SQ"),
            count=len(all_airlines()),
            listed_by="Travel/Flight_JSON_Data/search_airline",
        )
    return found


def distance_km(one: Airport | City, other: Airport | City) -> float:
    """Kilometres between two places."""
    return kilometres(one["latitude"], one["longitude"], other["latitude"], other["longitude"])


@functools.cache
def network() -> Mapping[AirportCode, Mapping[AirportCode, tuple[AirlineCode, ...]]]:
    """Airport -> where one flies from it -> with which airlines."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for row in (*read_table("airline_routes.tsv"), *read_table("further_routes.tsv")):
        hub = row["hub"]
        for port in row["airports"].split():
            for start, end in ((hub, port), (port, hub)):
                found.setdefault(start, {}).setdefault(end, {})[row["airline"]] = None
    return {start: {end: _codes(*codes) for end, codes in ends.items()} for start, ends in found.items()}


@functools.cache
def _codes(*airlines: AirlineCode) -> tuple[AirlineCode, ...]:
    """Some airlines as one tuple for all routes that they fly."""
    return airlines


@functools.lru_cache(maxsize=1024)
def _hub_links(code: AirportCode) -> Mapping[AirportCode, tuple[AirlineCode, ...]]:
    """The hubs that an airport outside the network is joined to: the three nearest, those of its country first."""
    if code in network() or code not in airport_keys():
        return {}
    port, hubs = airport_keys()[code], dict[str, list[str]]()
    for airline in all_airlines().values():
        for hub in airline.hubs if not airline.low_cost else ():
            hubs.setdefault(hub, []).append(airline.iata)
    inland = {
        hub: names
        for hub, names in hubs.items()
        if airport_keys()[hub]["country_code"] == port["country_code"]
    }
    near = sorted(inland or hubs, key=lambda hub: (distance_km(airport_keys()[hub], port), hub))
    return {hub: tuple(hubs[hub][:2]) for hub in near[:_HUBS_NEAR]}


def destinations(origin: AirportCode) -> Mapping[AirportCode, tuple[AirlineCode, ...]]:
    """Where one flies from an airport without a stop, and with which airlines."""
    return network().get(origin) or _hub_links(origin)


@functools.lru_cache(maxsize=32768)
def legs(origin: AirportCode, destination: AirportCode) -> tuple[Leg, ...]:
    """The flights from one airport to another, one for each airline."""
    carriers = destinations(origin).get(destination) or _hub_links(destination).get(origin, ())
    if not carriers:
        return ()
    km = distance_km(airport_keys()[origin], airport_keys()[destination])
    return tuple(Leg(airline, origin, destination, km) for airline in carriers)


def flights_leaving(origin: AirportCode) -> Iterator[Leg]:
    """All flights that leave an airport."""
    return (leg for end in destinations(origin) for leg in legs(origin, end))


def flown_by(airline: AirlineCode) -> Iterator[Leg]:
    """All flights of an airline."""
    pairs = ((start, end) for start, ends in network().items() for end in ends if airline in ends[end])
    return (leg for pair in pairs for leg in legs(*pair) if leg.airline == airline)


@functools.cache
def _airports_by_degree() -> Mapping[tuple[int, int], list[Airport]]:
    return group_items(all_airports(), _degree_cell)


def _degree_cell(place: Airport | City) -> tuple[int, int]:
    return math.floor(place["latitude"]), math.floor(place["longitude"])


@functools.lru_cache(maxsize=4096)
def _airports_serving(city_id: str, name: str, north: int, east: int) -> tuple[Airport, ...]:
    """The airports with routes that serve a city, else those around it that bear its name."""
    cells = ((north + up, east + along) for up in _REACH_DEGREES for along in _REACH_DEGREES)
    near = [port for cell in cells for port in _airports_by_degree().get(cell, ())]
    flown = [port for port in near if port["iata"] in network() and airport_city(port)["id"] == city_id]
    own = flown or [port for port in near if plain(port["city"].partition("/")[0]) == plain(name)]
    return tuple(sorted(own, key=lambda port: (-len(destinations(port["iata"])), port["iata"])))


def city_airports(city: City) -> tuple[Airport, ...]:
    """The airports of a city, that with the most routes first; none where it has none."""
    return _airports_serving(city["id"], city["name"], *_degree_cell(city))


@functools.lru_cache(maxsize=4096)
def _nearest_airport(latitude: float, longitude: float) -> Airport:
    ports = (airport_keys()[code] for code in network())
    return min(ports, key=lambda port: kilometres(latitude, longitude, port["latitude"], port["longitude"]))


def airports_near(city: City) -> tuple[Airport, ...]:
    """The airports of a city, or the one with routes that is closest to it."""
    return city_airports(city) or (_nearest_airport(city["latitude"], city["longitude"]),)


@functools.cache
def main_cities() -> Mapping[str, City]:
    """The cities of the well-known airports, by id."""
    return {(city := airport_city(port))["id"]: city for port in main_airports()}


@functools.cache
def _own_codes() -> Mapping[str, CityCode]:
    """City id -> the code that stands for all its airports."""
    rows = read_table("city_codes.tsv")
    return {airport_city(airport_keys()[row["airport"]])["id"]: row["code"] for row in rows}


def own_code(city: City) -> CityCode | None:
    """The IATA code of a city: its own, or that of its first airport; none without an airport."""
    own = city_airports(city)
    return _own_codes().get(city["id"]) or (own[0]["iata"] if own else None)


def city_code(city: City) -> CityCode:
    """The IATA code of a city, or that of the airport closest to it."""
    return own_code(city) or airports_near(city)[0]["iata"]


@functools.cache
def _airports_by_city_code() -> Mapping[CityCode, AirportCode]:
    return {row["code"]: row["airport"] for row in read_table("city_codes.tsv")}


def city_of_code(code: str) -> City:
    """The city of a city or airport code; a not_found fault otherwise."""
    key = code.strip().upper()
    port = airport_keys().get(_airports_by_city_code().get(key, key if len(key) == 3 else ""))
    if port is None:
        raise not_found(
            "city or airport with IATA code",
            code[:20],
            such_as=("PAR", "MAD", "LON", "NYC", "BJS"),
            listed_by="Travel/Flight_JSON_Data/search_city",
        )
    return airport_city(port)


def cities_of(code: str) -> list[City]:
    """The cities behind a city, airport or country code: of a country those with well-known airports, or its capital."""
    country = country_or_none(code) if len(code.strip()) == 2 else None
    if country is None:
        return [city_of_code(code)]
    own = [city for city in main_cities().values() if city["country_code"] == country["code"]]
    return own or [airport_city(airports_near(capital_city(country))[0])]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", plain(text).replace("'", ""))) - _COMMON_WORDS


@functools.cache
def _airport_titles() -> tuple[tuple[str, Airport], ...]:
    """The words of each name of each airport between blanks, with those of its city; those with the most routes first."""
    others = {row["iata"]: row["aliases"].split(";") for row in read_table("airports.tsv")}
    ranked = sorted(all_airports(), key=lambda port: -len(network().get(port["iata"], ())))
    return tuple(
        (" ".join(("", *sorted(_words(f"{name} {port['city']}")), "")), port)
        for port in ranked
        for name in (port["name"], *others.get(port["iata"], ()))
    )


def airport_named(query: str) -> Airport | None:
    """The airport of a code, of a city, or of a name with all words of a text, that with the most routes first."""
    coded, wanted = airport_keys().get(query.strip().upper()), _words(query)
    if coded or not wanted:
        return coded
    city = city_or_none(query)
    own = city_airports(city) if city and plain(city["name"]) == plain(query) else ()
    if own and own[0]["iata"] in network():
        return own[0]
    sought = [f" {word} " for word in wanted]
    named = (port for title, port in _airport_titles() if all(word in title for word in sought))
    return next(named, None) or next(iter(own), None)
