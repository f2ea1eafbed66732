"""Companies under stocks, news and jobs: public facts, with statements generated from the seed.

{"ticker": "AAPL", "name": "Apple Inc.", "sector": "Technology", "industry": "Consumer Electronics",
 "country": "United States", "exchange": "NASDAQ", "city": "San Jose", "price": 189.72, ...}
"""

from __future__ import annotations

import functools
from datetime import date
from typing import TypedDict

from toolyard.world import seeds, series
from toolyard.world.faults import not_found
from toolyard.world.shared.geography import countries, plain, read_table
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
    Sector,
    Ticker,
    Year,
)


class Company(TypedDict):
    """A listed company; `price` is the close of 15 May 2024, `shares` are in millions."""

    ticker: Ticker
    name: CompanyName
    sector: Sector
    industry: Industry
    country: CountryName
    exchange: ExchangeCode
    city: CityName
    currency: CurrencyCode
    website: DomainName
    price: float
    shares: int
    employees: int
    founded: int


class Statement(TypedDict):
    """One fiscal year in millions of the company's currency; the parts add up."""

    ticker: Ticker
    fiscal_year: Year
    period_end: IsoDate
    currency: CurrencyCode
    revenue: Amount
    cost_of_revenue: Amount
    gross_profit: Amount
    operating_expenses: Amount
    operating_income: Amount
    tax: Amount
    net_income: Amount
    earnings_per_share: float
    total_assets: Amount
    total_liabilities: Amount
    equity: Amount
    cash: Amount
    operating_cash_flow: Amount
    capital_expenditure: Amount
    free_cash_flow: Amount


_TRADED_IN = {"XETRA": "EUR", "EURONEXT": "EUR", "BME": "EUR", "MIL": "EUR", "NSE": "INR", "ASX": "AUD",
              "SGX": "SGD", "HKEX": "HKD"}  # fmt: skip


@functools.cache
def companies() -> tuple[Company, ...]:
    """All companies, in the order of the file (US ones first)."""
    by_code = {row["code"]: row for row in countries()}
    return tuple(
        Company(
            ticker=row["ticker"],
            name=row["name"],
            sector=row["sector"],
            industry=row["industry"],
            country=by_code[row["country"]]["name"],
            exchange=row["exchange"],
            city=row["city"],
            currency=_TRADED_IN.get(row["exchange"], "USD"),
            website=f"{plain(row['name']).split()[0 if not row['name'].startswith('The ') else 1].strip(',')}.example",
            price=float(row["price"]),
            shares=int(row["shares"]),
            employees=int(row["employees"]),
            founded=int(row["founded"]),
        )
        for row in read_table("companies.tsv")
    )


# Names of old and of parts that people still say.
_ALIASES = {"fb": "meta", "facebook": "meta", "goog": "googl", "google": "googl", "brk-b": "brk.b"}


@functools.cache
def _keys() -> dict[str, Company]:
    found: dict[str, Company] = {}
    for row in companies():
        short = plain(row["name"]).removeprefix("the ")
        first = short.split()[0].strip(",.")
        for key in (plain(row["ticker"]), plain(row["name"]), short, first, first.removesuffix(".com")):
            found.setdefault(key, row)
    found.update({alias: found[ticker] for alias, ticker in _ALIASES.items()})
    return found


def find_company(wanted: str) -> Company:
    """The company of a ticker or name ("Apple" will do); a not_found fault otherwise."""
    row = _keys().get(plain(wanted)) or _keys().get(plain(wanted).removeprefix("the "))
    if row is None:
        raise not_found("company", wanted, known=("AAPL", "MSFT", "TSLA", "AMZN", "IBM"))
    return row


def prices(seed: int, ticker: str) -> series.Bars:
    """The company's daily bars from 2010 to 2025, oldest first; show only those up to the world's today."""
    company = find_company(ticker)
    volatility = 0.18 + 0.3 * seeds.unit(seed, "volatility", company["ticker"])
    return series.bars(seed, company["ticker"], anchor=company["price"], volatility=volatility)


@seeds.table
def _all_statements(seed: int) -> dict[str, tuple[Statement, ...]]:
    return {row["ticker"]: _history(seed, row) for row in companies()}


def statements(seed: int, ticker: str) -> tuple[Statement, ...]:
    """Yearly statements of a company, newest (2023) first, back to 2014."""
    return _all_statements(seed)[find_company(ticker)["ticker"]]


def _history(seed: int, company: Company) -> tuple[Statement, ...]:
    chance = seeds.stream(seed, "statements", company["ticker"])
    value = company["price"] * company["shares"]
    revenue = value / (1.5 + 5 * chance.random())
    margin, tax_rate = 0.25 + 0.45 * chance.random(), 0.15 + 0.1 * chance.random()
    rows = []
    for year in range(2023, 2013, -1):
        rows.append(_statement(company, year, revenue, margin + 0.04 * (chance.random() - 0.5), tax_rate))
        revenue /= 1.0 + 0.2 * chance.random() - 0.03
    return tuple(rows)


def _statement(company: Company, year: int, revenue: float, margin: float, tax_rate: float) -> Statement:
    sales, gross = round(revenue), round(revenue * margin)
    operating = round(gross * 0.45)
    tax = round(operating * tax_rate)
    assets = round(sales * 1.6)
    liabilities = round(assets * 0.58)
    flow, spent = round(operating * 1.1), round(sales * 0.06)
    return Statement(
        ticker=company["ticker"],
        fiscal_year=year,
        period_end=date(year, 12, 31).isoformat(),
        currency=company["currency"],
        revenue=sales,
        cost_of_revenue=sales - gross,
        gross_profit=gross,
        operating_expenses=gross - operating,
        operating_income=operating,
        tax=tax,
        net_income=operating - tax,
        earnings_per_share=round((operating - tax) / company["shares"], 2),
        total_assets=assets,
        total_liabilities=liabilities,
        equity=assets - liabilities,
        cash=round(assets * 0.12),
        operating_cash_flow=flow,
        capital_expenditure=spent,
        free_cash_flow=flow - spent,
    )
