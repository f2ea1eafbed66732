"""Fares: ways to fly between two cities with up to two changes, and what they cost on a day.

{"airline": "AF", "stops": 0, "route": [...], "distance_km": 1063.1, "minutes": 115}
"""

from __future__ import annotations

import calendar
import heapq
import itertools
import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Annotated, NamedTuple, TypedDict

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.faults import ToolFault, invalid, not_found, out_of_range
from toolyard.world.shared.days import parse_date
from toolyard.world.shared.geography import City, airport_keys, currencies, find_city
from toolyard.world.state import World
from toolyard.world.tables import kilometres
from toolyard.world.types import AirlineCode, Semantic
from toolyard.world.worlds.travel.air import Route, airlines, airports_near, find_airline, flights, leaving
from toolyard.world.worlds.travel.airspace import is_detour, is_shut

HORIZON = 330
_NO_HUNDREDTHS = 100
_SHORT_KM = 2500
_LUCKY = 0.8  # the share of a fare that those pay who find the best price
TravelDay = Annotated[
    str,
    Semantic("travel_day", r"\d{4}-\d{2}(-\d{2})?", accepts=("travel_date", "future_date", "forecast_date")),
]
# A return depends on the departure, so a day from elsewhere cannot stand in for it.
ReturnDay = Annotated[str, Semantic("return_day", r"\d{4}-\d{2}(-\d{2})?")]
TravelDate = Annotated[str, Semantic("travel_date", r"\d{4}-\d{2}-\d{2}", is_a=("iso_date",))]


class Way(TypedDict):
    """A way from one city to another with one airline."""

    airline: AirlineCode
    stops: int
    legs: list[Route]
    distance_km: float
    minutes: int


class Fare(TypedDict):
    """A way on a day with its price in US dollars for one adult."""

    way: Way
    day: date
    usd: float


def _way(legs: list[Route]) -> Way:
    return Way(
        airline=legs[0]["airline"],
        stops=len(legs) - 1,
        legs=legs,
        distance_km=round(added(leg["distance_km"] for leg in legs), 1),
        minutes=sum(leg["minutes"] for leg in legs) + 90 * (len(legs) - 1),
    )


def _leaving_city(seed: int, city_id: str) -> list[Route]:
    """The flights that leave the airports of a city."""
    return [leg for port in airports_near(find_city(city_id)) for leg in leaving(seed, port["iata"])]


@seeds.remembered(4096)
def direct_ways(seed: int, origin_id: str, destination_id: str) -> tuple[Way, ...]:
    """The non-stop flights between two cities."""
    start, end = airports_near(find_city(origin_id)), airports_near(find_city(destination_id))
    targets = sorted({port["iata"] for port in end})
    away = kilometres(start[0]["latitude"], start[0]["longitude"], end[0]["latitude"], end[0]["longitude"])
    legs = (leg for port in start for target in targets for leg in flights(seed, port["iata"], target))
    return tuple(_way([leg]) for leg in legs if not is_detour(_way([leg])["distance_km"], away))


@seeds.remembered(4096)
def ways(seed: int, origin_id: str, destination_id: str) -> tuple[Way, ...]:
    """The non-stop flights and the six shortest ways with one and four with two changes; None fly in circles."""
    start, end = airports_near(find_city(origin_id)), airports_near(find_city(destination_id))
    targets = {port["iata"] for port in end}
    first = _leaving_city(seed, origin_id)
    direct = [
        _way([leg])
        for port in start
        for target in sorted(targets)
        for leg in flights(seed, port["iata"], target)
    ]
    ends = {leg["destination"] for leg in first} - targets
    onward = {
        end: [last for target in sorted(targets) for last in flights(seed, end, target)] for end in ends
    }
    once = [
        _way([leg, last])
        for leg in first
        for last in onward.get(leg["destination"], ())
        if last["airline"] == leg["airline"]
    ]
    flown = {way["airline"] for way in direct}
    # Nobody changes where the airline flies non-stop, and cheap airlines sell no connections.
    once = [way for way in once if way["airline"] not in flown and not airlines()[way["airline"]]["low_cost"]]
    once.sort(key=lambda way: (way["minutes"], way["airline"]))
    away = kilometres(start[0]["latitude"], start[0]["longitude"], end[0]["latitude"], end[0]["longitude"])
    # Nor does anybody change twice over a short way that others fly non-stop.
    seldom = len(once) >= 20 or (bool(direct) and away < _SHORT_KM)
    twice = [] if seldom else _two_changes(seed, origin_id, targets, flown)
    once = [way for way in once if not is_detour(way["distance_km"], away)]
    once, twice = _at_home(once)[:6], _at_home(twice)
    found = [way for way in (*direct, *once, *twice) if not is_detour(way["distance_km"], away)]
    return tuple(found or _with_strangers(seed, first, targets, away))


