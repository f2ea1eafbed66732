"""Finance/Yahoo_Finance_stock, company: profile, statistics, estimates, owners and what its officers trade."""

from datetime import timedelta
from typing import Literal, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import (
    Amount,
    CityName,
    CompanyName,
    CountryName,
    DomainName,
    Industry,
    IsoDate,
    PersonName,
    Prose,
    Sector,
    Ticker,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.companies import find_company, main_tickers
from toolyard.world.reference.market_days import last_close
from toolyard.world.reference.people import name_of
from toolyard.world.simulated.finance import profiles
from toolyard.world.simulated.finance.instruments import Region, last_price, market_value
from toolyard.world.simulated.finance.opinions import analyst_consensus
from toolyard.world.simulated.finance.statements import coming_quarters, last_four_quarters
from toolyard.world.simulated.prices import share_bars, share_level

GROUP = Group("Finance/Yahoo_Finance_stock")
# Institutions with the part of a company that they hold at most, in per cent.
_OWNERS = (("Vanguard Group", 12.0), ("BlackRock", 11.0), ("State Street", 8.0), ("Fidelity Investments", 7.0),
           ("Geode Capital", 5.0), ("Capital Research", 9.0), ("T. Rowe Price", 6.0),
           ("Norges Bank Investment Management", 3.0))  # fmt: skip
_OFFICES = ("Senior Vice President", "General Counsel", "Director", "Chief Accounting Officer")
_TRADES = 6


class Estimate(TypedDict):
    period_end: IsoDate
    estimated_eps: float


class Analysis(TypedDict):
    symbol: Ticker
    target_mean_price: float
    recommendation: str
    estimates: list[Estimate]


class Statistics(TypedDict):
    symbol: Ticker
    market_cap_millions: Amount
    trailing_pe: float
    price_to_sales: float
    price_to_book: float
    profit_margin: float
    liabilities_to_equity: float
    beta: float


class Officer(TypedDict):
    name: PersonName
    title: str
    year_born: int


class Profile(TypedDict):
    symbol: Ticker
    company: CompanyName
    sector: Sector
    industry: Industry
    city: CityName
    country: CountryName
    website: DomainName
    business_summary: Prose
    officers: list[Officer]


class Holder(TypedDict):
    organization: str
    percent: float


class Holders(TypedDict):
    symbol: Ticker
    largest: list[Holder]


class InsiderTrade(TypedDict):
    insider: PersonName
    position: str
    transaction: Literal["Sale", "Award"]
    shares: int
    price: float
    date: IsoDate


class InsiderTrades(TypedDict):
    symbol: Ticker
    transactions: list[InsiderTrade]


ESTIMATE = View.of(Estimate, period_end=lambda row: row.end.isoformat(), estimated_eps="expected")
OFFICER = View.of(Officer)


@GROUP.tool(
    examples=[{"symbol": "AMZN"}],
    phrase=(
        "get the analyst price targets and earnings expectations for the company whose ticker is {symbol}[, "
        "with the region set to {region}]"
    ),
    noun="the analyst expectations",
    jobs=("earnings",),
)
def get_analysis(world: World, *, symbol: Ticker, region: Region = "US") -> Analysis:
    """What analysts expect of a share: a mean price target, a mean grade, and earnings of the coming four quarters.

    symbol: Ticker of the company, e.g. AMZN.
    region: Market of the reader; it changes nothing in the figures.
    """
    ticker = find_company(symbol)["ticker"]
    found = analyst_consensus(world.seed, ticker)
    return {
        "symbol": ticker,
        "target_mean_price": round(last_price(world, ticker) * found.target, 2),
        "recommendation": found.grade,
        "estimates": ESTIMATE.rows(coming_quarters(world.seed, ticker, 4)),
    }


@GROUP.tool(
    examples=[{"symbol": "AMZN"}],
    phrase=(
        "get the valuation statistics with margin, leverage and beta for the company whose ticker is "
        "{symbol}[, with the region set to {region}]"
    ),
    noun="the valuation statistics",
    jobs=("key figures of a company",),
)
def get_statistics(world: World, *, symbol: Ticker, region: Region = "US") -> Statistics:
    """Market value of a share (in its currency) and ratios by the last four quarters.

    symbol: Ticker of the company, e.g. AMZN.
    region: Market of the reader; it changes nothing in the figures.
    """
    ticker = find_company(symbol)["ticker"]
    year, value = last_four_quarters(world.seed, ticker), market_value(world, ticker)
    return {
        "symbol": ticker,
        "market_cap_millions": round(value),
        "trailing_pe": round(value / year.net_income, 2),
        "price_to_sales": round(value / year.revenue, 2),
        "price_to_book": round(value / year.equity, 2),
        "profit_margin": round(year.net_income / year.revenue, 4),
        "liabilities_to_equity": round(year.total_liabilities / year.equity, 2),
        "beta": share_level(world.seed, ticker).beta,
    }


@GROUP.tool(
    examples=[{"symbol": "AMZN"}, {"symbol": "SAP", "region": "DE"}],
    phrase=(
        "get the company profile with business, headquarters and management for the company whose ticker is "
        "{symbol}[, with the region set to {region}]"
    ),
    noun="the company profile",
    jobs=("key figures of a company",),
)
def get_profile(world: World, *, symbol: Ticker, region: Region = "US") -> Profile:
    """What a company does, where it sits and who runs it.

    symbol: Ticker of the company, e.g. SAP.
    region: Market of the reader; it changes nothing in the profile.
    """
    row = find_company(symbol)
    return {
        "symbol": row["ticker"],
        "company": row["name"],
        "sector": row["sector"],
        "industry": row["industry"],
        "city": profiles.company_city(world.seed, row),
        "country": row["country"],
        "website": profiles.company_website(row),
        "business_summary": profiles.business_sentence(row),
        "officers": OFFICER.rows(profiles.company_officers(world.seed, row["ticker"])),
    }


@GROUP.tool(
    examples=[{"symbol": "AAPL"}],
    phrase=(
        "find out which institutions hold most of the company whose ticker is {symbol}[, with the region set "
        "to {region}]"
    ),
    noun="the list of holders",
    jobs=("holdings",),
)
def get_holders(world: World, *, symbol: Ticker, region: Region = "US") -> Holders:
    """The five institutions that hold most of a company, with their parts in per cent, largest first.

    symbol: Ticker of the company, e.g. AAPL.
    region: Market of the reader; it changes nothing in the figures.
    """
    ticker = find_company(symbol)["ticker"]
    key = main_tickers().get(ticker, ticker)
    held: list[Holder] = [
        {"organization": name, "percent": round(0.3 + most * seeds.unit(world.seed, "holds", key, name), 2)}
        for name, most in _OWNERS
    ]
    return {"symbol": ticker, "largest": sorted(held, key=lambda row: -row["percent"])[:5]}


@GROUP.tool(
    examples=[{"symbol": "AAPL"}],
    phrase=(
        "list the insider transactions of the last year for the company whose ticker is {symbol}[, with the "
        "region set to {region}]"
    ),
    noun="the insider transactions",
)
def get_insider_transactions(world: World, *, symbol: Ticker, region: Region = "US") -> InsiderTrades:
    """Shares that officers of a company sold or were given during the last year, newest first.

    symbol: Ticker of the company, e.g. AAPL.
    region: Market of the reader; it changes nothing in the figures.
    """
    ticker = find_company(symbol)["ticker"]
    rows: list[InsiderTrade] = []
    day = last_close(world.now)
    for number in range(_TRADES):
        chance = seeds.stream(world.seed, "insider", ticker, number)
        day -= timedelta(days=chance.randrange(4, 52))
        past = share_bars(world.seed, ticker).until(day)
        if not past:
            break
        sold, who = chance.random() < 0.75, chance.choice(_OFFICES)
        rows.append(
            {
                "insider": name_of(world.seed, "insider", ticker, who),
                "position": who,
                "transaction": "Sale" if sold else "Award",
                "shares": chance.randrange(1, 400) * 100,
                "price": past[-1]["close"] if sold else 0.0,
                "date": past[-1]["date"],
            }
        )
    return {"symbol": ticker, "transactions": rows}
