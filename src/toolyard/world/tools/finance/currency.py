"""Finance/Currency_Converter: conversion today and on past days, with cross rates that agree."""

import datetime
from typing import Annotated, TypedDict

from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import Amount, CurrencyCode, Range
from toolyard.world.reference.places.geography import currencies
from toolyard.world.simulated.finance.rates import (
    PastDay,
    TradingDate,
    check_on_record,
    exchange_rate,
    find_currency,
    market_day,
)

GROUP = Group("Finance/Currency_Converter")
Converted = Annotated[Amount, Range(-1e15, 1e15)]


class Conversion(TypedDict):
    from_currency: CurrencyCode
    to_currency: CurrencyCode
    amount: Amount
    rate: float
    result: Amount


class PastConversion(Conversion):
    date: TradingDate


class CurrencyEntry(TypedDict):
    code: CurrencyCode
    name: str


def _make_conversion(source: str, target: str, amount: float, day: datetime.date) -> Conversion:
    first, second = find_currency(source)["code"], find_currency(target)["code"]
    rate = exchange_rate(first, second, day)
    return {
        "from_currency": first,
        "to_currency": second,
        "amount": amount,
        "rate": float(f"{rate:.7g}"),
        "result": round(amount * rate, 4),
    }


@GROUP.tool(
    examples=[{"from_currency": "USD", "to_currency": "CNY", "amount": 1}],
    phrase="convert at today's rate an amount of {amount} from {from_currency} to {to_currency}",
    noun="the currency conversion",
    jobs=("exchange rates",),
)
def currency_converter(
    world: World, *, from_currency: CurrencyCode, to_currency: CurrencyCode, amount: Converted
) -> Conversion:
    """What an amount of one currency is in another at today's rate.

    from_currency: ISO code of the currency that the amount is in, e.g. USD.
    to_currency: ISO code of the currency wanted, e.g. CNY.
    amount: How much to convert.
    """
    return _make_conversion(from_currency, to_currency, amount, world.today)


@GROUP.tool(
    examples=[{"from_currency": "GBP", "to_currency": "INR", "amount": 1, "date": "2020/05/20"}],
    phrase=(
        "convert an amount of {amount} from {from_currency} to {to_currency} at the historical rate of {date}"
    ),
    noun="the historical currency conversion",
    jobs=("exchange rates",),
)
def historical_currency_data(
    world: World, *, from_currency: CurrencyCode, to_currency: CurrencyCode, amount: Converted, date: PastDay
) -> PastConversion:
    """What an amount of one currency was in another on a past day.

    Rates of some thirty currencies are those of the European Central Bank, on days off of the working day before. Those
    of others lie between the means of years or months; of some only that of today is known.

    from_currency: ISO code of the currency that the amount is in, e.g. GBP.
    to_currency: ISO code of the currency wanted, e.g. INR.
    amount: How much to convert.
    date: Day from 2010 to today, YYYY-MM-DD or YYYY/MM/DD.
    """
    day = market_day(world, date)
    for code in (from_currency, to_currency):
        check_on_record(find_currency(code)["code"], day)
    return {**_make_conversion(from_currency, to_currency, amount, day), "date": day.isoformat()}


@GROUP.tool(
    phrase="list all currencies that the currency converter supports",
    noun="the list of convertible currencies",
    jobs=("currencies",),
)
def available_currencies() -> list[CurrencyEntry]:
    """All currencies that can be converted, by ISO code, with their names."""
    return [{"code": row["code"], "name": row["name"]} for row in currencies()]
