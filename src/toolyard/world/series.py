"""Seeded price processes: a geometric walk per symbol, the same on any machine, cached per process."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from datetime import date, timedelta
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.types import IsoDate

FIRST = date(2010, 1, 1)
LAST = date(2025, 12, 31)


class Bar(TypedDict):
    """One trading day."""

    date: IsoDate
    open: float
    high: float
    low: float
    close: float
    volume: int


@functools.lru_cache(maxsize=512)
def _walk(
    seed: int, symbol: str, anchor: float, anchor_day: date, volatility: float, every_day: bool
) -> tuple[Bar, ...]:
    chance = seeds.stream(seed, "walk", symbol)
    days = [FIRST + timedelta(days=n) for n in range((LAST - FIRST).days + 1)]
    days = [day for day in days if every_day or day.weekday() < 5]
    step = volatility / math.sqrt(365 if every_day else 252)
    logs = [0.0]
    for _ in days:
        # A sum of twelve uniform numbers is as good as a normal one here, and the same on every platform.
        logs.append(logs[-1] + step * (sum(chance.random() for _ in range(12)) - 6) + 0.0002)
    base = logs[next(n for n, day in enumerate(days) if day >= anchor_day) + 1]
    scale = 10 ** int(5 + 2 * seeds.unit(seed, "volume", symbol))
    return tuple(
        _bar(day, anchor, logs[n] - base, logs[n + 1] - base, step, scale, chance.random())
        for n, day in enumerate(days)
    )


def _bar(
    day: date, anchor: float, before: float, after: float, step: float, scale: int, chance: float
) -> Bar:
    digits = 2 if anchor >= 1 else 6
    spread = step * (0.3 + chance)
    start, end = anchor * math.exp(before), anchor * math.exp(after)
    return {
        "date": day.isoformat(),
        "open": round(start, digits),
        "high": round(max(start, end) * (1 + spread / 2), digits),
        "low": round(min(start, end) * (1 - spread / 2), digits),
        "close": round(end, digits),
        "volume": int(scale * (1 + 9 * chance)),
    }


def bars(
    seed: int,
    symbol: str,
    *,
    anchor: float,
    anchor_day: date = date(2024, 5, 15),
    volatility: float = 0.25,
    every_day: bool = False,
) -> tuple[Bar, ...]:
    """Daily bars from 2010 to 2025, oldest first, closing at `anchor` on `anchor_day`.

    `volatility` is yearly; `every_day` keeps weekends (currencies, crypto). Consecutive bars join:
    a day opens where the last one closed.
    """
    return _walk(seed, symbol.upper(), anchor, anchor_day, volatility, every_day)


def until(series: Sequence[Bar], day: date) -> Sequence[Bar]:
    """The bars up to and including a day."""
    text = day.isoformat()
    low, high = 0, len(series)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if series[middle]["date"] <= text else (low, middle)
    return series[:low]


def level(seed: int, name: str, moment: float, *, low: float, high: float, period: float) -> float:
    """A smooth seeded curve between two bounds, e.g. interest over time; `period` in the unit of `moment`."""
    total = 0.0
    for wave in (1, 2, 5):
        phase = seeds.unit(seed, "level", name, wave) * 2 * math.pi
        total += math.sin(2 * math.pi * wave * moment / period + phase) / wave
    return low + (high - low) * (total / 1.7 + 1) / 2
