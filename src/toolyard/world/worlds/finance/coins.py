"""Coins and the exchanges that trade them: public facts, with prices and volumes as seeded processes.

{"id": 1027, "symbol": "ETH", "name": "Ethereum", "slug": "ethereum", "platform": None, "price": 3037.0, ...}
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, TypedDict

from toolyard.world import seeds, series
from toolyard.world.derived import derived
from toolyard.world.faults import not_found
from toolyard.world.price_tables import coin_now, known_prices
from toolyard.world.reference.packed import packed
from toolyard.world.state import World
from toolyard.world.tables import fold, read_table
from toolyard.world.types import CryptoSymbol, IsoDate, Semantic

CoinId = Annotated[int, Semantic("coin_id")]
CoinSlug = Annotated[str, Semantic("coin_slug")]
CoinExchangeId = Annotated[int, Semantic("coin_exchange_id")]
CoinExchangeSlug = Annotated[str, Semantic("coin_exchange_slug")]
ContractAddress = Annotated[str, Semantic("contract_address")]
COIN_PRICES_FROM = date(2010, 1, 1)
STABLE = frozenset({"USDT", "USDC", "DAI", "TUSD", "FDUSD", "BUSD"})


class Coin(TypedDict):
    """A coin or token; `price` is that of the morning of 15 May 2024 in US dollars, supplies are whole coins."""

    id: CoinId
    symbol: CryptoSymbol
    name: str
    slug: CoinSlug
    price: float
    circulating_supply: float
    max_supply: float | None
    platform: str | None
    contract: str | None
    date_added: IsoDate
    status: str
    tags: list[str]


class CoinExchange(TypedDict):
    """A place where coins are traded; `share` is its part of the world's volume."""

    id: CoinExchangeId
    slug: CoinExchangeSlug
    name: str
    date_launched: IsoDate
    country: str
    share: float
    status: str


@functools.cache
def coins() -> tuple[Coin, ...]:
    """The listed coins, in the order of the file (about by market value)."""
    return tuple(map(_coin, read_table("coins.tsv")))


@functools.cache
def more_coins() -> tuple[Coin, ...]:
    """Further well-known coins, of which it is not on record where they are traded."""
    return tuple(map(_coin, read_table("more_coins.tsv")))


@functools.cache
def listed_coins() -> tuple[Coin, ...]:
    """All coins of lists, ranks and categories; a wrapped or staked coin counts as the coin that it stands for."""
    return tuple(
        row for row in (*coins(), *more_coins()) if not {"wrapped-tokens", "liquid-staking"} & {*row["tags"]}
    )


# Where tokens live on Ethereum, of those whose address is common knowledge.
_CONTRACTS = {
    "USDT": "0xdac17f958d2ee523a2206206994597c13d831ec7", "USDC": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    "LINK": "0x514910771af9ca656af840dff83e8264ecf986ca", "UNI": "0x1f9840a85d5af5bf1d1762f925bdaddc4201f984",
    "DAI": "0x6b175474e89094c44da98b954eedeac495271d0f", "SHIB": "0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce",
    "WBTC": "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", "MATIC": "0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0",
    "AAVE": "0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9", "MKR": "0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2",
    "GRT": "0xc944e90c64b2c07662a292be6244bdf05cda44a7", "PEPE": "0x6982508145454ce325ddbe47a25d4ec3d2311933",
    "SAND": "0x3845badade8e6dff049820680d1f14bd3903a5d0", "MANA": "0x0f5d2fb29fb7d3cfee444a200298f468908cc942",
    "AXS": "0xbb0e17ef65f82ab018d8edd776e8dd940327b28b",
}  # fmt: skip


