"""Finance/Yelp: community events around a place."""

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Annotated, TypedDict

from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, page
from toolyard.world.kernel.types import (
    BusinessId,
    CityName,
    ComingTime,
    IsoDateTime,
    Latitude,
    LocaleCode,
    Longitude,
    Moment,
    Page,
    Range,
    StreetAddress,
    Unit,
    Within,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import moment
from toolyard.world.simulated.finance.gatherings import (
    Gathering,
    GatheringId,
    Kind,
    coming_gatherings,
    find_gathering,
)
from toolyard.world.tools.finance.yelp import Lat, Limit, Location, Long, Offset, place, require_locale

GROUP = Group("Finance/Yelp")


class Listed(TypedDict):
    id: GatheringId
    name: str
    category: Kind
    city: CityName
    starts: IsoDateTime
    is_free: bool
    attending_count: int
    distance_m: Annotated[int, Unit("m")]


class Details(TypedDict):
    id: GatheringId
    name: str
    category: Kind
    description: str
    address: StreetAddress
    latitude: Latitude
    longitude: Longitude
    business_id: BusinessId
    starts: IsoDateTime
    ends: IsoDateTime
    cost_usd: Annotated[int, Unit("USD")]
    attending_count: int
    interested_count: int


def _list_view(latitude: float, longitude: float) -> View[Listed]:
    """Events as lists show them, with how far they are from a point."""
    same = ("id", "name", "category", "city", "starts", "attending_count")
    return View(
        {
            **{name: name for name in same},
            "is_free": lambda row: not row["cost"],
            "distance_m": lambda row: round(
                1000 * kilometres(latitude, longitude, row["latitude"], row["longitude"])
            ),
        }
    )


def _events_between(
    world: World, found: Iterable[Gathering], start: str | None, end: str | None
) -> Iterator[Gathering]:
    """Events that begin at or after the start, by default from now on, and end at or before the end."""
    first = moment(start, "start_date") if start else world.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    last = moment(end, "end_date", end=True) if end else "~"
    if last < first:
        raise invalid("end_date", end, f"want a time after {first}, when the search begins")
    now = world.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    if last < now:
        raise invalid("end_date", end, f"only coming events are known; it is {now}")
    for row in found:
        if row["starts"] + "Z" >= first and row["ends"] + "Z" <= last:
            yield row


def _suits_filters(row: Listed, kinds: list[Kind] | None, excluded: list[str], metres: int | None) -> bool:
    return (
        (not kinds or row["category"] in kinds)
        and row["id"] not in excluded
        and (metres is None or row["distance_m"] <= metres)
    )


@GROUP.tool(
    examples=[
        {
            "location": "Los Angeles",
            "categories": ["visual-arts"],
            "start_date": "2024-05-16",
            "end_date": "2024-06-30",
        },
        {"location": "Boston", "if_sort_on_popularity": False, "if_sort_by_desc": False, "limit": 5},
    ],
    phrase=(
        "search Yelp for coming community events[ in {location}][, with the latitude set to {latitude}][, "
        "with the longitude set to {longitude}][, with the search radius in metres set to {radius}][, with "
        "the event categories set to {categories}][, starting no earlier than {start_date}][, ending no "
        "later than {end_date}][, with sorting by popularity set to {if_sort_on_popularity}][, with "
        "descending order set to {if_sort_by_desc}][, with a limit of {limit}]"
    ),
    noun="the Yelp event search results",
    jobs=("events",),
)
def yelp_event_search(
    world: World,
    *,
    location: Location | None = None,
    latitude: Lat | None = None,
    longitude: Long | None = None,
    radius: Annotated[int, Range(1, 40000), Unit("m")] | None = None,
    categories: list[Kind] | None = None,
    locale: LocaleCode = "en_US",
    if_sort_by_desc: bool = True,
    if_sort_on_popularity: bool = True,
    start_date: Moment | None = None,
    end_date: Annotated[ComingTime, Within("start_date")] | None = None,
    excluded_events: list[GatheringId] | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Page[Listed]:
    """Community events around a place that have not begun yet, most popular first unless ordered otherwise.

    location: City or address; needed unless latitude and longitude are given.
    latitude: Latitude to search around.
    longitude: Longitude to search around.
    radius: How far away events may be, in metres.
    categories: Kinds of events to include.
    locale: Language and country of the caller.
    if_sort_by_desc: Whether to sort downward.
    if_sort_on_popularity: Whether to sort by people attending instead of by start.
    start_date: Events that begin at or after this date or time.
    end_date: Events that end at or before this date or time.
    excluded_events: Ids of events to leave out.
    limit: How many events to list.
    offset: How many events to skip.
    """
    require_locale(locale)
    city, here, there = place(location, latitude, longitude)
    found = _list_view(here, there).rows(
        _events_between(world, coming_gatherings(world.seed, city["id"]), start_date, end_date)
    )
    rows = [row for row in found if _suits_filters(row, categories, excluded_events or [], radius)]
    fields = ("attending_count", "starts") if if_sort_on_popularity else ("starts",)
    rows.sort(key=itemgetter(*fields), reverse=if_sort_by_desc)
    return page(rows, limit, offset)


@GROUP.tool(
    examples=[{"event_id": "open-studio-day-00000"}],
    phrase="get the details of the Yelp event whose id is {event_id}[, with the locale set to {locale}]",
    noun="the Yelp event details",
    jobs=("events",),
)
def yelp_event_details(world: World, *, event_id: GatheringId, locale: LocaleCode = "en_US") -> Details:
    """One community event: what, where, when, how much, and how many come.

    event_id: Id of the event, from yelp_event_search.
    locale: Language and country of the caller.
    """
    require_locale(locale)
    fields = {name: name for name in Details.__annotations__} | {"cost_usd": "cost"}
    return View[Details](fields).row(find_gathering(world.seed, event_id))
