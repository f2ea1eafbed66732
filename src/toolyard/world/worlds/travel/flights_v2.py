"""Travel/Flight_Data_v2: recently found prices, price calendars, and directions nearby."""

from __future__ import annotations

import itertools
from datetime import date, timedelta
from typing import Annotated, Literal

from toolyard.world import seeds
from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.shared.days import parse_date, stamp
from toolyard.world.shared.geography import City
from toolyard.world.shared.places import OWN_ADDRESS, address, block
from toolyard.world.state import World
from toolyard.world.tables import kilometres
from toolyard.world.types import (
    CurrencyCode,
    IpAddress,
    Range,
    Semantic,
    Unit,
)
from toolyard.world.worlds.travel.air import (
    airports_near,
    cities_of,
    city_of_code,
    code_of,
    leaving,
)
from toolyard.world.worlds.travel.fares import (
    Fare,
    ReturnDay,
    TravelDate,
    TravelDay,
    cheapest,
    fares,
    in_currency,
    period,
    rate,
    stay,
    total,
    two_cities,
)
from toolyard.world.worlds.travel.flights_v2_shapes import Location, MonthDay, Nearby, Price, WeekDay
from toolyard.world.worlds.travel.neighbours import beside, with_airport
from toolyard.world.worlds.travel.travellers import travellers

GROUP = "Travel/Flight_Data_v2"
Origin = Annotated[str, Semantic("city_code", r"[A-Za-z]{2,3}", accepts=("airport_code", "country_code"))]


def _price(world: World, start: City, target: City, fare: Fare, back: Fare | None, per_usd: float) -> Price:
    ago = seeds.number(world.seed, "found", start["id"], target["id"], fare["day"]) % 2880
    return {
        "origin": code_of(start),
        "destination": code_of(target),
        "depart_date": fare["day"].isoformat(),
        "return_date": back["day"].isoformat() if back else None,
        "value": total(fare, back, per_usd),
        "number_of_changes": fare["way"]["stops"],
        "distance": fare["way"]["distance_km"],
        "airline": fare["way"]["airline"],
        "found_at": stamp(world.now - timedelta(minutes=ago)),
    }


def _way_back(world: World, start: City, target: City, fare: Fare) -> Fare | None:
    """The cheapest flight home about a week after a fare."""
    return cheapest(fares(world, target, start, [fare["day"] + timedelta(days=n) for n in (7, 8, 9)]))


def _reachable(world: World, starts: list[City]) -> list[City]:
    """Cities with a non-stop flight from one of the starting cities, those that most people fly to first."""
    codes = {
        leg["destination"]
        for start in starts
        for port in airports_near(start)
        for leg in leaving(world.seed, port["iata"])
    }
    own = {start["id"] for start in starts}
    found = {city_of_code(code)["id"]: city_of_code(code) for code in sorted(codes)}
    wanted = {
        key: sum(travellers(world, start, city) for start in starts)
        for key, city in found.items()
        if key not in own
    }
    return [found[key] for key in sorted(wanted, key=lambda key: -wanted[key])]


