"""Finance/CoinMarketCap, coins: categories, ids and descriptions."""

import functools
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.result_text import fitting_rows
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import fold_case, read_table, table_texts
from toolyard.world.kernel.types import CryptoSymbol, IsoDate, Prose, Semantic, Url
from toolyard.world.kernel.views import Field, View
from toolyard.world.simulated.finance.coin_choice import (
    Ids,
    Limit,
    Slugs,
    Start,
    Symbols,
    coin_rank,
    find_coins,
)
from toolyard.world.simulated.finance.coins import (
    Coin,
    CoinId,
    CoinSlug,
    ContractAddress,
    coin_quote,
    coin_websites,
    listed_coins,
)

GROUP = Group("Finance/CoinMarketCap")
CategoryId = Annotated[str, Semantic("coin_category_id")]


class Category(TypedDict):
    id: CategoryId
    name: str
    title: str
    num_tokens: int
    market_cap: int
    volume_24h: int
    avg_price_change_24h: float


class CategoryCoin(TypedDict):
    id: CoinId
    symbol: CryptoSymbol
    name: str
    slug: CoinSlug
    price: float
    market_cap: int
    percent_change_24h: float


class CategoryDetails(TypedDict):
    id: CategoryId
    name: str
    num_tokens: int
    coins: list[CategoryCoin]


class MapEntry(TypedDict):
    id: CoinId
    rank: int | None
    name: str
    symbol: CryptoSymbol
    slug: CoinSlug
    platform: NotRequired[str | None]
    first_historical_data: NotRequired[IsoDate]
    last_historical_data: NotRequired[IsoDate]
    is_active: NotRequired[bool]
    status: NotRequired[str]


class Metadata(TypedDict):
    id: CoinId
    name: str
    symbol: CryptoSymbol
    slug: CoinSlug
    category: str
    urls: NotRequired[list[Url]]
    logo: NotRequired[Url]
    description: NotRequired[Prose]
    tags: NotRequired[list[str]]
    platform: NotRequired[str | None]
    contract_address: NotRequired[ContractAddress | None]
    date_added: NotRequired[IsoDate]
    notice: NotRequired[str | None]
    status: NotRequired[str]
    self_reported_market_cap: int


_TITLES = table_texts("coin_tools.titles")
# What has no rank comes after everything that has one.
_LAST = 10**9


def view_of_fields(fields: Mapping[str, Field], always: Iterable[str], wanted: Iterable[str]) -> View[Any]:
    """The view of the fields that are always there and of those that are wanted."""
    kept = {*always, *wanted}
    return View({name: field for name, field in fields.items() if name in kept})


def _tag_title(tag: str) -> str:
    return _TITLES.get(tag) or tag.replace("-", " ").title()


def _coins_with_tag(tag: str) -> list[Coin]:
    return [row for row in listed_coins() if tag in row.tags and row.active]


def _all_tags() -> list[str]:
    return sorted({tag for row in listed_coins() if row.active for tag in row.tags})


def _make_category(world: World, tag: str) -> Category:
    members = [coin_quote(world, row) for row in _coins_with_tag(tag)]
    return Category(
        id=tag,
        name=_tag_title(tag),
        title=f"Coins tagged {_tag_title(tag)}",
        num_tokens=len(members),
        market_cap=sum(row["market_cap"] for row in members),
        volume_24h=sum(row["volume_24h"] for row in members),
        avg_price_change_24h=round(
            sum_in_order(row["percent_change_24h"] for row in members) / len(members), 2
        ),
    )


