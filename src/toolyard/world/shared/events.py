"""Ticketed events: performers and shows, venues and dates in every city, on one table.

{"id": "G5v0330107af2", "name": "Paper Lanterns live", "segment": "Music", "genre": "Rock", "venue_id": "Kov0331",
 "starts": "2024-06-21T20:00:00", "city": "New York", ...}
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.search import Index
from toolyard.world.shared.geography import City, cities
from toolyard.world.shared.post_codes import post_code
from toolyard.world.types import (
    CityName,
    CountryCode,
    CountryName,
    IsoDateTime,
    Latitude,
    Longitude,
    PlaceId,
    PostalCode,
    Semantic,
    StreetAddress,
    TicketEventId,
    TimeZoneName,
    VenueId,
)

AttractionId = Annotated[str, Semantic("ticket_attraction_id")]
SegmentId = Annotated[str, Semantic("ticket_segment_id", is_a=("ticket_classification_id",))]
GenreId = Annotated[str, Semantic("ticket_genre_id", is_a=("ticket_classification_id",))]
SubGenreId = Annotated[str, Semantic("ticket_subgenre_id", is_a=("ticket_classification_id",))]
EventDate = Annotated[str, Semantic("event_date", r"\d{4}-\d{2}-\d{2}", is_a=("iso_date",))]
Performer = Annotated[str, Semantic("performer", is_a=("topic",))]
Source = Literal["ticketmaster", "universe", "frontgate", "tmr"]
SOURCES: tuple[Source, ...] = ("ticketmaster", "universe", "frontgate", "tmr")
FIRST_DAY = date(2024, 5, 16)
_SEGMENTS = {"Music": "KZFzniwnSyZfZ7v7nJ", "Sports": "KZFzniwnSyZfZ7v7nE", "Arts & Theatre": "KZFzniwnSyZfZ7v7na",
             "Miscellaneous": "KZFzniwnSyZfZ7v7n1"}  # fmt: skip
# Segment, genre, sub-genre, made for families, performers and shows; no teams are made up.
_SHOWS = """Music|Rock|Alternative Rock|no|Paper Lanterns;The Quiet Engines;Northern Static;Velvet Harbour
Music|Pop|Dance Pop|no|Mira Vale;Neon Orchard;Juno Park;Sunday Radio
Music|Jazz|Swing|no|Blue Corner Quintet;Elmore Trio;Night Ferry Orchestra
Music|Classical|Symphony|no|Beethoven: Symphony No. 9;Vivaldi: The Four Seasons;Mozart: Requiem
Music|Country|Bluegrass|no|Dusty Creek Band;Clara Hayes
Music|Hip-Hop/Rap|Alternative Rap|no|MC Atlas;Low Tide Collective
Sports|Basketball|League|no|
Sports|Soccer|League|no|
Sports|Baseball|League|no|
Sports|Hockey|League|no|
Sports|Tennis|Open|no|
Arts & Theatre|Theatre|Drama|no|Hamlet;A Doll's House;The Cherry Orchard
Arts & Theatre|Comedy|Stand-up|no|Open Mic Night;Dana Fox: Small Talk;Omar Bell: Day Off;Improv Battle;Stand-up Showcase
Arts & Theatre|Dance|Ballet|no|Swan Lake;The Nutcracker;Giselle
Arts & Theatre|Opera|Opera|no|Carmen;La Traviata;The Magic Flute
Arts & Theatre|Fine Art|Exhibition|no|Light and Shadow: an art exhibition;Impressionist Gardens
Miscellaneous|Family|Circus|yes|Circus Aurora
Miscellaneous|Family|Family Show|yes|Dinosaurs Alive
Miscellaneous|Food & Drink|Festival|no|Street Food Festival;Wine and Cheese Fair"""
_VENUES = (("Arena", 15000), ("Concert Hall", 2200), ("City Theatre", 1100))
_SUITED = {
    "Arena": ("Rock", "Pop", "Country", "Hip-Hop/Rap", "Comedy", "Fine Art", "Family", "Food & Drink"),
    "Concert Hall": ("Rock", "Pop", "Jazz", "Classical", "Country", "Hip-Hop/Rap", "Comedy"),
    "City Theatre": ("Jazz", "Theatre", "Comedy", "Dance", "Opera"),
}
# What people come to during the day, and from when on.
_BY_DAY = {"Fine Art": 10, "Food & Drink": 11, "Family": 15}


class Classification(TypedDict):
    """A segment with one of its genres and sub-genres."""

    segment: str
    segment_id: SegmentId
    genre: str
    genre_id: GenreId
    subgenre: str
    subgenre_id: SubGenreId
    family: bool


class Attraction(Classification):
    """A performer, team or show."""

    id: AttractionId
    name: Performer
    source: Source


class Venue(TypedDict):
    """A place where events happen."""

    id: VenueId
    name: str
    capacity: int
    address: StreetAddress
    postal_code: PostalCode
    city: CityName
    place_id: PlaceId
    region_code: str
    country_code: CountryCode
    country: CountryName
    latitude: Latitude
    longitude: Longitude
    time_zone: TimeZoneName
    source: Source


Status = Literal["onsale", "offsale", "rescheduled"]
_STATUSES: tuple[Status, ...] = (*("onsale",) * 35, *("offsale",) * 4, "rescheduled")


class Event(Classification):
    """A performance at a venue."""

    id: TicketEventId
    name: str
    attraction_id: AttractionId
    attraction: Performer
    venue_id: VenueId
    venue: str
    city: CityName
    place_id: PlaceId
    region_code: str
    country_code: CountryCode
    postal_code: PostalCode
    latitude: Latitude
    longitude: Longitude
    date: EventDate
    starts: IsoDateTime
    on_sale_from: IsoDateTime
    on_sale_to: IsoDateTime
    lowest_price: int
    highest_price: int
    source: Source
    status: Status


@functools.cache
def classifications() -> tuple[Classification, ...]:
    """All segments, genres and sub-genres."""
    found = []
    for line in _SHOWS.splitlines():
        segment, genre, subgenre, family, _ = line.split("|")
        found.append(classified(segment, genre, subgenre, family=family == "yes"))
    return tuple(found)


def classified(segment: str, genre: str, subgenre: str, *, family: bool) -> Classification:
    """A kind of events with the ids that follow from its names."""
    return Classification(
        segment=segment,
        segment_id=_SEGMENTS[segment],
        genre=genre,
        genre_id=f"KnvZ{seeds.token(7, 'genre', genre)}",
        subgenre=subgenre,
        subgenre_id=f"KZaz{seeds.token(7, 'subgenre', genre, subgenre)}",
        family=family,
    )


@functools.cache
def attractions() -> tuple[Attraction, ...]:
    """All performers, teams and shows."""
    found: list[Attraction] = []
    for kind, line in zip(classifications(), _SHOWS.splitlines(), strict=True):
        for name in filter(None, line.split("|")[4].split(";")):
            number = len(found)
            found.append({**kind, "id": f"K8vZ{number:04d}", "name": name, "source": SOURCES[number % 7 % 4]})
    return tuple(found)


@functools.cache
def venues() -> tuple[Venue, ...]:
    """Three venues in every city, two in small ones."""
    found: list[Venue] = []
    for number, city in enumerate(cities()):
        for turn, (what, capacity) in enumerate(_VENUES[: 3 if city["population"] > 300_000 else 2]):
            found.append(_venue(number, city, turn, what, capacity))
    return tuple(found)


def _venue(number: int, city: City, turn: int, what: str, capacity: int) -> Venue:
    return Venue(
        id=f"Kov{number:03d}{turn}",
        name=f"{city['name']} {what}",
        capacity=capacity + number % 9 * 50,
        address=f"{10 + 7 * turn} Festival Square, {city['name']}",
        postal_code=post_code(city, turn),
        city=city["name"],
        place_id=city["id"],
        region_code=city["region_code"],
        country_code=city["country_code"],
        country=city["country"],
        latitude=round(city["latitude"] + 0.01 * (turn - 1), 5),
        longitude=round(city["longitude"] + 0.008 * turn, 5),
        time_zone=city["time_zone"],
        source=SOURCES[(number + turn) % 7 % 4],
    )


@seeds.table
def events(seed: int) -> tuple[Event, ...]:
    """Four performances per venue during the coming 200 days, soonest first."""
    found = [
        _event(venue, turn, seeds.stream(seed, "event", venue["id"], turn))
        for venue in venues()
        for turn in range(6 if venue["country_code"] == "US" else 3)
    ]
    return tuple(sorted(found, key=lambda event: (event["starts"], event["id"])))


@functools.cache
def _suited(hall: str) -> tuple[Attraction, ...]:
    """What is shown at a kind of venue: no ballet in an arena, no circus in a concert hall."""
    return tuple(show for show in attractions() if show["genre"] in _SUITED[hall])


def _event(venue: Venue, turn: int, chance: Random) -> Event:
    show, hall = chance.choice(attractions()), venue["name"].rpartition(venue["city"])[2].strip()
    if show not in _suited(hall):
        show = seeds.pick(_suited(hall), "suited", venue["id"], turn)
    key = f"G5v{venue['id'][3:]}{turn:02d}{seeds.token(4, venue['id'], turn)}"
    event = performance(show, venue, turn, chance, title=_title(show, venue), key=key)
    other = _instead(show, hall, event["date"], (venue["id"], turn))
    if other is not show:
        own = {"name": _title(other, venue), "attraction": other["name"], "attraction_id": other["id"]}
        kind = {field: other[field] for field in Classification.__annotations__}  # type: ignore[literal-required]
        event = Event(**{**event, **kind, **own, "source": other["source"]})  # type: ignore[typeddict-item]
    return event


# What is too small for arenas and concert halls, and what comes there in its place.
_SMALL = ("Open Mic Night", "Improv Battle", "Stand-up Showcase")
_LOUD = {"Arena": "Pop", "Concert Hall": "Jazz"}
_CHRISTMAS, _AFTER_ALL = "The Nutcracker", "Swan Lake"


def _instead(show: Attraction, hall: str, day: str, place: tuple[str, int]) -> Attraction:
    """A show, or what comes in its place where it does not fit the time of the year or the house."""
    if show["name"] == _CHRISTMAS and day[5:7] not in ("11", "12"):
        return next(one for one in attractions() if one["name"] == _AFTER_ALL)
    if hall in _LOUD and show["name"] in _SMALL:
        return seeds.pick([one for one in attractions() if one["genre"] == _LOUD[hall]], "loud", *place)
    return show


def _title(show: Attraction, venue: Venue) -> str:
    return f"{show['name']} {'live' if show['segment'] == 'Music' else 'in ' + venue['city']}"


def _sale(opens: date, day: date, status: Status) -> tuple[date, date]:
    """The first and last day of a sale: open now, or sold out or not begun where nothing is on sale."""
    today = FIRST_DAY - timedelta(days=1)
    if status != "offsale":
        return (opens if opens < today else today - timedelta(days=1 + (opens - today).days % 60)), day
    return opens, (day if opens > today else opens + (today - opens) * 2 // 3)


# What a ticket costs at least and at most where that is not as for a concert, in dollars.
_CHEAP = {"Comedy": (15, 45), "Food & Drink": (8, 20), "Fine Art": (12, 28), "Family": (18, 50)}
_CHEAPEST = (6, 14)


def _price(show: Attraction, drawn: int) -> int:
    """What the cheapest ticket costs."""
    low, high = _CHEAPEST if show["name"] in _SMALL else _CHEAP.get(show["genre"], (drawn, drawn + 1))
    return low + drawn % (high - low)


def drawn_day(turn: int, chance: Random) -> date:
    """The day of a performance, the first thing that its chance decides."""
    return FIRST_DAY + timedelta(days=1 + (turn * 33 + chance.randrange(33)) % 200)


def performance(show: Attraction, venue: Venue, turn: int, chance: Random, *, title: str, key: str) -> Event:
    """A performance of a show at a venue, with day, sale and prices by chance."""
    day = drawn_day(turn, chance)
    sale = day - timedelta(days=chance.randrange(20, 150))
    price, hour = _price(show, chance.randrange(12, 90)), chance.choice((15, 18, 19, 20))
    if show["segment"] == "Music" or show["genre"] == "Comedy":
        hour = max(hour, 19)
    hour = _BY_DAY.get(show["genre"], hour)
    highest = price * chance.randrange(2, 5)
    status = chance.choice(_STATUSES)
    opens, closes = _sale(sale, day, status)
    return Event(
        segment=show["segment"],
        segment_id=show["segment_id"],
        genre=show["genre"],
        genre_id=show["genre_id"],
        subgenre=show["subgenre"],
        subgenre_id=show["subgenre_id"],
        family=show["family"],
        id=key,
        name=title,
        attraction_id=show["id"],
        attraction=show["name"],
        venue_id=venue["id"],
        venue=venue["name"],
        city=venue["city"],
        place_id=venue["place_id"],
        region_code=venue["region_code"],
        country_code=venue["country_code"],
        postal_code=venue["postal_code"],
        latitude=venue["latitude"],
        longitude=venue["longitude"],
        date=day.isoformat(),
        starts=f"{day.isoformat()}T{hour:02d}:00:00",
        on_sale_from=f"{opens.isoformat()}T10:00:00",
        on_sale_to=f"{closes.isoformat()}T{min(hour, 12) - (hour <= 12):02d}:00:00",
        lowest_price=price,
        highest_price=highest,
        source=show["source"],
        status=status,
    )


@seeds.table
def index(seed: int) -> Index[Event]:
    """All events, searchable by name, performer, kind, venue and city."""
    return Index(events(seed), ("name", "attraction", "segment", "genre", "venue", "city"))


@seeds.table
def by_id(seed: int) -> Mapping[str, Event]:
    """Events by id in lower case."""
    return {event["id"].lower(): event for event in events(seed)}
