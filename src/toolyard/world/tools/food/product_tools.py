"""Food/spoonacular_products, first half: packaged foods by words, by UPC, compared and mapped to ingredients."""

from collections.abc import Mapping
from typing import Annotated, NotRequired, TypedDict, Unpack

from toolyard.world.index import words
from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import page, plain
from toolyard.world.kernel.types import IngredientName, Money, Page, ProductName, Semantic
from toolyard.world.kernel.views import View
from toolyard.world.simulated.food.ingredients import unsuited_intolerances
from toolyard.world.simulated.food.measures import Line, read_lines
from toolyard.world.simulated.food.nutrients import nutrient_list
from toolyard.world.simulated.food.products import (
    MOSTLY,
    Product,
    all_products,
    find_product,
    find_upc,
    search_products,
)
from toolyard.world.simulated.food.value_types import Count, FewCount, MacroLimits, Nutrient, Offset
from toolyard.world.tools.food.argument_checks import check_not_empty, check_text
from toolyard.world.tools.food.recipe_records import check_limits, is_within_limits

GROUP = Group("Food/spoonacular_products")
GroceryId = Annotated[int, Semantic("grocery_product_id")]
Upc = Annotated[str, Semantic("upc")]


class FoundProduct(TypedDict):
    id: GroceryId
    title: ProductName
    upc: NotRequired[Upc]
    price: NotRequired[Money]
    calories: NotRequired[float]
    aisle: NotRequired[str]


class ByUpc(TypedDict):
    id: GroceryId
    title: ProductName
    upc: Upc
    brand: str
    breadcrumbs: list[str]
    ingredientList: list[IngredientName]
    badges: list[str]
    price_usd: float


class ProductInformation(TypedDict):
    id: GroceryId
    title: ProductName
    upc: Upc
    price: Money
    packageGrams: float
    servingGrams: float
    numberOfServings: float
    unsuitableFor: list[str]
    nutrition: list[Nutrient]


class Comparable(TypedDict):
    id: GroceryId
    title: ProductName
    upc: Upc
    value: float


class Comparables(TypedDict):
    """Other products of the category that are better in one respect; values per 100 g, price in US cents."""

    fewer_calories: list[Comparable]
    more_protein: list[Comparable]
    less_sugar: list[Comparable]
    lower_price: list[Comparable]


class GroceryName(TypedDict):
    id: GroceryId
    title: ProductName


class MappingBody(TypedDict):
    """Ingredients to buy."""

    ingredients: list[str]
    servings: NotRequired[float]


class ShoppingItem(TypedDict):
    ingredient: IngredientName
    original: str
    neededGrams: float
    products: list[GroceryName]


GroceryQuery = Annotated[str, Semantic("grocery_query", accepts=("ingredient", "product"))]


@GROUP.tool(
    examples=[{"query": "greek yogurt"}, {"query": "pizza", "maxFat": 14, "addProductInformation": True}],
    phrase=(
        "search packaged groceries for {query}[, with at least {minProtein} grams of protein][, with at most "
        "{maxCalories} kilocalories][, with at most {maxCarbs} grams of carbohydrates][, with at most "
        "{maxFat} grams of fat][, with added product information set to {addProductInformation}][, returning "
        "{number} products]"
    ),
    noun="the list of grocery products",
    jobs=("goods for sale", "packaged foods"),
)
def search_grocery_products(
    world: World,
    *,
    query: GroceryQuery,
    number: Count = 10,
    addProductInformation: bool = False,
    offset: Offset = 0,
    **limits: Unpack[MacroLimits],
) -> Page[FoundProduct]:
    """Packaged foods that fit some words, with limits on the nutrients of a serving.

    query: What to look for, e.g. greek yogurt.
    number: How many products to return.
    addProductInformation: Whether to add UPC, price, energy and aisle.
    offset: How many products to skip.
    """
    check_limits(limits)
    found: list[FoundProduct] = []
    for row in search_products(world.seed, check_text(query, "query", "greek yogurt")):
        if is_within_limits(row.nutrients, limits):
            entry: FoundProduct = {"id": row.id, "title": row.title}
            found.append({**entry, **DETAILS.row(row)} if addProductInformation else entry)
    return page(found, number, offset)


def _product_price(row: Product) -> Money:
    return {"amount": row.cents / 100, "currency": "USD"}


class _Details(TypedDict):
    """What a search adds to a product on demand."""

    upc: Upc
    price: Money
    calories: float
    aisle: str


DETAILS = View.of(
    _Details,
    price=_product_price,
    calories=lambda row: round(row.nutrients["calories"], 1),
    aisle=lambda row: row.path[0],
)
_BADGES = {"vegan": "mfhdea", "gluten_free": "gw", "dairy_free": "d", "nut_free": "np"}
BY_UPC = View.of(
    ByUpc,
    breadcrumbs=lambda row: list(row.path),
    ingredientList="ingredient_names",
    badges=lambda row: [name for name, banned in _BADGES.items() if not set(row.flags) & set(banned)],
    price_usd=lambda row: row.cents / 100,
)
INFORMATION = View.of(
    ProductInformation,
    price=_product_price,
    packageGrams="package_grams",
    servingGrams="serving_grams",
    numberOfServings=lambda row: round(row.package_grams / row.serving_grams, 1),
    unsuitableFor=lambda row: unsuited_intolerances(row.flags),
    nutrition=lambda row: nutrient_list(row.nutrients),
)
NAME = View.of(GroceryName)


