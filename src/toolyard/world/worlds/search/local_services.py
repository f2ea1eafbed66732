"""Search: craftsmen and other services near a place."""

from __future__ import annotations

from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.businesses import Business, matching, matching_group
from toolyard.world.shared.geography import cities, find_city
from toolyard.world.shared.query_words import asked
from toolyard.world.state import World
from toolyard.world.types import BusinessId, CityName, PhoneNumber, SearchText
from toolyard.world.worlds.search.local_shops import what_and_where
from toolyard.world.worlds.search.only_told import check_known, check_real
from toolyard.world.worlds.search.web import CUSTOM

_ANY_SERVICE = frozenset(
    words("repair repairs service services company cleaning installation shop best near me emergency")
)


_MOST = 5
# What people say -> what the trade calls itself.
_CALLED = {"house": "home", "moving": "mover", "car": "auto", "attorney": "lawyer", "gardener": "landscaping"}


def _offers(row: Business, what: str) -> bool:
    """Whether a business is of the trade that a query names: a roof is repaired by roofers, not where telephones are."""
    asked = [_CALLED.get(word, word) for word in words(what) if word not in _ANY_SERVICE]
    told = words(" ".join([row["name"], *row["category_titles"]]))
    return not asked or any(
        own == word or (len(word) > 3 and own.startswith(word[:5])) for word in asked for own in told
    )


class LocalService(TypedDict):
    provider: str
    business_id: BusinessId
    service: str
    phone: PhoneNumber
    city: CityName
    rating: float
    years_in_business: int


@tool(
    CUSTOM,
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
    """Up to five craftsmen or other services in a city.

    query: The service that is wanted, e.g. plumber.
    location: City; where left out, one that the query names, else New York.
    """
    known = set(words(query))
    check_real(query)
    what, where = what_and_where(asked(query))
    named = next((row["name"] for row in cities() if set(words(row["name"])) <= known), "New York")
    city = find_city(location) if location else where or find_city(named)
    found = matching_group(world.seed, city, what, "services") or matching(world.seed, city, what)
    found = [row for row in found if _offers(row, what)] or found
    found = list({row["name"]: row for row in reversed(found)}.values())[::-1]
    # A branch stands beside its house and says no more.
    names = [row["name"] for row in found]
    found = [row for row in found if not any(row["name"].startswith(f"{name} ") for name in names)]
    if not found:
        check_known("service", what, ("plumber", "electrician", "house cleaning"))
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
        for row in found[:_MOST]
    ]
