"""What companies report: yearly statements, days and earnings of quarters, owners and opinions."""

from __future__ import annotations

import calendar
import functools
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import TypedDict

from toolyard.core.sums import added
from toolyard.world.market_days import is_trading_day
from toolyard.world.series import Bar
from toolyard.world.shared.companies import (
    SECOND_CLASSES,
    companies,
    company_or_none,
    find_company,
    has_price,
)
from toolyard.world.shared.listed import UNKNOWN_SECTOR, Company, short_name, with_known_prices
from toolyard.world.shared.sisters import IN_NEW_YORK
from toolyard.world.shared.statements import (
    ReportedQuarter,
    earned_in_four_quarters,
    earnings_counted,
    earnings_reported,
    for_all_classes,
    last_year,
    on_record,
    statements,
)
from toolyard.world.state import World
from toolyard.world.tables import read_table
from toolyard.world.types import Amount
from toolyard.world.worlds.finance.instruments import find_instrument, history

YEARS = 3


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


class Report(TypedDict):
    """Earnings of one quarter as reported, and what analysts had expected."""

    fiscal_date_ending: str
    reported_date: str
    reported_eps: float
    estimated_eps: float
    surprise: float
    surprise_percentage: float


def flows(ticker: str) -> list[tuple[str, Flows]]:
    """Last day and flows of three years, newest first."""
    return [(year["period_end"], year) for year in statements(ticker)[:YEARS]]


def balances(ticker: str) -> list[tuple[str, Balance]]:
    """Last day and balance sheet of three years, newest first."""
    return [(year["period_end"], year) for year in statements(ticker)[:YEARS]]


@functools.cache
def _announced() -> Mapping[str, dict[date, date]]:
    """Ticker -> end of a coming quarter -> the day on which it is reported."""
    found = {}
    for row in read_table("earnings_coming.tsv"):
        pairs = (part.split(":") for part in (row["quarters"] or "").split())
        found[row["ticker"]] = {date.fromisoformat(end): date.fromisoformat(day) for end, day in pairs}
    abroad = {there: found[home] for home, there in IN_NEW_YORK.items() if home in found}
    return for_all_classes({**abroad, **found})


def announced_reports() -> list[tuple[date, str, date]]:
    """Day, ticker and end of the quarter of each report on US exchanges whose day is announced."""
    return [
        (day, ticker, end)
        for ticker, days in _announced().items()
        if "." not in ticker and ticker not in SECOND_CLASSES
        for end, day in days.items()
    ]


@functools.cache
def _consensus() -> Mapping[str, tuple[float, ...]]:
    """Ticker -> what analysts expected in May 2024 of the coming four quarters."""
    rows = read_table("earnings_coming.tsv")
    return for_all_classes(
        {row["ticker"]: tuple(map(float, (row["estimates"] or "").split())) for row in rows}
    )


def reporting_day(ticker: str, quarter_end: date) -> date:
    """When a quarter is reported: as it was or is announced, else 52 weeks after the same quarter of another year."""
    announced = _announced().get(ticker, {})
    if quarter_end in announced:
        return announced[quarter_end]
    past = _reported_on(ticker)
    for end, day in {**announced, **past}.items():
        years = round((quarter_end - end).days / 365.25)
        if abs((quarter_end - end).days - 365.25 * years) < 20 and years >= 0:
            return day + timedelta(days=364 * years)
    end, day = next(iter({**past, **announced}.items()))
    expected = quarter_end + (day - end)
    while not is_trading_day(expected):
        expected += timedelta(days=1)
    return expected


def _known_quarters(ticker: str) -> tuple[ReportedQuarter, ...]:
    known = earnings_reported().get(ticker)
    return known.quarters if known else ()


def _reported_on(ticker: str) -> dict[date, date]:
    """End of a past quarter -> the day on which it was reported, newest first."""
    known = _known_quarters(ticker) or earnings_counted().get(ticker, ())
    return {quarter.end: quarter.reported for quarter in known}


def _last_known(ticker: str) -> date:
    """The end of the last quarter that is reported, or of the last before the first that is announced."""
    known = _reported_on(ticker)
    return max(known) if known else min(_announced().get(ticker, {date.max: date.max})) - timedelta(days=1)


def _months_before(end: date, months: int) -> date:
    """The end of a quarter so many months earlier (or, with a minus, later); ends of months stay ends of months."""
    place = end.year * 12 + end.month - 1 - months
    year, month = divmod(place, 12)
    length = calendar.monthrange(year, month + 1)[1]
    whole = end.day == calendar.monthrange(end.year, end.month)[1]
    return date(year, month + 1, length if whole else min(end.day, length))


