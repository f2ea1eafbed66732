"""Questions that many people ask about a subject, with the answers of common knowledge."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

from toolyard.world.search import words
from toolyard.world.tables import read_table

# What a search says beside its subject without meaning another one.
_ASIDE = frozenset(
    words(
        "learn best good top play guide tip healthy beginner work need buy choose long much often famous eat visit"
    )
)


class OftenAsked(NamedTuple):
    """A question and its answer, with the entry of the encyclopaedia that it is about and its place in the table."""

    question: str
    answer: str
    entry: str
    place: int


@functools.cache
def all_asked() -> tuple[OftenAsked, ...]:
    """The questions of the table."""
    rows = enumerate(read_table("asked_questions.tsv"))
    return tuple(OftenAsked(row["question"], row["answer"], row["entry"], place) for place, row in rows)


@functools.cache
def _by_subject() -> Mapping[frozenset[str], list[OftenAsked]]:
    found: dict[frozenset[str], list[OftenAsked]] = {}
    for row, asked in zip(read_table("asked_questions.tsv"), all_asked(), strict=True):
        for text in row["words"].split(";"):
            found.setdefault(frozenset(words(text)), []).append(asked)
    return found


def subject_in(query: str) -> frozenset[str] | None:
    """The words of the longest subject that a query has all words of; None where it has none."""
    asked = set(words(query))
    return max((known for known in _by_subject() if known <= asked), key=len, default=None)


def asked_on(query: str) -> list[OftenAsked]:
    """The questions on the longest subject that a query has all words of."""
    subject = subject_in(query)
    return _by_subject()[subject] if subject else []


def asked_just_on(query: str) -> list[OftenAsked]:
    """The same for queries that say hardly anything else."""
    subject = subject_in(query)
    return _by_subject()[subject] if subject and set(words(query)) - subject <= _ASIDE else []
