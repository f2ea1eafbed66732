"""Food/spoonacular_menu: what restaurant chains serve; sizes, macronutrients and prices are drawn."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, NotRequired, TypedDict, Unpack

from toolyard.world.index import Index, words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import complete, page, plain, read_table
from toolyard.world.kernel.types import Money, Page, Semantic
from toolyard.world.kernel.views import View
from toolyard.world.simulated.food.recipes import all_dishes
from toolyard.world.simulated.food.value_types import Count, CuisineName, FewCount, MacroLimits, Offset
from toolyard.world.tools.food.argument_checks import check_text
from toolyard.world.tools.food.ingredient_tools import Breakdown
from toolyard.world.tools.food.recipe_records import check_limits, is_within_limits

GROUP = Group("Food/spoonacular_menu")
MenuItemId = Annotated[int, Semantic("menu_item_id")]
ChainName = Annotated[str, Semantic("restaurant_chain")]
MenuDish = Annotated[str, Semantic("menu_dish")]
MenuQuery = Annotated[str, Semantic("menu_query", accepts=("restaurant_chain", "menu_dish", "dish"))]
# The chain that serves every dish that there is a recipe of; the others serve what the table says.
_HOUSE = "Copper Spoon Kitchens"
FIRST_ID, FIRST_SERVED_ID, _FIRST_DISH = 424_501, 470_001, 850_000
# Bounds of what a dish holds in grams, what else it weighs, and what it costs in US cents.
PROTEIN, FAT, CARBS, WATER, CENTS = (2, 45), (1, 45), (4, 90), (60, 300), (199, 1899)


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A dish of a chain; weights in grams."""

    id: int
    title: str
    chain: str
    cuisine: str
    tags: str
    protein: int
    fat: int
    carbs: int
    grams: int
    cents: int

    @property
    def energy(self) -> tuple[int, int, int]:
        """Kilocalories from protein, fat and carbohydrates."""
        return 4 * self.protein, 9 * self.fat, 4 * self.carbs

    @property
    def calories(self) -> int:
        """Kilocalories in all."""
        return sum(self.energy)

    @property
    def amounts(self) -> Mapping[str, float]:
        """What limits are about."""
        return {"calories": self.calories, "protein": self.protein, "fat": self.fat, "carbs": self.carbs}


class FoundItem(TypedDict):
    id: MenuItemId
    title: MenuDish
    restaurantChain: ChainName
    calories: NotRequired[float]
    protein_g: NotRequired[float]
    fat_g: NotRequired[float]
    carbs_g: NotRequired[float]


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
    caloricBreakdown: Breakdown
    price: Money


class ItemName(TypedDict):
    id: MenuItemId
    title: MenuDish


@seeds.table
def menu_items(seed: int) -> tuple[MenuItem, ...]:
    """All menu items of a world: those of the chains of the table, then the recipes as dishes of one more."""
    rows = [
        (FIRST_ID + number, row["item"], row["chain"], row["cuisine"], row["tags"])
        for number, row in enumerate(read_table("food_menu_items.tsv"))
    ]
    rows += [
        (FIRST_SERVED_ID + dish.id - _FIRST_DISH, dish.title, _HOUSE, dish.cuisines[0], "")
        for dish in all_dishes()
        if dish.id >= _FIRST_DISH
    ]
    return tuple(_make_item(seed, *row) for row in rows)


def _make_item(seed: int, number: int, title: str, chain: str, cuisine: str, tags: str) -> MenuItem:
    chance = seeds.stream(seed, "menu", number)
    protein, fat, carbs, water = (chance.randint(*bounds) for bounds in (PROTEIN, FAT, CARBS, WATER))
    cents = chance.randrange(*CENTS, 10)
    return MenuItem(
        number, title, chain, cuisine, tags, protein, fat, carbs, protein + fat + carbs + water, cents
    )


@functools.cache
def chain_names() -> tuple[str, ...]:
    """Every chain, in the order of the table."""
    return (*dict.fromkeys(row["chain"] for row in read_table("food_menu_items.tsv")), _HOUSE)


def _join_word_parts(text: str) -> str:
    """Text whose apostrophes and hyphens split no word: McDonald's is found as mcdonalds, too."""
    return plain(text).replace("'", "").replace("’", "").replace("-", " ")


