"""Finance/Economic_Indicators: the economy of the United States."""

import functools
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, TypedDict

from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import CountryCode, CountryName
from toolyard.world.simulated.finance import economy
from toolyard.world.simulated.finance.averages import arithmetic_mean
from toolyard.world.simulated.finance.rates import TradingDate

GROUP = Group("Finance/Economic_Indicators")
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
            {"date": day.isoformat(), "value": round(value, measure.digits)}
            for day, value in points
            if day <= newest
        ],
    }


def _monthly_indicator(world: World, measure: Measure, name: str, count: int = 62) -> Indicator:
    days = itertools.islice(economy.first_days_of_months(world.today), count)
    points = ((day, economy.figure(world.seed, name, day)) for day in days)
    return _indicator(world, measure, "monthly", points)


def _market_rate(world: World, name: str, interval: Interval, rate: Callable[[date], float]) -> Indicator:
    """A rate of the market: closes of 60 days, or means of 60 weeks or months."""
    length = {"daily": 62, "weekly": 310, "monthly": 1300}[interval]
    groups: dict[date, list[float]] = {}
    for day in itertools.islice(economy.trading_weekdays(world.today - timedelta(days=1)), length):
        friday = day + timedelta(days=4 - day.weekday())
        key = {"daily": day, "weekly": friday, "monthly": day.replace(day=1)}[interval]
        groups.setdefault(key, []).append(rate(day))
    points = [(day, arithmetic_mean(values)) for day, values in groups.items()][:62]
    lag = 31 if interval == "monthly" else 1
    return _indicator(world, Measure(name, "percent", 2, lag), interval, points)


@GROUP.tool(
    examples=[{}, {"interval": "quarterly"}],
    phrase="get the total real GDP of the US[, with the interval set to {interval}]",
    noun="the US real GDP",
)
def get_us_real_gdp(world: World, *, interval: Literal["quarterly", "annual"] = "annual") -> Indicator:
    """Real gross domestic product of the United States, newest first, in prices of 2017.

    interval: One value per year, or per quarter as a part of the year's product.
    """
    quarters = list(economy.first_days_of_months(world.today, 3))
    points = [(day, economy.figure(world.seed, "real_gdp", day) / 4) for day in quarters]
    if interval == "annual":
        years = {day.year: 0.0 for day, _ in points}
        for day, value in points:
            years[day.year] += round(value, 1)
        points = [(date(year, 1, 1), value) for year, value in years.items()]
    lag = 115 if interval == "quarterly" else 390
    return _indicator(
        world, Measure("Real Gross Domestic Product", "billions of dollars", 1, lag), interval, points
    )


@GROUP.tool(
    phrase="get the real GDP per capita of the US by quarter",
    noun="the US real GDP per capita",
)
def get_us_real_gdp_per_capita(world: World) -> Indicator:
    """Real gross domestic product of the United States per inhabitant, by quarter at yearly rate, newest first."""
    points = [
        (day, 1000 * economy.figure(world.seed, "real_gdp", day) / economy.figure(world.seed, "people", day))
        for day in economy.first_days_of_months(world.today, 3)
    ]
    measure = Measure("Real Gross Domestic Product per Capita", "chained 2017 dollars", 0, 115)
    return _indicator(world, measure, "quarterly", points)


@GROUP.tool(
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

    interval: One value per day, or the mean of each week or month.
    maturity: Time until the security is paid back.
    """
    name = maturity.replace("month", "-Month").replace("year", "-Year")
    title = f"{name} Treasury Constant Maturity Rate"
    return _market_rate(world, title, interval, lambda day: economy.treasury_yield(world.seed, maturity, day))


@GROUP.tool(
    examples=[{}, {"interval": "weekly"}],
    phrase="get the US federal funds rate[, with the interval set to {interval}]",
    noun="the US federal funds rate",
)
def get_us_federal_funds_rate(world: World, *, interval: Interval = "monthly") -> Indicator:
    """Effective federal funds rate, at which banks lend to each other overnight, newest first.

    interval: One value per day, or the mean of each week or month.
    """
    rate = functools.partial(economy.figure, world.seed, "federal_funds")
    return _market_rate(world, "Effective Federal Funds Rate", interval, rate)


@GROUP.tool(
    examples=[{}, {"interval": "semiannual"}],
    phrase="get the US consumer price index[, with the interval set to {interval}]",
    noun="the US consumer price index",
    jobs=("prices in the economy",),
)
def get_us_cpi(world: World, *, interval: Literal["monthly", "semiannual"] = "monthly") -> Indicator:
    """Consumer price index of all urban consumers in the United States, newest first; 1982 to 1984 is 100.

    interval: One value per month (of five years), or the mean of each half-year since 2010.
    """
    name = "Consumer Price Index for all Urban Consumers"
    if interval == "monthly":
        return _monthly_indicator(world, Measure(name, "index 1982-1984=100", 3, 44), "cpi", 62)
    halves = [
        (
            day,
            arithmetic_mean(
                [
                    round(economy.figure(world.seed, "cpi", day.replace(month=day.month + n)), 3)
                    for n in range(6)
                ]
            ),
        )
        for day in economy.first_days_of_months(world.today, 6)
    ]
    return _indicator(world, Measure(name, "index 1982-1984=100", 3, 198), interval, halves)


@GROUP.tool(
    phrase="get the yearly US inflation rates",
    noun="the US inflation rates",
    jobs=("prices in the economy",),
)
def get_us_inflation(world: World) -> Indicator:
    """Yearly rise of consumer prices in the United States, newest first."""
    prices = {year: economy.year_mean(world.seed, "cpi", year) for year in range(2010, world.today.year)}
    years = sorted(prices, reverse=True)[:-1]
    points = [(date(year, 1, 1), 100 * (prices[year] / prices[year - 1] - 1)) for year in years]
    return _indicator(world, Measure("Inflation, consumer prices", "percent", 3, 390), "annual", points)


@GROUP.tool(phrase="get the monthly US retail sales", noun="the US retail sales")
def get_us_retail_sales(world: World) -> Indicator:
    """Sales of retail trade in the United States by month, newest first."""
    measure = Measure("Advance Retail Sales: Retail Trade", "millions of dollars", 0, 45)
    return _monthly_indicator(world, measure, "retail_sales")


@GROUP.tool(
    phrase="get the monthly new orders of durable goods in the US",
    noun="the US durable goods orders",
)
def get_us_durables(world: World) -> Indicator:
    """New orders of durable goods at manufacturers in the US by month, newest first."""
    measure = Measure("Manufacturer New Orders: Durable Goods", "millions of dollars", 0, 56)
    return _monthly_indicator(world, measure, "durables")


@GROUP.tool(phrase="get the monthly US unemployment rate", noun="the US unemployment rate")
def get_us_unemployment(world: World) -> Indicator:
    """Share of the labour force in the United States that is out of work, by month, newest first."""
    return _monthly_indicator(world, Measure("Unemployment Rate", "percent", 1, 33), "unemployment")


@GROUP.tool(phrase="get the monthly US nonfarm payroll figures", noun="the US nonfarm payroll")
def get_us_nonfarm_payroll(world: World) -> Indicator:
    """Employees in the United States outside farms, by month, newest first."""
    return _monthly_indicator(
        world, Measure("Total Nonfarm Payroll", "thousands of persons", 0, 33), "nonfarm_payroll"
    )
