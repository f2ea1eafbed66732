"""Jobs on offer: one table under three services.

A posting exists for each occupation, city and slot; its number tells all three. Who could hire there is reference; which
slots are open, and the level, type, day, pay and benefits of each, are drawn from the seed.
"""

import base64
import binascii
import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Literal

from toolyard.world.kernel import seeds
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import plain, values_of
from toolyard.world.kernel.types import Semantic
from toolyard.world.reference.listed_companies import short_name
from toolyard.world.reference.places import gazetteer
from toolyard.world.reference.places.geography import City, find_city, find_country
from toolyard.world.simulated.job.employers import (
    Employer,
    employers,
    employers_in,
    first_work,
    houses,
    hubs,
    local_house_in,
)
from toolyard.world.simulated.job.occupations import Occupation, occupation_by_number, occupations
from toolyard.world.simulated.prices import current_units_per_dollar

Level = Literal["Internship", "Entry Level", "Mid Level", "Senior Level", "management"]
EmploymentType = Literal["FULLTIME", "PARTTIME", "CONTRACTOR", "INTERN"]
JobCategory = Annotated[str, Semantic("job_category")]
# The document and the mark of the ids that the released queries name.
KNOWN_DOCUMENT, _MARK = "LWRuFV8dvdkAAAAAAAAAAA==", b"otherjob"
# Level -> its title, what it does to the pay, and the years of experience that are asked for.
LEVELS: dict[Level, tuple[str, float, tuple[int, int]]] = values_of("postings.levels")
SLOTS, DAYS = 48, 61
# Inhabitants of a town from which on -> slots of one occupation, at least.
_BY_SIZE = ((2_500_000, 14), (1_000_000, 12), (400_000, 10), (100_000, 7), (20_000, 4), (0, 2))
_OPEN, _ON_THE_MUSE = 0.75, 0.3
# What full-time work pays a year, in dollars.
PAY_BOUNDS = (9_000.0, 600_000.0)
SITES = ("Indeed", "LinkedIn", "Glassdoor", "Monster", "ZipRecruiter")
BENEFITS = ("health insurance", "retirement plan", "paid parental leave", "flexible hours", "training budget", "free meals",
            "public transport ticket", "yearly bonus", "share plan", "gym membership")  # fmt: skip
_FIRST = ("{employer} is looking for {a} {title} {where}.", "{employer} is hiring {a} {title} {where}.",
          "Join {employer} as {a} {title} {where}.", "Wanted at {employer}: {a} {title} {where}.")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Posting:
    """Simulated: one job on offer; pay is per year of full time in the currency of the country."""

    number: int
    work: Occupation
    employer: Employer
    city: City
    level: Level
    remote: bool
    employment_type: EmploymentType
    pay_low: int
    pay_high: int
    currency: str
    posted: str
    years: int
    benefits: list[str]

    @property
    def title(self) -> str:
        """The title with the level in it."""
        return LEVELS[self.level][0].format(self.work.title)

    @property
    def place(self) -> str:
        """The city with its country, or its state in the United States."""
        state = self.city["country_code"] == "US"
        return f"{self.city['name']}, {self.city['region_code'] if state else self.city['country']}"

    @property
    def skills(self) -> list[str]:
        """What is asked for."""
        return list(self.work.skills)

    @property
    def degree(self) -> bool:
        """Whether the work is learned at a university."""
        return self.work.pay > 75_000

    @property
    def document(self) -> str:
        """The document under which Google Jobs knows it."""
        return base64.b64encode(self.number.to_bytes(8) + _MARK).decode() if self.number else KNOWN_DOCUMENT

    @property
    def long_id(self) -> str:
        """The id of Google Jobs: a small JSON document in base 64."""
        content = {"job_title": self.title, "htidocid": self.document, "hl": "en"}
        return base64.b64encode(json.dumps(content, separators=(",", ":")).encode()).decode()

    @property
    def board_id(self) -> str:
        """The id of the job boards."""
        return f"job-{self.number:05d}-{seeds.token(8, 'board', self.document)}"

    @property
    def site(self) -> str:
        """The job board that has it."""
        return seeds.pick(SITES, "site", self.document)

    @property
    def salary(self) -> str:
        """The range of pay in one phrase."""
        return f"{self.pay_low:,}-{self.pay_high:,} {self.currency} a year"

    @property
    def text(self) -> str:
        """The text of the advert."""
        name = short_name(self.employer.name)
        parts = self.employer.name.removeprefix("The ").split()
        called = (
            self.employer.name if len(name.split()) == len(parts) else " ".join(parts[: len(name.split())])
        )
        town = self.city["name"]
        opening = seeds.pick(_FIRST, "advert", self.number).format(
            employer=called.rstrip(","),
            a="an" if self.title[0] in "AEIOU" and not self.title.startswith(("UX", "Uni")) else "a",
            title=self.title,
            where=f"to work from anywhere for our team in {town}" if self.remote else f"in {town}",
        )
        tasks = seeds.stream("tasks", self.number).sample(self.work.tasks, 2) if self.work.tasks else []
        days = f" Day to day you {' and '.join(tasks)}." if tasks else ""
        part = " Part time; the pay is stated for full hours." if self.employment_type == "PARTTIME" else ""
        return (
            f"{opening} You will {self.work.duties}.{days} We look for {self.years} years of experience and "
            f"{', '.join(self.work.skills)}. We offer: {', '.join(self.benefits)}.{part}"
        )


