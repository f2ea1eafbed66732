"""Public figures of the economy of the United States, by month, quarter and year, newest first."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from toolyard.core.sums import added
from toolyard.world.reference.packed import packed
from toolyard.world.shared.geography import read_table
from toolyard.world.state import EPOCH
from toolyard.world.worlds.finance import curves

Point = tuple[date, float]
# The days on which the rate of the central bank changed.
_FUNDS_SINCE = (
    (date(2023, 7, 27), 5.33),
    (date(2023, 5, 4), 5.08),
    (date(2023, 3, 23), 4.83),
    (date(2023, 2, 2), 4.58),
)
# Millions of people in the first quarters of these years.
_PEOPLE = {2015: 320.8, 2020: 331.3, 2024: 336.3, 2025: 337.9}
# The office works with more decimals than it publishes: the means of these halves lie below that of the published months.
_PUBLISHED_HALVES = {date(2011, 1, 1): 223.598, date(2013, 1, 1): 232.366}
_QUARTERLY = frozenset({"real_gdp"})


@functools.cache
def _series() -> Mapping[str, tuple[Point, ...]]:
    """Name -> all values with the first days of their months or quarters, oldest first."""
    found = {}
    for row in read_table("us_economy.tsv"):
        year, month = map(int, row["first"].split("-"))
        step = 3 if row["name"] in _QUARTERLY else 1
        places = range(12 * year + month - 1, 10**6, step)
        found[row["name"]] = tuple(
            (date(place // 12, place % 12 + 1, 1), float(value))
            for place, value in zip(places, row["values"].split(), strict=False)
        )
    return found


def by_month(name: str) -> list[Point]:
    """The values of 60 months."""
    return list(reversed(_series()[name]))[:60]


def by_year(name: str) -> Iterator[Point]:
    """The figures of whole years."""
    yearly = curves.yearly()[name]
    return ((date(year, 1, 1), yearly[year]) for year in sorted(yearly, reverse=True))


def funds_rate(day: date) -> float:
    """The rate of the central bank on a day."""
    return next((value for since, value in _FUNDS_SINCE if since <= day), 4.33)


def by_week(name: str) -> list[Point]:
    """The means of whole weeks on record, under their last days, newest first."""
    weeks: dict[date, list[float]] = {}
    for day, value in curves.days_of(name).items():
        weeks.setdefault(day + timedelta(days=4 - day.weekday()), []).append(value)
    return [(friday, added(values) / len(values)) for friday, values in weeks.items() if len(values) > 3]


def quarters_of_product() -> list[Point]:
    """Real product of each quarter, not at yearly rate."""
    return [(day, value / 4) for day, value in reversed(_series()["real_gdp"])]


def product_per_head() -> list[Point]:
    """Real product per inhabitant in dollars, by quarter at yearly rate."""
    return [(day, 1000 * value / _people(day)) for day, value in reversed(_series()["real_gdp"])]


def _people(day: date) -> float:
    left = max(year for year in _PEOPLE if year <= day.year)
    right = min(year for year in _PEOPLE if year > day.year)
    share = (day - date(left, 1, 1)).days / (date(right, 1, 1) - date(left, 1, 1)).days
    return _PEOPLE[left] + share * (_PEOPLE[right] - _PEOPLE[left])


@functools.cache
def _prices() -> Mapping[date, float]:
    return {date.fromisoformat(f"{month}-01"): float(value) for month, value in packed("consumer_prices")}


def consumer_prices(count: int) -> list[Point]:
    """The consumer price index of so many months before the present one of the world."""
    days = [day for day in sorted(_prices(), reverse=True) if day < EPOCH.date()]
    return [(day, _prices()[day]) for day in days[:count]]


def half_years_of_prices() -> list[Point]:
    """The mean index of each half-year since 2010, under its first day."""
    found = []
    for year in range(EPOCH.year - 1, 2009, -1):
        for first in (7, 1):
            parts = [_prices()[date(year, month, 1)] for month in range(first, first + 6)]
            day = date(year, first, 1)
            found.append((day, _PUBLISHED_HALVES.get(day, added(parts) / len(parts))))
    return found
