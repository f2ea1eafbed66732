"""Days, months and times of day as people write them, with the names that babel knows."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache

from toolyard.benchmarks.tooleyes.scoring.checks import load_library
from toolyard.benchmarks.tooleyes.scoring.checks.passages import fold_letters
from toolyard.text.counted_nouns import ONES, SMALL_NUMBERS, TEENS

# Every episode takes place on this day.
TODAY = date(2024, 5, 15)
LANGUAGES = ("en", "de", "fr", "es", "it")
_RELATIVE = {"the day after tomorrow": 2, "tomorrow": 1, "yesterday": -1, "today": 0, "tonight": 0}
_DAY = r"(\d{1,2})(?:st|nd|rd|th|er|\.)?"
_DASH = r"\s?(?:-|to|until|through|and|bis|/)\s?"
_YEAR = r"(?:,?\s(?:of\s|de\s)?'?(\d{4})(?!\d))?"
_ISO = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_FIGURES = re.compile(r"(?<![\d.:/-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d|[./-]\d)")
_YEAR_MONTH = re.compile(r"(?<![\d-])(\d{4})-(\d{2})(?![\d-])")
_ONLY_DAY = re.compile(r"\bthe (\d{1,2})(?:st|nd|rd|th)\b(?!\s(?:of|place|position|lap|century|round))")
_RELATIVE_WORD = re.compile("|".join(rf"\b{word}\b" for word in _RELATIVE))
_MARK = r"(a\.?\s?m\b|p\.?\s?m\b|o'clock|uhr\b|in the (?:morning|afternoon|evening))"
_CLOCK = re.compile(
    rf"(?:(?<![\d:.])|(?<=\dt))(\d{{1,2}})(?::|\s?h\s?(?=\d\d\b(?!\s?m)))(\d{{2}})(?::\d{{2}}(?:\.\d+)?)?(?![\d:])\s?{_MARK}?"
)
_HOURS = {word: SMALL_NUMBERS[word] for word in (*ONES, *TEENS)[1:13]}
_HOUR = re.compile(
    rf"(?<![\d:.\w])(\d{{1,2}}|{'|'.join(_HOURS)})(?:[.\s](\d{{2}}|thirty|fifteen|forty-five))?\s?{_MARK}"
)
_BESIDE_HOUR = re.compile(
    rf"\b(a quarter to|quarter past|half past) (\d{{1,2}}|{'|'.join(_HOURS)})\b(?![:.]\d)(?:\s?{_MARK})?"
)
_NAMED_HOUR = re.compile(r"\b(?:noon|midday|midnight)\b")
_MINUTES = {"thirty": 30, "fifteen": 15, "forty-five": 45}


@dataclass(frozen=True, slots=True)
class NamedDay:
    """A day or month in a text; what was not said is None."""

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None


@cache
def _names_of_days(kind: str) -> dict[str, int]:
    """Months from 1, or days of the week from 0, by their long and short names in some languages."""
    dates = load_library("babel.dates")
    found: dict[str, int] = {}
    for language in LANGUAGES:
        for width in ("wide", "abbreviated"):
            read = dates.get_month_names if kind == "month" else dates.get_day_names
            for context in ("format", "stand-alone"):
                for number, name in read(width, context, language).items():
                    found.setdefault(fold_letters(str(name)).rstrip("."), number)
    return {**found, "sept": 9} if kind == "month" else found


@cache
def _day_patterns() -> tuple[tuple[re.Pattern[str], tuple[int, ...], int, int], ...]:
    """Patterns of days with a month's name: where the days, the month and the year stand."""
    month = "(" + "|".join(sorted(_names_of_days("month"), key=len, reverse=True)) + r")\b\.?"
    first, last = rf"(?<![\d.:]){_DAY}", rf"\b{month}\s(?:the\s)?"
    return (
        (re.compile(rf"{first}{_DASH}(?:the\s)?{_DAY}\s(?:of\s|de\s)?{month}{_YEAR}"), (1, 2), 3, 4),
        (re.compile(rf"{last}{_DAY}{_DASH}{_DAY}(?![\d:]){_YEAR}"), (2, 3), 1, 4),
        (re.compile(rf"{first}\s(?:of\s|de\s)?{month}{_YEAR}"), (1,), 2, 3),
        (re.compile(rf"{last}{_DAY}(?![\d:])(?!\s?(?:am|pm|a\.m|p\.m)){_YEAR}"), (2,), 1, 3),
        (re.compile(rf"\b{month}(?:,?\s(?:of\s)?(\d{{4}}))?"), (), 1, 2),
    )


