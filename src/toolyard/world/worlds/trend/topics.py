"""Trends: the topics that go on from what has been typed, companies and other names before mere words."""

from __future__ import annotations

import functools
from typing import TypedDict

from toolyard.world.faults import invalid
from toolyard.world.reference.packed import packed
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.entries import by_name, completed, named
from toolyard.world.shared.entry import Entry, EntryTitle
from toolyard.world.shared.geography import plain, read_table
from toolyard.world.shared.query_words import says
from toolyard.world.types import SearchText
from toolyard.world.worlds.trend.beside import kind_of, terms_on, told_apart

GROUP = "Trend/Google_Trends"


class Completion(TypedDict):
    title: EntryTitle
    type: str


def _nouns(stump: str) -> list[Entry]:
    """What the commonest nouns that begin so name."""
    if " " in stump or len(stump) < 3:
        return []
    rows = [row for row in packed("words").starting(stump, 400) if row[1] and says(row[0])]
    rows.sort(key=lambda row: -int(row[1]))
    return [entry for row in rows[:4] for entry in named(row[0])[:1] if entry["kind"] != "city"]


_WORD = 2


def _rank(entry: Entry) -> int:
    """Companies and other things with an article of their own first, then other names, then words of the dictionary."""
    if entry["qid"].startswith("X"):
        word = "P279" in entry["properties"] or entry["text"].startswith(f"{entry['title']}: ")
        return _WORD if word else 1
    return 0 if entry["kind"] != "company" else -1


def _goes_on(entry: Entry, query: str) -> bool:
    return plain(entry["title"]).startswith(plain(query))


def _cups(query: str) -> list[Entry]:
    """The contests whose names end with what was typed: the world cup is held in many sports."""
    typed = plain(query)
    names = [name for name in _CONTESTS if plain(name).endswith(typed) and len(typed) > _SHORT]
    return [entry for name in names for entry in named(name)[:1]]


_CONTESTS = (
    "FIFA World Cup", "Cricket World Cup", "FIFA Women's World Cup", "Rugby World Cup", "UEFA Champions League",
    "Olympic Games", "Winter Olympic Games", "Premier League", "Stanley Cup", "Ryder Cup", "Davis Cup",
)  # fmt: skip
_SHORT = 3
_FEW, _MOST = 3, 6


def _like(entry: Entry) -> set[str]:
    """The plain title of a word, and such a title with a number as diseases have it."""
    title = plain(entry["title"])
    return {title, f"{title}-19"}


def _type(entry: Entry) -> str:
    """What a completion is called beside its title."""
    if entry["kind"] in ("product", "cryptocurrency") and plain(entry["title"]) in _coins():
        return "Cryptocurrency"
    return kind_of(entry)


@functools.cache
def _coins() -> frozenset[str]:
    return frozenset(plain(row["name"]) for row in read_table("coins.tsv"))


@tool(
    GROUP,
    examples=[{"query": "Healthy Recipes"}, {"query": "coffee"}],
    phrase="suggest Google Trends terms and topics that continue from {query}",
    noun="the Google Trends suggestions",
    jobs=("completions",),
)
def google_trends_autocomplete_search(*, query: SearchText) -> list[Completion]:
    """Topics that fit what has been typed so far, each with its kind; few or none for rare words.

    query: What has been typed so far.
    """
    if not query.strip():
        raise invalid("query", query, "want the beginning of a term, e.g. solar pan")
    asked = set(words(query))
    called = [row for row in named(query) if _goes_on(row, query) or set(words(row["title"])) == asked]
    called += [*(row for term in terms_on(query) for row in named(term)[:1]), *_cups(query)]
    found = [row for row in (*completed(query, 6), *_nouns(plain(query))) if _goes_on(row, query)]
    found += [*called, *(row for row in named(query) if row["qid"].startswith("Q"))]
    found.sort(
        key=lambda entry: (
            not _goes_on(entry, query),
            _rank(entry),
            plain(entry["title"]) not in by_name(),
            len(entry["title"]),
        )
    )
    names = {plain(entry["title"]) for entry in found if _rank(entry) < _WORD}
    # A virus that has an article is no word of the dictionary.
    found = [entry for entry in found if _rank(entry) < _WORD or not names & _like(entry)]
    known = [entry for entry in found if entry["qid"].startswith("Q") or entry in called]
    found = known or found[:_FEW]
    unique = told_apart(list({entry["qid"]: entry for entry in reversed(found)}.values())[::-1])
    return [{"title": entry["title"], "type": _type(entry)} for entry in unique[:_MOST]]
