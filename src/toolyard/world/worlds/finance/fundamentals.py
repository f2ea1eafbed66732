"""What companies report: quarters that add up to the shared yearly statements, earnings, owners and opinions."""

from __future__ import annotations

import calendar
import functools
from datetime import date, timedelta
from itertools import pairwise
from typing import TypedDict

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.market_days import is_trading_day, last_close
from toolyard.world.shared.companies import companies, find_company, prices
from toolyard.world.shared.listed import Company
from toolyard.world.shared.statements import (
    ReportedQuarter,
    Statement,
    earnings_reported,
    on_record,
    statements,
)
from toolyard.world.state import World
from toolyard.world.tables import read_table
from toolyard.world.types import Amount

# Houses that do not exist: what a real one thought of a company is not known here.
BROKERS = ("Harrow Street Research", "Northgate Securities", "Bellweather Partners", "Calder & Finch", "Redstone Capital",
           "Maple Harbor Equity", "Langley Brooks", "Summerfield & Co.", "Ostrava Markets", "Pembroke Analytics",
           "Silver Birch Advisors", "Tidewater Research")  # fmt: skip
YEARS = 3
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


def _made_quarters(seed: int, ticker: str) -> tuple[Quarter, ...]:
    """Eight quarters of a company whose statements are derived; those of real years are not known by quarter."""
    return () if on_record(find_company(ticker)["ticker"]) else quarters(seed, ticker)[:8]


def flows(seed: int, ticker: str) -> list[tuple[str, Flows]]:
    """Last day and flows of three years and then of eight quarters where these are told apart, each newest first."""
    years = [(year["period_end"], year) for year in statements(seed, ticker)[:YEARS]]
    return [*years, *((part["fiscal_date_ending"], part["flows"]) for part in _made_quarters(seed, ticker))]


def balances(seed: int, ticker: str) -> list[tuple[str, Balance]]:
    """Last day and balance sheet of three years, then of eight quarters where these are told apart, each newest first."""
    years = [(year["period_end"], year) for year in statements(seed, ticker)[:YEARS]]
    return [*years, *((part["fiscal_date_ending"], part["balance"]) for part in _made_quarters(seed, ticker))]


