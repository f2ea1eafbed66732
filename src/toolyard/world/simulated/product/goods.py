"""Goods of a world: the catalogue with what things cost, how they are rated and who has them, drawn from the seed."""

import functools
import re
from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from toolyard.world.index import Index, words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.tables import index_by, plain, share_keys, shared_list
from toolyard.world.kernel.types import Money, Semantic, Url
from toolyard.world.simulated.food.products import all_products, articles
from toolyard.world.simulated.product.kinds import Wanted, article_kinds, is_measure, title_kind, wanted_kind
from toolyard.world.simulated.product.shop_catalogue import Good as Good
from toolyard.world.simulated.product.shop_catalogue import ProductId as ProductId
from toolyard.world.simulated.product.shop_catalogue import WalmartItemId as WalmartItemId
from toolyard.world.simulated.product.shop_catalogue import (
    item_number,
    shop_catalogue,
    stores_selling,
    titled_goods,
)

ShopQuery = Annotated[str, Semantic("shop_query", accepts=("product", "ingredient"))]
Device = Literal["desktop", "tablet", "mobile"]
# A list price is between half and double of its size in the catalogue, what a store asks a little less.
PRICE_FACTORS, STORE_FACTORS = (0.5, 2.0), (0.82, 1.0)
STARS, RATINGS = (3.1, 4.9), (20, 40_000)
_ENOUGH = 3
_PRICED = re.compile(r"\b(?:under|below|less than|up to) \$?(\d{1,6})\b.*", re.I)
_UNITS = re.compile(r"(\d)[- ]?(inch|in|gb|tb|mah|oz|lb|quart|qt|ft)\b", re.I)
_WISHES = re.compile(
    r"^(?:(?:the|best|top|cheap|cheapest|good|buy|affordable|an?|some) )+|(?: for .+| near me| online)$", re.I
)


class Offer(TypedDict):
    store: str
    price: Money
    link: Url


@seeds.table
def goods(seed: int) -> tuple[Good, ...]:
    """All goods: the catalogue at prices of this world, then the groceries of the food world at theirs."""
    low, high = PRICE_FACTORS
    listed = [
        {
            **row,
            "cents": round(
                row["cents"] * low * (high / low) ** seeds.unit(seed, "list price", row["product_id"])
            ),
        }
        for row in shop_catalogue()
    ]
    groceries = [
        Good(
            product_id=item_number(20, "good", row.upc),
            walmart_item_id=item_number(9, "walmart", row.upc),
            title=row.title,
            brand=row.brand,
            category=shared_list("Groceries", *row.path),
            cents=row.cents,
            specs={"Package": f"{row.package_grams:g} g", "Serving": f"{row.serving_grams:g} g"},
            about=f"{row.title}, made of {', '.join(row.ingredient_names[:5])}",
            upc=row.upc,
        )
        for row in all_products(seed)
    ]
    return tuple(map(share_keys, (*listed, *groceries)))  # type: ignore[arg-type]


@functools.cache
def _kinds() -> tuple[str, ...]:
    """The kind of article of each good, "" where it is of none."""
    stated = {title: kind.title for kind in article_kinds() for title, _ in kind.goods}
    return tuple(
        stated.get(good["title"]) or title_kind(good["title"], good["category"][0]) for good in goods(0)
    )


@functools.cache
def _names_of_kinds() -> Mapping[str, str]:
    """Kind of article -> all that it is called."""
    return {kind.title: " ".join(kind.said) for kind in article_kinds()}


@functools.cache
def _goods_index() -> Index[dict[str, str]]:
    """Goods by title, names of their kind, shelf and text; who exists is the same under every seed."""
    rows = [
        {
            "title": good["title"],
            "kind": _names_of_kinds().get(kind, ""),
            "shelf": " ".join(good["category"]),
            "about": good["about"],
        }
        for good, kind in zip(goods(0), _kinds(), strict=True)
    ]
    return Index(rows, ("title", "title", "kind", "shelf", "about")).without_rows()


def search_goods(seed: int, query: str) -> list[Good]:
    """Goods of the catalogue that a query names, best first; none where it names none of them."""
    most = _PRICED.search(query[:200])
    text = _UNITS.sub(r"\1 \2", _PRICED.sub("", query[:200])).strip()
    rows = goods(seed)
    found = [
        rows[place] for place in (_search_goods(plain(text)) or _search_goods(_WISHES.sub("", plain(text))))
    ]
    return [good for good in found if most is None or good["cents"] <= 100 * int(most[1])]


@functools.lru_cache(maxsize=1024)
def _search_goods(text: str) -> tuple[int, ...]:
    """Places of the goods for a text: the one that is called so, those of the kind, those with all its words."""
    if not words(text):
        return ()
    exact = tuple(place for place, good in enumerate(goods(0)) if plain(good["title"]) == text)
    shelf = tuple(place for place, good in enumerate(goods(0)) if words(good["category"][0]) == words(text))
    meant = wanted_kind(text)
    return exact or shelf or (_goods_of_kind(meant) if meant else ()) or _goods_by_words(text)


