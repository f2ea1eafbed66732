"""Finance/Yahoo_Finance_stock, trade: search, summary, prices, options, peers, ratings and insights."""

from __future__ import annotations

import itertools
import math
from typing import Literal, TypedDict

from toolyard.core.sums import added
from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.shared.companies import find_company
from toolyard.world.shared.listed import UNKNOWN_SECTOR
from toolyard.world.shared.statements import last_year
from toolyard.world.state import World
from toolyard.world.types import CompanyName, CurrencyCode, ExchangeCode, IsoDate, Prose, Ticker
from toolyard.world.worlds.finance import averages
from toolyard.world.worlds.finance.bars import DailyBar
from toolyard.world.worlds.finance.fundamentals import (
    is_rival,
    past_days,
    price_to_earnings,
    similar,
    trailing_eps,
)
from toolyard.world.worlds.finance.instruments import (
    FoundSymbol,
    FundSymbol,
    Kind,
    QuoteSymbol,
    Region,
    find_instrument,
    history,
    largest_positions,
    last_year_of,
    quote,
    yearly_range,
)
from toolyard.world.worlds.finance.opinions import opinions
from toolyard.world.worlds.finance.options import OptionRow, chain, expirations, month_ahead, with_options
from toolyard.world.worlds.finance.rates import TradingDate
from toolyard.world.worlds.finance.symbol_suggestions import SearchTerm, suggestions

GROUP = "Finance/Yahoo_Finance_stock"
Outlook = Literal["bullish", "neutral", "bearish"]


class StockSuggestion(TypedDict):
    symbol: Ticker
    name: CompanyName
    exchange: ExchangeCode
    sector: str


class Summary(TypedDict):
    symbol: FoundSymbol
    name: str
    quote_type: Kind
    currency: CurrencyCode
    price: float
    previous_close: float
    open: float
    change_percent: float
    volume: int
    average_volume_three_months: int
    fifty_two_week_range: list[float]
    market_time: TradingDate


class Peer(TypedDict):
    symbol: Ticker
    name: CompanyName
    industry: str
    score: float


class Grade(TypedDict):
    date: IsoDate
    firm: str
    from_grade: str
    to_grade: str
    action: Literal["upgrade", "downgrade", "reiterated"]


class Grades(TypedDict):
    symbol: Ticker
    history: list[Grade]


class PriceHistory(TypedDict):
    symbol: FoundSymbol
    currency: CurrencyCode
    prices: list[DailyBar]


class Options(TypedDict):
    symbol: Ticker
    price: float
    expiration_dates: list[IsoDate]
    shown_expiration: IsoDate
    calls: list[OptionRow]
    puts: list[OptionRow]


class Position(TypedDict):
    symbol: Ticker
    name: CompanyName
    percent: float


class Holdings(TypedDict):
    symbol: FundSymbol
    name: str
    top_holdings: list[Position]
    sector_weights: dict[str, float]
    rest_percent: float


class Insight(TypedDict):
    symbol: Ticker
    company: CompanyName
    short_term: Outlook
    mid_term: Outlook
    long_term: Outlook
    support: float
    resistance: float
    stop_loss: float
    valuation: str
    price_to_earnings: float | None
    yearly_volatility: float
    report: Prose


@tool(
    GROUP,
    examples=[{"q": "tesla"}, {"q": "bank", "region": "CA"}],
    phrase=(
        "find companies (with sector) on Yahoo Finance whose ticker or name matches {q}[, with the region "
        "set to {region}]"
    ),
    noun="the suggested companies",
    jobs=("symbols",),
)
def get_autocomplete(*, q: SearchTerm, region: Region = "US") -> list[StockSuggestion]:
    """Companies whose ticker or name a beginning or some words fit, with sector where it is known; at most ten.

    q: Beginning of a ticker or name, or words of a name.
    region: Market whose companies come first.
    """
    return [
        StockSuggestion(
            symbol=row["symbol"],
            name=row["name"],
            exchange=row["exchange"],
            sector=_sector(row["symbol"]),
        )
        for row in suggestions(q, region, ("EQUITY",))
    ]


def _sector(symbol: str) -> str:
    sector = find_company(symbol)["sector"]
    return sector if sector != UNKNOWN_SECTOR else "not known"


