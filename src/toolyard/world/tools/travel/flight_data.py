"""Travel/Flight_JSON_Data: reference data on countries, cities, airports, airlines, alliances, aircraft and routes."""

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Literal, TypedDict, TypeVar

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel.faults import ToolFault, invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import (
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
from toolyard.world.kernel.views import View
from toolyard.world.reference.places.geography import (
    City,
    airport_city,
    airport_keys,
    all_airports,
    city_or_none,
    countries,
    find_airport,
    find_city,
    find_country,
)
from toolyard.world.simulated.travel.flights import Way, is_detour
from toolyard.world.simulated.travel.network import (
    AircraftCode,
    AllianceName,
    CityCode,
    FlightNumber,
    Leg,
    airplane_types,
    airport_named,
    all_airlines,
    city_airports,
    city_of_code,
    destinations,
    distance_km,
    find_airline,
    flights_leaving,
    flown_by,
    former_airlines,
    legs,
    network,
    own_code,
)

GROUP = Group("Travel/Flight_JSON_Data")
Key = Literal["name", "code"]
# Without the pattern of a code, because names are taken too.
AirportQuery = Annotated[str, Semantic("airport_code")]
Row = TypeVar("Row")
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
    flight_number: FlightNumber
    transfers: int
    distance_km: Annotated[float, Unit("km")]
    planes: list[AircraftCode]


COUNTRY = View.of(CountryRow)
CITY = View.of(CityRow, code=own_code, airports=lambda city: [port["iata"] for port in city_airports(city)])
AIRPORT = View.of(
    AirportRow, code="iata", city_code=lambda port: own_code(airport_city(port)) or port["iata"]
)
AIRLINE = View.of(AirlineRow, code="iata", hubs=lambda airline: list(airline.hubs), is_lowcost="low_cost")
AIRPLANE = View.of(AirplaneRow)
ROUTE = View[RouteRow]({
    "airline_iata": lambda way: way[0].airline, "departure_airport_iata": lambda way: way[0].origin,
    "arrival_airport_iata": lambda way: way[-1].destination, "flight_number": lambda way: way[0].number,
    "transfers": lambda way: len(way) - 1, "distance_km": lambda way: round(sum_in_order(leg.km for leg in way), 1),
    "planes": lambda way: [leg.aircraft.code for leg in way],
})  # fmt: skip


def _name_letters(name: str) -> str:
    """A plain name without blanks and signs: airBaltic is Air Baltic."""
    return "".join(sign for sign in plain(name) if sign.isalnum())


def _name_words(name: str) -> set[str]:
    return set(plain(name).replace("-", " ").split())


def _choose(
    rows: Iterable[Row], query: str, key: Key, what: str, names: Callable[[Row], tuple[str, str]]
) -> Row:
    """The row with this code or name; for names, a code is understood too, and a part or all words will do."""
    wanted, known = plain(query), {names(row): row for row in rows}
    tests: tuple[Callable[[str], bool], ...] = (
        lambda name: _name_letters(query) == _name_letters(name),
        lambda name: plain(name).startswith(f"{wanted} "),
        lambda name: wanted in plain(name),
        lambda name: _name_words(query) <= _name_words(name),
    )
    coded = [row for (code, _), row in known.items() if wanted == plain(code)]
    for test in tests if key == "name" and _name_letters(query) and not coded else ():
        coded = [row for (_, name), row in known.items() if test(name)]
        if coded:
            break
    if coded:
        return coded[0]
    raise not_found(what, query[:60], known=[code if key == "code" else name for code, name in known])


@GROUP.tool(
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
    if key == "name":
        return COUNTRY.row(find_country(query))
    return COUNTRY.row(_choose(countries(), query, key, "country", lambda row: (row["code"], row["name"])))


@GROUP.tool(
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
    return CITY.row(named if named and len(query.strip()) != 3 else _city_by_code(query, named))


def _city_by_code(query: str, named: City | None) -> City:
    """The city of a code, else the one of that name; its fault names cities that are written so."""
    try:
        return city_of_code(query)
    except ToolFault:
        return named or find_city(query)


@GROUP.tool(
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
    row = airport_named(query) if key == "name" else airport_keys().get(query.strip().upper())
    return AIRPORT.row(
        row or _choose(all_airports(), query, key, "airport", lambda port: (port["iata"], port["name"]))
    )


@GROUP.tool(
    examples=[{"query": "Air France"}, {"query": "SQ", "key": "code"}],
    phrase="look up the airline record (home country, alliance and hubs) of {query}[, searching by {key}]",
    noun="the airline record",
    not_credentials=("key",),
)
def search_airline(*, query: AirlineCode, key: Key = "name") -> AirlineRow:
    """Codes, home country, alliance and hubs of an airline, some that ceased to fly included.

    query: Name or two-letter code of the airline.
    key: Whether the query is a name or a code.
    """
    gone = former_airlines().get(plain(query)) if key == "name" else None
    everyone = all_airlines().values()
    return AIRLINE.row(gone or _choose(everyone, query, key, "airline", lambda row: (row.iata, row.name)))


@GROUP.tool(
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
    name, code = _choose(_ALLIANCES.items(), query, key, "alliance", lambda row: (row[1], row[0]))
    members = [airline.iata for airline in all_airlines().values() if airline.alliance == name]
    return {"code": code, "name": name, "airlines": members}


@GROUP.tool(
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
    rows = airplane_types().values()
    return AIRPLANE.row(_choose(rows, query, key, "aircraft", lambda plane: (plane.code, plane.name)))


@GROUP.tool(
    examples=[{"depart_airport": "CDG", "arrival_airport": "MAD"}, {"airline": "SQ", "page_size": 5}],
    phrase=(
        "search the airline routes[ flown by the airline whose code is {airline}][ departing from "
        "{depart_airport}][ arriving at {arrival_airport}][, with the maximum number of transfers set to "
        "{max_transfers}][, showing {page_size} routes per page][, on page {page}]"
    ),
    noun="the list of airline routes",
)
def search_routes(
    *,
    airline: AirlineCode | None = None,
    depart_airport: AirportCode | None = None,
    arrival_airport: AirportCode | None = None,
    max_transfers: Annotated[int, Range(0, 1)] = 0,
    page: Annotated[int, Range(0, 10000)] = 0,
    page_size: Annotated[int, Range(1, 40)] = 10,
) -> Page[RouteRow]:
    """Routes that airlines fly, by airline and airports, with flight number, distance and aircraft.

    airline: Two-letter code of the airline.
    depart_airport: Three-letter code of the airport of departure.
    arrival_airport: Three-letter code of the airport of arrival.
    max_transfers: 1 adds ways with one change; both airports must then be given.
    page: Number of the page, from 0.
    page_size: Routes per page.
    """
    start, end = (find_airport(code)["iata"] if code else None for code in (depart_airport, arrival_airport))
    if start and start == end:
        raise invalid("arrival_airport", end, f"want an airport other than {start}")
    if max_transfers and not (start and end):
        raise invalid("max_transfers", max_transfers, "ways with a change need both airports")
    carrier = find_airline(airline).iata if airline else None
    found: list[Way] = [(leg,) for leg in _legs_between(start, end, carrier)]
    if max_transfers and start and end:
        found += _ways_with_change(start, end, carrier)
    return ROUTE.page(found, page * page_size, page_size)


def _legs_between(start: str | None, end: str | None, carrier: str | None) -> Iterator[Leg]:
    """The flights of an airline (or all) between airports, as far as they are named."""
    if start and end:
        found = iter(legs(start, end))
    elif start:
        found = flights_leaving(start)
    elif end:
        found = (leg for other in destinations(end) for leg in legs(other, end))
    elif carrier:
        found = flown_by(carrier)
    else:
        found = (leg for port in network() for leg in flights_leaving(port))
    return (leg for leg in found if carrier in (None, leg.airline))


def _ways_with_change(start: str, end: str, carrier: str | None) -> list[Way]:
    """The ways with one change of the same airline, the shortest first, long detours left out."""
    away = distance_km(airport_keys()[start], airport_keys()[end])
    ways = [
        (first, second)
        for first in flights_leaving(start)
        if first.destination != end and carrier in (None, first.airline)
        for second in legs(first.destination, end)
        if second.airline == first.airline and not is_detour(first.km + second.km, away)
    ]
    return sorted(ways, key=lambda way: (way[0].km + way[1].km, way[0].airline))
