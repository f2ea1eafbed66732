"""Kinds of articles that every shop has: what they are called, and who makes them at which price.

Electronics > TVs	TV	television;smart tv	A smart television ...	TCL 32 inch S3 HD Roku *|138;LG 55 inch C3 OLED *|1299.99
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from toolyard.world.index import words
from toolyard.world.kernel.tables import read_table, table_texts, table_words

# Shelves that shops lay out differently but that hold the same articles.
_NEAR = table_texts("kinds.near")
_MEASURES = frozenset(table_words("kinds.measures"))


class ArticleKind(NamedTuple):
    """A kind of article; `said` are the names that it is asked for by, `names` their stems."""

    title: str
    category: tuple[str, ...]
    about: str
    names: tuple[tuple[str, ...], ...]
    said: tuple[str, ...]
    goods: tuple[tuple[str, float], ...]


class Wanted(NamedTuple):
    """What a query asks for: a kind of article, the words that say which one of it, and those of a narrower name.

    A mechanical keyboard is a keyboard, and `narrower` is mechanical.
    """

    kind: ArticleKind
    which: tuple[str, ...]
    narrower: frozenset[str]
    length: int


@functools.cache
def article_kinds() -> tuple[ArticleKind, ...]:
    """All kinds of the table."""
    return tuple(_read_kind(row) for row in read_table("kinds_of_goods.tsv"))


def _read_kind(row: Mapping[str, str]) -> ArticleKind:
    names = (row["kind"], *row["also"].split(";"))
    priced = (part.rpartition("|") for part in row["goods"].split(";"))
    return ArticleKind(
        row["kind"],
        tuple(row["category"].split(" > ")),
        row["about"],
        tuple(dict.fromkeys(tuple(words(name)) for name in names if words(name))),
        tuple(name.lower() for name in names),
        tuple((title.replace("*", row["kind"]), float(price)) for title, _, price in priced),
    )


@functools.cache
def kinds_by_name() -> Mapping[tuple[str, ...], ArticleKind]:
    """Stems of a name -> the kind of article that it names."""
    found: dict[tuple[str, ...], ArticleKind] = {}
    for kind in article_kinds():
        found.setdefault(kind.names[0], kind)
    for kind in article_kinds():
        for name in kind.names:
            found.setdefault(name, kind)
    return found


@functools.cache
def _kind_vocabulary(title: str) -> frozenset[str]:
    """The words of all titles of a kind."""
    kind = next(kind for kind in article_kinds() if kind.title == title)
    return frozenset(word for name, _ in kind.goods for word in words(name))


def _word_runs(asked: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the runs of some words begin and end, the longest first, of those the last first."""
    for size in range(min(5, len(asked)), 0, -1):
        yield from ((start, start + size) for start in range(len(asked) - size, -1, -1))


def title_kind(title: str, shelf: str) -> str:
    """The kind of article that a title of a shelf names; empty where the table knows none."""
    asked = words(title)
    # A Galaxy Book4 laptop is a laptop, though telephones are called Galaxy.
    last = next((place for place in range(len(asked), 0, -1) if not is_measure(asked[place - 1])), 0)
    runs = sorted(_word_runs(asked), key=lambda run: run[1] != last)
    for start, end in runs:
        kind = kinds_by_name().get(tuple(asked[start:end]))
        if kind and _NEAR.get(kind.category[0], kind.category[0]) == _NEAR.get(shelf, shelf):
            return kind.title
    return ""


def wanted_kind(query: str) -> Wanted | None:
    """The kind of article that a query asks for; None where it asks for none of the table.

    What comes after the name says which one is meant: "tv 55 inch" is a tv, "tv stand" is none.
    """
    asked = words(query)
    for start, end in _word_runs(asked):
        kind = kinds_by_name().get(tuple(asked[start:end]))
        if kind and all(_tells_which(word, kind) for word in asked[end:]):
            narrower = frozenset(asked[start:end]) - frozenset(kind.names[0])
            return Wanted(kind, (*asked[:start], *asked[end:]), narrower, end - start)
    return None


def _tells_which(word: str, kind: ArticleKind) -> bool:
    return word[0].isdigit() or word in _MEASURES or word in _kind_vocabulary(kind.title)


def is_measure(word: str) -> bool:
    """Whether a word counts or measures, or praises, so that no title need have it."""
    return word[0].isdigit() or word in _MEASURES


def complete_kind_name(text: str) -> list[str]:
    """Names of kinds of articles that go on from a text, the shortest first."""
    found = [name for kind in article_kinds() for name in kind.said if name.startswith(text)]
    once = {
        tuple(words(name)): name for name in sorted(found, key=len, reverse=True)
    }  # a laptop is one of laptops
    return sorted(once.values(), key=len)
