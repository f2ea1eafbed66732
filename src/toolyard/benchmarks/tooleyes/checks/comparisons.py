"""Which side of a decision is right, by what the plan's calls returned.

    {"if": {"$": "0.price"}, "over": {"$": "1.price"}}        the first is larger, or later
    {"if": {"$": "0.status"}, "is": "open"}                   both are equal
    {"if": {"$": "0.summary"}, "has": "rain|shower"}          a text or list holds one of these
    {"if": {"$": "0.sponsors[name=Merck]"}}                   there is such a thing, and it is not false

Under another seed the other side may be right: a decision stands as it is written where its comparison holds, and the
other way round where it does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolyard.benchmarks.tooleyes.references import is_reference, look_up, number_of, parse
from toolyard.core.types import Failure, JsonValue, Record

RELATIONS = frozenset({"over", "is", "has"})
COMPARISON = RELATIONS | {"if"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A reference, how it is compared, and with what: a value or a reference."""

    path: str
    relation: str = ""
    other: Any = None

    def holds(self, observations: Sequence[JsonValue]) -> bool | Failure | None:
        """Whether it is so; None where neither of two sides is larger."""
        found = look_up(self.path, observations)
        if not self.relation:
            return not isinstance(found, Failure) and bool(found)
        other = look_up(self.other["$"], observations) if is_reference(self.other) else self.other
        for side in (found, other):
            if isinstance(side, Failure):
                return side
        if self.relation == "over":
            return _over(found, other)
        return _is(found, other) if self.relation == "is" else _has(found, other)


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


def comparison_of(written: Record) -> Comparison | Failure | None:
    """The comparison of a decision; None where it has none, a failure where it is not written as one."""
    given = RELATIONS & set(written)
    if "if" not in written and not given:
        return None
    left: Any = written.get("if")
    if not is_reference(left) or len(given) > 1 or parse(left["$"]) is None:
        return Failure("wrong_field", 'a comparison is {"if": {"$": "0.a"}, "over": {"$": "1.b"}}')
    if not given:
        return Comparison(left["$"])
    (relation,) = given
    other = written[relation]
    if isinstance(other, Mapping) and not is_reference(other):
        return Failure("wrong_field", f"{relation} wants a value or a reference")
    return Comparison(left["$"], relation, other)
