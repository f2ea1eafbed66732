"""Finance/Economic_Indicators: the economy of the United States in public figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal, TypedDict

from toolyard.world.market_days import is_bank_day
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.types import CountryCode, CountryName
from toolyard.world.worlds.finance import curves, economy
from toolyard.world.worlds.finance.averages import mean
from toolyard.world.worlds.finance.rates import TradingDate

GROUP = "Finance/Economic_Indicators"
Interval = Literal["daily", "weekly", "monthly"]
Maturity = Literal["3month", "2year", "5year", "7year", "10year", "30year"]


class DataPoint(TypedDict):
    date: TradingDate
    value: float


class Indicator(TypedDict):
    name: str
    country: CountryName
    country_code: CountryCode
    interval: str
    unit: str
    data: list[DataPoint]


@dataclass(frozen=True, slots=True)
class Measure:
    """How one figure is named and counted; it is published so many days after the day it stands under."""

    name: str
    series: str
    unit: str
    digits: int
    lag: int


def _indicator(world: World, measure: Measure, interval: str, points: Iterable[economy.Point]) -> Indicator:
    newest = world.today - timedelta(days=measure.lag)
    return {
        "name": measure.name,
        "country": "United States",
        "country_code": "US",
        "interval": interval,
        "unit": measure.unit,
        "data": [
            {"date": day.isoformat(), "value": _rounded(value, measure.digits)}
            for day, value in points
            if day <= newest
        ],
    }


# More decimals than any series has, and fewer than floats get wrong.
_EXACT = 9


def _rounded(value: float, digits: int) -> float:
    """The value to so many decimals as offices publish it: a half goes up, 302.4075 to 302.408."""
    written = Decimal(f"{value:.{_EXACT}f}")
    return float(written.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def _yields(world: World, measure: Measure, interval: Interval) -> Indicator:
    """A yield of the market: the means of months or weeks, or the closes of days, as far as they are on record."""
    if interval == "monthly":
        return _indicator(world, measure, interval, economy.by_month(measure.series))
    daily = interval == "daily"
    points = curves.days_of(measure.series).items() if daily else economy.by_week(measure.series)
    return _indicator(world, replace(measure, lag=1), interval, points)


# The hour, of Greenwich, at which the rate of the last day is published.
_PUBLISHED = 13


def _last_published(world: World) -> date:
    """The last day whose rate is published by now: that of the bank day before, once it is morning in New York."""
    past = [day for day in curves.weekdays(world.today - timedelta(days=1), 10) if is_bank_day(day)]
    return past[0 if world.now.hour >= _PUBLISHED else 1]


def _funds(world: World, measure: Measure, interval: Interval) -> Indicator:
    """The rate of the central bank: the means of months, or the rates of 60 days or weeks."""
    if interval == "monthly":
        return _indicator(world, measure, interval, economy.by_month(measure.series))
    last = _last_published(world)
    if interval == "daily":
        days = [day for day in curves.weekdays(last, 60) if is_bank_day(day)]
        points = [(day, economy.funds_rate(day)) for day in days]
    else:
        points = [_mean_of_week(friday) for friday in curves.stepped(_last_friday(last), 7, 60)]
    return _indicator(world, replace(measure, lag=1), interval, points)


def _mean_of_week(friday: date) -> economy.Point:
    """The last day on which banks were open in a week, and the mean rate of all such days of it."""
    days = [day for day in curves.weekdays(friday, 5) if is_bank_day(day)]
    return days[0], mean([economy.funds_rate(day) for day in days])


def _last_friday(today: date) -> date:
    return today - timedelta(days=(today.weekday() - 4) % 7)


@tool(
    GROUP,
    examples=[{}, {"interval": "quarterly"}],
    phrase="get the total real GDP of the US[, with the interval set to {interval}]",
    noun="the US real GDP",
)
def get_us_real_gdp(world: World, *, interval: Literal["quarterly", "annual"] = "annual") -> Indicator:
    """Real gross domestic product of the United States, newest first, in prices of 2017.

    interval: One value per year, or per quarter as a part of the year's product.
    """
    measure = Measure("Real Gross Domestic Product", "real_gdp", "billions of dollars", 1, 115)
    quarterly = interval == "quarterly"
    points = economy.quarters_of_product() if quarterly else economy.by_year("real_gdp")
    return _indicator(world, measure if quarterly else replace(measure, lag=390), interval, points)


@tool(
    GROUP,
    examples=[{}],
    phrase="get the real GDP per capita of the US by quarter",
    noun="the US real GDP per capita",
)
def get_us_real_gdp_per_capita(world: World) -> Indicator:
    """Real gross domestic product of the United States per inhabitant, by quarter at yearly rate, newest first."""
    measure = Measure("Real Gross Domestic Product per Capita", "real_gdp", "chained 2017 dollars", 0, 115)
    return _indicator(world, measure, "quarterly", economy.product_per_head())


@tool(
    GROUP,
    examples=[{"interval": "weekly", "maturity": "10year"}, {"interval": "daily", "maturity": "3month"}],
    phrase=(
        "get the US treasury yield[, with the maturity set to {maturity}][, with the interval set to "
        "{interval}]"
    ),
    noun="the US treasury yield",
)
def get_us_treasury_yield(
    world: World, *, interval: Interval = "monthly", maturity: Maturity = "10year"
) -> Indicator:
    """Market yield of US treasury securities of one maturity, newest first.

    interval: One value per day or week (the mean of it) since April 2024, or the means of 60 months.
    maturity: Time until the security is paid back.
    """
    name = maturity.replace("month", "-Month").replace("year", "-Year")
    measure = Measure(f"{name} Treasury Constant Maturity Rate", f"treasury_{maturity}", "percent", 2, 31)
    return _yields(world, measure, interval)


@tool(
    GROUP,
    examples=[{}, {"interval": "weekly"}],
    phrase="get the US federal funds rate[, with the interval set to {interval}]",
    noun="the US federal funds rate",
)
def get_us_federal_funds_rate(world: World, *, interval: Interval = "monthly") -> Indicator:
    """Effective federal funds rate, at which banks lend to each other overnight, newest first.

    interval: One value per day, or the mean of each week or month.
    """
    return _funds(world, Measure("Effective Federal Funds Rate", "federal_funds", "percent", 2, 31), interval)


@tool(
    GROUP,
    examples=[{}, {"interval": "semiannual"}],
    phrase="get the US consumer price index[, with the interval set to {interval}]",
    noun="the US consumer price index",
    jobs=("prices in the economy",),
)
def get_us_cpi(world: World, *, interval: Literal["monthly", "semiannual"] = "monthly") -> Indicator:
    """Consumer price index of all urban consumers in the United States, newest first; 1982 to 1984 is 100.

    interval: One value per month (of five years), or the mean of each half-year since 2010.
    """
    measure = Measure("Consumer Price Index for all Urban Consumers", "cpi", "index 1982-1984=100", 3, 45)
    if interval == "monthly":
        return _indicator(world, measure, interval, economy.consumer_prices(61))
    return _indicator(world, replace(measure, lag=198), interval, economy.half_years_of_prices())


@tool(
    GROUP,
    examples=[{}],
    phrase="get the yearly US inflation rates",
    noun="the US inflation rates",
    jobs=("prices in the economy",),
)
def get_us_inflation(world: World) -> Indicator:
    """Yearly rise of consumer prices in the United States, newest first."""
    measure = Measure("Inflation, consumer prices", "inflation", "percent", 3, 390)
    return _indicator(world, measure, "annual", economy.by_year("inflation"))


def _monthly(world: World, measure: Measure) -> Indicator:
    return _indicator(world, measure, "monthly", economy.by_month(measure.series))


@tool(
    GROUP,
    examples=[{}],
    phrase="get the monthly US retail sales",
    noun="the US retail sales",
)
def get_us_retail_sales(world: World) -> Indicator:
    """Sales of retail trade in the United States by month, to the nearest billion, newest first."""
    return _monthly(
        world,
        Measure("Advance Retail Sales: Retail Trade", "retail_sales", "millions of dollars", 0, 45),
    )


@tool(
    GROUP,
    examples=[{}],
    phrase="get the monthly new orders of durable goods in the US",
    noun="the US durable goods orders",
)
def get_us_durables(world: World) -> Indicator:
    """New orders of durable goods at manufacturers in the US by month, to the nearest billion, newest first."""
    measure = Measure("Manufacturer New Orders: Durable Goods", "durables", "millions of dollars", 0, 56)
    return _monthly(world, measure)


@tool(
    GROUP,
    examples=[{}],
    phrase="get the monthly US unemployment rate",
    noun="the US unemployment rate",
)
def get_us_unemployment(world: World) -> Indicator:
    """Share of the labour force in the United States that is out of work, by month, newest first."""
    return _monthly(world, Measure("Unemployment Rate", "unemployment", "percent", 1, 33))


@tool(
    GROUP,
    examples=[{}],
    phrase="get the monthly US nonfarm payroll figures",
    noun="the US nonfarm payroll",
)
def get_us_nonfarm_payroll(world: World) -> Indicator:
    """Employees in the United States outside farms, by month, newest first."""
    return _monthly(world, Measure("Total Nonfarm Payroll", "nonfarm_payroll", "thousands of persons", 0, 33))
