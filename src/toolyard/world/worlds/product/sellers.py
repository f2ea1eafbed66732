"""Which stores sell what: by the shelf, and the brands that only one chain has."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.world.faults import invalid, not_found
from toolyard.world.tables import plain, read_table
from toolyard.world.worlds.product.unlisted import cannot_be

_STORES: Mapping[str, tuple[str, ...]] = {
    "Electronics": ("Best Buy", "Amazon", "Newegg"),
    "Clothing": ("Macy's", "Amazon", "Nordstrom"),
    "Shoes": ("Macy's", "Zappos", "Amazon"),
    "Home": ("Home Depot", "Amazon", "Wayfair"),
    "Tools": ("Home Depot", "Amazon", "Lowe's"),
    "Garden": ("Home Depot", "Amazon", "Lowe's"),
    "Appliances": ("Home Depot", "Best Buy", "Lowe's"),
    "Pets": ("Chewy", "Petco", "Amazon"),
    "Sports": ("Dick's Sporting Goods", "Amazon"),
    "Auto": ("AutoZone", "Amazon"),
    "Office": ("Staples", "Amazon"),
}
# What only one chain sells, under names of its own.
_OWN_BRANDS = frozenset(
    "onn. Mainstays Equate George Hart Joyspun Pen+Gear EverStart Marketside ColorPlace Allswell Protege Avia".split()
) | {
    "Great Value", "Better Homes & Gardens", "Parent's Choice", "Ozark Trail", "Time and Tru", "Athletic Works",
    "Expert Grill", "Hyper Tough", "Special Kitty", "Ol' Roy", "Vibrant Life", "Wonder Nation", "Swiss Tech",
    "Free Assembly", "Spring Valley",
    "Super Tech", "Auto Drive", "Arctic King", "Expert Gardener", "Holiday Time", "Sam's Cola", "The Pioneer Woman",
    "Way to Celebrate", "Adventure Force", "Hotel Style",
}  # fmt: skip


@functools.cache
def _stores_of_brands() -> Mapping[str, tuple[str, ...]]:
    """Brand -> the only stores that have it; what is not here is in the large chains."""
    return {
        brand: tuple(row["stores"].split(";"))
        for row in read_table("brand_stores.tsv")
        for brand in row["brands"].split(";")
    }


def stores_with(brand: str, shelf: str) -> tuple[str, ...]:
    """The stores that sell a brand of a shelf."""
    if brand in _OWN_BRANDS:
        return ("Walmart",)
    if brand in _stores_of_brands():
        return _stores_of_brands()[brand]
    return ("Walmart", "Target", *_STORES.get(shelf, ("Amazon",)))


def asked_for(query: str) -> str:
    """What is asked for; a fault where it is nothing, or nothing that any shop has."""
    if not plain(query):
        raise invalid("query", query, "say what to buy, e.g. coffee")
    if cannot_be(query):
        raise not_found("goods for", query[:80], such_as=("coffee maker", "running shoes", "tv 55 inch"))
    return query


_SMALL = 10  # dollars from which prices end just below a whole number


def as_written(amount: float, store: str, *, exact: bool) -> float:
    """A price as stores write it: small ones to the cent, others just below a whole number of dollars."""
    if exact or amount < _SMALL:
        return round(amount, 2)
    return int(amount) - (0.03 if store == "Walmart" else 0.01)
