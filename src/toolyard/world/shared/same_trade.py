"""Which listed companies are nearest to one: those of its industry, then of its sector."""

from __future__ import annotations

import functools

from toolyard.world.shared.companies import companies


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
