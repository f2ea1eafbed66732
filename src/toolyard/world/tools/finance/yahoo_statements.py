"""Finance/Yahoo_Finance_stock, statements: income, cash flow and balance sheets of a company."""

from typing import TypedDict

from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import Amount, CompanyName, CurrencyCode, IsoDate, Ticker, Year
from toolyard.world.kernel.views import View
from toolyard.world.reference.companies import find_company
from toolyard.world.simulated.finance.instruments import Region
from toolyard.world.simulated.finance.statements import fiscal_years

GROUP = Group("Finance/Yahoo_Finance_stock")


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
    capital_expenditures: Amount
    free_cash_flow: Amount
    dividends_paid: Amount


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


INCOME = View.of(IncomeYear, total_revenue="revenue")
CASH = View.of(
    CashYear,
    cash_from_operations="operating_cash_flow",
    capital_expenditures="capital_expenditure",
    dividends_paid="dividends",
)
BALANCE = View.of(BalanceYear, end_date=lambda year: year.end.isoformat(), stockholder_equity="equity")


@GROUP.tool(
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
    year's sales.

    symbol: Ticker of the company, e.g. AMZN.
    region: Market of the reader; figures stay in the currency of the share.
    """
    row = find_company(symbol)
    found = fiscal_years(world.seed, row["ticker"])
    return {
        "symbol": row["ticker"],
        "currency": row["currency"],
        "unit": "millions",
        "years": INCOME.rows(found),
        "revenue_growth": round(found[0].revenue / found[1].revenue - 1, 4),
    }


@GROUP.tool(
    examples=[{"symbol": "MSFT"}],
    phrase=(
        "get the Yahoo Finance cash flow by year only for the company whose ticker is {symbol}[, with the "
        "region set to {region}]"
    ),
    noun="the Yahoo Finance cash flow",
)
def get_cash_flow(world: World, *, symbol: Ticker, region: Region = "US") -> CashFlows:
    """Cash that a company earned, invested and paid out in each of three years, in millions, newest first.

    symbol: Ticker of the company, e.g. MSFT.
    region: Market of the reader; figures stay in the currency of the share.
    """
    row = find_company(symbol)
    found = CASH.rows(fiscal_years(world.seed, row["ticker"]))
    return {"symbol": row["ticker"], "currency": row["currency"], "unit": "millions", "years": found}


@GROUP.tool(
    examples=[{"symbol": "VISA", "region": "SG"}],
    phrase=(
        "get the Yahoo Finance balance sheet of three years for the company whose ticker is {symbol}[, with "
        "the region set to {region}]"
    ),
    noun="the Yahoo Finance balance sheet",
)
def get_balance_sheet(world: World, *, symbol: Ticker, region: Region = "US") -> BalanceSheets:
    """What a company owned and owed at the ends of three years, in millions, newest first.

    symbol: Ticker of the company, e.g. V.
    region: Market of the reader; figures stay in the currency of the share.
    """
    row = find_company(symbol)
    return {
        "symbol": row["ticker"],
        "company": row["name"],
        "currency": row["currency"],
        "unit": "millions",
        "annual": BALANCE.rows(fiscal_years(world.seed, row["ticker"])),
    }
