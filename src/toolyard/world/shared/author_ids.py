"""Ids of authors of papers: those who exist keep theirs, every invented name has one of its own, known from the start."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Set
from itertools import product

from toolyard.world import seeds
from toolyard.world.derived import titled
from toolyard.world.shared.geography import read_table
from toolyard.world.shared.people import FEMALE, LAST, MALE
from toolyard.world.tables import plain

_FIRST, _MANY = 1900000, 90000
_TABLES = ("known_papers.tsv", "landmark_trials.tsv", "papers.tsv")


def real_author_id(name: str) -> str:
    """The id of an author of a table."""
    return str(_FIRST + seeds.number("author", name) % _MANY)


@functools.cache
def _real() -> frozenset[str]:
    return frozenset(
        name for table in _TABLES for row in read_table(table) for name in row["authors"].split(";")
    )


@functools.cache
def _real_ids() -> frozenset[str]:
    return frozenset(real_author_id(name) for name in _real())


@functools.cache
def _ids() -> Mapping[str, str]:
    """Every name that an author of a derived paper can have -> an id that nobody else has."""
    taken = {*_real_ids()}
    found: dict[str, str] = {}
    for first, last in product((*FEMALE, *MALE), LAST):
        name = f"{first} {last}"
        found[name] = real_author_id(name) if name in _real() else _free(name, taken)
        taken.add(found[name])
    return found


@functools.cache
def _names() -> Mapping[str, str]:
    return {key: name for name, key in _ids().items()}


@functools.cache
def _spellings() -> Mapping[str, str]:
    return {plain(name): name for name in _ids()}


def _free(name: str, taken: Set[str]) -> str:
    """The id of a name, or the next one that is free."""
    number = int(real_author_id(name)) - _FIRST
    while str(_FIRST + number) in taken:
        number = (number + 1) % _MANY
    return str(_FIRST + number)


def author_id(name: str) -> str:
    """The id of any author."""
    if name in _real():
        return real_author_id(name)
    return _ids().get(name) or _free(name, _names().keys() | _real_ids())


def name_under(key: str) -> str | None:
    """The invented name with an id; None where there is none."""
    return _names().get(key)


def spelled(name: str, otherwise: str = "") -> str:
    """A name as it is printed: Karen Müller for karen muller.

    otherwise: How a name is printed that no author of a derived paper has; as a title if left out.
    """
    return _spellings().get(plain(name)) or otherwise or titled(name)
