"""Finance/Latest_Mutual_Fund_NAV: net asset values of Indian mutual fund schemes."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from datetime import date as calendar_date
from datetime import timedelta
from typing import Annotated, TypedDict

from toolyard.world import seeds, series
from toolyard.world.faults import not_found, out_of_range
from toolyard.world.market_days import is_closed_at_home, last_close
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.days import parse_date
from toolyard.world.shared.geography import read_table
from toolyard.world.state import World
from toolyard.world.types import CurrencyCode, Semantic
from toolyard.world.worlds.finance.rates import PastDay, TradingDate

GROUP = "Finance/Latest_Mutual_Fund_NAV"
_FIRST_PLANS = calendar_date(2013, 1, 1)
# What a unit of a plan costs on its first day.
_FACE_VALUE = 10.0
SchemeName = Annotated[str, Semantic("fund_scheme")]
SchemeType = Annotated[str, Semantic("fund_scheme_type")]
SchemeCategory = Annotated[str, Semantic("fund_scheme_category")]
FundFamily = Annotated[str, Semantic("fund_family")]


class Scheme(TypedDict):
    code: int
    name: SchemeName
    type: SchemeType
    category: SchemeCategory
    family: FundFamily
    nav: float
    began: calendar_date


class LatestNav(TypedDict):
    SchemeCode: int
    SchemeName: SchemeName
    NAV: float
    Date: TradingDate


class PastNav(TypedDict):
    SchemeCode: int
    SchemeName: SchemeName
    SchemeType: SchemeType
    SchemeCategory: SchemeCategory
    MutualFundFamily: FundFamily
    NAV: float
    currency: CurrencyCode
    Date: TradingDate


class TypeEntry(TypedDict):
    SchemeType: SchemeType
    schemes: int


class NameEntry(TypedDict):
    SchemeName: SchemeName
    MutualFundFamily: FundFamily


class FamilyEntry(TypedDict):
    MutualFundFamily: FundFamily
    schemes: int


class CategoryEntry(TypedDict):
    SchemeType: SchemeType
    categories: list[SchemeCategory]


@functools.cache
def schemes() -> tuple[Scheme, ...]:
    """All schemes, in the order of the file."""
    return tuple(
        Scheme(
            code=int(row["code"]),
            name=row["name"],
            type=row["type"],
            category=row["category"],
            family=row["family"],
            nav=float(row["nav"]),
            began=calendar_date.fromisoformat(row["began"]) if row["began"] else _FIRST_PLANS,
        )
        for row in read_table("nav_schemes.tsv")
    )


# Part of a category -> how much more than the index of large Indian shares its schemes rose and fell.
_WITH_SHARES = {"Large & Mid Cap": 1.3, "Small Cap": 1.75, "Mid Cap": 1.5, "Sectoral": 1.3, "Balanced": 0.8, "ELSS": 1.25,
                "Flexi Cap": 1.3, "Multi Cap": 1.26, "Focused": 1.2, "Value": 1.4, "Aggressive": 1.25}  # fmt: skip
_WITH_INDEX = ("Large Cap", "Index Funds", "Other ETFs")
_INDEX_NOW, _INDEX_DAY = 22217.85, calendar_date(2024, 5, 14)
# What the shares of an index pay out in a year, which stays in the scheme.
_PAID_OUT = 0.013
# Quarters of late in which middling and small shares went their own way, as parts of their index now.
_OF_LATE = {
    "Mid Cap": {"2022-09-30": 0.610, "2022-12-30": 0.627, "2023-03-31": 0.598, "2023-06-30": 0.712,
                "2023-09-29": 0.807, "2023-12-29": 0.920, "2024-03-28": 0.957},
    "Small Cap": {"2022-09-30": 0.580, "2022-12-30": 0.599, "2023-03-31": 0.553, "2023-06-30": 0.667,
                  "2023-09-29": 0.784, "2023-12-29": 0.932, "2024-03-28": 0.940},
}  # fmt: skip
_INDEX_QUARTERS = ("2012-12-31", "2013-12-31", "2020-03-23", "2020-06-30", "2020-09-30", "2021-03-31", "2021-06-30",
                   "2021-10-18", "2022-06-17", "2022-09-30", "2023-03-31", "2024-05-10", "2024-05-13",
                   "2024-05-14")  # fmt: skip


def _index_levels() -> dict[str, float]:
    """The index of large Indian shares at the ends of years and of quarters."""
    closes = series.known_prices()["^NSEI"].closes
    ends = {day: close for day, close in closes.items() if day in _INDEX_QUARTERS or day[5:] == "12-31"}
    return {**ends, **{day: closes[day] for day in ("2023-06-30", "2023-09-29", "2024-03-28")}}


def _nav(seed: int, row: Scheme, day: calendar_date) -> tuple[float, str]:
    """The net asset value on a day, or the last one before on which it was told, and that day."""
    if not any(part in row["category"] for part in _WITH_INDEX):
        bars = _values(seed, row)
    else:
        bars = series.bars(seed, "^NSEI", anchor=_INDEX_NOW, anchor_day=_INDEX_DAY, volatility=0.15)
    past = bars.until(day)
    bar = next(past[-back] for back in range(1, 12) if not is_closed_at_home(past[-back]["date"], "IN"))
    if any(part in row["category"] for part in _WITH_INDEX):
        skill = 0.0 if "Other Scheme" in row["category"] else 0.02 * seeds.unit("skill", row["code"]) - 0.01
        years = (_INDEX_DAY - calendar_date.fromisoformat(bar["date"])).days / 365.25
        grown = bar["close"] / _INDEX_NOW * math.exp(-(_PAID_OUT + skill) * years)
        return round(row["nav"] * grown, 2), bar["date"]
    return bar["close"], bar["date"]


# Bonds of a day or of some weeks rise a little every day.
_CALM = {"Liquid Fund": 0.0005, "Overnight Fund": 0.0003, "Arbitrage Fund": 0.006, "": 0.004}


def _settled(row: Scheme) -> str:
    """The day from which a scheme goes along with its index: three years after it began, or always."""
    return (row["began"] + timedelta(days=1000)).isoformat() if row["began"] > _FIRST_PLANS else ""


def _values(seed: int, row: Scheme) -> series.Bars:
    kind, power = next(
        ((name, part) for name, part in _WITH_SHARES.items() if name in row["category"]), ("", 0.0)
    )
    closes: tuple[tuple[str, float], ...] = ()
    if power:
        late = _OF_LATE.get(kind, {})
        index = {day: (close / _INDEX_NOW) ** power for day, close in _index_levels().items()}
        if late:
            index = {day: part for day, part in index.items() if day < min(late) or day > max(late)}
        parts = {**index, **late}
        closes = tuple((day, row["nav"] * part) for day, part in parts.items() if day > _settled(row))
    if row["began"] > _FIRST_PLANS:
        closes = ((row["began"].isoformat(), _FACE_VALUE), *closes)
    volatility = 0.16 if power >= 1 else _CALM.get(row["category"].partition(" - ")[2], 0.02)
    return series.bars(seed, f"NAV:{row['code']}", anchor=row["nav"], volatility=volatility, closes=closes)


def _counted(key: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in schemes():
        found[row[key]] = found.get(row[key], 0) + 1  # type: ignore[literal-required]
    return found


@tool(
    GROUP,
    examples=[{}],
    phrase="get the latest net asset values of all Indian mutual fund schemes",
    noun="the latest net asset values",
)
def fetch_latest_nav(world: World) -> list[LatestNav]:
    """The latest net asset value per unit of every scheme listed here (a choice), in Indian rupees; near the true ones."""
    rows = []
    for row in schemes():
        nav, day = _nav(world.seed, row, last_close(world.now))
        rows.append(LatestNav(SchemeCode=row["code"], SchemeName=row["name"], NAV=nav, Date=day))
    return rows


def _fits(value: str, wanted: str | None) -> bool:
    """Whether every word that is wanted is in the value; "Equity Mid Cap" fits "Equity Scheme - Mid Cap Fund"."""
    return wanted is None or (bool(words(wanted)) and set(words(wanted)) <= set(words(value)))


@tool(
    GROUP,
    examples=[
        {"date": "2020-12-31", "MutualFundFamily": "Axis Mutual Fund", "SchemeCategory": "Equity Mid Cap"},
        {"date": "2023-06-30", "SchemeName": "SBI Small Cap Fund - Direct Plan - Growth"},
        {"date": "2024-03-28", "SchemeType": "Close Ended Schemes"},
    ],
    phrase=(
        "get the net asset values of Indian mutual fund schemes on {date}[, only schemes with {SchemeName} "
        "in their name][, only schemes whose type is {SchemeType}][, only schemes whose fund house is "
        "{MutualFundFamily}][, only schemes with {SchemeCategory} in their category]"
    ),
    noun="the historical net asset values",
)
def fetch_historical_nav(
    world: World,
    *,
    date: PastDay,
    SchemeName: SchemeName | None = None,
    SchemeType: SchemeType | None = None,
    MutualFundFamily: FundFamily | None = None,
    SchemeCategory: SchemeCategory | None = None,
) -> list[PastNav]:
    """Net asset values per unit on a past day (or the trading day before), of at most 25 schemes that fit; simulated along
    the Indian share index, or, of bonds, at a steady rise.

    date: Day from 2013, when direct plans began, to today, YYYY-MM-DD.
    SchemeName: Only schemes with these words in their name.
    SchemeType: Only schemes of this type, as fetch_all_scheme_types lists them.
    MutualFundFamily: Only schemes of this house, as fetch_all_mutual_fund_families lists them.
    SchemeCategory: Only schemes with these words in their category, e.g. Mid Cap.
    """
    day = parse_date(date, "date")
    if not _FIRST_PLANS <= day <= world.today:
        raise out_of_range(
            "date", date, f"want a day from {_FIRST_PLANS}, when direct plans began, to today, {world.today}"
        )
    fitting = _fitting(
        {"name": SchemeName, "type": SchemeType, "family": MutualFundFamily, "category": SchemeCategory}
    )
    first = min(row["began"] for row in fitting)
    if day < first:
        raise out_of_range("date", date, f"what fits began on {first}; want that day or a later one")
    running = [row for row in fitting if row["began"] <= day]
    day = min(day, last_close(world.now))
    return [_past(row, *_nav(world.seed, row, day)) for row in running[:25]]


_LISTED_BY = {
    "name": "fetch_all_scheme_names",
    "type": "fetch_all_scheme_types",
    "family": "fetch_all_mutual_fund_families",
    "category": "fetch_scheme_categories_by_scheme_type",
}


def _fitting(wanted: Mapping[str, str | None]) -> list[Scheme]:
    """The schemes that satisfy all filters; a fault that names the filter which none satisfies."""
    left = list(schemes())
    for key, text in wanted.items():
        known = list(dict.fromkeys(row[key] for row in left))  # type: ignore[literal-required]
        left = [row for row in left if _fits(row[key], text)]  # type: ignore[literal-required]
        if not left:
            raise not_found(
                f"scheme whose {key} fits", text, known=known, listed_by=f"{GROUP}/{_LISTED_BY[key]}"
            )
    return left


def _past(row: Scheme, nav: float, day: str) -> PastNav:
    return PastNav(
        SchemeCode=row["code"],
        SchemeName=row["name"],
        SchemeType=row["type"],
        SchemeCategory=row["category"],
        MutualFundFamily=row["family"],
        NAV=nav,
        currency="INR",
        Date=day,
    )


@tool(
    GROUP,
    examples=[{}],
    phrase="list the types of Indian mutual fund schemes",
    noun="the list of fund scheme types",
)
def fetch_all_scheme_types() -> list[TypeEntry]:
    """The types of schemes in the Indian market, with how many schemes of each are listed here (a choice)."""
    return [{"SchemeType": name, "schemes": count} for name, count in _counted("type").items()]


@tool(
    GROUP,
    examples=[{}],
    phrase="list the names of all Indian mutual fund schemes",
    noun="the list of fund scheme names",
)
def fetch_all_scheme_names() -> list[NameEntry]:
    """The names of all schemes listed here (a choice), each with the house that runs it."""
    return [{"SchemeName": row["name"], "MutualFundFamily": row["family"]} for row in schemes()]


@tool(
    GROUP,
    examples=[{}],
    phrase="list the Indian mutual fund houses",
    noun="the list of mutual fund families",
)
def fetch_all_mutual_fund_families() -> list[FamilyEntry]:
    """The largest houses that run mutual funds in India, with how many of their schemes are listed here (a choice)."""
    return [{"MutualFundFamily": name, "schemes": count} for name, count in _counted("family").items()]


@tool(
    GROUP,
    examples=[{}],
    phrase="list the categories of Indian mutual fund schemes under each scheme type",
    noun="the list of fund scheme categories",
)
def fetch_scheme_categories_by_scheme_type() -> list[CategoryEntry]:
    """The categories of schemes under each type, of the schemes that are listed here (a choice)."""
    return [
        {
            "SchemeType": kind,
            "categories": list(dict.fromkeys(r["category"] for r in schemes() if r["type"] == kind)),
        }
        for kind in _counted("type")
    ]