def chain_named(query: str) -> tuple[str, str]:
    """The chain that a query names, and what else it says; no chain where it names none."""
    text = f" {_join_word_parts(query)} "
    for chain in sorted(chain_names(), key=len, reverse=True):
        for name in (_join_word_parts(chain), _join_word_parts(chain).removesuffix("s")):
            if f" {name} " in text:
                return chain, text.replace(f" {name} ", " ").strip()
    return "", query


@seeds.table
def _menu_index(seed: int) -> Index[dict[str, object]]:
    rows: list[dict[str, object]] = [
        {"item": row, "title": row.title, "tags": row.tags} for row in menu_items(seed)
    ]
    return Index(rows, ("title", "title", "tags"))


def search_menu(seed: int, query: str) -> list[MenuItem]:
    """Menu items of the chain that a query names, with all of its other words in title or tags; titles just so first."""
    chain, rest = chain_named(query[:200])
    own = [row for row in menu_items(seed) if not chain or row.chain == chain]
    if chain and not words(rest):
        return own
    wanted = _join_word_parts(rest)
    ranked = [row["item"] for row in _menu_index(seed).search(wanted, bound=1.0)]
    found = [row for row in ranked if isinstance(row, MenuItem) and (not chain or row.chain == chain)]
    # A cheeseburger is a burger.
    inside = [
        row for row in own if len(wanted) > 3 and wanted in _join_word_parts(row.title) and row not in found
    ]
    return sorted(
        (*found, *inside), key=lambda row: (_join_word_parts(row.title) != wanted, row.chain == _HOUSE)
    )


class _Macros(TypedDict):
    """What a search adds to a dish on demand."""

    calories: float
    protein_g: float
    fat_g: float
    carbs_g: float


_AMOUNTS = {"calories": "calories", "protein_g": "protein", "fat_g": "fat", "carbs_g": "carbs"}
_NAMED = {"id": "id", "title": "title", "restaurantChain": "chain"}
MACROS = View[_Macros](_AMOUNTS)
FOUND = View[FoundItem](_NAMED)
NAME = View.of(ItemName)
INFORMATION = View[ItemInformation](
    {
        **_NAMED,
        "cuisine": "cuisine",
        "servingGrams": "grams",
        **_AMOUNTS,
        "caloricBreakdown": lambda row: _caloric_breakdown(row),
        "price": lambda row: {"amount": row.cents / 100, "currency": "USD"},
    }
)


def _caloric_breakdown(row: MenuItem) -> Breakdown:
    protein, fat, carbs = (round(100 * part / row.calories, 1) for part in row.energy)
    return {"percentProtein": protein, "percentFat": fat, "percentCarbs": carbs}


@GROUP.tool(
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
    world: World,
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
    rows = search_menu(world.seed, check_text(query, "query", "burger or McDonald's"))
    rows = [row for row in rows if is_within_limits(row.amounts, limits)]
    if not addMenuItemInformation:
        return FOUND.page(rows, offset, number)
    return page([{**FOUND.row(row), **MACROS.row(row)} for row in rows], number, offset)


@GROUP.tool(
    examples=[{"id": 424501}],
    phrase="look up the size, energy, macronutrients and price of the restaurant menu item whose id is {id}",
    noun="the menu item details",
    jobs=("menus",),
)
def get_menu_item_info(world: World, *, id_: MenuItemId) -> ItemInformation:
    """A dish of a restaurant chain: size, energy, macronutrients and price.

    id: Id of the menu item, as the search returns it.
    """
    found = {row.id: row for row in menu_items(world.seed)}
    if id_ not in found:
        raise not_found("menu item", id_, known=found)
    return INFORMATION.row(found[id_])


@GROUP.tool(
    examples=[{"query": "chic", "number": 5}],
    phrase=(
        "autocomplete restaurant menu item titles that start with {query}[, returning at most {number} "
        "titles]"
    ),
    noun="the menu item title completions",
    jobs=("menus",),
)
def autocomplete_menu_item_search(world: World, *, query: str, number: FewCount = 10) -> list[ItemName]:
    """Titles of menu items that complete what was typed.

    query: The first letters of a title or of one of its words.
    number: How many titles at most.
    """
    check_text(query, "query", "chic")
    rows = NAME.rows(menu_items(world.seed))
    # Chains serve dishes of one name; the first stands for all of them.
    firsts = {plain(row["title"]): row for row in reversed(complete(rows, query, "title", len(rows)))}
    return list(firsts.values())[::-1][:number]
