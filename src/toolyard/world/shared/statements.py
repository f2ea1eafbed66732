"""Statements of companies as they were reported; what nobody kept is not told."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple, TypedDict, TypeVar

from toolyard.world.faults import ToolFault
from toolyard.world.shared.companies import SECOND_CLASSES, find_company
from toolyard.world.shared.listed import Company
from toolyard.world.shared.sisters import IN_NEW_YORK
from toolyard.world.tables import read_table
from toolyard.world.types import Amount, CurrencyCode, IsoDate, Ticker, Year

Told = TypeVar("Told")


def for_all_classes(told: dict[str, Told]) -> dict[str, Told]:
    """What is told by ticker, of a company's second class of shares as well."""
    return told | {second: told[first] for second, first in SECOND_CLASSES.items() if first in told}


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


def statements(ticker: str) -> tuple[Statement, ...]:
    """Statements of the last three fiscal years of a company, newest first; a fault where none are on record."""
    found = find_company(ticker)["ticker"]
    if not on_record(found):
        abroad = IN_NEW_YORK.get(found, "")
        sister = f" (but under {abroad}, its share in New York)" if on_record(abroad) else ""
        raise ToolFault(
            "not_found",
            f"no statements of {found} are on record{sister}; there are those of {len(_reported())} companies: "
            f"{', '.join(sorted(_reported()))}",
            parameter="symbol",
        )
    return _statements(found)


@functools.cache
def _reported() -> dict[str, list[dict[str, str]]]:
    """Ticker -> the years that the company reported, newest first."""
    found: dict[str, list[dict[str, str]]] = {}
    for row in read_table("statements.tsv"):
        found.setdefault(row["ticker"], []).append(row)
    return for_all_classes(found)


@functools.lru_cache(maxsize=512)
def _statements(ticker: str) -> tuple[Statement, ...]:
    company = find_company(ticker)
    per_share = earnings_reported()[ticker].years
    return tuple(
        _statement(company, row["period_end"], _figures(row), earned)
        for row, earned in zip(_reported()[ticker], per_share, strict=True)
    )


def on_record(ticker: str) -> bool:
    """Whether the statements of a company are those that it reported."""
    return ticker in _reported()


class ReportedQuarter(NamedTuple):
    """Earnings per share that a company reported on a day."""

    end: date
    reported: date
    earnings: float
    expected: float | None


class CountedQuarter(NamedTuple):
    """Earnings per share of a quarter as analysts count them, without what happens once, and what they had expected."""

    end: date
    reported: date
    earnings: float
    expected: float


@functools.cache
def earnings_counted() -> Mapping[str, tuple[CountedQuarter, ...]]:
    """Ticker -> the last four quarters as analysts count them, newest first, as far as they are known."""
    found = {}
    for row in read_table("earnings_counted.tsv"):
        parts = (part.split(":") for part in row["quarters"].split())
        found[row["ticker"]] = tuple(
            CountedQuarter(date.fromisoformat(end), date.fromisoformat(day), float(earned), float(expected))
            for end, day, earned, expected in parts
        )
    return for_all_classes(found)


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
        known = [float(part) for part in (row["estimates"] or "").split()]
        expected: list[float | None] = [*known] if known else [None] * len(quarters)
        found[row["ticker"]] = ReportedEarnings(
            tuple(float(part) for part in (row["years"] or "").split()),
            tuple(
                ReportedQuarter(date.fromisoformat(end), date.fromisoformat(day), float(earned), estimate)
                for (end, day, earned), estimate in zip(quarters, expected, strict=True)
            ),
            tuple(int(part) for part in (row["dividends"] or "").split()),
        )
    return for_all_classes(found)


@functools.cache
def earned_in_four_quarters() -> Mapping[str, float]:
    """Ticker -> earnings per share of the last four quarters before May 2024, of companies without quarters as reported."""
    return {
        row["ticker"]: round(math.fsum(map(float, row["quarters"].split())), 2)
        for row in read_table("earnings_trailing.tsv")
    }


def _figures(row: Mapping[str, str]) -> dict[str, float]:
    return {name: float(value) for name, value in row.items() if name not in ("ticker", "period_end")}


