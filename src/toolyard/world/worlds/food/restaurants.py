"""Restaurants near a point: the businesses of the nearest city, and the branches of a chain that is asked for."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, Literal, NotRequired, TypedDict, Unpack

from toolyard.world import seeds
from toolyard.world.derived import derived
from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.business_hours import is_open
from toolyard.world.shared.businesses import Business, businesses
from toolyard.world.shared.days import zone
from toolyard.world.shared.geography import City, city_or_none, find_city, nearest_city
from toolyard.world.state import World
from toolyard.world.tables import kilometres, page, plain
from toolyard.world.types import (
    BusinessId,
    CityName,
    Latitude,
    Longitude,
    Page,
    Range,
    StreetAddress,
    Unit,
    Within,
)
from toolyard.world.worlds.food.asked import one_of, said
from toolyard.world.worlds.food.cards import all_cuisines
from toolyard.world.worlds.food.dishes import dish_rows, dishes_named
from toolyard.world.worlds.food.menus import ChainName, MenuItem, chain_named, menu_items

GROUP = "Food/spoonacular_wine_restaurants"
KM_PER_MILE = 1.609344
PAGE_SIZE = 10
_MEAL_USD = {1: 12, 2: 22, 3: 40, 4: 85}
# What a meal costs beside one in the United States, where it differs much.
_PRICE_LEVEL = {
    **dict.fromkeys(("IN", "PK", "BD", "NP", "LK", "EG", "ID", "VN", "NG", "KE", "PH", "MM", "KH"), 0.4),
    **dict.fromkeys(("TH", "MY", "CN", "TR", "MA", "CO", "PE", "BR", "MX", "ZA", "UA", "RU", "RO", "BG", "RS", "AR"), 0.6),
    **dict.fromkeys(("PL", "CZ", "HU", "PT", "GR", "JP", "KR", "TW", "ES", "HR", "CL"), 0.75),
    **dict.fromkeys(("CH", "NO", "IS", "DK"), 1.4),
}  # fmt: skip
_BRANCHES = ((0.004, 0.027), (-0.02, -0.02), (0.021, -0.004), (0.003, -0.002), (-0.008, 0.006))


class FoundRestaurant(TypedDict):
    name: str
    cuisines: list[str]
    city: CityName
    address: NotRequired[StreetAddress]
    miles: float
    meal_usd: float
    rating: float
    is_open: bool
    delivery_minutes: int
    business_id: NotRequired[BusinessId]
    restaurant_chain: NotRequired[ChainName]


class RestaurantFilters(TypedDict, total=False):
    """Where and what to look for.

    lat: Latitude to search around; goes with lng. New York when left out and the query names no city.
    lng: Longitude to search around; goes with lat.
    distance: How far away at most, 10 miles unless told.
    budget: Most that a meal may cost.
    cuisine: Cuisine of the restaurant, e.g. Italian.
    min_rating: Least rating, from 0 to 5.
    is_open: True for restaurants that are open now.
    sort: cheapest, fastest, rating, distance or relevance (the default) first.
    page: Page of ten results, from 0.
    """

    lat: Annotated[Latitude, Within("lng")]
    lng: Annotated[Longitude, Within("lat")]
    distance: Annotated[float, Unit("mile"), Range(0, 100)]
    budget: Annotated[float, Unit("USD"), Range(0, 100_000)]
    cuisine: str
    min_rating: Annotated[float, Range(0, 5)]
    is_open: bool
    sort: Literal["relevance", "cheapest", "fastest", "rating", "distance"]
    page: Annotated[int, Range(0, 1000)]


def _open_now(world: World, business: Business) -> bool:
    local = world.now.astimezone(zone(business["time_zone"]))
    return is_open(business["hours"], local.weekday(), local.hour * 60 + local.minute)


# Kitchens where nobody pays for a long evening.
_QUICK = frozenset(
    "burgers pizza hotdogs hotdog sandwiches tacos cafes coffee bakeries icecream bagels donuts juicebars vegan "
    "vegetarian ramen noodles breakfast_brunch diners chicken_wings foodtrucks".split()
)


# Where one has a cup or a sweet, not a meal.
_SNACKS = frozenset(
    "cafes coffee bakeries icecream bagels donuts juicebars desserts tea bubbletea cupcakes".split()
)


def _dearest(business: Business) -> int:
    """The highest of the four levels of price that a kitchen has."""
    if business["category_aliases"][0] in _QUICK:
        return 2
    return 4 if business["rating"] >= 4.5 else 3


def _meal(business: Business) -> float:
    """What a meal costs in dollars, by level of price and country."""
    level = _PRICE_LEVEL.get(business["country_code"], 1.0)
    level *= 0.4 if business["category_aliases"][0] in _SNACKS else 1.0
    return _MEAL_USD[min(business["price"], _dearest(business))] * level


def _from_business(world: World, row: Business, miles: float) -> FoundRestaurant:
    chance = seeds.stream(world.seed, "meal", row["id"])
    return {
        "name": row["name"],
        "cuisines": row["category_titles"],
        "city": row["city"],
        "address": row["address"],
        "miles": miles,
        "meal_usd": round(_meal(row) * (0.8 + 0.4 * chance.random()), 2),
        "rating": row["rating"],
        "is_open": _open_now(world, row),
        "delivery_minutes": int(15 + 6 * miles + 10 * chance.random()),
        "business_id": row["id"],
    }


# So many menu items, from the first on, are of chains with branches everywhere.
_BY_BRANCHES = 62


@functools.cache
def _chains() -> Mapping[str, float]:
    """Each of those chains with the price of a meal of two dishes."""
    found: dict[str, list[MenuItem]] = {}
    for row in menu_items()[:_BY_BRANCHES]:
        found.setdefault(row["restaurantChain"], []).append(row)
    return {name: 2 * sum(row["cents"] for row in rows) / len(rows) / 100 for name, rows in found.items()}


# The hours of the day from and to which branches of chains are open.
_CHAIN_HOURS = (6, 23)


def _branch(
    world: World, city: City, point: tuple[float, float], chain: tuple[str, str, float], number: int
) -> FoundRestaurant:
    """One of the branches that each chain has around a city's centre."""
    name, cuisine, meal = chain
    north, east = _BRANCHES[number]
    chance = seeds.stream(world.seed, "branch", name, city["id"], number)
    latitude = round(city["latitude"] + north + 0.006 * (chance.random() - 0.5), 5)
    longitude = round(city["longitude"] + east + 0.006 * (chance.random() - 0.5), 5)
    miles = round(kilometres(*point, latitude, longitude) / KM_PER_MILE, 2)
    return {
        "name": name,
        "cuisines": [cuisine],
        "city": city["name"],
        "miles": miles,
        "meal_usd": round(meal, 2),
        "rating": round(3 + 1.5 * chance.random(), 1),
        "is_open": _CHAIN_HOURS[0] <= world.now.astimezone(zone(city["time_zone"])).hour < _CHAIN_HOURS[1],
        "delivery_minutes": int(12 + 6 * miles + 8 * chance.random()),
        "restaurant_chain": name,
    }


