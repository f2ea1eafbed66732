"""Hotels of every city, their rooms, and what a night costs and how many rooms are left on a day.

Names, places and classes are the same in every world; ratings, amenities, prices and free rooms are drawn from the seed.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Annotated

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import ToolFault, invalid, not_found, out_of_range
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, read_table, values_of
from toolyard.world.kernel.types import Semantic
from toolyard.world.reference.places.gazetteer import city_by_number, city_number, count_cities
from toolyard.world.reference.places.geography import City, cities, find_city

HotelId = Annotated[int, Semantic("hotel_id")]
HotelName = Annotated[str, Semantic("hotel_name")]
LocationId = Annotated[int, Semantic("hotel_location_id")]
RegionId = Annotated[int, Semantic("hotel_region_id")]
# Name, guests, bedrooms and share of the usual price.
ROOM_TYPES = (("Studio", 2, 0, 0.9), ("Standard Double", 2, 1, 1.0), ("Standard Twin", 2, 1, 1.0),
              ("Superior Double", 3, 1, 1.25), ("Family Room", 4, 2, 1.5), ("Junior Suite", 3, 1, 1.8),
              ("Suite", 4, 2, 2.4), ("Dormitory Bed", 1, 0, 0.35))  # fmt: skip
ACCESSIBILITY = ("SIGN_LANGUAGE_INTERPRETER", "STAIR_FREE_PATH", "SERVICE_ANIMAL", "IN_ROOM_ACCESSIBLE",
                 "ROLL_IN_SHOWER", "ACCESSIBLE_BATHROOM", "ELEVATOR", "ACCESSIBLE_PARKING")  # fmt: skip
LODGINGS = ("HOTEL_RESORT", "PENSION", "VILLA", "CONDO", "CONDO_RESORT", "TOWNHOUSE", "HOLIDAY_PARK", "AGRITOURISM",
            "HOSTEL")  # fmt: skip
MEALS = ("FREE_BREAKFAST", "HALF_BOARD", "FULL_BOARD", "ALL_INCLUSIVE")
# Share of the houses of one to five stars that have an amenity.
AMENITIES: Mapping[str, tuple[float, float, float, float, float]] = values_of("rooms.amenities")
# What guests ask for: the first house of a town has all of it.
_ASKED_FOR = frozenset("POOL GYM PARKING PETS SPA_ON_SITE CRIB RESTAURANT_IN_HOTEL AIR_CONDITIONING".split())
# The houses of a town by their place among them: kind of name, stars, lodging, types of rooms.
_HOUSES: tuple[tuple[str, int, str, tuple[int, ...]], ...] = tuple(values_of("rooms.houses").values())
# Dollars a night for one to five stars in a middling town.
_BY_STARS = (58.0, 75.0, 110.0, 165.0, 330.0)
_SEASONS = {7: 1.3, 8: 1.3, 12: 1.3, 1: 0.85, 2: 0.85, 11: 0.85}
# What an old number of a hotel is less than the present one, and the range of old numbers.
_LEGACY, _OLD_NUMBERS = 123456, range(100_000, 1_000_000)
# So many cities are numbered together; what the tables add has numbers of its own above.
_KNOWN_CITIES = 1000
_NAMESAKE_KM, _LONGEST_STAY, _BOOKABLE = 40, 28, 500


@dataclass(frozen=True, slots=True)
class Hotel:
    """A hotel; `legacy_id` is its number in old links, `base_usd` the price of a standard room on a plain day."""

    id: int
    legacy_id: str
    name: str
    place: City
    area: str | None
    region_id: int
    latitude: float
    longitude: float
    stars: int
    lodging: str
    rooms: tuple[int, ...]
    rating: float
    reviews: int
    amenities: tuple[str, ...]
    accessibility: frozenset[str]
    traveler_types: frozenset[str]
    meal: str | None
    free_cancellation: bool
    pay_later: bool
    photos: tuple[int, ...]
    base_usd: float

    @property
    def address(self) -> str:
        """The quarter and the town, or the town and its country."""
        place = self.place
        return f"{self.area}, {place['name']}" if self.area else f"{place['name']}, {place['country']}"

    @property
    def centre_km(self) -> float:
        """How far it is to the middle of the town."""
        return kilometres(self.latitude, self.longitude, self.place["latitude"], self.place["longitude"])


def location_id(city: City) -> int:
    """The number of a city in the hotel services."""
    number = city_number(city["id"])
    # Numbers of regions begin at 600,000 and those of hotels at 1,000,000.
    return 12000 + number if number < _KNOWN_CITIES else 50_000_000 + number


def city_of_location(number: int) -> City:
    """The city with a location number; a not_found fault otherwise."""
    first = 12000 <= number < 12000 + _KNOWN_CITIES
    city = city_by_number(number - 12000) if first else city_by_number(number - 50_000_000)
    if city is None:
        known = [location_id(find_city(name)) for name in ("Paris", "London", "Moscow")]
        raise not_found("location with id", number, known=known, count=count_cities())
    return city


def region_id(city: City, area: int = 0) -> int:
    """The number of a region: a city (area 0) or one of its three quarters (1 to 3)."""
    number = city_number(city["id"])
    return (600000 if number < _KNOWN_CITIES else 60_000_000) + 10 * number + area


def city_of_region(number: int) -> tuple[City, int]:
    """The city and quarter of a region number; a not_found fault otherwise."""
    position, area = divmod(number - (600000 if number < 60_000_000 else 60_000_000), 10)
    city = city_by_number(position)
    if city is None or area > len(city_quarters(city)):
        known = [region_id(find_city(name)) for name in ("Paris", "London", "Seattle")]
        raise not_found("region with id", number, known=known, count=count_cities())
    return city, area


@functools.cache
def _quarter_rows() -> Mapping[str, tuple[tuple[str, float, float], ...]]:
    """City -> the name and the middle of its quarters."""
    found = {}
    for row in read_table("hotel_quarters.tsv"):
        points = (point.split(",") for point in row["points"].split(";"))
        named = zip(row["quarters"].split(";"), points, strict=True)
        found[row["city"]] = tuple((name, float(north), float(east)) for name, (north, east) in named)
    return found


def city_quarters(city: City) -> Sequence[tuple[str, float, float]]:
    """The name and the middle of the quarters of a city with hotels; none where it is not known for any."""
    found = _quarter_rows().get(city["name"], ())
    near = found and kilometres(*found[0][1:], city["latitude"], city["longitude"]) < _NAMESAKE_KM
    return found if near else ()


@functools.cache
def _name_parts() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(Country, kind of house) -> what such houses are called there; the country is "others" for all the rest."""
    return {
        (code, row["kind"]): tuple(row["names"].split(";"))
        for row in read_table("hotel_names.tsv")
        for code in row["countries"].split()
    }


