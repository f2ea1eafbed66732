"""Location/Ticket: events, performers, venues and kinds of events, by search and by id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict, TypeVar, Unpack

from toolyard.world import seeds
from toolyard.world.faults import invalid, not_found
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.billings import coming_by_city, coming_events, coming_index
from toolyard.world.shared.days import moment
from toolyard.world.shared.events import (
    AttractionId,
    Event,
    GenreId,
    SegmentId,
    Source,
    SubGenreId,
    classifications,
)
from toolyard.world.shared.filters import described_like
from toolyard.world.shared.gazetteer import number_of
from toolyard.world.shared.geography import plain
from toolyard.world.shared.performances import events_about, performance_of, performances, performances_at
from toolyard.world.shared.performers import further_kinds, known_performer, performer_of
from toolyard.world.shared.tours import nights_of
from toolyard.world.shared.venues import begins_venue, known_hall
from toolyard.world.state import World
from toolyard.world.tables import kilometres
from toolyard.world.types import (
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
from toolyard.world.worlds.location.ticket_checks import (
    check_caller,
    check_event_keys,
    check_place,
    check_times,
    city_names,
    is_name,
    kind_called,
)
from toolyard.world.worlds.location.ticket_records import ClassificationId, EventRow, GeoHash, MarketId

GROUP = "Location/Ticket"
Test = Callable[[Mapping[str, Any]], bool]
Row = TypeVar("Row", bound=Mapping[str, Any])
Item = TypeVar("Item")
Sort = Literal["name,asc", "name,desc", "date,asc", "date,desc", "relevance,asc", "relevance,desc", "distance,asc",
               "name,date,asc", "name,date,desc", "date,name,asc", "date,name,desc", "distance,date,asc",
               "onSaleStartDate,asc", "id,asc", "venueName,asc", "venueName,desc", "random"]  # fmt: skip
Size = Annotated[int, Range(1, 25)]
Number = Annotated[int, Range(0, 1000)]
Radius = Annotated[int, Range(1, 20000), Within("geoPoint")]
_KIND_FIELDS = {"segment_id": "segmentId", "genre_id": "genreId", "subgenre_id": "subGenreId"}
_EVENT_FIELDS = {"attraction_id": "attractionId", "venue_id": "venueId", "postal_code": "postalCode"}
_FIELDS = {
    "name": "name",
    "date": "starts",
    "onSaleStartDate": "on_sale_from",
    "id": "id",
    "venueName": "venue",
}
_NAMES = frozenset({"name", "venueName"})


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


def geohash(latitude: float, longitude: float, length: int = 6) -> str:
    """The geohash of a point."""
    bits, spans = 0, [[-180.0, 180.0], [-90.0, 90.0]]
    for step in range(length * 5):
        span, value = spans[step % 2], (longitude, latitude)[step % 2]
        middle = (span[0] + span[1]) / 2
        bits = bits * 2 + (value >= middle)
        span[0 if value >= middle else 1] = middle
    return "".join(_BASE32[bits >> 5 * (length - 1 - n) & 31] for n in range(length))


_BASE32 = "0123456789bcdefghjkmnpqrstuvwxyz"


def point_of(text: str) -> tuple[float, float]:
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


def distance(filters: VenueFilters) -> Callable[[Mapping[str, Any]], float]:
    """How far a row is from the wanted point, in the wanted unit; 0 without a point."""
    if "geoPoint" not in filters:
        return lambda _: 0.0
    latitude, longitude = point_of(filters["geoPoint"])
    scale = 1.0 if filters.get("unit") == "km" else 1 / 1.609344
    return lambda row: scale * kilometres(latitude, longitude, row["latitude"], row["longitude"])


def _known_kind(parameter: str, value: str, keys: Sequence[str]) -> None:
    """Refuses the id of a segment, genre or sub-genre that there is none of."""
    rows = (*classifications(), *further_kinds())
    if not any(row[key] == value for row in rows for key in keys):  # type: ignore[literal-required]
        fault = not_found(parameter, value[:40], known=sorted({row[key] for row in rows for key in keys}))  # type: ignore[literal-required]
        fault.listed_by = f"{GROUP}/classification_search"
        raise fault


def kind_test(filters: AttractionFilters) -> Test:
    """Whether a row is of the wanted kind."""
    wanted, family = filters.get("classificationId", ""), filters.get("includeFamily", "yes")
    named = [(key, filters.get(name)) for key, name in _KIND_FIELDS.items() if name in filters]
    for key, value in named:
        _known_kind(_KIND_FIELDS[key], str(value), (key,))
    if wanted:
        _known_kind("classificationId", wanted.removeprefix("-"), tuple(_KIND_FIELDS))

    def test(row: Mapping[str, Any]) -> bool:
        ids = (row["segment_id"], row["genre_id"], row["subgenre_id"])
        return (
            (not wanted or (wanted[1:] not in ids if wanted.startswith("-") else wanted in ids))
            and all(row[key] == value for key, value in named)
            and (family == "yes" or row["family"] == (family == "only"))
        )

    return test


def place_test(filters: VenueFilters) -> Test:
    """Whether a row is in the wanted country and state and near the wanted point."""
    country, state = filters.get("countryCode", "").strip().upper(), plain(filters.get("stateCode", ""))
    far, near = distance(filters), filters.get("radius", 75)
    return lambda row: (
        country in ("", row["country_code"])
        and (not state or state == plain(row["region_code"]))
        and ("geoPoint" not in filters or far(row) <= near)
    )


def basic(rows: Iterable[Row], filters: Common) -> list[Row]:
    """Rows with the wanted id and source; a locale that does not exist is refused."""
    check_caller(filters)
    key, source = filters.get("id"), filters.get("source")
    return [row for row in rows if key in (None, row["id"]) and source in (None, row["source"])]


def in_order(rows: list[Row], filters: Common, far: Callable[[Mapping[str, Any]], float]) -> list[Row]:
    order = filters.get("sort_by", "relevance,desc")
    if order == "random":
        return sorted(rows, key=lambda row: seeds.unit("random", row["id"]))
    *fields, direction = order.split(",")

    def key(row: Row) -> tuple[Any, ...]:
        return tuple(far(row) if field == "distance" else value(row, field) for field in fields)

    def value(row: Row, field: str) -> Any:
        found = row.get(_FIELDS.get(field, ""), 0) or "9"
        return plain(found) if field in _NAMES else found

    return sorted(rows, key=key, reverse=direction == "desc" and fields != ["relevance"])


def page_of(rows: Sequence[Row], filters: Common, shown: Callable[[Row], Item]) -> Page[Item]:
    """The page that is wanted, each row as it is shown."""
    size = filters.get("size", 10)
    start = size * filters.get("page", 0)
    return {"total": len(rows), "offset": start, "items": [shown(row) for row in rows[start : start + size]]}


def market_of(place_id: str) -> int:
    """The number of the market that a city is in."""
    return number_of(place_id) + 1


def event_row(row: Event) -> EventRow:
    return {
        "id": row["id"],
        "name": row["name"],
        "starts": row["starts"],
        "venue": row["venue"],
        "city": row["city"],
        "country_code": row["country_code"],
        "genre": row["genre"],
    }


def _time_test(filters: EventFilters) -> Test:
    """Whether an event starts and is sold within the wanted times."""
    low = [
        (field, moment(str(filters[name]), name))  # type: ignore[literal-required]
        for name, field in (("startDateTime", "starts"), ("onsaleStartDateTime", "on_sale_from"))
        if name in filters
    ]
    high = [
        (field, moment(str(filters[name]), name, end=True))  # type: ignore[literal-required]
        for name, field in (("endDateTime", "starts"), ("onsaleEndDateTime", "on_sale_to"))
        if name in filters
    ]
    return lambda row: (
        all(row[field] and f"{row[field]}Z" >= bound for field, bound in low)
        and all(row[field] and row[field] <= bound for field, bound in high)
    )


def _pool(world: World, filters: EventFilters) -> Iterable[Event]:
    """Events that a keyword, a performer or a venue points to; all listed ones without any of them."""
    keyword = filters.get("keyword")
    show = performer_of(world.seed, filters.get("attractionId", "").strip())
    if show:
        return performances(world.seed, show)
    if filters.get("venueId", "").strip():
        return performances_at(world.seed, filters["venueId"].strip())
    if "id" in filters and (event := performance_of(world.seed, filters["id"])):
        return [event]
    if not keyword or not words(keyword):
        places, rows = city_names(filters.get("city", "")), coming_by_city(world.seed)
        return (
            [row for name in sorted(places) for row in rows.get(name, ())]
            if places
            else coming_events(world.seed)
        )
    table = coming_index(world.seed)
    if kind := kind_called(keyword):
        return [row for row in coming_events(world.seed) if kind(row)]
    if known_hall(keyword) or begins_venue(keyword):
        return events_about(world.seed, keyword)
    called = known_performer(keyword)
    if there := coming_by_city(world.seed).get(plain(keyword)):
        return (*(performances(world.seed, called) if called and nights_of(called["name"]) else ()), *there)
    if called and " " in keyword.strip():
        return performances(world.seed, called)
    if full := table.search(keyword, bound=1.0):
        return _of_one(full)
    about = events_about(world.seed, keyword)
    return about or ([] if is_name(world.seed, keyword) else table.search(keyword))


def _of_one(found: Sequence[Event]) -> Sequence[Event]:
    """Events in their order, those of one performer alone by time."""
    alone = len({row["attraction_id"] for row in found}) == 1
    return sorted(found, key=lambda row: row["starts"]) if alone else found


def found_events(world: World, filters: EventFilters) -> list[Event]:
    """Events that have not begun and satisfy all filters."""
    check_place(filters)
    check_times(world, filters)
    check_event_keys(world, filters)
    now = world.now.strftime("%Y-%m-%dT%H:%M:%S")
    loose = dict(filters)
    equal = [(key, str(loose[name]).strip()) for key, name in _EVENT_FIELDS.items() if name in filters]
    city = city_names(filters.get("city", ""))
    tests = (kind_test(filters), place_test(filters), _time_test(filters))
    return [
        row
        for row in basic(_pool(world, filters), filters)
        if row["starts"] >= now
        and all(row[key] == value for key, value in equal)  # type: ignore[literal-required]
        and (not city or plain(row["city"]) in city)
        and ("marketId" not in filters or market_of(row["place_id"]) == filters["marketId"])
        and all(test(row) for test in tests)
    ]


@tool(
    GROUP,
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
    """Coming events by words, place, time and kind, a page at a time.

    A choice of large tours, festivals, tournaments and long runs is as announced; everything else is simulated.
    Games of clubs are not among them. Where the hour is not known, starts is the day alone.
    """
    found = in_order(found_events(world, filters), filters, distance(filters))
    return page_of(found, filters, event_row)
