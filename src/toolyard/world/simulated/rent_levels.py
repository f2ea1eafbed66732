"""What homes cost from city to city."""

from collections.abc import Mapping

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import table_texts, values_of
from toolyard.world.reference.places.geography import City, find_country

# What a home costs in dear cities, against an ordinary one.
_LEVELS: Mapping[str, float] = values_of("rent_levels.levels")
# What a home costs in further cities of the United States.
_AMERICAN: Mapping[str, float] = values_of("rent_levels.american")
# What homes cost elsewhere beside a middling city of the United States.
_CONTINENTS: Mapping[str, float] = values_of("rent_levels.continents")
_DEAR: Mapping[str, float] = values_of("rent_levels.dear")


# What a home costs in a middling town of each state, against one of the whole country.
_STATES: Mapping[str, float] = values_of("rent_levels.states")
# The state or country of the dear cities, whose names smaller places bear, too: Paris is one in Texas.
_HOMES = table_texts("rent_levels.homes")
_ABROAD = table_texts("rent_levels.abroad")
# Towns beside a dear city, which are about as dear.
_BESIDE: Mapping[str, tuple[str, float]] = values_of("rent_levels.beside")


def rent_level(seed: int, city: City) -> float:
    """How dear homes are in a city, against a middling one of the United States."""
    code, name = city["country_code"], city["name"]
    own = city["region_code"] if code == "US" else code
    if code == "US":
        beside = _BESIDE.get(name)
        if beside and beside[0] == own:
            return beside[1]
        known = (
            (_AMERICAN.get(name) or _LEVELS.get(name))
            if _HOMES.get(name, own) == own and name not in _ABROAD
            else None
        )
        country = _STATES.get(own, 0.9)
    else:
        known = _LEVELS.get(name) if _ABROAD.get(name) == code else None
        country = _DEAR.get(code) or _CONTINENTS.get(find_country(code)["continent"], 0.5)
    return known or country * (0.85 + 0.25 * seeds.unit(seed, "rent level", city["id"]))
