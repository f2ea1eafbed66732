"""Finance/Yahoo_Finance_stock, trade: search, summary, prices, options, peers, ratings and insights."""

from __future__ import annotations

from typing import Literal, TypedDict

from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.shared.companies import find_company
from toolyard.world.shared.listed import UNKNOWN_SECTOR
from toolyard.world.state import World
from toolyard.world.types import CompanyName, CurrencyCode, IsoDate, Ticker
from toolyard.world.worlds.finance import averages
from toolyard.world.worlds.finance.bars import Close
from toolyard.world.worlds.finance.fundamentals import past_days, similar
from toolyard.world.worlds.finance.instruments import (
    FoundSymbol,
    FundSymbol,
    Kind,
    QuoteSymbol,
    Region,
    find_instrument,
    history,
    is_range_known,
    largest_positions,
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
    sector: str


class Summary(TypedDict):
    symbol: FoundSymbol
    name: str
    quote_type: Kind
    currency: CurrencyCode
    price: float
    previous_close: float
    change_percent: float
    fifty_two_week_range: list[float] | None
    market_time: TradingDate


class Peer(TypedDict):
    symbol: Ticker
    name: CompanyName


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
    prices: list[Close]


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


class Insight(TypedDict):
    symbol: Ticker
    company: CompanyName
    short_term: Outlook
    mid_term: Outlook
    long_term: Outlook
    support: float
    resistance: float


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
    """Listed companies whose ticker or name a beginning or some words fit, with sector where it is known; at most ten.

    q: Beginning of a ticker or name, or words of a name.
    region: Market whose companies come first.
    """
    return [
        StockSuggestion(
            symbol=row["symbol"],
            name=row["name"],
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
        "get the Yahoo Finance summary with price and yearly range for the security whose symbol is "
        "{symbol}[, with the region set to {region}]"
    ),
    noun="the price summary",
    jobs=("exchange rates", "price of ether", "key figures of a company"),
)
def get_summary(world: World, *, symbol: QuoteSymbol, region: Region = "US") -> Summary:
    """Price, change and, where it is on record, the range of the last 52 weeks of a share, index, fund, currency pair or
    coin; prices of the less known are simulated near the real ones.

    symbol: Ticker of a large company or other symbol, e.g. AMZN.
    region: Market of the reader; it changes nothing in the figures.
    """
    row = find_instrument(symbol)
    now = quote(world, row)
    return {
        "symbol": row["symbol"],
        "name": row["name"],
        "quote_type": row["kind"],
        "currency": row["currency"],
        "price": now["price"],
        "previous_close": now["previous_close"],
        "change_percent": now["change_percent"],
        "fifty_two_week_range": list(yearly_range(world, row)) if is_range_known(row) else None,
        "market_time": now["date"],
    }


@tool(
    GROUP,
    examples=[{"symbol": "INTC"}],
    phrase="recommend other shares similar to the one whose ticker is {symbol}",
    noun="the recommended shares",
)
def get_recommendations(*, symbol: Ticker) -> list[Peer]:
    """Up to five other shares of the same or a near business; a choice.

    symbol: Ticker of the company, e.g. INTC.
    """
    return [Peer(symbol=row["ticker"], name=row["name"]) for row in similar(symbol)[:5]]


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
    """Simulated grades of a share by invented brokers, newest first; at most ten.

    symbol: Ticker of the company, e.g. GOOGL.
    region: Market of the reader; it changes nothing in the grades.
    """
    ticker = find_company(symbol)["ticker"]
    return {"symbol": ticker, "history": [Grade(**row) for row in opinions(world, ticker)[:10]]}


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
    """Closing prices of a share, index, fund, pair or coin of the last 45 trading days that are over (fewer of newer ones),
    newest first; many are simulated near the real ones.

    symbol: Ticker of a large company or other symbol, e.g. AMD.
    region: Market of the reader; it changes nothing in the prices.
    """
    row = find_instrument(symbol)
    return {
        "symbol": row["symbol"],
        "currency": row["currency"],
        "prices": [Close(date=bar["date"], close=bar["close"]) for bar in reversed(history(world, row, 45))],
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
    """Calls and puts on a share or fund that is traded in New York which expire in a month or so, priced by the formula of
    Black and Scholes, and dates of coming expiries.

    symbol: Ticker of a large company or exchange-traded fund, e.g. AAPL.
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
    phrase="list the largest holdings of the fund whose symbol is {symbol}",
    noun="the fund holdings",
    jobs=("holdings",),
)
def get_holdings(*, symbol: FundSymbol) -> Holdings:
    """The largest shares that a well-known fund held in May 2024 with their parts, about, in per cent; at most ten, an empty
    list for funds of bonds, metals or coins and where they are not known.

    symbol: Symbol of an ETF or mutual fund, e.g. SPY.
    """
    row = find_instrument(symbol)
    if row["kind"] not in ("ETF", "MUTUALFUND"):
        raise invalid("symbol", symbol, f"{row['name']} is no fund; try SPY, QQQ, VFIAX or another fund")
    positions = [
        Position(symbol=ticker, name=find_company(ticker)["name"], percent=percent)
        for ticker, percent in largest_positions(row["symbol"])
    ]
    return {"symbol": row["symbol"], "name": row["name"], "top_holdings": positions}


def _outlook(price: float, average: float | None) -> Outlook:
    if average is None or abs(price / average - 1) < 0.01:
        return "neutral"
    return "bullish" if price > average else "bearish"


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
    """Outlooks of a share from its mean prices of 20, 50 and 200 days, and the lowest and highest price of the last 40 days
    as support and resistance, computed from the partly simulated prices of this world.

    symbol: Ticker of a large company, e.g. AAPL.
    """
    company = find_company(symbol)
    ticker = company["ticker"]
    bars = past_days(world, ticker, 200)
    closes = [bar["close"] for bar in bars]
    outlooks = [_outlook(closes[-1], averages.sma(closes, size)[-1]) for size in (20, 50, 200)]
    return {
        "symbol": ticker,
        "company": company["name"],
        "short_term": outlooks[0],
        "mid_term": outlooks[1],
        "long_term": outlooks[2],
        "support": min(bar["low"] for bar in bars[-40:]),
        "resistance": max(bar["high"] for bar in bars[-40:]),
    }
