"""Moving averages and oscillators on one series of prices; None where a value is not defined yet.

All take the oldest price first and return a list of the same length. Definitions are the usual ones:
exponential averages start from the mean of the first window, Wilder's smoothing is used for RSI.
"""

import math
from collections.abc import Callable, Sequence

Values = Sequence[float | None]
Line = list[float | None]


def measure_windows(values: Values, size: int, measure: Callable[[Sequence[float]], float]) -> Line:
    """What the measure says about each full window of `size` defined values."""
    found: Line = []
    for end in range(1, len(values) + 1):
        window = values[max(0, end - size) : end]
        known = [value for value in window if value is not None]
        found.append(measure(known) if len(known) == size else None)
    return found


def combine(measure: Callable[..., float], *lines: Values) -> Line:
    """The measure of the values at each place where all lines are defined."""
    return [None if None in row else measure(*row) for row in zip(*lines, strict=True)]


def lag_values(values: Values, size: int) -> Line:
    """The values `size` places earlier."""
    return [*[None] * min(size, len(values)), *values[: max(0, len(values) - size)]]


def arithmetic_mean(values: Sequence[float]) -> float:
    """The arithmetic mean."""
    return math.fsum(values) / len(values)


def simple_mean(values: Values, size: int = 10) -> Line:
    """Simple moving average."""
    return measure_windows(values, size, arithmetic_mean)


def smooth_exponentially(values: Values, size: int, weight: float) -> Line:
    """Exponential smoothing: the mean of the first window, then weight * new + (1 - weight) * old."""
    found: Line = []
    seen: list[float] = []
    level: float | None = None
    for value in values:
        if value is None:
            found.append(None)
            continue
        if level is None:
            seen.append(value)
            level = arithmetic_mean(seen) if len(seen) == size else None
        else:
            level = weight * value + (1 - weight) * level
        found.append(level)
    return found


def ema(values: Values, size: int = 10) -> Line:
    """Exponential moving average with weight 2 / (size + 1)."""
    return smooth_exponentially(values, size, 2 / (size + 1))


def wilder_average(values: Values, size: int = 14) -> Line:
    """Wilder's moving average: exponential with weight 1 / size."""
    return smooth_exponentially(values, size, 1 / size)


def weighted_average(values: Values, size: int = 10) -> Line:
    """Weighted moving average; the newest value weighs `size`, the oldest 1."""
    total = size * (size + 1) / 2
    return measure_windows(
        values, size, lambda window: math.fsum(n * v for n, v in enumerate(window, 1)) / total
    )


def double_exponential_average(values: Values, size: int = 10) -> Line:
    """Double exponential moving average: 2 EMA - EMA of EMA."""
    once = ema(values, size)
    return combine(lambda a, b: 2 * a - b, once, ema(once, size))


def triple_exponential_average(values: Values, size: int = 10) -> Line:
    """Triple exponential moving average: 3 EMA - 3 EMA(EMA) + EMA(EMA(EMA))."""
    once = ema(values, size)
    twice = ema(once, size)
    return combine(lambda a, b, c: 3 * a - 3 * b + c, once, twice, ema(twice, size))


