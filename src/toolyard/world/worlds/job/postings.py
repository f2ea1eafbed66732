"""Jobs on offer: one table under three services, with pay that follows occupation, level and country.

{"number": 0, "title": "Barista", "employer": {...}, "city": {...}, "pay_low": 31000, "currency": "USD", ...}
"""

from __future__ import annotations

import base64
import binascii
import functools
import json
import random
from datetime import timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.shared.geography import (
    City,
    cities,
    find_city,
    find_country,
    plain,
)
from toolyard.world.state import EPOCH
from toolyard.world.types import Semantic
from toolyard.world.worlds.job.adverts import Advert, advert
from toolyard.world.worlds.job.common_jobs import FIRST_WIDE, further_job, level_weights, wide_place
from toolyard.world.worlds.job.employers import (
    Employer,
    employers,
    house_in,
    hubs,
    is_local,
    known_in,
    local_takers,
    takes,
)
from toolyard.world.worlds.job.job_pay import least_pay, usual_pay
from toolyard.world.worlds.job.occupations import Occupation, occupations
from toolyard.world.worlds.job.other_jobs import (
    FIRST_OTHER,
    PER_TITLE,
    chance_of,
    document_for,
    houses_for,
    houses_like,
    is_other,
    other_occupation,
    place_elsewhere,
)

Level = Literal["Internship", "Entry Level", "Mid Level", "Senior Level", "management"]
EmploymentType = Literal["FULLTIME", "PARTTIME", "CONTRACTOR", "INTERN"]
JobCategory = Annotated[str, Semantic("job_category")]
# The document that the released query's long id points to.
KNOWN_DOCUMENT = "LWRuFV8dvdkAAAAAAAAAAA=="
LEVELS: dict[Level, tuple[str, float, int]] = {
    "Internship": ("{} Intern", 0.45, 0),
    "Entry Level": ("Junior {}", 0.75, 0),
    "Mid Level": ("{}", 1.0, 2),
    "Senior Level": ("Senior {}", 1.35, 5),
    "management": ("Lead {}", 1.6, 7),
}
# The holding whose people work for Google.
_NOT_HIRING = frozenset({"Alphabet Inc."})
FIRST_MORE, MOST = 100_000, 40
# How much more than usual some occupations are wanted.
_WANTED = {
    **dict.fromkeys(("Software Engineer", "Nurse", "Sales Representative"), 3.0),
    **dict.fromkeys(
        ("Teacher", "Warehouse Associate", "Customer Support Agent", "Accountant", "Truck Driver"), 2.2
    ),
    **dict.fromkeys(
        ("Data Analyst", "Project Manager", "Waiter", "Barista", "Chef", "Electrician", "Receptionist"), 1.6
    ),
}
# Cities with many more people around than within.
_LARGE_AROUND = frozenset(("San Francisco", "Boston", "Los Angeles", "Chicago", "Dallas", "Seattle", "Paris"))
# Work that nobody may do without a licence.
LICENCES = {
    "Nurse": "registration as a nurse needed", "Registered Nurse": "nursing licence needed",
    "Pharmacist": "licence as a pharmacist needed", "Physiotherapist": "licence to practise needed",
    "Lawyer": "admission to the bar needed", "Truck Driver": "licence to drive trucks needed",
    "Electrician": "qualification as an electrician needed", "Teacher": "teaching certificate needed",
    "Physician": "licence to practise needed", "Dentist": "licence to practise needed", "Pilot": "airline licence needed",
}  # fmt: skip
# What pays more than this is learned before one begins.
_TRAINED_FROM = 75_000
# Work that is learned in other ways than by internships.
_NO_INTERNS = frozenset(
    ("Truck Driver", "Electrician", "Waiter", "Barista", "Warehouse Associate", "Receptionist", "Nurse", "Pharmacist",
     "Hotel Manager", "Sous Chef", "Operations Manager", "Customer Support Agent")
)  # fmt: skip
_NO_BEGINNERS = frozenset(
    ("Chef", "Sous Chef", "Hotel Manager", "Operations Manager", "Program Manager", "Art Director")
)
_INSURED = frozenset("DE FR GB ES IT AT NL BE SE NO DK FI PT PL IE AU NZ CA JP KR TW".split())
BENEFITS = ("health insurance", "retirement plan", "paid parental leave", "flexible hours", "training budget", "free meals",
            "public transport ticket", "yearly bonus", "share plan", "gym membership")  # fmt: skip


