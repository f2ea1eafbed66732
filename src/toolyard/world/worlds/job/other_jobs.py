"""Occupations beyond the table: any job title that people use, with pay and postings derived from its name.

Postings of such a title have numbers of their own, so that their ids lead back to them.
"""

from __future__ import annotations

import base64
import functools
import re
from typing import TYPE_CHECKING

from toolyard.world import seeds
from toolyard.world.derived import derived
from toolyard.world.reference.packed import packed
from toolyard.world.tables import plain
from toolyard.world.worlds.job.common_jobs import further_job

if TYPE_CHECKING:
    from random import Random

    from toolyard.world.worlds.job.occupations import Occupation

_GENERAL = "Project Manager"
# What is asked for where the skills of the well-known occupation are too much its own.
_SKILLS = {
    _GENERAL: ["planning", "teamwork", "attention to detail"],
    "Barista": ["clean work", "speed", "teamwork"],
    "Electrician": ["tools", "safety rules", "reading plans"],
    "Civil Engineer": ["calculation", "technical drawings", "project work"],
    "Nurse": ["patience", "clean work", "careful notes"],
}
# What such people do, by the well-known occupation that they have most in common with.
_DUTIES = {
    "Software Engineer": "build, run and improve computer systems together with a small team",
    "Data Scientist": "work on data and models together with a small team",
    "Nurse": "look after patients together with the other staff and keep their records",
    "Teacher": "teach and support learners and prepare the lessons",
    "Barista": "prepare food and drinks and look after guests",
    "Lawyer": "prepare cases and documents and advise clients",
    "Accountant": "look after accounts, reports and figures",
    "Graphic Designer": "make drafts with clients and carry them out",
    "Marketing Manager": "plan and make texts and campaigns",
    "Electrician": "build, install and repair on site",
    "Civil Engineer": "plan, calculate and test, and write up the results",
    _GENERAL: "plan the daily work with the team, carry it out and report on it",
}
FIRST_OTHER = 1_000_000
# Postings in cities without a table of their own: so many cities and postings of each title.
FIRST_ELSEWHERE, CITIES, PER_CITY = 1_000_000_000, 4096, 2
PER_TITLE = 64
_MARK = b"otherjob"
# Words of a title -> an occupation whose category and employers it shares, and the usual pay in dollars.
_LIKE = (
    (("surgeon physician anesthesiologist cardiologist radiologist psychiatrist neurologist oncologist").split(),
     "Nurse", 260_000),
    (("doctor dentist orthodontist").split(), "Nurse", 190_000),
    (("pharmacist optometrist veterinarian").split(), "Nurse", 125_000),
    (("judge").split(), "Lawyer", 150_000),
    (("actuary economist").split(), "Accountant", 115_000),
    (("pilot captain astronaut").split(), "Project Manager", 150_000),
    (("professor").split(), "Teacher", 95_000),
    (("software developer programmer devops sre web front back stack mobile ios android qa").split(),
     "Software Engineer", 112_000),
    (("machine ai ml data scientist statistician analytics prompt").split(), "Data Scientist", 121_000),
    (("network system systems database security cloud it support administrator").split(), "Software Engineer", 92_000),
    (("nurse physician surgeon doctor therapist dentist dental medical pharmacist paramedic clinical "
     "veterinarian psychologist radiologist midwife optician ").split(),
     "Nurse", 88_000),
    (("teacher professor tutor lecturer librarian instructor school").split(), "Teacher", 62_000),
    (("chef cook baker barista waiter waitress bartender dishwasher sommelier kitchen butcher").split(),
     "Barista", 36_000),
    (("lawyer attorney paralegal judge legal notary").split(), "Lawyer", 96_000),
    (("accountant auditor bookkeeper actuary tax financial banker finance economist treasurer").split(),
     "Accountant", 84_000),
    (("designer artist illustrator animator photographer ux ui").split(), "Graphic Designer", 68_000),
    (("marketing copywriter media journalist editor writer content seo brand").split(), "Marketing Manager", 72_000),
    (("recruiter hr human").split(), "Project Manager", 70_000),
    (("sales cashier retail store account").split(), "Project Manager", 54_000),
    (("electrician plumber carpenter welder roofer painter mason builder construction surveyor").split(),
     "Electrician", 58_000),
    (("engineer architect physicist chemist biologist geologist").split(), "Civil Engineer", 97_000),
    (("driver pilot courier warehouse forklift logistics dispatcher mechanic").split(), "Project Manager", 52_000),
    (("manager director officer supervisor coordinator consultant").split(), "Project Manager", 91_000),
)  # fmt: skip


# Words of a title -> the kinds of local houses that hire such people; companies hire the others.
_HOUSES = (
    ("driver pilot courier warehouse forklift logistics dispatcher packer loader", ("depot",)),
    ("mechanic electrician plumber carpenter welder roofer painter mason builder construction surveyor joiner tiler "
     "plasterer", ("workshop",)),
    ("cashier retail store sales florist stylist hairdresser clerk merchandiser", ("shop",)),
    ("chef cook baker barista waiter waitress bartender dishwasher sommelier kitchen butcher",
     ("restaurant", "cafe", "hotel")),
    ("receptionist housekeeper concierge porter", ("hotel",)),
    ("nurse physician surgeon doctor therapist dentist dental medical pharmacist paramedic clinical psychologist "
     "radiologist midwife optician veterinarian", ("hospital",)),
    ("teacher professor tutor lecturer librarian instructor school", ("school",)),
    ("lawyer attorney paralegal judge legal notary", ("law office",)),
    ("designer artist illustrator animator photographer copywriter journalist editor writer", ("agency",)),
    ("engineer architect physicist chemist biologist geologist", ("studio",)),
    ("cleaner guard security gardener janitor assistant secretary", ("office",)),
)  # fmt: skip
_BY_COMPANIES = frozenset(
    "software data machine network system systems cloud devops web network security".split()
)