def _later(end: date, number: int) -> date:
    """The end of a quarter so many quarters on: ends of months stay so, others are always the same weekday."""
    whole = end.day == calendar.monthrange(end.year, end.month)[1]
    return _months_before(end, -3 * number) if whole else end + timedelta(days=91 * number)


# Coming quarters of companies that count weeks, but not thirteen to each quarter, or end the year with December.
_COUNTED_IN_WEEKS = {
    "HD": "2024-10-27 2025-02-02 2025-05-04 2025-08-03 2025-11-02",
    "PEP": "2024-09-07 2024-12-28 2025-03-22 2025-06-14 2025-09-06 2025-12-27",
    "COST": "2024-09-01 2024-11-24 2025-02-16 2025-05-11 2025-08-31 2025-11-23",
    "KO": "2024-06-28 2024-09-27 2024-12-31 2025-03-28 2025-06-27 2025-09-26 2025-12-31",
    "PFE": "2024-09-29 2024-12-31 2025-03-30 2025-06-29 2025-09-28 2025-12-31",
    "LMT": "2024-06-30 2024-09-29 2024-12-31 2025-03-30 2025-06-29 2025-09-28 2025-12-31",
    **dict.fromkeys(
        ("QCOM", "JNJ", "SBUX"), "2024-09-29 2024-12-29 2025-03-30 2025-06-29 2025-09-28 2025-12-28"
    ),
}


def _coming(ticker: str, last: date) -> list[date]:
    """Ends of the quarters after the last that is known or announced."""
    counted = [date.fromisoformat(day) for day in _COUNTED_IN_WEEKS.get(ticker, "").split()]
    return [day for day in counted if day > last] or [_later(last, number) for number in range(1, 17)]


def quarter_ends(ticker: str, first: int, last: int) -> list[date]:
    """Ends of a company's quarters in some years, oldest first; none where no day of a report is known."""
    past = sorted(_reported_on(ticker))
    announced = sorted(end for end in _announced().get(ticker, {}) if end not in past)
    known = [*past, *announced]
    coming = _coming(ticker, known[-1]) if known else []
    return [day for day in (*known, *coming) if first <= day.year <= last]


def quarterly_eps(company: Company, quarter_end: date) -> float | None:
    """Earnings per share of a quarter; of a coming one what is expected, else last year's grown by some per cent."""
    reported = _known_quarters(company["ticker"])
    expected = _consensus().get(company["ticker"], ())
    coming = [
        end for end in quarter_ends(company["ticker"], 2024, 2025) if end > _last_known(company["ticker"])
    ]
    if expected and quarter_end in coming:
        later, place = divmod(coming.index(quarter_end), len(expected))
        if later and len(expected) < 4:
            return None
        return round(expected[place] * 1.05**later, 2)
    if reported:
        return _expected(reported, quarter_end)
    if on_record(company["ticker"]):
        return round(statements(company["ticker"])[0]["earnings_per_share"] / 4, 2)
    return None


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


def reports(world: World, ticker: str) -> list[Report]:
    """The last quarters as analysts count them, with their surprises, newest first; none where they are not on record."""
    return [
        Report(
            fiscal_date_ending=quarter.end.isoformat(),
            reported_date=quarter.reported.isoformat(),
            reported_eps=quarter.earnings,
            estimated_eps=quarter.expected,
            surprise=round(quarter.earnings - quarter.expected, 2),
            surprise_percentage=round(100 * (quarter.earnings - quarter.expected) / abs(quarter.expected), 2),
        )
        for quarter in earnings_counted().get(find_company(ticker)["ticker"], ())
        if quarter.reported < world.today
    ]


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
    return for_all_classes(found)


def officers(ticker: str) -> list[Insider]:
    """The heads of a company as far as they are known; nobody for one that is not."""
    same = (IN_NEW_YORK.get(ticker, ""), *(home for home, abroad in IN_NEW_YORK.items() if abroad == ticker))
    return next((found for one in (ticker, *same) if (found := _officers().get(one))), [])


def dividend_per_share(company: Company) -> float | None:
    """Yearly dividend as known; None for companies of which it is not."""
    return company["dividend"]


def last_price(world: World, ticker: str) -> float:
    """Close of the last trading day up to today."""
    return past_days(world, ticker, 1)[-1]["close"]