def triangular_average(values: Values, size: int = 10) -> Line:
    """Triangular moving average: a simple average of simple averages of half the length."""
    return simple_mean(simple_mean(values, (size + 2) // 2), (size + 1) // 2)


def kaufman_average(values: Values, size: int = 10) -> Line:
    """Kaufman's adaptive moving average, between a fast (2) and a slow (30) exponential one."""
    known = [value for value in values if value is not None]
    if len(known) <= size:
        return [None] * len(values)
    found: Line = [None] * (len(values) - len(known) + size)
    level = known[size - 1]
    for place in range(size, len(known)):
        path = math.fsum(abs(known[n] - known[n - 1]) for n in range(place - size + 1, place + 1))
        efficiency = abs(known[place] - known[place - size]) / path if path else 0.0
        level += (efficiency * (2 / 3 - 2 / 31) + 2 / 31) ** 2 * (known[place] - level)
        found.append(level)
    return found


def macd(
    values: Values, fast: int = 12, slow: int = 26, signal: int = 9, mean: Callable[[Values, int], Line] = ema
) -> dict[str, Line]:
    """MACD line (fast average - slow one, exponential as a rule), its average as signal, and their difference."""
    line = combine(lambda a, b: a - b, mean(values, fast), mean(values, slow))
    smooth = mean(line, signal)
    return {"MACD": line, "MACD_Signal": smooth, "MACD_Hist": combine(lambda a, b: a - b, line, smooth)}


def rsi(values: Values, size: int = 14) -> Line:
    """Relative strength index after Wilder: 100 * gains / (gains + losses), smoothed."""
    steps = momentum(values, 1)
    gains = wilder_average([None if step is None else max(step, 0.0) for step in steps], size)
    losses = wilder_average([None if step is None else max(-step, 0.0) for step in steps], size)
    return combine(lambda up, down: 100 * up / (up + down) if up + down else 50.0, gains, losses)


def stochastic_rsi(values: Values, size: int = 14, fast_k: int = 5, fast_d: int = 3) -> dict[str, Line]:
    """Place of the RSI within its own range of `fast_k` values, and its simple average."""
    strength = rsi(values, size)
    line = measure_windows(strength, fast_k, lambda window: place_in(window[-1], min(window), max(window)))
    return {"FastK": line, "FastD": simple_mean(line, fast_d)}


def place_in(value: float, low: float, high: float) -> float:
    """Where a value lies between two bounds, in per cent; the middle when they are equal."""
    return 100 * (value - low) / (high - low) if high > low else 50.0


def momentum(values: Values, size: int = 10) -> Line:
    """Difference to the value `size` places earlier."""
    return combine(lambda new, old: new - old, values, lag_values(values, size))


def rate_of_change(values: Values, size: int = 10) -> Line:
    """Change against the value `size` places earlier, in per cent."""
    return combine(lambda new, old: 100 * (new / old - 1), values, lag_values(values, size))


def rate_of_change_ratio(values: Values, size: int = 10) -> Line:
    """The value divided by that of `size` places earlier."""
    return combine(lambda new, old: new / old, values, lag_values(values, size))


def absolute_oscillator(values: Values, fast: int = 12, slow: int = 26) -> Line:
    """Fast less slow simple moving average."""
    return combine(lambda a, b: a - b, simple_mean(values, fast), simple_mean(values, slow))


def percentage_oscillator(values: Values, fast: int = 12, slow: int = 26) -> Line:
    """Fast less slow simple moving average, in per cent of the slow one."""
    return combine(lambda a, b: 100 * (a - b) / b, simple_mean(values, fast), simple_mean(values, slow))


def chande_oscillator(values: Values, size: int = 14) -> Line:
    """Chande's momentum: 100 * (sum of gains - sum of losses) / (sum of both)."""

    def measure(steps: Sequence[float]) -> float:
        moved = math.fsum(map(abs, steps))
        return 100 * math.fsum(steps) / moved if moved else 0.0

    return measure_windows(momentum(values, 1), size, measure)


def triple_smoothed_change(values: Values, size: int = 10) -> Line:
    """Change in per cent from one value to the next of the triple exponential smoothing."""
    return rate_of_change(ema(ema(ema(values, size), size), size), 1)


def bollinger_bands(values: Values, size: int = 20, width: float = 2.0) -> dict[str, Line]:
    """Simple average and the bands `width` standard deviations (of the whole window) around it."""
    middle, spread = simple_mean(values, size), measure_windows(values, size, standard_deviation)
    return {
        "Real Upper Band": combine(lambda a, b: a + width * b, middle, spread),
        "Real Middle Band": middle,
        "Real Lower Band": combine(lambda a, b: a - width * b, middle, spread),
    }


def standard_deviation(values: Sequence[float]) -> float:
    """Standard deviation of a whole population."""
    centre = arithmetic_mean(values)
    return math.sqrt(math.fsum((value - centre) ** 2 for value in values) / len(values))


def window_midpoint(values: Values, size: int = 14) -> Line:
    """Middle between the highest and the lowest value of the window."""
    return measure_windows(values, size, lambda window: (max(window) + min(window)) / 2)
