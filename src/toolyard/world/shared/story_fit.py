"""Which stories fit what they are told about: nobody keeps the devices of a consultancy up to date.

A story of the table that does not fit its company, city or topic is told in other words, or gives way to one without them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

_MAKE_DEVICES = frozenset(("Apple", "Microsoft", "Alphabet", "Sony", "Cisco Systems"))
_IN_MANY_HANDS = _MAKE_DEVICES - {"Cisco Systems"} | {
    "Meta", "Adobe", "Netflix", "Zoom Video Communications", "Spotify Technology", "Intel", "NVIDIA",
    "Advanced Micro Devices",
}  # fmt: skip
_CLOSED_TO_THEM = frozenset(("China", "Russia", "Iran", "North Korea", "Cuba", "Syria"))
_RESEARCHED = frozenset(("machine learning", "computer vision", "quantum computing", "climate change"))
_RESEARCHERS = frozenset(
    ("Microsoft", "Alphabet", "NVIDIA", "Intel", "International Business Machines", "Meta", "Apple", "Baidu", "Tencent")
)  # fmt: skip
_ON_CLIMATE = {
    "category": "technology",
    "headline": "How schools in {city} teach programming",
    "description": "One class draws maps of climate change.",
}
_WITH_SAMPLES = frozenset(("genetic engineering", "nanotechnology"))
_SHOWN = ("the sea", "childhood", "bridges", "gardens", "letters", "light and shade", "home")
_TREATED = ("diabetes", "asthma", "migraine", "back pain", "arthritis", "hay fever")


Row = TypeVar("Row", bound=Mapping[str, Any])
_PLAIN_WORD = re.compile(r"\b[^\W\d_A-ZÀ-Ý][^\W\d_]{3,}\b")


# What is put into headlines: they tell the same with another illness, habit or subject of art.
_PUT_IN = frozenset(
    "daily walking green regular swimming yoga less screen time diet diabetes asthma migraine back pain arthritis fever "
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


def fitting(
    story: Mapping[str, str], fields: dict[str, object], others: Sequence[Mapping[str, str]], number: int
) -> Mapping[str, str]:
    """A story in words that fit its fields; one of the others where no words would."""
    headline, description, topic = story["headline"], story["description"], fields["topic"]
    if not _about_the_right_company(headline, fields):
        on_climate = topic == "climate change" and "{topic}" in description
        return _ON_CLIMATE if on_climate else others[number % len(others)]
    if headline.startswith("How people") and topic != "climate change":
        description = "Readers told us what they like, and what they miss."
    if headline.startswith("A visit to"):
        headline = headline.replace(" is studied", " are studied") if topic == "black holes" else headline
        description = description if topic in _WITH_SAMPLES else "{person} explains what the group works on."
    if headline.startswith("Museum") and topic != "climate change":
        headline = headline.replace("{topic}", _SHOWN[number % len(_SHOWN)])
    if headline.startswith("{city} marathon"):
        headline = "Charity run in {city} draws {m}00 runners"
        description = "The organisers want to repeat it next year."
    if headline.startswith("Clinics"):
        headline = headline.replace("diabetes", _TREATED[number % len(_TREATED)])
    return {**story, "headline": headline, "description": description}


def _about_the_right_company(headline: str, fields: Mapping[str, object]) -> bool:
    if headline.startswith("How people"):
        return fields["tech"] in _IN_MANY_HANDS and fields["country"] not in _CLOSED_TO_THEM
    if headline.startswith("Assistants"):
        return fields["tech"] in _RESEARCHERS
    if headline.startswith("How to keep devices"):
        return fields["tech"] in _MAKE_DEVICES
    if "teaches" in headline:
        topic = fields["topic"]
        return topic == "climate change" or (topic in _RESEARCHED and fields["tech"] in _RESEARCHERS)
    return True