def _goods_by_words(text: str) -> tuple[int, ...]:
    asked = set(words(text))
    hits = _goods_index().row_numbers(text, bound=1.0)
    names = ((place, _names_of_kinds().get(_kinds()[place], "")) for place in hits)
    titled = [place for place, name in names if asked <= set(words(f"{goods(0)[place]['title']} {name}"))]
    return tuple(titled or hits)


def _goods_of_kind(meant: Wanted) -> tuple[int, ...]:
    """Goods of the kind that is meant: those that share most of the other words, alone where they are enough."""
    which = {word for word in (*meant.which, *meant.narrower) if word != "s"}
    rows = [place for place, kind in enumerate(_kinds()) if kind == meant.kind.title]
    shared = {place: len(which & set(words(goods(0)[place]["title"]))) for place in rows}
    most = max(shared.values(), default=0)
    # Sizes are of one or two digits; a longer number is that of a model.
    told = {word for word in meant.which if (word.isdigit() and len(word) > 2) or not is_measure(word)} - {
        "s"
    }
    if told and not most and not all(_goods_index().row_numbers(word) for word in told):
        return ()
    best = tuple(place for place in rows if shared[place] == most)
    ranked = tuple(sorted(rows, key=lambda place: -shared[place]))
    return best if most == len(which) or len(best) >= _ENOUGH else ranked


def similar_goods(seed: int, good: Good) -> list[Good]:
    """Other goods of the same kind of article, else of the same shelf."""
    rows = goods(seed)
    kind = next(
        kind for one, kind in zip(rows, _kinds(), strict=True) if one["product_id"] == good["product_id"]
    )
    near = [one for one, own in zip(rows, _kinds(), strict=True) if kind and own == kind]
    near = near or [one for one in rows if one["category"] == good["category"]]
    return [one for one in near if one["product_id"] != good["product_id"]]


@functools.cache
def _goods_titles() -> str:
    """The titles of all goods as plain text."""
    return plain("\n".join((*(good["title"] for good in titled_goods()), *(row.title for row in articles()))))


def goods_for_query(seed: int, query: str) -> list[Good]:
    """Goods whose titles have all words of a query, or which are of the kind that it names."""
    if wanted_kind(query):
        return search_goods(seed, query)
    asked = set(words(query))
    # The plural of berry has no y. Most questions are about no good, which the titles tell before any good is built.
    if not all(word.removesuffix("y") in _goods_titles() for word in asked):
        return []
    return [good for good in search_goods(seed, query) if asked <= set(words(good["title"]))]


@seeds.table
def _goods_by_product_id(seed: int) -> Mapping[str, Good]:
    return index_by(goods(seed), "product_id")


@seeds.table
def _by_item_id(seed: int) -> Mapping[str, Good]:
    return index_by(goods(seed), "walmart_item_id")


def find_good(seed: int, product_id: str) -> Good:
    """The good of a product id; a not_found fault otherwise."""
    row = _goods_by_product_id(seed).get(product_id.strip())
    if row is None:
        raise not_found("product with id", product_id[:40], such_as=("15955939185450005725",))
    return row


def find_item(seed: int, query: str) -> Good:
    """The good of a Walmart item id, else the one that fits some words best; a not_found fault otherwise."""
    if not plain(query):
        raise invalid("query", query, "give the id of an item or words that name it, e.g. air fryer")
    row = _by_item_id(seed).get(query.strip()) or next(iter(sold_at_walmart(search_goods(seed, query))), None)
    if row is None:
        raise not_found("Walmart item for", query[:80], known=[kind.title for kind in article_kinds()])
    return row


def rating(seed: int, good: Mapping[str, object] | str) -> tuple[float, int]:
    """Average stars and number of ratings of a good (or of anything else by its key)."""
    key = good if isinstance(good, str) else good["product_id"]
    stars = STARS[0] + (STARS[1] - STARS[0]) * seeds.unit(seed, "stars", key)
    return round(stars, 1), round(RATINGS[0] * (RATINGS[1] / RATINGS[0]) ** seeds.unit(seed, "ratings", key))


def store_price(seed: int, good: Good, store: str) -> Money:
    """What a store asks, in US dollars, never more than the list price; groceries cost the same everywhere at Walmart."""
    low, high = STORE_FACTORS
    drawn = low + (high - low) * seeds.unit(seed, "store price", store, good["product_id"])
    factor = 1.0 if good["upc"] and store == "Walmart" else drawn
    return {"amount": round(good["cents"] * factor / 100, 2), "currency": "USD"}


def sold_at_walmart(found: list[Good]) -> list[Good]:
    """Of goods those that Walmart has: some makers sell through other stores only."""
    return [good for good in found if "Walmart" in stores_selling(good["brand"], good["category"][0])]


def store_offers(seed: int, good: Good) -> list[Offer]:
    """What the stores that carry a good ask for it, cheapest first."""
    found: list[Offer] = [
        {
            "store": store,
            "price": store_price(seed, good, store),
            "link": f"https://{store.lower().replace(' ', '').replace(chr(39), '')}.example/{good['product_id']}",
        }
        for store in stores_selling(good["brand"], good["category"][0])
    ]
    return sorted(found, key=lambda offer: (offer["price"]["amount"], offer["store"]))
