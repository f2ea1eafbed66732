"""Price processes: a seeded walk per symbol through the closes that are known, the same on any machine.

Closes of year ends are facts (`share_prices.tsv`); between them a price moves with its market and by chance of its own.
What has no known closes follows its market at a distance that stays moderate.
"""

from __future__ import annotations

import functools
import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import overload

from toolyard.world import seeds
from toolyard.world.day_bars import Bar as Bar
from toolyard.world.day_bars import DayPath
from toolyard.world.market_days import FIRST as FIRST
from toolyard.world.market_days import trading_days
from toolyard.world.price_tables import Habits, Known, coin_now, followed, known_days, listed_levels
from toolyard.world.price_tables import known_habits as known_habits
from toolyard.world.price_tables import known_prices as known_prices

MARKET_VOLATILITY, COIN_VOLATILITY = 0.13, 0.5
_PULL = 0.012
# What was before is not told of a price of which only the present is known.
_PRESENT_FROM = date(2023, 5, 1)
# The year whose extremes are known: after the first day, up to the last.
_YEAR_AGO, _YEAR_END = "2023-05-14", "2024-05-14"
_AMERICAN = frozenset(
    {"^GSPC", "^DJI", "^IXIC", "^RUT", "^VIX", "^NDX", "^NYA", "^TNX", "^TYX", "^FVX", "^IRX", "^SOX"}
)
_MARKETS = {"new_york": "^GSPC", "elsewhere": "^GSPC", "every_day": "COIN:BTC"}
# Funds that hold the whole American market, or the 500 largest companies of it, and so move as it does.
_TRACKERS = frozenset(
    "SPY VOO IVV SPLG VFIAX FXAIX VTI VTSAX ITOT SCHB IWB SCHX VFINX VTSMX SWPPX FSKAX".split()
)
# Yields and measures of fear, of which nothing is traded.
_NO_VOLUME = frozenset({"^VIX", "^VXN", "^TNX", "^TYX", "^FVX", "^IRX"})


def on_record(symbol: str) -> date:
    """The day from which prices of a share, index or fund are told: its listing, its first known close, else a year ago."""
    known = known_prices().get(symbol, Known({}))
    if known.listed or symbol in _TRACKERS:
        return known.listed or FIRST
    return max(FIRST, date.fromisoformat(min(known.closes))) if known.closes else _PRESENT_FROM


def calendar_of(symbol: str, every_day: bool = False) -> str:
    """The calendar of a symbol: New York's for shares without the suffix of another market."""
    if every_day:
        return "every_day"
    if symbol.startswith("^"):
        return "new_york" if symbol in _AMERICAN else "elsewhere"
    suffix = symbol.rpartition(".")[2] if "." in symbol else ""
    abroad = len(suffix) > 1 or suffix in ("L", "T") or ":" in symbol
    return "elsewhere" if abroad else "new_york"


class Bars(Sequence[Bar]):
    """Part of a path whose bars are made when looked at: thousands of days of hundreds of symbols fit into memory."""

    __slots__ = ("_path", "_range")

    def __init__(self, path: DayPath, part: range) -> None:
        self._path = path
        self._range = part

    def __len__(self) -> int:
        return len(self._range)

    @overload
    def __getitem__(self, key: int) -> Bar: ...
    @overload
    def __getitem__(self, key: slice) -> Bars: ...
    def __getitem__(self, key: int | slice) -> Bar | Bars:
        if isinstance(key, slice):
            return Bars(self._path, self._range[key])
        return self._path.bar(self._range[key])

    @property
    def path(self) -> DayPath:
        """The whole path that these bars are part of."""
        return self._path

    def until(self, day: date) -> Bars:
        """The bars up to and including a day, of bars in order of date."""
        last = bisect_right(self._path.days, day.isoformat())
        return Bars(self._path, range(self._range.start, min(self._range.stop, last)))

    def since(self, day: date) -> Bars:
        """The bars from a day on."""
        first = bisect_left(self._path.days, day.isoformat())
        return Bars(self._path, range(max(self._range.start, first), self._range.stop))


def _steps(chance_key: tuple[object, ...], count: int, step: float, pull: float) -> array[float]:
    """A walk from zero that is pulled back to it; bits that are counted are as good as normal numbers here and fast."""
    chance = seeds.stream(*chance_key)
    bits, uniform = chance.getrandbits, chance.random
    logs, here, kept = [0.0], 0.0, 1 - pull
    for _ in range(count):
        here = here * kept + step * (bits(256).bit_count() - 128.5 + uniform()) / 8
        logs.append(here)
    return array("d", logs)


