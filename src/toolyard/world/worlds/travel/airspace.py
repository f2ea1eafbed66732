"""Where nobody flies: skies that countries have closed in May 2024, and ways round that are too long."""

from __future__ import annotations

# Closed to all civil aircraft.
_SHUT = frozenset(("UA",))
_RUSSIA = frozenset(("RU", "BY"))
# Countries that bar Russian and Belarusian aircraft, and are barred in turn.
_BARRED = frozenset(
    "AT BE BG CA CH CY CZ DE DK EE ES FI FR GB GL GR HR HU IE IS IT JP KR LI LT LU LV MC ME MK MT NL NO PL PT RO SE "
    "SG SI SK TW US AU NZ AL".split()
)


def is_shut(country: str) -> bool:
    """Whether the air space of a country is closed to all."""
    return country in _SHUT


def is_detour(flown_km: float, away_km: float) -> bool:
    """Whether a way with changes is so long that nobody would take it."""
    return flown_km > 1.9 * away_km + 800


def closed(one: str, other: str) -> bool:
    """Whether no flight goes between two countries."""
    if one in _SHUT or other in _SHUT:
        return True
    return bool({one, other} & _RUSSIA) and bool({one, other} & _BARRED)


_FAR_EAST = {"JP": 100, "KR": 100, "CN": 40, "TW": 40, "HK": 40}
_NORTH = frozenset("FI SE NO DK EE LV LT PL".split())
_OUTSIDE_EUROPE = frozenset("CA JP KR SG TW US AU NZ GL IS".split())
# From Russia nobody crosses Ukraine or the Black Sea: the way goes over the Caucasus.
_BEYOND_BLACK_SEA = {"TR": 100, "EG": 90, "IL": 90, "JO": 60, "CY": 90, "RS": 60}


def round_minutes(carrier: str, one: str, other: str) -> int:
    """How much longer a flight between two countries takes because of skies that are closed to the airline's country."""
    for start, end in ((one, other), (other, one)):
        if start in _RUSSIA:
            return _BEYOND_BLACK_SEA.get(end, 0)
        if start in _BARRED - _OUTSIDE_EUROPE and end in _FAR_EAST and carrier in _BARRED:
            return _FAR_EAST[end] + (60 if start in _NORTH else 0)
    return 0
