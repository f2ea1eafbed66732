"""Finance/CoinMarketCap, figures: listings of all coins and quotes of some."""

from datetime import timedelta
from typing import Literal, TypedDict, Unpack

from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import CryptoSymbol, Page
from toolyard.world.kernel.views import View
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
    CoinQuote,
    CoinSlug,
    coin_quote,
    coin_supply,
    coin_volume,
    listed_coins,
)

GROUP = Group("Finance/CoinMarketCap")


class Listing(TypedDict):
    id: CoinId
    cmc_rank: int
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
        if not (isinstance(value, float | int) and isinstance(top, float | int)):
            continue
        if low.endswith("_min") and value > top:
            raise invalid(high, top, f"want at least {low}, {value}")


def _coin_figures(world: World, row: Coin) -> Record:
    """What coins are sorted and bounded by."""
    return {
        **coin_quote(world, row),
        "circulating_supply": coin_supply(world.seed, row),
        "max_supply": row.max_supply,
        "name": row.name,
        "symbol": row.symbol,
        "date_added": row.date_added,
    }


def _is_within_bounds(values: Record, bounds: ListingFilters) -> bool:
    for name, bound in bounds.items():
        value = values["price" if name == "prive_max" else name[:-4]]
        if value < bound if name.endswith("_min") else value > bound:
            return False
    return True


@GROUP.tool(
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

    start: Place of the first coin, from 1.
    limit: How many to return.
    sort: Field to sort by.
    if_sort_asc: True for the smallest first.
    cryptocurrency_type: Coins with their own chain, tokens on another one, or all.
    tag: Only coins with this tag.
    aux: Kept for compatibility; rank and supply are always returned.
    """
    _check_bounds(bounds)
    rows = [
        (row, figures)
        for row in listed_coins()
        if row.active
        and cryptocurrency_type in ("all", "tokens" if row.platform else "coins")
        and tag in ("all", *row.tags)
        and _is_within_bounds(figures := _coin_figures(world, row), bounds)
    ]
    rows.sort(key=lambda pair: pair[1][sort] or 0, reverse=not if_sort_asc)
    view = View.of(
        Listing,
        cmc_rank=lambda row: coin_rank(world, row),
        circulating_supply=lambda row: coin_supply(world.seed, row),
        quote_usd=lambda row: coin_quote(world, row),
    )
    return view.page([row for row, _ in rows], start - 1, limit)


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


@GROUP.tool(
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

    id: Ids of the coins.
    slug: Slugs of the coins, e.g. bitcoin.
    symbol: Symbols of the coins, e.g. BTC.
    skip_invalid: True leaves unknown coins out instead of failing, as long as one is known.
    aux: Further fields, returned under extra.
    """
    view = View.of(
        QuoteEntry,
        last_updated=lambda _: world.now.isoformat(timespec="minutes"),
        quote_usd=lambda row: coin_quote(world, row),
        extra=lambda row: {name: value for name, value in _extra_fields(world, row).items() if name in aux},
    )
    return view.rows(find_coins(id_, slug, symbol, skip_invalid)[:20])


def _extra_fields(world: World, row: Coin) -> dict[str, JsonValue]:
    quote, circulating = coin_quote(world, row), coin_supply(world.seed, row)
    total = row.max_supply or round(1.1 * circulating)

    def traded(days: int) -> int:
        past = (world.today - timedelta(days=back) for back in range(days))
        return sum(coin_volume(world.seed, row, day) for day in past)

    return {
        "num_market_pairs": 20 + seeds.number(world.seed, "pairs", row.symbol) % 900 if row.active else 0,
        "cmc_rank": coin_rank(world, row),
        "date_added": row.date_added,
        "tags": list(row.tags),
        "platform": row.platform,
        "max_supply": row.max_supply,
        "circulating_supply": circulating,
        "total_supply": total,
        "market_cap_by_total_supply": round(quote["price"] * total),
        "volume_7d": traded(7),
        "volume_30d": traded(30),
        "is_active": row.active,
        "is_fiat": False,
    }
