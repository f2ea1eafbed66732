"""Wines: kinds of wine and who makes them are tables; taste, price, rating and what goes with them are drawn."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain, read_record, read_table, table_words
from toolyard.world.kernel.types import CountryName, Money, Prose, Range, Semantic, Unit
from toolyard.world.simulated.food.ingredients import ingredient_or_none
from toolyard.world.simulated.food.recipes import all_cuisines, all_dishes, search
from toolyard.world.simulated.food.value_types import Count, DishName, Pairable
from toolyard.world.tools.food.argument_checks import check_text

GROUP = Group("Food/spoonacular_wine_restaurants")
WineName = Annotated[str, Semantic("wine")]
Dollars = Annotated[float, Range(0, 100_000), Unit("USD")]
Rating = Annotated[float, Range(0, 1)]
# Bounds of the price of a bottle in US dollars and of its rating.
PRICES, RATINGS = (6.0, 80.0), (0.5, 0.98)
_BODIES = ("a light bodied", "a medium bodied", "a full bodied")
_STYLES = ("dry", "off-dry", "sweet", "mineral", "oaky", "fruity", "spicy", "floral")
_FLAVOURS = table_words("wines.flavours")
_WINES_PER_FOOD = 3


@dataclass(frozen=True, slots=True)
class Wine:
    """A kind of wine; `free` says whether others than houses of its country make it, `aged` whether bottles have a year."""

    name: str
    aliases: tuple[str, ...]
    colour: str
    country: str
    free: bool
    aged: bool


class Bottle(TypedDict):
    """A wine one can buy; rating from 0 to 1."""

    id: int
    title: str
    price: Money
    averageRating: float


class DishPairing(TypedDict):
    wine: WineName
    pairings: list[DishName]
    text: Prose


class WinePairing(TypedDict):
    food: str
    pairedWines: list[WineName]
    pairingText: Prose
    productMatches: list[Bottle]


class WineDescription(TypedDict):
    wine: WineName
    colour: str
    country: CountryName
    flavours: str
    wineDescription: Prose


class Recommendation(TypedDict):
    recommendedWines: list[Bottle]
    totalFound: int


@functools.cache
def all_wines() -> tuple[Wine, ...]:
    """All kinds of wine, in the order of the table."""
    return tuple(
        read_record(Wine, row, name=row["wine"], free=row["made"] != "home", aged=row["aged"] == "vintage")
        for row in read_table("food_wines.tsv")
    )


@functools.cache
def _wines_by_name() -> Mapping[str, Wine]:
    return {_name_key(name): row for row in all_wines() for name in (row.name, *row.aliases)}


def _name_key(name: str) -> str:
    return " ".join(plain(name[:80]).replace("_", " ").replace("wine", "").split())


def find_wine(name: str) -> Wine:
    """The wine of a name, accents and the word wine aside; a not_found fault otherwise."""
    key = _name_key(check_text(name, "wine", "merlot"))
    if key not in _wines_by_name():
        raise not_found("wine", name[:80], known=_wines_by_name())
    return _wines_by_name()[key]


@functools.cache
def _wine_houses() -> Mapping[str, list[str]]:
    return {row["country"]: row["houses"].split(";") for row in read_table("food_wine_houses.tsv")}


@seeds.cache_by_seed(256)
def bottles(seed: int, wine: Wine) -> tuple[Bottle, ...]:
    """Bottles of a wine, best rated first: one of each house that makes it."""
    home, others = _wine_houses().get(wine.country, []), _wine_houses()[""]
    names = [*home, *(others if wine.free or not home else [])]
    found: list[Bottle] = []
    for place, house in enumerate(names):
        year = f" {2023 - seeds.number('vintage', wine.name, house) % 6}" if wine.aged else ""
        chance = seeds.stream(seed, "bottle", wine.name, house)
        found.append(
            {
                "id": 428_000 + 100 * all_wines().index(wine) + place,
                "title": f"{house} {wine.name.title()}{year}",
                "price": {
                    "amount": round(PRICES[0] * (PRICES[1] / PRICES[0]) ** chance.random(), 2),
                    "currency": "USD",
                },
                "averageRating": round(chance.uniform(*RATINGS), 2),
            }
        )
    return tuple(sorted(found, key=lambda bottle: (-bottle["averageRating"], bottle["id"])))


def _wines_for(seed: int, food: str) -> list[Wine]:
    """The wines that go with a food in this world."""
    return seeds.stream(seed, "pairing", food).sample(all_wines(), _WINES_PER_FOOD)


@seeds.table
def _dishes_with(seed: int) -> Mapping[str, list[str]]:
    """The dishes that go with each wine; drinks go with none."""
    found: dict[str, list[str]] = {}
    for dish in all_dishes():
        for wine in _wines_for(seed, dish.title) if "drink" not in dish.types else ():
            found.setdefault(wine.name, []).append(dish.title)
    return found


def _wine_taste(seed: int, wine: Wine) -> tuple[str, str]:
    """What a wine is like, and three flavours."""
    chance = seeds.stream(seed, "wine", wine.name)
    flavours = ", ".join(chance.sample(_FLAVOURS, 3))
    return f"is {chance.choice(_BODIES)} {chance.choice(_STYLES)} {wine.colour} wine", flavours


@GROUP.tool(
    examples=[{"wine": "malbec"}],
    phrase="suggest dishes to serve with the wine called {wine}",
    noun="the dish pairing",
)
def dish_pairing_for_wine(world: World, *, wine: WineName) -> DishPairing:
    """Dishes that go well with a wine.

    wine: Kind of wine, e.g. merlot, riesling or malbec.
    """
    row = find_wine(wine)
    found = _dishes_with(world.seed).get(row.name, [])[:4]
    return {"wine": row.name, "pairings": found, "text": f"{row.name.title()} suits {', '.join(found)}."}


@GROUP.tool(
    examples=[{"food": "steak"}, {"food": "Italian", "maxPrice": 20}],
    phrase="suggest which wines go well with {food}[, with a bottle costing at most {maxPrice} US dollars]",
    noun="the wine pairing",
    jobs=("wines",),
)
def wine_pairing(world: World, *, food: Pairable, maxPrice: Dollars | None = None) -> WinePairing:
    """Wines that go well with a dish, an ingredient or a cuisine, and a bottle of one of them within the price.

    food: Name of a dish (steak), an ingredient (salmon) or a cuisine (italian).
    maxPrice: Most that the bottle may cost, in US dollars.
    """
    ranked = _wines_for(world.seed, _pairable_food(world.seed, check_text(food, "food", "steak")[:100]))
    offered = (bottle for wine in ranked for bottle in bottles(world.seed, wine))
    matches = [bottle for bottle in offered if _is_affordable(bottle, maxPrice)]
    return {
        "food": food[:100],
        "pairedWines": [wine.name for wine in ranked],
        "pairingText": f"{ranked[0].name.title()} {_wine_taste(world.seed, ranked[0])[0]}.",
        "productMatches": matches[:1],
    }


def _pairable_food(seed: int, food: str) -> str:
    """The name of the dish, cuisine or ingredient that a food stands for; a not_found fault otherwise."""
    titles = {plain(dish.title): dish.title for dish in all_dishes() if "drink" not in dish.types}
    kitchens = {plain(name): name for name in all_cuisines()}
    known = titles.get(plain(food)) or kitchens.get(plain(food))
    single = None if known else ingredient_or_none(food)
    if known or single:
        return known or (single.name if single else "")
    found = [row for row in search(seed, food) if "drink" not in row.types]
    if not found:
        raise not_found("wine pairing for", food[:80], known=[*titles.values(), *kitchens.values()])
    return found[0].title


def _is_affordable(bottle: Bottle, limit: float | None) -> bool:
    return limit is None or bottle["price"]["amount"] <= limit


@GROUP.tool(
    examples=[{"wine": "merlot"}],
    phrase="describe the character and home region of the wine called {wine}",
    noun="the wine description",
)
def wine_description(world: World, *, wine: WineName) -> WineDescription:
    """What a kind of wine is like, and a country that is known for it.

    wine: Kind of wine, e.g. merlot, riesling or malbec.
    """
    row = find_wine(wine)
    description, flavours = _wine_taste(world.seed, row)
    return {
        "wine": row.name,
        "colour": row.colour,
        "country": row.country,
        "flavours": flavours,
        "wineDescription": f"{row.name.title()} {description}. It tastes of {flavours}.",
    }


@GROUP.tool(
    examples=[{"wine": "merlot", "number": 3}, {"wine": "riesling", "maxPrice": 20, "minRating": 0.7}],
    phrase=(
        "recommend well rated wine bottles of {wine}[, costing at most {maxPrice} US dollars][, with a "
        "minimum rating of {minRating}][, returning at most {number} bottles]"
    ),
    noun="the wine recommendations",
    jobs=("wines",),
)
def wine_recommendation(
    world: World,
    *,
    wine: WineName,
    maxPrice: Dollars | None = None,
    minRating: Rating = 0.0,
    number: Count = 5,
) -> Recommendation:
    """Bottles of a kind of wine within a price and above a rating, the best rated first.

    wine: Kind of wine, e.g. merlot.
    maxPrice: Most that a bottle may cost, in US dollars.
    minRating: Least average rating, from 0 to 1.
    number: How many bottles at most.
    """
    rows = [
        bottle
        for bottle in bottles(world.seed, find_wine(wine))
        if _is_affordable(bottle, maxPrice) and bottle["averageRating"] >= minRating
    ]
    return {"recommendedWines": rows[:number], "totalFound": len(rows)}
