"""Finance/Yahoo_Finance_stock, owners: institutions that hold a company, and what its officers trade."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import ToolFault
from toolyard.world.market_days import last_close
from toolyard.world.registry import tool
from toolyard.world.shared.companies import SECOND_CLASSES, find_company, prices
from toolyard.world.shared.statements import on_record
from toolyard.world.state import World
from toolyard.world.types import Amount, IsoDate, Ticker
from toolyard.world.worlds.finance.fundamentals import last_price
from toolyard.world.worlds.finance.instruments import Region

GROUP = "Finance/Yahoo_Finance_stock"
# Institutions with the part of a large company that they usually hold, in per cent.
_OWNERS = (("Vanguard Group", 8.6), ("BlackRock", 7.0), ("State Street", 4.0), ("Fidelity Investments", 2.6),
           ("Geode Capital", 2.0), ("Capital Group", 1.7), ("T. Rowe Price", 1.5),
           ("Norges Bank Investment Management", 1.1), ("Northern Trust", 1.0), ("Invesco", 0.9))  # fmt: skip
# Per cent that insiders hold, where that is common knowledge.
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
_TRADERS = (*_OFFICES, "Director")


class Holder(TypedDict):
    organization: str
    percent: float
    shares_millions: float
    value_millions: Amount
    report_date: IsoDate


class Holders(TypedDict):
    symbol: Ticker
    insiders_percent: float | None
    largest: list[Holder]


class InsiderTrade(TypedDict):
    insider: str
    position: str
    transaction: Literal["Sale", "Purchase", "Award"]
    shares: int
    price: float
    value: Amount
    date: IsoDate


class InsiderTrades(TypedDict):
    symbol: Ticker
    net_shares_six_months: int
    transactions: list[InsiderTrade]


@tool(
    GROUP,
    examples=[{"symbol": "AAPL"}],
    phrase=(
        "find out which insiders and institutions hold the company whose ticker is {symbol}[, with the "
        "region set to {region}]"
    ),
    noun="the list of holders",
    jobs=("holdings",),
)
def get_holders(world: World, *, symbol: Ticker, region: Region = "US") -> Holders:
    """Who owns one of some 60 large American companies: the part of insiders where it is known, and the ten largest
    institutions, whose parts are estimates.

    symbol: Ticker of the company, e.g. AAPL.
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
    price, chance = last_price(world, row["ticker"]), seeds.stream(world.seed, "holders", first)
    # Families and insiders leave the less to institutions.
    home = 1 - _INSIDERS.get(first, 0.0) / 100
    usual = {name: round(part * home * chance.uniform(0.85, 1.15), 2) for name, part in _OWNERS}
    known = {**usual, **_KNOWN_PARTS.get(first, {})}
    parts = sorted(((part, name) for name, part in known.items()), reverse=True)[:10]
    last_quarter = date(world.today.year, 1 + 3 * ((world.today.month - 1) // 3), 1) - timedelta(days=1)
    return {
        "symbol": row["ticker"],
        "insiders_percent": _INSIDERS.get(first),
        "largest": [
            Holder(
                organization=name,
                percent=part,
                shares_millions=round(row["shares"] * part / 100, 3),
                value_millions=round(row["shares"] * part / 100 * price),
                report_date=last_quarter.isoformat(),
            )
            for part, name in parts
        ],
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
    """Shares that the officers of a company bought, sold or were given during the last year, newest first. The trades are
    simulated, at closing prices, and so nobody is named.

    symbol: Ticker of the company, e.g. AAPL.
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
    for number in range(12):
        chance = seeds.stream(world.seed, "insider", ticker, number)
        day -= timedelta(days=chance.randrange(4, 52))
        past = prices(world.seed, ticker).until(day)
        if not past or past[-1]["date"] < (world.today - timedelta(days=365)).isoformat():
            break
        bar = past[-1]
        kind: Literal["Sale", "Purchase", "Award"] = chance.choice(("Sale", "Sale", "Sale", "Award"))
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
                value=round(shares * price, 2),
                date=bar["date"],
            )
        )
    half = (world.today - timedelta(days=183)).isoformat()
    signed = [
        (-1 if row["transaction"] == "Sale" else 1) * row["shares"] for row in rows if row["date"] >= half
    ]
    return {"symbol": ticker, "net_shares_six_months": sum(signed), "transactions": rows}
