"""Values compared by meaning, whatever their spelling.

Two values are equal when they are after: case, outer punctuation and white space; JSON's number, boolean or text for
the same thing (7, "7", "seven", true, "True", "yes"); number words up to the thousands; dates ("January 8th", "8 Jan
2024", "2024-01-08", and today or tomorrow where the prompt names its day); times of day ("3 pm", "15:00", "8:00" and
"08:00"); units ("2 hrs", "two hours"). Lists are equal in any order, objects key by key.
"""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, TypeAlias

from toolyard.core.types import JsonValue
from toolyard.text.counted_nouns import SMALL_NUMBERS, TENS
from toolyard.text.ordinals import MONTH_NUMBERS

# The kind of a value first, then what it comes to in that kind.
Canonical: TypeAlias = tuple[Any, ...]

MAX_VALUE_LENGTH = 20_000
# What is longer is read anew each time, so that what is kept stays small.
SHORT_VALUE = 200
MAX_DEPTH = 40
_SCALES = {"hundred": 100, "thousand": 1000}
_ORDINALS = {word: f"{value}th" for value, word in enumerate(["zeroth", "first", "second", "third"])}
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}
_UNITS = {
    "second": "second seconds sec secs",
    "minute": "minute minutes min mins",
    "hour": "hour hours hr hrs",
    "day": "day days",
    "week": "week weeks wk wks",
    "month": "month months",
    "year": "year years yr yrs",
    "kilometre": "kilometre kilometres kilometer kilometers km",
    "mile": "mile miles",
    "kilogram": "kilogram kilograms kg kgs",
    "person": "person persons people",
    "dollar": "dollar dollars usd $",
    "euro": "euro euros eur €",
    "celsius": "celsius °c",
    "fahrenheit": "fahrenheit °f",
    "percent": "percent %",
}
_UNIT_OF = {spelling: unit for unit, spellings in _UNITS.items() for spelling in spellings.split()}
MONTH = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
_MONTH_DAY = re.compile(rf"\b({MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}})\b)?")
_DAY_MONTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({MONTH})\b\.?(?:,? (\d{{4}})\b)?")
_CLOCK = re.compile(r"\b(\d{1,2})(?::(\d{2}))?(?::\d{2})? ?([ap])\.?m\b\.?|\b(\d{1,2}):(\d{2})(?::\d{2})?\b")
_MINUS = re.compile(r"(?:^|,)\s*-([^\W\d]\w*)")
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_MONEY = re.compile(r"([$€])(\d[\d,.]*)")
_SPLIT_UNIT = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)([a-z%°]{1,10})\b")
_SPACE = re.compile(r"\s+")


def are_other_numbers(first: object, second: object) -> bool:
    """Whether both are numbers, or texts of nothing else, and not the same one: -45 and 45, whose words are alike.

    So are words of which only one has a minus: -population and population.
    """
    try:
        return float(str(first)) != float(str(second))
    except ValueError:
        return _MINUS.findall(str(first).casefold()) != _MINUS.findall(str(second).casefold())


def values_equal(predicted: JsonValue, gold: JsonValue, today: date | None = None) -> bool:
    """Whether two values are equal after normalisation."""
    if type(predicted) is type(gold) and isinstance(gold, str | int) and predicted == gold:
        return True
    return to_canonical(predicted, today) == to_canonical(gold, today)


def to_canonical(value: JsonValue, today: date | None = None, depth: int = 0) -> Canonical:
    """The value in one comparable form, tagged with its type."""
    if depth > MAX_DEPTH:
        return ("deep",)
    if isinstance(value, Mapping):
        items = [(str(key), to_canonical(item, today, depth + 1)) for key, item in value.items()]
        return ("object", tuple(sorted(items, key=repr)))
    if isinstance(value, (list, tuple, set, frozenset)):
        return ("list", tuple(sorted((to_canonical(item, today, depth + 1) for item in value), key=repr)))
    if isinstance(value, bool):
        return ("truth", value)
    if isinstance(value, (int, float)):
        return _number_or_text(value)
    return ("none",) if value is None else _canonical_text(str(value), today)


def _number_or_text(value: int | float) -> Canonical:
    try:
        # Decimal(0.2) would be 0.200000000000000011...; people and models write 0.2.
        return ("number", _plain_number(Decimal(repr(value) if isinstance(value, float) else value)))
    except (InvalidOperation, ValueError, OverflowError):
        return ("number", hex(value) if isinstance(value, int) else repr(value))


