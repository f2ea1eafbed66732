"""Listings on eBay: what sellers ask for new and used goods, and what is bid for them."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from random import Random
from typing import Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.search import words
from toolyard.world.tables import read_table
from toolyard.world.types import Money, ProductName, Url
from toolyard.world.worlds.product.buyers import used_up
from toolyard.world.worlds.product.goods import Good

_OLD = re.compile(r"\b(?:vintage|antique|retro|used|second[- ]?hand|pre-owned)\b", re.IGNORECASE)
# What nobody opens before it is sold, and what makers take back and repair.
_SEALED = re.compile(r"\b(?:trading cards|booster|blank)\b", re.IGNORECASE)
_REPAIRED = ("Electronics", "Appliances", "Kitchen")
_SELLERS = (
    (
        "blue",
        "happy",
        "fast",
        "old",
        "river",
        "north",
        "attic",
        "lucky",
        "second",
        "oak",
        "retro",
        "garage",
        "main",
        "bay",
    ),
    (
        "shop",
        "fox",
        "finds",
        "store",
        "deals",
        "corner",
        "trader",
        "closet",
        "market",
        "barn",
        "goods",
        "pine",
    ),
)
_LISTED = 12
_SMALL = 5
_DEAR = 300_000


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


def _listing(seed: int, good: Good) -> Listing:
    chance = seeds.stream(seed, "ebay", good["product_id"], 0)
    condition: Literal["New", "Open box", "Used", "Refurbished"]
    condition, worth = chance.choice(
        (("New", 0.97), ("Open box", 0.85), ("Used", 0.62), ("Refurbished", 0.74))
    )
    if used_up(good) or _SEALED.search(good["title"]):
        condition, worth = "New", 0.97
    if _OLD.search(good["title"]):
        condition, worth = "Used", 0.62
    if condition == "Refurbished" and good["category"][0] not in _REPAIRED:
        condition = "Used"
    if condition == "Open box" and good["category"][0] in ("Clothing", "Shoes", "Jewelry", "Books"):
        condition = "New"
    dear = good["cents"] > _DEAR  # such things keep their worth, and nobody leaves their price to bidders
    worth = max(worth, 0.9) if dear else worth
    auction = condition != "New" and chance.random() < 0.5 and not dear
    price = good["cents"] / 100 * worth * (0.85 + 0.25 * chance.random()) * (0.85 if auction else 1.0)
    return _offered(good["title"], condition, price, auction, f"{good['product_id']} 0", chance)


def _offered(
    title: str,
    condition: Literal["New", "Open box", "Used", "Refurbished"],
    price: float,
    auction: bool,
    key: str,
    chance: Random,
) -> Listing:
    """A listing; who sells at once asks for 99 cents at the end, what is bid is as it is."""
    amount = round(price, 2) if auction or price < _SMALL else int(price) + 0.99
    first, second = (chance.choice(names) for names in _SELLERS)
    return {
        "title": title,
        "condition": condition,
        "price": {"amount": amount, "currency": "USD"},
        "shipping_usd": chance.choice((0.0, 0.0, 4.99, 9.99)),
        "format": "Auction" if auction else "Buy It Now",
        "bids": chance.randrange(1, 25) if auction else 0,
        "seller": f"{first}_{second}_{chance.randrange(10, 99)}",
        "link": f"https://ebay.example/itm/{seeds.token(12, 'ebay', key)}",
    }


@functools.cache
def _finds() -> tuple[tuple[tuple[frozenset[str], ...], str], ...]:
    return tuple(
        (tuple(frozenset(words(text)) for text in row["asked"].split(";")), row["finds"])
        for row in read_table("ebay_finds.tsv")
    )


def old_finds(seed: int, query: str) -> list[Listing]:
    """Well-known old things that collectors look for: used, and those first that have more words of a query."""
    asked = set(words(query)) - {"old", "vintage", "used", "retro", "antique"} or set(words(query))
    said = set(words(query))
    fitting = [
        (max((len(name) for name in names if name <= said), default=0), found) for names, found in _finds()
    ]
    size, found = max(fitting, key=lambda row: row[0])
    if not size:
        return []
    pairs = [pair.rpartition("|") for pair in found.split(";")]
    titled = [pair for pair in pairs if asked <= set(words(pair[0]))]
    rows = []
    for title, _, price in (titled or pairs)[:_LISTED]:
        chance = seeds.stream(seed, "old find", title)
        auction = chance.random() < 0.5
        worth = float(price) * (0.8 + 0.35 * chance.random()) * (0.8 if auction else 1.0)
        rows.append(_offered(title, "Used", worth, auction, title, chance))
    return rows


def ebay_listings(seed: int, found: Sequence[Good], query: str = "") -> list[Listing]:
    """A listing of each good, used ones where these are asked for."""
    rows = [_listing(seed, good) for good in found]
    return [row for row in rows if row["condition"] != "New"] or rows if _OLD.search(query) else rows
