"""Food/spoonacular_menu: what chain restaurants serve, with the nutrients they publish, rounded."""

from __future__ import annotations

import functools
from random import Random
from typing import Annotated, NotRequired, TypedDict, Unpack

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.derived import derived
from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.search import Index, words
from toolyard.world.shared.geography import plain, read_table
from toolyard.world.state import World
from toolyard.world.tables import complete, page
from toolyard.world.types import Money, Page, Semantic
from toolyard.world.worlds.food.asked import said
from toolyard.world.worlds.food.cards import check_limits, within
from toolyard.world.worlds.food.dishes import dish_rows, dishes_named, dishes_starting
from toolyard.world.worlds.food.meanings import Count, CuisineName, FewCount, MacroLimits, Offset
from toolyard.world.worlds.food.measures import read_line
from toolyard.world.worlds.food.recipes import eaten_grams, nutrients_of

GROUP = "Food/spoonacular_menu"
MenuItemId = Annotated[int, Semantic("menu_item_id")]
ChainName = Annotated[str, Semantic("restaurant_chain")]
MenuDish = Annotated[str, Semantic("menu_dish")]
MenuQuery = Annotated[str, Semantic("menu_query", accepts=("restaurant_chain", "menu_dish", "dish"))]


class MenuItem(TypedDict):
    """A row of the table; price in US cents before a world's own prices."""

    id: MenuItemId
    title: MenuDish
    restaurantChain: ChainName
    cuisine: CuisineName
    calories: float
    protein: float
    fat: float
    carbs: float
    grams: float
    cents: int
    tags: str


class FoundItem(TypedDict):
    id: MenuItemId
    title: MenuDish
    restaurantChain: ChainName
    calories: NotRequired[float]
    protein_g: NotRequired[float]
    fat_g: NotRequired[float]
    carbs_g: NotRequired[float]


class CaloricBreakdown(TypedDict):
    percentProtein: float
    percentFat: float
    percentCarbs: float


class ItemInformation(TypedDict):
    id: MenuItemId
    title: MenuDish
    restaurantChain: ChainName
    cuisine: CuisineName
    servingGrams: float
    calories: float
    protein_g: float
    fat_g: float
    carbs_g: float
    caloricBreakdown: CaloricBreakdown
    price: Money


class ItemName(TypedDict):
    id: MenuItemId
    title: MenuDish


@functools.cache
def menu_items() -> tuple[MenuItem, ...]:
    """All menu items, in the order of the table."""
    return tuple(
        MenuItem(
            id=424_501 + number,
            title=row["item"],
            restaurantChain=row["chain"],
            cuisine=row["cuisine"],
            calories=float(row["kcal"]),
            protein=float(row["protein"]),
            fat=float(row["fat"]),
            carbs=float(row["carbs"]),
            grams=float(row["grams"]),
            cents=int(row["cents"]),
            tags=row["tags"],
        )
        for number, row in enumerate(read_table("food_menu_items.tsv"))
    )


@functools.cache
def _index() -> Index[dict[str, object]]:
    rows: list[dict[str, object]] = [
        {"item": row, "title": row["title"], "tags": row["tags"]} for row in menu_items()
    ]
    return Index(rows, ("title", "title", "tags"))


def _joined(text: str) -> str:
    """Text whose apostrophes and hyphens split no word: McDonald's is found as mcdonalds, too."""
    return plain(text).replace("'", "").replace("’", "").replace("-", " ")


@functools.cache
def chains() -> tuple[str, ...]:
    """Every chain, in the order of the table."""
    return tuple(dict.fromkeys(row["restaurantChain"] for row in menu_items()))


def chain_named(query: str) -> tuple[str, str]:
    """The chain that a query names, and what else it says; no chain where it names none."""
    text = f" {_joined(query)} "
    for name, full in _SHORT_CHAINS.items():
        if name in _joined(full):
            text = text if f" {_joined(full)} " in text else text.replace(f" {name} ", f" {_joined(full)} ")
        else:
            text = text.replace(f" {name} ", f" {_joined(full)} ")
    for chain in sorted(chains(), key=len, reverse=True):
        for name in (_joined(chain), _joined(chain).removesuffix("s")):
            if f" {name} " in text:
                return chain, text.replace(f" {name} ", " ").strip()
    return "", query


# What people call chains for short or in full.
_SHORT_CHAINS = {"panera": "Panera Bread", "dunkin donuts": "Dunkin'", "kentucky fried chicken": "KFC",
                 "in n out": "In-N-Out Burger", "innout": "In-N-Out Burger", "in out burger": "In-N-Out Burger"}  # fmt: skip
