"""Reviews: what buyers of goods and users of apps write, newest first, around an average of stars."""

import functools
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import values_of
from toolyard.world.kernel.types import PersonName, Prose
from toolyard.world.reference.people import person
from toolyard.world.simulated.product.goods import Good, rating

# How many of a hundred buyers give five stars to one star where the average is 4.8, and what a star less changes.
_AT_BEST, _FALL = (85, 11, 2, 1, 1), (-40, 11, 11, 7, 11)
_HIGHEST = 4.8
_TITLES: tuple[tuple[str, str, str, str], ...] = tuple(values_of("buyers.titles").values())
_APP: Mapping[str, Sequence[str]] = values_of("buyers.app")
_GOODS: Mapping[str, Sequence[str]] = values_of("buyers.goods")
# Shelves of what people buy again and again.
_USED_UP = frozenset(("Groceries", "Beauty", "Health", "Diapers", "Cleaning", "Laundry", "Paper", "Dishes", "Trash",
                      "Batteries", "Fluids", "Gift Cards", "Underwear"))  # fmt: skip


class Review(TypedDict):
    """What a buyer says; `date` is the day it was written."""

    title: str
    text: Prose
    rating: int
    author: PersonName
    date: str
    helpful_votes: int


@functools.lru_cache(maxsize=256)
def reviews(seed: int, key: str, stars: float, count: int, *, of_app: bool = False) -> tuple[Review, ...]:
    """So many reviews of a good or an app, newest first, around an average of stars; no two as helpful as each other."""
    chance, texts = seeds.stream(seed, "reviews", key), _APP if of_app else _GOODS
    below = max(0.0, min(2.0, _HIGHEST - stars))
    weights = [max(1.0, best + below * fall) for best, fall in zip(_AT_BEST, _FALL, strict=True)]
    votes = chance.sample(range(3 * count), count)
    found: list[Review] = []
    for number, given in enumerate(chance.choices((5, 4, 3, 2, 1), weights, k=count)):
        tone = "praise" if given > 3 else "mixed" if given == 3 else "anger"
        found.append(
            {
                "title": chance.choice(_TITLES[given - 1]),
                "text": chance.choice(texts[tone]),
                "rating": given,
                "author": person(seed, "buyer", key, number)["name"],
                "date": (EPOCH - timedelta(days=1 + number)).date().isoformat(),
                "helpful_votes": votes[number],
            }
        )
    return tuple(found)


def newest_reviews(seed: int, good: Good, most: int) -> list[Review]:
    """The newest reviews of a good, at most so many, around its average of stars."""
    stars, count = rating(seed, good)
    return list(reviews(seed, good["product_id"], stars, min(count, most)))


def is_consumable(good: Good) -> bool:
    """Whether a good is eaten or worn out within weeks, so that nobody sells it used."""
    return not _USED_UP.isdisjoint(good["category"])
