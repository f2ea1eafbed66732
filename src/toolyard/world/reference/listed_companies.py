"""Listed companies beyond the best known: index members, US filers and large companies of other markets."""

import functools
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TypedDict, overload

from toolyard.world.index import words
from toolyard.world.index.postings import Postings
from toolyard.world.kernel.tables import plain, read_record, share_keys, table_words
from toolyard.world.kernel.types import (
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
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.atlas import country_names


class Company(TypedDict):
    """A listed company; `city` has the head office, `metropolis` is the large city near it; None where no source says it."""

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
    employees: int | None
    founded: int | None


UNKNOWN_SECTOR = "Other"
_ENDINGS = frozenset(table_words("listed_companies.endings"))


def short_name(name: str) -> str:
    """A plain name without its legal form: `adidas`, `berkshire hathaway`."""
    parts = plain(name).removeprefix("the ").replace(",", "").split()
    while len(parts) > 1 and parts[-1] in _ENDINGS:
        parts.pop()
    return " ".join(parts)


def read_company(fields: Mapping[str, str]) -> Company:
    """A row of the table as a company."""
    return read_record(
        Company,
        fields,
        sector=fields["sector"] or UNKNOWN_SECTOR,
        industry=fields["industry"] or UNKNOWN_SECTOR,
        country=country_names().get(fields["country"], "United States"),
        metropolis=fields["city"] or None,
    )


def _bracketed_names(name: str) -> tuple[str, ...]:
    """Both names of `InterGlobe Aviation (IndiGo)`."""
    first, bracket, second = plain(name).partition(" (")
    return (first, second.strip(")")) if bracket else ()


class _Rows(Sequence[Mapping[str, str]]):
    """The rows of the table, each made when it is asked for."""

    def __init__(self) -> None:
        self._table = packed_table("listed_companies")

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, place: int) -> Mapping[str, str]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Mapping[str, str]]: ...
    def __getitem__(self, place: int | slice) -> Mapping[str, str] | Sequence[Mapping[str, str]]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        return dict(zip(self._table.columns, self._table[place], strict=True))


class Directory:
    """Listed companies by ticker and name, important ones first; a row becomes a company when it is asked for."""

    def __init__(self) -> None:
        self.rows = _Rows()
        self._places: dict[str, int] = {}
        # Names in full, without legal form, and by the first word alone: Palantir Technologies is Palantir.
        self._called: dict[str, int] = {}
        firsts: list[tuple[str, int]] = []
        for place, row in enumerate(self.rows):
            self._places.setdefault(row["ticker"].lower(), place)
        for place, row in enumerate(self.rows):
            name, short = row["name"], short_name(row["name"])
            firsts.append((short.partition(" ")[0], place))
            for key in (plain(name), short, *(_bracketed_names(name) if "(" in name else ())):
                self._places.setdefault(key, place)
                self._called.setdefault(key, place)
        for place, row in enumerate(self.rows):
            for other in row["others"].split(";") if row["others"] else ():
                self._places.setdefault(plain(other), place)
                firsts.append((plain(other), place))
        for first, place in firsts:
            if len(first) > 4:
                self._called.setdefault(first, place)
        self._places.pop("", None)

    @functools.cached_property
    def _indices_by_word(self) -> Postings:
        """Word -> places of the companies with it in their names; made when somebody searches."""
        found: dict[str, list[int]] = {}
        for place, row in enumerate(self.rows):
            for word in dict.fromkeys(words(f"{row['name']} {row['others']}")):
                found.setdefault(word, []).append(place)
        return Postings(found)

    def search(self, text: str, limit: int) -> list[Company]:
        """Companies whose name holds all the words, the last one perhaps only its beginning; large ones first."""
        *whole, last = words(text) or [""]
        places: set[int] = set()
        known = self._indices_by_word.keys
        for word in known[bisect_left(known, last) :][:400] if last else ():
            if not word.startswith(last):
                break
            places.update(self._indices_by_word[word])
        for word in whole:
            places &= set(self._indices_by_word[word])
        return [company_by_index(place) for place in sorted(places)[:limit]]

    @functools.cached_property
    def _ticker_indices(self) -> list[tuple[str, int]]:
        return sorted((row["ticker"].lower(), place) for place, row in enumerate(self.rows))

    def companies_starting_with(self, text: str, limit: int) -> list[Company]:
        """Companies whose ticker begins with a text in small letters; American and larger ones first."""
        places: list[tuple[bool, int]] = []
        for ticker, place in self._ticker_indices[bisect_left(self._ticker_indices, (text, 0)) :]:
            if not ticker.startswith(text):
                break
            places.append(("." in ticker or self.rows[place]["exchange"] == "OTC", place))
        return [company_by_index(place) for _, place in sorted(places)[:limit]]

    def index_by_name(self, name: str) -> int | None:
        """The place of the company with a plain name; tickers are no names."""
        return self._called.get(name)

    def find(self, key: str) -> Company | None:
        """The company of a plain ticker or name."""
        place = self._places.get(key)
        if place is None and key[-2:-1] == "-":
            place = self._places.get(f"{key[:-2]}.{key[-1]}")
        return None if place is None else company_by_index(place)


@functools.cache
def _directory_text() -> str:
    """Everything that the directory says, as plain text; one dash beyond ASCII would double its memory."""
    return _ascii_text("\n" + packed_table("listed_companies").plain_text().decode().replace(",", ""))


def _ascii_text(text: str) -> str:
    return text.encode("ascii", "replace").decode()


def may_be_company(name: str) -> bool:
    """Whether a plain name stands in the directory at all, which is cheaper to tell than whose it is."""
    text, wanted = _directory_text(), _ascii_text(name.replace(",", ""))
    return wanted in text and any(_has_words(text, mark + wanted) for mark in ("\t", "\n", ";", "(", "the "))


def _has_words(text: str, wanted: str) -> bool:
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
def company_by_index(place: int) -> Company:
    """The company at a place of the directory."""
    return share_keys(read_company(directory().rows[place]))
