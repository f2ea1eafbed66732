"""Finance/Yahoo_Finance_stock, owners: institutions that hold a company, and what its officers trade."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import ToolFault
from toolyard.world.market_days import last_close
from toolyard.world.registry import tool
from toolyard.world.shared.companies import SECOND_CLASSES, find_company, prices
from toolyard.world.shared.statements import on_record
from toolyard.world.state import World
from toolyard.world.types import IsoDate, Ticker
from toolyard.world.worlds.finance.instruments import Region

GROUP = "Finance/Yahoo_Finance_stock"
# Institutions with the part of a large company that they usually hold, in per cent.
_OWNERS = (("Vanguard Group", 8.6), ("BlackRock", 7.0), ("State Street", 4.0), ("Fidelity Investments", 2.6),
           ("Geode Capital", 2.0))  # fmt: skip
# Per cent that insiders hold, where that is common knowledge, so that less is left to institutions.
_INSIDERS = {
    "AAPL": 0.07,
    "MSFT": 0.05,
    "AMZN": 9.6,
    "TSLA": 12.9,
    "NVDA": 4.1,
    "WMT": 45.7,
    "ORCL": 42.5,
    "META": 0.14,
}
# Holders that are known to have another part than usual, in per cent at the end of March 2024.
_KNOWN_PARTS = {
    "AAPL": {"Berkshire Hathaway": 5.15}, "KO": {"Berkshire Hathaway": 9.28}, "BAC": {"Berkshire Hathaway": 13.2},
    "AXP": {"Berkshire Hathaway": 21.1}, "CVX": {"Berkshire Hathaway": 6.67}, "C": {"Berkshire Hathaway": 2.89},
    "LLY": {"Lilly Endowment": 10.4}, "LMT": {"State Street": 15.0}, "CAT": {"State Street": 7.9},
    "META": {"Fidelity Investments": 5.4}, "UBER": {"Public Investment Fund": 3.5},
}  # fmt: skip
# Filings name the person; here they are told apart by office alone -> dollars of the largest award and of the largest sale.
_OFFICES = {
    "Senior Vice President": (6e6, 12e6),
    "General Counsel": (5e6, 9e6),
    "Director": (4e5, 6e6),
    "Chief Accounting Officer": (1.5e6, 2.5e6),
}
_MOST = 6
_TRADERS = (*_OFFICES, "Director")


class Holder(TypedDict):
    organization: str
    percent: float


class Holders(TypedDict):
    symbol: Ticker
    largest: list[Holder]


class InsiderTrade(TypedDict):
    insider: str
    position: str
    transaction: Literal["Sale", "Award"]
    shares: int
    price: float
    date: IsoDate


class InsiderTrades(TypedDict):
    symbol: Ticker
    transactions: list[InsiderTrade]


@tool(
    GROUP,
    examples=[{"symbol": "AAPL"}],
    phrase=(
        "find out which institutions hold most of the company whose ticker is {symbol}[, with the region set "
        "to {region}]"
    ),
    noun="the list of holders",
    jobs=("holdings",),
)
def get_holders(world: World, *, symbol: Ticker, region: Region = "US") -> Holders:
    """Five institutions that hold most of a large American company; their parts, in per cent, are estimates. Some 60
    companies are on record.

    symbol: Ticker of one of those companies, e.g. AAPL.
    region: Market of the reader; it changes nothing in the figures.
    """
    row = find_company(symbol)
    if not on_record(row["ticker"]) or row["country"] != "United States":
        raise ToolFault(
            "not_found",
            f"the holders of {row['ticker']} are not on record; those of large American companies are, such as AAPL, "
            "TSLA or KO",
            parameter="symbol",
        )
    first = SECOND_CLASSES.get(row["ticker"], row["ticker"])
    chance = seeds.stream(world.seed, "holders", first)
    # Families and insiders leave the less to institutions.
    home = 1 - _INSIDERS.get(first, 0.0) / 100
    usual = {name: round(part * home * chance.uniform(0.95, 1.05), 1) for name, part in _OWNERS}
    known = {**usual, **_KNOWN_PARTS.get(first, {})}
    parts = sorted(((part, name) for name, part in known.items()), reverse=True)[:5]
    return {
        "symbol": row["ticker"],
        "largest": [Holder(organization=name, percent=part) for part, name in parts],
    }


@tool(
    GROUP,
    examples=[{"symbol": "AAPL"}],
    phrase=(
        "list the insider transactions of the last year for the company whose ticker is {symbol}[, with the "
        "region set to {region}]"
    ),
    noun="the insider transactions",
)
def get_insider_transactions(world: World, *, symbol: Ticker, region: Region = "US") -> InsiderTrades:
    """Shares that officers of an American company sold or were given during the last year, newest first; all of it is
    simulated, and so nobody is named.

    symbol: Ticker of a large American company, e.g. AAPL.
    region: Market of the reader; it changes nothing in the figures.
    """
    company = find_company(symbol)
    ticker = company["ticker"]
    if company["country"] != "United States":
        raise ToolFault(
            "not_found",
            f"officers of {ticker} do not report their trades to the American authority, as the company is at home in "
            f"{company['country']}; try AAPL, KO or JPM",
            parameter="symbol",
        )
    rows, day = [], last_close(world.now)
    for number in range(_MOST):
        chance = seeds.stream(world.seed, "insider", ticker, number)
        day -= timedelta(days=chance.randrange(4, 52))
        past = prices(world.seed, ticker).until(day)
        if not past or past[-1]["date"] < (world.today - timedelta(days=365)).isoformat():
            break
        bar = past[-1]
        kind: Literal["Sale", "Award"] = chance.choice(("Sale", "Sale", "Sale", "Award"))
        who = chance.choice(_TRADERS)
        worth = _OFFICES[who][kind != "Award"] * min(1.0, company["price"] * company["shares"] / 50_000)
        shares = max(100, int(worth * chance.uniform(0.1, 1.0) / bar["close"]))
        price = 0.0 if kind == "Award" else bar["close"]
        rows.append(
            InsiderTrade(
                insider=f"{who} (name not given)",
                position=who,
                transaction=kind,
                shares=shares,
                price=price,
                date=bar["date"],
            )
        )
    return {"symbol": ticker, "transactions": rows}