_IN = re.compile(r"\b(?:in|near|around|at)\s+(\S.*)$", re.I)


def _told_place(query: str) -> City | None:
    """The city that a query ends in: vegan burger in Berlin."""
    match = _IN.search(query[:200])
    return city_or_none(match[1]) if match else None


def _point(filters: RestaurantFilters, query: str) -> tuple[float, float]:
    latitude, longitude = filters.get("lat"), filters.get("lng")
    if (latitude is None) != (longitude is None):
        raise invalid("lat", latitude, "lat and lng go together: give both or neither")
    if latitude is None or longitude is None:
        city = _told_place(query) or find_city("New York")
        return city["latitude"], city["longitude"]
    return latitude, longitude


@functools.lru_cache(maxsize=4096)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(words(text))


def _around(world: World, point: tuple[float, float], query: str) -> Iterator[tuple[int, FoundRestaurant]]:
    """Places to eat in the nearest city, each with the number of words of the query that it answers to."""
    city = nearest_city(*point)
    chain, rest = chain_named(query[:200])
    if chain and not set(words(rest)) - _PLACES:
        yield from ((1, row) for row in branches_of(world, city, point, chain))
        return
    wanted = set(words(query[:200])) - _PLACES
    found = list(_fitting(world, city, point, wanted))
    kitchens = () if found or not wanted else _kitchens(query)
    for kitchen in kitchens:
        found += _fitting(world, city, point, set(words(kitchen)))
    houses = [(1, _house(world, city, point, kitchen, turn)) for kitchen in kitchens for turn in range(3)]
    yield from found or houses


