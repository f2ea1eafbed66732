"""Travel/Flight_JSON_Data: reference data on countries, cities, airports, airlines, alliances, aircraft and routes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, TypedDict, TypeVar

from toolyard.core.sums import added
from toolyard.world.faults import ToolFault, invalid, not_found
from toolyard.world.registry import tool
from toolyard.world.shared.geography import (
    City,
    airport_city,
    airport_keys,
    all_airports,
    city_or_none,
    countries,
    find_airport,
    find_city,
    find_country,
    plain,
)
from toolyard.world.state import World
from toolyard.world.tables import page as paged
from toolyard.world.types import (
    AirlineCode,
    AirportCode,
    CityName,
    ContinentName,
    CountryCode,
    CountryName,
    CurrencyCode,
    IcaoCode,
    Latitude,
    Longitude,
    Page,
    Range,
    Semantic,
    TimeZoneName,
    Unit,
)
from toolyard.world.worlds.travel.air import (
    CityCode,
    FlightNumber,
    Route,
    aircraft_of,
    airlines,
    airports_of,
    city_of_code,
    find_airline,
    former_airlines,
    other_airlines,
    own_code,
)
from toolyard.world.worlds.travel.airport_search import airport_named
from toolyard.world.worlds.travel.fares import refuse_shut
from toolyard.world.worlds.travel.fleets import AircraftCode, airplanes, has_words
from toolyard.world.worlds.travel.flight_numbers import is_known
from toolyard.world.worlds.travel.timetable import timetable, with_change

GROUP = "Travel/Flight_JSON_Data"
Key = Literal["name", "code"]
# Without the pattern of a code, because names are taken too.
AirportQuery = Annotated[str, Semantic("airport_code")]
AllianceName = Annotated[str, Semantic("airline_alliance")]
Row = TypeVar("Row", bound=Mapping[str, Any])
_ALLIANCES = {"Star Alliance": "*A", "oneworld": "*O", "SkyTeam": "*S"}


class CountryRow(TypedDict):
    code: CountryCode
    name: CountryName
    currency: CurrencyCode
    continent: ContinentName


class CityRow(TypedDict):
    code: CityCode | None
    name: CityName
    country_code: CountryCode
    time_zone: TimeZoneName
    latitude: Latitude
    longitude: Longitude
    airports: list[AirportCode]


class AirportRow(TypedDict):
    code: AirportCode
    icao: IcaoCode
    name: str
    city_code: CityCode
    country_code: CountryCode
    time_zone: TimeZoneName
    latitude: Latitude
    longitude: Longitude


class AirlineRow(TypedDict):
    code: AirlineCode
    icao: str
    name: str
    country_code: CountryCode
    alliance: AllianceName | None
    hubs: list[AirportCode]
    is_lowcost: bool


class AllianceRow(TypedDict):
    code: str
    name: AllianceName
    airlines: list[AirlineCode]


class AirplaneRow(TypedDict):
    code: AircraftCode
    name: str
    maker: str
    seats: int
    range_km: Annotated[int, Unit("km")]


class RouteRow(TypedDict):
    airline_iata: AirlineCode
    departure_airport_iata: AirportCode
    arrival_airport_iata: AirportCode
    flight_number: FlightNumber | None
    transfers: int
    distance_km: Annotated[float, Unit("km")]
    planes: list[AircraftCode]


def _joined(name: str) -> str:
    """A plain name without blanks and signs: airBaltic is Air Baltic."""
    return "".join(sign for sign in plain(name) if sign.isalnum())


def _choose(rows: Iterable[Row], query: str, key: Key, what: str, code: Callable[[Row], str]) -> Row:
    """The row with this code or name; for names, a code is understood too and a part will do."""
    wanted, known = plain(query), list(rows)
    exact = [
        row
        for row in known
        if wanted in ((plain(code(row)),) if key == "code" else (plain(row["name"]), plain(code(row))))
    ]
    if not exact and key == "name":
        joined = _joined(query)
        exact = [row for row in known if joined and _joined(row["name"]) == joined]
    part = [row for row in known if key == "name" and wanted and wanted in plain(row["name"])]
    part.sort(key=lambda row: not plain(row["name"]).startswith(f"{wanted} "))
    if not exact and not part and key == "name":
        part = [row for row in known if wanted and has_words(row["name"], wanted)]
    if not exact and not part:
        raise not_found(
            what, query[:60], known=[code(row) if key == "code" else row["name"] for row in known]
        )
    return (exact or part)[0]


@tool(
    GROUP,
    examples=[{"query": "India"}, {"query": "FR", "key": "code"}],
    phrase=(
        "look up the flight data country record (code, currency and continent) of {query}[, searching by "
        "{key}]"
    ),
    noun="the country record",
    jobs=("facts of a country",),
    not_credentials=("key",),
)
def search_country(
    *, query: Annotated[str, Semantic("country", accepts=("country_code",))], key: Key = "name"
) -> CountryRow:
    """Code, currency and continent of a country.

    query: Name or two-letter code of the country.
    key: Whether the query is a name or a code.
    """
    row = (
        find_country(query)
        if key == "name"
        else _choose(countries(), query, key, "country", lambda r: r["code"])
    )
    return {
        "code": row["code"],
        "name": row["name"],
        "currency": row["currency"],
        "continent": row["continent"],
    }


@tool(
    GROUP,
    examples=[{"query": "Paris"}, {"query": "NYC", "key": "code"}],
    phrase=(
        "look up the flight data city record (IATA code, time zone and airports) of {query}[, searching by "
        "{key}]"
    ),
    noun="the city record",
    jobs=("find a city", "time zone of a city"),
    not_credentials=("key",),
)
def search_city(
    *, query: Annotated[str, Semantic("city_code", accepts=("city", "airport_code"))], key: Key = "name"
) -> CityRow:
    """IATA code, time zone, position and airports with scheduled flights of a city; no code and none where it has none.

    query: Name or three-letter code of the city.
    key: Whether the query is a name or a code.
    """
    named = city_or_none(query) if key == "name" else None
    row = named if named and len(query.strip()) != 3 else _city_by_code(query, named)
    return {
        "code": own_code(row),
        "name": row["name"],
        "country_code": row["country_code"],
        "time_zone": row["time_zone"],
        "latitude": row["latitude"],
        "longitude": row["longitude"],
        "airports": [port["iata"] for port in airports_of(row)],
    }


def _city_by_code(query: str, named: City | None) -> City:
    """The city of a code, else the one of that name; its fault names cities that are written so."""
    try:
        return city_of_code(query)
    except ToolFault:
        return named or find_city(query)


@tool(
    GROUP,
    examples=[{"query": "Heathrow"}, {"query": "SEA", "key": "code"}],
    phrase="look up the airport record (ICAO code, city and position) of {query}[, searching by {key}]",
    noun="the airport record",
    not_credentials=("key",),
)
def search_airport(*, query: AirportQuery, key: Key = "name") -> AirportRow:
    """IATA and ICAO code, city and position of an airport.

    query: Name (or part of it) or three-letter code of the airport.
    key: Whether the query is a name or a code.
    """
    row = airport_named(query) if key == "name" else None
    row = row or _choose(all_airports(), query, key, "airport", lambda port: port["iata"])
    city = airport_city(row)
    return {
        "code": row["iata"],
        "icao": row["icao"],
        "name": row["name"],
        "city_code": own_code(city) or row["iata"],
        "country_code": row["country_code"],
        "time_zone": row["time_zone"],
        "latitude": row["latitude"],
        "longitude": row["longitude"],
    }


@tool(
    GROUP,
    examples=[{"query": "Air France"}, {"query": "SQ", "key": "code"}],
    phrase="look up the airline record (home country, alliance and hubs) of {query}[, searching by {key}]",
    noun="the airline record",
    not_credentials=("key",),
)
def search_airline(*, query: AirlineCode, key: Key = "name") -> AirlineRow:
    """Codes, home country, alliance and hubs of an airline, some that ceased to fly included; hubs only where known.

    query: Name or two-letter code of the airline.
    key: Whether the query is a name or a code.
    """
    gone = former_airlines().get(plain(query)) if key == "name" else None
    row = gone or _choose(
        [*airlines().values(), *other_airlines().values()],
        query,
        key,
        "airline",
        lambda airline: airline["iata"],
    )
    return {
        "code": row["iata"],
        "icao": row["icao"],
        "name": row["name"],
        "country_code": row["country_code"],
        "alliance": row["alliance"] or None,
        "hubs": row["hubs"],
        "is_lowcost": row["low_cost"],
    }


@tool(
    GROUP,
    examples=[{"query": "Star Alliance"}, {"query": "*O", "key": "code"}],
    phrase="list the member airlines in the alliance record of {query}[, searching by {key}]",
    noun="the airline alliance record",
    not_credentials=("key",),
)
def search_alliance(*, query: AllianceName, key: Key = "name") -> AllianceRow:
    """The airlines that belong to an alliance.

    query: Name or code of the alliance: Star Alliance (*A), oneworld (*O) or SkyTeam (*S).
    key: Whether the query is a name or a code.
    """
    rows = [{"name": name, "code": code} for name, code in _ALLIANCES.items()]
    row = _choose(rows, query, key, "alliance", lambda alliance: alliance["code"])
    everyone = (*airlines().values(), *other_airlines().values())
    members = [airline["iata"] for airline in everyone if airline["alliance"] == row["name"]]
    return {"code": row["code"], "name": row["name"], "airlines": members}


@tool(
    GROUP,
    examples=[{"query": "Airbus A320"}, {"query": "77W", "key": "code"}],
    phrase="look up the aircraft type record (maker, seats and range) of {query}[, searching by {key}]",
    noun="the aircraft record",
    not_credentials=("key",),
)
def search_airplane(*, query: AircraftCode, key: Key = "name") -> AirplaneRow:
    """Maker, seats and range of a type of aircraft.

    query: Name (or part of it) or three-letter code of the type.
    key: Whether the query is a name or a code.
    """
    row = _choose(airplanes(), query, key, "aircraft", lambda plane: plane["code"])
    return {
        "code": row["code"],
        "name": row["name"],
        "maker": row["maker"],
        "seats": row["seats"],
        "range_km": row["range_km"],
    }


@tool(
    GROUP,
    examples=[{"depart_airport": "CDG", "arrival_airport": "MAD"}, {"airline": "SQ", "page_size": 5}],
    phrase=(
        "search the airline routes[ flown by the airline whose code is {airline}][ departing from "
        "{depart_airport}][ arriving at {arrival_airport}][, with the maximum number of transfers set to "
        "{max_transfers}][, showing {page_size} routes per page][, on page {page}]"
    ),
    noun="the list of airline routes",
)
def search_routes(
    world: World,
    *,
    airline: AirlineCode | None = None,
    depart_airport: AirportCode | None = None,
    arrival_airport: AirportCode | None = None,
    max_transfers: Annotated[int, Range(0, 1)] = 0,
    page: Annotated[int, Range(0, 10000)] = 0,
    page_size: Annotated[int, Range(1, 40)] = 10,
) -> Page[RouteRow]:
    """Routes that airlines fly, by airline and airports, with a flight number where one is known.

    airline: Two-letter code of the airline.
    depart_airport: Three-letter code of the airport of departure.
    arrival_airport: Three-letter code of the airport of arrival.
    max_transfers: 1 adds ways with one change; both airports must then be given.
    page: Number of the page, from 0.
    page_size: Routes per page.
    """
    start, end = (find_airport(code)["iata"] if code else None for code in (depart_airport, arrival_airport))
    for code in (start, end):
        if code:
            refuse_shut(airport_city(airport_keys()[code]))
    if start and start == end:
        raise invalid("arrival_airport", end, f"want an airport other than {start}")
    if max_transfers and not (start and end):
        raise invalid("max_transfers", max_transfers, "ways with a change need both airports")
    carrier = find_airline(airline)["iata"] if airline else None
    direct = [
        [route]
        for route in timetable(world.seed, start, end, carrier)
        if start in (None, route["origin"])
        and end in (None, route["destination"])
        and carrier in (None, route["airline"])
    ]
    if max_transfers and start and end:
        direct += with_change(world.seed, start, end, carrier)
    found = paged([{"legs": legs} for legs in direct], page_size, page * page_size)
    return {
        "total": found["total"],
        "offset": found["offset"],
        "items": [_route_row(world.seed, row["legs"]) for row in found["items"]],
    }


def _route_row(seed: int, legs: list[Route]) -> RouteRow:
    ends = legs[0]["airline"], legs[0]["origin"], legs[0]["destination"]
    return {
        "airline_iata": legs[0]["airline"],
        "departure_airport_iata": legs[0]["origin"],
        "arrival_airport_iata": legs[-1]["destination"],
        "flight_number": legs[0]["number"] if is_known(*ends) else None,
        "transfers": len(legs) - 1,
        "distance_km": round(added(leg["distance_km"] for leg in legs), 1),
        "planes": [aircraft_of(seed, leg) for leg in legs],
    }
