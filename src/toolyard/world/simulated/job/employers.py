"""Who hires: the shared companies, some well-known houses, and houses of every kind in each city. All of it is reference."""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, read_record, read_table, table_words
from toolyard.world.kernel.types import Semantic
from toolyard.world.reference.companies import companies, company_or_none
from toolyard.world.reference.places.geography import City, city_or_none, find_city, find_country
from toolyard.world.simulated.job.occupations import Occupation, occupations

EmployerName = Annotated[str, Semantic("employer")]
EmployerKey = Annotated[str, Semantic("employer", accepts=("company",))]
# Ids that the released queries name start here; houses that no list holds come after all others.
FIRST_ID, _UNLISTED = 67890, 100_000
HUBS = table_words("employers.hubs")
_FIRST = ("Cedar", "Harbour", "Lantern", "Copper", "Willow", "North Star", "Juniper", "Bridge Street", "Old Mill", "Marble",
          "Orchid", "Sparrow", "Beacon", "Riverside", "Linden", "Amber")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Employer:
    """Reference: an employer; `kind` is the sector of a company, or what a local house is."""

    id: int
    name: str
    kind: str
    industry: str
    city: City
    employees: int
    ticker: str | None
    website: str
    head_office: str
    local: bool = False

    def __hash__(self) -> int:
        return self.id

    def takes(self, work: Occupation) -> bool:
        """Whether this employer has work for an occupation."""
        return self.kind in work.hires or (not self.local and self.industry in work.hires)


@dataclass(frozen=True, slots=True)
class House:
    """Reference: a kind of local house, and what such houses are called."""

    kind: str
    listed: int
    industry: str
    people: int
    word: str
    names: tuple[str, ...]


@functools.cache
def hubs() -> tuple[City, ...]:
    """The cities with the largest markets for jobs."""
    return tuple(find_city(name) for name in HUBS)


@functools.cache
def houses() -> Mapping[str, House]:
    """Kind -> the local houses of it."""
    return {row["kind"]: read_record(House, row) for row in read_table("houses.tsv")}


@functools.cache
def employers() -> tuple[Employer, ...]:
    """All listed employers: companies first, then known houses, then those of each hub."""
    rows: list[Employer] = []
    for company in companies():
        home = find_city(f"{company['metropolis']}, {find_country(company['country'])['code']}")
        rows.append(
            _make_employer(len(rows), company["name"], company["sector"], company["industry"], home,
                      company["employees"] or 0, company["ticker"], company["website"], company["city"])
        )  # fmt: skip
    for row in read_table("employers.tsv"):
        home = find_city(f"{row['city']}, {row['country']}")
        site = "google.com" if row["name"] == "Google" else None
        rows.append(
            _make_employer(len(rows), row["name"], row["kind"], row["industry"], home, int(row["employees"]),
                      website=site, head_office=row["head_office"])
        )  # fmt: skip
    for shelf in (1, 2, 3):
        for city in hubs():
            for house in houses().values():
                if house.listed == shelf:
                    rows.append(_local_employer(len(rows), house, city, _first_name(house, city)))
    return tuple(rows)


def _make_employer(
    place: int, name: str, kind: str, industry: str, city: City, employees: int, ticker: str | None = None,
    website: str | None = None, head_office: str | None = None, local: bool = False,
) -> Employer:  # fmt: skip
    site = website or f"{plain(name).replace(' ', '-').replace('&', 'and')}.example"
    number, office = FIRST_ID + 11 * place, head_office or city["name"]
    return Employer(number, name, kind, industry, city, employees, ticker, site, office, local)


def _first_name(house: House, city: City) -> str:
    return f"{seeds.pick(_FIRST, 0, 'employer', city['id'], house.kind)} {house.word} {city['name']}"


@functools.cache
def _house_names() -> tuple[re.Pattern[str], ...]:
    """What local houses may be called, with the name of their town as the group."""
    firsts = (f"{first} {house.word} {{}}" for house in houses().values() if house.word for first in _FIRST)
    names = (*firsts, *(name for house in houses().values() for name in house.names))
    return tuple(re.compile(re.escape(plain(name)).replace(r"\{\}", "(.+)")) for name in names)


def may_hire(name: str) -> bool:
    """Whether a name is that of a company, or of a local house in a town that exists, beside the listed employers."""
    fits = (pattern.fullmatch(plain(name)) for pattern in _house_names())
    houses_there = any(all(map(city_or_none, found.groups())) for found in fits if found)
    return houses_there or company_or_none(name) is not None


def _local_employer(place: int, house: House, city: City, name: str) -> Employer:
    people = max(4, round(house.people * (0.5 + seeds.unit("people", name, city["id"]))))
    return _make_employer(place, name, house.kind, house.industry, city, people, local=True)


def local_house_in(city: City, kind: str, rank: int) -> Employer:
    """A further local house of a kind in any city, one of several."""
    house = houses()[kind]
    names = [name.replace("{}", city["name"]) for name in house.names]
    names = [*([_first_name(house, city)] if house.word else []), *names]
    start = 0 if house.word else seeds.number("town house", city["id"], kind)
    name = names[(start + rank) % len(names)]
    place = _UNLISTED + seeds.number("house", city["id"], name) % _UNLISTED
    return _local_employer(place, house, city, name)


@functools.cache
def _office_cities() -> Mapping[str, frozenset[str]]:
    """Ticker or name of a company -> the hubs beside its home in which it has offices."""
    return {row["company"]: frozenset(row["offices"].split(";")) for row in read_table("company_offices.tsv")}


def employer_cities(row: Employer) -> list[City]:
    """The cities in which an employer has people, its home first."""
    named = _office_cities().get(row.ticker or row.name, frozenset())
    return [row.city, *(city for city in hubs() if city["id"] != row.city["id"] and city["name"] in named)]


@functools.cache
def _employers_by_city() -> Mapping[str, tuple[Employer, ...]]:
    found: dict[str, list[Employer]] = {}
    for row in employers():
        for city in employer_cities(row):
            found.setdefault(city["id"], []).append(row)
    return {place: tuple(rows) for place, rows in found.items()}


def employers_in(town: str) -> tuple[Employer, ...]:
    """The listed employers that have people in a city, by its id."""
    return _employers_by_city().get(town, ())


@functools.cache
def first_work(kind: str, industry: str, local: bool) -> Occupation | None:
    """The first occupation that employers of a kind have work for: of it each of them has a job on offer at home."""
    one = _make_employer(0, "", kind, industry, hubs()[0], 0, local=local)
    return next((work for work in occupations() if one.takes(work)), None)


def jobs_link(row: Employer, number: int) -> str:
    """Where an employer takes applications."""
    labels = row.website.split(".")
    return f"https://{labels[labels[0] == 'global']}.example/jobs/{number}"


def size_class(row: Employer) -> str:
    """Small (up to 250 people), Medium (up to 5,000) or Large."""
    return "Small Size" if row.employees <= 250 else "Medium Size" if row.employees <= 5000 else "Large Size"
