"""Statements of companies: of well-known ones as reported, of others derived from their sales and their sector."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple, TypedDict

from toolyard.world import seeds
from toolyard.world.shared.companies import find_company
from toolyard.world.shared.listed import Company
from toolyard.world.tables import read_table
from toolyard.world.types import Amount, CurrencyCode, IsoDate, Ticker, Year


class Statement(TypedDict):
    """One fiscal year in millions of the company's currency; what is earned beside the business is in net income alone."""

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


def statements(seed: int, ticker: str) -> tuple[Statement, ...]:
    """Statements of the last three fiscal years of a company, newest first."""
    return _statements(seed, find_company(ticker)["ticker"])


@functools.cache
def _reported() -> dict[str, list[dict[str, str]]]:
    """Ticker -> the years that the company reported, newest first."""
    found: dict[str, list[dict[str, str]]] = {}
    for row in read_table("statements.tsv"):
        found.setdefault(row["ticker"], []).append(row)
    return found


@functools.lru_cache(maxsize=512)
def _statements(seed: int, ticker: str) -> tuple[Statement, ...]:
    company = find_company(ticker)
    known = _reported().get(ticker)
    if known is None:
        return tuple(_derived_years(seed, company))
    found = [_statement(company, row["period_end"], _figures(row)) for row in known]
    per_share = earnings_reported()[ticker].years if ticker in earnings_reported() else ()
    for year, reported in zip(found, per_share, strict=False):
        year["earnings_per_share"] = reported
    return tuple(found)


def on_record(ticker: str) -> bool:
    """Whether the statements of a company are those that it reported."""
    return ticker in _reported()


class ReportedQuarter(NamedTuple):
    """Earnings per share that a company reported on a day."""

    end: date
    reported: date
    earnings: float


class ReportedEarnings(NamedTuple):
    """What a company earned per share by year and by quarter and paid out by year (millions), newest first."""

    years: tuple[float, ...]
    quarters: tuple[ReportedQuarter, ...]
    dividends: tuple[int, ...]


@functools.cache
def earnings_reported() -> Mapping[str, ReportedEarnings]:
    """Ticker -> earnings and dividends as reported, as far as they are known."""
    found = {}
    for row in read_table("earnings_reported.tsv"):
        quarters = [part.split(":") for part in (row["quarters"] or "").split()]
        found[row["ticker"]] = ReportedEarnings(
            tuple(float(part) for part in (row["years"] or "").split()),
            tuple(
                ReportedQuarter(date.fromisoformat(end), date.fromisoformat(day), float(earned))
                for end, day, earned in quarters
            ),
            tuple(int(part) for part in (row["dividends"] or "").split()),
        )
    return found


def _figures(row: Mapping[str, str]) -> dict[str, float]:
    return {name: float(value) for name, value in row.items() if name not in ("ticker", "period_end")}


# Market value to sales, gross and operating margin, assets to sales, debts and cash to assets, investment to sales.
_USUAL = {
    "Technology": (5.0, 0.55, 0.20, 1.6, 0.50, 0.15, 0.05),
    "Communication Services": (2.5, 0.50, 0.18, 2.2, 0.60, 0.08, 0.12),
    "Financial Services": (3.0, 1.0, 0.30, 9.0, 0.89, 0.06, 0.01),
    "Healthcare": (3.5, 0.55, 0.15, 1.5, 0.55, 0.10, 0.05),
    "Energy": (1.2, 0.30, 0.15, 1.5, 0.50, 0.06, 0.10),
    "Industrials": (1.8, 0.30, 0.12, 1.3, 0.62, 0.08, 0.04),
    "Basic Materials": (1.7, 0.25, 0.12, 1.5, 0.50, 0.08, 0.08),
    "Utilities": (2.2, 0.40, 0.20, 4.5, 0.70, 0.01, 0.30),
    "Real Estate": (6.0, 0.60, 0.30, 7.0, 0.55, 0.02, 0.15),
    "Consumer Cyclical": (1.3, 0.33, 0.10, 1.0, 0.62, 0.10, 0.04),
    "Consumer Defensive": (1.3, 0.35, 0.11, 1.1, 0.62, 0.06, 0.04),
}
_USUAL_ELSEWHERE = (2.0, 0.40, 0.12, 1.4, 0.55, 0.10, 0.05)


