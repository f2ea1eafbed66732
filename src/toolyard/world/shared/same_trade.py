"""What is nearest to a company, a country or a city: the same industry or sector, continent or country."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from toolyard.world.shared.companies import companies
from toolyard.world.shared.entry import Entry


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
    """Countries of the same continent, or cities of the same country, those with about as many people first."""
    relation = "P30" if entry["kind"] == "country" else "P17"
    known, people = entry["properties"], _people(entry)
    near = [
        one
        for one in others
        if one["kind"] == entry["kind"] and one["properties"][relation] == known[relation]
    ]
    if entry["kind"] == "city":
        return [one["title"] for one in near]
    return [one["title"] for one in sorted(near, key=lambda one: abs(_people(one) - people))]


def _people(entry: Entry) -> int:
    return int(entry["properties"]["P1082"][0])
