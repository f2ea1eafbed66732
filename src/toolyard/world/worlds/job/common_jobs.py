"""Work that every town has, from registered nurses to cashiers, with as many postings as the town is large.

The number of such a posting tells its occupation, its town and its rank, so that ids lead back to it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
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


class CommonJob(NamedTuple):
    """An occupation with the kinds of local houses that hire for it, and other names of it as their words."""

    occupation: Occupation
    houses: tuple[str, ...]
    names: tuple[frozenset[str], ...]


@functools.cache
def further_jobs() -> tuple[CommonJob, ...]:
    """The occupations beside the well-known ones, in the order of their table."""
    return tuple(_job(row) for row in read_table("further_occupations.tsv"))


def _job(row: Mapping[str, str]) -> CommonJob:
    names = (row["title"], *filter(None, row["also"].split(";")))
    return CommonJob(
        Occupation(
            title=row["title"],
            category=row["category"],
            pay=float(row["pay"]),
            remote=float(row["remote"]),
            hires=row["houses"].split(","),
            skills=row["skills"].split(", "),
            duties=row["duties"],
        ),
        tuple(row["houses"].split(",")),
        tuple(dict.fromkeys(frozenset(words(name)) for name in names)),
    )


@functools.cache
def _all_jobs() -> tuple[tuple[Occupation, frozenset[str]], ...]:
    """Occupations with each of their names; well-known ones first."""
    known = [(row, frozenset(words(row["title"]))) for row in occupations()]
    return (*known, *((job.occupation, name) for job in further_jobs() for name in job.names))


@functools.cache
def _titles() -> Mapping[str, int]:
    known = [row["title"] for row in occupations()]
    further = [job.occupation["title"] for job in further_jobs()]
    return {title: place for place, title in enumerate((*known, *further))}


def common_job(text: str) -> Occupation | None:
    """The common occupation that a text names with the most words; None where it names none."""
    asked = set(words(text))
    found = [(len(name), occupation) for occupation, name in _all_jobs() if name <= asked]
    best = max((size for size, _ in found), default=0)
    return next((occupation for size, occupation in found if size == best), None)


def job_categories() -> tuple[str, ...]:
    """The categories of all occupations, those of the well-known ones first."""
    rows = (*occupations(), *(job.occupation for job in further_jobs()))
    return tuple(dict.fromkeys(row["category"] for row in rows))


def all_names(occupation: Occupation) -> list[frozenset[str]]:
    """All names of an occupation, each as its words."""
    return [name for row, name in _all_jobs() if row is occupation]


def further_job(title: str) -> CommonJob | None:
    """The further occupation of this title; None where it is none of them."""
    return next((job for job in further_jobs() if job.occupation["title"] == title), None)


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
    rows = (*occupations(), *(job.occupation for job in further_jobs()))
    city = gazetteer.city_at(town)
    if title >= len(rows) or city is None or number not in wide_numbers(rows[title], city):
        return None
    return rows[title], city, rank


def level_weights(occupation: Occupation) -> tuple[float, ...]:
    """How often postings are for interns, beginners, usual, experienced and leading people."""
    if occupation["pay"] > 160_000:
        return (0, 0, 8, 2, 0)
    return (0, 2, 9, 1, 0) if occupation["pay"] < _LOW_PAY else (0.5, 3, 8, 3, 0.5)
