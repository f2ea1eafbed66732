"""Finance/Yahoo_Finance_stock, trade: search, summary, prices, options, peers, ratings and insights."""

from typing import Literal, TypedDict

from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import CompanyName, CurrencyCode, IsoDate, Sector, Ticker
from toolyard.world.kernel.views import View
from toolyard.world.reference.companies import find_company
from toolyard.world.simulated.finance import averages
from toolyard.world.simulated.finance.bars import Close
from toolyard.world.simulated.finance.instruments import (
    FoundSymbol,
    FundSymbol,
    QuoteSymbol,
    Region,
    find_instrument,
    history,
    largest_positions,
    last_quote,
    yearly_range,
)
from toolyard.world.simulated.finance.opinions import Opinion, analyst_opinions
from toolyard.world.simulated.finance.options import OptionRow, chain, expiry_days, month_ahead, with_options
from toolyard.world.simulated.finance.rates import TradingDate
from toolyard.world.simulated.finance.symbol_suggestions import SearchTerm, similar_companies, suggest_symbols
from toolyard.world.simulated.prices import Kind

GROUP = Group("Finance/Yahoo_Finance_stock")
Outlook = Literal["bullish", "neutral", "bearish"]


class StockSuggestion(TypedDict):
    symbol: Ticker
    name: CompanyName
    sector: Sector
    price: float


class Summary(TypedDict):
    symbol: FoundSymbol
    name: str
    quote_type: Kind
    currency: CurrencyCode
    price: float
    previous_close: float
    change_percent: float
    fifty_two_week_range: list[float]
    market_time: TradingDate


class Peer(TypedDict):
    symbol: Ticker
    name: CompanyName


class Grades(TypedDict):
    symbol: Ticker
    history: list[Opinion]


class PriceHistory(TypedDict):
    symbol: FoundSymbol
    currency: CurrencyCode
    prices: list[Close]


class Options(TypedDict):
    symbol: Ticker
    price: float
    expiration_dates: list[IsoDate]
    shown_expiration: IsoDate
    calls: list[OptionRow]
    puts: list[OptionRow]


class Position(TypedDict):
    symbol: Ticker
    name: CompanyName
    percent: float


class Holdings(TypedDict):
    symbol: FundSymbol
    name: str
    top_holdings: list[Position]


class Insight(TypedDict):
    symbol: Ticker
    company: CompanyName
    short_term: Outlook
    mid_term: Outlook
    long_term: Outlook
    support: float
    resistance: float


@GROUP.tool(
    examples=[{"q": "tesla"}, {"q": "bank", "region": "CA"}],
    phrase=(
        "find companies (with sector) on Yahoo Finance whose ticker or name matches {q}[, with the region "
        "set to {region}]"
    ),
    noun="the suggested companies",
    jobs=("symbols",),
)
def get_autocomplete(world: World, *, q: SearchTerm, region: Region = "US") -> list[StockSuggestion]:
    """Listed companies whose ticker or name a beginning or some words fit, with sector; at most ten.

    q: Beginning of a ticker or name, or words of a name.
    region: Market whose companies come first.
    """
    sector = lambda row: find_company(row.symbol)["sector"]  # noqa: E731
    view = View.of(StockSuggestion, sector=sector, price=lambda row: last_quote(world, row).price)
    return view.rows(suggest_symbols(q, region, ("EQUITY",)))


@GROUP.tool(
    examples=[{"symbol": "AMZN"}, {"symbol": "SPY"}],
    phrase=(
        "get the Yahoo Finance summary with price and yearly range for the security whose symbol is "
        "{symbol}[, with the region set to {region}]"
    ),
    noun="the price summary",
    jobs=("exchange rates", "price of ether", "key figures of a company"),
)
def get_summary(world: World, *, symbol: QuoteSymbol, region: Region = "US") -> Summary:
    """Price, change and the range of the last 52 weeks of a share, index, fund, currency pair or coin.

    symbol: Ticker of a company or other symbol, e.g. AMZN.
    region: Market of the reader; it changes nothing in the figures.
    """
    row = find_instrument(symbol)
    view = View.of(
        Summary,
        symbol="of.symbol",
        name="of.name",
        quote_type="of.kind",
        currency="of.currency",
        fifty_two_week_range=lambda found: list(yearly_range(world, found.of)),
        market_time="date",
    )
    return view.row(last_quote(world, row))


@GROUP.tool(
    examples=[{"symbol": "INTC"}],
    phrase="recommend other shares similar to the one whose ticker is {symbol}",
    noun="the recommended shares",
)
def get_recommendations(world: World, *, symbol: Ticker) -> list[Peer]:
    """Five other shares of the same or a near business.

    symbol: Ticker of the company, e.g. INTC.
    """
    return View.of(Peer, symbol="ticker").rows(similar_companies(world.seed, symbol)[:5])


