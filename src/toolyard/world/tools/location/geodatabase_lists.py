"""Location/Geodatabase: currencies, locales, time zones and universities."""

import functools
import re
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, TypedDict

from toolyard.core.types import Record
from toolyard.world.index import Index
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import (
    filter_rows,
    page,
    plain,
    read_record,
    read_table,
    share_keys,
    table_texts,
    table_words,
)
from toolyard.world.kernel.types import (
    CityName,
    CountryCode,
    CountryName,
    DomainName,
    IsoDateTime,
    LocaleCode,
    Page,
    Semantic,
    TimeZoneName,
)
from toolyard.world.reference.days import iso_stamp, zone
from toolyard.world.reference.encyclopaedia.place_entries import other_names
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.gazetteer import TABLES, ZONES_SINCE
from toolyard.world.reference.places.geography import (
    Currency,
    cities,
    countries,
    country_names,
    currencies,
    find_country,
)
from toolyard.world.tools.location.geodatabase import GROUP, CountryKey, Limit, Offset

# Universität, université, università, universidad(e), universiteit, universitet, uniwersytet ...
_UNIVERSITY = re.compile(r"\b(?:universit\w*|universidad\w*|uniwersytet\w*)")
UniversityName = Annotated[str, Semantic("university")]


class LocaleEntry(TypedDict):
    code: LocaleCode
    language: str
    countryCode: CountryCode


class ZoneEntry(TypedDict):
    id: TimeZoneName
    country: CountryName


class ZoneTime(TypedDict):
    zoneId: TimeZoneName
    date_time: IsoDateTime


class University(TypedDict):
    name: UniversityName
    country: CountryName
    city: CityName | None
    domain: DomainName
    founded: int | None


# Lands that have no currency.
_WITHOUT = frozenset(("AQ",))


@GROUP.tool(
    examples=[{}, {"countryId": "CH"}],
    phrase=(
        "list currencies with their symbols and how many of them a US dollar buys[, only those used in {countryId}][, "
        "returning at most {limit} of them][, skipping the first {offset}]"
    ),
    noun="the list of currencies",
    jobs=("exchange rates", "currencies"),
)
def get_currencies(
    *, countryId: CountryKey | None = None, limit: Limit = 10, offset: Offset = 0
) -> Page[Currency]:
    """Currencies with name, symbol and how many units one US dollar buys, all or those of one country.

    countryId: ISO 3166 code, name or Wikidata id of a country.
    limit: How many to return.
    offset: How many to skip.
    """
    country = find_country(countryId) if countryId is not None else None
    code = country["currency"] if country else None
    if country and country["code"] in _WITHOUT:
        raise invalid("countryId", countryId, f"{country['name']} has no currency of its own")
    return page(filter_rows(currencies(), code=code), limit, offset)


@functools.cache
def _locale_entries() -> tuple[LocaleEntry, ...]:
    """The locales of the Common Locale Data Repository that name a country, those of a script without it."""
    from babel import Locale
    from babel.localedata import locale_identifiers

    known, english = {row["code"] for row in countries()}, Locale("en").languages
    parts = (code.split("_") for code in locale_identifiers())
    pairs = {
        (part[0], part[-1]) for part in parts if len(part) == 2 or (len(part) == 3 and len(part[1]) == 4)
    }
    return tuple(
        LocaleEntry(code=f"{language}_{country}", language=english[language], countryCode=country)
        for language, country in sorted(pairs, key="_".join)
        if country in known and language in english
    )


@GROUP.tool(
    examples=[{"limit": 5, "offset": 10}],
    phrase=(
        "list the known locales of language and country[, returning at most {limit} of them][, skipping the "
        "first {offset}]"
    ),
    noun="the list of locales",
)
def get_locales(*, limit: Limit = 10, offset: Offset = 0) -> Page[LocaleEntry]:
    """Known combinations of language and country, by code.

    limit: How many to return.
    offset: How many to skip.
    """
    return page(_locale_entries(), limit, offset)


@functools.cache
def _zone_entries() -> tuple[ZoneEntry, ...]:
    """The zones in which towns and countries lie, each with the country of most of them."""
    names = country_names()
    count = Counter(
        (row[7], names[row[2]]) for table in TABLES for row in packed_table(table) if row[2] in names
    )
    found = {name: country for (name, country), _ in reversed(count.most_common())}
    found |= {row["time_zone"]: row["name"] for row in countries() if row["time_zone"] not in found}
    found |= {row["time_zone"]: row["country"] for row in cities()}
    return tuple(ZoneEntry(id=name, country=found[name]) for name in sorted(found) if name not in ZONES_SINCE)


@GROUP.tool(
    examples=[{"limit": 5}],
    phrase=(
        "list the known time zones by IANA name[, returning at most {limit} of them][, skipping the first "
        "{offset}]"
    ),
    noun="the list of time zones",
)
def get_time_zones(*, limit: Limit = 10, offset: Offset = 0) -> Page[ZoneEntry]:
    """Time zones by their IANA names, without those that are only other names.

    limit: How many to return.
    offset: How many to skip.
    """
    return page(_zone_entries(), limit, offset)


@GROUP.tool(
    examples=[{"zoneId": "Asia/Tokyo"}],
    phrase="tell me the current date and time in {zoneId}",
    noun="the current date and time",
    jobs=("date and time of now",),
)
def get_time_zone_date_time(world: World, *, zoneId: TimeZoneName) -> ZoneTime:
    """The date and time that it is now in a time zone.

    zoneId: IANA name, as get_time_zones returns it.
    """
    if zoneId.strip() in ZONES_SINCE:
        raise invalid("zoneId", zoneId, f"not set apart yet; want {ZONES_SINCE[zoneId.strip()]}")
    return {"zoneId": zoneId, "date_time": iso_stamp(world.now.astimezone(zone(zoneId)))}


