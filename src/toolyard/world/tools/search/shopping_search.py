"""Search/ShoppingSearch: what shop and price engines find, suggestions, questions and reviews."""

import re
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import ToolFault, invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import complete, plain
from toolyard.world.kernel.types import (
    BusinessId,
    CityName,
    Money,
    PersonName,
    ProductName,
    Prose,
    SearchText,
    Semantic,
    Url,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.places.geography import city_or_none, find_city
from toolyard.world.simulated.businesses import Business, find_business, search_businesses
from toolyard.world.simulated.ebay_listings import Listing, ebay_listings
from toolyard.world.simulated.pages import related_questions
from toolyard.world.simulated.product.buyers import Review, newest_reviews
from toolyard.world.simulated.product.goods import (
    Good,
    Offer,
    ShopQuery,
    WalmartItemId,
    find_item,
    goods_for_query,
    rating,
    search_goods,
    sold_at_walmart,
    store_offers,
    store_price,
)
from toolyard.world.simulated.product.kinds import complete_kind_name
from toolyard.world.simulated.product.shop_catalogue import titled_goods
from toolyard.world.tools.finance.yelp_businesses import yelp_reviews
from toolyard.world.tools.product.shop_queries import clean_query
from toolyard.world.tools.search.local_shops import split_what_and_where
from toolyard.world.tools.search.suggestions import relevance, usual_searches

GROUP = Group("Search/ShoppingSearch")
ItemQuery = Annotated[str, Semantic("walmart_item", accepts=("walmart_item_id", "product"))]
PlaceQuery = Annotated[str, Semantic("reviewed_business", accepts=("business_id",))]
_LISTED, _REVIEWS, _GUESTS, _NEAR = 12, 5, 3, 3
_ALIAS = re.compile(r"[a-z0-9']+(?:-[a-z0-9']+){2,}")
_FRESH = frozenset(("Dairy", "Produce", "Meat", "Seafood", "Frozen", "Bakery"))


class Suggestion(TypedDict):
    value: str
    kind: Literal["product", "category", "topic"]


class RankedSuggestion(Suggestion):
    relevance: int


class RelatedQuestion(TypedDict):
    question: str
    snippet: Prose
    link: Url


class BingResult(TypedDict):
    title: ProductName
    best_offer: Offer
    other_stores: list[str]


class Compared(TypedDict):
    title: ProductName
    category: list[str]
    lowest_usd: float
    highest_usd: float
    stores: int


class WalmartResult(TypedDict):
    us_item_id: WalmartItemId
    title: ProductName
    primary_offer: Money
    rating: float
    reviews: int
    two_day_shipping: bool
    seller_name: str


class ItemReviews(TypedDict):
    us_item_id: WalmartItemId
    title: ProductName
    overall_rating: float
    number_of_reviews: int
    reviews: list[Review]


class PlaceReview(TypedDict):
    user: PersonName
    rating: int
    text: Prose


class PlaceReviews(TypedDict):
    business_id: BusinessId
    name: str
    city: CityName
    rating: float
    total: int
    reviews: list[PlaceReview]


def _suggest_categories(kinds: list[str], query: str) -> list[Suggestion]:
    rows = complete([{"name": kind} for kind in kinds], query, "name", 4)
    return [{"value": row["name"].lower(), "kind": "category"} for row in rows]


@GROUP.tool(
    examples=[{"query": "coff"}, {"query": "clim"}],
    phrase="get the shopping search kit's Google autocomplete suggestions, goods included, for {query}",
    noun="the autocomplete suggestions from the shopping search kit",
    jobs=("completions",),
    listed_as="ShoppingAutocomplete",
)
def google_autocomplete_search(world: World, *, query: SearchText) -> list[RankedSuggestion]:
    """Ways to go on with a search that has begun: goods, kinds of goods and general topics.

    query: The beginning of a search.
    """
    if not plain(query):
        raise invalid("query", query, "give the beginning of a search")
    kinds = sorted({name for good in titled_goods() for name in good["category"]})
    named_kinds = complete_kind_name(plain(query))
    found: list[Suggestion] = [{"value": name, "kind": "category"} for name in named_kinds[:5]]
    found += _suggest_categories(kinds, query)
    found += [
        {"value": row["title"], "kind": "product"} for row in complete(titled_goods(), query, "title", 5)
    ]
    found += [{"value": text, "kind": "topic"} for text in usual_searches(" ".join(plain(query).split()))]
    unique = {plain(row["value"]): row for row in reversed(found) if plain(row["value"]) != plain(query)}
    if not unique:
        raise not_found("search that begins with", query[:60], such_as=("coffee", "shoes"))
    return [
        {**row, "relevance": relevance(world.seed, row["value"])} for row in list(unique.values())[::-1][:12]
    ]


@GROUP.tool(
    examples=[
        {"query": "What are the most popular tourist destinations in Europe?"},
        {"query": "espresso machine"},
    ],
    phrase="get the shopping search kit's Google list of questions people also ask about {query}",
    noun="the related questions from the shopping search kit",
    jobs=("related questions", "answers to questions"),
    listed_as="ShoppingRelatedQuestions",
)
def google_related_question_search(world: World, *, query: SearchText) -> list[RelatedQuestion]:
    """Questions that other people asked around a subject or a product, each with a short answer and a link.

    query: The subject.
    """
    goods = [_price_question(world.seed, good) for good in goods_for_query(world.seed, query)[:_NEAR]]
    try:
        asked = related_questions(world.seed, query)
    except ToolFault:
        if not goods:
            raise
        asked = []
    return [*QUESTION.rows(asked), *goods]


QUESTION = View.of(RelatedQuestion, snippet="answer", link="url")


def _price_question(seed: int, good: Good) -> RelatedQuestion:
    """What a good costs."""
    best = store_offers(seed, good)[0]
    return {
        "question": f"How much does the {good['title']} cost?",
        "snippet": f"The lowest price is {best['price']['amount']:.2f} dollars at {best['store']}.",
        "link": best["link"],
    }


@GROUP.tool(
    examples=[{"query": "wireless headphones"}],
    phrase="find the cheapest offers on Bing Shopping for {query}",
    noun="the Bing Shopping offers",
    jobs=("goods for sale",),
)
def bing_shopping_search(world: World, *, query: ShopQuery) -> list[BingResult]:
    """Goods for some words, each with its cheapest offer and the other stores that have it.

    query: What to buy.
    """
    found: list[BingResult] = []
    for good in search_goods(world.seed, clean_query(query))[:10]:
        ranked = store_offers(world.seed, good)
        found.append(
            {
                "title": good["title"],
                "best_offer": ranked[0],
                "other_stores": [offer["store"] for offer in ranked[1:]],
            }
        )
    return found


@GROUP.tool(
    examples=[{"query": "mechanical keyboard"}],
    phrase="find new and used listings on eBay for {query}",
    noun="the eBay listings",
    jobs=("goods for sale",),
    described_as="Gives listings of new and used goods on eBay, also auctions, twelve at most.",
)
def ebay_search(world: World, *, query: ShopQuery) -> list[Listing]:
    """eBay listings of new and used goods, auctions among them; fresh food is not sold there.

    query: What to buy.
    """
    near = [
        good
        for good in search_goods(world.seed, query)
        if not good["upc"] and good["category"][-1] not in _FRESH and good["category"][0] != "Gift Cards"
    ][:_LISTED]
    return ebay_listings(world.seed, near)


@GROUP.tool(
    examples=[{"query": "running shoes"}],
    phrase="compare the span of prices across stores on Yahoo Shopping for {query}",
    noun="the Yahoo Shopping price ranges",
    jobs=("goods for sale",),
)
def yahoo_shopping_search(world: World, *, query: ShopQuery) -> list[Compared]:
    """The span of prices of goods across stores.

    query: What to buy.
    """
    found: list[Compared] = []
    for good in search_goods(world.seed, clean_query(query))[:10]:
        prices = [offer["price"]["amount"] for offer in store_offers(world.seed, good)]
        found.append(
            {
                "title": good["title"],
                "category": good["category"],
                "lowest_usd": min(prices),
                "highest_usd": max(prices),
                "stores": len(prices),
            }
        )
    return found


@GROUP.tool(
    examples=[{"query": "coffee"}],
    phrase="see which items Walmart sells for {query}",
    noun="the Walmart items",
    jobs=("goods for sale",),
)
def walmart_search(world: World, *, query: ShopQuery) -> list[WalmartResult]:
    """What Walmart sells for some words, with price and rating, and the item id.

    query: What to buy.
    """
    found: list[WalmartResult] = []
    for good in sold_at_walmart(search_goods(world.seed, clean_query(query)))[:10]:
        stars, count = rating(world.seed, good)
        found.append(
            {
                "us_item_id": good["walmart_item_id"],
                "title": good["title"],
                "primary_offer": store_price(world.seed, good, "Walmart"),
                "rating": stars,
                "reviews": count,
                "two_day_shipping": seeds.unit(world.seed, "two day", good["product_id"]) < 0.6,
                "seller_name": "Walmart.com",
            }
        )
    return found


@GROUP.tool(
    examples=[{"query": "espresso machine"}, {"query": "Sony headphones"}],
    phrase="read what buyers say in the Walmart reviews of {query}",
    noun="the Walmart reviews",
)
def walmart_review_search(world: World, *, query: ItemQuery) -> ItemReviews:
    """Some buyers' reviews of one Walmart item, newest first, and how it is rated.

    query: Id of the item, as the Walmart search returns it, or words that name it.
    """
    good = find_item(world.seed, query)
    stars, count = rating(world.seed, good)
    return {
        "us_item_id": good["walmart_item_id"],
        "title": good["title"],
        "overall_rating": stars,
        "number_of_reviews": count,
        "reviews": newest_reviews(world.seed, good, _REVIEWS),
    }


def _first_sentence(text: str) -> str:
    return f"{text.partition('. ')[0].removesuffix('.')}."


def _find_business(world: World, query: str) -> Business:
    """The business of an id or alias, else the one that fits "name in city" (New York where none is named)."""
    try:
        return find_business(world.seed, query)
    except ToolFault:
        first, *rest = re.split(r"\bin\b|\bnear\b|,", query[:200])
        city = next((place for part in reversed(rest) if (place := city_or_none(part))), None)
        what, where = (first, city) if city else split_what_and_where(first)
        # An alias that nobody has is no kind of shop, and a town that nobody knows is not New York.
        lost = _ALIAS.fullmatch(query.strip()) or (not where and rest and rest[-1].strip()[:1].isupper())
        found = [] if lost else search_businesses(world.seed, where or find_city("New York"), what)
        if not found:
            raise not_found(
                "business for", query[:80], such_as=("sushi in London", "Flour and Salt, New York")
            ) from None
        return found[0]


@GROUP.tool(
    examples=[{"query": "pizza in San Francisco"}, {"query": "flour-and-salt-new-york"}],
    phrase="read what guests wrote in the Yelp reviews of {query}",
    noun="the Yelp reviews",
    jobs=("reviews of a business", "reviews of a hotel"),
)
def yelp_reviews_search(world: World, *, query: PlaceQuery) -> PlaceReviews:
    """What some guests wrote about one business, found by its id, alias, or by words and a city.

    query: Id or alias of the business, or words such as "pizza in San Francisco".
    """
    if not plain(query):
        raise invalid("query", query, "give an id, an alias, or words such as pizza in San Francisco")
    business = _find_business(world, query)
    rows = yelp_reviews(world, business_id_or_alias=business["id"], limit=_GUESTS)
    return {
        "business_id": business["id"],
        "name": business["name"],
        "city": business["city"],
        "rating": business["rating"],
        "total": rows["total"],
        "reviews": [
            {"user": row["user"], "rating": row["rating"], "text": _first_sentence(row["text"])}
            for row in rows["items"]
        ],
    }
