"""Community events of every city: small, local, often free.

{"id": "open-studio-day-05703", "name": "Open Studio Day", "category": "visual-arts", "city": "Los Angeles", ...}
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.shared.businesses import businesses
from toolyard.world.shared.gazetteer import city_at, number_of
from toolyard.world.shared.geography import City, find_city
from toolyard.world.types import (
    BusinessId,
    CityName,
    IsoDateTime,
    Latitude,
    Longitude,
    PlaceId,
    Semantic,
    StreetAddress,
)

GatheringId = Annotated[str, Semantic("yelp_event_id")]
Kind = Literal["music", "visual-arts", "performing-arts", "film", "lectures-books", "fashion", "food-and-drink",
               "festivals-fairs", "charities", "sports-active-life", "nightlife", "kids-family", "other"]  # fmt: skip
_EVENTS: tuple[tuple[str, Kind, str], ...] = (
    ("Open Studio Day", "visual-arts", "Artists open their studios and talk about their work."),
    ("Gallery Walk", "visual-arts", "An evening walk through the galleries with music and wine."),
    ("Mural Tour", "visual-arts", "A guided tour to the newest murals."),
    ("Jazz in the Park", "music", "Free concert on the lawn; bring a blanket."),
    ("Indie Band Night", "music", "Four local bands on one evening."),
    ("Improv Theatre", "performing-arts", "A stage, six actors and no script."),
    ("Open-Air Cinema", "film", "Classic films under the sky."),
    ("Book Club", "lectures-books", "Readers meet to discuss a new novel."),
    ("Street Food Market", "food-and-drink", "Thirty stalls from all over the world."),
    ("Craft Fair", "festivals-fairs", "Handmade things from the region."),
    ("Charity Run", "charities", "Five kilometres for the children's hospital."),
    ("Sunrise Yoga", "sports-active-life", "An hour of yoga before work."),
    ("Puppet Show", "kids-family", "A story for children from four years on."),
)
# The hours at which events of a name begin.
_HOURS = {
    "Open Studio Day": (10, 11),
    "Gallery Walk": (18, 19),
    "Mural Tour": (11, 14),
    "Jazz in the Park": (15, 17, 18),
    "Indie Band Night": (19, 20),
    "Improv Theatre": (19, 20),
    "Open-Air Cinema": (21,),
    "Book Club": (18, 19),
    "Street Food Market": (11, 12),
    "Craft Fair": (10, 11),
    "Charity Run": (9, 10),
    "Sunrise Yoga": (6,),
    "Puppet Show": (10, 11, 15),
}
# Names of events that cost nothing, and the least and most that others cost in dollars.
_FREE = frozenset(("Jazz in the Park", "Book Club", "Street Food Market", "Craft Fair", "Open Studio Day"))
_COSTS = {
    "Puppet Show": (5, 15),
    "Sunrise Yoga": (8, 22),
    "Charity Run": (15, 40),
    "Mural Tour": (10, 30),
    "Improv Theatre": (12, 35),
}
_LONGEST = {"Sunrise Yoga": 1, "Puppet Show": 1, "Book Club": 2, "Improv Theatre": 2}
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
    cost: int | None
    attending_count: int
    interested_count: int


@seeds.remembered(256)
def gatherings(seed: int, place_id: str) -> tuple[Gathering, ...]:
    """The coming events of a city, two of each kind (five in a large one), soonest first."""
    number, city = number_of(place_id), find_city(place_id)
    each = 5 if city["population"] >= _LARGE else 2
    found = [_gathering(seed, number, city, turn) for turn in range(each * len(_EVENTS))]
    return tuple(sorted(found, key=lambda row: (row["starts"], row["id"])))


def _gathering(seed: int, number: int, city: City, turn: int) -> Gathering:
    chance = seeds.stream(seed, "gathering", city["id"], turn)
    name, category, description = _EVENTS[turn % len(_EVENTS)]
    day = date(2024, 5, 16) + timedelta(days=chance.randrange(0, 75))
    hours = _HOURS[name]
    start = datetime.combine(day, time(hours[chance.randrange(5) % len(hours)]))
    host = chance.choice(businesses(seed, city["id"]))
    free = chance.random() < 0.5
    cost = None if free or name in _FREE else _cost(name, chance.randrange(5, 60))
    attending = chance.randrange(2, 180)
    return Gathering(
        id=f"{name.lower().replace(' ', '-')}-{number:03d}{turn:02d}",
        name=name,
        category=category,
        description=description,
        city=city["name"],
        place_id=city["id"],
        address=host["address"],
        latitude=host["latitude"],
        longitude=host["longitude"],
        business_id=host["id"],
        starts=start.isoformat(),
        ends=(
            start + timedelta(hours=min(chance.randrange(1, 5), 23 - start.hour + 1, _LONGEST.get(name, 4)))
        ).isoformat(),
        cost=cost,
        attending_count=attending,
        interested_count=attending + chance.randrange(5, 400),
    )


def _cost(name: str, drawn: int) -> int:
    low, high = _COSTS.get(name, (8, 45))
    return low + drawn % (high - low)


def find_gathering(seed: int, wanted: str) -> Gathering:
    """The event with an id; a not_found fault otherwise."""
    match = _ID.fullmatch(wanted.strip()[:80])
    known = gatherings(seed, "US-CA-los-angeles")
    city = city_at(int(match[1])) if match else None
    if city:
        known = gatherings(seed, city["id"])
        for row in known:
            if row["id"] == wanted.strip():
                return row
    raise not_found("event", wanted[:60], such_as=[row["id"] for row in known[:2]])
