"""Art: which resources of a type are most like one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolyard.world.search import words
from toolyard.world.worlds.art.collection import Resource
from toolyard.world.worlds.art.museum_filters import values_of

# What resources may have in common, by how much it says.
_SHARED = {
    "object_id": 6.0, "person": 5.0, "period": 2.0, "technique": 2.0, "culture": 1.5, "classification": 1.0, "parent": 2.0,
    "exhibition": 1.0, "medium": 0.7, "support": 0.3, "century": 0.7, "type": 1.0, "venue": 0.5, "floor": 1.0,
}  # fmt: skip
_NOBODY = "unidentified artist"
# Works of one artist that are as far apart in time are no nearer than those of another.
_YEARS = 40


def _points(value: str) -> tuple[int, ...]:
    return tuple(int(value[place : place + 2], 16) for place in (1, 3, 5)) if value else ()


def _distance(one: Resource, other: Resource) -> float:
    """How far two resources are apart in time, colour or number, which decides between those that share as much."""
    if one.get("hex") and other.get("hex"):
        mine, theirs = _points(one["hex"]), _points(other["hex"])
        strength = abs((max(mine) - min(mine)) - (max(theirs) - min(theirs)))
        return sum(abs(a - b) for a, b in zip(mine, theirs, strict=True)) + 2 * strength
    for field in ("yearmade", "birth_year"):
        first, second = dict(one).get(field), dict(other).get(field)
        if isinstance(first, int) and isinstance(second, int):
            return abs(first - second)
    return abs(one["id"] - other["id"])


def _likeness(one: Resource, other: Resource) -> float:
    found = 0.0
    for field, weight in _SHARED.items():
        mine, theirs = set(values_of(one, field)), set(values_of(other, field))
        found += weight * bool((mine & theirs) - {_NOBODY, ""})
    found += 1.5 * len(set(words(one["title"])) & set(words(other["title"])))
    years: list[Any] = [dict(row).get("yearmade") for row in (one, other)]
    return found + (max(0.0, 1 - abs(years[0] - years[1]) / _YEARS) if None not in years else 0.0)


def alike(row: Resource, rows: Sequence[Resource]) -> list[Resource]:
    """The other resources, those first that share most with one, then those nearest in time, colour or number."""
    others = [one for one in rows if one["id"] != row["id"]]
    return sorted(others, key=lambda one: (-_likeness(row, one), _distance(row, one)))