# Chains whose menus are not on record: a shake is not of the Shake Shack.
_NO_MENU = frozenset(
    "shake shack,white castle,jack in the box,whataburger,papa johns,little caesars,ihop,dennys,applebees,wingstop,"
    "raising canes,culvers,hardees,carls jr,tim hortons,cracker barrel,red lobster,cheesecake factory,nandos,pret a manger"
    .split(",")
)  # fmt: skip
# With so many dishes of real chains those of invented ones are not needed.
_ENOUGH = 4


def search_menu(query: str) -> list[MenuItem]:
    """Menu items of a chain or with words of the query, best first; derived ones for a dish that no chain serves."""
    chain, rest = chain_named(query[:200])
    if not chain and any(f" {name} " in f" {_joined(query[:200])} " for name in _NO_MENU):
        return []
    own = [row for row in menu_items() if not chain or row["restaurantChain"] == chain]
    if chain and not words(rest):
        return own
    ranked: list[MenuItem] = [row["item"] for row in _index().search(_joined(rest))]  # type: ignore[misc]
    # A cheeseburger is a burger.
    inside = [row for row in own if len(rest.strip()) > 3 and plain(rest) in plain(row["title"])]
    found = [*inside, *(row for row in ranked if row not in inside and row in own)]
    wanted = set(words(rest))
    full = [row for row in found if wanted <= set(words(f"{row['title']} {row['tags']}")) or row in inside]
    # What is called so comes before what is only made with it: fried chicken before a sandwich of it.
    full.sort(key=lambda row: (row not in inside, words(row["tags"])[: len(wanted)] != words(rest)))
    diets = {"vegan", "vegetarian"} & wanted
    if len(full) >= _ENOUGH or chain or diets:
        return full
    served = [_served(place) for place in dishes_named(query[:200])[:3]]
    return [*full, *served] or [row for row in found if _is_called(row, wanted)]


def _is_called(row: MenuItem, wanted: set[str]) -> bool:
    """Whether words say what a dish is, or two things of it: a butter croissant is no peanut butter."""
    title = words(row["title"].split(" (")[0])
    telling = {word for word in wanted if len(word) > 1}
    return bool(telling & set(title[-1:])) or len(telling & set(title)) > 1


# A chain that does not exist, so that no real one is said to serve what it does not.
_HOUSE = "Copper Spoon Kitchens"
FIRST_SERVED_ID = 470_001
# What a dish weighs at least where it is a meal of its own.
_LEAST_GRAMS = 220.0


# What a dish of a kind costs at a chain: the least and the most, in US cents.
_CENTS = {
    "dessert": (499, 899), "soup": (549, 849), "salad": (799, 1299), "side dish": (349, 599), "snack": (399, 799),
    "breakfast": (699, 1199), "drink": (299, 649), "cocktail": (899, 1399),
    "dip": (449, 799), "appetizer": (699, 1199), "bread": (249, 499),
    "lunch": (899, 1399),
}  # fmt: skip


def _usual_cents(types: str, grams: float, chance: Random) -> int:
    """The price of a dish: more for larger ones, and always ending in 9."""
    low, high = _CENTS.get(types.split(",")[0], (1099, 1899))
    share = min(1.0, max(0.0, (grams - 150) / 350))
    return int(low + (high - low) * (0.7 * share + 0.3 * chance.random())) // 10 * 10 + 9


def _served(place: int) -> MenuItem:
    """A dish of the table as the invented chain serves it."""
    row = dish_rows()[place]
    lines = [line for text in row["ingredients"].split(";") if (line := read_line(text))]
    servings = int(row["servings"])
    grams = added(map(eaten_grams, lines)) / servings or 250.0
    amounts = nutrients_of(lines, servings)
    small = row["types"].split(",")[0] in (
        "dessert",
        "side dish",
        "snack",
        "dip",
        "bread",
        "drink",
        "appetizer",
    )
    filling = 1.0 if small else max(1.0, _LEAST_GRAMS / grams)
    cocktail = row["types"] == "drink" and any("o" in line.ingredient.flags for line in lines)

    def built(chance: Random) -> MenuItem:
        size = (0.9 + 0.3 * chance.random()) * filling
        return MenuItem(
            id=FIRST_SERVED_ID + place,
            title=row["title"],
            restaurantChain=_HOUSE,
            cuisine=row["cuisines"].split(",")[0],
            calories=round(amounts["calories"] * size),
            protein=round(amounts["protein"] * size),
            fat=round(amounts["fat"] * size),
            carbs=round(amounts["carbs"] * size),
            grams=round(grams * size),
            cents=_usual_cents("cocktail" if cocktail else row["types"], grams * size, chance),
            tags="",
        )

    return derived(0, "menu item", f"{row['title']} {_HOUSE}", built)


