"""Listings on eBay: what sellers ask for new and used goods, and what is bid for them."""

from collections.abc import Sequence
from typing import Literal, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import values_of
from toolyard.world.kernel.types import Money, ProductName, Url
from toolyard.world.simulated.product.buyers import is_consumable
from toolyard.world.simulated.product.goods import Good

Condition = Literal["New", "Open box", "Used", "Refurbished"]
_WORTH: tuple[tuple[Condition, float], ...] = tuple(values_of("ebay_listings.worth").values())
_SELLERS = (
    "blue happy fast old river north attic lucky second oak retro garage main bay".split(),
    "shop fox finds store deals corner trader closet market barn goods pine".split(),
)


class Listing(TypedDict):
    """An eBay listing; bids only on auctions."""

    title: ProductName
    condition: Condition
    price: Money
    shipping_usd: float
    format: Literal["Auction", "Buy It Now"]
    bids: int
    seller: str
    link: Url


def _make_listing(seed: int, good: Good) -> Listing:
    chance = seeds.stream(seed, "ebay", good["product_id"], 0)
    condition, worth = _WORTH[0] if is_consumable(good) else chance.choice(_WORTH)
    auction = condition != "New" and chance.random() < 0.5
    price = good["cents"] / 100 * worth * chance.uniform(0.85, 1.1) * (0.85 if auction else 1.0)
    first, second = (chance.choice(names) for names in _SELLERS)
    return {
        "title": good["title"],
        "condition": condition,
        "price": {"amount": round(price, 2), "currency": "USD"},
        "shipping_usd": chance.choice((0.0, 0.0, 4.99, 9.99)),
        "format": "Auction" if auction else "Buy It Now",
        "bids": chance.randrange(1, 25) if auction else 0,
        "seller": f"{first}_{second}_{chance.randrange(10, 99)}",
        "link": f"https://ebay.example/itm/{seeds.token(12, 'ebay', good['product_id'], 0)}",
    }


def ebay_listings(seed: int, found: Sequence[Good]) -> list[Listing]:
    """A listing of each good."""
    return [_make_listing(seed, good) for good in found]
