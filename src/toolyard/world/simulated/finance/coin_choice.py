"""Which coins a caller means, by id, slug or symbol, and their ranks by market value."""

from collections.abc import Sequence
from typing import Annotated

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import ToolFault, not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import CryptoSymbol, Range
from toolyard.world.simulated.finance.coins import Coin, CoinId, CoinSlug, coin_quote, find_coin, listed_coins

Start = Annotated[int, Range(1)]
Limit = Annotated[int, Range(1, 5000)]
Ids = Annotated[list[CoinId], Range(0, 60)]
Slugs = Annotated[list[CoinSlug], Range(0, 60)]
Symbols = Annotated[list[CryptoSymbol], Range(0, 60)]


@seeds.cache_by_seed(8)
def _coin_ranks(seed: int) -> dict[int, int]:
    world = World.fresh(seed)
    traded = sorted(
        (row for row in listed_coins() if row.active), key=lambda row: -coin_quote(world, row)["market_cap"]
    )
    return {row.id: place for place, row in enumerate(traded, 1)}


def coin_rank(world: World, row: Coin) -> int | None:
    """The place of a coin by market value, from 1; of little known ones after all others, none of what is not traded."""
    ranks = _coin_ranks(world.seed)
    return ranks.get(row.id, len(ranks) + 1 + row.id % 9_000) if row.active else None


def find_coins(
    ids: Sequence[int] | None, slugs: Sequence[str] | None, symbols: Sequence[str] | None, skip: bool
) -> list[Coin]:
    """The coins that are named; a fault where none is, or where one is unknown and may not be skipped."""
    if not (ids or slugs or symbols):
        raise ToolFault("missing_parameter", "give at least one of id, slug and symbol, e.g. symbol=[BTC]")
    found: dict[int, Coin] = {}
    unknown: list[tuple[str, object]] = []
    lists: tuple[tuple[str, Sequence[object] | None], ...] = (
        ("id", ids),
        ("slug", slugs),
        ("symbol", symbols),
    )
    for key, values in lists:
        for value in values or ():
            row = find_coin(key, value)
            if row is None:
                unknown.append((key, value))
            else:
                found[row.id] = row
    if unknown and (not skip or not found):
        key, missing = unknown[0]
        # Without a number: further coins are found by symbol than the lists hold.
        listed_by = "Finance/CoinMarketCap/get_cryptocurrency_coinmarketcap_id_map"
        known = [getattr(row, key) for row in listed_coins()]
        raise not_found(f"coin with {key}", missing, known=known, count=0, listed_by=listed_by)
    return list(found.values())
