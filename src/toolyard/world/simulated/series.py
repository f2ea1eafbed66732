"""Price processes: a seeded walk per symbol that comes to its level when the world begins, the same on any machine.

A path is drawn from that day on, backwards and forwards, as far as somebody looks. Prices move with their market and by
chance of their own, and both are pulled back, so that no price strays far from its level.
"""

from __future__ import annotations

import functools
import math
import threading
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date
from random import Random
from typing import TypedDict, overload

from toolyard.world.kernel import seeds
from toolyard.world.kernel.types import IsoDate
from toolyard.world.reference.market_days import FIRST as FIRST
from toolyard.world.reference.market_days import trading_days

MARKET_VOLATILITY, COIN_VOLATILITY = 0.13, 0.4
_PULL, _CHUNK = 0.003, 64
# The day on which every price is at its level.
_BEGIN = "2024-05-15"
_drawing = threading.Lock()


class Bar(TypedDict):
    """One trading day."""

    date: IsoDate
    open: float
    high: float
    low: float
    close: float
    volume: int


class _Walk:
    """How far a logarithm lies from its level, so many days before (or, with a minus, after) it is there."""

    def __init__(self, step: float, *key: object) -> None:
        self._step, self._key = step, key
        self._drawn: dict[str, tuple[array[float], Random]] = {}

    def back(self, days: int) -> float:
        """The distance so many days before."""
        side = "before" if days >= 0 else "after"
        if side not in self._drawn:
            self._drawn.setdefault(side, (array("d", [0.0]), seeds.stream(*self._key, side)))
        logs, chance = self._drawn[side]
        if abs(days) >= len(logs):
            with _drawing:
                self._extend(logs, chance, abs(days))
        return logs[abs(days)]

    def _extend(self, logs: array[float], chance: Random, days: int) -> None:
        # Bits that are counted are as good as normal numbers here, and the same on any machine.
        bits, uniform = chance.getrandbits, chance.random
        for _ in range(len(logs), days + _CHUNK):
            logs.append(logs[-1] * (1 - _PULL) + self._step * (bits(256).bit_count() - 128.5 + uniform()) / 8)


def daily_volatility(volatility: float, calendar: str) -> float:
    """The usual move of a day, given the yearly one."""
    return volatility / math.sqrt(365 if calendar == "every_day" else 252)


def _market_volatility(calendar: str) -> float:
    return COIN_VOLATILITY if calendar == "every_day" else MARKET_VOLATILITY


@seeds.cache_by_seed(12)
def _market_walk(seed: int, coins: bool) -> _Walk:
    """The market that shares move with in all places, and that of coins."""
    calendar = "every_day" if coins else "new_york"
    return _Walk(daily_volatility(_market_volatility(calendar), calendar), seed, "market", calendar)


class Path:
    """All prices of a symbol: a level, and the moves that led there and go on from it.

    `beta` is its share of the market's moves; what `follows` another path makes `times` the moves of that one.
    """

    def __init__(
        self,
        seed: int,
        symbol: str,
        price: float,
        *,
        calendar: str = "new_york",
        volatility: float = 0.25,
        beta: float = 0.0,
        volume: float = 1e6,
        follows: Path | None = None,
        times: float = 1.0,
    ) -> None:
        self.days = trading_days(calendar)
        self._now = bisect_right(self.days, _BEGIN) - 1
        self._key, self._price, self._volume = (seed, "day", symbol), price, volume
        self._market, self._beta = _market_walk(seed, calendar == "every_day"), beta
        self._follows, self._times = follows, times
        market = beta * _market_volatility(calendar)
        own = math.sqrt(max(volatility**2 - market**2, (0.4 * volatility) ** 2))
        self._own = _Walk(daily_volatility(own, calendar), seed, "walk", symbol)
        self._step, self._gap = (
            daily_volatility(volatility, calendar),
            0.0 if calendar == "every_day" else 0.3,
        )
        self._digits = max(2, 3 - math.floor(math.log10(price)))

    def log(self, back: int) -> float:
        """How far the price lay from its level so many days before the world began, as a logarithm."""
        if self._follows is not None:
            return self._times * self._follows.log(back)
        return self._own.back(back) + self._beta * self._market.back(back)

    def close(self, number: int) -> float:
        """The close of a day by its number."""
        return round(self._price * math.exp(self.log(self._now - number)), self._digits)

    def bar(self, number: int) -> Bar:
        """The bar of a day by its number."""
        end = self.close(number)
        before = self.close(number - 1) if number else end
        drawn = seeds.number(*self._key, self.days[number])
        a, b, c, d = ((drawn >> shift & 0xFFFF) / 0x10000 for shift in (0, 16, 32, 48))
        moved = math.log(end / before)
        start = round(before * math.exp(self._gap * (moved + self._step * (a - 0.5))), self._digits)
        busy = (0.7 + 0.6 * d) * max(1.0, min(6.0, abs(moved) / (2 * self._step)))
        return {
            "date": self.days[number],
            "open": start,
            "high": round(max(start, end) * (1 + 0.7 * self._step * b), self._digits),
            "low": round(min(start, end) * (1 - 0.7 * self._step * c), self._digits),
            "close": end,
            "volume": int(self._volume * busy),
        }


class Bars(Sequence[Bar]):
    """Part of a path, oldest first, whose bars are made when looked at."""

    __slots__ = ("_range", "path")

    def __init__(self, path: Path, part: range | None = None) -> None:
        self.path = path
        self._range = range(len(path.days)) if part is None else part

    def __len__(self) -> int:
        return len(self._range)

    @overload
    def __getitem__(self, key: int) -> Bar: ...
    @overload
    def __getitem__(self, key: slice) -> Bars: ...
    def __getitem__(self, key: int | slice) -> Bar | Bars:
        if isinstance(key, slice):
            return Bars(self.path, self._range[key])
        return self.path.bar(self._range[key])

    def until(self, day: date) -> Bars:
        """The bars up to and including a day."""
        last = bisect_right(self.path.days, day.isoformat())
        return Bars(self.path, range(self._range.start, max(self._range.start, min(self._range.stop, last))))

    def since(self, day: date) -> Bars:
        """The bars from a day on."""
        first = min(self._range.stop, bisect_left(self.path.days, day.isoformat()))
        return Bars(self.path, range(max(self._range.start, first), self._range.stop))


@functools.cache
def symbol_calendar(symbol: str) -> str:
    """The calendar of a symbol: New York's for shares without the suffix of another market, every day for coins."""
    if symbol.startswith("COIN:"):
        return "every_day"
    suffix = symbol.rpartition(".")[2] if "." in symbol else ""
    abroad = len(suffix) > 1 or suffix in ("L", "T")
    return "elsewhere" if abroad else "new_york"


def seeded_wave(seed: int, name: str, moment: float, *, low: float, high: float, period: float) -> float:
    """A smooth seeded curve between two bounds, e.g. a rate over time; `period` in the unit of `moment`."""
    total = 0.0
    for number in (1, 2, 5):
        phase = seeds.unit(seed, "level", name, number) * 2 * math.pi
        total += math.sin(2 * math.pi * number * moment / period + phase) / number
    return low + (high - low) * (total / 1.7 + 1) / 2
