"""Weather as a function of seed, place and hour: the same answer from every tool that looks at it."""

import math
from datetime import date, datetime, timedelta
from typing import Literal, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import values_of
from toolyard.world.reference.climates import climate_at, cold_coast, is_near_sea
from toolyard.world.reference.days import zone
from toolyard.world.reference.places.geography import City
from toolyard.world.simulated.weather.days_of_note import NotedDay, find_noted_day

# From so much wetness on it rains.
_RAIN = 0.64
# Mist needs air that hardly moves and a sun that is down or low.
_STILL, _LOW = 14.0, 0.35
Language = Literal["en", "de", "es", "fr"]
Sky = Literal[
    "sunny", "clear", "partly_cloudy", "cloudy", "mist", "light_rain", "rain", "thunderstorm", "snow"
]
# The skies from which something falls, and from how many millimetres on a day is called after them.
_WET: tuple[Sky, ...] = ("light_rain", "rain", "thunderstorm", "snow")
_MUCH = 3.0
_NOT_LIGHT = 8.0
SKY_TEXT: dict[Language, dict[str, str]] = values_of("climate.sky_text")


class Hour(TypedDict):
    """The weather during one hour, in metric units."""

    temperature_c: float
    feels_like_c: float
    humidity_percent: int
    wind_kph: float
    wind_degree: int
    pressure_mb: int
    cloud_percent: int
    rain_mm: float
    uv_index: float
    sky: Sky


def weather_at(seed: int, city: City, moment: datetime) -> Hour:
    """The weather at a place around a local time; days that are well known are as they were."""
    found, known = _simulate_hour(seed, city, moment), find_noted_day(city, moment.date())
    return _fit_to_record(found, known, moment, light=_sun_height(city, moment)) if known else found


def sky_of_day(hours: list[Hour]) -> Sky:
    """What a day is called: the sky of its early afternoon, or the rain of a day that has much of it at other hours."""
    middle, total = hours[13]["sky"], sum_in_order(hour["rain_mm"] for hour in hours)
    wet = [hour["sky"] for hour in hours if hour["sky"] in _WET]
    found = middle if middle in _WET or total < _MUCH else max(_WET, key=wet.count)
    return "rain" if found == "light_rain" and total >= _NOT_LIGHT else found


def _fit_to_record(found: Hour, known: NotedDay, moment: datetime, *, light: float) -> Hour:
    """The hour of a day of which the lowest and the highest temperature and the rain are known."""
    middle, half = (known.highest + known.lowest) / 2, (known.highest - known.lowest) / 2
    # The hours are whole ones, and the warmest of them is three in the afternoon.
    temperature = middle + half * math.cos(2 * math.pi * (moment.hour + moment.minute / 60 - 15) / 24)
    humidity = 92 if known.rain else max(12, min(found["humidity_percent"], int(85 - 1.6 * known.highest)))
    wet: Sky = "thunderstorm" if known.sky == "thunderstorm" and moment.hour % 6 < 3 else "rain"
    clear: Sky = "sunny" if light > 0 else "clear"
    return {
        **found,
        "temperature_c": round(temperature, 1),
        "feels_like_c": round(feels_like(temperature, found["wind_kph"], humidity), 1),
        "humidity_percent": humidity,
        "cloud_percent": 100 if known.rain else min(20, found["cloud_percent"]),
        "rain_mm": round(known.rain / 24, 1),
        "sky": clear if not known.rain else "snow" if known.sky == "snow" else wet,
    }


