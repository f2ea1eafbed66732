"""Location/Ticket: suggestions of every kind for a few letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict, Unpack

from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.shared.contests import is_contest
from toolyard.world.shared.days import moment
from toolyard.world.shared.events import Attraction, Event, SegmentId, Source, Venue, classifications
from toolyard.world.shared.performers import any_performer, further_performer, performers_beginning
from toolyard.world.shared.venues import any_venue, further_venues, known_hall, names_venue, venues_beginning
from toolyard.world.state import World
from toolyard.world.tables import plain
from toolyard.world.types import (
    CountryCode,
    LocaleCode,
    Range,
    SearchText,
)
from toolyard.world.worlds.location import tickets
from toolyard.world.worlds.location.ticket_checks import check_caller
from toolyard.world.worlds.location.ticket_details import GROUP, attraction_row
from toolyard.world.worlds.location.ticket_records import (
    GeoHash,
    Suggested,
)
from toolyard.world.worlds.location.ticket_venues import found_venues, venue_row
from toolyard.world.worlds.location.tickets import (
    EventFilters,
    Number,
    Radius,
    VenueFilters,
    found_events,
)


class SuggestFilters(TypedDict, total=False):
    """What to suggest.

    keyword: Words that suggestions should share.
    radius: How far from geoPoint they may be.
    unit: Unit of the radius; miles if left out.
    source: Where the entity comes from; all come from ticketmaster.
    locale: Language and country of the caller.
    size: Suggestions of each kind.
    page: Number of the page, from 0.
    countryCode: Two-letter code of the country.
    startEndDateTime: Earliest and latest start of events, as two dates or times.
    resource: Kinds to suggest; all of them if left out.
    segmentId: Id of a segment.
    geoPoint: Geohash of the point to search around, e.g. dr5r.
    domain: Domains on which the entity is offered; all entities are on all of them.
    """

    keyword: SearchText
    radius: Radius
    unit: Literal["miles", "km"]
    source: Source
    locale: LocaleCode
    size: Annotated[int, Range(1, 10)]
    page: Number
    countryCode: CountryCode
    startEndDateTime: Annotated[list[str], Range(2, 2)]
    resource: list[Literal["events", "attractions", "venues"]]
    segmentId: SegmentId
    geoPoint: GeoHash
    domain: str


def _search_filters(filters: SuggestFilters) -> EventFilters:
    """The same wishes as a search for events understands them."""
    shared = (
        "keyword",
        "radius",
        "unit",
        "source",
        "locale",
        "size",
        "page",
        "countryCode",
        "segmentId",
        "geoPoint",
    )
    loose = dict(filters)
    found: EventFilters = {name: loose[name] for name in shared if name in loose}  # type: ignore[assignment]
    if "startEndDateTime" in filters:
        first, last = filters["startEndDateTime"]
        if moment(first, "startEndDateTime") > moment(last, "startEndDateTime", end=True):
            raise invalid("startEndDateTime", [first, last], "want the earlier time first")
        found["startDateTime"], found["endDateTime"] = first, last
    found.setdefault("size", 5)
    return found


@tool(
    GROUP,
    examples=[{"countryCode": "US", "size": 5, "resource": ["events"]}, {"keyword": "jazz"}],
    phrase=(
        "suggest a few events, performers and venues[ related to {keyword}][, with {countryCode} as the "
        "country code][, with the kind of suggestion set to {resource}][, with {segmentId} as the segment "
        "id][, with {geoPoint} as the geohash to search around][, with the search radius set to {radius}][, "
        "with the unit of the search radius set to {unit}][, starting between {startEndDateTime}][, showing "
        "{size} of each kind]"
    ),
    noun="the ticket suggestions",
    jobs=("events", "venues"),
)
def find_suggest(world: World, **filters: Unpack[SuggestFilters]) -> Suggested:
    """A few events, performers and venues that fit, for somebody who does not know yet what to look for.

    A choice of large tours, festivals, tournaments and long runs is as announced; everything else is simulated.
    Games of clubs are not among them. Where the hour is not known, starts is the day alone.
    """
    check_caller(filters)
    wanted, kinds = _search_filters(filters), filters.get("resource") or ["events", "attractions", "venues"]
    found = found_events(world, wanted)
    found = tickets.in_order(found, wanted, tickets.distance(wanted))
    result: Suggested = {"events": [], "attractions": [], "venues": []}
    if "events" in kinds:
        result["events"] = tickets.page_of(found, wanted, tickets.event_row)["items"]
    start = wanted["size"] * wanted.get("page", 0)
    if "attractions" in kinds:
        shows = _shows(world, filters, found)[start : start + wanted["size"]]
        result["attractions"] = [attraction_row(world, row) for row in shows]
    if "venues" in kinds:
        halls = _halls(world, filters, found)[start : start + wanted["size"]]
        result["venues"] = [venue_row(world, row) for row in halls]
    return _completed(world, result, kinds, filters)


def _shows(world: World, filters: SuggestFilters, found: Sequence[Event]) -> list[Attraction]:
    """Who is called as the keyword says, then whose events were found."""
    keyword, test = filters.get("keyword", ""), tickets.kind_test(_search_filters(filters))
    kind = any(plain(keyword) == plain(row["genre"]) for row in classifications())
    own = None if not keyword or kind or filters.keys() & _PLACED else further_performer(world.seed, keyword)
    keys = dict.fromkeys(row["attraction_id"] for row in found)
    if own and test(own) and (own["id"] in keys or not keys):
        return [own]
    rows = [own] if own and test(own) else []
    return rows + [any_performer(world.seed, key) for key in keys if not own or key != own["id"]]


# Filters by which only what has events there and then is suggested.
_PLACED = {"geoPoint", "countryCode", "startEndDateTime", "source"}


def _halls(world: World, filters: SuggestFilters, found: Sequence[Event]) -> list[Venue]:
    """Which venues are called so or lie there, then where the events that were found take place."""
    place: VenueFilters = {}
    for name in ("keyword", "countryCode", "geoPoint", "radius", "unit", "source"):
        if name in filters:
            place[name] = filters[name]
    timed = filters.keys() & {"segmentId", "startEndDateTime"}
    named = not place or timed or ("keyword" in place and not _called_so(world, place["keyword"]))
    rows = [] if named else found_venues(world, place)
    busy = {row["venue_id"] for row in found}
    if "keyword" not in place:
        rows.sort(key=lambda row: row["id"] not in busy)
    keys = dict.fromkeys((*(row["id"] for row in rows), *(row["venue_id"] for row in found)))
    return [any_venue(world.seed, key) for key in keys]


def _called_so(world: World, keyword: str) -> bool:
    """Whether a keyword is a name of venues rather than of somebody who performs."""
    if is_contest(keyword) and not known_hall(keyword):
        return False
    return names_venue(keyword) or (
        further_performer(world.seed, keyword) is None and bool(further_venues(world.seed, keyword))
    )


# Fewer letters begin too many names.
_LETTERS = 3


def _completed(world: World, result: Suggested, kinds: Sequence[str], filters: SuggestFilters) -> Suggested:
    """What was found, or where that is nothing, known names that begin with the letters of the keyword."""
    letters, size = filters.get("keyword", "").strip(), filters.get("size", 5)
    other = filters.keys() & {
        "radius",
        "geoPoint",
        "countryCode",
        "segmentId",
        "startEndDateTime",
        "source",
        "page",
    }
    if any(result.values()) or other or len(letters) < _LETTERS:
        return result
    if "attractions" in kinds:
        result["attractions"] = [attraction_row(world, row) for row in performers_beginning(letters)[:size]]
    if "venues" in kinds:
        result["venues"] = [venue_row(world, row) for row in venues_beginning(letters, size)]
    return result
