"""What the tables know of prices: closes by day, habits of shares, levels of indices and what funds follow."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from toolyard.world.tables import read_table


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a symbol: closes by day, shares traded on a usual day, the first day of trading."""

    closes: Mapping[str, float]
    volume: float = 0.0
    listed: date | None = None


@dataclass(frozen=True, slots=True)
class Habits:
    """How much of the market's moves a share takes part in, its extremes of the last year, and what is traded a day."""

    beta: float | None = None
    low: float = 0.0
    high: float = math.inf
    volume: float = 0.0
    low_day: str = ""
    high_day: str = ""


@dataclass(frozen=True, slots=True)
class KnownDay:
    """A day of which more than the close is known; `volume` is 0 where that is not."""

    open: float
    high: float
    low: float
    volume: int


@functools.cache
def known_habits() -> Mapping[str, Habits]:
    """Symbol -> what the table says."""
    return {
        row["symbol"]: Habits(
            float(row["beta"]) if row["beta"] else None,
            float(row["low"] or 0),
            float(row["high"] or math.inf),
            1e6 * float(row["volume"] or 0),
            row["low_day"],
            row["high_day"],
        )
        for row in read_table("share_habits.tsv")
    }


@functools.cache
def known_days() -> Mapping[str, Mapping[str, KnownDay]]:
    """Symbol -> day -> what the table says."""
    found: dict[str, dict[str, KnownDay]] = {}
    for row in read_table("known_days.tsv"):
        traded = int(1e6 * float(row["volume"] or 0))
        day = KnownDay(float(row["open"]), float(row["high"]), float(row["low"]), traded)
        found.setdefault(row["symbol"], {})[row["date"]] = day
    return found


@functools.cache
def known_prices() -> Mapping[str, Known]:
    """Symbol -> what the table says."""
    further = {
        row["symbol"]: {
            day: float(close) for day, close in (part.split(":") for part in row["closes"].split())
        }
        for row in read_table("further_closes.tsv")
    }
    found = {}
    for row in read_table("share_prices.tsv"):
        closes = {day: float(row[day]) for day in row if day[:2] == "20" and row[day]}
        listed = date.fromisoformat(row["listed"]) if row["listed"] else None
        between = further.pop(row["symbol"], {})
        found[row["symbol"]] = Known({**between, **closes}, float(row["volume"]) * 1e6, listed)
    return {**found, **{symbol: Known(closes) for symbol, closes in further.items()}}


# How much of the move of 15 May 2024 a coin had made by nine in the morning: nearly all of it came in the afternoon.
_BY_MORNING = 0.17


def coin_now(symbol: str, close: float) -> float:
    """What a coin cost in the morning of 15 May 2024: near the close before, where that is known, else that of the day."""
    known = known_prices().get(f"COIN:{symbol}")
    before = known.closes.get("2024-05-14") if known else None
    return float(f"{before * (close / before) ** _BY_MORNING:.6g}") if before else close


@functools.cache
def listed_levels() -> Mapping[str, tuple[float, float]]:
    """Index, fund or future -> its level on 2024-05-15 and its yearly volatility."""
    rows = (*read_table("instruments.tsv"), *read_table("more_instruments.tsv"))
    return {row["symbol"]: (float(row["price"]), float(row["volatility"])) for row in rows}


@functools.cache
def followed() -> Mapping[str, tuple[str, float]]:
    """Fund, future or sister index -> what it follows day by day, and how many times its move it makes."""
    return {
        symbol: (row["follows"], float(row["times"]))
        for row in read_table("followed_indices.tsv")
        for symbol in row["symbols"].split()
    }
