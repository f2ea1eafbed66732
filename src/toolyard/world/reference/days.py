"""Dates and times as people write them: read with a fault instead of an exception, found in sentences, counted."""

import re
from calendar import isleap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from toolyard.text.ordinals import MONTH_NAMES, WEEKDAY_NAMES
from toolyard.world.kernel.faults import invalid, not_found, out_of_range
from toolyard.world.kernel.tables import plain, values_of

MONTHS, WEEKDAYS = MONTH_NAMES, WEEKDAY_NAMES
_NAME = (
    "(?P<name>"
    + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS).replace("Sep(", "Sept?(")
    + r")\b\.?"
)
_NAME = _NAME.lower().replace("(?p<", "(?P<")
_ORDINAL = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
# The ways to write a day: 2024-05-15, 15 May 2024, May 15, 2024, 5/15/2024, 15.5.2024; the year may be left out of names.
_WRITTEN = tuple(
    re.compile(rf"(?<![\w.:/-])(?:{form})(?!\d|[-/]\d)")
    for form in (
        r"(?P<year>\d{4})(?P<sign>[-/.]?)(?P<month>\d{2})(?P=sign)(?P<day>\d{2})",
        r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})",
        rf"{_ORDINAL}(?: of)?[ -]{_NAME}(?:,?[ -](?P<year>\d{{4}}))?",
        rf"{_NAME} (?:the )?{_ORDINAL}(?![\d:])(?:,? (?P<year>\d{{4}}))?",
        r"(?P<first>\d{1,2})[/-](?P<second>\d{1,2})[/-](?P<year>\d{4})",
        r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4})",
    )
)
_CLOCK = r"\d{1,2}(?::\d{2}){0,2}(?:\.\d+)? ?(?:am|pm|z|utc|gmt)?(?:[+-]\d{2}:?\d{2})?"
# What may stand around a date: its weekday before it, a clock time behind it.
_BEFORE = re.compile(
    rf"(?:(?:{'|'.join(WEEKDAYS).lower()}|{'|'.join(day[:3] for day in WEEKDAYS).lower()}),? )?"
)
_BEHIND = re.compile(rf"(?:(?:t|,? (?:at )?)(?P<clock>{_CLOCK}))?")
_NEAR: Mapping[str, int] = values_of("days.near")
_COUNTS = ("zero", *"one two three four five six seven eight nine ten eleven twelve".split())
_NEARBY = re.compile(rf"\b(?:{'|'.join(_NEAR)})\b")
_DISTANT = re.compile(rf"\bin (?P<count>\d{{1,3}}|an?|{'|'.join(_COUNTS[1:])}) (?P<unit>day|week)s?\b")
_WEEKDAY = re.compile(
    rf"\b(?:(?:next|this|the coming|coming|on) )?(?P<weekday>{'|'.join(WEEKDAYS).lower()})\b(?P<week> next week)?"
)
_TIMES = (
    re.compile(r"(?<![\w:.-])(?:at )?(?P<word>noon|midnight)\b"),
    re.compile(r"(?<![\w:.-])(?:at )?(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))? ?(?P<half>[ap])\.?m\b\.?"),
    re.compile(r"(?<![\w:.-])(?:at )?(?P<hour>\d{1,2}):(?P<minute>\d{2})(?!\d)"),
    re.compile(
        r"\bat (?P<hour>\d{1,2})(?: o'clock)?(?= *(?:$|[,;]|on\b|in\b|with\b|for\b|tomorrow\b|today\b))"
    ),
)


@dataclass(frozen=True, slots=True)
class DayMention:
    """A day that a text mentions, and where it stands."""

    day: date
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ClockMention:
    """A time of day that a text mentions, and where it stands."""

    clock: time
    span: tuple[int, int]


def read_date(text: str) -> date | None:
    """The day of a written date such as 2024-05-15, 15 May 2024, May 15, 2024 or 5/15/2024; None for other text.

    Three numbers with slashes are month, day, year unless the first is above 12. Raises ValueError where the
    calendar has no such day.
    """
    match = _lone_date(text)
    return _day_of_match(match) if match else None


def parse_date(text: str, parameter: str = "date") -> date:
    """As `read_date`, with an invalid_value fault where it is no date or an impossible one."""
    try:
        found = read_date(text)
    except ValueError:
        raise invalid(
            parameter, text[:60], "the calendar has no such day; want one such as 2024-05-15"
        ) from None
    if found is None:
        raise invalid(parameter, text[:60], "want a calendar date as YYYY-MM-DD, e.g. 2024-05-15")
    return found


def _lone_date(text: str) -> re.Match[str] | None:
    """The date that a text consists of, its weekday and a clock time aside; it has a year."""
    lowered = " ".join(text[:60].lower().split())
    for form in _WRITTEN:
        match = form.search(lowered)
        if (
            match
            and match["year"]
            and _BEFORE.fullmatch(lowered[: match.start()])
            and _BEHIND.fullmatch(lowered[match.end() :])
        ):
            return match
    return None


def find_day(text: str, today: date) -> DayMention | None:
    """The first day that a sentence names; tomorrow, next Friday and in 3 days are counted from today.

    A day without a year is the next one from today on. Raises ValueError where the calendar has no such day.
    """
    match = _first_match(text, (*_WRITTEN, _NEARBY, _DISTANT, _WEEKDAY))
    if match is None:
        return None
    if match.re in _WRITTEN:
        return DayMention(_day_of_match(match, today), match.span())
    return DayMention(today + timedelta(days=_days_ahead(match, today)), match.span())