# Sales and earnings of the last fiscal year before May 2024 in millions of dollars, of companies without statements here.
_LAST_YEAR = {
    "BRK.B": (364482, 96223), "COP": (56141, 10957), "GE": (67954, 9481), "UPS": (90958, 6708),
    "FDX": (90155, 3972), "UAL": (53717, 2618), "NEE": (28114, 7310), "DUK": (29060, 2841), "AMT": (11144, 1483),
    "LIN": (32854, 6199), "SHOP": (7060, 132), "BP": (210130, 15239), "HSBC": (66058, 23533),
    "AZN": (45811, 5955), "NVS": (45440, 14850), "INFY": (18562, 3167), "BHP": (53817, 12921), "PBR": (102409, 24884),
    "CMG": (9872, 1229),
}  # fmt: skip


def _derived_years(seed: int, company: Company) -> Iterator[Statement]:
    """Three years of a company whose statements nobody keeps: its sales, else its value, and what its sector is like."""
    chance = seeds.stream(seed, "statements", company["ticker"])
    to_sales, gross, margin, assets, debts, cash, spent = _USUAL.get(company["sector"], _USUAL_ELSEWHERE)
    value = company["price"] * company["shares"]
    # Sales of the tables are those of about 2025.
    sales = company["sales"] / 1.12 if company["sales"] else value / (to_sales * chance.uniform(0.75, 1.3))
    revenue, known = _LAST_YEAR.get(company["ticker"], (sales, None))
    gross, margin = min(1.0, gross * chance.uniform(0.85, 1.15)), margin * chance.uniform(0.8, 1.2)
    margin = known / 0.79 / revenue if known is not None else margin
    gross = max(gross, min(1.0, 1.1 * margin))
    for year in (2023, 2022, 2021):
        earned = revenue * margin * (chance.uniform(0.92, 1.08) if known is None or year < 2023 else 1.0)
        tax, total = earned * 0.21, revenue * assets
        figures = {
            "revenue": revenue,
            "gross_profit": revenue * gross,
            "operating_income": earned,
            "tax": tax,
            "net_income": round(earned) - round(tax),
            "total_assets": total,
            "equity": total * (1 - debts),
            "cash": total * cash,
            "operating_cash_flow": earned * 1.12,
            "capital_expenditure": min(revenue * spent, abs(earned)),
        }
        yield _statement(company, date(year, 12, 31).isoformat(), figures)
        revenue /= 1.0 + 0.12 * chance.random() - 0.02


def _statement(company: Company, period_end: str, figures: Mapping[str, float]) -> Statement:
    whole = {name: round(value) for name, value in figures.items()}
    return Statement(
        ticker=company["ticker"],
        fiscal_year=int(period_end[:4]),
        period_end=period_end,
        currency=company["currency"],
        revenue=max(1, whole["revenue"]),
        cost_of_revenue=whole["revenue"] - whole["gross_profit"],
        gross_profit=whole["gross_profit"],
        operating_expenses=whole["gross_profit"] - whole["operating_income"],
        operating_income=whole["operating_income"],
        tax=whole["tax"],
        net_income=whole["net_income"],
        earnings_per_share=round(whole["net_income"] / company["shares"], 2),
        total_assets=max(1, whole["total_assets"]),
        total_liabilities=whole["total_assets"] - whole["equity"],
        equity=whole["equity"] or 1,
        cash=whole["cash"],
        operating_cash_flow=whole["operating_cash_flow"],
        capital_expenditure=whole["capital_expenditure"],
        free_cash_flow=whole["operating_cash_flow"] - whole["capital_expenditure"],
    )
