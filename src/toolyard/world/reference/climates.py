"""The climate of a point: its Köppen zone, the mean temperature and how often it rains there at a time of the year.

Temperatures and rain of a zone are typical figures; latitude, hemisphere and cold coasts change them.
"""

import functools
import itertools
import math
from collections.abc import Mapping
from typing import NamedTuple

from toolyard.world.kernel.tables import kilometres, read_table, values_of
from toolyard.world.reference.packed_tables import packed_table

ZONES = (
    "Af Am As Aw BSh BSk BWh BWk Cfa Cfb Cfc Csa Csb Csc Cwa Cwb Cwc Dfa Dfb Dfc Dfd Dsa Dsb Dsc Dsd Dwa Dwb Dwc "
    "Dwd EF ET"
).split()
# Zone -> mean of the year in degrees, half of the range between January and July, latitude that both hold for,
# share of rainy hours in summer and in winter.
TYPICAL: Mapping[str, tuple[float, float, int, float, float]] = values_of("climates.typical")
_MIDSUMMER, _MIDSUMMER_SOUTH = 200, 17
# Where the monsoon ends the hot season, rain and clouds keep autumn warm: day of the year and warmth from July on.
_BEFORE_MONSOON, _HOT_SEASON = 145, (121, 196)
_MONSOON_YEAR: tuple[tuple[int, float], ...] = tuple(values_of("climates.monsoon_year").values())
_HEAT_BEFORE_RAIN = 3.0
_MONSOON, _RAIN_BEFORE_MONSOON = 212, 0.03
# Around the Mediterranean it rains in winter.
_RAIN_BY_THE_MEDITERRANEAN = (0.03, 0.22)
_CELLS_PER_DEGREE = 4
# How many cells away the sea may be for a place to lie by it: about 55 km.
_SHORE = 2


class Climate(NamedTuple):
    """The yearly course of the weather at a point; the peak is the day of the year around which it is warmest."""

    zone: str
    mean_c: float
    swing_c: float
    peak_day: int
    rain_summer: float
    rain_winter: float
    most: float = 1.0
    late_rain: bool = False
    # What was measured month by month, where that is known: means, and days with rain.
    means: tuple[float, ...] = ()
    rain_days: tuple[float, ...] = ()

    def seasonal_warmth(self, day_of_year: int) -> float:
        """From 1 in the middle of summer to -1 in the middle of winter; no more than `most`."""
        if self.peak_day == _BEFORE_MONSOON and not _HOT_SEASON[0] <= day_of_year <= _HOT_SEASON[1]:
            return min(self.most, _monsoon_cooling(day_of_year))
        return min(self.most, math.cos(2 * math.pi * (day_of_year - self.peak_day) / 365.25))

    def mean_temperature(self, day_of_year: int) -> float:
        """The mean temperature at a time of the year."""
        if self.means:
            return _interpolate_months(self.means, day_of_year)
        return self.mean_c + self.swing_c * self.seasonal_warmth(day_of_year)

    def rain_share(self, day_of_year: int) -> float:
        """The share of rainy hours at a time of the year."""
        if self.rain_days:
            return _interpolate_months(self.rain_days, day_of_year) * _HOURS_OF_A_RAINY_DAY
        middle = _MIDSUMMER if self.peak_day > 100 else _MIDSUMMER_SOUTH
        summer = (1 + math.cos(2 * math.pi * (day_of_year - middle) / 365.25)) / 2
        if self.late_rain:
            # The rains come late and all at once.
            summer = ((1 + math.cos(2 * math.pi * (day_of_year - _MONSOON) / 365.25)) / 2) ** 2.5
        return self.rain_summer * summer + self.rain_winter * (1 - summer)


_DAYS_OF_A_MONTH = 30.44
# The part of a month that one day with rain makes wet.
_HOURS_OF_A_RAINY_DAY = 0.95 / 31


def _interpolate_months(values: tuple[float, ...], day_of_year: int) -> float:
    """The value of a day, on the way from the middle of a month to that of the next."""
    place, share = divmod((day_of_year - 15) / _DAYS_OF_A_MONTH, 1)
    now, then = values[int(place) % 12], values[(int(place) + 1) % 12]
    return now + (then - now) * share


