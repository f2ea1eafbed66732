"""Finance/CoinMarketCap, coins: categories, ids and descriptions."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.core.sums import added
from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.tables import fold, read_table
from toolyard.world.types import CryptoSymbol, IsoDate, Prose, Semantic, Url
from toolyard.world.worlds.finance.coin_choice import (
    Ids,
    Limit,
    Slugs,
    Start,
    Symbols,
    coin_ranks,
    named_coins,
    rank_of,
)
from toolyard.world.worlds.finance.coins import (
    Coin,
    CoinId,
    CoinSlug,
    ContractAddress,
    coin_quote,
    listed_coins,
    sites_of,
)

GROUP = "Finance/CoinMarketCap"
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


_TITLES = {
    "ai-big-data": "AI & Big Data",
    "defi": "DeFi",
    "pos": "Proof of Stake",
    "pow": "Proof of Work",
    "dag": "DAG",
    "dex": "Decentralized Exchange",
    "iot": "IoT",
    "collectibles-nfts": "Collectibles & NFTs",
    "store-of-value": "Store of Value",
    "filesharing": "File Sharing",
}
# The last day on which a coin that is no longer traded had a price.
_LAST_TRADED = {"BCC": "2018-08-11", "TRC": "2021-10-31", "FTC": "2023-06-30"}


# What has no rank comes after everything that has one.
_LAST = 10**9


def _title(tag: str) -> str:
    return _TITLES.get(tag) or tag.replace("-", " ").title()


def _tags() -> list[str]:
    return sorted({tag for row in listed_coins() if row["status"] == "active" for tag in row["tags"]})


def _category(world: World, tag: str) -> Category:
    members = [
        coin_quote(world, row) for row in listed_coins() if tag in row["tags"] and row["status"] == "active"
    ]
    return Category(
        id=tag,
        name=_title(tag),
        title=f"Coins tagged {_title(tag)}",
        num_tokens=len(members),
        market_cap=sum(row["market_cap"] for row in members),
        volume_24h=sum(row["volume_24h"] for row in members),
        avg_price_change_24h=round(added(row["percent_change_24h"] for row in members) / len(members), 2),
    )


@tool(
    GROUP,
    examples=[{}, {"symbol": ["BTC", "ETH"]}],
    phrase=(
        "list the categories of coins on CoinMarketCap[, only those containing {id} by coin id][, only those "
        "containing {slug} by coin slug][, only those containing {symbol} by coin symbol][, with the "
        "starting place set to {start}][, with a limit of {limit}]"
    ),
    noun="the list of coin categories",
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
    """Categories of the coins on record (the best known ones) with number, market value and mean change.

    All categories, or those of certain coins.

    start: Place of the first category, from 1.
    limit: How many to return.
    id: Only categories with one of these coin ids.
    slug: Only categories with one of these coin slugs, e.g. bitcoin.
    symbol: Only categories with one of these coin symbols, e.g. BTC.
    """
    named = named_coins(id_, slug, symbol, skip=True) if id_ or slug or symbol else listed_coins()
    tags = [tag for tag in _tags() if any(tag in row["tags"] for row in named)]
    return [_category(world, tag) for tag in tags[start - 1 : start - 1 + limit]]


@tool(
    GROUP,
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
    tag = fold(id_).replace(" ", "-")
    members = [row for row in listed_coins() if tag in row["tags"] and row["status"] == "active"]
    if not members:
        raise not_found("category", id_, known=_tags())
    rows = []
    for row in members:
        quote = coin_quote(world, row)
        rows.append(
            CategoryCoin(
                id=row["id"],
                symbol=row["symbol"],
                name=row["name"],
                slug=row["slug"],
                price=quote["price"],
                market_cap=quote["market_cap"],
                percent_change_24h=quote["percent_change_24h"],
            )
        )
    rows.sort(key=lambda row: -row["market_cap"])
    return {
        "id": tag,
        "name": _title(tag),
        "num_tokens": len(rows),
        "coins": rows[start - 1 : start - 1 + limit],
    }


MapField = Literal["platform", "first_historical_data", "last_historical_data", "is_active", "status"]
Status = Literal["active", "inactive", "untracked"]


@tool(
    GROUP,
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
    ranks = coin_ranks(world)
    chosen = (
        named_coins(None, None, symbol, skip=True)
        if symbol
        else [r for r in listed_coins() if r["status"] in listing_status]
    )
    ordered = sorted(
        chosen, key=lambda row: row["id"] if if_sort_by_id else rank_of(ranks, row) or _LAST + row["id"]
    )
    return [
        _map_entry(world, row, rank_of(ranks, row), aux) for row in ordered[start - 1 : start - 1 + limit]
    ]


def _map_entry(world: World, row: Coin, rank: int | None, aux: Sequence[MapField]) -> MapEntry:
    entry = MapEntry(id=row["id"], rank=rank, name=row["name"], symbol=row["symbol"], slug=row["slug"])
    active = row["status"] == "active"
    extra: MapEntry = {
        **entry,
        "platform": row["platform"],
        "first_historical_data": row["date_added"],
        "last_historical_data": world.today.isoformat()
        if active
        else _LAST_TRADED.get(row["symbol"], row["date_added"]),
        "is_active": active,
        "status": row["status"],
    }
    return {key: value for key, value in extra.items() if key in entry or key in aux}  # type: ignore[return-value]


MetaField = Literal["urls", "logo", "description", "tags", "platform", "date_added", "notice", "status"]


@tool(
    GROUP,
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
        found = [row for row in listed_coins() if row["contract"] == fold(address)]
        if not found:
            raise not_found(
                "token with contract", address, known=[r["contract"] for r in listed_coins() if r["contract"]]
            )
    else:
        found = named_coins(id_, slug, symbol, skip_invalid)
    return [_metadata(row, aux) for row in found[:20]]


@functools.cache
def _texts() -> Mapping[str, str]:
    """Slug of a coin -> what it is."""
    return {row["slug"]: row["text"] for row in read_table("coin_texts.tsv")}


def _description(row: Coin) -> str:
    """What a coin is, and how many units there will be at most."""
    where = f"a token on {row['platform'].title()}" if row["platform"] else "a coin with a chain of its own"
    told = _texts().get(row["slug"]) or f"{row['name']} ({row['symbol']}) is {where}."
    limit = f" There will be at most {row['max_supply']:,.0f} units." if row["max_supply"] else ""
    return f"{told}{limit}"


def _metadata(row: Coin, aux: Sequence[MetaField]) -> Metadata:
    kind = "token" if row["platform"] else "coin"
    entry = Metadata(id=row["id"], name=row["name"], symbol=row["symbol"], slug=row["slug"], category=kind)
    extra: Metadata = {
        **entry,
        "urls": sites_of(row["slug"]),
        "logo": f"https://coins.example/logo/{row['id']}.png",
        "description": _description(row),
        "tags": row["tags"],
        "platform": row["platform"],
        "contract_address": row["contract"],
        "date_added": row["date_added"],
        "notice": None if row["status"] == "active" else "No longer traded on tracked markets.",
        "status": row["status"],
    }
    wanted = {*entry, *aux, *(("contract_address",) if "platform" in aux else ())}
    return {key: value for key, value in extra.items() if key in wanted}  # type: ignore[return-value]
