"""Search: some famous patents, and invented ones with numbers that no office gave out."""

from __future__ import annotations

import functools
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
from toolyard.world.shared.subjects import in_a_sentence, spelled, subject_of
from toolyard.world.state import World
from toolyard.world.tables import read_table
from toolyard.world.types import CompanyName, CountryCode, PastDate, PersonName, SearchText
from toolyard.world.worlds.product.unlisted import line_of
from toolyard.world.worlds.search.only_told import check_known, check_real
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


# What is nobody's invention: the patents of real people and companies are not on record.
_NOT_INVENTED = frozenset(("person", "company", "country", "city", "university", "film", "band", "place"))


_TUESDAY = 1
# What titles say of any subject.
_FORMS = ("system", "method", "apparatus")
# The first year in which patents on a thing can have been filed.
_SINCE = {
    "drone": 2013, "blockchain": 2015, "cryptocurrency": 2014, "autonomous": 2011, "self driving": 2012, "crispr": 2013,
    "language model": 2018, "virtual reality": 2013, "augmented reality": 2011, "5g": 2015, "covid": 2020, "mrna": 2013,
    "metaverse": 2021, "nft": 2021, "deep learning": 2014, "electric scooter": 2016, "smartwatch": 2012, "robotaxi": 2017,
    "machine learning": 2011, "artificial intelligence": 2012, "generative": 2017, "wireless charging": 2010,
}  # fmt: skip


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
    """Some famous patents that fit the words, else a few simulated ones, whose number begins with SIM.

    query: Words of the invention, or the name of an inventor or owner; most people and companies have none.
    """
    check_real(query)
    found = _known(asked(query))[:_MOST_KNOWN] or _patents_on(world.seed, query)
    if not found:
        check_known("patent on", query)
    return found


def _patents_on(seed: int, query: str) -> list[Patent]:
    """Patents on a subject that people know, by invented people and companies; none where nobody knows it."""
    subject = subject_of(query)
    if (
        subject is None
        or line_of(subject)
        or any(entry["kind"] in _NOT_INVENTED for entry in named(subject)[:1])
    ):
        return []
    *before, last = (subject if query.islower() else spelled(subject)).split()
    many = in_a_sentence(last)
    shown = " ".join((*before, many.lower() if query.islower() else many)).replace(
        "self driving", "self-driving"
    )
    it = shown[0].lower() + shown[1:] if shown[1:].islower() else shown

    def built(chance: Random) -> list[Patent]:
        titles = [f"{form} relating to {it}" for form in _FORMS]
        return [
            _patent_on(seed, title, turn, _first_year(subject), chance) for turn, title in enumerate(titles)
        ]

    return derived(seed, "patents", it, built)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _first_year(subject: str) -> int:
    return max((year for word, year in _SINCE.items() if word in subject), default=2008)


def _patent_on(seed: int, title: str, turn: int, since: int, chance: Random) -> Patent:
    year = chance.randrange(since, max(2022, since + 1))
    filed = date(year, chance.randrange(1, 13), chance.randrange(1, 28))
    granted = _workday(min(filed + timedelta(days=chance.randrange(500, 1100)), date(2024, 4, 23)), _TUESDAY)
    return {
        # No number of the office, because there is no such patent.
        "patent_id": f"SIM{seeds.number(seed, 'patent', title) % 10**8:08d}",
        "title": _capital(title),
        "abstract": f"Describes {'an' if title[0] in 'aeiou' else 'a'} {title}.",
        "inventor": person(seed, "inventor", title, turn)["name"],
        "assignee": _owner(seed, title),
        "country_code": "US",
        "filed": _workday(filed, filed.weekday() % 5),
        "granted": granted,
    }


def _workday(day: date, weekday: int) -> str:
    """The first such day of the week from a day on; patents are granted on Tuesdays."""
    return (day + timedelta(days=(weekday - day.weekday()) % 7)).isoformat()