@tool(
    GROUP,
    examples=[
        {"origin": "BKK", "destination": "PHS", "one_way": True, "currency": "USD"},
        {"origin": "TH", "period_type": "month", "beginning_of_period": "2024-07-01", "limit": 5},
    ],
    phrase=(
        "show the flight ticket prices that people found during the past 48 hours[ from {origin}][ to "
        "{destination}][, with the period type set to {period_type}][, in the period beginning on "
        "{beginning_of_period}][, with one way set to {one_way}][, sorted by {sorting}][, priced in "
        "{currency}][, showing {limit} prices per page][, on page {page}]"
    ),
    noun="the recently found ticket prices",
    jobs=("fares",),
)
def cheapest_tickets(
    world: World,
    *,
    origin: Origin = "MOW",
    destination: Origin | None = None,
    period_type: Literal["year", "month"] = "year",
    beginning_of_period: TravelDate | None = None,
    one_way: bool = False,
    sorting: Literal["price", "route", "distance_unit_price"] = "price",
    page: Annotated[int, Range(1, 1000)] = 1,
    limit: Annotated[int, Range(1, 20)] = 10,
    currency: CurrencyCode = "RUB",
) -> list[Price]:
    """Prices that people found during the past 48 hours, for a route or from a place to anywhere.

    origin: City, airport or country code of the departure; an airport stands for its whole city.
    destination: City, airport (for its whole city) or country code of the arrival; anywhere if left out.
    period_type: Departures of the coming months, or of one month only.
    beginning_of_period: First day of that month; needed for month.
    one_way: Whether to leave out the way back, which is 7 to 9 days later.
    sorting: By price, by popularity of the route, or by price per kilometre.
    page: Number of the page.
    limit: Prices per page.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    days = _departures(world, period_type, beginning_of_period)
    per_usd, starts = rate(currency), cities_of(origin)[:6]
    targets = cities_of(destination)[:10] if destination else _reachable(world, starts)[:15]
    pairs = _apart(starts, targets, destination or "")
    found: list[Price] = []
    for start, target in pairs:
        for fare in _found(world, start, target, days, by_month=len(pairs) == 1):
            back = None if one_way else _way_back(world, start, target, fare)
            if one_way or back:
                found.append(_price(world, start, target, fare, back, per_usd))
    if sorting == "price":
        found.sort(key=lambda row: row["value"])
    elif sorting == "route":
        found.sort(key=lambda row: -_people(world, row))
    elif sorting == "distance_unit_price":
        found.sort(key=lambda row: row["value"] / row["distance"])
    return found[limit * (page - 1) : limit * page]


def _people(world: World, row: Price) -> int:
    """How many people fly between the cities of a price."""
    return travellers(world, city_of_code(row["origin"]), city_of_code(row["destination"]))


def _apart(starts: list[City], targets: list[City], destination: str) -> list[tuple[City, City]]:
    """Every pair of two different cities; a fault where there is but one city to leave from and to go to."""
    if len(starts) == len(targets) == 1:
        two_cities(starts[0], targets[0], destination)
    return [pair for pair in itertools.product(starts, targets) if pair[0]["id"] != pair[1]["id"]]


def _main_city(world: World, code: str) -> City:
    """The city of a code; of a country the one with the most flights."""
    return max(
        cities_of(code),
        key=lambda city: sum(len(leaving(world.seed, port["iata"])) for port in airports_near(city)),
    )


def _found(world: World, start: City, target: City, days: list[date], *, by_month: bool) -> list[Fare]:
    """The lowest fare of a route among every seventh day, or that of each month."""
    first = seeds.number(world.seed, "looked", start["id"], target["id"]) % 7
    some = days[first::7] if len(days) > 7 else days
    months: dict[str, list[date]] = {}
    for day in some:
        months.setdefault(f"{day:%Y-%m}" if by_month else "", []).append(day)
    best = (cheapest(fares(world, start, target, chosen)) for chosen in months.values())
    return [fare for fare in best if fare]


def _departures(world: World, period_type: str, beginning: str | None) -> list[date]:
    """The days of the coming half year or of the month that is meant."""
    if period_type == "year":
        return period(world, None, "beginning_of_period", 180)
    if beginning is None:
        raise invalid("beginning_of_period", None, "give the first day of the month as YYYY-MM-DD")
    month = parse_date(beginning, "beginning_of_period")
    return period(world, f"{month:%Y-%m}", "beginning_of_period")


@tool(
    GROUP,
    examples=[{"origin": "MUC", "destination": "PMI", "month": "2024-06-01", "currency": "EUR"}],
    phrase=(
        "show the month calendar of the lowest one-way flight price of each day from {origin} to "
        "{destination}[, for the month that contains {month}][, priced in {currency}]"
    ),
    noun="the monthly price calendar",
    jobs=("fares",),
)
def prices_calendar_month(
    world: World,
    *,
    origin: Origin,
    destination: Origin,
    month: TravelDate | None = None,
    currency: CurrencyCode = "RUB",
) -> list[MonthDay]:
    """The lowest one-way price of each day of a month, with the number of changes.

    origin: City, airport or country code of the departure; an airport stands for its whole city.
    destination: City, airport or country code of the arrival; an airport stands for its whole city.
    month: Any day of the month, as YYYY-MM-DD; the coming month if left out.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    first = parse_date(month, "month") if month else world.today + timedelta(days=30)
    per_usd = rate(currency)
    pairs = _apart(cities_of(origin)[:3], cities_of(destination)[:3], destination)
    found: list[MonthDay] = []
    for day in period(world, f"{first:%Y-%m}", "month"):
        fare = cheapest(fare for start, target in pairs for fare in fares(world, start, target, [day]))
        if fare:
            found.append(
                {
                    "depart_date": day.isoformat(),
                    "value": in_currency(fare["usd"], per_usd),
                    "number_of_changes": fare["way"]["stops"],
                    "airline": fare["way"]["airline"],
                }
            )
    return found


