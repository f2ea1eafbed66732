"""Finance/Yahoo_Finance_market: search, quotes, indices, charts, earnings, trends and watchlists."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from toolyard.core.sums import added
from toolyard.world.faults import ToolFault, invalid, out_of_range
from toolyard.world.registry import tool
from toolyard.world.shared.companies import SECOND_CLASSES, companies, find_company
from toolyard.world.shared.days import parse_date
from toolyard.world.shared.statements import earnings_counted
from toolyard.world.state import World
from toolyard.world.types import (
    FutureDate,
    IsoDate,
    Page,
    Range,
    Within,
)
from toolyard.world.worlds.finance.bars import intraday, monthly, part_of, weekly
from toolyard.world.worlds.finance.fundamentals import (
    announced_reports,
    quarter_ends,
    quarterly_eps,
    reporting_day,
    reports,
)
from toolyard.world.worlds.finance.instruments import (
    RESTLESS,
    Instrument,
    Kind,
    QuoteSymbol,
    Region,
    find_instrument,
    history,
    hours_until_now,
    in_region,
    quote,
    share,
)
from toolyard.world.worlds.finance.symbol_suggestions import SearchTerm, suggestions
from toolyard.world.worlds.finance.yahoo_market_shapes import (
    CHART_DAYS,
    CHART_MINUTES,
    CHART_STEPS,
    WATCHLISTS,
    ChartStep,
    EarningsEvent,
    IndexSummary,
    MarketQuote,
    Spark,
    SparkInterval,
    SparkRange,
    Suggestion,
    Trend,
    TypedSymbols,
    Watchlist,
)

GROUP = "Finance/Yahoo_Finance_market"
Point = tuple[str, float]
Symbols = Annotated[list[QuoteSymbol], Range(1, 20)]
# Region -> the first day from which on reports are on record.
_REPORTS_FROM = {"US": date(2023, 5, 1), "DE": date(2024, 4, 1)}


@tool(
    GROUP,
    examples=[{"q": "tesla"}, {"q": "Bonds", "region": "AU"}],
    phrase=(
        "find symbols of any kind (shares, indices, funds, currencies, coins) on Yahoo Finance that match "
        "{q}[, with the region set to {region}]"
    ),
    noun="the suggested symbols of any kind",
    jobs=("symbols",),
)
def get_autocomplete(*, q: SearchTerm, region: Region = "US") -> list[Suggestion]:
    """Shares, indices, funds, currencies, coins and futures that a beginning or some words fit; at most ten.

    q: Beginning of a symbol or name, or words of a name.
    region: Market whose entries come first.
    """
    return [
        Suggestion(symbol=row["symbol"], name=row["name"], quote_type=row["kind"], region=row["region"])
        for row in suggestions(q, region)
    ]


@tool(
    GROUP,
    examples=[{"symbols": ["AAPL", "^GSPC", "EURUSD=X", "BTC-USD"]}, {"symbols": ["TSLA"], "region": "DE"}],
    phrase="get the latest Yahoo Finance quotes for {symbols}[, with the region set to {region}]",
    noun="the Yahoo Finance quotes",
    jobs=("exchange rates", "price of ether"),
)
def get_quotes(world: World, *, symbols: Symbols, region: Region = "US") -> list[MarketQuote]:
    """The latest prices of several symbols of any kind; those of the region come first. Prices of the less known are
    simulated near the real ones.

    symbols: Tickers of large companies or other symbols, at most 20.
    region: Market whose symbols come first.
    """
    rows = sorted((find_instrument(symbol) for symbol in symbols), key=lambda row: row["region"] != region)
    return [_market_quote(world, row) for row in rows]


def _market_quote(world: World, row: Instrument) -> MarketQuote:
    now = quote(world, row)
    return MarketQuote(
        symbol=row["symbol"],
        name=row["name"],
        quote_type=row["kind"],
        currency=row["currency"],
        price=now["price"],
        change=now["change"],
        change_percent=now["change_percent"],
        market_time=now["date"],
    )


@tool(
    GROUP,
    examples=[{"region": "DE"}, {}],
    phrase=(
        "sum up how the share indices of the market stand on Yahoo Finance[, with the region set to {region}]"
    ),
    noun="the market summary",
)
def get_summary(world: World, *, region: Region = "US") -> list[IndexSummary]:
    """How well-known indices of a region stand, followed by leading ones of the world; levels of the less known are
    simulated near the real ones.

    region: Market to sum up.
    """
    own = [row for row in in_region(region) if row["kind"] == "INDEX"]
    leading = [find_instrument(symbol) for symbol in ("^GSPC", "^FTSE", "^GDAXI", "^N225", "^HSI")]
    rows = []
    for row in [*own, *(row for row in leading if row not in own)]:
        now = quote(world, row)
        rows.append(
            IndexSummary(
                symbol=row["symbol"],
                name=row["name"],
                currency=row["currency"],
                price=now["price"],
                previous_close=now["previous_close"],
                change_percent=now["change_percent"],
                market_time=now["date"],
            )
        )
    return rows


@tool(
    GROUP,
    examples=[{}, {"region": "GB"}],
    phrase="list the Yahoo Finance symbols grouped by quote type[, with the region set to {region}]",
    noun="the symbols by quote type",
)
def get_tickers_by_quote_type(*, region: Region = "US") -> list[TypedSymbols]:
    """A choice of the symbols of a region by what they stand for: shares, indices, funds and so on; at most 20 of each.

    region: Market to look at.
    """
    groups: dict[Kind, list[str]] = {}
    for row in in_region(region, whole=True):
        groups.setdefault(row["kind"], []).append(row["symbol"])
    return [{"quote_type": kind, "symbols": symbols[:20]} for kind, symbols in groups.items()]


@tool(
    GROUP,
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
    """Closing prices of up to six symbols for a small chart, oldest first. Points within a day are simulated, others are
    near the real ones, exact only in part; interval tells how far apart they are.

    symbols: Tickers of large companies or other symbols.
    interval: Time between two points. Minutes and days hold for a range of 1d or 5d; in longer charts points are a week
        apart at least (3mo, 6mo), a month (1y), a quarter (5y) or a year (max).
    range: How far back the chart goes, or as far as prices are on record.
    """
    return [_spark(world, find_instrument(symbol), interval, range_) for symbol in symbols]


def _spark(world: World, row: Instrument, interval: SparkInterval, span: SparkRange) -> Spark:
    minutes = 0 if row["kind"] == "MUTUALFUND" else CHART_MINUTES.get(interval, 0)
    spacing: str
    points: list[Point]
    if span in CHART_STEPS:
        spacing, points = _long_chart(world, row, interval, span)
    elif minutes:
        spacing, points = _within_days(world, row, minutes, CHART_DAYS[span])
    else:
        days = history(world, row, CHART_DAYS[span])
        merged = weekly(days) if interval == "1wk" else monthly(days) if interval == "1mo" else days
        spacing = interval if interval in ("1wk", "1mo") else "1d"
        points = [(bar["date"], bar["close"]) for bar in merged]
    return {
        "symbol": row["symbol"],
        "interval": spacing,
        "range": span,
        "times": [time for time, _ in points],
        "closes": [close for _, close in points],
    }


def _within_days(world: World, row: Instrument, minutes: int, count: int) -> tuple[str, list[Point]]:
    """The distance and the points of a chart of one day or five, at most forty of them."""
    points = [
        (bar["time"], bar["close"])
        for day in history(world, row, count, running=True)
        for bar in intraday(world.seed, row["symbol"], day, minutes, hours_until_now(world, row, day["date"]))
    ]
    step = -(-len(points) // 40)
    return f"{minutes * step}m", points[::-1][::step][::-1]


def _long_chart(
    world: World, row: Instrument, interval: SparkInterval, span: SparkRange
) -> tuple[ChartStep, list[Point]]:
    """The distance and the points of a chart of months or years: the last close of each week, month, quarter or year."""
    # Coins are traded at weekends, too, currencies on all other holidays.
    yearly = {"CRYPTOCURRENCY": 366, "CURRENCY": 262}.get(row["kind"], 253)
    days = history(world, row, CHART_DAYS[span] * yearly // 252 + 10)
    spacing: ChartStep = CHART_STEPS[span]
    if interval == "1mo" and spacing == "1wk":
        spacing = "1mo"
    length = timedelta(days=round(CHART_DAYS[span] * 365.25 / 252))
    first = (date.fromisoformat(days[-1]["date"]) - length).isoformat() if span != "max" else ""
    ends = {part_of(day["date"], spacing): day for day in days if day["date"] >= first}
    return spacing, [(day["date"], day["close"]) for day in ends.values()]


@tool(
    GROUP,
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
    """Some of the best known companies of a region that report their earnings within some days, in order of date, with
    earnings per share as analysts count them (null where not known). Coming days and estimates are partly guesses.

    region: Market to look at; reporting days are known of US (since May 2023) and DE (since April 2024).
    start_date: First day, YYYY-MM-DD.
    end_date: Last day, YYYY-MM-DD; 30 days later if left out.
    size: How many to return.
    """
    first = parse_date(start_date, "start_date")
    if end_date is None:
        last = min(first, world.today + timedelta(days=3650)) + timedelta(days=30)
    else:
        last = parse_date(end_date, "end_date")
    if last < first:
        raise invalid("end_date", end_date, f"want a day on or after {first}")
    since = _REPORTS_FROM.get(region)
    if since is None:
        raise ToolFault(
            "not_found",
            f"no reporting days of companies in {region} are known; try US or DE",
            parameter="region",
        )
    if last < since:
        raise out_of_range(
            "start_date",
            start_date,
            f"no reports of {region} before {since} are on record; want that day or a later one",
        )
    events = _reports(world, region, first, last)
    items = [_event(world, ticker, day, end) for day, ticker, end in events[:size]]
    return {"total": len(events), "offset": 0, "items": items}


def _reports(world: World, region: Region, first: date, last: date) -> list[tuple[date, str, date]]:
    """Day, company and end of the quarter of each report between the days, in order."""
    years = range(max(first.year - 1, 2014), min(last.year, world.today.year + 1) + 1)
    found = {
        (reporting_day(row["symbol"], end), row["symbol"], end)
        for row in (in_region(region) if years else [])
        if row["kind"] == "EQUITY"
        for end in quarter_ends(row["symbol"], years.start, years.stop - 1)
    }
    if region == "US":
        counted = earnings_counted().items()
        found |= {
            (quarter.reported, ticker, quarter.end)
            for ticker, rows in counted
            if ticker not in SECOND_CLASSES
            for quarter in rows
        } | set(announced_reports())
    return sorted(one for one in found if first <= one[0] <= last)


def _event(world: World, ticker: str, day: date, end: date) -> EarningsEvent:
    company = find_company(ticker)
    known = next((row for row in reports(world, ticker) if row["reported_date"] == day.isoformat()), None)
    return EarningsEvent(
        ticker=ticker,
        company=company["name"],
        report_date=day.isoformat(),
        fiscal_date_ending=end.isoformat(),
        estimated_eps=known["estimated_eps"] if known else quarterly_eps(company, end),
        reported_eps=known["reported_eps"] if known else None,
    )


@tool(
    GROUP,
    examples=[{}, {"region": "IN"}],
    phrase="list the trending tickers on Yahoo Finance[, with the region set to {region}]",
    noun="the trending tickers",
)
def get_trending_tickers(world: World, *, region: Region = "US") -> list[Trend]:
    """Of some well-known shares of a region those that moved most on the last trading day, in either direction; moves of
    most are simulated.

    region: Market to look at.
    """
    rows = []
    restless = [share(find_company(ticker)) for ticker in RESTLESS] if region == "US" else []
    for row in (*in_region(region), *restless):
        if row["kind"] == "EQUITY":
            now = quote(world, row)
            rows.append(
                Trend(
                    symbol=row["symbol"],
                    name=row["name"],
                    price=now["price"],
                    change_percent=now["change_percent"],
                )
            )
    return sorted(rows, key=lambda row: -abs(row["change_percent"]))[:10]


@tool(
    GROUP,
    examples=[{}],
    phrase="list the popular watchlists on Yahoo Finance",
    noun="the popular watchlists",
    described_as="Gives collections of shares that many people follow, with their mean change today.",
)
def get_popular_watchlists(world: World) -> list[Watchlist]:
    """Lists of well-known shares of one sector, a choice, with the mean change of their members on the last trading day."""
    rows = []
    for slug, name, sector in WATCHLISTS:
        known = [row for row in companies() if row["sector"] == sector and row["currency"] == "USD"]
        known.sort(key=lambda row: -row["price"] * row["shares"])
        tickers = [row["ticker"] for row in known][:10]
        steps = [quote(world, find_instrument(ticker))["change_percent"] for ticker in tickers]
        rows.append(
            Watchlist(
                slug=slug,
                name=name,
                tickers=tickers,
                day_change_percent=round(added(steps) / len(steps), 2),
            )
        )
    return rows
