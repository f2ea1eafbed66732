"""Finance/Commodities: world market prices of raw materials and an index over all of them."""

from __future__ import annotations

import functools
import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds, series
from toolyard.world.faults import not_found
from toolyard.world.market_days import is_trading_day, last_close
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.tables import plain, read_table
from toolyard.world.types import Semantic
from toolyard.world.worlds.finance import curves
from toolyard.world.worlds.finance.rates import TradingDate, joined_bar

GROUP = "Finance/Commodities"
# How many prices are told; weeks end where days are on record no more.
_DAYS, _WEEKS, _MONTHS = 20, 12, 36
_INDEX_ROWS = {"monthly": 36, "quarterly": 20, "annual": 14}
CommodityName = Annotated[str, Semantic("commodity")]


@dataclass(frozen=True, slots=True)
class Commodity:
    """A raw material: `key` names its curve or its future, `weight` its part of the index, `future` what follows it."""

    name: str
    key: str
    unit: str
    weight: float
    present: float | None
    future: str
    factor: float
    aliases: tuple[str, ...]


@functools.cache
def commodities() -> tuple[Commodity, ...]:
    """All commodities, those of the index first."""
    return tuple(
        Commodity(
            row["name"], row["key"], row["unit"], float(row["weight"]), float(row["present"]) if row["present"] else None,
            row["future"], float(row["factor"]), tuple(filter(None, row["aliases"].split(";"))),
        )
        for row in read_table("commodities.tsv")
    )  # fmt: skip


@functools.cache
def _by_name() -> Mapping[str, Commodity]:
    """Commodities by name, key, future and other names."""
    found: dict[str, Commodity] = {}
    for row in commodities():
        for key in filter(None, (row.name, row.key, row.key.replace("_", " "), row.future, *row.aliases)):
            found.setdefault(plain(key), row)
    return found


def _indexed() -> list[Commodity]:
    return [row for row in commodities() if row.weight]


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


def price(seed: int, row: Commodity, day: date) -> float:
    """The price of a commodity on a day: its close where that is on record."""
    return curves.days_of(row.key).get(day) or _between(seed, row, day)


def _between(seed: int, row: Commodity, day: date) -> float:
    """The price of a commodity on a day by the means of months."""
    if row.key.endswith("=F"):
        return own_bars(seed, row).until(day)[-1]["close"]
    known = curves.yearly().get(row.key)
    size = 0.008 if curves.months_of(row.key) else 0.035 if known else 0.12
    present = known[2024] if known else row.present
    return curves.value(seed, row.key, day, size=size, present=present, restless=0.011)


def own_bars(seed: int, row: Commodity) -> series.Bars:
    """Daily bars of a commodity that is its future: gold and silver."""
    future = next(one for one in read_table("instruments.tsv") if one["symbol"] == row.key)
    return series.bars(seed, row.key, anchor=float(future["price"]), volatility=float(future["volatility"]))


@functools.cache
def followed_by(symbol: str) -> Commodity | None:
    """The commodity whose price a future follows."""
    return next((row for row in commodities() if row.future == symbol), None)


def _future_close(seed: int, row: Commodity, day: date) -> float:
    """The close of a future: as it is on record, between closes that are a week or so apart, else by the means of months."""
    known = series.known_prices().get(row.future)
    closes = sorted(known.closes.items()) if known else []
    place = bisect_left(closes, (day.isoformat(), 0.0))
    if day in curves.days_of(row.key) or not 0 < place < len(closes):
        return price(seed, row, day) * row.factor
    (first, old), (last, new) = closes[place - 1], closes[place]
    whole = (date.fromisoformat(last) - date.fromisoformat(first)).days
    share = (day - date.fromisoformat(first)).days / whole
    unrest = 0.012 * (seeds.unit(seed, "between closes", row.future, day) - 0.5) if share < 1 else 0.0
    return float(old * (new / old) ** share * math.exp(unrest))


def future_bars(seed: int, row: Commodity, last: date, count: int) -> list[series.Bar]:
    """Daily bars of the future on a commodity, oldest first; consecutive ones join."""
    open_days = [day for day in curves.weekdays(last, 2 * count + 20) if is_trading_day(day)]
    days = open_days[count::-1]
    closes = [_future_close(seed, row, day) for day in days]
    joined = [
        joined_bar(seed, row.future, day, before, after)
        for day, before, after in zip(days[1:], closes, closes[1:], strict=False)
    ]
    return [_traded(seed, row.future, bar) for bar in joined]


def _traded(seed: int, future: str, bar: series.Bar) -> series.Bar:
    """A bar with contracts traded and prices as an exchange writes them."""
    digits = 2 if bar["close"] >= 10 else 3
    return {
        "date": bar["date"],
        "open": round(bar["open"], digits),
        "high": round(bar["high"], digits),
        "low": round(bar["low"], digits),
        "close": round(bar["close"], digits),
        "volume": 80_000 + seeds.number(seed, "contracts", future, bar["date"]) % 220_000,
    }


