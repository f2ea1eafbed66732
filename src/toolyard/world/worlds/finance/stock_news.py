"""Finance/USStockNews: reports about companies that agree with their prices, and the movers of the day."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, Literal, TypedDict, cast

from toolyard.world import seeds
from toolyard.world.faults import invalid
from toolyard.world.market_days import is_trading_day, last_close
from toolyard.world.registry import tool
from toolyard.world.shared.companies import (
    SECOND_CLASSES,
    companies,
    company_or_none,
    find_company,
    has_price,
)
from toolyard.world.shared.listed import Company
from toolyard.world.shared.people import person
from toolyard.world.state import World
from toolyard.world.tables import plain
from toolyard.world.types import CountryCode, PersonName, Prose, Range, Semantic, Ticker, Url
from toolyard.world.worlds.finance.curves import FIRST_DAY
from toolyard.world.worlds.finance.instruments import RESTLESS, find_instrument, quote
from toolyard.world.worlds.finance.market_reports import (
    BEFORE_THE_BELL,
    Story,
    earnings_story,
    events_on,
    leapt,
    preview,
    relevance,
    reported_on,
    share_story,
)

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
# Trades that are told apart within a sector; of entertainment there is no topic.
_INDUSTRY_TOPIC: dict[str, list[TopicName]] = {
    "Auto Manufacturers": ["manufacturing"],
    "Airlines": ["energy_transportation"],
    "Freight & Logistics": ["energy_transportation"],
    "Railroads": ["energy_transportation"],
    "Travel Services": [],
    "Entertainment": [],
}
_SHARES_A_DAY = 5
_SOURCES = (
    "Market Ledger",
    "The Daily Ticker",
    "Finance Courier",
    "Capital Post",
    "Open Bell",
    "Street Observer",
)


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


def _is_large(company: Company) -> bool:
    return company["price"] * company["shares"] > 250_000


def _is_written_about(seed: int, company: Company, day: date) -> bool:
    """Whether a paper looks at a share on a day: at large companies every other day, never at weekends."""
    often = 45 if _is_large(company) else 14
    return is_trading_day(day) and seeds.number(seed, "news", company["ticker"], day) % 100 < often


def _sector_topic(ticker: str) -> list[TopicName]:
    """The trade of a company; none where its sector is not known."""
    company = company_or_none(ticker)
    if company and company["industry"] in _INDUSTRY_TOPIC:
        return _INDUSTRY_TOPIC[company["industry"]]
    topic = _SECTOR_TOPIC.get(company["sector"]) if company else None
    return [topic] if topic else []


def _topics(story: Story) -> list[TopicName]:
    """What a story is about: its own topics, and the trade of the company that it is about."""
    own = [cast("TopicName", topic) for topic in story.topics]
    trade = _sector_topic(story.tickers[0]) if story.tickers else []
    return list(dict.fromkeys((*own, *trade)))


def _article(world: World, story: Story) -> Article:
    about = story.tickers[0] if story.tickers else story.topics[0]
    slug = "-".join(re.findall(r"[a-z0-9]+", plain(story.title)))[:60].strip("-")
    return {
        "title": story.title,
        "url": f"https://news.example/{story.moment:%Y/%m/%d}/{slug}",
        "time_published": f"{story.moment:%Y%m%dT%H%M}",
        "author": person(world.seed, "journalist", about, story.moment.month)["name"],
        "source": seeds.pick(_SOURCES, "source", about, story.moment.date()),
        "summary": story.summary,
        "topics": _topics(story),
        "overall_sentiment_score": story.score,
        "overall_sentiment_label": _label(story.score),
        "ticker_sentiment": [
            TickerSentiment(
                ticker=ticker,
                relevance_score=relevance(place, len(story.tickers)),
                sentiment_score=story.score,
                sentiment_label=_label(story.score),
            )
            for place, ticker in enumerate(story.tickers)
        ],
    }


def _moment(text: str, parameter: str) -> date:
    """The day of 20220101T0130, 2022-01-01 or an ISO time."""
    compact = text.strip().replace("-", "")[:8]
    try:
        return datetime.strptime(compact, "%Y%m%d").date()
    except ValueError:
        raise invalid(parameter, text[:50], "want YYYYMMDDTHHMM or YYYY-MM-DD") from None


def _about_share(world: World, company: Company, day: date, topics: set[str], named: bool) -> Story | None:
    """What is written about a company on a day, as far as it covers the topics; of one that is `named` each leap."""
    ticker, trade = company["ticker"], set(_sector_topic(company["ticker"]))
    chance = seeds.number(world.seed, "hour", ticker, day)
    moment = datetime(day.year, day.month, day.day, 20 + chance % 4, chance // 4 % 60)
    quarter = reported_on(ticker, day)
    if quarter is not None:
        told = moment.replace(hour=11) if ticker in BEFORE_THE_BELL else moment
        return earnings_story(company, quarter, told) if topics <= {"earnings", *trade} else None
    if not has_price(ticker):
        return None
    if not _is_written_about(world.seed, company, day) and not (named and leapt(world.seed, ticker, day)):
        return None
    ahead = preview(company, day, moment) if chance % 3 == 0 and topics <= {"earnings", *trade} else None
    if ahead is None and topics <= {"financial_markets", *trade}:
        return share_story(world.seed, ticker, day, moment)
    return ahead


def _stories(
    world: World, named: Sequence[Company], topics: set[str], first: date, last: date
) -> Iterator[Story]:
    """Stories about companies (or, where none are named, of any kind) that cover the topics, newest first."""
    wanted = {SECOND_CLASSES.get(company["ticker"], company["ticker"]) for company in named}
    rows = [
        company
        for company in named or companies()
        if (named or topics or _is_large(company))
        and topics <= {"earnings", "financial_markets", *_sector_topic(company["ticker"])}
    ]
    day = min(last, world.today)
    closed = last_close(world.now)
    while day >= max(first, FIRST_DAY):
        found = [
            story
            for story in events_on(day)
            if story.moment <= world.now.replace(tzinfo=None)
            and (not wanted or wanted & set(story.tickers))
            and topics <= set(_topics(story))
        ]
        told = (
            (_about_share(world, company, day, topics, bool(named)) for company in rows)
            if day <= closed
            else ()
        )
        shares = [story for story in told if story is not None]
        if not named:
            # Of all shares only those that moved most are written about, and all reports.
            shares.sort(key=lambda story: ("earnings" not in story.topics, -abs(story.score)))
            shares = shares[:_SHARES_A_DAY]
        found += shares
        yield from sorted(found, key=lambda story: story.moment, reverse=True)
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
    """Up to twelve articles about companies and markets with their sentiment, newest first; without a start, of the last 120
    days. Articles, authors and papers are simulated; they tell of known events (a choice), earnings reports and prices.

    tickers: Only articles about these companies.
    topics: Only articles that cover all of these topics.
    time_from: Only articles from this day on, as YYYYMMDDTHHMM or YYYY-MM-DD.
    time_to: Only articles up to this day; today if left out.
    """
    named = [find_company(ticker) for ticker in tickers] if tickers else []
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
    found: dict[str, Article] = {}
    for story in _stories(world, named, set(topics or ()), first, last):
        if story.title not in found:
            found[story.title] = _article(world, story)
        if len(found) == 12:
            break
    return {"items": len(found), "articles": list(found.values())}


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
