"""Finance/Commodities: world market prices of raw materials and an index over all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Literal, TypedDict

from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.shared.geography import plain
from toolyard.world.state import World
from toolyard.world.types import Semantic
from toolyard.world.worlds.finance import curves
from toolyard.world.worlds.finance.rates import TradingDate

GROUP = "Finance/Commodities"
CommodityName = Annotated[str, Semantic("commodity")]
# name, key of its curve, unit, weight in the index
_ROWS = (
    ("Crude Oil WTI", "WTI", "dollars per barrel", 0.20),
    ("Crude Oil Brent", "BRENT", "dollars per barrel", 0.20),
    ("Natural Gas", "NATURAL_GAS", "dollars per million BTU", 0.12),
    ("Copper", "COPPER", "dollars per metric ton", 0.12),
    ("Aluminum", "ALUMINUM", "dollars per metric ton", 0.08),
    ("Wheat", "WHEAT", "dollars per metric ton", 0.07),
    ("Corn", "CORN", "dollars per metric ton", 0.07),
    ("Cotton", "COTTON", "cents per pound", 0.04),
    ("Sugar", "SUGAR", "cents per pound", 0.05),
    ("Coffee", "COFFEE", "cents per pound", 0.05),
)
# "Crude Oil WIT" is how the released documents spell it.
_ALIASES = {"crude oil wit": "WTI", "west texas intermediate": "WTI", "crude oil": "WTI", "oil": "WTI",
            "brent crude": "BRENT", "gas": "NATURAL_GAS", "aluminium": "ALUMINUM", "maize": "CORN"}  # fmt: skip


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


def price(seed: int, key: str, day: date) -> float:
    """The price of a commodity on a day."""
    return curves.value(seed, key, day, size=0.035, present=curves.yearly()[key][2024])


def _find(wanted: str) -> tuple[str, str, str, float]:
    key = plain(wanted)
    key = plain(_ALIASES.get(key, key))
    for row in _ROWS:
        if key in (plain(row[0]), plain(row[1])):
            return row
    raise not_found("commodity", wanted, known=[row[0] for row in _ROWS])


def _index(seed: int, day: date) -> float:
    """Weighted geometric mean of all prices against those of 2016, which is 100."""
    logs = (
        weight * math.log(price(seed, key, day) / curves.yearly()[key][2016]) for _, key, _, weight in _ROWS
    )
    return 100 * math.exp(math.fsum(logs))


def _mean(seed: int, key: str, days: Iterable[date]) -> float:
    values = [price(seed, key, day) for day in days]
    return math.fsum(values) / len(values)


def _month_days(month: date, today: date) -> list[date]:
    return [month.replace(day=day) for day in (1, 8, 15, 22, 28) if month.replace(day=day) <= today]


@tool(
    GROUP,
    examples=[{"commodity": "Crude Oil WTI", "interval": "daily"}, {"commodity": "Wheat"}],
    phrase="get the world market commodity prices for {commodity}[, with the interval set to {interval}]",
    noun="the commodity prices",
)
def get_commodity_price(
    world: World, *, interval: Literal["daily", "weekly", "monthly"] = "monthly", commodity: CommodityName
) -> CommodityPrices:
    """World market prices of a raw material, newest first: 60 days, 60 weeks or 60 months.

    interval: One price per day, week or month (its mean).
    commodity: Crude Oil WTI, Crude Oil Brent, Natural Gas, Copper, Aluminum, Wheat, Corn, Cotton, Sugar or Coffee.
    """
    name, key, unit, _ = _find(commodity)
    seed, today = world.seed, world.today
    if interval == "monthly":
        found = [(day, _mean(seed, key, _month_days(day, today))) for day in curves.months(today, 60)]
    else:
        days = curves.weekdays(today, 60) if interval == "daily" else curves.stepped(today, 7, 60)
        found = [(day, price(seed, key, day)) for day in days]
    return {
        "commodity": name,
        "interval": interval,
        "unit": unit,
        "latest": round(price(seed, key, today), 3),
        "rows": [{"date": day.isoformat(), "value": round(value, 3)} for day, value in found],
    }


@tool(
    GROUP,
    examples=[{}, {"interval": "annual"}],
    phrase="get the global price index of all commodities together[, with the interval set to {interval}]",
    noun="the commodity price index",
)
def get_global_price_index_of_all_commodities(
    world: World, *, interval: Literal["monthly", "quarterly", "annual"] = "monthly"
) -> IndexRows:
    """An index over the prices of all raw materials, newest first; 2016 is 100.

    interval: One value per month, quarter or year.
    """
    step = {"monthly": 1, "quarterly": 3, "annual": 12}[interval]
    days = [day for day in curves.months(world.today, 180) if (day.month - 1) % step == 0]
    return {
        "name": "Global Price Index of All Commodities",
        "interval": interval,
        "unit": "index, 2016 = 100",
        "components": [row[0] for row in _ROWS],
        "rows": [{"date": day.isoformat(), "value": round(_index(world.seed, day), 2)} for day in days[:60]],
    }
