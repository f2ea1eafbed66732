"""The sea at a point of the coast: its temperature on a day of the year and the range of its tides."""

import math
from datetime import date

from toolyard.world.kernel.tables import values_of

# Mean tidal range in metres by sea: south, north, west, east. The first that holds a place counts, else _OPEN.
_RANGES: tuple[tuple[float, float, float, float, float], ...] = tuple(values_of("seas.ranges").values())
_OPEN = 1.4


def tidal_range(latitude: float, longitude: float) -> float:
    """The mean tidal range in metres."""
    fits = (row[4] for row in _RANGES if row[0] <= latitude <= row[1] and row[2] <= longitude <= row[3])
    return next(fits, _OPEN)


# Mean of the year in degrees at the middle latitude, change of it per degree towards the pole, and half of the range
# between the warmest and the coldest month, by sea: south, north, west, east. The first that holds a place counts.
_SEAS: tuple[tuple[float, ...], ...] = tuple(values_of("seas.seas").values())
# The open ocean by latitude in steps of ten degrees: mean and half range.
_OCEAN: tuple[tuple[float, float], ...] = tuple(values_of("seas.ocean").values())
# The sea is warmest two months after the sun is highest.
_WARMEST = {True: 230, False: 48}


def sea_temperature(latitude: float, longitude: float, day: date) -> float:
    """The temperature of the sea in degrees on a day; never below its freezing point."""
    sea = next((row for row in _SEAS if row[0] <= latitude <= row[1] and row[2] <= longitude <= row[3]), None)
    if sea:
        mean = sea[4] - sea[5] * (abs(latitude) - abs(sea[0] + sea[1]) / 2)
        swing = sea[6]
    else:
        step, part = divmod(min(79.9, abs(latitude)) / 10, 1)
        low, high = _OCEAN[int(step)], _OCEAN[int(step) + 1]
        mean, swing = (low[at] + (high[at] - low[at]) * part for at in (0, 1))
    return max(
        -1.5,
        mean + swing * math.cos(2 * math.pi * (day.timetuple().tm_yday - _WARMEST[latitude >= 0]) / 365.25),
    )