class Posting(TypedDict):
    """One job on offer; pay is per year in the currency of the country."""

    number: int
    title: str
    occupation: str
    category: str
    level: Level
    employer: Employer
    city: City
    place: str
    remote: bool
    employment_type: EmploymentType
    pay_low: int
    pay_high: int
    currency: str
    posted: str
    years: int
    degree: bool
    skills: list[str]
    benefits: list[str]
    text: str
    document: str


@seeds.table
def postings(seed: int) -> tuple[Posting, ...]:
    """All jobs, the two that queries name first."""
    rows = [_known(seed, 0, "Barista", "Eleven Madison Park"), _known(seed, 1, "Project Manager", "Google")]
    for city in hubs():
        for occupation in occupations():
            hiring = takers(seed, occupation["title"], tuple(occupation["hires"]), city["id"])
            chance = seeds.stream(seed, "posting", city["id"], occupation["title"])
            # One or two at a time, by different employers where the city has several.
            for employer in chance.sample(hiring, min(len(hiring), chance.choice((1, 1, 2, 2)))):
                level = chance.choices(list(LEVELS), (1, 4, 6, 4, 1))[0]
                rows.append(posting(len(rows), occupation, employer, city, level, chance))
    return tuple(rows)


@seeds.remembered(4096)
def takers(seed: int, title: str, hires: tuple[str, ...], city: str) -> tuple[Employer, ...]:
    """The employers of a city that have work for an occupation, in order of their numbers."""
    kinds = frozenset(hires) or frozenset(houses_for(title))
    return tuple(row for row in _known_employers(seed, city) if takes(row, title, kinds))


@seeds.remembered(256)
def _known_employers(seed: int, city: str) -> tuple[Employer, ...]:
    """The employers that have people in a city, in order of their numbers."""
    place = find_city(city)
    return tuple(row for row in employers(seed) if row["name"] not in _NOT_HIRING and known_in(row, place))


def taker(seed: int, occupation: Occupation, city: City, number: int) -> Employer:
    """An employer of the city that has work for an occupation; an office where none has."""
    found = takers(seed, occupation["title"], tuple(occupation["hires"]), city["id"])
    return seeds.pick(found, "taker", number) if found else house_in(seed, city, "office")


def _known(seed: int, number: int, title: str, employer: str) -> Posting:
    occupation = next(row for row in occupations() if row["title"] == title)
    row = next(row for row in employers(seed) if row["name"] == employer)
    return posting(number, occupation, row, row["city"], "Mid Level", seeds.stream(seed, "known", number))


def posting(
    number: int, occupation: Occupation, employer: Employer, city: City, level: Level, chance: random.Random
) -> Posting:
    level = _offered_level(level, occupation)
    pattern, factor, years = LEVELS[level]
    usual = usual_pay(occupation["title"], occupation["pay"], city["country_code"])
    pay = usual * factor * (0.9 + 0.2 * chance.random())
    kind: EmploymentType = "INTERN" if level == "Internship" else chance.choices(
        ("FULLTIME", "PARTTIME", "CONTRACTOR"), (8, 1.5, 1))[0]  # fmt: skip
    pay = max(pay, least_pay(city, number)) if level != "Internship" else pay
    title, benefits = pattern.format(occupation["title"]), _benefits(employer, city, chance)
    remote = number > 1 and chance.random() < occupation["remote"]
    where = f"to work from anywhere for our team in {city['name']}" if remote else f"in {city['name']}"
    trained = occupation["pay"] > _TRAINED_FROM or occupation["title"] in LICENCES
    facts = (occupation["title"], occupation["duties"], occupation["skills"])
    told = Advert(
        number, employer["name"], title, where, *facts, years, benefits, kind == "PARTTIME", trained
    )
    return Posting(
        number=number,
        title=title,
        occupation=occupation["title"],
        category=occupation["category"],
        level=level,
        employer=employer,
        city=city,
        place=f"{city['name']}, {city['region_code'] if city['country_code'] == 'US' else city['country']}",
        remote=remote,
        employment_type=kind if number > 1 else "FULLTIME",
        pay_low=round(pay * 0.92 / 100) * 100,
        pay_high=round(pay * 1.12 / 100) * 100,
        currency=find_country(city["country_code"])["currency"],
        posted=(EPOCH - timedelta(days=_age(chance.randrange(45)) if number > 1 else 2)).date().isoformat(),
        years=years,
        degree=occupation["pay"] > 75000,
        skills=occupation["skills"],
        benefits=benefits,
        text=advert(told),
        document=KNOWN_DOCUMENT if number == 0 else _document(number, title, city),
    )


