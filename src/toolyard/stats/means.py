"""Plain means, undefined where there is nothing to take one of."""

from collections.abc import Iterable
from statistics import fmean


def mean_or_none(values: Iterable[float]) -> float | None:
    """The mean; None of nothing."""
    listed = list(values)
    return fmean(listed) if listed else None


def mean_of_known(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are known; None where none is."""
    return mean_or_none(value for value in values if value is not None)


def rounded_mean(values: Iterable[float]) -> float | None:
    """The mean as tables print it; None of nothing."""
    found = mean_or_none(values)
    return None if found is None else round(found, 2)
