"""Goods: what shops sell, from sweaters to groceries, found by words and ids, with offers that all shops agree on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.derived import RECORD, derived, noted
from toolyard.world.faults import invalid, not_found
from toolyard.world.reference import wordnet
from toolyard.world.search import Index, words
from toolyard.world.shared.geography import read_table
from toolyard.world.tables import group_rows, index_by, plain
from toolyard.world.types import Money, Semantic, Url
from toolyard.world.worlds.food.products import products
from toolyard.world.worlds.product.article_choice import for_others, suited
from toolyard.world.worlds.product.article_facts import same_everywhere, sold_by_millions
from toolyard.world.worlds.product.kinds import Wanted, article_kinds, is_measure, kind_of, wanted
from toolyard.world.worlds.product.sellers import as_written, stores_with
from toolyard.world.worlds.product.shop_catalogue import Good as Good
from toolyard.world.worlds.product.shop_catalogue import ProductId as ProductId
from toolyard.world.worlds.product.shop_catalogue import WalmartItemId as WalmartItemId
from toolyard.world.worlds.product.shop_catalogue import item_number, shop_catalogue
from toolyard.world.worlds.product.unlisted import (
    SHELVES_CALLED,
    Shelf,
    as_titled,
    at_most,
    belongs,
    everyday_names,
    line_of,
    named_line,
    plain_article,
    shelf_of,
    unheard_of,
    unlisted,
    without_wishes,
)

ShopQuery = Annotated[str, Semantic("shop_query", accepts=("product", "ingredient", "company"))]
Device = Literal["desktop", "tablet", "mobile"]
_UNITS = re.compile(r"(\d)[- ]?(inch|in|gb|tb|mah|oz|lb|quart|qt|ft)\b", re.I)
_LADIES = re.compile(r"\bladies'?(?=\s)", re.I)
_PRICED = re.compile(r"\b(?:under|below|less than|up to) \$?\d+\b.*", re.I)
_ENOUGH = 3
# Other names of the same thing, which some titles have and others have not.
_OTHER_NAMES = frozenset(
    "bicycle hoover throw tie phone fridge washer kitty billfold crock pot shaver baby bag camping plant".split()
)
_FOR_WHOM = frozenset("men man women woman womens mens kid boy girl adult unisex".split())
_IDS: tuple[Literal["product_id"], Literal["walmart_item_id"]] = ("product_id", "walmart_item_id")
_SIZES = frozenset(
    "inch in cm mm ft foot feet size quart qt oz ounce lb pound kg g gb tb ml l liter litre pack piece pc".split()
)


class Offer(TypedDict):
    store: str
    price: Money
    link: Url


@seeds.table
def goods(seed: int) -> tuple[Good, ...]:
    """All goods: the catalogue, then the groceries of the food world at their prices."""
    groceries = [
        Good(
            product_id=item_number(20, "good", row.upc),
            walmart_item_id=item_number(9, "walmart", row.upc),
            title=row.title,
            brand=row.brand,
            category=["Groceries", *row.path],
            cents=row.cents,
            specs={"Package": f"{row.package_grams:g} g", "Serving": f"{row.serving_grams:g} g"},
            about=f"{row.title}, made of {', '.join(row.ingredient_names[:5])}",
            upc=row.upc,
        )
        for row in products(seed)
    ]
    return (*shop_catalogue(), *groceries)


@seeds.table
def _index(seed: int) -> Index[Good]:
    return Index(goods(seed), ("title", "title", "category", "about"))


@seeds.table
def _by_product_id(seed: int) -> Mapping[str, Good]:
    return index_by(goods(seed), "product_id")


@seeds.table
def _by_item_id(seed: int) -> Mapping[str, Good]:
    return index_by(goods(seed), "walmart_item_id")


def search_goods(seed: int, query: str) -> list[Good]:
    """Goods that share a word with the query, best first; derived ones before them where none has all its words."""
    query = as_titled(_LADIES.sub("women's", query[:200]))
    if (most := at_most(query)) is not None:
        found = search_goods(seed, _PRICED.sub("", query[:200]))
        return [good for good in found if good["cents"] <= 100 * most]
    if not _index(seed).search(query[:200], bound=1.0):
        query = _less_wished(query[:200])
    if shelf := _whole_shelf(seed, query):
        return shelf
    meant = wanted(_UNITS.sub(r"\1 \2", query[:200]))
    everyday = plain_article(query[:200])
    if everyday is not None and len(everyday[1].split()) > (meant.length if meant else 0):
        return _everyday(seed, query[:80], *everyday)
    if meant is not None and not unheard_of(query):
        return _of_kind(seed, query[:80], meant)
    return _by_words(seed, query)


def _with_all_words(seed: int, query: str) -> list[Good]:
    """Goods whose titles have all words of a query, what belongs to other things last."""
    asked = set(words(query))
    found = [
        good for good in _index(seed).search(query[:200], bound=1.0) if asked <= set(words(good["title"]))
    ]
    return sorted(found, key=lambda good: belongs(good["title"], query))


@seeds.table
def _brands(seed: int) -> tuple[str, ...]:
    """The names of all makers of the catalogue, longest first."""
    names = {plain(good["brand"]) for good in goods(seed) if not good["upc"]}
    return tuple(sorted(names, key=lambda name: (-len(name), name)))


def _maker(seed: int, text: str) -> str:
    """The maker that a text begins with, unless it is a common word: Canada Goose and Hoka, but not Away or Head."""
    named = (name for name in _brands(seed) if f"{text} ".startswith(f"{name} "))
    return next((name for name in named if len(name.split()) > 1 or not wordnet.senses(name)), "")


def _of_maker(seed: int, query: str) -> list[Good]:
    """Goods of the maker or line that a query names: those that share most of its words, on the line's shelf."""
    line, text = named_line(query), plain(query)
    name = line.line if line else _maker(seed, text)
    if not name:
        return []
    own, asked = set(words(name)), set(words(query))
    rows = [
        good for good in goods(seed) if own <= set(words(good["title"])) and not belongs(good["title"], query)
    ]
    shelf = line.category.split(" > ")[0] if line else ""
    rows = [good for good in rows if good["category"][0] == shelf] or rows
    shared = {good["product_id"]: len(asked & set(words(good["title"]))) for good in rows}
    return [good for good in rows if shared[good["product_id"]] == max(shared.values())]


