"""A mean watched while it grows: intervals that hold at every look at once, so that looking and stopping cost nothing.

The hedged capital process of Waudby-Smith and Ramdas (2024, "Estimating means of bounded random variables by betting"):
for every possible mean a gambler bets that it is wrong; means whose gambler has made 1 / level times the stake are out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from toolyard.core.metrics import Floats

LEVEL = 0.05
# Possible mean differences from -1 to 1 in steps of a quarter point.
GRID: Floats = np.linspace(-1.0, 1.0, 801)
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
    values, means = (np.asarray(differences, dtype=np.float64) + 1) / 2, (GRID + 1) / 2
    rising, falling = np.zeros(len(GRID)), np.zeros(len(GRID))
    possible = np.ones(len(GRID), dtype=bool)
    total, squares = 0.5, 0.25
    # The largest bets that keep capital positive whatever comes next.
    most_up, most_down = STAKE / np.maximum(means, 1e-12), STAKE / np.maximum(1 - means, 1e-12)
    for count, value in enumerate(values, 1):
        bet = math.sqrt(2 * math.log(2 / level) / (squares / count * count * math.log(1 + count)))
        rising += np.log1p(np.minimum(bet, most_up) * (value - means))
        falling += np.log1p(-np.minimum(bet, most_down) * (value - means))
        possible &= np.maximum(rising, falling) < math.log(2 / level)
        total += float(value)
        squares += (float(value) - total / (count + 1)) ** 2
        left = GRID[possible]
        mean = 2 * float(values[:count].mean()) - 1
        # Rounding to the grid widens the interval, never narrows it.
        step = float(GRID[1] - GRID[0])
        low, high = (max(-1.0, left[0] - step), min(1.0, left[-1] + step)) if left.size else (mean, mean)
        yield Look(count, mean, float(low), float(high))


@dataclass(frozen=True, slots=True)
class Stopped:
    """When a comparison was clear, and what it said; `verdict` is first, second, alike or unclear."""

    verdict: str
    look: Look
    of: int

    @property
    def saved(self) -> float:
        """The share of the clusters that need not have been run."""
        return 1 - self.look.count / self.of


def stop(differences: Sequence[float], *, level: float = LEVEL, margin: float = 0.0) -> Stopped | None:
    """The first look at which the difference is clear, or is clearly within the margin; None without differences."""
    last = None
    for look in confidence_sequence(differences, level):
        last = look
        if look.low > 0 or look.high < 0:
            return Stopped("first" if look.low > 0 else "second", look, len(differences))
        if -margin < look.low and look.high < margin:
            return Stopped("alike", look, len(differences))
    return None if last is None else Stopped("unclear", last, len(differences))
