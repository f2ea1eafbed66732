"""Reviews: what buyers of goods and users of apps write, newest first, around an average of stars."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from datetime import timedelta
from typing import Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.shared.people import person
from toolyard.world.state import EPOCH
from toolyard.world.tables import plain
from toolyard.world.types import PersonName, Prose
from toolyard.world.worlds.product.goods import Good
from toolyard.world.worlds.product.opinions import Opinions

# How people come by what they write about.
Manner = Literal[
    "owned",
    "used up",
    "app",
    "read",
    "device",
    "kitchen",
    "worn",
    "carried",
    "toy",
    "home",
    "tool",
    "sport",
    "pet",
]
_OF_SHELVES: Mapping[str, Manner] = {
    "Electronics": "device", "Kitchen": "kitchen", "Appliances": "kitchen", "Clothing": "worn", "Shoes": "worn",
    "Bags": "carried", "Jewelry": "carried", "Watches": "carried", "Toys": "toy", "Home": "home", "Office": "home",
    "Tools": "tool", "Garden": "tool", "Auto": "tool", "Sports": "sport", "Pets": "pet", "Books": "read",
}  # fmt: skip
_PRAISE = ("Exactly as described.", "It does what it should, I would choose it again.",
           "Better than the one I had before.", "My whole family likes it.")  # fmt: skip
_BLAME = ("It stopped pleasing me after a while.", "Not what I expected from the pictures.",
          "The service is slow to answer.", "All right, but others do it better.")  # fmt: skip
_BROKE, _FEW_WEEKS = "It broke after a few weeks.", 10
_ANGER = (_BROKE, "Not at all like the pictures.", "Nobody answers when there is a problem.",
          "I have sent it back.")  # fmt: skip


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
# What users write of apps, which do not break and are not sent back.
_APP_PRAISE = ("Does what it should, every day.", "Much better since the last update.", "Easy to use from the first minute.",
               "My whole family uses it.", "I have tried others and came back to this one.")  # fmt: skip
_APP_BLAME = ("Good, but it drains the battery.", "Too many notifications.", "All right, but others do it better.",
              "The new look takes getting used to.")  # fmt: skip
_APP_ANGER = ("It crashes since the last update.", "It logs me out every few days.", "Nobody answers my questions.",
              "Too slow on an older phone.")  # fmt: skip


# The rows that are shipped quote reviews of these.
_QUOTED_REVIEWS = frozenset(
    (
        "584125436",
        "341232718",
        "14862886035971708309",
        "26914774874440693147",
        "10768428155140877220",
        "11657647681911771066",
    )
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
    seed: int, key: str, name: str, stars: float, count: int, manner: Manner = "owned"
) -> tuple[Review, ...]:
    """So many reviews of a good or an app, newest first, around an average of stars."""
    if key not in _QUOTED_REVIEWS:
        given = _given(seed, key, stars, count, even=manner != "app")
        listed = 0 if manner == "app" else count
        said = Opinions(seeds.stream(seed, "opinions", key), manner)
        return tuple(_fresh_review(seed, key, number, listed, one, said) for number, one in enumerate(given))
    return tuple(_review(seed, key, name, stars, number, manner) for number in range(count))


def _given(seed: int, key: str, stars: float, count: int, *, even: bool) -> list[int]:
    """The stars of each review, which in every ten of them add up to the average where that is even."""
    drawn: list[int] = []
    for number in range(count):
        chance = seeds.stream(seed, "buyer", key, number)
        one = max(1, min(5, round(stars + chance.choice((-3, -1, 0, 0, 0, 0, 1)))))
        # Who is angry at an app mostly gives it the least there is.
        drawn.append(1 if not even and one == 2 and chance.random() < 0.7 else one)
        if even and (number % 10 == 9 or number == count - 1):
            _level(drawn, number // 10 * 10, round(stars * len(drawn)))
    return drawn


def _level(drawn: list[int], first: int, total: int) -> None:
    """Raises or lowers the last reviews by a star at a time until all add up to a total, as far as stars allow."""
    places = range(first, len(drawn))
    while (missing := total - sum(drawn)) != 0:
        step = 1 if missing > 0 else -1
        open_ones = [place for place in places if 1 <= drawn[place] + step <= 5]
        if not open_ones:
            return
        drawn[(min if step > 0 else max)(open_ones, key=lambda place: drawn[place])] += step


def _review(seed: int, key: str, name: str, stars: float, number: int, manner: Manner) -> Review:
    app = manner == "app"
    chance = seeds.stream(seed, "buyer", key, number)
    given = max(1, min(5, round(stars + chance.choice((-2, -1, 0, 0, 0, 1)))))
    praise, blame, anger = (_APP_PRAISE, _APP_BLAME, _APP_ANGER) if app else (_PRAISE, _BLAME, _ANGER)
    text = chance.choice(praise if given > 3 else blame if given == 3 else anger)
    weeks = chance.randrange(2, 30)
    return {
        "title": ("Disappointing", "Not great", "All right", "Very good", "Excellent")[given - 1],
        "text": _used_up(text, name, given, weeks)
        if manner == "used up"
        else _used(text, name, given, weeks, "used" if app else "had"),
        "rating": given,
        "author": person(seed, "buyer", key, number)["name"],
        "date": (EPOCH - timedelta(days=2 + 6 * number + chance.randrange(6))).date().isoformat(),
        "helpful_votes": chance.randrange(0, 60),
    }


def _fresh_review(seed: int, key: str, number: int, count: int, given: int, said: Opinions) -> Review:
    chance = seeds.stream(seed, "buyer", key, number)
    chance.choice((-3, -1, 0, 0, 0, 0, 1))
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
    manner: Manner = "used up" if used_up(good) else _OF_SHELVES.get(shelf, "owned")
    if good["category"][-1] in _PLAIN_SHELVES:
        manner = "owned"
    return list(reviews(seed, good["product_id"], good["title"], stars, count, manner))


def _used(text: str, name: str, given: int, weeks: int, had: str) -> str:
    if text == _BROKE:
        weeks = weeks if weeks <= _FEW_WEEKS else 2 + weeks % (_FEW_WEEKS - 1)
    return f"{text} I {had if given < 3 else f'have {had}'} {name} for {weeks} weeks."


def _used_up(text: str, name: str, given: int, weeks: int) -> str:
    """What a buyer writes of a thing that does not last."""
    if given < 3:
        return f"{'Not for me.' if text == _BROKE else text} I bought {name} once."
    return f"{text} I have bought {name} {2 + weeks % 6} times."
