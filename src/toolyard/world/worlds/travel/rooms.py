"""Hotels of every city, their rooms, and what a night costs and how many rooms are left on a day.

{"id": 1003302, "name": "Hôtel Majestic", "city": "Paris", "stars": 5, "rating": 9.1, "base_usd": 310.0, ...}
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, TypedDict

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.faults import ToolFault, invalid, not_found, out_of_range
from toolyard.world.reference.climates import on_the_coast
from toolyard.world.shared.gazetteer import city_at, number_of, size
from toolyard.world.shared.geography import City, find_city
from toolyard.world.shared.sights import famous_cities
from toolyard.world.state import World
from toolyard.world.tables import kilometres
from toolyard.world.types import (
    CityName,
    CountryCode,
    CountryName,
    Latitude,
    Longitude,
    PlaceId,
    Semantic,
    StreetAddress,
)
from toolyard.world.worlds.travel.amenities import AMENITIES, offered
from toolyard.world.worlds.travel.hotel_names import (
    hotel_name,
    quarter_of,
    quarter_point,
    quarters_of,
)

HotelId = Annotated[int, Semantic("hotel_id")]
HotelName = Annotated[str, Semantic("hotel_name")]
LocationId = Annotated[int, Semantic("hotel_location_id")]
RegionId = Annotated[int, Semantic("hotel_region_id")]
ROOM_TYPES = (("Studio", 2, 0, 0.9), ("Standard Double", 2, 1, 1.0), ("Standard Twin", 2, 1, 1.0),
              ("Superior Double", 3, 1, 1.25), ("Family Room", 4, 2, 1.5), ("Junior Suite", 3, 1, 1.8),
              ("Suite", 4, 2, 2.4), ("Dormitory Bed", 1, 0, 0.35))  # fmt: skip
ACCESSIBILITY = ("SIGN_LANGUAGE_INTERPRETER", "STAIR_FREE_PATH", "SERVICE_ANIMAL", "IN_ROOM_ACCESSIBLE",
                 "ROLL_IN_SHOWER", "ACCESSIBLE_BATHROOM", "ELEVATOR", "ACCESSIBLE_PARKING")  # fmt: skip
LODGINGS = (
    "HOTEL_RESORT",
    "PENSION",
    "VILLA",
    "CONDO",
    "CONDO_RESORT",
    "TOWNHOUSE",
    "HOLIDAY_PARK",
    "AGRITOURISM",
    "HOSTEL",
)
MEALS = ("FREE_BREAKFAST", "HALF_BOARD", "FULL_BOARD", "ALL_INCLUSIVE")
_STARS = (5, 4, 4, 3, 3, 4, 3, 5, 3, 2, 1, 2, 3, 4, 4, 3)
# No village has a house of five stars.
_VILLAGE_STARS = {0: 4, 1: 3, 7: 4}
# What the hotels that do not call themselves so are, by their place among the names.
_LODGING = {3: "PENSION", 4: "PENSION", 8: "CONDO", 10: "HOSTEL", 11: "VILLA", 12: "CONDO"}
# Flats, the hostel and the villa: guests cook for themselves.
_SELF_CATERED, _HOSTEL = (8, 10, 11, 12), 10
_LEGACY = 123456
# Old numbers of hotels have six digits.
_OLDEST, _NEWEST = 100_000, 999_999
_ASKED_FOR = (
    "POOL",
    "GYM",
    "PARKING",
    "PETS",
    "SPA_ON_SITE",
    "CRIB",
    "RESTAURANT_IN_HOTEL",
    "AIR_CONDITIONING",
)
# So many cities are numbered together; what the tables add has numbers of its own above.
_KNOWN_CITIES = 1000
_SMALL = 25_000


class Hotel(TypedDict):
    """A hotel; `legacy_id` is its number in old links, `base_usd` the price of a standard room on a plain day."""

    id: HotelId
    legacy_id: str
    name: HotelName
    city: CityName
    place_id: PlaceId
    country: CountryName
    country_code: CountryCode
    area: str | None
    region_id: RegionId
    address: StreetAddress
    latitude: Latitude
    longitude: Longitude
    centre_km: float
    stars: int
    lodging: str
    rating: float
    reviews: int
    amenities: list[str]
    accessibility: list[str]
    traveler_types: list[str]
    meals: list[str]
    free_cancellation: bool
    pay_later: bool
    rooms: list[int]
    photos: list[int]
    base_usd: float


def location_id(city: City) -> int:
    """The number of a city in the hotel services."""
    number = number_of(city["id"])
    # Numbers of regions begin at 600,000 and those of hotels at 1,000,000.
    return 12000 + number if number < _KNOWN_CITIES else 50_000_000 + number


def city_of_location(number: int) -> City:
    """The city with a location number; a not_found fault otherwise."""
    first = 12000 <= number < 12000 + _KNOWN_CITIES
    city = city_at(number - 12000) if first else city_at(number - 50_000_000)
    if city is None:
        known = [location_id(find_city(name)) for name in ("Paris", "London", "Moscow")]
        raise not_found("location with id", number, known=known, count=size())
    return city


def region_id(city: City, area: int = 0) -> int:
    """The number of a region: a city (area 0) or one of its three quarters (1 to 3)."""
    number = number_of(city["id"])
    return (600000 if number < _KNOWN_CITIES else 60_000_000) + 10 * number + area


def city_of_region(number: int) -> tuple[City, int]:
    """The city and quarter of a region number; a not_found fault otherwise."""
    position, area = divmod(number - (600000 if number < 60_000_000 else 60_000_000), 10)
    city = city_at(position)
    if city is None or area > len(quarters(city)):
        known = [region_id(find_city(name)) for name in ("Paris", "London", "Seattle")]
        raise not_found("region with id", number, known=known, count=size())
    return city, area


_DEAR = frozenset("CH NO IS LU MC BM KY BS SG HK IL".split())
_MEDIUM = frozenset("PT GR CZ HR EE LV LT SK PL HU TR MX BR CN ZA RU CL AR MY CY MT UY CR PA KZ".split())
_CHEAP = frozenset(
    "IN VN ID TH PH EG MA TN KE LK NP BD PK GE AM AZ UA RS BG RO CO PE BO EC KH LA MM MN UZ KG AL MK BA MD BY GT HN NI "
    "SV PY VE CU DO ET TZ UG GH SN CM ZM ZW NA BW MG DZ IR IQ JO LB".split()
)
_CITY_LEVELS = {
    **dict.fromkeys(("New York", "London", "Paris", "Honolulu", "Boston"), 1.7),
    **dict.fromkeys(
        ("San Francisco", "Miami", "Washington", "Los Angeles", "Venice", "Amsterdam", "Sydney"), 1.4
    ),
    **dict.fromkeys(
        ("Tokyo", "Dubai", "Copenhagen", "Dublin", "Edinburgh", "Milan", "Florence", "Munich"), 1.2
    ),
}
# Dollars a night for one to five stars.
_BY_STARS = (58.0, 75.0, 110.0, 165.0, 330.0)


def price_level(city: City) -> float:
    """What a night costs in a city against the mean of all."""
    code = city["country_code"]
    country = 1.45 if code in _DEAR else 0.62 if code in _CHEAP else 0.85 if code in _MEDIUM else 1.0
    return country * (_CITY_LEVELS.get(city["name"], 1.0) if city["population"] > 200_000 else 1.0)


@seeds.remembered(512)
def hotels(seed: int, place_id: str) -> tuple[Hotel, ...]:
    """The hotels of a city, 5 to 16 by its size."""
    city = find_city(place_id)
    return tuple(_hotel(seed, city, number) for number in range(house_count(city)))


def house_count(city: City) -> int:
    """How many hotels a city has."""
    if is_village(city):
        return 5
    return 16 if city["population"] > 2_000_000 else 12 if city["population"] > 500_000 else 8


def is_village(city: City) -> bool:
    """Whether a place is small enough that everything lies near its centre."""
    return 0 < city["population"] < 5000


def quarters(city: City) -> tuple[str, ...]:
    """The quarters of a city with hotels; none where they are not known."""
    return quarters_of(city)


def _rooms(drawn: list[int], number: int, stars: int) -> list[int]:
    """The types of rooms of a house: flats are let whole, and only flats are studios."""
    if stars == 1:
        return [1, 7]
    if number in _SELF_CATERED:
        return [0, 4, 6] if _LODGING[number] == "CONDO" else [4, 6]
    kinds = (1, 2, 3, 4) if stars < 4 else (1, 3, 5, 6)
    return sorted({kinds[0], kinds[1 + sum(drawn) % 2], kinds[3]})


def _hotel(seed: int, city: City, number: int) -> Hotel:
    chance = seeds.stream(seed, "hotel", city["id"], number)
    key = 1000000 + 100 * number_of(city["id"]) + number
    stars = _VILLAGE_STARS.get(number, _STARS[number]) if is_village(city) else _STARS[number]
    name = hotel_name(city, number)
    area = quarter_of(city, name, chance.randrange(3))
    latitude, longitude = _position(city, area, chance.random(), chance.random())
    chance.randrange(1, 300)  # keeps what is drawn after it as it was
    quarter = None if area is None else quarters(city)[area]
    return Hotel(
        id=key,
        legacy_id=f"ho{key - _LEGACY}",
        name=name,
        city=city["name"],
        place_id=city["id"],
        country=city["country"],
        country_code=city["country_code"],
        area=quarter,
        region_id=region_id(city, 0 if area is None else area + 1),
        address=f"{quarter}, {city['name']}" if quarter else f"{city['name']}, {city['country']}",
        latitude=latitude,
        longitude=longitude,
        centre_km=kilometres(latitude, longitude, city["latitude"], city["longitude"]),
        stars=stars,
        lodging=_LODGING.get(number, "HOTEL_RESORT"),
        rating=round(min(9.8, 5.6 + 0.55 * stars + 1.6 * chance.random()), 1),
        reviews=int(10 ** (1.5 + 2 * chance.random())),
        amenities=_amenities(seed, city, number, stars, [chance.random() for _ in AMENITIES[:-1]]),
        accessibility=[name for name in ACCESSIBILITY if chance.random() < 0.4],
        traveler_types=[name for name in ("BUSINESS", "FAMILY", "LGBT") if chance.random() < 0.5],
        meals=[name for name in MEALS if chance.random() < 0.35 and _served(name, number, stars)][:1],
        free_cancellation=chance.random() < 0.6,
        pay_later=chance.random() < 0.5,
        rooms=_rooms(sorted(chance.sample(range(7), 3)), number, stars),
        photos=[key * 10 + n for n in range(1, 3 + chance.randrange(5))],
        base_usd=round(_usual_price(seed, city, stars) * (0.85 + 0.3 * chance.random()), 2),
    )


def _served(meal: str, number: int, stars: int) -> bool:
    """Whether a house has such meals: guests of flats and hostels cook, and small ones have breakfast alone."""
    if number in _SELF_CATERED:
        return number == _HOSTEL and meal == MEALS[0]
    return meal == MEALS[0] or stars > 2


def _usual_price(seed: int, city: City, stars: int) -> float:
    """Dollars a night for so many stars in the city."""
    level = price_level(city) * (0.8 + 0.4 * seeds.unit(seed, "hotel level", city["id"]))
    return _BY_STARS[stars - 1] * level


def _position(city: City, area: int | None, north: float, east: float) -> tuple[float, float]:
    """A point of the quarter for two chances; where it is not known, on a coast near the centre, where the land is."""
    middle = None if area is None else quarter_point(city, area)
    if middle:
        return round(middle[0] + (north - 0.5) / 150, 5), round(middle[1] + (east - 0.5) / 150, 5)
    near = on_the_coast(city["latitude"], city["longitude"])
    small = 0 < city["population"] < _SMALL
    spread = 150 if is_village(city) else 90 if small else 45 if near else 15
    return (
        round(city["latitude"] + (north - 0.5) / spread, 5),
        round(city["longitude"] + (east - 0.5) / spread, 5),
    )


def _amenities(seed: int, city: City, number: int, stars: int, _drawn: list[float]) -> list[str]:
    """What a house offers; the chances that are drawn for it keep those of its other features in their order."""
    first = 1000000 + 100 * number_of(city["id"])
    own = offered(seed, city, first + number, stars, number in _SELF_CATERED)
    if number or is_village(city):
        return own
    # The first house of a town has what no other one there has but guests will ask for.
    others = {
        name
        for place in range(1, house_count(city))
        for name in offered(seed, city, first + place, _STARS[place], place in _SELF_CATERED)
    }
    return [*own, *(name for name in _ASKED_FOR if name not in own and name not in others)]


def find_hotel(seed: int, number: int) -> Hotel:
    """The hotel with a number; a not_found fault otherwise."""
    position, row = divmod(number - 1000000, 100)
    city = city_at(position)
    if city:
        found = hotels(seed, city["id"])
        if row < len(found):
            return found[row]
    raise not_found(
        "hotel with id", number, such_as=[str(row["id"]) for row in hotels(seed, "FR-IDF-paris")[:3]]
    )


def hotel_of_legacy(seed: int, text: str) -> Hotel:
    """The hotel of a number in an old link, e.g. ho883456; a not_found fault otherwise."""
    digits = text.strip().lower().rstrip("/").rsplit("/", 1)[-1].removeprefix("ho")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 12:
        raise invalid("id", text[:40], "want ho and a number, e.g. ho883456")
    try:
        return find_hotel(seed, int(digits) + _LEGACY)
    except ToolFault:
        if _OLDEST <= int(digits) <= _NEWEST:
            return _merged(seed, int(digits))
        some = [row["legacy_id"] for row in hotels(seed, "FR-IDF-paris")[:3]]
        raise not_found("old hotel number", text[:40], such_as=some) from None


def _merged(seed: int, number: int) -> Hotel:
    """The hotel of the well-known cities that a number led to before two lists of houses were made one."""
    places = famous_cities()
    found = hotels(seed, find_city(places[number % len(places)])["id"])
    return Hotel(**{**found[number // len(places) % len(found)], "legacy_id": f"ho{number}"})


def nights(world: World, first: date, last: date, parameter: str = "check_in_date") -> list[date]:
    """The nights of a stay; a fault where it is not in the coming 500 days or longer than 28 nights."""
    if not world.today <= first < last <= world.today + timedelta(days=500) or (last - first).days > 28:
        raise out_of_range(
            parameter, f"{first} to {last}", f"want 1 to 28 nights, the first on or after {world.today}"
        )
    return [first + timedelta(days=n) for n in range((last - first).days)]


def night_usd(seed: int, hotel: Hotel, room: int, night: date) -> float:
    """Price of a room for one night in US dollars."""
    season = 1.3 if night.month in (7, 8, 12) else 0.85 if night.month in (1, 2, 11) else 1.0
    weekend = 1.15 if night.weekday() in (4, 5) else 1.0
    luck = 0.9 + 0.25 * seeds.unit(seed, "night", hotel["id"], night)
    return hotel["base_usd"] * ROOM_TYPES[room][3] * season * weekend * luck


def stay_usd(seed: int, hotel: Hotel, room: int, dates: list[date]) -> float:
    """Price of a room for a whole stay in US dollars."""
    return round(added(night_usd(seed, hotel, room, night) for night in dates), 2)


def beds(room: int, guests: int) -> int:
    """How many of a type of room so many guests take: a bed of a dormitory each, otherwise one."""
    return guests if ROOM_TYPES[room][0] == "Dormitory Bed" else 1


def rooms_left(seed: int, hotel: Hotel, room: int, dates: list[date]) -> int:
    """Rooms of a type that are free on every night of a stay."""
    return min(int(9 * seeds.unit(seed, "left", hotel["id"], room, night)) for night in dates)
