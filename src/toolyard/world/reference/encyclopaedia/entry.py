"""What an article of the encyclopaedia is, whichever table it comes from.

{"title": "Mars", "kind": "celestial", "field": "space", "qid": "Q111", "aliases": ["the Red Planet"],
 "properties": {"P31": ["planet"], "P397": ["Sun"]}, "text": "Mars is the fourth planet from the Sun, ..."}
"""

import functools
from collections.abc import Iterable, Mapping
from typing import Annotated, NamedTuple, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import (
    plain,
    read_table,
    share_keys,
    shared_list,
    table_texts,
    table_words,
    values_of,
)
from toolyard.world.kernel.types import Semantic

EntryTitle = Annotated[str, Semantic("encyclopedia_title", is_a=("topic",))]
# What the encyclopaedia always has an answer to.
KnownThing = Annotated[str, Semantic("encyclopedia_title", accepts=("city", "country", "company"))]


# What cities and universities are called besides their names.
SHORT_NAMES: Mapping[str, tuple[str, ...]] = values_of("entry.short_names")


# Titles of works are made of any words.
WORKS = frozenset("film song album book band series game painting play poem".split())


class Entry(TypedDict):
    """An article of the encyclopaedia, which is also an entity with properties."""

    title: EntryTitle
    kind: str
    field: str
    qid: str
    aliases: list[str]
    properties: dict[str, list[str]]
    text: str


@functools.cache
def _known_ids() -> Mapping[tuple[str, str], str]:
    rows = (
        (row["kind"], pair.rpartition("="))
        for row in read_table("wikidata_ids.tsv")
        for pair in row["ids"].split(";")
    )
    return {(kind, plain(name)): number for kind, (name, _, number) in rows}


def known_id(kind: str, name: str) -> str:
    """The Wikidata id of something of this kind, "" where it is not known: known_id("city", "Berlin, DE") is Q64."""
    return _known_ids().get((kind, plain(name)), "")


@functools.cache
def names_by_id() -> Mapping[str, tuple[str, ...]]:
    """Wikidata id -> the plain names it is known under, for all kinds."""
    found: dict[str, list[str]] = {}
    for (_, name), number in _known_ids().items():
        found.setdefault(number, []).append(name)
    return {number: tuple(dict.fromkeys(names)) for number, names in found.items()}


def made_up_id(title: str) -> str:
    """An id of the world's own for what has no known Wikidata id: X instead of Q, so that none is taken for real."""
    return f"X1{seeds.number('entity', title) % 10**10:010d}"


def compose_entry(
    title: str,
    kind: str,
    field: str,
    text: str,
    properties: dict[str, list[str]],
    aliases: Iterable[str] = (),
    qid: str = "",
) -> Entry:
    """An entry out of facts; a title that starts with an article is known without it too."""
    names = [name for name in aliases if name and name != title]
    if title.startswith("The ") and len(title) > 6:
        names.append(title[4:])
    known = {key: shared_list(*filter(None, values)) for key, values in properties.items()}
    found = Entry(
        title=title,
        kind=kind,
        field=field,
        qid=qid or known_id(kind, title) or made_up_id(f"{kind} {title}"),
        aliases=names,
        properties=share_keys({key: values for key, values in known.items() if values}),
        text=text,
    )
    return share_keys(found)


def article(word: str) -> str:
    """The word with a or an before it."""
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


_WITH_ARTICLE = table_words("entry.with_article")


def land(country: str) -> str:
    """A country as a sentence names it."""
    return f"the {country}" if country.startswith(_WITH_ARTICLE) else country


def join_names(names: Iterable[str]) -> str:
    """Names as a sentence lists them: one, two and three."""
    found = list(names)
    return " and ".join([", ".join(found[:-1]), found[-1]]) if len(found) > 1 else "".join(found)


# Countries whose law names no official language.
_WITHOUT_OFFICIAL = frozenset(("US", "AU", "GB", "MX"))


def language_relation(code: str) -> str:
    """Official language, or language used where the law names none."""
    return "P2936" if code in _WITHOUT_OFFICIAL else "P37"


_PRIZES = table_texts("entry.prizes")


@functools.cache
def laureates() -> Mapping[str, list[str]]:
    """Name -> the Nobel prizes that somebody received."""
    found: dict[str, list[str]] = {}
    for row in (*read_table("nobel_earlier.tsv"), *read_table("nobel.tsv")):
        for name in row["laureates"].split(";"):
            found.setdefault(name, []).append(_PRIZES[row["category"]])
    return found


class Relation(NamedTuple):
    """A relation between entities: its id, its name, and other words for it."""

    id: str
    name: str
    also: tuple[str, ...]


@functools.cache
def relations() -> Mapping[str, Relation]:
    """The relations by id."""
    rows = read_table("relations.tsv")
    return {row["id"]: Relation(row["id"], row["name"], tuple((row["also"] or "").split())) for row in rows}
