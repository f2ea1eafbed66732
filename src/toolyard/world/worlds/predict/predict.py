"""Predict/Predict: what a name tells about age, gender and nationality, from counts of names."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.reference.packed import packed
from toolyard.world.registry import tool
from toolyard.world.shared.geography import find_country, plain, read_table
from toolyard.world.types import CountryCode, CountryName, FirstName, Range, Semantic

GROUP = "Predict/Predict"
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
    count: int
    country_id: CountryCode | None


class Gender(TypedDict):
    name: FirstName
    gender: str | None
    probability: float
    count: int
    country_id: CountryCode | None


class Likelihood(TypedDict):
    country_id: CountryCode
    country: CountryName
    probability: float


class Nationality(TypedDict):
    name: FirstName
    count: int
    countries: list[Likelihood]


# Names of men in one country that are mostly names of women elsewhere.
_MALE_IN = {
    "IT": ("andrea", "simone", "nicola", "gabriele", "michele", "daniele", "raffaele", "samuele", "emanuele"),
    "FR": ("jean", "laurence"), "ES": ("joan", "jan"), "DE": ("jan", "sascha", "kai"), "PL": ("kuba",),
    "RU": ("sasha", "nikita", "ilya", "misha"), "JP": ("akira", "jun"), "NL": ("jan", "jean", "robin"), "DK": ("kim",),
    "NO": ("kim",), "FI": ("kari", "toni", "joni"), "TR": ("deniz",),
}  # fmt: skip


@functools.cache
def _table() -> Mapping[str, Statistics]:
    found: dict[str, Statistics] = {}
    for row in read_table("given_names.tsv"):
        countries = _shares(row["countries"])
        found[plain(row["name"])] = {
            "name": row["name"],
            "male": int(row["male_percent"]) / 100,
            "age": int(row["age"]),
            "countries": countries,
            "count": 2_000 + seeds.number("count", row["name"]) % 400_000,
        }
    for row in read_table("family_names.tsv"):
        found.setdefault(
            plain(row["name"]),
            {
                "name": row["name"],
                "male": None,
                "age": None,
                "countries": _shares(row["countries"]),
                "count": int(row["count"]),
            },
        )
    return found


def _shares(text: str) -> dict[str, float]:
    """Countries with their shares, out of a text such as IN:.62,GB:.14."""
    return {part[:2]: float(part[3:]) for part in text.split(",")}


def _counted(name: str) -> Statistics | None:
    """The statistics of a name out of the tables of counts; None where it is in neither."""
    rows, homes = packed("first_names").under(name), packed("name_origins").under(name)
    if not rows and not homes:
        return None
    _, count, female, born = rows[0] if rows else (name, "0", "", "")
    shares = [part.split(":") for part in homes[0][1].split(",")] if homes else []
    return {
        "name": name.title(),
        "male": round(1 - int(female) / 1000, 2) if female else None,
        "age": YEAR - int(born) if born else None,
        "countries": {code: int(share) / 100 for code, share in shares},
        "count": int(count) or 40 + seeds.number("count", name) % 900,
    }


def _known(name: str) -> Statistics | None:
    """The statistics of a name, or of the first known part of a full name."""
    whole = plain(name)
    parts = dict.fromkeys((whole, *whole.replace("-", " ").split()))
    return next((row for part in parts if (row := _table().get(part) or _counted(part))), None)


def _count(row: Statistics, country: str | None) -> int:
    share = row["countries"].get(country, 0.01) if country else 1.0
    return int(row["count"] * share)


def _code(country_id: str | None) -> str | None:
    return find_country(country_id)["code"] if country_id else None


@tool(
    GROUP,
    examples=[{"names": ["Michael"], "country_id": "US"}, {"names": ["Maria", "Juan", "Carlos"]}],
    phrase="guess from first names the likely age of {names}[ in {country_id}]",
    noun="the age predictions",
)
def predict_age(*, names: Names, country_id: CountryCode | None = None) -> list[Age]:
    """The likely age of people with these names; null for a name that is not known.

    names: First names.
    country_id: Country to look at, as a two-letter code; the whole world by default.
    """
    country = _code(country_id)
    found: list[Age] = []
    for name in names:
        row = _known(name)
        known = row["age"] if row else None
        shift = seeds.number("age", name, country) % 11 - 5 if country else 0
        age = max(known + shift, 5) if known is not None else None
        found.append(
            {"name": name, "age": age, "count": _count(row, country) if row else 0, "country_id": country}
        )
    return found


@tool(
    GROUP,
    examples=[{"names": ["Chris", "Jordan", "Sydney"]}, {"names": ["Alex"], "country_id": "AU"}],
    phrase="guess from first names the likely gender of {names}[ in {country_id}]",
    noun="the gender predictions",
)
def predict_gender(*, names: Names, country_id: CountryCode | None = None) -> list[Gender]:
    """The likely gender of people with these names and how sure that is; null for a name that is not known.

    names: First names.
    country_id: Country to look at, as a two-letter code; the whole world by default.
    """
    country = _code(country_id)
    found: list[Gender] = []
    for name in names:
        row = _known(name)
        male = row["male"] if row else None
        if plain(name) in _MALE_IN.get(country or "", ()):
            male = 0.97
        found.append(
            {
                "name": name,
                "gender": None if male is None else "male" if male >= 0.5 else "female",
                "probability": round(max(male, 1 - male), 2) if male is not None else 0.0,
                "count": _count(row, country) if row else 0,
                "country_id": country,
            }
        )
    return found


@tool(
    GROUP,
    examples=[{"names": ["Wang", "Zhang"]}, {"names": ["Giuseppe"]}],
    phrase="guess from names the likeliest nationality of {names}",
    noun="the nationality predictions",
)
def predict_nationality(*, names: Names) -> list[Nationality]:
    """The likeliest countries of people with these names, best first; none for a name that is not known.

    names: First names or family names.
    """
    found: list[Nationality] = []
    for name in names:
        row = _known(name)
        shares = sorted(row["countries"].items(), key=lambda item: -item[1]) if row else []
        countries: list[Likelihood] = [
            {"country_id": code, "country": find_country(code)["name"], "probability": share}
            for code, share in shares
        ]
        found.append({"name": name, "count": row["count"] if row else 0, "countries": countries})
    return found
