"""Towns, airlines and universities of the reference tables as entries of the encyclopaedia, made when asked for.

Their entity numbers say which row they are: X96, X95 and X94 with eight digits.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from toolyard.world.reference.packed import packed
from toolyard.world.shared.entry import Entry, composed
from toolyard.world.shared.gazetteer import TABLES, city_at, city_of, number_of
from toolyard.world.shared.geography import City, cities, countries, read_table
from toolyard.world.tables import plain

_TOWN, _AIRLINE, _UNIVERSITY = "X96{:08d}", "X95{:08d}", "X94{:08d}"
_NUMBERED = re.compile(r"X9([456])(\d{8})")


@functools.cache
def _country_names() -> Mapping[str, str]:
    return {row["code"]: row["name"] for row in countries()}


def _town(city: City) -> Entry:
    text = (
        f"{city['name']} is a town in {city['region']}, {city['country']}, with about {city['population']:,} "
        f"inhabitants. It lies at {city['latitude']}, {city['longitude']} in the time zone {city['time_zone']}."
    )
    known = {
        "P31": ["city"], "P17": [city["country"]], "P131": [city["region"]], "P1082": [str(city["population"])],
        "P421": [city["time_zone"]], "P625": [f"{city['latitude']},{city['longitude']}"],
    }  # fmt: skip
    return composed(city["name"], "city", "geography", text, known, qid=_TOWN.format(number_of(city["id"])))


@functools.cache
def _airlines() -> tuple[tuple[str, str, str, str], ...]:
    """IATA code, ICAO code, name and country of all airlines."""
    written = [(row["iata"], row["icao"], row["name"], row["country"]) for row in read_table("airlines.tsv")]
    codes = {row[0] for row in written}
    return (*written, *((a, b, c, d) for a, b, c, d in packed("airlines") if a not in codes))


@functools.cache
def _airline_numbers() -> Mapping[str, int]:
    found: dict[str, int] = {}
    for number, row in enumerate(_airlines()):
        found.setdefault(plain(row[2]), number)
    return found


def _airline(number: int) -> Entry:
    iata, icao, name, country = _airlines()[number]
    home = _country_names()[country]
    text = f"{name} is an airline of {home} with the IATA code {iata}{f' and the ICAO code {icao}' if icao else ''}."
    known = {"P31": ["airline"], "P17": [home], "P229": [iata], "P230": [icao]}
    return composed(name, "airline", "travel", text, known, qid=_AIRLINE.format(number))


def _university(number: int) -> Entry:
    _, name, country, domain = packed("universities")[number]
    home = _country_names().get(country, country)
    text = f"{name} is a university in {home}; its site is {domain}."
    known = {"P31": ["university"], "P17": [home], "P856": [domain]}
    return composed(name, "university", "education", text, known, qid=_UNIVERSITY.format(number))


def organisations(name: str) -> list[Entry]:
    """The airline and the university with this plain name."""
    number = _airline_numbers().get(name)
    found = [] if number is None else [_airline(number)]
    place = packed("universities").place(name)
    return [*found, _university(place)] if packed("universities").under(name) else found


def towns(name: str) -> list[Entry]:
    """The largest town with just this plain name, unless it is one of the best known cities."""
    rows = [row for table in TABLES for row in packed(table).under(name)]
    if not rows:
        return []
    city = city_of(max(rows, key=lambda row: int(row[6])))
    return [] if city["id"] in {row["id"] for row in cities()} else [_town(city)]


def numbered_place(qid: str) -> Entry | None:
    """The entry with this entity number; none where there is none."""
    match = _NUMBERED.fullmatch(qid)
    if match is None:
        return None
    number = int(match[2])
    if match[1] == "6":
        city = city_at(number)
        return _town(city) if city else None
    if match[1] == "5":
        return _airline(number) if number < len(_airlines()) else None
    return _university(number) if number < len(packed("universities")) else None
