"""Finance/USStockRealTime: price series of companies, quotes, symbol search and opening hours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from toolyard.world import series
from toolyard.world.faults import ALIKE, invalid
from toolyard.world.registry import tool
from toolyard.world.series import Bar, calendar_of
from toolyard.world.shared.companies import (
    companies,
    find_company,
    has_price,
    search_companies,
    ticker_begins,
)
from toolyard.world.shared.geography import plain
from toolyard.world.shared.listed import Company, short_name
from toolyard.world.state import World
from toolyard.world.types import (
    ClockTime,
    CompanyName,
    CurrencyCode,
    Ticker,
    TimeZoneName,
)
from toolyard.world.worlds.finance.bars import Close, DailyBar, monthly, recent_intraday, weekly
from toolyard.world.worlds.finance.instruments import Quote, find_instrument, history, quote
from toolyard.world.worlds.finance.markets import MarketRegion, market_hours
from toolyard.world.worlds.finance.rates import TradingDate

GROUP = "Finance/USStockRealTime"
Interval = Literal["1min", "5min", "15min", "30min", "60min"]


class PriceSeries(TypedDict):
    symbol: Ticker
    name: CompanyName
    currency: CurrencyCode
    interval: str
    rows: list[DailyBar]


class ClosingSeries(TypedDict):
    symbol: Ticker
    name: CompanyName
    currency: CurrencyCode
    interval: str
    rows: list[Close]


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


# So many months are told of every share, if it was traded so long.
_MONTHS = 13
# What is shorter may be the beginning of a ticker.
_SHORT = 5
# So many that fit are compared.
_LOOKED_AT = 60


class SymbolMatch(TypedDict):
    symbol: Ticker
    name: CompanyName
    currency: CurrencyCode


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


def _closes(symbol: str, interval: str, rows: Sequence[Bar]) -> ClosingSeries:
    company = find_company(symbol)
    return {
        "symbol": company["ticker"],
        "name": company["name"],
        "currency": company["currency"],
        "interval": interval,
        "rows": [Close(date=row["date"], close=row["close"]) for row in reversed(rows)],
    }


def _on_record(ticker: str, rows: Sequence[Bar]) -> Sequence[Bar]:
    """The last months, oldest first: a year of them, and before that those that follow on with a known close."""
    found = series.known_prices().get(ticker)
    known = found.closes if found else {}
    first = max(0, len(rows) - _MONTHS)
    while first and (rows[first - 1]["date"] in known or f"{rows[first - 1]['date'][:8]}31" in known):
        first -= 1
    return rows[first:]


@tool(
    GROUP,
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
    """Prices and volumes of a share on a US exchange within recent trading days, newest first, in New York time; what
    happens within a day is simulated.

    symbol: Ticker of a large company (not of a fund), e.g. IBM.
    interval: Time from one price to the next.
    fulldata: True for 50 prices instead of 20.
    """
    ticker = find_company(symbol)["ticker"]
    if calendar_of(ticker) != "new_york":
        raise invalid(
            "symbol", symbol, "it is not traded on a US exchange, and only there are minutes told; try IBM"
        )
    minutes = int(interval.removesuffix("min"))
    rows = recent_intraday(world.seed, ticker, _past(world, ticker, 60), minutes, 50 if fulldata else 20)
    prices = [MinutePrice(time=row["time"], close=row["close"], volume=row["volume"]) for row in rows[::-1]]
    return {"symbol": ticker, "interval": interval, "time_zone": "America/New_York", "rows": prices}


@tool(
    GROUP,
    examples=[{"symbol": "NFLX"}, {"symbol": "SOHU", "fulldata": True}],
    phrase=(
        "get the daily price series of the share whose ticker is {symbol}[, with the full data set to "
        "{fulldata}]"
    ),
    noun="the daily price series",
)
def get_stock_time_series_daily(world: World, *, symbol: Ticker, fulldata: bool = False) -> PriceSeries:
    """Daily open, high, low, close and volume of a share, newest day first; mostly simulated, closes near the real ones.

    symbol: Ticker of a large company (not of a fund), e.g. IBM.
    fulldata: True for up to 65 trading days instead of 20.
    """
    company = find_company(symbol)
    return {
        "symbol": company["ticker"],
        "name": company["name"],
        "currency": company["currency"],
        "interval": "daily",
        "rows": [DailyBar(**row) for row in reversed(_past(world, symbol, 65 if fulldata else 20))],
    }


@tool(
    GROUP,
    examples=[{"symbol": "IBM"}],
    phrase="get the one-year weekly price series of the share whose ticker is {symbol}",
    noun="the weekly price series",
)
def get_stock_time_series_weekly(world: World, *, symbol: Ticker) -> ClosingSeries:
    """What a share cost at the end of each week of the last year, newest first; between ends of months mostly simulated.

    symbol: Ticker of a large company (not of a fund), e.g. IBM.
    """
    return _closes(symbol, "weekly", weekly(_past(world, symbol, 270))[-53:])


@tool(
    GROUP,
    examples=[{"symbol": "TSLA"}],
    phrase="get the five-year monthly price series of the share whose ticker is {symbol}",
    noun="the monthly price series",
)
def get_stock_time_series_monthly(world: World, *, symbol: Ticker) -> ClosingSeries:
    """What a share cost at the end of each month, newest first: of many the last year, of the best known up to five years;
    prices of the less known are simulated.

    symbol: Ticker of a large company (not of a fund), e.g. TSLA.
    """
    months = monthly(_past(world, symbol, 1330))[-60:]
    return _closes(symbol, "monthly", _on_record(find_company(symbol)["ticker"], months))


@tool(
    GROUP,
    examples=[{"symbol": "IBM"}],
    phrase="get the latest price, volume and change of the one share whose ticker is {symbol}",
    noun="the share's latest quote",
)
def get_stock_quote_endpoint(world: World, *, symbol: Ticker) -> StockQuote:
    """The last closing price of a share with its change against the close before; volumes, and prices of the less known, are
    simulated.

    symbol: Ticker of a large company (not of a fund), e.g. IBM.
    """
    company = find_company(symbol)
    now: Quote = quote(world, find_instrument(company["ticker"]))
    return {
        "symbol": company["ticker"],
        "currency": company["currency"],
        "latest_trading_day": now["date"],
        "price": now["price"],
        "volume": now["volume"],
        "previous_close": now["previous_close"],
        "change": now["change"],
        "change_percent": now["change_percent"],
    }


@tool(
    GROUP,
    examples=[{"keywords": "tesla"}, {"keywords": "motor"}],
    phrase="search stock ticker symbols with {keywords} as the keywords",
    noun="the ticker search results",
    jobs=("symbols",),
)
def get_stock_symbol_search_endpoint(*, keywords: CompanyName) -> list[SymbolMatch]:
    """Companies whose ticker or name fits some words; at most ten, empty when none does.

    keywords: Ticker, name or the beginning of one.
    """
    wanted = plain(keywords)[:100]
    if not wanted:
        raise invalid("keywords", keywords, "want a ticker, a name or the beginning of one, e.g. tesla")
    return [
        SymbolMatch(
            symbol=row["ticker"],
            name=row["name"],
            currency=row["currency"],
        )
        for row in _matching(wanted) or _misspelt(wanted)
    ]


def _matching(wanted: str) -> list[Company]:
    """The company that is named, some whose ticker begins so, and those with the words in their name, best first.

    Those whose price is not on record are there only when the words are their ticker or name, or fit nothing else.
    """
    found: Sequence[Company] = search_companies(wanted, _LOOKED_AT)
    if len(wanted) < _SHORT and wanted.isalnum():
        exact = [row for row in found if _likeness(wanted, row) == 1.0]
        found = [*exact, *ticker_begins(wanted, 10), *found]
    found = _worth_telling(found, wanted)
    rows: dict[str, Company] = {}
    for row in found:
        rows.setdefault(row["ticker"], row)
    known = {row["ticker"] for row in companies()}
    return sorted(
        rows.values(),
        key=lambda row: (
            -_likeness(wanted, row),
            row["ticker"] not in known,
            len(wanted) < _SHORT and ("." in row["ticker"] or not has_price(row["ticker"])),
            row["exchange"] == "OTC",
            not plain(row["name"]).startswith(wanted),
        ),
    )[:10]


def _worth_telling(found: Sequence[Company], wanted: str) -> Sequence[Company]:
    """Those with a price on record; without one that is called so, others that are; else all, or the listed ones of them."""
    priced = [row for row in found if has_price(row["ticker"])]
    priced += [row for row in found if row not in priced and any(_is_class_of(row, one) for one in priced)]
    if any(_likeness(wanted, row) == 1.0 for row in priced):
        return [*priced, *(row for row in found if row not in priced and plain(row["ticker"]) == wanted)]
    priced += [row for row in found if row not in priced and _likeness(wanted, row) == 1.0]
    return priced or [row for row in found if row["exchange"] != "OTC"] or found


def _is_class_of(row: Company, other: Company) -> bool:
    """Whether two listed shares are classes of one company: BRK.A and BRK.B."""
    one, two = (share["ticker"].partition(".") for share in (row, other))
    same = one[0] == two[0] and len(one[2]) == len(two[2]) == 1
    return same and row["name"] == other["name"] and row["exchange"] == other["exchange"] != "OTC"


def _likeness(wanted: str, row: Company) -> float:
    from rapidfuzz import fuzz

    name = plain(row["name"]).replace("-", " ")
    if wanted in (plain(row["ticker"]), plain(row["name"]), short_name(row["name"]), short_name(name)):
        return 1.0
    dealt = row["exchange"] == "OTC"
    if len(wanted) < _SHORT and not dealt and row["ticker"].lower().startswith(wanted):
        return 0.995
    if " " in wanted and name.removeprefix("the ").startswith(f"{wanted} "):
        return 0.995
    return round(max(0.8, fuzz.partial_ratio(wanted, name) / 100 - 0.01), 4)


def _misspelt(wanted: str) -> list[Company]:
    """Well-known companies that are written almost like this."""
    from rapidfuzz import fuzz

    alike = (
        [(fuzz.ratio(wanted, short_name(row["name"])), row) for row in companies()] if len(wanted) > 3 else []
    )
    return [row for score, row in sorted(alike, key=lambda pair: -pair[0]) if score >= ALIKE][:10]


@tool(
    GROUP,
    examples=[{}],
    phrase="find out which of the large markets in the world are open now",
    noun="the status of the world's markets",
    jobs=("market hours",),
)
def get_global_market_open_and_close_status(world: World) -> list[MarketStatus]:
    """Whether the large markets for shares, currencies and coins are open now, with their local hours."""
    return [
        MarketStatus(
            market_type=row["market_type"],
            region=row["region"],
            primary_exchanges=row["exchanges"],
            local_open=row["opens"],
            local_close=row["closes"],
            time_zone=row["time_zone"],
            current_status="open" if row["is_open"] else "closed",
        )
        for row in market_hours(world.now)
    ]
