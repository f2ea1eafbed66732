"""What is computed once for an object and kept beside it, such as the gold of a sample made ready for comparison."""

from collections.abc import Callable
from typing import Generic, TypeVar

Thing = TypeVar("Thing")
Value = TypeVar("Value")

MOST_KEPT = 16_384
_EVERY: list[Callable[[], None]] = []


def clear_object_caches() -> None:
    """Drops all that is kept beside any object: whoever is done with a piece of the data needs none of it."""
    for clear in _EVERY:
        clear()


class PerObject(Generic[Thing, Value]):
    """A function whose result is kept for the very same object; samples are frozen, but cannot be hashed."""

    def __init__(self, compute: Callable[[Thing], Value], most_kept: int = MOST_KEPT) -> None:
        self._compute = compute
        self._most_kept = most_kept
        # The object is kept too, so that its identity cannot pass to another one.
        self._kept: dict[int, tuple[Thing, Value]] = {}
        _EVERY.append(self._kept.clear)

    def __call__(self, thing: Thing) -> Value:
        found = self._kept.get(id(thing))
        if found is not None and found[0] is thing:
            return found[1]
        value = self._compute(thing)
        if len(self._kept) >= self._most_kept:
            self._kept.clear()
        self._kept[id(thing)] = (thing, value)
        return value