@GROUP.tool(
    examples=[{}, {"symbol": ["BTC", "ETH"]}],
    phrase=(
        "list the categories of coins on CoinMarketCap[, only those containing {id} by coin id][, only those "
        "containing {slug} by coin slug][, only those containing {symbol} by coin symbol][, with the "
        "starting place set to {start}][, with a limit of {limit}]"
    ),
    noun="the list of coin categories",
    promises={"cryptocurrency quotes": "[].market_cap", "metadata": "[].title"},
)
def get_cryptocurrency_categories(
    world: World,
    *,
    start: Start = 1,
    limit: Limit = 30,
    id_: Ids | None = None,
    slug: Slugs | None = None,
    symbol: Symbols | None = None,
) -> list[Category]:
    """Categories of coins with number, market value and mean change.

    All categories, or those of certain coins.

    start: Place of the first category, from 1.
    limit: How many to return.
    id: Only categories with one of these coin ids.
    slug: Only categories with one of these coin slugs, e.g. bitcoin.
    symbol: Only categories with one of these coin symbols, e.g. BTC.
    """
    named = find_coins(id_, slug, symbol, skip=True) if id_ or slug or symbol else listed_coins()
    tags = [tag for tag in _all_tags() if any(tag in row.tags for row in named)]
    return [_make_category(world, tag) for tag in tags[start - 1 : start - 1 + limit]]


@GROUP.tool(
    examples=[{"id": "defi"}, {"id": "stablecoin", "limit": 2}],
    phrase=(
        "get the coins and prices in the CoinMarketCap category whose id is {id}[, with the starting place "
        "set to {start}][, with a limit of {limit}]"
    ),
    noun="the coin category",
)
def get_cryptocurrency_category(
    world: World, *, start: Start = 1, limit: Limit = 30, id_: CategoryId
) -> CategoryDetails:
    """One category of coins and the coins in it with their prices, largest first.

    start: Place of the first coin, from 1.
    limit: How many coins to return.
    id: Id of the category, as get_cryptocurrency_categories returns it.
    """
    tag = fold_case(id_).replace(" ", "-")
    members = _coins_with_tag(tag)
    if not members:
        raise not_found("category", id_, known=_all_tags())
    view = View.of(
        CategoryCoin,
        price=lambda row: coin_quote(world, row)["price"],
        market_cap=lambda row: coin_quote(world, row)["market_cap"],
        percent_change_24h=lambda row: coin_quote(world, row)["percent_change_24h"],
    )
    members.sort(key=lambda row: -coin_quote(world, row)["market_cap"])
    shown = view.rows(members[start - 1 : start - 1 + limit])
    return {"id": tag, "name": _tag_title(tag), "num_tokens": len(members), "coins": shown}


Status = Literal["active", "inactive", "untracked"]
MapField = Literal["platform", "first_historical_data", "last_historical_data", "is_active", "status"]


@GROUP.tool(
    examples=[
        {},
        {"listing_status": ["inactive"], "aux": ["first_historical_data", "last_historical_data", "status"]},
        {"symbol": ["BTC", "ETH"], "aux": ["is_active"]},
    ],
    phrase=(
        "list the CoinMarketCap ids and ranks of coins[, only for {symbol} by coin symbol][, with the "
        "listing status set to {listing_status}][, with {aux} as extra fields][, with sorting by id set to "
        "{if_sort_by_id}][, with the starting place set to {start}][, with a limit of {limit}]"
    ),
    noun="the coin id map",
)
def get_cryptocurrency_coinmarketcap_id_map(
    world: World,
    *,
    start: Start = 1,
    limit: Limit = 60,
    symbol: Symbols | None = None,
    listing_status: list[Status] = ["active"],  # noqa: B006 - read only
    aux: list[MapField] = ["is_active"],  # noqa: B006 - read only
    if_sort_by_id: bool = True,
) -> list[MapEntry]:
    """Coins with their ids and ranks, in order of either; former coins have no rank.

    start: Place of the first coin, from 1.
    limit: How many to return.
    symbol: Only these symbols, unknown ones left out; the other filters are then ignored.
    listing_status: Which coins to list: traded ones, former ones, or ones whose markets are not tracked.
    aux: Further fields to return.
    if_sort_by_id: True sorts by id, False by rank.
    """
    chosen = (
        find_coins(None, None, symbol, skip=True)
        if symbol
        else [row for row in listed_coins() if row.status in listing_status]
    )
    chosen.sort(key=lambda row: row.id if if_sort_by_id else coin_rank(world, row) or _LAST + row.id)
    fields: dict[str, Field] = {
        "id": "id",
        "rank": lambda row: coin_rank(world, row),
        "name": "name",
        "symbol": "symbol",
        "slug": "slug",
        "platform": "platform",
        "first_historical_data": "date_added",
        "last_historical_data": lambda row: world.today.isoformat() if row.active else row.date_added,
        "is_active": "active",
        "status": "status",
    }
    view = view_of_fields(fields, ("id", "rank", "name", "symbol", "slug"), aux)
    return fitting_rows(view.rows(chosen[start - 1 : start - 1 + limit]))


