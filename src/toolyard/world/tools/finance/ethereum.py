"""Finance/Global_Ethereum_Price_Index: what ether costs on exchanges and in currencies, and indices over them."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, TypedDict, cast

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain, values_of
from toolyard.world.kernel.types import CurrencyCode, Range, Semantic, UnixTime
from toolyard.world.kernel.views import View
from toolyard.world.simulated.finance.coins import (
    Coin,
    CoinExchange,
    coin_bars,
    coin_by_symbol,
    coin_exchanges,
    coin_volume,
    percent_change,
    volume_share,
)
from toolyard.world.simulated.finance.rates import find_currency, units_per_dollar

GROUP = Group("Finance/Global_Ethereum_Price_Index")
EtherSymbol = Annotated[str, Semantic("ether_pair")]
EtherExchange = Annotated[str, Semantic("ether_exchange")]
_FIATS = "USD EUR GBP CNY JPY AUD CAD CHF INR KRW BRL SGD HKD MXN SEK PLN".split()


class CustomTicker(TypedDict):
    symbol: EtherSymbol
    currency: CurrencyCode
    exchanges: list[EtherExchange]
    last: float
    bid: float
    ask: float
    volume: float
    timestamp: UnixTime


class EtherTicker(TypedDict):
    symbol: EtherSymbol
    currency: CurrencyCode
    last: float
    bid: float
    ask: float
    high: float
    low: float
    volume: float
    timestamp: UnixTime


class Change(TypedDict):
    price: float
    percent: float


class EtherChanges(TypedDict):
    symbol: EtherSymbol
    last: float
    day: Change
    week: Change
    month: Change
    year: Change


class ShortTicker(TypedDict):
    symbol: EtherSymbol
    last: float
    day_average: float


class FullTicker(TypedDict):
    symbol: EtherSymbol
    currency: CurrencyCode
    last: float
    bid: float
    ask: float
    open_day: float
    volume: float


# Exchanges that the index does not count.
_UNCOUNTED = frozenset(("bitget", "mexc", "crypto-com-exchange"))


def _counted_exchanges() -> list[CoinExchange]:
    return [row for row in coin_exchanges() if row.active and row.slug not in _UNCOUNTED]


def _name(row: CoinExchange) -> str:
    return row.name.removesuffix(" Exchange")


def _ether_coin() -> Coin:
    return cast("Coin", coin_by_symbol("ETH"))


def _round_price(price: float) -> float:
    """A price with seven digits."""
    return float(f"{price:.7g}")


def _fiat_in_symbol(symbol: str) -> str:
    """The currency behind ETH in a symbol such as ETHUSD."""
    text = symbol.strip().upper().replace("-", "").replace("/", "")
    if not text.startswith("ETH") or len(text) != 6:
        raise invalid("symbol", symbol[:50], "want ETH and a currency code, e.g. ETHUSD or ETHEUR")
    return find_currency(text[3:])["code"]


def _price_index(world: World, places: Sequence[CoinExchange], fiat: str, day: date) -> float:
    """Price over some exchanges, each weighted with its volume; each strays a little from the world's price."""
    base = coin_bars(world.seed, _ether_coin()).until(day)[-1]["close"] * units_per_dollar(fiat, day)
    total = sum_in_order(volume_share(world.seed, row) for row in places)
    stray = sum_in_order(
        volume_share(world.seed, row) * (seeds.unit(world.seed, "stray", row.slug, day) - 0.5)
        for row in places
    )
    return base * (1 + 0.004 * stray / total)


# Currency -> the exchanges where it is at home.
_HOMES: Mapping[str, tuple[str, ...]] = values_of("ethereum.homes")


def _market(fiat: str, if_global: bool) -> list[CoinExchange]:
    """The exchanges at home with a currency for a local index; all of them otherwise and where none is."""
    names = () if if_global else _HOMES.get(fiat, ())
    return [row for row in _counted_exchanges() if not names or row.slug in names]


