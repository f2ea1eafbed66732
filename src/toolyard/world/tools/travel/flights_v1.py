"""Travel/Flight_Data_v1: the lowest fares by changes, day and month, and what is popular."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import (
    AirlineCode,
    AirportCode,
    CityName,
    CurrencyCode,
    IsoDateTime,
    Page,
    Range,
    Semantic,
    Unit,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.places.geography import City
from toolyard.world.simulated.travel.flights import (
    ReturnDay,
    Schedule,
    Ticket,
    TravelDate,
    TravelDay,
    Trip,
    cheapest_trip,
    check_stay,
    currency_per_dollar,
    flight_schedule,
    passengers,
    period,
    require_two_cities,
    trips,
    way_home,
)
from toolyard.world.simulated.travel.network import (
    AircraftCode,
    CityCode,
    FlightNumber,
    airports_near,
    city_of_code,
    destinations,
    distance_km,
    find_airline,
    flown_by,
)

GROUP = Group("Travel/Flight_Data_v1")
Origin = Annotated[str, Semantic("city_code", r"[A-Za-z]{3}", accepts=("airport_code",))]
Target = Annotated[str, Semantic("city_code", r"[A-Za-z]{3}|-", accepts=("airport_code",))]
# How many places are meant by a hyphen.
_ALL_DIRECTIONS = 60


class TicketRow(TypedDict):
    destination: CityCode
    number_of_changes: int
    price: float
    airline: AirlineCode
    flight_number: FlightNumber
    departure_at: IsoDateTime
    return_at: IsoDateTime | None
    minutes: Annotated[int, Unit("min")]


class DirectTicket(TypedDict):
    to: CityCode
    cost: float
    carrier: AirlineCode
    flight: FlightNumber
    from_airport: AirportCode
    to_airport: AirportCode
    aircraft: AircraftCode
    leaves_at: IsoDateTime
    returns_at: IsoDateTime | None


class DayTicket(TypedDict):
    date: TravelDate
    price: float
    number_of_changes: int
    airline: AirlineCode
    flight_number: FlightNumber
    return_date: TravelDate | None


class MonthTicket(TypedDict):
    month: str
    lowest: float
    changes: int
    airline: AirlineCode
    best_day: TravelDate


class AirlineRoute(TypedDict):
    origin: AirportCode
    destination: AirportCode
    destination_city: CityName
    passengers: int


class Direction(TypedDict):
    destination: CityCode
    city: CityName
    price: float
    airline: AirlineCode
    departure_at: IsoDateTime


TICKET = View.of(
    TicketRow,
    destination="code",
    number_of_changes="out.stops",
    airline="out.first.airline",
    flight_number="out.first.number",
    departure_at="out.leaves_at",
    return_at="returns_at",
    minutes="out.minutes",
)
DIRECT = View.of(
    DirectTicket,
    to="code",
    cost="price",
    carrier="out.first.airline",
    flight="out.first.number",
    from_airport="out.first.origin",
    to_airport="out.first.destination",
    aircraft="out.first.aircraft.code",
    leaves_at="out.leaves_at",
)
MONTH = View[MonthTicket]({
    "month": lambda ticket: f"{ticket.out.day:%Y-%m}", "lowest": "price", "changes": "out.stops",
    "airline": "out.first.airline", "best_day": lambda ticket: ticket.out.day.isoformat(),
})  # fmt: skip
ROUTE = View.of(
    AirlineRoute,
    origin="leg.origin",
    destination="leg.destination",
    destination_city=lambda row: city_of_code(row.leg.destination)["name"],
)
DIRECTION = View.of(
    Direction,
    destination="code",
    city="target.name",
    airline="out.first.airline",
    departure_at="out.leaves_at",
)


def reached_from(city: City) -> list[City]:
    """The cities with a non-stop flight from a city."""
    ends = {end for port in airports_near(city) for end in destinations(port["iata"])}
    found = {(target := city_of_code(end))["id"]: target for end in sorted(ends)}
    return [target for target in found.values() if target["id"] != city["id"]]


def _target_cities(origin: City, destination: str) -> list[City]:
    """One city; with a hyphen the nearest ones with a flight from here."""
    if destination.strip() == "-":
        return sorted(reached_from(origin), key=lambda city: distance_km(origin, city))[:_ALL_DIRECTIONS]
    return [_other_city(origin, destination)]


def _other_city(origin: City, destination: str) -> City:
    """The city of a code; a fault where it is the one to leave from."""
    target = city_of_code(destination)
    require_two_cities(origin, target, destination)
    return target


def _cheapest_tickets(
    world: World,
    origin: str,
    destination: str,
    dates: tuple[str | None, str | None],
    currency: str,
    stops: tuple[int, ...],
) -> list[Ticket]:
    """The lowest fares to each city that is meant, by number of changes, on the days that are meant; by price."""
    start, per_usd, (depart, back) = city_of_code(origin), currency_per_dollar(currency), dates
    targets, days = _target_cities(start, destination), period(world, depart, "depart_date")
    home = period(world, back, "return_date") if back else []
    check_stay(days, home)
    found = []
    for target in targets:
        for count in stops:
            out = cheapest_trip(trips(world, start, target, days, count))
            way_back = way_home(world, out, target, start, home) if out and home else None
            if out and (way_back or not home):
                found.append(Ticket(start, target, out, way_back, per_usd))
    return sorted(found, key=lambda ticket: ticket.price)


@GROUP.tool(
    examples=[
        {"origin": "GVA", "destination": "OPO", "depart_date": "2024-06-10"},
        {
            "origin": "PAR",
            "destination": "MAD",
            "depart_date": "2024-06-10",
            "return_date": "2024-06-20",
            "currency": "EUR",
        },
        {"origin": "MOW", "destination": "-"},
    ],
    phrase=(
        "find the cheapest tickets with none, one and two changes from {origin} to {destination}[, with "
        "{depart_date} as the departure date][, with {return_date} as the return date][, priced in "
        "{currency}][, on page {page}]"
    ),
    noun="the cheapest tickets by number of changes",
    jobs=("fares",),
)
def cheapest_tickets(
    world: World,
    *,
    origin: Origin,
    destination: Target,
    depart_date: TravelDay | None = None,
    return_date: ReturnDay | None = None,
    page: Annotated[int, Range(1, 1000)] = 1,
    currency: CurrencyCode = "RUB",
) -> Page[TicketRow]:
    """The cheapest tickets on a route with none, one and two changes, by price, 15 a page.

    origin: IATA code of the city to leave from; that of an airport stands for its whole city.
    destination: IATA code of the city (or an airport of it) to go to; a hyphen for the sixty nearest places with flights.
    depart_date: Day or month of departure; the next 60 days if left out.
    return_date: Day or month of return; one way if left out.
    page: Number of the page.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    found = _cheapest_tickets(world, origin, destination, (depart_date, return_date), currency, (0, 1, 2))
    return TICKET.page(found, 15 * (page - 1), 15)


