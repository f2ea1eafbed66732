"""Search: some famous patents, and invented ones with numbers as the office gave them out in their years."""

from __future__ import annotations

import functools
from datetime import date, timedelta
from random import Random
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.derived import derived
from toolyard.world.reference import wordnet
from toolyard.world.registry import tool
from toolyard.world.search import Index
from toolyard.world.shared.entries import named
from toolyard.world.shared.people import person
from toolyard.world.shared.query_words import asked
from toolyard.world.shared.subjects import spelled, subject_of
from toolyard.world.state import World
from toolyard.world.tables import read_table
from toolyard.world.types import CompanyName, CountryCode, PastDate, PersonName, SearchText
from toolyard.world.worlds.product.unlisted import line_of
from toolyard.world.worlds.search.only_told import check_real
from toolyard.world.worlds.search.web import CUSTOM as GROUP

_MOST_KNOWN = 8


class Patent(TypedDict):
    patent_id: str
    title: str
    abstract: str
    inventor: PersonName
    assignee: CompanyName
    country_code: CountryCode
    filed: PastDate
    granted: PastDate


class _Known(Patent):
    words: str


# The first number that the patent office gave out in a year.
_FIRST_PATENTS = {
    2008: 7313829, 2009: 7472428, 2010: 7640598, 2011: 7861317, 2012: 8087094, 2013: 8341762, 2014: 8621662,
    2015: 8925112, 2016: 9226437, 2017: 9532496, 2018: 9854721, 2019: 10165721, 2020: 10524402, 2021: 10881042,
    2022: 11212952, 2023: 11540434, 2024: 11856757, 2025: 12178120,
}  # fmt: skip


# What is nobody's invention: the patents of real people and companies are not on record.
_NOT_INVENTED = frozenset(("person", "company", "country", "city", "university", "film", "band", "place"))


_TUESDAY = 1
# Title and abstract of the patents on a device, on a material, and on a field of work.
_FORMS = {
    "device": (
        ("{it}", "{one} is disclosed that is easier to make and lasts longer than known ones."),
        ("Improved {it}", "Improvements of {one} are described in {n} embodiments and compared with the prior art."),
        ("Method of manufacturing {one}", "A method is described by which {one} is made in {n} steps."),
    ),
    "material": (
        ("Method of producing {it}", "A method of producing {it} in {n} stages is disclosed, which yields less waste."),
        ("Container for {it}", "A container for {it} has {n} layers that keep out light and air."),
        ("Method of determining the purity of {it}",
         "Samples of {it} are measured {n} times and set beside a reference."),
    ),
    "field": (
        ("System for {it}", "A system for {it} is described that consists of {n} modules which can be replaced one by one."),
        ("Method for {it}", "A method for {it} is disclosed that needs less energy than known ones."),
        ("Apparatus for {it}", "An apparatus for {it} is described in {n} embodiments."),
    ),
}  # fmt: skip
_ARTEFACT = 6
_MATERIALS = frozenset((13, 27))
# The dictionary's fields of what is done, known, said, owned or felt.
_DONE = frozenset((4, 7, 9, 10, 11, 12, 16, 19, 21, 22, 26, 28))
# The first year in which patents on a thing can have been filed.
_SINCE = {
    "drone": 2013, "blockchain": 2015, "cryptocurrency": 2014, "autonomous": 2011, "self driving": 2012, "crispr": 2013,
    "language model": 2018, "virtual reality": 2013, "augmented reality": 2011, "5g": 2015, "covid": 2020, "mrna": 2013,
    "metaverse": 2021, "nft": 2021, "deep learning": 2014, "electric scooter": 2016, "smartwatch": 2012, "robotaxi": 2017,
    "machine learning": 2011, "artificial intelligence": 2012, "generative": 2017, "wireless charging": 2010,
}  # fmt: skip


def _number_on(granted: str, *key: object) -> str:
    """A number among those of the Tuesday of a grant, given out evenly through the year."""
    day = date.fromisoformat(granted)
    first, after = _FIRST_PATENTS[day.year], _FIRST_PATENTS[day.year + 1]
    week = (after - first) / 52
    return (
        f"US{int(first + (day.timetuple().tm_yday // 7) * week + seeds.number('patent', *key) % int(week))}B2"
    )


