"""What people look for beside a term: topics near it, and searches that go on from it."""

from __future__ import annotations

import math
import re
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.shared.entries import about, named, related
from toolyard.world.shared.entry import Entry, EntryTitle
from toolyard.world.shared.geography import cities, plain
from toolyard.world.types import SearchText
from toolyard.world.worlds.search.asked_about import neighbours
from toolyard.world.worlds.search.going_on import thing_searches
from toolyard.world.worlds.search.suggestions import usual_searches

_FEW = 2
# What people add to the name of a thing, by its kind.
_ENDINGS = {
    "person": ("quotes", "biography", "facts", "born", "family", "photos", "books", "education"),
    "country": ("map", "flag", "weather", "currency", "population", "capital", "time", "travel"),
    "city": ("weather", "hotels", "map", "airport", "things to do", "time", "restaurants", "flights"),
    "company": ("stock", "careers", "news", "customer service", "share price", "products", "ceo", "near me"),
    "film": ("cast", "trailer", "review", "streaming", "ending explained", "soundtrack", "book", "quotes"),
}  # fmt: skip
_OTHERS = ("meaning", "history", "facts", "pictures")
_LEGAL = re.compile(
    r",? (?:Inc\.?|Incorporated|Corporation|Corp\.?|Ltd\.?|Limited|plc|SE|AG|S\.A\.|N\.V\.|Co\.)$"
)
# Kinds of entries that say of a known thing only what it is again.
_VAGUE = frozenset(("concept", "person", "product", "topic"))
_RUDE = re.compile(r"\b(?:bitch|fuck|shit|cunt|whore|slut|cock|dick|nigg|piss|arse|tits)", re.IGNORECASE)


class RelatedTopic(TypedDict):
    topic: EntryTitle
    type: str
    value: int


class RelatedQuery(TypedDict):
    query: SearchText
    value: int


def _near(term: str) -> list[str]:
    """The titles of what lies near a term, nearest first."""
    group = named(term)
    if group and group[0]["kind"] == "country":
        inside = [city["name"] for city in cities() if city["country"] == group[0]["title"]]
        return [name for name in (*group[0]["properties"].get("P36", ()), *inside[:6]) if named(name)]
    near = [entry["title"] for entry in neighbours(group[0])] if group else []
    if not group:
        near = [entry["title"] for entry in about(term, 10) if "P279" not in entry["properties"]]
    if len(near) < _FEW and group:
        near += related(group[0]["title"])
    return near or [entry["title"] for entry in about(term, 10) if entry["kind"] != "person"]


def related_topics(term: str) -> list[RelatedTopic]:
    """Topics near a term, nearest first."""
    unique = [name for name in dict.fromkeys(_near(term)) if plain(name) != plain(term)]
    return [
        {"topic": name, "type": kind_of(named(name)[0]), "value": _falling(term, rank)}
        for rank, name in enumerate(unique[:10])
    ]


def kind_of(entry: Entry) -> str:
    """What a topic is called beside its title."""
    return "Topic" if "P279" in entry["properties"] else entry["kind"].capitalize()


def _falling(term: str, rank: int) -> int:
    """How much is searched on a place of a list, beside 100 on the first one: less and less, but not by rule."""
    steps = (0.62 + 0.3 * seeds.unit("falling", plain(term), step) for step in range(rank))
    return max(1, round(100 * math.prod(steps)))


def _is_sought(title: str) -> bool:
    """Whether people look for a thing beside another: a song beside its singer, not the country or the trade."""
    entry = named(title)[0]
    trade = "P279" in entry["properties"] and entry["field"] == "people"
    return entry["kind"] not in ("country", "city", "continent") and not trade


def related_queries(seed: int, term: str, key: str) -> list[RelatedQuery]:
    """Searches that people make beside a term, the most frequent first."""
    group = named(term)
    endings = _ENDINGS.get(group[0]["kind"], ()) if group else _OTHERS
    told = [f"{term} {ending}" for ending in endings] or thing_searches(term)
    queries = usual_searches(f"{term} ")[:8] or [text.lower() for text in told]
    beside = [topic["topic"] for topic in related_topics(term)[:5] if _is_sought(topic["topic"])]
    queries += [_LEGAL.sub("", title).lower() for title in beside]
    queries.sort(key=lambda text: seeds.unit(seed, "related", plain(text), key))
    return [{"query": text, "value": _falling(term, rank)} for rank, text in enumerate(queries)]


def told_apart(found: list[Entry]) -> list[Entry]:
    """Each name as often as it means things with a known id, and once as a common word; no rude words."""
    kept: list[Entry] = []
    for entry in found:
        alike = [other for other in found if plain(other["title"]) == plain(entry["title"])]
        words = [other for other in alike if "P279" in other["properties"]]
        words.sort(key=lambda other: other["qid"].startswith("X"))
        own = entry["qid"].startswith("Q") or entry["kind"] not in _VAGUE or len(alike) == 1
        fits = entry is words[0] if entry in words else own
        if fits and not _RUDE.search(entry["title"]):
            kept.append(entry)
    return kept
