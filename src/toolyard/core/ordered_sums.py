"""Sums of fractions that are the same under every Python."""

from collections.abc import Iterable


def sum_in_order(values: Iterable[float]) -> float:
    """The numbers added one after the other; from 3.12 on `sum` corrects what rounding loses, which moves the last digit."""
    total = 0.0
    for value in values:
        total += value
    return total
