"""Completion over tables that never change: their words in order once, then looked up by prefix."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from typing import Generic

from toolyard.world.kernel.tables import Row, plain


class Completions(Generic[Row]):
    """Rows by the beginnings of a field and of its words; answers as `tables.complete` does."""

    def __init__(self, rows: Sequence[Row], key: str) -> None:
        values = [plain(row[key]) for row in rows]
        self._rows = rows
        self._whole = sorted((value, place) for place, value in enumerate(values))
        self._words = sorted(
            (word, place) for place, value in enumerate(values) for word in set(value.split())
        )

    def starting(self, prefix: str, limit: int = 10) -> list[Row]:
        """Rows whose field, or one of its words, starts with the prefix; whole-field matches first."""
        wanted = plain(prefix)
        first = set(_places(self._whole, wanted))
        later = set(_places(self._words, wanted)) - first
        chosen = [*nsmallest(limit, first), *nsmallest(limit, later)][:limit]
        return [self._rows[place] for place in chosen]


def _places(ordered: Sequence[tuple[str, int]], wanted: str) -> Iterator[int]:
    """The rows of the texts that start with a prefix, from texts in order."""
    for at in range(bisect_left(ordered, (wanted,)), len(ordered)):
        text, place = ordered[at]
        if not text.startswith(wanted):
            return
        yield place
