"""Work that every town has, from registered nurses to cashiers, with as many postings as the town is large.

The number of such a posting tells its occupation, its town and its rank, so that ids lead back to it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from toolyard.world import seeds
from toolyard.world.search import words
from toolyard.world.shared import gazetteer
from toolyard.world.shared.geography import City, read_table
from toolyard.world.worlds.job.occupations import Occupation, occupations

FIRST_WIDE, RANKS = 2_000_000_000, 16
# Inhabitants of a town from which on -> postings of one occupation.
_BY_SIZE = ((2_500_000, 14), (1_000_000, 12), (400_000, 10), (100_000, 7), (20_000, 4), (0, 2))
_LOW_PAY = 46_000


# Names by which people look for work but that no posting bears as its title.
_NO_TITLES = frozenset(
    ("data entry", "customer service", "help desk", "it support", "desktop support", "wait staff", "cleaning staff",
     "registered nurses", "plumbers", "carpenters", "welders", "roofers", "cop", "counselor", "counsellor")
)  # fmt: skip
_SPELLED = {"hvac": "HVAC", "esl": "ESL", "seo": "SEO", "it": "IT", "hr": "HR", "ios": "iOS", "etl": "ETL", "ml": "ML",
            "ai": "AI", "of": "of"}  # fmt: skip


class CommonJob(NamedTuple):
    """An occupation under one of its names, and the kinds of local houses that hire for it."""

    occupation: Occupation
    houses: tuple[str, ...]
    name: frozenset[str]


@functools.cache
def further_jobs() -> tuple[CommonJob, ...]:
    """The occupations beside the well-known ones under all their names, in the order of their table."""
    return tuple(job for row in read_table("further_occupations.tsv") for job in _jobs(row))


def _jobs(row: Mapping[str, str]) -> Iterator[CommonJob]:
    for name in (row["title"], *filter(None, row["also"].split(";"))):
        occupation = Occupation(
            title=_title(name, row["title"]),
            category=row["category"],
            pay=float(row["pay"]),
            remote=float(row["remote"]),
            hires=row["houses"].split(","),
            skills=row["skills"].split(", "),
            duties=row["duties"],
        )
        yield CommonJob(occupation, tuple(row["houses"].split(",")), frozenset(words(name)))


def _title(name: str, usual: str) -> str:
    """A name as a posting writes it; the usual title for short forms and what is none."""
    if name == usual or len(name) <= 3 or name in _NO_TITLES:
        return usual
    return " ".join(_SPELLED.get(word, word.capitalize()) for word in name.split())


@functools.cache
def _all_jobs() -> tuple[tuple[Occupation, frozenset[str]], ...]:
    """Occupations with each of their names; well-known ones first."""
    known = [(row, frozenset(words(row["title"]))) for row in occupations()]
    return (*known, *((job.occupation, job.name) for job in further_jobs()))


@functools.cache
def _rows() -> tuple[Occupation, ...]:
    """All occupations, one for each title."""
    return tuple({row["title"]: row for row, _ in reversed(_all_jobs())}.values())[::-1]


@functools.cache
def _titles() -> Mapping[str, int]:
    return {row["title"]: place for place, row in enumerate(_rows())}


def common_job(text: str) -> Occupation | None:
    """The common occupation that a text names with the most words; None where it names none."""
    asked = set(words(text))
    found = [(len(name), occupation) for occupation, name in _all_jobs() if name <= asked]
    best = max((size for size, _ in found), default=0)
    return next((occupation for size, occupation in found if size == best), None)


def job_categories() -> tuple[str, ...]:
    """The categories of all occupations, those of the well-known ones first."""
    return tuple(dict.fromkeys(row["category"] for row in _rows()))


def all_names(occupation: Occupation) -> list[frozenset[str]]:
    """All names of an occupation, each as its words."""
    return [name for row, name in _all_jobs() if row["duties"] == occupation["duties"]]


def further_job(title: str) -> CommonJob | None:
    """The further occupation of this title; None where it is none of them."""
    return _by_title().get(title)


@functools.cache
def _by_title() -> Mapping[str, CommonJob]:
    known = {row["title"] for row in occupations()}
    return {
        job.occupation["title"]: job
        for job in reversed(further_jobs())
        if job.occupation["title"] not in known
    }


def wide_numbers(occupation: Occupation, city: City) -> list[int]:
    """The numbers of the postings of a common occupation in any town."""
    place = _titles()[occupation["title"]] * gazetteer.size() + gazetteer.number_of(city["id"])
    usual = next(count for people, count in _BY_SIZE if city["population"] >= people)
    count = max(1, round(usual * (0.75 + 0.4 * seeds.unit("so many", occupation["title"], city["id"]))))
    first = FIRST_WIDE + place * RANKS
    return list(range(first, first + min(count, RANKS)))


def wide_place(number: int) -> tuple[Occupation, City, int] | None:
    """The occupation, the town and the rank of such a posting; None for a number of another one."""
    if number < FIRST_WIDE:
        return None
    place, rank = divmod(number - FIRST_WIDE, RANKS)
    title, town = divmod(place, gazetteer.size())
    rows, city = _rows(), gazetteer.city_at(town)
    if title >= len(rows) or city is None or number not in wide_numbers(rows[title], city):
        return None
    return rows[title], city, rank


def level_weights(occupation: Occupation) -> tuple[float, ...]:
    """How often postings are for interns, beginners, usual, experienced and leading people."""
    if occupation["pay"] > 160_000:
        return (0, 0, 8, 2, 0)
    return (0, 2, 9, 1, 0) if occupation["pay"] < _LOW_PAY else (0.5, 3, 8, 3, 0.5)
