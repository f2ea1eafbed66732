"""Indicators of cycles after J. Ehlers: the Hilbert transform finds the period, averages adapt to it.

All take the oldest price first; the first 32 values are not defined.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolyard.world.simulated.finance.averages import Line, Values, arithmetic_mean, combine, ema, simple_mean

UNSETTLED = 32
FAST, SLOW = 0.5, 0.05


@dataclass(frozen=True, slots=True)
class Cycle:
    """What the transform says about one price: the smoothed price, the period in bars, the phase in degrees."""

    smooth: float
    period: float
    phase: float


def _hilbert_filter(values: Sequence[float], period: float) -> float:
    """The Hilbert filter over the last seven values."""
    weighted = 0.0962 * values[-1] + 0.5769 * values[-3] - 0.5769 * values[-5] - 0.0962 * values[-7]
    return weighted * (0.075 * period + 0.54)


def _next_period(real: float, imaginary: float, before: float) -> float:
    turned = math.degrees(math.atan(imaginary / real)) if real and imaginary else 0.0
    found = 360 / turned if turned else before
    found = min(max(found, 0.67 * before), 1.5 * before)
    return 0.2 * min(max(found, 6.0), 50.0) + 0.8 * before


def price_cycles(prices: Values) -> list[Cycle]:
    """The cycle at each price."""
    known = [price or 0.0 for price in prices]
    smooth, detrended, in_phase, quadrature = ([0.0] * 7 for _ in range(4))
    inner, outer, real, imaginary, period = 0.0, 0.0, 0.0, 0.0, 6.0
    found = []
    for place, price in enumerate(known):
        window = known[max(0, place - 3) : place + 1]
        smooth.append(
            price if len(window) < 4 else (4 * window[3] + 3 * window[2] + 2 * window[1] + window[0]) / 10
        )
        detrended.append(_hilbert_filter(smooth, period) if place >= 6 else 0.0)
        quadrature.append(_hilbert_filter(detrended, period))
        in_phase.append(detrended[-4])
        now_inner = 0.2 * (in_phase[-1] - _hilbert_filter(quadrature, period)) + 0.8 * inner
        now_outer = 0.2 * (quadrature[-1] + _hilbert_filter(in_phase, period)) + 0.8 * outer
        real = 0.2 * (now_inner * inner + now_outer * outer) + 0.8 * real
        imaginary = 0.2 * (now_inner * outer - now_outer * inner) + 0.8 * imaginary
        inner, outer = now_inner, now_outer
        period = _next_period(real, imaginary, period)
        phase = math.degrees(math.atan(quadrature[-1] / in_phase[-1])) if in_phase[-1] else 0.0
        found.append(Cycle(smooth[-1], period, phase))
    return found


def _to_line(values: Sequence[float]) -> Line:
    return [None if place < UNSETTLED else value for place, value in enumerate(values)]


def adaptive_average(prices: Values) -> Mapping[str, Line]:
    """MAMA and FAMA: averages that follow fast when the phase turns fast."""
    first = prices[0] if prices and prices[0] is not None else 0.0
    average, following, before = first, first, 0.0
    averages, followings = [], []
    for price, cycle in zip(prices, price_cycles(prices), strict=True):
        weight = min(max(FAST / max(before - cycle.phase, 1.0), SLOW), FAST)
        before = cycle.phase
        average = weight * (price or 0.0) + (1 - weight) * average
        following = 0.5 * weight * average + (1 - 0.5 * weight) * following
        averages.append(average)
        followings.append(following)
    return {"MAMA": _to_line(averages), "FAMA": _to_line(followings)}


def trend_line(prices: Values) -> Line:
    """The mean over one whole cycle, smoothed, so that the cycle itself is gone."""
    known = [price or 0.0 for price in prices]
    means: list[float] = []
    for place, cycle in enumerate(price_cycles(prices)):
        size = max(1, round(cycle.period))
        means.append(arithmetic_mean(known[max(0, place + 1 - size) : place + 1]))
    last = [means[max(0, place - 3) : place + 1] for place in range(len(means))]
    return _to_line([math.fsum(w * v for w, v in zip((1, 2, 3, 4), part, strict=False)) / 10 if len(part) == 4 else part[-1]
                     for part in last])  # fmt: skip


def _dominant_phase(smooth: Sequence[float], period: float) -> float:
    size = max(1, round(period))
    window = list(reversed(smooth[-size:]))
    real = math.fsum(value * math.sin(2 * math.pi * place / size) for place, value in enumerate(window))
    imaginary = math.fsum(value * math.cos(2 * math.pi * place / size) for place, value in enumerate(window))
    phase = math.degrees(math.atan(real / imaginary)) if abs(imaginary) > 0.001 else 90.0
    phase += 90.0 + 360.0 / period + (180.0 if imaginary < 0 else 0.0)
    return phase - 360.0 if phase > 315.0 else phase


def sine_wave(prices: Values) -> Mapping[str, Line]:
    """The sine of the dominant cycle's phase and the same 45 degrees ahead; they cross at turns."""
    found = price_cycles(prices)
    smooth = [cycle.smooth for cycle in found]
    phases = [_dominant_phase(smooth[: place + 1], cycle.period) for place, cycle in enumerate(found)]
    return {
        "SINE": _to_line([math.sin(math.radians(phase)) for phase in phases]),
        "LEAD SINE": _to_line([math.sin(math.radians(phase + 45)) for phase in phases]),
    }


def dominant_period(prices: Values) -> Line:
    """The period of the dominant cycle in bars."""
    return _to_line([cycle.period for cycle in price_cycles(prices)])


def tillson_average(prices: Values, size: int = 10, factor: float = 0.7) -> Line:
    """T3: six exponential averages in a row, mixed so that little delay is left."""
    lines = [ema(prices, size)]
    for _ in range(5):
        lines.append(ema(lines[-1], size))
    a, b = -(factor**3), 3 * factor**2 + 3 * factor**3
    c, d = -6 * factor**2 - 3 * factor - 3 * factor**3, 1 + 3 * factor + factor**3 + 3 * factor**2
    return combine(
        lambda e6, e5, e4, e3: a * e6 + b * e5 + c * e4 + d * e3, lines[5], lines[4], lines[3], lines[2]
    )


def simple_macd(prices: Values, fast: int = 12, slow: int = 26, signal: int = 9) -> Mapping[str, Line]:
    """MACD with simple averages in place of exponential ones."""
    line = combine(lambda a, b: a - b, simple_mean(prices, fast), simple_mean(prices, slow))
    average = simple_mean(line, signal)
    return {"MACD": line, "MACD_Signal": average, "MACD_Hist": combine(lambda a, b: a - b, line, average)}