def past_days(world: World, ticker: str, count: int) -> Sequence[Bar]:
    """The last days on which a share was traded where it is listed, oldest first."""
    return history(world, find_instrument(find_company(ticker)["ticker"]), count)


def trailing_eps(world: World, ticker: str) -> float | None:
    """Earnings per share of the last four reported quarters, else of the last year; None where they are not known."""
    found = [quarter for quarter in _known_quarters(ticker) if quarter.reported < world.today]
    if len(found) == 4:
        return round(added(quarter.earnings for quarter in found), 2)
    if ticker in earned_in_four_quarters():
        return earned_in_four_quarters()[ticker]
    if on_record(ticker):
        return statements(ticker)[0]["earnings_per_share"]
    year = last_year(ticker)
    return year.earnings_per_share if year else None


def price_to_earnings(price: float, eps: float | None) -> float | None:
    """None for a company that loses money, or of which nothing is known."""
    return round(price / eps, 2) if eps is not None and eps > 0 else None


# Companies beyond the best known that those who look at a share look at as well.
_RIVALS = {
    "NKE": "ADS.DE LULU DECK ONON PUM.DE", "DAL": "UAL AAL LUV ALK JBLU", "UAL": "DAL AAL LUV ALK JBLU",
    "SBUX": "MCD CMG YUM DPZ DRI QSR", "MCD": "SBUX CMG YUM DPZ QSR WEN", "DIS": "NFLX CMCSA WBD PARA ROKU",
    "NFLX": "DIS CMCSA WBD ROKU SPOT", "FDX": "UPS CHRW EXPD JBHT", "UPS": "FDX CHRW EXPD JBHT", "T": "VZ TMUS CMCSA CHTR",
    "VZ": "T TMUS CMCSA CHTR", "ABNB": "BKNG EXPE MAR HLT", "UBER": "LYFT DASH ABNB", "UNH": "ELV CI HUM CNC CVS",
    "CAT": "DE PCAR CMI", "F": "GM TSLA STLA TM HMC", "GM": "F TSLA STLA TM HMC", "TSLA": "RIVN LCID GM F NIO",
    "ASML": "AMAT LRCX KLAC TER TSM", "AMZN": "WMT BABA EBAY JD TGT COST", "GE": "RTX BA HON SAF.PA RR.L",
    "KO": "PEP KDP MNST", "PEP": "KO KDP MNST MDLZ", "BA": "AIR.PA LMT RTX GD NOC", "LMT": "RTX NOC GD BA",
    "ADS.DE": "NKE PUM.DE", "PUM.DE": "NKE ADS.DE", "MC.PA": "RMS.PA KER.PA CFR.SW TPR RL", "NEM": "GOLD AEM KGC GFI FCX",
    "AAPL": "MSFT GOOGL AMZN 005930.KS SONY DELL HPQ",
    "MSFT": "GOOGL AMZN ORCL CRM AAPL IBM", "GOOGL": "META MSFT AMZN AAPL SNAP PINS",
    "META": "GOOGL SNAP PINS RDDT", "NVDA": "AMD AVGO INTC TSM QCOM MU", "LULU": "NKE UAA DECK ONON VFC GPS",
    "SPOT": "SIRI WMG TME NFLX", "IBM": "ACN ORCL MSFT CSCO INFY", "COST": "WMT TGT BJ KR", "V": "MA AXP PYPL",
    "MA": "V AXP PYPL", "PYPL": "SQ V MA AFRM", "NVO": "LLY AZN NVS SNY", "PG": "CL KMB UL CHD",
    "RIVN": "TSLA LCID NIO F GM", "PLTR": "SNOW AI CRWD DDOG MSFT", "SHOP": "AMZN WIX SQ EBAY", "JPM": "BAC WFC C GS MS USB",
    "BAC": "JPM WFC C USB PNC", "WFC": "JPM BAC C USB PNC", "C": "JPM BAC WFC USB", "GS": "MS JPM SCHW BLK",
    "MS": "GS JPM SCHW BLK", "MAR": "HLT ABNB BKNG EXPE", "HLT": "MAR ABNB BKNG EXPE", "COIN": "HOOD MSTR MARA RIOT SQ",
    "AMD": "NVDA INTC QCOM AVGO MU", "INTC": "AMD NVDA TSM QCOM TXN", "QCOM": "AVGO NVDA AMD TXN MRVL",
    "AVGO": "NVDA QCOM TXN MRVL AMD", "TXN": "ADI MCHP NXPI ON", "ARM": "NVDA QCOM AMD INTC AVGO",
    "TSM": "INTC 005930.KS ASML NVDA", "MU": "WDC STX NVDA INTC", "SMCI": "DELL HPE NVDA", "DELL": "HPQ HPE SMCI AAPL",
    "CRM": "NOW ADBE ORCL SAP WDAY", "ORCL": "MSFT SAP CRM IBM NOW", "ADBE": "CRM INTU NOW MSFT", "SAP": "ORCL CRM WDAY",
    "NOW": "CRM WDAY ADBE SAP ORCL", "CSCO": "ANET HPE JNPR MSI", "CRWD": "PANW ZS FTNT OKTA NET",
    "PANW": "CRWD FTNT ZS CSCO OKTA", "ZS": "CRWD PANW FTNT NET OKTA", "SNOW": "DDOG MDB PLTR MSFT ORCL",
    "SONY": "MSFT 7974.T EA TTWO", "TM": "HMC F GM STLA TSLA", "HMC": "TM F GM STLA TSLA", "NIO": "XPEV LI TSLA RIVN",
    "LCID": "RIVN TSLA NIO", "BABA": "JD PDD BIDU TCEHY AMZN", "JD": "BABA PDD AMZN", "PDD": "BABA JD AMZN",
    "BIDU": "TCEHY BABA GOOGL", "TCEHY": "BABA BIDU NTES", "BMW.DE": "MBG.DE VOW3.DE TSLA TM",
    "VOW3.DE": "BMW.DE MBG.DE STLA TM", "MBG.DE": "BMW.DE VOW3.DE TSLA TM", "SIE.DE": "GE HON ABBN.SW SU.PA",
    "AIR.PA": "BA LMT RTX SAF.PA", "SHEL": "BP XOM CVX TTE", "BP": "SHEL XOM CVX TTE", "XOM": "CVX SHEL BP TTE COP",
    "CVX": "XOM SHEL BP TTE COP", "PFE": "MRK JNJ ABBV BMY LLY", "MRK": "PFE BMY ABBV JNJ LLY", "JNJ": "PFE MRK ABBV LLY",
    "LLY": "NVO MRK ABBV PFE", "ABBV": "JNJ MRK PFE BMY AMGN", "MRNA": "BNTX PFE REGN VRTX", "WMT": "COST TGT AMZN KR DG",
    "TGT": "WMT COST DG DLTR AMZN", "HD": "LOW WMT COST TGT", "LOW": "HD WMT COST TGT", "AXP": "V MA COF DFS",
    "EBAY": "AMZN ETSY MELI BABA", "ZM": "MSFT CSCO TWLO GOOGL", "BRK.B": "CB PGR AIG TRV", "GME": "BBY AMZN WMT",
    "NSRGY": "MDLZ UL KHC GIS PEP", "UL": "PG CL KMB NSRGY",
}  # fmt: skip


