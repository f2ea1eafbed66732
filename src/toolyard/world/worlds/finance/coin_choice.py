"""Which coins a caller means, by id, slug or symbol, and their ranks by market value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from toolyard.world.faults import ToolFault, not_found
from toolyard.world.state import World
from toolyard.world.tables import fold
from toolyard.world.types import CryptoSymbol, Range
from toolyard.world.worlds.finance.coins import (
    FIRST_OTHER_ID,
    Coin,
    CoinId,
    CoinSlug,
    coin_quote,
    listed_coins,
    other_coin,
)

Start = Annotated[int, Range(1)]
Limit = Annotated[int, Range(1, 5000)]
Ids = Annotated[list[CoinId], Range(0, 60)]
Slugs = Annotated[list[CoinSlug], Range(0, 60)]
Symbols = Annotated[list[CryptoSymbol], Range(0, 60)]


def coin_ranks(world: World) -> dict[int, int]:
    """Id -> place by market value, from 1, of the coins that are traded."""
    traded = [row for row in listed_coins() if row["status"] == "active"]
    ordered = sorted(traded, key=lambda row: -coin_quote(world, row)["market_cap"])
    return {row["id"]: place for place, row in enumerate(ordered, 1)}


def rank_of(ranks: Mapping[int, int], row: Coin) -> int | None:
    """The place of a coin: that in the list, else the one it would have by value; of little known ones after all others.

    What is no longer traded has none.
    """
    if row["status"] != "active":
        return None
    if row["id"] in ranks:
        return ranks[row["id"]]
    if row["id"] >= FIRST_OTHER_ID:
        return len(ranks) + 1 + row["id"] % 9_000
    worth = [one["price"] * one["circulating_supply"] for one in listed_coins()]
    return 1 + sum(value > row["price"] * row["circulating_supply"] for value in worth)


def _wanted(values: Sequence[object] | None) -> set[str]:
    return {fold(value) for value in values or ()}


def fitting_coins(
    ids: Sequence[int] | None, slugs: Sequence[str] | None, symbols: Sequence[str] | None
) -> list[Coin]:
    """The coins that one of the lists names; all of them where no list is given."""
    if not (ids or slugs or symbols):
        return list(listed_coins())
    keys = (("id", _wanted(ids)), ("slug", _wanted(slugs)), ("symbol", _wanted(symbols)))
    found = [row for row in listed_coins() if any(fold(row[key]) in names for key, names in keys)]  # type: ignore[literal-required]
    for key, names in keys:
        missing = sorted(names - {fold(row[key]) for row in found})  # type: ignore[literal-required]
        found += filter(None, (other_coin(key, name) for name in missing))
    return found


def named_coins(
    ids: Sequence[int] | None, slugs: Sequence[str] | None, symbols: Sequence[str] | None, skip: bool
) -> list[Coin]:
    """The coins that are named; a fault where none is, or where one is unknown and may not be skipped."""
    if not (ids or slugs or symbols):
        raise ToolFault("missing_parameter", "give at least one of id, slug and symbol, e.g. symbol=[BTC]")
    found = fitting_coins(ids, slugs, symbols)
    for key, names in (("id", ids), ("slug", slugs), ("symbol", symbols)):
        known = {fold(row[key]) for row in found}  # type: ignore[literal-required]
        unknown = [name for name in names or () if fold(name) not in known]
        if unknown and (not skip or not found):
            known_ones = [row[key] for row in listed_coins()]  # type: ignore[literal-required]
            # Without a number: further coins are found by symbol than the lists hold.
            listed_by = "Finance/CoinMarketCap/get_cryptocurrency_coinmarketcap_id_map"
            raise not_found(f"coin with {key}", unknown[0], known=known_ones, count=0, listed_by=listed_by)
    return found
