"""Travel/Flight_Data_v1: the lowest fares by changes, day and month, and what is popular."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Annotated, Literal

from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.shared.geography import City, cities
from toolyard.world.state import World
from toolyard.world.tables import kilometres
from toolyard.world.tables import page as paged
from toolyard.world.types import (
    AirlineCode,
    CurrencyCode,
    Page,
    Range,
    Semantic,
    Unit,
)
from toolyard.world.worlds.travel.air import (
    aircraft_of,
    airports_of,
    city_airports,
    city_of_code,
    code_of,
    find_airline,
    flown_by,
    leaving,
)
from toolyard.world.worlds.travel.airspace import is_shut
from toolyard.world.worlds.travel.fare_calendar import by_departure, by_return, calendar_days, way_home
from toolyard.world.worlds.travel.fares import (
    Fare,
    ReturnDay,
    TravelDay,
    cheapest,
    departure,
    fares,
    in_currency,
    lowest,
    period,
    rate,
    stay,
    total,
    two_cities,
)
from toolyard.world.worlds.travel.flights_v1_shapes import (
    AirlineRoute,
    DayTicket,
    Direction,
    DirectTicket,
    MonthTicket,
    Ticket,
)
from toolyard.world.worlds.travel.travellers import on_board, ranked_targets

GROUP = "Travel/Flight_Data_v1"
Origin = Annotated[str, Semantic("city_code", r"[A-Za-z]{3}", accepts=("airport_code",))]
Target = Annotated[str, Semantic("city_code", r"[A-Za-z]{3}|-", accepts=("airport_code",))]


# How many places are meant by a hyphen.
_ALL_DIRECTIONS = 60


def _targets(seed: int, origin: City, destination: str) -> list[City]:
    """One city; with a hyphen the nearest ones with a flight from here, or a well-known airport where few have."""
    if destination.strip() != "-":
        return [_other_city(origin, destination)]
    ends = {leg["destination"] for port in airports_of(origin) for leg in leaving(seed, port["iata"])}
    flown = {city_of_code(end)["id"]: city_of_code(end) for end in sorted(ends)}
    if len(flown) < _ALL_DIRECTIONS:
        flown = {row["id"]: row for row in cities() if row["id"] in city_airports()} | flown
    there = (row for row in flown.values() if row["id"] != origin["id"] and not is_shut(row["country_code"]))
    return sorted(there, key=lambda row: _away(origin, row))[:_ALL_DIRECTIONS]


def _away(here: City, there: City) -> float:
    return kilometres(here["latitude"], here["longitude"], there["latitude"], there["longitude"])


def _other_city(origin: City, destination: str) -> City:
    """The city of a code; a fault where it is the one to leave from."""
    target = city_of_code(destination)
    two_cities(origin, target, destination)
    return target


def _found(
    world: World, origin: City, target: City, days: list[date], back: list[date], stops: Iterable[int]
) -> list[tuple[Fare, Fare | None]]:
    """The lowest fare per number of changes, with the lowest way back where one is wanted."""
    found = []
    for count in stops:
        fare = lowest(world, origin, target, days, count)
        way_back = way_home(world, target, origin, back, fare) if fare and back else None
        if fare and (way_back or not back):
            found.append((fare, way_back))
    return found


def _journeys(
    world: World, origin: City, destination: str, depart: str | None, back: str | None, stops: Iterable[int]
) -> Iterator[tuple[City, Fare, Fare | None]]:
    """The lowest fares to each city that is meant, by number of changes, on the days that are meant."""
    targets = _targets(world.seed, origin, destination)
    first = period(world, depart, "depart_date")
    last = period(world, back, "return_date") if back else []
    stay(first, last)
    for target in targets:
        for fare, way_back in _found(world, origin, target, first, last, stops):
            yield target, fare, way_back


@tool(
    GROUP,
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
) -> Page[Ticket]:
    """The cheapest tickets on a route with none, one and two changes, by price, 15 a page.

    origin: IATA code of the city to leave from; that of an airport stands for its whole city.
    destination: IATA code of the city (or an airport of it) to go to; a hyphen for the sixty nearest places with flights.
    depart_date: Day or month of departure; the next 60 days if left out.
    return_date: Day or month of return; one way if left out.
    page: Number of the page.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    start, per_usd = city_of_code(origin), rate(currency)
    tickets: list[Ticket] = [
        {
            "destination": code_of(target),
            "number_of_changes": fare["way"]["stops"],
            "price": total(fare, way_back, per_usd),
            "airline": fare["way"]["airline"],
            "flight_number": fare["way"]["legs"][0]["number"],
            "departure_at": departure(fare),
            "return_at": departure(way_back) if way_back else None,
            "minutes": fare["way"]["minutes"],
        }
        for target, fare, way_back in _journeys(
            world, start, destination, depart_date, return_date, (0, 1, 2)
        )
    ]
    return paged(sorted(tickets, key=lambda ticket: ticket["price"]), 15, 15 * (page - 1))


