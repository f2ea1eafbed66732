"""Search: patents, all of them invented, with numbers as the office gave them out in their years."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.derived import derived
from toolyard.world.registry import tool
from toolyard.world.search import Index
from toolyard.world.shared.entries import named
from toolyard.world.shared.people import person
from toolyard.world.shared.query_words import asked
from toolyard.world.shared.scholarship import areas
from toolyard.world.shared.subjects import in_a_sentence, spelled, subject_of
from toolyard.world.state import World
from toolyard.world.types import CompanyName, CountryCode, PastDate, PersonName, SearchText
from toolyard.world.worlds.product.unlisted import line_of
from toolyard.world.worlds.search.only_told import check_real
from toolyard.world.worlds.search.web import CUSTOM as GROUP

_HALF = 0.5


class Patent(TypedDict):
    patent_id: str
    title: str
    abstract: str
    inventor: PersonName
    assignee: CompanyName
    country_code: CountryCode
    filed: PastDate
    granted: PastDate


# The first number that the patent office gave out in a year.
_FIRST_PATENTS = {
    2008: 7313829, 2009: 7472428, 2010: 7640598, 2011: 7861317, 2012: 8087094, 2013: 8341762, 2014: 8621662,
    2015: 8925112, 2016: 9226437, 2017: 9532496, 2018: 9854721, 2019: 10165721, 2020: 10524402, 2021: 10881042,
    2022: 11212952, 2023: 11540434, 2024: 11856757, 2025: 12178120,
}  # fmt: skip


# What is nobody's invention: the patents of real people and companies are not on record.
_NOT_INVENTED = frozenset(("person", "company", "country", "city", "university", "film", "band", "place"))


_MONDAY, _TUESDAY = 0, 1
# Title and abstract of the patents on a subject.
_FORMS = (
    ("Apparatus and method for {2}",
     "An apparatus for {2} with fewer parts than earlier ones is disclosed, with a method of operating it and {1} "
     "embodiments."),
    ("Monitoring and control system for {2}",
     "A controller for {2} reads {1} sensors and corrects its output when a reading leaves the permitted range."),
    ("Improvements in {2}",
     "Improvements in {2} are described in {1} examples and compared with the prior art."),
    ("Method for testing {2}",
     "For tests of {2}, a load is applied in {1} steps and measured after each; the results are set beside a reference."),
)  # fmt: skip
# The first year in which patents on a thing can have been filed.
_SINCE = {
    "drone": 2013, "blockchain": 2015, "cryptocurrency": 2014, "autonomous": 2011, "self driving": 2012, "crispr": 2013,
    "language model": 2018, "virtual reality": 2013, "augmented reality": 2011, "5g": 2015, "covid": 2020, "mrna": 2013,
    "metaverse": 2021, "nft": 2021, "deep learning": 2014, "electric scooter": 2016, "smartwatch": 2012, "robotaxi": 2017,
    "machine learning": 2011, "artificial intelligence": 2012, "generative": 2017, "wireless charging": 2010,
}  # fmt: skip


def _patent_number(year: str, *key: object) -> str:
    """A number among those that were given out in the year of the grant."""
    first, after = _FIRST_PATENTS[int(year)], _FIRST_PATENTS[int(year) + 1]
    return f"US{first + seeds.number('patent', *key) % (after - first)}B2"


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


@seeds.table
def _patents(seed: int) -> Index[Patent]:
    rows = []
    for number in range(400):
        chance = seeds.stream(seed, "patent", number)
        area = chance.choice(areas(seed))
        subject, method = chance.choice(area["subjects"]), chance.choice(area["methods"])
        filed, lag = chance.randrange(2008, 2022), chance.randrange(1, 3)
        rows.append(
            Patent(
                patent_id=_patent_number(f"{filed + lag}", number),
                title=f"System and method for {subject} using {method}",
                abstract=f"A system for {subject} is disclosed, in which {method} is applied in {area['name']} "
                f"with at least {chance.randrange(2, 9)} processing units.",
                inventor=person(seed, "inventor", number)["name"],
                assignee=_owner(seed, number),
                country_code="US",
                filed=_workday(date(filed, chance.randrange(1, 13), 15), _MONDAY),
                granted=_workday(date(filed + lag, chance.randrange(1, 13), 2), _TUESDAY),
            )
        )
    return Index(rows, ("title", "abstract", "assignee", "inventor", "country_code"))


@tool(
    GROUP,
    examples=[{"query": "quantum computing"}],
    phrase="search Google Patents for {query}",
    noun="the list of patents",
)
def google_patents_search(world: World, *, query: SearchText) -> list[Patent]:
    """Up to eight simulated patents that fit some words, with inventor, owner and dates.

    query: Words of the invention, or the name of an inventor or owner that a search has shown; patents of known companies
        are not on record.
    """
    check_real(query)
    return (_patents(world.seed).search(asked(query), bound=_HALF) or _patents_on(world.seed, query))[:8]


def _patents_on(seed: int, query: str) -> list[Patent]:
    """Patents on a subject that people know, by invented people and companies; none where nobody knows it."""
    subject = subject_of(query)
    if (
        subject is None
        or line_of(subject)
        or any(entry["kind"] in _NOT_INVENTED for entry in named(subject)[:1])
    ):
        return []
    shown = spelled(subject)

    *before, last = shown.split()
    many = " ".join((*before, in_a_sentence(last) if last.islower() else last))

    def built(chance: Random) -> list[Patent]:
        found = []
        for turn, (title, told) in enumerate(_FORMS):
            fields = (shown, chance.randrange(3, 7), many)
            named_so = _capital(title.format(*fields))
            found.append(_patent_on(seed, named_so, told.format(*fields), turn, _first_year(subject), chance))
        return found

    return derived(seed, "patents", subject, built)


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
