"""Ticketed events: their kinds, the acts and works that are made up or played everywhere, and one performance.

{"id": "G5v000001af2", "name": "Paper Lanterns", "segment": "Music", "genre": "Rock", "venue_id": "KovX5297980",
 "starts": "2024-06-21T20:00:00", "city": "New York", ...}
"""

from __future__ import annotations

import functools
from datetime import date, timedelta
from random import Random
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds
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
Miscellaneous|Family|Circus|yes|Circus Aurora
Miscellaneous|Family|Family Show|yes|Dinosaurs Alive"""
# What people come to during the day, and from when on.
_BY_DAY = {"Family": 15}


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
    postal_code: PostalCode | None
    city: CityName
    place_id: PlaceId
    region_code: str
    country_code: CountryCode
    country: CountryName
    latitude: Latitude
    longitude: Longitude
    time_zone: TimeZoneName
    source: Source


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
    postal_code: PostalCode | None
    latitude: Latitude
    longitude: Longitude
    date: EventDate
    starts: IsoDateTime
    on_sale_from: IsoDateTime | None
    on_sale_to: IsoDateTime | None
    lowest_price: int | None
    highest_price: int | None
    source: Source


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
    """Invented acts, and works that are played all over the world."""
    found: list[Attraction] = []
    for kind, line in zip(classifications(), _SHOWS.splitlines(), strict=True):
        for name in filter(None, line.split("|")[4].split(";")):
            number = len(found)
            found.append({**kind, "id": f"K8vZ{number:04d}", "name": name, "source": "ticketmaster"})
    return tuple(found)


# What a ticket costs at least and at most where that is not as for a concert, in dollars.
_CHEAP = {"Comedy": (15, 45), "Family": (18, 50)}
SMALL = frozenset(("Open Mic Night", "Improv Battle", "Stand-up Showcase"))
_CHEAPEST = (6, 14)


def _price(show: Attraction, drawn: int) -> int:
    """What the cheapest ticket costs."""
    low, high = _CHEAPEST if show["name"] in SMALL else _CHEAP.get(show["genre"], (drawn, drawn + 1))
    return low + drawn % (high - low)


def drawn_day(turn: int, chance: Random) -> date:
    """The day of a performance, the first thing that its chance decides."""
    return FIRST_DAY + timedelta(days=1 + (turn * 33 + chance.randrange(33)) % 200)


def performance(show: Attraction, venue: Venue, turn: int, chance: Random, *, title: str, key: str) -> Event:
    """A performance of a show at a venue, with day, sale and prices by chance; tickets are sold until an hour before."""
    day = drawn_day(turn, chance)
    sold_since = FIRST_DAY - timedelta(days=chance.randrange(2, 90))
    price, hour = _price(show, chance.randrange(12, 90)), chance.choice((15, 18, 19, 20))
    if show["segment"] == "Music" or show["genre"] == "Comedy":
        hour = max(hour, 19)
    hour = _BY_DAY.get(show["genre"], hour)
    highest = price * chance.randrange(2, 5)
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
        on_sale_from=f"{sold_since.isoformat()}T10:00:00",
        on_sale_to=f"{day.isoformat()}T{hour - 1:02d}:00:00",
        lowest_price=price,
        highest_price=highest,
        source=show["source"],
    )
