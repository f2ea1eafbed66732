"""Bars of single days: closes are given; opens, highs, lows and volumes are simulated, but for days that are known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from toolyard.world.price_tables import Habits, KnownDay
from toolyard.world.types import IsoDate

# A move of so many usual ones is news that came overnight: the day opens near its close.
_NEWS, _GREAT_NEWS = 2.6, 0.15


# Markets whose prices go in larger steps than a hundredth -> prices below which a step holds, and the step.
_STEPS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "T": ((math.inf, 1),),
    "KQ": ((2e3, 1), (5e3, 5), (2e4, 10), (5e4, 50), (2e5, 100), (5e5, 500), (math.inf, 1000)),
    "KS": ((2e3, 1), (5e3, 5), (2e4, 10), (5e4, 50), (2e5, 100), (5e5, 500), (math.inf, 1000)),
    "TW": ((10, 0.01), (50, 0.05), (100, 0.1), (500, 0.5), (1e3, 1), (math.inf, 5)),
    "NS": ((math.inf, 0.05),),
    "SI": ((1, 0.005), (math.inf, 0.01)),
    "HK": ((10, 0.01), (20, 0.02), (100, 0.05), (200, 0.1), (500, 0.2), (1e3, 0.5), (math.inf, 1)),
}


class Bar(TypedDict):
    """One trading day."""

    date: IsoDate
    open: float
    high: float
    low: float
    close: float
    volume: int


@dataclass(frozen=True, slots=True)
class DayPath:
    """The logarithms of all prices (one more than days) and one chance per day.

    `extremes` are the days of the known lowest and highest price of the year, `told` the days that are known whole.
    """

    days: tuple[str, ...]
    logs: Sequence[float]
    chances: Sequence[float]
    step: float
    gap: float
    volume: float
    coin: bool
    year: range
    habits: Habits
    market: str
    extremes: tuple[int, int]
    told: Mapping[str, KnownDay]

    def bar(self, number: int) -> Bar:
        """The bar of a day by its number."""
        end = math.exp(self.logs[number + 1])
        digits = self._digits(end)
        told = self.told.get(self.days[number])
        start, high, low = (told.open, told.high, told.low) if told else self._range(number, end)
        steps = _STEPS.get(self.market, ()) if end >= 0.2 else ()
        step = next((size for most, size in steps if end < most), 0)
        start, high, low, end = (
            float(round(value / step) * step) if step else value for value in (start, high, low, end)
        )
        return {
            "date": self.days[number],
            "open": round(start, digits),
            "high": round(high, digits),
            "low": round(low, digits),
            "close": round(end, digits),
            "volume": told.volume if told and told.volume else self._volume(number),
        }

    def _digits(self, end: float) -> int:
        if self.market in ("T", "KS", "KQ"):
            return 0
        if end >= 1:
            return 2
        if end >= 0.1 and not self.coin:
            return 4
        return 6 if end >= 0.01 else 12

    def _start(self, number: int) -> float:
        """Where a day opens: part of its move has come overnight, nearly all of it after news."""
        before, jump = math.exp(self.logs[number]), self.logs[number + 1] - self.logs[number]
        if not self.gap:
            return before
        chance = self.chances[number] * 7919 % 1 - 0.5
        part = 0.3 * self.gap if abs(jump) < _NEWS * self.step else 0.9 if abs(jump) > _GREAT_NEWS else 0.72
        return before * math.exp(part * jump + 0.5 * self.gap * self.step * chance)

    def _range(self, number: int, end: float) -> tuple[float, float, float]:
        """Open, high and low, within the extremes of the year and on their days at them."""
        start, chance = self._start(number), self.chances[number]
        spread = self.step * (0.3 + chance)
        high, low = max(start, end) * (1 + spread / 2), min(start, end) * (1 - spread / 2)
        if number in self.year:
            spare = chance / 100
            high = _below(high, self.habits.high, end, spare)
            low = -_below(-low, -self.habits.low, -end, spare)
        if number == self.extremes[0]:
            low = self.habits.low
        if number == self.extremes[1]:
            high = self.habits.high
        return min(max(start, low), high), high, low

    def _volume(self, number: int) -> int:
        chance, jump = self.chances[number], self.logs[number + 1] - self.logs[number]
        moved = abs(jump) / (2.5 * self.step) if self.step else 0.0
        busy = max(1.9 if chance > 0.96 else 1.0, min(moved, 12.0))
        return int(self.volume * busy * (0.7 + 0.6 * (chance * 104729 % 1)))


def _below(high: float, most: float, end: float, spare: float) -> float:
    """A day's high under the highest of the year: a little under it, between the close and it where that is nearer."""
    limit = most - abs(most) * spare if most < math.inf else most
    if limit <= end < most:
        limit = end + (most - end) * 50 * spare
    return max(min(high, limit), end)
