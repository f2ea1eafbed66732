"""Ticketed events: who performs and of which kind, and where, when and at what price they come.

Performers, kinds and venues are the same in every world; places, days, hours and prices are drawn from the seed.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Literal

from toolyard.world.index import words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import plain, read_table, table_texts, values_of
from toolyard.world.kernel.types import Semantic
from toolyard.world.simulated.venues import Venue, all_venues, find_listed

AttractionId = Annotated[str, Semantic("ticket_attraction_id")]
SegmentId = Annotated[str, Semantic("ticket_segment_id", is_a=("ticket_classification_id",))]
GenreId = Annotated[str, Semantic("ticket_genre_id", is_a=("ticket_classification_id",))]
SubGenreId = Annotated[str, Semantic("ticket_subgenre_id", is_a=("ticket_classification_id",))]
EventDate = Annotated[str, Semantic("event_date", r"\d{4}-\d{2}-\d{2}", is_a=("iso_date",))]
Performer = Annotated[str, Semantic("performer", is_a=("topic",))]
Source = Literal["ticketmaster", "universe", "frontgate", "tmr"]
FIRST_DAY = date(2024, 5, 16)
# Events of a performer, the days that they are spread over, and for how long tickets are sold.
_COUNT, _SPREAD, _SOLD_BEFORE = (3, 8), 200, 90
_SEGMENT_IDS = {"Music": "KZFzniwnSyZfZ7v7nJ", "Sports": "KZFzniwnSyZfZ7v7nE", "Arts & Theatre": "KZFzniwnSyZfZ7v7na",
                "Miscellaneous": "KZFzniwnSyZfZ7v7n1"}  # fmt: skip
_SEGMENTS = table_texts("events.segments")
_SPORTS = {"football": "Soccer", "ice hockey": "Hockey", "american football": "Football"}
# In what kinds of venues genres and segments are shown.
_STAGES: Mapping[str, tuple[str, ...]] = values_of("events.stages")


@dataclass(frozen=True, slots=True)
class Kind:
    """A segment with one of its genres and sub-genres."""

    segment: str
    genre: str
    subgenre: str
    family: bool
    segment_id: SegmentId
    genre_id: GenreId
    subgenre_id: SubGenreId

    @property
    def ids(self) -> tuple[str, str, str]:
        """The ids of its segment, genre and sub-genre."""
        return self.segment_id, self.genre_id, self.subgenre_id


@dataclass(frozen=True, slots=True)
class Attraction:
    """A performer, team or show; `words` are those that it is found by."""

    id: AttractionId
    name: Performer
    kind: Kind
    country: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A performance at a venue; tickets are sold until an hour before."""

    id: str
    show: Attraction
    venue: Venue
    starts: str
    on_sale_from: str
    on_sale_to: str
    lowest_price: int
    highest_price: int

    @property
    def date(self) -> str:
        """The day on which it happens."""
        return self.starts[:10]

    @property
    def words(self) -> frozenset[str]:
        """What it is found by: performer, kind, venue and city."""
        return frozenset((*self.show.words, *self.venue.words))


@functools.lru_cache(maxsize=256)
def _make_kind(segment: str, genre: str, subgenre: str, family: bool) -> Kind:
    genre_id = f"KnvZ{seeds.token(7, 'genre', genre)}"
    subgenre_id = f"KZaz{seeds.token(7, 'subgenre', genre, subgenre)}"
    return Kind(segment, genre, subgenre, family, _SEGMENT_IDS[segment], genre_id, subgenre_id)


def _make_attraction(names: str, kind: Kind, country: str = "", number: int | None = None) -> Attraction:
    """Who is called so; other names follow behind a slash."""
    name = names.split("/")[0]
    key = (
        f"K8vX{seeds.number('performer', plain(name)) % 10**7:07d}" if number is None else f"K8vZ{number:04d}"
    )
    return Attraction(
        key,
        name,
        kind,
        country,
        tuple(dict.fromkeys(words(f"{names} {kind.segment} {kind.genre} {kind.subgenre}"))),
    )


def _invented_attractions() -> Iterator[Attraction]:
    """Acts that do not exist, and works that are played all over the world."""
    number = 0
    for row in read_table("acts.tsv"):
        kind = _make_kind(row["segment"], row["genre"], row["subgenre"], row["family"] == "yes")
        for name in filter(None, row["names"].split(";")):
            yield _make_attraction(name, kind, number=number)
            number += 1


def _tabled_attractions() -> Iterator[Attraction]:
    """Musicians, shows and clubs that the tables name."""
    genres = {row["key"]: (row["genre"], row["subgenre"]) for row in read_table("music_genres.tsv")}
    for row in read_table("artists.tsv"):
        genre = next((kind for key, kind in genres.items() if key in plain(row["genre"])), ("Pop", "Pop"))
        yield _make_attraction(row["name"], _make_kind("Music", *genre, False), row["country"])
    for row in read_table("performers.tsv"):
        segment = _SEGMENTS.get(row["genre"], "Music")
        kind = _make_kind(segment, row["genre"], row["subgenre"], row["genre"] == "Family")
        for names in row["names"].split(";"):
            yield _make_attraction(names, kind)
    for row in read_table("clubs.tsv"):
        sport = plain(row["sport"])
        kind = _make_kind("Sports", _SPORTS.get(sport, sport.capitalize()), "League", False)
        for names in row["names"].split(";"):
            yield _make_attraction(names, kind, row["country"])