def houses_for(title: str) -> tuple[str, ...]:
    """The kinds of local houses that hire for a title; none where companies do."""
    words = set(plain(title).split())
    if words & _BY_COMPANIES:
        return ()
    # What no company is known for, some local office needs.
    usual = () if any(words & set(keys) for keys, _, _ in _LIKE) else ("office",)
    return next((houses for keys, houses in _HOUSES if words & set(keys.split())), usual)


# Where people work who have most in common with a well-known occupation.
_HOUSES_LIKE = {
    "Accountant": ("accountancy", "bank"), "Lawyer": ("law office",), "Nurse": ("hospital",), "Teacher": ("school",),
    "Graphic Designer": ("agency",), "Marketing Manager": ("agency",), "Electrician": ("workshop",),
    "Civil Engineer": ("studio",),
    "Barista": ("restaurant", "cafe"), "Project Manager": ("office", "consultancy"),
}  # fmt: skip


def houses_like(title: str) -> tuple[str, ...]:
    """The kinds of local houses that hire for a title by what it has in common with others."""
    return _HOUSES_LIKE.get(_like(title)[0], ("software house",))


def place_of(title: str) -> int | None:
    """The place of a job title in the table of titles; None where nobody has such a title."""
    table, key = packed("job_titles"), plain(title)
    place = table.place(key)
    return place if place < len(table) and table[place][0] == key else None


def title_in(text: str) -> int | None:
    """The place of the longest job title that a text names; single words count only where they are all of it."""
    parts = plain(text).replace(",", " ").split()[:12]
    for size in range(min(len(parts), 6), 0, -1):
        for start in range(len(parts) - size + 1):
            place = place_of(" ".join(parts[start : start + size]))
            if place is not None and (size > 1 or len(parts) <= 2):
                return place
    return None


def all_in_titles(text: str) -> bool:
    """Whether every word of a text stands in some job title: nobody is an astronaut wizard."""
    titles = packed("job_titles").text
    return all(
        re.search(rf"\b{re.escape(word)}\b", titles) for word in plain(text).replace(",", " ").split()[:12]
    )


@functools.lru_cache(maxsize=512)
def _like(title: str) -> tuple[str, int]:
    words = set(plain(title).split())
    return next(((like, pay) for keys, like, pay in _LIKE if words & set(keys)), (_GENERAL, 48_000))


def is_unusual(place: int) -> bool:
    """Whether the title at a place has nothing in common with work that is posted: lion tamers are not hired on boards."""
    title = packed("job_titles")[place][1]
    words = set(plain(title).split())
    return not any(words & set(keys) for keys, _, _ in _LIKE) and not any(
        words & set(keys.split()) for keys, _ in _HOUSES
    )


def other_occupation(place: int, known: dict[str, Occupation]) -> Occupation:
    """The occupation of a title; what it has in common with a well-known one is taken from there."""
    title = packed("job_titles")[place][1]
    if title in known:
        return known[title]
    common = further_job(title)
    if common is not None:
        return common.occupation
    like, pay = _like(title)
    base = known.get(like) or next(iter(known.values()))

    def build(chance: Random) -> Occupation:
        return {
            **base,
            "title": title,
            # Where hands are needed, nobody works from home.
            "remote": 0.0 if set(houses_for(title)) - {"agency", "law office"} else base["remote"],
            "pay": float(round(pay * (0.85 + 0.3 * chance.random()) / 1000) * 1000),
            "skills": _SKILLS.get(like, base["skills"]),
            "duties": _DUTIES.get(like, f"work as {_article(title)} {title.lower()} in a small team"),
        }

    return derived(0, "occupation", title, build)


def _article(title: str) -> str:
    return "an" if title[:1].lower() in "aeiou" else "a"


def document_for(number: int) -> str:
    """The document of a posting of such a title; its number can be read off it."""
    return base64.b64encode(number.to_bytes(8) + _MARK).decode()


def number_in(document: str) -> int | None:
    """The number that such a document holds; None for any other text."""
    try:
        content = base64.b64decode(document[:64], validate=True)
    except ValueError:
        return None
    return int.from_bytes(content[:8]) if len(content) == 16 and content[8:] == _MARK else None


def elsewhere(title: int, city: int) -> list[int]:
    """The numbers of the postings of a title (by its place) in a city (by its place)."""
    first = FIRST_ELSEWHERE + (title * CITIES + city) * PER_CITY
    return list(range(first, first + PER_CITY))


def place_elsewhere(number: int) -> tuple[int, int] | None:
    """The places of the title and of the city of such a posting; None for a number of another one."""
    if number < FIRST_ELSEWHERE:
        return None
    title, city = divmod((number - FIRST_ELSEWHERE) // PER_CITY, CITIES)
    return (title, city) if title < len(packed("job_titles")) else None


def is_other(number: int) -> bool:
    """Whether a number may be that of a posting of such a title."""
    return FIRST_OTHER <= number < FIRST_OTHER + PER_TITLE * len(packed("job_titles"))


def chance_of(seed: int, number: int) -> Random:
    """The chance of one posting."""
    return seeds.stream(seed, "other posting", number)