@functools.lru_cache(maxsize=4096)
def _shuffled_names(city_id: str, country: str, kind: str) -> Sequence[str]:
    """The names of a kind in the order in which a city takes them."""
    names = list(_name_parts().get((country, kind)) or _name_parts()["others", kind])
    seeds.stream("hotel names", city_id, kind).shuffle(names)
    return names


def hotel_name(city: City, place: int) -> str:
    """The name of the house at a place among the hotels of a city."""
    kinds = [kind for kind, *_ in _HOUSES[: place + 1]]
    own = _shuffled_names(city["id"], city["country_code"], kinds[-1])
    pattern, town = own[(kinds.count(kinds[-1]) - 1) % len(own)], city["name"].split(" / ")[0]
    return pattern.replace("{}", town.removeprefix("The ") if pattern.startswith("The ") else town)


def house_count(city: City) -> int:
    """How many hotels a city has: 5 to 16 by its size."""
    people = city["population"]
    return 5 if 0 < people < 5000 else 8 if people <= 500_000 else 12 if people <= 2_000_000 else 16


@seeds.cache_by_seed(512)
def hotels(seed: int, place_id: str) -> tuple[Hotel, ...]:
    """The hotels of a city."""
    city = find_city(place_id)
    level = seeds.stream(seed, "hotel level", place_id).uniform(0.6, 1.6)
    return tuple(_make_hotel(seed, city, number, level) for number in range(house_count(city)))