def _at_home(found: list[Way]) -> list[Way]:
    """Ways between two towns of one country less those over another one, which no airline may sell."""
    return [way for way in found if way["stops"] == 0 or _allowed(way["legs"])]


def _allowed(legs: list[Route]) -> bool:
    ports = [legs[0]["origin"], *(leg["destination"] for leg in legs)]
    passed = [airport_keys()[port]["country_code"] for port in ports]
    return passed[0] != passed[-1] or len(set(passed)) == 1


def _with_strangers(seed: int, first: list[Route], targets: set[str], away: float) -> list[Way]:
    """The three shortest ways with airlines that are no partners: on two tickets, where nobody sells one."""
    last = _into(seed, targets)
    start = list({leg["destination"]: leg for leg in sorted(first, key=lambda leg: -leg["minutes"])}.values())
    once = [_way([leg, end]) for leg in start for end in last.get(leg["destination"], ())]
    near = [way for way in once if not is_detour(way["distance_km"], away)]
    if not near:
        twice = (
            _way([leg, middle, end])
            for leg in start
            for middle in leaving(seed, leg["destination"])
            for end in last.get(middle["destination"], ())[:1]
        )
        near = [way for way in twice if not is_detour(way["distance_km"], away)]
    return heapq.nsmallest(3, near, key=lambda way: (way["minutes"], way["airline"]))


def _into(seed: int, targets: set[str]) -> dict[str, list[Route]]:
    """The last legs to airports, by where they start."""
    found: dict[str, list[Route]] = {}
    for target in sorted(targets):
        for start in dict.fromkeys(back["destination"] for back in leaving(seed, target)):
            found.setdefault(start, []).extend(flights(seed, start, target))
    return found


class Begun(NamedTuple):
    """The first two legs of a way, in the order in which they were found."""

    place: int
    first: Route
    second: Route
    alliance: str


@seeds.remembered(64)
def _begun(seed: int, origin_id: str) -> dict[str, list[Begun]]:
    """How to get anywhere from a city with one change of one airline in an alliance, by where one arrives."""
    found: dict[str, list[Begun]] = {}
    place = itertools.count()
    for leg in _leaving_city(seed, origin_id):
        alliance = airlines()[leg["airline"]]["alliance"]
        for middle in leaving(seed, leg["destination"]) if alliance else ():
            if middle["airline"] == leg["airline"] and middle["destination"] != leg["origin"]:
                found.setdefault(middle["destination"], []).append(Begun(next(place), leg, middle, alliance))
    return found


def _two_changes(seed: int, origin_id: str, targets: set[str], flown: set[str]) -> list[Way]:
    """The four shortest ways over two hubs of partners in one alliance, less those of airlines that fly non-stop."""
    begun = _begun(seed, origin_id)
    found = (
        (
            one.first["minutes"] + one.second["minutes"] + last["minutes"],
            one.first["airline"],
            one.place,
            number,
            one,
            last,
        )
        for start, onward in _into(seed, targets).items()
        for one in begun.get(start, ())
        if one.first["airline"] not in flown
        for number, last in enumerate(onward)
        if airlines()[last["airline"]]["alliance"] == one.alliance
    )
    shortest = heapq.nsmallest(4, found, key=lambda row: row[:4])
    return [_way([one.first, one.second, last]) for *_, one, last in shortest]


def _base(way: Way) -> float:
    """What a way costs by its length and its airline."""
    low = find_airline(way["airline"])["low_cost"]
    share = (0.45 if way["distance_km"] < 3000 else 0.75) if low else 1.0
    return float((12 if low else 18) + 0.33 * way["distance_km"] ** 0.8 * share)


def _of_day(day: date, today: date) -> tuple[float, float, float]:
    """How much more or less a fare is by season, weekday and how early one books."""
    season = 1.25 if day.month in (7, 8, 12) else 0.9 if day.month in (1, 2, 11) else 1.0
    weekday = 1.12 if day.weekday() in (4, 6) else 0.94 if day.weekday() in (1, 2) else 1.0
    left = (day - today).days
    return season, weekday, 1.6 if left < 4 else 1.25 if left < 14 else 1.0