def _plain_number(number: Decimal) -> str:
    """The number without exponent noise; Decimal.normalize would round beyond 28 digits."""
    if not number.is_finite():
        return str(number).lower()
    text = format(number, "f") if abs(number.adjusted()) < 400 else str(number)
    return (text.rstrip("0").rstrip(".") if "." in text else text).removeprefix("+") or "0"


def _canonical_text(text: str, today: date | None) -> Canonical:
    if len(text) > MAX_VALUE_LENGTH:
        return ("text", text)
    return _short_text(text, today) if len(text) <= SHORT_VALUE else _read_text(text, today)


def _read_text(text: str, today: date | None) -> Canonical:
    plain = _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip(" .!?\"'")
    if plain in _TRUTH:
        return ("truth", _TRUTH[plain])
    normal = _write_units(_write_times(_write_dates(_write_number_words(plain), today)))
    if _NUMBER.fullmatch(normal) and len(normal) < 4000:
        return ("number", _plain_number(Decimal(normal.replace(",", ""))))
    return ("text", normal)


# One value of gold is compared several times, by every profile, and for every answer to the same question.
_short_text = lru_cache(maxsize=8192)(_read_text)


def _write_number_words(text: str) -> str:
    """The text with number words as digits: `twenty-five people` becomes `25 people`."""
    words: list[str] = []
    total, current = 0, -1
    for word in [*text.replace("-", " - ").split(" "), ""]:
        if word in SMALL_NUMBERS or word in TENS:
            current = max(current, 0) + (SMALL_NUMBERS[word] if word in SMALL_NUMBERS else TENS[word])
        elif word in _SCALES and current >= 0:
            total, current = (total, current * 100) if word == "hundred" else (total + current * 1000, 0)
        elif word not in ("-", "and") or current < 0:
            if current >= 0:
                words.append(str(total + current))
                total, current = 0, -1
            words.append(_ORDINALS.get(word, word))
    return " ".join(words).replace(" - ", "-").strip()


def _write_dates(text: str, today: date | None) -> str:
    year = str(today.year) if today else ""

    def month_day(match: re.Match[str]) -> str:
        return _iso_month_day(match.group(3) or year, match.group(1), match.group(2)) or match.group()

    def day_month(match: re.Match[str]) -> str:
        return _iso_month_day(match.group(3) or year, match.group(2), match.group(1)) or match.group()

    text = _DAY_MONTH.sub(day_month, _MONTH_DAY.sub(month_day, text))
    if today is None:
        return text
    relative = {"today": today, "tomorrow": _shift_day(today, 1), "yesterday": _shift_day(today, -1)}
    return relative[text].isoformat() if text in relative else text


def _shift_day(day: date, days: int) -> date:
    return day + timedelta(days=days) if date.min < day < date.max else day


def _iso_month_day(year: str, month: str, day: str) -> str:
    found = calendar_day(year, MONTH_NUMBERS[month], day)
    if found is not None:
        return found.isoformat()
    # A date without a year is still one spelling for its many.
    return "" if year else f"--{MONTH_NUMBERS[month]:02}-{int(day):02}"


def calendar_day(year: str, month: int, day: str) -> date | None:
    """The day, None where the calendar has no such one."""
    try:
        return date(int(year), month, int(day))
    except ValueError:
        return None


def _write_times(text: str) -> str:
    def clock(match: re.Match[str]) -> str:
        hour, minute = int(match.group(1) or match.group(4)), match.group(2) or match.group(5) or "00"
        if match.group(3):
            hour = hour % 12 + (12 if match.group(3) == "p" else 0)
        return f"{hour:02}:{minute}" if hour < 24 and int(minute) < 60 else match.group()

    return {"noon": "12:00", "midnight": "00:00"}.get(text) or _CLOCK.sub(clock, text)


def _write_units(text: str) -> str:
    text = _MONEY.sub(r"\2 \1", text)
    text = _SPLIT_UNIT.sub(
        lambda m: f"{m.group(1)} {m.group(2)}" if m.group(2) in _UNIT_OF else m.group(), text
    )
    words = text.split(" ")
    for place in range(1, len(words)):
        if _NUMBER.fullmatch(words[place - 1]):
            words[place] = _UNIT_OF.get(words[place], words[place])
    return " ".join(words)
