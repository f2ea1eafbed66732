"""Search: local businesses on Yelp, craftsmen and services, and what a query for such names: a trade and a city."""

import re
from typing import TypedDict

from toolyard.world.index import words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import BusinessId, CityName, PhoneNumber, SearchText, StreetAddress
from toolyard.world.kernel.views import View
from toolyard.world.reference.places.geography import City, cities, city_or_none, find_city
from toolyard.world.simulated.businesses import search_businesses, search_group
from toolyard.world.simulated.pages import check_query
from toolyard.world.tools.search.web import CUSTOM, ENGINE

_SERVICES = ("plumber", "electrician", "house cleaning")


class Shop(TypedDict):
    business_id: BusinessId
    name: str
    city: CityName
    address: StreetAddress
    phone: PhoneNumber
    rating: float
    review_count: int
    categories: list[str]


class LocalService(TypedDict):
    provider: str
    business_id: BusinessId
    service: str
    phone: PhoneNumber
    city: CityName
    rating: float
    years_in_business: int


SHOP = View.of(Shop, business_id="id", categories="category_titles")


@ENGINE.tool(
    examples=[{"query": "coffee", "find_loc": "San Francisco"}],
    phrase="find the best rated local businesses on Yelp for {query}[, with the location set to {find_loc}]",
    noun="the list of Yelp businesses",
    jobs=("businesses and places to eat", "hotels"),
    listed_as="YelpWebSearch",
)
def yelp_search(world: World, *, query: SearchText, find_loc: CityName = "New York") -> list[Shop]:
    """Up to ten local businesses that fit some words, best rated first.

    query: What the business offers or is called.
    find_loc: City to look in, unless the query names one.
    """
    what, city = split_what_and_where(check_query(query))
    place = city or find_city(find_loc)
    found = search_businesses(world.seed, place, what)
    if not found:
        raise not_found("business for", query[:80], such_as=("coffee", "bakery", "pizza"))
    return SHOP.rows(sorted(found, key=lambda row: -row["rating"])[:10])


@CUSTOM.tool(
    examples=[{"query": "plumber", "location": "New York"}, {"query": "electrician in Seattle"}],
    phrase=(
        "find local tradespeople and services on Google for {query}[, with the location set to {location}]"
    ),
    noun="the list of local services",
    jobs=("businesses and places to eat",),
)
def google_local_services_search(
    world: World, *, query: SearchText, location: CityName | None = None
) -> list[LocalService]:
    """Up to five craftsmen or other services in a city, best rated first.

    query: The service that is wanted, e.g. plumber.
    location: City; where left out, one that the query names, else New York.
    """
    what, where = split_what_and_where(check_query(query))
    city = find_city(location) if location else where or find_city("New York")
    found = search_group(world.seed, city, what, "services") or search_businesses(world.seed, city, what)
    if not found:
        raise not_found("service", what[:80], such_as=_SERVICES)
    start = next(iter(words(what)), "")[:4]
    near = (
        row
        for row in found
        if any(word.startswith(start) for word in words(" ".join(row["category_titles"])))
    )
    trade = next(near, found[0])["category_titles"][0]
    unique = {row["name"]: row for row in reversed(found) if row["category_titles"][0] == trade}
    return [
        {
            "provider": row["name"],
            "business_id": row["id"],
            "service": row["category_titles"][0],
            "phone": row["phone"],
            "city": row["city"],
            "rating": row["rating"],
            "years_in_business": 1 + seeds.number(world.seed, "years", row["id"]) % 40,
        }
        for row in sorted(unique.values(), key=lambda row: (-row["rating"], row["name"]))[:5]
    ]


def split_what_and_where(query: str) -> tuple[str, City | None]:
    """What is looked for and the city that a query names behind it, as in "sushi in London"; no city where none is named."""
    match = re.fullmatch(r"(.{1,200}?)\s+(?:in|near|around)\s+(.{1,100})", query.strip())
    city = city_or_none(match[2]) if match else None
    if match and city:
        return match[1], city
    parts = query.split()
    for size in (3, 2, 1):
        last = " ".join(parts[-size:])
        if len(parts) > size and last[:1].isupper() and (city := city_or_none(last)) and _is_well_known(city):
            return " ".join(parts[:-size]), city
    return query, None


def _is_well_known(city: City) -> bool:
    """Whether a city is meant without a word before it: the Eiffel Tower is in no town called Tower."""
    return any(row["id"] == city["id"] for row in cities())
