"""The technical indicators by symbol: what they are called, what they tell, and how they are computed."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from toolyard.world.reference.places.geography import read_table
from toolyard.world.simulated.finance import averages
from toolyard.world.simulated.finance.averages import Line
from toolyard.world.tools.finance import bar_indicators as ranges
from toolyard.world.tools.finance import cycle_indicators as cycles
from toolyard.world.tools.finance.bar_indicators import Bars

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
    "MAMA": cycles.adaptive_average,
    "T3": cycles.tillson_average,
    "MACDEXT": cycles.simple_macd,
    "HT_TRENDLINE": cycles.trend_line,
    "HT_SINE": cycles.sine_wave,
    "HT_DCPERIOD": cycles.dominant_period,
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