def _age(drawn: int) -> int:
    """How many days ago a job was posted: most of what is listed is new."""
    return drawn * drawn // 45


def _offered_level(level: Level, occupation: Occupation) -> Level:
    """A level that such work is offered at: nobody manages or drives as an intern, and nobody begins as a chef."""
    title = occupation["title"]
    if level == "Internship" and (
        title in _NO_INTERNS or title.endswith(("Manager", "Consultant", "Director"))
    ):
        return "Mid Level"
    return "Mid Level" if level == "Entry Level" and title in _NO_BEGINNERS else level


def _benefits(employer: Employer, city: City, chance: random.Random) -> list[str]:
    benefits = chance.sample(BENEFITS, chance.randrange(2, 5))
    # Who is not listed has no shares to give; where all are insured by law, some houses pay for more.
    other = {"share plan": "paid holidays"} if employer["ticker"] is None else {}
    other |= {"health insurance": "extra health insurance"} if city["country_code"] in _INSURED else {}
    return [other.get(name, name) for name in benefits]


def _document(number: int, title: str, city: City) -> str:
    return base64.b64encode(seeds.number("job", number, title, city["id"]).to_bytes(8) + bytes(8)).decode()


def long_id(row: Posting) -> str:
    """The id under which the third service knows a job: a small JSON document in base 64."""
    content = {"job_title": row["title"], "htidocid": row["document"], "hl": "en"}
    return base64.b64encode(json.dumps(content, separators=(",", ":")).encode()).decode()


def document_of_id(text: str) -> str | None:
    """The document that a long id points to; None where the text is no such id."""
    try:
        content = json.loads(base64.b64decode(text.strip()[:20000] + "===", validate=False))
    except (binascii.Error, ValueError, RecursionError):
        return None
    found = content.get("htidocid") if isinstance(content, dict) else None
    return found if isinstance(found, str) else None


_plain = functools.lru_cache(maxsize=8192)(plain)


def mentions(value: str, text: str) -> bool:
    """Whether a value contains a text, case and accents aside; the empty text is nowhere."""
    wanted = _plain(text)
    return bool(wanted) and wanted in _plain(value)


def other_posting(seed: int, number: int) -> Posting | None:
    """The posting of such a title with this number; None where there is no such city."""
    if number >= FIRST_WIDE:
        return _wide_posting(seed, number)
    further = place_elsewhere(number)
    if further is not None:
        return _posting_elsewhere(seed, number, *further)
    if not is_other(number):
        return None
    place, city = divmod(number - FIRST_OTHER, PER_TITLE)
    if city >= len(hubs()):
        return None
    chance = chance_of(seed, number)
    occupation = other_occupation(place, {row["title"]: row for row in occupations()})
    kinds = houses_for(occupation["title"]) or houses_like(occupation["title"])
    house = house_in(seed, hubs()[city], kinds[number % len(kinds)])
    level = chance.choices(list(LEVELS), (1, 4, 6, 4, 1))[0]
    row = posting(number, occupation, house, hubs()[city], level, chance)
    return {**row, "document": document_for(number)}


