"""Finance/USStockInfo, calendars: who is and was listed, who reports when, and who will be listed."""

from datetime import date as calendar_date
from datetime import timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import read_table
from toolyard.world.kernel.types import (
    CompanyName,
    CurrencyCode,
    ExchangeCode,
    IsoDate,
    Sector,
    Semantic,
    Ticker,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.companies import companies, company_or_none, find_company
from toolyard.world.reference.days import parse_date
from toolyard.world.reference.market_days import FIRST, is_trading_day
from toolyard.world.simulated.finance.instruments import history, share
from toolyard.world.simulated.finance.statements import coming_quarters
from toolyard.world.simulated.prices import listed_since

GROUP = Group("Finance/USStockInfo")
FormerTicker = Annotated[str, Semantic("former_ticker")]


class Listed(TypedDict):
    symbol: Ticker
    name: CompanyName
    exchange: ExchangeCode
    last_close: float


class Delisted(TypedDict):
    symbol: FormerTicker
    name: str
    exchange: ExchangeCode
    ipo_date: IsoDate
    delisting_date: IsoDate


class ListingStatus(TypedDict):
    as_of: IsoDate
    active: list[Listed]
    delisted: list[Delisted]


class CalendarEntry(TypedDict):
    symbol: Ticker
    name: CompanyName
    report_date: IsoDate
    fiscal_date_ending: IsoDate
    estimate: float
    currency: CurrencyCode


class Ipo(TypedDict):
    symbol: str
    name: str
    ipo_date: IsoDate
    price_range_low: float
    price_range_high: float
    currency: CurrencyCode
    exchange: ExchangeCode
    sector: Sector


FORMER = View.of(Delisted, ipo_date="listed", delisting_date="delisted")


@GROUP.tool(
    examples=[{}, {"allow_delisted": True, "date": "2015-05-20"}],
    phrase=(
        "list the companies listed on the US stock exchanges[ on {date}][, with the flag for delisted "
        "companies instead set to {allow_delisted}]"
    ),
    noun="the list of listed or delisted companies",
)
def get_listing_and_delisting_status(
    world: World, *, allow_delisted: bool = False, date: IsoDate | None = None
) -> ListingStatus:
    """Well-known companies that are listed on US exchanges today or were on a day, under their names and tickers of
    today; or, if wanted, those that had left the exchange by then.

    allow_delisted: True lists companies that have left the exchange since 2010, last ones first, instead of active ones.
    date: Day to look at, YYYY-MM-DD; today if left out. One before 2010 or after today is answered for the nearest day
        in between, which as_of names.
    """
    day = parse_date(date) if date is not None else world.today
    day = min(max(day, FIRST), world.today)
    found: ListingStatus = {"as_of": day.isoformat(), "active": [], "delisted": []}
    if allow_delisted:
        gone = [row for row in read_table("delisted.tsv") if row["delisted"] <= day.isoformat()]
        gone.sort(key=lambda row: row["delisted"], reverse=True)
        found["delisted"] = FORMER.rows(gone)
    else:
        found["active"] = [
            {
                "symbol": row["ticker"],
                "name": row["name"],
                "exchange": row["exchange"],
                "last_close": bar["close"],
            }
            for row in companies()
            if row["exchange"] in ("NASDAQ", "NYSE") and listed_since(row["ticker"]) <= day
            # One that has not been traded yet has no close.
            for bar in history(world, share(row), 1, day)
        ]
    return found


@GROUP.tool(
    examples=[{"symbol": "IBM"}, {"symbol": "TSLA", "horizon": "12month"}],
    phrase=(
        "find out when the next earnings reports are due for the company whose ticker is {symbol}[, looking "
        "ahead with the horizon set to {horizon}]"
    ),
    noun="the earnings calendar",
    jobs=("earnings",),
)
def get_earnings_calender(
    world: World, *, symbol: Ticker, horizon: Literal["3month", "6month", "12month"] = "3month"
) -> list[CalendarEntry]:
    """When a company will report its next quarters, and what analysts expect it to earn per share.

    symbol: Ticker of the company, e.g. IBM.
    horizon: How far to look ahead.
    """
    row = find_company(symbol)
    last = world.today + timedelta(days={"3month": 92, "6month": 183, "12month": 366}[horizon])
    view = View.of(
        CalendarEntry,
        symbol="ticker",
        name=lambda _: row["name"],
        report_date=lambda quarter: quarter.reported.isoformat(),
        fiscal_date_ending=lambda quarter: quarter.end.isoformat(),
        estimate="expected",
        currency=lambda _: row["currency"],
    )
    return view.rows(
        quarter for quarter in coming_quarters(world.seed, row["ticker"], 5) if quarter.reported <= last
    )


_FIRST_WORDS = ("Alder", "Bright", "Cobalt", "Delta", "Ember", "Fjord", "Granite", "Harbor", "Indigo", "Juniper", "Kestrel",
                "Lumen", "Meridian", "Nimbus", "Orchard", "Pioneer", "Quartz", "Ridge", "Summit", "Tidal")  # fmt: skip
_LAST_WORDS = ("Robotics", "Therapeutics", "Energy", "Foods", "Logistics", "Software", "Materials", "Payments", "Health",
               "Networks")  # fmt: skip


@GROUP.tool(
    phrase="list the companies expected to go public in the coming three months",
    noun="the IPO calendar",
)
def get_ipo_calendar(world: World) -> list[Ipo]:
    """Companies that are expected to be listed for the first time within the coming three months."""
    sectors = ("Technology", "Healthcare", "Energy", "Consumer Defensive", "Industrials", "Technology", "Basic Materials",
               "Financial Services", "Healthcare", "Communication Services")  # fmt: skip
    rows = []
    for number in range(12):
        chance = seeds.stream(world.seed, "ipo", world.today.year, world.today.month, number)
        place, low = chance.randrange(len(_LAST_WORDS)), chance.randrange(8, 28)
        name = f"{_FIRST_WORDS[(number * 7 + chance.randrange(3)) % 20]} {_LAST_WORDS[place]}"
        day = world.today + timedelta(days=chance.randrange(2, 90))
        rows.append(
            Ipo(
                symbol=_free_ticker(name),
                name=f"{name}, Inc.",
                ipo_date=_next_weekday(day).isoformat(),
                price_range_low=float(low),
                price_range_high=float(low + chance.randrange(2, 6)),
                currency="USD",
                exchange=chance.choice(("NASDAQ", "NYSE")),
                sector=sectors[place],
            )
        )
    return sorted(rows, key=lambda row: row["ipo_date"])


def _free_ticker(name: str) -> str:
    """A ticker of four letters for a name of two words; another where a listed company has it."""
    first, second = name.upper().split()
    shapes = (
        f"{first[0]}{second[:2]}{first[1]}",
        *(f"{first[0]}{second[:2]}{letter}" for letter in "QXZVKW"),
    )
    return next(shape for shape in shapes if company_or_none(shape) is None)


def _next_weekday(day: calendar_date) -> calendar_date:
    while not is_trading_day(day):
        day += timedelta(days=1)
    return day