def _by_words(seed: int, query: str) -> list[Good]:
    """Goods for a query that names no kind of article and no shelf."""
    asked = words(query[:200])
    # Who writes apples wants no telephone.
    fruit = "apples" in plain(query).split()
    titled = [] if fruit else _with_all_words(seed, query)
    exact = [good for good in titled if plain(good["title"]) == plain(query)]
    if exact or titled:
        return exact or titled
    if own := _of_maker(seed, query):
        return own
    # A robot vacuum is a vacuum cleaner, as its text says.
    told = _index(seed).search(query[:200], bound=1.0)
    if unheard_of(query):
        return []
    made = _unlisted(seed, query[:80])
    return made or [
        good for good in told if _is_asked(good, asked) and not (fruit and good["brand"] == "Apple")
    ]


def _whole_shelf(seed: int, query: str) -> list[Good]:
    """All that stands on the shelf that a query is the name of, those with most buyers first: toys, tools, books."""
    asked = words(SHELVES_CALLED.get(plain(query), without_wishes(query)))
    named = [good for good in goods(seed) if words(good["category"][0]) == asked]
    return sorted(named, key=lambda good: -rating(seed, good)[1])


def _less_wished(query: str) -> str:
    """A query without what is wished of a thing; of food the colour says which one is meant."""
    bare = without_wishes(query)
    meant = wanted(bare)
    food = meant is not None and meant.kind.category[0] == "Groceries"
    return query if food or bare == plain(query) else bare


@seeds.table
def _by_kind(seed: int) -> Mapping[str, list[Good]]:
    """Goods by their kind of article, those with most buyers first."""
    ranked = sorted(goods(seed), key=lambda good: -rating(seed, good)[1])
    usual = {row["category"]: row["about"] for row in read_table("more_products.tsv")}
    stated = {title: kind.title for kind in article_kinds() for title, _ in kind.goods}

    def kind(good: Good) -> str:
        shelf = good["category"][0]
        named = stated.get(good["title"]) or kind_of(good["title"], shelf)
        if named == "TV" and not good["title"].endswith("TV"):
            return ""  # a stick or a box to plug into one
        # Devices are sold under their names alone; a scale beside treadmills is none.
        usually = usual.get(" > ".join(good["category"]), "") if shelf == "Electronics" else ""
        return named or kind_of(usually, shelf)

    return group_rows(ranked, kind)