# With so many rivals nobody else is named.
_ENOUGH = 3


def similar(ticker: str) -> list[Company]:
    """Other companies: those that are known as rivals, else of the same industry, else of the sector; larger ones first."""
    own = find_company(ticker)
    names = _RIVALS.get(own["ticker"]) or _RIVALS.get(IN_NEW_YORK.get(own["ticker"], ""), "")
    rivals = [row for name in names.split() if (row := company_or_none(name)) and has_price(row["ticker"])]
    if len(rivals) >= _ENOUGH or own["sector"] == UNKNOWN_SECTOR:
        return rivals
    near = sorted(
        (row for row in (*companies(), *_lesser()) if row["sector"] == own["sector"]),
        key=lambda row: (row["industry"] != own["industry"], *_by_size(row)),
    )
    rows: dict[str, Company] = {}
    for row in (*rivals, *near):
        rows.setdefault(short_name(row["name"]), row)
    rows.pop(short_name(own["name"]), None)
    return list(rows.values())


def _by_size(row: Company) -> tuple[bool, float]:
    """Those that are traded in dollars first, larger ones first."""
    return row["currency"] != "USD", -row["price"] * row["shares"]


@functools.cache
def _lesser() -> tuple[Company, ...]:
    """American companies beyond the best known whose price is on record."""
    rows = [row for ticker in with_known_prices() if (row := company_or_none(ticker)) is not None]
    return tuple(row for row in rows if row["currency"] == "USD")
