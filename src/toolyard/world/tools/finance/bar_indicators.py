"""Indicators that need whole bars: ranges, directions, channels and volumes. Oldest bar first."""

import itertools
import math
from collections.abc import Sequence

from toolyard.core.types import Record
from toolyard.world.simulated.finance.averages import (
    Line,
    arithmetic_mean,
    combine,
    ema,
    lag_values,
    measure_windows,
    place_in,
    simple_mean,
    wilder_average,
)

Bars = Sequence[Record]


def column(bars: Bars, key: str) -> Line:
    """One field of all bars."""
    return [float(bar[key]) for bar in bars]


def typical_price(bars: Bars) -> Line:
    """Mean of high, low and close."""
    return [(bar["high"] + bar["low"] + bar["close"]) / 3 for bar in bars]


def _lows_and_highs(bars: Bars, size: int) -> tuple[Line, Line]:
    return measure_windows(column(bars, "low"), size, min), measure_windows(column(bars, "high"), size, max)


def true_range(bars: Bars) -> Line:
    """Largest of high - low, |high - last close| and |low - last close|."""
    return [
        max(bar["high"], before["close"]) - min(bar["low"], before["close"])
        for before, bar in zip([bars[0], *bars[:-1]], bars, strict=True)
    ]


def average_range(bars: Bars, size: int = 14) -> Line:
    """Average true range, smoothed after Wilder; the first bar has none."""
    return wilder_average([None, *true_range(bars)[1:]], size)


def normalised_range(bars: Bars, size: int = 14) -> Line:
    """Average true range in per cent of the close."""
    return combine(
        lambda spread, close: 100 * spread / close, average_range(bars, size), column(bars, "close")
    )


def fast_stochastic(bars: Bars, fast_k: int = 5, fast_d: int = 3) -> dict[str, Line]:
    """Place of the close within the range of `fast_k` bars, and its simple average."""
    line = combine(place_in, column(bars, "close"), *_lows_and_highs(bars, fast_k))
    return {"FastK": line, "FastD": simple_mean(line, fast_d)}


def slow_stochastic(bars: Bars, fast_k: int = 5, slow_k: int = 3, slow_d: int = 3) -> dict[str, Line]:
    """The fast stochastic line averaged once (SlowK) and twice (SlowD)."""
    slow = simple_mean(fast_stochastic(bars, fast_k)["FastK"], slow_k)
    return {"SlowK": slow, "SlowD": simple_mean(slow, slow_d)}


def williams_percent_range(bars: Bars, size: int = 14) -> Line:
    """Williams' %R: place of the close within the range, from -100 (lowest) to 0 (highest)."""
    return combine(
        lambda c, low, high: place_in(c, low, high) - 100, column(bars, "close"), *_lows_and_highs(bars, size)
    )


def _upward_and_downward_moves(bars: Bars) -> tuple[Line, Line]:
    up: Line = [None]
    down: Line = [None]
    for before, bar in itertools.pairwise(bars):
        rise, fall = bar["high"] - before["high"], before["low"] - bar["low"]
        up.append(rise if rise > fall and rise > 0 else 0.0)
        down.append(fall if fall > rise and fall > 0 else 0.0)
    return up, down


def directional_movement(bars: Bars, size: int = 14) -> tuple[Line, Line]:
    """Plus and minus directional movement, smoothed after Wilder."""
    up, down = _upward_and_downward_moves(bars)
    return wilder_average(up, size), wilder_average(down, size)


def directional_indicators(bars: Bars, size: int = 14) -> tuple[Line, Line]:
    """Plus and minus directional movement in per cent of the average true range."""
    spread = average_range(bars, size)
    up, down = directional_movement(bars, size)
    plus, minus = (combine(lambda a, b: 100 * a / b if b else 0.0, part, spread) for part in (up, down))
    return plus, minus


def directional_index(bars: Bars, size: int = 14) -> Line:
    """100 * |plus - minus| / (plus + minus) of the directional indicators."""
    return combine(
        lambda a, b: 100 * abs(a - b) / (a + b) if a + b else 0.0, *directional_indicators(bars, size)
    )


def average_directional_index(bars: Bars, size: int = 14) -> Line:
    """Directional index, smoothed after Wilder."""
    return wilder_average(directional_index(bars, size), size)


def directional_rating(bars: Bars, size: int = 14) -> Line:
    """Mean of the average directional index now and `size` - 1 bars ago."""
    line = average_directional_index(bars, size)
    return combine(lambda new, old: (new + old) / 2, line, lag_values(line, size - 1))


def commodity_channel_index(bars: Bars, size: int = 20) -> Line:
    """Distance of the typical price from its average in units of 0.015 mean deviations."""

    def measure(window: Sequence[float]) -> float:
        centre = arithmetic_mean(window)
        spread = arithmetic_mean([abs(value - centre) for value in window])
        return (window[-1] - centre) / (0.015 * spread) if spread else 0.0

    return measure_windows(typical_price(bars), size, measure)


