"""Reviews: what buyers of goods and users of apps write, newest first, around an average of stars."""

from __future__ import annotations

import functools
from datetime import timedelta
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.shared.people import person
from toolyard.world.state import EPOCH
from toolyard.world.tables import plain
from toolyard.world.types import PersonName, Prose
from toolyard.world.worlds.product.goods import Good, rating
from toolyard.world.worlds.product.opinions import Opinions

# How many of a hundred buyers give five stars to one star where the average is 4.8, and how that changes down to 3.8.
_AT_BEST, _FALL = (85, 11, 2, 1, 1), (-40, 11, 11, 7, 11)
_HIGHEST = 4.8
_DRAWS = 20


# What people buy again and again: by the shelf, or by what the title ends with.
_USED_UP = frozenset(("Groceries", "Beauty", "Health"))
_USED_UP_SHELVES = frozenset(
    (
        "Diapers",
        "Cleaning",
        "Laundry",
        "Paper",
        "Dishes",
        "Trash",
        "Batteries",
        "Fluids",
        "Gift Cards",
        "Underwear",
    )
)
_USED_UP_THINGS = (
    "diapers",
    "wipes",
    "tissues",
    "candles",
    "detergent",
    "batteries",
    "toilet paper",
    "paper towels",
)


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
    """So many reviews of a good or an app, newest first, around an average of stars."""
    given = _given(seed, key, stars, count, even=not of_app)
    said = Opinions(seeds.stream(seed, "opinions", key), of_app=of_app)
    return tuple(_fresh_review(seed, key, number, one, said) for number, one in enumerate(given))


def _given(seed: int, key: str, stars: float, count: int, *, even: bool) -> list[int]:
    """The stars of each review, which in every ten of them add up to the average where that is even."""
    drawn: list[int] = []
    below = max(0.0, min(1.5, _HIGHEST - stars))
    weights = [best + below * fall for best, fall in zip(_AT_BEST, _FALL, strict=True)]
    while len(drawn) < count:
        first, size = len(drawn), min(10, count - len(drawn))
        chance = seeds.stream(seed, "stars given", key, first)
        total = round(stars * (first + size))
        tens = [chance.choices((5, 4, 3, 2, 1), weights, k=size) for _ in range(_DRAWS if even else 1)]
        left = total - sum(drawn)
        drawn += min(tens, key=lambda ten: abs(left - sum(ten)))
        if even:
            _level(drawn, first, total)
    return drawn


def _level(drawn: list[int], first: int, total: int) -> None:
    """Raises or lowers the last reviews by a star at a time until all add up to a total, as far as stars allow."""
    places = range(first, len(drawn))
    while (missing := total - sum(drawn)) != 0:
        step = 1 if missing > 0 else -1
        open_ones = [place for place in places if 1 <= drawn[place] + step <= 5]
        if not open_ones:
            return
        drawn[max(open_ones, key=lambda place: drawn[place])] += step


def _fresh_review(seed: int, key: str, number: int, given: int, said: Opinions) -> Review:
    chance = seeds.stream(seed, "buyer", key, number)
    title, text = said.of(given)
    age = 1 + number + chance.randrange(2)  # about one a day
    return {
        "title": title,
        "text": text,
        "rating": given,
        "author": person(seed, "buyer", key, number)["name"],
        "date": (EPOCH - timedelta(days=age)).date().isoformat(),
        "helpful_votes": int(20 * chance.random() ** 2),
    }


def used_up(good: Good) -> bool:
    """Whether a good is eaten or worn out within weeks, so that nobody sells it used."""
    shelf = good["category"]
    return (
        shelf[0] in _USED_UP
        or shelf[-1] in _USED_UP_SHELVES
        or plain(good["title"]).endswith(_USED_UP_THINGS)
    )


def reviews_of(seed: int, good: Good, most: int) -> list[Review]:
    """The newest reviews of a good, at most so many, around its average of stars."""
    stars, count = rating(seed, good)
    return list(reviews(seed, good["product_id"], stars, min(count, most)))