# Words that are misspelt in the reference table, and addresses there that are of offices or of what has merged since.
_MISSPELT = table_texts("geodatabase_lists.misspelt")
_OFFICES = frozenset(table_words("geodatabase_lists.offices"))


_QUOTES = {0x91: "'", 0x92: "'", 0x93: '"', 0x94: '"', 0x96: "-"}


def _correct_spelling(name: str) -> str:
    name = name.translate(_QUOTES)
    return re.sub(r"[A-Za-z]{5,}", lambda word: _MISSPELT.get(word[0].lower(), word[0]), name)


def _universities_from_table(table: str) -> list[University]:
    """The universities of a table of ours."""
    names = country_names()
    return [read_record(University, row, country=names[row["country"]]) for row in read_table(table)]


@functools.cache
def _all_universities() -> tuple[University, ...]:
    """The written ones with town and year, then those of the reference table, of most of which both are not known."""
    names = country_names()
    written = _universities_from_table("universities.tsv")
    seen = {row["domain"] for row in written} | {plain(row["name"]) for row in written}
    facts = {row["listed"]: row for row in read_table("university_facts.tsv")}
    listed = [
        University(
            name=(facts[domain]["name"] if domain in facts else "") or _correct_spelling(name),
            country=names[code],
            city=facts[domain]["city"] if domain in facts else None,
            domain=facts[domain]["domain"] if domain in facts else domain,
            founded=int(facts[domain]["founded"]) if domain in facts else None,
        )
        for key, name, code, domain in packed_table("universities")
        if key not in seen and domain not in seen and code in names and domain not in _OFFICES
    ]
    once: dict[tuple[str, str], University] = {}
    for row in sorted(
        (*_universities_from_table("universities_besides.tsv"), *listed),
        key=lambda row: row["founded"] is None,
    ):
        once.setdefault((plain(row["name"]), row["country"]), row)
    kept: dict[str, University] = {}
    for row in (*written, *once.values()):  # of two names of one university the first
        kept.setdefault(
            row["domain"] if row["founded"] is not None else f"{row['domain']} {row['name']}", row
        )
    return tuple(map(share_keys, sorted(kept.values(), key=_fame_rank)))


@functools.cache
def _famous() -> Mapping[str, int]:
    return {row["domain"]: place for place, row in enumerate(read_table("university_fame.tsv"))}


def _fame_rank(row: University) -> tuple[int, bool]:
    """The place of a university among the best known; after them come those on record, and the others last."""
    unknown = row["founded"] is None
    return (len(_famous()) if unknown else _famous().get(row["domain"], len(_famous()))), unknown


@functools.cache
def _university_index() -> Index[Record]:
    rows = [{"row": row, "words": _common_words(row["name"])} for row in _all_universities()]
    return Index(rows, ("words",))


def _common_words(name: str) -> str:
    """A name with the words for university of other languages in English, so that either finds the other."""
    return _UNIVERSITY.sub("university", plain(name))


_WORD = 5
# So many are listed at most; with so many on record, no others.
_MOST, _ENOUGH = 40, 6
# Letters and short names by which universities are known.
_SHORT_NAMES = table_texts("geodatabase_lists.short_names")


def _universities_named(name: str) -> list[University]:
    """Universities whose name holds the text, those that are called just so first; else those with its words."""
    wanted = plain(name)
    known_as = _SHORT_NAMES.get(wanted)
    if known_as:
        return [row for row in _all_universities() if row["name"] == known_as]
    found = [row for row in _all_universities() if wanted and wanted in plain(row["name"])]
    if len(wanted) < _WORD:  # three letters are a word of the name, not a part of Smith
        found = [row for row in found if wanted in re.findall(r"[^\W_]+", plain(row["name"]))]
    found.sort(
        key=lambda row: (
            plain(row["name"]) != wanted,
            *_fame_rank(row),
            not plain(row["name"]).startswith(wanted),
        )
    )
    if not found:
        known = {form: row for row in _all_universities() for form in other_names(row["name"])}
        found = [known[wanted]] if wanted in known else []
    return found or [row["row"] for row in _university_index().search(_common_words(name), bound=0.6)]


@GROUP.tool(
    examples=[{"country": "China"}, {"name": "Oxford"}],
    phrase="find universities[ whose name contains {name}][ in {country}]",
    noun="the list of universities",
)
def get_university_infomation(
    *, name: UniversityName | None = None, country: CountryName | None = None
) -> list[University]:
    """Universities whose name holds certain words, in one country or in all; at most forty, the best known first.

    Town and year are null where they are not known.

    name: Words of the name; case does not matter.
    country: Name or ISO 3166 code of the country.
    """
    if name is not None and not name.strip():
        raise invalid("name", name, "want words of a name such as Oxford, or leave it out")
    where = find_country(country)["name"] if country is not None else None
    found = filter_rows(_universities_named(name) if name is not None else _all_universities(), country=where)
    if not found:
        there = [row["name"] for row in _all_universities() if where is None or row["country"] == where]
        raise not_found(f"university in {where}" if where else "university", name or country, known=there)
    recorded = [row for row in found if row["founded"] is not None]
    return (recorded if len(recorded) >= _ENOUGH else found)[:_MOST]