# Sales and earnings of the last fiscal year before May 2024 in millions of dollars, and earnings per share (or depositary
# receipt), of companies without statements here.
_LAST_YEAR = {
    "BRK.B": (364482, 96223, 44.27), "COP": (56141, 10957, 9.06), "GE": (67954, 9481, 8.36), "UPS": (90958, 6708, 7.80),
    "FDX": (90155, 3972, 15.48), "UAL": (53717, 2618, 7.89), "NEE": (28114, 7310, 3.60), "DUK": (29060, 2841, 3.54),
    "AMT": (11144, 1483, 3.18), "LIN": (32854, 6199, 12.59), "SHOP": (7060, 132, 0.10), "BP": (210130, 15239, 5.15),
    "HSBC": (66058, 23533, 5.70), "AZN": (45811, 5955, 1.91), "NVS": (45440, 14850, 7.10), "INFY": (18562, 3167, 0.76),
    "BHP": (53817, 12921, 5.09), "PBR": (102409, 24884, 3.82), "CMG": (9872, 1229, 44.34),
    "PLTR": (2225, 210, 0.09), "LULU": (9619, 1550, 12.20), "RIVN": (4434, -5432, -5.74), "SNOW": (2806, -836, -2.55),
    "ABT": (40109, 5723, 3.26), "TMUS": (78558, 8317, 6.93), "CMCSA": (121572, 15388, 3.71), "AMGN": (28190, 6717, 12.49),
    "DE": (61251, 10166, 34.63), "RTX": (68920, 3195, 2.23), "HON": (36662, 5658, 8.47), "BKNG": (21365, 4289, 117.40),
    "NOW": (8971, 1731, 8.42), "INTU": (14368, 2384, 8.42), "AMAT": (26517, 6856, 8.11), "MU": (15540, -5833, -5.34),
    "PANW": (6893, 440, 1.28), "GILD": (27116, 5665, 4.50), "BMY": (45006, 8025, 3.86), "CVS": (357776, 8344, 6.47),
    "SCHW": (18837, 5067, 2.54), "BLK": (17859, 5502, 36.51), "TJX": (54217, 4474, 3.86), "BBY": (43452, 1241, 5.68),
    "DG": (38692, 1661, 7.55), "GME": (5273, 7, 0.02), "AMC": (4813, -397, -2.37), "SNAP": (4606, -1322, -0.82),
    "PINS": (3055, -36, -0.05), "RBLX": (2799, -1152, -1.87), "DASH": (8635, -558, -1.42), "SOFI": (2123, -301, -0.36),
    "HOOD": (1865, -541, -0.61), "CRWD": (3056, 89, 0.37), "MMM": (32681, -6995, -12.63), "NVO": (33711, 12145, 2.72),
    "ASML": (29815, 8481, 21.54), "BABA": (130350, 11044, 4.33), "JD": (152782, 3404, 2.15), "PDD": (34880, 8455, 5.80),
}  # fmt: skip


class YearInBrief(NamedTuple):
    """Sales and earnings of the last fiscal year in millions, and earnings per share."""

    revenue: int
    net_income: int
    earnings_per_share: float


def last_year(ticker: str) -> YearInBrief | None:
    """What is known of a company's last fiscal year; None where nothing is."""
    if on_record(ticker):
        year = _statements(ticker)[0]
        return YearInBrief(int(year["revenue"]), int(year["net_income"]), year["earnings_per_share"])
    return YearInBrief(*_LAST_YEAR[ticker]) if ticker in _LAST_YEAR else None


# Companies that call a year which ends in January after the one in which it began.
_NAMED_AFTER_THE_START = frozenset({"HD", "LOW", "TGT"})


def _statement(
    company: Company, period_end: str, figures: Mapping[str, float], per_share: float
) -> Statement:
    whole = {name: round(value) for name, value in figures.items()}
    return Statement(
        ticker=company["ticker"],
        fiscal_year=int(period_end[:4]) - (company["ticker"] in _NAMED_AFTER_THE_START),
        period_end=period_end,
        currency=company["currency"],
        revenue=max(1, whole["revenue"]),
        cost_of_revenue=whole["revenue"] - whole["gross_profit"],
        gross_profit=whole["gross_profit"],
        operating_expenses=whole["gross_profit"] - whole["operating_income"],
        operating_income=whole["operating_income"],
        tax=whole["tax"],
        net_income=whole["net_income"],
        earnings_per_share=per_share,
        total_assets=max(1, whole["total_assets"]),
        total_liabilities=whole["total_assets"] - whole["equity"] - whole["minority"],
        equity=whole["equity"] or 1,
        cash=whole["cash"],
        operating_cash_flow=whole["operating_cash_flow"],
        capital_expenditure=whole["capital_expenditure"],
        free_cash_flow=whole["operating_cash_flow"] - whole["capital_expenditure"],
    )
