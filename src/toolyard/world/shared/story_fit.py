"""Stories in words that fit what they are told about."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

_WITH_SAMPLES = frozenset(("genetic engineering", "nanotechnology"))
_SHOWN = ("the sea", "childhood", "bridges", "gardens", "letters", "light and shade", "home")
_TAUGHT = ("machine learning", "computer vision", "quantum computing", "climate change")


Row = TypeVar("Row", bound=Mapping[str, Any])
_PLAIN_WORD = re.compile(r"\b[^\W\d_A-ZÀ-Ý][^\W\d_]{3,}\b")


# What is put into headlines: they tell the same with another habit or subject of art.
_PUT_IN = frozenset(
    "daily walking green regular swimming yoga less screen time diet "
    "childhood bridges gardens letters light shade home".split()
)


@functools.lru_cache(maxsize=8192)
def story_form(title: str) -> frozenset[str]:
    """What is left of a headline without names, numbers and small words: a city does not open bus lines every week."""
    return frozenset(_PLAIN_WORD.findall(title)) - _PUT_IN or frozenset((title,))


def told_once(rows: Iterable[Row], events: int, monthly: bool = False) -> list[Row]:
    """The articles less invented ones that repeat the form of an earlier one; those from this number on are no inventions.

    monthly: Whether the same form may come again in another month.
    """
    seen: set[tuple[frozenset[str], str]] = set()
    kept = []
    for row in rows:
        key = (story_form(row["title"]), row["published_at"][:7] if monthly else "")
        if row["id"] >= events or key not in seen:
            kept.append(row)
            seen.add(key)
    return kept


def fitting(story: Mapping[str, str], fields: Mapping[str, object], number: int) -> Mapping[str, str]:
    """A story in words that fit its fields."""
    headline, description, topic = story["headline"], story["description"], fields["topic"]
    if headline.startswith("Evening class") and topic not in _TAUGHT:
        headline = headline.replace("{topic}", _TAUGHT[number % len(_TAUGHT)])
    if headline.startswith("A visit to"):
        headline = headline.replace(" is studied", " are studied") if topic == "black holes" else headline
        school = str(fields["university"])
        headline = (
            headline.replace("to {", "to the {")
            if school.startswith(("University", "Technical"))
            else headline
        )
        description = description if topic in _WITH_SAMPLES else "{person} explains what the group works on."
    if headline.startswith("Museum") and topic != "climate change":
        headline = headline.replace("{topic}", _SHOWN[number % len(_SHOWN)])
    return {**story, "headline": headline, "description": description}
