"""What companies report: quarters that add up to the shared yearly statements, earnings, owners and opinions."""

from __future__ import annotations

import functools
from datetime import date, timedelta
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.shared.companies import Statement, companies, find_company, prices, statements
from toolyard.world.shared.listed import Company
from toolyard.world.shared.people import person
from toolyard.world.state import World
from toolyard.world.tables import find
from toolyard.world.types import Amount

_ENDS = ((3, 31), (6, 30), (9, 30), (12, 31))
BROKERS = ("Goldman Sachs", "Morgan Stanley", "JPMorgan", "Bank of America", "Citigroup", "Wells Fargo", "Barclays",
           "Deutsche Bank", "UBS", "Jefferies", "Evercore ISI", "Raymond James")  # fmt: skip
GRADES = ("Sell", "Underperform", "Hold", "Outperform", "Buy")


class Flows(TypedDict):
    """What went in and out during a period, in millions; the parts add up."""

    revenue: Amount
    cost_of_revenue: Amount
    gross_profit: Amount
    operating_expenses: Amount
    operating_income: Amount
    tax: Amount
    net_income: Amount
    operating_cash_flow: Amount
    capital_expenditure: Amount
    free_cash_flow: Amount


class Balance(TypedDict):
    """What a company had and owed at the end of a period, in millions."""

    total_assets: Amount
    total_liabilities: Amount
    equity: Amount
    cash: Amount


class Quarter(TypedDict):
    """One quarter: flows in millions, the stocks of the balance sheet at its end."""

    fiscal_date_ending: str
    flows: Flows
    balance: Balance


class Report(TypedDict):
    """Earnings of one quarter as reported, and what analysts had expected."""

    fiscal_date_ending: str
    reported_date: str
    reported_eps: float
    estimated_eps: float
    surprise: float
    surprise_percentage: float


@functools.lru_cache(maxsize=512)
def quarters(seed: int, ticker: str) -> tuple[Quarter, ...]:
    """The quarters of all yearly statements, newest first; the flows of a year's quarters add up to the year."""
    years = statements(seed, ticker)
    rows: list[Quarter] = []
    for number, year in enumerate(years):
        before = years[min(number + 1, len(years) - 1)]
        rows.extend(_quarter(seed, year, before, place) for place in (3, 2, 1, 0))
    return tuple(rows)


def flows(seed: int, ticker: str) -> list[tuple[str, Flows]]:
    """Last day and flows of five years and then of eight quarters, each newest first."""
    years = [(year["period_end"], year) for year in statements(seed, ticker)[:5]]
    return [*years, *((part["fiscal_date_ending"], part["flows"]) for part in quarters(seed, ticker)[:8])]


def balances(seed: int, ticker: str) -> list[tuple[str, Balance]]:
    """Last day and balance sheet of five years and then of eight quarters, each newest first."""
    years = [(year["period_end"], year) for year in statements(seed, ticker)[:5]]
    return [*years, *((part["fiscal_date_ending"], part["balance"]) for part in quarters(seed, ticker)[:8])]


def _quarter(seed: int, year: Statement, before: Statement, place: int) -> Quarter:
    parts = ("quarter", year["ticker"], year["fiscal_year"])
    weights = [1 + 0.12 * (seeds.unit(seed, *parts, number) - 0.5) for number in range(4)]
    shares = [sum(weights[: number + 1]) / sum(weights) for number in range(4)]
    revenue, gross, operating, tax, flow, spent = (
        _part(total, shares, place)
        for total in (
            year["revenue"],
            year["gross_profit"],
            year["operating_income"],
            year["tax"],
            year["operating_cash_flow"],
            year["capital_expenditure"],
        )
    )
    return Quarter(
        fiscal_date_ending=date(year["fiscal_year"], *_ENDS[place]).isoformat(),
        flows=Flows(
            revenue=revenue,
            cost_of_revenue=revenue - gross,
            gross_profit=gross,
            operating_expenses=gross - operating,
            operating_income=operating,
            tax=tax,
            net_income=operating - tax,
            operating_cash_flow=flow,
            capital_expenditure=spent,
            free_cash_flow=flow - spent,
        ),
        balance=_balance(year, before, (place + 1) / 4),
    )


def _balance(year: Statement, before: Statement, share: float) -> Balance:
    assets, debts, cash = (
        round(old + (new - old) * share)
        for old, new in (
            (before["total_assets"], year["total_assets"]),
            (before["total_liabilities"], year["total_liabilities"]),
            (before["cash"], year["cash"]),
        )
    )
    return Balance(total_assets=assets, total_liabilities=debts, equity=assets - debts, cash=cash)


def _part(total: float, shares: list[float], number: int) -> int:
    """The number-th part of a whole number; rounding never loses anything."""
    return round(total * shares[number]) - (round(total * shares[number - 1]) if number else 0)


def reporting_day(seed: int, ticker: str, quarter_end: date) -> date:
    """When a quarter is reported: 20 to 44 days after its end, on a weekday."""
    day = quarter_end + timedelta(days=20 + seeds.number(seed, "report", ticker, quarter_end) % 25)
    return day + timedelta(days=max(0, 7 - day.weekday()) if day.weekday() >= 5 else 0)


