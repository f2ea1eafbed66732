"""Location/Ticket: performers, venues and kinds by search, everything by id, and suggestions."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Literal, Unpack

from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.search import Index, words
from toolyard.world.shared.events import (
    Attraction,
    AttractionId,
    Classification,
    Event,
    classifications,
)
from toolyard.world.shared.performances import is_coming, performances, performances_at
from toolyard.world.shared.performers import (
    any_performer,
    further_kinds,
    further_performer,
    known_performers,
    performer_of,
    performers_beginning,
)
from toolyard.world.shared.venues import any_venue
from toolyard.world.state import World
from toolyard.world.tables import containing, plain
from toolyard.world.types import (
    LocaleCode,
    Page,
    TicketEventId,
)
from toolyard.world.worlds.location import tickets
from toolyard.world.worlds.location.ticket_checks import check_caller, check_performer, event_with
from toolyard.world.worlds.location.ticket_records import (
    AttractionDetails,
    AttractionRow,
    ClassificationDetails,
    ClassificationId,
    ClassificationRow,
    EventDetails,
)
from toolyard.world.worlds.location.tickets import (
    AttractionFilters,
    Common,
    geohash,
    market_of,
)

GROUP = "Location/Ticket"
Level = Literal["segment", "genre", "sub-genre"]
_NAMED = 50
_LEVELS: Mapping[Level, str] = {"segment": "segment_id", "genre": "genre_id", "sub-genre": "subgenre_id"}


def coming(world: World, field: Literal["attraction_id", "venue_id"], key: str) -> list[TicketEventId]:
    now = world.now.strftime("%Y-%m-%dT%H:%M:%S")
    show = performer_of(world.seed, key)
    rows: Sequence[Event] = performances(world.seed, show) if show else performances_at(world.seed, key)
    return [row["id"] for row in rows if row[field] == key and row["starts"] >= now]


@tool(
    GROUP,
    examples=[{"id": "G5v000002a19"}],
    phrase=(
        "show the time, place, prices and ticket sale of the event whose id is {id}[, with the locale set to "
        "{locale}]"
    ),
    noun="the event details",
    jobs=("events",),
)
def get_event_details(
    world: World, *, id_: TicketEventId, locale: LocaleCode = "en-us", domain: str | None = None
) -> EventDetails:
    """One event: when (the day alone where the hour is not known), where, who, kind, prices and sale.

    Prices and sale are null for announced events.

    id: Id of the event, as the searches return it.
    locale: Language and country of the caller.
    domain: Domains on which the event must be offered; it is on all of them.
    """
    check_caller({"locale": locale, "domain": domain})
    row = event_with(world, id_)
    venue = any_venue(world.seed, row["venue_id"])
    return {
        "id": row["id"],
        "name": row["name"],
        "date": row["date"],
        "starts": row["starts"],
        "time_zone": venue["time_zone"],
        "on_sale_from": row["on_sale_from"],
        "on_sale_to": row["on_sale_to"],
        "price_from_usd": row["lowest_price"],
        "price_to_usd": row["highest_price"],
        "attraction": row["attraction"],
        "attraction_id": row["attraction_id"],
        "venue": row["venue"],
        "venue_id": row["venue_id"],
        "address": venue["address"],
        "city": row["city"],
        "segment_id": row["segment_id"],
        "genre_id": row["genre_id"],
        "subgenre_id": row["subgenre_id"],
        "market_id": market_of(row["place_id"]),
        "geo_point": geohash(row["latitude"], row["longitude"]),
        "url": f"https://tickets.example/event/{row['id']}",
    }


def attraction_row(world: World, row: Attraction) -> AttractionRow:
    """An attraction as a list shows it."""
    return {
        "id": row["id"],
        "name": row["name"],
        "segment": row["segment"],
        "genre": row["genre"],
        "upcoming_events": len(coming(world, "attraction_id", row["id"])),
    }


@functools.cache
def _everybody() -> tuple[Attraction, ...]:
    """All performers, teams and shows: those with announced events first, those without any event last."""
    return tuple(sorted(known_performers(), key=lambda row: not is_coming(row)))


@functools.cache
def _whole_index() -> Index[Attraction]:
    return Index(_everybody(), ("name", "name", "segment", "genre", "subgenre"))


def _has(rows: Sequence[Attraction], keyword: str) -> bool:
    """Whether a row is called so or of the kind that is called so, and does not only share the stem of a word with it."""
    asked = plain(keyword)
    return any(asked in plain(f"{row['name']} {row['genre']} {row['subgenre']}") for row in rows)


def _attractions(world: World, filters: AttractionFilters) -> Sequence[Attraction]:
    """Performers that a keyword or an id points to; all listed ones without either."""
    keyword, own = filters.get("keyword"), performer_of(world.seed, filters.get("id", ""))
    if own:
        return [own]
    if not keyword or not words(keyword):
        return _everybody()
    full = _whole_index().search(keyword, bound=1.0)
    other = None if _has(full, keyword) else further_performer(world.seed, keyword)
    if full and not other:
        # Who is called just so comes before who shares the stem of a word: the Yankees before Daddy Yankee.
        return sorted(full, key=lambda row: (plain(keyword) not in plain(row["name"]), not is_coming(row)))
    return [other] if other else performers_beginning(keyword)


@tool(
    GROUP,
    examples=[
        {"keyword": "swan lake"},
        {"segmentId": "KZFzniwnSyZfZ7v7nJ", "sort_by": "name,asc", "size": 5},
    ],
    phrase=(
        "search for performers, teams and shows with coming events[ matching {keyword}][, with {segmentId} "
        "as the segment id][, with {genreId} as the genre id][, with {subGenreId} as the sub-genre id][, "
        "with family entries set to {includeFamily}][, sorted by {sort_by}][, showing {size} per page][, on "
        "page {page}]"
    ),
    noun="the list of attractions",
    jobs=("events",),
)
def attraction_search(world: World, **filters: Unpack[AttractionFilters]) -> Page[AttractionRow]:
    """Performers, teams and shows by name and kind, with how many events they have coming (no games of clubs)."""
    check_performer(world, filters.get("id", "").strip())
    pool = _attractions(world, filters)
    found = list(filter(tickets.kind_test(filters), tickets.basic(pool, filters)))
    found = tickets.in_order(found, filters, lambda _: 0.0)
    return tickets.page_of(found, filters, functools.partial(attraction_row, world))


@tool(
    GROUP,
    examples=[{"id": "K8vZ0000"}],
    phrase=(
        "show the kind and next events of the performer, team or show whose attraction id is {id}[, with the "
        "locale set to {locale}]"
    ),
    noun="the attraction details",
    jobs=("events",),
)
def get_attraction_details(
    world: World, *, id_: AttractionId, locale: LocaleCode = "en-us", domain: str | None = None
) -> AttractionDetails:
    """One performer, team or show: its kind and its next events.

    id: Id of the attraction.
    locale: Language and country of the caller.
    domain: Domains on which the attraction must be offered; it is on all of them.
    """
    check_caller({"locale": locale, "domain": domain})
    row = any_performer(world.seed, id_.strip())
    return {
        "id": row["id"],
        "name": row["name"],
        "segment_id": row["segment_id"],
        "genre_id": row["genre_id"],
        "subgenre_id": row["subgenre_id"],
        "family": row["family"],
        "source": row["source"],
        "next_events": coming(world, "attraction_id", row["id"])[:10],
        "url": f"https://tickets.example/artist/{row['id']}",
    }


@tool(
    GROUP,
    examples=[{"keyword": "music"}, {"size": 5}],
    phrase=(
        "search for event classifications (segments, genres and sub-genres)[ matching {keyword}][, sorted by "
        "{sort_by}][, showing {size} per page][, on page {page}]"
    ),
    noun="the list of event classifications",
    jobs=("kinds of events",),
)
def classification_search(**filters: Unpack[Common]) -> Page[ClassificationRow]:
    """Kinds of events: segments with their genres and sub-genres, and the ids that filters take."""
    check_caller(filters)
    keyword = filters.get("keyword")
    found = containing((*classifications(), *further_kinds()), keyword, "segment", "genre", "subgenre")
    if "id" in filters:
        _level(filters["id"].strip())
        found = [
            row for row in found if filters["id"] in (row["segment_id"], row["genre_id"], row["subgenre_id"])
        ]
    order = filters.get("sort_by", "")
    if order.startswith("name"):
        found.sort(key=lambda row: (row["segment"], row["genre"]), reverse=order.endswith("desc"))
    if filters.get("source", "ticketmaster") != "ticketmaster":
        found = []
    return tickets.page_of(found, filters, _kind_row)


def _kind_row(row: Classification) -> ClassificationRow:
    return {
        "segment": row["segment"],
        "segment_id": row["segment_id"],
        "genre": row["genre"],
        "genre_id": row["genre_id"],
        "subgenre": row["subgenre"],
        "subgenre_id": row["subgenre_id"],
    }


def _level(key: str) -> tuple[Level, list[Classification]]:
    """Whether an id is that of a segment, genre or sub-genre, and the rows that have it."""
    rows = (*classifications(), *further_kinds())
    for level, field in _LEVELS.items():
        own = [row for row in rows if key == row[field]]  # type: ignore[literal-required]
        if own:
            return level, own
    known = dict.fromkeys(row[field] for field in _LEVELS.values() for row in rows)  # type: ignore[literal-required]
    raise not_found("classification with id", key[:40], known=known)


@tool(
    GROUP,
    examples=[{"id": "KZFzniwnSyZfZ7v7nJ"}],
    phrase=(
        "show what is above, below and in the event classification whose id is {id}[, with the locale set to "
        "{locale}]"
    ),
    noun="the event classification details",
    jobs=("kinds of events",),
)
def get_claasificatioin_details(
    *, id_: ClassificationId, locale: LocaleCode = "en-us", domain: str | None = None
) -> ClassificationDetails:
    """One segment, genre or sub-genre: what is above and below it and who belongs to it, at most fifty.

    id: Id of the segment, genre or sub-genre.
    locale: Language and country of the caller.
    domain: Domains on which the kind must be offered; it is on all of them.
    """
    check_caller({"locale": locale, "domain": domain})
    key = id_.strip()
    level, own = _level(key)
    first = own[0]
    name, above, below = {
        "segment": (first["segment"], None, [row["genre_id"] for row in own]),
        "genre": (first["genre"], first["segment_id"], [row["subgenre_id"] for row in own]),
        "sub-genre": (first["subgenre"], first["genre_id"], list[str]()),
    }[level]
    belongs = tickets.kind_test({"classificationId": key})
    return {
        "id": key,
        "level": level,
        "name": name,
        "above": above,
        "below": list(dict.fromkeys(below)),
        "family": any(row["family"] for row in own),
        "attractions": [row["id"] for row in _everybody() if belongs(row)][:_NAMED],
    }
