"""Questions of the calendar: days between two dates, the day of the week, dates so many days away, leap years."""

import re
from calendar import isleap, monthrange
from collections.abc import Callable
from datetime import date, timedelta

from toolyard.world.reference.days import MONTHS, WEEKDAYS, find_day, read_date
from toolyard.world.tools.calculator.answer import Answer, format_number, plain_number

_SPANS = {"day": 1, "week": 7, "month": 30.436875, "year": 365.2425, "hour": 1 / 24}
_BETWEEN = re.compile(
    r"(?:how many |number of |count (?:the )?)?(?P<unit>day|week|month|year|hour)s? (?:are there "
    r")?(?:between|from) (?P<one>.+?) "
    r"(?:and|to|until|till) (?P<other>.+)"
)
_UNTIL = re.compile(
    r"(?:how many )?(?P<unit>day|week|month|year)s? (?:are (?:there|left) |is it )?(?P<way>until|till|"
    r"to|since) (?P<other>.+)"
)
_WEEKDAY = re.compile(
    r"(?:(?:on )?(?:what|which) )?(?:day of (?:the )?week|weekday|day)(?: is it| was it)?(?: (?:is|was|"
    r"of|on|for|will be|did))* (?P<one>.+)"
)
_AWAY = re.compile(
    r"(?:(?:what|which) (?:date|day) (?:is|was|will be) |what is (?:the date )?|(?:the )?date )?"
    r"(?P<count>\d{1,6}) (?P<unit>day|week|month|year)s? (?P<way>after|before|from|ago|since)(?: (?P<one>.+))?"
)
_LEAP = re.compile(r"(?:(?:is|was) )?(?:the year )?(?P<year>\d{1,4}) (?:(?:is|was) )?a leap year")
_LENGTH = re.compile(
    rf"(?:how many )?days (?:are )?(?:there )?in (?P<month>{'|'.join(MONTHS).lower()})(?:,? (?:of )?(?P<year>\d{{4}}))?"
)
_YEAR_LENGTH = re.compile(r"(?:how many )?days (?:are )?(?:there )?in (?:the year )?(?P<year>\d{4})")
_NOW = re.compile(
    r"(?:(?:what|which) (?:is )?)?(?:(?:the )?(?:current )?date(?: is it| today| now)?|todays date|today)(?: today)?"
)
_FEASTS = {"christmas": (12, 25), "christmas eve": (12, 24), "new year": (1, 1), "new years day": (1, 1),
    "halloween": (10, 31),
           "new years eve": (12, 31), "valentines day": (2, 14), "new year's day": (1, 1)}  # fmt: skip


_FEAST_OF = re.compile(r"([a-z ]+?),? (?:in |of )?(\d{4})")


def answer_day_question(question: str, today: date) -> Answer | str | None:
    """The answer to a question of the calendar; a sentence where it names no possible day; None for other questions."""
    text = " ".join(question.lower().replace("'", "").rstrip("?.! ").split())[:200]
    text = re.sub(
        r"^(?:please |tell me |find |calculate |compute |what is |what was |the )+(?=number|days|day of|date|weekday|\d)",
        "",
        text,
    )
    for pattern, answer in _QUESTIONS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        try:
            found = answer(match, today)
        except (ValueError, OverflowError) as error:
            return f"no possible date: {error}"
        if found is not None:
            return found
    return None


def _parse_day(text: str, today: date) -> date | None:
    """The day that a text names and nothing else."""
    text = text.strip().removeprefix("the ").strip()
    feast = _FEAST_OF.fullmatch(text)
    if feast and feast[1] in _FEASTS:
        return date(int(feast[2]), *_FEASTS[feast[1]])
    if text in _FEASTS:
        month, day = _FEASTS[text]
        found = date(today.year, month, day)
        return found if found >= today else found.replace(year=today.year + 1)
    if text == "now":
        return today
    written_date = read_date(text)
    if written_date is not None:
        return written_date
    named = find_day(text, today)
    return named.day if named and named.span == (0, len(text)) else None


def _answer_days_between(match: re.Match[str], today: date) -> Answer | None:
    one, other = _parse_day(match["one"], today), _parse_day(match["other"], today)
    return _span_answer(min(one, other), max(one, other), match["unit"]) if one and other else None


def _days_until(match: re.Match[str], today: date) -> Answer | None:
    other = _parse_day(match["other"], today)
    if other is None:
        return None
    return _span_answer(*((other, today) if match["way"] == "since" else (today, other)), match["unit"])


def _span_answer(one: date, other: date, unit: str) -> Answer:
    days = (other - one).days
    number = plain_number(round(days / _SPANS[unit], 2))
    shown = format_number(float(number))
    if unit == "week" and days % 7:  # told exactly
        weeks, left = divmod(days, 7)
        text = f"{weeks} week{'' if weeks == 1 else 's'} and {left} day{'' if left == 1 else 's'}"
        return Answer(f"weeks from {one} to {other}", text, number)
    return Answer(f"{unit}s from {one} to {other}", f"{shown} {unit}{'' if number == 1 else 's'}", number)


def _weekday_answer(match: re.Match[str], today: date) -> Answer | None:
    day = _parse_day(re.sub(r" (?:fall|be)(?: on)?$", "", match["one"]), today)
    return Answer(f"day of the week of {day}", WEEKDAYS[day.weekday()]) if day else None


def _answer_days_away(match: re.Match[str], today: date) -> Answer | None:
    start = _parse_day(match["one"], today) if match["one"] else today
    if start is None:
        return None
    count = int(match["count"]) * (-1 if match["way"] in ("before", "ago") else 1)
    if match["unit"] in ("day", "week"):
        found = start + timedelta(days=count * int(_SPANS[match["unit"]]))
    else:
        found = _add_months(start, count * (12 if match["unit"] == "year" else 1))
    way = "before" if count < 0 else "after"
    return Answer(
        f"{abs(count)} {match['unit']}s {way} {start}", f"{found.isoformat()} ({WEEKDAYS[found.weekday()]})"
    )


def _add_months(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _leap(match: re.Match[str], today: date) -> Answer:
    year = int(match["year"])
    return Answer(f"is {year} a leap year", "yes" if isleap(year) else "no")


def _length(match: re.Match[str], today: date) -> Answer:
    month = [name.lower() for name in MONTHS].index(match["month"]) + 1
    days = monthrange(int(match["year"] or today.year), month)[1]
    return Answer(f"days in {MONTHS[month - 1]} {match['year'] or today.year}", f"{days} days", days)


def _year_length_answer(match: re.Match[str], today: date) -> Answer:
    days = 366 if isleap(int(match["year"])) else 365
    return Answer(f"days in {match['year']}", f"{days} days", days)


def _now(match: re.Match[str], today: date) -> Answer:
    return Answer("today", f"{today.isoformat()} ({WEEKDAYS[today.weekday()]})")


_QUESTIONS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Answer | None]], ...] = (
    (_NOW, _now), (_BETWEEN, _answer_days_between), (_LEAP, _leap), (_LENGTH, _length), (_YEAR_LENGTH, _year_length_answer),
    (_UNTIL, _days_until), (_AWAY, _answer_days_away),
    (_WEEKDAY, _weekday_answer),
)  # fmt: skip