def _make_ticker(world: World, fiat: str, places: Sequence[CoinExchange]) -> EtherTicker:
    last = _price_index(world, places, fiat, world.today)
    bar = coin_bars(world.seed, _ether_coin()).until(world.today)[-1]
    part = sum_in_order(volume_share(world.seed, row) for row in places)
    return {
        "symbol": f"ETH{fiat}",
        "currency": fiat,
        "last": _round_price(last),
        "bid": _round_price(last * 0.9995),
        "ask": _round_price(last * 1.0005),
        "high": _round_price(last * bar["high"] / bar["close"]),
        "low": _round_price(last * bar["low"] / bar["close"]),
        "volume": round(part * coin_volume(world.seed, _ether_coin(), world.today) / bar["close"], 2),
        "timestamp": int(world.now.timestamp()),
    }


def _choose_exchanges(exchanges: Sequence[str] | None, if_include: bool) -> list[CoinExchange]:
    if not exchanges:
        return _counted_exchanges()
    known = {plain(key): row for row in _counted_exchanges() for key in (_name(row), row.slug, row.name)}
    for name in exchanges:
        if plain(name) not in known:
            raise not_found("exchange", name, known=[_name(row) for row in _counted_exchanges()])
    named = {known[plain(name)].slug for name in exchanges}
    found = [row for row in _counted_exchanges() if (row.slug in named) == if_include]
    if not found:
        raise invalid("exchanges", list(exchanges)[:5], "no exchange is left; exclude fewer")
    return found


@GROUP.tool(
    examples=[
        {"exchanges": ["Binance", "Coinbase"], "if_include": True, "symbol": "ETHUSD"},
        {"exchanges": ["Kraken"], "if_include": False, "symbol": "ETHUSD"},
    ],
    phrase=(
        "get the volume-weighted ether price over chosen exchanges for the pair whose symbol is {symbol}[, "
        "with {exchanges} as the named exchanges][, with the flag to take only those exchanges set to "
        "{if_include}]"
    ),
    noun="the custom ether ticker",
    jobs=("price of ether",),
    listed_as="EtherCustomTicker",
)
def get_custom_ticker(
    world: World,
    *,
    exchanges: Annotated[list[EtherExchange], Range(0, 20)] | None = None,
    if_include: bool = True,
    symbol: EtherSymbol,
) -> CustomTicker:
    """The price of ether over exchanges of your choice, weighted with their volumes.

    exchanges: Names of exchanges to take or to leave out; all fifteen of the index count where none is named.
    if_include: True takes only the named exchanges, False takes all others.
    symbol: ETH and a currency code, e.g. ETHUSD.
    """
    places = _choose_exchanges(exchanges, if_include)
    found = _make_ticker(world, _fiat_in_symbol(symbol), places)
    return View.of(CustomTicker).row({**found, "exchanges": [_name(place) for place in places]})


@GROUP.tool(
    examples=[{"symbol": "ETHEUR"}, {"symbol": "ETHUSD", "if_global": False}],
    phrase=(
        "get the current ether price with bid, ask and day range for the pair whose symbol is {symbol}[, "
        "with the global index set to {if_global}]"
    ),
    noun="the ether ticker for the pair",
    jobs=("price of ether",),
    listed_as="EtherTickerBySymbol",
)
def get_ticker_per_symbol(world: World, *, if_global: bool = True, symbol: EtherSymbol) -> EtherTicker:
    """The price of ether in one currency: last, bid, ask, the day's range and volume.

    if_global: True for the index over all exchanges, False for those where the currency is at home (all where it has none).
    symbol: ETH and a currency code, e.g. ETHEUR.
    """
    fiat = _fiat_in_symbol(symbol)
    return _make_ticker(world, fiat, _market(fiat, if_global))


