"""Restaurants near a point: the businesses of the nearest city, and the branches of a chain that is asked for."""

import functools
import re
from collections.abc import Iterator
from typing import Annotated, Literal, NotRequired, TypedDict, Unpack

from toolyard.world.index import words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, page
from toolyard.world.kernel.types import (
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
from toolyard.world.reference.days import zone
from toolyard.world.reference.places.geography import City, city_or_none, find_city, nearest_city
from toolyard.world.simulated.business_hours import is_open
from toolyard.world.simulated.businesses import Business, businesses
from toolyard.world.simulated.food.recipes import all_cuisines, all_dishes
from toolyard.world.tools.food.argument_checks import check_text, match_known_name
from toolyard.world.tools.food.menus import ChainName, chain_named, chain_names, menu_items

GROUP = Group("Food/spoonacular_wine_restaurants")
KM_PER_MILE = 1.609344
PAGE_SIZE = 10
# Bounds of what a meal costs, in US dollars.
MEAL = (8.0, 90.0)
# Where the branches of a chain lie around the centre of a city, in degrees north and east.
_BRANCHES = ((0.004, 0.027), (-0.02, -0.02), (0.021, -0.004), (0.003, -0.002), (-0.008, 0.006))
_STREETS = ("Market Street", "Main Street", "Station Road", "Park Avenue", "Broadway")
# The hours of the day from and to which branches of chains are open.
_CHAIN_HOURS = (6, 23)
_IN = re.compile(r"\b(?:in|near|around|at)\s+(\S.*)$", re.I)
_PLACES = frozenset(words("restaurant restaurants food eat dinner lunch place"))


class FoundRestaurant(TypedDict):
    name: str
    cuisines: list[str]
    city: CityName
    address: StreetAddress
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


def _is_open_now(world: World, business: Business) -> bool:
    local = world.now.astimezone(zone(business["time_zone"]))
    return is_open(business["hours"], local.weekday(), local.hour * 60 + local.minute)


def _from_business(world: World, row: Business, miles: float) -> FoundRestaurant:
    chance = seeds.stream(world.seed, "meal", row["id"])
    return {
        "name": row["name"],
        "cuisines": row["category_titles"],
        "city": row["city"],
        "address": row["address"],
        "miles": miles,
        "meal_usd": round(MEAL[0] * (MEAL[1] / MEAL[0]) ** chance.random(), 2),
        "rating": row["rating"],
        "is_open": _is_open_now(world, row),
        "delivery_minutes": int(15 + 6 * miles + 10 * chance.random()),
        "business_id": row["id"],
    }


def branches_of(world: World, city: City, point: tuple[float, float], name: str) -> Iterator[FoundRestaurant]:
    """The branches of a chain around a city's centre; a meal there is two dishes of its menu."""
    menu = [row for row in menu_items(world.seed) if row.chain == name]
    for number, (north, east) in enumerate(_BRANCHES):
        place = seeds.stream("branch", name, city["id"], number)
        latitude = round(city["latitude"] + north + 0.006 * (place.random() - 0.5), 5)
        longitude = round(city["longitude"] + east + 0.006 * (place.random() - 0.5), 5)
        miles = round(kilometres(*point, latitude, longitude) / KM_PER_MILE, 2)
        chance = seeds.stream(world.seed, "branch", name, city["id"], number)
        hour = world.now.astimezone(zone(city["time_zone"])).hour
        yield {
            "name": name,
            "cuisines": [menu[0].cuisine],
            "city": city["name"],
            "address": f"{place.randrange(1, 900)} {place.choice(_STREETS)}, {city['name']}",
            "miles": miles,
            "meal_usd": round(2 * sum(row.cents for row in menu) / len(menu) / 100, 2),
            "rating": round(3 + 1.9 * chance.random(), 1),
            "is_open": _CHAIN_HOURS[0] <= hour < _CHAIN_HOURS[1],
            "delivery_minutes": int(12 + 6 * miles + 8 * chance.random()),
            "restaurant_chain": name,
        }


def _named_place(query: str) -> City | None:
    """The city that a query ends in: vegan burger in Berlin."""
    match = _IN.search(query[:200])
    return city_or_none(match[1]) if match else None


def _search_point(filters: RestaurantFilters, query: str) -> tuple[float, float]:
    latitude, longitude = filters.get("lat"), filters.get("lng")
    if (latitude is None) != (longitude is None):
        raise invalid("lat", latitude, "lat and lng go together: give both or neither")
    if latitude is None or longitude is None:
        city = _named_place(query) or find_city("New York")
        return city["latitude"], city["longitude"]
    city = nearest_city(latitude, longitude)
    if kilometres(latitude, longitude, city["latitude"], city["longitude"]) > 100 * KM_PER_MILE:
        raise invalid(
            "lat", latitude, "no town is within 100 miles of this point; choose one on land near a town"
        )
    return latitude, longitude


@functools.lru_cache(maxsize=4096)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(words(text))


@functools.cache
def _cuisines_by_dish() -> dict[frozenset[str], tuple[str, ...]]:
    """The cuisines of each dish, by the words of its name."""
    return {_words_of(name): dish.cuisines for dish in all_dishes() for name in (dish.dish, dish.title)}


def _around(world: World, point: tuple[float, float], query: str) -> Iterator[tuple[int, FoundRestaurant]]:
    """Places to eat in the nearest city, each with the number of words of the query that it answers to.

    Where none answers to a word, houses with the kitchen of the dish that the query names do.
    """
    city = nearest_city(*point)
    chain, rest = chain_named(query[:200])
    if chain and not set(words(rest)) - _PLACES:
        yield from ((1, row) for row in branches_of(world, city, point, chain))
        return
    wanted = set(words(query[:200])) - _PLACES
    kitchen = _cuisines_by_dish().get(frozenset(wanted), ())[:1]
    found = [*_fitting(world, city, point, wanted), *_branches_by_kitchen(world, city, point, wanted)]
    yield from found or _fitting(world, city, point, set(words(" ".join(kitchen))) or wanted)


def _branches_by_kitchen(
    world: World, city: City, point: tuple[float, float], wanted: set[str]
) -> Iterator[tuple[int, FoundRestaurant]]:
    """The branches of chains with the kitchen that is wanted, in the country that all chains come from."""
    kitchens = (
        {row.chain: row.cuisine for row in menu_items(world.seed)} if city["country_code"] == "US" else {}
    )
    for chain, kitchen in kitchens.items():
        if chain in chain_names()[:-1] and wanted and wanted <= _words_of(kitchen):
            yield from ((1, row) for row in branches_of(world, city, point, chain))


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


def _all_cuisines(world: World, point: tuple[float, float]) -> list[str]:
    """Every cuisine of recipes, chains and the places to eat around a point."""
    rows = businesses(world.seed, nearest_city(*point)["id"])
    there = {
        title for row in rows if row["group"] in ("restaurants", "food") for title in row["category_titles"]
    }
    return sorted({*all_cuisines(), *(row.cuisine for row in menu_items(world.seed)), *there})


def _passes_filters(row: FoundRestaurant, filters: RestaurantFilters) -> bool:
    cuisine, budget = filters.get("cuisine"), filters.get("budget")
    distance = filters.get("distance")
    return (
        row["miles"] <= (10 if distance is None else distance)
        and (budget is None or row["meal_usd"] <= budget)
        and (cuisine is None or cuisine.strip().lower() in (name.lower() for name in row["cuisines"]))
        and row["rating"] >= (filters.get("min_rating") or 0)
        and (row["is_open"] or not filters.get("is_open"))
    )


@GROUP.tool(
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
    wanted = _IN.sub("", query) if _named_place(query) else query
    check_text(wanted, "query", "italian, burger or Chipotle")
    point = _search_point(filters, query)
    if filters.get("cuisine") is not None:
        match_known_name(filters["cuisine"], _all_cuisines(world, point), "cuisine")
    found = [pair for pair in _around(world, point, wanted) if _passes_filters(pair[1], filters)]
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
