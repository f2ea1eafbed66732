"""Companies under stocks, news and jobs: public facts, with statements generated from the seed.

{"ticker": "AAPL", "name": "Apple Inc.", "sector": "Technology", "industry": "Consumer Electronics",
 "country": "United States", "exchange": "NASDAQ", "city": "Cupertino", "price": 189.72, ...}
"""

from __future__ import annotations

import functools
from datetime import date
from typing import TypedDict

from toolyard.world import seeds, series
from toolyard.world.faults import not_found
from toolyard.world.search import words
from toolyard.world.shared.geography import countries
from toolyard.world.shared.listed import Company, directory, short_name
from toolyard.world.tables import plain, read_table
from toolyard.world.types import Amount, CurrencyCode, IsoDate, Ticker, Year


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
            city=row["head_office"] or row["city"],
            metropolis=row["city"],
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
_ALIASES = {
    "fb": "meta", "facebook": "meta", "goog": "googl", "google": "googl", "brk-b": "brk.b", "sq": "xyz",
    "square": "xyz", "jp morgan": "jpm", "j.p. morgan": "jpm", "exxon": "xom", "exxonmobil": "xom", "h&m": "hm-b.st",
    "lg": "066570.ks", "samsung": "005930.ks", "hyundai": "005380.ks", "mitsubishi": "8058.t", "foxconn": "2317.tw",
    "pepsi": "pep", "coke": "ko", "rolls-royce": "rr.l", "rolls royce": "rr.l", "santander": "san.mc",
    "citibank": "c", "citi": "c", "maersk": "maersk-b.co", "volvo": "volv-b.st", "reliance": "reliance.ns",
    "vw": "vow3.de", "youtube": "googl", "instagram": "meta", "whatsapp": "meta", "raytheon": "rtx", "disney": "dis",
}  # fmt: skip


@functools.cache
def _keys() -> dict[str, Company]:
    found: dict[str, Company] = {}
    for row in companies():
        short = plain(row["name"]).removeprefix("the ")
        first = short.split()[0].strip(",.")
        for key in (
            plain(row["ticker"]),
            plain(row["name"]),
            short,
            short_name(row["name"]),
            first,
            first.removesuffix(".com"),
        ):
            found.setdefault(key, row)
    return found


def company_or_none(wanted: str) -> Company | None:
    """The company of a ticker or name ("Apple" will do); None if there is none."""
    key = plain(wanted)
    key = _ALIASES.get(key, key)
    for one in dict.fromkeys((key, key.removeprefix("the "), short_name(key))):
        row = _keys().get(one) or directory().find(one)
        if row is not None:
            return row
    return None


def find_company(wanted: str) -> Company:
    """The company of a ticker or name; a not_found fault with the nearest ones otherwise."""
    row = company_or_none(wanted)
    if row is not None:
        return row
    near = search_companies(wanted, 3) if len(wanted.strip()) > 3 else []
    known = [row["ticker"] for row in companies()]
    raise not_found(
        "company",
        wanted,
        known=known,
        nearest=[one["ticker"] for one in near],
        count=len(known) + len(directory().rows),
        listed_by="Finance/USStockRealTime/get_stock_symbol_search_endpoint",
    )


def search_companies(text: str, limit: int) -> list[Company]:
    """Companies whose ticker or name fits a text: the one it names first, then well-known and large ones."""
    exact = company_or_none(text)
    stems = set(words(text))
    known = [row for row in companies() if stems and stems <= set(words(row["name"]))]
    found = [*([exact] if exact else []), *known, *directory().search(text, limit)]
    rows: dict[str, Company] = {}
    for row in found:
        rows.setdefault(row["ticker"], row)
    return list(rows.values())[:limit]


def prices(seed: int, ticker: str) -> series.Bars:
    """The company's daily bars from 2010 to 2025, oldest first; show only those up to the world's today."""
    company = find_company(ticker)
    volatility = 0.18 + 0.3 * seeds.unit(seed, "volatility", company["ticker"])
    return series.bars(seed, company["ticker"], anchor=company["price"], volatility=volatility)


def statements(seed: int, ticker: str) -> tuple[Statement, ...]:
    """Yearly statements of a company, newest (2023) first, back to 2014."""
    return _statements(seed, find_company(ticker)["ticker"])


@functools.lru_cache(maxsize=512)
def _statements(seed: int, ticker: str) -> tuple[Statement, ...]:
    return _history(seed, find_company(ticker))


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