def _first_match(text: str, forms: Iterable[re.Pattern[str]]) -> re.Match[str] | None:
    """The first match of any form in the text in small letters, the longest of those that begin there."""
    lowered = text.lower()
    found = [match for form in forms if (match := form.search(lowered))]
    return min(found, key=lambda one: (one.start(), -one.end()), default=None)


def find_clock(text: str) -> ClockMention | None:
    """The first time of day that a sentence names: 15:00, 3 pm, 3:30 p.m., noon.

    Raises ValueError where there is no such time, or where it may be meant in two ways.
    """
    match = _first_match(text, _TIMES)
    if match is None:
        return None
    parts = match.groupdict()
    if parts.get("word"):
        return ClockMention(time(12 if parts["word"] == "noon" else 0), match.span())
    hour, half = int(match["hour"]), parts.get("half")
    if half and not 1 <= hour <= 12:
        raise ValueError(f"{match[0]!r} is no time of day")
    if half is None and "minute" not in parts and hour < 13:
        raise ValueError(f"{match[0]!r} may be morning or afternoon; say {hour} am or {hour} pm")
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour
    return ClockMention(time(hour, int(parts.get("minute") or 0)), match.span())


def _day_of_match(match: re.Match[str], today: date | None = None) -> date:
    """The day of a written date; without a year the next one from today on."""
    parts = match.groupdict()
    if "first" in parts:
        first, second = int(parts["first"]), int(parts["second"])
        month, day = (second, first) if first > 12 else (first, second)
    else:
        day = int(parts["day"])
        month = int(parts["month"]) if "month" in parts else _month_number(parts["name"])
    if parts["year"] or today is None:
        return date(int(parts["year"]), month, day)
    year = today.year
    while (month, day) == (2, 29) and not isleap(year):
        year += 1
    found = date(year, month, day)
    return found if found >= today else found.replace(year=found.year + (4 if (month, day) == (2, 29) else 1))


def _month_number(name: str) -> int:
    return [month[:3].lower() for month in MONTHS].index(name[:3]) + 1


def _days_ahead(match: re.Match[str], today: date) -> int:
    """Days from today to a day that is named by its distance or its weekday; a weekday is the next after today."""
    if match.re is _NEARBY:
        return _NEAR[match[0]]
    if match.re is _DISTANT:
        count = match["count"]
        number = int(count) if count.isdigit() else _COUNTS.index(count) if count in _COUNTS else 1
        return number * (7 if match["unit"] == "week" else 1)
    wanted = WEEKDAYS.index(match["weekday"].title())
    return 7 - today.weekday() + wanted if match["week"] else (wanted - today.weekday() - 1) % 7 + 1


def add_days(day: date, days: int) -> date:
    """So many days later; the last day of the calendar where that is beyond it."""
    return day + timedelta(days=min(days, (date.max - day).days))


def from_unix(seconds: int, parameter: str = "timestamp") -> datetime:
    """The UTC time of a Unix timestamp; an out_of_range fault beyond year 9999."""
    if not 0 <= seconds < 253402300800:
        raise out_of_range(parameter, seconds, "want seconds since 1970")
    return datetime.fromtimestamp(seconds, UTC)


def days_between(first: date, last: date) -> Iterator[date]:
    """Every day from first to last, both included."""
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def zone(name: str) -> tzinfo:
    """The time zone of an IANA name; a not_found fault otherwise."""
    try:
        return ZoneInfo(name.strip())
    except (ZoneInfoNotFoundError, ValueError, OSError):
        known = sorted(available_timezones())
        town = plain(name).rpartition("/")[2]
        near = [one for one in known if town and plain(one).rpartition("/")[2] == town]
        raise not_found(
            "time zone",
            name[:60],
            known=("Europe/London", "America/New_York", "Asia/Tokyo", *known),
            nearest=near,
            count=0,  # other names are known too, which no list shows
            listed_by="Location/Geodatabase/get_time_zones",
        ) from None


def offset_hours(moment: datetime, name: str) -> float:
    """Hours ahead of UTC in a zone at a moment."""
    delta = moment.astimezone(zone(name)).utcoffset() or timedelta()
    return delta.total_seconds() / 3600


def iso_stamp(moment: datetime) -> str:
    """ISO 8601 to the second, with a Z for UTC."""
    text = moment.isoformat(timespec="seconds")
    return text.replace("+00:00", "Z") if moment.tzinfo is UTC else text


def moment(text: str, parameter: str, *, end: bool = False) -> str:
    """A date or time as comparable UTC text; the end of the day for a bare date where `end` is set."""
    parsed = _iso_moment(text.strip())
    if parsed is None:
        day = parse_date(text, parameter)
        clock = _clock_behind(text, parameter)
        parsed = datetime.combine(day, clock or time())
        bare = clock is None
    else:
        bare = len(text.strip()) <= 10
    if end and bare:
        return f"{parsed:%Y-%m-%d}T23:59:59Z"
    return f"{parsed:%Y-%m-%dT%H:%M:%S}Z"


def _iso_moment(text: str) -> datetime | None:
    try:
        parsed = datetime.fromisoformat(text.replace("Z", "+00:00"))
        return parsed.astimezone(UTC) if parsed.tzinfo is not None else parsed
    except (ValueError, OverflowError):
        return None


def _clock_behind(text: str, parameter: str) -> time | None:
    match = _lone_date(text)
    rest = " ".join(text[:60].lower().split())[match.end() :] if match else ""
    try:
        found = find_clock(rest)
    except ValueError as error:
        raise invalid(parameter, text[:60], f"{error}; want e.g. 2024-05-15T15:00:00") from None
    return found.clock if found else None
