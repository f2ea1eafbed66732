"""A world: a seed, a clock that only tools advance, and stores that remember only what changed.

Tables are functions of the seed and shared by all worlds of a process. What tools may change lives in
stores: each has an initial content per seed (shared, never touched) and, per world, the changes to it.
A fresh world therefore costs nothing, a snapshot is a copy of the changes, a diff compares two of them.
"""

from __future__ import annotations

import copy
import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import index
from random import Random
from typing import Any, TypeVar

from toolyard.core import declared_world
from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel import seeds

_Row = TypeVar("_Row")

EPOCH = declared_world.CLOCK
DELETED: Any = object()
_MISSING: object = object()


def no_entries(seed: int) -> Mapping[str, JsonValue]:  # noqa: ARG001 - the signature of every initial content
    """The initial content of a store that starts empty."""
    return {}


@dataclass(frozen=True, slots=True)
class Store:
    """A named part of the state: key -> JSON value (or bytes), with its content at the start."""

    name: str
    initial: Callable[[int], Record] = no_entries
    # What one world may put into it: whoever reads the store reads all of that.
    most_entries: int = 1_000
    most_characters: int = 1_000_000

    def is_overfull(self, changes: Mapping[str, JsonValue]) -> bool:
        """Whether these changes are more than a world may make."""
        kept = [value for value in changes.values() if value is not DELETED]
        return len(kept) > self.most_entries or _size_value(kept, self.most_characters) > self.most_characters


