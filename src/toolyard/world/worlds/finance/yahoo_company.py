"""Finance/Yahoo_Finance_stock, company: profile, statistics and estimates."""

from __future__ import annotations

import math
from datetime import date
from typing import TypedDict

from toolyard.world import seeds, series
from toolyard.world.faults import ToolFault
from toolyard.world.registry import tool
from toolyard.world.shared.companies import find_company
from toolyard.world.shared.listed import UNKNOWN_SECTOR, Company
from toolyard.world.shared.statements import earnings_counted, on_record, statements
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
from toolyard.world.worlds.finance.averages import mean
from toolyard.world.worlds.finance.fundamentals import (
    dividend_per_share,
    officers,
    past_days,
    price_to_earnings,
    quarter_ends,
    quarterly_eps,
    reporting_day,
    trailing_eps,
    year_before,
)
from toolyard.world.worlds.finance.instruments import Region, find_instrument, history, last_day_of
from toolyard.world.worlds.finance.opinions import consensus
from toolyard.world.worlds.finance.stock_info import describe, site_of

GROUP = "Finance/Yahoo_Finance_stock"


class Estimate(TypedDict):
    period_end: IsoDate
    estimated_eps: float
    low_estimate: float
    high_estimate: float
    analysts: int
    growth: float


class Analysis(TypedDict):
    symbol: Ticker
    target_mean_price: float
    target_low_price: float
    target_high_price: float
    recommendation: str
    number_of_analysts: int
    estimates: list[Estimate]


class Statistics(TypedDict):
    symbol: Ticker
    market_cap_millions: Amount
    trailing_pe: float | None
    price_to_sales: float | None
    price_to_book: float | None
    profit_margin: float | None
    operating_margin: float | None
    return_on_assets: float | None
    liabilities_to_equity: float | None
    beta: float | None
    fifty_day_average: float
    two_hundred_day_average: float
    dividend_rate: float | None
    payout_ratio: float | None


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
    employees: int | None
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
    """What analysts expect: price targets, their mean grade, and earnings of the coming four quarters (none where no
    reports are on record). Targets, grades and
    the spread of estimates are simulated, but for targets and grades of the seven largest companies.

    symbol: Ticker of the company, e.g. AMZN.
    region: Market of the reader; it changes nothing in the figures.
    """
    row = find_company(symbol)
    found = consensus(world, row["ticker"])
    coming = [
        end
        for end in quarter_ends(row["ticker"], world.today.year - 1, world.today.year + 1)
        if reporting_day(row["ticker"], end) >= world.today and quarterly_eps(row, end) is not None
    ]
    return {
        "symbol": row["ticker"],
        "target_mean_price": round(found.target, 2),
        "target_low_price": round(found.low, 2),
        "target_high_price": round(found.high, 2),
        "recommendation": found.grade,
        "number_of_analysts": found.analysts,
        "estimates": [_estimate(world, row, end, found.analysts) for end in coming[:4]],
    }


def _estimate(world: World, row: Company, end: date, analysts: int) -> Estimate:
    eps = quarterly_eps(row, end) or 0.0
    before = _counted_before(row, end)
    before = before if before is not None else quarterly_eps(row, year_before(end))
    spread = 0.05 + 0.1 * seeds.unit(world.seed, "spread", row["ticker"], end)
    return Estimate(
        period_end=end.isoformat(),
        estimated_eps=eps,
        low_estimate=round(eps - max(0.02, abs(eps) * spread), 2),
        high_estimate=round(eps + max(0.02, abs(eps) * spread), 2),
        analysts=analysts - seeds.number(world.seed, "analysts", row["ticker"], end) % 8,
        growth=_growth(row, end, before, eps),
    )


def _counted_before(row: Company, end: date) -> float | None:
    """Earnings of the same quarter a year before as analysts count them; None where they are not known."""
    quarters = earnings_counted().get(row["ticker"], ())
    near = [quarter.earnings for quarter in quarters if abs((quarter.end - year_before(end)).days) < 30]
    return near[0] if near else None


