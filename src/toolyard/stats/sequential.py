"""A mean watched while it grows: intervals that hold at every look at once, so that looking and stopping cost nothing.

The hedged capital process of Waudby-Smith and Ramdas (2024, "Estimating means of bounded random variables by betting"):
for every possible mean a gambler bets that it is wrong; means whose gambler has made 1 / level times the stake are out.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from toolyard.core.metrics import Floats

LEVEL = 0.05
# Possible mean differences from -1 to 1 in steps of a quarter point.
GRID: Floats = np.linspace(-1.0, 1.0, 801)
STEP = 1 / 400
TINY = 1e-12
# How much of a gambler's capital one bet may put at stake.
STAKE = 0.5


@dataclass(frozen=True, slots=True)
class Look:
    """What may be said after so many differences, together with all that was said before."""

    count: int
    mean: float
    low: float
    high: float


def confidence_sequence(differences: Sequence[float], level: float = LEVEL) -> Iterator[Look]:
    """The interval of the mean difference after each one; all of them hold together with chance 1 - level.

    Differences lie between -1 and 1 and come in an order that has nothing to do with them.
    """
    gamblers = Gamblers(level)
    total, squares = 0.5, 0.25
    for count, difference in enumerate(differences, 1):
        value = (difference + 1) / 2
        # Sized by what was seen before this one alone.
        gamblers.bet(math.sqrt(2 * math.log(2 / level) / (squares * math.log(1 + count))), value)
        total += value
        squares += (value - total / (count + 1)) ** 2
        mean = 2 * (total - 0.5) / count - 1
        yield Look(count, mean, *gamblers.interval(mean))


class Gamblers:
    """One pair for each mean on the grid: the first gains where values lie above it, the second where below."""

    def __init__(self, level: float) -> None:
        self._limit = math.log(2 / level)
        self._means: Floats = (GRID + 1) / 2
        # The largest bets that keep capital positive whatever comes next.
        self._most_up: Floats = STAKE / np.maximum(self._means, TINY)
        self._most_down: Floats = STAKE / np.maximum(1 - self._means, TINY)
        self._rising: Floats = np.zeros(len(GRID))
        self._falling: Floats = np.zeros(len(GRID))

    def bet(self, size: float, value: float) -> None:
        """All bet on the value; means that are out now stay out."""
        off = value - self._means
        self._rising = self._rising + np.log1p(np.minimum(size, self._most_up) * off)
        self._falling = self._falling + np.log1p(-np.minimum(size, self._most_down) * off)
        left = np.maximum(self._rising, self._falling) < self._limit
        if not left.all():
            for name in ("_means", "_most_up", "_most_down", "_rising", "_falling"):
                setattr(self, name, getattr(self, name)[left])

    def interval(self, mean: float) -> tuple[float, float]:
        """The means that are left; rounding to the grid widens it, never narrows it."""
        if not self._means.size:
            return mean, mean
        low, high = 2 * float(self._means[0]) - 1, 2 * float(self._means[-1]) - 1
        return max(-1.0, low - STEP), min(1.0, high + STEP)


@dataclass(frozen=True, slots=True)
class SequentialStop:
    """When a comparison was clear, and what it said; `verdict` is first, second, alike or unclear."""

    verdict: str
    look: Look
    of: int

    @property
    def saved_share(self) -> float:
        """The share of the clusters that need not have been run."""
        return 1 - self.look.count / self.of


def find_stop(
    differences: Sequence[float], *, level: float = LEVEL, margin: float = 0.0
) -> SequentialStop | None:
    """The first look at which the difference is clear, or is clearly within the margin; None without differences."""
    last = None
    for look in confidence_sequence(differences, level):
        last = look
        if look.low > 0 or look.high < 0:
            return SequentialStop("first" if look.low > 0 else "second", look, len(differences))
        if -margin < look.low and look.high < margin:
            return SequentialStop("alike", look, len(differences))
    return None if last is None else SequentialStop("unclear", last, len(differences))
