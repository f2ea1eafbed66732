"""Search: how common beginnings go on: what one bakes and cooks, the best of things, contests with their places."""

from __future__ import annotations

import functools
import re

from toolyard.world.shared.entries import completed
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.found_pictures import SIGHTS
from toolyard.world.shared.geography import cities, countries, find_city
from toolyard.world.shared.sights import famous_cities
from toolyard.world.shared.subjects import known_words
from toolyard.world.tables import plain, read_table

# What is held or looked for at places, so that the name of one may follow.
_HELD = frozenset((
    "cup", "championship", "championships", "festival", "marathon", "expo", "prix", "summit",
    "conference", "concert", "carnival", "fair", "hotels", "flights", "restaurants", "museums", "airport", "weather",
    "map", "jobs", "apartments", "tour", "tours", "zoo", "university", "metro",
))  # fmt: skip
# Questions after a name, and what it may be the name of; after the others of what is no person.
_OF_NAMES = re.compile(
    r"((?:what is|who is|who was|where is|history of|meaning of|facts about)(?: the| an?)?) (.{3,})"
)
_PLACES = frozenset(("city", "country", "place", *SIGHTS))
_WORKS = frozenset(
    ("person", "song", "album", "film", "band", "book", "company", "television series", "video game")
)
_TOWNS, _OF_ONE_START = 150, 3


@functools.cache
def _texts() -> tuple[tuple[str, ...], ...]:
    """The texts of each common beginning, in the order in which people want them."""
    return tuple(
        tuple(f"{row['start']} {end}" for end in row["ends"].split(";")) for row in read_table("typed_on.tsv")
    )


def written_on(typed: str) -> list[str]:
    """Searches with a common beginning that go on from what was typed, a few of each while the beginning is not whole."""
    groups = [[text for text in group if plain(text).startswith(f"{typed} ")] for group in _texts()]
    begun = [[text for text in group if plain(text).startswith(typed)] for group in _texts()]
    found = [text for group in groups for text in group]
    if len(found) < _OF_ONE_START:
        found += [text for group in begun for text in group[:_OF_ONE_START]]
    found += [*_of_names(typed), *_at_places(typed)]
    return [text for text in dict.fromkeys(found) if plain(text) != typed]


def _of_names(typed: str) -> list[str]:
    """Questions about what the last words begin to name: what is dark, what is dark matter."""
    asked = _OF_NAMES.fullmatch(typed)
    if asked is None:
        return []
    rows = [row for row in completed(asked[2], 8) if plain(row["title"]).startswith(asked[2])]
    names = [row["title"].lower() for row in rows if _is_asked(asked[1], row)]
    whole = asked[1].endswith((" the", " a", " an"))
    return [
        f"{asked[1]} {name}"
        for name in names
        if name.replace(" ", "").isalpha() and (" " in name or not whole)
    ]


def _is_asked(question: str, entry: Entry) -> bool:
    """Whether one asks so of an entry: who of people, was of the dead, where of places, what of all else."""
    kind, dead = entry["kind"], "P570" in entry["properties"]
    if question.startswith("who"):
        return kind == "person" and dead == question.startswith("who was")
    return kind in _PLACES if question.startswith("where") else kind not in _WORKS


@functools.cache
def _places() -> tuple[str, ...]:
    known = (*map(find_city, famous_cities()), *cities()[:_TOWNS])
    return tuple(dict.fromkeys(place["name"].lower() for place in (*known, *countries())))


def _at_places(typed: str) -> list[str]:
    """Contests and the like with the places that the last word begins to name: film festival ven, venice."""
    head, _, last = typed.rpartition(" ")
    if not _HELD & set(head.split()) or not last:
        return []
    return [f"{head} {name}" for name in _places() if plain(name).startswith(last)][:6]


def whole_on(typed: str) -> list[str]:
    """What may follow a whole search for how something is done or for the best of things; nothing after others."""
    start = next((start for start in _ENDS if typed.startswith(start)), "")
    last = typed.rpartition(" ")[2]
    whole = start and len(last) > 3 and known_words(typed)
    return [f"{typed} {end}" for end in _ENDS[start]] if whole else []


_ENDS = {"how to ": ("step by step", "for beginners", "at home"), "best ": ("2024", "near me", "reddit")}
