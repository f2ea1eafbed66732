"""Product/Google_Product and Product/Walmart: goods in a price engine and in one shop."""

import base64
import binascii
import json
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import page as page_of
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import Money, Page, ProductName, Prose, Range, Semantic, Unit
from toolyard.world.simulated.product.buyers import Review, newest_reviews
from toolyard.world.simulated.product.goods import (
    Device,
    Good,
    Offer,
    ProductId,
    ShopQuery,
    WalmartItemId,
    find_good,
    rating,
    search_goods,
    similar_goods,
    sold_at_walmart,
    store_offers,
    store_price,
)
from toolyard.world.tools.product.shop_queries import clean_query

GOOGLE, WALMART = Group("Product/Google_Product"), Group("Product/Walmart")
PageToken = Annotated[str, Semantic("shopping_page_token")]
StoreId = Annotated[str, Semantic("walmart_store_id")]
Dollars = Annotated[float, Unit("USD"), Range(0, 1_000_000)]
Start = Annotated[int, Range(0, 1000)]
STORE_IDS = ("2280", "3520", "1070", "4573", "5260", "2648")
MOST_LISTED = 10
# The token that a benchmark query quotes is such a text; all of ours are, too.
_TOKEN_BYTES = 3000


class ShoppingResult(TypedDict):
    position: int
    title: ProductName
    product_id: ProductId
    immersive_page_token: PageToken
    source: str
    price: Money
    rating: float
    reviews: int


class ShoppingResults(TypedDict):
    total: int
    device: Device
    shopping_results: list[ShoppingResult]


class ProductPage(TypedDict):
    product_id: ProductId
    title: ProductName
    brand: str
    description: Prose
    rating: float
    reviews: int
    price_range_usd: list[float]
    device: Device
    online_sellers: NotRequired[list[Offer]]
    specifications: NotRequired[dict[str, str]]
    reviews_results: NotRequired[list[Review]]


class ImmersiveProduct(TypedDict):
    product_id: ProductId
    title: ProductName
    brand: str
    query: str
    about: Prose
    features: dict[str, str]
    stores: list[Offer]
    top_reviews: list[Review]
    more_like_this: list[ProductName]


class WalmartItem(TypedDict):
    us_item_id: WalmartItemId
    title: ProductName
    price: Money
    rating: float
    reviews: int
    next_day: bool
    description: NotRequired[str]


def page_token(good: Good, query: str) -> str:
    """The token that opens the pop-up of a good."""
    text = json.dumps({"catalogid": good["product_id"], "query": query[:80]}, separators=(",", ":"))
    return base64.b64encode(text.encode()).decode()