def _through(logs: array[float], days: Sequence[str], closes: Mapping[str, float]) -> None:
    """Bend a path so that it closes where it is known to have closed."""
    found = [(bisect_right(days, day), math.log(price)) for day, price in sorted(closes.items())]
    fixed = [(place, level - logs[place]) for place, level in dict(found).items()]
    first, last = fixed[0], fixed[-1]
    for (left, low), (right, high) in zip(
        [(0, first[1]), *fixed], [*fixed, (len(logs), last[1])], strict=True
    ):
        slope = (high - low) / max(1, right - left)
        part = logs[left:right]
        logs[left:right] = array("d", [log + (low + slope * n) for n, log in enumerate(part)])


def _within(logs: array[float], year: range, habits: Habits) -> None:
    """Keep the closes of the last year between the extremes that are known."""
    low = math.log(habits.low) + 0.0005 if habits.low else -math.inf
    high = math.log(habits.high) - 0.0005 if habits.high < math.inf else math.inf
    for place in year:
        # Back from beyond, and not to the same price again and again.
        spare, here = place * 7919 % 97 / 8000, logs[place + 1]
        logs[place + 1] = low + spare if here < low else high - spare if here > high else here


def _nearest(places: Sequence[int], here: int) -> int:
    """How many days lie between a place and the nearest of some places in order."""
    after = bisect_left(places, here)
    return min(abs(place - here) for place in places[max(0, after - 1) : after + 1])


def _touching(logs: array[float], year: range, level: float, fixed: Sequence[int]) -> int:
    """The day of the year that comes to a level with the smallest bend; a known close is not bent."""

    def effort(number: int) -> float:
        return abs(logs[number + 1] - level) / math.sqrt(_nearest(fixed, number + 1) + 0.5)

    return min(year, key=effort)


def _reach(
    logs: array[float],
    days: Sequence[str],
    year: range,
    habits: Habits,
    closes: Mapping[str, float],
    step: float,
) -> tuple[int, int]:
    """The days of the known lowest and highest price (-1 without), to which the path is bent."""
    fixed = sorted({bisect_right(days, day) for day in closes})
    found, bent = [], {}
    for price, day, sign in ((habits.low, habits.low_day, 1), (habits.high, habits.high_day, -1)):
        if not price or price == math.inf:
            found.append(-1)
            continue
        level = math.log(price)
        number = bisect_left(days, day) if day else _touching(logs, year, level, fixed)
        found.append(number)
        if number + 1 not in fixed and abs(logs[number + 1] - level) > step:
            bent[days[number]] = math.exp(level + sign * 0.6 * step)
    if bent:
        _through(logs, days, {**closes, **bent})
    return found[0], found[1]


@seeds.remembered(16)
def _market(seed: int, calendar: str) -> array[float]:
    """The logarithms of the market that prices move with: large American shares, or the first coin."""
    days, symbol = trading_days(calendar), _MARKETS[calendar]
    yearly = COIN_VOLATILITY if calendar == "every_day" else MARKET_VOLATILITY
    step = yearly / math.sqrt(365 if calendar == "every_day" else 252)
    logs = _steps((seed, "market", calendar), len(days), step, _PULL)
    last = coin_now("BTC", 66267.5) if symbol == "COIN:BTC" else 5308.15
    _through(logs, days, {**known_prices()[symbol].closes, "2024-05-15": last})
    return logs


@seeds.remembered(16)
def _index(seed: int) -> array[float]:
    """The market as its index closes, week by week in the last year and day by day of late."""
    days, logs = trading_days("new_york"), array("d", _market(seed, "new_york"))
    closes = {**known_prices()["^GSPC"].closes, **known_prices()["CHART:^GSPC"].closes}
    _through(logs, days, {**closes, "2024-05-15": 5308.15})
    return logs


def _share_of_market(symbol: str, volatility: float, calendar: str) -> float:
    """How much of the market's moves a price takes part in; bonds, metals and fear do not."""
    if symbol in _MARKETS.values() or symbol in _TRACKERS:
        return 1.0
    beta = known_habits().get(symbol, Habits()).beta
    if beta is not None:
        return beta
    if calendar == "every_day":
        return 0.9 if volatility > 0.1 else 0.0
    if (symbol.endswith("=F") and symbol != "ES=F") or symbol in ("^VIX", "GLD", "TLT"):
        return 0.0
    return min(1.2, max(0.0, (volatility - 0.07) / 0.13))


def _with_market(logs: array[float], market: Sequence[float], share: float, drift: float) -> array[float]:
    """The steps of a symbol with its share of the market's, and a drift where there is one."""
    pairs = zip(logs, market, strict=True)
    if not drift:
        return array("d", [log + share * level for log, level in pairs])
    return array("d", [log + (share * level + drift * n) for n, (log, level) in enumerate(pairs)])


