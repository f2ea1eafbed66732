"""Finance/Commodities: world market prices of raw materials and an index over all of them."""

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain, read_record, read_table
from toolyard.world.kernel.types import Semantic
from toolyard.world.reference.market_days import last_close
from toolyard.world.simulated.finance.averages import arithmetic_mean
from toolyard.world.simulated.finance.rates import TradingDate
from toolyard.world.simulated.prices import level, path
from toolyard.world.simulated.series import Bars

GROUP = Group("Finance/Commodities")
CommodityName = Annotated[str, Semantic("commodity")]
# How many prices are told.
_ROWS = {"daily": 20, "weekly": 12, "monthly": 36, "quarterly": 20, "annual": 14}


@dataclass(frozen=True, slots=True)
class Commodity:
    """A raw material: `weight` is its part of the index, `symbol` that of its future, or a name of its own."""

    name: str
    unit: str
    weight: float
    symbol: str
    aliases: tuple[str, ...]


@functools.cache
def all_commodities() -> tuple[Commodity, ...]:
    """All commodities, those of the index first."""
    return tuple(
        read_record(
            Commodity,
            row,
            weight=float(row["weight"] or 0),
            aliases=tuple(row["aliases"].split(";")),
        )
        for row in read_table("commodities.tsv")
    )


class PricePoint(TypedDict):
    date: TradingDate
    value: float


class CommodityPrices(TypedDict):
    commodity: CommodityName
    interval: str
    unit: str
    latest: float
    rows: list[PricePoint]


class IndexRows(TypedDict):
    name: str
    interval: str
    unit: str
    components: list[CommodityName]
    rows: list[PricePoint]


@functools.cache
def _commodities_by_name() -> Mapping[str, Commodity]:
    found: dict[str, Commodity] = {}
    for row in all_commodities():
        for key in filter(None, (row.name, row.symbol, *row.aliases)):
            found.setdefault(plain(key), row)
    return found


def _find_commodity(wanted: str) -> Commodity:
    row = _commodities_by_name().get(plain(wanted).removesuffix(" price").removesuffix(" futures"))
    if row is None:
        known = [row.name for row in all_commodities()]
        raise not_found("commodity", wanted, known=known, listed_by=f"{GROUP}/get_commodity_price")
    return row


def commodity_bars(seed: int, row: Commodity) -> Bars:
    """Daily bars of a commodity, which are those of its future."""
    return Bars(path(seed, row.symbol, level(seed, row.symbol, "FUTURE")))


def _round_price(value: float) -> float:
    """A price with the digits that are usual at its size."""
    return round(value, 2 if value >= 10 else 3)


@seeds.cache_by_seed(128)
def monthly_means(seed: int, symbol: str) -> Mapping[str, float]:
    """Month, as YYYY-MM -> mean close of a commodity in it, oldest first."""
    found: dict[str, list[float]] = {}
    whole = path(seed, symbol, level(seed, symbol, "FUTURE"))
    for number, day in enumerate(whole.days):
        found.setdefault(day[:7], []).append(whole.close(number))
    return {month: arithmetic_mean(closes) for month, closes in found.items()}


@seeds.table
def index_months(seed: int) -> Mapping[str, float]:
    """Month -> weighted geometric mean of the commodities of the index; the mean of 2016 is 100."""
    parts = [(row.weight, monthly_means(seed, row.symbol)) for row in all_commodities() if row.weight]
    raw = {
        month: math.exp(math.fsum(weight * math.log(means[month]) for weight, means in parts))
        for month in parts[0][1]
    }
    base = arithmetic_mean([value for month, value in raw.items() if month.startswith("2016")])
    return {month: 100 * value / base for month, value in raw.items()}


def _price_points(found: Iterable[tuple[str, float]]) -> list[PricePoint]:
    return [{"date": day, "value": _round_price(value)} for day, value in found]


@GROUP.tool(
    examples=[{"commodity": "Crude Oil WTI", "interval": "daily"}, {"commodity": "Wheat"}],
    phrase="get the world market commodity prices for {commodity}[, with the interval set to {interval}]",
    noun="the commodity prices",
)
def get_commodity_price(
    world: World, *, interval: Literal["daily", "weekly", "monthly"] = "monthly", commodity: CommodityName
) -> CommodityPrices:
    """World market prices of a raw material, newest first; latest is the price of the last trading day.

    interval: One price per day, per week (that of its last day) or per whole month (its mean).
    commodity: Name of a raw material, e.g. Crude Oil WTI, Natural Gas, Copper, Gold, Wheat, Coffee or Sugar.
    """
    row, last = _find_commodity(commodity), last_close(world.now)
    past = commodity_bars(world.seed, row).until(last)
    if interval == "monthly":
        whole = [month for month in monthly_means(world.seed, row.symbol) if month < last.isoformat()[:7]]
        found = [(f"{month}-01", monthly_means(world.seed, row.symbol)[month]) for month in reversed(whole)]
    else:
        days: Sequence[int] = range(len(past) - 1, 0, -1 if interval == "daily" else -5)
        found = [(bar["date"], bar["close"]) for bar in (past[number] for number in days[: _ROWS[interval]])]
    return {
        "commodity": row.name,
        "interval": interval,
        "unit": row.unit,
        "latest": _round_price(past[-1]["close"]),
        "rows": _price_points(found[: _ROWS[interval]]),
    }


@GROUP.tool(
    examples=[{}, {"interval": "annual"}],
    phrase="get the global price index of all commodities together[, with the interval set to {interval}]",
    noun="the commodity price index",
)
def get_global_price_index_of_all_commodities(
    world: World, *, interval: Literal["monthly", "quarterly", "annual"] = "monthly"
) -> IndexRows:
    """An index over the prices of ten raw materials, its components, newest first; the mean of 2016 is 100.

    interval: One value per month, or the mean of each whole quarter or year, under its first day.
    """
    step = {"monthly": 1, "quarterly": 3, "annual": 12}[interval]
    means = index_months(world.seed)
    months = [month for month in means if month < world.today.isoformat()[:7]]
    parts = [months[place : place + step] for place in range(0, len(months) - step + 1, step)]
    found = [(f"{part[0]}-01", arithmetic_mean([means[month] for month in part])) for part in reversed(parts)]
    return {
        "name": "Price index of ten commodities",
        "interval": interval,
        "unit": "index, 2016 = 100",
        "components": [row.name for row in all_commodities() if row.weight],
        "rows": _price_points(found[: _ROWS[interval]]),
    }
