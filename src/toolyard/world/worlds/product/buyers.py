"""Reviews: what buyers of goods and users of apps write, newest first, around an average of stars."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from datetime import timedelta
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.shared.people import person
from toolyard.world.state import EPOCH
from toolyard.world.tables import plain
from toolyard.world.types import PersonName, Prose
from toolyard.world.worlds.product.goods import Good
from toolyard.world.worlds.product.opinions import Opinions, remarked_as

_OF_SHELVES: Mapping[str, str] = {
    "Electronics": "device", "Kitchen": "kitchen", "Appliances": "kitchen", "Clothing": "worn", "Shoes": "worn",
    "Bags": "carried", "Jewelry": "carried", "Watches": "carried", "Toys": "toy", "Home": "home", "Office": "home",
    "Tools": "tool", "Garden": "tool", "Auto": "tool", "Sports": "sport", "Pets": "pet", "Books": "read",
}  # fmt: skip
# How many of a hundred buyers give five stars to one star where the average is 4.8, and how that changes down to 3.8.
_AT_BEST, _FALL = (85, 11, 2, 1, 1), (-40, 11, 11, 7, 11)
_HIGHEST = 4.8
_DRAWS = 20


# As many as people write of a thing in half a year.
_MONTHS_OF = 36
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
# Machines that stand among furniture, and consoles, with which nobody works.
_PLAIN_SHELVES = frozenset(
    ("Vacuums", "Irons", "Air", "Safety", "Security", "Outdoor", "Game Consoles", "Video Games")
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
def reviews(
    seed: int, key: str, name: str, stars: float, count: int, manner: str = "owned"
) -> tuple[Review, ...]:
    """So many reviews of a good or an app, newest first, around an average of stars."""
    given = _given(seed, key, stars, count, even=manner != "app")
    listed = 0 if manner == "app" else count
    said = Opinions(seeds.stream(seed, "opinions", key), manner)
    return tuple(_fresh_review(seed, key, number, listed, one, said) for number, one in enumerate(given))


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


def _fresh_review(seed: int, key: str, number: int, count: int, given: int, said: Opinions) -> Review:
    chance = seeds.stream(seed, "buyer", key, number)
    title, text = said.of(given, chance)
    # Where there are many, several a week.
    step = 6 if count <= _MONTHS_OF else min(6 * _MONTHS_OF, 18_000 / count) / count
    age = 2 + int(step * number) + chance.randrange(6) * (count <= _MONTHS_OF)
    return {
        "title": title,
        "text": text,
        "rating": given,
        "author": person(seed, "buyer", key, number)["name"],
        "date": (EPOCH - timedelta(days=age)).date().isoformat(),
        "helpful_votes": int(60 * chance.random() ** 2),
    }


def used_up(good: Good) -> bool:
    """Whether a good is eaten or worn out within weeks, so that nobody sells it used."""
    shelf = good["category"]
    return (
        shelf[0] in _USED_UP
        or shelf[-1] in _USED_UP_SHELVES
        or plain(good["title"]).endswith(_USED_UP_THINGS)
    )


def reviews_of(seed: int, good: Good, stars: float, count: int) -> list[Review]:
    """So many reviews of a good, newest first, around an average of stars."""
    shelf = "Bags" if good["category"] == ["Clothing", "Accessories"] else good["category"][0]
    kind = "" if shelf == "Books" else remarked_as(good["title"], good["specs"].get("Kind", ""))
    manner = kind or ("used up" if used_up(good) else _OF_SHELVES.get(shelf, "owned"))
    if not kind and good["category"][-1] in _PLAIN_SHELVES:
        manner = "owned"
    return list(reviews(seed, good["product_id"], good["title"], stars, count, manner))
