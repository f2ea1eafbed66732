"""Finance/USStockInfo, figures: what companies are, report and earn."""

from collections.abc import Sequence
from typing import Generic, TypedDict, TypeVar

from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import (
    Amount,
    CityName,
    CompanyName,
    CountryName,
    CurrencyCode,
    DomainName,
    ExchangeCode,
    Industry,
    IsoDate,
    Prose,
    Sector,
    Ticker,
    Year,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.companies import find_company
from toolyard.world.simulated.finance import profiles
from toolyard.world.simulated.finance.instruments import (
    find_instrument,
    last_price,
    market_value,
    yearly_range,
)
from toolyard.world.simulated.finance.statements import (
    Period,
    dividend_per_share,
    fiscal_years,
    last_four_quarters,
    last_quarters,
)
from toolyard.world.simulated.prices import share_level

GROUP = Group("Finance/USStockInfo")
Row = TypeVar("Row")


class Overview(TypedDict):
    symbol: Ticker
    name: CompanyName
    description: Prose
    exchange: ExchangeCode
    currency: CurrencyCode
    country: CountryName
    city: CityName
    sector: Sector
    industry: Industry
    website: DomainName
    full_time_employees: int
    founded: Year
    market_capitalization_millions: Amount
    shares_outstanding_millions: int
    pe_ratio: float
    eps: float
    revenue_millions: Amount
    profit_margin: float
    return_on_equity: float
    dividend_per_share: float
    dividend_yield: float
    fifty_two_week_high: float
    fifty_two_week_low: float
    fiscal_year_end: IsoDate


class Statements(TypedDict, Generic[Row]):
    symbol: Ticker
    currency: CurrencyCode
    unit: str
    annual_reports: list[Row]
    quarterly_reports: list[Row]


class IncomePeriod(TypedDict):
    fiscal_date_ending: IsoDate
    total_revenue: Amount
    cost_of_revenue: Amount
    gross_profit: Amount
    operating_expenses: Amount
    operating_income: Amount
    income_tax: Amount
    net_income: Amount


class BalancePeriod(TypedDict):
    fiscal_date_ending: IsoDate
    total_assets: Amount
    total_liabilities: Amount
    total_shareholder_equity: Amount
    cash_and_equivalents: Amount


class BalanceSheet(TypedDict):
    symbol: Ticker
    currency: CurrencyCode
    unit: str
    shares_outstanding_millions: int
    annual_reports: list[BalancePeriod]
    quarterly_reports: list[BalancePeriod]


class CashPeriod(TypedDict):
    fiscal_date_ending: IsoDate
    operating_cashflow: Amount
    capital_expenditures: Amount
    free_cashflow: Amount


class AnnualEarnings(TypedDict):
    fiscal_year: Year
    reported_eps: float


class QuarterlyEarnings(TypedDict):
    fiscal_date_ending: IsoDate
    reported_date: IsoDate
    reported_eps: float
    estimated_eps: float
    surprise: float
    surprise_percentage: float


class Earnings(TypedDict):
    symbol: Ticker
    currency: CurrencyCode
    annual_earnings: list[AnnualEarnings]
    quarterly_earnings: list[QuarterlyEarnings]


def _ending(period: Period) -> str:
    return period.end.isoformat()


INCOME = View.of(IncomePeriod, fiscal_date_ending=_ending, total_revenue="revenue", income_tax="tax")
BALANCE = View.of(
    BalancePeriod, fiscal_date_ending=_ending, total_shareholder_equity="equity", cash_and_equivalents="cash"
)
CASH = View.of(
    CashPeriod,
    fiscal_date_ending=_ending,
    operating_cashflow="operating_cash_flow",
    capital_expenditures="capital_expenditure",
    free_cashflow="free_cash_flow",
)
ANNUAL = View.of(AnnualEarnings, reported_eps="eps")
QUARTERLY = View.of(
    QuarterlyEarnings,
    fiscal_date_ending=_ending,
    reported_date=lambda row: row.reported.isoformat(),
    reported_eps="eps",
    estimated_eps="expected",
)
# So many quarters are told beside the years.
_QUARTERS = 8


@GROUP.tool(
    examples=[{"symbol": "BILI"}, {"symbol": "IBM"}],
    phrase="get an overview with key figures of the company whose ticker is {symbol}",
    noun="the company overview",
    jobs=("key figures of a company",),
)
def get_company_overview(world: World, *, symbol: Ticker) -> Overview:
    """What a company is and its key figures: market value, earnings of the last four quarters, dividend and yearly range;
    sales, margin and return are of the last four quarters, too.

    symbol: Ticker of the company, e.g. IBM.
    """
    row = find_company(symbol)
    ticker, seed = row["ticker"], world.seed
    price, value, year = (
        last_price(world, ticker),
        market_value(world, ticker),
        last_four_quarters(seed, ticker),
    )
    lowest, highest = yearly_range(world, find_instrument(ticker))
    dividend = dividend_per_share(seed, ticker)
    return {
        "symbol": ticker,
        "name": row["name"],
        "description": profiles.describe_company(seed, ticker),
        "exchange": row["exchange"],
        "currency": row["currency"],
        "country": row["country"],
        "city": profiles.company_city(seed, row),
        "sector": row["sector"],
        "industry": row["industry"],
        "website": profiles.company_website(row),
        "full_time_employees": profiles.employee_count(seed, row),
        "founded": profiles.founding_year(seed, row),
        "market_capitalization_millions": round(value),
        "shares_outstanding_millions": year.shares,
        "pe_ratio": round(value / year.net_income, 2),
        "eps": year.eps,
        "revenue_millions": year.revenue,
        "profit_margin": round(year.net_income / year.revenue, 4),
        "return_on_equity": round(year.net_income / year.equity, 4),
        "dividend_per_share": dividend,
        "dividend_yield": round(dividend / price, 4),
        "fifty_two_week_high": highest,
        "fifty_two_week_low": lowest,
        "fiscal_year_end": fiscal_years(seed, ticker)[0].end.isoformat(),
    }


def _company_statements(world: World, symbol: str, view: View[Row]) -> Statements[Row]:
    """Three years and the last quarters of a company as a service shows them."""
    row = find_company(symbol)
    recent: Sequence[Period] = last_quarters(world.seed, row["ticker"])[:_QUARTERS]
    return {
        "symbol": row["ticker"],
        "currency": row["currency"],
        "unit": "millions",
        "annual_reports": view.rows(fiscal_years(world.seed, row["ticker"])),
        "quarterly_reports": view.rows(recent),
    }


@GROUP.tool(
    examples=[{"symbol": "IBM"}],
    phrase="get the yearly income statements of the company whose ticker is {symbol}",
    noun="the income statements",
    jobs=("income of a company",),
)
def get_income_statement(world: World, *, symbol: Ticker) -> Statements[IncomePeriod]:
    """Income statements of a company: the last three years and the last eight quarters, in millions, newest first.

    symbol: Ticker of the company, e.g. IBM.
    """
    return _company_statements(world, symbol, INCOME)


@GROUP.tool(
    examples=[{"symbol": "MSFT"}],
    phrase=(
        "get the balance sheets of the last three years of the US-listed company whose ticker is {symbol}"
    ),
    noun="the US stock balance sheets",
)
def get_balance_sheet(world: World, *, symbol: Ticker) -> BalanceSheet:
    """Balance sheets of a company: the ends of three years and of the last eight quarters, in millions, newest first.

    symbol: Ticker of the company, e.g. MSFT.
    """
    found = _company_statements(world, symbol, BALANCE)
    shares = share_level(world.seed, found["symbol"]).shares
    return {
        "symbol": found["symbol"],
        "currency": found["currency"],
        "unit": found["unit"],
        "shares_outstanding_millions": shares,
        "annual_reports": found["annual_reports"],
        "quarterly_reports": found["quarterly_reports"],
    }


@GROUP.tool(
    examples=[{"symbol": "AAPL"}],
    phrase=("get the yearly cash flows of the US-listed company whose ticker is {symbol}"),
    noun="the US stock cash flows",
)
def get_cash_flow(world: World, *, symbol: Ticker) -> Statements[CashPeriod]:
    """Cash flows of a company: the last three years and the last eight quarters, in millions, newest first.

    symbol: Ticker of the company, e.g. AAPL.
    """
    return _company_statements(world, symbol, CASH)


@GROUP.tool(
    examples=[{"symbol": "IBM"}],
    phrase=(
        "get the past earnings per share with estimates and surprises of the company whose ticker is {symbol}"
    ),
    noun="the past earnings per share",
    jobs=("earnings", "income of a company"),
)
def get_earnings(world: World, *, symbol: Ticker) -> Earnings:
    """Earnings per share of a company, newest first: three years, and eight quarters with estimates and surprises.

    symbol: Ticker of the company, e.g. IBM.
    """
    row = find_company(symbol)
    return {
        "symbol": row["ticker"],
        "currency": row["currency"],
        "annual_earnings": ANNUAL.rows(fiscal_years(world.seed, row["ticker"])),
        "quarterly_earnings": QUARTERLY.rows(last_quarters(world.seed, row["ticker"])[:_QUARTERS]),
    }
