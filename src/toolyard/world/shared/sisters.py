"""Shares that are traded twice, at home and in New York (there often as receipts for one or more): both move together."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from toolyard.world.reference.packed import packed
from toolyard.world.series import Bar, Bars

# Symbol at home -> symbol in New York, or the other way round, where the share at home is the better known.
IN_NEW_YORK = {
    "SAP.DE": "SAP", "7203.T": "TM", "6758.T": "SONY", "7267.T": "HMC", "NESN.SW": "NSRGY", "NOVN.SW": "NVS",
    "HSBA.L": "HSBC", "0005.HK": "HSBC", "9988.HK": "BABA", "9618.HK": "JD", "9888.HK": "BIDU", "0700.HK": "TCEHY",
    "ASML.AS": "ASML", "NOVO-B.CO": "NVO", "SHEL.L": "SHEL", "SHELL.AS": "SHEL", "BP.L": "BP", "AZN.L": "AZN",
    "ULVR.L": "UL", "INFY.NS": "INFY", "HDFCBANK.NS": "HDB", "BHP.AX": "BHP", "RY.TO": "RY", "SHOP.TO": "SHOP",
    "PETR4.SA": "PBR", "GOOG": "GOOGL", "ABX.TO": "GOLD",
    "SAN.PA": "SNY", "TTE.PA": "TTE", "STLAP.PA": "STLA", "STLAM.MI": "STLA", "AZN.ST": "AZN", "BARC.L": "BCS", "GSK.L":
    "GSK", "LLOY.L": "LYG", "UNA.AS": "UL", "RIO.L": "RIO", "RIO.AX": "RIO", "DGE.L": "DEO", "BATS.L": "BTI", "UBSG.SW":
    "UBS", "SAN.MC": "SAN", "BBVA.MC": "BBVA", "RACE.MI": "RACE", "NOKIA.HE": "NOK", "2015.HK": "LI", "9868.HK": "XPEV",
    "9999.HK": "NTES", "ENB.TO": "ENB", "CNR.TO": "CNI", "CP.TO": "CP", "BMO.TO": "BMO", "CM.TO": "CM", "SU.TO": "SU",
    "CNQ.TO": "CNQ", "TRP.TO": "TRP", "BCE.TO": "BCE", "VALE3.SA": "VALE", "ITUB4.SA": "ITUB", "ABEV3.SA": "ABEV",
    "E": "ENI.MI", "DBK.DE": "DB", "INGA.AS": "ING", "2330.TW": "TSM", "TD.TO": "TD", "BNS.TO": "BNS", "ERIC-B.ST":
    "ERIC", "EQNR.OL": "EQNR", "BBDC4.SA": "BBD", "LOGN.SW": "LOGI",
}  # fmt: skip
_FIRST, _ANCHOR = date(2023, 4, 28), date(2024, 5, 15)


@functools.lru_cache(maxsize=8192)
def _per_dollar(code: str, day: date) -> float:
    """Units for one dollar by the European Central Bank on this or the last working day; always one, where it tells none."""
    table = packed("exchange_rates")
    for back in range(8):
        rows = table.under((day - timedelta(days=back)).isoformat())
        if rows:
            rates = dict(zip(table.columns, rows[0], strict=True)) | {"EUR": "1"}
            return float(rates[code]) / float(rates["USD"]) if code in rates else 1.0
    raise LookupError(f"no rate of {code} on {day}")


def _rate(codes: tuple[str, str], day: date) -> float:
    """Units of the first currency for one of the second."""
    return _per_dollar(codes[0], day) / _per_dollar(codes[1], day)


def closes_of_sister(
    price: float, codes: tuple[str, str], other: Bars, before_new_york: bool = False
) -> tuple[tuple[str, float], ...]:
    """Days of the last year and closes of a share that agree with those of another, given its price of 15 May 2024.

    `codes` are the currencies of the share and of the other one; `before_new_york` says that the share's market is closed
    when New York opens, so that it does on the next day what the other did.
    """
    bars = list(other.since(_FIRST).until(_ANCHOR))
    days = [bar["date"] for bar in bars]
    if before_new_york:
        days, bars = days[1:], bars[:-1]
    unit = price / bars[-1]["close"] / _rate(codes, _ANCHOR)
    return tuple(_converted(days, bars, codes, unit))


def _converted(
    days: Sequence[str], bars: Sequence[Bar], codes: tuple[str, str], unit: float
) -> Iterator[tuple[str, float]]:
    for day, bar in zip(days, bars, strict=True):
        yield day, round(bar["close"] * _rate(codes, date.fromisoformat(day)) * unit, 4)
