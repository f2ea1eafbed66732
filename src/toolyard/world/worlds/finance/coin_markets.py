"""Finance/CoinMarketCap, markets: ids of currencies and exchanges, what exchanges hold and who they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import ToolFault
from toolyard.world.registry import tool
from toolyard.world.shared.geography import currencies
from toolyard.world.state import World
from toolyard.world.tables import find
from toolyard.world.types import CryptoSymbol, CurrencyCode, IsoDate, Prose, Range, Url
from toolyard.world.worlds.finance.coin_choice import Limit, Start
from toolyard.world.worlds.finance.coins import (
    Coin,
    CoinExchange,
    CoinExchangeId,
    CoinExchangeSlug,
    CoinId,
    coin_exchanges,
    coin_quote,
    coins,
    more_coins,
    sites_of,
    trades,
)

GROUP = "Finance/CoinMarketCap"
Slugs = Annotated[list[CoinExchangeSlug], Range(0, 60)]
_METALS = (
    ("XAU", "Gold Troy Ounce", 3575),
    ("XAG", "Silver Troy Ounce", 3574),
    ("XPT", "Platinum Ounce", 3577),
)
# CoinMarketCap numbers its currencies in two runs, the dollar first; what is not in them it does not list.
_FIRST_RUN = (
    "USD AUD BRL CAD CHF CLP CNY CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NOK NZD PHP PKR PLN RUB SEK SGD THB "
    "TRY TWD ZAR AED BGN HRK MUR RON ISK NGN COP ARS PEN VND UAH"
).split()
_SECOND_RUN = (
    "ALL AMD AZN BAM BDT BHD BMD BYN CRC CUP DOP DZD EGP GEL GHS GTQ HNL IQD IRR JMD JOD KES KGS KHR KWD KZT LBP LKR MAD "
    "MDL MKD MMK MNT NAD NIO NPR OMR PAB QAR RSD SAR SSP TND TTD UGX UYU UZS VES"
).split()
_FIAT_IDS = {
    **{code: 2781 + place for place, code in enumerate(_FIRST_RUN)},
    "BOB": 2832,
    **{code: 3526 + place for place, code in enumerate(_SECOND_RUN)},
}
# The last day on which a closed exchange traded.
_CLOSED = {"mt-gox": "2014-02-24", "ftx": "2022-11-11"}


class FiatEntry(TypedDict):
    id: int
    name: str
    sign: str
    symbol: CurrencyCode


class Asset(TypedDict):
    balance: float
    coin_id: CoinId
    symbol: CryptoSymbol
    name: str
    price_usd: float
    value_usd: int


class ExchangeAssets(TypedDict):
    exchange_id: CoinExchangeId
    exchange: str
    assets: list[Asset]


class ExchangeDetails(TypedDict):
    id: CoinExchangeId
    name: str
    slug: CoinExchangeSlug
    spot_volume_usd: int
    urls: NotRequired[list[Url]]
    logo: NotRequired[Url]
    description: NotRequired[Prose]
    date_launched: NotRequired[IsoDate]
    notice: NotRequired[str | None]
    status: NotRequired[str]


class ExchangeEntry(TypedDict):
    id: CoinExchangeId
    name: str
    slug: CoinExchangeSlug
    is_active: NotRequired[bool]
    status: NotRequired[str]
    first_historical_data: NotRequired[IsoDate]
    last_historical_data: NotRequired[IsoDate]


@tool(
    GROUP,
    examples=[{}, {"include_metals": True, "if_sort_by_id": False, "limit": 100}],
    phrase=(
        "list the CoinMarketCap ids of ordinary (fiat) currencies[, with including precious metals set to "
        "{include_metals}][, with sorting by id set to {if_sort_by_id}][, with the starting place set to "
        "{start}][, with a limit of {limit}]"
    ),
    noun="the fiat currency id map",
    jobs=("currencies",),
)
def get_coinmarketmap_id_map_fiat(
    *, start: Start = 1, limit: Limit = 40, if_sort_by_id: bool = True, include_metals: bool = False
) -> list[FiatEntry]:
    """Ordinary currencies, and precious metals if wanted, with the ids that they have beside the coins.

    start: Place of the first entry, from 1.
    limit: How many to return.
    if_sort_by_id: True sorts by id, False by name.
    include_metals: True lists gold, silver and platinum as well.
    """
    rows = [
        FiatEntry(
            id=_FIAT_IDS[row["code"]],
            name=row["name"],
            sign=row["symbol"],
            symbol=row["code"],
        )
        for row in currencies()
        if row["code"] in _FIAT_IDS
    ]
    if include_metals:
        rows += [FiatEntry(id=number, name=name, sign="", symbol=code) for code, name, number in _METALS]
    rows.sort(key=lambda row: (row["id"], "") if if_sort_by_id else (0, row["name"]))
    return rows[start - 1 : start - 1 + limit]


# What goes over the exchanges that are listed, out of all trade with a coin.
_LISTED_PART = 0.36


def _volume(world: World, row: CoinExchange) -> int:
    traded = sum(coin_quote(world, coin)["volume_24h"] for coin in coins() if trades(row, coin))
    return round(traded * row["share"] * _LISTED_PART)


# Exchange -> what it was estimated to hold in May 2024, in millions of coins, to about a tenth.
_HELD = {
    "binance": {"BTC": 0.57, "ETH": 4.05, "USDT": 19600, "BNB": 29, "SOL": 25, "XRP": 2700, "DOGE": 15000},
    "coinbase-exchange": {"BTC": 0.87, "ETH": 4.9, "USDC": 1900, "USDT": 420},
    "bitfinex": {"BTC": 0.38, "ETH": 0.41, "USDT": 260},
    "okx": {"BTC": 0.131, "ETH": 1.45, "USDT": 5900},
    "bybit": {"BTC": 0.047, "ETH": 0.49, "USDT": 4200},
    "upbit": {"BTC": 0.16, "ETH": 1.2, "USDT": 70},
    "gemini": {"BTC": 0.13, "ETH": 0.58},
    "bitstamp": {"BTC": 0.058, "ETH": 0.33},
    "htx": {"BTC": 0.018, "ETH": 0.16, "USDT": 600},
    "kucoin": {"BTC": 0.0085, "ETH": 0.11, "USDT": 1100},
    "gate-io": {"BTC": 0.0077, "ETH": 0.15, "USDT": 590},
    "bitget": {"BTC": 0.02, "ETH": 0.16, "USDT": 1500},
    "mexc": {"BTC": 0.0023, "ETH": 0.024, "USDT": 650},
    "crypto-com-exchange": {"BTC": 0.035, "ETH": 0.3, "USDT": 300, "CRO": 4400},
    "poloniex": {"BTC": 0.0018, "ETH": 0.011, "USDT": 55, "TRX": 900},
}
# Coins that an exchange has issued itself; its rivals hold hardly any, and nobody holds much Dai.
_HOUSE_COINS = {
    "BNB": "binance",
    "CRO": "crypto-com-exchange",
    "OKB": "okx",
    "LEO": "bitfinex",
    "KCS": "kucoin",
}
_AT_A_RIVAL = 0.02
_LARGEST = 5


def _held(row: CoinExchange, coin: Coin) -> float:
    """Coins in the wallets of an exchange: the same in every world, as it is the same exchange."""
    known = _HELD.get(row["slug"], {}).get(coin["symbol"])
    if known is not None:
        return known * 1e6
    part = row["share"] * 0.2 * (0.2 + seeds.unit(0, "holds", row["slug"], coin["slug"]))
    if _HOUSE_COINS.get(coin["symbol"], row["slug"]) != row["slug"] or coin["symbol"] == "DAI":
        part *= _AT_A_RIVAL
    return coin["circulating_supply"] * part


@tool(
    GROUP,
    examples=[{"id": 270}, {}],
    phrase="list the coins that a coin exchange holds in its wallets[, for the exchange whose id is {id}]",
    noun="the exchange's assets",
)
def get_exchange_assets(world: World, *, id_: CoinExchangeId = 270) -> ExchangeAssets:
    """A rough estimate of the largest holdings of an exchange, five at most; a closed one holds nothing.

    id: Id of the exchange, as get_coinmarketmap_id_map_exchange returns it; 270 is Binance.
    """
    row = find(coin_exchanges(), id_, "id", "exchange")
    assets = []
    for coin in coins():
        if trades(row, coin):
            price = coin_quote(world, coin)["price"]
            balance = float(f"{_held(row, coin):.3g}")
            assets.append(
                Asset(
                    balance=balance,
                    coin_id=coin["id"],
                    symbol=coin["symbol"],
                    name=coin["name"],
                    price_usd=price,
                    value_usd=round(balance * price),
                )
            )
    assets.sort(key=lambda asset: -asset["value_usd"])
    return {
        "exchange_id": row["id"],
        "exchange": row["name"],
        "assets": assets[:_LARGEST],
    }


MetaField = Literal["urls", "logo", "description", "date_launched", "notice", "status"]


@tool(
    GROUP,
    examples=[{"id": 270}, {"slug": ["kraken", "bitfinex"], "aux": ["status"]}],
    phrase=(
        "get the website, launch date and description of coin exchanges[, for the exchange whose id is "
        "{id}][, for {slug} by exchange slug][, with {aux} as extra fields]"
    ),
    noun="the exchange metadata",
)
def get_exchange_metadata(
    world: World,
    *,
    id_: CoinExchangeId | None = None,
    slug: Slugs | None = None,
    aux: list[MetaField] = ["urls", "logo", "description", "date_launched", "notice"],  # noqa: B006 - read only
) -> list[ExchangeDetails]:
    """Coin exchanges with website, launch and a simulated volume of the last day.

    id: Id of one exchange.
    slug: Slugs of exchanges, e.g. binance.
    aux: Further fields to return.
    """
    if id_ is None and not slug:
        raise ToolFault("missing_parameter", "give id or slug, e.g. id=270 or slug=[binance]")
    found = [find(coin_exchanges(), id_, "id", "exchange")] if id_ is not None else []
    found += [find(coin_exchanges(), name, "slug", "exchange") for name in slug or ()]
    return [_details(world, row, aux) for row in found[:20]]


def _details(world: World, row: CoinExchange, aux: Sequence[MetaField]) -> ExchangeDetails:
    entry = ExchangeDetails(
        id=row["id"], name=row["name"], slug=row["slug"], spot_volume_usd=_volume(world, row)
    )
    closed = row["status"] != "active"
    extra: ExchangeDetails = {
        **entry,
        "urls": sites_of(row["slug"]),
        "logo": f"https://coins.example/exchange/{row['id']}.png",
        "description": f"{row['name']} {'was' if closed else 'is'} a coin exchange.",
        "date_launched": row["date_launched"],
        "notice": "This exchange has stopped trading." if closed else None,
        "status": row["status"],
    }
    return {key: value for key, value in extra.items() if key in entry or key in aux}  # type: ignore[return-value]


MapField = Literal["first_historical_data", "last_historical_data", "is_active", "status"]
Status = Literal["active", "inactive", "untracked"]


@tool(
    GROUP,
    examples=[
        {},
        {"crypto_id": 1, "if_sort_by_id": False},
        {"listing_status": ["inactive"], "aux": ["first_historical_data", "status"]},
    ],
    phrase=(
        "list the ids of coin exchanges on CoinMarketCap[, only for {slug} by exchange slug][, with the "
        "listing status set to {listing_status}][, only exchanges that trade the coin whose id is "
        "{crypto_id}][, with {aux} as extra fields][, with sorting by id set to {if_sort_by_id}][, with the "
        "starting place set to {start}][, with a limit of {limit}]"
    ),
    noun="the exchange id map",
)
def get_coinmarketmap_id_map_exchange(
    world: World,
    *,
    start: Start = 1,
    limit: Limit = 50,
    slug: Slugs | None = None,
    listing_status: list[Status] = ["active"],  # noqa: B006 - read only
    crypto_id: CoinId | None = None,
    aux: list[MapField] = ["is_active"],  # noqa: B006 - read only
    if_sort_by_id: bool = True,
) -> list[ExchangeEntry]:
    """Well-known coin exchanges with their ids (a choice), all or those that trade a coin.

    start: Place of the first exchange, from 1.
    limit: How many to return.
    slug: Only these exchanges; the other filters are then ignored.
    listing_status: Which exchanges to list: open ones, closed ones, or ones that are not tracked.
    crypto_id: Only exchanges that trade the coin with this id; on record for the larger coins.
    aux: Further fields to return.
    if_sort_by_id: True sorts by id, False by volume.
    """
    if slug:
        chosen = [find(coin_exchanges(), name, "slug", "exchange") for name in slug]
    else:
        chosen = [row for row in coin_exchanges() if row["status"] in listing_status]
        if crypto_id is not None:
            coin = _traded_coin(crypto_id)
            chosen = [row for row in chosen if trades(row, coin)]
    chosen.sort(key=lambda row: row["id"] if if_sort_by_id else -row["share"])
    return [_entry(world, row, aux) for row in chosen[start - 1 : start - 1 + limit]]


def _traded_coin(number: int) -> Coin:
    further = next((row for row in more_coins() if row["id"] == number), None)
    if further is not None:
        known = ", ".join(row["symbol"] for row in coins()[:12])
        raise ToolFault(
            "not_found",
            f"where {further['name']} (id {number}) is traded is not on record; it is for large coins, such as {known}",
        )
    return find(coins(), number, "id", "coin")


def _entry(world: World, row: CoinExchange, aux: Sequence[MapField]) -> ExchangeEntry:
    entry = ExchangeEntry(id=row["id"], name=row["name"], slug=row["slug"])
    active = row["status"] == "active"
    extra: ExchangeEntry = {
        **entry,
        "is_active": active,
        "status": row["status"],
        "first_historical_data": row["date_launched"],
        "last_historical_data": world.today.isoformat() if active else _CLOSED[row["slug"]],
    }
    return {key: value for key, value in extra.items() if key in entry or key in aux}  # type: ignore[return-value]
