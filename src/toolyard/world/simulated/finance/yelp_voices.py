"""What customers write about a business: how it was, and what of it they remember, in the words of its trade."""

import functools
from collections.abc import Mapping, Sequence

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import read_table, table_texts, table_words
from toolyard.world.simulated.businesses import Business, is_chain, single_offers

# Of which trade a business is, by its category, else by its group.
_BY_ALIAS: Mapping[str, str] = table_texts("yelp_voices.by_alias")
_BY_GROUP = table_texts("yelp_voices.by_group")
# What is no dish though a place to eat offers it.
_NO_DISHES = frozenset(table_words("yelp_voices.no_dishes"))


@functools.cache
def _remarks_by_trade() -> Mapping[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]]:
    """Trade and mood -> how it was, and what people remember."""
    return {
        (row["group"], row["mood"]): (tuple(row["first"].split(";")), tuple(row["second"].split(";")))
        for row in read_table("review_remarks.tsv")
    }


@functools.cache
def _trade_words() -> Mapping[str, Mapping[str, str]]:
    """What customers say of one trade alone, by its category: of good, of middling and of bad work."""
    return {row["alias"]: row for row in read_table("trade_remarks.tsv")}


def business_trade(business: Business) -> str:
    """The trade in whose words customers write."""
    first = business["category_aliases"][0]
    eats = business["group"] in ("restaurants", "food")
    if eats and is_chain(business["name"]):
        return "chain"
    return _BY_ALIAS.get(first) or _BY_GROUP.get(business["group"], "other")


def _next_text(texts: Sequence[str], business: Business, number: int, what: str) -> str:
    """The next text for a business, all of them before one comes again."""
    count = len(texts)
    step = next(size for size in (7, 5, 3, 1) if count % size)
    return texts[(seeds.number(what, business["id"]) + step * number) % count]


def _ordered_dish(business: Business, number: int) -> str:
    """What a customer had: something that the house offers."""
    offers = [one for one in single_offers(business["offers"]) if one not in _NO_DISHES] or ["food"]
    return _next_text(offers, business, number, "dish")


def review_text(business: Business, rating: int, number: int) -> str:
    """What a customer wrote who gave so many stars."""
    mood = "good" if rating > 3 else "fair" if rating == 3 else "bad"
    firsts, seconds = _remarks_by_trade()[business_trade(business), mood]
    opening = _next_text(firsts, business, number, "opening")
    special = _trade_words().get(business["category_aliases"][0])
    if special and number % 2 == 0:
        return f"{opening} {_next_text(special[mood].split(';'), business, number // 2, 'trade')}"
    offer = _ordered_dish(business, number)
    many = offer.endswith("s") and not offer.endswith("ss")
    numbers = {"is": "are", "was": "were", "it": "they"} if many else {"is": "is", "was": "was", "it": "it"}
    said = _next_text(seconds, business, number, "remark").format(offer=offer, **numbers)
    return f"{opening} {said}"
