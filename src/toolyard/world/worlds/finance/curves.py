"""Curves through public means of years and months: currencies, commodities and the US economy from 2010 to today."""

from __future__ import annotations

import functools
import math
from bisect import bisect_right
from collections.abc import Iterator
from datetime import date, timedelta

from toolyard.world import seeds, series
from toolyard.world.shared.geography import read_table
from toolyard.world.state import EPOCH

FIRST_DAY = series.FIRST
Points = tuple[tuple[float, float], ...]


@functools.cache
def yearly() -> dict[str, dict[int, float]]:
    """Name -> year -> mean of the year."""
    rows = read_table("yearly.tsv")
    return {
        row["name"]: {int(year): float(value) for year, value in row.items() if year != "name"}
        for row in rows
    }


@functools.cache
def months_of(name: str) -> dict[date, float]:
    """First day of a month -> mean of the month, where means of months are known."""
    found: dict[date, float] = {}
    for row in read_table("monthly.tsv"):
        if row["name"] == name:
            year, month = map(int, row["first"].split("-"))
            for place, value in enumerate(row["values"].split(), start=12 * year + month - 1):
                found[date(place // 12, place % 12 + 1, 1)] = float(value)
    return found


@functools.cache
def days_of(name: str) -> dict[date, float]:
    """Day -> value at its close, newest first, where closes are on record."""
    rows = reversed(list(read_table("daily.tsv")))
    return {date.fromisoformat(row["date"]): float(row[name]) for row in rows if row.get(name)}


@functools.cache
def points(name: str, present: float | None = None) -> Points:
    """The middle of each year or month with its mean; the last point is the present value where one is given."""
    monthly = [(month.replace(day=15).toordinal(), value) for month, value in months_of(name).items()]
    first = monthly[0][0] if monthly else date.max.toordinal()
    known = [(date(year, 7, 1).toordinal(), value) for year, value in yearly().get(name, {}).items()]
    known = [point for point in known if point[0] < first - 60] + monthly
    if present is not None:
        today = EPOCH.date().toordinal()
        known = [point for point in known if point[0] < today - (20 if monthly else 180)] + [(today, present)]
    return _through_means(known, first) if monthly else tuple(known)


def _through_means(known: list[tuple[int, float]], first: int) -> Points:
    """The points moved so that the curve between them has the known mean in every month, not just in its middle."""
    means = [math.log(value) for _, value in known]
    moved = list(means)
    for _ in range(4):
        for place in range(1, len(known) - 1):
            if known[place][0] >= first:
                now = (moved[place - 1] + 6 * moved[place] + moved[place + 1]) / 8
                moved[place] += means[place] - now
    return tuple((at, math.exp(value)) for (at, _), value in zip(known, moved, strict=True))


def value(
    seed: int, name: str, day: date, *, size: float, present: float | None = None, restless: float = 0.0
) -> float:
    """The curve on a day: between its points in the logarithm, with deviations of about `size` around them.

    `restless` is how far it goes up and down from one day or week to the next, as prices on exchanges do.
    """
    known = points(name, present)
    at = day.toordinal()
    place = bisect_right(known, (at, math.inf))
    (x0, y0), (x1, y1) = known[max(place - 1, 0)], known[min(place, len(known) - 1)]
    share = 0.0 if x1 == x0 else min(1.0, max(0.0, (at - x0) / (x1 - x0)))
    calm = math.log(y0) + share * (math.log(y1) - math.log(y0))
    here = _deviation(seed, name, at, size) + _unrest(seed, name, at, restless)
    today = EPOCH.date().toordinal()
    shift = _deviation(seed, name, today, size) + _unrest(seed, name, today, restless) if present else 0.0
    return math.exp(calm + here - shift)


@seeds.remembered(65536)
def _deviation(seed: int, name: str, at: int, size: float) -> float:
    if not size:
        return 0.0
    wave = series.level(seed, name, at, low=-1.0, high=1.0, period=700)
    return size * (wave + 0.35 * (seeds.unit(seed, "day", name, at) - 0.5))


@seeds.remembered(65536)
def _unrest(seed: int, name: str, at: int, size: float) -> float:
    if not size:
        return 0.0
    weeks = series.level(seed, f"{name} weeks", at, low=-1.0, high=1.0, period=47)
    return size * (weeks + 1.2 * (seeds.unit(seed, "restless", name, at) - 0.5))


def months(last: date, count: int) -> Iterator[date]:
    """First days of months, newest first, beginning with the month of `last`."""
    year, month = last.year, last.month
    for _ in range(count):
        day = date(year, month, 1)
        if day < FIRST_DAY:
            return
        yield day
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)


def weekdays(last: date, count: int) -> Iterator[date]:
    """Days from Monday to Friday, newest first, up to and including `last`."""
    day = last
    while count and day >= FIRST_DAY:
        if day.weekday() < 5:
            yield day
            count -= 1
        day -= timedelta(days=1)


def stepped(last: date, days: int, count: int) -> Iterator[date]:
    """Every `days`-th day, newest first, beginning with `last`."""
    for number in range(count):
        day = last - timedelta(days=days * number)
        if day < FIRST_DAY:
            return
        yield day
