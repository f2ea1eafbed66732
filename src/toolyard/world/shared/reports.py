"""News for some words: what happened, and where nothing did the small invented stories that have all the words."""

from __future__ import annotations

from toolyard.world.search import words
from toolyard.world.shared.articles import Article, index
from toolyard.world.shared.entries import named
from toolyard.world.shared.happened import FIRST_EVENT, events_on, happened
from toolyard.world.shared.story_fit import told_once
from toolyard.world.shared.subjects import subject_of

# So many invented stories where nothing happened.
_MADE = 2


def told_of(seed: int, query: str) -> list[Article]:
    """Articles for a search, best first: on events, else a few invented ones that have all its words."""
    subject = subject_of(query) or query
    events = true_news(seed, query) or true_news(seed, subject)
    events = [row for row in events if not _shares_its_end(row, subject)]
    return events or told_once(index(seed).search(query, bound=1.0), FIRST_EVENT)[:_MADE]


def _shares_its_end(row: Article, text: str) -> bool:
    """Whether an article has only the last of several words: Intuitive Machines makes no espresso machines."""
    asked, held = words(text), set(words(f"{row['title']} {row['content']}"))
    return len(asked) > 1 and asked[-1] in held and asked[0] not in held


def true_news(seed: int, query: str) -> list[Article]:
    """Articles on events for some words, best first."""
    return [*(happened(seed, query) if _is_name(query) else events_on(seed, query))]


def invented_news(seed: int, query: str) -> list[Article]:
    """Invented stories that have all words of a query, best first."""
    return index(seed).search(query, bound=1.0)


def _is_name(query: str) -> bool:
    """Whether several words are the name of one thing: apple pie is nothing about Apple."""
    bare = subject_of(query)
    return bool(bare and " " in bare and named(bare))