@tool(
    GROUP,
    examples=[{"symbol": "AMZN"}, {"symbol": "SPY"}],
    phrase=(
        "get the Yahoo Finance summary with price, volume and yearly range for the security whose symbol is "
        "{symbol}[, with the region set to {region}]"
    ),
    noun="the price summary",
    jobs=("exchange rates", "price of ether", "key figures of a company"),
)
def get_summary(world: World, *, symbol: QuoteSymbol, region: Region = "US") -> Summary:
    """Price, change, volume and yearly range of a share, index, fund, currency pair or coin. Volumes, and ranges of the
    less known, are simulated.

    symbol: Ticker or other symbol, e.g. AMZN.
    region: Market of the reader; it changes nothing in the figures.
    """
    row = find_instrument(symbol)
    bars, now = last_year_of(world, row), quote(world, row)
    recent = [bar["volume"] for bar in bars[-63:]]
    return {
        "symbol": row["symbol"],
        "name": row["name"],
        "quote_type": row["kind"],
        "currency": row["currency"],
        "price": now["price"],
        "previous_close": now["previous_close"],
        "open": now["open"],
        "change_percent": now["change_percent"],
        "volume": now["volume"],
        "average_volume_three_months": round(sum(recent) / len(recent)),
        "fifty_two_week_range": list(yearly_range(world, row)),
        "market_time": now["date"],
    }


@tool(
    GROUP,
    examples=[{"symbol": "INTC"}],
    phrase="recommend other shares similar to the one whose ticker is {symbol}",
    noun="the recommended shares",
)
def get_recommendations(*, symbol: Ticker) -> list[Peer]:
    """Other shares for those who look at this one: companies of the same industry or sector, at most eight.

    symbol: Ticker of the company, e.g. INTC.
    """
    own = find_company(symbol)
    rows = []
    for place, row in enumerate(similar(symbol)[:8]):
        near = row["industry"] == own["industry"] or is_rival(own["ticker"], row["ticker"])
        base = 0.9 if near else 0.6
        rows.append(
            Peer(
                symbol=row["ticker"],
                name=row["name"],
                industry=row["industry"],
                score=round(base - 0.02 * place, 2),
            )
        )
    return sorted(rows, key=lambda peer: -peer["score"])


@tool(
    GROUP,
    examples=[{"symbol": "GOOGL"}],
    phrase=(
        "list the broker upgrades and downgrades for the company whose ticker is {symbol}[, with the region "
        "set to {region}]"
    ),
    noun="the upgrades and downgrades",
)
def get_upgrades_downgrades(world: World, *, symbol: Ticker, region: Region = "US") -> Grades:
    """How brokers graded a share during the last three years, newest first; at most 30 entries. Grades are simulated, and
    the houses that give them are invented.

    symbol: Ticker of the company, e.g. GOOGL.
    region: Market of the reader; it changes nothing in the grades.
    """
    ticker = find_company(symbol)["ticker"]
    return {"symbol": ticker, "history": [Grade(**row) for row in opinions(world, ticker)[:30]]}


@tool(
    GROUP,
    examples=[{"symbol": "AMD"}, {"symbol": "^GDAXI", "region": "DE"}],
    phrase=(
        "get the daily prices of the last 45 trading days from Yahoo Finance for the security whose symbol "
        "is {symbol}[, with the region set to {region}]"
    ),
    noun="the Yahoo Finance price history",
    jobs=("exchange rates", "price of ether"),
)
def get_historical_data(world: World, *, symbol: QuoteSymbol, region: Region = "US") -> PriceHistory:
    """Daily prices of a share, index, fund, pair or coin for the last 45 trading days that are over, newest first. Closes
    of the best known are true; opens, highs, lows and volumes of most days are simulated.

    symbol: Ticker or other symbol, e.g. AMD.
    region: Market of the reader; it changes nothing in the prices.
    """
    row = find_instrument(symbol)
    return {
        "symbol": row["symbol"],
        "currency": row["currency"],
        "prices": [DailyBar(**bar) for bar in reversed(history(world, row, 45))],
    }


