"""What analysts think of a share: their targets, the mean of their grades, and how single houses came to theirs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Literal, NamedTuple, TypedDict

from toolyard.world import seeds
from toolyard.world.market_days import is_trading_day
from toolyard.world.series import Bar, known_prices
from toolyard.world.shared.companies import SECOND_CLASSES, find_company, has_price, prices
from toolyard.world.shared.sisters import IN_NEW_YORK
from toolyard.world.state import World
from toolyard.world.worlds.finance.fundamentals import last_price

# Houses that do not exist: what a real one thought of a company is not known here.
BROKERS = ("Harrow Street Research", "Northgate Securities", "Bellweather Partners", "Calder & Finch", "Redstone Capital",
           "Maple Harbor Equity", "Langley Brooks", "Summerfield & Co.", "Ostrava Markets", "Pembroke Analytics",
           "Silver Birch Advisors", "Tidewater Research")  # fmt: skip
GRADES = ("Sell", "Underperform", "Hold", "Outperform", "Buy")
# The mean grade of many analysts (hardly ever to sell) -> the mean target for a share, in parts of its price.
_EXPECTED_RISE = {"Hold": 1.0, "Outperform": 1.1, "Buy": 1.14}
# The mean grade -> the grades of the houses of today, which have it as their mean.
_TODAY = {
    "Buy": (4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 2),
    "Outperform": (4, 4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2),
    "Hold": (4, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1, 1),
    "Underperform": (2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 0, 0),
}
# Mean target of May 2024 in dollars and the mean grade, about.
_KNOWN_TARGETS = {
    "AAPL": (203.0, "Outperform"), "MSFT": (476.0, "Buy"), "NVDA": (998.0, "Buy"), "AMZN": (220.0, "Buy"),
    "GOOGL": (190.0, "Outperform"), "META": (515.0, "Outperform"), "TSLA": (178.0, "Hold"),
    "GME": (5.7, "Underperform"), "AMC": (4.4, "Underperform"),
}  # fmt: skip
# A rise or fall within a quarter after which grades are changed, and the days after a listing on which banks are silent.
_STIR, _SILENCE = 0.08, 25


class Consensus(NamedTuple):
    """The mean target and the mean grade."""

    target: float
    grade: str


class Opinion(TypedDict):
    """A broker's grade of a share."""

    date: str
    firm: str
    from_grade: str
    to_grade: str
    action: Literal["upgrade", "downgrade", "reiterated"]


def _first_share(ticker: str) -> str:
    return SECOND_CLASSES.get(ticker) or IN_NEW_YORK.get(ticker, ticker)


def _drawn_grade(chance: random.Random) -> str:
    return chance.choice(("Hold", "Outperform", "Outperform", "Buy"))


def mean_grade(seed: int, ticker: str) -> str:
    """What the analysts of a share think of it on the whole."""
    same = _first_share(ticker)
    if same in _KNOWN_TARGETS:
        return _KNOWN_TARGETS[same][1]
    return _drawn_grade(seeds.stream(seed, "analysis", same))


def consensus(world: World, ticker: str) -> Consensus:
    """Target and grade of a share, as known or simulated."""
    same = _first_share(ticker)
    price, chance = last_price(world, ticker), seeds.stream(world.seed, "analysis", same)
    grade = _drawn_grade(chance)
    target = price * (_EXPECTED_RISE[grade] + 0.05 * chance.random())
    return Consensus(*_KNOWN_TARGETS.get(same, (target, grade)))


def _trend(past: Sequence[Bar]) -> int:
    """1 after a quarter in which the share rose, -1 after one in which it fell, else 0."""
    if len(past) < 63:
        return 0
    moved = past[-1]["close"] / past[-63]["close"] - 1
    return 1 if moved > _STIR else -1 if moved < -_STIR else 0


def _before(grade: int, today: int, trend: int, chance: random.Random) -> int:
    """The grade that a house gave before: most stay as they are, those that change go after the price, and none strays
    far from what the house thinks today."""
    if chance.random() < 0.6:
        return grade
    step = trend or chance.choice((-1, 1))
    return min(4, today + 1, max(1, today - 1, grade - step))


def opinions(world: World, ticker: str) -> list[Opinion]:
    """Grades that brokers gave during the last three years, newest first; each goes on from its firm's last one, and
    those of today are what the analysts think on the whole."""
    first = _first_share(find_company(ticker)["ticker"])
    chance = seeds.stream(world.seed, "opinions", first)
    today = dict(zip(BROKERS, chance.sample(_TODAY[mean_grade(world.seed, first)], 12), strict=True))
    grades, known, rows = dict(today), known_prices().get(first), []
    earliest = world.today - timedelta(days=3 * 365)
    if known and known.listed:
        earliest = max(earliest, known.listed + timedelta(days=_SILENCE))
    day, past = world.today, prices(world.seed, first) if has_price(first) else None
    while (day := day - timedelta(days=chance.randrange(5, 60))) >= earliest:
        if not is_trading_day(day):
            continue
        firm = chance.choice(BROKERS)
        new = grades[firm]
        old = _before(new, today[firm], _trend(past.until(day)) if past else 0, chance)
        grades[firm] = old
        action: Literal["upgrade", "downgrade", "reiterated"] = (
            "upgrade" if new > old else "downgrade" if new < old else "reiterated"
        )
        rows.append(
            Opinion(
                date=day.isoformat(), firm=firm, from_grade=GRADES[old], to_grade=GRADES[new], action=action
            )
        )
    return rows
