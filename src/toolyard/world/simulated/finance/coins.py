"""Coins and the exchanges that trade them: who exists, and from the seed what they are worth, hold and list."""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Annotated, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import fold_case, read_record, read_table
from toolyard.world.kernel.types import CryptoSymbol, Semantic
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.simulated.prices import Level, draw_between, level, path
from toolyard.world.simulated.series import Bars

CoinId = Annotated[int, Semantic("coin_id")]
CoinSlug = Annotated[str, Semantic("coin_slug")]
CoinExchangeId = Annotated[int, Semantic("coin_exchange_id")]
CoinExchangeSlug = Annotated[str, Semantic("coin_exchange_slug")]
ContractAddress = Annotated[str, Semantic("contract_address")]
# Ids of coins that have a name but no row begin here; real ones are smaller.
FIRST_OTHER_ID = 1_000_000
# What all units of a listed coin are worth, of a little known one, and what part of it is traded on a day.
WORTH, LITTLE, TURNOVER = (2e7, 9e11), (5e5, 1.9e7), (0.01, 0.3)
COINS_FROM = date(2014, 9, 17)


@dataclass(frozen=True, slots=True)
class Coin:
    """A coin or token."""

    id: int
    symbol: CryptoSymbol
    name: str
    slug: str
    max_supply: float | None
    platform: str | None
    date_added: str
    status: str
    tags: tuple[str, ...]
    contract: str | None = None

    @property
    def active(self) -> bool:
        """Whether it is still traded."""
        return self.status == "active"


@dataclass(frozen=True, slots=True)
class CoinExchange:
    """A place where coins are traded."""

    id: int
    slug: str
    name: str
    launched: str
    country: str
    status: str

    @property
    def active(self) -> bool:
        """Whether it is still open."""
        return self.status == "active"


def _read_coin(row: Mapping[str, str]) -> Coin:
    return read_record(
        Coin,
        row,
        max_supply=round(float(row["max_supply"]) * 1e6, 2) if row["max_supply"] else None,
        date_added=row["added"],
        tags=tuple(row["tags"].split(",")),
        contract=row["contract"]
        or (f"0x{seeds.token(40, 'contract', row['slug'])}" if row["platform"] else None),
    )


@functools.cache
def listed_coins() -> tuple[Coin, ...]:
    """All coins of lists, ranks and categories."""
    return tuple(map(_read_coin, (*read_table("coins.tsv"), *read_table("more_coins.tsv"))))


@functools.cache
def coin_exchanges() -> tuple[CoinExchange, ...]:
    """All coin exchanges, in the order of the file."""
    return tuple(read_record(CoinExchange, row) for row in read_table("coin_exchanges.tsv"))


