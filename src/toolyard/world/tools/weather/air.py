"""The air that people breathe: fine dust by country, ozone, and the index of both."""

from __future__ import annotations

from typing import Annotated, TypedDict

from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import Unit
from toolyard.world.reference.places.geography import City


class AirQuality(TypedDict):
    pm2_5: Annotated[float, Unit("µg/m³")]
    pm10: Annotated[float, Unit("µg/m³")]
    ozone: Annotated[float, Unit("µg/m³")]
    us_epa_index: int


# Fine dust of a usual day in micrograms per cubic metre where the air is bad; elsewhere it is 9.
_DUST = {"IN": 50, "BD": 60, "PK": 55, "NP": 40, "CN": 32, "EG": 42, "IQ": 38, "SA": 40, "AE": 38, "KW": 42, "QA": 38,
         "BH": 40, "NG": 42, "GH": 38, "TD": 60, "ID": 32, "VN": 28, "MM": 30, "IR": 32, "AF": 45, "MN": 38, "UZ": 30,
         "TJ": 42, "KG": 28, "RW": 30, "UG": 35, "CM": 40, "MX": 19, "TH": 21, "TR": 20, "PE": 20, "CL": 18, "ZA": 22,
         "PL": 15, "BG": 17, "RS": 20, "KR": 20, "AU": 6, "NZ": 6, "FI": 5, "SE": 6, "IS": 4, "NO": 6, "EE": 5, "CA": 7,
         "PT": 8, "IE": 7}  # fmt: skip


def air_quality(world: World, city: City) -> AirQuality:
    """The air of today at a place."""
    chance = world.random("air", city["id"], world.today)
    fine = round(_DUST.get(city["country_code"], 9) * (0.6 + 0.8 * chance.random()), 1)
    return {
        "pm2_5": fine,
        "pm10": round(fine * 1.6, 1),
        "ozone": round(30 + 60 * chance.random(), 1),
        "us_epa_index": 1 + sum(fine > limit for limit in (12.0, 35.4, 55.4, 150.4, 250.4)),
    }
