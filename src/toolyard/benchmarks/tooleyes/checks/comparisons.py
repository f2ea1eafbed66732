"""Which side of a decision is right, by what the plan's calls returned.

    {"if": {"$": "0.price"}, "over": {"$": "1.price"}}        the first is larger, or later
    {"if": {"$": "0.status"}, "is": "open"}                   both are equal
    {"if": {"$": "0.summary", "find": "rain (\\\\d+) mm"}, "over": 0}     a part of a text
    {"if": {"$": "0.summary"}, "has": "rain|shower"}          a text or list holds one of these
    {"if": {"$": "0.sponsors[name=Merck]"}}                   there is such a thing, and it is not false

Under another seed the other side may be right: a decision stands as it is written where its comparison holds, and the
other way round where it does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from toolyard.benchmarks.tooleyes.references import look_up, number_of, parse
from toolyard.core.types import Failure, JsonValue, Record

RELATIONS = frozenset({"over", "is", "has"})
COMPARISON = RELATIONS | {"if"}


@dataclass(frozen=True, slots=True)
class ComparedValues:
    """A reference, how it is compared, and with what: a value or a reference."""

    left: Record
    relation: str = ""
    right: Any = None

    def holds(self, observations: Sequence[JsonValue]) -> bool | Failure | None:
        """Whether it is so; None where neither of two sides is larger."""
        found = _side(self.left, observations)
        if not self.relation:
            return not isinstance(found, Failure) and bool(found)
        other = _side(self.right, observations)
        for side in (found, other):
            if isinstance(side, Failure):
                return side
        if self.relation == "over":
            return _over(found, other)
        return _is(found, other) if self.relation == "is" else _has(found, other)


def _side(written: Any, observations: Sequence[JsonValue]) -> Any | Failure:
    """A value as it stands, or what a reference points to, as far as `find` matches it."""
    if not isinstance(written, Mapping):
        return written
    found = look_up(written["$"], observations)
    if isinstance(found, Failure) or "find" not in written:
        return found
    part = re.search(written["find"], str(found))
    if part is None:
        return Failure("not_found", f"nothing like {written['find']!r} at {written['$']!r}")
    return part.group(1) if part.groups() else part.group()


def _over(found: Any, other: Any) -> bool | None:
    first, second = number_of(found), number_of(other)
    if first is None or second is None:
        return None if str(found) == str(other) else str(found) > str(other)
    return None if first == second else first > second


def _is(found: Any, other: Any) -> bool:
    same = found == other or str(found).lower() == str(other).lower()
    return same or (number_of(found) is not None and number_of(found) == number_of(other))


def _has(found: Any, other: Any) -> bool:
    text = " | ".join(map(str, found)) if isinstance(found, list) else str(found)
    return any(part.strip().lower() in text.lower() for part in str(other).split("|") if part.strip())


def comparison_of(written: Record) -> ComparedValues | Failure | None:
    """The comparison of a decision; None where it has none, a failure where it is not written as one."""
    given = RELATIONS & set(written)
    if "if" not in written and not given:
        return None
    left = written.get("if")
    if len(given) > 1 or not _is_side(left):
        return Failure("wrong_field", 'a comparison is {"if": {"$": "0.a"}, "over": {"$": "1.b"}}')
    if not given:
        return ComparedValues(left)
    (relation,) = given
    right = written[relation]
    if isinstance(right, Mapping) and not _is_side(right):
        return Failure("wrong_field", f"{relation} wants a value or a reference")
    return ComparedValues(left, relation, right)


def _is_side(written: Any) -> TypeGuard[Record]:
    if not isinstance(written, Mapping) or not set(written) <= {"$", "find"}:
        return False
    pattern = written.get("find", "")
    try:
        re.compile(pattern)
    except (TypeError, re.error):
        return False
    return isinstance(written.get("$"), str) and parse(written["$"]) is not None
