"""Search: local businesses on Yelp, and what a query for such names: a trade and a city."""

from __future__ import annotations

import re
from typing import TypedDict

from toolyard.world.registry import tool
from toolyard.world.shared.businesses import Business, matching
from toolyard.world.shared.entries import named
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.geography import City, cities, city_or_none, find_city, plain
from toolyard.world.shared.query_words import asked
from toolyard.world.state import World
from toolyard.world.types import BusinessId, CityName, PhoneNumber, SearchText, StreetAddress
from toolyard.world.worlds.search.web import ENGINE


class Shop(TypedDict):
    business_id: BusinessId
    name: str
    city: CityName
    address: StreetAddress
    phone: PhoneNumber
    rating: float
    review_count: int
    categories: list[str]


def _shop(row: Business) -> Shop:
    return {
        "business_id": row["id"],
        "name": row["name"],
        "city": row["city"],
        "address": row["address"],
        "phone": row["phone"],
        "rating": row["rating"],
        "review_count": row["review_count"],
        "categories": row["category_titles"],
    }


@tool(
    ENGINE,
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
    what, city = what_and_where(asked(query))
    place = city or find_city(find_loc)
    bare = what if _OWN_FOODS.search(what) else _FILLING.sub("", what).strip() or what
    diet = _DIETS.fullmatch(bare)  # a vegan bakery is a bakery before all
    found = matching(world.seed, place, diet[1] if diet else bare)
    if any(map(_is_one, named(bare)[:1])):  # there is one Louvre, and it is no business
        found = [row for row in found if plain(bare) not in map(plain, row["category_titles"])]
    return [_shop(row) for row in sorted(found, key=lambda row: -row["rating"])[:10]]


# Words that say no more than that one can eat somewhere, kinds of food that are called so, and diets before a trade.
_FILLING = re.compile(r"(?<=\S) (?:food|foods|cuisine|places?|joints?|spots?)$", re.IGNORECASE)
_OWN_FOODS = re.compile(
    r"\b(?:soul|fast|comfort|pet|street|health|sea|dog|cat|frozen) foods?$", re.IGNORECASE
)
_DIETS = re.compile(
    r"(?:vegan|vegetarian|gluten[- ]free|halal|kosher) (bakery|bakeries|pizza|ice cream|desserts?|burgers?)",
    re.I,
)


def _is_one(entry: Entry) -> bool:
    """Whether an entry is a single thing and no trade or chain."""
    return "P279" not in entry["properties"] and entry["kind"] not in (
        "company",
        "food",
        "dish",
        "cuisine",
        "sport",
    )


def what_and_where(query: str) -> tuple[str, City | None]:
    """What is looked for and the city that a query names behind it, as in "sushi in London"; no city where none is named."""
    match = re.fullmatch(r"(.{1,200}?)\s+(?:in|near|around)\s+(.{1,100})", query.strip())
    city = city_or_none(match[2]) if match else None
    if match and city:
        return match[1], city
    asked = query.split()
    for size in (3, 2, 1):
        last = " ".join(asked[-size:])
        if len(asked) > size and last[:1].isupper() and (city := city_or_none(last)) and _is_well_known(city):
            return " ".join(asked[:-size]), city
    return query, None


def _is_well_known(city: City) -> bool:
    """Whether a city is meant without a word before it: the Eiffel Tower is in no town called Tower."""
    return any(row["id"] == city["id"] for row in cities())
