"""Where a shop puts a product, by its title."""

from __future__ import annotations

import re

from toolyard.world.search import words
from toolyard.world.tables import plain
from toolyard.world.worlds.food.products import Product

_AMOUNT = re.compile(
    r"\b\d[\d.,]*\s*(?:%|x|ml|cl|l|g|kg|oz|lb|lbs|ct|pack|pcs)?\b|\b(?:ml|cl|l|g|kg|oz|lb|pack)\b", re.I
)


_PACKED = frozenset(
    "bag bags box boxes bottle bottles jar jars can cans carton cartons tin tins pack packet pouch".split()
)


# Words of titles that name no food: spaghetti no. 5 is not juice with no pulp.
_FILLING = frozenset("no no. nr nr. number the with without and of & in for".split())


def bare_title(title: str) -> str:
    """A title without amounts, sizes, what it is packed in and words that name no food."""
    kept = [
        word
        for word in _AMOUNT.sub(" ", title).split()
        if plain(word) not in _PACKED and plain(word) not in _FILLING
    ]
    return " ".join(kept) or title


def of_its_kind(found: list[Product], title: str) -> list[Product]:
    """Products whose words have the last word of a title come first: oat milk is milk, and butter cookies are cookies."""
    head = set(words(bare_title(title))[-1:])
    return sorted(found, key=lambda row: not head & set(words(f"{row.title} {' '.join(row.path)}")))


_PLANTS = frozenset("oat soy soya almond coconut rice cashew hemp pea hazelnut".split())
_FISH = frozenset("salmon cod tuna trout haddock halibut tilapia mackerel herring".split())


def shelf_of(title: str, like: Product) -> tuple[str, tuple[str, ...]]:
    """Category and place in the shop: those of a product that is alike, unless words of the title say otherwise."""
    said = set(plain(title).split())
    if said & _PLANTS and said & {"milk", "drink", "yogurt", "creamer"}:
        return "plant-based drink", ("Beverages", "Plant-Based Milk")
    if said & _FISH and "frozen" in like.category and not said & {"frozen", "canned", "smoked"}:
        return "fish", ("Seafood", "Fresh Fish")
    return like.category, like.path
