"""Finance/USStockInfo, figures: what companies are, report and earn."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Generic, TypedDict, TypeVar

from toolyard.world.registry import tool
from toolyard.world.shared.companies import find_company
from toolyard.world.shared.listed import UNKNOWN_SECTOR, Company
from toolyard.world.shared.sisters import IN_NEW_YORK
from toolyard.world.shared.statements import for_all_classes, last_year, on_record, statements
from toolyard.world.state import World
from toolyard.world.tables import read_table
from toolyard.world.types import (
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
from toolyard.world.worlds.finance.fundamentals import (
    YEARS,
    balances,
    dividend_per_share,
    flows,
    last_price,
    price_to_earnings,
    reports,
    trailing_eps,
)
from toolyard.world.worlds.finance.instruments import find_instrument, yearly_range

GROUP = "Finance/USStockInfo"
Period = TypeVar("Period")


class Overview(TypedDict):
    symbol: Ticker
    name: CompanyName
    description: Prose
    exchange: ExchangeCode
    currency: CurrencyCode
    country: CountryName
    city: CityName | None
    sector: Sector
    industry: Industry
    website: DomainName | None
    full_time_employees: int | None
    founded: Year | None
    market_capitalization_millions: Amount
    shares_outstanding_millions: int
    pe_ratio: float | None
    eps: float | None
    revenue_millions: Amount | None
    profit_margin: float | None
    return_on_equity: float | None
    dividend_per_share: float | None
    dividend_yield: float | None
    fifty_two_week_high: float
    fifty_two_week_low: float
    fiscal_year_end: IsoDate | None


class Statements(TypedDict, Generic[Period]):
    symbol: Ticker
    currency: CurrencyCode
    unit: str
    annual_reports: list[Period]
    quarterly_reports: list[Period]


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


@functools.cache
def _sites() -> Mapping[str, str]:
    return for_all_classes({row["ticker"]: row["site"] for row in read_table("company_sites.tsv")})


def site_of(row: Company) -> str | None:
    """Where a company is in the web."""
    return _sites().get(row["ticker"]) or row["website"] or _sites().get(IN_NEW_YORK.get(row["ticker"], ""))


def trade_of(row: Company) -> str:
    """A company's industry within a sentence: `software`, `IT services`, `REIT`."""
    return " ".join(word if word.isupper() else word.lower() for word in row["industry"].split())


@functools.cache
def _doings() -> Mapping[str, str]:
    """Ticker -> what a company does, as the end of a sentence that begins with its name."""
    return for_all_classes({row["ticker"]: row["does"] for row in read_table("company_doings.tsv")})


def _work(row: Company) -> str:
    """What a company does, as far as that is known, else its trade."""
    does = _doings().get(row["ticker"]) or _doings().get(IN_NEW_YORK.get(row["ticker"], ""))
    if does or row["sector"] == UNKNOWN_SECTOR:
        return does or "is listed"
    return f"is a company of the sector {row['sector']} ({trade_of(row)})"


def business(row: Company) -> str:
    """What a company does, in a sentence."""
    return f"{row['name']} {_work(row)}."


def describe(row: Company) -> str:
    """A company in two sentences, of what is known about it."""
    parts = [
        f"was founded in {row['founded']}" if row["founded"] else "",
        f"has its head office in {row['city']}, {row['country']}" if row["city"] else "",
        f"employs {row['employees']:,} people" if row["employees"] else "",
    ]
    *first, last = [part for part in parts if part] or [f"trades on {row['exchange']}"]
    joint = ", and " if len(first) > 1 else " and " if first else ""
    return f"{row['name']} {_work(row)}. It {', '.join(first)}{joint}{last}."


@tool(
    GROUP,
    examples=[{"symbol": "BILI"}, {"symbol": "IBM"}],
    phrase="get an overview with key figures of the company whose ticker is {symbol}",
    noun="the company overview",
    jobs=("key figures of a company",),
)
def get_company_overview(world: World, *, symbol: Ticker) -> Overview:
    """What a company is and its key figures: market value, earnings of the last four quarters (of the last year where only
    that is on record), dividend and yearly range; sales, margin and return are of the last fiscal year; null where they are
    not known. Yearly ranges of the less known are simulated.

    symbol: Ticker of the company, e.g. IBM.
    """
    row = find_company(symbol)
    ticker, year = row["ticker"], statements(row["ticker"])[0] if on_record(row["ticker"]) else None
    price, eps = last_price(world, ticker), trailing_eps(world, ticker)
    lowest, highest = yearly_range(world, find_instrument(ticker))
    dividend, brief = dividend_per_share(row), last_year(ticker)
    return {
        "symbol": ticker,
        "name": row["name"],
        "description": describe(row),
        "exchange": row["exchange"],
        "currency": row["currency"],
        "country": row["country"],
        "city": row["city"],
        "sector": row["sector"],
        "industry": row["industry"],
        "website": site_of(row),
        "full_time_employees": row["employees"],
        "founded": row["founded"],
        "market_capitalization_millions": round(price * row["shares"]),
        "shares_outstanding_millions": row["shares"],
        "pe_ratio": price_to_earnings(price, eps),
        "eps": eps,
        "revenue_millions": brief.revenue if brief else None,
        "profit_margin": round(brief.net_income / brief.revenue, 4) if brief else None,
        "return_on_equity": round(year["net_income"] / year["equity"], 4)
        if year and year["equity"] > 0
        else None,
        "dividend_per_share": dividend,
        "dividend_yield": round(dividend / price, 4) if dividend is not None else None,
        "fifty_two_week_high": highest,
        "fifty_two_week_low": lowest,
        "fiscal_year_end": year["period_end"] if year else None,
    }


