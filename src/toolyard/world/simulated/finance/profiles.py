"""What a company is: its business in a sentence, where it sits, who runs it; what no source says is drawn from the seed."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, read_table
from toolyard.world.reference.companies import company_activities, find_company, main_tickers
from toolyard.world.reference.listed_companies import UNKNOWN_SECTOR, Company, short_name
from toolyard.world.reference.people import name_of
from toolyard.world.reference.places.geography import cities

_TITLES = ("Chief Executive Officer", "Chief Financial Officer", "Chief Operating Officer")


@dataclass(frozen=True, slots=True)
class Officer:
    """A person who runs a company."""

    name: str
    title: str
    year_born: int


@functools.cache
def _known_officers() -> Mapping[str, tuple[tuple[str, str], ...]]:
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for row in read_table("officers.tsv"):
        found[row["ticker"]] = (*found.get(row["ticker"], ()), (row["name"], row["title"]))
    return found


def company_officers(seed: int, ticker: str) -> list[Officer]:
    """The heads of a company: those of the table, else three who do not exist."""
    first = main_tickers().get(ticker, ticker)
    known = _known_officers().get(ticker) or _known_officers().get(first)
    named = known or [(name_of(seed, "officer", first, title), title) for title in _TITLES]
    return [Officer(name, title, 1950 + seeds.number(seed, "born", name) % 40) for name, title in named]


def employee_count(seed: int, row: Company) -> int:
    """How many people work for a company."""
    return row["employees"] or round(10 ** (2.7 + 2.3 * seeds.unit(seed, "employees", row["ticker"])))


def founding_year(seed: int, row: Company) -> int:
    """The year in which a company was founded."""
    return row["founded"] or 1890 + seeds.number(seed, "founded", row["ticker"]) % 120


def company_city(seed: int, row: Company) -> str:
    """Where a company has its head office."""
    near = [one["name"] for one in cities() if one["country"] == row["country"]]
    return row["city"] or seeds.pick(near or [row["country"]], seed, "seat", row["ticker"])


def company_website(row: Company) -> str:
    """Where a company is in the web."""
    return row["website"] or f"{plain(short_name(row['name'])).split()[0].strip('.')}.example"


def business_sentence(row: Company) -> str:
    """What a company does, in a sentence."""
    first = main_tickers().get(row["ticker"], "")
    does = company_activities().get(row["ticker"]) or company_activities().get(first)
    trade = " ".join(word if word.isupper() else word.lower() for word in row["industry"].split())
    known = f"is a company of the sector {row['sector']} ({trade})"
    return f"{row['name']} {does or (known if row['sector'] != UNKNOWN_SECTOR else 'is a listed company')}."


def describe_company(seed: int, ticker: str) -> str:
    """A company in two sentences."""
    row = find_company(ticker)
    return (
        f"{business_sentence(row)} It was founded in {founding_year(seed, row)}, has its head office in "
        f"{company_city(seed, row)}, {row['country']}, and employs {employee_count(seed, row):,} people."
    )