def _decode_page_token(token: str) -> tuple[str, str]:
    """Product id and query inside a token; an invalid_value fault where it is none."""
    try:
        found = json.loads(base64.b64decode(token.strip()[:_TOKEN_BYTES], validate=True))
        return str(found["catalogid"]), str(found.get("query", "")).replace("+", " ")
    except (binascii.Error, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise invalid(
            "page_token", token[:40], "want an immersive_page_token out of the shopping search"
        ) from None


@GOOGLE.tool(
    examples=[
        {"page_token": "eyJjYXRhbG9naWQiOiIxNTk1NTkzOTE4NTQ1MDAwNTcyNSIsInF1ZXJ5IjoibWVucytzd2VhdGVyIn0="}
    ],
    phrase=(
        "show the immersive Google product pop-up with features, stores and similar goods of the product "
        "whose page token is {page_token}"
    ),
    noun="the immersive product pop-up",
    jobs=("goods for sale",),
)
def google_immersive_product_search(world: World, *, page_token: PageToken) -> ImmersiveProduct:
    """The pop-up of a product: what it is, its features, what stores ask, reviews and similar goods.

    page_token: Token of the product, as the shopping search returns it.
    """
    product_id, query = _decode_page_token(page_token)
    good = find_good(world.seed, product_id)
    written = newest_reviews(world.seed, good, MOST_LISTED)
    near = similar_goods(world.seed, good) or (search_goods(world.seed, query) if plain(query) else [])
    alike = [other["title"] for other in near if other["title"] != good["title"]]
    return {
        "product_id": good["product_id"],
        "title": good["title"],
        "brand": good["brand"],
        "query": query[:200],
        "about": f"{good['about']}.",
        "features": good["specs"],
        "stores": store_offers(world.seed, good),
        "top_reviews": sorted(written, key=lambda review: -review["helpful_votes"])[:3],
        "more_like_this": alike[:4],
    }


@GOOGLE.tool(
    examples=[{"query": "mens sweater"}, {"query": "laptop", "start": 1, "num": 3}],
    phrase=(
        "search Google Shopping for {query}[, returning {num} results][, skipping the first {start}][, with "
        "the device set to {device}]"
    ),
    noun="the Google Shopping results",
    jobs=("goods for sale",),
)
def google_shopping_search(
    world: World,
    *,
    query: ShopQuery,
    start: Start = 0,
    num: Annotated[int, Range(1, 100)] = 3,
    device: Device = "desktop",
) -> ShoppingResults:
    """Goods for some words, each at the cheapest store, with ids that lead to more.

    query: What to buy.
    start: How many results to skip.
    num: How many results to return.
    device: Kind of device that the search stands for.
    """
    found = search_goods(world.seed, clean_query(query))
    results: list[ShoppingResult] = []
    for position, good in enumerate(found[start : start + num], start + 1):
        stars, count = rating(world.seed, good)
        best = store_offers(world.seed, good)[0]
        results.append(
            {
                "position": position,
                "title": good["title"],
                "product_id": good["product_id"],
                "immersive_page_token": page_token(good, query),
                "source": best["store"],
                "price": best["price"],
                "rating": stars,
                "reviews": count,
            }
        )
    return {"total": len(found), "device": device, "shopping_results": results}


@GOOGLE.tool(
    examples=[
        {"product_id": "15955939185450005725"},
        {"product_id": "15955939185450005725", "offers": True, "specs": True, "reviews": True},
    ],
    phrase=(
        "open the Google product page of the product whose id is {product_id}[, with offers set to "
        "{offers}][, with specifications set to {specs}][, with reviews set to {reviews}][, skipping the "
        "first {start} sellers and reviews][, with the device set to {device}]"
    ),
    noun="the Google product page",
    jobs=("goods for sale",),
)
def google_product_search(
    world: World,
    *,
    product_id: ProductId,
    start: Start = 0,
    offers: bool = False,
    specs: bool = False,
    reviews: bool = False,
    device: Device = "desktop",
) -> ProductPage:
    """A product's page: what it is and costs, on demand its sellers, specifications and reviews.

    product_id: Id of the product, as the shopping search returns it.
    start: How many sellers and reviews to skip.
    offers: Whether to list the online sellers.
    specs: Whether to list the specifications.
    reviews: Whether to list the newest reviews, ten at most.
    device: Kind of device that the search stands for.
    """
    good = find_good(world.seed, product_id)
    found = _product_page(world, good, device)
    if offers:
        found["online_sellers"] = _good_offers(world, good)[start:]
    if specs:
        found["specifications"] = good["specs"]
    if reviews:
        found["reviews_results"] = newest_reviews(world.seed, good, MOST_LISTED)[start:]
    return found


def _good_offers(world: World, good: Good) -> list[Offer]:
    return store_offers(world.seed, good)


def _product_page(world: World, good: Good, device: Device) -> ProductPage:
    stars, count = rating(world.seed, good)
    prices = [offer["price"]["amount"] for offer in _good_offers(world, good)]
    return {
        "product_id": good["product_id"],
        "title": good["title"],
        "brand": good["brand"],
        "description": f"{good['about']}.",
        "rating": stars,
        "reviews": count,
        "price_range_usd": [min(prices), max(prices)],
        "device": device,
    }


def _walmart_item(world: World, good: Good, store: str | None, grid: bool) -> WalmartItem:
    stars, count = rating(world.seed, good)
    price = store_price(world.seed, good, "Walmart")
    if store:
        factor = 0.97 + 0.06 * seeds.unit(world.seed, "local price", store, good["product_id"])
        price = {"amount": round(price["amount"] * factor, 2), "currency": "USD"}
    item: WalmartItem = {
        "us_item_id": good["walmart_item_id"],
        "title": good["title"],
        "price": price,
        "rating": stars,
        "reviews": count,
        "next_day": seeds.unit(world.seed, "next day", good["product_id"]) < 0.5,
    }
    return item if grid else {**item, "description": good["about"]}


def _sort_items(rows: list[WalmartItem], sort: str) -> list[WalmartItem]:
    keys = {
        "price_low": lambda row: row["price"]["amount"],
        "price_high": lambda row: -row["price"]["amount"],
        "best_seller": lambda row: -row["reviews"],
        "rating_high": lambda row: -row["rating"],
        "new": lambda row: row["us_item_id"],
    }
    return sorted(rows, key=keys[sort]) if sort in keys else rows


@WALMART.tool(
    examples=[
        {"query": "coffee"},
        {"query": "laptop", "sort": "price_low", "max_price": 1300, "store_id": "3520"},
    ],
    phrase=(
        "search Walmart for {query}[, priced at {min_price} US dollars or more][, priced at {max_price} US "
        "dollars or less][, with {store_id} as the store id][, with next-day delivery only set to {nd_en}][, "
        "sorted by {sort}][, with grid view set to {grid}][, returning {limit} results]"
    ),
    noun="the Walmart search results",
    jobs=("goods for sale",),
)
def walmart_search(
    world: World,
    *,
    query: ShopQuery,
    sort: Literal[
        "best_match", "price_low", "price_high", "best_seller", "rating_high", "new"
    ] = "best_match",
    grid: bool = True,
    store_id: StoreId | None = None,
    min_price: Dollars | None = None,
    max_price: Dollars | None = None,
    nd_en: bool = False,
    page: Annotated[int, Range(1, 100)] = 1,
    limit: Annotated[int, Range(1, 40)] = 5,
    offset: Annotated[int, Range(0, 40)] = 0,
    device: Device = "desktop",
) -> Page[WalmartItem]:
    """Walmart's goods for some words, sorted and filtered.

    query: What to buy.
    sort: Order of the results.
    grid: true for a short view, false for a list with descriptions.
    store_id: Only what this store has, at its prices: 2280, 3520, 1070, 4573, 5260 or 2648.
    min_price: Lowest price in US dollars.
    max_price: Highest price in US dollars.
    nd_en: Whether to show only goods with next-day delivery.
    page: Page of 40 results, from 1.
    limit: How many results of the page to return.
    offset: How many results of the page to skip.
    device: Kind of device that the search stands for; all get the same goods.
    """
    if min_price is not None and max_price is not None and min_price > max_price:
        raise invalid("min_price", min_price, f"it must not lie above max_price, {max_price}")
    carried, store = _goods_in_store(world, query, store_id)
    rows = _sort_items([_walmart_item(world, good, store, grid) for good in carried], sort)
    rows = [
        row
        for row in rows
        if _is_in_price_range(row, min_price, max_price) and (row["next_day"] or not nd_en)
    ]
    return page_of(rows, min(limit, max(0, 40 - offset)), 40 * (page - 1) + offset)


def _goods_in_store(world: World, query: str, store_id: str | None) -> tuple[list[Good], str | None]:
    """The goods for some words that a store has (all for None), and the store."""
    found = sold_at_walmart(search_goods(world.seed, clean_query(query)))
    if store_id is None:
        return found, None
    store = store_id.strip()
    if store not in STORE_IDS:
        raise not_found("Walmart store", store_id[:40], known=STORE_IDS)
    return [good for good in found if seeds.unit(world.seed, "stock", store, good["product_id"]) < 0.7], store


def _is_in_price_range(row: WalmartItem, low: float | None, high: float | None) -> bool:
    price = row["price"]["amount"]
    return (low is None or price >= low) and (high is None or price <= high)
