"""Listings on eBay: what sellers ask for new and used goods, and what is bid for them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.types import Money, ProductName, Url
from toolyard.world.worlds.product.buyers import used_up
from toolyard.world.worlds.product.goods import Good

_OLD = re.compile(r"\b(?:vintage|antique|retro|used|second[- ]?hand)\b", re.IGNORECASE)


class Listing(TypedDict):
    """An eBay listing; bids only on auctions."""

    title: ProductName
    condition: Literal["New", "Open box", "Used", "Refurbished"]
    price: Money
    shipping_usd: float
    format: Literal["Auction", "Buy It Now"]
    bids: int
    seller: str
    link: Url


def _listing(seed: int, good: Good, number: int) -> Listing:
    chance = seeds.stream(seed, "ebay", good["product_id"], number)
    condition: Literal["New", "Open box", "Used", "Refurbished"]
    condition, worth = chance.choice(
        (("New", 0.97), ("Open box", 0.85), ("Used", 0.62), ("Refurbished", 0.74))
    )
    if used_up(good):
        condition, worth = "New", 0.97
    if _OLD.search(good["title"]):
        condition, worth = "Used", 0.62
    if condition == "Refurbished" and good["category"][0] not in (
        "Electronics",
        "Tools",
        "Watches",
        "Music",
        "Home",
    ):
        condition = "Used"
    auction = condition != "New" and chance.random() < 0.5
    price = good["cents"] / 100 * worth * (0.85 + 0.25 * chance.random()) * (0.7 if auction else 1.0)
    return {
        "title": good["title"],
        "condition": condition,
        "price": {"amount": round(price, 2), "currency": "USD"},
        "shipping_usd": chance.choice((0.0, 0.0, 4.95, 9.9)),
        "format": "Auction" if auction else "Buy It Now",
        "bids": chance.randrange(0, 30) if auction else 0,
        "seller": f"{chance.choice(('blue', 'happy', 'fast', 'old'))}_{chance.choice(('shop', 'fox', 'attic'))}_{number}",
        "link": f"https://ebay.example/itm/{seeds.token(12, seed, good['product_id'], number)}",
    }


def ebay_listings(seed: int, found: Sequence[Good], each: int) -> list[Listing]:
    """So many listings of each good; nobody asks more for a used one than for a new one."""
    rows = [_listing(seed, good, number) for good in found for number in range(each)]
    for first, second in itertools.pairwise(rows):
        new, other = (first, second) if first["condition"] == "New" else (second, first)
        if new["title"] == other["title"] and new["condition"] == "New" and other["condition"] != "New":
            most = min(other["price"]["amount"], round(0.9 * new["price"]["amount"], 2))
            other["price"] = {"amount": most, "currency": "USD"}
    return rows