@GROUP.tool(
    examples=[{"symbol": "GOOGL"}],
    phrase=(
        "list the broker upgrades and downgrades for the company whose ticker is {symbol}[, with the region "
        "set to {region}]"
    ),
    noun="the upgrades and downgrades",
)
def get_upgrades_downgrades(world: World, *, symbol: Ticker, region: Region = "US") -> Grades:
    """Grades of a share by brokers, newest first; ten of them.

    symbol: Ticker of the company, e.g. GOOGL.
    region: Market of the reader; it changes nothing in the grades.
    """
    ticker = find_company(symbol)["ticker"]
    return {"symbol": ticker, "history": analyst_opinions(world.seed, ticker, world.today)[:10]}


@GROUP.tool(
    examples=[{"symbol": "AMD"}, {"symbol": "^GDAXI", "region": "DE"}],
    phrase=(
        "get the daily prices of the last 45 trading days from Yahoo Finance for the security whose symbol "
        "is {symbol}[, with the region set to {region}]"
    ),
    noun="the Yahoo Finance price history",
    jobs=("exchange rates", "price of ether"),
)
def get_historical_data(world: World, *, symbol: QuoteSymbol, region: Region = "US") -> PriceHistory:
    """Closing prices of a share, index, fund, pair or coin of the last 45 trading days that are over (fewer of newer ones),
    newest first.

    symbol: Ticker of a company or other symbol, e.g. AMD.
    region: Market of the reader; it changes nothing in the prices.
    """
    row = find_instrument(symbol)
    return {
        "symbol": row.symbol,
        "currency": row.currency,
        "prices": [Close(date=bar["date"], close=bar["close"]) for bar in reversed(history(world, row, 45))],
    }


@GROUP.tool(
    examples=[{"symbol": "AAPL"}],
    phrase=(
        "get the call and put prices about a month out and all expiry dates from Yahoo Finance for the "
        "company whose ticker is {symbol}[, with the region set to {region}]"
    ),
    noun="the Yahoo Finance options",
    jobs=("options",),
)
def get_options(world: World, *, symbol: Ticker, region: Region = "US") -> Options:
    """Calls and puts on a share or fund that is traded in New York which expire in a month or so, priced by the formula of
    Black and Scholes, and dates of coming expiries.

    symbol: Ticker of a company or exchange-traded fund, e.g. AAPL.
    region: Market of the reader; it changes nothing in the figures.
    """
    row = with_options(symbol, "symbol")
    dates = expiry_days(world.today)
    shown = month_ahead(world.today)
    calls, puts = chain(world, row, shown, width=7)
    return {
        "symbol": row.symbol,
        "price": history(world, row, 1)[-1]["close"],
        "expiration_dates": [day.isoformat() for day in dates],
        "shown_expiration": shown.isoformat(),
        "calls": calls,
        "puts": puts,
    }


@GROUP.tool(
    examples=[{"symbol": "SPY"}, {"symbol": "VFIAX"}],
    phrase="list the largest holdings of the fund whose symbol is {symbol}",
    noun="the fund holdings",
    jobs=("holdings",),
)
def get_holdings(world: World, *, symbol: FundSymbol) -> Holdings:
    """The ten largest shares that a fund holds with their parts in per cent.

    symbol: Symbol of an ETF or mutual fund of shares, e.g. SPY.
    """
    row, held = largest_positions(world, symbol)
    positions = [Position(symbol=one["ticker"], name=one["name"], percent=percent) for one, percent in held]
    return {"symbol": row.symbol, "name": row.name, "top_holdings": positions}


def _price_outlook(price: float, average: float | None) -> Outlook:
    if average is None or abs(price / average - 1) < 0.01:
        return "neutral"
    return "bullish" if price > average else "bearish"


@GROUP.tool(
    examples=[{"symbol": "FB"}, {"symbol": "AAPL"}],
    phrase=(
        "get a short insights report with outlook, support and resistance for the company whose ticker is "
        "{symbol}"
    ),
    noun="the insights report",
    jobs=("key figures of a company",),
)
def get_insights(world: World, *, symbol: Ticker) -> Insight:
    """Outlooks of a share from its mean prices of 20, 50 and 200 days, and the lowest and highest price of the last 40 days
    as support and resistance.

    symbol: Ticker of the company, e.g. AAPL.
    """
    company = find_company(symbol)
    ticker = company["ticker"]
    bars = history(world, find_instrument(ticker), 200)
    closes = [bar["close"] for bar in bars]
    outlooks = [_price_outlook(closes[-1], averages.simple_mean(closes, size)[-1]) for size in (20, 50, 200)]
    return {
        "symbol": ticker,
        "company": company["name"],
        "short_term": outlooks[0],
        "mid_term": outlooks[1],
        "long_term": outlooks[2],
        "support": min(bar["low"] for bar in bars[-40:]),
        "resistance": max(bar["high"] for bar in bars[-40:]),
    }