def _simulate_hour(seed: int, city: City, moment: datetime) -> Hour:
    """Weather that fits the climate of a place and the time of the year."""
    day, clock = moment.date(), moment.hour + moment.minute / 60
    wetness = _wetness_share(seed, city, day, clock)
    temperature = _air_temperature(seed, city, day, clock, wetness)
    wind = 4 + 26 * blend_noons(seed, city, "wind", day, clock)
    daily = 8 * math.cos((clock - 5) * math.pi / 12)
    moist = max(_least_moist_humidity(city) + int(55 * wetness + daily), _least_humidity(city) + int(daily))
    humidity = min(100, moist, _greatest_humidity(city, temperature))
    light = _sun_height(city, moment)
    sky = _choose_sky(wetness, temperature, seeds.unit(seed, city["id"], "sky", day, int(clock) // 3))
    if sky == "sunny" and light <= 0:
        sky = "clear"
    if sky == "mist" and (wind > _STILL or light > _LOW):
        sky = "cloudy"
    return {
        "temperature_c": round(temperature, 1),
        "feels_like_c": round(feels_like(temperature, wind, humidity), 1),
        "humidity_percent": humidity,
        "wind_kph": round(wind, 1),
        "wind_degree": int(360 * blend_noons(seed, city, "direction", day, clock)) % 360,
        "pressure_mb": _air_pressure(city, wetness, temperature),
        "cloud_percent": min(100, int(115 * wetness)),
        "rain_mm": _rain_millimetres(wetness, temperature),
        "uv_index": round(_clear_sky_uv(city) * max(0.0, light) ** 2.4 * (1 - 0.6 * wetness), 1),
        "sky": sky,
    }


def _rain_millimetres(wetness: float, temperature: float) -> float:
    """Millimetres in an hour: cold air carries a third of the water of warm air."""
    carried = min(1.0, max(0.3, 0.3 + 0.035 * (temperature - 5)))
    return max(0.1, round(6 * (wetness - 0.62) * carried, 1)) if wetness > _RAIN else 0.0


def feels_like(temperature: float, wind: float, humidity: float) -> float:
    """The temperature felt: wind chill in the cold, the heat index from 27 degrees on, the air's own in between."""
    if temperature <= 10 and wind > 4.8:
        chill = math.pow(wind, 0.16)
        return 13.12 + 0.6215 * temperature - 11.37 * chill + 0.3965 * temperature * chill
    if temperature < 27 or humidity < 20:
        return temperature
    t, r = temperature * 9 / 5 + 32, humidity
    felt = -42.379 + 2.04901523 * t + 10.14333127 * r - 0.22475541 * t * r - 6.83783e-3 * t * t
    felt += -5.481717e-2 * r * r + 1.22874e-3 * t * t * r + 8.5282e-4 * t * r * r - 1.99e-6 * t * t * r * r
    return max(temperature, (felt - 32) * 5 / 9)


def _air_pressure(city: City, wetness: float, temperature: float) -> int:
    """The pressure at the level of the sea, which hardly changes in the tropics."""
    if abs(city["latitude"]) < 20:
        return 1013 - int(8 * wetness)
    return 1023 - int(22 * wetness + max(0.0, min(15.0, 0.8 * (temperature - 15))))


def _sun_height(city: City, moment: datetime) -> float:
    """The sine of the sun's height above the horizon."""
    local = moment.replace(tzinfo=zone(city["time_zone"]))
    offset = local.utcoffset() or timedelta()
    solar = moment.hour + moment.minute / 60 - offset.total_seconds() / 3600 + city["longitude"] / 15
    tilt = math.radians(-23.44 * math.cos(2 * math.pi * (moment.timetuple().tm_yday + 10) / 365.25))
    at = math.radians(city["latitude"])
    height = math.cos(at) * math.cos(tilt) * math.cos((solar - 12) * math.pi / 12)
    return math.sin(at) * math.sin(tilt) + height


def _clear_sky_uv(city: City) -> float:
    """The ultraviolet index under a clear sky with the sun overhead; the ozone is thicker towards the poles."""
    return 12 * (1 - 0.004 * abs(city["latitude"]))


def _least_moist_humidity(city: City) -> int:
    """The humidity without clouds: low in deserts away from the sea, high where a cold current passes a dry coast."""
    point = city["latitude"], city["longitude"]
    zone = climate_at(*point).zone
    if not is_near_sea(*point):
        return 18 if zone.startswith("BW") else 35
    if zone.startswith("B"):
        return 70 if cold_coast(*point) else 50
    return 40


def _least_humidity(city: City) -> int:
    """The humidity below which the air by the seas of the tropics does not fall."""
    point = city["latitude"], city["longitude"]
    return 58 if climate_at(*point).zone.startswith("A") and is_near_sea(*point) else 0


def _greatest_humidity(city: City, temperature: float) -> int:
    """The humidity that air of this temperature can have: its dew point is bounded, lower in dry lands."""
    dry = climate_at(city["latitude"], city["longitude"]).zone.startswith("B")
    dew = 20 if dry and not is_near_sea(city["latitude"], city["longitude"]) else 25.5
    return int(100 * math.exp(17.6 * dew / (243 + dew) - 17.6 * temperature / (243 + temperature)))


def _air_temperature(seed: int, city: City, day: date, clock: float, wetness: float) -> float:
    here = climate_at(city["latitude"], city["longitude"])
    season = here.mean_temperature(day.timetuple().tm_yday)
    # The sea takes the edge off days and weeks alike.
    point = city["latitude"], city["longitude"]
    mild = 0.6 if is_near_sea(*point) else 1.0
    dry = 2.5 if here.zone.startswith("B") and mild == 1.0 else 0.0
    # Days are hot on the shores of deserts and of dry summers all the same, but where the current is cold.
    shore = (
        mild
        if cold_coast(*point)
        else {"B": 0.9, "Cs": 0.8}.get(here.zone[: 1 + (here.zone[0] == "C")], mild)
    )
    daily = max(mild, shore) * (5.5 + dry - 3.5 * wetness) * math.cos(2 * math.pi * (clock - 15) / 24)
    spread = mild * (4 if here.zone.startswith("A") else 8)
    return season + daily + spread * (blend_noons(seed, city, "warm", day, clock) - 0.5)


def _wetness_share(seed: int, city: City, day: date, clock: float) -> float:
    """A number in [0, 1) that is above 0.64, where rain begins, in the share of hours that the climate has."""
    here = climate_at(city["latitude"], city["longitude"])
    share = min(0.9, max(0.01, here.rain_share(day.timetuple().tm_yday)))
    even: float = blend_noons(seed, city, "wet", day, clock)
    return math.pow(even, math.log(_RAIN) / math.log(1 - share))


def blend_noons(seed: int, city: City, what: str, day: date, clock: float) -> float:
    """A number in [0, 1) that glides from one noon to the next."""
    first = day if clock >= 12 else day - timedelta(days=1)
    share = (clock - 12) / 24 if clock >= 12 else (clock + 12) / 24
    now, then = _noon(seed, city["id"], what, first), _noon(seed, city["id"], what, first + timedelta(days=1))
    return now + (then - now) * share


@seeds.cache_by_seed(4096)
def _noon(seed: int, place: str, what: str, day: date) -> float:
    return seeds.unit(seed, place, what, day)


def _choose_sky(wetness: float, temperature: float, chance: float) -> Sky:
    if wetness > _RAIN:
        if temperature < 1:
            return "snow"
        if temperature > 22 and chance < 0.4:
            return "thunderstorm"
        return "rain" if wetness > 0.8 else "light_rain"
    if wetness > 0.5:
        return "mist" if chance < 0.2 else "cloudy"
    return "partly_cloudy" if wetness > 0.3 else "sunny"
