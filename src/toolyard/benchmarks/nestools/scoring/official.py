"""The released evaluator, figure for figure, its quirks included.

Tools are told apart by `api_id` alone, predicted calls take gold calls greedily, strings earn ROUGE-L, and a
placeholder must point to the same return value of the call that is already matched to its producer.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import TypeAlias

from toolyard.benchmarks.nestools.data.sample import NestoolsCall
from toolyard.benchmarks.nestools.scoring import paper
from toolyard.benchmarks.nestools.scoring.parse import Calls, ParsedCall
from toolyard.core.types import Counts, JsonValue
from toolyard.text.matching import greedy_matching, rouge_l_summary

MARK = "API_call"
UNKNOWN = "UNK"
LONGEST_NUMBER = 4300

Gold: TypeAlias = Sequence[NestoolsCall]


class IncomparableError(Exception):
    """Two values whose comparison fails in the release; the whole parameter then earns nothing."""


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """A return value by its call and its position there."""

    call: int
    position: int


@dataclass(frozen=True, slots=True)
class Earned:
    """Points of one argument, and whether it is a nested hit."""

    points: float
    nested: bool = False


@dataclass(frozen=True, slots=True)
class OfficialGrading:
    """What one answer earned: counts, the matching (gold by predicted call), and each pair's arguments."""

    counts: Mapping[str, Counts]
    matched: Mapping[int, int]
    earned: Mapping[int, Mapping[JsonValue, Earned]]


def grade(gold: Gold, predicted: Calls) -> OfficialGrading:
    """The four counts of one well-formed answer."""
    scorer = _Scorer(gold, predicted)
    matched = greedy_matching(len(predicted), len(gold), scorer.weigh)
    earned = {row: scorer.earned[row, column] for row, column in matched.items()}
    wanted = gold_counts(gold)
    counts = {
        "selection": Counts(len(matched), len(predicted), wanted["selection"].gold),
        "order": _order_counts(gold, predicted),
        "parameter": Counts(
            sum(_sum_of_points(arguments) for arguments in earned.values()),
            sum(len(call.parameters) for call in predicted),
            wanted["parameter"].gold,
        ),
        "nested": Counts(
            sum(item.nested for arguments in earned.values() for item in arguments.values()),
            sum(MARK in str(value) for call in predicted for value in call.parameters.values()),
            wanted["nested"].gold,
        ),
    }
    return OfficialGrading(counts, matched, earned)


def _sum_of_points(arguments: Mapping[JsonValue, Earned]) -> float:
    return sum(item.points for item in arguments.values())


def gold_counts(gold: Gold) -> dict[str, Counts]:
    """The counts of an answer that cannot be read: everything wanted, nothing predicted."""
    return paper.gold_counts(gold, lambda value: MARK in str(value))


def call_labels(call: ParsedCall) -> list[str | None]:
    """The labels a predicted call gives, in order; a label that is no text keeps its place only."""
    if not isinstance(call.responses, dict):
        return []
    return [name if isinstance(name, str) else None for name in call.responses.values()]


def _order_counts(gold: Gold, predicted: Calls) -> Counts:
    wanted = [(first["api_id"], second["api_id"]) for first, second in pairwise(gold)]
    made = [(first.tool_id, second.tool_id) for first, second in pairwise(predicted)]
    free, matched = list(wanted), 0
    # By equality and not by hash: an id may be a list, on which the release breaks off.
    for pair in made:
        if pair in free:
            free.remove(pair)
            matched += 1
    return Counts(matched, len(made), len(gold) - 1)


class _Scorer:
    """Scores of call pairs of one record, computed once each, in the order in which the matching asks."""

    def __init__(self, gold: Gold, predicted: Calls) -> None:
        self.gold = gold
        self.predicted = predicted
        self.labels = [call_labels(call) for call in predicted]
        self.nests = _gold_nests(gold)
        self.earned: dict[tuple[int, int], dict[JsonValue, Earned]] = {}

    def weigh(self, row: int, column: int, matched: Mapping[int, int]) -> float | None:
        if self.gold[column]["api_id"] != self.predicted[row].tool_id:
            return None
        made = {place: index for index, place in matched.items()}
        wanted = self.gold[column]["parameters"]
        self.earned[row, column] = {
            name: self._argument(wanted[name], value, row, made)
            for name, value in self.predicted[row].parameters.items()
            if name in wanted
        }
        return _sum_of_points(self.earned[row, column])

    def _argument(self, gold: JsonValue, value: JsonValue, row: int, made: Mapping[int, int]) -> Earned:
        written = str(gold)
        if written not in self.nests:
            return Earned(similarity_or_zero(gold, value))
        hit = self._nest_hit(self.nests[written], gold, value, row, made)
        return Earned(float(hit), hit)

    def _nest_hit(
        self, place: ValuePlace | None, gold: JsonValue, value: JsonValue, row: int, made: Mapping[int, int]
    ) -> bool:
        if place is None:
            return bool(gold == value)
        if not isinstance(value, str) or MARK not in value:
            return False
        found = _last_producer(self.labels[: row + 1], value)
        return found is not None and made.get(place.call) == found.call and found.position == place.position