@GROUP.tool(
    examples=[{"symbol": "ETHUSD"}],
    phrase=(
        "find out how the ether price changed over the last day, week, month and year for the pair whose "
        "symbol is {symbol}[, with the global index set to {if_global}]"
    ),
    noun="the ether price changes",
    jobs=("price of ether",),
    listed_as="EtherPriceChanges",
)
def get_ticker_changes(world: World, *, if_global: bool = True, symbol: EtherSymbol) -> EtherChanges:
    """How the price of ether in one currency changed since yesterday, a week, a month and a year ago.

    if_global: True for the index over all exchanges, False for those where the currency is at home (all where it has none).
    symbol: ETH and a currency code, e.g. ETHUSD.
    """
    fiat = _fiat_in_symbol(symbol)
    places = _market(fiat, if_global)
    now = _price_index(world, places, fiat, world.today)

    def since(days: int) -> Change:
        before = _price_index(world, places, fiat, date.fromordinal(world.today.toordinal() - days))
        return {"price": _round_price(now - before), "percent": percent_change(before, now)}

    return {
        "symbol": f"ETH{fiat}",
        "last": _round_price(now),
        "day": since(1),
        "week": since(7),
        "month": since(30),
        "year": since(365),
    }


def _fiats(crypto: str, fiats: Sequence[str] | None) -> list[str]:
    if crypto.strip().upper() != "ETH":
        raise invalid("crypto", crypto[:50], "only ETH has an index here")
    return [find_currency(code)["code"] for code in fiats or _FIATS]


@GROUP.tool(
    examples=[{}, {"crypto": "ETH", "fiats": ["USD", "EUR"]}],
    phrase=(
        "get just the last and daily average ether price in several currencies[, with prices in {fiats}][, "
        "with the coin set to {crypto}][, with the global index set to {if_global}]"
    ),
    noun="the short ether ticker",
    jobs=("price of ether",),
    listed_as="EtherShortTicker",
)
def get_short_ticker(
    world: World,
    *,
    if_global: bool = True,
    crypto: str = "ETH",
    fiats: Annotated[list[CurrencyCode], Range(0, 80)] | None = None,
) -> list[ShortTicker]:
    """Last and daily average price of ether in several currencies.

    if_global: True for the index over all exchanges, False for those where each currency is at home (all where it has none).
    crypto: Only ETH is known.
    fiats: Codes of the currencies wanted; sixteen common ones where none is named.
    """
    average = View.of(
        ShortTicker, day_average=lambda row: _round_price((row["high"] + row["low"] + row["last"]) / 3)
    )
    return average.rows(_make_ticker(world, fiat, _market(fiat, if_global)) for fiat in _fiats(crypto, fiats))


@GROUP.tool(
    examples=[{}, {"fiats": ["USD"], "if_global": False}],
    phrase=(
        "get the full ether ticker with bid, ask, open and volume in several currencies[, with prices in "
        "{fiats}][, with the coin set to {crypto}][, with the global index set to {if_global}]"
    ),
    noun="the full ether ticker",
    jobs=("price of ether",),
    listed_as="EtherFullTicker",
)
def get_all_ticker_data(
    world: World,
    *,
    if_global: bool = True,
    crypto: str = "ETH",
    fiats: Annotated[list[CurrencyCode], Range(0, 80)] | None = None,
) -> list[FullTicker]:
    """Last, bid, ask, opening price and volume of ether in several currencies.

    if_global: True for the index over all exchanges, False for those where each currency is at home (all where it has none).
    crypto: Only ETH is known.
    fiats: Codes of the currencies wanted; sixteen common ones where none is named.
    """
    bar = coin_bars(world.seed, _ether_coin()).until(world.today)[-1]
    full = View.of(FullTicker, open_day=lambda row: _round_price(row["last"] * bar["open"] / bar["close"]))
    return full.rows(_make_ticker(world, fiat, _market(fiat, if_global)) for fiat in _fiats(crypto, fiats))