@tool(
    GROUP,
    examples=[{"symbol": "AAPL"}],
    phrase=(
        "get the call and put prices about a month out and all expiry dates from Yahoo Finance for the "
        "company whose ticker is {symbol}[, with the region set to {region}]"
    ),
    noun="the Yahoo Finance options",
    jobs=("options",),
)
def get_options(world: World, *, symbol: Ticker, region: Region = "US") -> Options:
    """Prices of calls and puts on a share or fund that is traded in New York which expire in a month or so, by the formula
    of Black and Scholes (open interest is simulated), and the dates of the next expiries.

    symbol: Ticker of the company or exchange-traded fund, e.g. AAPL.
    region: Market of the reader; it changes nothing in the figures.
    """
    row = with_options(symbol, "symbol")
    dates = expirations(world.today)
    shown = month_ahead(world.today)
    calls, puts = chain(world, row, shown, width=7)
    return {
        "symbol": row["symbol"],
        "price": history(world, row, 1)[-1]["close"],
        "expiration_dates": [day.isoformat() for day in dates],
        "shown_expiration": shown.isoformat(),
        "calls": calls,
        "puts": puts,
    }


@tool(
    GROUP,
    examples=[{"symbol": "SPY"}, {"symbol": "VFIAX"}],
    phrase="list the largest holdings and sector weights of the fund whose symbol is {symbol}",
    noun="the fund holdings",
    jobs=("holdings",),
)
def get_holdings(*, symbol: FundSymbol) -> Holdings:
    """What a fund holds: its largest shares, at most ten, and their weights by sector; none of bonds and metals, or where
    they are not known. Only funds have holdings.

    symbol: Symbol of an ETF or mutual fund, e.g. SPY.
    """
    row = find_instrument(symbol)
    if row["kind"] not in ("ETF", "MUTUALFUND"):
        raise invalid("symbol", symbol, f"{row['name']} is no fund; try SPY, QQQ, VFIAX or another fund")
    positions = [
        Position(symbol=ticker, name=find_company(ticker)["name"], percent=percent)
        for ticker, percent in largest_positions(row["symbol"])
    ]
    sectors: dict[str, float] = {}
    for part in positions:
        sector = find_company(part["symbol"])["sector"]
        if sector == UNKNOWN_SECTOR:
            continue
        sectors[sector] = round(sectors.get(sector, 0.0) + part["percent"], 2)
    return {
        "symbol": row["symbol"],
        "name": row["name"],
        "top_holdings": positions,
        "sector_weights": sectors,
        "rest_percent": round(100 - added(part["percent"] for part in positions), 2),
    }


def _outlook(price: float, average: float | None) -> Outlook:
    if average is None or abs(price / average - 1) < 0.01:
        return "neutral"
    return "bullish" if price > average else "bearish"


def _valuation(eps: float | None, ratio: float | None) -> str:
    """What a share is by its earnings."""
    if ratio is None:
        return "not known" if eps is None else "without a measure (it lost money)"
    return "dear" if ratio > 28 else "cheap" if ratio < 12 else "fair"


@tool(
    GROUP,
    examples=[{"symbol": "FB"}, {"symbol": "AAPL"}],
    phrase=(
        "get a short insights report with outlook, support and resistance for the company whose ticker is "
        "{symbol}"
    ),
    noun="the insights report",
    jobs=("key figures of a company",),
)
def get_insights(world: World, *, symbol: Ticker) -> Insight:
    """A short report on a share: outlooks from moving averages, support and resistance, valuation and risk.

    symbol: Ticker of the company, e.g. AAPL.
    """
    company = find_company(symbol)
    ticker = company["ticker"]
    bars = past_days(world, ticker, 200)
    closes = [bar["close"] for bar in bars]
    price, eps = closes[-1], trailing_eps(world, ticker)
    outlooks = [_outlook(price, averages.sma(closes, size)[-1]) for size in (20, 50, 200)]
    ratio, year = price_to_earnings(price, eps), last_year(ticker)
    steps = [math.log(new / old) for old, new in itertools.pairwise(closes)]
    low, high = min(bar["low"] for bar in bars[-40:]), max(bar["high"] for bar in bars[-40:])
    value = _valuation(eps, ratio)
    return {
        "symbol": ticker,
        "company": company["name"],
        "short_term": outlooks[0],
        "mid_term": outlooks[1],
        "long_term": outlooks[2],
        "support": low,
        "resistance": high,
        "stop_loss": round(low * 0.97, 2),
        "valuation": value,
        "price_to_earnings": ratio,
        "yearly_volatility": round(averages.deviation(steps) * math.sqrt(252), 4),
        "report": f"{company['name']} trades at {price} {company['currency']}. Against its averages of 20, 50 and 200 days "
        f"the outlook is {outlooks[0]}, {outlooks[1]} and {outlooks[2]}."
        + (
            f" Sales of the last year were {year.revenue:,} million; by earnings the share is {value}."
            if year
            else ""
        ),
    }
