"""Seeded price processes: a geometric walk per symbol, the same on any machine, cached per process."""

from __future__ import annotations

import functools
import math
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from typing import TypedDict, overload

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


@functools.cache
def _days(every_day: bool) -> tuple[str, ...]:
    days = (FIRST + timedelta(days=n) for n in range((LAST - FIRST).days + 1))
    return tuple(day.isoformat() for day in days if every_day or day.weekday() < 5)


class Bars(Sequence[Bar]):
    """Bars that are made when looked at: thousands of days of hundreds of symbols fit into memory."""

    __slots__ = ("_anchor", "_chances", "_days", "_logs", "_scale", "_step")

    def __init__(
        self,
        days: Sequence[str],
        logs: array[float],
        chances: array[float],
        anchor: float,
        step: float,
        scale: int,
    ) -> None:
        self._days, self._logs, self._chances = days, logs, chances
        self._anchor, self._step, self._scale = anchor, step, scale

    def __len__(self) -> int:
        return len(self._days)

    @overload
    def __getitem__(self, key: int) -> Bar: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Bar]: ...
    def __getitem__(self, key: int | slice) -> Bar | Sequence[Bar]:
        if isinstance(key, int):
            return self._bar(range(len(self._days))[key])
        start, stop, step = key.indices(len(self._days))
        if step != 1:
            return tuple(self._bar(number) for number in range(start, stop, step))
        stop = max(start, stop)
        days, logs, chances = self._days[start:stop], self._logs[start : stop + 1], self._chances[start:stop]
        return Bars(days, logs, chances, self._anchor, self._step, self._scale)

    def until(self, day: date) -> Sequence[Bar]:
        """The bars up to and including a day."""
        return self[: bisect_right(self._days, day.isoformat())]

    def _bar(self, number: int) -> Bar:
        digits = 2 if self._anchor >= 1 else 6 if self._anchor >= 0.01 else 12
        chance = self._chances[number]
        spread = self._step * (0.3 + chance)
        start, end = (self._anchor * math.exp(level) for level in self._logs[number : number + 2])
        return {
            "date": self._days[number],
            "open": round(start, digits),
            "high": round(max(start, end) * (1 + spread / 2), digits),
            "low": round(min(start, end) * (1 - spread / 2), digits),
            "close": round(end, digits),
            "volume": int(self._scale * (1 + 9 * chance)),
        }


@functools.lru_cache(maxsize=1024)
def _walk(
    seed: int, symbol: str, anchor: float, anchor_day: date, volatility: float, every_day: bool
) -> Bars:
    chance = seeds.stream(seed, "walk", symbol)
    days = _days(every_day)
    step = volatility / math.sqrt(365 if every_day else 252)
    bits, uniform, logs = chance.getrandbits, chance.random, [0.0]
    for _ in days:
        # Counted bits are as good as a normal number here, fast, and the same on every platform.
        logs.append(logs[-1] + step * (bits(256).bit_count() - 128.5 + uniform()) / 8 + 0.0002)
    base = logs[bisect_right(days, (anchor_day - timedelta(days=1)).isoformat()) + 1]
    scale = 10 ** int(5 + 2 * seeds.unit(seed, "volume", symbol))
    levels = array("d", (level - base for level in logs))
    return Bars(days, levels, array("d", (chance.random() for _ in days)), anchor, step, scale)


def bars(
    seed: int,
    symbol: str,
    *,
    anchor: float,
    anchor_day: date = date(2024, 5, 15),
    volatility: float = 0.25,
    every_day: bool = False,
) -> Bars:
    """Daily bars from 2010 to 2025, oldest first, closing at `anchor` on `anchor_day`.

    `volatility` is yearly; `every_day` keeps weekends (currencies, crypto). Consecutive bars join:
    a day opens where the last one closed.
    """
    return _walk(seed, symbol.upper(), anchor, anchor_day, volatility, every_day)


def until(series: Sequence[Bar], day: date) -> Sequence[Bar]:
    """The bars up to and including a day."""
    if isinstance(series, Bars):
        return series.until(day)
    return series[: bisect_right(series, day.isoformat(), key=lambda bar: bar["date"])]


def level(seed: int, name: str, moment: float, *, low: float, high: float, period: float) -> float:
    """A smooth seeded curve between two bounds, e.g. interest over time; `period` in the unit of `moment`."""
    total = 0.0
    for wave in (1, 2, 5):
        phase = seeds.unit(seed, "level", name, wave) * 2 * math.pi
        total += math.sin(2 * math.pi * wave * moment / period + phase) / wave
    return low + (high - low) * (total / 1.7 + 1) / 2
