"""Trend/Google_Trends: interest in search terms as seeded curves over time and place."""

import functools
import math
from datetime import date, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import IsoDate, Range, SearchText, Semantic
from toolyard.world.reference.encyclopaedia.entries import entries_named, mentioned_entries, suggest_titles
from toolyard.world.reference.encyclopaedia.subjects import are_known_words
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.atlas import large_countries
from toolyard.world.reference.places.geography import cities, countries, find_country
from toolyard.world.simulated.search_interest import term_popularity
from toolyard.world.tools.trend.related_searches import (
    QueryValue,
    RelatedTopic,
    related_queries,
    related_topics,
)

GROUP = Group("Trend/Google_Trends")
DataType = Literal["TIMESERIES", "GEO_MAP", "GEO_MAP_0", "RELATED_TOPICS", "RELATED_QUERIES"]
Region = Literal["COUNTRY", "REGION", "DMA", "CITY"]
Property = Literal["images", "news", "froogle", "youtube"]
Geo = Annotated[str, Semantic("trend_area", accepts=("country_code", "country", "continent"))]
FIRST_DAY = date(2004, 1, 1)
_POINTS, _MOST_POINTS = 53, 93
# Countries whose states, provinces or the like are shown one by one, and which of them are not.
_FEW_STATES, _MOST_STATES = 5, 60
_UNSEARCHED = frozenset(("KP",))
_OUTLYING = frozenset(("Outlying area", "Overseas territory"))
_SPANS = {"now 1-H": 0, "now 4-H": 0, "now 1-d": 1, "now 7-d": 7, "today 1-m": 30, "today 3-m": 90,
          "today 12-m": 365, "today 5-y": 1826}  # fmt: skip


class Moment(TypedDict):
    date: IsoDate
    values: list[QueryValue]


class Area(TypedDict):
    location: str
    geo: str
    values: list[QueryValue]


class Trends(TypedDict, total=False):
    data_type: DataType
    geo: str
    interest_over_time: list[Moment]
    averages: list[QueryValue]
    interest_by_region: list[Area]
    related_topics: list[RelatedTopic]
    related_queries: list[QueryValue]


@functools.lru_cache(maxsize=512)
def _is_searched(term: str) -> bool:
    """Whether people search for a term at all: nobody does for one with a word that nobody uses."""
    return bool(entries_named(term)) or are_known_words(term) or bool(mentioned_entries(term))


def _interest_level(seed: int, term: str, place: str, day: date) -> float:
    """Searches per head, in arbitrary units that agree across tools, terms and places."""
    key = plain(term)
    # Within a country people differ less than between countries.
    taste = 1 + (0.5 if "-" in place else 1.0) * (seeds.unit(seed, "taste", key, place) - 0.5)
    turn = (day - FIRST_DAY).days
    season = 1 + 0.3 * math.sin(2 * math.pi * (turn / 365.25 + seeds.unit(seed, "season", key)))
    drift = math.exp((seeds.unit(seed, "drift", key) - 0.4) * turn / 8000)
    noise = 0.9 + 0.2 * seeds.unit(seed, "noise", key, place, turn)
    peak = turn - 7400 * seeds.unit(seed, "peak", key)  # one time at which everybody looked it up
    return (
        term_popularity(seed, key)
        * taste
        * season
        * drift
        * noise
        * (1 + 6 * seeds.unit(seed, "height", key) * math.exp(-((peak / 40) ** 2)))
    )


def _parse_span(world: World, text: str) -> tuple[date, date]:
    text = " ".join(text.split())
    if text == "all":
        return FIRST_DAY, world.today
    if text in _SPANS:
        return world.today - timedelta(days=_SPANS[text]), world.today
    try:
        first, last = (date.fromisoformat(part[:10]) for part in text.split(" "))
    except ValueError:
        raise invalid(
            "date", text[:60], f"want one of {', '.join(_SPANS)}, all, or two dates YYYY-MM-DD"
        ) from None
    if not FIRST_DAY <= first <= last <= world.today:
        raise out_of_range(
            "date", text, f"dates run from {FIRST_DAY} to {world.today}, the earlier one first"
        )
    return first, last