@tool(
    GROUP,
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
    start, per_usd = city_of_code(origin), rate(currency)
    tickets: list[DirectTicket] = [
        {
            "to": code_of(target),
            "cost": total(fare, way_back, per_usd),
            "carrier": fare["way"]["airline"],
            "flight": fare["way"]["legs"][0]["number"],
            "from_airport": fare["way"]["legs"][0]["origin"],
            "to_airport": fare["way"]["legs"][0]["destination"],
            "aircraft": aircraft_of(world.seed, fare["way"]["legs"][0]),
            "leaves_at": departure(fare),
            "returns_at": departure(way_back) if way_back else None,
        }
        for target, fare, way_back in _journeys(world, start, destination, depart_date, return_date, (0,))
    ]
    return sorted(tickets, key=lambda ticket: ticket["cost"])[:20]


@tool(
    GROUP,
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
    start, per_usd = city_of_code(origin), rate(currency)
    target = _other_city(start, destination)
    if calendar_type == "return_date":
        leaving_on = period(world, depart_date, "depart_date", 30)
        home = return_date or (leaving_on[0] + timedelta(days=length or 1)).isoformat()
        days = calendar_days(world, home, "return_date")
        stay(leaving_on if depart_date else [], days)
        pairs = by_return(world, start, target, days, leaving_on, length)
    else:
        days = calendar_days(world, depart_date, "depart_date")
        back = period(world, return_date, "return_date") if return_date else []
        stay(days, back)
        pairs = by_departure(world, start, target, days, back, length)
    return [_day_ticket(day, fare, way_back, per_usd) for day, fare, way_back in pairs]


def _day_ticket(day: date, fare: Fare, way_back: Fare | None, per_usd: float) -> DayTicket:
    return {
        "date": day.isoformat(),
        "price": total(fare, way_back, per_usd),
        "number_of_changes": fare["way"]["stops"],
        "airline": fare["way"]["airline"],
        "flight_number": fare["way"]["legs"][0]["number"],
        "return_date": way_back["day"].isoformat() if way_back else None,
    }


@tool(
    GROUP,
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
    start, per_usd = city_of_code(origin), rate(currency)
    target = _other_city(start, destination)
    months: dict[str, list[date]] = {}
    for day in period(world, None, "depart_date", 330):
        months.setdefault(f"{day:%Y-%m}", []).append(day)
    best = {month: cheapest(fares(world, start, target, days)) for month, days in list(months.items())[:11]}
    return [
        {
            "month": month,
            "lowest": in_currency(fare["usd"], per_usd),
            "changes": fare["way"]["stops"],
            "airline": fare["way"]["airline"],
            "best_day": fare["day"].isoformat(),
        }
        for month, fare in best.items()
        if fare
    ]


@tool(
    GROUP,
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
    flown = flown_by(world.seed, airline["iata"])
    if not flown:
        raise not_found("routes on record for airline", airline_code[:20], such_as=("AF", "BA", "DL", "LH"))
    hubs = airline["hubs"] or [flown[0]["origin"]]
    flights = [(on_board(world, route), route) for route in flown if route["origin"] in hubs]
    ranked = sorted(flights, key=lambda pair: -pair[0])
    return [
        {
            "origin": route["origin"],
            "destination": route["destination"],
            "destination_city": city_of_code(route["destination"])["name"],
            "passengers": people,
        }
        for people, route in ranked[:limit]
    ]


@tool(
    GROUP,
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
    """Up to ten cities with non-stop flights from a city, with the lowest fare of the coming weeks.

    Those with the most passengers come first where passengers are known, else those with the most airlines on the route.

    origin: IATA code of the city to leave from; that of an airport stands for its whole city.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    start, per_usd = city_of_code(origin), rate(currency)
    targets = ranked_targets(
        world, start, [leg for port in airports_of(start) for leg in leaving(world.seed, port["iata"])]
    )
    days = period(world, None, "depart_date", 40)
    best = [(target, cheapest(fares(world, start, target, days, 0))) for target in targets[:12]]
    found: list[Direction] = [
        {
            "destination": code_of(target),
            "city": target["name"],
            "price": in_currency(fare["usd"], per_usd),
            "airline": fare["way"]["airline"],
            "departure_at": departure(fare),
        }
        for target, fare in best
        if fare
    ]
    return found[:10]