_PLACES = frozenset(("restaurant", "food", "eat", "dinner", "lunch", "place"))
# Chains with branches in most countries.
_WORLDWIDE = frozenset(("McDonald's", "KFC", "Burger King", "Subway", "Starbucks", "Pizza Hut", "Domino's"))


def branches_of(world: World, city: City, point: tuple[float, float], name: str) -> Iterator[FoundRestaurant]:
    """The branches of a chain in a city; none in countries that it has not come to."""
    at_home = city["country_code"] in ("US", "CA")
    if not at_home and name not in _WORLDWIDE:
        return
    rows = [row for row in menu_items() if row["restaurantChain"] == name]
    meal = _chains().get(name) or 2 * sum(row["cents"] for row in rows) / len(rows) / 100
    level = 1.0 if at_home else _PRICE_LEVEL.get(city["country_code"], 1.0)
    for number in range(len(_BRANCHES)):
        yield _branch(world, city, point, (name, rows[0]["cuisine"], meal * level), number)
    if at_home and kilometres(*point, city["latitude"], city["longitude"]) > _FAR_OUT:
        yield _branch(world, _quarter(city, point), point, (name, rows[0]["cuisine"], meal), 3)


# So many kilometres from the centre a quarter has branches of its own.
_FAR_OUT = 3.0


def _quarter(city: City, point: tuple[float, float]) -> City:
    """The quarter of a city that a point is in, by the fiftieth of a degree."""
    latitude, longitude = round(point[0] * 50) / 50, round(point[1] * 50) / 50
    number = f"{city['id']} {latitude:.2f} {longitude:.2f}"
    return {**city, "id": number, "latitude": latitude, "longitude": longitude}


def _house(
    world: World, city: City, point: tuple[float, float], kitchen: str, turn: int = 0
) -> FoundRestaurant:
    """A house of a kitchen that no list of the city shows, in a street of the city."""

    def built(chance: Random) -> FoundRestaurant:
        style = (("Little", "Old", "Golden", "Blue"), ("Garden", "Corner"), ("Family", "Harbour"))[turn]
        name = f"{chance.choice(style)} {kitchen} {('Table', 'Kitchen', 'House')[turn]}"
        return _branch(world, city, point, (name, kitchen, float(chance.randrange(15, 45))), turn)

    row = derived(world.seed, "restaurant", f"{kitchen} {city['id']} {turn}", built)
    return {key: value for key, value in row.items() if key != "restaurant_chain"}  # type: ignore[return-value]


# Kinds of houses and the kitchen that they have.
_KINDS = {"tapas": "Spanish", "bodega": "Spanish", "trattoria": "Italian", "osteria": "Italian", "pizzeria": "Italian",
          "izakaya": "Japanese", "dim": "Chinese", "brasserie": "French", "bistro": "French", "taqueria": "Mexican",
          "taverna": "Greek", "mezze": "Middle Eastern", "churrascaria": "Brazilian", "biergarten": "German"}  # fmt: skip


def _kitchens(query: str) -> tuple[str, ...]:
    """The cuisines of the dish, or the kind of house, that a query names: a house of that kitchen may serve it."""
    if own := [_KINDS[word] for word in plain(query[:200]).split() if word in _KINDS]:
        return tuple(own)
    rows = [dish_rows()[place]["cuisines"] for place in dishes_named(query[:200])[:1]]
    return tuple(name for text in rows for name in text.split(","))


