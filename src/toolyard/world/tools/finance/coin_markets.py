"""Finance/CoinMarketCap, markets: ids of currencies and exchanges, what exchanges hold and who they are."""

from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world.kernel.faults import ToolFault, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import fold_case, table_words, values_of
from toolyard.world.kernel.types import CryptoSymbol, CurrencyCode, IsoDate, Prose, Range, Url
from toolyard.world.kernel.views import Field, View
from toolyard.world.reference.places.geography import currencies
from toolyard.world.simulated.finance.coin_choice import Limit, Start
from toolyard.world.simulated.finance.coins import (
    CoinExchange,
    CoinExchangeId,
    CoinExchangeSlug,
    CoinId,
    coin_exchanges,
    coin_quote,
    coin_volume,
    coin_websites,
    exchange_holdings,
    find_coin,
    listed_coins,
    trades,
    volume_share,
)
from toolyard.world.tools.finance.coin_tools import Status, view_of_fields

GROUP = Group("Finance/CoinMarketCap")
Slugs = Annotated[list[CoinExchangeSlug], Range(0, 60)]
_METALS: tuple[tuple[str, str, int], ...] = tuple(values_of("coin_markets.metals").values())
# CoinMarketCap numbers its currencies in two runs, the dollar first; what is not in them it does not list.
_FIRST_RUN = list(table_words("coin_markets.first_run"))
_SECOND_RUN = list(table_words("coin_markets.second_run"))
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


@GROUP.tool(
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
    view = View.of(FiatEntry, id=lambda row: _FIAT_IDS[row["code"]], sign="symbol", symbol="code")
    rows = view.rows(row for row in currencies() if row["code"] in _FIAT_IDS)
    if include_metals:
        rows += [FiatEntry(id=number, name=name, sign="", symbol=code) for code, name, number in _METALS]
    rows.sort(key=lambda row: (row["id"], "") if if_sort_by_id else (0, row["name"]))
    return rows[start - 1 : start - 1 + limit]


_LARGEST = 5


def _find_exchange(value: object, key: str) -> CoinExchange:
    """The exchange with an id or slug; a not_found fault otherwise."""
    for row in coin_exchanges():
        if fold_case(getattr(row, key)) == fold_case(value):
            return row
    raise not_found("exchange", value, known=[getattr(row, key) for row in coin_exchanges()])


def _exchange_volume(world: World, row: CoinExchange) -> int:
    traded = sum(
        coin_volume(world.seed, coin, world.today) for coin in listed_coins() if trades(world.seed, row, coin)
    )
    return round(traded * volume_share(world.seed, row))


@GROUP.tool(
    examples=[{"id": 270}, {}],
    phrase="list the coins that a coin exchange holds in its wallets[, for the exchange whose id is {id}]",
    noun="the exchange's assets",
)
def get_exchange_assets(world: World, *, id_: CoinExchangeId = 270) -> ExchangeAssets:
    """The largest holdings of an exchange, five at most; a closed one holds nothing.

    id: Id of the exchange, as get_coinmarketmap_id_map_exchange returns it; 270 is Binance.
    """
    row = _find_exchange(id_, "id")
    assets: list[Asset] = []
    for coin in listed_coins():
        if trades(world.seed, row, coin):
            price, balance = coin_quote(world, coin)["price"], exchange_holdings(world.seed, row, coin)
            assets.append(
                {
                    "balance": balance,
                    "coin_id": coin.id,
                    "symbol": coin.symbol,
                    "name": coin.name,
                    "price_usd": price,
                    "value_usd": round(balance * price),
                }
            )
    assets.sort(key=lambda asset: -asset["value_usd"])
    return {"exchange_id": row.id, "exchange": row.name, "assets": assets[:_LARGEST]}


MetaField = Literal["urls", "logo", "description", "date_launched", "notice", "status"]


@GROUP.tool(
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
    """Coin exchanges with website, launch and volume of the last day.

    id: Id of one exchange.
    slug: Slugs of exchanges, e.g. binance.
    aux: Further fields to return.
    """
    if id_ is None and not slug:
        raise ToolFault("missing_parameter", "give id or slug, e.g. id=270 or slug=[binance]")
    found = [_find_exchange(id_, "id")] if id_ is not None else []
    found += [_find_exchange(name, "slug") for name in slug or ()]
    fields: dict[str, Field] = {
        "id": "id",
        "name": "name",
        "slug": "slug",
        "spot_volume_usd": lambda row: _exchange_volume(world, row),
        "urls": lambda row: coin_websites(row.slug),
        "logo": lambda row: f"https://coins.example/exchange/{row.id}.png",
        "description": lambda row: f"{row.name} {'is' if row.active else 'was'} a coin exchange.",
        "date_launched": "launched",
        "notice": lambda row: None if row.active else "This exchange has stopped trading.",
        "status": "status",
    }
    return view_of_fields(fields, ("id", "name", "slug", "spot_volume_usd"), aux).rows(found[:20])


MapField = Literal["first_historical_data", "last_historical_data", "is_active", "status"]


@GROUP.tool(
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
    """Well-known coin exchanges with their ids, all or those that trade a coin.

    start: Place of the first exchange, from 1.
    limit: How many to return.
    slug: Only these exchanges; the other filters are then ignored.
    listing_status: Which exchanges to list: open ones, closed ones, or ones that are not tracked.
    crypto_id: Only exchanges that trade the coin with this id.
    aux: Further fields to return.
    if_sort_by_id: True sorts by id, False by volume.
    """
    if slug:
        chosen = [_find_exchange(name, "slug") for name in slug]
    else:
        chosen = [row for row in coin_exchanges() if row.status in listing_status]
        if crypto_id is not None:
            coin = find_coin("id", crypto_id)
            if coin is None:
                raise not_found("coin with id", crypto_id, known=[row.id for row in listed_coins()])
            chosen = [row for row in chosen if trades(world.seed, row, coin)]
    chosen.sort(key=lambda row: row.id if if_sort_by_id else -volume_share(world.seed, row))
    fields: dict[str, Field] = {
        "id": "id",
        "name": "name",
        "slug": "slug",
        "is_active": "active",
        "status": "status",
        "first_historical_data": "launched",
        "last_historical_data": lambda row: world.today.isoformat() if row.active else _CLOSED[row.slug],
    }
    return view_of_fields(fields, ("id", "name", "slug"), aux).rows(chosen[start - 1 : start - 1 + limit])
