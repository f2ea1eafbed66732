"""Weather as a function of seed, place and hour: the same answer from every tool that looks at it."""

from __future__ import annotations

import functools
import math
from datetime import date, datetime, timedelta
from typing import Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.reference.climates import by_the_sea, climate_of
from toolyard.world.shared.geography import City

# From so much wetness on it rains.
_RAIN = 0.64
Language = Literal["en", "de", "es", "fr"]
Sky = Literal[
    "sunny", "clear", "partly_cloudy", "cloudy", "mist", "light_rain", "rain", "thunderstorm", "snow"
]
SKY_TEXT: dict[Language, dict[str, str]] = {
    "en": {
        "sunny": "Sunny",
        "clear": "Clear",
        "partly_cloudy": "Partly cloudy",
        "cloudy": "Cloudy",
        "mist": "Mist",
        "light_rain": "Light rain",
        "rain": "Rain",
        "thunderstorm": "Thunderstorm",
        "snow": "Snow",
    },
    "de": {
        "sunny": "Sonnig",
        "clear": "Klar",
        "partly_cloudy": "Teilweise bewölkt",
        "cloudy": "Bewölkt",
        "mist": "Nebel",
        "light_rain": "Leichter Regen",
        "rain": "Regen",
        "thunderstorm": "Gewitter",
        "snow": "Schnee",
    },
    "es": {
        "sunny": "Soleado",
        "clear": "Despejado",
        "partly_cloudy": "Parcialmente nublado",
        "cloudy": "Nublado",
        "mist": "Neblina",
        "light_rain": "Lluvia ligera",
        "rain": "Lluvia",
        "thunderstorm": "Tormenta",
        "snow": "Nieve",
    },
    "fr": {
        "sunny": "Ensoleillé",
        "clear": "Clair",
        "partly_cloudy": "Partiellement nuageux",
        "cloudy": "Nuageux",
        "mist": "Brume",
        "light_rain": "Pluie légère",
        "rain": "Pluie",
        "thunderstorm": "Orage",
        "snow": "Neige",
    },
}


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


def hour(seed: int, city: City, moment: datetime) -> Hour:
    """The weather at a place around a local time."""
    day, clock = moment.date(), moment.hour + moment.minute / 60
    wetness = _wetness(seed, city, day, clock)
    temperature = _temperature(seed, city, day, clock, wetness)
    wind = 4 + 26 * _blend(seed, city, "wind", day, clock)
    humidity = 35 + int(55 * wetness + 8 * math.cos((clock - 5) * math.pi / 12))
    light = max(0.0, math.sin((clock - 6) * math.pi / 12)) * math.cos(math.radians(city["latitude"]))
    sky = _sky(wetness, temperature, seeds.unit(seed, city["id"], "sky", day, int(clock) // 3))
    if sky == "sunny" and not 6 <= clock < 20:
        sky = "clear"
    return {
        "temperature_c": round(temperature, 1),
        "feels_like_c": round(temperature - 0.08 * wind + 0.03 * (humidity - 50), 1),
        "humidity_percent": min(100, humidity),
        "wind_kph": round(wind, 1),
        "wind_degree": int(360 * _blend(seed, city, "direction", day, clock)) % 360,
        "pressure_mb": 1028 - int(30 * wetness),
        "cloud_percent": min(100, int(115 * wetness)),
        "rain_mm": round(6 * (wetness - 0.62), 1) if wetness > _RAIN else 0.0,
        "uv_index": round(11 * light * (1 - 0.6 * wetness), 1),
        "sky": sky,
    }


def _temperature(seed: int, city: City, day: date, clock: float, wetness: float) -> float:
    here = climate_of(city["latitude"], city["longitude"])
    season = here.mean_c + here.swing_c * here.warmth(day.timetuple().tm_yday)
    # The sea takes the edge off days and weeks alike.
    mild = 0.6 if by_the_sea(city["latitude"], city["longitude"]) else 1.0
    dry = 2.5 if here.zone.startswith("B") and mild == 1.0 else 0.0
    daily = mild * (5.5 + dry - 3.5 * wetness) * math.cos(2 * math.pi * (clock - 15) / 24)
    spread = mild * (4 if here.zone.startswith("A") else 8)
    return season + daily + spread * (_blend(seed, city, "warm", day, clock) - 0.5)


def _wetness(seed: int, city: City, day: date, clock: float) -> float:
    """A number in [0, 1) that is above 0.64, where rain begins, in the share of hours that the climate has."""
    here = climate_of(city["latitude"], city["longitude"])
    share = min(0.9, max(0.01, here.rain_share(day.timetuple().tm_yday)))
    even: float = _blend(seed, city, "wet", day, clock)
    return math.pow(even, math.log(_RAIN) / math.log(1 - share))


def _blend(seed: int, city: City, what: str, day: date, clock: float) -> float:
    """A number in [0, 1) that glides from one noon to the next."""
    first = day if clock >= 12 else day - timedelta(days=1)
    share = (clock - 12) / 24 if clock >= 12 else (clock + 12) / 24
    now, then = _noon(seed, city["id"], what, first), _noon(seed, city["id"], what, first + timedelta(days=1))
    return now + (then - now) * share


@functools.lru_cache(maxsize=4096)
def _noon(seed: int, place: str, what: str, day: date) -> float:
    return seeds.unit(seed, place, what, day)


def _sky(wetness: float, temperature: float, chance: float) -> Sky:
    if wetness > _RAIN:
        if temperature < 1:
            return "snow"
        if temperature > 22 and chance < 0.4:
            return "thunderstorm"
        return "rain" if wetness > 0.8 else "light_rain"
    if wetness > 0.5:
        return "mist" if chance < 0.2 else "cloudy"
    return "partly_cloudy" if wetness > 0.3 else "sunny"