@seeds.remembered(4096)
def _wide_posting(seed: int, number: int) -> Posting | None:
    """The posting of a common occupation in any town; None where there is none."""
    wide = wide_place(number)
    if wide is None:
        return None
    occupation, city, rank = wide
    chance = chance_of(seed, number)
    job = further_job(occupation["title"])
    kinds = job.houses if job else houses_for(occupation["title"]) or _local_kinds(occupation)
    house = house_in(seed, city, kinds[rank % len(kinds)], rank // len(kinds) % 8)
    level = chance.choices(list(LEVELS), level_weights(occupation))[0]
    return {**posting(number, occupation, house, city, level, chance), "document": document_for(number)}


def _local_kinds(occupation: Occupation) -> tuple[str, ...]:
    """The kinds of local houses that have work for an occupation for which companies hire elsewhere."""
    kinds = local_takers(occupation["title"])
    return kinds or ("office",)


def _posting_elsewhere(seed: int, number: int, title: int, place: int) -> Posting | None:
    """The posting of a title in a city that has no table of its own."""
    if place >= len(cities()):
        return None
    city, chance = cities()[place], chance_of(seed, number)
    known = {row["title"]: row for row in occupations()}
    occupation = other_occupation(title, known)
    kinds = houses_for(occupation["title"]) or ("office", "shop")
    level = chance.choices(list(LEVELS), (0, 3, 6, 4, 0))[0]
    house = house_in(seed, city, kinds[number % len(kinds)])
    return {**posting(number, occupation, house, city, level, chance), "document": document_for(number)}


def posting_at(seed: int, number: int) -> Posting | None:
    """The posting with this number: of the table, one more of its occupations, or beyond it."""
    table = postings(seed)
    if 0 <= number < len(table):
        return table[number]
    return another(seed, number) if FIRST_MORE <= number < FIRST_OTHER else other_posting(seed, number)


def more_of(occupation: str, city: City) -> list[int]:
    """The numbers of the further postings of an occupation in a city: the larger it is and the more are wanted, the more."""
    place = [row["title"] for row in occupations()].index(occupation)
    size = 3 if city["population"] > 7_000_000 else 2 if city["population"] > 2_500_000 else 1.3
    size = 2.7 if city["name"] in _LARGE_AROUND else size
    count = round(
        3.4 * size * _WANTED.get(occupation, 1.0) * (0.8 + 0.4 * seeds.unit("more", occupation, city["id"]))
    )
    first = FIRST_MORE + (place * PER_TITLE + hubs().index(city)) * MOST
    return list(range(first, first + min(count, MOST)))


@seeds.remembered(8192)
def another(seed: int, number: int) -> Posting | None:
    """The further posting with a number; None where there is none."""
    place, rank = divmod(number - FIRST_MORE, MOST)
    title, town = divmod(place, PER_TITLE)
    if title >= len(occupations()) or town >= len(hubs()):
        return None
    occupation, city = occupations()[title], hubs()[town]
    if number not in more_of(occupation["title"], city):
        return None
    chance = seeds.stream(seed, "one more", number)
    level = chance.choices(list(LEVELS), (1, 4, 6, 4, 1))[0]
    found = takers(seed, occupation["title"], tuple(occupation["hires"]), city["id"])
    start = seeds.number("first taker", title, town)
    employer = found[(start + rank) % len(found)] if found else taker(seed, occupation, city, number)
    local = local_takers(occupation["title"]) or tuple(kind for kind in occupation["hires"] if kind.islower())
    if rank >= len(found) and not is_local(employer) and local:
        # Who has a job on offer already has no second one where other houses have some.
        return _at_another_house(seed, number, (occupation, city, level), local[rank % len(local)], chance)
    if is_local(employer):
        employer = house_in(seed, city, employer["kind"], rank % 8)
    return {**posting(number, occupation, employer, city, level, chance), "document": document_for(number)}


def _at_another_house(
    seed: int, number: int, what: tuple[Occupation, City, Level], kind: str, chance: random.Random
) -> Posting:
    """The posting with a number at one of the other local houses of a kind."""
    occupation, city, level = what
    house = house_in(seed, city, kind, (number - FIRST_MORE) % MOST % 8)
    return {**posting(number, occupation, house, city, level, chance), "document": document_for(number)}
