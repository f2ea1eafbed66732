"""What an advert of a job says: the same facts in the words of different employers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from toolyard.world import seeds

_OPENINGS = (
    "{employer} is looking for {a_title} {where}.",
    "We are {employer}, and we need {a_title} {where}.",
    "Join {employer} as {a_title} {where}.",
    "Our team at {employer} is growing: we are hiring {a_title} {where}.",
    "{employer} has an opening for {a_title} {where}.",
    "Ready for a change? {employer} wants {a_title} {where}.",
)
_DUTIES = (
    "You will {duties}.",
    "Your work: {duties}.",
    "In this role you will {duties}.",
    "What you will do: {duties}.",
)
# What else people of a category do all day.
_DAYS: Mapping[str, Sequence[str]] = {
    "Software Engineering": (
        "You review the work of others and they review yours.", "We release every week and share the on-call duty.",
        "You take part in planning and in deciding what not to build.",
    ),
    "Data Science": ("You present results to people who are no statisticians.", "Notebooks become services here."),
    "Data and Analytics": ("You agree with teams on what a number means.", "Reports go out every Monday."),
    "Healthcare": (
        "Shifts are planned four weeks ahead.", "You write up every visit in the patient's record.",
        "Handovers take place at the start of each shift.",
    ),
    "Education": ("Classes have up to 24 pupils.", "You meet parents twice a year.", "Colleagues share their material."),
    "Food and Hospitality Services": (
        "Work on some weekends and evenings is part of it.", "You help to train new colleagues.",
        "Tips are shared by the whole team.",
    ),
    "Transportation and Logistics": ("Tours are planned the day before.", "You check the vehicle before every start."),
    "Construction": ("You work on sites within an hour's drive.", "Tools and clothing are provided."),
    "Sales": ("You keep the customer records up to date.", "A third of the week is spent with customers."),
    "Customer Service": ("You answer some forty requests a day.", "Difficult cases are solved in pairs."),
    "Design and UX": ("You show drafts early and often.", "You work with writers and developers from the start."),
    "Accounting and Finance": ("The books are closed within five days.", "You answer the auditors' questions."),
    "Legal Services": ("You work with teams in several countries.", "Contracts are reviewed within three days."),
    "Science and Engineering": ("You document what you test.", "Prototypes are built in house."),
}  # fmt: skip
_ANY_DAY = (
    "You report to the head of the team.", "The team has between five and twelve people.",
    "You will have a mentor in the first three months.", "You work closely with two other teams.",
)  # fmt: skip
_HOPES = (
    "We hope for {years} and experience with {skills}.",
    "You bring {years}, and these: {skills}.",
    "What counts for us: {skills}, and {years}.",
)
_LEARNING = (
    "You need no experience: we will teach you {skills}.",
    "You start as a learner; on the list: {skills}.",
)
_OFFERS = (
    "We offer {benefits}.",
    "In return there is {benefits}.",
    "You get {benefits}.",
    "Benefits: {benefits}.",
)
_CLOSINGS = (
    "Send a short letter and your CV.", "We answer every application within two weeks.",
    "Start as soon as you can, or after your notice period.", "Questions? Call us before you apply.",
    "Interviews are held by video and then on site.", "Applications are read as they come in.",
)  # fmt: skip


class Advert(NamedTuple):
    """The facts of an advert."""

    number: int
    employer: str
    title: str
    where: str
    category: str
    duties: str
    skills: Sequence[str]
    years: int
    benefits: Sequence[str]
    part_time: bool


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def advert(facts: Advert) -> str:
    """The text of an advert; each employer has a manner of its own, each job its details."""

    def said(texts: Sequence[str], what: str, key: object = facts.number) -> str:
        return seeds.pick(tuple(texts), "advert", what, key)

    article = "an" if facts.title[0] in "AEIOU" and not facts.title.startswith(("UX", "Uni")) else "a"
    years = f"{facts.years} years in the job"
    hope = said(_HOPES if facts.years else _LEARNING, "hope")
    parts = [
        said(_OPENINGS, "opening").format(
            employer=facts.employer, a_title=f"{article} {facts.title}", where=facts.where
        ),
        said(_DUTIES, "duties", facts.employer).format(duties=facts.duties),
        said((*_DAYS.get(facts.category, ()), *_ANY_DAY), "day"),
        hope.format(years=years, skills=_listed(facts.skills)),
        said(_OFFERS, "offer", facts.employer).format(benefits=_listed(facts.benefits)),
        *(["The pay is that of full time; you get your share of it."] if facts.part_time else []),
        said(_CLOSINGS, "closing"),
    ]
    return " ".join(parts)
