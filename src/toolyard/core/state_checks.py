"""Outcome checks: whether an episode left the world as it should be.

    {"store": "mailbox", "change": "added", "count": 1,
     "where": {"to": "ann@example.org", "subject": {"contains": "invoice"}}}
    {"store": "files", "key": {"any_of": ["/workspace/out.pdf", "/tmp/out.pdf"]}}

A check reads the JSON of `World.diff`, so it can be repeated on a stored transcript.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from toolyard.core.types import Json

Change = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class StateCheck:
    """Exactly `count` entries of a store changed in this way and match `where`; None means at least one.

    `key` is what the entry is filed under, e.g. a file's path: a text, {"contains": ...} or {"any_of": [...]}.
    """

    store: str
    change: Change = "added"
    where: Mapping[str, Json] = field(default_factory=dict)
    count: int | None = 1
    key: Json = None


@dataclass(frozen=True, slots=True)
class StateVerdict:
    """Whether a check holds, and what was found."""

    holds: bool
    found: int
    reason: str


def verify(check: StateCheck, diff: Mapping[str, Json]) -> StateVerdict:
    """The verdict of one check on a diff."""
    entries = diff.get(check.store, {}).get(check.change, {})
    found = sum(
        (check.key is None or matches(key, check.key)) and matches(_final(entry, check.change), check.where)
        for key, entry in entries.items()
    )
    holds = found >= 1 if check.count is None else found == check.count
    wanted = "at least 1" if check.count is None else f"exactly {check.count}"
    return StateVerdict(holds, found, f"{check.store}: {found} {check.change} as wanted, needed {wanted}")


def untouched(diff: Mapping[str, Json], *, allowed: Sequence[str] = ()) -> bool:
    """Whether nothing but the allowed stores (and the clock) changed."""
    return set(diff) <= {*allowed, "clock"}


def matches(value: Json, where: Json) -> bool:
    """Whether a value has all that is wanted: equal leaves, or {"contains": ...}, {"any_of": [...]}."""
    if not isinstance(where, Mapping):
        return bool(value == where)
    if set(where) == {"contains"}:
        return _contains(value, where["contains"])
    if set(where) == {"any_of"}:
        return any(matches(value, option) for option in where["any_of"])
    if not isinstance(value, Mapping):
        return not where
    return all(key in value and matches(value[key], wanted) for key, wanted in where.items())


def _contains(value: Json, wanted: Json) -> bool:
    if isinstance(value, str):
        return isinstance(wanted, str) and wanted.lower() in value.lower()
    if isinstance(value, Sequence):
        return any(matches(item, wanted) for item in value)
    return isinstance(value, Mapping) and wanted in value


def _final(entry: Json, change: Change) -> Json:
    return entry["after"] if change == "changed" else entry