def _statements(row: Company, periods: list[Period]) -> Statements[Period]:
    """The years and the quarters after them, with whose they are."""
    return {
        "symbol": row["ticker"],
        "currency": row["currency"],
        "unit": "millions",
        "annual_reports": periods[:YEARS],
        "quarterly_reports": periods[YEARS:],
    }


@tool(
    GROUP,
    examples=[{"symbol": "IBM"}],
    phrase="get the yearly income statements of the company whose ticker is {symbol}",
    noun="the income statements",
    jobs=("income of a company",),
)
def get_income_statement(world: World, *, symbol: Ticker) -> Statements[IncomePeriod]:
    """Income statements of some 65 large companies: the last three years, in millions; quarters are not on record, their
    list stays empty.

    symbol: Ticker of the company, e.g. IBM.
    """
    row = find_company(symbol)
    periods = [
        IncomePeriod(
            fiscal_date_ending=day,
            total_revenue=flow["revenue"],
            cost_of_revenue=flow["cost_of_revenue"],
            gross_profit=flow["gross_profit"],
            operating_expenses=flow["operating_expenses"],
            operating_income=flow["operating_income"],
            income_tax=flow["tax"],
            net_income=flow["net_income"],
        )
        for day, flow in flows(row["ticker"])
    ]
    return _statements(row, periods)


@tool(
    GROUP,
    examples=[{"symbol": "MSFT"}],
    phrase=(
        "get the balance sheets of the last three years of the US-listed company whose ticker is {symbol}"
    ),
    noun="the US stock balance sheets",
)
def get_balance_sheet(world: World, *, symbol: Ticker) -> BalanceSheet:
    """Balance sheets of some 65 large companies: the ends of three years, in millions; quarters are not on record, their
    list stays empty.

    symbol: Ticker of the company, e.g. MSFT.
    """
    row = find_company(symbol)
    periods = [
        BalancePeriod(
            fiscal_date_ending=day,
            total_assets=sheet["total_assets"],
            total_liabilities=sheet["total_liabilities"],
            total_shareholder_equity=sheet["equity"],
            cash_and_equivalents=sheet["cash"],
        )
        for day, sheet in balances(row["ticker"])
    ]
    return {
        "symbol": row["ticker"],
        "currency": row["currency"],
        "unit": "millions",
        "shares_outstanding_millions": row["shares"],
        "annual_reports": periods[:YEARS],
        "quarterly_reports": periods[YEARS:],
    }


@tool(
    GROUP,
    examples=[{"symbol": "AAPL"}],
    phrase=("get the yearly cash flows of the US-listed company whose ticker is {symbol}"),
    noun="the US stock cash flows",
)
def get_cash_flow(world: World, *, symbol: Ticker) -> Statements[CashPeriod]:
    """Cash flows of some 65 large companies: the last three years, in millions; quarters are not on record, their list stays
    empty.

    symbol: Ticker of the company, e.g. AAPL.
    """
    row = find_company(symbol)
    periods = [
        CashPeriod(
            fiscal_date_ending=day,
            operating_cashflow=flow["operating_cash_flow"],
            capital_expenditures=flow["capital_expenditure"],
            free_cashflow=flow["free_cash_flow"],
        )
        for day, flow in flows(row["ticker"])
    ]
    return _statements(row, periods)


@tool(
    GROUP,
    examples=[{"symbol": "IBM"}],
    phrase=(
        "get the past earnings per share with estimates and surprises of the company whose ticker is {symbol}"
    ),
    noun="the past earnings per share",
    jobs=("earnings", "income of a company"),
)
def get_earnings(world: World, *, symbol: Ticker) -> Earnings:
    """Earnings per share of some 65 large companies, newest first: years as reported, the last four quarters as analysts
    count them (without what happens once) with estimates and surprises; no quarters where only the years are on record.

    symbol: Ticker of the company, e.g. IBM.
    """
    row = find_company(symbol)
    return {
        "symbol": row["ticker"],
        "currency": row["currency"],
        "annual_earnings": [
            {"fiscal_year": year["fiscal_year"], "reported_eps": year["earnings_per_share"]}
            for year in statements(row["ticker"])
        ],
        "quarterly_earnings": [QuarterlyEarnings(**report) for report in reports(world, row["ticker"])[:16]],
    }
