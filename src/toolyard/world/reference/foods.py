"""Generic foods with their nutrients per 100 g, by name and by words of it."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolyard.world.index import words
from toolyard.world.reference.packed_tables import packed_table

_PLAIN = frozenset({"raw", "nfs", "fresh", "ns", "plain", "whole", "regular", "generic", "dry", "uncooked"})


@dataclass(frozen=True, slots=True)
class GenericFood:
    """A food of the table; nutrients that were not measured are missing."""

    place: int
    name: str
    type: str
    category: str
    portion: float | None
    nutrients: Mapping[str, float]


@functools.lru_cache(maxsize=4096)
def food_at(place: int) -> GenericFood:
    """The food at a place of the table."""
    table = packed_table("foods")
    name, kind, category, portion, *amounts = table[place]
    known = {key: float(value) for key, value in zip(table.columns[4:], amounts, strict=True) if value}
    return GenericFood(place, name, kind, category, float(portion) if portion else None, known)


@functools.cache
def _food_indices_by_word() -> Mapping[str, Sequence[int]]:
    found: dict[str, list[int]] = {}
    for place, row in enumerate(packed_table("foods")):
        for word in dict.fromkeys(words(row[0])):
            found.setdefault(word, []).append(place)
    return found


def search_foods(text: str, limit: int = 50) -> list[GenericFood]:
    """Foods whose name has all the words of a text: those that begin with it and say little else first."""
    wanted = list(dict.fromkeys(words(text)))
    if not wanted:
        return []
    shared = set(_food_indices_by_word().get(wanted[0], ()))
    for word in wanted[1:]:
        shared &= set(_food_indices_by_word().get(word, ()))
    return [food_at(place) for place in sorted(shared, key=lambda place: _rank_food(place, wanted))[:limit]]


def _rank_food(place: int, wanted: Sequence[str]) -> tuple[int, int, int, int]:
    name = packed_table("foods")[place][0]
    own = words(name)
    extra = [word for word in own if word not in wanted]
    strange = sum(word not in _PLAIN for word in extra)
    return (own[: len(wanted)] != list(wanted), strange, len(extra), place)