@GROUP.tool(
    name="search_grocery_products_by_UPC",
    examples=[{"upc": "041818003012"}],
    phrase="find the brand, ingredients and badges of the packaged food whose UPC is {upc}",
    noun="the product found by UPC",
    jobs=("packaged foods",),
)
def search_grocery_products_by_upc(world: World, *, upc: Upc) -> ByUpc:
    """The packaged food with a UPC: brand, place in the shop, main ingredients and badges.

    upc: The twelve digits under the bar code.
    """
    return BY_UPC.row(find_upc(world.seed, upc))


@GROUP.tool(
    examples=[{"id": 200101}],
    phrase=(
        "look up the price, size, intolerances and nutrients of the packaged food whose product id is {id}"
    ),
    noun="the grocery product information",
    jobs=("packaged foods",),
)
def get_product_information(world: World, *, id_: GroceryId) -> ProductInformation:
    """Price, size, intolerances and the nutrients of a serving of a packaged food.

    id: Id of the product, as the search returns it.
    """
    return INFORMATION.row(find_product(world.seed, id_))


def _per_100g(row: Product) -> Mapping[str, float]:
    facts = {key: value * 100 / row.serving_grams for key, value in row.nutrients.items()}
    return {**facts, "price": row.cents * 100 / row.package_grams}


def _better_products(own: Product, rivals: list[Product], key: str, more: bool) -> list[Comparable]:
    sign = -1 if more else 1
    base = _per_100g(own)[key]
    ranked = sorted((sign * _per_100g(row)[key], row.id, row) for row in rivals)
    found: list[Comparable] = [
        {"id": row.id, "title": row.title, "upc": row.upc, "value": round(sign * value, 2)}
        for value, _, row in ranked
        if value < sign * base
    ]
    return found[:3]


@GROUP.tool(
    examples=[{"upc": "041818003012"}],
    phrase="find better comparable products in the same category for the grocery product whose UPC is {upc}",
    noun="the comparable products",
    jobs=("packaged foods",),
)
def get_comparable_products(world: World, *, upc: Upc) -> Comparables:
    """Up to three products of the same category with less energy, more protein, less sugar or a lower price.

    Values are those of 100 g: kilocalories, grams, and the price in cents. A list is empty where none is better.

    upc: The twelve digits under the bar code of the product to compare with.
    """
    own = find_upc(world.seed, upc)
    rivals = [row for row in all_products(world.seed) if row.category == own.category and row.id != own.id]
    return {
        "fewer_calories": _better_products(own, rivals, "calories", more=False),
        "more_protein": _better_products(own, rivals, "protein", more=True),
        "less_sugar": _better_products(own, rivals, "sugar", more=False),
        "lower_price": _better_products(own, rivals, "price", more=False),
    }


@GROUP.tool(
    examples=[{"query": "choc", "number": 4}],
    phrase=(
        "autocomplete packaged grocery product titles that start with {query}[, returning at most {number} "
        "titles]"
    ),
    noun="the product title completions",
)
def autocomplete_product_search(world: World, *, query: str, number: FewCount = 10) -> list[GroceryName]:
    """Titles of packaged foods that complete what was typed.

    query: The first letters of a title or of one of its words.
    number: How many titles at most.
    """
    check_text(query, "query", "choc")
    typed = plain(query).split()
    # Choc chip completes to chocolate chips.
    begun = [
        row for row in all_products(world.seed) if all(f" {word}" in f" {plain(row.title)}" for word in typed)
    ]
    begun.sort(key=lambda row: f" {plain(query)}" not in f" {plain(row.title)}")
    return NAME.rows(begun[:number])


@GROUP.tool(
    examples=[{"postbody": {"ingredients": ["500 g spaghetti", "2 cloves garlic", "4 eggs"], "servings": 2}}],
    phrase="map to packaged groceries I can buy the ingredients in {postbody}",
    noun="the mapped grocery products",
)
def map_ingredients_to_grocery_products(world: World, *, postbody: MappingBody) -> list[ShoppingItem]:
    """Packaged foods in which the ingredients of a list can be bought; lines with no known ingredient are left out.

    postbody: An object with `ingredients` (lines such as "4 eggs") and, if wanted, `servings` to divide by.
    """
    check_not_empty(postbody["ingredients"], "postbody.ingredients", '"4 eggs"')
    servings = postbody.get("servings", 1.0)
    if servings <= 0:
        raise invalid("postbody.servings", servings, "want a number above 0")
    lines, _ = read_lines(
        "\n".join(" ".join(text[:200].split()) for text in postbody["ingredients"][:40]), "postbody"
    )
    if not lines:
        wanted = "want lines such as '2 cups flour' with known foods"
        raise invalid("postbody", postbody["ingredients"][0][:40], wanted)
    return [
        {
            "ingredient": line.ingredient.name,
            "original": line.original,
            "neededGrams": round(line.grams / min(1e6, servings), 2),
            "products": NAME.rows(_products_holding(world.seed, line)[:3]),
        }
        for line in lines
    ]


def _products_holding(seed: int, line: Line) -> list[Product]:
    """Products that are mostly one food, those first that a line names; else those that are called after it."""
    said = set(words(line.original))
    rows = [
        (-len(said & set(words(row.title))), row.id, row)
        for row in all_products(seed)
        for food, percent in row.parts
        if food.id == line.ingredient.id and percent >= MOSTLY
    ]
    return [row for *_, row in sorted(rows, key=lambda entry: entry[:2])] or search_products(
        seed, line.ingredient.name, 0.5
    )