def _sampled_days(first: date, last: date, most: int = _POINTS) -> list[date]:
    """Days at equal distances: each day of up to three months, then weeks apart."""
    span = (last - first).days
    if most == _POINTS:
        step = 1 if span <= 92 else 7 * -(-span // (7 * 66))
        return [last - timedelta(days=back) for back in range(span - span % step, -1, -step)]
    count = min(most, span + 1)
    return [first + timedelta(days=round(number * span / max(1, count - 1))) for number in range(count)]


def _parse_area(geo: str) -> tuple[str, str]:
    """What a geo value names, as (kind, key): the world, a continent, a country or a region of one."""
    text = geo.strip()
    if plain(text) in ("", "world", "worldwide", "global"):
        return "world", "world"
    continent = next(
        (row["continent"] for row in countries() if plain(row["continent"]) == plain(text)), None
    )
    if continent:
        return "continent", continent
    code, _, region = text.partition("-")
    country = find_country(code if len(code) == 2 else text)
    if not region or len(code) != 2:
        return "country", country["code"]
    if not packed_table("subdivisions").with_key(f"{country['code']}-{region.upper()}"):
        areas = [row[0] for row in packed_table("subdivisions").starting(f"{country['code']}-", 1000)]
        raise not_found(f"area of {country['name']}", geo, known=areas)
    return "region", f"{country['code']}-{region.upper()}"


def _places_in_area(kind: str, key: str, region: Region | None) -> list[tuple[str, str]]:
    """(name, code) of the places that an area is broken down into."""
    inside = [
        city
        for city in cities()
        if kind == "world"
        or (kind == "continent" and find_country(city["country_code"])["continent"] == key)
        or f"{city['country_code']}-{city['region_code']}".startswith(key)
    ]
    if region in ("CITY", "DMA") or kind == "region":
        return [(city["name"], city["id"]) for city in inside]
    if kind == "country" and region != "COUNTRY":
        states = [row for row in packed_table("subdivisions").starting(f"{key}-", 1000) if not row[3]]
        if len(inside) and _FEW_STATES < len(states) <= _MOST_STATES and key != "GB":
            return [(row[1], row[0]) for row in states if row[2] not in _OUTLYING]
        return list(
            {
                city["region_code"]: (city["region"], f"{key}-{city['region_code']}") for city in inside
            }.values()
        )
    if kind in ("world", "continent"):
        known = [row for row in large_countries() if kind == "world" or row["continent"] == key]
        known = [row for row in known if row["code"] not in _UNSEARCHED]
        return [(row["name"], row["code"]) for row in known]
    return list({city["country_code"]: (city["country"], city["country_code"]) for city in inside}.values())


def _scale_to_100(rows: list[list[float]]) -> list[list[int]]:
    top = max((value for row in rows for value in row), default=0.0) or 1.0
    return [[round(100 * value / top) for value in row] for row in rows]


def _curve(key: str, category: int, prop: Property | None, minutes: int | None) -> str:
    """Where the curve of a term lies: categories, properties and the hour shift it, not its shape."""
    return "/".join(str(part) for part in (key, category, prop, minutes) if part)


def _by_time(world: World, terms: list[str], key: str, span: tuple[date, date], chosen: slice) -> Trends:
    days = _sampled_days(*span)
    scaled = _scale_to_100([[_interest_level(world.seed, term, key, day) for term in terms] for day in days])
    moments: list[Moment] = [
        {"date": day.isoformat(), "values": _value_rows(terms, row)}
        for day, row in zip(days, scaled, strict=True)
    ]
    return {
        "interest_over_time": moments[chosen],
        "averages": _value_rows(
            terms, [round(sum_in_order(column) / len(days)) for column in zip(*scaled, strict=True)]
        ),
    }


def _value_rows(terms: list[str], row: list[int]) -> list[QueryValue]:
    return [{"query": term, "value": value} for term, value in zip(terms, row, strict=True)]


def _interest_by_region(
    world: World, terms: list[str], places: list[tuple[str, str]], span: tuple[date, date]
) -> list[Area]:
    days = _sampled_days(*span, 4)
    levels = [
        [sum_in_order(_interest_level(world.seed, term, code, day) for day in days) for term in terms]
        for _, code in places
    ]
    scaled = _scale_to_100(levels)
    found: list[Area] = [
        {"location": name, "geo": code, "values": _value_rows(terms, row)}
        for (name, code), row in zip(places, scaled, strict=True)
    ]
    return sorted(found, key=lambda area: (-max(row["value"] for row in area["values"]), area["location"]))


def _find_trends(
    world: World,
    query: list[str],
    data_type: DataType,
    place: str,
    places: list[tuple[str, str]],
    span: tuple[date, date],
    chosen: slice,
) -> Trends:
    """The rows of one kind of data."""
    if data_type == "TIMESERIES":
        return _by_time(world, query, place, span, chosen)
    if data_type == "RELATED_TOPICS":
        return {"related_topics": related_topics(world.seed, query[0])[chosen]}
    if data_type == "RELATED_QUERIES":
        return {"related_queries": related_queries(world.seed, query[0])[chosen]}
    if data_type == "GEO_MAP_0" and len(query) > 1:
        raise invalid("query", query[1][:60], "GEO_MAP_0 is for one term; GEO_MAP compares several")
    terms = query
    return {"interest_by_region": _interest_by_region(world, terms, places, span)[chosen]}


@GROUP.tool(
    examples=[
        {"query": ["coffee", "milk"], "geo": "CA"},
        {"query": ["Bitcoin"], "geo": "US", "data_type": "RELATED_QUERIES"},
        {"query": ["school"], "data_type": "RELATED_TOPICS", "limit": 3},
        {"query": ["Veganism"], "geo": "Europe", "data_type": "GEO_MAP_0", "limit": 10},
    ],
    phrase=(
        "look at the Google Trends search interest in {query}[ within {geo}][, with the period set to "
        "{date}][, with the data type {data_type}][, with the search property {gprop}][, with the number of "
        "rows to skip set to {offset}][, with the row limit set to {limit}]"
    ),
    noun="the Google Trends data",
)
def google_trends_search(
    world: World,
    *,
    query: Annotated[list[SearchText], Range(1, 5)],
    geo: Geo = "",
    region: Region | None = None,
    data_type: DataType = "TIMESERIES",
    tz: Annotated[int, Range(-1439, 1439)] = 420,
    cat: Annotated[int, Range(0, 5000)] = 0,
    gprop: Property | None = None,
    date: str = "today 12-m",
    limit: Annotated[int, Range(1, 60)] | None = None,
    offset: Annotated[int, Range(0, 1000)] = 0,
) -> Trends:
    """How much people search for terms: over time, by place, or what else they search for.

    Values are relative, 100 being the highest of the answer.

    query: One to five terms to compare; the related lists are about the first one.
    geo: Country code or name, a region such as US-CA, or a continent; the whole world if left out.
    region: How to break the area down by place.
    data_type: Interest over time, by place (GEO_MAP compares terms, GEO_MAP_0 is for one), related topics or queries.
    tz: Minutes that the local time lies behind UTC.
    cat: Number of a search category; 0 is all of them.
    gprop: Searches for images, news, products or videos instead of web searches.
    date: now 1-H or now 4-H (the value of the day), now 1-d, now 7-d, today 1-m, today 3-m, today 12-m, today 5-y, all,
        or two dates such as 2021-10-15 2022-05-25.
    limit: Rows to return; 5 if left out, all points for interest over time.
    offset: Rows to skip.
    """
    unknown = next((term for term in query if not _is_searched(plain(term))), None)
    if unknown is not None:
        raise not_found("search term", unknown[:60], nearest=suggest_titles(unknown))
    (kind, key), span = _parse_area(geo), _parse_span(world, date)
    place, places = _curve(key, cat, gprop, tz if "H" in date else None), _places_in_area(kind, key, region)
    chosen = slice(offset, offset + (limit or (_MOST_POINTS if data_type == "TIMESERIES" else 5)))
    found = _find_trends(world, query, data_type, place, places, span, chosen)
    return {"data_type": data_type, "geo": key, **found}
