"""Travel/Hotels_Data: hotels by place, cached prices, and selections."""

import re
from datetime import date, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import ToolFault, invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, plain
from toolyard.world.kernel.types import (
    CityName,
    Coordinates,
    CountryName,
    CurrencyCode,
    IpAddress,
    Range,
    Semantic,
    StreetAddress,
    Within,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import add_days, parse_date
from toolyard.world.reference.places.gazetteer import around
from toolyard.world.reference.places.geography import (
    City,
    airport_city,
    capital_city,
    find_airport,
    find_country,
)
from toolyard.world.reference.places.places import is_address
from toolyard.world.simulated.travel.destinations import city_meant
from toolyard.world.simulated.travel.flights import TravelDate, currency_per_dollar, dollars_to_currency
from toolyard.world.simulated.travel.hotel_search import search_places
from toolyard.world.simulated.travel.network import CityCode, city_of_code, own_code
from toolyard.world.simulated.travel.rooms import (
    Hotel,
    HotelId,
    HotelName,
    LocationId,
    city_of_location,
    count_beds,
    hotels,
    house_count,
    location_id,
    stay_nights,
    stay_price_usd,
)

GROUP = Group("Travel/Hotels_Data")
Day = Annotated[str, Semantic("travel_day", r"\d{4}-\d{2}-\d{2}", accepts=("travel_date", "forecast_date"))]
# A departure depends on the arrival, so a day from elsewhere cannot stand in for it.
CheckOut = Annotated[str, Semantic("return_day", r"\d{4}-\d{2}-\d{2}")]
HotelPlace = Annotated[str, Semantic("city", accepts=("city_code", "airport_code", "country"))]
HotelSearch = Annotated[
    str, Semantic("hotel_search", accepts=("city", "country", "coordinates", "hotel_name"))
]
_POINT = re.compile(r"\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*")
_NEAR_KM = 25.0
_COLLECTIONS = {"popularity": "Most booked", "luxury": "Five stars", "distance": "Near the centre",
                "price": "Lowest prices", "rating": "Best rated", "pool": "With a pool"}  # fmt: skip


class FoundCity(TypedDict):
    id: LocationId
    name: CityName
    country: CountryName
    iata: CityCode | None
    hotel_count: int
    location: Coordinates


class FoundHotel(TypedDict):
    id: HotelId
    name: HotelName
    address: StreetAddress
    locationId: LocationId
    location: Coordinates
    guest_rating: float


class Found(TypedDict):
    locations: list[FoundCity]
    hotels: list[FoundHotel]


class CachedPrice(TypedDict):
    hotelId: HotelId
    hotelName: HotelName
    stars: int
    city: CityName
    checkIn: TravelDate
    checkOut: TravelDate
    priceFrom: float
    priceAvg: float
    currency: CurrencyCode


class Collection(TypedDict):
    collection: str
    title: str
    hotels: list[HotelId]
    discount_percent: int


FOUND_CITY = View.of(
    FoundCity,
    id=location_id,
    iata=own_code,
    hotel_count=house_count,
    location=lambda city: f"{city['latitude']},{city['longitude']}",
)
FOUND_HOTEL = View.of(
    FoundHotel,
    locationId=lambda hotel: location_id(hotel.place),
    location=lambda hotel: f"{hotel.latitude},{hotel.longitude}",
    guest_rating="rating",
)


def _hotels_around(seed: int, latitude: float, longitude: float) -> list[tuple[City, Hotel | None]]:
    """The cities near a point, the largest first, and the hotels of that one by distance."""
    near = sorted(around(latitude, longitude, 40, _NEAR_KM), key=lambda city: -city["population"])[:10]
    own = [(city, hotel) for city in near[:1] for hotel in hotels(seed, city["id"])]
    own.sort(key=lambda row: kilometres(latitude, longitude, row[1].latitude, row[1].longitude))
    return [*((city, None) for city in near), *own]


@GROUP.tool(
    examples=[{"query": "Moscow", "lookFor": "both"}, {"query": "48.8566,2.3522", "limit": 4}],
    phrase=(
        "search for cities and hotels with addresses that match or lie near {query}[, with the kind of "
        "result set to {lookFor}][, listing at most {limit} of each]"
    ),
    noun="the matching cities and hotels",
    jobs=("find a city", "hotels"),
)
def search_city_hotels(
    world: World,
    *,
    query: HotelSearch,
    lookFor: Literal["city", "hotel", "both"] = "both",
    limit: Annotated[int, Range(1, 10)] = 10,
) -> Found:
    """Cities and hotels that fit a text or lie near a point.

    query: Name of a city, country or hotel, or "latitude,longitude".
    lookFor: Whether to list cities, hotels or both.
    limit: How many of each to list.
    """
    point = _POINT.fullmatch(query)
    if point and (abs(float(point[1])) > 90 or abs(float(point[2])) > 180):
        raise invalid("query", query[:40], "latitude within 90, longitude within 180 degrees")
    near = _hotels_around(world.seed, float(point[1]), float(point[2])) if point else None
    rows = near or search_places(world.seed, query)
    if not rows and not point:
        raise not_found("city, country or hotel", query[:60], such_as=("Moscow", "Paris", "Portugal"))
    places = [city for city, hotel in rows if hotel is None and lookFor != "hotel"]
    houses = [hotel for _, hotel in rows if hotel is not None and lookFor != "city"]
    return {"locations": FOUND_CITY.rows(places[:limit]), "hotels": FOUND_HOTEL.rows(houses[:limit])}


def _find_city(location: str) -> City:
    """The city of a name, city code, airport code or (its capital) country."""
    ways = (city_meant, city_of_code, lambda text: airport_city(find_airport(text)))
    # PAR is Paris and not the village of Par.
    for way in (city_of_code, *ways) if re.fullmatch("[A-Z]{3}", location.strip()) else ways:
        try:
            return way(location)
        except ToolFault:
            continue
    try:
        return capital_city(find_country(location))
    except ToolFault:
        raise not_found("location", location[:60], such_as=("Moscow", "Paris", "LON", "NYC")) from None


@GROUP.tool(
    examples=[
        {"location": "Moscow", "checkIn": "2024-06-10"},
        {"location": "Moscow", "checkIn": "2024-06-10", "checkOut": "2024-06-13", "currency": "usd"},
        {"location": "ROM", "hotel": "Grand Hotel Rome"},
    ],
    phrase=(
        "show the lowest and average hotel prices for a stay in {location}[, at the hotel named {hotel}][, "
        "checking in on {checkIn}][, checking out on {checkOut}][, for {adults} adults][, with the number of "
        "children set to {children}][, with the number of infants set to {infants}][, priced in "
        "{currency}][, listing at most {limit} hotels]"
    ),
    noun="the hotel price overview",
    jobs=("hotels",),
)
def display_hotels_prices(
    world: World,
    *,
    location: HotelPlace,
    checkIn: Day | None = None,
    checkOut: CheckOut | None = None,
    hotel: Annotated[HotelName, Within("location")] | None = None,
    adults: Annotated[int, Range(1, 8)] = 2,
    children: Annotated[int, Range(0, 6)] = 0,
    infants: Annotated[int, Range(0, 4)] = 0,
    limit: Annotated[int, Range(1, 16)] = 4,
    customerIp: IpAddress | None = None,
    currency: CurrencyCode = "RUB",
) -> list[CachedPrice]:
    """Lowest and average price of a hotel's kinds of rooms for a stay; whether rooms are left is not said.

    location: Name or IATA code of the city.
    checkIn: Day of arrival; tomorrow if left out.
    checkOut: Day of departure; three days later if left out.
    hotel: Name of one hotel of the city, or part of it.
    adults: Number of adults.
    children: Number of children from 2 to 17.
    infants: Number of children under 2, who sleep for free.
    limit: How many hotels to list, different classes first.
    customerIp: IP address of the customer.
    currency: Currency of the prices; Russian roubles (RUB) if left out.
    """
    city = _find_city(location)
    if customerIp is not None and not is_address(customerIp.strip()):
        raise invalid("customerIp", customerIp[:40], "want an IPv4 or IPv6 address such as 8.8.8.8")
    first = parse_date(checkIn, "checkIn") if checkIn else world.today + timedelta(days=1)
    last = parse_date(checkOut, "checkOut") if checkOut else add_days(first, 3)
    dates = stay_nights(world, first, last, "checkIn")
    found = [row for row in hotels(world.seed, city["id"]) if plain(hotel or "") in plain(row.name)]
    if not found:
        raise not_found(
            f"hotel in {city['name']}", hotel, known=[row.name for row in hotels(world.seed, city["id"])]
        )
    return [
        _cached_price(world, row, dates, (adults, children), currency) for row in _mix_classes(found)[:limit]
    ]


def _mix_classes(found: list[Hotel]) -> list[Hotel]:
    """The first hotel of each class, highest class first, then the second ones and so on."""
    classes = [hotel.stars for hotel in found]
    ranks = {hotel.id: classes[:place].count(hotel.stars) for place, hotel in enumerate(found)}
    return sorted(found, key=lambda hotel: (ranks[hotel.id], -hotel.stars))


def _cached_price(
    world: World, hotel: Hotel, dates: list[date], party: tuple[int, int], currency: str
) -> CachedPrice:
    """What a party of adults and children pays: two adults share a room, and up to two children sleep with them."""
    (adults, children), per_usd = party, currency_per_dollar(currency)
    guests = adults + children
    rooms = max(-(-adults // 2), -(-guests // 4))
    prices = [
        stay_price_usd(world.seed, hotel, room, dates) * (guests if count_beds(room, 2) > 1 else rooms)
        for room in hotel.rooms
    ]
    return {
        "hotelId": hotel.id,
        "hotelName": hotel.name,
        "stars": hotel.stars,
        "city": hotel.place["name"],
        "checkIn": dates[0].isoformat(),
        "checkOut": (dates[-1] + timedelta(days=1)).isoformat(),
        "priceFrom": dollars_to_currency(min(prices), per_usd),
        "priceAvg": dollars_to_currency(sum_in_order(prices) / len(prices), per_usd),
        "currency": currency.strip().upper(),
    }


@GROUP.tool(
    examples=[{"id": 12033}],
    phrase="show the ready-made hotel selections with discounts for the city whose location number is {id}",
    noun="the hotel selections",
    jobs=("hotels",),
)
def hotel_collection(world: World, *, id_: LocationId) -> list[Collection]:
    """Ready-made selections of a city's hotels (best rated, lowest prices ...) with a discount on each.

    id: Number of the city, from search_city_hotels.
    """
    own = hotels(world.seed, city_of_location(id_)["id"])
    orders = {
        "popularity": sorted(own, key=lambda h: -h.reviews),
        "luxury": [h for h in own if h.stars == 5],
        "distance": sorted(own, key=lambda h: h.centre_km),
        "price": sorted(own, key=lambda h: h.base_usd),
        "rating": sorted(own, key=lambda h: -h.rating),
        "pool": [h for h in own if "POOL" in h.amenities],
    }
    discounts = seeds.stream(world.seed, "discounts", id_).sample(range(5, 45, 5), len(orders))
    return [
        {
            "collection": name,
            "title": _COLLECTIONS[name],
            "hotels": [hotel.id for hotel in rows[:5]],
            "discount_percent": discount,
        }
        for (name, rows), discount in zip(orders.items(), discounts, strict=True)
        if rows
    ]
