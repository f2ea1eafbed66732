"""Everything that has a symbol and a price: shares, indices, funds, futures, currency pairs and coins."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds, series
from toolyard.world.faults import ToolFault, not_found
from toolyard.world.shared.companies import companies, find_company, prices
from toolyard.world.shared.geography import currencies, find_country, plain, read_table
from toolyard.world.state import World
from toolyard.world.types import CurrencyCode, ExchangeCode, Semantic
from toolyard.world.worlds.finance.coins import Coin, coin_bars, coins
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
                       "MIL": "IT", "HKEX": "HK"}  # fmt: skip


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
    shares = [_share(row["ticker"]) for row in companies()]
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


def _share(ticker: str) -> Instrument:
    row = find_company(ticker)
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
def _by_key() -> dict[str, Instrument]:
    found: dict[str, Instrument] = {}
    for row in instruments():
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
    try:
        return _by_key()[plain(find_company(wanted)["ticker"])]
    except ToolFault:
        raise not_found("symbol", wanted, known=("AAPL", "^GSPC", "SPY", "EURUSD=X", "BTC-USD")) from None


def in_region(region: str) -> list[Instrument]:
    """What is traded in a region, and shares of companies at home there; shares by market value."""
    rows = [row for row in instruments() if region in (row["region"], row["country"])]
    worth = {row["ticker"]: row["price"] * row["shares"] for row in companies()}
    return sorted(rows, key=lambda row: (row["kind"] != "EQUITY", -worth.get(row["symbol"], 0)))


def history(world: World, row: Instrument, count: int, last: date | None = None) -> Sequence[series.Bar]:
    """The last `count` daily bars up to today (or a day before it), oldest first."""
    day = min(last or world.today, world.today)
    if row["kind"] == "CURRENCY":
        return pair_bars(world.seed, row["symbol"][:3], row["symbol"][3:6], day, count)
    if row["kind"] == "EQUITY":
        bars = prices(world.seed, row["symbol"])
    elif row["kind"] == "CRYPTOCURRENCY":
        bars = coin_bars(world.seed, row["symbol"].removesuffix("-USD"))
    else:
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


@seeds.table
def _fund_weights(seed: int) -> dict[str, list[tuple[str, float]]]:
    """Fund -> its largest positions: the largest companies of its market, by value with a little chance."""
    found = {}
    for fund in instruments():
        if fund["kind"] in ("ETF", "MUTUALFUND"):
            home = [row for row in in_region(fund["region"]) if row["kind"] == "EQUITY"]
            shares = {row["ticker"]: row["price"] * row["shares"] for row in companies()}
            drawn = [(row["symbol"], shares[row["symbol"]] * (0.7 + 0.6 * seeds.unit(seed, fund["symbol"], row["symbol"])))
                     for row in home]  # fmt: skip
            drawn.sort(key=lambda pair: -pair[1])
            total = sum(worth for _, worth in drawn) * 1.4
            found[fund["symbol"]] = [(ticker, round(100 * worth / total, 2)) for ticker, worth in drawn[:10]]
    return found


def largest_positions(seed: int, symbol: str) -> list[tuple[str, float]]:
    """Ticker and per cent of the ten largest positions of a fund."""
    return _fund_weights(seed)[symbol]
