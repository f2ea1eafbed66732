"""All coming events on one table: those of invented performers in every city and those of known ones at real venues."""

from __future__ import annotations

from toolyard.world import seeds
from toolyard.world.search import Index
from toolyard.world.shared.events import Event, events
from toolyard.world.shared.performers import known_performances


@seeds.table
def coming_events(seed: int) -> tuple[Event, ...]:
    """All coming events, soonest first."""
    found = (*events(seed), *known_performances(seed))
    return tuple(sorted(found, key=lambda event: (event["starts"], event["id"])))


@seeds.table
def coming_index(seed: int) -> Index[Event]:
    """All coming events, searchable by name, performer, kind, venue and city."""
    return Index(coming_events(seed), ("name", "attraction", "segment", "genre", "venue", "city"))