@GROUP.tool(
    examples=[{"origin": "VIE", "destination": "MAD", "depart_date": "2024-06", "currency": "EUR"}],
    phrase=(
        "find the cheapest non-stop ticket from {origin} to {destination}[, with {depart_date} as the "
        "departure date][, with {return_date} as the return date][, priced in {currency}]"
    ),
    noun="the cheapest non-stop tickets",
    jobs=("fares",),
)
def cheapest_direct_tickets(
    world: World,
    *,
    origin: Origin,
    destination: Target,
    depart_date: TravelDay | None = None,
    return_date: ReturnDay | None = None,
    currency: CurrencyCode = "RUB",
) -> list[DirectTicket]:
    """The cheapest non-stop ticket on a route, or the 20 cheapest in all directions.

    origin: IATA code of the city to leave from; that of an airport stands for its whole city.
    destination: IATA code of the city (or an airport of it) to go to; a hyphen for the sixty nearest places with flights.
    depart_date: Day or month of departure; the next 60 days if left out.
    return_date: Day or month of return; one way if left out.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    found = _cheapest_tickets(world, origin, destination, (depart_date, return_date), currency, (0,))
    return DIRECT.rows(found[:20])


@GROUP.tool(
    examples=[{"origin": "MUC", "destination": "PMI", "depart_date": "2024-05-25", "currency": "EUR"}],
    phrase=(
        "find the cheapest ticket of each day from {origin} to {destination}[, with {depart_date} as the "
        "departure date][, with {return_date} as the return date][, with the calendar type set to "
        "{calendar_type}][, with a length of stay of {length} days][, priced in {currency}]"
    ),
    noun="the cheapest tickets of each day",
    jobs=("fares",),
)
def cheapest_tickets_each_day(
    world: World,
    *,
    origin: Origin,
    destination: Origin,
    depart_date: TravelDay | None = None,
    return_date: ReturnDay | None = None,
    calendar_type: Literal["departure_date", "return_date"] = "departure_date",
    length: Annotated[int, Range(1, 60), Unit("day")] | None = None,
    currency: CurrencyCode = "RUB",
) -> list[DayTicket]:
    """The cheapest ticket of each day for up to 30 days, whatever the number of changes.

    origin: IATA code of the city to leave from; that of an airport stands for its whole city.
    destination: IATA code of the city to go to; that of an airport stands for its whole city.
    depart_date: First day, or a month; tomorrow if left out.
    return_date: Day or month of return; the ticket then covers both ways.
    calendar_type: Whether the days are those of departure or of return; tickets by return cover both ways.
    length: Days to stay; the return follows so many days after the departure.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    start, per_usd = city_of_code(origin), currency_per_dollar(currency)
    target = _other_city(start, destination)
    if calendar_type == "return_date":
        days = period(world, depart_date, "depart_date", 30)
        home = _calendar_days(world, return_date or str(days[0] + timedelta(days=length or 1)), "return_date")
        check_stay(days if depart_date else [], home)
        pairs = _fares_by_return(world, (start, target), home, days, length)
    else:
        days = _calendar_days(world, depart_date, "depart_date")
        home = period(world, return_date, "return_date") if return_date else []
        check_stay(days, home)
        pairs = _fares_by_departure(world, (start, target), days, home, length)
    return [_day_row(day, Ticket(start, target, out, back, per_usd)) for day, out, back in pairs]


