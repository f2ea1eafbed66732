"""What a currency or coin is worth in another: every rate goes over the US dollar, so that all crosses agree.

Rates of some thirty currencies are those of the European Central Bank; others lie on a line between the means of years or
months that the tables have.
"""

import functools
import math
from bisect import bisect_right
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated

from toolyard.world.kernel.faults import ToolFault, not_found, out_of_range
from toolyard.world.kernel.state import EPOCH, World
from toolyard.world.kernel.tables import plain, read_table, table_texts
from toolyard.world.kernel.types import Semantic
from toolyard.world.reference.days import parse_date
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.geography import Currency, currencies
from toolyard.world.simulated import series
from toolyard.world.simulated.finance.coins import FIRST_OTHER_ID, coin_by_symbol, coin_price

# A day on which markets have prices: from 2010 to today. Written with hyphens where a tool returns it.
TradingDate = Annotated[str, Semantic("trading_date", is_a=("iso_date",))]
PastDay = Annotated[str, Semantic("trading_date", accepts=("past_date",))]
_PEGGED = frozenset("USD AED BBD BHD CUP JOD OMR PAB QAR SAR HKD BSD BZD BMD KYD XCD ANG AWG DJF ERN".split())
# Currencies that cost always the same in another one.
_TIED = table_texts("rates.tied")
_TIED_TO = {code: other for other, codes in _TIED.items() for code in codes.split()}
_TODAY = EPOCH.date()


@functools.cache
def _currencies_by_key() -> Mapping[str, Currency]:
    rows = currencies()
    return {plain(row["name"]): row for row in rows} | {plain(row["code"]): row for row in rows}


def find_currency(wanted: str) -> Currency:
    """The currency of an ISO code or English name; a not_found fault otherwise."""
    row = _currencies_by_key().get(plain(wanted))
    if row is None:
        known = ("USD", "EUR", "GBP", "CNY", "INR")
        raise not_found("currency", wanted, known=known, count=len(currencies()))
    return row


@functools.lru_cache(maxsize=65536)
def reference_rate(code: str, day: date) -> float | None:
    """Units for one US dollar by the European Central Bank, of this or the last working day; none without a rate."""
    table = packed_table("exchange_rates")
    for back in range(8):
        rows = table.with_key((day - timedelta(days=back)).isoformat())
        if rows:
            rates = dict(zip(table.columns, rows[0], strict=True)) | {"EUR": "1"}
            return round(float(rates[code]) / float(rates["USD"]), 6) if rates.get(code) else None
    return None


@functools.cache
def _rate_means() -> Mapping[str, tuple[tuple[date, float], ...]]:
    """Code -> middles of years and months with their means, oldest first, and the rate of today."""
    found: dict[str, dict[date, float]] = {}
    for row in read_table("yearly.tsv"):
        years = ((int(year), value) for year, value in row.items() if year.isdigit())
        found[row["name"]] = {date(year, 7, 1): float(value) for year, value in years if year < _TODAY.year}
    for row in read_table("monthly.tsv"):
        first = 12 * int(row["first"][:4]) + int(row["first"][5:]) - 1
        months = {
            date(place // 12, place % 12 + 1, 15): float(value)
            for place, value in enumerate(row["values"].split(), first)
        }
        before = {day: value for day, value in found.get(row["name"], {}).items() if day < min(months)}
        found[row["name"]] = before | {day: value for day, value in months.items() if day < _TODAY}
    return {
        code: (*sorted(known.items()), (_TODAY, find_currency(code)["per_usd"]))
        for code, known in found.items()
    }


def units_per_dollar(code: str, day: date) -> float:
    """Units of a currency for one US dollar on a day."""
    row = find_currency(code)
    fixed = reference_rate(row["code"], day)
    if fixed is not None or row["code"] in _PEGGED:
        return fixed or row["per_usd"]
    other = _TIED_TO.get(row["code"])
    if other:
        return units_per_dollar(other, day) * row["per_usd"] / find_currency(other)["per_usd"]
    known = _rate_means().get(row["code"], ((_TODAY, row["per_usd"]),))
    place = bisect_right(known, (day, math.inf))
    (first, low), (last, high) = known[max(place - 1, 0)], known[min(place, len(known) - 1)]
    part = (day - first).days / (last - first).days if first <= day < last else 0.0
    return float(low * (high / low) ** part)


def check_on_record(code: str, day: date) -> None:
    """Refuses a past day for which no table has what a currency cost; a not_found fault."""
    known = code in _PEGGED or code in _TIED_TO or code in _rate_means() or day >= _TODAY
    if not known and reference_rate(code, day) is None:
        told = f"no rate of {code} on {day} is known, only that of today"
        raise ToolFault("not_found", told, parameter="date")


def exchange_rate(source: str, target: str, day: date) -> float:
    """Units of the target currency for one unit of the source currency."""
    return units_per_dollar(target, day) / units_per_dollar(source, day)


def dollars_per_unit(world: World, code: str, day: date) -> float:
    """US dollars for one unit of a currency, or of a coin by its symbol."""
    symbol = code.strip().upper()
    coin = None if plain(symbol) in _currencies_by_key() else coin_by_symbol(symbol)
    # Three letters are a currency's code unless they are those of a well-known coin.
    unknown = coin is None or (len(symbol) == 3 and coin.id >= FIRST_OTHER_ID)
    value = 1 / units_per_dollar(code, day) if coin is None or unknown else coin_price(world, coin, day)
    if not value:
        raise not_found("price of the coin", symbol, such_as=["BTC", "ETH"])
    return value


def market_day(world: World, text: str, parameter: str = "date") -> date:
    """The day of a text; an out_of_range fault before 2010 or after today."""
    day = parse_date(text, parameter)
    if not series.FIRST <= day <= world.today:
        raise out_of_range(parameter, text, f"want a day from {series.FIRST} to today, {world.today}")
    return day


def pair_bars(source: str, target: str, last: date, count: int) -> list[series.Bar]:
    """Daily bars of a currency pair, oldest first: a weekday opens where the last one closed."""
    days: list[date] = []
    while len(days) <= count and last >= series.FIRST:
        days += [last] if last.weekday() < 5 else []
        last -= timedelta(days=1)
    rates = [round(exchange_rate(source, target, day), 5) for day in reversed(days)]
    return [
        {"date": day.isoformat(), "open": old, "high": max(old, new), "low": min(old, new), "close": new, "volume": 0}
        for day, old, new in zip(reversed(days[:-1]), rates, rates[1:], strict=False)
    ]  # fmt: skip