def _name_slug(name: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", name.lower()))


@functools.cache
def _coins_by_key() -> Mapping[tuple[str, str], Coin]:
    """Key and folded value -> coin; the first of equal ones stays."""
    found: dict[tuple[str, str], Coin] = {}
    for row in listed_coins():
        for key in ("id", "slug", "symbol", "name"):
            found.setdefault((key, fold_case(getattr(row, key))), row)
    return found


@functools.cache
def _lesser_slugs() -> Mapping[str, int]:
    found: dict[str, int] = {}
    for place, (_, name) in enumerate(packed_table("coin_names")):
        found.setdefault(_name_slug(name), place)
    return found


def _lesser_coin(place: int) -> Coin:
    """A coin of which only symbol and name are known."""
    symbol, name = packed_table("coin_names")[place]
    added = date(2014 + seeds.number("added", symbol) % 9, 1 + seeds.number("month", symbol) % 12, 1)
    slug = _name_slug(name) or symbol.lower()
    return _coins_by_key().get(("symbol", fold_case(symbol))) or Coin(
        FIRST_OTHER_ID + place, symbol, name, slug, None, None, added.isoformat(), "active", ("altcoin",)
    )


def find_coin(key: str, value: object) -> Coin | None:
    """The coin with an id, slug or symbol; None if nobody lists one."""
    text, table = fold_case(value), packed_table("coin_names")
    known = _coins_by_key().get((key, text))
    if known is not None:
        return known
    if key == "id":
        place = int(text) - FIRST_OTHER_ID
    elif key == "slug":
        place = _lesser_slugs().get(text, -1)
    else:
        place = table.place(text.upper())
        place = place if place < len(table) and table[place][0] == text.upper() else -1
    return _lesser_coin(place) if 0 <= place < len(table) else None


def coin_by_symbol(symbol: str) -> Coin | None:
    """The coin with this symbol."""
    return find_coin("symbol", symbol)


def coin_supply(seed: int, coin: Coin) -> float:
    """How many units are in circulation."""
    if "stablecoin" in coin.tags or coin.symbol in _STANDS_FOR:
        return float(round(_worth(seed, coin) / coin_level(seed, coin).price, 2))
    if coin.max_supply:
        return float(
            round(coin.max_supply * draw_between(seed, "in circulation", coin.symbol, (0.45, 0.97)), 2)
        )
    return float(round(draw_between(seed, "supply", coin.symbol, (1e7, 1e11))))


def _worth(seed: int, coin: Coin) -> float:
    bounds = LITTLE if coin.id >= FIRST_OTHER_ID else WORTH
    return draw_between(seed, "worth of all units", coin.symbol, bounds)


# Tokens that are worth what another coin is.
_STANDS_FOR = {"WBTC": "BTC", "STETH": "ETH"}


def coin_level(seed: int, coin: Coin) -> Level:
    """The level of a coin: what all units are worth, by how many there are; a stable coin costs a dollar."""
    same = coin_by_symbol(_STANDS_FOR.get(coin.symbol, "")) if coin.symbol in _STANDS_FOR else None
    found = level(seed, f"COIN:{(same or coin).symbol}", "CRYPTOCURRENCY")
    if "stablecoin" in coin.tags:
        return replace(found, price=1.0, volatility=0.004, beta=0.0)
    return replace(found, price=float(f"{_worth(seed, same or coin) / coin_supply(seed, same or coin):.6g}"))


def coin_bars(seed: int, coin: Coin) -> Bars:
    """Daily bars of a coin in US dollars since it is listed, oldest first."""
    found, symbol = coin_level(seed, coin), _STANDS_FOR.get(coin.symbol, coin.symbol)
    return Bars(path(seed, f"COIN:{symbol}", found)).since(
        max(COINS_FROM, date.fromisoformat(coin.date_added))
    )


def coin_price(world: World, coin: Coin, day: date) -> float:
    """What a coin costs at the end of a day, or now; what is no longer traded is worth nothing."""
    bars = coin_bars(world.seed, coin)
    return (bars.until(day) or bars[:1])[-1]["close"] if coin.active else 0.0


class CoinQuote(TypedDict):
    """What a coin is worth now, in US dollars."""

    price: float
    volume_24h: int
    percent_change_1h: float
    percent_change_24h: float
    percent_change_7d: float
    percent_change_30d: float
    market_cap: int


def percent_change(before: float, after: float) -> float:
    """Change in per cent; zero where the price before has no digits left."""
    return round(100 * (after / before - 1), 2) + 0.0 if before else 0.0


@seeds.cache_by_seed(2048)
def _make_quote(seed: int, coin: Coin, today: date) -> CoinQuote:
    bars = coin_bars(seed, coin)
    closes = [(bars.until(today - timedelta(days=back)) or bars[:1])[-1]["close"] for back in (0, 1, 7, 30)]
    price, day, week, month = (close if coin.active else 0.0 for close in closes)
    hour = (seeds.unit(seed, "hour", coin.symbol, today) - 0.5) * (0.01 if "stablecoin" in coin.tags else 1.2)
    return CoinQuote(
        price=price,
        volume_24h=coin_volume(seed, coin, today),
        percent_change_1h=round(hour, 2) + 0.0 if coin.active else 0.0,
        percent_change_24h=percent_change(day, price),
        percent_change_7d=percent_change(week, price),
        percent_change_30d=percent_change(month, price),
        market_cap=round(price * coin_supply(seed, coin)),
    )


def coin_quote(world: World, coin: Coin) -> CoinQuote:
    """The present quote; all zero for a coin that is not traded."""
    return _make_quote(world.seed, coin, world.today)


def coin_volume(seed: int, coin: Coin, day: date) -> int:
    """Dollars traded on a day: some part of what all units are worth."""
    usual = draw_between(seed, "turnover", coin.symbol, TURNOVER) * _worth(seed, coin)
    return round(usual * (0.7 + 0.6 * seeds.unit(seed, "volume", coin.symbol, day))) if coin.active else 0


@seeds.table
def _volume_shares(seed: int) -> Mapping[str, float]:
    weights = {
        one.slug: draw_between(seed, "exchange", one.slug, (1, 12)) for one in coin_exchanges() if one.active
    }
    return {slug: weight / sum_in_order(weights.values()) for slug, weight in weights.items()}


def volume_share(seed: int, row: CoinExchange) -> float:
    """The part of the world's trade with coins that goes over an exchange."""
    return _volume_shares(seed).get(row.slug, 0.0)


def trades(seed: int, row: CoinExchange, coin: Coin) -> bool:
    """Whether an exchange lists a coin; all list the two that everybody knows."""
    always = coin.symbol in ("BTC", "ETH", "USDT")
    drawn_one = seeds.unit(seed, "lists", row.slug, coin.symbol) < 0.7
    return row.active and coin.active and (always or drawn_one)


def exchange_holdings(seed: int, row: CoinExchange, coin: Coin) -> float:
    """How many units of a coin lie in the wallets of an exchange."""
    part = 0.2 * volume_share(seed, row) * seeds.unit(seed, "holds", row.slug, coin.symbol)
    return float(f"{coin_supply(seed, coin) * part:.4g}")


@functools.cache
def _coin_sites() -> Mapping[str, str]:
    return {row["slug"]: row["site"] for row in read_table("coin_sites.tsv")}


def coin_websites(slug: str) -> list[str]:
    """The website of a coin or an exchange, in a list."""
    return [f"https://{_coin_sites().get(slug, f'{slug}.example')}"]
