"""Completion over tables that never change: their words in order once, then looked up by prefix."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from heapq import nsmallest
from typing import Generic

from toolyard.world.kernel.tables import Row, plain

# Bits for the turn of a word in a text.
_BITS = 16


class Completions(Generic[Row]):
    """Rows by the beginnings of a field and of its words; answers as `tables.complete` does."""

    def __init__(self, rows: Sequence[Row], key: str) -> None:
        self._rows, self._key = rows, key
        values = [plain(row[key]) for row in rows]
        # Numbers alone, in the order of what they stand for: texts are made again from the rows where they are compared.
        self._whole = array("I", sorted(range(len(values)), key=lambda place: (values[place], place)))
        words = [value.split() for value in values]
        pairs = [(place, turn) for place, value in enumerate(words) for turn in range(len(value))]
        pairs.sort(key=lambda pair: (words[pair[0]][pair[1]], pair[0]))
        self._words = array("Q", (place << _BITS | turn for place, turn in pairs))

    def starting(self, prefix: str, limit: int = 10) -> list[Row]:
        """Rows whose field, or one of its words, starts with the prefix; whole-field matches first."""
        wanted = plain(prefix)
        first = set(_prefix_numbers(self._whole, wanted, self._field_value))
        later = {number >> _BITS for number in _prefix_numbers(self._words, wanted, self._word_at)} - first
        chosen = [*nsmallest(limit, first), *nsmallest(limit, later)][:limit]
        return [self._rows[place] for place in chosen]

    def _field_value(self, place: int) -> str:
        return plain(self._rows[place][self._key])

    def _word_at(self, number: int) -> str:
        return self._field_value(number >> _BITS).split()[number & (1 << _BITS) - 1]


def _prefix_numbers(ordered: Sequence[int], wanted: str, text: Callable[[int], str]) -> Iterator[int]:
    """The numbers of the texts that start with a prefix, from numbers in the order of their texts."""
    for at in range(bisect_left(ordered, wanted, key=text), len(ordered)):
        if not text(ordered[at]).startswith(wanted):
            return
        yield ordered[at]
