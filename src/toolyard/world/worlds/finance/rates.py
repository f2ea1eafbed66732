"""What a currency or coin is worth in another: every rate goes over the US dollar, so that all crosses agree."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated

from toolyard.world import seeds, series
from toolyard.world.faults import ToolFault, not_found, out_of_range
from toolyard.world.reference.packed import packed
from toolyard.world.shared.days import parse_date
from toolyard.world.shared.geography import Currency, currencies, plain
from toolyard.world.state import EPOCH, World
from toolyard.world.types import Semantic
from toolyard.world.worlds.finance import curves
from toolyard.world.worlds.finance.coins import COIN_PRICES_FROM, coin_bars, priced_coin

# A day on which markets have prices: from 2010 to today. Written with hyphens where a tool returns it.
TradingDate = Annotated[str, Semantic("trading_date", is_a=("iso_date",))]
PastDay = Annotated[str, Semantic("trading_date", accepts=("past_date",))]
_PEGGED = frozenset("USD AED BBD BHD CUP JOD OMR PAB QAR SAR HKD BSD BZD BMD KYD XCD ANG AWG DJF ERN".split())
# Currencies that cost always the same in another one.
_TIED = {
    "EUR": "BGN DKK BAM MKD XAF XOF XPF KMF CVE", "ZAR": "NAD LSL SZL", "INR": "BTN NPR", "GBP": "FKP GIP SHP",
    "SGD": "BND", "HKD": "MOP",
}  # fmt: skip
# Currencies that were held fast for years before months of theirs are on record.
_CALM_SINCE = dict.fromkeys(("EGP", "NGN"), date(2018, 1, 1))
_TIED_TO = {code: other for other, codes in _TIED.items() for code in codes.split()}
# Currencies that move so slowly that the means of years tell every day.
_CALM = frozenset(
    "VND TWD PEN MAD GTQ RSD NIO HNL TZS UGX RWF DZD TND ETB KWD KHR TTD DOP BDT KES LKR".split()
)

# Those of them that central banks hold within a narrow band.
_HELD = frozenset(("KWD", "KHR", "TTD"))


# Days on which a currency was let go, with its rate before and after.
_STEPS = {
    "ARS": ((date(2023, 8, 14), 285.0, 350.0), (date(2023, 12, 13), 364.0, 800.0)),
    "EGP": (
        (date(2022, 3, 21), 15.7, 18.3),
        (date(2022, 10, 27), 19.7, 23.6),
        (date(2024, 3, 6), 30.9, 49.0),
    ),
    "NGN": ((date(2023, 6, 14), 465.0, 690.0),),
    "LKR": ((date(2022, 3, 10), 202.0, 258.0),),
}
_WEEKS = timedelta(days=15)


def _beside_step(code: str, day: date) -> float | None:
    """The rate shortly before or after a day on which a currency was let go."""
    near = (step for step in _STEPS.get(code, ()) if step[0] - 2 * _WEEKS <= day < step[0] + _WEEKS)
    return next((before if day < first else after for first, before, after in near), None)


_CODES = ("USD", "EUR", "GBP", "CNY", "INR")


@functools.cache
def _by_key() -> Mapping[str, Currency]:
    rows = currencies()
    names = {plain(row["name"]): row for row in rows}
    return {**names, **{plain(row["code"]): row for row in rows}}


def find_currency(wanted: str) -> Currency:
    """The currency of an ISO code or English name; a not_found fault otherwise."""
    row = _by_key().get(plain(wanted))
    if row is None:
        raise not_found("currency", wanted, known=_CODES, count=len(currencies()))
    return row


@functools.lru_cache(maxsize=65536)
def reference_rate(code: str, day: date) -> float | None:
    """Units for one US dollar by the European Central Bank, of this or the last working day; none without a rate."""
    table = packed("exchange_rates")
    for back in range(8):
        rows = table.under((day - timedelta(days=back)).isoformat())
        if rows:
            rates = dict(zip(table.columns, rows[0], strict=True)) | {"EUR": "1"}
            return round(float(rates[code]) / float(rates["USD"]), 6) if rates.get(code) else None
    return None


def per_dollar(seed: int, code: str, day: date) -> float:
    """Units of a currency for one US dollar: the central bank's rate of the day, else a curve through the table's.

    On 15 May 2024 it is exactly what the table of currencies says.
    """
    row = find_currency(code)
    fixed = reference_rate(row["code"], day) or _beside_step(row["code"], day)
    if fixed is not None:
        return fixed
    if row["code"] in _PEGGED:
        return row["per_usd"]
    other = _TIED_TO.get(row["code"])
    if other:
        return per_dollar(seed, other, day) * row["per_usd"] / find_currency(other)["per_usd"]
    near = row["code"] in _HELD or curves.months_of(row["code"])
    size = 0.003 if near else 0.012 if row["code"] in curves.yearly() else 0.05
    return curves.value(seed, row["code"], day, size=size, present=row["per_usd"])


def check_on_record(code: str, day: date) -> None:
    """Refuses a past day on which nobody kept what a currency cost; a not_found fault."""
    first = _CALM_SINCE.get(code) or min(curves.months_of(code), default=date.max)
    kept = code in _PEGGED | _CALM | _TIED_TO.keys() or day >= min(first, EPOCH.date())
    if kept or reference_rate(code, day) is not None:
        return
    since = f"it is from {first} on" if first < date.max else "only that of today is"
    raise ToolFault("not_found", f"no rate of {code} on {day} is on record; {since}", parameter="date")


def exchange_rate(seed: int, source: str, target: str, day: date) -> float:
    """Units of the target currency for one unit of the source currency."""
    return per_dollar(seed, target, day) / per_dollar(seed, source, day)


def dollars_per_unit(world: World, code: str, day: date) -> float:
    """US dollars for one unit of a currency, or of a coin by its symbol."""
    symbol = code.strip().upper()
    if plain(symbol) not in _by_key() and priced_coin(symbol) is not None:
        return coin_bars(world.seed, symbol).until(max(day, COIN_PRICES_FROM))[-1]["close"]
    return 1 / per_dollar(world.seed, code, day)


def market_day(world: World, text: str, parameter: str = "date") -> date:
    """The day of a text; an out_of_range fault before 2010 or after today."""
    day = parse_date(text, parameter)
    if not series.FIRST <= day <= world.today:
        raise out_of_range(parameter, text, f"want a day from {series.FIRST} to today, {world.today}")
    return day


def pair_bars(seed: int, source: str, target: str, last: date, count: int) -> list[series.Bar]:
    """Daily bars of a currency pair, oldest first: a weekday opens where the last one closed."""
    days = [*reversed(list(curves.weekdays(last, count + 1)))]
    closes = [exchange_rate(seed, source, target, day) for day in days]
    width = 0.05 if {source, target} <= _PEGGED - {"HKD"} else 1.0
    return [
        _as_it_was(f"{source}{target}", joined_bar(seed, f"{source}{target}", day, before, after, width))
        for day, before, after in zip(days[1:], closes, closes[1:], strict=False)
    ]


# Pair -> lowest and highest price of the 52 weeks to 14 May 2024 with their days; without a day it is never left.
_YEAR = {
    "USDJPY": (0.0, "", 160.17, "2024-04-29"), "EURJPY": (0.0, "", 171.56, "2024-04-29"),
    "EURUSD": (1.0448, "2023-10-03", 1.1276, "2023-07-18"), "GBPUSD": (1.2037, "2023-10-04", 1.3142, "2023-07-14"),
    "AUDUSD": (0.6270, "2023-10-26", 0.6900, "2023-06-16"), "USDCAD": (1.3093, "2023-07-14", 1.3899, "2023-11-01"),
    "USDHKD": (7.75, "", 7.85, ""),
}  # fmt: skip
_YEAR_FROM = "2023-05-15"
PAIRS_WITH_RANGES = frozenset(_YEAR)


def _as_it_was(pair: str, bar: series.Bar) -> series.Bar:
    """A bar within the known extremes of the year, and on their days at them."""
    if pair not in _YEAR or bar["date"] < _YEAR_FROM:
        return bar
    lowest, low_day, highest, high_day = _YEAR[pair]
    ends = (bar["open"], bar["close"])
    low = lowest if bar["date"] == low_day else max(bar["low"], min(lowest, *ends))
    high = highest if bar["date"] == high_day else min(bar["high"], max(highest, *ends))
    return {**bar, "low": low, "high": high}


def joined_bar(
    seed: int, pair: str, day: date, before: float, after: float, width: float = 1.0
) -> series.Bar:
    """A bar from the close before to that of the day; `width` is how far it goes beyond both, as part of the usual."""
    spread = 0.001 + 0.003 * seeds.unit(seed, "spread", pair, day)
    return {
        "date": day.isoformat(),
        "open": round(before, 5),
        "high": round(max(before, after) * (1 + width * spread), 5),
        "low": round(min(before, after) * (1 - width * spread), 5),
        "close": round(after, 5),
        "volume": 0,
    }