@seeds.cache_by_seed(4096)
def usual_pay(seed: int, work: Occupation, country: str, city: str = "") -> float:
    """What an occupation pays a year in a country, or in one of its cities, in its currency."""
    dollars = work.pay * (0.6 + seeds.unit(seed, "pay", work.title))
    dollars *= 0.35 + 0.75 * seeds.unit(seed, "wages", country)
    dollars *= 0.9 + 0.25 * seeds.unit(seed, "town wages", city) if city else 1.0
    return (
        min(max(dollars, PAY_BOUNDS[0]), PAY_BOUNDS[1])
        * current_units_per_dollar()[find_country(country)["currency"]]
    )


@functools.lru_cache(maxsize=4096)
def _hiring_employers(place: int, town: str) -> tuple[Employer, ...]:
    work = occupation_by_number(place)
    return tuple(row for row in employers_in(town) if work and row.takes(work))[:SLOTS]


@functools.lru_cache(maxsize=4096)
def _fill_slots(place: int, town: str) -> tuple[Employer, ...]:
    work, city, found = occupation_by_number(place), _city(town), list(_hiring_employers(place, town))
    kinds = [kind for kind in (work.hires if work else ()) if kind in houses()] or ["office"]
    names = {row.name for row in found}
    least = next(count for people, count in _BY_SIZE if city["population"] >= people)
    for rank in range(2 * least):
        if len(found) >= least:
            break
        house = local_house_in(city, kinds[rank % len(kinds)], rank // len(kinds))
        if house.name not in names:
            names.add(house.name)
            found.append(house)
    return tuple(found)


_city = functools.lru_cache(maxsize=4096)(find_city)
_size = functools.cache(gazetteer.count_cities)


def hiring_slots(work: Occupation, city: City) -> tuple[Employer, ...]:
    """Who could hire for an occupation in a city: listed employers, then further houses."""
    return _fill_slots(work.place, city["id"])


def posting_number(work: Occupation, city: City, slot: int) -> int:
    """The number of a posting; the two that the released queries name have small ones."""
    number = len(_NAMED) + (work.place * _size() + gazetteer.city_number(city["id"])) * SLOTS + slot
    return _known_numbers().get(number, number)


_NAMED = (("Barista", "Eleven Madison Park"), ("Project Manager", "Google"))


@functools.cache
def _known_numbers() -> Mapping[int, int]:
    """The number that follows from its place -> the one that the released queries name."""
    found = {}
    for known, (title, name) in enumerate(_NAMED):
        work = next(row for row in occupations() if row.title == title)
        employer = next(row for row in employers() if row.name == name)
        town = gazetteer.city_number(employer.city["id"])
        slot = hiring_slots(work, employer.city).index(employer)
        found[len(_NAMED) + (work.place * _size() + town) * SLOTS + slot] = known
    return found


def _is_always_open(work: Occupation, town: str, employer: Employer) -> bool:
    """Whether a slot is open under every seed: each listed employer has one at home."""
    named = (work.title, employer.name) in _NAMED
    first = first_work(employer.kind, employer.industry, employer.local)
    return named or (employer.city["id"] == town and first is work)


@seeds.cache_by_seed(16384)
def _draw_posting(seed: int, number: int, work: Occupation, slot: int, town: str) -> Posting | None:
    city = _city(town)
    takers = _hiring_employers(work.place, town)
    employer = takers[slot] if slot < len(takers) else hiring_slots(work, city)[slot]
    chance = seeds.stream(seed, "posting", number)
    if chance.random() > _OPEN and not _is_always_open(work, town, employer):
        return None
    level = chance.choices(list(LEVELS), (1, 4, 6, 4, 1))[0]
    _, factor, years = LEVELS[level]
    kind: EmploymentType = (
        "INTERN"
        if level == "Internship"
        else chance.choices(("FULLTIME", "PARTTIME", "CONTRACTOR"), (7, 2, 1))[0]
    )
    pay = usual_pay(seed, work, city["country_code"], city["id"]) * factor * (0.85 + 0.3 * chance.random())
    return Posting(
        number=number,
        work=work,
        employer=employer,
        city=city,
        level=level,
        remote=chance.random() < work.remote,
        employment_type=kind,
        pay_low=round(pay * 0.92 / 10) * 10,
        pay_high=round(pay * 1.12 / 10) * 10,
        currency=find_country(city["country_code"])["currency"],
        posted=(EPOCH - timedelta(days=_posting_age(seed, work.place, town, slot))).date().isoformat(),
        years=chance.randint(*years),
        benefits=chance.sample(BENEFITS, chance.randrange(2, 5)),
    )


def _posting_age(seed: int, place: int, town: str, slot: int) -> int:
    """How many days ago a job was posted; no two of an occupation in a city on one day, as the number of days is prime."""
    drawn = seeds.number(seed, "ages", place, town)
    return (drawn // DAYS + (1 + drawn % (DAYS - 1)) * slot) % DAYS


def open_postings(seed: int, work: Occupation, city: City) -> Iterator[Posting]:
    """The open jobs of an occupation in a city."""
    for slot in range(len(hiring_slots(work, city))):
        row = _draw_posting(seed, posting_number(work, city, slot), work, slot, city["id"])
        if row is not None:
            yield row


def posting_at(seed: int, number: int) -> Posting | None:
    """The open job with this number; None where there is none."""
    number = {known: usual for usual, known in _known_numbers().items()}.get(number, number)
    rest, slot = divmod(number - len(_NAMED), SLOTS)
    place, town = divmod(rest, _size())
    work, city = occupation_by_number(place), gazetteer.city_by_number(town) if rest >= 0 else None
    if work is None or city is None or slot >= len(hiring_slots(work, city)):
        return None
    return _draw_posting(seed, posting_number(work, city, slot), work, slot, city["id"])


def posting_by_id(seed: int, text: str) -> Posting | None:
    """The job of a long id; None where the text is no such id."""
    try:
        content = json.loads(base64.b64decode(text.strip()[:20000] + "===", validate=False))
        document = content.get("htidocid") if isinstance(content, dict) else None
        inside = base64.b64decode(document[:64], validate=True) if isinstance(document, str) else b""
    except (binascii.Error, ValueError, RecursionError):
        return None
    if document == KNOWN_DOCUMENT:
        return posting_at(seed, 0)
    return posting_at(seed, int.from_bytes(inside[:8])) if len(inside) == 16 and inside[8:] == _MARK else None


@seeds.table
def board(seed: int) -> Mapping[int, Posting]:
    """The jobs that The Muse lists, by number: some of the hubs', and one of each employer at home."""
    homes = [
        (work, row.city) for row in employers() if (work := first_work(row.kind, row.industry, row.local))
    ]
    places = [(work, city) for city in hubs() for work in occupations() if work.tasks] + homes
    found: dict[int, Posting] = {}
    for place, town in dict.fromkeys((work.place, city["id"]) for work, city in places):
        work = occupations()[place]
        for slot, employer in enumerate(_hiring_employers(place, town)):
            chance = seeds.unit(seed, "muse", place, town, slot)
            if chance > _ON_THE_MUSE and not _is_always_open(work, town, employer):
                continue
            row = _draw_posting(seed, posting_number(work, _city(town), slot), work, slot, town)
            if row is not None:
                found[row.number] = row
    return found


_plain = functools.lru_cache(maxsize=8192)(plain)


def has_text(value: str, text: str) -> bool:
    """Whether a value contains a text, case and accents aside; the empty text is nowhere."""
    wanted = _plain(text)
    return bool(wanted) and wanted in _plain(value)


def mentions_any(value: str, texts: Sequence[str] | None) -> bool:
    """Whether a value contains one of some texts, or none is wanted."""
    return not texts or any(has_text(value, text) for text in texts)
