"""Seeded price processes: a geometric walk per symbol, the same on any machine, cached per process."""

from __future__ import annotations

import functools
import math
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class _Path:
    """The logarithms of all prices (one more than days) and one chance per day."""

    days: tuple[str, ...]
    logs: Sequence[float]
    chances: Sequence[float]
    anchor: float
    step: float
    scale: int

    def bar(self, number: int) -> Bar:
        digits = 2 if self.anchor >= 1 else 6 if self.anchor >= 0.01 else 12
        chance = self.chances[number]
        spread = self.step * (0.3 + chance)
        start, end = (self.anchor * math.exp(self.logs[place]) for place in (number, number + 1))
        return {
            "date": self.days[number],
            "open": round(start, digits),
            "high": round(max(start, end) * (1 + spread / 2), digits),
            "low": round(min(start, end) * (1 - spread / 2), digits),
            "close": round(end, digits),
            "volume": int(self.scale * (1 + 9 * chance)),
        }


class Bars(Sequence[Bar]):
    """Part of a path whose bars are made when looked at: thousands of days of hundreds of symbols fit into memory."""

    __slots__ = ("_path", "_range")

    def __init__(self, path: _Path, part: range) -> None:
        self._path = path
        self._range = part

    def __len__(self) -> int:
        return len(self._range)

    @overload
    def __getitem__(self, key: int) -> Bar: ...
    @overload
    def __getitem__(self, key: slice) -> Bars: ...
    def __getitem__(self, key: int | slice) -> Bar | Bars:
        if isinstance(key, slice):
            return Bars(self._path, self._range[key])
        return self._path.bar(self._range[key])

    def until(self, day: date) -> Bars:
        """The bars up to and including a day, of bars in order of date."""
        last = bisect_right(self._path.days, day.isoformat())
        return Bars(self._path, range(self._range.start, min(self._range.stop, last)))


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
    path = _Path(days, levels, array("d", (chance.random() for _ in days)), anchor, step, scale)
    return Bars(path, range(len(days)))


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
