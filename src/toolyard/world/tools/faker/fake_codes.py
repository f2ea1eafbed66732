"""Post codes that begin as those of a city do."""

import re

from toolyard.world.kernel.tables import table_texts
from toolyard.world.reference.places.geography import City
from toolyard.world.reference.places.post_codes import post_code

_BEGINNINGS = table_texts("fake_codes.beginnings")
# The areas of the British codes, letters before the first digit.
_AREAS = table_texts("fake_codes.areas")


def city_postcode(city: City, drawn: str) -> str:
    """A post code that begins as those of a city do; the drawn one where that is not known."""
    if city["country_code"] == "GB":
        area = _AREAS.get(city["name"])
        return re.sub(r"^[A-Z]+(\d+)[A-Z]?", rf"{area}\1", drawn) if area else drawn
    digits = int("".join(sign for sign in drawn if sign.isdigit()) or 0)
    own = _BEGINNINGS.get(city["name"], "")
    return post_code(city, digits) or own + drawn[len(own) :]
