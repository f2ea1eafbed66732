"""Outcome checks: whether an episode left the world as it should be.

    {"store": "mailbox", "change": "added", "count": 1,
     "where": {"to": "ann@example.org", "subject": {"contains": "invoice"}}}
    {"store": "files", "key": {"any_of": ["/workspace/out.pdf", "/tmp/out.pdf"]}}
    {"store": "database", "change": "changed", "key": "shop.products", "as_planned": true}

A check reads the JSON of `World.diff`, so it can be repeated on a stored transcript. Whatever changed and is wanted by
no check is named by `unwanted_changes`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from toolyard.core.types import JsonValue

Change = Literal["added", "removed", "changed"]
CHANGES: tuple[Change, ...] = ("added", "removed", "changed")
# The count of a check that allows entries without asking for any.
ANY = -1


@dataclass(frozen=True, slots=True)
class StateCheck:
    """Exactly `count` entries of a store changed in this way and match `where`; None means at least one, ANY any number.

    `key` is what the entry is filed under, e.g. a file's path: a text, {"contains": ...} or {"any_of": [...]}.
    `as_planned` wants the whole entry as the plan leaves it, so that nothing beside it in the same table changed.
    """

    store: str
    change: Change = "added"
    where: Mapping[str, JsonValue] = field(default_factory=dict)
    count: int | None = 1
    key: JsonValue = None
    as_planned: bool = False


@dataclass(frozen=True, slots=True)
class StateVerdict:
    """Whether a check holds, and what was found."""

    holds: bool
    found: int
    reason: str


def verify(
    check: StateCheck, diff: Mapping[str, JsonValue], planned: Mapping[str, JsonValue] | None = None
) -> StateVerdict:
    """The verdict of one check on a diff; `planned` is the plan's own diff."""
    entries = _changed_entries(diff, check.store, check.change)
    found = sum(_is_wanted(check, key, entry, planned or {}) for key, entry in entries.items())
    holds = found >= 1 if check.count is None else check.count in (ANY, found)
    wanted = "at least 1" if check.count is None else f"exactly {check.count}"
    return StateVerdict(holds, found, f"{check.store}: {found} {check.change} as wanted, needed {wanted}")


def _is_wanted(check: StateCheck, key: str, entry: JsonValue, planned: Mapping[str, JsonValue]) -> bool:
    if check.key is not None and not matches_condition(key, check.key):
        return False
    final = _value_after(entry, check.change)
    if check.as_planned:
        theirs = _changed_entries(planned, check.store, check.change)
        if final not in [_value_after(other, check.change) for other in theirs.values()]:
            return False
    return matches_condition(final, check.where)


def unwanted_changes(
    checks: Sequence[StateCheck],
    diff: Mapping[str, JsonValue],
    planned: Mapping[str, JsonValue] | None = None,
    scratch: Sequence[str] = (),
) -> tuple[str, ...]:
    """What changed though no check wants it, as `store: added key`; the clock and scratch stores may move."""
    return tuple(
        f"{store}: {change} {str(key)[:60]}"
        for store in diff
        if store not in ("clock", *scratch)
        for change in CHANGES
        for key, entry in _changed_entries(diff, store, change).items()
        if not any(
            check.store == store and check.change == change and _is_wanted(check, key, entry, planned or {})
            for check in checks
        )
    )


def _changed_entries(diff: Mapping[str, JsonValue], store: str, change: Change) -> Mapping[str, JsonValue]:
    """What changed in a store in this way, by key; nothing where it did not."""
    changes = diff.get(store)
    entries = changes.get(change) if isinstance(changes, Mapping) else None
    return entries if isinstance(entries, Mapping) else {}


def matches_condition(value: JsonValue, where: JsonValue) -> bool:
    """Whether a value has all that is wanted: equal leaves, {"contains": ...}, {"text": ...}, {"all_of"/"any_of": [...]}."""
    if not isinstance(where, Mapping):
        return bool(value == where)
    if set(where) == {"text"}:
        return isinstance(value, str) and _forgiving_text(value) == _forgiving_text(str(where["text"]))
    if set(where) == {"all_of"}:
        return all(matches_condition(value, option) for option in _accepted_options(where["all_of"]))
    if set(where) == {"contains"}:
        return _contains_value(value, where["contains"])
    if set(where) == {"any_of"}:
        return any(matches_condition(value, option) for option in _accepted_options(where["any_of"]))
    if not isinstance(value, Mapping):
        return not where
    return all(key in value and matches_condition(value[key], wanted) for key, wanted in where.items())


def _accepted_options(wanted: JsonValue) -> Sequence[JsonValue]:
    return wanted if isinstance(wanted, Sequence) else ()


def _contains_value(value: JsonValue, wanted: JsonValue) -> bool:
    if isinstance(value, str):
        return isinstance(wanted, str) and wanted.lower() in value.lower()
    if isinstance(value, Sequence):
        return any(matches_condition(item, wanted) for item in value)
    return isinstance(value, Mapping) and isinstance(wanted, str) and wanted in value


def _value_after(entry: JsonValue, change: Change) -> JsonValue:
    return entry["after"] if change == "changed" and isinstance(entry, Mapping) else entry


def _forgiving_text(text: str) -> str:
    """A text without what editors change by themselves: case, white space, quotes around it, a last full stop."""
    return " ".join(text.split()).strip("'\"").rstrip(".!").lower()
