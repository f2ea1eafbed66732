"""Finance/USStockNews: reports about companies that agree with their prices, and the movers of the day."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, Literal, TypedDict, cast

from toolyard.world import seeds
from toolyard.world.faults import invalid
from toolyard.world.market_days import is_trading_day, last_close
from toolyard.world.registry import tool
from toolyard.world.shared.companies import companies, find_company, prices
from toolyard.world.shared.geography import read_table
from toolyard.world.shared.listed import Company
from toolyard.world.shared.people import person
from toolyard.world.shared.statements import CountedQuarter, earnings_counted
from toolyard.world.state import World
from toolyard.world.types import CountryCode, PersonName, Prose, Range, Semantic, Ticker, Url
from toolyard.world.worlds.finance.curves import FIRST_DAY
from toolyard.world.worlds.finance.instruments import RESTLESS, find_instrument, quote
from toolyard.world.worlds.finance.stock_info import trade_of

GROUP = "Finance/USStockNews"
NewsTime = Annotated[str, Semantic("news_time", accepts=("iso_date",))]
TopicName = Literal["blockchain", "earnings", "ipo", "mergers_and_acquisitions", "financial_markets", "economy_macro",
                    "energy_transportation", "finance", "life_sciences", "manufacturing", "real_estate", "retail_wholesale",
                    "technology"]  # fmt: skip
NewsTopic = Annotated[TopicName, Semantic("news_topic")]
_SECTOR_TOPIC: dict[str, TopicName] = {
    "Technology": "technology",
    "Communication Services": "technology",
    "Financial Services": "finance",
    "Healthcare": "life_sciences",
    "Energy": "energy_transportation",
    "Industrials": "manufacturing",
    "Basic Materials": "manufacturing",
    "Utilities": "energy_transportation",
    "Real Estate": "real_estate",
    "Consumer Cyclical": "retail_wholesale",
    "Consumer Defensive": "retail_wholesale",
}
_SOURCES = (
    "Market Ledger",
    "The Daily Ticker",
    "Finance Courier",
    "Capital Post",
    "Open Bell",
    "Street Observer",
)


@functools.cache
def _story_kinds() -> tuple[tuple[dict[str, str], ...], ...]:
    """For each topic its stories: title and summary, with places for the facts of company and day."""
    found: dict[str, list[dict[str, str]]] = {}
    for row in read_table("market_stories.tsv"):
        found.setdefault(row["topic"], []).append(row)
    return tuple(map(tuple, found.values()))


class TickerSentiment(TypedDict):
    ticker: Ticker
    relevance_score: float
    sentiment_score: float
    sentiment_label: str


class Article(TypedDict):
    title: str
    url: Url
    time_published: str
    author: PersonName
    source: str
    summary: Prose
    topics: list[NewsTopic]
    overall_sentiment_score: float
    overall_sentiment_label: str
    ticker_sentiment: list[TickerSentiment]


class Feed(TypedDict):
    items: int
    articles: list[Article]


class Mover(TypedDict):
    ticker: Ticker
    price: float
    change_amount: float
    change_percentage: float
    volume: int


class Movers(TypedDict):
    market: CountryCode
    top_gainers: list[Mover]
    top_losers: list[Mover]
    most_actively_traded: list[Mover]


# The place of stories about earnings among all kinds.
_EARNINGS = 1


def _label(score: float) -> str:
    for bound, label in (
        (-0.35, "Bearish"),
        (-0.15, "Somewhat-Bearish"),
        (0.15, "Neutral"),
        (0.35, "Somewhat-Bullish"),
    ):
        if score < bound:
            return label
    return "Bullish"


def _kind(seed: int, company: Company, day: date) -> int | None:
    """Which story there is about a company on a day; None on most days and on all weekends."""
    drawn = seeds.number(seed, "news", company["ticker"], day)
    often = 45 if company["price"] * company["shares"] > 250_000 else 14
    if not is_trading_day(day) or drawn % 100 >= often:
        return None
    return (0, 0, 0, 1, 2, 3, 4, 5, 6)[drawn // 100 % 9]


def _topics(company: Company, kind: int) -> list[TopicName]:
    story = cast("TopicName", _story_kinds()[kind][0]["topic"])
    return list(dict.fromkeys((story, _SECTOR_TOPIC.get(company["sector"], "finance"))))


def _reported(ticker: str, day: date) -> CountedQuarter | None:
    """The quarter whose earnings a company reported on a day."""
    return next((row for row in earnings_counted().get(ticker, ()) if row.reported == day), None)


def _report(quarter: CountedQuarter) -> tuple[str, str, str]:
    """Topic, title and summary of a story about reported earnings."""
    earned, expected = quarter.earnings, quarter.expected
    way = "more than" if earned > expected else "less than" if earned < expected else "just what"
    told = f"{earned:.2f} {{currency}} per share for the quarter that ended on {quarter.end}"
    return (
        "earnings",
        f"{{name}} earns {earned:.2f} a share, {way} analysts expected",
        f"{{name}} reported adjusted earnings of {told}; analysts had expected {expected:.2f}.",
    )


def _story(ticker: str, day: date, kind: int, step: float) -> tuple[str, str, str, float]:
    """Topic, title, summary and sentiment of what is written about a company on a day, when its share moved by `step`."""
    quarter = _reported(ticker, day)
    if quarter is not None:
        surprise = (quarter.earnings - quarter.expected) / max(0.05, abs(quarter.expected))
        return *_report(quarter), round(max(-0.6, min(0.6, 3 * surprise)), 3)
    topic, title, summary = seeds.pick(_story_kinds()[kind], "story", ticker, day).values()
    by_price = max(-0.6, min(0.6, step / 6))
    return (
        topic,
        title,
        summary,
        round(by_price if kind in (0, 2) else 0.3 * seeds.unit(ticker, day, topic), 3),
    )


def _article(world: World, company: Company, day: date, kind: int) -> Article:
    ticker = company["ticker"]
    before, bar = prices(world.seed, ticker).until(day)[-2:]
    step = 100 * (bar["close"] / before["close"] - 1)
    author = person(world.seed, "journalist", ticker, day.month)["name"]
    facts = {
        **company,
        **bar,
        "industry": trade_of(company),
        "moved": "rise" if step >= 0 else "fall",
        "way": "up" if step >= 0 else "down",
        "size": f"{abs(step):.1f}",
        "day": day.isoformat(),
    }
    topic, title, summary, score = _story(ticker, day, kind, step)
    hour = 17 + seeds.number(world.seed, "hour", ticker, day) % 5
    return {
        "title": title.format(**facts),
        "url": f"https://news.example/{day:%Y/%m/%d}/{ticker.lower().replace('.', '-')}-{topic.replace('_', '-')}",
        "time_published": f"{day:%Y%m%d}T{hour:02d}00",
        "author": author,
        "source": seeds.pick(_SOURCES, "source", ticker, day),
        "summary": summary.format(**facts),
        "topics": _topics(company, kind),
        "overall_sentiment_score": score,
        "overall_sentiment_label": _label(score),
        "ticker_sentiment": [
            {
                "ticker": ticker,
                "relevance_score": 0.9,
                "sentiment_score": score,
                "sentiment_label": _label(score),
            }
        ],
    }


def _moment(text: str, parameter: str) -> date:
    """The day of 20220101T0130, 2022-01-01 or an ISO time."""
    compact = text.strip().replace("-", "")[:8]
    try:
        return datetime.strptime(compact, "%Y%m%d").date()
    except ValueError:
        raise invalid(parameter, text[:50], "want YYYYMMDDTHHMM or YYYY-MM-DD") from None


def _stories(
    world: World, named: Sequence[Company], topics: set[str], first: date, last: date
) -> Iterator[Article]:
    day = min(last, last_close(world.now))
    while day >= max(first, FIRST_DAY):
        for company in named:
            told = _reported(company["ticker"], day)
            kind = _EARNINGS if told else _kind(world.seed, company, day)
            if kind is None or prices(world.seed, company["ticker"])[0]["date"] >= day.isoformat():
                continue
            if topics <= set(_topics(company, kind)):
                yield _article(world, company, day, kind)
        day -= timedelta(days=1)


@tool(
    GROUP,
    examples=[
        {"tickers": ["BILI"]},
        {"tickers": ["MSFT"], "time_from": "20240301T0000"},
        {"topics": ["technology", "ipo"]},
    ],
    phrase=(
        "get stock market news articles with their sentiment[, about {tickers} by ticker][, on the topics of "
        "{topics}][, starting from {time_from}][, up to {time_to}]"
    ),
    noun="the market news",
    jobs=("news",),
)
def get_market_news_and_sentiment(
    world: World,
    *,
    tickers: Annotated[list[Ticker], Range(0, 20)] | None = None,
    topics: Annotated[list[NewsTopic], Range(0, 13)] | None = None,
    time_from: NewsTime | None = None,
    time_to: NewsTime | None = None,
) -> Feed:
    """Up to twelve articles about companies with their sentiment, newest first; without a start, of the last 120 days. The
    articles, their authors and papers are simulated, and say what the prices of the day say.

    tickers: Only articles about these companies.
    topics: Only articles that cover all of these topics.
    time_from: Only articles from this day on, as YYYYMMDDTHHMM or YYYY-MM-DD.
    time_to: Only articles up to this day; today if left out.
    """
    named = [find_company(ticker) for ticker in tickers] if tickers else list(companies())
    last = _moment(time_to, "time_to") if time_to is not None else world.today
    first = (
        _moment(time_from, "time_from")
        if time_from is not None
        else max(last, FIRST_DAY) - timedelta(days=120)
    )
    if first > world.today:
        raise invalid(
            "time_from", time_from, f"nothing is written yet; want a day up to today, {world.today}"
        )
    if time_from is not None and time_to is not None and first > last:
        raise invalid("time_from", time_from, f"want a day up to {last}, the last one that is asked for")
    found: list[Article] = []
    for article in _stories(world, named, set(topics or ()), first, last):
        if any(article["title"] == other["title"] for other in found):
            continue
        found.append(article)
        if len(found) == 12:
            break
    return {"items": len(found), "articles": found}


@tool(
    GROUP,
    examples=[{}],
    phrase="list the top gainers, top losers and most traded US shares of the last trading day",
    noun="the gainers and losers",
)
def get_special_tickers(world: World) -> Movers:
    """Of some hundred well-known shares on US exchanges those that rose most, fell most and were traded most on the last
    trading day, 15 each; volumes, and moves of the less known, are simulated.
    """
    rows = []
    restless = [find_company(ticker) for ticker in RESTLESS]
    for company in (*companies(), *restless):
        if company["exchange"] in ("NASDAQ", "NYSE"):
            now = quote(world, find_instrument(company["ticker"]))
            rows.append(
                Mover(
                    ticker=company["ticker"],
                    price=now["price"],
                    change_amount=now["change"],
                    change_percentage=now["change_percent"],
                    volume=now["volume"],
                )
            )
    rising = sorted(rows, key=lambda row: -row["change_percentage"])
    return {
        "market": "US",
        "top_gainers": rising[:15],
        "top_losers": rising[:-16:-1],
        "most_actively_traded": sorted(rows, key=lambda row: -row["volume"])[:15],
    }
