"""The air that people breathe: fine dust by country, ozone, and the index of both."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import values_of
from toolyard.world.kernel.types import Unit
from toolyard.world.reference.places.geography import City


class AirQuality(TypedDict):
    pm2_5: Annotated[float, Unit("µg/m³")]
    pm10: Annotated[float, Unit("µg/m³")]
    ozone: Annotated[float, Unit("µg/m³")]
    us_epa_index: int


# Fine dust of a usual day in micrograms per cubic metre where the air is bad; elsewhere it is 9.
_DUST: Mapping[str, int] = values_of("air.dust")


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
