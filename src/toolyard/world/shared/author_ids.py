"""Ids of authors of papers: those of the tables have theirs, and anybody else has one that none of them has."""

from __future__ import annotations

import functools

from toolyard.world import seeds
from toolyard.world.shared.geography import read_table

_FIRST, _MANY = 1900000, 90000
_TABLES = ("known_papers.tsv", "landmark_trials.tsv", "papers.tsv")


def real_author_id(name: str) -> str:
    """The id of an author of a table."""
    return str(_FIRST + seeds.number("author", name) % _MANY)


@functools.cache
def _real_ids() -> frozenset[str]:
    return frozenset(
        real_author_id(name)
        for table in _TABLES
        for row in read_table(table)
        for name in row["authors"].split(";")
    )


def unlisted_author_id(name: str) -> str:
    """The id of somebody who wrote nothing that is on record."""
    number = int(real_author_id(name)) - _FIRST
    while str(_FIRST + number) in _real_ids():
        number = (number + 1) % _MANY
    return str(_FIRST + number)
