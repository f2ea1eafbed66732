"""Finance/Technical_Indicators: indicators computed from the price paths of this world."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.faults import ToolFault, invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import read_table
from toolyard.world.kernel.types import CurrencyCode, Prose, Semantic
from toolyard.world.simulated.finance import averages
from toolyard.world.simulated.finance.averages import Line, Values, arithmetic_mean, combine, ema, simple_mean
from toolyard.world.simulated.finance.bars import minute_bars, monthly_bars, recent_intraday_bars, weekly_bars
from toolyard.world.simulated.finance.instruments import (
    FoundSymbol,
    Instrument,
    QuoteSymbol,
    find_instrument,
    history,
    traded_hours,
    trading_hours,
)
from toolyard.world.tools.finance import bar_indicators as ranges
from toolyard.world.tools.finance.bar_indicators import Bars

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


Lines = Mapping[str, Line]


@dataclass(frozen=True, slots=True)
class Indicator:
    """One indicator; `uses` says whether it looks at one price series ("prices") or at whole bars ("bars")."""

    symbol: str
    name: str
    kind: str
    uses: str
    settings: str
    description: str

    def compute(self, bars: Bars, price: str) -> Lines:
        """Its lines over bars, oldest first; `price` names the field that counts for one price series."""
        single = self.uses == "prices"
        found = _ON_PRICES[self.symbol](ranges.column(bars, price)) if single else _ON_BARS[self.symbol](bars)
        return found if isinstance(found, Mapping) else {self.symbol: found}


@functools.cache
def indicators() -> Mapping[str, Indicator]:
    """All indicators by symbol."""
    return {row["symbol"]: Indicator(**row) for row in read_table("indicators.tsv")}


_ON_PRICES: Mapping[str, Callable[..., Line | Lines]] = {
    "SMA": averages.simple_mean,
    "EMA": averages.ema,
    "WMA": averages.weighted_average,
    "DEMA": averages.double_exponential_average,
    "TEMA": averages.triple_exponential_average,
    "TRIMA": averages.triangular_average,
    "KAMA": averages.kaufman_average,
    "MACD": averages.macd,
    "RSI": averages.rsi,
    "STOCHRSI": averages.stochastic_rsi,
    "MOM": averages.momentum,
    "ROC": averages.rate_of_change,
    "ROCR": averages.rate_of_change_ratio,
    "APO": averages.absolute_oscillator,
    "PPO": averages.percentage_oscillator,
    "CMO": averages.chande_oscillator,
    "TRIX": averages.triple_smoothed_change,
    "BBANDS": averages.bollinger_bands,
    "MIDPOINT": averages.window_midpoint,
    "MAMA": adaptive_average,
    "T3": tillson_average,
    "MACDEXT": functools.partial(averages.macd, mean=simple_mean),
    "HT_TRENDLINE": trend_line,
    "HT_SINE": sine_wave,
    "HT_DCPERIOD": dominant_period,
}
_ON_BARS: Mapping[str, Callable[..., Line | Lines]] = {
    "STOCH": ranges.slow_stochastic,
    "STOCHF": ranges.fast_stochastic,
    "WILLR": ranges.williams_percent_range,
    "ADX": ranges.average_directional_index,
    "ADXR": ranges.directional_rating,
    "DX": ranges.directional_index,
    "PLUS_DI": lambda bars: ranges.directional_indicators(bars)[0],
    "MINUS_DI": lambda bars: ranges.directional_indicators(bars)[1],
    "PLUS_DM": lambda bars: ranges.directional_movement(bars)[0],
    "MINUS_DM": lambda bars: ranges.directional_movement(bars)[1],
    "CCI": ranges.commodity_channel_index,
    "AROON": ranges.aroon_lines,
    "AROONOSC": ranges.aroon_oscillator,
    "MFI": ranges.money_flow_index,
    "ULTOSC": ranges.ultimate_oscillator,
    "BOP": ranges.balance_of_power,
    "MIDPRICE": ranges.window_midprice,
    "SAR": ranges.parabolic_stop,
    "TRANGE": ranges.true_range,
    "ATR": ranges.average_range,
    "NATR": ranges.normalised_range,
    "AD": ranges.accumulation_line,
    "ADOSC": ranges.accumulation_oscillator,
    "OBV": ranges.on_balance_volume,
    "VWAP": ranges.volume_weighted_price,
}


GROUP = Group("Finance/Technical_Indicators")
IndicatorSymbol = Annotated[str, Semantic("indicator_symbol")]
Interval = Literal["hourly", "daily", "weekly", "monthly"]
SHOWN, COMPUTED = 25, 250
# What of each bar an indicator of whole bars looks at, where it is not high, low and close.
_FIELDS = {
    **dict.fromkeys(("AROON", "AROONOSC", "MIDPRICE", "SAR", "PLUS_DM", "MINUS_DM"), "high and low"),
    **dict.fromkeys(("MFI", "AD", "ADOSC", "VWAP"), "high, low, close and volume"),
    "BOP": "open, high, low and close",
    "OBV": "close and volume",
}


class IndicatorRow(TypedDict):
    time: str
    values: dict[str, float]


class IndicatorSeries(TypedDict):
    indicator: IndicatorSymbol
    name: str
    symbol: FoundSymbol
    currency: CurrencyCode
    interval: str
    series_type: str
    settings: str
    rows: list[IndicatorRow]


class IndicatorEntry(TypedDict):
    symbol: IndicatorSymbol
    name: str
    kind: str


class IndicatorDescription(TypedDict):
    symbol: IndicatorSymbol
    name: str
    description: Prose
    computed_from: str
    settings: str


def _find_indicator(wanted: str) -> Indicator:
    found = indicators().get(wanted.strip().upper())
    if found is None:
        name = " ".join(wanted.lower().split())
        found = next((row for row in indicators().values() if row.name.lower() == name), None)
    if found is None:
        raise not_found("indicator", wanted, known=list(indicators()))
    return found


def _last_bars(world: World, row: Instrument, interval: Interval) -> Bars:
    """The last 250 bars of a length, oldest first."""
    if interval == "hourly":
        *days, newest = history(world, row, 40, running=True)
        last = minute_bars(world.seed, row.symbol, newest, 60, traded_hours(world, row, newest["date"]))
        earlier = recent_intraday_bars(world.seed, row.symbol, days, 60, COMPUTED, trading_hours(row))
        return [*earlier, *last][-COMPUTED:]
    if interval == "daily":
        return history(world, row, COMPUTED)
    if interval == "weekly":
        return weekly_bars(history(world, row, COMPUTED * 5))[-COMPUTED:]
    return monthly_bars(history(world, row, COMPUTED * 22))[-COMPUTED:]


@GROUP.tool(
    examples=[
        {"indicator_symbol": "SMA", "symbol": "BILI", "series_type": "close"},
        {"indicator_symbol": "VWAP", "interval": "hourly", "symbol": "IBM"},
        {"indicator_symbol": "BOP", "interval": "weekly", "symbol": "MSFT"},
    ],
    phrase=(
        "compute the latest values of the technical indicator whose symbol is {indicator_symbol} for the "
        "security whose ticker is {symbol}[, with the interval set to {interval}][, with the price series "
        "set to {series_type}]"
    ),
    noun="the technical indicator values",
)
def get_technical_indicator_of_ticker(
    world: World,
    *,
    indicator_symbol: IndicatorSymbol,
    interval: Interval = "daily",
    symbol: QuoteSymbol,
    series_type: Literal["close", "open", "high", "low"] = "close",
) -> IndicatorSeries:
    """The latest 25 values of a technical indicator of a share, index, fund, pair or coin, newest first.

    indicator_symbol: Symbol of the indicator, as get_all_technical_indicators_available lists them.
    interval: Length of the bars that it is computed from.
    symbol: Ticker or other symbol, e.g. IBM.
    series_type: Which price of each bar counts, for indicators of a single price.
    """
    indicator, row = _find_indicator(indicator_symbol), find_instrument(symbol)
    if indicator.symbol == "VWAP" and interval != "hourly":
        raise invalid("interval", interval, "VWAP is a mean within the day: use interval=hourly")
    bars = _last_bars(world, row, interval)
    if "volume" in _FIELDS.get(indicator.symbol, "") and not any(bar["volume"] for bar in bars):
        raise invalid("symbol", symbol, f"no volume is told of it, from which {indicator.symbol} is computed")
    lines = indicator.compute(bars, series_type)
    found: list[IndicatorRow] = []
    for place in range(len(bars) - 1, max(-1, len(bars) - 1 - SHOWN), -1):
        values = {name: line[place] for name, line in lines.items()}
        known = {name: round(value, 4) for name, value in values.items() if value is not None}
        if known:
            found.append({"time": bars[place].get("time") or bars[place]["date"], "values": known})
    if not found:
        shorter = "" if interval in ("hourly", "daily") else "; try interval=daily"
        few = f"{row.symbol} has only {len(bars)} {interval} bars, too few for {indicator.symbol}"
        raise ToolFault("out_of_range", f"interval={interval!r}: {few}{shorter}", parameter="interval")
    return {
        "indicator": indicator.symbol,
        "name": indicator.name,
        "symbol": row.symbol,
        "currency": row.currency,
        "interval": interval,
        "series_type": series_type if indicator.uses == "prices" else "whole bars",
        "settings": indicator.settings,
        "rows": found,
    }


@GROUP.tool(
    phrase="list all technical indicators that can be computed",
    noun="the list of technical indicators",
)
def get_all_technical_indicators_available() -> list[IndicatorEntry]:
    """All technical indicators that can be computed, by symbol."""
    return [{"symbol": row.symbol, "name": row.name, "kind": row.kind} for row in indicators().values()]


@GROUP.tool(
    examples=[{"indicator_symbol": "RSI"}],
    phrase="explain the technical indicator whose symbol is {indicator_symbol}",
    noun="the description of the technical indicator",
)
def get_technical_indicator_description(*, indicator_symbol: IndicatorSymbol) -> IndicatorDescription:
    """What a technical indicator tells, from what it is computed and over how many bars.

    indicator_symbol: Symbol (or name) of the indicator, e.g. RSI.
    """
    row = _find_indicator(indicator_symbol)
    return {
        "symbol": row.symbol,
        "name": row.name,
        "description": row.description,
        "computed_from": "one price per bar"
        if row.uses == "prices"
        else _FIELDS.get(row.symbol, "high, low and close"),
        "settings": row.settings,
    }
