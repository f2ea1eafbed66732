"""When businesses are open and how dear they are, by what they are.

A span is minutes after local midnight; one that ends after 1440 goes on into the next day.
"""

import functools
from collections.abc import Mapping, Sequence
from random import Random

from toolyard.world.kernel.tables import values_of

Span = tuple[int, int]
Week = list[Span | None]
ALWAYS: Week = [(0, 1440)] * 7
NEVER_CLOSED = ("hotels", "hostels", "hospitals", "servicestations", "parking", "taxis")
Hours = tuple[float, float, tuple[tuple[int, ...], ...]]
# Usual hours by group, and the days (0 is Monday) of which one set is closed.
_GROUPS: Mapping[str, Hours] = values_of("business_hours.groups")
# What differs from its group.
_KINDS: Mapping[str, Hours] = values_of("business_hours.kinds")
# How many of a kind never close, where some do.
_AT_NIGHT: Mapping[str, float] = values_of("business_hours.at_night")
# The dearest that such places get; nothing is paid at the last ones.
_DEAREST: Mapping[str, int] = values_of("business_hours.dearest")
_DEAREST_OF = {"restaurants": 4, "food": 2, "arts": 2, "active": 2}


def draw_week(chance: Random, alias: str, group: str) -> Week:
    """The opening hours of a week, Monday first."""
    if alias in NEVER_CLOSED or chance.random() < _AT_NIGHT.get(alias, 0.0):
        return list(ALWAYS)
    opens, closes, closed = _KINDS.get(alias) or _GROUPS.get(group) or _GROUPS["services"]
    start, end = (
        int(opens * 60 + chance.choice((-30, 0, 0, 30))),
        int(closes * 60 + chance.choice((-60, 0, 0, 60))),
    )
    if closes <= 24:
        end = min(end, 1440)
    days, span = chance.choice(tuple(closed)), _opening_span(start, end)
    return [None if day in days else span for day in range(7)]


@functools.cache
def _opening_span(start: int, end: int) -> Span:
    """Opening hours; many businesses have the same."""
    return (start, end)


def fair_price(alias: str, group: str, price: int) -> int:
    """A price level, but none of fine dining where one eats in passing."""
    return min(price, _DEAREST.get(alias, _DEAREST_OF.get(group, 3)))


def is_open(week: Sequence[Span | None], weekday: int, minute: int) -> bool:
    """Whether a business is open at a minute of a day, or still open from the evening before."""
    today, before = week[weekday], week[weekday - 1]
    return (today is not None and today[0] <= minute < today[1]) or (
        before is not None and minute < before[1] - 1440
    )
