"""Airports as people call them: by code, by name, by another name, by the city they serve."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from toolyard.world.shared.geography import (
    Airport,
    City,
    airport_keys,
    airports,
    all_airports,
    city_or_none,
    plain,
    read_table,
)
from toolyard.world.tables import kilometres
from toolyard.world.worlds.travel.air import airports_of

_ON_THE_EDGE_KM = 15
# The largest airports of cities that have several.
_MAIN = frozenset(
    "LHR JFK ORD IAD CDG HND MXP SVO IST FCO GRU IAH ICN BKK KIX PVG ARN PEK DFW MIA EZE".split()
)
# Shut for passengers.
_CLOSED = frozenset(("TXL", "ISL"))
_CLOSED_NAMES = frozenset(("tempelhof", "kai tak", "stapleton"))
_COMMON = frozenset({"airport", "international", "the", "of"})


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", plain(text).replace("'", ""))) - _COMMON


@functools.cache
def _titles() -> Mapping[str, tuple[frozenset[str], ...]]:
    """IATA code -> the words of each name of the well-known airports."""
    return {
        row["iata"]: tuple(
            _words(f"{name} {row['city']}") for name in (row["name"], *row["aliases"].split(";"))
        )
        for row in read_table("airports.tsv")
    }


def airport_named(query: str) -> Airport | None:
    """The airport that is meant: of a code, of names with all these words (well-known ones first), or of a city."""
    wanted = _words(query)
    coded = airport_keys().get(query.strip().upper())
    if coded or not wanted:
        return coded
    if any(name in plain(query) for name in _CLOSED_NAMES):
        return None
    known = [row for row in airports() if any(wanted <= words for words in _titles()[row["iata"]])]
    known = known or [row for row in airports() if wanted <= _words(f"{row['name']} {row['city']}")]
    own = [row for row in known if wanted <= _words(row["city"])]
    if own:
        return min(own, key=lambda row: row["iata"] not in _MAIN)  # a city's best known airport comes first
    place = city_or_none(query)
    if place and plain(place["name"]) == plain(query) and airports_of(place):
        return airports_of(place)[0]
    named = known or [row for row in all_airports() if wanted <= _words(row["name"])]
    if named:
        return min(named, key=lambda row: (len(row["name"]), row["iata"]))
    city = city_or_none(" ".join(word for word in plain(query).split() if word not in _COMMON))
    if city is None:
        return None
    return next(iter(airports_of(city)), None) or _beside(city)


def _beside(city: City) -> Airport | None:
    """The airport on the edge of a town that no airport names as its own."""
    away = {
        row["iata"]: kilometres(city["latitude"], city["longitude"], row["latitude"], row["longitude"])
        for row in all_airports()
        if row["country_code"] == city["country_code"] and row["iata"] not in _CLOSED
    }
    nearest = min(away, key=lambda code: away[code], default=None)
    return airport_keys()[nearest] if nearest and away[nearest] <= _ON_THE_EDGE_KM else None