def _monsoon_cooling(day_of_year: int) -> float:
    """The warmth from the rains of July to the heat of May."""
    day = day_of_year if day_of_year > _HOT_SEASON[1] else day_of_year + 365
    for (first, now), (last, then) in itertools.pairwise(_MONSOON_YEAR):
        if day <= last:
            return now + (then - now) * (day - first) / (last - first)
    return _MONSOON_YEAR[-1][1]


def _grid_cell(latitude: float, longitude: float) -> tuple[int, int]:
    row = int((90 - latitude) * _CELLS_PER_DEGREE)
    return min(719, max(0, row)), int((longitude + 180) * _CELLS_PER_DEGREE) % 1440


@functools.lru_cache(maxsize=64)
def _zone_row(number: int) -> str:
    return packed_table("climate_zones")[number][1]


def _signs_around(latitude: float, longitude: float, cells: int) -> list[str]:
    """The signs of the cells around a point, the nearest first."""
    row, column = _grid_cell(latitude, longitude)
    wide = max(cells, int(cells / max(0.1, math.cos(math.radians(latitude)))))
    steps = sorted(
        ((r, c) for r in range(-cells, cells + 1) for c in range(-wide, wide + 1)),
        key=lambda step: abs(step[0]) + abs(step[1]),
    )
    return [_zone_row(row + r)[(column + c) % 1440] for r, c in steps if 0 <= row + r < 720]


@functools.lru_cache(maxsize=4096)
def is_near_sea(latitude: float, longitude: float) -> bool:
    """Whether the sea is at most about 55 km away."""
    return any(sign == "." or sign >= "a" for sign in _signs_around(latitude, longitude, _SHORE))


@functools.lru_cache(maxsize=4096)
def is_on_coast(latitude: float, longitude: float) -> bool:
    """Whether the sea is at most about 28 km away."""
    return any(sign == "." or sign >= "a" for sign in _signs_around(latitude, longitude, 1))


def is_on_shore(latitude: float, longitude: float) -> bool:
    """Whether the quarter of a degree around a point is partly sea."""
    sign = _signs_around(latitude, longitude, 0)[0]
    return sign == "." or sign >= "a"


def climate_zone(latitude: float, longitude: float) -> str:
    """The Köppen zone of the land at a point or nearest to it; by latitude far out at sea."""
    sign = next((one for one in _signs_around(latitude, longitude, 6) if one != "."), None)
    if sign is None:
        return "Af" if abs(latitude) < 20 else "Cfb" if abs(latitude) < 60 else "ET"
    return ZONES[ord(sign) - (97 if sign >= "a" else 65)]


# How far the measured means of a city reach, and up to where they count at all.
_REACH_KM, _FARTHEST_KM = 150.0, 400.0
_JANUARY, _JULY = 15, 196


# How far around the middle of a city its months are those of the city.
_CITY_KM = 25.0


@functools.cache
def _monthly_cities() -> tuple[tuple[float, float, tuple[float, ...], tuple[float, ...]], ...]:
    """Cities whose months are known: where, the means of temperature, and the days with rain."""
    return tuple(
        (
            float(row["latitude"]),
            float(row["longitude"]),
            tuple(map(float, row["means"].split())),
            tuple(map(float, row["rain_days"].split())),
        )
        for row in read_table("city_months.tsv")
    )


@functools.cache
def _measured_cities() -> tuple[tuple[float, float, float, float], ...]:
    """Cities whose means of January and July are known: where, and by how much they are warmer than their zone."""
    rows = []
    for row in read_table("city_climates.tsv"):
        latitude, longitude = float(row["latitude"]), float(row["longitude"])
        zone = _zone_climate(latitude, longitude)
        january, july = _seasonal_means(zone)
        rows.append((latitude, longitude, float(row["january"]) - january, float(row["july"]) - july))
    return tuple(rows)


def _seasonal_means(climate: Climate) -> tuple[float, float]:
    """The means of the middle of January and of July."""
    at = (climate.mean_c + climate.swing_c * climate.seasonal_warmth(day) for day in (_JANUARY, _JULY))
    return next(at), next(at)


