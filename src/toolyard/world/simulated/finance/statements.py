"""What companies report, one table for every listed company: quarters drawn from margin and size, years summed up from them.

Sales follow from what the company is worth; costs, taxes and profits add up; assets are liabilities and equity. All amounts
are whole millions of the share's currency.
"""

from dataclasses import dataclass, fields
from datetime import date, timedelta

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.state import EPOCH
from toolyard.world.reference.companies import find_company, main_tickers
from toolyard.world.reference.market_days import is_trading_day
from toolyard.world.simulated.prices import draw_between, share_level

# The quarter that was reported last, how many are kept, how many are expected, and how many years are told.
_LAST_YEAR, _LAST_QUARTER, QUARTERS, AHEAD, YEARS = 2024, 1, 20, 6, 3
# Field -> bounds of what is drawn once for a company: yearly growth (times), tax and running costs, assets against yearly
# sales, liabilities and cash against assets, depreciation and investment against sales.
BOUNDS = {
    "growth": (0.96, 1.24), "tax": (0.15, 0.27), "running": (0.08, 0.35), "assets": (0.9, 2.6), "owed": (0.25, 0.75),
    "cash": (0.04, 0.2), "worn": (0.03, 0.09), "invested": (0.02, 0.08),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Period:
    """A quarter or a fiscal year of a company; `expected` is what analysts had expected to be earned per share."""

    ticker: str
    currency: str
    fiscal_year: int
    end: date
    reported: date
    shares: int
    revenue: int
    cost_of_revenue: int
    gross_profit: int
    operating_expenses: int
    operating_income: int
    tax: int
    net_income: int
    operating_cash_flow: int
    capital_expenditure: int
    free_cash_flow: int
    dividends: int
    total_assets: int
    total_liabilities: int
    equity: int
    cash: int
    expected: float

    @property
    def eps(self) -> float:
        """Earnings per share."""
        return round(self.net_income / self.shares, 2)

    @property
    def surprise(self) -> float:
        """What was earned per share beyond what had been expected."""
        return round(self.eps - self.expected, 2)

    @property
    def surprise_percentage(self) -> float:
        """The surprise in per cent of what had been expected."""
        return round(100 * self.surprise / self.expected, 2) if self.expected else 0.0


_FLOWS = [field.name for field in fields(Period)][6:17]


def quarter_end(back: int) -> date:
    """The end of the quarter so many before the one that was reported last; with a minus, of a coming one."""
    place = 4 * _LAST_YEAR + _LAST_QUARTER - back
    year, month = place // 4, 3 * (place % 4) + 1
    return date(year, month, 1) - timedelta(days=1)


def reporting_day(seed: int, ticker: str, end: date) -> date:
    """When a quarter is reported: some weeks after its end."""
    day = end + timedelta(
        days=18 + seeds.number(seed, "reports", main_tickers().get(ticker, ticker), end) % 25
    )
    while not is_trading_day(day):
        day += timedelta(days=1)
    return day


def _quarter_factor(seed: int, what: str, ticker: str, back: int, size: float) -> float:
    """A chance of one quarter around one."""
    return 1 + size * (2 * seeds.unit(seed, what, ticker, back) - 1)


@seeds.cache_by_seed(256)
def _company_constants(seed: int, key: str) -> dict[str, float]:
    return {what: draw_between(seed, what, key, bounds) for what, bounds in BOUNDS.items()}


@seeds.cache_by_seed(8192)
def quarter(seed: int, ticker: str, back: int) -> Period:
    """The quarter of a company so many before the one that it reported last."""
    company, found = find_company(ticker), share_level(seed, ticker)
    key = main_tickers().get(ticker, ticker)
    own = _company_constants(seed, key)
    size = found.price * found.shares * found.sales * own["growth"] ** (-back / 4)
    end = quarter_end(back)
    season = 1 + 0.08 * (2 * seeds.unit(seed, "season", key, end.month) - 1)
    revenue = round(size / 4 * season * _quarter_factor(seed, "sales", key, back, 0.04))
    net = max(1, round(revenue * found.margin * _quarter_factor(seed, "margin", key, back, 0.15)))
    tax = round(net * own["tax"] / (1 - own["tax"]))
    running = round(revenue * own["running"])
    assets = round(size * own["assets"])
    owed = round(assets * own["owed"] * _quarter_factor(seed, "owed", key, back, 0.03))
    earned_cash, invested = net + round(revenue * own["worn"]), round(revenue * own["invested"])
    return Period(
        ticker=ticker,
        currency=company["currency"],
        fiscal_year=end.year,
        end=end,
        reported=reporting_day(seed, ticker, end),
        shares=found.shares,
        revenue=revenue,
        cost_of_revenue=revenue - net - tax - running,
        gross_profit=net + tax + running,
        operating_expenses=running,
        operating_income=net + tax,
        tax=tax,
        net_income=net,
        operating_cash_flow=earned_cash,
        capital_expenditure=invested,
        free_cash_flow=earned_cash - invested,
        dividends=round(net * found.payout),
        total_assets=assets,
        total_liabilities=owed,
        equity=assets - owed,
        cash=round(assets * own["cash"]),
        expected=max(0.01, round(net / found.shares * _quarter_factor(seed, "expected", key, back, 0.12), 2)),
    )


def quarter_reported_on(seed: int, ticker: str, day: date) -> Period | None:
    """The quarter that a company reported on a day."""
    back = 4 * (_LAST_YEAR - day.year) + _LAST_QUARTER - (day.month - 1) // 3
    if not 0 <= back < QUARTERS or reporting_day(seed, ticker, quarter_end(back)) != day:
        return None
    return quarter(seed, ticker, back)


def last_quarters(seed: int, ticker: str) -> tuple[Period, ...]:
    """The last twenty quarters of a company, newest first."""
    symbol = find_company(ticker)["ticker"]
    return tuple(quarter(seed, symbol, back) for back in range(QUARTERS))


def _sum_quarters(parts: tuple[Period, ...]) -> Period:
    """A year of four quarters, newest first: what flows is summed up, what is there is that of the end."""
    values = {field.name: getattr(parts[0], field.name) for field in fields(Period)}
    flows = {name: sum(getattr(part, name) for part in parts) for name in _FLOWS}
    expected = round(sum_in_order(part.expected for part in parts), 2)
    return Period(**{**values, **flows, "expected": expected})


@seeds.cache_by_seed(1024)
def fiscal_years(seed: int, ticker: str) -> tuple[Period, ...]:
    """The last three fiscal years of a company, newest first; they end with the calendar year."""
    rows = last_quarters(seed, ticker)
    first = next(place for place, row in enumerate(rows) if row.end.month == 12)
    return tuple(_sum_quarters(rows[start : start + 4]) for start in range(first, first + 4 * YEARS, 4))


def last_four_quarters(seed: int, ticker: str) -> Period:
    """The last twelve months."""
    return _sum_quarters(last_quarters(seed, ticker)[:4])


def dividend_per_share(seed: int, ticker: str) -> float:
    """What a share was paid in the last twelve months."""
    year = last_four_quarters(seed, ticker)
    return round(year.dividends / year.shares, 2)


@dataclass(frozen=True, slots=True)
class Coming:
    """A quarter that is still to be reported, and what is expected to be earned per share."""

    ticker: str
    end: date
    reported: date
    expected: float


def coming_quarters(seed: int, ticker: str, count: int) -> list[Coming]:
    """The next quarters of a company, soonest first: earnings of a year before, grown as the company does."""
    return [_coming_quarter(seed, find_company(ticker)["ticker"], ahead) for ahead in range(1, count + 1)]


def _coming_quarter(seed: int, ticker: str, ahead: int) -> Coming:
    growth = _company_constants(seed, main_tickers().get(ticker, ticker))["growth"]
    grown = quarter(seed, ticker, -ahead % 4).eps * growth ** (1 + (ahead - 1) // 4)
    end = quarter_end(-ahead)
    return Coming(ticker, end, reporting_day(seed, ticker, end), round(grown, 2))


def reports_between(seed: int, ticker: str, first: date, last: date) -> list[Period | Coming]:
    """The quarters that a company reported or will report between two days."""
    backs = [
        back
        for back in range(-AHEAD, QUARTERS)
        if first <= reporting_day(seed, ticker, quarter_end(back)) <= last
    ]
    return [
        quarter(seed, ticker, back) if back >= 0 else _coming_quarter(seed, ticker, -back) for back in backs
    ]


def is_reported(day: date) -> bool:
    """Whether a day on which a company reports is over."""
    return day < EPOCH.date()
