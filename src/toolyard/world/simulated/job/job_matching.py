"""Which jobs fit a free query: the place that it names, and the occupation or employer that it names beside it."""

import functools
from collections.abc import Mapping
from typing import Literal

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import kilometres, plain
from toolyard.world.reference.listed_companies import short_name
from toolyard.world.reference.places import gazetteer
from toolyard.world.reference.places.geography import City, cities, city_or_none, countries, find_city
from toolyard.world.simulated.job.employers import Employer, employer_cities, employers, hubs
from toolyard.world.simulated.job.occupations import (
    LEVEL_WORDS,
    Occupation,
    find_occupation,
    occupations,
    occupations_meant,
    work_words,
)
from toolyard.world.simulated.job.postings import Posting, open_postings

# A field of a city, and what it must equal.
PlaceField = Literal["id", "country_code", "region"]
Place = tuple[PlaceField, str]
# Smaller towns are named only after "in" or with their region.
_TOWN = 100_000
_LARGEST, _EACH = 8, 6


@functools.cache
def _places_by_name() -> Mapping[str, Place]:
    """Folded names of countries, regions and the best known cities."""
    found: dict[str, Place] = {plain(row["name"]): ("country_code", row["code"]) for row in countries()}
    for city in cities():
        found.setdefault(plain(city["region"]), ("region", city["region"]))
        found[plain(city["name"])] = ("id", city["id"])
    usa: Place = ("country_code", "US")
    uk: Place = ("country_code", "GB")
    return found | {
        "usa": usa,
        "us": usa,
        "uk": uk,
        "england": uk,
        "nyc": ("id", find_city("New York")["id"]),
    }


@functools.cache
def _region_words() -> frozenset[str]:
    """Folded names of regions and countries, and codes of American states: what may follow the name of a town."""
    named = {plain(name) for name, _ in gazetteer.regions().values()}
    states = {plain(code) for key, (_, code) in gazetteer.regions().items() if key.startswith("US")}
    return frozenset(
        named | states | {name for name, (field, _) in _places_by_name().items() if field == "country_code"}
    )


def find_place(text: str) -> tuple[Place | None, str]:
    """The place that a text names, and the text without it."""
    parts = "".join(" " if sign in ",.?!;" else sign for sign in plain(text)).split()[:60]
    spans = [(start, start + size) for size in (4, 3, 2, 1) for start in range(len(parts) - size + 1)]
    for start, end in spans:
        town = _town_with_region(parts[start:end])
        if town is not None:
            return ("id", town["id"]), " ".join(parts[:start] + parts[end:])
    for start, end in spans:
        place = _places_by_name().get(" ".join(parts[start:end]))
        if place is not None:
            return place, " ".join(parts[:start] + parts[end:])
    return _town_at_end(parts)


def _town_with_region(parts: list[str]) -> City | None:
    """The town of a text such as portland maine; its name and that of its region are the whole of it."""
    for middle in range(1, len(parts)):
        name, tail = " ".join(parts[:middle]), " ".join(parts[middle:])
        if tail in _region_words():
            town = city_or_none(f"{name}, {tail}")
            if town and plain(town["name"]) == name:
                return town
    return None


def _town_at_end(parts: list[str]) -> tuple[Place | None, str]:
    """A town beyond the best known ones that stands after "in", or at the end of a text that names work before it."""
    for size in (3, 2, 1):
        name, before = " ".join(parts[-size:]), parts[:-size]
        if not before:
            continue
        after_in, town = before[-1] in ("in", "near"), city_or_none(name)
        if town is None or not (after_in or (town["population"] >= _TOWN and plain(town["name"]) == name)):
            continue
        if after_in and (plain(town["name"]) == name or town["population"] >= _TOWN):
            return ("id", town["id"]), " ".join(before[:-1])
        if not after_in and not occupations_meant(name) and occupations_meant(" ".join(before)):
            return ("id", town["id"]), " ".join(before)
    return None, " ".join(parts)


def _searched_towns(place: Place | None, radius: float) -> list[City]:
    """The towns of a place: all hubs, the one that is named and those around it, or the largest of a region."""
    if place is None:
        return list(hubs())
    field, value = place
    if field != "id":
        there = [city for city in cities() if city[field] == value]
        return sorted(there, key=lambda city: -city["population"])[:_LARGEST]
    centre = find_city(value)
    here = (centre["latitude"], centre["longitude"])
    near = (
        city
        for city in cities()
        if radius and kilometres(*here, city["latitude"], city["longitude"]) <= radius
    )
    return [centre, *(city for city in near if city["id"] != value)]


@functools.cache
def _employer_names() -> Mapping[str, tuple[Employer, bool]]:
    """Folded name of an employer -> who it is, and whether it may stand anywhere in a text."""
    found: dict[str, tuple[Employer, bool]] = {}
    for row in employers():
        found.setdefault(plain(row.name), (row, True))
    for row in employers():
        short = short_name(row.name).removesuffix(".com")
        found.setdefault(short, (row, " " in short))
    return found


def _find_employer(text: str) -> tuple[Employer | None, str]:
    """The employer that a text names, at its begin, after "at" or by its whole name; and the text without it."""
    parts = plain(text).split()
    for size in range(min(len(parts), 6), 0, -1):
        for start in range(len(parts) - size + 1):
            found = _employer_names().get(" ".join(parts[start : start + size]))
            if found and (found[1] or start == 0 or parts[start - 1] == "at"):
                return found[0], " ".join(parts[:start] + parts[start + size :])
    return None, text


def _find_occupations(text: str, employer: Employer | None) -> list[Occupation]:
    """The occupations that a text asks for; all described ones where it names a place or an employer only."""
    asked = work_words(text)
    if asked:
        return occupations_meant(text) or [find_occupation(" ".join(asked))]
    return [row for row in occupations() if row.tasks and (employer is None or employer.takes(row))]


def search_jobs(seed: int, query: str, *, country: str | None = None, radius: float = 0.0) -> list[Posting]:
    """Jobs that fit a free query, best first; a not_found fault where it names no work that anybody does."""
    place, rest = find_place(query)
    place = place or (("country_code", country) if country else None)
    employer, left = _find_employer(rest)
    if employer is None and place is None and not work_words(rest) and "remote" not in plain(query):
        raise not_found("work", query[:60], known=[row.title for row in occupations()])
    towns, works = _searched_towns(place, radius), _find_occupations(left, employer)
    if employer is not None:
        homes = [city for city in employer_cities(employer) if place is None or city[place[0]] == place[1]]
        own = [row for row in _all(seed, works, homes) if row.employer.id == employer.id]
        if own:
            return _rank_jobs(own, rest)
    found = _all(seed, works, towns, _EACH if len(towns) * len(works) > _LARGEST else None)
    return _rank_jobs([row for row in found if row.remote or "remote" not in plain(query).split()], rest)


def count_open_jobs(seed: int, work: Occupation, place: Place, radius: float) -> int:
    """How many jobs of an occupation are open in a place, or around it."""
    return len(_all(seed, [work], _searched_towns(place, radius)))


def _all(seed: int, works: list[Occupation], towns: list[City], each: int | None = None) -> list[Posting]:
    return [row for city in towns for work in works for row in list(open_postings(seed, work, city))[:each]]


def _rank_jobs(rows: list[Posting], text: str) -> list[Posting]:
    """Jobs of the level that is asked for first, then the newest."""
    level = next((LEVEL_WORDS[word] for word in plain(text).split() if word in LEVEL_WORDS), None)
    newest = sorted(rows, key=lambda row: (row.posted, row.number), reverse=True)
    return sorted(newest, key=lambda row: level is not None and row.level != level)
