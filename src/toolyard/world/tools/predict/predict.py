"""Predict/Predict: what a name tells about age, gender and nationality, from counts of names."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.tables import plain, read_table, table_texts, values_of
from toolyard.world.kernel.types import CountryCode, CountryName, FirstName, Range, Semantic
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.atlas import country_or_none
from toolyard.world.reference.places.geography import find_country

# Letters -> the countries in which names are written with them.
_LETTERS = table_texts("spellings.letters")
# Names whose two spellings are at home in different countries.
_SPELT: Mapping[str, Mapping[str, float]] = values_of("spellings.spelt")
_OTHERS = 0.15


def homes_as_spelt(name: str, shares: Mapping[str, float]) -> dict[str, float]:
    """The shares of countries in a name, by the letters that only some of them write."""
    text = name.strip().lower()
    if text in _SPELT:
        return dict(_SPELT[text])
    at_home = [
        set(codes.split()) for letters, codes in _LETTERS.items() if any(sign in text for sign in letters)
    ]
    if not at_home or not any(code in codes for code in shares for codes in at_home):
        return dict(shares)
    weighed = {
        code: part * (1 if all(code in codes for codes in at_home) else _OTHERS)
        for code, part in shares.items()
    }
    scale = sum(shares.values()) / sum(weighed.values())
    return {code: value for code, part in weighed.items() if (value := round(part * scale, 2))}


GROUP = Group("Predict/Predict")
# The year of this world, from which ages are counted.
YEAR = 2024
Name = Annotated[str, Semantic("first_name", accepts=("person",)), Range(1, 100)]
Names = Annotated[list[Name], Range(1, 20)]


class Statistics(TypedDict):
    name: str
    male: float | None
    age: int | None
    countries: dict[str, float]
    count: int


class Age(TypedDict):
    name: FirstName
    age: int | None
    country_id: CountryCode | None


class Gender(TypedDict):
    name: FirstName
    gender: str | None
    probability: float
    country_id: CountryCode | None


class Likelihood(TypedDict):
    country_id: CountryCode
    country: CountryName
    probability: float


class Nationality(TypedDict):
    name: FirstName
    countries: list[Likelihood]


@functools.cache
def _statistics_by_name() -> Mapping[str, Statistics]:
    found: dict[str, Statistics] = {}
    for row in read_table("given_names.tsv"):
        countries = _parse_shares(row["countries"])
        found[plain(row["name"])] = {
            "name": row["name"],
            "male": int(row["male_percent"]) / 100,
            "age": int(row["age"]),
            "countries": countries,
            "count": _name_count(plain(row["name"])) or 2_000 + seeds.number("count", row["name"]) % 60_000,
        }
    for row in read_table("family_names.tsv"):
        if (known := found.get(plain(row["name"]))) is not None and known["count"] < int(row["count"]):
            known |= {"countries": _parse_shares(row["countries"]), "count": int(row["count"])}
        found.setdefault(
            plain(row["name"]),
            {
                "name": row["name"],
                "male": None,
                "age": None,
                "countries": _parse_shares(row["countries"]),
                "count": int(row["count"]),
            },
        )
    return found


def _name_count(name: str) -> int:
    """How often the table of counts has a name; zero where it does not."""
    rows = packed_table("first_names").with_key(name)
    return int(rows[0][1]) if rows else 0


def _parse_shares(text: str) -> dict[str, float]:
    """Countries with their shares, out of a text such as IN:.62,GB:.14."""
    return {part[:2]: float(part[3:]) for part in text.split(",")}


@functools.cache
def _known_homes() -> Mapping[str, dict[str, float]]:
    """Names whose homes are known better than the lists of names tell."""
    rows = read_table("name_homes.tsv")
    return {name: _parse_shares(row["countries"]) for row in rows for name in row["names"].split()}


def _country_shares(listed: Iterable[Sequence[str]]) -> dict[str, float]:
    """The homes of a name by the lists of each country, which tell nothing of how many people live there."""
    people = {
        code: int(share) * row["population"] ** 0.8
        for code, share in listed
        if (row := country_or_none(code)) is not None and row["code"] == code
    }
    total = sum(people.values()) or 1
    ranked = sorted(people, key=lambda code: -people[code])
    return {code: share for code in ranked if (share := round(people[code] / total, 2))}


# Countries whose lists hold English names, and how often a name is given in English-speaking ones that is at home there.
_ENGLISH_LISTS, _GIVEN_OFTEN = frozenset(("NG", "GH", "KE")), 5_000


def _statistics_from_counts(name: str) -> Statistics | None:
    """The statistics of a name out of the tables of counts; None where it is in neither."""
    rows, homes = packed_table("first_names").with_key(name), packed_table("name_origins").with_key(name)
    if not rows and not homes and name not in _known_homes():
        return None
    _, count, female, born = rows[0] if rows else (name, "0", "", "")
    listed = [part.split(":") for part in homes[0][1].split(",")] if homes else []
    shares = _known_homes().get(name) or _country_shares(listed)
    if next(iter(shares), "") in _ENGLISH_LISTS and int(count) >= _GIVEN_OFTEN:
        shares = {"US": 0.44, "GB": 0.2, "CA": 0.07}
    return {
        "name": name.title(),
        "male": round(1 - int(female) / 1000, 2) if female else None,
        "age": _estimate_age(name, YEAR - int(born), int(count), list(shares))
        if born
        else 35 + seeds.number("age", name) % 25,
        "countries": shares,
        "count": int(count) or 40 + seeds.number("count", name) % 900,
    }


# Where the births were counted that tell how old a name is.
_COUNTED_IN = frozenset(("US", "GB", "CA", "AU", "NZ", "IE"))


# A name given so often there is as young elsewhere.
_COMMON = 250_000
_OLDER_THERE = frozenset("ES MX AR CO CL PE VE EC CU DO BO UY PY CR GT HN SV NI PA IT PT BR".split())


def _estimate_age(name: str, counted: int, count: int, homes: list[str]) -> int:
    """The age of a name: as counted, unless it is at home elsewhere, where its bearers are older than those abroad."""
    young = count >= _COMMON and homes[:1] and homes[0] not in _OLDER_THERE
    if not homes or homes[0] in _COUNTED_IN or young:
        return counted
    return max(counted, 27 + seeds.number("age abroad", name) % 14)


def _name_statistics(name: str) -> Statistics | None:
    """The statistics of a name, or of the first known part of a full name."""
    whole = plain(name)
    parts = dict.fromkeys((whole, *whole.replace("-", " ").split()))
    return next((row for part in parts if (row := _name_row(part))), None)


# A family name is a first name, too, where it is given at least so often.
_RARE = 0.05


def _name_row(name: str) -> Statistics | None:
    """The statistics of one name; a family name that is a first name, too, has the age and gender of that."""
    row, counted = _statistics_by_name().get(name), _statistics_from_counts(name)
    if row is None or counted is None or row["age"] is not None or counted["count"] < row["count"] * _RARE:
        return row or counted
    return {**row, "age": counted["age"], "male": counted["male"]}


@functools.cache
def _values_by_country(told: str) -> Mapping[str, Mapping[str, int]]:
    """Country -> name -> its age there, or the per cent of its bearers there who are men, where the world is different."""
    found = {}
    for row in read_table("names_by_country.tsv"):
        pairs = (part.rsplit(" ", 1) for part in (row[told] or "").split(",") if part)
        found[row["country"]] = {name: int(figure) for name, figure in pairs}
    return found


# How many countries of a name are told.
_FOREMOST = 3
# The age of a name in the world is that in its country where so many of its bearers live.
_MOSTLY = 0.5


def _country_code(country_id: str | None) -> str | None:
    return find_country(country_id)["code"] if country_id else None


@GROUP.tool(
    examples=[{"names": ["Michael"], "country_id": "US"}, {"names": ["Maria", "Juan", "Carlos"]}],
    phrase="guess from first names the likely age of {names}[ in {country_id}]",
    noun="the age predictions",
)
def predict_age(*, names: Names, country_id: CountryCode | None = None) -> list[Age]:
    """A rough guess at the age of people with these first names; null for one not known or only a family name.

    names: First names.
    country_id: Country to look at, as a two-letter code; the whole world by default.
    """
    country = _country_code(country_id)
    found: list[Age] = []
    for name in names:
        row = _name_statistics(name)
        known = row["age"] if row else None
        home = next(iter(row["countries"]), "") if row else ""
        mostly = home if row and row["countries"].get(home, 0) >= _MOSTLY else ""
        age = _values_by_country("ages").get(country or mostly, {}).get(plain(name), known)
        found.append({"name": name, "age": age, "country_id": country})
    return found


@GROUP.tool(
    examples=[{"names": ["Chris", "Jordan", "Sydney"]}, {"names": ["Alex"], "country_id": "AU"}],
    phrase="guess from first names the likely gender of {names}[ in {country_id}]",
    noun="the gender predictions",
)
def predict_gender(*, names: Names, country_id: CountryCode | None = None) -> list[Gender]:
    """The likely gender of people with these first names and roughly how sure that is; null for a name that is not
    known or only a family name.

    names: First names.
    country_id: Country to look at, as a two-letter code; the whole world by default.
    """
    country = _country_code(country_id)
    found: list[Gender] = []
    for name in names:
        row = _name_statistics(name)
        male = row["male"] if row else None
        percent = _values_by_country("men").get(country or "", {}).get(plain(name))
        male = percent / 100 if percent is not None else male
        found.append(
            {
                "name": name,
                "gender": None if male is None else "male" if male >= 0.5 else "female",
                "probability": round(max(male, 1 - male), 2) if male is not None else 0.0,
                "country_id": country,
            }
        )
    return found


@GROUP.tool(
    examples=[{"names": ["Wang", "Zhang"]}, {"names": ["Giuseppe"]}],
    phrase="guess from names the likeliest nationality of {names}",
    noun="the nationality predictions",
)
def predict_nationality(*, names: Names) -> list[Nationality]:
    """The likeliest countries of people with these names, three at most, with rough shares; none for an unknown name.

    names: First names or family names.
    """
    found: list[Nationality] = []
    for name in names:
        row = _name_statistics(name)
        homes = homes_as_spelt(name, row["countries"]) if row else {}
        shares = sorted(homes.items(), key=lambda item: -item[1])
        countries: list[Likelihood] = [
            {"country_id": code, "country": find_country(code)["name"], "probability": share}
            for code, share in shares[:_FOREMOST]
        ]
        found.append({"name": name, "countries": countries})
    return found
