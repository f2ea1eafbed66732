"""Community events of every city: small, local, often free.

{"id": "open-studio-day-05703", "name": "Open Studio Day", "category": "visual-arts", "city": "Los Angeles", ...}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal, NamedTuple, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.shared.businesses import Business, businesses
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
_WEEKEND, _WEEKDAY = "weekend", "weekday"


class Sort(NamedTuple):
    """A sort of event: what it is, on which days, from which hours, how long, and what it costs in dollars."""

    name: str
    category: Kind
    description: str
    hours: tuple[int, ...]
    lasts: tuple[int, int]
    costs: tuple[int, int] | None = (8, 45)
    days: str = ""


_EVENTS = (
    Sort("Open Studio Day", "visual-arts", "Artists open their studios and talk about their work.", (10, 11), (4, 6), None,
         _WEEKEND),
    Sort("Gallery Walk", "visual-arts", "An evening walk through the galleries with music and wine.", (18, 19), (2, 3)),
    Sort("Mural Tour", "visual-arts", "A guided tour to the newest murals.", (11, 14), (2, 2), (10, 30)),
    Sort("Jazz in the Park", "music", "Free concert on the lawn; bring a blanket.", (15, 17, 18), (2, 3), None),
    Sort("Indie Band Night", "music", "Four local bands on one evening.", (19, 20), (3, 4)),
    Sort("Improv Theatre", "performing-arts", "A stage, six actors and no script.", (19, 20), (1, 2), (12, 35)),
    Sort("Open-Air Cinema", "film", "Classic films under the sky.", (21,), (2, 2)),
    Sort("Book Club", "lectures-books", "Readers meet to discuss a new novel.", (18, 19), (2, 2), None),
    Sort("Street Food Market", "food-and-drink", "Thirty stalls from all over the world.", (11, 12), (5, 8), None, _WEEKEND),
    Sort("Craft Fair", "festivals-fairs", "Handmade things from the region.", (10, 11), (6, 8), None, _WEEKEND),
    Sort("Charity Run", "charities", "Five kilometres for the children's hospital.", (9, 10), (2, 3), (15, 40), _WEEKEND),
    Sort("Sunrise Yoga", "sports-active-life", "An hour of yoga before work.", (6,), (1, 1), (8, 22), _WEEKDAY),
    Sort("Puppet Show", "kids-family", "A story for children from four years on.", (10, 11, 15), (1, 1), (5, 15), _WEEKEND),
)  # fmt: skip
# What comes in their place the second, third and fourth time.
_OTHERS = (
    (
        Sort("Ceramics Workshop", "visual-arts", "Two hours at the wheel, clay included.", (14, 18), (2, 2), (25, 60)),
        Sort("Life Drawing Evening", "visual-arts", "A model, an easel and a glass of wine.", (19,), (2, 2), (10, 25)),
        Sort("Photo Exhibition Opening", "visual-arts", "The photographer is there to talk.", (18, 19), (2, 3), None),
        Sort("Choir Concert", "music", "Songs from five centuries by an amateur choir.", (18, 19), (2, 2), (8, 20)),
        Sort("Open Mic", "music", "Ten minutes for everybody who brings a song.", (19, 20), (3, 3), None),
        Sort("Amateur Theatre", "performing-arts", "A comedy by the players of the quarter.", (19,), (2, 3), (8, 20)),
        Sort("Short Film Night", "film", "Eight short films by students.", (19, 20), (2, 3), (6, 15)),
        Sort("Author Reading", "lectures-books", "A novelist reads and signs.", (19,), (2, 2), (5, 15)),
        Sort("Wine Tasting", "food-and-drink", "Six wines and what goes with them.", (18, 19), (2, 3), (25, 60)),
        Sort("Flea Market", "festivals-fairs", "Old things from the attics of the quarter.", (8, 9), (6, 8), None, _WEEKEND),
        Sort("Benefit Concert", "charities", "Everything goes to the shelter for the homeless.", (18, 19), (2, 3), (15, 40)),
        Sort("Guided Bike Ride", "sports-active-life", "Twenty easy kilometres along the water.", (9, 10), (2, 3), None,
             _WEEKEND),
        Sort("Story Time", "kids-family", "Picture books read aloud, for three to six.", (10, 15), (1, 1), None),
    ),
    (
        Sort("Street Art Jam", "visual-arts", "Twelve artists paint one long wall.", (12, 13), (4, 6), None, _WEEKEND),
        Sort("Printmaking Class", "visual-arts", "Cut, ink and print your own card.", (14, 18), (2, 3), (20, 50)),
        Sort("Sculpture Garden Tour", "visual-arts", "An hour among sculptures with a guide.", (11, 14), (1, 2), (5, 15)),
        Sort("Salsa Night", "music", "A live band, and a lesson before it.", (20, 21), (3, 3), (10, 20)),
        Sort("Vinyl Listening Session", "music", "Two records from beginning to end.", (19, 20), (2, 2), None),
        Sort("Stand-up Showcase", "performing-arts", "Six new comedians, ten minutes each.", (20,), (2, 2), (8, 20)),
        Sort("Documentary Screening", "film", "With a talk with the director.", (18, 19), (2, 3), (6, 15)),
        Sort("Local History Lecture", "lectures-books", "How the old town came to be.", (17, 18), (1, 2), None),
        Sort("Farmers' Breakfast", "food-and-drink", "Eggs, bread and jam from the region.", (8, 9), (2, 3), (12, 25),
             _WEEKEND),
        Sort("Neighbourhood Festival", "festivals-fairs", "Music, food and a parade of the children.", (12,), (6, 8), None,
             _WEEKEND),
        Sort("Charity Book Sale", "charities", "Used books for the library fund.", (10, 11), (5, 6), None, _WEEKEND),
        Sort("Beginners' Climbing", "sports-active-life", "Ropes and shoes are provided.", (17, 18), (2, 2), (15, 30)),
        Sort("Children's Science Lab", "kids-family", "Experiments for six to ten.", (10, 14), (2, 2), (8, 18), _WEEKEND),
    ),
    (
        Sort("Art Market", "visual-arts", "Forty artists sell their own work.", (11,), (5, 6), None, _WEEKEND),
        Sort("Watercolour Picnic", "visual-arts", "Paint by the water, paper included.", (11, 13), (3, 3), (15, 35),
             _WEEKEND),
        Sort("Museum Late Night", "visual-arts", "The collection by night, with short tours.", (18, 19), (4, 4), (10, 25)),
        Sort("Chamber Music at Noon", "music", "A string quartet in the town hall.", (12,), (1, 1), None, _WEEKDAY),
        Sort("Folk Session", "music", "Fiddles, guitars and everybody who can play.", (19, 20), (2, 3), None),
        Sort("Dance Evening", "performing-arts", "Three new pieces by a local company.", (19, 20), (2, 2), (15, 35)),
        Sort("Silent Film with Piano", "film", "A classic with live music.", (19, 20), (2, 2), (8, 20)),
        Sort("Poetry Slam", "lectures-books", "Eight poets, one winner, the audience decides.", (19, 20), (2, 3), (5, 12)),
        Sort("Cooking Class", "food-and-drink", "Three courses cooked and eaten together.", (17, 18), (3, 3), (35, 75)),
        Sort("Plant Swap", "festivals-fairs", "Bring a plant, take another home.", (10, 11), (3, 4), None, _WEEKEND),
        Sort("River Clean-up", "charities", "Gloves and bags are there, lunch too.", (9, 10), (3, 3), None, _WEEKEND),
        Sort("Park Run", "sports-active-life", "Five kilometres for everybody, timed.", (9,), (1, 1), None, _WEEKEND),
        Sort("Family Treasure Hunt", "kids-family", "Riddles through the old town.", (10, 14), (2, 2), (5, 15), _WEEKEND),
    ),
)  # fmt: skip
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


def _sort(turn: int) -> Sort:
    """What the event with a number is: each of the first sorts comes first and fifth, others in between."""
    time, place = divmod(turn, len(_EVENTS))
    return _OTHERS[time - 1][place] if 0 < time <= len(_OTHERS) else _EVENTS[place]


# Which businesses invite people to what; one night of bands is put up by anybody.
_HOSTS: Mapping[str, tuple[str, ...]] = {
    "music": ("musicvenues", "bars", "parks", "coffee"), "visual-arts": ("galleries", "museums", "coffee"),
    "performing-arts": ("musicvenues", "bars", "museums"), "film": ("museums", "parks", "bars"),
    "lectures-books": ("bookstores", "coffee"), "food-and-drink": ("restaurants", "italian", "parks", "grocery"),
    "festivals-fairs": ("parks", "museums"), "charities": ("parks",), "sports-active-life": ("parks", "yoga", "gyms"),
    "kids-family": ("bookstores", "museums", "parks"),
}  # fmt: skip


_ANYBODYS = 56


def _host(seed: int, city: City, turn: int, drawn: Business) -> Business:
    """Who invites to an event: the business drawn, or one that such an event fits better."""
    wanted = _HOSTS.get(_sort(turn).category, ())
    if drawn["category_aliases"][0] in wanted or turn == _ANYBODYS:
        return drawn
    fitting = [row for row in businesses(seed, city["id"]) if row["category_aliases"][0] in wanted]
    return seeds.pick(fitting, seed, "host", city["id"], turn) if fitting else drawn


_SATURDAY = 5


def _suited(day: date, days: str) -> date:
    """The day, or where such an event is held at other times the next that suits."""
    if days == _WEEKEND and day.weekday() < _SATURDAY:
        return day + timedelta(days=_SATURDAY - day.weekday() + day.toordinal() % 2)
    return day + timedelta(days=7 - day.weekday()) if days == _WEEKDAY and day.weekday() >= _SATURDAY else day


def _gathering(seed: int, number: int, city: City, turn: int) -> Gathering:
    chance = seeds.stream(seed, "gathering", city["id"], turn)
    sort = _sort(turn)
    day = _suited(date(2024, 5, 16) + timedelta(days=chance.randrange(0, 75)), sort.days)
    start = datetime.combine(day, time(sort.hours[chance.randrange(5) % len(sort.hours)]))
    host = _host(seed, city, turn, chance.choice(businesses(seed, city["id"])))
    free, drawn = chance.random() < 0.5, chance.randrange(5, 60)
    attending = _coming(sort.name, chance.randrange(2, 180))
    low, high = sort.lasts
    ends = start + timedelta(hours=min(low + chance.randrange(1, 5) % (high - low + 1), 24 - start.hour))
    return Gathering(
        id=f"{re.sub(r'[^a-z]+', '-', sort.name.lower())}-{number:03d}{turn:02d}",
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
        cost=_cost(sort.costs, drawn) if sort.costs and not free else None,
        attending_count=attending,
        interested_count=attending + chance.randrange(5, 400),
    )


# What only so many people have room at.
_PLACES = {
    "Cooking Class": 16, "Book Club": 24, "Ceramics Workshop": 14, "Life Drawing Evening": 30, "Printmaking Class": 16,
    "Wine Tasting": 36, "Beginners' Climbing": 18, "Sunrise Yoga": 40, "Children's Science Lab": 30, "Mural Tour": 28,
    "Sculpture Garden Tour": 28, "Story Time": 40, "Guided Bike Ride": 35, "Watercolour Picnic": 24,
    "Vinyl Listening Session": 45, "Folk Session": 60, "Puppet Show": 80,
}  # fmt: skip


def _coming(name: str, drawn: int) -> int:
    """How many people have said that they come, no more than there is room for."""
    most = _PLACES.get(name, drawn)
    return drawn if drawn <= most else most // 2 + drawn % (most - most // 2 + 1)


def _cost(costs: tuple[int, int], drawn: int) -> int:
    low, high = costs
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
