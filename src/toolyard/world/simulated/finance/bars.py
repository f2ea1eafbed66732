"""Bars of other lengths: minutes inside a trading day, weeks and months out of days; the parts always add up.

A day's bar is known from the morning of that day on, as everywhere in this world.
"""

import functools
import itertools
import math
import random
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TypedDict

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel import seeds
from toolyard.world.simulated.finance.rates import TradingDate
from toolyard.world.simulated.series import Bar

NEW_YORK = (570, 960)
AROUND_THE_CLOCK = (0, 1440)


class DailyBar(TypedDict):
    """A trading day, a week or a month, as tools return it."""

    date: TradingDate
    open: float
    high: float
    low: float
    close: float
    volume: int


class Close(TypedDict):
    """What something cost when a day, a week or a month was over."""

    date: TradingDate
    close: float


class IntradayBar(TypedDict):
    """Some minutes of a day; the time is when the bar ends, where the market is, or in UTC where trade never rests."""

    time: str
    open: float
    high: float
    low: float
    close: float
    volume: int


def merge(rows: Sequence[Bar], label: str) -> Bar:
    """One bar out of consecutive ones, under the date of the last."""
    return {
        "date": label,
        "open": rows[0]["open"],
        "high": max(row["high"] for row in rows),
        "low": min(row["low"] for row in rows),
        "close": rows[-1]["close"],
        "volume": sum(row["volume"] for row in rows),
    }


def weekly_bars(rows: Iterable[Bar]) -> list[Bar]:
    """Bars of calendar weeks, each under its last trading day."""
    return _merge_by_period(rows, lambda day: day - timedelta(days=day.weekday()))


def monthly_bars(rows: Iterable[Bar]) -> list[Bar]:
    """Bars of calendar months, each under its last trading day."""
    return _merge_by_period(rows, lambda day: day.replace(day=1))


def _merge_by_period(rows: Iterable[Bar], start_of: Callable[[date], date]) -> list[Bar]:
    groups = group_items(rows, lambda row: start_of(date.fromisoformat(row["date"])))
    return [merge(group, group[-1]["date"]) for group in groups.values()]


def period_key(day: str, length: str) -> str:
    """The week, month, quarter or year of a day, by its length: 1wk, 1mo, 3mo or 1y."""
    if length == "1wk":
        whole = date.fromisoformat(day)
        return (whole - timedelta(days=whole.weekday())).isoformat()
    if length == "3mo":
        return f"{day[:4]} {(int(day[5:7]) - 1) // 3}"
    return day[: 7 if length == "1mo" else 4]


# Trades that are told apart within a minute.
_TICKS = 2


def _random_bridge(chance: random.Random, start: float, end: float, count: int, noise: float) -> list[float]:
    """Levels after each of `count` steps of a walk from one level to another."""
    walk = [0.0]
    for _ in range(count):
        walk.append(walk[-1] + noise * (chance.random() - 0.5))
    slope = (end - start - walk[-1]) / count
    return [start + level + slope * number for number, level in enumerate(walk)][1:]


def _count_decimals(prices: Sequence[float]) -> int:
    """How many decimals prices are told with: two at least, but for those that have none."""
    most = max(max(0, -int(Decimal(str(price)).normalize().as_tuple().exponent)) for price in prices)
    return max(2, most) if most else 0


def _prices_within_day(
    chance: random.Random, bar: tuple[float, float, float, float], count: int
) -> tuple[float, ...]:
    """Prices from open to close whose highest and lowest are those of the day."""
    start, high, low, end = bar
    digits = _count_decimals(bar)
    # When the highest and the lowest trade take place, unless the day opens or closes there.
    turns = sorted(chance.sample(range(count // 50 + 1, count - count // 50), 2))
    if chance.random() < 0.5:
        turns.reverse()
    between = zip(turns, (high, low), strict=True)
    points = {0: start, **{turn: price for turn, price in between if price not in (start, end)}, count: end}
    ticks, noise = [start], 1.6 * (high - low) / math.sqrt(count)
    for first, last in itertools.pairwise(sorted(points)):
        ticks += _random_bridge(chance, points[first], points[last], last - first, noise)
    inside = (_reflect_into_range(tick, low, high) for tick in ticks[1:-1])
    return (start, *(round(tick, digits) for tick in inside), end)


def _reflect_into_range(level: float, low: float, high: float) -> float:
    """A level between two others: what goes beyond one of them comes back."""
    level = 2 * low - level if level < low else 2 * high - level if level > high else level
    return min(max(level, low), high)


@functools.lru_cache(maxsize=2048)
def _minute_trades(
    seed: int, symbol: str, day: str, bar: tuple[float, float, float, float, int], session: int
) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Prices of the trades of all minutes of a session and volumes of the minutes, which make up exactly the day's bar."""
    chance = seeds.stream(seed, "minutes", symbol, day)
    prices = _prices_within_day(chance, bar[:4], session * _TICKS)
    # Most is traded after the opening and before the close.
    weights = [
        (0.3 + 1.4 * chance.random())
        * (0.5 + 4 * (n / session - 0.5) ** 2 + 8 * max(0.0, n / session - 0.985))
        for n in range(session)
    ]
    total, done, parts = sum(weights), 0, []
    running = 0.0
    for weight in weights:
        running += weight
        parts.append(round(bar[4] * running / total) - done)
        done += parts[-1]
    return prices, tuple(parts)


def minute_bars(
    seed: int, symbol: str, day: Bar, minutes: int, hours: tuple[int, int] = NEW_YORK
) -> list[IntradayBar]:
    """The bars of one trading day, oldest first; hours are minutes after midnight."""
    session = hours[1] - hours[0]
    key = (day["open"], day["high"], day["low"], day["close"], day["volume"])
    prices, volumes = _minute_trades(seed, symbol, day["date"], key, session)
    midnight = datetime.fromisoformat(day["date"])
    rows = []
    for first in range(0, session, minutes):
        last = min(first + minutes, session)
        inside = prices[first * _TICKS : last * _TICKS + 1]
        end = midnight + timedelta(minutes=hours[0] + last)
        rows.append(
            IntradayBar(
                time=end.isoformat(sep=" ", timespec="minutes"),
                open=inside[0],
                high=max(inside),
                low=min(inside),
                close=inside[-1],
                volume=sum(volumes[first:last]),
            )
        )
    return rows


def recent_intraday_bars(
    seed: int, symbol: str, days: Sequence[Bar], minutes: int, count: int, hours: tuple[int, int] = NEW_YORK
) -> list[IntradayBar]:
    """The last `count` bars over trading days that are given oldest first; oldest first as well."""
    found: list[IntradayBar] = []
    for number in range(len(days) - 1, -1, -1):
        found = minute_bars(seed, symbol, days[number], minutes, hours) + found
        if len(found) >= count:
            break
    return found[-count:]