def quarter_ends(first: int, last: int) -> list[date]:
    """Ends of all quarters of some years, oldest first."""
    return [date(year, month, day) for year in range(first, last + 1) for month, day in _ENDS]


def quarterly_eps(seed: int, company: Company, quarter_end: date) -> float:
    """Earnings per share of a quarter; beyond the statements, last year's quarter grown by some per cent."""
    years = {row["fiscal_year"]: row for row in statements(seed, company["ticker"])}
    if quarter_end.year in years:
        row = find(quarters(seed, company["ticker"]), quarter_end.isoformat(), "fiscal_date_ending")
        return round(row["flows"]["net_income"] / company["shares"], 2)
    growth = 1 + 0.16 * seeds.unit(seed, "growth", company["ticker"]) - 0.02
    return round(quarterly_eps(seed, company, quarter_end.replace(year=quarter_end.year - 1)) * growth, 2)


def report(world: World, company: Company, end: date) -> Report | None:
    """The report on the quarter that ended on a day; None before it is out."""
    day = reporting_day(world.seed, company["ticker"], end)
    if day > world.today:
        return None
    reported = quarterly_eps(world.seed, company, end)
    estimated = round(
        reported * (1.06 - 0.14 * seeds.unit(world.seed, "estimate", company["ticker"], end)), 2
    )
    return Report(
        fiscal_date_ending=end.isoformat(),
        reported_date=day.isoformat(),
        reported_eps=reported,
        estimated_eps=estimated,
        surprise=round(reported - estimated, 2),
        surprise_percentage=round(100 * (reported - estimated) / abs(estimated), 2) if estimated else 0.0,
    )


def reports(world: World, ticker: str, first_year: int = 2020) -> list[Report]:
    """Reported quarters with their surprises, newest first."""
    company = find_company(ticker)
    found = [report(world, company, end) for end in quarter_ends(max(first_year, 2014), world.today.year)]
    return [row for row in reversed(found) if row is not None]


class Opinion(TypedDict):
    """A broker's grade of a share."""

    date: str
    firm: str
    from_grade: str
    to_grade: str
    action: str


def opinions(world: World, ticker: str) -> list[Opinion]:
    """Grades that brokers gave during the last three years, newest first; each goes on from its firm's last one."""
    company = find_company(ticker)
    chance = seeds.stream(world.seed, "opinions", company["ticker"])
    grades = {firm: chance.randrange(1, 5) for firm in BROKERS}
    rows = []
    day = date(world.today.year - 3, world.today.month, 1)
    while (day := day + timedelta(days=chance.randrange(12, 60))) <= world.today:
        firm = chance.choice(BROKERS)
        old, new = grades[firm], min(4, max(0, grades[firm] + chance.choice((-1, 0, 0, 1))))
        grades[firm] = new
        action = "upgrade" if new > old else "downgrade" if new < old else "reiterated"
        rows.append(
            Opinion(
                date=day.isoformat(), firm=firm, from_grade=GRADES[old], to_grade=GRADES[new], action=action
            )
        )
    return rows[::-1]


class Insider(TypedDict):
    """A person who runs the company."""

    name: str
    title: str
    year_born: int
    pay: float


def officers(seed: int, ticker: str) -> list[Insider]:
    """Invented people in the leading offices of a company."""
    titles = ("Chief Executive Officer", "Chief Financial Officer", "Chief Operating Officer", "General Counsel",
              "Chief Technology Officer")  # fmt: skip
    return [
        Insider(
            name=person(seed, "officer", ticker, title)["name"],
            title=title,
            year_born=1955 + seeds.number(seed, "born", ticker, title) % 30,
            pay=round((3e6 if place else 9e6) * (0.7 + seeds.unit(seed, "pay", ticker, title)), -3),
        )
        for place, title in enumerate(titles)
    ]


def dividend_per_share(seed: int, company: Company) -> float:
    """Yearly dividend: a seeded part of last year's earnings, none for a third of the companies."""
    ratio = max(0.0, seeds.unit(seed, "dividend", company["ticker"]) - 0.33)
    return round(max(0.0, statements(seed, company["ticker"])[0]["earnings_per_share"]) * ratio, 2)


def last_price(world: World, ticker: str) -> float:
    """Close of the last trading day up to today."""
    return prices(world.seed, ticker).until(world.today)[-1]["close"]


def trailing_eps(world: World, ticker: str) -> float:
    """Earnings per share of the last four reported quarters."""
    return round(sum(row["reported_eps"] for row in reports(world, ticker, world.today.year - 2)[:4]), 2)


def similar(ticker: str) -> list[Company]:
    """Other companies, those of the same industry first, then of the sector; larger ones first."""
    own = find_company(ticker)
    others = [row for row in companies() if row is not own and row["sector"] == own["sector"]]
    return sorted(others, key=lambda row: (row["industry"] != own["industry"], -row["price"] * row["shares"]))
