"""Job/the_muse: which companies a name means, and jobs beyond the table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolyard.world.faults import not_found, out_of_range
from toolyard.world.shared.companies import company_or_none
from toolyard.world.shared.geography import plain
from toolyard.world.worlds.job.employers import Employer, employers, hubs
from toolyard.world.worlds.job.occupations import occupations
from toolyard.world.worlds.job.postings import Level, Posting, another, mentions, more_of

# The holding whose people work for Google.
_HOLDING, _HELD = "Alphabet Inc.", "Google"
_WORD = re.compile(r"[^\W_]+")
_TRADES = {
    "Drug Manufacturers": "the making of drugs", "Auto Manufacturers": "the making of cars", "Banks": "banking",
    "Airlines": "air travel", "Restaurants": "the restaurant trade", "Hotels": "the hotel trade",
    "Hospitals": "health care", "Coffee Shops": "the coffee trade", "REIT": "real estate", "Gold": "gold mining",
    "Internet Content": "internet services",
}  # fmt: skip


# What people call an industry -> how it stands in the lists.
_CALLED = {
    "banking": "Banks", "bank": "Banks", "finance": "Financial Services", "financial": "Financial Services",
    "tech": "Technology", "information technology": "IT Services", "health care": "Healthcare", "health": "Healthcare",
    "pharma": "Drug Manufacturers", "pharmaceutical": "Drug Manufacturers", "pharmaceuticals": "Drug Manufacturers",
    "automotive": "Auto Manufacturers", "cars": "Auto Manufacturers", "media": "Entertainment", "hospitality": "Hotels",
    "oil and gas": "Oil & Gas", "e-commerce": "Internet Retail", "ecommerce": "Internet Retail", "aviation": "Airlines",
    "food": "Packaged Foods", "law": "Legal Services", "telecommunications": "Telecom Services", "marketing": "Advertising",
    "logistics": "Freight & Logistics", "aerospace": "Aerospace & Defense", "consultancy": "Consulting",
}  # fmt: skip


def industries_called(names: Sequence[str] | None) -> list[str] | None:
    """Industries by the names under which they stand in the lists."""
    return None if names is None else [_CALLED.get(plain(name), name) for name in names]


def _said(name: str) -> str:
    """The words of a name with one blank around each."""
    return f" {' '.join(_WORD.findall(plain(name)))} "


def employers_named(seed: int, names: Sequence[str] | None) -> frozenset[int] | None:
    """Ids of the employers that names or tickers mean, whole words only; None where none are wanted, else a fault."""
    if not names:
        return None
    found: set[int] = set()
    for name in names:
        ids = _named(seed, name)
        if not ids:
            raise not_found("company", name[:60], known=[row["name"] for row in employers(seed)])
        found |= ids
    return frozenset(found)


def _named(seed: int, name: str) -> set[int]:
    wanted = _said(name)
    listed = company_or_none(name)
    exact = {row["id"] for row in employers(seed) if listed and row["ticker"] == listed["ticker"]}
    words = {row["id"] for row in employers(seed) if wanted.strip() and wanted in _said(row["name"])}
    longer = {row["id"] for row in employers(seed) if row["ticker"] is None and _said(row["name"]) in wanted}
    meant = (words if len(wanted) > 4 else set()) | exact or words or longer
    names = {row["name"]: row["id"] for row in employers(seed)}
    return meant | {names[_HELD]} if names[_HOLDING] in meant else meant


def hirers(seed: int, row: Employer) -> list[int]:
    """Ids under which an employer has jobs: its own, and for a holding that of the house it holds."""
    held = [other["id"] for other in employers(seed) if row["name"] == _HOLDING and other["name"] == _HELD]
    return [row["id"], *held]


def further_jobs(
    seed: int, category: Sequence[str] | None, level: Sequence[Level] | None, location: Sequence[str] | None
) -> list[Posting]:
    """Jobs beyond the table of a category in the cities with postings, where it has none that fit."""
    if not category or not location:
        return []
    found = (
        another(seed, number)
        for city in hubs()
        if any(
            mentions(f"{city['name']}, {city['region_code']}, {city['country']}", name) for name in location
        )
        for work in occupations()
        if any(mentions(work["category"], name) for name in category)
        for number in more_of(work["title"], city)
    )
    known = {row["id"] for row in employers(seed)}
    return [
        row
        for row in found
        if row and row["employer"]["id"] in known and (not level or row["level"] in level)
    ]


def check_page(page: int, pages: int) -> None:
    """Refuses a page after the last one."""
    if pages and page >= pages:
        told = (
            f"there are {pages} pages, the last one is {pages - 1}" if pages > 1 else "there is one page, 0"
        )
        raise out_of_range("page", page, told)


def trade(row: Employer) -> str:
    """What an employer works in."""
    return _TRADES.get(row["industry"], row["industry"].lower())


def industries(row: Employer) -> list[str]:
    """Industry and sector of a company; of a local house the industry alone."""
    return list(dict.fromkeys((row["industry"], *([row["kind"]] if row["kind"][0].isupper() else []))))
