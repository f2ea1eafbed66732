"""Finance/Latest_Mutual_Fund_NAV: net asset values of Indian mutual fund schemes."""

import functools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date as calendar_date
from typing import Annotated, TypedDict

from toolyard.world.index import words
from toolyard.world.kernel.faults import not_found, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import read_record, read_table, table_texts
from toolyard.world.kernel.types import CurrencyCode, Semantic
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import parse_date
from toolyard.world.reference.market_days import last_close
from toolyard.world.simulated.finance.rates import PastDay, TradingDate
from toolyard.world.simulated.prices import level, path
from toolyard.world.simulated.series import Bar, Bars

GROUP = Group("Finance/Latest_Mutual_Fund_NAV")
_FIRST_PLANS = calendar_date(2013, 1, 1)
SchemeName = Annotated[str, Semantic("fund_scheme")]
SchemeType = Annotated[str, Semantic("fund_scheme_type")]
SchemeCategory = Annotated[str, Semantic("fund_scheme_category")]
FundFamily = Annotated[str, Semantic("fund_family")]


@dataclass(frozen=True, slots=True)
class Scheme:
    """A scheme of a fund house."""

    code: int
    name: str
    type: str
    category: str
    family: str
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
    NAV: float


class FamilyEntry(TypedDict):
    MutualFundFamily: FundFamily
    schemes: int


class CategoryEntry(TypedDict):
    SchemeType: SchemeType
    categories: list[SchemeCategory]


@functools.cache
def fund_schemes() -> tuple[Scheme, ...]:
    """All schemes, in the order of the file."""
    return tuple(
        read_record(
            Scheme,
            row,
            began=calendar_date.fromisoformat(row["began"]) if row["began"] else _FIRST_PLANS,
        )
        for row in read_table("nav_schemes.tsv")
    )


def _latest(world: World, row: Scheme) -> Bar:
    return net_asset_values(world.seed, row, last_close(world.now))[-1]


def net_asset_values(seed: int, row: Scheme, day: calendar_date) -> Bars:
    """The net asset values of a scheme in rupees up to a day, oldest first."""
    symbol = f"NAV:{row.code}"
    return Bars(path(seed, symbol, level(seed, symbol, "MUTUALFUND"))).until(day)


@GROUP.tool(
    phrase="get the latest net asset values of all Indian mutual fund schemes",
    noun="the latest net asset values",
)
def fetch_latest_nav(world: World) -> list[LatestNav]:
    """The latest net asset value per unit of every scheme, in Indian rupees."""
    return View.of(
        LatestNav,
        SchemeCode="code",
        SchemeName="name",
        NAV=lambda row: _latest(world, row)["close"],
        Date=lambda row: _latest(world, row)["date"],
    ).rows(fund_schemes())


def _has_words(value: str, wanted: str | None) -> bool:
    """Whether every word that is wanted is in the value; "Equity Mid Cap" fits "Equity Scheme - Mid Cap Fund"."""
    return wanted is None or (bool(words(wanted)) and set(words(wanted)) <= set(words(value)))


@GROUP.tool(
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
    """Net asset values per unit on a past day (or the trading day before), of at most 25 schemes that fit.

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
    fitting = _fitting_schemes(
        {"name": SchemeName, "type": SchemeType, "family": MutualFundFamily, "category": SchemeCategory}
    )
    first = min(row.began for row in fitting)
    if day < first:
        raise out_of_range("date", date, f"what fits began on {first}; want that day or a later one")
    day = min(day, last_close(world.now))
    view = View.of(
        PastNav,
        SchemeCode="code",
        SchemeName="name",
        SchemeType="type",
        SchemeCategory="category",
        MutualFundFamily="family",
        NAV=lambda row: net_asset_values(world.seed, row, day)[-1]["close"],
        currency=lambda _: "INR",
        Date=lambda row: net_asset_values(world.seed, row, day)[-1]["date"],
    )
    return view.rows([row for row in fitting if row.began <= day][:25])


_LISTED_BY = table_texts("funds.listed_by")


def _fitting_schemes(wanted: Mapping[str, str | None]) -> list[Scheme]:
    """The schemes that satisfy all filters; a fault that names the filter which none satisfies."""
    left = list(fund_schemes())
    for key, text in wanted.items():
        known = list(dict.fromkeys(getattr(row, key) for row in left))
        left = [row for row in left if _has_words(getattr(row, key), text)]
        if not left:
            raise not_found(
                f"scheme whose {key} fits", text, known=known, listed_by=f"{GROUP}/{_LISTED_BY[key]}"
            )
    return left


@GROUP.tool(
    phrase="list the types of Indian mutual fund schemes",
    noun="the list of fund scheme types",
)
def fetch_all_scheme_types() -> list[TypeEntry]:
    """The types of schemes in the Indian market, with how many schemes of each there are."""
    return [
        {"SchemeType": name, "schemes": count}
        for name, count in Counter(row.type for row in fund_schemes()).items()
    ]


@GROUP.tool(
    phrase="list the names of all Indian mutual fund schemes",
    noun="the list of fund scheme names",
)
def fetch_all_scheme_names(world: World) -> list[NameEntry]:
    """The names of all schemes, each with the house that runs it."""
    return View.of(
        NameEntry, SchemeName="name", MutualFundFamily="family", NAV=lambda row: _latest(world, row)["close"]
    ).rows(fund_schemes())


@GROUP.tool(
    phrase="list the Indian mutual fund houses",
    noun="the list of mutual fund families",
)
def fetch_all_mutual_fund_families() -> list[FamilyEntry]:
    """The largest houses that run mutual funds in India, with how many schemes they have."""
    return [
        {"MutualFundFamily": name, "schemes": count}
        for name, count in Counter(row.family for row in fund_schemes()).items()
    ]


@GROUP.tool(
    phrase="list the categories of Indian mutual fund schemes under each scheme type",
    noun="the list of fund scheme categories",
)
def fetch_scheme_categories_by_scheme_type() -> list[CategoryEntry]:
    """The categories of schemes under each type."""
    return [
        {
            "SchemeType": kind,
            "categories": list(dict.fromkeys(row.category for row in fund_schemes() if row.type == kind)),
        }
        for kind in dict.fromkeys(row.type for row in fund_schemes())
    ]
