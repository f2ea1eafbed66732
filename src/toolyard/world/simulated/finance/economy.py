"""The economy of the United States: one seeded figure per month, quarter or day; all others follow from them."""

import math
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import values_of
from toolyard.world.reference.market_days import FIRST, is_trading_day
from toolyard.world.simulated.finance.averages import arithmetic_mean
from toolyard.world.simulated.series import seeded_wave

Point = tuple[date, float]
# Figure -> lowest and highest value at the start, and growth in a year, as parts; rates do not grow.
BOUNDS = {
    "cpi": (180, 260), "real_gdp": (12_000, 19_000), "people": (300, 325), "retail_sales": (320_000, 480_000),
    "durables": (170_000, 260_000), "nonfarm_payroll": (125_000, 145_000),
}  # fmt: skip
_GROWTH: Mapping[str, float] = values_of("economy.growth")
RATES = {"unemployment": (3.0, 9.5), "federal_funds": (0.2, 6.5)}
# Maturity -> years.
MATURITIES = {"3month": 0.25, "2year": 2.0, "5year": 5.0, "7year": 7.0, "10year": 10.0, "30year": 30.0}


def _years_since_first(day: date) -> float:
    return (day - FIRST).days / 365.25


def figure(seed: int, name: str, day: date) -> float:
    """A figure on a day: a rate that swings between its bounds, or an amount that grows and strays a little."""
    if name in RATES:
        low, high = RATES[name]
        return seeded_wave(seed, name, _years_since_first(day), low=low, high=high, period=14)
    low, high = BOUNDS[name]
    growth = _GROWTH[name] * (0.4 + seeds.unit(seed, "growth", name))
    start = low + (high - low) * seeds.unit(seed, "start", name)
    unrest = 0.0 if name == "people" else 0.012 * seeds.unit(seed, name, day)
    swing = seeded_wave(seed, name, _years_since_first(day), low=-0.015, high=0.015, period=9)
    return float(start * (1 + growth) ** _years_since_first(day) * math.exp(swing + unrest))


def treasury_yield(seed: int, maturity: str, day: date) -> float:
    """The yield of a maturity on a day: the rate of the central bank, a premium for time, and some unrest."""
    premium = seeded_wave(seed, "premium", _years_since_first(day), low=-0.25, high=0.6, period=11)
    unrest = 0.12 * (seeds.unit(seed, "yield", maturity, day) - 0.5)
    base = figure(seed, "federal_funds", day)
    return max(0.05, base + premium * math.log(1 + 2 * MATURITIES[maturity]) + unrest)


def first_days_of_months(last: date, step: int = 1) -> Iterator[date]:
    """First days of months, or of every so many months of a year, newest first, up to a day."""
    place = 12 * last.year + last.month - 1
    for number in range(place - place % step, 12 * FIRST.year - 1, -step):
        yield date(number // 12, number % 12 + 1, 1)


def trading_weekdays(last: date) -> Iterator[date]:
    """Days on which markets trade, newest first, up to a day."""
    for back in range((last - FIRST).days + 1):
        day = last - timedelta(days=back)
        if is_trading_day(day):
            yield day


def year_mean(seed: int, name: str, year: int) -> float:
    """The mean of a figure over the months of a year."""
    return arithmetic_mean([figure(seed, name, date(year, month, 1)) for month in range(1, 13)])
