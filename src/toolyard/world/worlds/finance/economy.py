"""Public figures of the economy of the United States, by month, quarter and year, newest first."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from datetime import date

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.reference.packed import packed
from toolyard.world.shared.geography import read_table
from toolyard.world.state import EPOCH
from toolyard.world.worlds.finance import curves

Point = tuple[date, float]
# Yields on 14 May 2024, and the days on which the rate of the central bank changed.
_YIELDS_NOW = {"treasury_3month": 5.46, "treasury_2year": 4.82, "treasury_5year": 4.46, "treasury_7year": 4.46,
               "treasury_10year": 4.45, "treasury_30year": 4.59}  # fmt: skip
# Yields on the days on which they turned in the spring of 2024.
_TURNS = (date(2024, 4, 10), date(2024, 4, 25), date(2024, 5, 3))
_YIELDS_THEN = {"treasury_2year": (4.97, 4.98, 4.81), "treasury_5year": (4.61, 4.71, 4.48),
                "treasury_7year": (4.59, 4.71, 4.49), "treasury_10year": (4.55, 4.70, 4.50),
                "treasury_30year": (4.64, 4.82, 4.66)}  # fmt: skip
_FUNDS_SINCE = (
    (date(2023, 7, 27), 5.33),
    (date(2023, 5, 4), 5.08),
    (date(2023, 3, 23), 4.83),
    (date(2023, 2, 2), 4.58),
)
# Millions of people in the first quarters of these years.
_PEOPLE = {2015: 320.8, 2020: 331.3, 2024: 337.2, 2025: 338.5}
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


def rate(seed: int, name: str, day: date) -> float:
    """A rate of interest on a day: the central bank's own one, else near the line through the means of months."""
    if name == "federal_funds":
        return next((value for since, value in _FUNDS_SINCE if since <= day), 4.33)
    known = [(month.replace(day=15), value) for month, value in _series()[name]]
    known += zip(_TURNS, _YIELDS_THEN.get(name, ()), strict=False)
    known = sorted([*known, (date(2024, 5, 14), _YIELDS_NOW[name])])
    after = next((place for place, (middle, _) in enumerate(known) if middle >= day), len(known) - 1)
    (left, low), (right, high) = known[after - 1], known[after]
    share = (day - left).days / (right - left).days
    stray = 0.0 if day == right else 0.04 * (seeds.unit(seed, name, day) - 0.5)
    return low + (high - low) * share + stray


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
            found.append((date(year, first, 1), added(parts) / len(parts)))
    return found
