"""Which jobs fit a free query: those of the place that it names, of the occupation that it names first."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Mapping

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.reference.packed import packed
from toolyard.world.search import Index, words
from toolyard.world.shared import gazetteer
from toolyard.world.shared.geography import City, cities, city_or_none, countries, find_city, plain
from toolyard.world.shared.listed import short_name
from toolyard.world.tables import kilometres
from toolyard.world.worlds.job.common_jobs import RANKS, all_names, common_job, job_categories, wide_numbers
from toolyard.world.worlds.job.employers import employers, hubs
from toolyard.world.worlds.job.occupations import occupations
from toolyard.world.worlds.job.other_jobs import (
    FIRST_OTHER,
    PER_TITLE,
    all_in_titles,
    elsewhere,
    is_unusual,
    title_in,
)
from toolyard.world.worlds.job.postings import (
    MOST,
    Posting,
    another,
    more_of,
    other_posting,
    posting_at,
    postings,
)

# What may stand beside the title of a job in a query.
_BESIDE = frozenset(
    "in at near for as a an the job jobs position positions opening openings vacancy vacancies hiring work remote from home "
    "anywhere junior senior lead intern internship full part time fulltime parttime contract wanted best top new".split()
)
_LEVELS = frozenset(("senior", "junior", "lead", "intern"))
# Smaller towns are named only after "in" or with their region.
_TOWN = 100_000
# Further postings of each occupation of a field.
_EACH = 4
# Nobody is hired for these on a job board.
_NEVER_POSTED = frozenset(
    "astronaut cosmonaut king queen pope president senator emperor prophet wizard".split()
)


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


@functools.cache
def _regions() -> Mapping[str, list[tuple[str, str]]]:
    """Folded name of a region or country, and code of an American state -> country and region of a city, or "" for all."""
    found: dict[str, list[tuple[str, str]]] = {plain(row["name"]): [(row["code"], "")] for row in countries()}
    found |= {
        "usa": [("US", "")],
        "us": [("US", "")],
        "uk": [("GB", "")],
        "england": [("GB", "")],
        "scotland": [("GB", "")],
    }
    for key, (name, code) in gazetteer.regions().items():
        country = key[:2].upper()
        if country in ("US", "CA", "AU", "GB", "DE"):
            found.setdefault(plain(name), []).append((country, name))
        if country == "US" and code.isalpha():
            found.setdefault(plain(code), []).append((country, name))
    return found


def _with_region(parts: list[str]) -> tuple[tuple[str, str], str] | None:
    """A city that is followed by its region or country: Portland, Maine."""
    for start in range(len(parts) - 1):
        for middle in range(start + 1, min(start + 4, len(parts))):
            for end in range(middle + 1, min(middle + 4, len(parts) + 1)):
                town = _town_of(" ".join(parts[start:middle]), " ".join(parts[middle:end]))
                if town is not None:
                    return ("id", town["id"]), " ".join(parts[:start] + parts[end:])
    return None


def _town_of(name: str, tail: str) -> City | None:
    """The town of a name in a region or country of a name."""
    for country, region in _regions().get(tail, ()):
        town = city_or_none(f"{name}, {region or country}")
        if (
            town
            and plain(town["name"]) == name
            and town["country_code"] == country
            and region in ("", town["region"])
        ):
            return town
    return None


def place_in(text: str) -> tuple[tuple[str, str] | None, str]:
    """The longest name of a place in a text, as (field of a city, value), and the text without it."""
    parts = "".join(" " if sign in ",.?!;" else sign for sign in plain(text)).split()[:60]
    exact = _with_region(parts)
    if exact is not None:
        return exact
    for size in (4, 3, 2, 1):
        for start in range(len(parts) - size + 1):
            name = " ".join(parts[start : start + size])
            if name in _places():
                return _places()[name], " ".join(parts[:start] + parts[start + size :])
    return _town_in(parts) or _town_at_end(parts) or (None, " ".join(parts))


def _town_at_end(parts: list[str]) -> tuple[tuple[str, str], str] | None:
    """A town of some size beyond the table at the end of a text whose other words name common work: cashier tampa."""
    for size in (3, 2, 1):
        name, before = " ".join(parts[-size:]), " ".join(parts[:-size])
        if not before or common_job(before) is None or common_job(name) is not None or name in _BESIDE:
            continue
        town = city_or_none(name)
        if town and plain(town["name"]) == name and town["population"] >= _TOWN:
            return ("id", town["id"]), before
    return None


def _town_in(parts: list[str]) -> tuple[tuple[str, str], str] | None:
    """A town beyond the table that stands after "in"; None where there is none."""
    if "in" not in parts[1:-1]:
        return None
    at = len(parts) - 1 - parts[::-1].index("in")
    name = " ".join(parts[at + 1 :])
    town = city_or_none(name)
    # Large cities are found by their names in other languages, too: Munich is München.
    known = town is not None and (plain(town["name"]) == name or town["population"] >= _TOWN)
    return (("id", town["id"]), " ".join(parts[:at])) if town and known else None


def in_place(row: Posting, place: tuple[str, str], radius: float = 0.0) -> bool:
    """Whether a job is in a place, or within so many kilometres of a city."""
    return _lies(row["city"], place, radius)


def _lies(city: City, place: tuple[str, str], radius: float) -> bool:
    field, value = place
    if city[field] == value:  # type: ignore[literal-required]
        return True
    if field not in ("name", "id") or not radius:
        return False
    centre = find_city(value)
    return kilometres(centre["latitude"], centre["longitude"], city["latitude"], city["longitude"]) <= radius


def _more_than_a_title(text: str, title: str) -> bool:
    """Whether a text says more than a title, or one that no board has: nobody looks for an astronaut wizard."""
    left = set(plain(text).replace(",", " ").split()) - set(title.split()) - _BESIDE
    return bool(left) or not _NEVER_POSTED.isdisjoint(title.split())


def other_postings(seed: int, text: str, place: tuple[str, str] | None = None) -> list[Posting]:
    """Postings of a job title beyond the table that a text names, one in each city with postings, or in those of a place."""
    title = title_in(text)
    if title is None or is_unusual(title) or _more_than_a_title(text, packed("job_titles")[title][0]):
        return []
    towns = [n for n, city in enumerate(hubs()) if place is None or city[place[0]] == place[1]]  # type: ignore[literal-required]
    numbers = [FIRST_OTHER + title * PER_TITLE + town for town in towns]
    if not towns and place is not None:
        there = (n for n, city in enumerate(cities()) if city[place[0]] == place[1])  # type: ignore[literal-required]
        numbers = [number for city in itertools.islice(there, 3) for number in elsewhere(title, city)]
    return [row for number in numbers if (row := other_posting(seed, number)) is not None]


def matching(seed: int, query: str, *, country: str | None = None, radius: float = 0.0) -> list[Posting]:
    """Jobs that fit a free query, best first; a not_found fault where it names no work that anybody does."""
    place, rest = place_in(query)
    place = place or (("country_code", country) if country else None)
    found = _at_named(seed, rest, place, radius) or _exact_first(_matching(seed, rest, place, radius), rest)
    if not found and (place is None or rest.strip()) and not _is_work(seed, rest):
        raise not_found(
            "work", rest.strip()[:60] or query[:60], known=[row["title"] for row in occupations()]
        )
    return found


@seeds.table
def _short_names(seed: int) -> Mapping[str, str]:
    """How people call an employer, in plain letters -> its name."""
    found: dict[str, str] = {}
    for row in employers(seed):
        if row["ticker"] or row["name"] == "Google":
            found.setdefault(short_name(row["name"]).removesuffix(".com"), row["name"])
            found.setdefault(plain(row["ticker"] or row["name"]), row["name"])
    return found


def _at_named(seed: int, rest: str, place: tuple[str, str] | None, radius: float) -> list[Posting]:
    """Jobs at the employer with whose name a text begins, then such jobs at others; none where it begins with none."""
    parts = plain(rest).split()
    for size in (3, 2, 1):
        name = _short_names(seed).get(" ".join(parts[:size]))
        left = " ".join(parts[size:])
        if name is None or not left:
            continue
        listed = [
            *_matching(seed, left, place, radius),
            *_of_the_field(seed, words(left), place, radius, MOST),
        ]
        found = _exact_first(list({row["number"]: row for row in listed}.values()), left)
        own = [row for row in found if row["employer"]["name"] == name]
        if any(word not in _BESIDE for word in words(left)):
            return [*own, *(row for row in found if row not in own)]
        return [*own, *(row for row in _all_of_town(seed, place) if row["employer"]["name"] == name)]
    return []


def _all_of_town(seed: int, place: tuple[str, str] | None) -> list[Posting]:
    """The further postings of all well-known occupations in a city with a table; none in other places."""
    towns = [
        city
        for city in hubs()
        if place is not None and place[0] in ("id", "name") and _lies(city, place, 0.0)
    ]
    numbers = (number for city in towns for work in occupations() for number in more_of(work["title"], city))
    return [row for number in numbers if (row := another(seed, number)) is not None]


def _is_work(seed: int, text: str) -> bool:
    """Whether a text names a title that people have, an employer or a category; "remote" alone is enough, too."""
    asked = [word for word in plain(text).split() if word not in _BESIDE]
    if not asked:
        return "remote" in plain(text).split()
    bare = " ".join(asked)
    known = (*(row["name"] for row in employers(seed)), *job_categories())
    return all_in_titles(bare) or any(bare in plain(name) for name in known)


def _matching(seed: int, rest: str, place: tuple[str, str] | None, radius: float) -> list[Posting]:
    """Jobs in a place by the other words of a query."""
    wanted = words(rest)
    common = _common_postings(seed, rest, place, radius)
    if common:
        return _fitting(common, place, radius, wanted)
    table = postings(seed)
    # Around a city without a table there is nothing but what is in the city.
    wide = radius > 0 and (place is None or any(city[place[0]] == place[1] for city in hubs()))  # type: ignore[literal-required]
    if not set(wanted) - {"job", "position", "opening", "vacancy", "hiring", "work", "remote"}:
        ranked = list(table) if place or "remote" in wanted else []
    else:
        ranked = [table[int(row["number"])] for row in index(seed).search(rest)]
        others = other_postings(seed, rest, None if wide else place)
        named = set(words(others[0]["occupation"])) if others else set()
        if not any(named <= set(words(row["title"])) for row in ranked):
            ranked = [*others, *ranked]
    ranked = _by_employer(_with_more(seed, ranked, wanted, place, radius), rest)
    found = _fitting(ranked, place, radius, wanted)
    if found:
        return found
    return _fitting(
        other_postings(seed, _BARE.sub(" ", rest), None if wide else place), place, radius, wanted
    )


def _common_postings(seed: int, rest: str, place: tuple[str, str] | None, radius: float) -> list[Posting]:
    """Postings of common work beyond the table, or in towns without a table; none where a text names no such work."""
    occupation = common_job(rest)
    if occupation is None:
        return _field_of_town(seed, rest, place)
    names = {word for name in all_names(occupation) for word in name}
    if {word for word in words(rest) if word not in _BESIDE} - names:
        return []
    listed = occupation in occupations()
    towns = _towns(place)
    near = [city for city in hubs() if place is not None and _lies(city, place, radius)]
    if listed and (place is None or near):
        return []
    each = RANKS if len(towns) == 1 else 6
    numbers = [number for city in towns for number in wide_numbers(occupation, city)[:each]]
    return [row for number in numbers if (row := posting_at(seed, number)) is not None]


def _field_of_town(seed: int, rest: str, place: tuple[str, str] | None) -> list[Posting]:
    """Postings of all well-known occupations that one word names in a town without a table."""
    asked = {word for word in words(rest) if word not in _BESIDE}
    if place is None or place[0] not in ("id", "name") or len(asked) != 1:
        return []
    town = find_city(place[1])
    kinds = [row for row in occupations() if asked <= set(words(row["title"]))] if town not in hubs() else []
    numbers = (number for row in kinds for number in wide_numbers(row, town)[:_EACH])
    return [row for number in numbers if (row := posting_at(seed, number)) is not None]


def _towns(place: tuple[str, str] | None) -> list[City]:
    """The towns of a place that are looked through: itself, or the largest of a region or country."""
    if place is None:
        return list(hubs())
    if place[0] in ("id", "name"):
        return [find_city(place[1])]
    there = [city for city in cities() if city[place[0]] == place[1]]  # type: ignore[literal-required]
    return sorted(there, key=lambda city: -city["population"])[:8]


def _exact_first(rows: list[Posting], rest: str) -> list[Posting]:
    """Jobs with the very title that is asked for first, then those of the level that is asked for, interns last."""
    asked = set(words(rest))
    meant = common_job(rest)
    order = {"Mid Level": 1, "Senior Level": 2, "Entry Level": 2, "management": 3, "Internship": 4}

    def rank(row: Posting) -> int:
        title = set(words(row["title"]))
        own = meant is not None and row["occupation"] == meant["title"]
        if not own and not set(words(row["occupation"])) <= asked:
            return 5
        exact = (row["level"] == "Mid Level" or title <= asked) and not (asked & _LEVELS) - title
        return 0 if exact else order[row["level"]]

    return sorted(rows, key=rank)


def _with_more(
    seed: int, ranked: list[Posting], wanted: list[str], place: tuple[str, str] | None, radius: float
) -> list[Posting]:
    """The postings of the occupation that is asked for, with all further ones of it; others where none is named."""
    named = [row["title"] for row in occupations() if set(words(row["title"])) <= set(wanted)]
    if not named:
        return [*ranked, *_of_the_field(seed, wanted, place, radius)]
    title = max(named, key=len)
    towns = [city for city in hubs() if place is None or _lies(city, place, radius)]
    numbers = [number for city in towns for number in more_of(title, city)]
    more = [row for number in numbers if (row := another(seed, number)) is not None]
    if not more:
        return ranked
    asked = set(words(title))
    return [*(row for row in ranked if asked <= set(words(row["title"]))), *more]


def _of_the_field(
    seed: int, wanted: list[str], place: tuple[str, str] | None, radius: float, each: int = _EACH
) -> list[Posting]:
    """Further postings of all occupations that one word names in a town: an engineer may be one of many kinds."""
    asked = {word for word in wanted if word not in _BESIDE}
    if place is None or place[0] not in ("id", "name") or len(asked) != 1:
        return []
    towns = [city for city in hubs() if _lies(city, place, radius)]
    titles = [row["title"] for row in occupations() if asked <= set(words(row["title"]))]
    numbers = (number for city in towns for title in titles for number in more_of(title, city)[:each])
    return [row for number in numbers if (row := another(seed, number)) is not None]


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
