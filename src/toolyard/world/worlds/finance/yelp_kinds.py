"""Finance/Yelp: the tree of categories, and what is searched for in them."""

from __future__ import annotations

from collections.abc import Sequence

from toolyard.world.shared.businesses import BusinessKind, kinds, more_kinds, single_offers
from toolyard.world.shared.geography import plain

PARENTS = {
    "food": "Food", "nightlife": "Nightlife", "shopping": "Shopping", "homeservices": "Home Services",
    "auto": "Automotive", "localservices": "Local Services", "pets": "Pets", "professional": "Professional Services",
    "beautysvc": "Beauty & Spas", "health": "Health & Medical", "active": "Active Life",
    "fitness": "Fitness & Instruction", "arts": "Arts & Entertainment", "travel": "Hotels & Travel",
    "education": "Education", "financialservices": "Financial Services", "realestate": "Real Estate",
    "eventservices": "Event Planning & Services", "transport": "Transportation",
}  # fmt: skip

# Categories that are parts of other ones, and those that are listed under another alias too.
ABOVE = {
    "ramen": ["japanese", "restaurants"],
    "fitness": ["active"],
    "hotels": ["travel"],
    "hostels": ["hotels", "travel"],
    "vet": ["pets"],
    "groomer": ["petservices", "pets"],
    "petstore": ["pets"],
}
DOUBLES = frozenset(("thriftstores", "physio"))
# Things that a category of categories names at most.
_NAMED = 12


def above(kind: BusinessKind) -> list[str]:
    """The categories that a category is part of."""
    return ABOVE.get(kind["alias"], kind["parents"])


def offers_of(below: Sequence[BusinessKind]) -> list[str]:
    """What the categories below one offer, the first thing of each."""
    return list(dict.fromkeys(single_offers(kind["offers"])[0] for kind in below))[:_NAMED]


def kind_of(alias: str) -> BusinessKind | None:
    """The category of an alias; None for one of categories, and where there is none."""
    return next((kind for kind in (*kinds(), *more_kinds()) if kind["alias"] == plain(alias)), None)


def terms(text: str) -> list[str]:
    """What people search for that begins so: things that businesses offer, and kinds of them."""
    all_kinds, begun = (*kinds(), *more_kinds()), plain(text)
    offers = {word for kind in all_kinds for word in single_offers(kind["offers"])}
    found = sorted(word for word in offers if word.startswith(begun))
    titles = sorted(kind["title"].lower() for kind in all_kinds if plain(kind["title"]).startswith(begun))
    return list(dict.fromkeys(found or titles))