def _make_hotel(seed: int, city: City, number: int, level: float) -> Hotel:
    _, stars, lodging, rooms = _HOUSES[number]
    key = 1_000_000 + 100 * city_number(city["id"]) + number
    area, latitude, longitude = _hotel_position(city, key)
    chance = seeds.stream(seed, "hotel", key)
    has = [
        name
        for name, shares in AMENITIES.items()
        if chance.random() < shares[stars - 1] or (not number and name in _ASKED_FOR)
    ]
    return Hotel(
        id=key,
        legacy_id=f"ho{key - _LEGACY}",
        name=hotel_name(city, number),
        place=city,
        area=city_quarters(city)[area - 1][0] if area else None,
        region_id=region_id(city, area),
        latitude=latitude,
        longitude=longitude,
        stars=stars,
        lodging=lodging,
        rooms=rooms,
        rating=round(chance.uniform(5.0, 9.9), 1),
        reviews=int(10 ** chance.uniform(1.5, 3.5)),
        amenities=tuple(has),
        accessibility=frozenset(name for name in ACCESSIBILITY if chance.random() < 0.4),
        traveler_types=frozenset(name for name in ("BUSINESS", "FAMILY", "LGBT") if chance.random() < 0.5),
        meal=chance.choice((*MEALS, None)),
        free_cancellation=chance.random() < 0.6,
        pay_later=chance.random() < 0.5,
        photos=tuple(100 * key + photo for photo in sorted(chance.sample(range(100), chance.randint(3, 7)))),
        base_usd=round(_BY_STARS[stars - 1] * level * chance.uniform(0.7, 1.4), 2),
    )


def _hotel_position(city: City, key: int) -> tuple[int, float, float]:
    """The quarter of a house (0 where the city has none) and its point, the same in every world."""
    chance, own = seeds.stream("hotel place", key), city_quarters(city)
    area = 1 + chance.randrange(len(own)) if own else 0
    north, east = own[area - 1][1:] if area else (city["latitude"], city["longitude"])
    return (
        area,
        round(north + chance.uniform(-0.004, 0.004), 5),
        round(east + chance.uniform(-0.004, 0.004), 5),
    )


def find_hotel(seed: int, number: int) -> Hotel:
    """The hotel with a number; a not_found fault otherwise."""
    position, row = divmod(number - 1_000_000, 100)
    city = city_by_number(position)
    if city and row < house_count(city):
        return hotels(seed, city["id"])[row]
    some = [str(hotel.id) for hotel in hotels(seed, "FR-IDF-paris")[:3]]
    raise not_found("hotel with id", number, such_as=some)


def hotel_of_legacy(seed: int, text: str) -> Hotel:
    """The hotel of a number in an old link, e.g. ho883456; a not_found fault otherwise."""
    digits = text.strip().lower().rstrip("/").rsplit("/", 1)[-1].removeprefix("ho")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 12:
        raise invalid("id", text[:40], "want ho and a number, e.g. ho883456")
    try:
        return find_hotel(seed, int(digits) + _LEGACY)
    except ToolFault:
        if int(digits) in _OLD_NUMBERS:  # a number from before two lists of houses were made one
            found = hotels(seed, cities()[int(digits) % 100]["id"])
            return replace(found[int(digits) % len(found)], legacy_id=f"ho{digits}")
        some = [hotel.legacy_id for hotel in hotels(seed, "FR-IDF-paris")[:3]]
        raise not_found("old hotel number", text[:40], such_as=some) from None


def stay_nights(world: World, first: date, last: date, parameter: str = "check_in_date") -> list[date]:
    """The nights of a stay; a fault where it is not in the coming 500 days or longer than 28 nights."""
    count, final = (last - first).days, world.today + timedelta(days=_BOOKABLE)
    if not world.today <= first < last <= final or count > _LONGEST_STAY:
        raise out_of_range(
            parameter, f"{first} to {last}", f"want 1 to 28 nights, the first on or after {world.today}"
        )
    return [first + timedelta(days=n) for n in range(count)]


def night_price_usd(seed: int, hotel: Hotel, room: int, night: date) -> float:
    """Price of a room for one night in US dollars."""
    weekend = 1.15 if night.weekday() in (4, 5) else 1.0
    luck = 0.85 + 0.3 * seeds.unit(seed, "night", hotel.id, night)
    return hotel.base_usd * ROOM_TYPES[room][3] * _SEASONS.get(night.month, 1.0) * weekend * luck


def stay_price_usd(seed: int, hotel: Hotel, room: int, dates: list[date]) -> float:
    """Price of a room for a whole stay in US dollars."""
    return round(sum_in_order(night_price_usd(seed, hotel, room, night) for night in dates), 2)


def count_beds(room: int, guests: int) -> int:
    """How many of a type of room so many guests take: a bed of a dormitory each, otherwise one."""
    return guests if ROOM_TYPES[room][0] == "Dormitory Bed" else 1


def rooms_left(seed: int, hotel: Hotel, room: int, dates: list[date]) -> int:
    """Rooms of a type that are free on every night of a stay; the first house of a town has one of each at least."""
    least = 0 if hotel.id % 100 else 1
    return max(least, min(int(9 * seeds.unit(seed, "left", hotel.id, room, night)) for night in dates))
