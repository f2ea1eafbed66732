"""Finance/Yelp: the tree of categories, and what is searched for in them."""

from collections.abc import Sequence

from toolyard.world.kernel.tables import table_texts
from toolyard.world.reference.places.geography import plain
from toolyard.world.simulated.businesses import BusinessKind, listed_kinds, single_offers, unlisted_kinds

PARENTS = table_texts("yelp_kinds.parents")

# Categories of categories that are part of another one.
ABOVE = {"fitness": ["active"]}
# Things that a category of categories names at most.
_NAMED = 12


def every_kind() -> tuple[BusinessKind, ...]:
    """All categories that have businesses, each once."""
    found: dict[str, BusinessKind] = {}
    for kind in (*listed_kinds(), *unlisted_kinds()):
        found.setdefault(kind["alias"], kind)
    return tuple(found.values())


def offers_below(below: Sequence[BusinessKind]) -> list[str]:
    """What the categories below one offer, the first thing of each."""
    return list(dict.fromkeys(single_offers(kind["offers"])[0] for kind in below))[:_NAMED]


def find_kind(alias: str) -> BusinessKind | None:
    """The category of an alias; None for one of categories, and where there is none."""
    return next((kind for kind in every_kind() if kind["alias"] == plain(alias)), None)


def terms(text: str) -> list[str]:
    """What people search for that begins so: things that businesses offer, and kinds of them."""
    all_kinds, begun = every_kind(), plain(text)
    offers = {word for kind in all_kinds for word in single_offers(kind["offers"])}
    found = sorted(word for word in offers if word.startswith(begun))
    titles = sorted(kind["title"].lower() for kind in all_kinds if plain(kind["title"]).startswith(begun))
    return list(dict.fromkeys(found or titles))
