"""Food/spoonacular_products, second half: the category and the place in the shop of a product title."""

from __future__ import annotations

from typing import Literal, NamedTuple

from toolyard.world import seeds
from toolyard.world.faults import ToolFault, invalid, not_found
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.tables import plain
from toolyard.world.worlds.food.asked import said, some
from toolyard.world.worlds.food.household import is_household
from toolyard.world.worlds.food.ingredients import mentions
from toolyard.world.worlds.food.product_shapes import (
    Candidate,
    Classified,
    ClassifiedOrNot,
    ClassifiedWithCandidates,
    TitleBody,
)
from toolyard.world.worlds.food.product_shelves import (
    bare_title,
    food_at_end,
    food_within,
    head_of,
    kinds_of,
    named_shelf,
    of_its_kind,
    place_name,
    shelf_of,
    where_frozen,
)
from toolyard.world.worlds.food.products import (
    Product,
    by_title,
    category_name,
    find_upc,
    near_products,
    products,
)

GROUP = "Food/spoonacular_products"
Locale = Literal["en_US", "en_GB"]


class _Shelved(NamedTuple):
    category: str
    path: tuple[str, ...]


def _shelved(world: World, title: str) -> _Shelved | None:
    """Where a title belongs: by its own words, else by the product or food that is most like it."""
    if is_household(title):
        return None
    own = by_title(world.seed).get(plain(title))
    if own:
        return _Shelved(own.category, own.path)
    found = _alike(world, title)
    named = named_shelf(title, _kinds(world.seed))
    if named is None and not found and not food_at_end(title) and not food_within(title):
        return None
    return _Shelved(*where_frozen(title, *(named or shelf_of(title, found[0] if found else None))))


@seeds.table
def _kinds(seed: int) -> frozenset[str]:
    """What any product is, by its last word."""
    return kinds_of(products(seed))


def _alike(world: World, title: str) -> list[Product]:
    """The products of the table that are what a title says, most alike first."""
    head = head_of(title, _kinds(world.seed))
    listed = set(by_title(world.seed))
    rows = near_products(world.seed, bare_title(title))
    return of_its_kind([row for row in rows if plain(row.title) in listed], head)


def _on_record(world: World, upc: str) -> Product | None:
    """The product of a UPC; None for a sound one that is not on record, for then the title tells."""
    try:
        return find_upc(world.seed, upc)
    except ToolFault as fault:
        if fault.kind != "not_found":
            raise
        return None


def _classify(world: World, body: TitleBody, locale: str) -> Classified:
    title = " ".join(said(body["title"], "postbody.title", "ground coffee").split())[:200]
    upc = body.get("upc")
    own = _on_record(world, upc) if upc else None
    shelf = _Shelved(own.category, own.path) if own else _shelved(world, title)
    if shelf is None and is_household(title):
        raise invalid(
            "postbody.title", title[:80], "this is no food; want the title of one, e.g. ground coffee"
        )
    if shelf is None:
        known = sorted({row.category for row in products(world.seed)})
        raise not_found("food category for", title[:80], known=known)
    answer: Classified = {
        "cleanTitle": " ".join(word[:1].upper() + word[1:] for word in title.split()),
        "category": category_name(shelf.category, locale),
        "breadcrumbs": place_name(shelf.path, locale),
    }
    return answer


@tool(
    GROUP,
    examples=[{"postbody": {"title": "Kroger Vitamin A & D Reduced Fat 2% Milk"}}],
    phrase=(
        "classify by category and place in the shop the grocery product described by {postbody}[, with the "
        "locale set to {locale}]"
    ),
    noun="the grocery product classification",
    jobs=("category of a grocery",),
)
def classify_grocery_product(world: World, *, postbody: TitleBody, locale: Locale = "en_US") -> Classified:
    """The category and the place in the shop that a product title points to.

    postbody: An object with the product's `title`, and its `upc`; one that is not known leaves it to the title.
    locale: Whether the category gets its American (en_US) or British (en_GB) name.
    """
    return _classify(world, postbody, locale)


@tool(
    GROUP,
    name="classify_grocery_product_2",
    examples=[{"postbody": {"title": "frozen pizza with mushrooms and ham"}}],
    phrase=(
        "classify, with the other categories that similar products are in, the grocery product described by "
        "{postbody}[, with the locale set to {locale}]"
    ),
    noun="the grocery category comparison",
    jobs=("category of a grocery",),
    listed_as="GroceryCategoryComparison",
    called_as="compare_grocery_categories",
)
def classify_with_candidates(
    world: World, *, postbody: TitleBody, locale: Locale = "en_US"
) -> ClassifiedWithCandidates:
    """The category that a product title points to, and as candidates that one and those of foods the title names besides.

    postbody: An object with the product's `title`, and its `upc`; one that is not known leaves it to the title.
    locale: Whether categories get their American (en_US) or British (en_GB) names.
    """
    best = _classify(world, postbody, locale)
    foods = (one.ingredient.name for one in mentions(bare_title(postbody["title"][:200])))
    others = (category_name(shelf.category, locale) for food in foods if (shelf := _shelved(world, food)))
    candidates: list[Candidate] = [{"category": name} for name in dict.fromkeys((best["category"], *others))]
    return {**best, "candidates": candidates}


@tool(
    GROUP,
    examples=[{"postbody": [{"title": "dark chocolate bar 70%"}, {"title": "ground coffee"}]}],
    phrase=(
        "classify in bulk all the grocery products described by {postbody}[, with the locale set to {locale}]"
    ),
    noun="the bulk product classification",
    jobs=("category of a grocery",),
)
def classify_grocery_product_bulk(
    world: World, *, postbody: list[TitleBody], locale: Locale = "en_US"
) -> list[ClassifiedOrNot]:
    """The category of each of several product titles; what fits nowhere says so.

    postbody: Objects with a `title` each.
    locale: Whether categories get their American (en_US) or British (en_GB) names.
    """
    some(postbody, "postbody", '{"title": "ground coffee"}')
    found: list[ClassifiedOrNot] = []
    for body in postbody[:50]:
        title = body["title"][:200]
        shelf = _shelved(world, title) if title.strip() else None
        if shelf is None:
            problem = "this is no food" if is_household(title) else "no similar product is known"
            found.append({"title": title, "problem": problem})
            continue
        named, place = category_name(shelf.category, locale), place_name(shelf.path, locale)
        found.append({"title": title, "category": named, "breadcrumbs": place})
    return found
