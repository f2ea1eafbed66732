"""What no table can hold but what may well exist: a small company, an unlisted hotel, next month's fixtures.

Such a thing gets a row that follows from the seed and its name alone, so that all tools of a world agree on it. The
world notes it as simulated (`World.simulated`); nothing in an observation says so. What cannot exist is refused
before: `derive_row` is for names that a tool has found to exist.
"""

from collections.abc import Callable
from contextvars import ContextVar
from random import Random
from typing import TypeVar

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain

Row = TypeVar("Row")
# The record of the world whose tool is running; none outside of calls.
RECORD: ContextVar[set[tuple[str, str]] | None] = ContextVar("simulated", default=None)
_SMALL = frozenset("a an and at by de del di du for in la le of on or the to van von".split())


def derive_row(seed: int, kind: str, name: str, build: Callable[[Random], Row]) -> Row:
    """The row of something that no table holds, noted as simulated in the world that asks for it.

    kind: What it is, in the words of the data ("company", "hotel"); all tools say the same.
    name: What tells it from others of its kind; case, accents and outer blanks do not count.
    build: Makes the row out of chance that depends on seed, kind and name alone.
    """
    key = plain(name)
    record = RECORD.get()
    if record is not None:
        record.add((kind, key))
    return build(seeds.stream(seed, "derived", kind, key))


def derived_names(kind: str) -> list[str]:
    """The plain names of this kind that the running world has derived so far; none outside of calls."""
    return sorted(name for noted_kind, name in RECORD.get() or () if noted_kind == kind)


def title_case(name: str) -> str:
    """A name as a title: the same for every way to write it, with small words in small letters."""
    first, *rest = plain(name).split()
    return " ".join([first.capitalize(), *(word if word in _SMALL else word.capitalize() for word in rest)])
