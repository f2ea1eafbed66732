"""Questions about places: capital, population, area and the like, local time, superlatives, distances."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolyard.world.faults import ToolFault
from toolyard.world.search import words
from toolyard.world.shared.days import zone
from toolyard.world.shared.geography import (
    cities,
    city_or_none,
    countries,
    currencies,
    find_airport,
    find_country,
    plain,
)
from toolyard.world.state import World
from toolyard.world.tables import kilometres

_BETWEEN = re.compile(
    r"distance (?:between|from) (.{1,60}?) (?:and|to) (.{1,60})|how far is (.{1,60}?) from (.{1,60})"
)
_AWAY = re.compile(
    r"(?:how far(?: away)? is|distance (?:to|of)) (?:the )?(\w+)(?: away)?(?: from (?:the )?earth)?"
)
_FROM_EARTH = {"moon": 384400, "sun": 149600000, "mars": 225000000, "venus": 108200000, "jupiter": 628700000}
# What a question may ask for: its words, the field that says it, the unit.
_FIELDS = (
    (("capital",), "capital", ""), (("population", "inhabitant", "people live", "populou"), "population", " people"),
    (("area", "how large", "how big", "size of", "square kilometre"), "area_km2", " km²"), (("currency",
    "money"), "currency", ""),
    (("continent",), "continent", ""), (("calling code", "dialling code", "phone code"), "calling_code", ""),
    (("language",), "languages", ""), (("time zone", "timezone"), "time_zone", ""), (("latitude",
    "coordinate"), "latitude", "°"),
    (("what country", "which country", "where is", "country"), "country", ""), (("iso code", "country code"), "code", ""),
)  # fmt: skip
_TIME = re.compile(
    r"(?:what(?:'s| is)? (?:the )?(?:current |local )?time (?:is it )?|(?:current |local )?time )(?:now "
    r")?(?:in|at) (.{1,60}?)(?: now| right now)?"
)
_MOST = re.compile(
    r"(?:.*\b)?(?P<way>largest|biggest|smallest|most populous|least populous|most populated)\b "
    r"(?P<what>country|city|cities|countries)"
    r"(?: (?:in|of) (?:the )?(?P<where>.{1,40}?))?(?: by (?P<by>area|population))?"
)


@dataclass(frozen=True, slots=True)
class PlaceAnswer:
    """How a question about a place was read, its answer, the place, and the length of a way in kilometres."""

    reading: str
    text: str
    subject: str
    kilometres: float | None = None


def place_answer(world: World, question: str) -> PlaceAnswer | None:
    """The answer to a question about a place; None for other questions."""
    asked = " ".join(plain(question).rstrip("?.! ").split())
    return _distance(asked) or _clock(world, asked) or _most(asked) or _fact(asked)


def _distance(asked: str) -> PlaceAnswer | None:
    away = _AWAY.fullmatch(asked)
    if away and away[1] in _FROM_EARTH:
        return _way(f"distance from Earth to {away[1].title()}", _FROM_EARTH[away[1]], away[1].title())
    match = _BETWEEN.search(asked)
    if match is None:
        return None
    names = [name.removeprefix("the ").strip() for name in match.groups() if name]
    if "earth" in names:
        other = names[1 - names.index("earth")]
        far = _FROM_EARTH.get(other)
        return _way(f"distance from Earth to {other.title()}", far, other.title()) if far else None
    points = [_point(name) for name in names]
    if points[0] is None or points[1] is None:
        return None
    length = kilometres(points[0][1], points[0][2], points[1][1], points[1][2])
    return _way(f"distance from {points[0][0]} to {points[1][0]}", length, points[0][0])


def _way(meaning: str, far: float, subject: str) -> PlaceAnswer:
    return PlaceAnswer(meaning, f"{far:,.0f} km", subject, far)


def _point(name: str) -> tuple[str, float, float] | None:
    city = city_or_none(name)
    if city:
        return city["name"], city["latitude"], city["longitude"]
    try:
        airport = find_airport(name)
    except ToolFault:
        return None
    return airport["city"], airport["latitude"], airport["longitude"]


def _clock(world: World, asked: str) -> PlaceAnswer | None:
    match = _TIME.fullmatch(asked)
    place = _place(match[1]) if match else None
    if place is None:
        return None
    local = world.now.astimezone(zone(place["time_zone"]))
    return PlaceAnswer(f"time in {place['name']}", f"{local:%H:%M} on {local:%A, %Y-%m-%d}", place["name"])


def _most(asked: str) -> PlaceAnswer | None:
    match = _MOST.fullmatch(asked)
    if match is None:
        return None
    city, where = match["what"].startswith("cit"), match["where"]
    field = "population" if city or match["by"] == "population" or "popul" in match["way"] else "area_km2"
    rows: list[Mapping[str, Any]] = [*cities()] if city else [*countries()]
    if where and where != "world":
        rows = [
            row
            for row in rows
            if where in {plain(row.get(key, "")) for key in ("continent", "country", "country_code")}
        ]
    if not rows:
        return None
    least = match["way"] in ("smallest", "least populous")
    best = (min if least else max)(rows, key=lambda row: row[field])
    unit = "people" if field == "population" else "km²"
    return PlaceAnswer(
        f"{match['way']} {match['what']}", f"{best['name']} ({best[field]:,} {unit})", best["name"]
    )


def _fact(asked: str) -> PlaceAnswer | None:
    """A fact on the longest name of a place in the question; none where more is asked than is known."""
    if _DENSITY.search(asked):
        return _density(asked)
    if _MORE.search(asked):
        return None
    known = set(words(asked))
    fields = [
        (names[0], field, unit)
        for names, field, unit in _FIELDS
        if any(name in known if " " not in name else name in asked for name in names)
    ]
    for name in _spans(asked) if fields else ():
        place = _place(name)
        for word, field, unit in fields if place else ():
            if place and field in place and not (field == "code" and "code3" not in place):
                return PlaceAnswer(f"{place['name']} | {word}", _shown(place, field, unit), place["name"])
    return None


_DENSITY = re.compile(r"\bdensity\b|\bpeople per (?:square|sq)\b")
# What asks for a figure of another kind or year.
_MORE = re.compile(
    r"\b(?:growth|rate|per capita|median|average|percent|percentage|urban|rural|male|female|projected|forecast|"
    r"1[0-9]\d\d|200\d|201\d|202[0-2]|202[5-9]|20[3-9]\d)\b"
)


def _density(asked: str) -> PlaceAnswer | None:
    """How many people live on a square kilometre of a country."""
    for name in _spans(asked):
        place = _place(name)
        if place and place.get("area_km2"):
            dense = place["population"] / place["area_km2"]
            return PlaceAnswer(
                f"{place['name']} | population density", f"{dense:,.1f} people per km²", place["name"]
            )
    return None


def _shown(place: Mapping[str, Any], field: str, unit: str) -> str:
    value = place[field]
    if field == "currency":
        names = {row["code"]: row["name"] for row in currencies()}
        return f"{value} ({names[value]})" if value in names else str(value)
    if field == "latitude":
        return f"{value}°, {place['longitude']}°"
    if field == "languages":
        from babel import Locale

        spoken = Locale.parse("en").languages
        return ", ".join(spoken.get(code, code) for code in value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}{unit}" if isinstance(value, int) else str(value)


def _spans(asked: str) -> list[str]:
    """Runs of one to five words, longest first; short ones are not names but words such as "is" and "in"."""
    parts = re.sub(r"'s\b|[?!]", "", asked).replace(" ,", ",").split()
    runs = [" ".join(parts[n : n + size]) for size in range(5, 0, -1) for n in range(len(parts) - size + 1)]
    return [run.strip(",") for run in runs if len(run) > 3 or run in ("usa", "uk", "uae", "us")]


def _place(name: str) -> Mapping[str, Any] | None:
    """The country, else the city of a name."""
    wanted = name.removeprefix("the ").strip()
    try:
        return find_country(wanted)
    except ToolFault:
        return city_or_none(wanted)
