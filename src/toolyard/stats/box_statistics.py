"""Five numbers of a distribution, and a straight line through points."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev, quantiles


def five_numbers(values: Sequence[float]) -> tuple[float, float, float, float, float] | None:
    """Lowest, lower quartile, median, upper quartile, highest; None for less than two values."""
    if len(values) < 2:
        return None
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return min(values), low, middle, high, max(values)


def standardise_values(values: Sequence[float]) -> list[float] | None:
    """The values with mean 0 and standard deviation 1; None where they do not vary."""
    spread = pstdev(values) if len(values) > 1 else 0.0
    if spread == 0:
        return None
    mean = fmean(values)
    return [(value - mean) / spread for value in values]


@dataclass(frozen=True, slots=True)
class Line:
    """A line by least squares."""

    slope: float
    intercept: float

    def at(self, x: float) -> float:
        """Its height."""
        return self.intercept + self.slope * x


def fitted_line(xs: Sequence[float], ys: Sequence[float]) -> Line | None:
    """The line of least squares through points; None where x does not vary."""
    middle, height = fmean(xs), fmean(ys)
    spread = sum((x - middle) ** 2 for x in xs)
    if spread == 0:
        return None
    slope = sum((x - middle) * (y - height) for x, y in zip(xs, ys, strict=True)) / spread
    return Line(slope, height - slope * middle)
