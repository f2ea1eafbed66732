"""Who hires: the shared companies, some well-known houses, and invented ones in every city with a market for jobs."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.shared.companies import companies
from toolyard.world.shared.geography import City, find_city, find_country, plain, read_table
from toolyard.world.types import Semantic

EmployerName = Annotated[str, Semantic("employer")]
EmployerKey = Annotated[str, Semantic("employer", accepts=("company",))]
_KNOWN_SITES = {"Google": "google.com"}
# Ids that the released queries name start here.
FIRST_ID = 67890
HUBS = ("New York", "San Francisco", "Los Angeles", "Austin", "Dallas", "Chicago", "Seattle", "Boston", "London",
        "Manchester", "Toronto", "Vancouver", "Sydney", "Melbourne", "Berlin", "Munich", "Hamburg", "Paris", "Amsterdam",
        "Dublin", "Zurich", "Madrid", "Bengaluru", "Mumbai", "Singapore", "Tokyo", "Shanghai", "Dubai", "São Paulo",
        "Johannesburg")  # fmt: skip
_FIRST = ("Cedar", "Harbour", "Lantern", "Copper", "Willow", "North Star", "Juniper", "Bridge Street", "Old Mill", "Marble",
          "Orchid", "Sparrow", "Beacon", "Riverside", "Linden", "Amber")  # fmt: skip
_LOCAL = {
    "restaurant": ("Kitchen", "Restaurants", 45),
    "cafe": ("Coffee House", "Coffee Shops", 15),
    "agency": ("Creative", "Advertising Agencies", 60),
    "school": ("Academy", "Education", 120),
    "hospital": ("Clinic", "Hospitals", 900),
    "hotel": ("Hotel", "Hotels", 220),
}


# Further houses, which hire for the job titles beyond the table.
_MORE_LOCAL = {
    "depot": ("Logistics", "Freight & Logistics", 180),
    "workshop": ("Builders", "Construction", 40),
    "shop": ("Stores", "Retail", 70),
    "office": ("Services", "Business Services", 90),
    "law office": ("Law Group", "Legal Services", 35),
    "studio": ("Engineering", "Engineering Services", 110),
}


# Houses for work that none of the others needs; they come after all others, whose numbers stay.
_LATER_LOCAL = {
    "newspaper": ("Gazette", "Newspapers", 80),
    "consultancy": ("Consulting", "Consulting", 130),
    "software house": ("Software", "Software", 65),
    "accountancy": ("Accounting", "Accounting Services", 40),
    "asset manager": ("Capital", "Asset Management", 55),
    "translation office": ("Translations", "Translation Services", 18),
}


# Houses of towns beyond the table, by their industry and usual number of people; their names stand in a table.
_TOWN_HOUSES = {
    "care home": ("Elderly Care", 80), "dental practice": ("Dental Care", 12), "ambulance service": ("Health Care", 150),
    "veterinary clinic": ("Veterinary Services", 14), "pharmacy": ("Pharmacies", 12), "supermarket": ("Food Retail", 110),
    "bar": ("Bars", 14), "bakery": ("Bakeries", 16), "cleaning firm": ("Cleaning Services", 120),
    "security firm": ("Security Services", 160), "garden firm": ("Landscaping", 22), "factory": ("Manufacturing", 240),
    "garage": ("Car Repair", 12), "bus company": ("Public Transport", 320), "airline": ("Airlines", 900),
    "police department": ("Public Safety", 600), "fire department": ("Public Safety", 300),
    "social service": ("Social Services", 60),
    "kindergarten": ("Child Care", 22), "university": ("Universities", 1800), "laboratory": ("Laboratories", 70),
    "bank": ("Regional Banks", 140), "insurance office": ("Insurance", 30), "estate agency": ("Real Estate", 18),
    "call centre": ("Customer Service", 180), "salon": ("Beauty Salons", 9), "gym": ("Fitness Centres", 24),
    "farm": ("Agriculture", 20),
}  # fmt: skip


class Employer(TypedDict):
    """An employer; `kind` is the sector of a company, or what a local house is."""

    id: int
    name: EmployerName
    kind: str
    industry: str
    city: City
    employees: int
    ticker: str | None
    website: str
    head_office: str


@functools.cache
def hubs() -> tuple[City, ...]:
    """The cities with postings."""
    return tuple(find_city(name) for name in HUBS)


@seeds.table
def employers(seed: int) -> tuple[Employer, ...]:
    """All employers: companies first, then known houses, then local ones of each city."""
    rows: list[Employer] = []
    for company in companies():
        rows.append(
            _employer(len(rows), company["name"], company["sector"], company["industry"],
                      find_city(f"{company['metropolis']}, {find_country(company['country'])['code']}"),
                      company["employees"] or 0, company["ticker"],
                      _sites().get(company["ticker"], company["website"]), company["city"] or "")
        )  # fmt: skip
    for row in read_table("employers.tsv"):
        city = find_city(f"{row['city']}, {row['country']}")
        rows.append(
            _employer(len(rows), row["name"], row["kind"], row["industry"], city, int(row["employees"]),
                      website=_KNOWN_SITES.get(row["name"]), head_office=row["head_office"])
        )  # fmt: skip
    for houses in (_LOCAL, _MORE_LOCAL, _LATER_LOCAL):
        for city in hubs():
            for kind, (word, industry, size) in houses.items():
                first = seeds.pick(_FIRST, seed, "employer", city["id"], kind)
                name = f"{first} {word} {city['name']}"
                people = round(size * (0.5 + seeds.unit(seed, "people", city["id"], kind)))
                rows.append(_employer(len(rows), name, kind, industry, city, people))
    return tuple(rows)


def _employer(
    place: int, name: str, kind: str, industry: str, city: City, employees: int,
    ticker: str | None = None, website: str | None = None, head_office: str = "",
) -> Employer:  # fmt: skip
    return Employer(
        id=FIRST_ID + 11 * place,
        name=name,
        kind=kind,
        industry=industry,
        city=city,
        employees=employees,
        ticker=ticker,
        website=website or f"{plain(name).replace(' ', '-').replace('&', 'and')}.example",
        head_office=head_office or city["name"],
    )


@functools.cache
def _sites() -> Mapping[str, str]:
    """Ticker -> the website of a company."""
    return {row["ticker"]: row["site"] for row in read_table("company_sites.tsv")}


def jobs_link(row: Employer, number: int) -> str:
    """Where an employer would take applications; such pages are made up."""
    labels = row["website"].split(".")
    return f"https://{labels[labels[0] == 'global']}.example/jobs/{number}"


@functools.cache
def _offices() -> Mapping[str, frozenset[str]]:
    """Ticker or name of a company -> the cities beside its home in which it is known to have offices."""
    return {row["company"]: frozenset(row["offices"].split(";")) for row in read_table("company_offices.tsv")}


@functools.cache
def _takers() -> Mapping[str, frozenset[str]]:
    """Title of an occupation -> the industries, and the kinds of local houses, that have work for it."""
    return {row["title"]: frozenset(row["industries"].split(";")) for row in read_table("job_employers.tsv")}


@functools.cache
def local_takers(title: str) -> tuple[str, ...]:
    """The kinds of local houses that have work for an occupation of the table."""
    local = {**_LOCAL, **_MORE_LOCAL, **_LATER_LOCAL}
    return tuple(kind for kind in local if kind in _takers().get(title, frozenset()))


def known_in(row: Employer, city: City) -> bool:
    """Whether an employer has people in a city: at home, and well-known companies where they have offices."""
    return row["city"]["id"] == city["id"] or city["name"] in _offices().get(
        row["ticker"] or row["name"], frozenset()
    )


def takes(row: Employer, title: str, kinds: Collection[str]) -> bool:
    """Whether an employer has work for an occupation; of one that no table tells, by its kind."""
    wanted = _takers().get(title)
    if wanted is None:
        return row["kind"] in kinds
    # A house of the quarter is no restaurant chain with a marketing department: its kind must be named.
    return row["kind"] in wanted or (not is_local(row) and row["industry"] in wanted)


def house_in(seed: int, city: City, kind: str, rank: int = 0) -> Employer:
    """A local house of a city beyond the table of houses, one of several; of a kind that is not one of them, an office."""
    if kind in _TOWN_HOUSES:
        return _town_house(seed, city, kind, rank)
    houses = {**_LOCAL, **_MORE_LOCAL, **_LATER_LOCAL}
    word, industry, size = houses.get(kind, houses["office"])
    first = seeds.pick(_FIRST, seed, "employer", city["id"], kind)
    name = f"{first} {word} {city['name']}"
    further = _house_names().get(kind, ())
    if rank and further:
        start = seeds.number("house names", city["id"], kind)
        name = further[(start + rank) % len(further)].replace("{}", city["name"])
    people = round(size * (0.5 + seeds.unit(seed, "people", city["id"], kind, *([rank] if rank else []))))
    place = 100_000 + seeds.number("house", city["id"], kind) % 100_000
    return _employer(place, name, kind, industry, city, people)


def _town_house(seed: int, city: City, kind: str, rank: int) -> Employer:
    industry, size = _TOWN_HOUSES[kind]
    names = _house_names()[kind]
    name = names[(seeds.number("town house", city["id"], kind) + rank) % len(names)].replace(
        "{}", city["name"]
    )
    people = max(4, round(size * (0.5 + seeds.unit(seed, "people", name, city["id"]))))
    place = 100_000 + seeds.number("house", city["id"], name) % 100_000
    return _employer(place, name, kind, industry, city, people)


@functools.cache
def _house_names() -> Mapping[str, tuple[str, ...]]:
    """Kind of local house -> what further ones of it are called."""
    return {row["kind"]: tuple(row["names"].split(";")) for row in read_table("house_names.tsv")}


def is_local(row: Employer) -> bool:
    """Whether an employer is a local house that is not well known."""
    return row["kind"] in {**_LOCAL, **_MORE_LOCAL, **_LATER_LOCAL} and row["name"].endswith(
        row["city"]["name"]
    )


def offices(row: Employer) -> list[City]:
    """The cities in which an employer has people, its home first."""
    others = [city for city in hubs() if city["id"] != row["city"]["id"] and known_in(row, city)]
    return [row["city"], *others]


def size_class(row: Employer) -> str:
    """Small (up to 250 people), Medium (up to 5,000) or Large."""
    people = row["employees"]
    return "Small Size" if people <= 250 else "Medium Size" if people <= 5000 else "Large Size"
