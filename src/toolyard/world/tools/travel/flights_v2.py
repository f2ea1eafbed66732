"""Travel/Flight_Data_v2: recently found prices, price calendars, and directions nearby."""

import itertools
from datetime import date, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import (
    AirlineCode,
    CityName,
    CountryCode,
    CountryName,
    CurrencyCode,
    IpAddress,
    IsoDateTime,
    Latitude,
    Longitude,
    Range,
    Semantic,
    Unit,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import iso_stamp, parse_date
from toolyard.world.reference.places.geography import City
from toolyard.world.reference.places.places import OWN_ADDRESS, block, check_ip_address
from toolyard.world.simulated.travel.flights import (
    ReturnDay,
    Ticket,
    TravelDate,
    TravelDay,
    Trip,
    cheapest_trip,
    check_stay,
    currency_per_dollar,
    passengers,
    period,
    require_two_cities,
    trips,
    way_home,
)
from toolyard.world.simulated.travel.network import (
    CityCode,
    airports_near,
    cities_of,
    city_code,
    destinations,
    distance_km,
    main_cities,
)
from toolyard.world.tools.travel.flights_v1 import reached_from

GROUP = Group("Travel/Flight_Data_v2")
Origin = Annotated[str, Semantic("city_code", r"[A-Za-z]{2,3}", accepts=("airport_code", "country_code"))]
_DRIVE_KM = 230.0

Kilometres = Annotated[float, Unit("km")]


class Price(TypedDict):
    origin: CityCode
    destination: CityCode
    depart_date: TravelDate
    return_date: TravelDate | None
    value: float
    number_of_changes: int
    distance: Kilometres
    airline: AirlineCode
    found_at: IsoDateTime


class MonthDay(TypedDict):
    depart_date: TravelDate
    value: float
    number_of_changes: int
    airline: AirlineCode


class Nearby(TypedDict):
    origin: CityCode
    origin_city: CityName
    destination: CityCode
    destination_city: CityName
    depart_date: TravelDate
    return_date: TravelDate | None
    distance: Kilometres
    value: float
    duration_minutes: Annotated[int, Unit("min")]


class WeekDay(TypedDict):
    depart_date: TravelDate
    return_date: TravelDate
    total: float
    changes_out: int
    changes_back: int


class Location(TypedDict):
    iata: CityCode
    name: CityName
    country_name: CountryName
    country_code: CountryCode
    latitude: Latitude
    longitude: Longitude


MONTH_DAY = View[MonthDay]({
    "depart_date": lambda ticket: ticket.out.day.isoformat(), "value": "price", "number_of_changes": "out.stops",
    "airline": "out.first.airline",
})  # fmt: skip
NEARBY = View[Nearby]({
    "origin": "from_code", "origin_city": "start.name", "destination": "code", "destination_city": "target.name",
    "depart_date": lambda ticket: ticket.out.day.isoformat(), "return_date": "returns_on",
    "distance": lambda ticket: distance_km(ticket.start, ticket.target), "value": "price",
    "duration_minutes": "out.minutes",
})  # fmt: skip
WEEK_DAY = View[WeekDay]({
    "depart_date": lambda ticket: ticket.out.day.isoformat(), "return_date": "returns_on", "total": "price",
    "changes_out": "out.stops", "changes_back": "back.stops",
})  # fmt: skip


def _price_row(world: World, ticket: Ticket) -> Price:
    ago = seeds.number(world.seed, "found", ticket.code, ticket.from_code, ticket.out.day) % 2880
    return {
        "origin": ticket.from_code,
        "destination": ticket.code,
        "depart_date": ticket.out.day.isoformat(),
        "return_date": ticket.returns_on,
        "value": ticket.price,
        "number_of_changes": ticket.out.stops,
        "distance": ticket.out.km,
        "airline": ticket.out.first.airline,
        "found_at": iso_stamp(world.now - timedelta(minutes=ago)),
    }


@GROUP.tool(
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
    days, per_usd = _departure_days(world, period_type, beginning_of_period), currency_per_dollar(currency)
    starts = cities_of(origin)[:6]
    targets = cities_of(destination)[:10] if destination else _popular_destinations(world, starts)[:15]
    pairs = _city_pairs(starts, targets, destination or "")
    found: list[Ticket] = []
    for start, target in pairs:
        for out in _found_trips(world, start, target, days, by_month=len(pairs) == 1):
            week = [out.day + timedelta(days=n) for n in (7, 8, 9)]
            back = None if one_way else way_home(world, out, target, start, week)
            if one_way or back:
                found.append(Ticket(start, target, out, back, per_usd))
    orders = {
        "price": lambda ticket: ticket.price,
        "route": lambda ticket: -passengers(world.seed, ticket.start["id"], ticket.target["id"]),
        "distance_unit_price": lambda ticket: ticket.price / ticket.out.km,
    }
    found.sort(key=orders[sorting])
    return [_price_row(world, ticket) for ticket in found[limit * (page - 1) : limit * page]]


def _popular_destinations(world: World, starts: list[City]) -> list[City]:
    """Cities with a non-stop flight from one of the starting cities, those that most people fly to first."""
    found = {city["id"]: city for start in starts for city in reached_from(start)}
    people = {key: sum(passengers(world.seed, start["id"], key) for start in starts) for key in found}
    return [found[key] for key in sorted(found, key=lambda key: (-people[key], key))]


def _city_pairs(starts: list[City], targets: list[City], destination: str) -> list[tuple[City, City]]:
    """Every pair of two different cities; a fault where there is but one city to leave from and to go to."""
    if len(starts) == len(targets) == 1:
        require_two_cities(starts[0], targets[0], destination)
    return [pair for pair in itertools.product(starts, targets) if pair[0]["id"] != pair[1]["id"]]


def _found_trips(world: World, start: City, target: City, days: list[date], *, by_month: bool) -> list[Trip]:
    """The lowest fare of a route among every seventh day, or that of each month."""
    first = seeds.number(world.seed, "looked", start["id"], target["id"]) % 7
    months = group_items(days[first::7], lambda day: f"{day:%Y-%m}" if by_month else "")
    best = (cheapest_trip(trips(world, start, target, chosen)) for chosen in months.values())
    return [trip for trip in best if trip]


def _departure_days(world: World, period_type: str, beginning: str | None) -> list[date]:
    """The days of the coming half year or of the month that is meant."""
    if period_type == "year":
        return period(world, None, "beginning_of_period", 180)
    if beginning is None:
        raise invalid("beginning_of_period", None, "give the first day of the month as YYYY-MM-DD")
    month = parse_date(beginning, "beginning_of_period")
    return period(world, f"{month:%Y-%m}", "beginning_of_period")


@GROUP.tool(
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
    per_usd = currency_per_dollar(currency)
    pairs = _city_pairs(cities_of(origin)[:3], cities_of(destination)[:3], destination)
    found = []
    for day in period(world, f"{first:%Y-%m}", "month"):
        out = cheapest_trip(trip for pair in pairs for trip in trips(world, *pair, [day]))
        found += [Ticket(*pairs[0], out, None, per_usd)] if out else []
    return MONTH_DAY.rows(found)


def _main_city(code: str) -> City:
    """The city of a code; of a country the one with the most flights."""
    return max(cities_of(code), key=lambda city: len(destinations(airports_near(city)[0]["iata"])))


def _around(days: list[date], more: int, today: date) -> list[date]:
    """Days, and as many before and after each of them."""
    wide = {day + timedelta(days=n) for day in days for n in range(-more, more + 1)}
    return sorted(day for day in wide if day >= today)


def _city_and_neighbours(city: City, other: City, count: int) -> list[City]:
    """A city and those with an airport closest to it: within an hour or two, or half the way, and nearer than the other."""
    most = max(_DRIVE_KM, 0.5 * distance_km(city, other))
    around = sorted(main_cities().values(), key=lambda row: distance_km(city, row))
    near = (
        row
        for row in around
        if row["id"] not in (city["id"], other["id"])
        and distance_km(city, row) < min(most, distance_km(other, row))
    )
    return [city, *itertools.islice(near, count - 1)]


@GROUP.tool(
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
    per_usd, count = currency_per_dollar(currency), distance or 1 + limit // 2
    start, target = _main_city(origin), _main_city(destination)
    require_two_cities(start, target, destination)
    days = _around(period(world, depart_date, "depart_date"), flexibility, world.today)
    home = _around(period(world, return_date, "return_date"), flexibility, world.today) if return_date else []
    check_stay(days, home)
    places = itertools.product(
        enumerate(_city_and_neighbours(start, target, count)),
        enumerate(_city_and_neighbours(target, start, count)),
    )
    found: list[Ticket] = []
    for (_, one), (_, other) in sorted(places, key=lambda pair: (pair[0][0] + pair[1][0], pair[0][0])):
        out = cheapest_trip(trips(world, one, other, days)) if one["id"] != other["id"] else None
        back = way_home(world, out, other, one, home) if out and home else None
        if out and (back or not home) and len(found) < limit:
            found.append(Ticket(one, other, out, back, per_usd))
    return NEARBY.rows(found)


@GROUP.tool(
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
    start, target, per_usd = _main_city(origin), _main_city(destination), currency_per_dollar(currency)
    require_two_cities(start, target, destination)
    first = period(world, depart_date, "depart_date")[0] if depart_date else world.today + timedelta(days=14)
    last = period(world, return_date, "return_date")[-1] if return_date else first + timedelta(days=7)
    if last < first:
        raise invalid("return_date", return_date, f"want a day on or after {first}")
    found = []
    for day in _around([first], 3, world.today):
        out = cheapest_trip(trips(world, start, target, [day]))
        back = cheapest_trip(trips(world, target, start, [day + (last - first)]))
        found += [Ticket(start, target, out, back, per_usd)] if out and back else []
    return WEEK_DAY.rows(found)


@GROUP.tool(
    examples=[{"ip": "81.2.69.160"}, {}],
    phrase="find the closest city with an airport by IP address[, with {ip} as the address]",
    noun="the airport city found by IP address",
    jobs=("where an address of the internet is",),
)
def get_location_by_ip(world: World, *, ip: IpAddress = OWN_ADDRESS) -> Location:
    """The city with an airport closest to where an IP address is.

    ip: IPv4 or IPv6 address; the caller's own if left out.
    """
    place = block(check_ip_address(ip))["city"]
    city = min(
        main_cities().values(),
        key=lambda row: (row["country_code"] != place["country_code"], distance_km(place, row)),
    )
    return {
        "iata": city_code(city),
        "name": city["name"],
        "country_name": city["country"],
        "country_code": city["country_code"],
        "latitude": city["latitude"],
        "longitude": city["longitude"],
    }
