"""Days on which markets trade: those of New York without its holidays, those of other places, and every day."""

import functools
from datetime import date, datetime, timedelta

FIRST = date(2010, 1, 1)
LAST = date(2025, 12, 31)
# Days of mourning and of a hurricane.
_CLOSED_ONCE = frozenset(date(*day) for day in ((2012, 10, 29), (2012, 10, 30), (2018, 12, 5), (2025, 1, 9)))


def easter_sunday(year: int) -> date:
    """Easter Sunday of the western churches (after Butcher)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = b // 4, b % 4
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = c // 4, c % 4
    m = (a + 11 * h) // 319
    r = (2 * e + 2 * i - k - h + m + 32) % 7
    month = (h - m + r + 90) // 25
    return date(year, month, (h - m + r + month + 19) % 32)


def _nth_weekday(year: int, month: int, weekday: int, number: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))


def _observed_day(day: date) -> date:
    return day + timedelta(days={5: -1, 6: 1}.get(day.weekday(), 0))


@functools.cache
def new_york_holidays(year: int) -> frozenset[date]:
    """Days of a year on which the exchanges of New York are closed, beside weekends."""
    may_end = date(year, 5, 31)
    fixed = [date(year, 7, 4), date(year, 12, 25), *([date(year, 6, 19)] if year >= 2022 else [])]
    new_year = date(year, 1, 1)
    return frozenset(
        {
            *([_observed_day(new_year)] if new_year.weekday() != 5 else []),
            _nth_weekday(year, 1, 0, 3),
            _nth_weekday(year, 2, 0, 3),
            easter_sunday(year) - timedelta(days=2),
            may_end - timedelta(days=may_end.weekday()),
            *map(_observed_day, fixed),
            _nth_weekday(year, 9, 0, 1),
            _nth_weekday(year, 11, 3, 4),
            *(day for day in _CLOSED_ONCE if day.year == year),
        }
    )


def _elsewhere_closed(day: date) -> bool:
    return (day.month, day.day) in ((1, 1), (12, 25)) or day == easter_sunday(day.year) - timedelta(days=2)


def is_trading_day(day: date, calendar: str = "new_york") -> bool:
    """Whether a market trades on a day; the calendars are new_york, elsewhere and every_day."""
    if calendar == "every_day":
        return True
    if day.weekday() >= 5:
        return False
    return not (_elsewhere_closed(day) if calendar == "elsewhere" else day in new_york_holidays(day.year))


@functools.cache
def trading_days(calendar: str) -> tuple[str, ...]:
    """All trading days from 2010 to 2025 as ISO dates."""
    days = (FIRST + timedelta(days=n) for n in range((LAST - FIRST).days + 1))
    return tuple(day.isoformat() for day in days if is_trading_day(day, calendar))


# Countries whose exchange closes at 08:00 UTC or earlier.
_EASTERN = frozenset({"AU", "CN", "HK", "JP", "KR", "NZ", "TW"})


def last_close(now: datetime, country: str = "") -> date:
    """The last day whose trading is over: New York closes at 20:00 or 21:00 UTC, the East at 08:00, all others between."""
    return (now - timedelta(hours=8 if country in _EASTERN else 21)).date()
