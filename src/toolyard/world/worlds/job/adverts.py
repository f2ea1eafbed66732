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
# What else people of a category should know.
_DAYS: Mapping[str, Sequence[str]] = {
    "Software Engineering": ("We release every week.", "The team has seven developers and one designer."),
    "Data Science": ("You work with two engineers and one product manager.",),
    "Data and Analytics": ("Reports go out every Monday.",),
    "Healthcare": ("Shifts are planned four weeks ahead.", "Handovers take place at the start of each shift."),
    "Education": ("Classes have up to 24 pupils.", "Colleagues share their material."),
    "Administration and Office": ("The office is a short walk from the station.",),
    "Food and Hospitality Services": (
        "Work on some weekends and evenings is part of it.", "Tips are shared by the whole team.",
        "The kitchen is closed one day a week.",
    ),
    "Transportation and Logistics": ("Shifts start at six or at two.", "The schedule comes out two weeks ahead."),
    "Construction": ("You work on sites within an hour's drive.", "Tools and clothing are provided."),
    "Sales": ("A third of the week is spent with customers.",),
    "Customer Service": ("You have your own desk and a headset that works.", "Shifts lie between seven and nine."),
    "Design and UX": ("You work with writers and developers from the start.",),
    "Accounting and Finance": ("The books are closed within five days.",),
    "Legal Services": ("Contracts are reviewed within three days.",),
}  # fmt: skip
_ANY_DAY = (
    "You report to the head of the team.", "The team has {people} people.",
    "A colleague shows you the ropes in the first weeks.",
)  # fmt: skip
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
_CLOSINGS = (
    "Send a short letter and your CV.", "We answer every application within two weeks.",
    "You can start at once or after your notice period.", "Questions? Call us before you apply.",
    "Applications are read as they come in.",
)  # fmt: skip


class Advert(NamedTuple):
    """The facts of an advert."""

    number: int
    employer: str
    title: str
    where: str
    occupation: str
    category: str
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
    # What is said of a category is true of its well-known occupations.
    days = _DAYS.get(facts.category, ()) if facts.occupation in _tasks() else ()
    leads = facts.occupation.endswith(("Manager", "Director"))
    days = ("You report to the management.",) if leads else (*days, *_ANY_DAY)
    hope = said(_HOPES if facts.years else _TRAINED if facts.trained else _LEARNING, "hope")
    parts = [
        said(_OPENINGS, "opening").format(
            employer=called(facts.employer), a_title=f"{article} {facts.title}", where=facts.where
        ),
        said(_DUTIES if first else _DUTIES_ALONE, "duties", facts.employer).format(
            duties=facts.duties, first=first, second=second
        ),
        said(days, "day").format(people=4 + seeds.number("team", facts.number) % 11),
        hope.format(years=f"{facts.years} years in the job", skills=_listed(facts.skills)),
        said(_OFFERS, "offer", facts.employer).format(benefits=_listed(facts.benefits)),
        *(["Part time; the pay is stated for full hours."] if facts.part_time else []),
        said(_CLOSINGS, "closing"),
    ]
    return " ".join(parts)
