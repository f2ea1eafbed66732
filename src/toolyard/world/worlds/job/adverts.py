"""What an advert of a job says: the tasks of the work, in the words of different employers."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from toolyard.world import seeds
from toolyard.world.shared.geography import read_table
from toolyard.world.shared.listed import short_name

_OPENINGS = (
    "{employer} is looking for {a_title} {where}.",
    "{employer} is hiring {a_title} {where}.",
    "Join {employer} as {a_title} {where}.",
    "{employer} has an opening for {a_title} {where}.",
    "Wanted at {employer}: {a_title} {where}.",
    "Our team is growing, and {employer} needs {a_title} {where}.",
)
_DUTIES = (
    "You will {duties}. Day to day you {first} and {second}.",
    "In this role you {duties}, {first} and {second}.",
    "Your main task is to {duties}; you also {first} and {second}.",
    "You {duties}. In a usual week you {first} and {second}.",
)
# Where nothing is on record about the days of such people.
_DUTIES_ALONE = ("You will {duties}.", "Your main task is to {duties}.", "In this role you {duties}.")
_HOPES = (
    "Requirements: {years}; {skills}.",
    "What we look for: {years}, {skills}.",
    "You should have {years}. Also wanted: {skills}.",
)
_TRAINED = (
    "You may come straight from your training. What counts: {skills}.",
    "Newly qualified people are welcome; we look for {skills}.",
)
_LEARNING = (
    "No experience needed: we will teach you {skills}.",
    "You learn on the job: {skills}.",
)
_OFFERS = (
    "We offer: {benefits}.",
    "Benefits: {benefits}.",
    "On top of your pay: {benefits}.",
)


class Advert(NamedTuple):
    """The facts of an advert."""

    number: int
    employer: str
    title: str
    where: str
    occupation: str
    duties: str
    skills: Sequence[str]
    years: int
    benefits: Sequence[str]
    part_time: bool
    trained: bool


@functools.cache
def _tasks() -> Mapping[str, tuple[str, ...]]:
    """Title of an occupation -> what such people do all day."""
    return {row["of"]: tuple(row["tasks"].split(";")) for row in read_table("job_tasks.tsv")}


def called(name: str) -> str:
    """How a company speaks of itself, without its legal form; other names as they are."""
    words, count = name.removeprefix("The ").split(), len(short_name(name).split())
    return name if count == len(words) else " ".join(words[:count]).rstrip(",")


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _two_tasks(facts: Advert) -> tuple[str, str]:
    """Two of the tasks of an occupation, others in every advert."""
    tasks = _tasks().get(facts.occupation, ("", ""))
    start = seeds.number("tasks", facts.number) % len(tasks)
    step = 1 + seeds.number("other task", facts.number) % (len(tasks) - 1)
    return tasks[start], tasks[(start + step) % len(tasks)]


def advert(facts: Advert) -> str:
    """The text of an advert; each employer has a manner of its own, each job its details."""

    def said(texts: Sequence[str], what: str, key: object = facts.number) -> str:
        return seeds.pick(tuple(texts), "advert", what, key)

    article = "an" if facts.title[0] in "AEIOU" and not facts.title.startswith(("UX", "Uni")) else "a"
    first, second = _two_tasks(facts)
    hope = said(_HOPES if facts.years else _TRAINED if facts.trained else _LEARNING, "hope")
    parts = [
        said(_OPENINGS, "opening").format(
            employer=called(facts.employer), a_title=f"{article} {facts.title}", where=facts.where
        ),
        said(_DUTIES if first else _DUTIES_ALONE, "duties", facts.employer).format(
            duties=facts.duties, first=first, second=second
        ),
        hope.format(years=f"{facts.years} years in the job", skills=_listed(facts.skills)),
        said(_OFFERS, "offer", facts.employer).format(benefits=_listed(facts.benefits)),
        *(["Part time; the pay is stated for full hours."] if facts.part_time else []),
    ]
    return " ".join(parts)
