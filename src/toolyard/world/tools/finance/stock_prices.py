"""Finance/USStockRealTime: price series of companies, quotes, symbol search and opening hours."""

from collections.abc import Sequence
from typing import Literal, TypedDict

from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import ClockTime, CompanyName, CurrencyCode, Ticker, TimeZoneName
from toolyard.world.kernel.views import View
from toolyard.world.reference.companies import companies, find_company, search_companies
from toolyard.world.simulated.finance.bars import DailyBar, monthly_bars, recent_intraday_bars, weekly_bars
from toolyard.world.simulated.finance.instruments import find_instrument, history, last_quote, share
from toolyard.world.simulated.finance.markets import MarketRegion, all_markets, hours_view
from toolyard.world.simulated.finance.rates import TradingDate
from toolyard.world.simulated.series import Bar, symbol_calendar

GROUP = Group("Finance/USStockRealTime")
Interval = Literal["1min", "5min", "15min", "30min", "60min"]


class PriceSeries(TypedDict):
    symbol: Ticker
    name: CompanyName
    currency: CurrencyCode
    interval: str
    rows: list[DailyBar]


class MinutePrice(TypedDict):
    time: str
    close: float
    volume: int


class IntradaySeries(TypedDict):
    symbol: Ticker
    interval: str
    time_zone: TimeZoneName
    rows: list[MinutePrice]


class StockQuote(TypedDict):
    symbol: Ticker
    currency: CurrencyCode
    latest_trading_day: TradingDate
    price: float
    volume: int
    previous_close: float
    change: float
    change_percent: float


class SymbolMatch(TypedDict):
    symbol: Ticker
    name: CompanyName
    currency: CurrencyCode
    price: float


class MarketStatus(TypedDict):
    market_type: str
    region: MarketRegion
    primary_exchanges: str
    local_open: ClockTime
    local_close: ClockTime
    time_zone: TimeZoneName
    current_status: Literal["open", "closed"]


def _past(world: World, symbol: str, count: int) -> Sequence[Bar]:
    """The last days on which a share was traded, oldest first."""
    return history(world, find_instrument(find_company(symbol)["ticker"]), count)


def _price_series(symbol: str, interval: str, rows: Sequence[Bar]) -> PriceSeries:
    company = find_company(symbol)
    return {
        "symbol": company["ticker"],
        "name": company["name"],
        "currency": company["currency"],
        "interval": interval,
        "rows": [DailyBar(**row) for row in reversed(rows)],
    }


@GROUP.tool(
    examples=[
        {"symbol": "IBM", "interval": "5min"},
        {"symbol": "TSLA", "interval": "60min", "fulldata": True},
    ],
    phrase=(
        "get the intraday price series of the share whose ticker is {symbol} with the bar interval set to "
        "{interval}[, with the full data set to {fulldata}]"
    ),
    noun="the intraday price series",
)
def get_stock_time_series_intraday(
    world: World, *, symbol: Ticker, interval: Interval, fulldata: bool = False
) -> IntradaySeries:
    """Prices and volumes of a share on a US exchange within recent trading days, newest first, in New York time.

    symbol: Ticker of a company (not of a fund), e.g. IBM.
    interval: Time from one price to the next.
    fulldata: True for 50 prices instead of 20.
    """
    ticker = find_company(symbol)["ticker"]
    if symbol_calendar(ticker) != "new_york":
        raise invalid(
            "symbol", symbol, "it is not traded on a US exchange, and only there are minutes told; try IBM"
        )
    minutes = int(interval.removesuffix("min"))
    rows = recent_intraday_bars(world.seed, ticker, _past(world, ticker, 60), minutes, 50 if fulldata else 20)
    prices = [MinutePrice(time=row["time"], close=row["close"], volume=row["volume"]) for row in rows[::-1]]
    return {"symbol": ticker, "interval": interval, "time_zone": "America/New_York", "rows": prices}