def _gold_nests(gold: Gold) -> dict[str, ValuePlace | None]:
    """Where each nested gold value comes from, by its text; None for one that is no plain label."""
    labels: list[Sequence[str | None]] = []
    nests: dict[str, ValuePlace | None] = {}
    for call in gold:
        labels.append(call["responses"])
        for value in call["parameters"].values():
            written = str(value)
            if MARK in written:
                nests[written] = _last_producer(labels, written)
    return nests


def _last_producer(labels: Sequence[Sequence[str | None]], name: str) -> ValuePlace | None:
    """The last call that gives the label, at its first position there."""
    for index in reversed(range(len(labels))):
        if name in labels[index]:
            return ValuePlace(index, labels[index].index(name))
    return None


def similarity_or_zero(gold: JsonValue, predicted: JsonValue) -> float:
    """How much of a plain value is right, 0 where the release cannot compare the two."""
    try:
        return value_similarity(gold, predicted)
    except IncomparableError:
        return 0.0


def value_similarity(gold: JsonValue, predicted: JsonValue) -> float:
    """Equality for numbers, ROUGE-L for texts, means of parts for lists and mappings."""
    if gold == predicted:
        return 1.0
    if isinstance(gold, str) and isinstance(predicted, str):
        return _string_similarity(gold, predicted)
    if isinstance(gold, list) and isinstance(predicted, list):
        if len(gold) != len(predicted):
            return 0.0
        return sum(value_similarity(*pair) for pair in zip(gold, predicted, strict=True)) / len(gold)
    if isinstance(gold, dict) and isinstance(predicted, dict):
        return _mapping_similarity(gold, predicted)
    return 0.0


def _string_similarity(gold: str, predicted: str) -> float:
    """ROUGE-L of the texts as they are or, where that is more, with their dates in one form."""
    score = _text_similarity(gold, predicted)
    dated = (plain_date(gold), plain_date(predicted))
    return score if dated == (gold, predicted) else max(score, _text_similarity(*dated))


def _mapping_similarity(gold: dict[JsonValue, JsonValue], predicted: dict[JsonValue, JsonValue]) -> float:
    if len(gold) != len(predicted):
        return 0.0
    total = 0.0
    for (gold_key, gold_value), (key, value) in zip(gold.items(), predicted.items(), strict=True):
        if not isinstance(gold_key, str) or not isinstance(key, str):
            raise IncomparableError
        if _plain_key(gold_key) == _plain_key(key):
            total += value_similarity(gold_value, value)
    return total / len(gold)


def _plain_key(key: str) -> str:
    return key.lower().replace("_", "").replace(" ", "")


def _text_similarity(gold: str, predicted: str) -> float:
    score = rouge_l_summary(predicted.lower(), gold.lower())
    if score is None:
        raise IncomparableError
    return score


_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_WRITTEN_DATE = re.compile(r"\b[A-Za-z]+ \d+(?:st|nd|rd|th)?, \d{4}\b")
_FIRST_NUMBER = re.compile(r"\b(\d+)(st|nd|rd|th)?\b")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)")
_DAYS_OF = {"st": {1, 21, 31}, "nd": {2, 22}, "rd": {3, 23}, "th": {*range(4, 21), *range(24, 31)}}


def plain_date(text: str) -> str:
    """A date in ISO form where the release recognises one, any other text as it is."""
    if _ISO_DATE.match(text):
        return _reformat_date(text, "%Y-%m-%d")
    if not _WRITTEN_DATE.search(text):
        return text
    number = _FIRST_NUMBER.search(text)
    if number is None:
        return text
    digits, suffix = number.groups()
    if len(digits) > LONGEST_NUMBER or (suffix and int(digits) not in _DAYS_OF[suffix]):
        return text
    return _reformat_date(_ORDINAL.sub("", text), "%B %d, %Y")


def _reformat_date(text: str, form: str) -> str:
    try:
        return datetime.strptime(text, form).strftime("%Y-%m-%d")
    except ValueError:
        return text