@functools.cache
def all_attractions() -> Mapping[AttractionId, Attraction]:
    """All performers, teams and shows by id; the first of a name stays."""
    found: dict[str, Attraction] = {}
    for attraction in (*_invented_attractions(), *_tabled_attractions()):
        found.setdefault(attraction.id, attraction)
    return found


@functools.cache
def event_kinds() -> tuple[Kind, ...]:
    """All segments, genres and sub-genres."""
    listed = (
        _make_kind(row["segment"], row["genre"], row["subgenre"], row["family"] == "yes")
        for row in read_table("acts.tsv")
    )
    return tuple(dict.fromkeys((*listed, *(attraction.kind for attraction in all_attractions().values()))))


def find_attraction(key: str) -> Attraction:
    """The performer, team or show with an id; a not_found fault otherwise."""
    return find_listed("attraction", key, all_attractions())


@functools.cache
def _stages_for_genre(genre: str, segment: str, country: str) -> Sequence[Venue]:
    """The venues for a genre, in the country of a team where it has some."""
    suited = _STAGES.get(genre) or _STAGES.get(segment, ("arena",))
    pool = [venue for venue in all_venues().values() if venue.kind in suited]
    return [venue for venue in pool if venue.country == country] or pool


@functools.cache
def _event_days() -> Sequence[str]:
    """The days from three months before the first event on, as they are written."""
    return [(FIRST_DAY + timedelta(days=number)).isoformat() for number in range(-_SOLD_BEFORE, 2 * _SPREAD)]


@functools.cache
def _moment_text(day: int, hour: int) -> str:
    """An hour of a day as it is written; many events have the same."""
    return f"{_event_days()[day]}T{hour}:00:00"


def _draw_performances(seed: int, show: Attraction, taken: set[tuple[str, int]]) -> Iterator[Event]:
    """The coming events of a performer, on days of their own and on which nothing else is on at the venue."""
    chance = seeds.stream(seed, "performances", show.id)
    count, drawn = chance.randint(*_COUNT), chance.random
    places = _stages_for_genre(
        show.kind.genre, show.kind.segment, show.country if show.kind.segment == "Sports" else ""
    )
    group, apart = "G5v" if show.id.startswith("K8vZ") else "G5x", _SPREAD // count
    for turn, slot in enumerate(chance.sample(range(count), count)):
        venue, hour = places[int(drawn() * len(places))], 15 + int(drawn() * 6)
        day = _SOLD_BEFORE + 1 + slot * apart + int(drawn() * apart / 2)
        while (venue.id, day) in taken:
            day += 1
        taken.add((venue.id, day))
        lowest = 12 + int(drawn() * 78)
        yield Event(
            id=f"{group}{show.id[4:]}{turn:02d}{seeds.token(3, show.id, turn)}",
            show=show,
            venue=venue,
            starts=_moment_text(day, hour),
            on_sale_from=_moment_text(int(drawn() * _SOLD_BEFORE), 10),
            on_sale_to=_moment_text(day, hour - 1),
            lowest_price=lowest,
            highest_price=lowest * (2 + int(drawn() * 3)),
        )


@seeds.table
def coming_events(seed: int) -> Mapping[str, Event]:
    """All coming events by id, soonest first."""
    taken: set[tuple[str, int]] = set()
    found = [event for show in all_attractions().values() for event in _draw_performances(seed, show, taken)]
    return {event.id: event for event in sorted(found, key=lambda event: (event.starts, event.id))}


@seeds.table
def _events_by_id(seed: int) -> Mapping[str, list[Event]]:
    """Id of a performer, a venue or a city -> its coming events, soonest first."""
    found: dict[str, list[Event]] = {}
    for event in coming_events(seed).values():
        for key in (event.show.id, event.venue.id, event.venue.place_id):
            found.setdefault(key, []).append(event)
    return found


def events_by_id(seed: int, key: str) -> Sequence[Event]:
    """The coming events of a performer, at a venue or in a city, by its id, soonest first."""
    return _events_by_id(seed).get(key, ())


def events_about(seed: int, text: str) -> list[Event]:
    """The coming events with all words of a text: those of a performer or at a venue so called first, then the soonest."""
    wanted = frozenset(words(text))
    rest = {show.id: wanted.difference(show.words) for show in all_attractions().values()}
    lacking = {venue.id: wanted.difference(venue.words) for venue in all_venues().values()}
    found = [
        event
        for event in coming_events(seed).values()
        if wanted and rest[event.show.id].isdisjoint(lacking[event.venue.id])
    ]
    named = plain(text)
    return sorted(found, key=lambda event: named not in (plain(event.show.name), plain(event.venue.name)))


def find_event(seed: int, key: str) -> Event:
    """The event with an id; a not_found fault otherwise."""
    found = coming_events(seed).get(key.strip())
    if found is None:
        fault = not_found("event with id", key.strip()[:40], such_as=(next(iter(coming_events(seed))),))
        fault.listed_by = "Location/Ticket/event_search"
        raise fault
    return found
