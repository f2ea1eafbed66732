"""Error classes (section 5.5): of parameters and nested parameters as released, of tools by our own rules."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from toolyard.benchmarks.nestools.scoring.official import MARK, UNKNOWN, Gold, call_labels, similarity_or_zero
from toolyard.benchmarks.nestools.scoring.parse import Calls, ParsedCall
from toolyard.core.types import JsonValue
from toolyard.text.matching import multiset_intersection

ERROR_LABELS: Mapping[str, tuple[str, ...]] = {
    "parameter": ("type", "omission", "redundancy", "extraction", "others"),
    "nested": ("omission", "identification", "confusion", "hallucination"),
    "tool": ("selection", "omission", "redundancy", "hallucination", "format"),
}


_NO_ERRORS = {name: dict.fromkeys(labels, 0) for name, labels in ERROR_LABELS.items()}


def tool_errors(
    predicted: Sequence[Hashable], gold: Sequence[Hashable], hallucinated: Sequence[bool]
) -> dict[str, int]:
    """Tool errors of one readable answer.

    A call of a tool that was not offered is a hallucination. Of the others, calls beyond the gold multiset
    are surplus, and gold calls that nobody made are missing: a surplus call stands in for a missing one
    (selection), surplus calls that remain are redundancy, missing ones that remain are omission.
    """
    made = [key for key, unreal in zip(predicted, hallucinated, strict=True) if not unreal]
    shared = multiset_intersection(made, gold)
    surplus, missing = len(made) - shared, len(gold) - shared
    if not surplus and not missing and len(made) == len(predicted):
        return {}
    swapped = min(surplus, missing)
    found = {
        "selection": swapped,
        "omission": missing - swapped,
        "redundancy": surplus - swapped,
        "hallucination": sum(hallucinated),
    }
    return {label: count for label, count in found.items() if count > 0}


def official_parameter_errors(
    gold: Gold, predicted: Calls, matched: Mapping[int, int], query: str
) -> Counter[str]:
    """The released "non-nested" counts, in which nested parameters take part as well."""
    found: Counter[str] = Counter()
    for row, column in matched.items():
        wanted, made = gold[column]["parameters"], predicted[row].parameters
        found["redundancy"] += sum(name not in wanted for name in made)
        for name, value in wanted.items():
            kind = _value_error(value, made.get(name, UNKNOWN), query)
            found[kind] += 1
    del found[""]
    return +found


def _value_error(gold: JsonValue, predicted: JsonValue, query: str) -> str:
    if predicted == UNKNOWN:
        return "omission"
    if similarity_or_zero(gold, predicted) == 1:
        return ""
    if str(gold) == str(predicted):
        return "type"
    return "extraction" if str(gold).lower() in query.lower() else "others"


def official_nested_errors(gold: Gold, predicted: Calls, matched: Mapping[int, int]) -> Counter[str]:
    """The released "nested" counts; a label counts only where its producer was called, and earlier."""
    found: Counter[str] = Counter()
    made: dict[int, int] = {}
    for row, column in sorted(matched.items(), key=lambda pair: pair[1]):
        made[column] = row
        for name, value in gold[column]["parameters"].items():
            given = predicted[row].parameters.get(name, UNKNOWN)
            if MARK not in str(value):
                found["hallucination"] += MARK in str(given)
                continue
            place = _expected_producer(gold, value, made, row)
            if place is not None:
                found[_nest_error(given, predicted[place[0]], place[1])] += 1
    del found[""]
    return +found


def _expected_producer(
    gold: Gold, value: JsonValue, made: Mapping[int, int], row: int
) -> tuple[int, int] | None:
    """The predicted call and the position that a gold label should point to."""
    place = None
    for index, call in enumerate(gold):
        if value in call["responses"] and index in made and made[index] < row:
            last = len(call["responses"]) - 1 - call["responses"][::-1].index(value)
            place = (made[index], last)
    return place


def _nest_error(given: JsonValue, producer: ParsedCall, position: int) -> str:
    if given == UNKNOWN:
        return "omission"
    if MARK not in str(given):
        return "identification"
    labels = call_labels(producer)
    return "" if position < len(labels) and labels[position] == given else "confusion"


def fill_in_labels(counts: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """Every class with every label, zeros included."""
    return {name: {**nothing, **counts.get(name, {})} for name, nothing in _NO_ERRORS.items()}
