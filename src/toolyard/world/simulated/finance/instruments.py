"""Everything that has a symbol and a price: shares, indices, funds, futures, currency pairs and coins."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Literal, cast

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain, read_record, read_table, table_texts
from toolyard.world.kernel.types import Semantic
from toolyard.world.reference.companies import companies, company_or_none
from toolyard.world.reference.listed_companies import Company, company_by_index, directory
from toolyard.world.reference.market_days import last_close
from toolyard.world.reference.places.geography import currencies, find_country
from toolyard.world.simulated import series
from toolyard.world.simulated.finance.bars import AROUND_THE_CLOCK, NEW_YORK
from toolyard.world.simulated.finance.coins import Coin, coin_bars, coin_by_symbol, listed_coins
from toolyard.world.simulated.finance.markets import region_of_exchange, region_session
from toolyard.world.simulated.finance.rates import pair_bars
from toolyard.world.simulated.prices import Kind, level, path, share_bars, share_level

Region = Annotated[
    Literal["US", "BR", "AU", "CA", "FR", "DE", "HK", "IN", "IT", "ES", "GB", "SG"], Semantic("market_region")
]
# Any symbol at all; a company's ticker is one, and so is that of a fund or an index.
QuoteSymbol = Annotated[str, Semantic("quote_symbol", accepts=("ticker", "fund_symbol", "index_symbol"))]
# A mixed list that a search for a company's name begins with that company's ticker.
FoundSymbol = Annotated[str, Semantic("quote_symbol", is_a=("ticker",))]
# One of a list in which there may be no company at all.
ListedSymbol = Annotated[str, Semantic("quote_symbol")]
FundSymbol = Annotated[str, Semantic("fund_symbol")]
IndexSymbol = Annotated[str, Semantic("index_symbol")]
_PAIRS = ("EURUSD", "GBPUSD", "USDJPY", "AUDUSD", "USDCAD", "USDCNY", "USDINR", "EURGBP", "USDBRL", "USDHKD")
# So many companies of another market than the American one are in its lists.
_LARGEST = 25


@dataclass(frozen=True, slots=True)
class Instrument:
    """Something with a price; `country` is where a company is at home, else the region of its market."""

    symbol: str
    name: str
    kind: Kind
    region: str
    country: str
    exchange: str
    currency: str

    @property
    def ceaseless(self) -> bool:
        """Whether it is traded when exchanges are closed, too."""
        return self.kind in ("CURRENCY", "CRYPTOCURRENCY")

    @property
    def coin(self) -> Coin:
        """The coin that it is."""
        return cast("Coin", coin_by_symbol(self.symbol.removesuffix("-USD")))


def share(row: Company) -> Instrument:
    """The share of a company."""
    region = region_of_exchange().get(row["exchange"], "US")
    home = find_country(row["country"])["code"]
    return Instrument(row["ticker"], row["name"], "EQUITY", region, home, row["exchange"], row["currency"])


def _coin(row: Coin) -> Instrument:
    return Instrument(f"{row.symbol}-USD", f"{row.name} USD", "CRYPTOCURRENCY", "US", "US", "CCC", "USD")


def _currency_pair(source: str, target: str) -> Instrument:
    return Instrument(f"{source}{target}=X", f"{source}/{target}", "CURRENCY", "US", "US", "CCY", target)


@functools.cache
def all_instruments() -> tuple[Instrument, ...]:
    """All but the shares beyond the best known: companies first, then indices, funds and futures, pairs, coins."""
    listed = (read_record(Instrument, row, country=row["region"]) for row in read_table("instruments.tsv"))
    pairs = (_currency_pair(pair[:3], pair[3:]) for pair in _PAIRS)
    return (*map(share, companies()), *listed, *pairs, *(_coin(row) for row in listed_coins() if row.active))


@functools.cache
def _instruments_by_key() -> dict[str, Instrument]:
    found: dict[str, Instrument] = {}
    for row in all_instruments():
        found.setdefault(plain(row.symbol), row)
        found.setdefault(plain(row.name), row)
    return found


def _pair_or_coin(symbol: str) -> Instrument | None:
    """The currency pair or coin of a symbol: EURUSD=X, JPY=X, ETH-USD."""
    codes = {currency["code"] for currency in currencies()}
    pair = symbol.removesuffix("=X") if symbol.endswith("=X") else ""
    if len(pair) == 6 and {pair[:3], pair[3:]} <= codes:
        return _currency_pair(pair[:3], pair[3:])
    if pair in codes - {"USD"}:
        return _currency_pair("USD", pair)
    coin = coin_by_symbol(symbol.removesuffix("-USD")) if symbol.endswith("-USD") else None
    return _coin(coin) if coin is not None and coin.active else None


def find_instrument(wanted: str) -> Instrument:
    """The instrument of a symbol or name ("EURUSD=X" and "Apple" will do); a not_found fault otherwise."""
    found = _instruments_by_key().get(plain(wanted)) or _pair_or_coin(wanted.strip().upper())
    if found is not None:
        return found
    company = company_or_none(wanted)
    if company is not None:
        return share(company)
    raise not_found(
        "symbol",
        wanted,
        known=[row.symbol for row in all_instruments()],
        count=len(all_instruments()) + len(directory().rows),
        listed_by="Finance/Yahoo_Finance_market/get_autocomplete",
    )


@functools.cache
def instruments_in_region(region: str) -> tuple[Instrument, ...]:
    """What is traded in a region: well-known and large shares first, then all else."""
    rows = [row for row in all_instruments() if row.region == region]
    known = {row.symbol for row in rows}
    places = (
        place
        for place, row in enumerate(directory().rows if region != "US" else ())
        if region_of_exchange().get(row["exchange"]) == region and row["ticker"] not in known
    )
    abroad = [share(company_by_index(place)) for _, place in zip(range(_LARGEST), places, strict=False)]
    shares = [row for row in rows if row.kind == "EQUITY"] + abroad
    return (*shares, *(row for row in rows if row.kind != "EQUITY"))


def last_full_day(world: World, row: Instrument) -> date:
    """The last day whose trading is over where something is traded."""
    abroad = series.symbol_calendar(row.symbol) == "elsewhere"
    return last_close(world.now, row.region if abroad else "")


def _daily_bars(seed: int, row: Instrument) -> series.Bars:
    if row.kind == "EQUITY":
        return share_bars(seed, row.symbol)
    if row.kind == "CRYPTOCURRENCY":
        return coin_bars(seed, row.coin)
    return series.Bars(path(seed, row.symbol, level(seed, row.symbol, row.kind, row.currency)))


def history(
    world: World, row: Instrument, count: int, last: date | None = None, running: bool = False
) -> Sequence[series.Bar]:
    """The last `count` daily bars that are over (or, `running`, with that of today so far), oldest first.

    `last` is a day before today to end with. Coins and currencies are traded when New York is closed, too.
    """
    newest = world.today - timedelta(days=0 if running else 1) if row.ceaseless else last_full_day(world, row)
    day = min(last or newest, newest)
    if row.kind == "CURRENCY":
        return pair_bars(row.symbol[:3], row.symbol[3:6], day, count)
    past = _daily_bars(world.seed, row).until(day)
    return past[max(0, len(past) - count) :]


def yearly_range(world: World, row: Instrument) -> tuple[float, float]:
    """The lowest and the highest price of the last 52 weeks, which are those of the daily bars."""
    start = (world.today - timedelta(days=366)).isoformat()
    bars = [bar for bar in history(world, row, 370) if bar["date"] >= start]
    return min(bar["low"] for bar in bars), max(bar["high"] for bar in bars)


def trading_hours(row: Instrument) -> tuple[int, int]:
    """The hours in which something is traded on a day."""
    if row.ceaseless:
        return AROUND_THE_CLOCK
    return region_session(row.region) if series.symbol_calendar(row.symbol) == "elsewhere" else NEW_YORK


def traded_hours(world: World, row: Instrument, day: str) -> tuple[int, int]:
    """The hours of a day: of today, where trade never rests, those up to now."""
    if row.ceaseless and day == world.today.isoformat():
        return 0, max(1, 60 * world.now.hour + world.now.minute)
    return trading_hours(row)


@dataclass(frozen=True, slots=True)
class Quote:
    """The latest price of something against the close before it."""

    of: Instrument
    price: float
    previous_close: float
    change: float
    change_percent: float
    volume: int
    date: str


def last_quote(world: World, row: Instrument) -> Quote:
    """The quote of the last trading day up to today."""
    before, now = (bar for bar in history(world, row, 2, running=True))
    return Quote(
        of=row,
        price=now["close"],
        previous_close=before["close"],
        change=round(
            now["close"] - before["close"], 5 if row.kind == "CURRENCY" else 8 if now["close"] < 1 else 2
        ),
        change_percent=round(100 * (now["close"] / before["close"] - 1), 2) + 0.0,
        volume=now["volume"],
        date=now["date"],
    )


def market_value(world: World, ticker: str) -> float:
    """What all shares of a company are worth at the last close, in millions of their currency."""
    return share_level(world.seed, ticker).shares * last_price(world, ticker)


def last_price(world: World, ticker: str) -> float:
    """The last close of a share."""
    return history(world, find_instrument(ticker), 1)[-1]["close"]


# Words in the names of funds that hold no shares.
_NO_SHARES = frozenset(
    "bond bonds treasury gold silver bitcoin ether oil gas commodity metals currency dollar".split()
)
_SECTORS = table_texts("instruments.sectors")


def largest_positions(world: World, symbol: str) -> tuple[Instrument, list[tuple[Company, float]]]:
    """A fund and its ten largest shares with their parts in per cent, largest first; a fault for what holds no shares."""
    row = find_instrument(symbol)
    said = set(plain(row.name).split())
    if row.kind not in ("ETF", "MUTUALFUND") or said & _NO_SHARES:
        raise invalid(
            "symbol", symbol, f"{row.name} is no fund of shares; try SPY, QQQ, VFIAX or another one"
        )
    sector = next(
        (sector for word, sector in _SECTORS.items() if any(one.startswith(word) for one in said)), ""
    )
    home = [one for one in instruments_in_region(row.region) if one.kind == "EQUITY"]
    held = [one for share in home if (one := company_or_none(share.symbol))]
    held = [one for one in held if sector in ("", one["sector"])] or held
    held.sort(key=lambda one: seeds.unit(world.seed, "held by", row.symbol, one["ticker"]))
    weights = sorted((2 + 8 * seeds.unit(world.seed, "part", row.symbol, n) for n in range(10)), reverse=True)
    return row, [(one, round(part, 1)) for one, part in zip(held, weights, strict=False)]
