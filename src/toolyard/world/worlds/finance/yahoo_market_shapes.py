"""Finance/Yahoo_Finance_market: what the tools return."""

from __future__ import annotations

from typing import Literal, TypedDict

from toolyard.world.types import (
    CompanyName,
    CurrencyCode,
    IsoDate,
    Ticker,
)
from toolyard.world.worlds.finance.instruments import (
    FoundSymbol,
    IndexSymbol,
    Kind,
)
from toolyard.world.worlds.finance.rates import TradingDate

SparkInterval = Literal["1m", "5m", "15m", "1d", "1wk", "1mo"]
ChartStep = Literal["1wk", "1mo", "3mo", "1y"]
SparkRange = Literal["1d", "5d", "3mo", "6mo", "1y", "5y", "max"]
CHART_MINUTES = {"1m": 1, "5m": 5, "15m": 15}
CHART_DAYS = {"1d": 1, "5d": 5, "3mo": 64, "6mo": 128, "1y": 252, "5y": 1260, "max": 3760}
# Range -> the smallest distance between two points of its chart; a longer chart has points farther apart.
CHART_STEPS: dict[str, ChartStep] = {"3mo": "1wk", "6mo": "1wk", "1y": "1mo", "5y": "3mo", "max": "1y"}

# Slug, name and sector of each list of shares.
WATCHLISTS: tuple[tuple[str, str, str], ...] = (
    ("large-technology", "Large Technology", "Technology"),
    ("banks-and-payments", "Banks and Payments", "Financial Services"),
    ("health-leaders", "Health Leaders", "Healthcare"),
    ("energy-majors", "Energy Majors", "Energy"),
    ("everyday-goods", "Everyday Goods", "Consumer Defensive"),
    ("makers-and-movers", "Makers and Movers", "Industrials"),
    ("screen-and-web", "Screen and Web", "Communication Services"),
)


class Suggestion(TypedDict):
    symbol: FoundSymbol
    name: str
    quote_type: Kind
    region: str


class MarketQuote(TypedDict):
    symbol: FoundSymbol
    name: str
    quote_type: Kind
    currency: CurrencyCode
    price: float
    change: float
    change_percent: float
    market_time: TradingDate


class IndexSummary(TypedDict):
    symbol: IndexSymbol
    name: str
    currency: CurrencyCode
    price: float
    previous_close: float
    change_percent: float
    market_time: TradingDate


class TypedSymbols(TypedDict):
    quote_type: Kind
    symbols: list[FoundSymbol]


class Spark(TypedDict):
    symbol: FoundSymbol
    interval: str
    range: str
    times: list[str]
    closes: list[float]


class EarningsEvent(TypedDict):
    ticker: Ticker
    company: CompanyName
    report_date: IsoDate
    fiscal_date_ending: IsoDate
    estimated_eps: float | None
    reported_eps: float | None


class Trend(TypedDict):
    symbol: Ticker
    name: CompanyName
    price: float
    change_percent: float


class Watchlist(TypedDict):
    slug: str
    name: str
    tickers: list[Ticker]
    day_change_percent: float
