"""To which of two subjects the values in an answer belong.

"Paris has 13.8, London 15.3", "13.8 in Paris and 15.3 in London", "Paris and London have 13.8 and 15.3 respectively",
a list under a heading, a row of a table: the same two facts. The text decides by what stands nearest; where it
speaks for the exchanged reading, the facts are swapped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from toolyard.benchmarks.tooleyes.checks.answer_layout import Passage, fold
from toolyard.benchmarks.tooleyes.checks.answer_names import places_of
from toolyard.benchmarks.tooleyes.checks.answer_numbers import UNIT_OF
from toolyard.benchmarks.tooleyes.checks.fact_values import Spot

FAR = 15.0
# What stands in brackets between a value and its label parts them no further: "15.4 °C (59.7 °F) in Paris".
_ASIDE = re.compile(r"\([^()]{0,40}\)")
UNIT_WORDS = frozenset({*UNIT_OF, "per cent", "points", "point", "servings", "people", "calories"})
_RANGE = re.compile(r"^[\s%°a-z$€£¥]{0,10}\s*(?:\bto\b|-)\s*[$€£¥]?\s*$")
_ACROSS, _BREAK, _APART, _BEHIND, _EVIDENCE = 7.0, 3.0, 8.0, 1.5, 1.0
_BREAKS = re.compile(r"[,;]|\b(?:and|while|whereas|but|against|versus|vs|compared|or)\b")
_PREPOSITION = re.compile(
    r"^[\s%°)\"']*(?:[\w/.]+\s)?(?:in|for|at|of|on|from|by|to|is|are|was|were|as|per)\b|^[\s\w%°]{0,12}[(\[]|^[\s\"']*[\w%°]*[\s\"']*$"
)


@dataclass(frozen=True, slots=True)
class LabelMention:
    """A value's place: the passage, and where in it."""

    passage: int
    spot: Spot


@dataclass(frozen=True, slots=True)
class FactPair:
    """Two facts of one kind that differ in one respect: the labels of either, and where their values stand."""

    mine: tuple[str, ...]
    other: tuple[str, ...]
    values: tuple[LabelMention, ...]
    others: tuple[LabelMention, ...]


def label_spots(text: str, labels: Sequence[str], *, bent: bool = True) -> list[Spot]:
    """Where any of the labels stands; with `bent` also in another form of the word."""
    return [Spot(start, end) for label in labels for start, end in places_of(text, label, bent=bent)]


def swapped(said: Sequence[Passage], pair: FactPair) -> bool:
    """Whether every way to read the two values says the first of the second's subject."""
    if not pair.values or not pair.others:
        return False
    return all(_exchanged(said, pair, one, two) for one in pair.values for two in pair.others)


def _exchanged(said: Sequence[Passage], pair: FactPair, one: LabelMention, two: LabelMention) -> bool:
    if one.passage == two.passage:
        text = said[one.passage].text
        mine, other = _labels(text, pair, one.passage)
        low, high = sorted((one.spot, two.spot), key=lambda at: at.start)
        if not (mine and other) and _RANGE.match(fold(text[low.end : high.start])):
            return one.spot.start > two.spot.start
        if mine or other:
            return _in_one(text, one.spot, two.spot, mine, other)
    first, second = _points_to_other(said, pair, one), _points_to_other(said, _turned(pair), two)
    if first is None and second is None:
        return _out_of_order(said, pair, one, two)
    return True in (first, second) and False not in (first, second)


def _turned(pair: FactPair) -> FactPair:
    return FactPair(pair.other, pair.mine, pair.others, pair.values)


def _labels(
    text: str, pair: FactPair, place: int = -1, *, units: bool = True
) -> tuple[list[Spot], list[Spot]]:
    """Both sides' labels in a text, without those inside a value or inside a longer label of the other side.

    A unit behind a number ("19 minutes") is a label only where there is no other, if at all.
    """
    values = [each.spot for each in (*pair.values, *pair.others) if each.passage == place]
    mine, other = _sides(text, pair, values)
    ends = [value.end for value in values if text[value.start : value.end][-1:].isdigit()]
    named = [[at for at in side if not _is_unit(text, at, ends)] for side in (mine, other)]
    return (named[0], named[1]) if named[0] or named[1] or not units else (mine, other)


def _is_unit(text: str, at: Spot, ends: Sequence[int]) -> bool:
    return fold(text[at.start : at.end]) in UNIT_WORDS and any(0 <= at.start - end <= 2 for end in ends)


def _sides(text: str, pair: FactPair, values: Sequence[Spot]) -> tuple[list[Spot], list[Spot]]:
    mine = [at for at in label_spots(text, pair.mine) if not any(_inside(at, value) for value in values)]
    other = [at for at in label_spots(text, pair.other) if not any(_inside(at, value) for value in values)]
    kept_mine = [at for at in mine if not any(_inside(at, larger) for larger in other)]
    kept_other = [at for at in other if not any(_inside(at, larger) for larger in mine)]
    return kept_mine, kept_other


def _inside(small: Spot, large: Spot) -> bool:
    return large.start <= small.start and small.end <= large.end


