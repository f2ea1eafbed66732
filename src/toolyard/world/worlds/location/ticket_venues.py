"""Location/Ticket: venues by search and by id."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Unpack

from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.events import Venue
from toolyard.world.shared.performer_kinds import COMEDY_CLUBS, JAZZ_CLUBS
from toolyard.world.shared.stage_rows import stages
from toolyard.world.shared.venues import (
    any_venue,
    further_venue,
    further_venues,
    venue_of,
)
from toolyard.world.state import World
from toolyard.world.tables import plain
from toolyard.world.types import LocaleCode, Page, VenueId
from toolyard.world.worlds.location import tickets
from toolyard.world.worlds.location.ticket_checks import check_caller, check_place, check_venue
from toolyard.world.worlds.location.ticket_details import GROUP, coming
from toolyard.world.worlds.location.ticket_records import VenueDetails, VenueRow
from toolyard.world.worlds.location.tickets import VenueFilters, market_of

# What a sort of venue is called; names of arenas say so themselves, and a race track is no stadium.
_SORTS = {
    "stadium": "stadium", "stadiums": "stadium", "stadia": "stadium", "football stadium": "stadium",
    "soccer stadium": "stadium", "theatre": "theatre", "theater": "theatre", "theatres": "theatre", "theaters": "theatre",
    "playhouse": "theatre", "opera house": "opera house", "opera houses": "opera house", "opera": "opera house",
    "amphitheatre": "amphitheatre", "amphitheatres": "amphitheatre", "amphitheater": "amphitheatre",
    "amphitheaters": "amphitheatre", "arena": "arena", "arenas": "arena", "race track": "race track",
    "racetrack": "race track", "concert hall": "concert hall", "concert halls": "concert hall", "music hall": "concert hall",
}  # fmt: skip
_CLUBS = {"jazz club": JAZZ_CLUBS, "comedy club": COMEDY_CLUBS}
_TRACKS = re.compile(r"ring$|circuit|speedway|raceway|autodrom|motor|silverstone|racecourse|berghain", re.I)


def _of_sort(keyword: str) -> list[Venue]:
    """The well-known venues of a sort that a keyword names, whatever language their names are in."""
    kind, clubs = _SORTS.get(plain(keyword)), _CLUBS.get(plain(keyword).removesuffix("s"), frozenset())
    if clubs:
        return [venue_of(row) for row in stages() if row.name in clubs]
    return (
        [
            venue_of(row)
            for row in stages()
            if row.kind == kind and (kind == "race track" or not _TRACKS.search(row.name))
        ]
        if kind
        else []
    )


def venue_row(world: World, row: Venue) -> VenueRow:
    """A venue as a list shows it."""
    return {
        "id": row["id"],
        "name": row["name"],
        "city": row["city"],
        "country_code": row["country_code"],
        "postal_code": row["postal_code"],
        "upcoming_events": len(coming(world, "venue_id", row["id"])),
    }


def _venues(world: World, filters: VenueFilters) -> Sequence[Venue]:
    """Venues that a keyword or an id points to; all of the table without either."""
    keyword, own = filters.get("keyword"), further_venue(world.seed, filters.get("id", ""))
    if own:
        return [own]
    if not keyword or not words(keyword):
        return tuple(map(venue_of, stages()))
    found = [*further_venues(world.seed, keyword), *_of_sort(keyword)]
    return list({row["id"]: row for row in found}.values())


def found_venues(world: World, filters: VenueFilters) -> list[Venue]:
    """Venues that satisfy all filters."""
    return list(filter(tickets.place_test(filters), tickets.basic(_venues(world, filters), filters)))


@tool(
    GROUP,
    examples=[
        {"keyword": "arena", "countryCode": "US"},
        {"keyword": "theatre", "stateCode": "CA"},
        {"geoPoint": "u09t", "radius": 30},
    ],
    phrase=(
        "search for event venues[ matching {keyword}][, with {countryCode} as the country code][, with "
        "{stateCode} as the state code][, with {geoPoint} as the geohash to search around][, with the search "
        "radius set to {radius}][, with the unit of the search radius set to {unit}][, sorted by "
        "{sort_by}][, showing {size} per page][, on page {page}]"
    ),
    noun="the list of venues",
    jobs=("venues",),
)
def venue_search(world: World, **filters: Unpack[VenueFilters]) -> Page[VenueRow]:
    """Venues by name and place, with how many events are coming there (no games of clubs)."""
    check_place(filters)
    check_venue(world, filters.get("id", "").strip())
    found = tickets.in_order(found_venues(world, filters), filters, tickets.distance(filters))
    return tickets.page_of(found, filters, functools.partial(venue_row, world))


@tool(
    GROUP,
    examples=[{"id": "KovX5297980"}],
    phrase=(
        "show the address, size and next events of the venue whose id is {id}[, with the locale set to "
        "{locale}]"
    ),
    noun="the venue details",
    jobs=("venues",),
)
def get_venue_details(
    world: World, *, id_: VenueId, locale: LocaleCode = "en-us", domain: str | None = None
) -> VenueDetails:
    """One venue: address, position (of its town where its own is not known), size and next events.

    id: Id of the venue.
    locale: Language and country of the caller.
    domain: Domains on which the venue must be offered; it is on all of them.
    """
    check_caller({"locale": locale, "domain": domain})
    row = any_venue(world.seed, id_.strip())
    return {
        "id": row["id"],
        "name": row["name"],
        "address": row["address"],
        "city": row["city"],
        "country": row["country"],
        "latitude": row["latitude"],
        "longitude": row["longitude"],
        "time_zone": row["time_zone"],
        "capacity": row["capacity"],
        "market_id": market_of(row["place_id"]),
        "next_events": coming(world, "venue_id", row["id"])[:10],
    }
