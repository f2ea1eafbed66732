"""Location/Ticket: events, performers and venues by search, and suggestions of all three."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal, TypedDict, TypeVar, Unpack

from toolyard.core.types import Record
from toolyard.world.index import words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, plain
from toolyard.world.kernel.types import (
    CityName,
    ComingTime,
    CountryCode,
    LocaleCode,
    Moment,
    Page,
    PostalCode,
    Range,
    SearchText,
    Semantic,
    VenueId,
    Within,
)
from toolyard.world.kernel.views import Row, View
from toolyard.world.reference.days import moment
from toolyard.world.reference.locales import check_locale
from toolyard.world.reference.places.gazetteer import city_by_number, city_number, count_cities, regions
from toolyard.world.reference.places.geography import find_city, find_country
from toolyard.world.simulated.events import (
    Attraction,
    AttractionId,
    Event,
    GenreId,
    Kind,
    SegmentId,
    Source,
    SubGenreId,
    all_attractions,
    coming_events,
    event_kinds,
    events_about,
    events_by_id,
    find_attraction,
    find_event,
)
from toolyard.world.simulated.venues import Venue, all_venues, find_venue
from toolyard.world.tools.filters import described_like
from toolyard.world.tools.location.ticket_records import (
    AttractionRow,
    ClassificationId,
    EventRow,
    GeoHash,
    MarketId,
    Suggested,
    VenueRow,
)

GROUP = Group("Location/Ticket")
Found = TypeVar("Found", Event, Attraction, Venue)
Sort = Literal["name,asc", "name,desc", "date,asc", "date,desc", "relevance,asc", "relevance,desc", "distance,asc",
               "name,date,asc", "name,date,desc", "date,name,asc", "date,name,desc", "distance,date,asc",
               "onSaleStartDate,asc", "id,asc", "venueName,asc", "venueName,desc", "random"]  # fmt: skip
Size = Annotated[int, Range(1, 25)]
Number = Annotated[int, Range(0, 1000)]
Radius = Annotated[int, Range(1, 20000), Within("geoPoint")]
_BASE32 = "0123456789bcdefghjkmnpqrstuvwxyz"
_NEAR = 75  # miles around a point if no radius is given
# Where tickets are sold.
_SHOPS = re.compile(
    r"(?:www\.)?(?:ticketmaster\.[a-z]{2,3}(?:\.[a-z]{2})?|(?:universe|frontgatetickets|ticketweb|livenation)\.[a-z]{2,3})",
    re.I,
)


class Common(TypedDict, total=False):
    """What entities must be like.

    id: Id of one entity.
    sort_by: Field or fields to sort by, and the direction.
    keyword: Words to find.
    source: Where the entity comes from; all come from ticketmaster.
    locale: Language and country of the caller, e.g. en-us.
    size: Entities per page.
    page: Number of the page, from 0.
    domain: Domains on which the entity is offered; all entities are on all of them.
    """

    id: str
    sort_by: Sort
    keyword: SearchText
    source: Source
    locale: LocaleCode
    size: Size
    page: Number
    domain: str


@described_like(Common)
class AttractionFilters(Common, total=False):
    """What attractions must be like.

    classificationId: Id of a segment, genre or sub-genre; with a minus in front, all but that one.
    segmentId: Id of a segment.
    includeFamily: Whether entities for families are included, left out, or the only ones.
    genreId: Id of a genre.
    subGenreId: Id of a sub-genre.
    """

    classificationId: ClassificationId
    segmentId: SegmentId
    includeFamily: Literal["yes", "no", "only"]
    genreId: GenreId
    subGenreId: SubGenreId


@described_like(Common)
class VenueFilters(Common, total=False):
    """What venues must be like.

    radius: How far from geoPoint entities may be.
    unit: Unit of the radius; miles if left out.
    countryCode: Two-letter code of the country.
    stateCode: Code of the state or region, e.g. CA.
    geoPoint: Geohash of the point to search around, e.g. 9q5c.
    """

    radius: Radius
    unit: Literal["miles", "km"]
    countryCode: CountryCode
    stateCode: Annotated[str, Semantic("region_code"), Within("countryCode")]
    geoPoint: GeoHash


@described_like(AttractionFilters, VenueFilters)
class EventFilters(AttractionFilters, VenueFilters, total=False):
    """What events must be like.

    attractionId: Id of a performer, team or show.
    venueId: Id of a venue.
    postalCode: Postal code of the venue.
    marketId: Number of a market.
    startDateTime: Events that start at or after this date or time.
    endDateTime: Events that start at or before this date or time.
    onsaleStartDateTime: Events whose sale starts at or after this date or time.
    onsaleEndDateTime: Events whose sale ends at or before this date or time.
    city: City of the venue.
    """

    attractionId: AttractionId
    venueId: VenueId
    postalCode: PostalCode
    marketId: MarketId
    startDateTime: Moment
    endDateTime: ComingTime
    onsaleStartDateTime: Moment
    onsaleEndDateTime: Moment
    city: CityName


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


def geohash(latitude: float, longitude: float, length: int = 6) -> str:
    """The geohash of a point."""
    bits, spans = 0, [[-180.0, 180.0], [-90.0, 90.0]]
    for step in range(length * 5):
        span, value = spans[step % 2], (longitude, latitude)[step % 2]
        middle = (span[0] + span[1]) / 2
        bits = bits * 2 + (value >= middle)
        span[0 if value >= middle else 1] = middle
    return "".join(_BASE32[bits >> 5 * (length - 1 - n) & 31] for n in range(length))


def decode_geohash(text: str) -> tuple[float, float]:
    """Latitude and longitude of the middle of a geohash; a fault for other text."""
    spans = [[-180.0, 180.0], [-90.0, 90.0]]
    for place, sign in enumerate(text.lower()):
        value = _BASE32.find(sign)
        if value < 0:
            raise invalid(
                "geoPoint", text, f"want a geohash of the signs {_BASE32}, e.g. 9q5c for Los Angeles"
            )
        for bit in range(5):
            span = spans[(place * 5 + bit) % 2]
            span[0 if value >> (4 - bit) & 1 else 1] = (span[0] + span[1]) / 2
    return (spans[1][0] + spans[1][1]) / 2, (spans[0][0] + spans[0][1]) / 2


def check_caller(filters: Mapping[str, object]) -> None:
    """Refuses a locale that does not exist and domains on which no tickets are sold."""
    check_locale(str(filters.get("locale") or "en-us"))
    for one in str(filters.get("domain") or "ticketmaster.com").split(","):
        if not _SHOPS.fullmatch(one.strip()):
            wanted = "want domains that sell tickets, e.g. ticketmaster.com,universe.com"
            raise invalid("domain", str(filters["domain"])[:60], wanted)


def _check_place(filters: Record) -> None:
    """Refuses a country, city or market that does not exist, a state without events and a radius around nothing."""
    if filters.get("countryCode"):
        find_country(filters["countryCode"])
    if filters.get("city"):
        find_city(filters["city"])
    if "radius" in filters and "geoPoint" not in filters:
        raise invalid("radius", filters["radius"], "give geoPoint as well, e.g. 9q5c for Los Angeles")
    market = filters.get("marketId")
    if market is not None and (market < 1 or city_by_number(market - 1) is None):
        raise invalid("marketId", market, f"want the number of a market, from 1 to {count_cities():,}")
    state = plain(filters.get("stateCode", ""))
    country = filters.get("countryCode", "").strip().upper()
    known = {plain(code) for key, (_, code) in regions().items() if country in ("", key[:2])}
    if state and state not in known:
        codes = {venue.region_code for venue in all_venues().values() if _is_in_country(venue, filters)}
        raise not_found("state or region", filters["stateCode"], known=sorted(codes))


def _check_times(world: World, filters: Record) -> None:
    """Refuses times in the wrong order, and an end of the search before now."""
    for first, last in (("startDateTime", "endDateTime"), ("onsaleStartDateTime", "onsaleEndDateTime")):
        low = moment(filters[first], first) if first in filters else ""
        if last in filters and low > moment(filters[last], last, end=True):
            raise invalid(last, filters[last], f"want a time after {first}, {filters[first]}")
    now = world.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    if "endDateTime" in filters and moment(filters["endDateTime"], "endDateTime", end=True) < now:
        raise invalid("endDateTime", filters["endDateTime"], f"only coming events are known; it is {now}")


def _is_in_country(venue: Venue, filters: Record) -> bool:
    return filters.get("countryCode", "").strip().upper() in ("", venue.country_code)


def _distance(filters: Record) -> Callable[[Venue], float]:
    """How far a venue is from the wanted point, in the wanted unit; 0 without a point."""
    if "geoPoint" not in filters:
        return lambda _: 0.0
    point, scale = decode_geohash(filters["geoPoint"]), 1.0 if filters.get("unit") == "km" else 1 / 1.609344
    return lambda venue: scale * kilometres(*point, venue.latitude, venue.longitude)


def _place_test(filters: Record) -> Callable[[Venue], bool]:
    """Whether a venue is in the wanted country, state, city and market and near the wanted point."""
    state, far, near = plain(filters.get("stateCode", "")), _distance(filters), filters.get("radius", _NEAR)
    city = find_city(filters["city"])["id"] if filters.get("city") else None
    market, code = filters.get("marketId"), filters.get("postalCode", "").strip()
    return lambda venue: (
        _is_in_country(venue, filters)
        and (not state or state == plain(venue.region_code))
        and city in (None, venue.place_id)
        and market in (None, market_number(venue.place_id))
        and (not code or code == venue.postal_code)
        and ("geoPoint" not in filters or far(venue) <= near)
    )


def kind_test(filters: Record) -> Callable[[Kind], bool]:
    """Whether a kind is the wanted one; a fault for the id of a kind that there is none of."""
    names = ("segmentId", "genreId", "subGenreId")
    wanted, family = filters.get("classificationId", "").strip(), filters.get("includeFamily", "yes")
    named = [(place, filters[name].strip()) for place, name in enumerate(names) if filters.get(name)]
    for value in filter(None, (wanted.removeprefix("-"), *(value for _, value in named))):
        known = sorted({key for kind in event_kinds() for key in kind.ids})
        if value not in known:
            fault = not_found("classification with id", value[:40], known=known)
            fault.listed_by = f"{GROUP}/classification_search"
            raise fault
    return lambda kind: (
        (not wanted or (wanted[1:] not in kind.ids if wanted[0] == "-" else wanted in kind.ids))
        and all(kind.ids[place] == value for place, value in named)
        and (family == "yes" or kind.family == (family == "only"))
    )


def _time_test(filters: Record) -> Callable[[Event], bool]:
    """Whether an event starts and is sold within the wanted times."""
    low = [moment(filters.get(name, "1900-01-01"), name) for name in ("startDateTime", "onsaleStartDateTime")]
    high = [
        moment(filters.get(name, "9999-01-01"), name, end=True)
        for name in ("endDateTime", "onsaleEndDateTime")
    ]
    return lambda event: (
        low[0] <= f"{event.starts}Z"
        and low[1] <= f"{event.on_sale_from}Z"
        and event.starts <= high[0]
        and event.on_sale_to <= high[1]
    )


def _rows_with_words(rows: Sequence[Found], keyword: str, what: str) -> list[Found]:
    """The rows with all words of a text, those that are called just so first; a fault where there are none."""
    wanted = frozenset(words(keyword))
    found = [row for row in rows if wanted.issubset(row.words)]
    if not found:
        raise not_found(f"{what} matching", keyword[:60], known=[_row_name(row) for row in rows])
    return sorted(found, key=lambda row: plain(_row_name(row)) != plain(keyword))


def _row_name(row: Event | Attraction | Venue) -> str:
    return row.show.name if isinstance(row, Event) else row.name


def _sort_rows(rows: list[Found], filters: Record, far: Callable[[Found], float]) -> list[Found]:
    """Rows as they are to be sorted; what a row does not have leaves them as they are."""
    *fields, direction = filters.get("sort_by", "relevance,desc").split(",")
    if not fields:
        return sorted(rows, key=lambda row: seeds.unit("random", row.id))
    keys: Mapping[str, Callable[[Found], str | float]] = {
        "name": lambda row: plain(_row_name(row)),
        "date": lambda row: getattr(row, "starts", ""),
        "distance": far,
        "onSaleStartDate": lambda row: getattr(row, "on_sale_from", ""),
        "id": lambda row: row.id,
        "venueName": lambda row: plain(getattr(getattr(row, "venue", row), "name", "")),
    }
    used = [keys[field] for field in fields if field in keys]
    return sorted(
        rows, key=lambda row: [key(row) for key in used], reverse=bool(used) and direction == "desc"
    )


def _page_of_rows(view: View[Row], rows: Sequence[object], filters: Record) -> Page[Row]:
    count = filters.get("size", 10)
    return view.page(rows, count * filters.get("page", 0), count)


def market_number(place_id: str) -> int:
    """The number of the market that a city is in."""
    return city_number(place_id) + 1


def coming(world: World, key: str) -> list[Event]:
    """The events of a performer or at a venue that have not begun."""
    now = world.now.strftime("%Y-%m-%dT%H:%M:%S")
    return [event for event in events_by_id(world.seed, key) if event.starts >= now]


EVENT = View.of(
    EventRow,
    name="show.name",
    venue="venue.name",
    city="venue.city",
    country_code="venue.country_code",
    genre="show.kind.genre",
)


def _attraction_view(world: World) -> View[AttractionRow]:
    return View.of(
        AttractionRow, segment="kind.segment", genre="kind.genre", upcoming_events=lambda row: len(coming(world, row.id)),
    )  # fmt: skip


def _venue_view(world: World) -> View[VenueRow]:
    return View.of(VenueRow, upcoming_events=lambda row: len(coming(world, row.id)))


def _found_events(world: World, filters: Record) -> list[Event]:
    """Events that have not begun and satisfy all filters, in the wanted order."""
    check_caller(filters)
    _check_place(filters)
    _check_times(world, filters)
    show, venue = (filters.get(name, "").strip() for name in ("attractionId", "venueId"))
    pool = events_by_id(world.seed, find_attraction(show).id) if show else coming_events(world.seed).values()
    pool = [find_event(world.seed, filters["id"])] if filters.get("id") else pool
    if words(filters.get("keyword", "")):
        about, listed = events_about(world.seed, filters["keyword"]), {event.id for event in pool}
        if not about:
            shows = [row.name for row in all_attractions().values()]
            raise not_found("event matching", filters["keyword"][:60], known=shows)
        pool = [event for event in about if event.id in listed]
    halls = [find_venue(venue)] if venue else all_venues().values()
    place, kind, timed = _place_test(filters), kind_test(filters), _time_test(filters)
    there, suited = {hall.id for hall in halls if place(hall)}, {one for one in event_kinds() if kind(one)}
    now, own = (
        world.now.strftime("%Y-%m-%dT%H:%M:%S"),
        filters.get("source", "ticketmaster") == "ticketmaster",
    )
    rows = [
        event
        for event in pool
        if own
        and event.venue.id in there
        and event.show.kind in suited
        and event.starts >= now
        and timed(event)
    ]
    far = _distance(filters)
    return _sort_rows(rows, filters, lambda event: far(event.venue))


def _found_attractions(filters: Record) -> list[Attraction]:
    check_caller(filters)
    pool = [find_attraction(filters["id"])] if filters.get("id") else list(all_attractions().values())
    if words(filters.get("keyword", "")):
        pool = _rows_with_words(pool, filters["keyword"], "attraction")
    test, own = kind_test(filters), filters.get("source", "ticketmaster") == "ticketmaster"
    return _sort_rows([row for row in pool if own and test(row.kind)], filters, lambda _: 0.0)


def _found_venues(filters: Record) -> list[Venue]:
    check_caller(filters)
    _check_place(filters)
    pool = [find_venue(filters["id"])] if filters.get("id") else list(all_venues().values())
    if words(filters.get("keyword", "")):
        pool = _rows_with_words(pool, filters["keyword"], "venue")
    test, own = _place_test(filters), filters.get("source", "ticketmaster") == "ticketmaster"
    return _sort_rows([row for row in pool if own and test(row)], filters, _distance(filters))


@GROUP.tool(
    examples=[
        {"countryCode": "US", "size": 5, "sort_by": "date,asc"},
        {"keyword": "jazz", "geoPoint": "9q5c", "radius": 200, "unit": "km"},
        {
            "city": "Chicago",
            "startDateTime": "2024-06-01",
            "endDateTime": "2024-09-30",
            "includeFamily": "no",
        },
    ],
    phrase=(
        "search for coming ticketed events[ matching {keyword}][ taking place in {city}][, with "
        "{countryCode} as the country code][, with {stateCode} as the state code][, with {geoPoint} as the "
        "geohash to search around][, with the search radius set to {radius}][, with the unit of the search "
        "radius set to {unit}][, starting no earlier than {startDateTime}][, starting no later than "
        "{endDateTime}][, with {segmentId} as the segment id][, with {genreId} as the genre id][, with "
        "{attractionId} as the attraction id][, with {venueId} as the venue id][, with family events set to "
        "{includeFamily}][, sorted by {sort_by}][, showing {size} per page]"
    ),
    noun="the list of events",
    jobs=("events",),
)
def event_search(world: World, **filters: Unpack[EventFilters]) -> Page[EventRow]:
    """Coming events by words, place, time and kind, a page at a time."""
    return _page_of_rows(EVENT, _found_events(world, filters), filters)


@GROUP.tool(
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
    """Performers, teams and shows by name and kind, with how many events they have coming."""
    return _page_of_rows(_attraction_view(world), _found_attractions(filters), filters)


@GROUP.tool(
    examples=[
        {"keyword": "arena", "countryCode": "US"},
        {"keyword": "theatre", "stateCode": "CA"},
        {"geoPoint": "u09t", "radius": 30},
    ],
    phrase=(
        "search for event venues[ matching {keyword}][, with {countryCode} as the country code][, with "
        "{stateCode} as the state code][, with {geoPoint} as the geohash to search around][, with the search "
        "radius set to {radius}][, with the unit of the search radius set to {unit}][, sorted by "
        "{sort_by}][, showing {size} per page][, on page {page}]"
    ),
    noun="the list of venues",
    jobs=("venues",),
)
def venue_search(world: World, **filters: Unpack[VenueFilters]) -> Page[VenueRow]:
    """Venues by name and place, with how many events are coming there."""
    return _page_of_rows(_venue_view(world), _found_venues(filters), filters)


@GROUP.tool(
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
    """A few events, performers and venues that fit, for somebody who does not know yet what to look for."""
    wanted: Record = {**filters, "sort_by": "date,asc"}
    if "startEndDateTime" in filters:
        first, last = filters["startEndDateTime"]
        if moment(first, "startEndDateTime") > moment(last, "startEndDateTime", end=True):
            raise invalid("startEndDateTime", [first, last], "want the earlier time first")
        wanted = {**wanted, "startDateTime": first, "endDateTime": last}
    found = _found_events(world, wanted)
    count, chosen = filters.get("size", 5), filters.get("resource") or ["events", "attractions", "venues"]
    start = count * filters.get("page", 0)
    shows = list(dict.fromkeys(event.show for event in found))[start : start + count]
    halls = list(dict.fromkeys(event.venue for event in found))[start : start + count]
    return {
        "events": EVENT.rows(found[start : start + count]) if "events" in chosen else [],
        "attractions": _attraction_view(world).rows(shows) if "attractions" in chosen else [],
        "venues": _venue_view(world).rows(halls) if "venues" in chosen else [],
    }