def aroon_lines(bars: Bars, size: int = 14) -> dict[str, Line]:
    """Bars since the highest high and the lowest low, as 100 (now) down to 0 (`size` bars ago)."""

    def recency(window: Sequence[float]) -> float:
        newest = len(window) - 1 - max(range(len(window)), key=lambda place: (window[place], place))
        return 100 * (size - newest) / size

    up = measure_windows(column(bars, "high"), size + 1, recency)
    down = measure_windows([-value for value in column(bars, "low") if value is not None], size + 1, recency)
    return {"Aroon Down": down, "Aroon Up": up}


def aroon_oscillator(bars: Bars, size: int = 14) -> Line:
    """Aroon Up less Aroon Down."""
    lines = aroon_lines(bars, size)
    return combine(lambda up, down: up - down, lines["Aroon Up"], lines["Aroon Down"])


def money_flow_index(bars: Bars, size: int = 14) -> Line:
    """Money flow index: share of typical price * volume on rising bars, in per cent."""
    prices = typical_price(bars)
    flows: Line = [None]
    for place in range(1, len(bars)):
        new, old = prices[place] or 0.0, prices[place - 1] or 0.0
        flows.append(math.copysign(new * bars[place]["volume"], new - old) if new != old else 0.0)

    def measure(window: Sequence[float]) -> float:
        total = math.fsum(map(abs, window))
        return 100 * math.fsum(flow for flow in window if flow > 0) / total if total else 50.0

    return measure_windows(flows, size, measure)


def ultimate_oscillator(bars: Bars, sizes: tuple[int, int, int] = (7, 14, 28)) -> Line:
    """Ultimate oscillator: buying pressure over true range on three lengths, weighted 4 : 2 : 1."""
    spread: Line = [None, *true_range(bars)[1:]]
    pressure: Line = [None]
    for before, bar in itertools.pairwise(bars):
        pressure.append(bar["close"] - min(bar["low"], before["close"]))
    parts = []
    for size in sizes:
        bought, ranged = measure_windows(pressure, size, math.fsum), measure_windows(spread, size, math.fsum)
        parts.append(combine(lambda a, b: a / b if b else 0.0, bought, ranged))
    return combine(lambda a, b, c: 100 * (4 * a + 2 * b + c) / 7, *parts)


def balance_of_power(bars: Bars) -> Line:
    """(close - open) / (high - low)."""
    return [
        (bar["close"] - bar["open"]) / (bar["high"] - bar["low"]) if bar["high"] > bar["low"] else 0.0
        for bar in bars
    ]


def window_midprice(bars: Bars, size: int = 14) -> Line:
    """Middle between the highest high and the lowest low of the window."""
    return combine(lambda low, high: (low + high) / 2, *_lows_and_highs(bars, size))


def accumulation_line(bars: Bars) -> Line:
    """Chaikin's accumulation line: running sum of volume times place of the close in the range (-1 to 1)."""
    parts = [(place_in(b["close"], b["low"], b["high"]) / 50 - 1) * b["volume"] for b in bars]
    return list(itertools.accumulate(parts))


def accumulation_oscillator(bars: Bars, fast: int = 3, slow: int = 10) -> Line:
    """Fast less slow exponential average of the accumulation line."""
    line = accumulation_line(bars)
    return combine(lambda a, b: a - b, ema(line, fast), ema(line, slow))


def on_balance_volume(bars: Bars) -> Line:
    """Running sum of volume, added on rising and taken away on falling closes."""
    total = float(bars[0]["volume"])
    found: Line = [total]
    for before, bar in itertools.pairwise(bars):
        rise = bar["close"] - before["close"]
        total += math.copysign(bar["volume"], rise) if rise else 0.0
        found.append(total)
    return found


def volume_weighted_price(bars: Bars) -> Line:
    """Mean typical price since the opening of the day, weighted with volume; needs bars within a day."""
    found: Line = []
    worth = volume = 0.0
    day = ""
    for bar, price in zip(bars, typical_price(bars), strict=True):
        # What ends at midnight is the last bar of a day.
        if bar["time"][:10] != day and not bar["time"].endswith(" 00:00"):
            day, worth, volume = bar["time"][:10], 0.0, 0.0
        worth += (price or 0.0) * bar["volume"]
        volume += bar["volume"]
        found.append(worth / volume if volume else price)
    return found


def parabolic_stop(bars: Bars, step: float = 0.02, limit: float = 0.2) -> Line:
    """Wilder's parabolic stop and reverse; the first direction is that of the first two closes."""
    if len(bars) < 2:
        return [None] * len(bars)
    rising = bars[1]["close"] >= bars[0]["close"]
    stop, extreme = (bars[0]["low"], bars[1]["high"]) if rising else (bars[0]["high"], bars[1]["low"])
    pace = step
    found: Line = [None, stop]
    for place in range(2, len(bars)):
        bar, last, first = bars[place], bars[place - 1], bars[place - 2]
        stop += pace * (extreme - stop)
        stop = min(stop, last["low"], first["low"]) if rising else max(stop, last["high"], first["high"])
        if (bar["low"] < stop) if rising else (bar["high"] > stop):
            rising, stop, pace = not rising, extreme, step
            extreme = bar["high"] if rising else bar["low"]
        elif (bar["high"] > extreme) if rising else (bar["low"] < extreme):
            extreme, pace = (bar["high"] if rising else bar["low"]), min(limit, pace + step)
        found.append(stop)
    return found
