"""Key -> numbers in two arrays: a third of the memory of a mapping to lists, where most lists are short."""

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain


class Postings:
    """The numbers of each key, in the order in which they were given."""

    def __init__(self, lists: Mapping[str, Sequence[int]]) -> None:
        self.keys = sorted(lists)
        self._starts = array("I", accumulate((len(lists[key]) for key in self.keys), initial=0))
        numbers = array("Q", chain.from_iterable(lists[key] for key in self.keys))
        self._numbers = array("I", numbers) if max(numbers, default=0) < 2**32 else numbers

    def __getitem__(self, key: str) -> Sequence[int]:
        """The numbers of a key; none for one that is not known."""
        place = bisect_left(self.keys, key)
        if place == len(self.keys) or self.keys[place] != key:
            return ()
        return self._numbers[self._starts[place] : self._starts[place + 1]]