@GROUP.tool(
    examples=[{"symbol": "NFLX"}, {"symbol": "SOHU", "fulldata": True}],
    phrase=(
        "get the daily price series of the share whose ticker is {symbol}[, with the full data set to "
        "{fulldata}]"
    ),
    noun="the daily price series",
)
def get_stock_time_series_daily(world: World, *, symbol: Ticker, fulldata: bool = False) -> PriceSeries:
    """Daily open, high, low, close and volume of a share, newest day first.

    symbol: Ticker of a company (not of a fund), e.g. IBM.
    fulldata: True for up to 65 trading days instead of 20.
    """
    return _price_series(symbol, "daily", _past(world, symbol, 65 if fulldata else 20))


@GROUP.tool(
    examples=[{"symbol": "IBM"}],
    phrase="get the one-year weekly price series of the share whose ticker is {symbol}",
    noun="the weekly price series",
    promises={"last trading day of each week": "rows[].date"},
)
def get_stock_time_series_weekly(world: World, *, symbol: Ticker) -> PriceSeries:
    """Open, high, low, close and volume of a share in each week of the last year, under its last trading day, newest first.

    symbol: Ticker of a company (not of a fund), e.g. IBM.
    """
    return _price_series(symbol, "weekly", weekly_bars(_past(world, symbol, 270))[-53:])


@GROUP.tool(
    examples=[{"symbol": "TSLA"}],
    phrase="get the five-year monthly price series of the share whose ticker is {symbol}",
    noun="the monthly price series",
    promises={"last trading day of each month": "rows[].date"},
)
def get_stock_time_series_monthly(world: World, *, symbol: Ticker) -> PriceSeries:
    """Open, high, low, close and volume of a share in each month of the last five years, under its last trading day, newest
    first.

    symbol: Ticker of a company (not of a fund), e.g. TSLA.
    """
    return _price_series(symbol, "monthly", monthly_bars(_past(world, symbol, 1330))[-60:])


@GROUP.tool(
    examples=[{"symbol": "IBM"}],
    phrase="get the latest price, volume and change of the one share whose ticker is {symbol}",
    noun="the share's latest quote",
)
def get_stock_quote_endpoint(world: World, *, symbol: Ticker) -> StockQuote:
    """The last closing price of a share with its volume and its change against the close before.

    symbol: Ticker of a company (not of a fund), e.g. IBM.
    """
    view = View.of(StockQuote, symbol="of.symbol", currency="of.currency", latest_trading_day="date")
    return view.row(last_quote(world, find_instrument(find_company(symbol)["ticker"])))


@GROUP.tool(
    examples=[{"keywords": "tesla"}, {"keywords": "motor"}],
    phrase="search stock ticker symbols with {keywords} as the keywords",
    noun="the ticker search results",
    jobs=("symbols",),
)
def get_stock_symbol_search_endpoint(world: World, *, keywords: CompanyName) -> list[SymbolMatch]:
    """Companies whose ticker or name fits some words, best first; at most ten.

    keywords: Ticker, name or the beginning of one.
    """
    if not plain(keywords):
        raise invalid("keywords", keywords, "want a ticker, a name or the beginning of one, e.g. tesla")
    found = search_companies(keywords[:100], 60)
    if not found:
        raise not_found("company that fits", keywords[:60], known=[row["name"] for row in companies()])
    best, *others = found
    others.sort(key=lambda row: row["exchange"] == "OTC")
    view = View.of(SymbolMatch, symbol="ticker", price=lambda row: last_quote(world, share(row)).price)
    return view.rows([best, *others][:10])


@GROUP.tool(
    phrase="find out which of the large markets in the world are open now",
    noun="the status of the world's markets",
    jobs=("market hours",),
)
def get_global_market_open_and_close_status(world: World) -> list[MarketStatus]:
    """Whether the large markets for shares, currencies and coins are open now, with their local hours."""
    shown = hours_view(
        world.now, MarketStatus, market_type="kind", primary_exchanges="exchanges", local_open="opens",
        local_close="closes", current_status="status",
    )  # fmt: skip
    return shown.rows(row for row in all_markets() if row.large)