MetaField = Literal["urls", "logo", "description", "tags", "platform", "date_added", "notice", "status"]


@GROUP.tool(
    examples=[
        {"symbol": ["BTC"]},
        {"id": [1027, 825]},
        {"slug": ["chainlink"], "aux": ["description", "platform"]},
    ],
    phrase=(
        "get descriptions, tags and websites of coins on CoinMarketCap[, for {id} by coin id][, for {slug} "
        "by coin slug][, for {symbol} by coin symbol][, for {address} by token contract address][, with "
        "{aux} as extra fields][, with skipping of unknown coins set to {skip_invalid}]"
    ),
    noun="the coin metadata",
)
def get_cryptocurrency_metadata_v2(
    world: World,
    *,
    id_: Ids | None = None,
    slug: Slugs | None = None,
    symbol: Symbols | None = None,
    address: ContractAddress | None = None,
    aux: list[MetaField] = ["urls", "logo", "description", "tags", "platform", "date_added", "notice"],  # noqa: B006
    skip_invalid: bool = False,
) -> list[Metadata]:
    """What coins are: description, tags, platform and contract, website; at most 20 coins.

    id: Ids of the coins.
    slug: Slugs of the coins, e.g. bitcoin.
    symbol: Symbols of the coins, e.g. BTC.
    address: Contract address of a token, as this tool returns it; takes the place of the others.
    aux: Further fields to return.
    skip_invalid: True leaves unknown coins out instead of failing.
    """
    if address is not None:
        tokens = {row.contract: row for row in listed_coins() if row.contract}
        if fold_case(address) not in tokens:
            raise not_found("token with contract", address, known=list(tokens))
        found = [tokens[fold_case(address)]]
    else:
        found = find_coins(id_, slug, symbol, skip_invalid)
    contract = ("contract_address",) if "platform" in aux else ()
    view = view_of_fields(METADATA, ("id", "name", "symbol", "slug", "category"), (*aux, *contract))
    return [
        view.row(coin) | {"self_reported_market_cap": coin_quote(world, coin)["market_cap"]}
        for coin in found[:20]
    ]


@functools.cache
def _coin_texts() -> Mapping[str, str]:
    """Slug of a coin -> what it is."""
    return {row["slug"]: row["text"] for row in read_table("coin_texts.tsv")}


def _coin_description(row: Coin) -> str:
    """What a coin is, and how many units there will be at most."""
    where = f"a token on {row.platform.title()}" if row.platform else "a coin with a chain of its own"
    told = _coin_texts().get(row.slug) or f"{row.name} ({row.symbol}) is {where}."
    limit = f" There will be at most {row.max_supply:,.0f} units." if row.max_supply else ""
    return f"{told}{limit}"


METADATA: dict[str, Field] = {
    "id": "id",
    "name": "name",
    "symbol": "symbol",
    "slug": "slug",
    "category": lambda row: "token" if row.platform else "coin",
    "urls": lambda row: coin_websites(row.slug),
    "logo": lambda row: f"https://coins.example/logo/{row.id}.png",
    "description": _coin_description,
    "tags": lambda row: list(row.tags),
    "platform": "platform",
    "contract_address": "contract",
    "date_added": "date_added",
    "notice": lambda row: None if row.active else "No longer traded on tracked markets.",
    "status": "status",
}