def _written(value: float) -> float:
    """A price with the digits that are usual at its size."""
    return round(value, 1 if value >= 1000 else 2 if value >= 10 else 3)


def _find(wanted: str) -> Commodity:
    key = plain(wanted).removesuffix(" price").removesuffix(" futures")
    row = _by_name().get(key)
    if row is None or not curves.months_of(row.key):
        recorded = [row.name for row in commodities() if curves.months_of(row.key)]
        raise not_found(
            "prices on record for", wanted, known=recorded, listed_by=f"{GROUP}/get_commodity_price"
        )
    return row


def _of_month(seed: int, row: Commodity, day: date) -> float:
    """The mean of the month of a day where it is on record, else the price of that day."""
    return curves.months_of(row.key).get(day.replace(day=1)) or _between(seed, row, day)


def _against_2016(seed: int, day: date) -> float:
    """Weighted geometric mean of all prices against those of 2016."""
    logs = (
        row.weight * math.log(_of_month(seed, row, day) / curves.yearly()[row.key][2016])
        for row in _indexed()
    )
    return math.exp(math.fsum(logs))


@functools.lru_cache(maxsize=16)
def _base(seed: int) -> float:
    """The mean of the year that counts 100."""
    return math.fsum(_against_2016(seed, date(2016, month, 15)) for month in range(1, 13)) / 12


def _index(seed: int, day: date) -> float:
    """The index of a day, of which the mean of 2016 is 100."""
    return 100 * _against_2016(seed, day) / _base(seed)


def _index_mean(seed: int, first: date, months: int) -> float:
    """The mean of the index over some months from a first one on."""
    values = [_index(seed, first.replace(month=first.month + later, day=15)) for later in range(months)]
    return math.fsum(values) / months


def _mean(seed: int, row: Commodity, days: Iterable[date]) -> float:
    values = [price(seed, row, day) for day in days]
    return math.fsum(values) / len(values)


def _traded_days(last: date) -> list[date]:
    """The last sixty days on which exchanges were open."""
    return [day for day in curves.weekdays(last, 66) if is_trading_day(day)][:60]


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
    """World market prices of a raw material, newest first; latest is the price of the last trading day, which may be that
    of a future.

    interval: One price per day, per week (that of one day) or per month (its mean). Days and weeks of oil, gas, gold and
        silver are those of the next future, of others simulated around the means of months.
    commodity: Name of a raw material: Crude Oil WTI, Crude Oil Brent, Natural Gas, Coal, Copper, Aluminum, Nickel, Zinc,
        Lead, Tin, Iron Ore, Gold, Silver, Platinum, Palladium, Uranium, Gasoline, Heating Oil, Wheat, Corn, Rice, Soybeans,
        Soybean Oil, Palm Oil, Cotton, Sugar, Coffee, Cocoa, Orange Juice, Rubber, Live Cattle, Lean Hogs, Milk or Butter.
    """
    row = _find(commodity)
    seed, today, last = world.seed, world.today, last_close(world.now)
    if interval == "monthly":
        fixed, past = curves.months_of(row.key), list(curves.months(today, _MONTHS + 1))[1:]
        found = [(day, fixed.get(day) or _mean(seed, row, _month_days(day, today))) for day in past]
    else:
        daily = list(curves.days_of(row.key)) or _traded_days(last)
        days = daily[:_DAYS] if interval == "daily" else curves.stepped(last, 7, _WEEKS)
        found = [(day, price(seed, row, day)) for day in days]
    return {
        "commodity": row.name,
        "interval": interval,
        "unit": row.unit,
        "latest": _written(price(seed, row, last)),
        "rows": [{"date": day.isoformat(), "value": _written(value)} for day, value in found],
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
    """An index of this world over the prices of ten raw materials, its components, newest first; the mean of 2016 is 100.

    interval: One value per month, or the mean of each whole quarter or year, under its first day.
    """
    step = {"monthly": 1, "quarterly": 3, "annual": 12}[interval]
    past = list(curves.months(world.today, 181))[1:]
    starts = [day for day in past if (day.month - 1) % step == 0]
    whole = [
        day for day in starts if 12 * day.year + day.month + step - 1 <= 12 * past[0].year + past[0].month
    ]
    return {
        "name": "Price index of ten commodities",
        "interval": interval,
        "unit": "index, 2016 = 100",
        "components": [row.name for row in _indexed()],
        "rows": [
            {"date": day.isoformat(), "value": round(_index_mean(world.seed, day, step), 2)}
            for day in whole[: _INDEX_ROWS[interval]]
        ],
    }
