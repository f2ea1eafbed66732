"""Repeated measurements and their spread, in processor seconds: what a shared machine does beside them counts little."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """The middle of some measurements, with the smallest and the largest."""

    low: float
    middle: float
    high: float

    def rate(self, items: int) -> str:
        """Items per second, with the spread."""
        return f"{items / self.middle:,.0f} ({items / self.high:,.0f} to {items / self.low:,.0f})"


def spread_of(values: list[float]) -> Spread:
    """Smallest, median and largest."""
    return Spread(min(values), statistics.median(values), max(values))


def side_by_side(rounds: int, *actions: Callable[[], object]) -> list[Spread]:
    """Processor seconds of each action, all of them once in every round, so that they meet the same machine."""
    # As the command line sets it.
    gc.set_threshold(100_000)
    found: list[list[float]] = [[] for _ in actions]
    for _ in range(rounds):
        for values, action in zip(found, actions, strict=True):
            gc.collect()
            started = time.process_time()
            action()
            values.append(time.process_time() - started)
    return [spread_of(values) for values in found]
