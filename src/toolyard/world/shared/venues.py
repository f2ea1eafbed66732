"""Venues beyond the listed ones: the well-known ones of the table, and others that a caller names."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from random import Random

from toolyard.world import seeds
from toolyard.world.derived import derived, noted, titled, well_formed
from toolyard.world.faults import not_found
from toolyard.world.search import Index
from toolyard.world.shared.events import Venue
from toolyard.world.shared.geography import City, cities, city_or_none, find_city, find_country
from toolyard.world.shared.stage_rows import Stage, stages
from toolyard.world.shared.subjects import known_words
from toolyard.world.tables import plain, read_table

# The last word of a name -> how many people such a place holds, at least and at most.
_KINDS = {
    "arena": (5000, 20000), "stadium": (10000, 60000), "coliseum": (5000, 20000), "dome": (5000, 40000),
    "bowl": (5000, 40000), "fieldhouse": (2000, 15000), "ballpark": (5000, 40000), "speedway": (10000, 90000),
    "racecourse": (5000, 50000), "raceway": (5000, 50000), "hall": (300, 3000), "theatre": (200, 2500),
    "theater": (200, 2500),
    "playhouse": (200, 1200), "auditorium": (400, 4000), "amphitheatre": (2000, 20000), "amphitheater": (2000, 20000),
    "ballroom": (300, 2500), "pavilion": (800, 10000), "opera": (800, 3000), "club": (100, 900), "lounge": (80, 400),
    "centre": (800, 15000), "center": (800, 15000), "garden": (500, 15000), "gardens": (500, 15000),
    "philharmonie": (1000, 2500), "velodrome": (2000, 12000), "hippodrome": (500, 4000), "odeon": (300, 3000),
    "palladium": (800, 4000), "park": (3000, 40000), "field": (3000, 40000), "ground": (3000, 30000),
}  # fmt: skip
# Towns whose namesake in another state is larger; the nearest one on record where the town itself is not.
_MEANT = {
    "Rosemont": "Rosemont, IL", "Pasadena": "Pasadena, CA", "West Hollywood": "West Hollywood, CA",
    "George": "George, WA", "Columbia": "Columbia, MD", "Morrison": "Golden, CO", "Manchester": "Manchester, TN",
    "Newport": "Newport, RI",
}  # fmt: skip


def _id(name: str, town: str) -> str:
    return f"KovX{seeds.number('venue', plain(name), plain(town)) % 10**7:07d}"


@functools.cache
def _points() -> Mapping[str, Mapping[str, str]]:
    """Where well-known venues stand; others are told by their town."""
    return {row["name"]: row for row in read_table("venue_points.tsv")}


def _venue(name: str, seats: int, town: str, city: City) -> Venue:
    return Venue(
        id=_id(name, town),
        name=name,
        capacity=seats,
        address=f"{name}, {city['name']}",
        postal_code=None,
        city=city["name"],
        place_id=city["id"],
        region_code=city["region_code"],
        country_code=city["country_code"],
        country=city["country"],
        latitude=city["latitude"],
        longitude=city["longitude"],
        time_zone=city["time_zone"],
        source="ticketmaster",
    )


def _addressed(venue: Venue) -> Venue:
    """A venue of the table with its street, post code and point where they are on record."""
    row = _points().get(venue["name"])
    if row is None:
        return venue
    town = venue["city"] if venue["country_code"] != "US" else f"{venue['city']}, {venue['region_code']}"
    return {
        **venue,
        "address": f"{row['street']}, {town} {row['postal_code']}".strip(),
        "postal_code": row["postal_code"],
        "latitude": float(row["latitude"]),
        "longitude": float(row["longitude"]),
    }


@functools.lru_cache(maxsize=1024)
def venue_of(stage: Stage) -> Venue:
    """A venue of the table as tools show it; where its own place is not on record, in the middle of its town."""
    code = find_country(stage.country)["code"]
    if code == "US" and stage.town in _MEANT:
        city = find_city(_MEANT[stage.town])
        return _addressed(_venue(stage.name, stage.seats, stage.town, {**city, "name": stage.town}))
    city = city_or_none(f"{stage.town}, {code}") or find_city(stage.town)
    return _addressed(_venue(stage.name, stage.seats, stage.town, city))


def _keys(name: str) -> tuple[str, str]:
    key = plain(name)
    return key, key.removeprefix("the ")


@functools.cache
def _by_name() -> Mapping[str, tuple[Stage, ...]]:
    found: dict[str, list[Stage]] = {}
    for stage in stages():
        for key in dict.fromkeys(key for name in (stage.name, *stage.other_names) for key in _keys(name)):
            found.setdefault(key, []).append(stage)
    return {key: tuple(group) for key, group in found.items()}


@functools.cache
def _by_id() -> Mapping[str, Stage]:
    return {_id(stage.name, stage.town): stage for stage in stages()}


def stage_of(key: str) -> Stage | None:
    """The venue of the table with an id."""
    return _by_id().get(key)


@functools.cache
def _index() -> Index[Mapping[str, str]]:
    rows = [{"name": " ".join((stage.name, *stage.other_names, stage.town))} for stage in stages()]
    return Index([{**row, "number": str(number)} for number, row in enumerate(rows)], ("name",))


def further_venues(seed: int, keyword: str) -> list[Venue]:
    """The venues of the table that have these words; a derived one where they can be the name of a venue."""
    exact = next((_by_name()[key] for key in _keys(keyword) if key in _by_name()), ())
    rest = [stages()[int(row["number"])] for row in _index().search(keyword, bound=1.0)]
    found = list(dict.fromkeys((*exact, *rest)))
    if found:
        return [venue_of(stage) for stage in found]
    own = _unlisted(seed, keyword)
    return [own] if own else []


def known_hall(name: str) -> Venue | None:
    """The venue of the table that is called exactly so."""
    return next((venue_of(_by_name()[key][0]) for key in _keys(name) if key in _by_name()), None)


def names_venue(name: str) -> bool:
    """Whether a text names a venue, one of the table or by its last word, rather than somebody who performs."""
    words = plain(name).split()
    return known_hall(name) is not None or (len(words) > 1 and words[-1] in _KINDS) or begins_venue(name)


def begins_venue(name: str) -> bool:
    """Whether two or more words are the beginning of a venue of the table: Red Rocks."""
    start = f"{plain(name)} "
    return start.count(" ") > 1 and any(key.startswith(start) for key in _by_name())


def venues_beginning(letters: str, most: int) -> list[Venue]:
    """Venues of the table with a word that begins so, those that begin with it themselves first."""
    start = plain(letters).removeprefix("the ")
    names = [key for key in _by_name() if key.startswith(start) or f" {start}" in key]
    names.sort(key=lambda key: not key.startswith(start))
    found = dict.fromkeys(stage for key in names for stage in _by_name()[key])
    return [venue_of(stage) for stage in list(found)[:most]]


def _unlisted(seed: int, name: str) -> Venue | None:
    """A venue that no table holds: written as a name, with a word for a place of events at its end."""
    words = name.split()
    kind = _KINDS.get(plain(words[-1])) if words else None
    if kind is None or not 1 < len(words) < 6 or not well_formed(name) or not known_words(name):
        return None
    if not any(word[:1].isupper() for word in words) and plain(name) not in noted("venue"):
        return None

    def built(chance: Random) -> Venue:
        places = [city for size in (3, 2, 1) if (city := city_or_none(" ".join(words[:size])))]
        city = places[0] if places and size_fits(places[0]) else chance.choice(cities()[:200])
        return _venue(titled(name), round(chance.randrange(*kind), -1), "", city)

    return derived(seed, "venue", name, built)


def size_fits(city: City) -> bool:
    """Whether a name in front of a venue is that of its town rather than of a hamlet by chance."""
    return city["population"] > 20_000


def further_venue(seed: int, key: str) -> Venue | None:
    """The further venue with an id; derived ones only once the running world has named them."""
    stage = _by_id().get(key)
    if stage is not None:
        return venue_of(stage)
    own = (_unlisted(seed, name) for name in noted("venue"))
    return next((venue for venue in own if venue and venue["id"] == key), None)


def any_venue(seed: int, key: str) -> Venue:
    """The venue with an id; a not_found fault otherwise."""
    found = further_venue(seed, key.strip())
    if found is None:
        fault = not_found("venue", key[:40], known=_by_id(), count=len(stages()))
        fault.listed_by = "Location/Ticket/venue_search"
        raise fault
    return found
