"""Facts tied to their subjects: whether an answer states them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from toolyard.benchmarks.tooleyes.checks.answer_layout import Passage, fold
from toolyard.benchmarks.tooleyes.checks.answer_numbers import written_numbers
from toolyard.benchmarks.tooleyes.checks.fact_values import Quantity, Spot, Value, Words
from toolyard.benchmarks.tooleyes.checks.labels import FactPair, LabelMention, swapped
from toolyard.benchmarks.tooleyes.checks.polarity import denied, retracted, unsure
from toolyard.benchmarks.tooleyes.checks.times import clock_times, durations, named_days

_OR = re.compile(
    r"^[\s%°€$£\"')a-z.,()+]{0,24}?(?:\bor\b|\boder\b|\bou\b)\s+"
    r"(?:maybe |perhaps |possibly |else |even |it (?:is|could be) |is it )?(?:the |a |an |in |[$€£])?"
)
# Examples choose nothing: "most of all in cities such as Nice, Lyon and Paris".
_EXAMPLE = re.compile(r"\b(?:such as|for example|for instance|e\.g\.)\s[^.;:()]{0,80}$")
# Letters around a value among which another one is looked for; no run of blanks is as long.
NEAR = 300
_OR_BEFORE = re.compile(r"(\S+)[\s%°€$£\"')]*(?:\w+ )?\b(?:or|oder|ou)\b\s+(?:the |a |an |in |[$€£])?$")
_SUPERLATIVES = (
    "cheapest best biggest largest smallest highest lowest newest latest earliest oldest youngest fastest slowest shortest "
    "longest closest nearest strongest lightest heaviest dearest soonest tallest greatest richest hottest coldest warmest "
    "safest easiest hardest priciest busiest finest most least worst"
)
_CUE = re.compile(
    rf"\b(?:{'|'.join(_SUPERLATIVES.split())}|first|second|third|top|next|last|only|winner|won|wins|recommend\w*|suggest\w*|"
    r"so|therefore|hence|answer|choose|pick|go with|main|leads?|leading|free|fits?|matches|requested|asked|looking for|"
    r"yours?|this one|that one|called|is the|it is|it's)\b"
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A value that may be put in several ways, the labels of its subject, and values that would be wrong in its place."""

    values: tuple[Value, ...]
    labels: tuple[tuple[str, ...], ...] = ()
    rivals: tuple[Value, ...] = ()
    shown: str = ""
    # whether several items of the same list are wanted
    listing: bool = False

    @property
    def kind(self) -> str:
        return self.values[0].kind if self.values else "text"

    def spots(self, text: str) -> list[Spot]:
        """Where a passage has the value; one inside a larger one is none: "Apple Pie" in "Baked Apple Pie"."""
        found = {spot for value in self.values for spot in value.spots(text)}
        if not found:
            return []
        larger = found | {spot for rival in self.rivals if rival.kind == "text" for spot in rival.spots(text)}
        kept, reached = [], -1
        # In this order a place is a part of a larger one exactly where one before it reaches its end.
        for spot in sorted(larger, key=lambda at: (at.start, -at.end)):
            if spot.end > reached and spot in found:
                kept.append(spot)
            reached = max(reached, spot.end)
        return kept

    def same(self, other: Fact) -> bool:
        """Whether the two have one value."""
        return any(one == two for one in self.values for two in other.values) or _close(self, other)


def _close(one: Fact, two: Fact) -> bool:
    if not one.values or not two.values:
        return False
    first, second = one.values[0], two.values[0]
    if isinstance(first, Quantity) and isinstance(second, Quantity):
        return abs(first.number - second.number) <= 1e-9 * max(1.0, abs(first.number))
    return isinstance(first, Words) and isinstance(second, Words) and fold(first.text) == fold(second.text)


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """Whether a statement is made; None where rules cannot see it."""

    holds: bool | None
    reason: str = ""


def fact_verdict(fact: Fact, facts: Sequence[Fact], said: Sequence[Passage]) -> StatementVerdict:
    """Whether the answer states the fact of its subject, without denial, doubt or another value beside it."""
    found = mentions(fact, said)
    if not found:
        return StatementVerdict(False, f"the answer lacks {fact.shown}")
    taken_back = _taken_back(said)
    problems = {mention: _problem(fact, facts, said, mention, taken_back) for mention in found}
    kept = [mention for mention, problem in problems.items() if not problem]
    why = "denied" if "denied" in problems.values() else "" if kept else next(iter(problems.values()))
    if not why and _said_of_other(fact, facts, said, kept):
        why = "other"
    if why:
        return StatementVerdict(False, f"the answer has {fact.shown}, but {_SAID[why]}")
    return _selected(fact, said, kept)


def mentions(fact: Fact, said: Sequence[Passage]) -> list[LabelMention]:
    """Where the answer has the value."""
    return [
        LabelMention(place, spot) for place, passage in enumerate(said) for spot in fact.spots(passage.text)
    ]


def _said_of_other(
    fact: Fact, facts: Sequence[Fact], said: Sequence[Passage], kept: Sequence[LabelMention]
) -> bool:
    """Whether the value is that of another fact's subject, by what the text says of both."""
    for other in facts:
        if other is fact or other.kind != fact.kind or other.same(fact):
            continue
        mine, their = _distinct(fact, other)
        if not mine or not their:
            continue
        first = facts.index(fact) < facts.index(other)
        others = tuple(mentions(other, said))
        pair = (
            FactPair(mine, their, tuple(kept), others)
            if first
            else FactPair(their, mine, others, tuple(kept))
        )
        if swapped(said, pair):
            return True
    return False


