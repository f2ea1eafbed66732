"""Which stories fit what they are told about: nobody keeps the devices of a consultancy up to date.

A story of the table that does not fit its company, city or topic is told in other words, or gives way to one without them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# Articles of seed 0 that the starter sets quote; these keep their words.
QUOTED = frozenset(
    (22, 53, 74, 126, 221, 281, 290, 342, 473, 485, 494, 581, 597, 650, 746, 763, 769, 810, 835, 954, 966, 1029, 1046, 1098,
     1261, 1262, 1305, 1357, 1594, 1595, 1608, 1680, 1789, 1825, 1882, 1883, 1906, 1920, 1921, 1929, 1931, 1941, 1954,
     1958, 1966, 1968, 1972, 1977, 1993, 1996, 1998, 2000, 2001)
)  # fmt: skip
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
        headline = "Charity run in {city} draws {m} hundred runners"
        description = "The organisers want to repeat it next year."
    if headline.startswith("Clinics"):
        headline = headline.replace("diabetes", _TREATED[number % len(_TREATED)])
    return {**story, "headline": headline, "description": description}


def _about_the_right_company(headline: str, fields: Mapping[str, object]) -> bool:
    if headline.startswith("How people"):
        return fields["tech"] in _IN_MANY_HANDS and fields["country"] not in _CLOSED_TO_THEM
    if headline.startswith("How to keep devices"):
        return fields["tech"] in _MAKE_DEVICES
    if "teaches" in headline:
        topic = fields["topic"]
        return topic == "climate change" or (topic in _RESEARCHED and fields["tech"] in _RESEARCHERS)
    return True
