"""Venues where events happen: well-known stadiums, arenas, halls, theatres and opera houses, by id and by name."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from toolyard.world.index import words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import plain, read_table
from toolyard.world.reference.encyclopaedia.stage_rows import Stage, venue_rows
from toolyard.world.reference.places.geography import city_or_none, find_city, find_country

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Venue:
    """A place where events happen; `words` are those that it is found by."""

    id: str
    name: str
    kind: str
    capacity: int
    address: str
    postal_code: str | None
    city: str
    place_id: str
    region_code: str
    country_code: str
    country: str
    latitude: float
    longitude: float
    time_zone: str
    words: tuple[str, ...]


@functools.cache
def _venue_points() -> Mapping[str, Mapping[str, str]]:
    """Street, post code and point of well-known venues; others are told by their town."""
    return {row["name"]: row for row in read_table("venue_points.tsv")}


def _make_venue(stage: Stage) -> Venue:
    city = city_or_none(f"{stage.town}, {find_country(stage.country)['code']}") or find_city(stage.town)
    point = _venue_points().get(stage.name)
    street = f"{point['street']}, {city['name']} {point['postal_code']}" if point else stage.name
    return Venue(
        id=f"KovX{seeds.number('venue', plain(stage.name), plain(stage.town)) % 10**7:07d}",
        name=stage.name,
        kind=stage.kind,
        capacity=stage.seats,
        address=street.strip() if point else f"{stage.name}, {city['name']}",
        postal_code=point["postal_code"] if point else None,
        city=city["name"],
        place_id=city["id"],
        region_code=city["region_code"],
        country_code=city["country_code"],
        country=city["country"],
        latitude=float(point["latitude"]) if point else city["latitude"],
        longitude=float(point["longitude"]) if point else city["longitude"],
        time_zone=city["time_zone"],
        words=tuple(
            dict.fromkeys(words(" ".join((stage.name, *stage.other_names, stage.kind, city["name"]))))
        ),
    )


@functools.cache
def all_venues() -> Mapping[str, Venue]:
    """All venues by id."""
    return {venue.id: venue for venue in map(_make_venue, venue_rows())}


def find_venue(key: str) -> Venue:
    """The venue with an id; a not_found fault otherwise."""
    return find_listed("venue", key, all_venues())


def find_listed(what: str, key: str, rows: Mapping[str, Row]) -> Row:
    """The row with an id; otherwise a not_found fault with the search of the ticket service."""
    found = rows.get(key.strip())
    if found is None:
        fault = not_found(what, key[:40], known=rows, count=len(rows))
        fault.listed_by = f"Location/Ticket/{what}_search"
        raise fault
    return found
