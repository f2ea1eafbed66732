"""Location/Ticket: events, performers, venues and kinds by id, and the kinds of events."""

from typing import Unpack

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import LocaleCode, Page, TicketEventId, VenueId
from toolyard.world.kernel.views import View
from toolyard.world.simulated.events import (
    AttractionId,
    Kind,
    all_attractions,
    event_kinds,
    find_attraction,
    find_event,
)
from toolyard.world.simulated.venues import find_venue
from toolyard.world.tools.location.ticket_records import (
    AttractionDetails,
    ClassificationDetails,
    ClassificationId,
    ClassificationRow,
    EventDetails,
    VenueDetails,
)
from toolyard.world.tools.location.tickets import GROUP, Common, check_caller, coming, geohash, market_number

_NAMED, _NEXT = 50, 10
EVENT = View.of(
    EventDetails,
    name="show.name",
    time_zone="venue.time_zone",
    price_from_usd="lowest_price",
    price_to_usd="highest_price",
    attraction="show.name",
    attraction_id="show.id",
    venue="venue.name",
    venue_id="venue.id",
    address="venue.address",
    city="venue.city",
    segment_id="show.kind.segment_id",
    genre_id="show.kind.genre_id",
    subgenre_id="show.kind.subgenre_id",
    market_id=lambda event: market_number(event.venue.place_id),
    geo_point=lambda event: geohash(event.venue.latitude, event.venue.longitude),
    url=lambda event: f"https://tickets.example/event/{event.id}",
)
KIND = View.of(ClassificationRow)
# The events of a venue follow the seed.
VENUE = View.of(VenueDetails, market_id=lambda row: market_number(row.place_id), next_events=lambda _: [])


@GROUP.tool(
    examples=[{"id": "G5v000002a19"}],
    phrase=(
        "show the time, place, prices and ticket sale of the event whose id is {id}[, with the locale set to "
        "{locale}]"
    ),
    noun="the event details",
    jobs=("events",),
    promises={"location": "geo_point"},
)
def get_event_details(
    world: World, *, id_: TicketEventId, locale: LocaleCode = "en-us", domain: str | None = None
) -> EventDetails:
    """One event: when, where, who, kind, prices and sale.

    id: Id of the event, as the searches return it.
    locale: Language and country of the caller.
    domain: Domains on which the event must be offered; it is on all of them.
    """
    check_caller({"locale": locale, "domain": domain})
    return EVENT.row(find_event(world.seed, id_))


@GROUP.tool(
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
    row = find_attraction(id_)
    return {
        "id": row.id,
        "name": row.name,
        "segment_id": row.kind.segment_id,
        "genre_id": row.kind.genre_id,
        "subgenre_id": row.kind.subgenre_id,
        "family": row.kind.family,
        "source": "ticketmaster",
        "next_events": [event.id for event in coming(world, row.id)][:_NEXT],
        "url": f"https://tickets.example/artist/{row.id}",
    }


@GROUP.tool(
    examples=[{"id": "KovX5297980"}],
    phrase=(
        "show the address, size and next events of the venue whose id is {id}[, with the locale set to "
        "{locale}]"
    ),
    noun="the venue details",
    jobs=("venues",),
)
def get_venue_details(
    world: World, *, id_: VenueId, locale: LocaleCode = "en-us", domain: str | None = None
) -> VenueDetails:
    """One venue: address, position, size and next events.

    id: Id of the venue.
    locale: Language and country of the caller.
    domain: Domains on which the venue must be offered; it is on all of them.
    """
    check_caller({"locale": locale, "domain": domain})
    row = find_venue(id_)
    return {**VENUE.row(row), "next_events": [event.id for event in coming(world, row.id)][:_NEXT]}


@GROUP.tool(
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
    wanted, key, order = plain(filters.get("keyword", "")), filters.get("id"), filters.get("sort_by", "")
    found = [
        kind
        for kind in (_kinds_with_id(key.strip()) if key else event_kinds())
        if wanted in plain(f"{kind.segment} {kind.genre} {kind.subgenre}")
        and filters.get("source", "ticketmaster") == "ticketmaster"
    ]
    if order.startswith("name"):
        found.sort(key=lambda kind: (kind.segment, kind.genre), reverse=order.endswith("desc"))
    count = filters.get("size", 10)
    return KIND.page(found, count * filters.get("page", 0), count)


def _kinds_with_id(key: str) -> list[Kind]:
    """The kinds with the id of a segment, genre or sub-genre; a not_found fault where there are none."""
    own = [kind for kind in event_kinds() if key in kind.ids]
    if not own:
        known = dict.fromkeys(known for kind in event_kinds() for known in kind.ids)
        raise not_found("classification with id", key[:40], known=known)
    return own


@GROUP.tool(
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
    own = _kinds_with_id(id_.strip())
    first, place = own[0], own[0].ids.index(id_.strip())
    below = dict.fromkeys(kind.ids[place + 1] for kind in own) if place < len(first.ids) - 1 else {}
    return {
        "id": first.ids[place],
        "level": ("segment", "genre", "sub-genre")[place],
        "name": (first.segment, first.genre, first.subgenre)[place],
        "above": first.ids[place - 1] if place else None,
        "below": list(below),
        "family": any(kind.family for kind in own),
        "attractions": [row.id for row in all_attractions().values() if id_.strip() in row.kind.ids][:_NAMED],
    }
