"""Plain values as the `paper` profile compares them: typed, but blind to case, spacing and date format.

Texts    equal after case folding and collapsing of white space; a text that is one date in whole
         (2023-10-08, 2023/10/8, October 8th, 2023, Oct 8 2023, 8 October 2023) equals any other form of it.
Numbers  equal by value: 5 is 5.0; never equal to a text or to true and false.
Lists    element by element, in order. Mappings key by key, keys compared as texts.
Labels   resolved to (producing call, position of the return value), wherever they stand in the value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from toolyard.core.nesting import LABEL, LABEL_BEGINS, ReturnValue
from toolyard.core.types import JsonValue
from toolyard.text.ordinals import MONTH_NUMBERS

LONGEST_DATE = 40
# What is longer is read anew each time, so that what is kept stays small.
SHORT_TEXT = 200

_NAME = "(?P<month>" + "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True)) + r")\.?"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>[0-9]{4})"
_DATE_FORMS = tuple(
    re.compile(form)
    for form in (
        _YEAR + r"[-/](?P<month>[0-9]{1,2})[-/](?P<day>[0-9]{1,2})",
        f"{_NAME} {_DAY},? {_YEAR}",
        f"{_DAY} (?:of )?{_NAME},? {_YEAR}",
    )
)

Resolve: TypeAlias = Callable[[str], ReturnValue | None]
Same: TypeAlias = Callable[[ReturnValue, ReturnValue], bool]


class PlainValue(NamedTuple):
    """A value without parts that is no text: `kind` keeps numbers and truth values apart."""

    kind: str
    value: JsonValue


class ListValue(NamedTuple):
    """A list, or a text around labels: its parts in order."""

    kind: str
    items: tuple[Normal, ...]


class MappingValue(NamedTuple):
    """A mapping: its normalised keys, sorted, with their values."""

    items: tuple[tuple[str, Normal], ...]


# A text is itself, without the differences that do not count.
Normal: TypeAlias = str | PlainValue | ListValue | MappingValue | ReturnValue


def normal_text(text: str) -> str:
    """The text without the differences that do not count."""
    return _short_text(text) if len(text) <= SHORT_TEXT else _fold_text(text)


def _fold_text(text: str) -> str:
    folded = " ".join(text.casefold().split())
    return _iso_date(folded) or folded


# A right answer repeats gold's values, which were brought into this form just before.
_short_text = lru_cache(maxsize=8192)(_fold_text)


def _iso_date(text: str) -> str | None:
    if len(text) > LONGEST_DATE or not text[-1:].isdigit():
        return None
    for form in _DATE_FORMS:
        found = form.fullmatch(text)
        if found is None:
            continue
        month = found["month"]
        number = int(month) if month.isdigit() else MONTH_NUMBERS[month]
        try:
            return date(int(found["year"]), number, int(found["day"])).isoformat()
        except ValueError:
            return None
    return None


def normal_form(value: JsonValue, resolve: Resolve) -> Normal:
    """The value in the form that is compared."""
    if isinstance(value, str):
        return _normal_string(value, resolve)
    if isinstance(value, bool) or value is None:
        return PlainValue("truth", value)
    if isinstance(value, int | float):
        return PlainValue("number", value)
    if isinstance(value, list | tuple):
        return ListValue("list", tuple(normal_form(item, resolve) for item in value))
    if isinstance(value, dict):
        named = {normal_text(str(key)): item for key, item in value.items()}
        return MappingValue(tuple((key, normal_form(named[key], resolve)) for key in sorted(named)))
    return PlainValue(type(value).__name__, repr(value))


def _normal_string(text: str, resolve: Resolve) -> Normal:
    if LABEL_BEGINS not in text:
        return normal_text(text)
    parts: list[Normal] = []
    position = 0
    for found in LABEL.finditer(text):
        place = resolve(found.group())
        if place is None:
            continue
        parts += _text_part(text[position : found.start()])
        parts.append(place)
        position = found.end()
    parts += _text_part(text[position:])
    return parts[0] if len(parts) == 1 else ListValue("text", tuple(parts))


def _text_part(text: str) -> list[Normal]:
    folded = normal_text(text)
    return [folded] if folded else []


def are_equal(gold: Normal, predicted: Normal, same: Same) -> bool:
    """Whether two values are the same, labels being the same where `same` says so."""
    if isinstance(gold, str | PlainValue):
        return gold == predicted
    if isinstance(gold, ReturnValue) and isinstance(predicted, ReturnValue):
        return same(gold, predicted)
    if isinstance(gold, ListValue) and isinstance(predicted, ListValue):
        return (
            gold.kind == predicted.kind
            and len(gold.items) == len(predicted.items)
            and all(are_equal(*pair, same) for pair in zip(gold.items, predicted.items, strict=True))
        )
    if isinstance(gold, MappingValue) and isinstance(predicted, MappingValue):
        return len(gold.items) == len(predicted.items) and all(
            key == other and are_equal(value, made, same)
            for (key, value), (other, made) in zip(gold.items, predicted.items, strict=True)
        )
    return gold == predicted


def same_but_for_type(gold: JsonValue, predicted: JsonValue) -> bool:
    """Whether the values are written alike and differ in type only, as 5 and "5" do."""
    if normal_text(str(gold)) == normal_text(str(predicted)):
        return True
    number, text = (gold, predicted) if isinstance(predicted, str) else (predicted, gold)
    if not isinstance(text, str) or not isinstance(number, int | float) or isinstance(number, bool):
        return False
    try:
        return float(text) == number
    except (ValueError, OverflowError):
        return False