def _calendar_days(world: World, text: str | None, parameter: str) -> list[date]:
    """The days of a month, or the thirty from a day on."""
    days = period(world, text, parameter, 30)
    return days if len(days) > 1 else [days[0] + timedelta(days=n) for n in range(30)]


def _fares_by_departure(
    world: World, pair: tuple[City, City], days: list[date], home: list[date], length: int | None
) -> Iterator[tuple[date, Trip, Trip | None]]:
    """Each day with its lowest fare, and the way back where one is wanted."""
    for day in days:
        out = cheapest_trip(trips(world, *pair, [day]))
        ends = [day + timedelta(days=length)] if length else home
        back = way_home(world, out, pair[1], pair[0], ends) if out and ends else None
        if out and (back or not ends):
            yield day, out, back


def _fares_by_return(
    world: World, pair: tuple[City, City], home: list[date], days: list[date], length: int | None
) -> Iterator[tuple[date, Trip, Trip | None]]:
    """Each day with its lowest way back, and the lowest fare of an earlier departure."""
    for day in home:
        starts = [day - timedelta(days=length)] if length else [start for start in days if start < day]
        out = cheapest_trip(trips(world, *pair, [start for start in starts if start >= world.today]))
        back = cheapest_trip(trips(world, pair[1], pair[0], [day]))
        if out and back:
            yield day, out, back


def _day_row(day: date, ticket: Ticket) -> DayTicket:
    return {
        "date": day.isoformat(),
        "price": ticket.price,
        "number_of_changes": ticket.out.stops,
        "airline": ticket.out.first.airline,
        "flight_number": ticket.out.first.number,
        "return_date": ticket.returns_on,
    }


@GROUP.tool(
    examples=[{"origin": "MUC", "destination": "NYC", "currency": "USD"}],
    phrase=(
        "find the cheapest one-way ticket of each of the coming months from {origin} to {destination}[, "
        "priced in {currency}]"
    ),
    noun="the cheapest tickets of each month",
    jobs=("fares",),
)
def cheapest_tickets_each_month(
    world: World, *, origin: Origin, destination: Origin, currency: CurrencyCode = "RUB"
) -> list[MonthTicket]:
    """The cheapest one-way ticket of each of the coming eleven months.

    origin: IATA code of the city to leave from; that of an airport stands for its whole city.
    destination: IATA code of the city to go to; that of an airport stands for its whole city.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    start, per_usd = city_of_code(origin), currency_per_dollar(currency)
    target = _other_city(start, destination)
    months = group_items(period(world, None, "depart_date", 330), lambda day: f"{day:%Y-%m}")
    best = (cheapest_trip(trips(world, start, target, days)) for days in list(months.values())[:11])
    return MONTH.rows(Ticket(start, target, out, None, per_usd) for out in best if out)


@GROUP.tool(
    examples=[{"airline_code": "AF", "limit": 5}],
    phrase=(
        "list the most popular routes by passengers flown by the airline whose code is {airline_code}[, "
        "returning at most {limit} routes]"
    ),
    noun="the popular airline routes",
)
def popular_airline_routes(
    world: World, *, airline_code: AirlineCode, limit: Annotated[int, Range(1, 50)] = 10
) -> list[AirlineRoute]:
    """Routes of an airline, those with the most passengers a month first.

    airline_code: IATA code of the airline.
    limit: How many routes to list.
    """
    airline = find_airline(airline_code)
    rows = [flight_schedule(world.seed, leg) for leg in flown_by(airline.iata) if leg.origin in airline.hubs]
    if not rows:
        raise not_found("routes of airline", airline_code[:20], such_as=("AF", "BA", "DL", "LH"))
    return ROUTE.rows(sorted(rows, key=_city_sort_key)[:limit])


def _city_sort_key(row: Schedule) -> tuple[int, str]:
    return -row.passengers, row.leg.destination


@GROUP.tool(
    examples=[{"origin": "SEA", "currency": "USD"}],
    phrase=(
        "list the ten most popular flight destinations, with the lowest fare, from {origin}[, priced in "
        "{currency}]"
    ),
    noun="the popular flight destinations",
    jobs=("fares",),
)
def popular_directions_from_city(
    world: World, *, origin: Origin, currency: CurrencyCode = "RUB"
) -> list[Direction]:
    """Up to ten cities with non-stop flights from a city, those with the most passengers first, with the lowest fare.

    origin: IATA code of the city to leave from; that of an airport stands for its whole city.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    start, per_usd = city_of_code(origin), currency_per_dollar(currency)
    people = {city["id"]: passengers(world.seed, start["id"], city["id"]) for city in reached_from(start)}
    targets = sorted(reached_from(start), key=lambda city: (-people[city["id"]], city["id"]))
    days = period(world, None, "depart_date", 40)
    best = ((target, cheapest_trip(trips(world, start, target, days, 0))) for target in targets[:10])
    return DIRECTION.rows(Ticket(start, target, out, None, per_usd) for target, out in best if out)
