"""What is written about companies: events that took place, reports of earnings, and what their shares did on a day."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from toolyard.world import seeds, series
from toolyard.world.market_days import is_trading_day
from toolyard.world.shared.companies import find_company, prices
from toolyard.world.shared.listed import Company
from toolyard.world.shared.statements import CountedQuarter, earnings_counted
from toolyard.world.tables import read_table
from toolyard.world.worlds.finance.averages import mean
from toolyard.world.worlds.finance.fundamentals import quarter_ends, quarterly_eps, reporting_day
from toolyard.world.worlds.finance.instruments import find_instrument

_YEAR, _QUARTER, _PREVIEW_DAYS = 252, 63, 10
# Per cent by which a share has to move on a day, or a week, for anybody to write about it, and for everybody to.
_WORTH_A_DAY, _WORTH_A_WEEK, _LEAP = 1.5, 3.0, 4.0
# Companies that report in the morning, before the exchange opens.
BEFORE_THE_BELL = frozenset(
    "JPM BAC WFC C GS MS AXP MA UNH JNJ PFE MRK ABBV LLY KO PEP PG MCD WMT TGT HD LOW XOM CVX COP BA LMT CAT GE MMM UPS GM "
    "DAL VZ T DIS UBER SHOP NEE DUK LIN NEM PYPL MRNA SHEL TSM BABA JD BIDU BILI SPOT ABT TMUS CMCSA".split()
)


class Story(NamedTuple):
    """Something that is written: what about, when, in which words, and how it sounds (from -1 to 1)."""

    topics: tuple[str, ...]
    tickers: tuple[str, ...]
    moment: datetime
    title: str
    summary: str
    score: float


@functools.cache
def _events() -> Mapping[date, tuple[Story, ...]]:
    """Day -> what took place on it."""
    found: dict[date, tuple[Story, ...]] = {}
    for row in read_table("market_events.tsv"):
        moment = datetime.strptime(row["time"], "%Y-%m-%dT%H")
        story = Story(
            tuple(row["topics"].split()),
            tuple((row["tickers"] or "").split()),
            moment,
            row["title"],
            row["summary"],
            float(row["score"]),
        )
        found[moment.date()] = (*found.get(moment.date(), ()), story)
    return found


def events_on(day: date) -> tuple[Story, ...]:
    """What took place on a day, as far as it is on record."""
    return _events().get(day, ())


def reported_on(ticker: str, day: date) -> CountedQuarter | None:
    """The quarter whose earnings a company reported on a day."""
    return next((row for row in earnings_counted().get(ticker, ()) if row.reported == day), None)


def _bounded(score: float) -> float:
    return round(max(-0.6, min(0.6, score)), 3)


def earnings_story(company: Company, quarter: CountedQuarter, moment: datetime) -> Story:
    """That a company has reported, against what analysts had expected."""
    earned, expected, name = quarter.earnings, quarter.expected, company["name"]
    way = "more than" if earned > expected else "less than" if earned < expected else "just what"
    if earned < 0 and way != "just what":
        way = "less than" if earned > expected else "more than"
    kind, told = ("earnings", "earns") if earned >= 0 else ("a loss", "loses")
    hoped = "" if expected >= 0 else "a loss of "
    return Story(
        ("earnings",),
        (company["ticker"],),
        moment,
        f"{name} {told} {abs(earned):.2f} a share, {way} analysts expected",
        f"{name} reported {kind} of {abs(earned):.2f} {company['currency']} per share for the quarter that ended on "
        f"{quarter.end}, as analysts count; they had expected {hoped}{abs(expected):.2f}.",
        _bounded(3 * (earned - expected) / max(0.05, abs(expected))),
    )


def preview(company: Company, day: date, moment: datetime) -> Story | None:
    """That a company will report within some days, and what is expected; None when it will not."""
    ticker, name = company["ticker"], company["name"]
    for end in quarter_ends(ticker, day.year - 1, day.year):
        due = reporting_day(ticker, end)
        if not timedelta(0) < due - day <= timedelta(days=_PREVIEW_DAYS):
            continue
        counted = reported_on(ticker, due)
        expected = counted.expected if counted else quarterly_eps(company, end)
        if expected is None:
            continue
        return Story(
            ("earnings",),
            (ticker,),
            moment,
            f"{name} to report on {due:%B} {due.day}",
            f"Analysts expect {expected:.2f} {company['currency']} per share for the quarter that "
            f"{'ended' if end < day else 'ends'} on {end}.",
            0.0,
        )
    return None


def _percent(new: float, old: float) -> float:
    return 100 * (new / old - 1)


def _market_step(seed: int, day: date) -> float | None:
    """How many per cent the S&P 500 moved on a day."""
    index = find_instrument("^GSPC")
    bars = series.bars(seed, "^GSPC", anchor=index["price"], volatility=index["volatility"]).until(day)[-2:]
    return _percent(bars[1]["close"], bars[0]["close"]) if bars[1]["date"] == day.isoformat() else None


def leapt(seed: int, ticker: str, day: date) -> bool:
    """Whether a share moved so much on a day that everybody writes about it."""
    bars = prices(seed, ticker).until(day)[-2:]
    traded = len(bars) == 2 and bars[1]["date"] == day.isoformat()
    return traded and abs(_percent(bars[1]["close"], bars[0]["close"])) >= _LEAP


def _ends_week(day: date) -> bool:
    later = day + timedelta(days=1)
    while not is_trading_day(later):
        later += timedelta(days=1)
    return later.isocalendar().week != day.isocalendar().week


@seeds.remembered(4096)
def share_story(seed: int, ticker: str, day: date, moment: datetime) -> Story | None:
    """What a share did on a day, the most remarkable thing first; None where there is nothing to tell."""
    company = find_company(ticker)
    past = list(prices(seed, ticker).until(day)[-_YEAR - 1 :])
    if len(past) < 2 or past[-1]["date"] != day.isoformat():
        return None
    closes = [bar["close"] for bar in past]
    step = _percent(closes[-1], closes[-2])
    told = (
        _extreme(company, closes)
        or _leap(company, past, step)
        or _week(company, past, day)
        or _average(company, closes)
        or (_usual(seed, company, past, day) if abs(step) >= _WORTH_A_DAY else None)
    )
    if told is None:
        return None
    title, summary, mood = told
    return Story(("financial_markets",), (company["ticker"],), moment, title, summary, _bounded(mood))


# Title, summary and how it sounds.
Words = tuple[str, str, float]


def _money(company: Company, amount: float) -> str:
    return f"{amount:,.2f} {company['currency']}"


def _extreme(company: Company, closes: Sequence[float]) -> Words | None:
    """A close above or below all of the last year."""
    name, last, before = company["name"], closes[-1], closes[:-1]
    if len(before) < _YEAR or min(before) <= last <= max(before):
        return None
    way, other = ("highest", max(before)) if last > max(before) else ("lowest", min(before))
    return (
        f"{name} at its {way} close in a year",
        f"The shares ended at {_money(company, last)}, after {_money(company, closes[-2])} the day before; the {way} close "
        f"of the year so far had been {_money(company, other)}.",
        0.3 if way == "highest" else -0.3,
    )


def _leap(company: Company, past: Sequence[series.Bar], step: float) -> Words | None:
    """A move of more than three per cent."""
    if abs(step) < 3:
        return None
    name, bar = company["name"], past[-1]
    usual = mean([one["volume"] for one in past[-_QUARTER - 1 : -1]])
    traded = (
        f" {bar['volume'] / 1e6:,.1f} million shares changed hands, {usual / 1e6:,.1f} million on a usual day."
        if bar["volume"] > 1.1 * usual
        else ""
    )
    return (
        f"{name} shares {'rise' if step > 0 else 'fall'} {abs(step):.1f}%",
        f"{company['ticker']} went from {_money(company, past[-2]['close'])} to {_money(company, bar['close'])}.{traded}",
        step / 8,
    )


def _week(company: Company, past: Sequence[series.Bar], day: date) -> Words | None:
    """The week, on its last day of trading."""
    monday = (day - timedelta(days=day.weekday())).isoformat()
    earlier = [bar for bar in past[-7:] if bar["date"] < monday]
    if not _ends_week(day) or not earlier:
        return None
    moved = _percent(past[-1]["close"], earlier[-1]["close"])
    if abs(moved) < _WORTH_A_WEEK:
        return None
    span = past[-7:][len(earlier) :]
    return (
        f"{company['name']} {'gains' if moved > 0 else 'loses'} {abs(moved):.1f}% on the week",
        f"The shares closed at {_money(company, past[-1]['close'])} on the last day of a week in which they were traded "
        f"between {min(bar['low'] for bar in span):,.2f} and {max(bar['high'] for bar in span):,.2f}.",
        moved / 12,
    )


def _average(company: Company, closes: Sequence[float]) -> Words | None:
    """A close on the other side of the average of 50 days."""
    if len(closes) < 51:
        return None
    before, now = mean(closes[-51:-1]), mean(closes[-50:])
    if (closes[-2] < before) == (closes[-1] < now):
        return None
    way = "below" if closes[-1] < now else "above"
    return (
        f"{company['ticker']} {'falls' if way == 'below' else 'climbs'} {way} its 50-day average",
        f"{company['name']} closed at {_money(company, closes[-1])}; the mean of the last 50 closes is {now:,.2f}.",
        -0.18 if way == "below" else 0.18,
    )


def _usual(seed: int, company: Company, past: Sequence[series.Bar], day: date) -> Words:
    """A day on which a share moved somewhat: its close, against the market or the month before."""
    name, bar, step = company["name"], past[-1], _percent(past[-1]["close"], past[-2]["close"])
    way, came = ("rises", "rose") if step > 0 else ("falls", "fell")
    market = _market_step(seed, day) if company["currency"] == "USD" else None
    if market is not None and abs(step - market) > 1.2 and seeds.number("angle", company["ticker"], day) % 2:
        index = (
            "hardly moves"
            if abs(market) < 0.05
            else f"{'rises' if market > 0 else 'falls'} {abs(market):.1f}%"
        )
        return (
            f"{name} {way} {abs(step):.1f}% while the S&P 500 {index}",
            f"The shares closed at {_money(company, bar['close'])} in New York, after {_money(company, past[-2]['close'])} "
            "the day before.",
            step / 8,
        )
    month = _percent(bar["close"], past[max(0, len(past) - 22)]["close"])
    return (
        f"{name} {way} {abs(step):.1f}%",
        f"The shares {came} to {_money(company, bar['close'])}, after a day between {bar['low']:,.2f} and "
        f"{bar['high']:,.2f}; they are {abs(month):.1f}% {'up' if month >= 0 else 'down'} within a month.",
        step / 8,
    )


def relevance(place: int, count: int) -> float:
    """How much a story is about the company at a place among those that it names."""
    return round(0.95 - 0.3 * place - 0.05 * math.log2(count), 2)