def _in_one(text: str, one: Spot, two: Spot, mine: list[Spot], other: list[Spot]) -> bool:
    """Within one passage: names and values side by side by their order, else by what stands nearest."""
    if mine and other:
        by_order = _by_order(text, one, two, mine, other)
        if by_order is None:
            by_order = _in_turn(text, one, two, mine, other)
        if by_order is not None:
            return by_order
    straight = _cost(text, one, mine, two), _cost(text, two, other, one)
    crossed = _cost(text, one, other, two), _cost(text, two, mine, one)
    # The closest of all comes first: what stands right beside a value explains it.
    return (min(crossed), sum(crossed)) < (min(straight), sum(straight))


def _cost(text: str, value: Spot, labels: Sequence[Spot], rival: Spot) -> float:
    """How far a value stands from the nearest of the labels."""
    return min((_distance(text, value, label, rival) for label in labels), default=FAR)


def _distance(text: str, value: Spot, label: Spot, rival: Spot) -> float:
    if label.start < value.end and value.start < label.end:
        return 0.0
    before = label.end <= value.start
    low, high = (label.end, value.start) if before else (value.end, label.start)
    gap = fold(text[low:high])
    if not low <= rival.start < high:
        gap = _ASIDE.sub("", gap)
    cost = len(re.findall(r"\w+", gap)) + (_BREAK if before else _APART) * len(_BREAKS.findall(gap))
    if low <= rival.start < high:
        cost += _ACROSS
    if not before and not _PREPOSITION.match(gap):
        cost += _BEHIND
    return min(cost, FAR)


def _by_order(text: str, one: Spot, two: Spot, mine: list[Spot], other: list[Spot]) -> bool | None:
    """Two names and then two values (or the other way round) belong together in their order."""
    names = sorted(
        (min(mine, key=lambda at: at.start), min(other, key=lambda at: at.start)), key=lambda at: at.start
    )
    values = sorted((one, two), key=lambda at: at.start)
    after, before = names[1].end <= values[0].start, values[1].end <= names[0].start
    if not (after or before):
        return None
    if "respectively" not in fold(text):
        between_names = fold(text[names[0].end : names[1].start])
        between_values = fold(text[values[0].end : values[1].start])
        joined = re.fullmatch(
            r"[\s,/&'\"()]*(?:and|versus|vs\.?|or|,|/|&|-)?[\s'\"(]*(?:in |for |the |of )?[\w\s'\"]{0,30}",
            between_names,
        )
        close = len(between_values.split()) <= 4 and not any(
            low.start >= values[0].end and low.end <= values[1].start for low in (*mine, *other)
        )
        if joined is None or not close or re.search(r"\d|\b(?:is|has|had|was|costs?)\b", between_names):
            return None
    first_is_mine = min(at.start for at in mine) < min(at.start for at in other)
    return first_is_mine != (one.start < two.start)


def _in_turn(text: str, one: Spot, two: Spot, mine: list[Spot], other: list[Spot]) -> bool | None:
    """A value with its label behind it, twice: "from 5 at the end of May it fell to 4 at the end of June"."""
    if len(mine) != 1 or len(other) != 1:
        return None
    parts = sorted((one, two, mine[0], other[0]), key=lambda at: at.start)
    if parts[0] not in (one, two) or parts[2] not in (one, two):
        return None
    gaps = [fold(text[parts[place].end : parts[place + 1].start]) for place in (0, 2)]
    if not all(_PREPOSITION.match(gap) and not _BREAKS.search(gap) for gap in gaps):
        return None
    return (parts[0] == one) != (parts[1] == mine[0])


def _points_to_other(said: Sequence[Passage], pair: FactPair, here: LabelMention) -> bool | None:
    """Whether a value by itself is said of the other subject; None where its surroundings do not tell."""
    passage = said[here.passage]
    found = _nearer(passage.text, here.spot, *_labels(passage.text, pair, here.passage, units=False))
    if found is not None:
        return found
    for text in reversed(passage.context):
        mine, other = _labels(text, pair)
        if bool(mine) != bool(other):
            return bool(other)
    found = _nearer(passage.text, here.spot, *_labels(passage.text, pair, here.passage))
    return _subject_before(said, pair, here) if found is None else found


def _nearer(text: str, value: Spot, mine: Sequence[Spot], other: Sequence[Spot]) -> bool | None:
    """Whether the other side's label is the nearer one; None where there is none, or no difference."""
    nowhere = Spot(-1, -1)
    straight, crossed = _cost(text, value, mine, nowhere), _cost(text, value, other, nowhere)
    return crossed < straight if abs(straight - crossed) >= _EVIDENCE else None


def _subject_before(said: Sequence[Passage], pair: FactPair, here: LabelMention) -> bool | None:
    """The subject of the passages before, where there was only one of the two."""
    passage = said[here.passage]
    for place in range(here.passage - 1, max(-1, here.passage - 3), -1):
        earlier = said[place]
        if earlier.listed and passage.listed and earlier.block != passage.block:
            return None
        mine, other = _labels(earlier.text, pair, place)
        if mine or other:
            return bool(other) if bool(mine) != bool(other) else None
    return None


def _out_of_order(said: Sequence[Passage], pair: FactPair, one: LabelMention, two: LabelMention) -> bool:
    """Where no label is used at all, values stand in the order in which they were asked for (`one` comes first)."""
    labels = (*pair.mine, *pair.other)
    if any(label_spots(text, labels) for passage in said for text in (passage.text, *passage.context)):
        return False
    return (one.passage, one.spot.start) > (two.passage, two.spot.start)