def _owner(seed: int, *key: object) -> str:
    """Who holds a patent: nobody real, because the patents are none."""
    return f"{person(seed, 'patent owner', *key)['name'].split()[-1]} Research"


@functools.cache
def _famous() -> Index[Patent]:
    """Patents that everybody knows, with what they are called in everyday words."""
    rows = [
        _Known(
            patent_id=row["id"], title=row["title"], abstract=row["abstract"], inventor=row["inventor"],
            assignee=row["assignee"], country_code="US", filed=row["filed"], granted=row["granted"], words=row["words"],
        )
        for row in read_table("famous_patents.tsv")
    ]  # fmt: skip
    return Index(rows, ("words", "words", "title", "inventor", "assignee"))


def _known(query: str) -> list[Patent]:
    """Famous patents that have all words of a query."""
    found = _famous().search(query, bound=1.0)
    return [Patent(**{key: row[key] for key in Patent.__annotations__}) for row in found]  # type: ignore[typeddict-item, literal-required]


@tool(
    GROUP,
    examples=[{"query": "quantum computing"}],
    phrase="search Google Patents for {query}",
    noun="the list of patents",
)
def google_patents_search(world: World, *, query: SearchText) -> list[Patent]:
    """Up to eight patents that fit some words, with inventor, owner and dates: a few famous ones, else simulated ones.

    query: Words of the invention, or the name of an inventor or owner; of most companies none are on record.
    """
    check_real(query)
    return _known(asked(query))[:_MOST_KNOWN] or _patents_on(world.seed, query)


def _patents_on(seed: int, query: str) -> list[Patent]:
    """Patents on a subject that people know, by invented people and companies; none where nobody knows it."""
    subject = subject_of(query)
    if (
        subject is None
        or line_of(subject)
        or any(entry["kind"] in _NOT_INVENTED for entry in named(subject)[:1])
    ):
        return []
    kind, thing = _class(subject)
    shown = spelled(thing).replace("self driving", "self-driving")
    it = shown[0].lower() + shown[1:] if shown[1:].islower() else shown
    fields = {"one": f"{'an' if it[0] in 'aeiou' else 'a'} {it}", "it": it}

    def built(chance: Random) -> list[Patent]:
        found = []
        for turn, (title, told) in enumerate(_FORMS[kind]):
            said = told.format(**fields, n=chance.randrange(3, 7))
            named_so = _capital(title.format(**fields))
            found.append(_patent_on(seed, named_so, _capital(said), turn, _first_year(subject), chance))
        return found

    return derived(seed, "patents", subject, built)


def _class(subject: str) -> tuple[str, str]:
    """Whether a subject is a device, a material or a field of work, by the noun that it ends with; and one such thing."""
    *before, last = subject.split()
    single = next(iter(wordnet.base_forms(last, "n")), last)
    senses = [sense for sense in wordnet.senses(single) if sense.part == "n"][:3]
    fields = [sense.field for sense in senses]
    if fields[:1] and fields[0] in _MATERIALS:
        return "material", subject
    if _ARTEFACT in fields or (fields and fields[0] not in _DONE):
        return "device", " ".join((*before, single))
    return "field", subject


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _first_year(subject: str) -> int:
    return max((year for word, year in _SINCE.items() if word in subject), default=2008)


def _patent_on(seed: int, title: str, abstract: str, turn: int, since: int, chance: Random) -> Patent:
    year = chance.randrange(since, max(2022, since + 1))
    filed = date(year, chance.randrange(1, 13), chance.randrange(1, 28))
    granted = _workday(min(filed + timedelta(days=chance.randrange(500, 1100)), date(2024, 4, 23)), _TUESDAY)
    return {
        "patent_id": _number_on(granted, seed, title),
        "title": title,
        "abstract": abstract,
        "inventor": person(seed, "inventor", title, turn)["name"],
        "assignee": _owner(seed, title),
        "country_code": "US",
        "filed": _workday(filed, filed.weekday() % 5),
        "granted": granted,
    }


def _workday(day: date, weekday: int) -> str:
    """The first such day of the week from a day on; patents are granted on Tuesdays."""
    return (day + timedelta(days=(weekday - day.weekday()) % 7)).isoformat()
