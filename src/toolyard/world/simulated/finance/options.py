"""Option chains: strikes around the price, each valued by the formula of Black and Scholes."""

import math
from datetime import date, timedelta
from typing import Annotated, TypedDict

from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import Semantic
from toolyard.world.simulated.finance.instruments import Instrument, find_instrument, history
from toolyard.world.simulated.prices import level
from toolyard.world.simulated.series import symbol_calendar

RATE = 0.05
ContractSymbol = Annotated[str, Semantic("option_contract")]


class OptionRow(TypedDict):
    """One contract."""

    contract: ContractSymbol
    strike: float
    last_price: float
    implied_volatility: float
    in_the_money: bool


def expiry_days(today: date) -> list[date]:
    """The next six Fridays, and the third Fridays of the following eight months."""
    friday = today + timedelta(days=(4 - today.weekday()) % 7 or 7)
    found = [friday + timedelta(days=7 * week) for week in range(6)]
    year, month = today.year, today.month
    for _ in range(8):
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
        first = date(year, month, 1)
        found.append(first + timedelta(days=(4 - first.weekday()) % 7 + 14))
    return sorted(set(found))


def month_ahead(today: date) -> date:
    """The third Friday that is about a month away, of which options are told."""
    return next(day for day in expiry_days(today) if (day - today).days >= 28 and 15 <= day.day <= 21)


def normal_distribution(value: float) -> float:
    """Distribution function of the standard normal law."""
    return 0.5 * (1 + math.erf(value / math.sqrt(2)))


def black_scholes_prices(
    spot: float, strike: float, years: float, volatility: float, rate: float = RATE
) -> tuple[float, float]:
    """Value of a European call and put without dividends."""
    spread = volatility * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
    discounted = strike * math.exp(-rate * years)
    call = spot * normal_distribution(d1) - discounted * normal_distribution(d1 - spread)
    return call, call - spot + discounted


def with_options(wanted: str, parameter: str) -> Instrument:
    """The share or fund of a ticker on which options are traded in New York; a fault otherwise."""
    row = find_instrument(wanted)
    if row.kind not in ("EQUITY", "ETF") or symbol_calendar(row.symbol) != "new_york":
        told = "options are traded on shares and exchange-traded funds of New York; try AAPL, KO or SPY"
        raise invalid(parameter, wanted, told)
    return row


def chain(world: World, row: Instrument, expiry: date, width: int) -> tuple[list[OptionRow], list[OptionRow]]:
    """Calls and puts with `width` strikes on either side of the price."""
    ticker, spot = row.symbol, history(world, row, 1)[-1]["close"]
    # Strikes of funds lie nearer to each other.
    dense = 200 if row.kind == "ETF" else 100
    step = next((size for size in (0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0) if size * dense >= spot), 100.0)
    middle = max(width + 1, round(spot / step))
    years = max(1, (expiry - world.today).days) / 365
    base = level(world.seed, row.symbol, row.kind, row.currency).volatility
    calls: list[OptionRow] = []
    puts: list[OptionRow] = []
    for number in range(middle - width, middle + width + 1):
        strike = number * step
        # A smile: far strikes are dearer than the formula with one volatility would have them.
        volatility = base * (1 + 0.6 * math.log(strike / spot) ** 2) + 0.02
        values = black_scholes_prices(spot, strike, years, volatility)
        for letter, value, rows in (("C", values[0], calls), ("P", values[1], puts)):
            code = f"{ticker.replace('.', '')}{expiry:%y%m%d}{letter}{round(strike * 1000):08d}"
            inside = strike < spot if letter == "C" else strike > spot
            rows.append(
                OptionRow(
                    contract=code,
                    strike=strike,
                    last_price=round(max(value, 0.01), 2),
                    implied_volatility=round(volatility, 4),
                    in_the_money=inside,
                )
            )
    return calls, puts
