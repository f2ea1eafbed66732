"""SGD's calendar moved from March 2019 to January 2024, in values and in the words of the dialogue.

    2019-03-14 -> 2024-01-14      "March 14th" -> "January 14th"      "next Friday" (2019-03-08) -> "January 8th"

The month is the one that the official MTU rows use. SGD's own "today" is 2019-03-01, so a prompt over these
dialogues says that today is 2024-01-01; "today", "tomorrow" and "the 14th" then stay true as they are written.
Weekdays would not (both months have 31 days, but the 1st is a Friday and a Monday): a span that names one
is written as the date it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolyard.core.types import JsonValue, Record
from toolyard.text.dates import MONTH_NAMES, WEEKDAY_NAMES, ordinal

TODAY = "2024-01-01"
_ISO = re.compile(r"2019-03-(\d\d)")
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAY_NAMES)}|weekend|next week)\b", re.IGNORECASE)
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
# Only beside a day of the month: "march" is also a verb and may be part of a name.
_MONTH = re.compile(
    rf"(\b{_ORDINAL}(?: of)? )(march|mar)\b|\b(march|mar)\b(?=\.?,? (?:the )?{_ORDINAL}\b)", re.IGNORECASE
)
_YEAR = re.compile(rf"(\bjan(?:uary)?\.?(?: (?:the )?{_ORDINAL})?,? )2019\b", re.IGNORECASE)


def shift_value(value: JsonValue) -> JsonValue:
    """A stored value with its dates moved; anything but text as it is."""
    if not isinstance(value, str):
        return value
    return _ISO.sub(r"2024-01-\1", value)


def shift_values(values: Record) -> dict[str, JsonValue]:
    """Every value moved."""
    return {name: shift_value(value) for name, value in values.items()}


def shift_words(text: str) -> str:
    """A text with month and year moved where it shows a whole date."""
    shifted = _MONTH.sub(
        lambda match: (match.group(1) or "") + _january(match.group(2) or match.group(3)), text
    )
    return _ISO.sub(r"2024-01-\1", _YEAR.sub(r"\g<1>2024", shifted))


def shift_span(surface: str, canonical: str | None) -> str:
    """The words of one date; `canonical` is the day (as stored, March 2019) that they stand for, if known."""
    if canonical and _WEEKDAY.search(surface):
        match = _ISO.fullmatch(canonical)
        if match:
            return f"{MONTH_NAMES[0]} {ordinal(int(match.group(1)))}"
    return shift_words(surface)


def shift_spans(text: str, spans: Iterable[tuple[int, int, str | None]]) -> str:
    """An utterance with its annotated dates moved, and any other whole date in it.

    Spans are (start, end, canonical day); overlapping or impossible ones are left to the words.
    """
    pieces: list[str] = []
    position = 0
    for start, end, canonical in sorted(spans, key=lambda span: span[:2]):
        if position <= start < end <= len(text):
            pieces += [text[position:start], shift_span(text[start:end], canonical)]
            position = end
    pieces.append(text[position:])
    return shift_words("".join(pieces))


def _january(month: str) -> str:
    return MONTH_NAMES[0][:3] if month.lower() == "mar" else MONTH_NAMES[0]