def _fitting(
    world: World, city: City, point: tuple[float, float], wanted: set[str]
) -> Iterator[tuple[int, FoundRestaurant]]:
    """Places to eat in a city with at least one of the wanted words; all where none is wanted."""
    for row in businesses(world.seed, city["id"]):
        if row["group"] in ("restaurants", "food") and row["category_aliases"][0] != "grocery":
            text = " ".join((row["name"], *row["category_titles"], row["offers"]))
            relevance = len(wanted & _words_of(text))
            if relevance or not wanted:
                miles = round(kilometres(*point, row["latitude"], row["longitude"]) / KM_PER_MILE, 2)
                yield relevance, _from_business(world, row, miles)


def _check_place(point: tuple[float, float]) -> None:
    """An invalid_value fault for a point that is far from every town."""
    city = nearest_city(*point)
    if kilometres(*point, city["latitude"], city["longitude"]) > 100 * KM_PER_MILE:
        raise invalid(
            "lat", point[0], "no town is within 100 miles of this point; choose one on land near a town"
        )


def _all_cuisines(world: World, point: tuple[float, float]) -> list[str]:
    """Every cuisine of recipes, chains and the places to eat around a point."""
    rows = businesses(world.seed, nearest_city(*point)["id"])
    there = {
        title for row in rows if row["group"] in ("restaurants", "food") for title in row["category_titles"]
    }
    return sorted({*all_cuisines(world), *(row["cuisine"] for row in menu_items()), *there})


def _passes(row: FoundRestaurant, filters: RestaurantFilters) -> bool:
    cuisine, budget = filters.get("cuisine"), filters.get("budget")
    distance = filters.get("distance")
    return (
        row["miles"] <= (10 if distance is None else distance)
        and (budget is None or row["meal_usd"] <= budget)
        and (cuisine is None or cuisine.strip().lower() in (name.lower() for name in row["cuisines"]))
        and row["rating"] >= (filters.get("min_rating") or 0)
        and (row["is_open"] or not filters.get("is_open"))
    )


@tool(
    GROUP,
    examples=[
        {"query": "Italian", "lat": 37.7786357, "lng": -122.3918135, "budget": 100, "distance": 2},
        {"query": "sushi", "sort": "rating"},
        {"query": "McDonald's", "lat": 41.8781, "lng": -87.6298},
    ],
    phrase=(
        "search for restaurants that fit {query}[, with {lat} as the latitude][, with {lng} as the "
        "longitude][, with the largest distance set to {distance} miles][, on a budget of {budget} US "
        "dollars][, with the cuisine set to {cuisine}][, with a minimum rating of {min_rating}][, with open "
        "now set to {is_open}][, sorted by {sort}]"
    ),
    noun="the list of restaurants",
    jobs=("businesses and places to eat",),
)
def search_restaurants(
    world: World, *, query: str, **filters: Unpack[RestaurantFilters]
) -> Page[FoundRestaurant]:
    """Places to eat around a point, filtered by distance, budget, cuisine, rating and opening hours.

    query: What to eat or the name of a restaurant, e.g. italian, burger or Chipotle; a city may follow (sushi in Osaka).
    """
    wanted = _IN.sub("", query) if _told_place(query) else query
    said(wanted, "query", "italian, burger or Chipotle")
    _check_place(_point(filters, query))
    if filters.get("cuisine") is not None:
        one_of(filters["cuisine"], _all_cuisines(world, _point(filters, query)), "cuisine")
    found = [pair for pair in _around(world, _point(filters, query), wanted) if _passes(pair[1], filters)]
    keys = {
        "relevance": lambda pair: (-pair[0], pair[1]["miles"]),
        "cheapest": lambda pair: pair[1]["meal_usd"],
        "fastest": lambda pair: pair[1]["delivery_minutes"],
        "rating": lambda pair: (-pair[1]["rating"], pair[1]["miles"]),
        "distance": lambda pair: pair[1]["miles"],
    }
    best = max((relevance for relevance, _ in found), default=0)
    # What answers to one of several words is no answer where another place answers to all.
    if best > 1 and (filters.get("sort") or "relevance") != "relevance":
        found = [pair for pair in found if pair[0] == best]
    found.sort(key=keys[filters.get("sort") or "relevance"])
    return page([row for _, row in found], PAGE_SIZE, PAGE_SIZE * (filters.get("page") or 0))
