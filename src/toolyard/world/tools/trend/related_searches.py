"""What people look for beside a term: topics near it, and searches that go on from it; how often is drawn."""

import functools
from collections.abc import Mapping
from typing import TypedDict

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, read_table
from toolyard.world.reference.encyclopaedia.entries import core_entries, entries_named, see_also
from toolyard.world.reference.encyclopaedia.entry import Entry, EntryTitle
from toolyard.world.tools.search.suggestions import usual_searches

_ENDINGS = ("near me", "meaning", "news", "review", "online", "2024", "price", "history")
_MOST = 8


class RelatedTopic(TypedDict):
    topic: EntryTitle
    type: str
    value: int


class QueryValue(TypedDict):
    query: str
    value: int


@functools.cache
def _related_searches() -> Mapping[str, Mapping[str, str]]:
    """Plain term -> the searches and topics that many people look for beside it."""
    return {plain(row["term"]): row for row in read_table("related_searches.tsv")}


@functools.cache
def _entries_by_field() -> Mapping[str, list[Entry]]:
    return group_items(core_entries(), lambda entry: entry["field"])


def near_topics(seed: int, term: str) -> list[str]:
    """Titles of topics beside a term: those that it leads to, then others of its field."""
    key, entry = plain(term), next(iter(entries_named(term)), None)
    found = [
        title
        for title in _related_searches().get(key, {}).get("topics", "").split(";")
        if title and entries_named(title)
    ]
    if entry:
        peers = _entries_by_field().get(entry["field"], [])
        drawn = seeds.stream(seed, "near", key).sample(peers, min(4, len(peers)))
        found += [*see_also(entry["title"]), *(one["title"] for one in drawn)]
    return [title for title in dict.fromkeys(found) if plain(title) != key][:_MOST]


def _texts_with_frequency(seed: int, term: str, texts: list[str]) -> list[tuple[str, int]]:
    """Texts with how often they are searched for beside a term, the most frequent (100) first."""
    drawn = {text: seeds.unit(seed, "beside", plain(term), text) for text in texts}
    top = max(drawn.values(), default=1.0)
    found = [(text, max(1, round(100 * value / top))) for text, value in drawn.items()]
    return sorted(found, key=lambda pair: -pair[1])


def related_topics(seed: int, term: str) -> list[RelatedTopic]:
    """Topics near a term, the most frequent first."""
    found = _texts_with_frequency(seed, term, near_topics(seed, term))
    return [{"topic": name, "type": kind_of(entries_named(name)[0]), "value": value} for name, value in found]


def kind_of(entry: Entry) -> str:
    """What a topic is called beside its title."""
    return "Topic" if "P279" in entry["properties"] else entry["kind"].capitalize()


def related_queries(seed: int, term: str) -> list[QueryValue]:
    """Searches that people make beside a term, the most frequent first."""
    listed = [text for text in _related_searches().get(plain(term), {}).get("queries", "").split(";") if text]
    texts = [*listed, *usual_searches(f"{plain(term)} ")] or [
        f"{plain(term)} {ending}" for ending in _ENDINGS
    ]
    found = _texts_with_frequency(seed, term, list(dict.fromkeys(texts))[:_MOST])
    return [{"query": text, "value": value} for text, value in found]
