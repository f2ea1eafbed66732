"""Finance/CoinMarketCap, figures: listings of all coins and quotes of some."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypedDict, Unpack

from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.types import CryptoSymbol, Page
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
    CoinQuote,
    CoinSlug,
    coin_quote,
    listed_coins,
    volume_over,
)

GROUP = "Finance/CoinMarketCap"


class Listing(TypedDict):
    id: CoinId
    cmc_rank: int | None
    name: str
    symbol: CryptoSymbol
    circulating_supply: float
    quote_usd: CoinQuote


class QuoteEntry(TypedDict):
    id: CoinId
    name: str
    symbol: CryptoSymbol
    slug: CoinSlug
    last_updated: str
    quote_usd: CoinQuote
    extra: dict[str, str | float | bool | list[str] | None]


SortField = Literal["market_cap", "name", "symbol", "date_added", "price", "circulating_supply", "max_supply",
                    "volume_24h", "percent_change_1h", "percent_change_24h", "percent_change_7d"]  # fmt: skip
ListField = Literal["tags", "platform", "date_added", "max_supply", "cmc_rank", "status"]


class ListingFilters(TypedDict, total=False):
    """Bounds.

    price_min: Lowest price in US dollars.
    prive_max: Highest price in US dollars.
    market_cap_min: Lowest market value in US dollars.
    market_cap_max: Highest market value in US dollars.
    volume_24h_min: Lowest volume of the last day in US dollars.
    volume_24h_max: Highest volume of the last day in US dollars.
    circulating_supply_min: Fewest coins in circulation.
    circulating_supply_max: Most coins in circulation.
    percent_change_24h_min: Lowest change since yesterday in per cent.
    percent_change_24h_max: Highest change since yesterday in per cent.
    """

    price_min: float
    prive_max: float
    market_cap_min: float
    market_cap_max: float
    volume_24h_min: float
    volume_24h_max: float
    circulating_supply_min: float
    circulating_supply_max: float
    percent_change_24h_min: float
    percent_change_24h_max: float


def _check_bounds(bounds: ListingFilters) -> None:
    """Refuses bounds that leave nothing between them."""
    for low, value in bounds.items():
        high = "prive_max" if low == "price_min" else f"{low[:-4]}_max"
        top = bounds.get(high)
        if low.endswith("_min") and top is not None and value > top:  # type: ignore[operator]
            raise invalid(high, top, f"want at least {low}, {value}")


def _within(values: dict[str, float], bounds: ListingFilters) -> bool:
    for name, bound in bounds.items():
        field = "price" if name == "prive_max" else name[:-4]
        value = values[field]
        if value < bound if name.endswith("_min") else value > bound:  # type: ignore[operator]
            return False
    return True


@tool(
    GROUP,
    examples=[
        {},
        {"market_cap_min": 1e10, "sort": "percent_change_24h", "limit": 5},
        {"cryptocurrency_type": "tokens", "tag": "defi"},
    ],
    phrase=(
        "list coins on CoinMarketCap with their latest market figures[, with the currency type set to "
        "{cryptocurrency_type}][, with the tag set to {tag}][, with a market value in dollars of at least "
        "{market_cap_min}][, with a price in dollars of at least {price_min}][, with a price in dollars of "
        "at most {prive_max}][, sorted by {sort}][, with ascending order set to {if_sort_asc}][, with a "
        "limit of {limit}]"
    ),
    noun="the latest coin listing",
    jobs=("price of ether",),
)
def get_cryptocurrency_listing_latest(
    world: World,
    *,
    start: Start = 1,
    limit: Limit = 20,
    sort: SortField = "market_cap",
    if_sort_asc: bool = False,
    cryptocurrency_type: Literal["all", "coins", "tokens"] = "all",
    tag: Literal["all", "defi", "filesharing"] = "all",
    aux: list[ListField] = ["cmc_rank"],  # noqa: B006 - read only
    **bounds: Unpack[ListingFilters],
) -> Page[Listing]:
    """The best known coins that are traded, with their latest market figures in US dollars, filtered and sorted.

    Changes over 7 and 30 days are given for the largest coins; of the others they are not on record.

    start: Place of the first coin, from 1.
    limit: How many to return.
    sort: Field to sort by.
    if_sort_asc: True for the smallest first.
    cryptocurrency_type: Coins with their own chain, tokens on another one, or all.
    tag: Only coins with this tag.
    aux: Kept for compatibility; rank and supply are always returned.
    """
    _check_bounds(bounds)
    ranks = coin_ranks(world)
    rows = [
        (row, quote)
        for row, quote in ((row, coin_quote(world, row)) for row in listed_coins())
        if row["status"] == "active"
        and cryptocurrency_type in ("all", "tokens" if row["platform"] else "coins")
        and tag in ("all", *row["tags"])
        and _within({**quote, "circulating_supply": row["circulating_supply"]}, bounds)  # type: ignore[dict-item]
    ]
    rows.sort(key=lambda pair: _sort_key({**pair[0], **pair[1]}.get(sort)), reverse=not if_sort_asc)
    rows.sort(key=lambda pair: {**pair[0], **pair[1]}.get(sort) is None)
    items = [_listing(row, quote, rank_of(ranks, row)) for row, quote in rows[start - 1 : start - 1 + limit]]
    return {"total": len(rows), "offset": start - 1, "items": items}


def _listing(row: Coin, quote: CoinQuote, rank: int | None) -> Listing:
    return Listing(
        id=row["id"],
        cmc_rank=rank,
        name=row["name"],
        symbol=row["symbol"],
        circulating_supply=row["circulating_supply"],
        quote_usd=quote,
    )


def _sort_key(value: object) -> tuple[float, str]:
    return (float(value), "") if isinstance(value, int | float) else (0.0, str(value or ""))


# Millions of units that exist, of coins of which many are not in circulation.
_TOTALS = {
    "XRP": 99_987, "LINK": 1_000, "UNI": 1_000, "ARB": 10_000, "OP": 4_295, "APT": 1_098, "FIL": 1_960, "HBAR": 50_000,
    "TON": 5_107, "SOL": 575, "ADA": 36_900, "ICP": 516, "XLM": 50_001, "CRO": 30_000, "NEAR": 1_191, "MATIC": 10_000,
    "AVAX": 437, "SAND": 3_000, "GRT": 10_791, "AAVE": 16, "AXS": 270, "SHIB": 589_530_000, "VET": 85_985,
}  # fmt: skip

# About how many markets there were with a coin; of others it follows from the rank.
QuoteField = Literal["num_market_pairs", "cmc_rank", "date_added", "tags", "platform", "max_supply",
                     "circulating_supply", "total_supply", "market_cap_by_total_supply", "volume_7d",
                     "volume_30d", "is_active", "is_fiat"]  # fmt: skip
_QUOTE_FIELDS: list[QuoteField] = [
    "num_market_pairs",
    "cmc_rank",
    "max_supply",
    "circulating_supply",
    "is_active",
]


@tool(
    GROUP,
    examples=[{"symbol": ["BTC", "ETH"]}, {"id": [1], "aux": ["volume_7d", "volume_30d"]}],
    phrase=(
        "get the latest CoinMarketCap quotes in US dollars[, for {id} by coin id][, for {slug} by coin "
        "slug][, for {symbol} by coin symbol][, with {aux} as extra fields][, with skipping of unknown coins "
        "set to {skip_invalid}]"
    ),
    noun="the latest coin quotes",
    jobs=("price of ether",),
)
def get_cryptocurrency_quotes_latest_v2(
    world: World,
    *,
    id_: Ids | None = None,
    slug: Slugs | None = None,
    symbol: Symbols | None = None,
    skip_invalid: bool = True,
    aux: list[QuoteField] = _QUOTE_FIELDS,
) -> list[QuoteEntry]:
    """The latest quotes of certain coins in US dollars, at most 20 coins.

    Changes over 7 and 30 days are given for the largest coins; of the others they are not on record.

    id: Ids of the coins.
    slug: Slugs of the coins, e.g. bitcoin.
    symbol: Symbols of the coins, e.g. BTC.
    skip_invalid: True leaves unknown coins out instead of failing, as long as one is known.
    aux: Further fields, returned under extra as far as they are on record; numbers of market pairs are not.
    """
    ranks = coin_ranks(world)
    return [
        _quote_entry(world, row, rank_of(ranks, row), aux)
        for row in named_coins(id_, slug, symbol, skip_invalid)[:20]
    ]


def _quote_entry(world: World, row: Coin, rank: int | None, aux: Iterable[QuoteField]) -> QuoteEntry:
    quote = coin_quote(world, row)
    total = _TOTALS[row["symbol"]] * 1e6 if row["symbol"] in _TOTALS else row["circulating_supply"]
    extra: dict[QuoteField, str | float | bool | list[str] | None] = {
        "cmc_rank": rank,
        "date_added": row["date_added"],
        "tags": row["tags"],
        "platform": row["platform"],
        "max_supply": row["max_supply"],
        "circulating_supply": row["circulating_supply"],
        "total_supply": total,
        "market_cap_by_total_supply": round(quote["price"] * total),
        "volume_7d": volume_over(world, row, 7),
        "volume_30d": volume_over(world, row, 30),
        "is_active": row["status"] == "active",
        "is_fiat": False,
    }
    return {
        "id": row["id"],
        "name": row["name"],
        "symbol": row["symbol"],
        "slug": row["slug"],
        "last_updated": world.now.isoformat(timespec="minutes"),
        "quote_usd": quote,
        "extra": {name: extra[name] for name in aux if name in extra},
    }