def _around(days: list[date], more: int, today: date) -> list[date]:
    wide = {day + timedelta(days=n) for day in days for n in range(-more, more + 1)}
    return sorted(day for day in wide if day >= today)


@tool(
    GROUP,
    examples=[
        {"origin": "BKK", "destination": "PHS", "depart_date": "2024-06-03", "currency": "USD"},
        {"origin": "LON", "destination": "ROM", "depart_date": "2024-06-03", "limit": 4, "flexibility": 2},
    ],
    phrase=(
        "compare flight prices and distances, nearby cities included, from {origin} to {destination}[, with "
        "{depart_date} as the departure date][, with {return_date} as the return date][, with the "
        "flexibility of the dates set to {flexibility} days][, considering {distance} cities around each "
        "end][, pricing {limit} pairs of cities][, priced in {currency}]"
    ),
    noun="the direction prices",
    jobs=("fares",),
)
def direction_prices(
    world: World,
    *,
    origin: Origin,
    destination: Origin,
    depart_date: TravelDay | None = None,
    return_date: ReturnDay | None = None,
    limit: Annotated[int, Range(1, 20)] = 1,
    flexibility: Annotated[int, Range(0, 7), Unit("day")] = 0,
    distance: Annotated[int, Range(1, 20)] | None = None,
    currency: CurrencyCode = "RUB",
) -> list[Nearby]:
    """Prices and distances between two cities and, where more are wanted, between cities near them.

    origin: City, airport or country code of the departure; an airport stands for its whole city.
    destination: City, airport or country code of the arrival; an airport stands for its whole city.
    depart_date: Day or month of departure; the next 60 days if left out.
    return_date: Day or month of return; one way if left out.
    limit: How many pairs of cities to price; 1 is the named pair alone.
    flexibility: How many days earlier or later will do as well.
    distance: How many cities around each end to consider; as many as needed if left out.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    per_usd, count = rate(currency), distance or 1 + limit // 2
    start, target = _main_city(world, origin), _main_city(world, destination)
    two_cities(start, target, destination)
    starts, targets = beside(start, target, count), beside(target, start, count)
    days = _around(period(world, depart_date, "depart_date"), flexibility, world.today)
    back = _around(period(world, return_date, "return_date"), flexibility, world.today) if return_date else []
    stay(days, back)
    found: list[Nearby] = []
    for start, target in _pairs(starts, targets)[: limit * 2]:
        fare = cheapest(fares(world, start, target, days))
        home = cheapest(fares(world, target, start, [d for d in back if fare and d >= fare["day"]]))
        if fare and (home or not back) and len(found) < limit:
            found.append(_nearby(start, target, fare, home, per_usd))
    return found


def _pairs(starts: list[City], targets: list[City]) -> list[tuple[City, City]]:
    """Both lists being in order of distance, pairs of two different cities, those closest to the named pair first."""
    places = itertools.product(range(len(starts)), range(len(targets)))
    pairs = ((starts[a], targets[b]) for a, b in sorted(places, key=lambda pair: (sum(pair), pair)))
    return [(start, target) for start, target in pairs if start["id"] != target["id"]]


def _nearby(start: City, target: City, fare: Fare, home: Fare | None, per_usd: float) -> Nearby:
    return {
        "origin": code_of(start),
        "origin_city": start["name"],
        "destination": code_of(target),
        "destination_city": target["name"],
        "depart_date": fare["day"].isoformat(),
        "return_date": home["day"].isoformat() if home else None,
        "distance": kilometres(
            start["latitude"], start["longitude"], target["latitude"], target["longitude"]
        ),
        "value": total(fare, home, per_usd),
        "duration_minutes": fare["way"]["minutes"],
    }


@tool(
    GROUP,
    examples=[
        {"origin": "MUC", "destination": "PMI", "depart_date": "2024-06-10"},
        {"origin": "MUC", "destination": "PMI", "depart_date": "2024-06-10", "return_date": "2024-06-17"},
    ],
    phrase=(
        "show the week calendar of return ticket prices from {origin} to {destination}[, with {depart_date} "
        "as the departure date][, with {return_date} as the return date][, priced in {currency}]"
    ),
    noun="the weekly price calendar",
    jobs=("fares",),
)
def prices_calendar_week(
    world: World,
    *,
    origin: Origin,
    destination: Origin,
    depart_date: TravelDay | None = None,
    return_date: ReturnDay | None = None,
    currency: CurrencyCode = "RUB",
) -> list[WeekDay]:
    """Return tickets for the wanted dates and for three days before and after them, the stay being as long.

    origin: City, airport or country code of the departure; an airport stands for its whole city.
    destination: City, airport or country code of the arrival; an airport stands for its whole city.
    depart_date: Day of departure (of a month, its first one); in two weeks if left out.
    return_date: Day of return; a week later if left out.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    start, target, per_usd = _main_city(world, origin), _main_city(world, destination), rate(currency)
    two_cities(start, target, destination)
    first = period(world, depart_date, "depart_date")[0] if depart_date else world.today + timedelta(days=14)
    last = period(world, return_date, "return_date")[-1] if return_date else first + timedelta(days=7)
    if last < first:
        raise invalid("return_date", return_date, f"want a day on or after {first}")
    found: list[WeekDay] = []
    for day in _around([first], 3, world.today):
        out = cheapest(fares(world, start, target, [day]))
        back = cheapest(fares(world, target, start, [day + (last - first)]))
        if out and back:
            found.append(
                {
                    "depart_date": out["day"].isoformat(),
                    "return_date": back["day"].isoformat(),
                    "total": total(out, back, per_usd),
                    "changes_out": out["way"]["stops"],
                    "changes_back": back["way"]["stops"],
                }
            )
    return found


@tool(
    GROUP,
    examples=[{"ip": "81.2.69.160"}, {}],
    phrase="find the closest city with an airport by IP address[, with {ip} as the address]",
    noun="the airport city found by IP address",
    jobs=("where an address of the internet is",),
)
def get_location_by_ip(world: World, *, ip: IpAddress = OWN_ADDRESS) -> Location:
    """The large city with an airport closest to where an IP address is; only its country is sure for most addresses.

    ip: IPv4 or IPv6 address; the caller's own if left out.
    """
    place = block(address(ip))["city"]
    city = with_airport(place)
    return {
        "iata": code_of(city),
        "name": city["name"],
        "country_name": city["country"],
        "country_code": city["country_code"],
        "latitude": city["latitude"],
        "longitude": city["longitude"],
    }
