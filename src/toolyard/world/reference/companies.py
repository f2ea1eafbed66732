"""Companies under stocks, news and jobs: who exists. What their shares cost and earn is in `prices` and `statements`.

{"ticker": "AAPL", "name": "Apple Inc.", "sector": "Technology", "industry": "Consumer Electronics",
 "country": "United States", "exchange": "NASDAQ", "city": "Cupertino", ...}
"""

import functools
from collections.abc import Mapping

from toolyard.world.index import words
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import plain, read_record, read_table
from toolyard.world.reference.listed_companies import Company, directory, short_name
from toolyard.world.reference.places.atlas import country_names

_TRADED_IN = {"XETRA": "EUR", "EURONEXT": "EUR", "BME": "EUR", "MIL": "EUR", "NSE": "INR", "ASX": "AUD",
              "SGX": "SGD", "HKEX": "HKD"}  # fmt: skip
LISTED_BY = "Finance/USStockRealTime/get_stock_symbol_search_endpoint"


@functools.cache
def companies() -> tuple[Company, ...]:
    """The best known companies, in the order of the file (US ones first)."""
    sites = {row["ticker"]: row["site"] for row in read_table("company_sites.tsv")}
    return tuple(
        read_record(
            Company,
            row,
            country=country_names()[row["country"]],
            city=row["head_office"] or row["city"],
            metropolis=row["city"],
            currency=_TRADED_IN.get(row["exchange"], "USD"),
            website=sites.get(row["ticker"]) or f"{short_name(row['name']).split()[0]}.example",
        )
        for row in read_table("companies.tsv")
    )


@functools.cache
def company_activities() -> Mapping[str, str]:
    """Ticker -> what a company does, as the end of a sentence that begins with its name."""
    return {row["ticker"]: row["does"] for row in read_table("company_doings.tsv")}


@functools.cache
def main_tickers() -> Mapping[str, str]:
    """Share in another market or of another class -> the first share of the same company."""
    return {row["ticker"]: row["first"] for row in read_table("sister_shares.tsv")}


@functools.cache
def _company_aliases() -> Mapping[str, str]:
    """Names of old and of parts that people still say -> tickers."""
    return {row["alias"]: row["ticker"].lower() for row in read_table("company_aliases.tsv")}


@functools.cache
def _companies_by_key() -> dict[str, Company]:
    found: dict[str, Company] = {}
    for row in companies():
        short = plain(row["name"]).removeprefix("the ")
        first = short.split()[0].strip(",.")
        name = short_name(row["name"])
        for key in (plain(row["ticker"]), plain(row["name"]), short, name, first, first.removesuffix(".com")):
            found.setdefault(key, row)
    return found


_OF_THE_SHARE = ("ticker", "exchange", "currency")


def _complete_company(row: Company) -> Company:
    """A share with what its company's first share tells: what the company is does not depend on the market."""
    first = main_tickers().get(row["ticker"])
    told = first and (_companies_by_key().get(first.lower()) or directory().find(first.lower()))
    if not told:
        return row
    own = {field: row[field] for field in _OF_THE_SHARE}  # type: ignore[literal-required]
    known = {field: value for field, value in told.items() if value is not None}
    return {**row, **known, **own, "name": row["name"]}  # type: ignore[typeddict-item]


def company_or_none(wanted: str) -> Company | None:
    """The company of a ticker or name ("Apple" will do); None if there is none."""
    key = plain(wanted)
    key = _company_aliases().get(key, key)
    for one in dict.fromkeys((key, key.removeprefix("the "), short_name(key))):
        row = _companies_by_key().get(one) or directory().find(one)
        if row is not None:
            return _companies_by_key().get(row["ticker"].lower()) or _complete_company(row)
    return None


def find_company(wanted: str) -> Company:
    """The company of a ticker or name; a not_found fault with the nearest ones otherwise."""
    row = company_or_none(wanted)
    if row is not None:
        return row
    near = search_companies(wanted, 3) if len(wanted.strip()) > 3 else []
    known = [row["ticker"] for row in companies()]
    raise not_found(
        "company",
        wanted,
        known=known,
        nearest=[one["ticker"] for one in near],
        count=len(known) + len(directory().rows),
        listed_by=LISTED_BY,
    )


def search_companies(text: str, limit: int) -> list[Company]:
    """Companies whose ticker or name fits a text: the one it names first, then well-known and large ones.

    A short text may be the beginning of a ticker.
    """
    wanted, exact, stems = plain(text), company_or_none(text), set(words(text))
    found = [exact] if exact else []
    found += [second for one, first in main_tickers().items() if exact and first == exact["ticker"]
              and "." not in one and (second := company_or_none(one))]  # fmt: skip
    if wanted.isalnum() and len(wanted) < 5:
        found += [row for row in companies() if row["ticker"].lower().startswith(wanted)]
        found += directory().companies_starting_with(wanted, 5)
    found += [row for row in companies() if stems and stems <= set(words(row["name"]))]
    found += directory().search(text, limit)
    rows: dict[str, Company] = {}
    for row in found:
        rows.setdefault(row["ticker"], _companies_by_key().get(row["ticker"].lower(), row))
    return list(rows.values())[:limit]
