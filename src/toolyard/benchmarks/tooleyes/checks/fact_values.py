"""What a fact's value is, and where a passage mentions it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import TypeAlias

from toolyard.benchmarks.tooleyes.checks.answer_layout import fold
from toolyard.benchmarks.tooleyes.checks.answer_names import places_of
from toolyard.benchmarks.tooleyes.checks.answer_numbers import WrittenNumber, written_numbers
from toolyard.benchmarks.tooleyes.checks.times import (
    clock_times,
    durations,
    is_day,
    is_time,
    named_days,
    named_months,
    weekday_conflict,
)

UP = re.compile(
    r"\b(?:rose|risen|rises|gain\w*|up|higher|increas\w*|grew|climb\w*|plus|above|ahead|better|jump\w*|surplus)\b"
)
DOWN = re.compile(
    r"\b(?:fell|fallen|falls|los[est]\w*|loss|down|lower|decreas\w*|declin\w*|drop\w*|minus|below|behind|slip\w*|"
    r"shed|negative|weaker|slid|cost\w* it)\b"
)
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?")
# How far a rounded number may be off, as a share: as written, and where the text says that it is about.
ROUNDED, ABOUT = 0.005, 0.02
_CHANGES = ("percent", "usd", "eur", "gbp", "yen", "inr")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a value stands in a passage."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number; `within` is a tolerance of the data's own, `exact` forbids rounding."""

    number: float
    unit: str = ""
    within: float = 0.0
    exact: bool = False
    kind: str = "number"

    def spots(self, text: str) -> Iterator[Spot]:
        for one in _plain_numbers(text):
            if any(self._is(value, one, text) for value in one.in_unit(self.unit)):
                yield Spot(one.start, one.end)

    def _is(self, value: float, one: WrittenNumber, text: str) -> bool:
        if self._near(value, one):
            return not (
                self.number and one.unit == "percent" and not one.signed and _against(text, one, self.number)
            )
        # Signs are often put into words: "2.56 % down", "10.6 degrees below zero"; a bare score keeps its sign.
        if self.number >= 0 or one.signed or not self._near(-value, one) or _against(text, one, -1.0):
            return False
        return one.unit in _CHANGES or DOWN.search(_near_words(text, one)) is not None

    def _near(self, value: float, one: WrittenNumber) -> bool:
        off = abs(value - self.number)
        size = max(1.0, abs(self.number))
        if off <= max(self.within, 1e-9 * size):
            return True
        if self.exact:
            return False
        converted = bool(one.unit and self.unit and one.unit != self.unit)
        share = 0.01 if converted else ABOUT if one.about else ROUNDED
        step = one.step * (2.0 if converted else 1.0)
        return (
            off <= share * abs(self.number)
            and off <= 0.5001 * max(step, 0.01 * size if converted else 0.0) + 1e-9
        )


@dataclass(frozen=True, slots=True)
class Day:
    """A date."""

    day: date
    kind: str = "date"

    def spots(self, text: str) -> Iterator[Spot]:
        for one in named_days(text):
            if is_day(one, self.day) and not weekday_conflict(text, one, self.day):
                yield Spot(one.start, one.end)


@dataclass(frozen=True, slots=True)
class Month:
    """A month, with or without its year."""

    year: int
    month: int
    kind: str = "date"

    def spots(self, text: str) -> Iterator[Spot]:
        for one in named_months(text) or named_days(text):
            if one.month == self.month and one.year in (None, self.year):
                yield Spot(one.start, one.end)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in minutes."""

    minutes: int
    kind: str = "time"

    def spots(self, text: str) -> Iterator[Spot]:
        for one in clock_times(text):
            if is_time(one, self.minutes):
                yield Spot(one.start, one.end)


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in seconds; a coarser one counts where it is rightly rounded."""

    seconds: float
    kind: str = "duration"

    def spots(self, text: str) -> Iterator[Spot]:
        for one in durations(text):
            margin = 0.5 * one.step if one.step <= max(1.0, 0.02 * self.seconds) else 1e-6
            if abs(one.value - self.seconds) <= margin + 1e-6:
                yield Spot(one.start, one.end)


@dataclass(frozen=True, slots=True)
class Words:
    """A name, phrase, code or address."""

    text: str
    kind: str = "text"
    strict: bool = False

    def spots(self, text: str) -> Iterator[Spot]:
        for start, end in places_of(text, self.text, loose=not self.strict):
            yield Spot(start, end)


Value: TypeAlias = Quantity | Day | Month | Clock | Duration | Words


@lru_cache(maxsize=1024)
def _plain_numbers(text: str) -> tuple[WrittenNumber, ...]:
    """The numbers that are no part of a date; "first" and "second" are hardly ever the number that was asked for."""
    taken = _dated(text)
    return tuple(
        one
        for one in written_numbers(text)
        if not any(start <= one.start < end for start, end in taken)
        and not (one.ordinal and one.values[0] < 4)
    )


@lru_cache(maxsize=1024)
def _dated(text: str) -> tuple[tuple[int, int], ...]:
    """What belongs to dates and times, so that a 15 in "15 May" is no number; a lone year stays one."""
    spans = [(one.start, one.end) for one in named_days(text) if one.month is not None]
    spans += [
        (one.start, one.end)
        for one in clock_times(text)
        if re.search(r"[:a-z]", fold(text[one.start : one.end]))
    ]
    return tuple(spans)


def _near_words(text: str, one: WrittenNumber) -> str:
    return fold(text[max(0, one.start - 40) : one.end + 30])


def _against(text: str, one: WrittenNumber, number: float) -> bool:
    """Whether the words around a change say the other direction."""
    near = _near_words(text, one)
    up, down = UP.search(near) is not None, DOWN.search(near) is not None
    return (down and not up) if number > 0 else (up and not down)


def value_of(item: object, unit: str = "") -> Value | None:
    """The value that data stand for: a number, a date or time by its looks, or words."""
    if isinstance(item, bool) or item is None:
        return None
    if isinstance(item, int | float):
        return Quantity(float(item), unit)
    text = str(item).strip()
    if not text:
        return None
    if unit in ("second", "minute", "hour") and re.fullmatch(r"\d+(?:\.\d+)?", text):
        return Quantity(float(text), unit)
    if _DATE_TIME.fullmatch(text) and unit != "time":
        return Day(date.fromisoformat(text[:10])) if _is_date(text[:10]) else Words(text)
    clock = _CLOCK.fullmatch(
        text if unit != "time" else text[-5:] if len(text) == 16 else (text[11:16] or text)
    )
    if clock is not None:
        return Clock(int(clock[1]) * 60 + int(clock[2]))
    return Words(_telling(text))


def _telling(text: str) -> str:
    """The longest sentence of a text that has several: answers are read sentence by sentence."""
    if len(text) < 40 or "/" in text:
        return text
    return max(re.split(r"(?<=[.!?:;])\s+", text), key=len)


def _is_date(text: str) -> bool:
    try:
        datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        return False
    return True
