"""What people look for beside a term: topics near it, and searches that go on from it."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.shared.entries import named
from toolyard.world.shared.entry import Entry, EntryTitle
from toolyard.world.shared.geography import cities, plain, read_table
from toolyard.world.types import SearchText
from toolyard.world.worlds.search.suggestions import usual_searches

# What people add to the name of a thing, by its kind or field.
_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "person": ("news", "age", "interview", "photos"),
    "the dead": ("biography", "quotes", "facts"),
    "country": ("map", "flag", "weather", "population", "capital"),
    "city": ("weather", "hotels", "map", "airport", "things to do"),
    "company": ("stock", "careers", "news", "customer service"),
    "film": ("cast", "trailer", "review", "streaming"),
    "television series": ("cast", "season 1", "trailer", "streaming"),
    "song": ("lyrics", "chords"),
    "book": ("summary", "characters", "quotes"),
    "band": ("songs", "albums", "tour", "members"),
    "video game": ("download", "review", "release date"),
    "food": ("recipe", "calories", "near me"),
}
_OTHERS = ("meaning", "definition")
# Kinds of entries that say of a known thing only what it is again.
_VAGUE = frozenset(("concept", "person", "product", "topic"))
_RUDE = re.compile(r"\b(?:bitch|fuck|shit|cunt|whore|slut|cock|dick|nigg|piss|arse|tits)", re.IGNORECASE)
_TOWNS = 5


class RelatedTopic(TypedDict):
    topic: EntryTitle
    type: str
    value: int


class RelatedQuery(TypedDict):
    query: SearchText
    value: int


@functools.cache
def _written() -> Mapping[str, Mapping[str, str]]:
    """Plain term -> the searches and topics that many people look for beside it."""
    return {plain(row["term"]): row for row in read_table("related_searches.tsv")}


def terms_on(typed: str) -> list[str]:
    """The terms on record that go on from what has been typed."""
    return [term for term in _written() if term.startswith(plain(typed))]


@functools.cache
def _see_also() -> Mapping[str, str]:
    return {plain(row["title"]): row["near"] for row in read_table("see_also.tsv")}


def _near(term: str) -> list[str]:
    """The titles of topics beside a term: those on record, and the large cities of a country."""
    key = plain(term)
    listed = _written()[key]["topics"] if key in _written() else _see_also().get(key, "")
    group = named(term)
    if not listed and group and group[0]["kind"] == "country":
        inside = [city["name"] for city in cities() if city["country"] == group[0]["title"]]
        return [name for name in dict.fromkeys(inside) if named(name)][:_TOWNS]
    return [title for title in listed.split(";") if title and named(title)]


def related_topics(term: str) -> list[RelatedTopic]:
    """Topics near a term, nearest first; none where none are on record."""
    return [
        {"topic": name, "type": kind_of(named(name)[0]), "value": _falling(term, rank)}
        for rank, name in enumerate(_near(term))
    ]


def kind_of(entry: Entry) -> str:
    """What a topic is called beside its title."""
    return "Topic" if "P279" in entry["properties"] else entry["kind"].capitalize()


def _falling(term: str, rank: int) -> int:
    """How much is searched on a place of a list, beside 100 on the first one: less and less, but not by rule."""
    steps = (0.62 + 0.3 * seeds.unit("falling", plain(term), step) for step in range(rank))
    return max(1, round(100 * math.prod(steps)))


def _endings(entry: Entry) -> tuple[str, ...]:
    if entry["kind"] == "person" and "P570" in entry["properties"]:
        return _ENDINGS["the dead"]
    return _ENDINGS.get(entry["kind"]) or _ENDINGS.get(entry["field"], _OTHERS)


def related_queries(term: str) -> list[RelatedQuery]:
    """Searches that people make beside a term, the most frequent first; none beside what has no name."""
    written, group = _written().get(plain(term)), named(term)
    queries = written["queries"].split(";") if written else usual_searches(f"{term} ")[:8]
    queries = queries or [f"{plain(term)} {ending}" for ending in (_endings(group[0]) if group else ())]
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
