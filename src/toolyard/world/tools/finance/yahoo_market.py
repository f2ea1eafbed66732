"""Finance/Yahoo_Finance_market: search, quotes, indices, charts, earnings, trends and watchlists."""

from datetime import date, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel.faults import invalid, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import values_of
from toolyard.world.kernel.types import (
    CompanyName,
    CurrencyCode,
    FutureDate,
    IsoDate,
    Page,
    Range,
    Ticker,
    Within,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.companies import companies, find_company
from toolyard.world.reference.days import parse_date
from toolyard.world.simulated.finance.bars import minute_bars, monthly_bars, period_key, weekly_bars
from toolyard.world.simulated.finance.instruments import (
    FoundSymbol,
    IndexSymbol,
    Instrument,
    ListedSymbol,
    QuoteSymbol,
    Region,
    find_instrument,
    history,
    instruments_in_region,
    last_quote,
    traded_hours,
)
from toolyard.world.simulated.finance.rates import TradingDate
from toolyard.world.simulated.finance.statements import is_reported, reports_between
from toolyard.world.simulated.finance.symbol_suggestions import SearchTerm, suggest_symbols
from toolyard.world.simulated.prices import Kind

GROUP = Group("Finance/Yahoo_Finance_market")
Point = tuple[str, float]
Symbols = Annotated[list[QuoteSymbol], Range(1, 20)]
SparkInterval = Literal["1m", "5m", "15m", "1d", "1wk", "1mo"]
ChartStep = Literal["1wk", "1mo", "3mo", "1y"]
SparkRange = Literal["1d", "5d", "3mo", "6mo", "1y", "5y", "max"]
CHART_MINUTES = {"1m": 1, "5m": 5, "15m": 15}
CHART_DAYS = {"1d": 1, "5d": 5, "3mo": 64, "6mo": 128, "1y": 252, "5y": 1260, "max": 3760}
# Range -> the smallest distance between two points of its chart; a longer chart has points farther apart.
CHART_STEPS: dict[str, ChartStep] = {"3mo": "1wk", "6mo": "1wk", "1y": "1mo", "5y": "3mo", "max": "1y"}

# Slug, name and sector of each list of shares.
WATCHLISTS: tuple[tuple[str, str, str], ...] = tuple(values_of("yahoo_market.watchlists").values())


class Suggestion(TypedDict):
    symbol: FoundSymbol
    name: str
    quote_type: Kind
    region: str
    price: float


class MarketQuote(TypedDict):
    symbol: ListedSymbol
    name: str
    quote_type: Kind
    currency: CurrencyCode
    price: float
    change: float
    change_percent: float
    market_time: TradingDate


class IndexSummary(TypedDict):
    symbol: IndexSymbol
    name: str
    currency: CurrencyCode
    price: float
    previous_close: float
    change_percent: float
    market_time: TradingDate


class TypedSymbols(TypedDict):
    quote_type: Kind
    symbols: list[ListedSymbol]


class Spark(TypedDict):
    symbol: ListedSymbol
    interval: str
    range: str
    times: list[str]
    closes: list[float]


class EarningsEvent(TypedDict):
    ticker: Ticker
    company: CompanyName
    report_date: IsoDate
    fiscal_date_ending: IsoDate
    estimated_eps: float
    reported_eps: float | None


class Trend(TypedDict):
    symbol: Ticker
    name: CompanyName
    price: float
    change_percent: float


class Watchlist(TypedDict):
    slug: str
    name: str
    tickers: list[Ticker]
    day_change_percent: float


QUOTE_FIELDS = {
    "symbol": "of.symbol",
    "name": "of.name",
    "quote_type": "of.kind",
    "currency": "of.currency",
    "price": "price",
    "previous_close": "previous_close",
    "change": "change",
    "change_percent": "change_percent",
    "market_time": "date",
}


@GROUP.tool(
    examples=[{"q": "tesla"}, {"q": "Bonds", "region": "AU"}],
    phrase=(
        "find symbols of any kind (shares, indices, funds, currencies, coins) on Yahoo Finance that match "
        "{q}[, with the region set to {region}]"
    ),
    noun="the suggested symbols of any kind",
    jobs=("symbols",),
)
def get_autocomplete(world: World, *, q: SearchTerm, region: Region = "US") -> list[Suggestion]:
    """Shares, indices, funds, currencies, coins and futures that a beginning or some words fit; at most ten.

    q: Beginning of a symbol or name, or words of a name.
    region: Market whose entries come first.
    """
    view = View.of(Suggestion, quote_type="kind", price=lambda row: last_quote(world, row).price)
    return view.rows(suggest_symbols(q, region))


@GROUP.tool(
    examples=[{"symbols": ["AAPL", "^GSPC", "EURUSD=X", "BTC-USD"]}, {"symbols": ["TSLA"], "region": "DE"}],
    phrase="get the latest Yahoo Finance quotes for {symbols}[, with the region set to {region}]",
    noun="the Yahoo Finance quotes",
    jobs=("exchange rates", "price of ether"),
)
def get_quotes(world: World, *, symbols: Symbols, region: Region = "US") -> list[MarketQuote]:
    """The latest prices of several symbols of any kind; those of the region come first.

    symbols: Tickers of companies or other symbols, at most 20.
    region: Market whose symbols come first.
    """
    rows = sorted((find_instrument(symbol) for symbol in symbols), key=lambda row: row.region != region)
    return View.of(MarketQuote, **QUOTE_FIELDS).rows(last_quote(world, row) for row in rows)


@GROUP.tool(
    examples=[{"region": "DE"}, {}],
    phrase=(
        "sum up how the share indices of the market stand on Yahoo Finance[, with the region set to {region}]"
    ),
    noun="the market summary",
)
def get_summary(world: World, *, region: Region = "US") -> list[IndexSummary]:
    """How the indices of a region stand, followed by leading ones of the world.

    region: Market to sum up.
    """
    own = [row for row in instruments_in_region(region) if row.kind == "INDEX"]
    leading = [find_instrument(symbol) for symbol in ("^GSPC", "^FTSE", "^GDAXI", "^N225", "^HSI")]
    rows = dict.fromkeys((*own, *leading))
    return View.of(IndexSummary, **QUOTE_FIELDS).rows(last_quote(world, row) for row in rows)


@GROUP.tool(
    examples=[{}, {"region": "GB"}],
    phrase="list the Yahoo Finance symbols grouped by quote type[, with the region set to {region}]",
    noun="the symbols by quote type",
)
def get_tickers_by_quote_type(*, region: Region = "US") -> list[TypedSymbols]:
    """Symbols of a region by what they stand for: shares, indices, funds and so on; at most 20 of each.

    region: Market to look at.
    """
    groups: dict[Kind, list[str]] = {}
    for row in instruments_in_region(region):
        groups.setdefault(row.kind, []).append(row.symbol)
    return [{"quote_type": kind, "symbols": symbols[:20]} for kind, symbols in groups.items()]


@GROUP.tool(
    examples=[
        {"symbols": ["AAPL"], "interval": "15m"},
        {"symbols": ["TSLA", "^DJI"], "interval": "1mo", "range": "1y"},
    ],
    phrase=(
        "get a small chart of closing prices from Yahoo Finance for {symbols}[, with the interval set to "
        "{interval}][, with the range set to {range}]"
    ),
    noun="the small price chart",
)
def get_spark(
    world: World,
    *,
    symbols: Annotated[list[QuoteSymbol], Range(1, 6)],
    interval: SparkInterval = "5m",
    range_: SparkRange = "1d",
) -> list[Spark]:
    """Closing prices of up to six symbols for a small chart, oldest first; interval tells how far apart they are.

    symbols: Tickers of companies or other symbols.
    interval: Time between two points. Minutes and days hold for a range of 1d or 5d; in longer charts points are a week
        apart at least (3mo, 6mo), a month (1y), a quarter (5y) or a year (max).
    range: How far back the chart goes, or since the first day of trading.
    """
    return [_make_spark(world, find_instrument(symbol), interval, range_) for symbol in symbols]


def _make_spark(world: World, row: Instrument, interval: SparkInterval, span: SparkRange) -> Spark:
    minutes = 0 if row.kind == "MUTUALFUND" else CHART_MINUTES.get(interval, 0)
    spacing: str
    points: list[Point]
    if span in CHART_STEPS:
        spacing, points = _long_chart(world, row, interval, span)
    elif minutes:
        spacing, points = _points_within_days(world, row, minutes, CHART_DAYS[span])
    else:
        days = history(world, row, CHART_DAYS[span])
        merged = weekly_bars(days) if interval == "1wk" else monthly_bars(days) if interval == "1mo" else days
        spacing = interval if interval in ("1wk", "1mo") else "1d"
        points = [(bar["date"], bar["close"]) for bar in merged]
    return {
        "symbol": row.symbol,
        "interval": spacing,
        "range": span,
        "times": [time for time, _ in points],
        "closes": [close for _, close in points],
    }


def _points_within_days(world: World, row: Instrument, minutes: int, count: int) -> tuple[str, list[Point]]:
    """The distance and the points of a chart of one day or five, at most forty of them."""
    points = [
        (bar["time"], bar["close"])
        for day in history(world, row, count, running=True)
        for bar in minute_bars(world.seed, row.symbol, day, minutes, traded_hours(world, row, day["date"]))
    ]
    step = -(-len(points) // 40)
    return f"{minutes * step}m", points[::-1][::step][::-1]


def _long_chart(
    world: World, row: Instrument, interval: SparkInterval, span: SparkRange
) -> tuple[ChartStep, list[Point]]:
    """The distance and the points of a chart of months or years: the last close of each week, month, quarter or year."""
    # Coins are traded at weekends, too, currencies on all other holidays.
    yearly = {"CRYPTOCURRENCY": 366, "CURRENCY": 262}.get(row.kind, 253)
    days = history(world, row, CHART_DAYS[span] * yearly // 252 + 10)
    spacing: ChartStep = CHART_STEPS[span]
    if interval == "1mo" and spacing == "1wk":
        spacing = "1mo"
    length = timedelta(days=round(CHART_DAYS[span] * 365.25 / 252))
    first = (date.fromisoformat(days[-1]["date"]) - length).isoformat() if span != "max" else ""
    ends = {period_key(day["date"], spacing): day for day in days if day["date"] >= first}
    return spacing, [(day["date"], day["close"]) for day in ends.values()]


@GROUP.tool(
    examples=[
        {"start_date": "2024-04-22", "end_date": "2024-04-26"},
        {"region": "DE", "start_date": "2024-04-20", "size": 3},
    ],
    phrase=(
        "list the companies on Yahoo Finance that report earnings starting from {start_date}[, until "
        "{end_date}][, with the region set to {region}][, at most {size} of them]"
    ),
    noun="the list of coming earnings reports",
    jobs=("earnings",),
)
def get_earnings(
    world: World,
    *,
    region: Region = "US",
    start_date: FutureDate,
    end_date: Annotated[IsoDate, Within("start_date")] | None = None,
    size: Annotated[int, Range(1, 100)] = 10,
) -> Page[EarningsEvent]:
    """Companies of a region that report their earnings within some days, in order of date, with earnings per share as
    expected and, of past days, as reported.

    region: Market to look at.
    start_date: First day, YYYY-MM-DD; reports are known from 2020 to 2025.
    end_date: Last day, YYYY-MM-DD; 30 days later if left out.
    size: How many to return.
    """
    first = parse_date(start_date, "start_date")
    if not _REPORTS[0] <= first <= _REPORTS[1]:
        raise out_of_range("start_date", start_date, f"want a day from {_REPORTS[0]} to {_REPORTS[1]}")
    last = first + timedelta(days=30) if end_date is None else parse_date(end_date, "end_date")
    if last < first:
        raise invalid("end_date", end_date, f"want a day on or after {first}")
    found = [
        period
        for row in instruments_in_region(region)
        if row.kind == "EQUITY"
        for period in reports_between(world.seed, row.symbol, first, last)
    ]
    found.sort(key=lambda period: (period.reported, period.ticker))
    return EARNINGS.page(found, 0, size)


_REPORTS = (date(2020, 1, 1), date(2025, 9, 30))
EARNINGS = View.of(
    EarningsEvent,
    company=lambda row: find_company(row.ticker)["name"],
    report_date=lambda row: row.reported.isoformat(),
    fiscal_date_ending=lambda row: row.end.isoformat(),
    estimated_eps="expected",
    reported_eps=lambda row: row.eps if is_reported(row.reported) else None,
)


@GROUP.tool(
    examples=[{}, {"region": "IN"}],
    phrase="list the trending tickers on Yahoo Finance[, with the region set to {region}]",
    noun="the trending tickers",
)
def get_trending_tickers(world: World, *, region: Region = "US") -> list[Trend]:
    """Of well-known shares of a region the ten that moved most on the last trading day, in either direction.

    region: Market to look at.
    """
    rows = [last_quote(world, row) for row in instruments_in_region(region) if row.kind == "EQUITY"]
    rows.sort(key=lambda row: -abs(row.change_percent))
    return View.of(Trend, **QUOTE_FIELDS).rows(rows[:10])


@GROUP.tool(
    phrase="list the popular watchlists on Yahoo Finance",
    noun="the popular watchlists",
    described_as="Gives collections of shares that many people follow, with their mean change today.",
)
def get_popular_watchlists(world: World) -> list[Watchlist]:
    """Lists of well-known shares of one sector with the mean change of their members on the last trading day."""
    rows: list[Watchlist] = []
    for slug, name, sector in WATCHLISTS:
        tickers = [
            one["ticker"] for one in companies() if one["sector"] == sector and one["currency"] == "USD"
        ]
        steps = [last_quote(world, find_instrument(ticker)).change_percent for ticker in tickers[:10]]
        mean = round(sum_in_order(steps) / len(steps), 2)
        rows.append({"slug": slug, "name": name, "tickers": tickers[:10], "day_change_percent": mean})
    return rows