@functools.lru_cache(maxsize=4096)
def climate_at(latitude: float, longitude: float) -> Climate:
    """The climate of a point: that of its zone, moved by what was measured in cities around."""
    zone, sea = _zone_climate(latitude, longitude), is_near_sea(latitude, longitude)
    for north, east, means, rain_days in _monthly_cities():
        if abs(north - latitude) < 1 and kilometres(latitude, longitude, north, east) < _CITY_KM:
            mean, swing = sum(means) / len(means), (max(means) - min(means)) / 2
            return zone._replace(mean_c=mean, swing_c=swing, means=means, rain_days=rain_days)
    weight = january = july = 0.0
    for north, east, colder, warmer in _measured_cities():
        if abs(north - latitude) > 4 or is_near_sea(north, east) != sea:
            continue
        far = kilometres(latitude, longitude, north, east)
        if far < _FARTHEST_KM:
            share = math.exp(-((far / _REACH_KM) ** 2))
            weight, january, july = weight + share, january + share * colder, july + share * warmer
    if not weight:
        return zone
    # Far from all of them little is known, so that the zone alone counts.
    first, second = _seasonal_means(zone)
    first, second = first + january / max(weight, 0.9), second + july / max(weight, 0.9)
    low, high = zone.seasonal_warmth(_JANUARY), zone.seasonal_warmth(_JULY)
    swing = (second - first) / (high - low)
    # The heat before the rains is a few degrees above that of July, however cold the winter is.
    most = (
        min(1.0, high + _HEAT_BEFORE_RAIN / swing) if zone.peak_day == _BEFORE_MONSOON and swing > 0 else 1.0
    )
    return zone._replace(mean_c=first - swing * low, swing_c=swing, most=most)


def _zone_climate(latitude: float, longitude: float) -> Climate:
    """The climate that a point has by its zone."""
    zone = climate_zone(latitude, longitude)
    if zone[0] in "CE" and abs(latitude) < 23 and is_near_sea(latitude, longitude):
        zone = "Aw"  # the coast below the mountains that share its quarter of a degree
    mean, swing, typical, summer, winter = TYPICAL[zone]
    away = abs(latitude) - typical
    if not zone.startswith("A"):
        mean -= max(-3.0, min(6.0, 0.4 * away))
    swing *= max(0.1, min(1.3, abs(latitude) / typical)) if typical > 12 else 1.0
    if latitude < 0:
        swing *= 0.6
    if zone == "Cfb" and abs(latitude) < 28:
        mean = 16.0
    if zone == "ET" and abs(latitude) < 45:
        mean = 7.5
    if zone.startswith("BW") and cold_coast(latitude, longitude):
        mean, swing = 19.5, 3.0
    if zone == "ET" and abs(latitude) < 62 and is_near_sea(latitude, longitude):
        mean, swing = 5.5, 4.0
    peak = _MIDSUMMER if latitude >= 0 else _MIDSUMMER_SOUTH
    if _before_monsoon(zone, latitude, longitude):
        mean, peak = mean + (1.0 if zone.startswith("A") else 3.0), _BEFORE_MONSOON
    found = Climate(zone, mean, swing, peak, summer, winter)
    return _rain_in_season(found, latitude, longitude)


def _rain_in_season(found: Climate, latitude: float, longitude: float) -> Climate:
    """The climate with its rains when they come where a zone alone does not tell."""
    if found.peak_day == _BEFORE_MONSOON and -20 < longitude < 92:
        return found._replace(rain_winter=_RAIN_BEFORE_MONSOON, late_rain=True)
    if found.zone == "BSh" and latitude > 30 and -20 < longitude < 45:
        summer, winter = _RAIN_BY_THE_MEDITERRANEAN
        return found._replace(rain_summer=summer, rain_winter=winter)
    return found


def _before_monsoon(zone: str, latitude: float, longitude: float) -> bool:
    """Where it is hottest before the rains come: South Asia, the Sahel and their like."""
    if zone[0] not in "AB" and zone != "Cwa":
        return False
    return (8 < latitude < 33 and 68 < longitude < 92) or (8 < latitude < 20 and zone in ("Aw", "BSh"))


def cold_coast(latitude: float, longitude: float) -> bool:
    """The deserts of Peru, Chile and Namibia, which a cold current cools."""
    return (-30 < latitude < -4 and -82 < longitude < -70) or (-30 < latitude < -14 and 8 < longitude < 15.5)
