"""Food/spoonacular_products: packaged foods by words, id and UPC, and what a product title is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Unpack

from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.state import World
from toolyard.world.tables import complete, page, plain
from toolyard.world.types import Money, Page, Semantic
from toolyard.world.worlds.food.asked import said, some
from toolyard.world.worlds.food.cards import check_limits, within
from toolyard.world.worlds.food.ingredients import nutrient_list
from toolyard.world.worlds.food.made_foods import as_listed
from toolyard.world.worlds.food.meanings import Count, FewCount, MacroLimits, Offset
from toolyard.world.worlds.food.measures import Line, read_line
from toolyard.world.worlds.food.product_shapes import (
    ByUpc,
    Comparable,
    Comparables,
    Completion,
    FoundProduct,
    GroceryId,
    MappingBody,
    ProductInformation,
    ShoppingItem,
    Upc,
)
from toolyard.world.worlds.food.product_shelves import fits
from toolyard.world.worlds.food.products import (
    MOSTLY,
    Product,
    find_product,
    find_upc,
    plain_product,
    product_words,
    products,
    products_keeping,
    search_products,
)
from toolyard.world.worlds.food.recipes import intolerances_of

GROUP = "Food/spoonacular_products"
GroceryQuery = Annotated[str, Semantic("grocery_query", accepts=("ingredient", "product"))]
Locale = Literal["en_US", "en_GB"]


@tool(
    GROUP,
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
    """Packaged foods of this world's brands that fit some words, with limits on the nutrients of a serving.

    query: What to look for, e.g. greek yogurt.
    number: How many products to return.
    addProductInformation: Whether to add UPC, price, energy and aisle.
    offset: How many products to skip.
    """
    check_limits(limits)
    found: list[FoundProduct] = []
    wanted = product_words(said(query, "query", "greek yogurt"))
    rows = products_keeping(world.seed, query)
    heads = set(words(wanted)[-1:])
    # What no product is called is not in the shop: sugar is no sugar free gum.
    named = not heads or any(
        heads & set(words(f"{row.title} {' '.join(row.path)} {row.category}")) for row in rows
    )
    telling = _TELLING & set(words(wanted))
    named = named and " ".join(words(wanted)) not in _FOR_PETS
    for row in rows if named else []:
        if within(row.nutrients, limits) and telling <= _words_of(row):
            entry: FoundProduct = {"id": row.id, "title": row.title}
            if addProductInformation:
                entry |= {
                    "upc": row.upc,
                    "price": _price(row),
                    "calories": round(row.nutrients["calories"], 1),
                    "aisle": row.path[0],
                }
            found.append(entry)
    return page(found, number, offset)


# Words that make another thing of what follows them: a protein bar is no chocolate bar.
_TELLING = frozenset(
    words("protein energy granola cereal baby dog cat pet sports meal breakfast cooking vegan")
)


_FOR_PETS = frozenset(("dog food", "cat food", "pet food"))


def _words_of(row: Product) -> set[str]:
    """All that a product is called and shelved under."""
    return set(words(f"{row.title} {row.category} {' '.join(row.path)}"))


def _price(row: Product) -> Money:
    return {"amount": row.cents / 100, "currency": "USD"}


def _badges(row: Product) -> list[str]:
    flags = set(row.flags)
    rules = {"vegan": "mfhdea", "gluten_free": "gw", "dairy_free": "d", "nut_free": "np"}
    return [name for name, banned in rules.items() if not flags & set(banned)]


@tool(
    GROUP,
    name="search_grocery_products_by_UPC",
    examples=[{"upc": "041818003012"}],
    phrase="find the brand, ingredients and badges of the packaged food whose UPC is {upc}",
    noun="the product found by UPC",
    jobs=("packaged foods",),
)
def search_grocery_products_by_upc(world: World, *, upc: Upc) -> ByUpc:
    """The packaged food of this world's brands with a UPC: brand, place in the shop, main ingredients and badges.

    upc: The twelve digits under the bar code.
    """
    row = find_upc(world.seed, upc)
    return {
        "id": row.id,
        "title": row.title,
        "upc": row.upc,
        "brand": row.brand,
        "breadcrumbs": list(row.path),
        "ingredientList": as_listed(row.ingredient_names),
        "badges": _badges(row),
    }


@tool(
    GROUP,
    examples=[{"id": 200101}],
    phrase=(
        "look up the price, size, intolerances and nutrients of the packaged food whose product id is {id}"
    ),
    noun="the grocery product information",
    jobs=("packaged foods",),
)
def get_product_information(world: World, *, id_: GroceryId) -> ProductInformation:
    """Price, size, intolerances and the nutrients of a serving of a packaged food of this world's brands.

    id: Id of the product, as the search returns it.
    """
    row = find_product(world.seed, id_)
    return {
        "id": row.id,
        "title": row.title,
        "upc": row.upc,
        "price": _price(row),
        "packageGrams": row.package_grams,
        "servingGrams": _dry_grams(row),
        "numberOfServings": round(row.package_grams / _dry_grams(row), 1),
        "unsuitableFor": intolerances_of(row.flags),
        "nutrition": nutrient_list(row.nutrients),
    }


def _dry_grams(row: Product) -> float:
    """What a serving takes from the package: coffee and tea are weighed dry and served in a cup of water."""
    if row.path[-1] in ("Ground Coffee", "Whole Bean", "Pods"):
        return 10.0
    return 2.0 if row.path[-1] == "Tea" else row.serving_grams


def _per_100g(row: Product) -> Mapping[str, float]:
    facts = {key: value * 100 / row.serving_grams for key, value in row.nutrients.items()}
    return {**facts, "price": row.cents * 100 / row.package_grams}


# A shelf of things that have no more in common than where they come from.
_MIXED_SHELF = "International"


def _kin(seed: int, own: Product) -> list[Product]:
    """The other products of a category, with those of the categories that stand on the same shelf."""
    rows = [row for row in products(seed) if row.id != own.id]
    near = {row.category for row in rows if row.path == own.path and _MIXED_SHELF not in row.path}
    return [row for row in rows if row.category in near | {own.category}]


def _better(own: Product, rivals: list[Product], key: str, more: bool) -> list[Comparable]:
    sign = -1 if more else 1
    base = _per_100g(own)[key]
    ranked = sorted((sign * _per_100g(row)[key], row.id, row) for row in rivals)
    found: list[Comparable] = [
        {"id": row.id, "title": row.title, "upc": row.upc, "value": round(sign * value, 2)}
        for value, _, row in ranked
        if value < sign * base
    ]
    return found[:3]


@tool(
    GROUP,
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
    rivals = _kin(world.seed, own)
    return {
        "fewer_calories": _better(own, rivals, "calories", more=False),
        "more_protein": _better(own, rivals, "protein", more=True),
        "less_sugar": _better(own, rivals, "sugar", more=False),
        "lower_price": _better(own, rivals, "price", more=False),
    }


@tool(
    GROUP,
    examples=[{"query": "choc", "number": 4}],
    phrase=(
        "autocomplete packaged grocery product titles that start with {query}[, returning at most {number} "
        "titles]"
    ),
    noun="the product title completions",
)
def autocomplete_product_search(world: World, *, query: str, number: FewCount = 10) -> list[Completion]:
    """Titles of packaged foods of this world's brands that complete what was typed.

    query: The first letters of a title or of one of its words.
    number: How many titles at most.
    """
    said(query, "query", "choc")
    rows: list[Completion] = [{"id": row.id, "title": row.title} for row in products(world.seed)]
    typed = plain(query).split()
    # Choc chip completes to chocolate chips.
    begun = [row for row in rows if all(f" {word}" in f" {plain(row['title'])}" for word in typed)]
    return complete(rows, query, "title", number) or begun[:number]


@tool(
    GROUP,
    examples=[{"postbody": {"ingredients": ["500 g spaghetti", "2 cloves garlic", "4 eggs"], "servings": 2}}],
    phrase="map to packaged groceries I can buy the ingredients in {postbody}",
    noun="the mapped grocery products",
)
def map_ingredients_to_grocery_products(world: World, *, postbody: MappingBody) -> list[ShoppingItem]:
    """Packaged foods in which the ingredients of a list can be bought; lines with no known ingredient are left out.

    postbody: An object with `ingredients` (lines such as "4 eggs") and, if wanted, `servings` to divide by.
    """
    some(postbody["ingredients"], "postbody.ingredients", '"4 eggs"')
    servings = postbody.get("servings", 1.0)
    if servings <= 0:
        raise invalid("postbody.servings", servings, "want a number above 0")
    items: list[ShoppingItem] = []
    for text in postbody["ingredients"][:40]:
        line = read_line(text)
        if line is None:
            continue
        items.append(
            {
                "ingredient": line.ingredient.name,
                "original": line.original,
                "neededGrams": round(line.grams / min(1e6, servings), 2),
                "products": [
                    {"id": row.id, "title": row.title}
                    for row in _holding(world, line)[:3] or _made_of(world, line)
                ],
            }
        )
    if postbody["ingredients"] and not items:
        raise invalid(
            "postbody", postbody["ingredients"][0][:40], "want lines such as '2 cups flour' with known foods"
        )
    return items


def _holding(world: World, line: Line) -> list[Product]:
    """Products that are one food, those first that a line names: chocolate chips, not a bar; fresh ones where there are."""
    found = [
        (-len(set(words(line.original)) & set(words(row.title))), -percent, row.id, row)
        for row in products(world.seed)
        for ingredient, percent in row.parts
        if ingredient.id == line.ingredient.id and percent >= MOSTLY and row.category != "water"
    ]
    rows = [row for *_, row in sorted(found, key=lambda entry: entry[:3])]
    asked = "Frozen Foods" if "frozen" in words(line.original) else "Produce"
    return [row for row in rows if row.path[0] == asked] or rows


def _made_of(world: World, line: Line) -> list[Product]:
    """Products named after an ingredient that no product of the table is made of, or of the category called so."""
    last = words(line.ingredient.name)[-1:]
    shelf = [
        row
        for row in products(world.seed)
        if row.category == line.ingredient.name and words(row.title)[-1:] == last
    ]
    if shelf:
        return shelf[:3]
    wanted = set(words(line.ingredient.name))
    found = search_products(world.seed, line.ingredient.name)
    fitting = [row for row in found if fits(row, line.ingredient)]
    named = [row for row in fitting if wanted <= set(words(row.title)) and words(row.title)[-1:] == last][:3]
    own = None if named else plain_product(world.seed, line.ingredient.name)
    return [own] if own else named
