"""What hotels offer their guests: by class and kind of house, by coast and by climate.

A hostel has a kitchen and no spa, a five-star house the reverse; a view of the ocean needs the shore.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolyard.world import seeds
from toolyard.world.reference.climates import climate_of, on_the_shore
from toolyard.world.shared.geography import City

AMENITIES = (
    "FREE_AIRPORT_TRANSPORTATION", "OCEAN_VIEW", "HOT_TUB", "PETS", "CASINO", "SPA_ON_SITE", "CRIB",
    "BALCONY_OR_TERRACE", "PARKING", "ELECTRIC_CAR", "RESTAURANT_IN_HOTEL", "KITCHEN_KITCHENETTE", "GYM", "POOL",
    "WASHER_DRYER", "WATER_PARK", "AIR_CONDITIONING", "WIFI",
)  # fmt: skip
# Words that guests use for an amenity.
SYNONYMS = {
    "swimming pool": "POOL", "pools": "POOL", "indoor pool": "POOL", "outdoor pool": "POOL", "wi-fi": "WIFI",
    "wi fi": "WIFI", "free wi-fi": "WIFI", "free wifi": "WIFI", "internet": "WIFI", "wireless internet": "WIFI",
    "fitness": "GYM", "fitness center": "GYM", "fitness centre": "GYM", "gymnasium": "GYM", "spa": "SPA_ON_SITE",
    "wellness": "SPA_ON_SITE", "jacuzzi": "HOT_TUB", "whirlpool": "HOT_TUB", "hot tubs": "HOT_TUB", "car park": "PARKING",
    "free parking": "PARKING", "garage": "PARKING", "restaurant": "RESTAURANT_IN_HOTEL", "kitchen": "KITCHEN_KITCHENETTE",
    "kitchenette": "KITCHEN_KITCHENETTE", "washer": "WASHER_DRYER", "laundry": "WASHER_DRYER", "dryer": "WASHER_DRYER",
    "washing machine": "WASHER_DRYER", "waterpark": "WATER_PARK", "sea view": "OCEAN_VIEW", "ac": "AIR_CONDITIONING",
    "a/c": "AIR_CONDITIONING", "air conditioner": "AIR_CONDITIONING", "air-conditioning": "AIR_CONDITIONING",
    "pet friendly": "PETS", "pets allowed": "PETS", "dogs": "PETS", "cot": "CRIB", "baby cot": "CRIB",
    "balcony": "BALCONY_OR_TERRACE", "terrace": "BALCONY_OR_TERRACE", "ev charging": "ELECTRIC_CAR",
    "electric car charging": "ELECTRIC_CAR", "charging station": "ELECTRIC_CAR", "ev charger": "ELECTRIC_CAR",
    "airport shuttle": "FREE_AIRPORT_TRANSPORTATION", "airport transfer": "FREE_AIRPORT_TRANSPORTATION",
    "shuttle": "FREE_AIRPORT_TRANSPORTATION",
}  # fmt: skip
# Share of the houses of one to five stars that have it.
_SHARES = {
    "FREE_AIRPORT_TRANSPORTATION": (0.0, 0.03, 0.08, 0.1, 0.12), "HOT_TUB": (0.0, 0.02, 0.07, 0.2, 0.45),
    "PETS": (0.2, 0.3, 0.35, 0.4, 0.45), "SPA_ON_SITE": (0.0, 0.0, 0.05, 0.3, 0.8), "CRIB": (0.05, 0.3, 0.5, 0.7, 0.85),
    "BALCONY_OR_TERRACE": (0.1, 0.15, 0.25, 0.35, 0.5), "PARKING": (0.2, 0.45, 0.5, 0.6, 0.75),
    "ELECTRIC_CAR": (0.0, 0.03, 0.1, 0.25, 0.45), "RESTAURANT_IN_HOTEL": (0.1, 0.2, 0.5, 0.85, 1.0),
    "KITCHEN_KITCHENETTE": (0.0, 0.05, 0.08, 0.05, 0.02), "GYM": (0.0, 0.05, 0.25, 0.7, 0.95),
    "POOL": (0.0, 0.04, 0.12, 0.35, 0.65), "WASHER_DRYER": (0.1, 0.12, 0.12, 0.1, 0.08),
    "AIR_CONDITIONING": (0.2, 0.5, 0.7, 0.9, 1.0),
}  # fmt: skip
# Flats, villas and hostels have what guests who look after themselves need.
_SELF_CATERED = {
    "KITCHEN_KITCHENETTE": 0.95,
    "WASHER_DRYER": 0.8,
    "RESTAURANT_IN_HOTEL": 0.05,
    "SPA_ON_SITE": 0.0,
}
_HOT_YEAR, _COOL_YEAR = 20.0, 11.0
_AMERICAN_CASINOS = frozenset(("Las Vegas", "Reno", "Atlantic City", "Biloxi", "Detroit", "New Orleans"))
_CASINOS = frozenset("US MO PH KH SG PR BS DO AW PT MT MC ZA AU NZ CA AR UY CL PA CR LK NP VN KE".split())


def _gambling(city: City) -> bool:
    american = city["country_code"] == "US" and city["name"] not in _AMERICAN_CASINOS
    return city["country_code"] in _CASINOS and not american


def _share(name: str, city: City, stars: int, self_catered: bool) -> float:
    """How many of such houses in a city have an amenity."""
    warm = climate_of(city["latitude"], city["longitude"]).mean_c
    if name == "OCEAN_VIEW":
        return 0.08 * stars if on_the_shore(city["latitude"], city["longitude"]) else 0.0
    if name == "WATER_PARK":
        return 0.06 if stars > 3 and warm > _HOT_YEAR else 0.0
    if name == "CASINO":
        sure = city["name"] in ("Las Vegas", "Macau", "Macao", "Reno")
        return (0.9 if sure else 0.1) if stars > 3 and _gambling(city) else 0.0
    if self_catered and name in _SELF_CATERED:
        return _SELF_CATERED[name]
    share = _SHARES[name][stars - 1]
    if name == "POOL" and warm > _HOT_YEAR:
        return min(1.0, share + 0.08 * stars)
    if name == "AIR_CONDITIONING":
        return 1.0 if warm > _HOT_YEAR and stars > 1 else share * (0.6 if warm < _COOL_YEAR else 1.0)
    return share


def offered(seed: int, city: City, key: int, stars: int, self_catered: bool) -> list[str]:
    """The amenities of a house: its network first, then the others in an order of its own."""

    def drawn() -> Iterator[tuple[float, str]]:
        for name in AMENITIES[:-1]:
            if seeds.unit(seed, "amenity", key, name) < _share(name, city, stars, self_catered):
                yield seeds.unit(seed, "amenity order", key, name), name

    return ["WIFI", *(name for _, name in sorted(drawn()))]
