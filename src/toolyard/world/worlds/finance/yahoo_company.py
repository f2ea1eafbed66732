"""Finance/Yahoo_Finance_stock, company: profile, statistics and estimates."""

from __future__ import annotations

from typing import TypedDict

from toolyard.world.faults import ToolFault
from toolyard.world.price_tables import Habits, known_habits
from toolyard.world.registry import tool
from toolyard.world.shared.companies import find_company
from toolyard.world.shared.listed import UNKNOWN_SECTOR
from toolyard.world.shared.statements import on_record, statements
from toolyard.world.state import World
from toolyard.world.types import (
    Amount,
    CityName,
    CompanyName,
    CountryName,
    DomainName,
    Industry,
    IsoDate,
    PersonName,
    Prose,
    Sector,
    Ticker,
)
from toolyard.world.worlds.finance.fundamentals import (
    last_price,
    officers,
    price_to_earnings,
    quarter_ends,
    quarterly_eps,
    reporting_day,
    trailing_eps,
)
from toolyard.world.worlds.finance.instruments import Region
from toolyard.world.worlds.finance.opinions import consensus
from toolyard.world.worlds.finance.stock_info import business, site_of

GROUP = "Finance/Yahoo_Finance_stock"


class Estimate(TypedDict):
    period_end: IsoDate
    estimated_eps: float


class Analysis(TypedDict):
    symbol: Ticker
    target_mean_price: float
    recommendation: str
    estimates: list[Estimate]


class Statistics(TypedDict):
    symbol: Ticker
    market_cap_millions: Amount
    trailing_pe: float | None
    price_to_sales: float | None
    price_to_book: float | None
    profit_margin: float | None
    liabilities_to_equity: float | None
    beta: float | None


class Officer(TypedDict):
    name: PersonName
    title: str
    year_born: int | None


class Profile(TypedDict):
    symbol: Ticker
    company: CompanyName
    sector: Sector
    industry: Industry
    city: CityName | None
    country: CountryName
    website: DomainName | None
    business_summary: Prose
    officers: list[Officer]


@tool(
    GROUP,
    examples=[{"symbol": "AMZN"}],
    phrase=(
        "get the analyst price targets and earnings expectations for the company whose ticker is {symbol}[, "
        "with the region set to {region}]"
    ),
    noun="the analyst expectations",
    jobs=("earnings",),
)
def get_analysis(world: World, *, symbol: Ticker, region: Region = "US") -> Analysis:
    """What analysts might expect of a share: a mean price target, a mean grade, and earnings of the coming four quarters
    where reports are on record. Targets, grades and many estimates are simulated.

    symbol: Ticker of a large company, e.g. AMZN.
    region: Market of the reader; it changes nothing in the figures.
    """
    row = find_company(symbol)
    found = consensus(world, row["ticker"])
    coming = [
        Estimate(period_end=end.isoformat(), estimated_eps=eps)
        for end in quarter_ends(row["ticker"], world.today.year - 1, world.today.year + 1)
        if reporting_day(row["ticker"], end) >= world.today and (eps := quarterly_eps(row, end)) is not None
    ]
    return {
        "symbol": row["ticker"],
        "target_mean_price": round(found.target, 2),
        "recommendation": found.grade,
        "estimates": coming[:4],
    }


@tool(
    GROUP,
    examples=[{"symbol": "AMZN"}],
    phrase=(
        "get the valuation statistics with margin, leverage and beta for the company whose ticker is "
        "{symbol}[, with the region set to {region}]"
    ),
    noun="the valuation statistics",
    jobs=("key figures of a company",),
)
def get_statistics(world: World, *, symbol: Ticker, region: Region = "US") -> Statistics:
    """Market value of a share (in its currency) and ratios by the statements of the last fiscal year, price to earnings by
    the last four quarters where they are known; null where figures are not on record or make no sense.

    symbol: Ticker of a large company, e.g. AMZN.
    region: Market of the reader; it changes nothing in the figures.
    """
    row = find_company(symbol)
    ticker, year = row["ticker"], statements(row["ticker"])[0] if on_record(row["ticker"]) else None
    price = last_price(world, ticker)
    value = price * row["shares"]
    return {
        "symbol": ticker,
        "market_cap_millions": round(value),
        "trailing_pe": price_to_earnings(price, trailing_eps(world, ticker)),
        "price_to_sales": round(value / year["revenue"], 2) if year else None,
        "price_to_book": round(value / year["equity"], 2) if year and year["equity"] > 0 else None,
        "profit_margin": round(year["net_income"] / year["revenue"], 4) if year else None,
        "liabilities_to_equity": round(year["total_liabilities"] / year["equity"], 2)
        if year and year["equity"] > 0
        else None,
        "beta": known_habits().get(ticker, Habits()).beta,
    }


@tool(
    GROUP,
    examples=[{"symbol": "AMZN"}, {"symbol": "SAP", "region": "DE"}],
    phrase=(
        "get the company profile with business, headquarters and management for the company whose ticker is "
        "{symbol}[, with the region set to {region}]"
    ),
    noun="the company profile",
    jobs=("key figures of a company",),
)
def get_profile(*, symbol: Ticker, region: Region = "US") -> Profile:
    """What a company does, where it sits and who runs it, as far as that is known.

    symbol: Ticker of the company, e.g. SAP.
    region: Market of the reader; it changes nothing in the profile.
    """
    row = find_company(symbol)
    if row["sector"] == UNKNOWN_SECTOR and row["exchange"] == "OTC":
        raise ToolFault(
            "not_found",
            f"of {row['ticker']} nothing but the name, {row['name']}, is on record; try AMZN, SAP or BMW.DE",
            parameter="symbol",
        )
    return {
        "symbol": row["ticker"],
        "company": row["name"],
        "sector": row["sector"],
        "industry": row["industry"],
        "city": row["city"],
        "country": row["country"],
        "website": site_of(row),
        "business_summary": business(row),
        "officers": [
            Officer(name=who["name"], title=who["title"], year_born=who["year_born"])
            for who in officers(row["ticker"])
        ],
    }