def _leader(seed: int, symbol: str, days: Sequence[str]) -> array[float]:
    """The logarithms of what a symbol follows, on the days of the symbol."""
    target, times = followed()[symbol]
    if target in _MARKETS.values():
        calendar = calendar_of(target, target.startswith("COIN:"))
        lead: Sequence[float] = _index(seed) if calendar == "new_york" else _market(seed, calendar)
        its_days = trading_days(calendar)
    else:
        level, volatility = listed_levels()[target]
        path = bars(seed, target, anchor=level, volatility=volatility).path
        lead, its_days = path.logs, path.days
    return array("d", [times * lead[0], *(times * lead[bisect_right(its_days, day)] for day in days)])


def _moves(seed: int, symbol: str, calendar: str, volatility: float, daily: bool) -> array[float]:
    """The logarithms of a symbol before they are bent to its closes: its market's moves, or its index's, and its own."""
    days, every_day = trading_days(calendar), calendar == "every_day"
    if symbol in followed():
        return _leader(seed, symbol, days)
    itself = symbol in _MARKETS.values() or symbol in _TRACKERS
    by_day = calendar == "new_york" and daily
    share = _share_of_market(symbol, volatility, calendar)
    whole = COIN_VOLATILITY if every_day else MARKET_VOLATILITY
    own = math.sqrt(max(volatility**2 - (share * whole) ** 2, (0.35 * volatility) ** 2))
    step = 0.0 if itself else own / math.sqrt(365 if every_day else 252)
    logs = _steps((seed, "walk", symbol), len(days), step, _PULL)
    drift = 0.00024 if symbol.startswith("NAV:") and not share else 0.0
    return _with_market(logs, _index(seed) if by_day else _market(seed, calendar), share, drift)


@functools.lru_cache(maxsize=1024)
def _walk(
    seed: int,
    symbol: str,
    anchor: float,
    anchor_day: date,
    volatility: float,
    every_day: bool,
    volume: float,
    closes: tuple[tuple[str, float], ...],
    daily: bool,
) -> Bars:
    calendar = calendar_of(symbol, every_day)
    days, step = trading_days(calendar), volatility / math.sqrt(365 if every_day else 252)
    logs, habits = _moves(seed, symbol, calendar, volatility, daily), known_habits().get(symbol, Habits())
    known = known_prices().get(symbol)
    fixed = {**(known.closes if known else dict(closes)), anchor_day.isoformat(): anchor}
    _through(logs, days, fixed)
    year = range(bisect_right(days, _YEAR_AGO), bisect_right(days, _YEAR_END))
    _within(logs, year, habits)
    extremes = _reach(logs, days, year, habits, fixed, step)
    _within(logs, year, habits)
    uniform = seeds.stream(seed, "days", symbol).random
    chances = array("d", [uniform() for _ in days])
    usual = known.volume if known and known.volume else habits.volume or volume
    usual = 0.0 if symbol in _NO_VOLUME else usual
    listed = known.listed if known else None
    first = bisect_right(days, (listed - timedelta(days=1)).isoformat()) if listed else 0
    gap = 0.0 if every_day else 0.4 if symbol.startswith("^") else 0.8
    market, told = symbol.rpartition(".")[2] if "." in symbol else "", known_days().get(symbol, {})
    # fmt: off
    path = DayPath(days, logs, chances, step, gap, usual, every_day, year, habits, market, extremes, told)
    # fmt: on
    return Bars(path, range(first, len(days)))


def bars(
    seed: int,
    symbol: str,
    *,
    anchor: float,
    anchor_day: date = date(2024, 5, 15),
    volatility: float = 0.25,
    every_day: bool = False,
    volume: float = 1e6,
    closes: tuple[tuple[str, float], ...] = (),
    daily: bool = True,
) -> Bars:
    """Daily bars from 2010 (or the first day of trading) to 2025, oldest first, closing at `anchor` on `anchor_day`.

    `volatility` is yearly; `every_day` keeps weekends (currencies, crypto); `volume` is traded on a usual day;
    `closes` are days and prices that it goes through where the table knows none; without `daily` an index is the market
    that shares follow, and not what it was on every day.
    """
    return _walk(seed, symbol.upper(), anchor, anchor_day, volatility, every_day, volume, closes, daily)


def until(series: Sequence[Bar], day: date) -> Sequence[Bar]:
    """The bars up to and including a day."""
    if isinstance(series, Bars):
        return series.until(day)
    return series[: bisect_right(series, day.isoformat(), key=lambda bar: bar["date"])]


def level(seed: int, name: str, moment: float, *, low: float, high: float, period: float) -> float:
    """A smooth seeded curve between two bounds, e.g. interest over time; `period` in the unit of `moment`."""
    total = 0.0
    for wave in (1, 2, 5):
        phase = seeds.unit(seed, "level", name, wave) * 2 * math.pi
        total += math.sin(2 * math.pi * wave * moment / period + phase) / wave
    return low + (high - low) * (total / 1.7 + 1) / 2
