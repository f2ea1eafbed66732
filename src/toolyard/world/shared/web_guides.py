"""Guides of the web: how to do things, what to look for, and the weather of cities through the year.

web_guides.tsv: prune rose	How to prune roses	Prune most roses in late winter ...
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from urllib.parse import unquote

from toolyard.world import seeds
from toolyard.world.reference.climates import climate_of
from toolyard.world.search import words
from toolyard.world.shared.geography import City, cities
from toolyard.world.shared.page_query import WebPage, page_of
from toolyard.world.tables import plain, read_table

_SITES = ("handbook.example", "explainers.example", "householder.example", "goodtoknow.example")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")  # fmt: skip
_SEASONS = ("winter", "spring", "summer", "autumn")
_WEATHER = frozenset(words("weather climate temperature rain"))
_TROPIC = 23.5


@functools.cache
def guides() -> tuple[WebPage, ...]:
    """The guides of the table."""
    return tuple(_guide(row) for row in read_table("web_guides.tsv"))


def _guide(row: Mapping[str, str]) -> WebPage:
    slug = re.sub(r"[^a-z0-9]+", "-", plain(row["title"])).strip("-")
    site = seeds.pick(_SITES, "guide", slug)
    day = _written(slug, f"{row['title']} {row['text']}")
    kind = "question" if row["title"].endswith("?") else "guide"
    return page_of(f"https://{site}/{slug}", row["title"], row["text"], kind, day)


def _written(slug: str, told: str) -> str:
    """The day of a guide: some day of 2023, but after what it tells of that year or the next."""
    month, day = seeds.number("month", slug), seeds.number("day", slug)
    if "2024" in told:
        return f"2024-05-{10 + day % 5:02d}"
    if "2023" in told:
        return f"2024-{1 + month % 4:02d}-{1 + day % 28:02d}"
    return f"2023-{1 + month % 12:02d}-{1 + day % 28:02d}"


@functools.cache
def _by_words() -> tuple[tuple[frozenset[str], WebPage], ...]:
    rows = zip(read_table("web_guides.tsv"), guides(), strict=True)
    return tuple((frozenset(words(text)), page) for row, page in rows for text in row["words"].split(";"))


def guides_on(query: str) -> list[WebPage]:
    """The guides whose words a query has all, those with the most words first."""
    asked = set(words(query))
    found = [(len(known), page) for known, page in _by_words() if known <= asked]
    most = max((count for count, _ in found), default=0)
    unique = {page["url"]: page for count, page in found if count == most}
    return list(unique.values())


def _mean(city: City, month: int) -> int:
    climate = climate_of(city["latitude"], city["longitude"])
    return round(climate.mean_c + climate.swing_c * climate.warmth(15 + month * 30))


def weather_page(city: City) -> WebPage:
    """The temperatures of a city through the year."""
    means = [_mean(city, month) for month in range(12)]
    told = ", ".join(f"{name} {mean} °C" for name, mean in zip(_MONTHS, means, strict=True))
    name = city["name"]
    text = f"Mean temperatures in {name} through the year: {told}."
    if abs(city["latitude"]) > _TROPIC:
        text = f"{_by_season(city, means)} {text}"
    else:
        text += f" {name} lies in the tropics, where the months differ more by rain than by temperature."
    slug = f"{city['country_code'].lower()}/{plain(name).replace(' ', '-')}"
    url = f"https://climates.example/{slug}"
    return page_of(
        url, f"Weather in {name} by month and season", text, "guide", "2024-01-15", city["country_code"]
    )


def _by_season(city: City, means: list[int]) -> str:
    """What spring, summer, autumn and winter are like, by the hemisphere of a city."""
    shift = 0 if city["latitude"] > 0 else 6
    parts = []
    for place, season in enumerate(_SEASONS[1:] + _SEASONS[:1]):
        months = [(2 + shift + 3 * place + step) % 12 for step in range(3)]
        low, high = min(means[month] for month in months), max(means[month] for month in months)
        span = f"from {_MONTHS[months[0]]} to {_MONTHS[months[2]]}"
        degrees = f"{low} to {high} °C" if low < high else f"{low} °C"
        parts.append(f"The weather in {city['name']} in {season}, {span}, averages {degrees}.")
    return " ".join(parts)


@functools.cache
def _weather_pages() -> Mapping[str, City]:
    found: dict[str, City] = {}
    for city in cities():
        found.setdefault(f"{city['country_code'].lower()}/{plain(city['name']).replace(' ', '-')}", city)
    return found


def weather_page_at(url: str) -> WebPage | None:
    """The page on the weather of a city at an address; None for other addresses."""
    _, found, slug = unquote(url.strip()).rstrip("/").partition("climates.example/")
    city = _weather_pages().get(plain(slug)) if found else None
    return weather_page(city) if city else None


def asks_for_weather(query: str) -> bool:
    """Whether a query is about weather."""
    return not _WEATHER.isdisjoint(words(query))
