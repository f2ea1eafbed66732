"""Parameters compared by meaning (text/canonical_values.py), and exactly; their names are always compared exactly."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache

from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.core.types import JsonValue
from toolyard.text.canonical_values import MONTH, calendar_day, values_equal
from toolyard.text.ordinals import MONTH_NUMBERS, WEEKDAYS

_REFERENCE = re.compile(
    rf"today is [^\n]{{0,24}}?\b({MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})", re.IGNORECASE
)
_WEEKDAY = re.compile(rf"today is ({'|'.join(WEEKDAYS)})\b", re.IGNORECASE)
_ISO_REFERENCE = re.compile(r"today is [^\n]{0,24}?(\d{4})-(\d{2})-(\d{2})", re.IGNORECASE)


# Prompt, gold, hard types and every profile ask this of the same text, and the turns of a dialogue share one.
@lru_cache(maxsize=4096)
def reference_day(instructions: str) -> date | None:
    """The day that a prompt calls today, if it names one."""
    match = _REFERENCE.search(instructions)
    if match:
        return calendar_day(match.group(3), MONTH_NUMBERS[match.group(1).lower()], match.group(2))
    match = _ISO_REFERENCE.search(instructions)
    return calendar_day(match.group(1), int(match.group(2)), match.group(3)) if match else None


@lru_cache(maxsize=4096)
def reference_weekday(instructions: str) -> str:
    """The weekday that a prompt gives for today, which its gold counts from, right or wrong; empty where it gives none."""
    match = _WEEKDAY.search(instructions)
    return match.group(1).lower() if match else ""


def arguments_equal(
    predicted: Mapping[str, JsonValue], gold: Mapping[str, JsonValue], today: date | None = None
) -> bool:
    """Whether both give the same parameters the same meaning."""
    if predicted.keys() != gold.keys():
        return False
    return all(values_equal(predicted[key], value, today) for key, value in gold.items())


def same_calls(called: Sequence[Call], wanted: Sequence[Call], today: date | None = None) -> bool:
    """Whether both are the same calls in the same order, parameters by meaning."""
    if [call.name for call in called] != [call.name for call in wanted]:
        return False
    pairs = zip(called, wanted, strict=True)
    return all(arguments_equal(call.arguments, want.arguments, today) for call, want in pairs)


def exactly_equal(predicted: object, gold: object) -> bool:
    """Whether two JSON values are the same, types included (7 is not "7", 1 is not true)."""
    if type(predicted) is not type(gold):
        return False
    if isinstance(predicted, dict) and isinstance(gold, dict):
        return predicted.keys() == gold.keys() and all(exactly_equal(predicted[k], gold[k]) for k in gold)
    if isinstance(predicted, list) and isinstance(gold, list):
        return len(predicted) == len(gold) and all(map(exactly_equal, predicted, gold))
    return predicted == gold
