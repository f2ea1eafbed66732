"""What an entry of the encyclopaedia itself speaks of, and so leads to."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.world.shared.entries import named, see_also

# Relations whose value is a thing of its own, and what that must be: country, capital, and who made a work or what.
_LEADING: Mapping[str, tuple[str, ...]] = {
    "P17": ("country",), "P27": ("country",), "P36": ("city",), "P50": ("person",), "P57": ("person",),
    "P170": ("person",), "P175": ("person", "band"), "P800": ("book", "song", "film", "work of art"),
}  # fmt: skip


@functools.lru_cache(maxsize=1024)
def leading_to(entry_title: str) -> tuple[str, ...]:
    """Titles of the entries that an entry itself speaks of: its country, who made it, what somebody made; five at most."""
    entry = named(entry_title)[0]
    if entry["title"] in see_also():
        return see_also()[entry["title"]][:5]
    found = [
        other["title"]
        for relation, kinds in _LEADING.items()
        for value in entry["properties"].get(relation, ())
        for other in named(value)[:1]
        if other["kind"] in kinds and other["title"] != entry["title"]
    ]
    return tuple(dict.fromkeys(found))[:5]
