"""Everything that has a symbol and a price: shares, indices, funds, futures, currency pairs and coins."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Literal, TypedDict

from toolyard.world import series
from toolyard.world.faults import not_found
from toolyard.world.market_days import last_close
from toolyard.world.shared.companies import companies, company_or_none, prices
from toolyard.world.shared.geography import currencies, find_country, plain, read_table
from toolyard.world.shared.listed import Company, directory, has_known_price, listed
from toolyard.world.state import World
from toolyard.world.types import CurrencyCode, ExchangeCode, Semantic
from toolyard.world.worlds.finance.coins import Coin, coin_bars, coin_of, coins
from toolyard.world.worlds.finance.commodities import followed_by, future_bars
from toolyard.world.worlds.finance.rates import pair_bars

Kind = Literal["EQUITY", "INDEX", "ETF", "MUTUALFUND", "FUTURE", "CURRENCY", "CRYPTOCURRENCY"]
Region = Annotated[
    Literal["US", "BR", "AU", "CA", "FR", "DE", "HK", "IN", "IT", "ES", "GB", "SG"], Semantic("market_region")
]
# Any symbol at all; a company's ticker is one, and so is that of a fund or an index.
QuoteSymbol = Annotated[str, Semantic("quote_symbol", accepts=("ticker", "fund_symbol", "index_symbol"))]
AnySymbol = Annotated[str, Semantic("quote_symbol")]
# A mixed list that a search for a company's name begins with that company's ticker.
FoundSymbol = Annotated[str, Semantic("quote_symbol", is_a=("ticker",))]
FundSymbol = Annotated[str, Semantic("fund_symbol")]
IndexSymbol = Annotated[str, Semantic("index_symbol")]
_PAIRS = ("EURUSD", "GBPUSD", "USDJPY", "AUDUSD", "USDCAD", "USDCNY", "USDINR", "EURGBP", "USDBRL", "USDHKD")
_REGION_OF_EXCHANGE = {"XETRA": "DE", "EURONEXT": "FR", "NSE": "IN", "ASX": "AU", "SGX": "SG", "BME": "ES",
                       "MIL": "IT", "HKEX": "HK", "LSE": "GB", "TSX": "CA", "B3": "BR", "TSE": "JP", "SIX": "CH",
                       "STO": "SE", "HEL": "FI", "KRX": "KR", "TWSE": "TW", "SSE": "CN", "SZSE": "CN", "BMV": "MX",
                       "JSE": "ZA", "TADAWUL": "SA", "CPH": "DK", "OSL": "NO", "VIE": "AT", "WSE": "PL",
                       "BIST": "TR"}  # fmt: skip


class Instrument(TypedDict):
    """Something with a price; `country` is where a company is at home, else the region of its market."""

    symbol: AnySymbol
    name: str
    kind: Kind
    region: str
    country: str
    exchange: ExchangeCode
    currency: CurrencyCode
    price: float
    volatility: float


@functools.cache
def instruments() -> tuple[Instrument, ...]:
    """All of them: companies first, then indices, funds and futures, pairs, coins."""
    shares = [share(row) for row in companies()]
    listed = [_listed(row) for row in read_table("instruments.tsv")]
    pairs = [_pair(pair[:3], pair[3:]) for pair in _PAIRS]
    return (*shares, *listed, *pairs, *(_coin(row) for row in coins() if row["status"] == "active"))


def _listed(row: Mapping[str, str]) -> Instrument:
    return Instrument(
        symbol=row["symbol"],
        name=row["name"],
        kind=row["kind"],  # type: ignore[typeddict-item]  # the table is checked by a test
        region=row["region"],
        country=row["region"],
        exchange=row["exchange"],
        currency=row["currency"],
        price=float(row["price"]),
        volatility=float(row["volatility"]),
    )


def _coin(coin: Coin) -> Instrument:
    row = _pair(coin["symbol"], "USD")
    symbol, name = f"{coin['symbol']}-USD", f"{coin['name']} USD"
    return {
        **row,
        "symbol": symbol,
        "name": name,
        "kind": "CRYPTOCURRENCY",
        "exchange": "CCC",
        "price": coin["price"],
    }


def _pair(source: str, target: str) -> Instrument:
    return Instrument(
        symbol=f"{source}{target}=X",
        name=f"{source}/{target}",
        kind="CURRENCY",
        region="US",
        country="US",
        exchange="CCY",
        currency=target,
        price=0.0,
        volatility=0.0,
    )


def share(row: Company) -> Instrument:
    """The share of a company."""
    return Instrument(
        symbol=row["ticker"],
        name=row["name"],
        kind="EQUITY",
        region=_REGION_OF_EXCHANGE.get(row["exchange"], "US"),
        country=find_country(row["country"])["code"],
        exchange=row["exchange"],
        currency=row["currency"],
        price=row["price"],
        volatility=0.0,
    )


@functools.cache
def more_instruments() -> tuple[Instrument, ...]:
    """Further indices, funds and futures, which can be found but are in no list."""
    return tuple(_listed(row) for row in read_table("more_instruments.tsv"))


@functools.cache
def _by_key() -> dict[str, Instrument]:
    found: dict[str, Instrument] = {}
    for row in (*instruments(), *more_instruments()):
        found.setdefault(plain(row["symbol"]), row)
        found.setdefault(plain(row["name"]), row)
    return found


def find_instrument(wanted: str) -> Instrument:
    """The instrument of a symbol or name ("EURUSD=X" and "Apple" will do); a not_found fault otherwise."""
    row = _by_key().get(plain(wanted))
    if row is not None:
        return row
    symbol = wanted.strip().upper()
    codes = {currency["code"] for currency in currencies()}
    if len(symbol) == 8 and symbol.endswith("=X") and {symbol[:3], symbol[3:6]} <= codes:
        return _pair(symbol[:3], symbol[3:6])
    coin = coin_of(symbol.removesuffix("-USD")) if symbol.endswith("-USD") else None
    if coin is not None:
        return _coin(coin)
    company = company_or_none(wanted)
    if company is not None:
        return share(company)
    raise not_found(
        "symbol",
        wanted,
        known=[row["symbol"] for row in instruments()],
        listed_by="Finance/Yahoo_Finance_market/get_autocomplete",
    )


def in_region(region: str) -> list[Instrument]:
    """What is traded in a region; shares by market value, the best known before others."""
    rows = [row for row in instruments() if row["region"] == region]
    worth = {row["ticker"]: row["price"] * row["shares"] for row in companies()}
    rows.sort(key=lambda row: (row["kind"] != "EQUITY", -worth.get(row["symbol"], 0)))
    known = {row["symbol"] for row in rows}
    return [*(row for row in _traded_abroad(region) if row["symbol"] not in known), *rows]


@functools.cache
def _traded_abroad(region: str) -> tuple[Instrument, ...]:
    """Large shares of another market than the American one, under the symbols that they have there."""
    if region == "US":
        return ()
    rows = (
        row
        for row in directory().rows
        if _REGION_OF_EXCHANGE.get(row["exchange"]) == region and has_known_price(row["ticker"])
    )
    return tuple(share(listed(row)) for row in itertools.islice(rows, 25))


def history(world: World, row: Instrument, count: int, last: date | None = None) -> Sequence[series.Bar]:
    """The last `count` daily bars up to today (or a day before it), oldest first."""
    running = row["kind"] in ("CURRENCY", "CRYPTOCURRENCY")
    newest = world.today if running else last_close(world.now)
    day = min(last or newest, newest)
    if row["kind"] == "CURRENCY":
        return pair_bars(world.seed, row["symbol"][:3], row["symbol"][3:6], day, count)
    if row["kind"] == "EQUITY":
        bars = prices(world.seed, row["symbol"])
    elif row["kind"] == "CRYPTOCURRENCY":
        bars = coin_bars(world.seed, row["symbol"].removesuffix("-USD"))
    else:
        commodity = followed_by(row["symbol"]) if row["kind"] == "FUTURE" else None
        if commodity is not None:
            return future_bars(world.seed, commodity, day, count)
        bars = series.bars(world.seed, row["symbol"], anchor=row["price"], volatility=row["volatility"])
    past = bars.until(day)
    return past[max(0, len(past) - count) :]


class Quote(TypedDict):
    """The latest price against the close before it."""

    price: float
    previous_close: float
    change: float
    change_percent: float
    open: float
    day_high: float
    day_low: float
    volume: int
    date: str


def quote(world: World, row: Instrument) -> Quote:
    """The quote of the last trading day up to today."""
    before, now = history(world, row, 2)
    digits = 5 if row["kind"] == "CURRENCY" else 2 if row["price"] >= 1 else 10
    return Quote(
        price=now["close"],
        previous_close=before["close"],
        change=round(now["close"] - before["close"], digits),
        change_percent=round(100 * (now["close"] / before["close"] - 1), 2) if before["close"] else 0.0,
        open=now["open"],
        day_high=now["high"],
        day_low=now["low"],
        volume=now["volume"],
        date=now["date"],
    )


# What funds that everybody knows held most of in May 2024, in per cent.
_SP500 = "MSFT 6.9 AAPL 6.4 NVDA 5.2 AMZN 3.8 META 2.3 GOOGL 2.2 BRK.B 1.7 LLY 1.4 AVGO 1.3 JPM 1.3"
_WHOLE_MARKET = "MSFT 6.0 AAPL 5.4 NVDA 4.5 AMZN 3.3 META 2.0 GOOGL 1.9 BRK.B 1.5 LLY 1.2 AVGO 1.2 JPM 1.2"
_NASDAQ = "MSFT 8.6 AAPL 8.2 NVDA 6.8 AMZN 5.2 META 4.6 AVGO 4.4 GOOGL 2.8 COST 2.5 TSLA 2.4 AMD 1.9"
_POSITIONS = {
    "SPY": _SP500, "VFIAX": _SP500, "FXAIX": _SP500, "VOO": _SP500, "IVV": _SP500, "VTI": _WHOLE_MARKET,
    "VTSAX": _WHOLE_MARKET, "ITOT": _WHOLE_MARKET, "QQQ": _NASDAQ, "QQQM": _NASDAQ,
    "XLK": "MSFT 22.0 AAPL 20.0 NVDA 6.0 AVGO 4.9 AMD 3.1 CRM 2.9 QCOM 2.7 ADBE 2.6 ORCL 2.4 CSCO 2.2",
    "VNQ": "PLD 6.9 AMT 5.8 EQIX 4.9 WELL 3.8 SPG 3.2 PSA 3.1 DLR 3.1 O 3.1 CCI 2.9 EXR 2.1",
    "FCNTX": "META 12.6 NVDA 8.8 BRK.B 8.4 MSFT 6.6 AMZN 6.0", "AGTHX": "MSFT 6.3 META 5.4 AMZN 4.3 NVDA 4.0",
    "IWM": "SMCI 1.6",
}  # fmt: skip


def largest_positions(symbol: str) -> list[tuple[str, float]]:
    """Ticker and per cent of the largest shares of a fund; none of bonds, metals and coins, or where they are not known."""
    parts = _POSITIONS.get(find_instrument(symbol)["symbol"], "").split()
    return [(ticker, float(percent)) for ticker, percent in zip(parts[::2], parts[1::2], strict=True)]
