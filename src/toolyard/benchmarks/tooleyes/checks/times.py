"""Days, months, times of day and durations as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from toolyard.benchmarks.tooleyes.checks.answer_layout import fold
from toolyard.benchmarks.tooleyes.checks.answer_numbers import written_numbers
from toolyard.text.dates import MONTH_NUMBERS, WEEKDAYS

# Every episode takes place on this day.
TODAY = date(2024, 5, 15)
_FOREIGN = (
    "januar janvier enero gennaio|februar fevrier febrero febbraio|marz mars marzo|avril abril aprile|mai mayo maggio|"
    "juni juin junio giugno|juli juillet julio luglio|aout agosto|septembre septiembre settembre|oktober octobre octubre "
    "ottobre|novembre noviembre|dezember decembre diciembre dicembre"
)
NAMES = {
    **MONTH_NUMBERS,
    **{word: place for place, words in enumerate(_FOREIGN.split("|"), 1) for word in words.split()},
}
_MONTH = "|".join(sorted(NAMES, key=len, reverse=True))
_DAY = r"(\d{1,2})(?:st|nd|rd|th|er|\.)?"
_DASH = r"\s?(?:-|to|until|till|through|and|bis|/)\s?"
_YEAR = r"(?:,?\s(?:of\s|de\s)?'?(\d{4}))?"
_ISO = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_DAY_FIRST = re.compile(rf"(?<![\d.:]){_DAY}\s(?:of\s|de\s)?({_MONTH})\b\.?{_YEAR}")
_MONTH_FIRST = re.compile(
    rf"\b({_MONTH})\b\.?\s(?:the\s)?{_DAY}(?![\d:])(?!\s?(?:am|pm|a\.m|p\.m))(?:,?\s(\d{{4}})(?!\d))?"
)
_RANGE_FIRST = re.compile(rf"(?<![\d.:]){_DAY}{_DASH}(?:the\s)?{_DAY}\s(?:of\s|de\s)?({_MONTH})\b\.?{_YEAR}")
_RANGE_LAST = re.compile(rf"\b({_MONTH})\b\.?\s{_DAY}{_DASH}{_DAY}(?![\d:])(?:,?\s(\d{{4}})(?!\d))?")
_FIGURES = re.compile(r"(?<![\d.:/-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d|[./-]\d)")
_MONTH_ONLY = re.compile(rf"\b({_MONTH})\b\.?(?:,?\s(?:of\s)?(\d{{4}}))?")
_YEAR_MONTH = re.compile(r"(?<![\d-])(\d{4})-(\d{2})(?![\d-])")
_ONLY_DAY = re.compile(r"\bthe (\d{1,2})(?:st|nd|rd|th)\b(?!\s(?:of|place|position|lap|century|round))")
_RELATIVE = {"the day after tomorrow": 2, "tomorrow": 1, "yesterday": -1, "today": 0, "tonight": 0}
_RELATIVE_WORD = re.compile("|".join(rf"\b{word}\b" for word in _RELATIVE))
_CLOCK = re.compile(r"(?<![\d:.])(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?![\d:])\s?(a\.?m\b|p\.?m\b)?")
_HOUR = re.compile(r"(?<![\d:.])(\d{1,2})(?:\.(\d{2}))?\s?(a\.?m\b|p\.?m\b|o'clock|uhr\b)")
_H = re.compile(r"(?<![\d:.])([01]?\d|2[0-3])\s?h\s?([0-5]\d)\b(?!\s?(?:min|m\b))")
_HUNDRED = re.compile(r"(?<![\d:.])([01]\d|2[0-3])([0-5]\d)\s?(?:hrs|hours)\b")
_NAMED = {"noon": 720, "midday": 720, "midnight": 0}
_NAMED_WORD = re.compile(r"\b(?:noon|midday|midnight)\b")
_SPOKEN_HOUR = re.compile(
    r"\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:\s(thirty|fifteen|"
    r"forty-five))?\s?(a\.?m\b|p\.?m\b|o'clock|in the (?:morning|afternoon|evening))"
)
_HOURS = dict(
    zip(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        range(1, 13),
        strict=True,
    )
)
_MINUTES = {"thirty": 30, "fifteen": 15, "forty-five": 45, None: 0}
_SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0}
_JOIN = re.compile(r"^[\s,]*(?:and\s|und\s|et\s)?$")
_COLON = re.compile(r"(?<![\d:.])(?:(\d{1,2}):)?(\d{1,3}):(\d{2}(?:[.,]\d+)?)(?![\d:])")
_PHRASES = (
    (re.compile(r"\b(?:an hour and a half|one and a half hours|1 1/2 hours|1½ hours)\b"), 5400.0),
    (re.compile(r"\bhalf an hour\b|\bhalf-hour\b"), 1800.0),
    (re.compile(r"\b(?:three quarters of an hour)\b"), 2700.0),
    (re.compile(r"\ba quarter of an hour\b"), 900.0),
    (re.compile(r"\ban hour\b(?! and a half)"), 3600.0),
)
_COMPACT = re.compile(r"(?<![\w.])(\d{1,3})\s?h(?:rs?|ours?)?\s?(\d{1,2})\s?(?:m(?:ins?|inutes?)?)?(?![\w:])")
_COMPACT_MINUTES = re.compile(r"(?<![\w.:])(\d{1,3})\s?m(?:ins?)?\s?(\d{1,2}(?:\.\d+)?)\s?s(?:ecs?)?(?!\w)")
_PRIMES = re.compile(r"(?<![\w.:])(\d{1,3})'\s?(\d{1,2}(?:\.\d+)?)(?:\"|'')")


@dataclass(frozen=True, slots=True)
class Named:
    """A day or month in a text; what was not said is None."""

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None


@dataclass(frozen=True, slots=True)
class Timed:
    """A time of day in minutes (`half`: without am or pm), or a duration in seconds."""

    start: int
    end: int
    value: float
    half: bool = False
    step: float = 1.0


@lru_cache(maxsize=1024)
def named_days(text: str) -> tuple[Named, ...]:
    """Every day that a text names, in any usual form; figures that can be read both ways are there twice."""
    plain = fold(text)
    found = [Named(*at.span(), int(at[1]), int(at[3]), int(at[4])) for at in _ISO.finditer(plain)]
    for at in _RANGE_FIRST.finditer(plain):
        year = int(at[4]) if at[4] else None
        found += [Named(*at.span(), year, NAMES[at[3]], int(at[place])) for place in (1, 2)]
    for at in _RANGE_LAST.finditer(plain):
        year = int(at[4]) if at[4] else None
        found += [Named(*at.span(), year, NAMES[at[1]], int(at[place])) for place in (2, 3)]
    found += [
        Named(*at.span(), int(at[3]) if at[3] else None, NAMES[at[2]], int(at[1]))
        for at in _DAY_FIRST.finditer(plain)
    ]
    found += [
        Named(*at.span(), int(at[3]) if at[3] else None, NAMES[at[1]], int(at[2]))
        for at in _MONTH_FIRST.finditer(plain)
    ]
    for at in _FIGURES.finditer(plain):
        year = int(at[4]) if len(at[4]) == 4 else 2000 + int(at[4])
        found += [
            Named(*at.span(), year, int(at[3]), int(at[1])),
            Named(*at.span(), year, int(at[1]), int(at[3])),
        ]
    found += [Named(*at.span(), None, None, int(at[1])) for at in _ONLY_DAY.finditer(plain)]
    for at in _RELATIVE_WORD.finditer(plain):
        day = TODAY + timedelta(days=_RELATIVE[at.group()])
        found.append(Named(*at.span(), day.year, day.month, day.day))
    return tuple(found)


@lru_cache(maxsize=1024)
def named_months(text: str) -> tuple[Named, ...]:
    """Months without a day."""
    plain = fold(text)
    days = [(one.start, one.end) for one in named_days(text)]
    found = [
        Named(*at.span(), int(at[2]) if at[2] else None, NAMES[at[1]], None)
        for at in _MONTH_ONLY.finditer(plain)
        if not any(start <= at.start() < end for start, end in days)
    ]
    return (*found, *(Named(*at.span(), int(at[1]), int(at[2]), None) for at in _YEAR_MONTH.finditer(plain)))


def is_day(named: Named, wanted: date) -> bool:
    """Whether what was said is this day; a year or month may be left out."""
    return (
        named.day == wanted.day and named.month in (None, wanted.month) and named.year in (None, wanted.year)
    )


def weekday_conflict(text: str, named: Named, wanted: date) -> bool:
    """Whether a weekday right beside the date is another one."""
    plain = fold(text)
    beside = plain[max(0, named.start - 14) : named.start] + " | " + plain[named.end : named.end + 14]
    said = [day for day in WEEKDAYS if re.search(rf"\b{day}\b", beside)]
    return bool(said) and WEEKDAYS[wanted.weekday()] not in said


@lru_cache(maxsize=1024)
def clock_times(text: str) -> tuple[Timed, ...]:
    """Every time of day."""
    plain = fold(text).replace("a. m.", "a.m.").replace("p. m.", "p.m.")
    found = [_at(at.span(), int(at[1]), int(at[2]), at[4]) for at in _CLOCK.finditer(plain)]
    found += [_at(at.span(), int(at[1]), int(at[2] or 0), at[3]) for at in _HOUR.finditer(plain)]
    found += [_at(at.span(), int(at[1]), int(at[2]), None) for at in _H.finditer(plain)]
    found += [_at(at.span(), int(at[1]), int(at[2]), None) for at in _HUNDRED.finditer(plain)]
    found += [Timed(*at.span(), _NAMED[at.group()]) for at in _NAMED_WORD.finditer(plain)]
    found += [_at(at.span(), _HOURS[at[1]], _MINUTES[at[2]], at[3]) for at in _SPOKEN_HOUR.finditer(plain)]
    found += [
        Timed(at.start(), at.end(), int(at[1]) * 60 + int(at[2]))
        for at in re.finditer(r"(?<=\dt)(\d{2}):(\d{2})", plain)
    ]
    return tuple(one for one in found if 0 <= one.value <= 1440)


def _at(span: tuple[int, int], hour: int, minute: int, half: str | None) -> Timed:
    mark = (half or "").replace(".", "")
    if mark in ("pm", "in the afternoon", "in the evening") and hour < 12:
        hour += 12
    if mark in ("am", "in the morning") and hour == 12:
        hour = 0
    return Timed(*span, hour * 60 + minute, half=mark in ("", "o'clock", "uhr") and hour <= 12)


def is_time(timed: Timed, minutes: float) -> bool:
    """Whether this is that minute of the day; without am or pm either half counts."""
    return timed.value == minutes or (timed.half and (timed.value + 720) % 1440 == minutes)


@lru_cache(maxsize=1024)
def durations(text: str) -> tuple[Timed, ...]:
    """Every duration, in seconds."""
    plain = fold(text)
    found = [
        Timed(*at.span(), seconds, step=60) for pattern, seconds in _PHRASES for at in pattern.finditer(plain)
    ]
    found += [
        Timed(*at.span(), int(at[1]) * 3600 + int(at[2]) * 60, step=60) for at in _COMPACT.finditer(plain)
    ]
    found += [Timed(*at.span(), int(at[1]) * 60 + float(at[2])) for at in _COMPACT_MINUTES.finditer(plain)]
    found += [Timed(*at.span(), int(at[1]) * 60 + float(at[2])) for at in _PRIMES.finditer(plain)]
    for at in _COLON.finditer(plain):
        last = float(at[3].replace(",", "."))
        if at[1] is not None:
            found.append(Timed(*at.span(), int(at[1]) * 3600 + int(at[2]) * 60 + last))
        else:
            found += [
                Timed(*at.span(), int(at[2]) * 60 + last),
                Timed(*at.span(), int(at[2]) * 3600 + last * 60, step=60),
            ]
    return tuple(found) + tuple(_counted(text, plain))


def _counted(text: str, plain: str) -> list[Timed]:
    """Numbers with a unit of time; neighbours add up, as in 1 hour and 30 minutes."""
    found: list[Timed] = []
    sums: list[Timed] = []
    for one in written_numbers(text):
        if one.unit not in _SECONDS:
            continue
        after = plain[one.end :]
        end = one.end + (re.match(r"\s?-?[a-z.]+", after) or re.match("", after)).end()  # type: ignore[union-attr]
        size = _SECONDS[one.unit]
        here = Timed(
            one.start, end, one.values[0] * size, step=max(one.step, 0.0) * size if one.step < 1 else size
        )
        if sums and _JOIN.match(plain[sums[-1].end : one.start]) and size < sums[-1].step * 1.01 + 1e-9:
            here = Timed(sums[-1].start, end, sums[-1].value + here.value, step=size)
            found.pop()
        sums.append(here)
        found.append(here)
    return found