@functools.lru_cache(maxsize=64)
def _initial_rows(store: Store, seed: int) -> Mapping[str, JsonValue]:
    return store.initial(seed)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The changes that a world of a seed had at one moment."""

    seconds: float
    draws: int
    changes: Mapping[Store, Record]
    seed: int | None = None


# Every world as it was before anything happened.
START = Snapshot(0.0, 0, {})


class StoreView(MutableMapping[str, Any]):
    """One world's view of a store. Values read are private copies: assign to change."""

    def __init__(self, base: Mapping[str, JsonValue], changes: dict[str, JsonValue]) -> None:
        self._base = base
        self._changes = changes

    def __getitem__(self, key: str) -> Any:
        value = self._changes.get(key, _MISSING)
        if value is _MISSING:
            value = self._base[key]
        if value is DELETED:
            raise KeyError(key)
        return copy.deepcopy(value)

    def __setitem__(self, key: str, value: JsonValue) -> None:
        self._changes[key] = copy.deepcopy(value)

    def __delitem__(self, key: str) -> None:
        if key not in self:
            raise KeyError(key)
        self._changes[key] = DELETED

    def __contains__(self, key: object) -> bool:
        value = self._changes.get(key, _MISSING) if isinstance(key, str) else DELETED
        return key in self._base if value is _MISSING else value is not DELETED

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in self._base if self._changes.get(key) is not DELETED)
        yield from (k for k, v in self._changes.items() if v is not DELETED and k not in self._base)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class World:
    """Everything a tool may read or change."""

    __slots__ = ("_changes", "_draws", "_seconds", "calls", "seed", "simulated")

    def __init__(self, seed: int = 0) -> None:
        if isinstance(seed, bool) or not hasattr(seed, "__index__"):
            raise TypeError(
                f"a world's seed is a whole number, got {_describe_value(seed)}; try World.fresh(seed=0)"
            )
        self.seed = index(seed)
        self.calls = 0
        # (kind, folded name) of what tools derived because no table holds it; see `derive_row`.
        self.simulated: set[tuple[str, str]] = set()
        self._seconds = 0.0
        self._draws = 0
        self._changes: dict[Store, dict[str, JsonValue]] = {}

    @classmethod
    def fresh(cls, seed: int = 0) -> World:
        """A world as it is before anything happened."""
        world = cls(seed)
        seeds.begin(world.seed)
        return world

    @property
    def now(self) -> datetime:
        """The virtual time, in UTC."""
        return EPOCH + timedelta(seconds=self._seconds)

    @property
    def today(self) -> date:
        """The virtual date, in UTC."""
        return self.now.date()

    @property
    def is_untouched(self) -> bool:
        """Whether it is still as it is before anything happened."""
        return not self._seconds and not self._draws and not any(self._changes.values())

    def advance(self, seconds: float) -> None:
        """Let virtual time pass."""
        if seconds < 0:
            raise ValueError(f"time runs forward, got {seconds} seconds")
        self._seconds += seconds

    def random(self, *parts: object) -> Random:
        """A generator that is the same whenever these parts are asked for."""
        return seeds.stream(self.seed, *parts)

    def draw(self, *parts: object) -> Random:
        """A generator that differs with every draw, for tools whose point is chance."""
        self._draws += 1
        return seeds.stream(self.seed, "draw", self._draws, *parts)

    def draw_anew(self, rows: Sequence[_Row], *parts: object, opening: int = 0) -> _Row:
        """A row drawn by chance; none comes again within half as many draws as there are rows.

        opening: how many rows the very first draws choose from, where a list has grown.
        """
        self._draws += 1
        picked: list[int] = []
        for number in range(1 + (self._draws - 1) // (8 * len(rows)) * 8 * len(rows), self._draws + 1):
            size = opening if number <= opening else len(rows)
            barred = set(picked) if number <= size else set(picked[-(size // 2) :] if size > 1 else ())
            left = [place for place in range(size) if place not in barred] or list(range(size))
            chance = seeds.stream(self.seed, "draw", number, *parts)
            first = chance.randrange(size)
            picked.append(first if first in left else chance.choice(left))
        return rows[picked[-1]]

    def store(self, store: Store) -> StoreView:
        """This world's view of a store."""
        return StoreView(_initial_rows(store, self.seed), self._changes.setdefault(store, {}))

    def new_key(self, store: Store, prefix: str) -> str:
        """A key that the store does not have yet: prefix and the next number."""
        view = self.store(store)
        count = len(view) + 1
        while f"{prefix}{count}" in view:
            count += 1
        return f"{prefix}{count}"

    def overfull_since(self, before: Snapshot) -> Store | None:
        """A store that was written to since then and now holds too much; None where all is well."""
        for store, values in self._changes.items():
            known = before.changes.get(store, {})
            written = any(known.get(key, _MISSING) is not value for key, value in values.items())
            if written and store.is_overfull(values):
                return store
        return None

    def snapshot(self) -> Snapshot:
        """What has changed so far; cheap, because only changes are kept."""
        changes = {store: dict(values) for store, values in self._changes.items()}
        return Snapshot(self._seconds, self._draws, changes, self.seed)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this world."""
        self._refuse_other(snapshot)
        self._seconds = snapshot.seconds
        self._draws = snapshot.draws
        self._changes = {store: dict(values) for store, values in snapshot.changes.items()}

    def copy(self) -> World:
        """Another world in the same state."""
        twin = World(self.seed)
        twin.calls = self.calls
        twin.simulated = set(self.simulated)
        twin.restore(self.snapshot())
        return twin

    def _refuse_other(self, snapshot: Snapshot) -> None:
        """Changes of another world would be read against the tables of this one."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(
                f"wanted a snapshot of this world, got {_describe_value(snapshot)}; make one with world.snapshot()"
            )
        if snapshot.seed not in (None, self.seed):
            raise ValueError(
                f"the snapshot is of a world with seed {snapshot.seed}, this one has seed {self.seed}; "
                "take a snapshot of this world"
            )

    def diff(self, before: Snapshot | None = None) -> Record:
        """What changed since a snapshot (or since the start), as JSON: store -> added, removed, changed."""
        before = START if before is None else before
        self._refuse_other(before)
        since: Mapping[Store, Mapping[str, object]] = before.changes
        touched = sorted({*self._changes, *since}, key=lambda store: store.name)
        parts = {
            store.name: _store_diff(
                _initial_rows(store, self.seed), since.get(store, {}), self._changes.get(store, {})
            )
            for store in touched
        }
        report = {name: part for name, part in parts.items() if any(part.values())}
        elapsed = self._seconds - before.seconds
        return {**report, "clock": {"advanced_seconds": elapsed}} if elapsed else report


def _describe_value(value: object) -> str:
    """A wrong value as a message shows it."""
    return f"{type(value).__name__} {repr(value)[:40]}" if value is not None else "None"


def _size_value(value: JsonValue, enough: int) -> int:
    """Characters and bytes of a value, one for whatever is neither; counts no further than it has to."""
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, Mapping):
        return _size_value([*value, *value.values()], enough)
    if not isinstance(value, list | tuple):
        return 1
    size = 0
    for item in value:
        size += _size_value(item, enough)
        if size > enough:
            break
    return size


def _store_diff(base: Record, old: Record, new: Record) -> dict[str, dict[str, JsonValue]]:
    part: dict[str, dict[str, JsonValue]] = {"added": {}, "removed": {}, "changed": {}}
    for key in sorted({*old, *new}):
        was = old.get(key, base.get(key, DELETED))
        now = new.get(key, base.get(key, DELETED))
        if was is now or (DELETED not in (was, now) and was == now):
            continue
        if was is DELETED:
            part["added"][key] = _as_json(now)
        elif now is DELETED:
            part["removed"][key] = _as_json(was)
        else:
            part["changed"][key] = {"before": _as_json(was), "after": _as_json(now)}
    return part


def _as_json(value: JsonValue) -> JsonValue:
    if isinstance(value, bytes):
        return {"bytes": len(value), "sha256": hashlib.sha256(value).hexdigest()}
    if isinstance(value, Mapping):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    return value
