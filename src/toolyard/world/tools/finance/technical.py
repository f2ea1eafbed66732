"""Finance/Technical_Indicators: indicators computed from the price paths of this world."""

from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.faults import ToolFault, invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import CurrencyCode, Prose, Semantic
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
from toolyard.world.tools.finance.bar_indicators import Bars
from toolyard.world.tools.finance.indicator_catalogue import Indicator, indicators

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
