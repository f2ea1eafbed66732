"""The schedule: when flights leave, what they cost on a day, how many people fly, and trips with up to two changes.

One table for all flight services. Each airline flies each of its routes once a day; a trip costs the sum of its legs.
"""

import calendar
import functools
import heapq
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found, out_of_range
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import AirportCode, Semantic
from toolyard.world.reference.days import parse_date
from toolyard.world.reference.places.geography import City, currencies, find_city
from toolyard.world.simulated.travel.network import (
    Leg,
    airports_near,
    all_airlines,
    city_code,
    destinations,
    distance_km,
    flights_leaving,
    legs,
)

HORIZON = 330
CHANGE_MINUTES, _TURN_MINUTES = 90, 60
_ONCE, _TWICE, _STRANGERS = 6, 4, 3
_NO_HUNDREDTHS = 100
_SEASONS = {7: 1.25, 8: 1.25, 12: 1.25, 1: 0.9, 2: 0.9, 11: 0.9}
_WEEKDAYS = (1.0, 0.94, 0.94, 1.0, 1.12, 1.0, 1.12)
TravelDay = Annotated[
    str,
    Semantic("travel_day", r"\d{4}-\d{2}(-\d{2})?", accepts=("travel_date", "forecast_date")),
]
# A return depends on the departure, so a day from elsewhere cannot stand in for it.
ReturnDay = Annotated[str, Semantic("return_day", r"\d{4}-\d{2}(-\d{2})?")]
TravelDate = Annotated[str, Semantic("travel_date", r"\d{4}-\d{2}-\d{2}", is_a=("iso_date",))]
Way = tuple[Leg, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """A flight of the timetable: minute of its departure, usual fare in dollars, passengers a month."""

    leg: Leg
    departs: int
    usual_usd: float
    passengers: int


@dataclass(frozen=True, slots=True)
class Trip:
    """A way on a day with its price in US dollars for one adult."""

    legs: Way
    day: date
    departs: int
    usd: float

    @property
    def first(self) -> Leg:
        """The flight that it begins with."""
        return self.legs[0]

    @property
    def stops(self) -> int:
        """How often one changes."""
        return len(self.legs) - 1

    @property
    def km(self) -> float:
        """How far one flies."""
        return round(sum_in_order(leg.km for leg in self.legs), 1)

    @property
    def minutes(self) -> int:
        """How long it takes: the legs, and an hour and a half for each change."""
        return way_minutes(self.legs)

    @property
    def leaves_at(self) -> str:
        """Local date and time of departure."""
        return f"{self.day}T{self.departs // 60:02d}:{self.departs % 60:02d}:00"


@dataclass(frozen=True, slots=True)
class Ticket:
    """A trip between two cities, with or without a way back, priced in a currency."""

    start: City
    target: City
    out: Trip
    back: Trip | None
    per_usd: float

    @property
    def price(self) -> float:
        """What it costs, the way back included."""
        return dollars_to_currency(self.out.usd + (self.back.usd if self.back else 0.0), self.per_usd)

    @property
    def code(self) -> str:
        """The code of the city that it goes to."""
        return city_code(self.target)

    @property
    def from_code(self) -> str:
        """The code of the city that it starts from."""
        return city_code(self.start)

    @property
    def returns_at(self) -> str | None:
        """Local date and time of the way back."""
        return self.back.leaves_at if self.back else None

    @property
    def returns_on(self) -> str | None:
        """The day of the way back."""
        return self.back.day.isoformat() if self.back else None


def way_minutes(way: Way) -> int:
    """How long a way takes, changes included."""
    return sum(leg.minutes for leg in way) + CHANGE_MINUTES * (len(way) - 1)


@seeds.cache_by_seed(16384)
def flight_schedule(seed: int, leg: Leg) -> Schedule:
    """When a flight leaves, what it usually costs, and how many people fly."""
    chance = seeds.stream(seed, "schedule", leg.airline, leg.origin, leg.destination)
    share = 0.6 if all_airlines()[leg.airline].low_cost else 1.0
    return Schedule(
        leg=leg,
        departs=360 + 5 * chance.randrange(180),
        usual_usd=(18 + 0.33 * leg.km**0.8) * share * chance.uniform(0.6, 1.6),
        passengers=int(30 * leg.aircraft.seats * chance.uniform(0.5, 6.0)),
    )


@seeds.cache_by_seed(16384)
def month_fares(seed: int, leg: Leg, year: int, month: int) -> tuple[float, ...]:
    """The fare of a flight on each day of a month in US dollars."""
    chance = seeds.stream(seed, "fares", leg.airline, leg.origin, leg.destination, year, month)
    first, length = calendar.monthrange(year, month)
    usual = flight_schedule(seed, leg).usual_usd * _SEASONS.get(month, 1.0)
    return tuple(
        round(usual * _WEEKDAYS[(first + day) % 7] * chance.uniform(0.8, 1.25), 2) for day in range(length)
    )


def day_fare(seed: int, leg: Leg, day: date) -> float:
    """What a flight costs on a day in US dollars."""
    return month_fares(seed, leg, day.year, day.month)[day.day - 1]


def trip_on_day(seed: int, way: Way, day: date) -> Trip:
    """A way on a day: it costs the sum of its legs."""
    usd = round(sum_in_order(day_fare(seed, leg, day) for leg in way), 2)
    return Trip(way, day, flight_schedule(seed, way[0]).departs, usd)


def is_detour(flown_km: float, away_km: float) -> bool:
    """Whether a way with changes is so long that nobody would take it."""
    return flown_km > 1.9 * away_km + 800


@functools.lru_cache(maxsize=4096)
def direct_ways(origin_id: str, destination_id: str) -> tuple[Way, ...]:
    """The non-stop flights between two cities."""
    starts, ends = airports_near(find_city(origin_id)), airports_near(find_city(destination_id))
    return tuple((leg,) for one in starts for other in ends for leg in legs(one["iata"], other["iata"]))


@functools.lru_cache(maxsize=64)
def _ways_with_one_change(origin_id: str) -> Mapping[AirportCode, tuple[Way, ...]]:
    """Airport -> how to get there from a city with one change of one airline; cheap airlines sell none."""
    found: dict[str, list[Way]] = {}
    for port in airports_near(find_city(origin_id)):
        for first in flights_leaving(port["iata"]):
            if all_airlines()[first.airline].low_cost:
                continue
            for end, carriers in destinations(first.destination).items():
                if first.airline in carriers and end != first.origin:
                    second = next(leg for leg in legs(first.destination, end) if leg.airline == first.airline)
                    found.setdefault(end, []).append((first, second))
    return {end: tuple(found_ways) for end, found_ways in found.items()}


@functools.lru_cache(maxsize=4096)
def all_ways(origin_id: str, destination_id: str) -> tuple[Way, ...]:
    """The non-stop flights, the six shortest ways with one change and, where those are fewer, four with two."""
    origin, destination = find_city(origin_id), find_city(destination_id)
    ends = [port["iata"] for port in airports_near(destination)]
    direct, away = direct_ways(origin_id, destination_id), distance_km(origin, destination)
    begun = _ways_with_one_change(origin_id)
    flown = {way[0].airline for way in direct}
    once = _shortest((way for end in ends for way in begun.get(end, ()) if way[0].airline not in flown), away)
    if len(once) >= _ONCE:
        return (*direct, *once[:_ONCE])
    partners = (
        (*way, last)
        for end in ends
        for start in destinations(end)
        if start not in ends
        for way in begun.get(start, ())
        for last in legs(start, end)
        if _are_partners(way[0], last) and way[0].airline not in flown
    )
    found = (*direct, *once, *_shortest(partners, away)[:_TWICE])
    return found or tuple(_shortest(_two_ticket_ways(origin, ends), float("inf"))[:_STRANGERS])


def _are_partners(one: Leg, other: Leg) -> bool:
    alliance = all_airlines()[one.airline].alliance
    return one.airline == other.airline or (
        alliance is not None and alliance == all_airlines()[other.airline].alliance
    )


def _shortest(found: Iterable[Way], away: float) -> list[Way]:
    """Ways that are no detours, the shortest first."""
    near = (way for way in found if not is_detour(sum_in_order(leg.km for leg in way), away))
    return heapq.nsmallest(_ONCE, near, key=lambda way: (way_minutes(way), way[0].airline, way[0].origin))


def _two_ticket_ways(origin: City, ends: Sequence[AirportCode]) -> Iterator[Way]:
    """Ways with airlines that are no partners, over one airport or two."""
    into = {start: legs(start, end)[0] for end in ends for start in destinations(end) if legs(start, end)}
    for first in (leg for port in airports_near(origin) for leg in flights_leaving(port["iata"])):
        if first.destination in into:
            yield first, into[first.destination]
        for middle in flights_leaving(first.destination):
            if middle.destination in into and middle.destination != first.origin:
                yield first, middle, into[middle.destination]


def trips(
    world: World, origin: City, destination: City, days: Iterable[date], stops: int | None = None
) -> Iterator[Trip]:
    """Every way, or those with so many changes, on every day."""
    find = direct_ways if stops == 0 else all_ways
    known = find(origin["id"], destination["id"])
    for day in days:
        for way in known:
            if stops in (None, len(way) - 1):
                yield trip_on_day(world.seed, way, day)


def cheapest_trip(found: Iterable[Trip]) -> Trip | None:
    """The lowest fare; the earlier day where two cost the same."""
    return min(found, key=lambda trip: (trip.usd, trip.day, trip.minutes), default=None)


def way_home(world: World, out: Trip, target: City, origin: City, days: Iterable[date]) -> Trip | None:
    """The lowest fare back after a trip, an hour after its arrival at least, non-stop after a non-stop one."""
    arrives = out.departs + out.minutes + _TURN_MINUTES
    later = trips(world, target, origin, [day for day in days if day >= out.day], None if out.stops else 0)
    return cheapest_trip(back for back in later if 1440 * (back.day - out.day).days + back.departs >= arrives)


@seeds.cache_by_seed(4096)
def passengers(seed: int, origin_id: str, destination_id: str) -> int:
    """How many people fly non-stop between two cities in a month."""
    return sum(flight_schedule(seed, leg).passengers for (leg,) in direct_ways(origin_id, destination_id))


def dollars_to_currency(usd: float, per_usd: float) -> float:
    """Dollars in a currency, in hundredths; of one that gives a hundred and more for a dollar nobody counts them."""
    return round(usd * per_usd) if per_usd >= _NO_HUNDREDTHS else round(usd * per_usd, 2)


def require_two_cities(start: City, target: City, destination: str) -> None:
    """Refuses a journey that ends where it begins."""
    if start["id"] == target["id"]:
        raise invalid("destination", destination[:40], f"want a city other than {start['name']}")
    shared = {port["iata"] for port in airports_near(start)} & {
        port["iata"] for port in airports_near(target)
    }
    if shared:
        raise invalid(
            "destination", destination[:40], f"{target['name']} has the same airport, {min(shared)}"
        )


def period(world: World, text: str | None, parameter: str, default_days: int = 60) -> list[date]:
    """The bookable days of a day, a month, or of the time from tomorrow on."""
    tomorrow, last = world.today + timedelta(days=1), world.today + timedelta(days=HORIZON)
    if text is None:
        return [tomorrow + timedelta(days=n) for n in range(default_days)]
    text = text.strip()
    if re.fullmatch(r"\d{4}-\d{2}", text):
        first = parse_date(f"{text}-01", parameter)
        length = calendar.monthrange(first.year, first.month)[1]
        days = [first + timedelta(days=n) for n in range(length)]
    else:
        days = [parse_date(text, parameter)]
    bookable = [day for day in days if world.today <= day <= last]
    if not bookable:
        raise out_of_range(parameter, text, f"flights can be booked from {world.today} to {last}")
    return bookable


def currency_per_dollar(currency: str) -> float:
    """How much of a currency one US dollar buys; a not_found fault for unknown codes."""
    code = currency.strip().upper()
    for row in currencies():
        if row["code"] == code:
            return row["per_usd"]
    raise not_found(
        "currency", currency[:10], known=("USD", "EUR", "RUB", "GBP", "CNY"), count=len(currencies())
    )


def check_stay(first: list[date], back: list[date]) -> None:
    """Refuses a return before the departure."""
    if back and first and back[-1] < first[0]:
        raise invalid(
            "return_date", str(back[-1]), f"the return cannot be before the departure on {first[0]}"
        )
