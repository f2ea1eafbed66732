"""What the words of a query say: which may name a thing, which are a title, and which pages tell about them."""

from __future__ import annotations

import re

from toolyard.world.faults import invalid
from toolyard.world.reference.wordnet import parts_by_use, senses
from toolyard.world.search import words
from toolyard.world.shared.entry import Entry
from toolyard.world.tables import plain

# Titles of works are made of any words: in small letters, beside other words, those words mean themselves.
WORKS = frozenset(("film", "song", "album", "book", "band", "series", "game", "painting", "play", "poem"))
_OF_WORKS = re.compile(
    r"\b(?:films?|movies?|songs?|albums?|books?|novels?|lyrics|cast|trailer|soundtrack|series|shows?|games?|plot|author|"
    r"wrote|writer|director|directed|singer|sings|sang|band|actors?|season|episodes?|music|plays?|poems?)\b"
)


def asked(query: str, parameter: str = "query") -> str:
    """A query that asks for something; a fault where it has neither letters nor digits."""
    if not re.search(r"\w", query):
        raise invalid(parameter, query[:40], "give words to search for")
    return query


def written_as_title(query: str, span: list[str]) -> bool:
    """Whether the words of a query that may be a title are written as one, or the query is about works."""
    if _OF_WORKS.search(plain(query)):
        return True
    start = plain(query).find(span[0])
    return start >= 0 and query[start : start + 1].isupper()


def says(word: str) -> bool:
    """Whether a single word of a query may name something: best, how and learn do not."""
    parts = parts_by_use(word) or tuple(sense.part_of_speech for sense in senses(word)[:1])
    return next(iter(parts), "noun") == "noun" and word not in _ASKING_FOR


_ASKING_FOR = frozenset(
    "best top good cheap free new latest guide tutorial tips ideas list review reviews examples work works near effects "
    "does did many much "
    "benefits cost price video videos picture pictures online today difference types kinds ways things people".split()
)


# Nouns that ask for something about another thing.
ATTRIBUTES = frozenset(
    words(
        "history symptoms side effects effect benefits population director capital height cause causes treatment types "
        "price cost list meaning definition origin importance uses advantages disadvantages facts summary biography time "
        "age length weight speed size distance introduction overview guide tips author founder stock share quote life story "
        "work works pros cons explained question questions answer tour travel trip holiday recipe maker album songs books "
        "film films movies wife husband children net worth salary"
    )
)


def heads(nouns: list[Entry]) -> list[Entry]:
    """The common nouns that a query is about: measles in "symptoms of measles"."""
    return [entry for entry in nouns if not set(words(entry["title"])) <= ATTRIBUTES] or nouns