_SAID = {
    "denied": "denies it",
    "open": "leaves it open",
    "other": "says it of something else",
    "taken back": "takes it back",
}


def _problem(
    fact: Fact, facts: Sequence[Fact], said: Sequence[Passage], mention: LabelMention, taken_back: int
) -> str:
    text, spot = said[mention.passage].text, mention.spot
    if denied(text, spot):
        return "denied"
    if unsure(text, spot) or (not fact.listing and _or_another(fact, facts, text, spot)):
        return "open"
    if _example(fact, text, spot):
        return "open"
    if mention.passage < taken_back or retracted(text) > spot.start:
        return "taken back"
    return ""


def _example(fact: Fact, text: str, spot: Spot) -> bool:
    """Whether the one item of a list that was asked for is named as an example only."""
    singled = fact.kind == "text" and fact.labels and fact.rivals and not fact.listing
    return bool(singled) and _EXAMPLE.search(fold(text), max(0, spot.start - NEAR), spot.start) is not None


def _taken_back(said: Sequence[Passage]) -> int:
    """The last passage that takes back what was said before it; 0 where none does."""
    return max(
        (place for place, passage in enumerate(said) if place and retracted(passage.text) >= 0), default=0
    )


def _distinct(one: Fact, two: Fact) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels that only one of two facts has; none where they differ in more than one respect."""
    mine = [group for group in one.labels if group not in two.labels]
    their = [group for group in two.labels if group not in one.labels]
    if len(mine) != 1 or len(their) != 1:
        return (), ()
    return mine[0], their[0]


def _or_another(fact: Fact, facts: Sequence[Fact], text: str, spot: Spot) -> bool:
    """Whether "or" joins the value with another one that is no fact and no other way to say it."""
    allowed = [(at.start, at.end) for each in facts for at in each.spots(text)]
    after = _OR.match(fold(text[spot.end : spot.end + NEAR]))
    if after is not None:
        start = spot.end + after.end()
        if _another(fact, text, start, allowed, spot):
            return True
    before = _OR_BEFORE.search(fold(text), max(0, spot.start - NEAR), spot.start)
    if before is None:
        return False
    return _another(fact, text, before.start(1), allowed, spot, backwards=True)


def _another(
    fact: Fact,
    text: str,
    start: int,
    allowed: Sequence[tuple[int, int]],
    spot: Spot,
    *,
    backwards: bool = False,
) -> bool:
    if any(low <= start < high for low, high in allowed):
        return False
    if fact.kind == "text":
        rest = text[start:]
        rival = any(
            at.start <= start + 3 <= at.end + 3
            for each in fact.rivals
            for at in each.spots(text)
            if abs(at.start - start) < 12
        )
        return rival or (rest[:1].isupper() and not backwards and not rest.startswith("I "))
    if fact.kind != "number":
        return any(low <= start <= high or 0 <= low - start <= 2 for low, high in _others(fact.kind, text))
    mine = next((one for one in written_numbers(text) if one.start <= spot.start < one.end), None)
    for one in written_numbers(text):
        if one.start <= start <= one.end or (not backwards and 0 <= one.start - start <= 2):
            differs = mine is not None and one.unit and mine.unit and one.unit != mine.unit
            return not differs
    return False


def _others(kind: str, text: str) -> list[tuple[int, int]]:
    """Where a text has dates, times or durations."""
    if kind == "date":
        return [(one.start, one.end) for one in named_days(text)]
    return [(one.start, one.end) for one in (clock_times if kind == "time" else durations)(text)]


def _selected(fact: Fact, said: Sequence[Passage], kept: Sequence[LabelMention]) -> StatementVerdict:
    """Whether the value was chosen, where others of its list are named as well."""
    if not fact.rivals or fact.listing:
        return StatementVerdict(True)
    named = [_rivals_named(fact, passage) for passage in said]
    total = sum(named)
    if total <= 1:
        return StatementVerdict(True)
    for mention in kept:
        passage = said[mention.passage]
        lone = named[mention.passage] == 0 and not passage.listed
        if (
            lone
            or passage.strong
            or _CUE.search(_beside(fact, passage.text, mention.spot, named[mention.passage]))
        ):
            return StatementVerdict(True)
    return StatementVerdict(False, f"the answer has {fact.shown} among {total} others and does not choose")


def _beside(fact: Fact, text: str, spot: Spot, rivals: int) -> str:
    """The words that may choose a value, without names (Best Buy chooses nothing): near it where rivals stand by."""
    plain = list(fold(text))
    for at in (*fact.spots(text), *(other for rival in fact.rivals for other in rival.spots(text))):
        plain[at.start : at.end] = " " * (at.end - at.start)
    reach = 28 if rivals > 1 else len(text)
    return "".join(plain[max(0, spot.start - reach) : spot.end + reach])


def _rivals_named(fact: Fact, passage: Passage) -> int:
    """How many other items of the list a passage names; a part of the value itself is none."""
    own = fact.spots(passage.text)
    return sum(
        any(
            not any(at.start < mine.end and mine.start < at.end for mine in own)
            for at in rival.spots(passage.text)
        )
        for rival in fact.rivals
    )
