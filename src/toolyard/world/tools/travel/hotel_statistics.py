"""Travel/Hotels_Statistical_Data: the lists behind hotels: countries, cities, amenities, types and photos."""

from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import find
from toolyard.world.kernel.types import (
    CityName,
    CountryCode,
    CountryName,
    Latitude,
    Longitude,
    Page,
    Range,
    Semantic,
    StreetAddress,
    Unit,
    Url,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.places.gazetteer import cities_in_country
from toolyard.world.reference.places.geography import (
    capital_city,
    countries,
    find_city,
    find_country,
    large_countries,
)
from toolyard.world.simulated.travel.network import CityCode, city_code, city_of_code, own_code
from toolyard.world.simulated.travel.rooms import (
    AMENITIES,
    LODGINGS,
    ROOM_TYPES,
    HotelId,
    HotelName,
    LocationId,
    city_of_location,
    find_hotel,
    hotels,
    location_id,
)

GROUP = Group("Travel/Hotels_Statistical_Data")
PhotoId = Annotated[int, Semantic("hotel_photo_id")]
AmenityName = Annotated[str, Semantic("hotel_amenity")]


class CountryRow(TypedDict):
    id: int
    code: CountryCode
    name: CountryName
    locations: int


class LocationRow(TypedDict):
    id: LocationId
    name: CityName
    country_code: CountryCode
    iata: CityCode | None
    latitude: Latitude
    longitude: Longitude


class Amenity(TypedDict):
    id: int
    name: AmenityName
    group: Literal["room", "hotel"]
    hotels_with_it: int


class HotelRow(TypedDict):
    id: HotelId
    name: HotelName
    stars: int
    address: StreetAddress
    rating: float
    type: str
    photo_count: int
    centre_km: Annotated[float, Unit("km")]


class RoomType(TypedDict):
    id: int
    room_type: str
    sleeps: int


class HotelType(TypedDict):
    id: int
    hotel_type: str


class Photos(TypedDict):
    hotelId: HotelId
    photos: list[PhotoId]


class CityPhoto(TypedDict):
    city: CityName
    url: Url
    width: Annotated[int, Unit("px")]
    height: Annotated[int, Unit("px")]


HOTEL = View.of(
    HotelRow,
    type=lambda hotel: hotel.lodging.replace("_", " ").capitalize(),
    photo_count=lambda hotel: len(hotel.photos),
)
LOCATION = View.of(LocationRow, id=location_id, iata=own_code)
_IN_ROOMS = frozenset("BALCONY_OR_TERRACE KITCHEN_KITCHENETTE WASHER_DRYER AIR_CONDITIONING CRIB".split())


@GROUP.tool(
    examples=[{"query": "San Marino"}, {"query": "IT", "key": "code"}],
    phrase=(
        "look up in the hotel statistics the country number and the count of places with hotels of {query}[, "
        "searching by {key}]"
    ),
    noun="the country hotel statistics",
    jobs=("facts of a country",),
    not_credentials=("key",),
)
def search_country(
    *,
    query: Annotated[str, Semantic("country", accepts=("country_code",))],
    key: Literal["name", "code"] = "name",
) -> CountryRow:
    """Number and code of a country, and how many towns with hotels it has: all of 5,000 people or more.

    query: Name or two-letter code of the country.
    key: Whether the query is a name or a code.
    """
    if key == "code" and len(query.strip()) != 2:
        raise invalid("query", query[:40], "want a two-letter code such as SM, or key=name")
    row = find_country(query)
    number = [country["code"] for country in countries()].index(row["code"]) + 1
    places = cities_in_country(row["code"])
    return {"id": number, "code": row["code"], "name": row["name"], "locations": len(places)}


@GROUP.tool(
    examples=[{"name": "Paris"}],
    phrase="look up in the hotel statistics the location number, IATA code and position of {name}",
    noun="the hotel location record",
    jobs=("find a city",),
    described_as="Gives hotel location number, IATA code and position of a city.",
)
def search_location(*, name: CityName) -> LocationRow:
    """Number, IATA code and position of a city, as list_hotels and city_photo need them.

    name: Name of the city.
    """
    return LOCATION.row(find_city(name))


def _amenity_name(code: str) -> str:
    return code.replace("_", " ").capitalize()


@GROUP.tool(
    phrase="list the names of all hotel amenities",
    noun="the list of hotel amenities",
)
def list_amenities() -> list[AmenityName]:
    """The names of all amenities that hotels are described with."""
    return [_amenity_name(code) for code in AMENITIES]


@GROUP.tool(
    examples=[{"name": "Pool"}],
    phrase="look up the number, group and hotel count of the hotel amenity named {name}",
    noun="the amenity statistics",
)
def search_amenity(world: World, *, name: AmenityName) -> Amenity:
    """Number and group of an amenity, and how many hotels in the capitals of the 20 most populous countries have it.

    name: Name of the amenity, from list_amenities.
    """
    rows = [
        {"number": number, "name": _amenity_name(code), "code": code}
        for number, code in enumerate(AMENITIES, 1)
    ]
    wanted = name.replace("_", " ")
    row = find(rows, wanted, "name", "amenity", listed_by="Travel/Hotels_Statistical_Data/list_amenities")
    largest = sorted(large_countries(), key=lambda country: -country["population"])[:20]
    houses = (house for country in largest for house in hotels(world.seed, capital_city(country)["id"]))
    return {
        "id": int(str(row["number"])),
        "name": str(row["name"]),
        "group": "room" if row["code"] in _IN_ROOMS else "hotel",
        "hotels_with_it": sum(row["code"] in house.amenities for house in houses),
    }


@GROUP.tool(
    examples=[{"locationId": 12033}],
    phrase=(
        "list the hotels with class, rating and distance from the centre of the city whose location number "
        "is {locationId}[, showing {page_size} hotels per page][, on page {page}]"
    ),
    noun="the hotel list of the city",
    jobs=("hotels",),
)
def list_hotels(
    world: World,
    *,
    locationId: LocationId,
    page: Annotated[int, Range(0, 1000)] = 0,
    page_size: Annotated[int, Range(1, 20)] = 5,
) -> Page[HotelRow]:
    """Hotels of a city with class, rating, kind and distance to the centre.

    locationId: Number of the city, from search_location.
    page: Number of the page, from 0.
    page_size: Hotels per page.
    """
    return HOTEL.page(hotels(world.seed, city_of_location(locationId)["id"]), page * page_size, page_size)


@GROUP.tool(
    phrase="list all the types of hotel rooms with how many guests each takes",
    noun="the list of room types",
)
def list_room_types() -> list[RoomType]:
    """All types of rooms and how many guests each takes."""
    return [{"id": n, "room_type": row[0], "sleeps": row[1]} for n, row in enumerate(ROOM_TYPES, 1)]


@GROUP.tool(
    phrase="list all the kinds of hotel lodging",
    noun="the list of hotel types",
)
def list_hotel_types() -> list[HotelType]:
    """All kinds of lodging."""
    return [
        {"id": n, "hotel_type": code.replace("_", " ").capitalize()} for n, code in enumerate(LODGINGS, 1)
    ]


@GROUP.tool(
    examples=[{"id": [1003300, 1003301]}],
    phrase="list the photo numbers of the hotels identified by {id}",
    noun="the hotel photo numbers",
)
def hotel_photos(world: World, *, id_: Annotated[list[HotelId], Range(1, 20)]) -> list[Photos]:
    """The numbers of the photos of hotels.

    id: Numbers of hotels, from list_hotels.
    """
    return [{"hotelId": number, "photos": list(find_hotel(world.seed, number).photos)} for number in id_]


@GROUP.tool(
    examples=[{"city_iata": "PAR"}],
    phrase=(
        "find the address of a photo of the city whose IATA code is {city_iata}[, with a width and height in "
        "pixels of {photo_size}]"
    ),
    noun="the city photo",
)
def city_photo(
    *,
    city_iata: Annotated[str, Semantic("city_code", r"[A-Za-z]{3}", accepts=("airport_code",))],
    photo_size: Annotated[list[Annotated[int, Range(50, 4000)]], Range(2, 2)] | None = None,
) -> CityPhoto:
    """Where a photo of a city can be fetched.

    city_iata: IATA code of the city.
    photo_size: [width, height] in pixels; 960 by 720 if left out.
    """
    city = city_of_code(city_iata)
    width, height = photo_size or (960, 720)
    code = city_code(city)
    return {
        "city": city["name"],
        "url": f"https://photos.example/cities/{width}x{height}/{code}.jpg",
        "width": width,
        "height": height,
    }