def _item(wanted: int) -> MenuItem:
    place = wanted - FIRST_SERVED_ID
    if 0 <= place < len(dish_rows()):
        return _served(place)
    own = next((row for row in menu_items() if row["id"] == wanted), None)
    if own is None:
        last = FIRST_SERVED_ID + len(dish_rows()) - 1
        known = (
            f"{menu_items()[0]['id']} to {menu_items()[-1]['id']}",
            f"{FIRST_SERVED_ID} to {last}",
        )
        raise not_found("menu item", wanted, such_as=known)
    return own


@tool(
    GROUP,
    examples=[{"query": "McDonald's", "maxCarbs": 100}, {"query": "burger", "addMenuItemInformation": True}],
    phrase=(
        "search restaurant chain menus for {query}[, with at least {minProtein} grams of protein][, with at "
        "most {maxCalories} kilocalories][, with at most {maxCarbs} grams of carbohydrates][, with at most "
        "{maxFat} grams of fat][, with added menu item information set to {addMenuItemInformation}][, "
        "returning {number} dishes]"
    ),
    noun="the list of menu items",
    jobs=("menus",),
)
def search_menu_items(
    *,
    query: MenuQuery,
    number: Count = 10,
    addMenuItemInformation: bool = False,
    offset: Offset = 0,
    **limits: Unpack[MacroLimits],
) -> Page[FoundItem]:
    """Dishes of restaurant chains that fit some words.

    query: Name of a dish or of a chain, e.g. McDonald's.
    number: How many dishes to return.
    addMenuItemInformation: Whether to add energy and macronutrients.
    offset: How many dishes to skip.
    """
    check_limits(limits)
    found: list[FoundItem] = []
    for row in search_menu(said(query, "query", "burger or McDonald's")):
        amounts = {key: row[key] for key in ("calories", "protein", "fat", "carbs")}
        if within(amounts, limits):
            entry: FoundItem = {
                "id": row["id"],
                "title": row["title"],
                "restaurantChain": row["restaurantChain"],
            }
            if addMenuItemInformation:
                entry |= {
                    "calories": row["calories"],
                    "protein_g": row["protein"],
                    "fat_g": row["fat"],
                    "carbs_g": row["carbs"],
                }
            found.append(entry)
    return page(found, number, offset)


@tool(
    GROUP,
    examples=[{"id": 424501}],
    phrase="look up the size, energy, macronutrients and price of the restaurant menu item whose id is {id}",
    noun="the menu item details",
    jobs=("menus",),
)
def get_menu_item_info(world: World, *, id_: MenuItemId) -> ItemInformation:
    """A dish of a restaurant chain: size, energy and macronutrients, and a price.

    id: Id of the menu item, as the search returns it.
    """
    row = _item(id_)
    energy = [4 * row["protein"], 9 * row["fat"], 4 * row["carbs"]]
    protein, fat, carbs = (round(100 * part / (added(energy) or 1.0), 1) for part in energy)
    chance = seeds.stream(world.seed, "menu", row["id"])
    return {
        "id": row["id"],
        "title": row["title"],
        "restaurantChain": row["restaurantChain"],
        "cuisine": row["cuisine"],
        "servingGrams": row["grams"],
        "calories": row["calories"],
        "protein_g": row["protein"],
        "fat_g": row["fat"],
        "carbs_g": row["carbs"],
        "caloricBreakdown": {"percentProtein": protein, "percentFat": fat, "percentCarbs": carbs},
        "price": {"amount": round(row["cents"] * (0.95 + 0.1 * chance.random()) / 100, 2), "currency": "USD"},
    }


@tool(
    GROUP,
    examples=[{"query": "chic", "number": 5}],
    phrase=(
        "autocomplete restaurant menu item titles that start with {query}[, returning at most {number} "
        "titles]"
    ),
    noun="the menu item title completions",
    jobs=("menus",),
)
def autocomplete_menu_item_search(*, query: str, number: FewCount = 10) -> list[ItemName]:
    """Titles of menu items that complete what was typed.

    query: The first letters of a title or of one of its words.
    number: How many titles at most.
    """
    said(query, "query", "chic")
    rows: list[ItemName] = [{"id": row["id"], "title": row["title"]} for row in menu_items()]
    # Chains serve dishes of one name; the first stands for all of them.
    titled = {plain(row["title"]): row for row in reversed(complete(rows, query, "title", len(rows)))}
    found = list(titled.values())[::-1]
    known = set(titled)
    more: list[ItemName] = [
        {"id": FIRST_SERVED_ID + place, "title": dish_rows()[place]["title"]}
        for place in dishes_starting(query)
        if plain(dish_rows()[place]["title"]) not in known
    ]
    return [*found, *more][:number]