def _of_kind(seed: int, query: str, meant: Wanted) -> list[Good]:
    """Goods of the kind that a query names: those that have all its other words, else those that have most of them."""
    found = suited(_by_kind(seed)[meant.kind.title], query, meant)
    exact = [good for good in found if plain(good["title"]) == plain(query)]
    narrow = [good for good in found if meant.narrower <= set(words(good["title"]))] if meant.narrower else []
    narrow = [] if meant.narrower <= _OTHER_NAMES else narrow
    which = {word for word in meant.which if word != "s"}  # women's
    shared = {good["product_id"]: len(which & set(words(good["title"]))) for good in found}
    told = {word for word in which if not is_measure(word)}
    known = {word for good in found for word in (*words(good["title"]), *words(good["about"]))}
    if exact or told <= known or max(shared.values()) == len(which):
        rows = narrow or _named_so(found, meant) or found
        line = narrow and any(line_of(word) for word in meant.narrower)
        rows = sorted(rows, key=lambda good: len(words(good["title"]))) if line else rows
        return exact or _best_of(rows, shared, which)
    if own := _with_all_words(seed, query) or _of_maker(seed, query):
        return own
    if meant.kind.category[0] != "Groceries":
        return _best_of(found, shared, which)
    # Bread without gluten is no other bread.
    prices = sorted(good["cents"] // 100 for good in found)
    low, high = prices[len(prices) // 5], prices[-1 - len(prices) // 5]
    shelf = Shelf(" > ".join(meant.kind.category), max(1, low), max(2, low + 1, high), "")
    return _derived_goods(seed, query, shelf)


def _named_so(found: list[Good], meant: Wanted) -> list[Good]:
    """Groceries whose titles have the name of their kind: canola oil stands beside olive oil, but is none."""
    name = set(meant.kind.names[0])
    if meant.narrower or meant.length < len(name) or meant.kind.category[0] != "Groceries":
        return []
    return [good for good in found if name <= set(words(good["title"]))]


def _everyday(seed: int, query: str, shelf: Shelf, name: str) -> list[Good]:
    """What the tables have of an everyday thing, then others of it by further makers."""
    if words(query) != words(name) and (titled := _with_all_words(seed, query) or _of_maker(seed, query)):
        return titled
    listed = [
        good
        for good in _index(seed).search(name, bound=1.0)
        if f" {name} " in f" {' '.join(words(good['title']))} "
        and good["category"][0] == shelf.category.split(" > ")[0]
        and not kind_of(good["title"], good["category"][0])
        and not for_others(good, plain(query))
    ]
    return listed if len(listed) >= _ENOUGH else [*listed, *_derived_goods(seed, query, shelf)]


def goods_like(seed: int, good: Good) -> list[Good]:
    """Other goods of the same kind of article, else of the same shelf."""
    own = next((rows for kind, rows in _by_kind(seed).items() if kind and good in rows), None)
    rows = own or [one for one in goods(seed) if one["category"] == good["category"]]
    said = set(words(good["specs"].get("Kind", "")))
    others = [one for one in rows if one["product_id"] != good["product_id"]]
    return [one for one in others if said <= set(words(one["title"]))]


def _best_of(found: list[Good], shared: Mapping[str, int], which: set[str]) -> list[Good]:
    """Those that share most words with what is asked, alone where they are enough or share them all."""
    ranked = sorted(found, key=lambda good: -shared[good["product_id"]])
    most = max(shared[good["product_id"]] for good in ranked)
    best = [good for good in ranked if shared[good["product_id"]] == most]
    whole = most == len(which) and which.isdisjoint(_FOR_WHOM)
    return best if whole or len(best) >= _ENOUGH else ranked


def listed_goods(seed: int, query: str) -> list[Good]:
    """What the tables hold for a query, without anything derived from its words."""
    known = _by_product_id(seed)
    found = [good for good in search_goods(seed, query) if good["product_id"] in known]
    asked = set(words(query))
    return found if wanted(query) else [good for good in found if asked <= set(words(good["title"]))]


def _is_asked(good: Good, asked: list[str]) -> bool:
    """Whether a good is the thing that a query ends with: a mouse is no answer to wireless headphones.

    Numbers and sizes say which one is meant, not what: a mixer of 5 quarts is no answer to PlayStation 5.
    """
    title = words(good["title"])
    shelf = words(" ".join(good["category"]))
    things = [word for word in asked if not word[0].isdigit() and word not in _SIZES]
    if not things:
        return any(word in title for word in asked)
    if things == words(good["category"][0]):
        return True  # toys are all that stands on their shelf
    return things[-1] in title or (things[-1] in shelf and any(word in title for word in things[:-1]))


def _unlisted(seed: int, query: str) -> list[Good]:
    shelf = shelf_of(plain(query))
    return [] if shelf is None else _derived_goods(seed, query, shelf)


def _derived_goods(seed: int, query: str, shelf: Shelf) -> list[Good]:
    if shelf.category.startswith("Books"):
        return []  # who wants a book on a subject wants none that is called after it
    rows = derived(seed, "product", query, lambda chance: unlisted(query, shelf, chance))
    return [
        Good(
            product_id=item_number(20, "good", row.title, plain(query)),
            walmart_item_id=item_number(9, "walmart", row.title, plain(query)),
            title=row.title,
            brand=row.brand,
            category=row.category,
            cents=row.cents,
            specs={"Brand": row.brand},
            about=row.title,
            upc="",
        )
        for row in rows
    ]


@seeds.table
def _everyday_by_id(seed: int) -> Mapping[str, Good]:
    """The derived goods of all everyday things by both of their ids."""
    record = RECORD.set(None)  # nobody has asked for them yet
    rows = [good for name in everyday_names() for good in search_goods(seed, name)]
    RECORD.reset(record)
    return {good[field]: good for good in rows for field in _IDS}


def _shown_before(seed: int, wanted: str, query: str = "") -> Good | None:
    """The derived good with an id, among those for a query, those that this world has shown, and everyday things."""
    names = (*(() if not plain(query) else (query,)), *noted("product"))
    rows = (good for name in names for good in search_goods(seed, name))
    shown = next((good for good in rows if wanted in (good["product_id"], good["walmart_item_id"])), None)
    return shown or (_everyday_by_id(seed).get(wanted) if wanted.isdigit() else None)


def find_good(seed: int, product_id: str, query: str = "") -> Good:
    """The good of a product id, which a query may have shown; a not_found fault otherwise."""
    wanted = product_id.strip()
    row = _by_product_id(seed).get(wanted) or _shown_before(seed, wanted, query)
    if row is None:
        raise not_found("product with id", product_id[:40], such_as=("15955939185450005725",))
    return row


def find_item(seed: int, query: str) -> Good:
    """The good of a Walmart item id, else the one that fits some words best; a not_found fault otherwise."""
    if not plain(query):
        raise invalid("query", query, "give the id of an item or words that name it, e.g. air fryer")
    row = _by_item_id(seed).get(query.strip()) or _shown_before(seed, query.strip())
    row = row or next(iter(at_walmart(search_goods(seed, query))), None)
    if row is None:
        raise not_found("Walmart item for", query[:80], such_as=("air fryer", "Sony headphones"))
    return row


def rating(seed: int, good: Mapping[str, Any] | str) -> tuple[float, int]:
    """Average stars and number of ratings of a good (or of anything else by its key)."""
    key = good if isinstance(good, str) else good["product_id"]
    chance = seeds.stream(seed, "stars", key)
    stars, count = round(4.1 + 0.7 * chance.random(), 1), int(10 ** (2.6 + 1.3 * chance.random()))
    known = not isinstance(good, str) and sold_by_millions(good["brand"], good["category"])
    return (max(stars, 4.4), 8000 + 3 * count) if known else (stars, count)


def price_at(seed: int, good: Good, store: str) -> Money:
    """What a store asks, in US dollars; groceries cost at Walmart what the food world says."""
    factor = (
        1.0
        if good["upc"] and store == "Walmart"
        else 0.9 + 0.1 * seeds.unit(seed, store, good["product_id"])  # nobody asks more than the list price
    )
    if same_everywhere(good["brand"], good["category"]):
        factor = 1.0
    return {"amount": as_written(good["cents"] * factor / 100, store, exact=factor == 1.0), "currency": "USD"}


def at_walmart(found: list[Good]) -> list[Good]:
    """Of goods those that Walmart has: some makers sell through other stores only."""
    return [good for good in found if "Walmart" in stores_with(good["brand"], good["category"][0])]


def offers(seed: int, good: Good) -> list[Offer]:
    """What the stores that carry a good ask for it, cheapest first."""
    found: list[Offer] = [
        {
            "store": store,
            "price": price_at(seed, good, store),
            "link": f"https://{store.lower().replace(' ', '').replace(chr(39), '')}.example/{good['product_id']}",
        }
        for store in stores_with(good["brand"], good["category"][0])
    ]
    return sorted(found, key=lambda offer: (offer["price"]["amount"], offer["store"]))