def _changed(way: Way) -> float:
    """What changing makes of a fare; over short ways nobody pays less for it."""
    far = way["distance_km"]
    shares = (1.0, 1.35, 1.5) if far < 4500 else (1.0, 1.1, 1.2) if far < 7000 else (1.0, 0.92, 0.95)
    return shares[way["stops"]]


def price(seed: int, way: Way, day: date, today: date) -> float:
    """The fare in US dollars: distance, season, weekday, how early one books, and what the seed says."""
    season, weekday, early = _of_day(day, today)
    luck = _LUCKY + 0.45 * seeds.unit(seed, "fare", way["legs"][0]["number"], way["legs"][-1]["number"], day)
    return round(float(_base(way) * season * weekday * early * _changed(way) * luck), 2)


def flies(way: Way, day: date) -> bool:
    """Whether every leg operates on the day."""
    return all(leg["days"][day.weekday()] for leg in way["legs"])


def refuse_shut(*places: City) -> None:
    """Refuses places whose air space is closed to everyone."""
    for place in places:
        if is_shut(place["country_code"]):
            raise ToolFault(
                "not_found",
                f"no flights from or to {place['name']}: the air space of {place['country']} is closed",
            )


def _ways_with(seed: int, origin: City, destination: City, stops: int | None) -> tuple[Way, ...]:
    """The ways between two cities; who wants no change needs none of the others."""
    find = direct_ways if stops == 0 else ways
    return find(seed, origin["id"], destination["id"])


def fares(
    world: World, origin: City, destination: City, days: Iterable[date], stops: int | None = None
) -> Iterator[Fare]:
    """Every way on every day on which it operates."""
    refuse_shut(origin, destination)
    known, today = _ways_with(world.seed, origin, destination, stops), world.today
    for day in days:
        for way in known:
            if stops in (None, way["stops"]) and flies(way, day):
                yield Fare(way=way, day=day, usd=price(world.seed, way, day, today))


def lowest(world: World, origin: City, destination: City, days: Iterable[date], stops: int) -> Fare | None:
    """The lowest fare with so many changes; days on which no luck could beat what was found are passed over."""
    refuse_shut(origin, destination)
    known = [way for way in _ways_with(world.seed, origin, destination, stops) if way["stops"] == stops]
    today, best = world.today, None
    levels = [(way, _LUCKY * _base(way) * _changed(way)) for way in known]
    for day in days:
        season, weekday, early = _of_day(day, today)
        for way, level in levels:
            if best and level * season * weekday * early > best["usd"] + 0.01:
                continue
            if flies(way, day):
                best = cheapest(
                    (
                        *([best] if best else ()),
                        Fare(way=way, day=day, usd=price(world.seed, way, day, today)),
                    )
                )
    return best


def cheapest(found: Iterable[Fare]) -> Fare | None:
    """The lowest fare; the earlier day where two cost the same."""
    return min(found, key=lambda fare: (fare["usd"], fare["day"], fare["way"]["minutes"]), default=None)


def total(fare: Fare, back: Fare | None, per_usd: float) -> float:
    """What a fare costs in a currency, together with the way back where there is one."""
    return in_currency(fare["usd"] + (back["usd"] if back else 0.0), per_usd)


def in_currency(usd: float, per_usd: float) -> float:
    """Dollars in a currency, in hundredths; of one that gives a hundred and more for a dollar nobody counts them."""
    return round(usd * per_usd) if per_usd >= _NO_HUNDREDTHS else round(usd * per_usd, 2)


def two_cities(start: City, target: City, destination: str, parameter: str = "destination") -> None:
    """Refuses a journey that ends where it begins."""
    if start["id"] == target["id"]:
        raise invalid(parameter, destination[:40], f"want a city other than {start['name']}")


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


def rate(currency: str) -> float:
    """How much of a currency one US dollar buys; a not_found fault for unknown codes."""
    code = currency.strip().upper()
    for row in currencies():
        if row["code"] == code:
            return row["per_usd"]
    raise not_found(
        "currency", currency[:10], known=("USD", "EUR", "RUB", "GBP", "CNY"), count=len(currencies())
    )


def stay(first: list[date], back: list[date]) -> None:
    """Refuses a return before the departure."""
    if back and first and back[-1] < first[0]:
        raise invalid(
            "return_date", str(back[-1]), f"the return cannot be before the departure on {first[0]}"
        )


def departure(fare: Fare) -> str:
    """Local date and time of departure."""
    minutes = fare["way"]["legs"][0]["departs"]
    return f"{fare['day']}T{minutes // 60:02d}:{minutes % 60:02d}:00"
