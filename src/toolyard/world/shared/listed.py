"""Listed companies beyond the well-known ones: index members, US filers, large companies of other markets.

Names, exchanges, head offices and sizes are facts of the tables (what they do not say is None or empty), and so are the
price of 15 May 2024 and the number of shares of large ones; of others only the scale is right, and no price is told.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.reference.packed import packed
from toolyard.world.search import words
from toolyard.world.shared.geography import countries, currencies
from toolyard.world.shared.listed_then import as_of_2024, names_then
from toolyard.world.shared.same_company import with_what_sisters_tell
from toolyard.world.tables import plain, read_table
from toolyard.world.types import (
    CityName,
    CompanyName,
    CountryName,
    CurrencyCode,
    DomainName,
    ExchangeCode,
    Industry,
    Sector,
    Ticker,
)


class Company(TypedDict):
    """A listed company; `price` is the close of 15 May 2024, `shares` and yearly `sales` are in millions; None is not known.

    `city` has the head office, `metropolis` is the large city in or near which most people work.
    """

    ticker: Ticker
    name: CompanyName
    sector: Sector
    industry: Industry
    country: CountryName
    exchange: ExchangeCode
    city: CityName | None
    metropolis: CityName | None
    currency: CurrencyCode
    website: DomainName | None
    price: float
    shares: int
    employees: int | None
    founded: int | None
    sales: float | None
    dividend: float | None


UNKNOWN_SECTOR = "Other"
# Place by market value among US filers -> millions of dollars in May 2024, about.
_PLACES = (1, 10, 100, 500, 1000, 3000, 6000, 12000)
_VALUES = (3_000_000, 480_000, 130_000, 32_000, 13_000, 1_600, 120, 5)
_ENDINGS = frozenset(
    "& inc. inc corp. corp corporation co. co company companies ltd. ltd limited plc p.l.c. ag se sa s.a. s.p.a. n.v. "
    "nv a/s ab oyj group holdings holding llc l.p. platforms (publisher)".split()
)


# The state that filings add to a name: "Rivian Automotive, Inc. / DE".
_STATE = re.compile(r"\s*/\s*(?:[A-Z]{2,4}\s*/?)?$")


# What an encyclopedia adds to tell a company from other things of its name.
_MEANT = re.compile(
    r" \((?:brand|company|airline|business|corporation|automobile|retailer|bank|software company|American company|"
    r"pharmaceutical company|publisher|clothing retailer|Ohio|de|\d{4}[^)]*)\)$"
)


# Legal forms that the table writes as if they were words: Latam Airlines Group S.a.
_FORM = re.compile(r"\b(?:S\.a\.(?:[a-z]\.)*|N\.v\.|L\.p\.|A\.s\.|Se$)")


def _written(name: str) -> str:
    """A name without the state of its filing and without what an encyclopedia adds, its legal form in capitals."""
    return _FORM.sub(lambda form: form[0].upper(), _MEANT.sub("", _STATE.sub("", name)))


def short_name(name: str) -> str:
    """A plain name without its legal form: `adidas`, `berkshire hathaway`."""
    parts = plain(name).removeprefix("the ").replace(",", "").split()
    while len(parts) > 1 and parts[-1] in _ENDINGS:
        parts.pop()
    return " ".join(parts)


def market_value(rank: int) -> float:
    """Millions of dollars that the company at this place is worth, on a line between known ones (logarithmic)."""
    place = min(max(bisect_left(_PLACES, rank), 1), len(_PLACES) - 1)
    low, high = _PLACES[place - 1], _PLACES[place]
    part = (min(rank, high) - low) / (high - low)
    before, after = _VALUES[place - 1], _VALUES[place]
    return float(before * (after / before) ** part)


@functools.cache
def _rates() -> Mapping[str, float]:
    return {row["code"]: row["per_usd"] for row in currencies()}


@functools.cache
def _country_names() -> Mapping[str, str]:
    return {row["code"]: row["name"] for row in countries()}


@functools.cache
def _known_values() -> Mapping[str, tuple[float, float]]:
    """Ticker -> price of a share on 15 May 2024 and millions of shares, of large companies."""
    return {
        row["ticker"]: (float(row["price"]), float(row["shares"])) for row in read_table("listed_prices.tsv")
    }


def with_known_prices() -> list[str]:
    """The tickers of all companies beyond the best known whose price is on record."""
    return list(_known_values())


def has_known_price(ticker: str) -> bool:
    """Whether the price of a share is that of 15 May 2024 and not a simulated one."""
    return ticker in _known_values()


# Legal forms that only companies of one country have, at the end of a name.
_FORM_OF = {
    "IT": r"S\.?p\.?A\.?",
    "DK": r"A/S",
    "SE": r"AB(?: \(publ\))?",
    "NO": r"ASA",
    "FI": r"Oyj",
    "NL": r"N\.?V\.?",
    "MX": r"(?:S\.?A\.?B\.? )?de C\.?V\.?",
    "DE": r"(?:SE|AG|KGaA)",
    "GB": r"PLC",
    "MY": r"(?:Berhad|Bhd)",
    "ID": r"Tbk",
}


def _home_by_form(name: str) -> str:
    """Code of the country whose companies have the legal form of a name; nothing where it does not tell."""
    return next(
        (code for code, form in _FORM_OF.items() if re.search(rf" {form}\.?$", name, re.IGNORECASE)), ""
    )


def listed(fields: Mapping[str, str]) -> Company:
    """A row of a table as a company."""
    ticker, rank = fields["ticker"], fields.get("rank")
    sales = float(fields.get("revenue") or 0)
    value = market_value(int(rank)) if rank else sales * 1.6 or 9_000.0
    chance = seeds.unit("share price", ticker)
    dollars = 10 ** (0.9 + 1.5 * chance) if value > 1_000 else 10 ** (0.1 + 1.2 * chance)
    simulated = (round(dollars * _rates().get(fields["currency"], 1.0), 2), value / dollars)
    price, shares = _known_values().get(ticker, simulated)
    home = fields["country"] or (
        "US" if fields["exchange"] != "OTC" else _home_by_form(_written(fields["name"]))
    )
    return Company(
        ticker=ticker,
        name=_written(fields["name"]),
        sector=fields["sector"] or UNKNOWN_SECTOR,
        industry=fields["industry"] or UNKNOWN_SECTOR,
        country=_country_names().get(home, "United States"),
        exchange=fields["exchange"],
        city=fields["city"] or None,
        metropolis=fields["city"] or None,
        currency=fields["currency"],
        website=fields.get("website") or None,
        price=price,
        shares=max(1, round(shares)),
        employees=int(fields["employees"]) if fields.get("employees") else None,
        founded=int(fields["founded"]) if fields.get("founded") else None,
        sales=sales or None,
        dividend=None,
    )


def _abroad() -> Iterator[dict[str, str]]:
    yield from read_table("companies_abroad.tsv")


# What companies are called in full that the table has by the name of every day.
_IN_FULL = {
    "ADP": "Automatic Data Processing",
    "BDX": "Becton Dickinson",
    "BEN": "Franklin Resources",
    "CPB": "Campbell Soup",
    "DE": "Deere & Company",
    "ON": "ON Semiconductor",
    "SMCI": "Super Micro Computer",
}


class Directory:
    """Listed companies by ticker and name; a row becomes a company when it is asked for."""

    def __init__(self) -> None:
        table = packed("listed_companies")
        rows = [dict(zip(table.columns, fields, strict=True)) for fields in table]
        rows = with_what_sisters_tell(as_of_2024(rows), _abroad(), short_name)
        rows.sort(key=_importance)
        self.rows = [*_abroad(), *rows]
        self._places: dict[str, int] = {}
        # Names in full, without legal form, and by the first word alone: Palantir Technologies is Palantir.
        self._called: dict[str, int] = {}
        for place, row in enumerate(self.rows):
            self._places.setdefault(row["ticker"].lower(), place)
        firsts: list[tuple[str, int]] = []
        for place, row in enumerate(self.rows):
            name = row["name"]
            short = short_name(name)
            firsts.append((short.partition(" ")[0], place))
            for key in (plain(name), short, *(_in_brackets(name) if "(" in name else ())):
                self._places.setdefault(key, place)
                self._called.setdefault(key, place)
        for place, row in enumerate(self.rows):
            for other in (row.get("others") or "").split(";") if row.get("others") else ():
                self._places.setdefault(plain(other), place)
                firsts.append((plain(other), place))
        for place, row in enumerate(self.rows):
            if row["ticker"] in _IN_FULL:
                self._places.setdefault(short_name(_IN_FULL[row["ticker"]]), place)
        for first, place in firsts:
            if len(first) > 4:
                self._called.setdefault(first, place)
        self._places.pop("", None)

    @functools.cached_property
    def _named(self) -> Mapping[str, list[int]]:
        """Word -> places of the companies with it in their names; made when somebody searches."""
        found: dict[str, list[int]] = {}
        for place, row in enumerate(self.rows):
            called = f"{_MEANT.sub('', row['name'])} {_IN_FULL.get(row['ticker'], '')}"
            for word in dict.fromkeys(words(called)):
                found.setdefault(word, []).append(place)
        return found

    @functools.cached_property
    def _words(self) -> list[str]:
        return sorted(self._named)

    def search(self, text: str, limit: int) -> list[Company]:
        """Companies whose name holds all the words, the last one perhaps only its beginning; large ones first."""
        wanted = words(text)
        if not wanted:
            return []
        *whole, last = wanted
        start = bisect_left(self._words, last)
        places: set[int] = set()
        for word in self._words[start : start + 400]:
            if not word.startswith(last):
                break
            places.update(self._named[word])
        for word in whole:
            places &= set(self._named.get(word, ()))
        return [company_at(place) for place in sorted(places)[:limit]]

    @functools.cached_property
    def _tickers(self) -> list[tuple[str, int]]:
        return sorted((row["ticker"].lower(), place) for place, row in enumerate(self.rows))

    def beginning(self, text: str, limit: int) -> list[Company]:
        """Companies of some size whose ticker begins with a text in small letters; American and larger ones first."""
        places: list[tuple[bool, int]] = []
        for ticker, place in self._tickers[bisect_left(self._tickers, (text, 0)) :]:
            if not ticker.startswith(text):
                break
            if has_known_price(self.rows[place]["ticker"]) or "." in ticker:
                places.append(("." in ticker, place))
        return [company_at(place) for _, place in sorted(places)[:limit]]

    def called(self, name: str) -> int | None:
        """The place of the company with a plain name; tickers are no names."""
        return self._called.get(name)

    def find(self, key: str) -> Company | None:
        """The company of a plain ticker or name."""
        place = self._places.get(key)
        if place is None and key[-2:-1] == "-":
            place = self._places.get(f"{key[:-2]}.{key[-1]}")
        return None if place is None else company_at(place)


def _importance(row: Mapping[str, str]) -> tuple[int, float, int]:
    price, shares = _known_values().get(row["ticker"], (0.0, 0.0))
    # Where sales are not known, a third of the value stands for them.
    size = float(row["revenue"] or 0) or (price * shares / 3 if row["currency"] == "USD" else 0.0)
    large = row["indices"] or row["ticker"] in _known_values()
    return (0 if large else 1, -size, int(row["rank"] or 99_999))


def _in_brackets(name: str) -> tuple[str, ...]:
    """Both names of `InterGlobe Aviation (IndiGo)`."""
    first, bracket, second = plain(name).partition(" (")
    return (first, second.strip(")")) if bracket else ()


@functools.cache
def _all_names() -> str:
    """Everything that the directory says, as plain text."""
    further = (*names_then(), *(text for row in _abroad() for text in row.values()))
    return "\n" + (packed("listed_companies").text + plain("\n".join(further))).replace(",", "")


def may_be_called(name: str) -> bool:
    """Whether a plain name stands in the directory at all, which is cheaper to tell than whose it is."""
    text, wanted = _all_names(), name.replace(",", "")
    return wanted in text and any(_stands(text, mark + wanted) for mark in ("\t", "\n", ";", "(", "the "))


def _stands(text: str, wanted: str) -> bool:
    """Whether a text holds this as whole words."""
    place = text.find(wanted)
    while place >= 0 and text[place + len(wanted) : place + len(wanted) + 1].isalnum():
        place = text.find(wanted, place + 1)
    return place >= 0


@functools.cache
def directory() -> Directory:
    """All listed companies; built once per process, when first asked for."""
    return Directory()


@functools.lru_cache(maxsize=4096)
def company_at(place: int) -> Company:
    """The company at a place of the directory."""
    return listed(directory().rows[place])