def _quarter(seed: int, year: Statement, before: Statement, place: int) -> Quarter:
    parts = ("quarter", year["ticker"], year["fiscal_year"])
    weights = [1 + 0.12 * (seeds.unit(seed, *parts, number) - 0.5) for number in range(4)]
    shares = [added(weights[: number + 1]) / added(weights) for number in range(4)]
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
    earned = _part(year["net_income"], shares, place)
    return Quarter(
        fiscal_date_ending=_months_before(date.fromisoformat(year["period_end"]), 9 - 3 * place).isoformat(),
        flows=Flows(
            revenue=revenue,
            cost_of_revenue=revenue - gross,
            gross_profit=gross,
            operating_expenses=gross - operating,
            operating_income=operating,
            tax=tax,
            net_income=earned,
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
    """When a quarter is reported: as it was, or 52 weeks later; else three to four weeks after its end.

    Smaller companies take longer; never on a day without trading.
    """
    company = find_company(ticker)
    for quarter in _known_quarters(company["ticker"]):
        years = round((quarter_end - quarter.end).days / 365.25)
        if abs((quarter_end - quarter.end).days - 365.25 * years) < 20 and years >= 0:
            return quarter.reported + timedelta(days=364 * years)
    large = company["price"] * company["shares"] > 20_000
    drawn = seeds.number(seed, "report", ticker, quarter_end)
    day = quarter_end + timedelta(days=21 + drawn % 9 if large else 30 + drawn % 12)
    while not is_trading_day(day):
        day += timedelta(days=1)
    return day


def _known_quarters(ticker: str) -> tuple[ReportedQuarter, ...]:
    known = earnings_reported().get(ticker)
    return known.quarters if known else ()


def _months_before(end: date, months: int) -> date:
    """The end of a quarter so many months earlier (or, with a minus, later); ends of months stay ends of months."""
    place = end.year * 12 + end.month - 1 - months
    year, month = divmod(place, 12)
    length = calendar.monthrange(year, month + 1)[1]
    whole = end.day == calendar.monthrange(end.year, end.month)[1]
    return date(year, month + 1, length if whole else min(end.day, length))


def year_before(end: date) -> date:
    """The end of the same quarter of the year before."""
    return _months_before(end, 12)


def _later(end: date, number: int) -> date:
    """The end of a quarter so many quarters on: ends of months stay so, others are always the same weekday."""
    whole = end.day == calendar.monthrange(end.year, end.month)[1]
    return _months_before(end, -3 * number) if whole else end + timedelta(days=91 * number)


def quarter_ends(seed: int, ticker: str, first: int, last: int) -> list[date]:
    """Ends of a company's quarters in some years, oldest first."""
    known = [quarter.end for quarter in reversed(_known_quarters(ticker))]
    past = known or [
        date.fromisoformat(row["fiscal_date_ending"]) for row in reversed(quarters(seed, ticker))
    ]
    coming = [_later(past[-1], number) for number in range(1, 17)]
    return [day for day in (*past, *coming) if first <= day.year <= last]


def quarterly_eps(seed: int, company: Company, quarter_end: date) -> float:
    """Earnings per share of a quarter; beyond what is known, last year's quarter grown by some per cent."""
    reported = _known_quarters(company["ticker"])
    if reported:
        return _expected(reported, quarter_end)
    if on_record(company["ticker"]):
        return round(statements(seed, company["ticker"])[0]["earnings_per_share"] / 4, 2)
    known = quarters(seed, company["ticker"])
    newest = date.fromisoformat(known[0]["fiscal_date_ending"])
    ahead = round(((quarter_end - newest).days) / 91.3)
    row = known[-ahead if ahead <= 0 else (4 - ahead) % 4]
    growth = 1 + 0.12 * seeds.unit(seed, "growth", company["ticker"]) - 0.02
    return round(row["flows"]["net_income"] / company["shares"] * growth ** max(0, -(-ahead // 4)), 2)


def _expected(reported: tuple[ReportedQuarter, ...], end: date) -> float:
    """What was earned, or is expected: somewhat more than a year before, or than last time where earnings soar."""
    ahead = max(0, round((end - reported[0].end).days / 91.3))
    if ahead == 0:
        near = min(reported, key=lambda quarter: abs((quarter.end - end).days))
        return near.earnings
    last, oldest = reported[0].earnings, reported[-1].earnings
    if last > 2 * oldest > 0 and all(new.earnings > old.earnings for new, old in pairwise(reported)):
        return round(last * 1.06**ahead, 2)
    usual = added(quarter.earnings for quarter in reported) / len(reported)
    before = reported[(4 - ahead) % 4].earnings
    before = usual if 0 < before < usual / 2 else before
    return round(before + 0.05 * abs(before) * -(-ahead // 4), 2)


def report(world: World, company: Company, end: date) -> Report | None:
    """The report on the quarter that ended on a day; None before it is out."""
    day = reporting_day(world.seed, company["ticker"], end)
    if day > world.today:
        return None
    reported = quarterly_eps(world.seed, company, end)
    estimated = round(
        reported - abs(reported) * (0.06 * seeds.unit(world.seed, "estimate", company["ticker"], end) - 0.01),
        2,
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
    """Reported quarters with their surprises, newest first; none of a company of which only the years are known."""
    company = find_company(ticker)
    if on_record(company["ticker"]) and not _known_quarters(company["ticker"]):
        return []
    ends = quarter_ends(world.seed, company["ticker"], max(first_year, 2014), world.today.year)
    found = [report(world, company, end) for end in ends]
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
        if not is_trading_day(day):
            continue
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
    """A person who ran the company in May 2024."""

    name: str
    title: str
    year_born: int | None


@functools.cache
def _officers() -> dict[str, list[Insider]]:
    found: dict[str, list[Insider]] = {}
    for row in read_table("officers.tsv"):
        born = int(row["year_born"]) if row["year_born"] else None
        found.setdefault(row["ticker"], []).append(
            Insider(name=row["name"], title=row["title"], year_born=born)
        )
    return found


def officers(ticker: str) -> list[Insider]:
    """The heads of a company as far as they are known; nobody for one that is not."""
    return _officers().get(ticker, [])


def dividend_per_share(company: Company) -> float | None:
    """Yearly dividend as known; None for companies of which it is not."""
    return company["dividend"]


def last_price(world: World, ticker: str) -> float:
    """Close of the last trading day up to today."""
    return prices(world.seed, ticker).until(last_close(world.now))[-1]["close"]


def trailing_eps(world: World, ticker: str) -> float:
    """Earnings per share of the last four reported quarters, else of the last year."""
    found = reports(world, ticker, world.today.year - 2)[:4]
    if len(found) < 4:
        return statements(world.seed, ticker)[0]["earnings_per_share"]
    return round(added(row["reported_eps"] for row in found), 2)


def similar(ticker: str) -> list[Company]:
    """Other companies, those of the same industry first, then of the sector; larger ones first."""
    own = find_company(ticker)
    others = [row for row in companies() if row is not own and row["sector"] == own["sector"]]
    return sorted(others, key=lambda row: (row["industry"] != own["industry"], -row["price"] * row["shares"]))
