"""Shares that are traded twice, at home and in New York (there often as receipts for one or more): both move together."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from toolyard.world.reference.packed import packed
from toolyard.world.series import Bars

# Symbol at home -> symbol in New York.
IN_NEW_YORK = {
    "SAP.DE": "SAP", "7203.T": "TM", "6758.T": "SONY", "7267.T": "HMC", "NESN.SW": "NSRGY", "NOVN.SW": "NVS",
    "HSBA.L": "HSBC", "0005.HK": "HSBC", "9988.HK": "BABA", "9618.HK": "JD", "9888.HK": "BIDU", "0700.HK": "TCEHY",
    "ASML.AS": "ASML", "NOVO-B.CO": "NVO", "SHEL.L": "SHEL", "SHELL.AS": "SHEL", "BP.L": "BP", "AZN.L": "AZN",
    "ULVR.L": "UL", "INFY.NS": "INFY", "HDFCBANK.NS": "HDB", "BHP.AX": "BHP", "RY.TO": "RY", "SHOP.TO": "SHOP",
    "PETR4.SA": "PBR", "GOOG": "GOOGL",
}  # fmt: skip
_FIRST, _ANCHOR = date(2023, 4, 28), date(2024, 5, 15)


def _per_dollar(code: str, day: date) -> float:
    """Units for one dollar by the European Central Bank on this or the last working day."""
    table = packed("exchange_rates")
    for back in range(8):
        rows = table.under((day - timedelta(days=back)).isoformat())
        if rows:
            rates = dict(zip(table.columns, rows[0], strict=True)) | {"EUR": "1"}
            return float(rates[code]) / float(rates["USD"])
    raise LookupError(f"no rate of {code} on {day}")


def closes_at_home(price: float, currency: str, abroad: Bars) -> tuple[tuple[str, float], ...]:
    """Days of the last year and the closes at home that agree with those in New York, given the price of 15 May 2024."""
    bars = abroad.since(_FIRST).until(_ANCHOR)
    unit = price / bars[-1]["close"] / _per_dollar(currency, _ANCHOR)
    return tuple(_converted(bars, currency, unit))


def _converted(bars: Bars, currency: str, unit: float) -> Iterator[tuple[str, float]]:
    for bar in bars:
        rate = _per_dollar(currency, date.fromisoformat(bar["date"]))
        yield bar["date"], round(bar["close"] * rate * unit, 4)
