"""All coming events on one table."""

from __future__ import annotations

from collections.abc import Mapping

from toolyard.world import seeds
from toolyard.world.search import Index
from toolyard.world.shared.events import Event
from toolyard.world.shared.performances import known_performances
from toolyard.world.tables import plain


@seeds.table
def coming_events(seed: int) -> tuple[Event, ...]:
    """All coming events, soonest first."""
    return tuple(sorted(known_performances(seed), key=lambda event: (event["starts"], event["id"])))


@seeds.table
def coming_by_city(seed: int) -> Mapping[str, tuple[Event, ...]]:
    """All coming events by the folded name of their city, soonest first."""
    found: dict[str, list[Event]] = {}
    for event in coming_events(seed):
        found.setdefault(event["city"], []).append(event)
    return {plain(city): tuple(rows) for city, rows in found.items()}


@seeds.table
def coming_index(seed: int) -> Index[Event]:
    """All coming events, searchable by name, performer, kind, venue and city."""
    return Index(coming_events(seed), ("name", "attraction", "segment", "genre", "venue", "city"))
