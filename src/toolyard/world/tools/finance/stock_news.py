"""Finance/USStockNews: reports about companies that agree with their prices, and the movers of the day."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, Literal, NamedTuple, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain, table_words, values_of
from toolyard.world.kernel.types import CountryCode, PersonName, Prose, Range, Semantic, Ticker, Url
from toolyard.world.kernel.views import View
from toolyard.world.reference.companies import companies, find_company
from toolyard.world.reference.listed_companies import Company
from toolyard.world.reference.market_days import FIRST, is_trading_day, last_close
from toolyard.world.reference.people import name_of
from toolyard.world.simulated.finance.instruments import find_instrument, last_quote
from toolyard.world.simulated.finance.statements import Period, quarter_reported_on
from toolyard.world.simulated.prices import share_bars

GROUP = Group("Finance/USStockNews")
NewsTime = Annotated[str, Semantic("news_time", accepts=("past_date", "trading_date"))]
TopicName = Literal["blockchain", "earnings", "ipo", "mergers_and_acquisitions", "financial_markets", "economy_macro",
                    "energy_transportation", "finance", "life_sciences", "manufacturing", "real_estate", "retail_wholesale",
                    "technology"]  # fmt: skip
NewsTopic = Annotated[TopicName, Semantic("news_topic")]
_SECTOR_TOPIC: dict[str, TopicName] = values_of("stock_news.sector_topic")
# Topic -> title and summary of what papers write about a company besides prices and earnings.
_STORIES: dict[TopicName, tuple[str, str]] = values_of("stock_news.stories")
# In a hundred days so many bring a story about a company that is asked for, and about any other one.
_OFTEN, _SELDOM = 30, 5
_SOURCES = table_words("stock_news.sources")


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


def _sentiment_label(score: float) -> str:
    for bound, label in (
        (-0.35, "Bearish"),
        (-0.15, "Somewhat-Bearish"),
        (0.15, "Neutral"),
        (0.35, "Somewhat-Bullish"),
    ):
        if score < bound:
            return label
    return "Bullish"


class Story(NamedTuple):
    """Something that is written about a company: when, in which words, and how it sounds (from -1 to 1)."""

    topics: list[TopicName]
    company: Company
    moment: datetime
    title: str
    summary: str
    score: float


def _make_article(world: World, story: Story) -> Article:
    ticker, day = story.company["ticker"], story.moment
    slug = "-".join(re.findall(r"[a-z0-9]+", plain(story.title)))[:60].strip("-")
    return {
        "title": story.title,
        "url": f"https://news.example/{day:%Y/%m/%d}/{slug}",
        "time_published": f"{day:%Y%m%dT%H%M}",
        "author": name_of(world.seed, "journalist", ticker, day.month),
        "source": seeds.pick(_SOURCES, world.seed, "source", ticker, day.date()),
        "summary": story.summary,
        "topics": list(story.topics),
        "overall_sentiment_score": story.score,
        "overall_sentiment_label": _sentiment_label(story.score),
        "ticker_sentiment": [
            {
                "ticker": ticker,
                "relevance_score": round(0.6 + 0.4 * seeds.unit(world.seed, "relevance", slug), 2),
                "sentiment_score": story.score,
                "sentiment_label": _sentiment_label(story.score),
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


def _trade(company: Company) -> list[TopicName]:
    topic = _SECTOR_TOPIC.get(company["sector"])
    return [topic] if topic else []


def _earnings_story(company: Company, quarter: Period, moment: datetime) -> Story:
    """That a company has reported, against what analysts had expected."""
    name, way = (
        company["name"],
        "more" if quarter.surprise > 0 else "less" if quarter.surprise < 0 else "no more",
    )
    return Story(
        ["earnings", *_trade(company)],
        company,
        moment,
        f"{name} earns {quarter.eps:.2f} a share, {way} than expected",
        f"{name} earned {quarter.eps:.2f} {quarter.currency} per share in the quarter that ended on {quarter.end}; analysts "
        f"had expected {quarter.expected:.2f}.",
        round(max(-0.6, min(0.6, quarter.surprise_percentage / 20)), 3),
    )


def _price_story(seed: int, company: Company, day: date, moment: datetime) -> Story | None:
    """What a share did on a day."""
    past = share_bars(seed, company["ticker"]).until(day)[-2:]
    if len(past) < 2:
        return None
    before, bar = past
    step = 100 * (bar["close"] / before["close"] - 1)
    return Story(
        list(dict.fromkeys(["financial_markets", *_trade(company)])),
        company,
        moment,
        f"{company['name']} shares {'rise' if step > 0 else 'fall'} {abs(step):.1f}%",
        f"{company['ticker']} went from {before['close']} to {bar['close']} {company['currency']}, after a day between "
        f"{bar['low']} and {bar['high']}.",
        round(max(-0.6, min(0.6, step / 8)), 3),
    )


def _story(world: World, company: Company, day: date, often: int, topics: set[TopicName]) -> Story | None:
    """What is written about a company on a day, as far as it covers the topics."""
    chance = seeds.number(world.seed, "news", company["ticker"], day)
    moment = datetime(day.year, day.month, day.day, 20 + chance % 4, chance // 4 % 60)
    if topics <= {"earnings", *_trade(company)}:
        quarter = quarter_reported_on(world.seed, company["ticker"], day)
        if quarter is not None:
            return _earnings_story(company, quarter, moment)
    if chance // 240 % 100 >= often:
        return None
    if chance // 24_000 % 2:
        return _price_story(world.seed, company, day, moment)
    topic = seeds.pick(list(_STORIES), "topic", chance)
    title, summary = (text.format(name=company["name"]) for text in _STORIES[topic])
    score = round(0.9 * seeds.unit("score", chance) - 0.4, 3)
    return Story(list(dict.fromkeys([topic, *_trade(company)])), company, moment, title, summary, score)


def _company_stories(
    world: World, named: Sequence[Company], topics: set[TopicName], first: date, last: date
) -> Iterator[Story]:
    """Stories about companies (all where none are named) that cover the topics, newest first."""
    day = min(last, last_close(world.now))
    rows = [row for row in named or companies() if len(topics - {*_trade(row)}) < 2]
    while day >= max(first, FIRST):
        if is_trading_day(day):
            told = [_story(world, row, day, _OFTEN if named else _SELDOM, topics) for row in rows]
            found = [story for story in told if story is not None and topics <= set(story.topics)]
            yield from sorted(found, key=lambda story: story.moment, reverse=True)
        day -= timedelta(days=1)


@GROUP.tool(
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
    days.

    tickers: Only articles about these companies.
    topics: Only articles that cover all of these topics.
    time_from: Only articles from this day on, as YYYYMMDDTHHMM or YYYY-MM-DD.
    time_to: Only articles up to this day; today if left out.
    """
    named = [find_company(ticker) for ticker in tickers] if tickers else []
    last = _moment(time_to, "time_to") if time_to is not None else world.today
    first = (
        _moment(time_from, "time_from") if time_from is not None else max(last, FIRST) - timedelta(days=120)
    )
    if first > world.today:
        raise invalid(
            "time_from", time_from, f"nothing is written yet; want a day up to today, {world.today}"
        )
    if time_from is not None and time_to is not None and first > last:
        raise invalid("time_from", time_from, f"want a day up to {last}, the last one that is asked for")
    found: dict[str, Article] = {}
    for story in _company_stories(world, named, set(topics or ()), first, last):
        if story.title not in found:
            found[story.title] = _make_article(world, story)
        if len(found) == 12:
            break
    return {"items": len(found), "articles": list(found.values())}


@GROUP.tool(
    phrase="list the top gainers, top losers and most traded US shares of the last trading day",
    noun="the gainers and losers",
)
def get_special_tickers(world: World) -> Movers:
    """Of well-known shares on US exchanges those that rose most, fell most and were traded most on the last trading day,
    15 each.
    """
    named = [row["ticker"] for row in companies() if row["exchange"] in ("NASDAQ", "NYSE")]
    rows = sorted(
        (last_quote(world, find_instrument(ticker)) for ticker in named), key=lambda row: -row.change_percent
    )
    return {
        "market": "US",
        "top_gainers": MOVER.rows(rows[:15]),
        "top_losers": MOVER.rows(rows[:-16:-1]),
        "most_actively_traded": MOVER.rows(sorted(rows, key=lambda row: -row.volume)[:15]),
    }


MOVER = View.of(Mover, ticker="of.symbol", change_amount="change", change_percentage="change_percent")
