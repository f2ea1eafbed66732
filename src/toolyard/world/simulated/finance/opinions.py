"""What analysts think of a share: targets and grades of houses, what they are on the whole, and how they came about."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal, NamedTuple, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.types import IsoDate
from toolyard.world.reference.companies import find_company, main_tickers
from toolyard.world.reference.market_days import is_trading_day

BROKERS = ("Harrow Street Research", "Northgate Securities", "Bellweather Partners", "Calder & Finch", "Redstone Capital",
           "Maple Harbor Equity", "Langley Brooks", "Summerfield & Co.", "Ostrava Markets", "Pembroke Analytics",
           "Silver Birch Advisors", "Tidewater Research")  # fmt: skip
GRADES = ("Sell", "Underperform", "Hold", "Outperform", "Buy")
Action = Literal["upgrade", "downgrade", "reiterated"]


class Opinion(TypedDict):
    """A broker's grade of a share."""

    date: IsoDate
    firm: str
    from_grade: str
    to_grade: str
    action: Action


class Consensus(NamedTuple):
    """The mean target, in parts of the price, and the mean grade."""

    target: float
    grade: str


def _current_grades(seed: int, key: str) -> dict[str, int]:
    """House -> its grade of today; houses think alike of a share, and most think well."""
    usual = seeds.pick((1, 2, 2, 3, 3, 4), seed, "opinion", key)
    return {
        house: min(4, max(0, usual + seeds.pick((-1, 0, 0, 1), seed, "opinion", key, house)))
        for house in BROKERS
    }


def _main_ticker(ticker: str) -> str:
    symbol = find_company(ticker)["ticker"]
    return main_tickers().get(symbol, symbol)


def analyst_consensus(seed: int, ticker: str) -> Consensus:
    """Target and grade of all houses on the whole."""
    grades = _current_grades(seed, _main_ticker(ticker))
    targets: Sequence[float] = [
        0.8 + 0.11 * grade + 0.1 * seeds.unit(seed, "target", _main_ticker(ticker), house)
        for house, grade in grades.items()
    ]
    return Consensus(sum_in_order(targets) / len(targets), GRADES[round(sum(grades.values()) / len(grades))])


def analyst_opinions(seed: int, ticker: str, today: date) -> list[Opinion]:
    """Grades that houses gave, newest first; each goes on from its house's last one, up to those of today."""
    key = _main_ticker(ticker)
    chance, grades, day = seeds.stream(seed, "opinions", key), _current_grades(seed, key), today
    rows: list[Opinion] = []
    while len(rows) < len(BROKERS):
        day -= timedelta(days=chance.randrange(4, 45))
        if not is_trading_day(day):
            continue
        house = chance.choice(BROKERS)
        new = grades[house]
        old = grades[house] = min(4, max(0, new + chance.choice((-1, 0, 0, 1))))
        action: Action = "upgrade" if new > old else "downgrade" if new < old else "reiterated"
        rows.append(
            {
                "date": day.isoformat(),
                "firm": house,
                "from_grade": GRADES[old],
                "to_grade": GRADES[new],
                "action": action,
            }
        )
    return rows
