"""Jobs on offer: one table under three services, with pay that follows occupation, level and country.

{"number": 0, "title": "Barista", "employer": {...}, "city": {...}, "pay_low": 31000, "currency": "USD", ...}
"""

from __future__ import annotations

import base64
import binascii
import functools
import itertools
import json
import random
import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.search import Index, words
from toolyard.world.shared.geography import (
    City,
    cities,
    countries,
    currencies,
    find_city,
    find_country,
    plain,
)
from toolyard.world.state import EPOCH
from toolyard.world.tables import kilometres
from toolyard.world.types import Semantic
from toolyard.world.worlds.job.employers import Employer, employers, hires_in, house_in, hubs, known_in
from toolyard.world.worlds.job.occupations import Occupation, occupations
from toolyard.world.worlds.job.other_jobs import (
    FIRST_OTHER,
    PER_TITLE,
    chance_of,
    document_for,
    elsewhere,
    houses_for,
    is_other,
    other_occupation,
    place_elsewhere,
    title_in,
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
_WAGES = {"US": 1.0, "CH": 1.05, "AU": 0.7, "CA": 0.7, "GB": 0.6, "DE": 0.65, "NL": 0.62, "IE": 0.65, "FR": 0.52,
          "SG": 0.6, "JP": 0.4, "AE": 0.5, "ES": 0.42, "IT": 0.45, "SE": 0.55, "NO": 0.7, "DK": 0.7, "FI": 0.52, "AT": 0.6,
          "BE": 0.58, "NZ": 0.55, "KR": 0.42, "IL": 0.55, "PT": 0.3, "PL": 0.3, "CN": 0.22, "BR": 0.14, "MX": 0.16,
          "IN": 0.1, "ZA": 0.2, "TR": 0.18, "ID": 0.1, "PH": 0.09, "VN": 0.1, "NG": 0.06, "KE": 0.08}  # fmt: skip
# What the law lets nobody be paid less for a year of full days, about, in the currency of the country.
_LEAST = {"FR": 21_200, "DE": 25_800, "GB": 23_800, "ES": 15_900, "NL": 27_600, "IE": 26_400, "AU": 47_600, "CA": 34_000,
          "US": 24_000, "CH": 45_000, "JP": 2_200_000, "PT": 11_500, "PL": 51_600, "BE": 24_000, "NZ": 48_000}  # fmt: skip
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


@functools.cache
def wage(country_code: str) -> float:
    """Pay of a country against the United States, in its own currency."""
    code = find_country(country_code)["currency"]
    rate = next(row["per_usd"] for row in currencies() if row["code"] == code)
    return _WAGES.get(country_code, 0.25) * rate


@seeds.table
def postings(seed: int) -> tuple[Posting, ...]:
    """All jobs, the two that queries name first."""
    rows = [_known(seed, 0, "Barista", "Eleven Madison Park"), _known(seed, 1, "Project Manager", "Google")]
    by_kind: dict[str, list[Employer]] = {}
    for employer in employers(seed):
        by_kind.setdefault(employer["kind"], []).append(employer)
    for city in hubs():
        near = {kind: [row for row in group if hires_in(row, city)] for kind, group in by_kind.items()}
        for occupation in occupations():
            hiring = [row for kind in occupation["hires"] for row in near.get(kind, ())]
            chance = seeds.stream(seed, "posting", city["id"], occupation["title"])
            # One or two at a time, by different employers where the city has several.
            for employer in chance.sample(hiring, min(len(hiring), chance.choice((1, 1, 2, 2)))):
                level = chance.choices(list(LEVELS), (1, 4, 6, 4, 1))[0]
                known = [row for row in hiring if known_in(row, city)] or [
                    row for kind in houses_for(occupation["title"]) or ("office",) for row in near[kind]
                ]
                named = employer if employer in known else seeds.pick(known, "instead", len(rows))
                rows.append(_posting(len(rows), occupation, named, city, level, chance))
    return tuple(rows)


def _known(seed: int, number: int, title: str, employer: str) -> Posting:
    occupation = next(row for row in occupations() if row["title"] == title)
    row = next(row for row in employers(seed) if row["name"] == employer)
    return _posting(number, occupation, row, row["city"], "Mid Level", seeds.stream(seed, "known", number))


def _posting(
    number: int, occupation: Occupation, employer: Employer, city: City, level: Level, chance: random.Random
) -> Posting:
    pattern, factor, years = LEVELS[level]
    pay = occupation["pay"] * factor * wage(city["country_code"]) * (0.9 + 0.2 * chance.random())
    kind: EmploymentType = "INTERN" if level == "Internship" else chance.choices(
        ("FULLTIME", "PARTTIME", "CONTRACTOR"), (8, 1.5, 1))[0]  # fmt: skip
    pay = max(pay, _LEAST.get(city["country_code"], 0) / 0.92) if level != "Internship" else pay
    title = pattern.format(occupation["title"])
    benefits = chance.sample(BENEFITS, chance.randrange(2, 5))
    region = city["region_code"] if city["country_code"] == "US" else city["country"]
    remote = number > 1 and chance.random() < occupation["remote"]
    where = f"to work from anywhere for our team in {city['name']}" if remote else f"in {city['name']}"
    hope = "We hope for experience with" if years else "We will teach you"
    text = (
        f"{employer['name']} is looking for {'an' if title[0] in 'AEIO' else 'a'} {title} {where}. You will "
        f"{occupation['duties']}. {hope} {', '.join(occupation['skills'])}. We offer {', '.join(benefits)}."
    )
    return Posting(
        number=number,
        title=title,
        occupation=occupation["title"],
        category=occupation["category"],
        level=level,
        employer=employer,
        city=city,
        place=f"{city['name']}, {region}",
        remote=remote,
        employment_type=kind if number > 1 else "FULLTIME",
        pay_low=round(pay * 0.92 / 100) * 100,
        pay_high=round(pay * 1.12 / 100) * 100,
        currency=find_country(city["country_code"])["currency"],
        posted=(EPOCH - timedelta(days=chance.randrange(45) if number > 1 else 2)).date().isoformat(),
        years=years,
        degree=occupation["pay"] > 75000,
        skills=occupation["skills"],
        benefits=benefits,
        text=text,
        document=KNOWN_DOCUMENT if number == 0 else _document(number, title, city),
    )


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


@seeds.table
def index(seed: int) -> Index[dict[str, str]]:
    """Postings by the words of their titles (twice), employers, categories and skills."""
    rows = [
        {
            "number": str(row["number"]),
            "title": row["title"],
            "employer": row["employer"]["name"],
            "more": f"{row['category']} {row['employer']['industry']} {row['employer']['kind']}",
            "text": " ".join(row["skills"]),
        }
        for row in postings(seed)
    ]
    return Index(rows, ("title", "title", "title", "employer", "more", "text"))


_plain = functools.lru_cache(maxsize=8192)(plain)


def mentions(value: str, text: str) -> bool:
    """Whether a value contains a text, case and accents aside; the empty text is nowhere."""
    wanted = _plain(text)
    return bool(wanted) and wanted in _plain(value)


@functools.cache
def _places() -> dict[str, tuple[str, str]]:
    """Folded names of countries, regions and cities -> the field of a city that must equal what."""
    found: dict[str, tuple[str, str]] = {}
    for country in countries():
        found[plain(country["name"])] = ("country_code", country["code"])
    for city in cities():
        found.setdefault(plain(city["region"]), ("region", city["region"]))
        found[plain(city["name"])] = ("name", city["name"])
    found.update({"usa": ("country_code", "US"), "uk": ("country_code", "GB"), "nyc": ("name", "New York")})
    return found


def place_in(text: str) -> tuple[tuple[str, str] | None, str]:
    """The longest name of a place in a text, as (field of a city, value), and the text without it."""
    parts = "".join(" " if sign in ",.?!;" else sign for sign in plain(text)).split()[:60]
    for size in (4, 3, 2, 1):
        for start in range(len(parts) - size + 1):
            name = " ".join(parts[start : start + size])
            if name in _places():
                return _places()[name], " ".join(parts[:start] + parts[start + size :])
    return None, " ".join(parts)


def in_place(row: Posting, place: tuple[str, str], radius: float = 0.0) -> bool:
    """Whether a job is in a place, or within so many kilometres of a city."""
    field, value = place
    city = row["city"]
    if city[field] == value:  # type: ignore[literal-required]
        return True
    if field != "name" or not radius:
        return False
    centre = find_city(value)
    return kilometres(centre["latitude"], centre["longitude"], city["latitude"], city["longitude"]) <= radius


def other_postings(seed: int, text: str, place: tuple[str, str] | None = None) -> list[Posting]:
    """Postings of a job title beyond the table that a text names, one in each city with postings, or in those of a place."""
    title = title_in(text)
    if title is None:
        return []
    towns = [n for n, city in enumerate(hubs()) if place is None or city[place[0]] == place[1]]  # type: ignore[literal-required]
    numbers = [FIRST_OTHER + title * PER_TITLE + town for town in towns]
    if not towns and place is not None:
        there = (n for n, city in enumerate(cities()) if city[place[0]] == place[1])  # type: ignore[literal-required]
        numbers = [number for city in itertools.islice(there, 3) for number in elsewhere(title, city)]
    return [row for number in numbers if (row := other_posting(seed, number)) is not None]


def other_posting(seed: int, number: int) -> Posting | None:
    """The posting of such a title with this number; None where there is no such city."""
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
    hiring = [row for row in employers(seed) if hires_in(row, hubs()[city])]
    houses = houses_for(occupation["title"])
    fitting = [row for row in hiring if row["kind"] in (houses or occupation["hires"])]
    fitting = fitting or [row for row in hiring if row["kind"] == "office"]
    level = chance.choices(list(LEVELS), (1, 4, 6, 4, 1))[0]
    row = _posting(number, occupation, chance.choice(fitting), hubs()[city], level, chance)
    return {**row, "document": document_for(number)}


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
    return {**_posting(number, occupation, house, city, level, chance), "document": document_for(number)}


def posting_at(seed: int, number: int) -> Posting | None:
    """The posting with this number, of the table or beyond it."""
    table = postings(seed)
    return table[number] if 0 <= number < len(table) else other_posting(seed, number)


def matching(seed: int, query: str, *, country: str | None = None, radius: float = 0.0) -> list[Posting]:
    """Jobs that fit a free query, best first: in the place it names (else in the country), by its other words."""
    place, rest = place_in(query)
    place = place or (("country_code", country) if country else None)
    table, wanted = postings(seed), words(rest)
    # Around a city without a table there is nothing but what is in the city.
    wide = radius > 0 and (place is None or any(city[place[0]] == place[1] for city in hubs()))  # type: ignore[literal-required]
    if wanted in ([], ["remote"]):
        ranked = list(table) if place or wanted else []
    else:
        ranked = [table[int(row["number"])] for row in index(seed).search(rest)]
        others = other_postings(seed, rest, None if wide else place)
        named = set(words(others[0]["occupation"])) if others else set()
        if not any(named <= set(words(row["title"])) for row in ranked):
            ranked = [*others, *ranked]
    ranked = _by_employer(ranked, rest)
    found = _fitting(ranked, place, radius, wanted)
    if found:
        return found
    return _fitting(
        other_postings(seed, _BARE.sub(" ", rest), None if wide else place), place, radius, wanted
    )


def _by_employer(rows: list[Posting], text: str) -> list[Posting]:
    """The postings of the employer that a text names after "at"; all where it names none."""
    title, at, name = f" {plain(text)} ".partition(" at ")
    own = [row for row in rows if at and plain(row["employer"]["name"]).startswith(name.strip() or "?")]
    asked = set(words(title))
    return sorted(own, key=lambda row: not asked <= set(words(row["title"]))) or rows


# Words around a job title in a query.
_BARE = re.compile(
    r"\b(?:in|at|near|for|as|an?|the|jobs?|positions?|openings?|vacanc(?:y|ies)|hiring|work)\b"
)


def _fitting(
    rows: Iterable[Posting], place: tuple[str, str] | None, radius: float, wanted: list[str]
) -> list[Posting]:
    """Postings in a place, and from home where that is wanted."""
    return [
        row
        for row in rows
        if (place is None or in_place(row, place, radius)) and (row["remote"] or "remote" not in wanted)
    ]
