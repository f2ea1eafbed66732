"""Search: patents, all of them invented, with numbers as the office gave them out in their years."""

from __future__ import annotations

from random import Random
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.derived import derived
from toolyard.world.registry import tool
from toolyard.world.search import Index
from toolyard.world.shared.entries import named
from toolyard.world.shared.people import person
from toolyard.world.shared.scholarship import areas
from toolyard.world.shared.subjects import spelled, subject_of
from toolyard.world.state import World
from toolyard.world.types import CompanyName, CountryCode, PastDate, PersonName, SearchText
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


def _patent_number(year: str, *key: object) -> str:
    """A number among those that were given out in the year of the grant."""
    first, after = _FIRST_PATENTS[int(year)], _FIRST_PATENTS[int(year) + 1]
    return f"US{first + seeds.number('patent', *key) % (after - first)}B2"


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
                filed=f"{filed}-{chance.randrange(1, 13):02d}-15",
                granted=f"{filed + lag}-{chance.randrange(1, 13):02d}-02",
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
    """Up to eight patents that fit some words, with inventor, owner and dates.

    query: Words of the invention, or the name of an inventor or company.
    """
    return (_patents(world.seed).search(query, bound=_HALF) or _patents_on(world.seed, query))[:8]


def _patents_on(seed: int, query: str) -> list[Patent]:
    """Patents on a subject that people know, by invented people and companies; none where nobody knows it."""
    subject = subject_of(query)
    if subject is None or any(entry["kind"] in _NOT_INVENTED for entry in named(subject)[:1]):
        return []
    shown = spelled(subject)

    def built(chance: Random) -> list[Patent]:
        forms = (
            "{0}: arrangement and method of operation",
            "Control system for use with {0}",
            "Method of testing {0}",
            "Improved {0}",
        )
        return [
            _patent_on(seed, _capital(form.format(shown)), shown, turn, chance)
            for turn, form in enumerate(forms)
        ]

    return derived(seed, "patents", subject, built)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _patent_on(seed: int, title: str, subject: str, turn: int, chance: Random) -> Patent:
    year = chance.randrange(2008, 2022)
    day = f"{chance.randrange(1, 13):02d}-{chance.randrange(1, 28):02d}"
    return {
        "patent_id": _patent_number(f"{year + 2}", seed, title),
        "title": title,
        "abstract": f"The invention relates to {subject}. A first unit receives a signal, a second unit compares it with a "
        f"stored value, and a third acts on the difference, in {chance.randrange(2, 6)} embodiments.",
        "inventor": person(seed, "inventor", title, turn)["name"],
        "assignee": _owner(seed, title),
        "country_code": "US",
        "filed": f"{year}-{day}",
        "granted": f"{year + 2}-{day}",
    }
