"""Finance/Yahoo_Finance_stock, owners: institutions that hold a company, and what its officers trade."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.registry import tool
from toolyard.world.shared.companies import find_company, prices
from toolyard.world.state import World
from toolyard.world.types import Amount, IsoDate, PersonName, Ticker
from toolyard.world.worlds.finance.fundamentals import last_price, officers, quarter_ends
from toolyard.world.worlds.finance.instruments import Region

GROUP = "Finance/Yahoo_Finance_stock"
_OWNERS = ("Vanguard Group", "BlackRock", "State Street", "Fidelity Investments", "Geode Capital", "Capital Group",
           "T. Rowe Price", "Norges Bank Investment Management", "Northern Trust", "Invesco")  # fmt: skip


class Holder(TypedDict):
    organization: str
    percent: float
    shares_millions: float
    value_millions: Amount
    report_date: IsoDate


class Holders(TypedDict):
    symbol: Ticker
    insiders_percent: float
    institutions_percent: float
    largest: list[Holder]


class InsiderTrade(TypedDict):
    insider: PersonName
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
    """Who owns a company: parts of insiders and institutions, and the ten largest institutions.

    symbol: Ticker of the company, e.g. AAPL.
    region: Market of the reader; it changes nothing in the figures.
    """
    row = find_company(symbol)
    price, chance = last_price(world, row["ticker"]), seeds.stream(world.seed, "holders", row["ticker"])
    parts = sorted((round(0.5 + 8 * chance.random() ** 2, 2) for _ in _OWNERS), reverse=True)
    last_quarter = max(
        end for end in quarter_ends(world.today.year - 1, world.today.year) if end <= world.today
    )
    return {
        "symbol": row["ticker"],
        "insiders_percent": round(0.1 + 12 * chance.random() ** 3, 2),
        "institutions_percent": round(min(95.0, sum(parts) + 20 + 20 * chance.random()), 2),
        "largest": [
            Holder(
                organization=name,
                percent=part,
                shares_millions=round(row["shares"] * part / 100, 3),
                value_millions=round(row["shares"] * part / 100 * price),
                report_date=last_quarter.isoformat(),
            )
            for name, part in zip(chance.sample(_OWNERS, len(_OWNERS)), parts, strict=True)
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
    """Shares that the officers of a company bought, sold or were given during the last year, newest first.

    symbol: Ticker of the company, e.g. AAPL.
    region: Market of the reader; it changes nothing in the figures.
    """
    ticker = find_company(symbol)["ticker"]
    people, rows = officers(world.seed, ticker), []
    for number in range(12):
        day = world.today - timedelta(days=3 + 29 * number)
        chance = seeds.stream(world.seed, "insider", ticker, number)
        bar = prices(world.seed, ticker).until(day)[-1]
        kind: Literal["Sale", "Purchase", "Award"] = chance.choice(("Sale", "Sale", "Purchase", "Award"))
        who, shares = chance.choice(people), chance.randrange(5, 400) * 100
        price = 0.0 if kind == "Award" else bar["close"]
        rows.append(
            InsiderTrade(
                insider=who["name"],
                position=who["title"],
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
