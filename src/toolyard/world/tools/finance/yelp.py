"""Finance/Yelp: businesses and food deliveries around a place."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, TypedDict, Unpack

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, page, plain
from toolyard.world.kernel.types import (
    BusinessCategory,
    BusinessId,
    FutureDate,
    Latitude,
    LocaleCode,
    Longitude,
    Page,
    PhoneNumber,
    Range,
    SearchText,
    Semantic,
    StreetAddress,
    Unit,
    UnixTime,
    Within,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import from_unix, parse_date, zone
from toolyard.world.reference.places.geography import City, country_or_none, nearest_city, place_in_address
from toolyard.world.reference.places.places import city_by_postcode
from toolyard.world.simulated.business_hours import is_open as open_then
from toolyard.world.simulated.businesses import (
    Business,
    listed_kinds,
    more_businesses,
    search_businesses,
    unlisted_kinds,
    without_plural_s,
)

GROUP = Group("Finance/Yelp")
Location = Annotated[str, Semantic("city", accepts=("street_address",))]
Lat = Annotated[Latitude, Within("longitude")]
Long = Annotated[Longitude, Within("latitude")]
AnyBusinessId = Annotated[str, Semantic("business_id", accepts=("business_alias",))]
Alias = Annotated[str, Semantic("business_alias")]
Limit = Annotated[int, Range(1, 30)]
Offset = Annotated[int, Range(0, 1000)]
Level = Literal[1, 2, 3, 4]
Platform = Literal["android", "ios", "mobile-generic"]
Attribute = Literal["hot_and_new", "request_a_quote", "reservation", "waitlist_reservation", "deals",
                    "gender_neutral_restrooms", "open_to_all", "wheelchair_accessible"]  # fmt: skip


class Listed(TypedDict):
    id: BusinessId
    alias: Alias
    name: str
    categories: list[BusinessCategory]
    rating: float
    review_count: int
    price: str
    phone: PhoneNumber
    address: StreetAddress
    distance_m: Annotated[int, Unit("m")]


class Delivery(TypedDict):
    id: BusinessId
    name: str
    cuisine: list[BusinessCategory]
    rating: float
    delivery_fee_usd: Annotated[float, Unit("USD")]
    delivery_minutes: Annotated[int, Unit("min")]


_NO_TOWN_KM = 60.0
# A quarter of so many people has businesses of its own.
_OWN_TOWN = 300_000


def category_aliases() -> list[str]:
    """The aliases of all categories, those of parents too."""
    rows = (*listed_kinds(), *unlisted_kinds())
    return list(
        dict.fromkeys([*(row["alias"] for row in rows), *(one for row in rows for one in row["parents"])])
    )


def _check_filters(world: World, filters: Filters) -> None:
    """Refuses a category that does not exist and a table on a day that is over."""
    known = category_aliases()
    for alias in filters.get("categories", []):
        if plain(alias) not in known:
            raise not_found("category", alias[:40], known=known, listed_by=f"{GROUP}/yelp_all_categories")
    if "reservation_date" in filters:
        day = parse_date(filters["reservation_date"], "reservation_date")
        if day < world.today:
            raise invalid(
                "reservation_date", filters["reservation_date"], f"want a day from {world.today} on"
            )


def place(location: str | None, latitude: float | None, longitude: float | None) -> tuple[City, float, float]:
    """The city to search in and the point that distances are measured from."""
    if latitude is not None and longitude is not None:
        near = nearest_city(latitude, longitude)
        if kilometres(latitude, longitude, near["latitude"], near["longitude"]) > _NO_TOWN_KM:
            raise not_found("town near the point", f"{latitude},{longitude}", such_as=("48.8566,2.3522",))
        return near, latitude, longitude
    if location is None:
        raise invalid("location", None, "give a location, or both latitude and longitude")
    code = city_by_postcode(location.strip())
    found = (code, code) if code else place_in_address(location)
    if found is None:
        raise not_found(
            "location", location[:60], such_as=("New York", "San Francisco", "Los Angeles", "London")
        )
    city, at = found
    return (city if at["population"] < _OWN_TOWN else at), at["latitude"], at["longitude"]


def is_business_open(business: Business, moment: datetime) -> bool:
    """Whether a business is open at a local time."""
    return open_then(business["hours"], moment.weekday(), moment.hour * 60 + moment.minute)


def _has_free_table(business: Business, day: str, covers: int) -> bool:
    return business["seats"] * seeds.unit("table", business["id"], day) >= covers


class Filters(TypedDict, total=False):
    """Where to look and what businesses must be like.

    location: City, quarter, address or post code; needed unless latitude and longitude are given.
    latitude: Latitude to search around.
    longitude: Longitude to search around.
    term: What the business offers or is called.
    radius: How far away it may be, in metres.
    categories: Aliases of categories of which it must be in one.
    locale: Language and country of the caller, e.g. en_US.
    price: Price levels of which it must have one, 1 (cheap) to 4.
    open_now: Only businesses that are open now.
    open_at: Only businesses that are open at this time; not together with open_now.
    attributes: Features that it must all have.
    sort_by: Order of the businesses.
    device_platform: Platform of the caller.
    reservation_date: Day for which a table is wanted, as YYYY-MM-DD.
    reservation_covers: Number of people at the table.
    matches_party_size_param: Leaves out businesses without such a table.
    limit: How many businesses to list.
    offset: How many businesses to skip.
    """

    location: Location
    latitude: Lat
    longitude: Long
    term: SearchText
    radius: Annotated[int, Range(1, 40000), Unit("m")]
    categories: list[BusinessCategory]
    locale: LocaleCode
    price: list[Level]
    open_now: bool
    open_at: UnixTime
    attributes: list[Attribute]
    sort_by: Literal["best_match", "rating", "review_count", "distance"]
    device_platform: Platform
    reservation_date: FutureDate
    reservation_covers: Annotated[int, Range(1, 10)]
    matches_party_size_param: bool
    limit: Limit
    offset: Offset


def require_locale(locale: str) -> None:
    """An invalid fault unless a text names a language and a country, e.g. en_US."""
    from babel import Locale

    language, _, country = locale.replace("-", "_").partition("_")
    if (
        language.lower() not in Locale("en").languages
        or country_or_none(country) is None
        or len(country) != 2
    ):
        raise invalid("locale", locale[:40], "want a language and a country, e.g. en_US, de_DE or fr_CA")


def _suits_filters(business: Business, filters: Filters, moment: datetime | None) -> bool:
    day = parse_date(filters["reservation_date"], "reservation_date") if "reservation_date" in filters else ""
    seated = filters.get("matches_party_size_param") is True
    wanted = {plain(alias) for alias in filters.get("categories", [])}
    return (
        (not wanted or bool(wanted & set(business["category_aliases"])))
        and (not filters.get("price") or business["price"] in filters["price"])
        and set(filters.get("attributes", [])) <= set(business["attributes"])
        and (moment is None or is_business_open(business, moment))
        and (not seated or _has_free_table(business, str(day), filters.get("reservation_covers", 2)))
    )


def _wanted_moment(world: World, city: City, filters: Filters) -> datetime | None:
    if filters.get("open_now") and "open_at" in filters:
        raise invalid("open_at", filters["open_at"], "give open_now or open_at, not both")
    if "open_at" in filters:
        return from_unix(filters["open_at"], "open_at").astimezone(zone(city["time_zone"]))
    return world.now.astimezone(zone(city["time_zone"])) if filters.get("open_now") else None


def _metres_away(business: Business, latitude: float, longitude: float) -> int:
    return round(1000 * kilometres(latitude, longitude, business["latitude"], business["longitude"]))


def _list_view(latitude: float, longitude: float) -> View[Listed]:
    """Businesses as lists show them, with how far they are from a point."""
    same = ("id", "alias", "name", "rating", "review_count", "phone", "address")
    return View(
        {
            **{name: name for name in same},
            "categories": "category_aliases",
            "price": lambda row: "$" * row["price"],
            "distance_m": lambda row: _metres_away(row, latitude, longitude),
        }
    )


@GROUP.tool(
    examples=[
        {"location": "New York City", "term": "macarons", "limit": 20},
        {
            "location": "San Francisco, CA", "term": "restaurants", "open_now": True,
            "attributes": ["wheelchair_accessible"], "sort_by": "rating", "limit": 10,
        },
        {"latitude": 48.8566, "longitude": 2.3522, "categories": ["bakeries"], "price": [1, 2]},
    ],
    phrase=(
        "search Yelp for businesses[ in {location}][, with the latitude set to {latitude}][, with the "
        "longitude set to {longitude}][, matching {term}][, with the search radius in metres set to "
        "{radius}][, with the categories set to {categories}][, with the price levels set to {price}][, with "
        "the open-now filter set to {open_now}][, with {attributes} as required attributes][, sorted by "
        "{sort_by}][, with a limit of {limit}]"
    ),
    noun="the Yelp business search results",
    jobs=("businesses and places to eat", "hotels"),
)  # fmt: skip
def yelp_search(world: World, **filters: Unpack[Filters]) -> Page[Listed]:
    """Businesses around a place that satisfy all filters, with rating, price level and distance."""
    require_locale(filters.get("locale", "en_US"))
    _check_filters(world, filters)
    city, latitude, longitude = place(
        filters.get("location"), filters.get("latitude"), filters.get("longitude")
    )
    moment = _wanted_moment(world, city, filters)
    listed = search_businesses(world.seed, city, filters.get("term"))
    if "term" not in filters and filters.get("categories"):
        listed += more_businesses(world.seed, city["id"])
    found = [row for row in listed if _suits_filters(row, filters, moment)]
    rows = _list_view(latitude, longitude).rows(found)
    if "radius" in filters:
        rows = [row for row in rows if row["distance_m"] <= filters["radius"]]
    keys = {
        "rating": lambda row: (-row["rating"], -row["review_count"]),
        "review_count": lambda row: -row["review_count"],
        "distance": lambda row: row["distance_m"],
    }
    order = keys.get(filters.get("sort_by", "best_match"))
    if order:
        rows.sort(key=order)
    return page(rows, filters.get("limit", 20), filters.get("offset", 0))


def _businesses_of_kind(found: list[Business], term: str | None) -> list[Business]:
    """Of businesses that fit a term, those of the category that it names; all where none is."""
    sought = plain(without_plural_s(term or "")).removesuffix("s")
    own = [
        row
        for row in found
        if any(sought in plain(one) for one in (row["category_aliases"][0], *row["category_titles"]))
    ]
    return own if sought and own else found


@GROUP.tool(
    examples=[{"location": "Chicago", "term": "pizza"}],
    phrase=(
        "search Yelp for businesses that deliver food[ to {location}][, with the latitude set to "
        "{latitude}][, with the longitude set to {longitude}][, matching {term}][, with the categories set "
        "to {categories}][, with the price levels set to {price}]"
    ),
    noun="the Yelp food delivery results",
    jobs=("businesses and places to eat",),
)
def yelp_food_delivery_search(
    world: World,
    *,
    location: Location | None = None,
    latitude: Lat | None = None,
    longitude: Long | None = None,
    term: SearchText | None = None,
    categories: list[BusinessCategory] | None = None,
    price: list[Level] | None = None,
) -> list[Delivery]:
    """Up to 20 businesses that deliver food to a place, with fee and time in their opening hours, fastest first.

    location: City or address; needed unless latitude and longitude are given.
    latitude: Latitude to deliver to.
    longitude: Longitude to deliver to.
    term: What to eat, or a name.
    categories: Aliases of categories of which it must be in one.
    price: Price levels of which it must have one, 1 (cheap) to 4.
    """
    city, here, there = place(location, latitude, longitude)
    filters: Filters = {"categories": categories or [], "price": price or []}
    _check_filters(world, filters)
    fitting = _businesses_of_kind(search_businesses(world.seed, city, term), term)
    rows = [row for row in fitting if row["delivers"] and _suits_filters(row, filters, None)]
    view = View.of(
        Delivery,
        cuisine="category_aliases",
        delivery_fee_usd=lambda row: round(1.5 + min(30000, _metres_away(row, here, there)) / 2000, 2),
        delivery_minutes=lambda row: 15 + min(30000, _metres_away(row, here, there)) // 250,
    )
    return sorted(view.rows(rows), key=lambda row: row["delivery_minutes"])[:20]