@lru_cache(maxsize=1024)
def named_days(text: str) -> tuple[NamedDay, ...]:
    """Every day and month that a text names; figures that can be read both ways are there twice."""
    plain = fold_letters(text)
    found = [NamedDay(*at.span(), int(at[1]), int(at[3]), int(at[4])) for at in _ISO.finditer(plain)]
    found += [NamedDay(*at.span(), int(at[1]), int(at[2]), None) for at in _YEAR_MONTH.finditer(plain)]
    for at in _FIGURES.finditer(plain):
        year = int(at[4]) + (2000 if len(at[4]) == 2 else 0)
        found += [NamedDay(*at.span(), year, int(at[a]), int(at[b])) for a, b in ((3, 1), (1, 3))]
    found += [NamedDay(*at.span(), None, None, int(at[1])) for at in _ONLY_DAY.finditer(plain)]
    for at in _RELATIVE_WORD.finditer(plain):
        day = TODAY + timedelta(days=_RELATIVE[at.group()])
        found.append(NamedDay(*at.span(), day.year, day.month, day.day))
    for pattern, days, month, year in _day_patterns():
        for at in pattern.finditer(plain):
            if days or not any(one.start <= at.start() < one.end for one in found):
                said = int(at[year]) if at[year] else None
                found += [
                    NamedDay(
                        *at.span(), said, _names_of_days("month")[at[month]], int(at[day]) if day else None
                    )
                    for day in days or (0,)
                ]
    return tuple(found)


def weekday_conflict(text: str, named: NamedDay, wanted: date) -> bool:
    """Whether a weekday right beside the date is another one."""
    plain = fold_letters(text)
    beside = plain[max(0, named.start - 14) : named.start] + " | " + plain[named.end : named.end + 14]
    said = [
        _names_of_days("day")[word]
        for word in re.findall(r"[^\W\d_]{3,}", beside)
        if word in _names_of_days("day")
    ]
    return bool(said) and wanted.weekday() not in said


def weekday_names(name: str) -> tuple[str, ...]:
    """The long and short names of a day of the week; none where the word is none."""
    number = _names_of_days("day").get(fold_letters(name)) if len(name) > 5 else None
    return (
        () if number is None else tuple(word for word, day in _names_of_days("day").items() if day == number)
    )


@lru_cache(maxsize=1024)
def clock_times(text: str) -> tuple[tuple[int, int, int, bool], ...]:
    """(start, end, minutes of the day, whether am or pm is open) of every time of day."""
    plain = fold_letters(text)
    found = [_time_at(at.span(), int(at[1]), int(at[2]), at[3]) for at in _CLOCK.finditer(plain)]
    for at in _HOUR.finditer(plain):
        hour = int(at[1]) if at[1].isdecimal() else _HOURS[at[1]]
        minute = _MINUTES.get(at[2]) if at[2] and not at[2].isdecimal() else int(at[2] or 0)
        found.append(_time_at(at.span(), hour, minute or 0, at[3]))
    for at in _BESIDE_HOUR.finditer(plain):
        hour = int(at[2]) if at[2].isdecimal() else _HOURS[at[2]]
        minute = {"a quarter to": -15, "quarter past": 15, "half past": 30}[at[1]]
        found.append(_time_at(at.span(), hour, minute, at[3]))
    found += [
        (*at.span(), 0 if at.group() == "midnight" else 720, False) for at in _NAMED_HOUR.finditer(plain)
    ]
    return tuple(one for one in found if 0 <= one[2] <= 1440)


def _time_at(span: tuple[int, int], hour: int, minute: int, half: str | None) -> tuple[int, int, int, bool]:
    mark = re.sub(r"[.\s]", "", half or "")
    if mark in ("pm", "intheafternoon", "intheevening") and hour < 12:
        hour += 12
    if mark in ("am", "inthemorning") and hour == 12:
        hour = 0
    return (*span, hour * 60 + minute, mark in ("", "o'clock", "uhr") and hour <= 12)
