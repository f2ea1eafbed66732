"""Stock/Stock: dates, prices on a day, opening hours, exchange rates and option chains."""

from datetime import timedelta
from typing import Annotated, TypedDict

from toolyard.world.kernel.faults import out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import (
    ClockTime,
    CompanyName,
    CurrencyCode,
    IsoDate,
    Range,
    Semantic,
    Ticker,
    TimeZoneName,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.companies import find_company
from toolyard.world.reference.days import parse_date
from toolyard.world.simulated.finance.instruments import find_instrument, history, last_full_day
from toolyard.world.simulated.finance.markets import MarketRegion, find_market, hours_view
from toolyard.world.simulated.finance.options import OptionRow, chain, expiry_days, with_options
from toolyard.world.simulated.finance.rates import PastDay, TradingDate, dollars_per_unit, market_day
from toolyard.world.simulated.prices import listed_since

GROUP = Group("Stock/Stock")
Money = Annotated[str, Semantic("currency_code", accepts=("crypto_symbol",))]


class OptionData(TypedDict):
    ticker: Ticker
    company: CompanyName
    price: float
    change_percent: float
    expiration: IsoDate
    calls: list[OptionRow]
    puts: list[OptionRow]


class Day(TypedDict):
    date: IsoDate
    weekday: str


class DayPrices(TypedDict):
    symbol: Ticker
    date: TradingDate
    open: float
    high: float
    low: float
    close: float
    currency: CurrencyCode


class OpenInfo(TypedDict):
    region: MarketRegion
    primary_exchanges: str
    is_open: bool
    local_time: str
    opens: ClockTime
    closes: ClockTime
    time_zone: TimeZoneName


class Rate(TypedDict):
    from_currency: CurrencyCode
    to_currency: CurrencyCode
    exchange_rate: float
    date: TradingDate


@GROUP.tool(
    examples=[{"ticker": "amzn"}],
    phrase=(
        "get the current share price and the next-expiring calls and puts for the company whose ticker is "
        "{ticker}"
    ),
    noun="the next-expiring options",
    jobs=("options",),
)
def options_data(world: World, *, ticker: Ticker) -> OptionData:
    """The last price of a share or fund that is traded in New York and the calls and puts on it that expire next, priced by
    the formula of Black and Scholes.

    ticker: Ticker of a company or exchange-traded fund, e.g. amzn.
    """
    row = with_options(ticker, "ticker")
    before, now = history(world, row, 2)
    expiry = expiry_days(world.today)[0]
    calls, puts = chain(world, row, expiry, width=5)
    return {
        "ticker": row.symbol,
        "company": row.name,
        "price": now["close"],
        "change_percent": round(100 * (now["close"] / before["close"] - 1), 2),
        "expiration": expiry.isoformat(),
        "calls": calls,
        "puts": puts,
    }


@GROUP.tool(
    phrase="find out today's date",
    noun="today's date",
    jobs=("date and time of now",),
    chat=False,
)
def get_today_date(world: World) -> Day:
    """Today's date and its weekday."""
    return {"date": world.today.isoformat(), "weekday": world.today.strftime("%A")}


@GROUP.tool(
    examples=[{"date": "2024-02-27", "days": 3}, {"date": "2024-05-15", "days": -7}],
    phrase="work out which date it is {days} days after {date}",
    noun="the resulting date",
)
def add_date(*, date: IsoDate, days: Annotated[int, Range(-3_000_000, 3_000_000)]) -> Day:
    """The date so many days after (or, with a minus, before) a date.

    date: Date to start from, YYYY-MM-DD.
    days: Number of days to add.
    """
    try:
        found = parse_date(date) + timedelta(days=days)
    except OverflowError:
        raise out_of_range("days", days, "the result must lie between the years 1 and 9999") from None
    return {"date": found.isoformat(), "weekday": found.strftime("%A")}


@GROUP.tool(
    examples=[{"symbol": "AMZN", "date": "2024-05-10"}],
    phrase="get the open, high, low and close of the share whose ticker is {symbol} on exactly {date}",
    noun="the share prices of the day",
)
def get_daily_prices(world: World, *, symbol: Ticker, date: PastDay) -> DayPrices:
    """Open, high, low and close of a share on one day, or the last trading day before it.

    symbol: Ticker of a company, e.g. AMZN.
    date: Day from 2010 to today, YYYY-MM-DD.
    """
    company = find_company(symbol)
    row = find_instrument(company["ticker"])
    past = history(world, row, 1, min(market_day(world, date), last_full_day(world, row)))
    if not past:
        since = listed_since(company["ticker"])
        raise out_of_range("date", date, f"{company['ticker']} has been traded since {since}")
    return OF_DAY.row({**past[-1], "symbol": company["ticker"], "currency": company["currency"]})


OF_DAY = View[DayPrices]({name: name for name in DayPrices.__annotations__})


@GROUP.tool(
    examples=[{"region": "Germany"}, {"region": "US"}],
    phrase="find out whether the stock market is open now in {region}",
    noun="the market opening information",
    jobs=("market hours",),
    listed_as="MarketOpeningHours",
)
def get_open_info(world: World, *, region: MarketRegion) -> OpenInfo:
    """Whether the market of a region is open now, with its hours and local time.

    region: Country with an exchange (name or code), or Global for currencies.
    """
    return hours_view(world.now, OpenInfo, primary_exchanges="exchanges").row(find_market(region))


@GROUP.tool(
    examples=[{"from_currency": "EUR", "to_currency": "GBP"}, {"from_currency": "BTC", "to_currency": "CNY"}],
    phrase="get today's exchange rate for one unit from {from_currency} to {to_currency}",
    noun="the exchange rate",
    jobs=("exchange rates",),
)
def get_exchange_rate(world: World, *, from_currency: Money, to_currency: Money) -> Rate:
    """What one unit of a currency or coin is worth in another today.

    from_currency: ISO code of a currency, or symbol of a coin such as BTC.
    to_currency: ISO code of a currency, or symbol of a coin such as ETH.
    """
    source, target = (dollars_per_unit(world, code, world.today) for code in (from_currency, to_currency))
    return {
        "from_currency": from_currency.strip().upper(),
        "to_currency": to_currency.strip().upper(),
        "exchange_rate": float(f"{source / target:.8g}"),
        "date": world.today.isoformat(),
    }
