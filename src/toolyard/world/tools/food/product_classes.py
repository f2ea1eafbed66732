"""Food/spoonacular_products, second half: the category and the place in the shop of a product title."""

import functools
from typing import Literal, NamedTuple, NotRequired, TypedDict

from toolyard.text.names import capitalise
from toolyard.world.index import Index, words
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import read_table, table_texts
from toolyard.world.simulated.food.products import articles, find_upc
from toolyard.world.tools.food.argument_checks import check_not_empty, check_text

GROUP = Group("Food/spoonacular_products")
Locale = Literal["en_US", "en_GB"]
# Part of the words of a title that a product must share with it.
_LEAST = 0.6
_BRITISH = table_texts("product_classes.british")


class TitleBody(TypedDict):
    """A product to classify."""

    title: str
    upc: NotRequired[str]
    plu_code: NotRequired[str]


class Classified(TypedDict):
    cleanTitle: str
    category: str
    breadcrumbs: list[str]


class Candidate(TypedDict):
    category: str


class ClassifiedWithCandidates(TypedDict):
    cleanTitle: str
    category: str
    breadcrumbs: list[str]
    candidates: list[Candidate]


class ClassifiedOrNot(TypedDict):
    title: str
    category: NotRequired[str]
    breadcrumbs: NotRequired[list[str]]
    problem: NotRequired[str]


class _Shelf(NamedTuple):
    """A place in the shop, and what belongs there."""

    category: str
    path: tuple[str, ...]


@functools.cache
def _shelf_index() -> Index[dict[str, object]]:
    """What belongs on each shelf: kinds and makers of the table of shelves, then the products without their brands."""
    rows: list[dict[str, object]] = [
        {"title": name, "shelf": _Shelf(row["category"], tuple(row["path"].split(" > ")))}
        for row in read_table("food_shelves.tsv")
        for name in row["words"].split(";")
    ]
    rows += [
        {"title": row.title.removeprefix(row.brand), "shelf": _Shelf(row.category, row.path)}
        for row in articles()
    ]
    return Index(rows, ("title",))


def _shelves_for(title: str, bound: float = _LEAST) -> list[_Shelf]:
    """Where a title belongs: by the longest name that stands in it, the last of several; then by most of its words."""
    wanted = words(title[:200])
    whole: list[tuple[int, int, _Shelf]] = []
    for row in _shelf_index().search(title[:200]):
        own = words(str(row["title"]))
        if set(own) <= set(wanted) and isinstance(row["shelf"], _Shelf):
            whole.append((-len(own), -max(map(wanted.index, own)), row["shelf"]))
    near = (row["shelf"] for row in _shelf_index().search(title[:200], bound=bound))
    whole.sort(key=lambda entry: entry[:2])
    return list(
        dict.fromkeys((*(entry[2] for entry in whole), *(row for row in near if isinstance(row, _Shelf))))
    )


def _category_name(category: str, locale: str) -> str:
    """A category as Americans or Britons call it."""
    other = category.replace("canned", "tinned") if locale == "en_GB" else category
    return _BRITISH.get(category, other) if locale == "en_GB" else category


def _classify_product(world: World, body: TitleBody, locale: str) -> Classified:
    title = " ".join(check_text(body["title"], "postbody.title", "ground coffee").split())[:200]
    own = find_upc(world.seed, body["upc"]) if body.get("upc") else None
    shelves = [_Shelf(own.category, own.path)] if own else _shelves_for(title)
    if not shelves:
        raise not_found("food category for", title[:80], known=sorted({row.category for row in articles()}))
    return {
        "cleanTitle": " ".join(capitalise(word) for word in title.split()),
        "category": _category_name(shelves[0].category, locale),
        "breadcrumbs": list(shelves[0].path),
    }


@GROUP.tool(
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

    postbody: An object with the product's `title`, and its `upc`.
    locale: Whether the category gets its American (en_US) or British (en_GB) name.
    """
    return _classify_product(world, postbody, locale)


@GROUP.tool(
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
    """The category that a product title points to, and as candidates that one and those of similar products.

    postbody: An object with the product's `title`, and its `upc`.
    locale: Whether categories get their American (en_US) or British (en_GB) names.
    """
    best = _classify_product(world, postbody, locale)
    near = (_category_name(shelf.category, locale) for shelf in _shelves_for(postbody["title"], 0.3)[:20])
    names = list(dict.fromkeys((best["category"], *near)))
    return {**best, "candidates": [{"category": name} for name in names[:5]]}


@GROUP.tool(
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
    check_not_empty(postbody, "postbody", '{"title": "ground coffee"}')
    found: list[ClassifiedOrNot] = []
    for body in postbody[:50]:
        title = body["title"][:200]
        row: ClassifiedOrNot = {"title": title, "problem": "no similar product is known"}
        if shelves := _shelves_for(title):
            category, path = shelves[0]
            row = {"title": title, "category": _category_name(category, locale), "breadcrumbs": list(path)}
        found.append(row)
    return found
