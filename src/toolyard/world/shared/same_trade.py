"""What is nearest to a company, a country or a city: the same industry or sector, continent or country."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping

from toolyard.world.shared.companies import companies
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.geography import cities


@functools.lru_cache(maxsize=512)
def rivals(name: str) -> list[str]:
    """The names of the companies nearest to a listed one, in the order of the list; none for others."""
    own = next((row for row in companies() if row["name"] == name), None)
    if own is None:
        return []
    others = [row for row in companies() if row["name"] != name]
    same = [row["name"] for row in others if row["industry"] == own["industry"]]
    near = [row["name"] for row in others if row["sector"] == own["sector"]]
    return list(dict.fromkeys((*same, *near)))


def neighbouring(entry: Entry, others: Iterable[Entry]) -> list[str]:
    """Countries of the same continent, those whose great cities lie nearest first, or cities of the same country."""
    relation = "P30" if entry["kind"] == "country" else "P17"
    known = entry["properties"]
    near = [
        one
        for one in others
        if one["kind"] == entry["kind"] and one["properties"][relation] == known[relation]
    ]
    if entry["kind"] == "city":
        return [one["title"] for one in near]
    return [one["title"] for one in sorted(near, key=lambda one: _apart(entry["title"], one["title"]))]


@functools.cache
def _points() -> Mapping[str, tuple[float, float]]:
    """Where the first listed city of every country lies."""
    found: dict[str, tuple[float, float]] = {}
    for city in cities():
        found.setdefault(city["country"], (city["latitude"], city["longitude"]))
    return found


def _apart(one: str, other: str) -> float:
    """How far two countries lie apart, in degrees; far for those without a listed city."""
    first, second = _points().get(one), _points().get(other)
    if first is None or second is None:
        return 360.0
    east = (first[1] - second[1] + 180) % 360 - 180
    return math.hypot(first[0] - second[0], east * math.cos(math.radians(first[0])))
