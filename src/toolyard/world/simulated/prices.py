"""What everything with a symbol costs: one level per symbol, drawn from the seed inside bounds, and bars that end at it."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, cast

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import read_table
from toolyard.world.reference.companies import find_company, main_tickers
from toolyard.world.reference.places.geography import currencies
from toolyard.world.simulated.series import FIRST, Bars, Path, symbol_calendar

Kind = Literal["EQUITY", "INDEX", "ETF", "MUTUALFUND", "FUTURE", "CURRENCY", "CRYPTOCURRENCY"]


@dataclass(frozen=True, slots=True)
class Level:
    """What is drawn of a symbol: price on the last day in its currency, yearly volatility, share of the market's moves,
    millions of shares, part of them traded on a day, and for companies sales against value, net margin and payout."""

    price: float
    volatility: float
    beta: float
    shares: int
    turnover: float
    sales: float
    margin: float
    payout: float


# Field -> lowest and highest value; prices are in US dollars, and by kind.
BOUNDS: Mapping[str, tuple[float, float]] = {
    "volatility": (0.14, 0.6), "beta": (0.4, 1.7), "shares": (300, 9_000), "turnover": (0.002, 0.012),
    "sales": (0.3, 1.0), "margin": (0.04, 0.25), "payout": (0.1, 0.7),
}  # fmt: skip
PRICES: Mapping[str, tuple[float, float]] = {
    "EQUITY": (6, 700), "INDEX": (900, 45_000), "ETF": (15, 600), "MUTUALFUND": (10, 500), "FUTURE": (1, 3_000),
    "CRYPTOCURRENCY": (0.01, 5_000),
}  # fmt: skip
# Kind -> lowest and highest volatility, and share of the market's moves, of what is no share.
_UNLIKE_SHARES = {
    "INDEX": ((0.14, 0.22), 1.0), "ETF": ((0.12, 0.3), 0.8), "MUTUALFUND": ((0.12, 0.2), 0.8),
    "FUTURE": ((0.12, 0.4), 0.0), "CRYPTOCURRENCY": ((0.45, 0.9), 0.9),
}  # fmt: skip


@functools.cache
def current_units_per_dollar() -> Mapping[str, float]:
    """Code -> units of a currency for one US dollar on the last day of the world."""
    return {row["code"]: row["per_usd"] for row in currencies()}


def draw_between(seed: int, what: str, symbol: str, bounds: tuple[float, float]) -> float:
    """A value between two bounds, small ones as often as large ones."""
    low, high = bounds
    return float(low * (high / low) ** seeds.unit(seed, what, symbol))


@seeds.cache_by_seed(4096)
def level(seed: int, symbol: str, kind: Kind = "EQUITY", currency: str = "USD") -> Level:
    """The level of a symbol; shares of one company in several markets cost the same and earn the same."""
    first = main_tickers().get(symbol) if kind == "EQUITY" else None
    rate = 1.0 if kind == "INDEX" else current_units_per_dollar().get(currency, 1.0)
    if first is not None:
        same = find_company(first)
        found = level(seed, first, "EQUITY", same["currency"])
        return replace(
            found, price=round(found.price * rate / current_units_per_dollar().get(same["currency"], 1.0), 2)
        )
    values = {name: draw_between(seed, name, symbol, bounds) for name, bounds in BOUNDS.items()}
    if kind != "EQUITY":
        bounds, values["beta"] = _UNLIKE_SHARES[kind]
        values["volatility"] = draw_between(seed, "volatility", symbol, bounds)
    price = draw_between(seed, "price", symbol, PRICES[kind])
    return Level(
        price=round(price * rate, 2),
        volatility=round(values["volatility"], 4),
        beta=round(values["beta"], 2),
        shares=round(values["shares"]),
        turnover=values["turnover"],
        sales=values["sales"],
        margin=values["margin"],
        payout=values["payout"],
    )


@functools.cache
def _kinds() -> Mapping[str, Kind]:
    return {row["symbol"]: cast("Kind", row["kind"]) for row in read_table("instruments.tsv")}


@functools.cache
def followed_symbols() -> Mapping[str, tuple[str, float]]:
    """Fund, future or sister index -> what it follows day by day, and how many times its move it makes."""
    rows = read_table("instruments.tsv")
    return {row["symbol"]: (row["follows"], float(row["times"])) for row in rows if row["follows"]}


@seeds.cache_by_seed(1024)
def path(seed: int, symbol: str, drawn_level: Level) -> Path:
    """The path of a symbol to its level."""
    lead, times = followed_symbols().get(symbol, ("", 1.0))
    return Path(
        seed,
        main_tickers().get(symbol, symbol),
        drawn_level.price,
        calendar=symbol_calendar(symbol),
        volatility=drawn_level.volatility,
        beta=drawn_level.beta,
        volume=drawn_level.shares * 1e6 * drawn_level.turnover,
        follows=path(seed, lead, level(seed, lead, _kinds().get(lead, "CRYPTOCURRENCY"))) if lead else None,
        times=times,
    )


@functools.cache
def _listing_days() -> Mapping[str, date]:
    rows = read_table("companies.tsv")
    return {row["ticker"]: date.fromisoformat(row["listed"]) for row in rows if row["listed"]}


def listed_since(ticker: str) -> date:
    """The first day of trading of a share, or the first of the world."""
    return max(FIRST, _listing_days().get(ticker, FIRST))


def share_level(seed: int, ticker: str) -> Level:
    """The level of a company's share."""
    company = find_company(ticker)
    return level(seed, company["ticker"], "EQUITY", company["currency"])


def share_bars(seed: int, ticker: str) -> Bars:
    """The daily bars of a company's share, oldest first; show only those up to the last close."""
    symbol = find_company(ticker)["ticker"]
    return Bars(path(seed, symbol, share_level(seed, symbol))).since(listed_since(symbol))
