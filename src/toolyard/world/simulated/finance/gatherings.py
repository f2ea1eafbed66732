"""Community events of every city: small, local, often free.

{"id": "open-studio-day-05703", "name": "Open Studio Day", "category": "visual-arts", "city": "Los Angeles", ...}
"""

import functools
import re
from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal, NamedTuple, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import plain, read_record, read_table
from toolyard.world.kernel.types import (
    BusinessId,
    CityName,
    IsoDateTime,
    Latitude,
    Longitude,
    PlaceId,
    Semantic,
    StreetAddress,
)
from toolyard.world.reference.places.gazetteer import city_by_number, city_number
from toolyard.world.reference.places.geography import City, find_city
from toolyard.world.simulated.businesses import Business, businesses, more_businesses

GatheringId = Annotated[str, Semantic("yelp_event_id")]
Kind = Literal["music", "visual-arts", "performing-arts", "film", "lectures-books", "fashion", "food-and-drink",
               "festivals-fairs", "charities", "sports-active-life", "nightlife", "kids-family", "other"]  # fmt: skip
_WEEKEND, _WEEKDAY = "weekend", "weekday"


class Sort(NamedTuple):
    """A sort of event: from which hours, how long, for how many dollars, on which days, at whose house, for how many."""

    name: str
    category: Kind
    description: str
    hours: tuple[int, ...]
    lasts: tuple[int, int]
    costs: tuple[int, int] | None
    days: str
    hosts: tuple[str, ...]
    places: int


def _number_span(text: str) -> tuple[int, int]:
    low, high = map(int, text.split("-"))
    return low, high


@functools.cache
def _gathering_sorts() -> tuple[Sort, ...]:
    """All sorts of events, one of each kind first, then the others that come in their place."""
    return tuple(
        read_record(
            Sort,
            row,
            hours=tuple(map(int, row["hours"].split(","))),
            lasts=_number_span(row["lasts"]),
            costs=_number_span(row["costs"]) if row["costs"] else None,
            hosts=tuple(row["hosts"].split()),
        )
        for row in read_table("community_events.tsv")
    )


# How many of the sorts a town has whose people are fewer than these.
_FEW = 32
_LARGE = 500_000
_ID = re.compile(r"[a-z-]{1,40}-(\d{3,6})(\d{2})")


class Gathering(TypedDict):
    """A community event."""

    id: GatheringId
    name: str
    category: Kind
    description: str
    city: CityName
    place_id: PlaceId
    address: StreetAddress
    latitude: Latitude
    longitude: Longitude
    business_id: BusinessId
    starts: IsoDateTime
    ends: IsoDateTime
    cost: int
    attending_count: int
    interested_count: int


@seeds.cache_by_seed(256)
def coming_gatherings(seed: int, place_id: str) -> tuple[Gathering, ...]:
    """The coming events of a city, half of the sorts (all of them in a large one), soonest first."""
    number, city = city_number(place_id), find_city(place_id)
    count = len(_gathering_sorts()) if city["population"] >= _LARGE else _FEW
    found = [_make_gathering(seed, number, city, turn) for turn in range(count)]
    return tuple(sorted(found, key=lambda row: (row["starts"], row["id"])))


def _hosting_business(seed: int, city: City, turn: int) -> Business:
    """Who invites to an event: a business of the first kind that such an event fits and that the city has."""
    rows = (*businesses(seed, city["id"]), *more_businesses(seed, city["id"]))
    for kind in _gathering_sorts()[turn].hosts:
        fitting = [row for row in rows if row["category_aliases"][0] == kind]
        if fitting:
            return seeds.pick(fitting, seed, "host", city["id"], turn)
    return seeds.pick(rows, seed, "host", city["id"], turn)


_SATURDAY = 5


def _suitable_day(day: date, days: str) -> date:
    """The day, or where such an event is held at other times the next that suits."""
    if days == _WEEKEND and day.weekday() < _SATURDAY:
        return day + timedelta(days=_SATURDAY - day.weekday() + day.toordinal() % 2)
    return day + timedelta(days=7 - day.weekday()) if days == _WEEKDAY and day.weekday() >= _SATURDAY else day


def _make_gathering(seed: int, number: int, city: City, turn: int) -> Gathering:
    chance = seeds.stream(seed, "gathering", city["id"], turn)
    sort = _gathering_sorts()[turn]
    day = _suitable_day(date(2024, 5, 16) + timedelta(days=chance.randrange(0, 75)), sort.days)
    start = datetime.combine(day, time(sort.hours[chance.randrange(5) % len(sort.hours)]))
    host = _hosting_business(seed, city, turn)
    drawn, attending = chance.randrange(5, 60), _count_attending(sort.places, chance.randrange(6, 180))
    low, high = sort.lasts
    ends = start + timedelta(hours=low + chance.randrange(1, 5) % (high - low + 1))
    return Gathering(
        id=f"{re.sub(r'[^a-z]+', '-', plain(sort.name))}-{number:03d}{turn:02d}",
        name=sort.name,
        category=sort.category,
        description=sort.description,
        city=city["name"],
        place_id=city["id"],
        address=host["address"],
        latitude=host["latitude"],
        longitude=host["longitude"],
        business_id=host["id"],
        starts=start.isoformat(),
        ends=ends.isoformat(),
        cost=_draw_cost(sort.costs, drawn) if sort.costs else 0,
        attending_count=attending,
        interested_count=attending + chance.randrange(5, 400),
    )


def _count_attending(places: int, drawn: int) -> int:
    """How many people have said that they come, no more than there is room for."""
    return drawn if drawn <= places else places // 2 + drawn % (places - places // 2 + 1)


def _draw_cost(costs: tuple[int, int], drawn: int) -> int:
    low, high = costs
    return low + drawn % (high - low)


def find_gathering(seed: int, wanted: str) -> Gathering:
    """The event with an id; a not_found fault otherwise."""
    match = _ID.fullmatch(wanted.strip()[:80])
    known = coming_gatherings(seed, "US-CA-los-angeles")
    city = city_by_number(int(match[1])) if match else None
    if city:
        known = coming_gatherings(seed, city["id"])
        for row in known:
            if row["id"] == wanted.strip():
                return row
    raise not_found("event", wanted[:60], such_as=[row["id"] for row in known[:2]])
