"""Finance/Yahoo_Finance_stock, statements: income, cash flow and balance sheets of a company."""

from __future__ import annotations

from typing import TypedDict

from toolyard.world.registry import tool
from toolyard.world.shared.companies import find_company
from toolyard.world.shared.listed import Company
from toolyard.world.shared.statements import earnings_reported, statements
from toolyard.world.state import World
from toolyard.world.types import Amount, CompanyName, CurrencyCode, IsoDate, Ticker, Year
from toolyard.world.worlds.finance.fundamentals import balances, dividend_per_share
from toolyard.world.worlds.finance.instruments import Region

GROUP = "Finance/Yahoo_Finance_stock"


class IncomeYear(TypedDict):
    fiscal_year: Year
    total_revenue: Amount
    net_income: Amount
    eps: float


class Financials(TypedDict):
    symbol: Ticker
    currency: CurrencyCode
    unit: str
    years: list[IncomeYear]
    revenue_growth: float


class CashYear(TypedDict):
    fiscal_year: Year
    cash_from_operations: Amount
    capital_expenditures: Amount | None
    free_cash_flow: Amount | None
    dividends_paid: Amount | None


class CashFlows(TypedDict):
    symbol: Ticker
    currency: CurrencyCode
    unit: str
    years: list[CashYear]


class BalanceYear(TypedDict):
    end_date: IsoDate
    total_assets: Amount
    total_liabilities: Amount
    stockholder_equity: Amount


class BalanceSheets(TypedDict):
    symbol: Ticker
    company: CompanyName
    currency: CurrencyCode
    unit: str
    annual: list[BalanceYear]


@tool(
    GROUP,
    examples=[{"symbol": "AMZN"}],
    phrase=(
        "get the yearly income and the sales growth from Yahoo Finance for the company whose ticker is "
        "{symbol}[, with the region set to {region}]"
    ),
    noun="the Yahoo Finance financials",
    jobs=("income of a company",),
)
def get_financials(world: World, *, symbol: Ticker, region: Region = "US") -> Financials:
    """Sales and net income of three years, in millions, and earnings per share, newest first, with the growth of the last
    year's sales. Only some 65 companies are on record, most of them among the largest American ones.

    symbol: Ticker of one of those companies, e.g. AMZN.
    region: Market of the reader; figures stay in the currency of the share.
    """
    row = find_company(symbol)
    years = statements(row["ticker"])
    return {
        "symbol": row["ticker"],
        "currency": row["currency"],
        "unit": "millions",
        "years": [
            IncomeYear(
                fiscal_year=year["fiscal_year"],
                total_revenue=year["revenue"],
                net_income=year["net_income"],
                eps=year["earnings_per_share"],
            )
            for year in years
        ],
        "revenue_growth": round(years[0]["revenue"] / years[1]["revenue"] - 1, 4),
    }


@tool(
    GROUP,
    examples=[{"symbol": "MSFT"}],
    phrase=(
        "get the Yahoo Finance cash flow by year only for the company whose ticker is {symbol}[, with the "
        "region set to {region}]"
    ),
    noun="the Yahoo Finance cash flow",
)
def get_cash_flow(world: World, *, symbol: Ticker, region: Region = "US") -> CashFlows:
    """Cash that a company earned, invested and paid out in each of three years, in millions, newest first; null where a
    figure is not on record. Only some 65 companies are, most of them among the largest American ones.

    symbol: Ticker of one of those companies, e.g. MSFT.
    region: Market of the reader; figures stay in the currency of the share.
    """
    row = find_company(symbol)
    years = statements(row["ticker"])
    return {
        "symbol": row["ticker"],
        "currency": row["currency"],
        "unit": "millions",
        "years": [
            CashYear(
                fiscal_year=year["fiscal_year"],
                cash_from_operations=year["operating_cash_flow"],
                capital_expenditures=year["capital_expenditure"] or None,
                free_cash_flow=year["free_cash_flow"] if year["capital_expenditure"] else None,
                dividends_paid=paid,
            )
            for year, paid in zip(years, _paid_out(row), strict=True)
        ],
    }


def _paid_out(company: Company) -> list[int | None]:
    """Dividends of three years as reported, none where a company pays none; of real ones not always known."""
    known = earnings_reported().get(company["ticker"])
    if known and known.dividends:
        return [*known.dividends]
    years = len(statements(company["ticker"]))
    return [0 if dividend_per_share(company) == 0 else None] * years


@tool(
    GROUP,
    examples=[{"symbol": "VISA", "region": "SG"}],
    phrase=(
        "get the Yahoo Finance balance sheet of three years for the company whose ticker is {symbol}[, with "
        "the region set to {region}]"
    ),
    noun="the Yahoo Finance balance sheet",
)
def get_balance_sheet(world: World, *, symbol: Ticker, region: Region = "US") -> BalanceSheets:
    """What a company owned and owed at the ends of three years, in millions, newest first. Only some 65 companies are on
    record, most of them among the largest American ones.

    symbol: Ticker of one of those companies, e.g. V.
    region: Market of the reader; figures stay in the currency of the share.
    """
    row = find_company(symbol)
    annual = [
        BalanceYear(
            end_date=day,
            total_assets=sheet["total_assets"],
            total_liabilities=sheet["total_liabilities"],
            stockholder_equity=sheet["equity"],
        )
        for day, sheet in balances(row["ticker"])
    ]
    return {
        "symbol": row["ticker"],
        "company": row["name"],
        "currency": row["currency"],
        "unit": "millions",
        "annual": annual,
    }