def _coin(row: Mapping[str, str]) -> Coin:
    return Coin(
        id=int(row["id"]),
        symbol=row["symbol"],
        name=row["name"],
        slug=row["slug"],
        price=coin_now(row["symbol"], float(row["price"])),
        circulating_supply=round(float(row["supply"]) * 1e6, 2),
        max_supply=round(float(row["max_supply"]) * 1e6, 2) if row["max_supply"] else None,
        platform=row["platform"] or None,
        contract=_CONTRACTS.get(row["symbol"]) if row["platform"] else None,
        date_added=row["added"],
        status=row["status"],
        tags=row["tags"].split(","),
    )


@functools.cache
def coin_exchanges() -> tuple[CoinExchange, ...]:
    """All coin exchanges, in the order of the file."""
    return tuple(
        CoinExchange(
            id=int(row["id"]),
            slug=row["slug"],
            name=row["name"],
            date_launched=row["launched"],
            country=row["country"],
            share=float(row["share"]),
            status=row["status"],
        )
        for row in read_table("coin_exchanges.tsv")
    )


@functools.cache
def _by_symbol() -> dict[str, Coin]:
    found: dict[str, Coin] = {}
    for row in (*coins(), *more_coins()):
        found.setdefault(row["symbol"], row)
    return found


# Ids of coins that have a name but no row begin here; real ones are smaller.
FIRST_OTHER_ID = 1_000_000