def _growth(row: Company, end: date, before: float | None, after: float) -> float:
    """Against a year before, in parts of that, so that a smaller loss is growth; some per cent where only special
    charges explain the difference."""
    usual = 0.04 + seeds.unit("growth", row["ticker"], end) / 10
    if not before:
        return round(usual, 4)
    comparable = _counted_before(row, end) is not None or 0.55 < after / before < 1.5
    return round((after - before) / abs(before) if comparable else usual, 4)


def beta(world: World, ticker: str) -> float | None:
    """How a share moves with its market: as known, else covariance over the market's variance; none without a year."""
    known = series.known_habits().get(ticker)
    if known and known.beta is not None:
        return known.beta
    if series.calendar_of(ticker) != "new_york":
        return None
    index = find_instrument("^GSPC")
    followed = series.bars(world.seed, "^GSPC", anchor=index["price"], volatility=index["volatility"])
    days = {bar["date"]: bar for bar in followed.until(last_day_of(world, index))[-252:]}
    bars = [bar for bar in history(world, find_instrument(ticker), 252) if bar["date"] in days]
    if len(bars) < 230:
        return None
    own = [bar["close"] / bar["open"] - 1 for bar in bars]
    market = [days[bar["date"]]["close"] / days[bar["date"]]["open"] - 1 for bar in bars]
    centre, base = mean(own), mean(market)
    together = math.fsum((a - centre) * (b - base) for a, b in zip(own, market, strict=True))
    return round(together / math.fsum((b - base) ** 2 for b in market), 2)


@tool(
    GROUP,
    examples=[{"symbol": "AMZN"}],
    phrase=(
        "get the valuation statistics with margins, leverage and beta for the company whose ticker is "
        "{symbol}[, with the region set to {region}]"
    ),
    noun="the valuation statistics",
    jobs=("key figures of a company",),
)
def get_statistics(world: World, *, symbol: Ticker, region: Region = "US") -> Statistics:
    """Valuation, margins, leverage, beta and averages of a share, from prices and statements; null without any, or where
    liabilities exceed what the company owns.

    symbol: Ticker of the company, e.g. AMZN.
    region: Market of the reader; it changes nothing in the figures.
    """
    row = find_company(symbol)
    ticker, year = row["ticker"], statements(row["ticker"])[0] if on_record(row["ticker"]) else None
    closes = [bar["close"] for bar in past_days(world, ticker, 200)]
    eps, dividend = trailing_eps(world, ticker), dividend_per_share(row)
    value = closes[-1] * row["shares"]
    return {
        "symbol": ticker,
        "market_cap_millions": round(value),
        "trailing_pe": price_to_earnings(closes[-1], eps),
        "price_to_sales": round(value / year["revenue"], 2) if year else None,
        "price_to_book": round(value / year["equity"], 2) if year and year["equity"] > 0 else None,
        "profit_margin": round(year["net_income"] / year["revenue"], 4) if year else None,
        "operating_margin": round(year["operating_income"] / year["revenue"], 4) if year else None,
        "return_on_assets": round(year["net_income"] / year["total_assets"], 4) if year else None,
        "liabilities_to_equity": round(year["total_liabilities"] / year["equity"], 2)
        if year and year["equity"] > 0
        else None,
        "beta": beta(world, ticker),
        "fifty_day_average": round(mean(closes[-50:]), 2),
        "two_hundred_day_average": round(mean(closes), 2),
        "dividend_rate": dividend,
        "payout_ratio": round(dividend / eps, 4)
        if dividend is not None and eps is not None and eps > 0
        else None,
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
        "employees": row["employees"],
        "business_summary": describe(row),
        "officers": [
            Officer(name=who["name"], title=who["title"], year_born=who["year_born"])
            for who in officers(row["ticker"])
        ],
    }
