"""Dates as tools take them: parsed with a fault instead of an exception, and counted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from toolyard.world.faults import invalid, not_found, out_of_range

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def parse_date(text: str, parameter: str = "date") -> date:
    """The date of YYYY-MM-DD (or YYYY/MM/DD); an invalid_value fault otherwise."""
    try:
        return date.fromisoformat(text.strip().replace("/", "-")[:10])
    except ValueError:
        raise invalid(parameter, text, "want a calendar date as YYYY-MM-DD") from None


def later(day: date, days: int) -> date:
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
        raise not_found(
            "time zone", name, known=("Europe/London", "America/New_York", "Asia/Tokyo")
        ) from None


def offset_hours(moment: datetime, name: str) -> float:
    """Hours ahead of UTC in a zone at a moment."""
    delta = moment.astimezone(zone(name)).utcoffset() or timedelta()
    return delta.total_seconds() / 3600


def stamp(moment: datetime) -> str:
    """ISO 8601 to the second, with a Z for UTC."""
    text = moment.isoformat(timespec="seconds")
    return text.replace("+00:00", "Z") if moment.tzinfo is UTC else text


def moment(text: str, parameter: str, *, end: bool = False) -> str:
    """A date or time as comparable UTC text; the end of the day for a bare date where `end` is set."""
    try:
        parsed = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        parsed = parsed.astimezone(UTC) if parsed.tzinfo is not None else parsed
    except (ValueError, OverflowError):
        raise invalid(parameter, text[:40], "want YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS") from None
    if end and len(text.strip()) <= 10:
        return f"{parsed:%Y-%m-%d}T23:59:59Z"
    return f"{parsed:%Y-%m-%dT%H:%M:%S}Z"