def _slug(name: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", name.lower()))


def _other(place: int) -> Coin:
    """A coin of which only symbol and name are known; price, supply and date are simulated, the same in every world."""
    symbol, name = packed("coin_names")[place]
    if symbol in _by_symbol():
        return _by_symbol()[symbol]
    return derived(0, "coin", symbol, lambda chance: Coin(
        id=FIRST_OTHER_ID + place, symbol=symbol, name=name, slug=_slug(name) or symbol.lower(),
        price=float(f"{10 ** chance.uniform(-4, 0.8):.4g}"), circulating_supply=float(round(10 ** chance.uniform(6.5, 9.3))),
        max_supply=None, platform=None, contract=None,
        date_added=date(2014 + int(9 * chance.random()), 1 + int(12 * chance.random()), 1).isoformat(),
        status="active", tags=["altcoin"],
    ))  # fmt: skip


@functools.cache
def _other_slugs() -> dict[str, int]:
    found: dict[str, int] = {}
    for place, (_, name) in enumerate(packed("coin_names")):
        found.setdefault(_slug(name), place)
    return found


def other_coin(key: str, value: object) -> Coin | None:
    """A coin beyond the table by its id, slug or symbol; None if nobody lists one."""
    known = next((row for row in more_coins() if fold(row[key]) == fold(value)), None)  # type: ignore[literal-required]
    if known is not None:
        return known
    table, text = packed("coin_names"), str(value).strip()
    if key == "id":
        number = int(text) - FIRST_OTHER_ID
        return _other(number) if 0 <= number < len(table) else None
    if key == "slug":
        found = _other_slugs().get(text.lower())
        return None if found is None else _other(found)
    place = table.place(text.upper())
    return _other(place) if place < len(table) and table[place][0] == text.upper() else None


def coin_of(symbol: str) -> Coin | None:
    """The coin with this symbol."""
    return _by_symbol().get(symbol) or other_coin("symbol", symbol)


def priced_coin(symbol: str) -> Coin | None:
    """The coin that a rate is asked for; three letters are a currency's code unless they are those of a well-known coin."""
    return _by_symbol().get(symbol) if len(symbol) == 3 else coin_of(symbol)


# Tokens that are worth what another coin is, and gold, which moves little and does not follow the coins.
_FOLLOWS = {"WBTC": "BTC", "STETH": "ETH"}
_CALM = {"PAXG": 0.13}


def coin_bars(seed: int, symbol: str) -> series.Bars:
    """Daily bars of an active coin in US dollars, oldest first."""
    if symbol in _FOLLOWS:
        return coin_bars(seed, _FOLLOWS[symbol])
    row = coin_of(symbol)
    if row is None or not row["price"]:
        known = [name for name, coin in _by_symbol().items() if coin["price"]]
        raise not_found("active coin with symbol", symbol, known=known)
    large = row["price"] * row["circulating_supply"] > 5e9
    usual = (0.55 if large else 0.7) + 0.2 * seeds.unit("coin", symbol)
    volatility = 0.004 if symbol in STABLE else _CALM.get(symbol, usual)
    traded = row["price"] * row["circulating_supply"] * (0.3 if symbol in STABLE else 0.03)
    return series.bars(
        seed,
        f"COIN:{symbol}",
        anchor=row["price"],
        volatility=volatility,
        every_day=symbol not in _CALM,
        volume=traded,
    )


class CoinQuote(TypedDict):
    """What a coin is worth now, in US dollars; a change is None where the price of that day is not on record."""

    price: float
    volume_24h: int
    percent_change_1h: float
    percent_change_24h: float
    percent_change_7d: float | None
    percent_change_30d: float | None
    market_cap: int


def coin_quote(world: World, row: Coin) -> CoinQuote:
    """The present quote; all zero for a coin that is not traded."""
    if row["status"] != "active":
        return CoinQuote(
            price=0.0,
            volume_24h=0,
            percent_change_1h=0.0,
            percent_change_24h=0.0,
            percent_change_7d=0.0,
            percent_change_30d=0.0,
            market_cap=0,
        )
    return _quote(world.seed, row["symbol"], world.today, row["circulating_supply"], row["price"])


@functools.lru_cache(maxsize=1024)
def _quote(seed: int, symbol: str, today: date, supply: float, usual: float) -> CoinQuote:
    past = coin_bars(seed, symbol).until(today)
    price = past[-1]["close"]
    hour = (seeds.unit(seed, "hour", symbol, today) - 0.5) * 1.2
    return CoinQuote(
        price=price,
        volume_24h=_volume(seed, symbol, usual * supply, today),
        percent_change_1h=round(hour * (0.01 if symbol in STABLE else 1.0), 2) + 0.0,
        percent_change_24h=change(past[-2]["close"], price),
        percent_change_7d=_since(symbol, past[-8], price),
        percent_change_30d=_since(symbol, past[-31], price),
        market_cap=round(price * supply),
    )


def _since(symbol: str, before: series.Bar, price: float) -> float | None:
    """The change since a day in per cent; None where it is not on record what the coin cost on that day."""
    known = known_prices().get(f"COIN:{_FOLLOWS.get(symbol, symbol)}")
    on_record = symbol in STABLE or (known is not None and before["date"] in known.closes)
    return change(before["close"], price) if on_record else None


def change(before: float, after: float) -> float:
    """Change in per cent; zero where the price before has no digits left."""
    return round(100 * (after / before - 1), 2) + 0.0 if before else 0.0


def coin_volume(world: World, row: Coin, day: date) -> int:
    """Dollars traded on a day: some per cent of what all coins are worth."""
    return _volume(world.seed, row["symbol"], row["price"] * row["circulating_supply"], day)


# What part of their worth is traded on a day, of coins that are traded much more or much less than others.
_TURNOVER = {
    "USDT": 0.5, "USDC": 0.2, "DAI": 0.06, "FDUSD": 1.6, "TUSD": 0.1, "BUSD": 0.15, "BTC": 0.023, "BNB": 0.02, "SOL": 0.035,
    "XRP": 0.04, "DOGE": 0.075, "TON": 0.013, "SHIB": 0.045, "PEPE": 0.5, "WIF": 0.25, "BONK": 0.3, "FLOKI": 0.35,
    "LEO": 0.0004, "OKB": 0.003, "CRO": 0.004, "KCS": 0.001, "MNT": 0.04, "BGB": 0.02, "NEXO": 0.006, "LTC": 0.06,
    "ETC": 0.06, "LINK": 0.05, "NEAR": 0.06, "FIL": 0.06, "ORDI": 0.25, "WLD": 0.3, "ENA": 0.2, "JUP": 0.12, "FET": 0.12,
    "RNDR": 0.07, "ARB": 0.09, "OP": 0.08, "SUI": 0.07, "BOME": 0.4, "XMR": 0.025, "XDC": 0.015, "GNO": 0.008, "PAXG": 0.015,
    "STETH": 0.004, "WBTC": 0.02, "HNT": 0.012, "BSV": 0.03, "KAS": 0.02, "TRX": 0.025, "ADA": 0.022, "UNI": 0.03,
}  # fmt: skip


def _volume(seed: int, symbol: str, worth: float, day: date) -> int:
    usual = _TURNOVER.get(symbol, 0.04)
    return round(worth * usual * math.exp(seeds.unit(seed, "volume", symbol, day) - 0.5))


def volume_over(world: World, row: Coin, days: int) -> int:
    """Dollars traded during the last so many days."""
    if row["status"] != "active":
        return 0
    return sum(coin_volume(world, row, world.today - timedelta(days=n)) for n in range(days))


# What exchanges did not list in May 2024, of coins that nearly all others had; and all that a small one had.
_NOT_LISTED = {
    "binance": "XMR CRO", "coinbase-exchange": "BNB TRX TON XMR SC PEPE", "kraken": "BNB TON VET HBAR CRO AR",
    "okx": "XMR BNB ZEC DASH SC VET", "bybit": "XMR ZEC DASH SC", "bitfinex": "BNB VET HBAR CRO AR SC OP",
    "kucoin": "", "gate-io": "", "htx": "", "poloniex": "CRO HBAR", "bitget": "XMR SC", "mexc": "",
    "crypto-com-exchange": "BNB XMR TRX SC ZEC DASH",
}  # fmt: skip
_ALL_LISTED = {
    "bitstamp": "BTC ETH USDT USDC XRP DOGE ADA AVAX SHIB DOT LINK BCH MATIC NEAR LTC DAI UNI HBAR XLM MKR AAVE GRT ALGO "
    "SAND MANA AXS PEPE SOL",
    "gemini": "BTC ETH USDT USDC DOGE XRP SOL AVAX SHIB LINK BCH MATIC LTC DAI UNI FIL MKR AAVE GRT SAND MANA AXS ZEC PEPE "
    "DOT ATOM",
    "upbit": "BTC ETH USDT XRP SOL DOGE ADA AVAX SHIB DOT TRX LINK BCH MATIC NEAR ETC HBAR APT ATOM XLM CRO ARB VET AAVE "
    "GRT ALGO SAND MANA AXS EOS SC",
    "bithumb": "BTC ETH USDT USDC BNB XRP SOL DOGE ADA AVAX SHIB DOT TRX LINK BCH MATIC LTC UNI ETC HBAR APT ATOM XLM ARB "
    "VET MKR OP AAVE GRT ALGO SAND MANA AXS EOS PEPE ICP FIL CRO",
    "bitflyer": "BTC ETH XRP SHIB DOGE BCH MATIC LINK LTC DOT AVAX ETC XLM SAND MANA AXS MKR",
}


def trades(row: CoinExchange, coin: Coin) -> bool:
    """Whether an exchange lists a coin; the large ones list nearly all."""
    if row["status"] != "active" or coin["status"] != "active":
        return False
    if row["slug"] in _ALL_LISTED:
        return coin["symbol"] in _ALL_LISTED[row["slug"]].split()
    return coin["symbol"] not in _NOT_LISTED[row["slug"]].split()


@functools.cache
def _sites() -> Mapping[str, str]:
    return {row["slug"]: row["site"] for row in read_table("coin_sites.tsv")}


def sites_of(slug: str) -> list[str]:
    """The website of a coin or an exchange, in a list; none where it is not on record."""
    return [f"https://{_sites()[slug]}"] if slug in _sites() else []
