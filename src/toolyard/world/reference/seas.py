"""The sea at a point of the coast: its temperature on a day of the year and the range of its tides."""

from __future__ import annotations

import math
from datetime import date

# Mean tidal range in metres by sea: south, north, west, east. The first that holds a place counts, else _OPEN.
_RANGES = (
    (35, 42.6, -5.3, 3.2, 0.3), (63, 65, -25, -20, 2.7), (65, 67, -25, -12, 1.2), (62.5, 66, 4, 13, 1.8),
    (66, 72, 10, 42, 2.2), (58.5, 60, 9, 11.5, 0.3), (7, 9.1, -80.5, -78.5, 3.9), (9.2, 10, -82, -76, 0.3),
    (60.5, 61.7, -152, -148.5, 7.9), (55, 59.5, -137, -130, 3.6), (43, 46, -64, -60, 1.4), (44.5, 46, -67.5, -64, 6.5),
    (-2, 0, -50, -47, 2.6), (-3.5, -2, -45, -43.5, 4.5), (-8, 0, 38, 41, 2.5), (20, 23, 90, 93, 3.0),
    (15, 17.5, 94, 97, 4.0), (23, 27, 117, 121, 4.0), (35, 40, 117, 122, 2.5), (30, 32, 120, 123, 2.6),
    (53.3, 54, 8, 10.1, 3.0), (36, 47, 46.5, 54.5, 0.05), (38.5, 39.5, -77, -76, 0.4),
    (47, 50.5, -126, -121, 3.0), (18, 23, -161, -154, 0.5), (12, 29, 33, 44, 0.5), (23, 31, 47, 57, 1.5),
    (0, 8, 95, 105, 2.0),
    (-38, -34, 173, 176, 2.4), (-36, -33, -60, -54, 0.6), (-34, -30, 113, 117, 0.5),
    (53, 66, 9.5, 31, 0.1), (30, 46, 3, 37, 0.3), (40, 47, 27, 42, 0.1), (10, 24, -88, -60, 0.4), (18, 31, -98, -81, 0.5),
    (50.9, 51.8, -5.5, -2.3, 7.5), (48, 51.2, -5.5, 2, 4.5), (43, 59, -11, 2.2, 3.6), (51, 56, 2.2, 9.5, 2.6),
    (56, 66, 2.2, 9.5, 0.9), (36, 44, -10, -5, 2.2), (43, 46, -68, -63, 5.0), (41, 43, -72, -69.5, 2.8),
    (24, 41, -82, -71, 1.2), (32, 49, -126, -116, 1.6), (36, 38, 126, 127, 6.0), (17, 23, 68, 74, 3.2),
    (-20, -11, 122, 134, 4.2), (-40, -28, 150, 154, 1.2), (30, 46, 129, 146, 1.1),
)  # fmt: skip
_OPEN = 1.4


def tidal_range(latitude: float, longitude: float) -> float:
    """The mean tidal range in metres."""
    fits = (row[4] for row in _RANGES if row[0] <= latitude <= row[1] and row[2] <= longitude <= row[3])
    return next(fits, _OPEN)


# Mean of the year in degrees at the middle latitude, change of it per degree towards the pole, and half of the range
# between the warmest and the coldest month, by sea: south, north, west, east. The first that holds a place counts.
_SEAS = (
    (43, 46, -10, 0, 15.3, 0.4, 4.0), (26, 32, -20, -9, 20.3, 0.2, 2.0), (12, 21, -20, -15, 23.5, 0.3, 3.5),
    (-40, -20, -75, -70, 15.3, 0.35, 1.8), (5, 20, 117, 127, 28.8, 0.1, 1.2),
    (53, 66, 9.5, 31, 9.0, 0.3, 7.5), (40, 47, 27, 42, 15.5, 0.3, 8.0), (43.5, 46, 12, 15, 17.0, 0.4, 7.5),
    (30, 46, -5, 37, 19.7, 0.35, 5.5), (43, 52, -11, 2, 13.5, 0.5, 3.5), (51, 58, -5, 9.5, 11.0, 0.3, 4.5),
    (58, 72, 2, 42, 8.0, 0.3, 4.0), (62, 67, -25, -12, 7.0, 0.5, 3.0), (32, 43, -12, -5, 17.5, 0.4, 2.5),
    (10, 24, -88, -60, 28.0, 0.05, 1.3), (18, 31, -98, -80, 26.0, 0.3, 4.0), (24, 35, -82, -75, 24.5, 0.5, 4.0),
    (35, 42, -77, -69, 15.0, 0.8, 9.0), (42, 50, -71.5, -52, 8.0, 0.6, 7.0), (32, 36, -122, -116, 17.0, 0.4, 2.8),
    (36, 50, -126, -121, 11.7, 0.15, 1.8), (12, 31, 32, 44, 26.5, 0.3, 3.5), (23, 31, 47, 57, 27.0, 0.4, 6.0),
    (5, 26, 66, 100, 28.3, 0.1, 1.4), (30, 41, 117, 128, 16.0, 0.5, 9.0), (20, 30, 105, 123, 24.5, 0.5, 4.5),
    (30, 36, 128, 142, 19.8, 0.5, 6.0), (36, 46, 128, 146, 14.0, 0.9, 7.5), (-20, -4, -82, -70, 19.0, 0.4, 2.5),
    (-35, -14, 8, 19, 15.5, 0.3, 2.0), (-40, -33, -60, -50, 17.0, 0.5, 5.0),
)  # fmt: skip
# The open ocean by latitude in steps of ten degrees: mean and half range.
_OCEAN = (
    (28.3, 0.8),
    (27.8, 1.2),
    (25.8, 1.8),
    (21.5, 2.8),
    (15.5, 3.2),
    (9.5, 3.0),
    (4.5, 2.5),
    (0.5, 2.5),
    (-1.0, 1.0),
)
# The sea is warmest two months after the sun is highest.
_WARMEST = {True: 230, False: 48}


def water(latitude: float, longitude: float, day: date) -> float:
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
