"""Travel/Hotels: the hotels of a region with filters, and offers for a stay."""

from datetime import date
from typing import Annotated, Literal, TypedDict, Unpack

from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, plain
from toolyard.world.kernel.types import CityName, CurrencyCode, LocaleCode, Range, StreetAddress, Unit, Within
from toolyard.world.reference.places.geography import City
from toolyard.world.simulated.travel.flights import currency_per_dollar, dollars_to_currency
from toolyard.world.simulated.travel.rooms import (
    ROOM_TYPES,
    Hotel,
    HotelId,
    HotelName,
    RegionId,
    city_of_region,
    city_quarters,
    count_beds,
    find_hotel,
    hotels,
    region_id,
    rooms_left,
    stay_nights,
    stay_price_usd,
)
from toolyard.world.tools.travel.hotel_sites import Eapid, SiteId, known_site

GROUP = Group("Travel/Hotels")
DayMonthYear = Annotated[list[int], Range(3, 3)]
Adults = Annotated[list[Annotated[int, Range(1, 8)]], Range(1, 6)]
Ages = list[list[Annotated[int, Range(0, 17)]]]
Point = Annotated[list[float], Range(2, 2)]
Sort = Literal["PRICE_RELEVANT", "REVIEW", "DISTANCE", "PRICE_LOW_TO_HIGH", "PROPERTY_CLASS", "RECOMMENDED"]
Amenity = Literal[
    "FREE_AIRPORT_TRANSPORTATION", "OCEAN_VIEW", "HOT_TUB", "PETS", "CASINO", "SPA_ON_SITE", "CRIB",
    "BALCONY_OR_TERRACE", "PARKING", "ELECTRIC_CAR", "RESTAURANT_IN_HOTEL", "KITCHEN_KITCHENETTE", "GYM", "POOL",
    "WASHER_DRYER", "WATER_PARK", "AIR_CONDITIONING", "WIFI",
]  # fmt: skip
Access = Literal["SIGN_LANGUAGE_INTERPRETER", "STAIR_FREE_PATH", "SERVICE_ANIMAL", "IN_ROOM_ACCESSIBLE",
                 "ROLL_IN_SHOWER", "ACCESSIBLE_BATHROOM", "ELEVATOR", "ACCESSIBLE_PARKING"]  # fmt: skip
Lodging = Literal[
    "VILLA", "CONDO_RESORT", "PENSION", "TOWNHOUSE", "AGRITOURISM", "HOTEL_RESORT", "HOLIDAY_PARK", "CONDO"
]
Meal = Literal["FREE_BREAKFAST", "HALF_BOARD", "FULL_BOARD", "ALL_INCLUSIVE"]


class Neighborhood(TypedDict):
    name: str
    regionId: RegionId


class Property(TypedDict):
    id: HotelId
    name: HotelName
    stars: int
    guest_rating: float
    review_count: int
    neighborhood: str | None
    distance_km: Annotated[float, Unit("km")]
    price_per_night: float
    total_price: float
    currency: CurrencyCode
    available: bool


class Properties(TypedDict):
    region: CityName
    total: int
    properties: list[Property]
    neighborhoods: list[Neighborhood]


class Offer(TypedDict):
    room: str
    sleeps: int
    bedrooms: int
    rooms_left: int
    total_price: float
    average_per_night: float
    meal_plan: str | None
    free_cancellation: bool


class Offers(TypedDict):
    propertyId: HotelId
    hotel: HotelName
    address: StreetAddress
    nights: int
    rooms_wanted: int
    currency: CurrencyCode
    offers: list[Offer]


def _parse_day(parts: list[int], parameter: str) -> date:
    try:
        return date(parts[2], parts[1], parts[0])
    except (ValueError, OverflowError):
        raise invalid(parameter, parts, "no day of the calendar; want [day, month, year]") from None


def _stay(world: World, first: list[int], last: list[int]) -> list[date]:
    """The nights between the two days."""
    return stay_nights(world, _parse_day(first, "check_in_date"), _parse_day(last, "check_out_date"))


def _guests(adults: list[int], ages: list[list[int]]) -> list[int]:
    """Guests per room; a fault where the two lists do not fit."""
    if ages and len(ages) != len(adults):
        raise invalid(
            "children_ages_list", ages, f"want one list of ages per room ({len(adults)}), or an empty list"
        )
    return [count + len(ages[room] if ages else []) for room, count in enumerate(adults)]


class Filters(TypedDict, total=False):
    """What hotels must be like.

    currency: Currency of the prices; US dollars (USD) if left out.
    eapid: Partner number of the site, from get_meta_data.
    siteId: Number of the site, from get_meta_data.
    locale: Language and country of the caller.
    resultSize: Hotels per answer.
    resultStartingIndex: How many hotels to skip.
    dest_coordinates: [latitude, longitude] that distances are measured from; the centre if left out.
    sort: Order of the hotels.
    hotelName: Part of the hotel's name.
    price: [highest, lowest] price per night.
    guestRating: Lowest rating: 35 for 7 and more, 40 for 8, 45 for 9.
    accessibility: Aids that the hotel must all have.
    travelerType: Guests that the hotel must suit.
    mealPlan: Meal plans of which it must offer one.
    poi: latitude,longitude:regionId of a sight; only hotels within 5 km of it.
    regionId: Number of a quarter of the city.
    lodging: Kinds of lodging of which it must be one.
    amenities: Amenities that it must all have.
    star: Classes of which it must be one, times ten: 30 is three stars.
    paymentType: Terms of payment that it must all offer.
    bedroomFilter: Numbers of bedrooms of which it must have a room; 0 is a studio.
    availableFilter: Leaves out hotels without a free room.
    """

    currency: CurrencyCode
    eapid: Eapid
    siteId: SiteId
    locale: LocaleCode
    resultSize: Annotated[int, Range(1, 20)]
    resultStartingIndex: Annotated[int, Range(0, 1000)]
    dest_coordinates: Point
    sort: Sort
    hotelName: HotelName
    price: Annotated[list[float], Range(2, 2)]
    guestRating: Literal[35, 40, 45]
    accessibility: list[Access]
    travelerType: list[Literal["BUSINESS", "FAMILY", "LGBT"]]
    mealPlan: list[Meal]
    poi: str
    regionId: Annotated[RegionId, Within("dest_regionId")]
    lodging: list[Lodging]
    amenities: list[Amenity]
    star: list[Literal[10, 20, 30, 40, 50]]
    paymentType: list[Literal["FREE_CANCELLATION", "PAY_LATER"]]
    bedroomFilter: list[Literal[0, 1, 2, 3, 4]]
    availableFilter: Literal["SHOW_AVAILABLE_ONLY"]


def _parse_poi(text: str) -> tuple[float, float]:
    try:
        latitude, longitude = (float(part) for part in text.split(":")[0].split(","))
    except ValueError:
        raise invalid(
            "poi", text[:60], "want latitude,longitude:regionId, e.g. 48.8584,2.2945:600010"
        ) from None
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise invalid("poi", text[:60], "want a latitude within 90 and a longitude within 180 degrees")
    return latitude, longitude


def _check_coordinates(point: list[float] | None) -> None:
    if point is not None and not (abs(point[0]) <= 90 and abs(point[1]) <= 180):
        raise invalid(
            "dest_coordinates", point, "want a latitude within 90 and a longitude within 180 degrees"
        )


def _check_filters(city: City, filters: Filters) -> None:
    """Refuses what no hotel of the city can be like."""
    known_site(
        filters.get("siteId"),
        filters.get("locale", "en_US"),
        filters.get("eapid"),
        filters.get("currency", "USD"),
    )
    _check_coordinates(filters.get("dest_coordinates"))
    high, low = filters.get("price", [float("inf"), 0.0])
    if high < low or low < 0:
        raise invalid("price", [high, low], "want [highest, lowest] price per night, e.g. [200, 50]")
    own = [region_id(city, area) for area in range(1 + len(city_quarters(city)))]
    if filters.get("regionId", own[0]) not in own:
        some = (
            f"the quarters of {city['name']} are {own[1]} to {own[-1]}"
            if own[1:]
            else "no quarters are known"
        )
        raise invalid("regionId", filters["regionId"], some)


def _suits_filters(hotel: Hotel, filters: Filters) -> bool:
    terms = {"FREE_CANCELLATION": hotel.free_cancellation, "PAY_LATER": hotel.pay_later}
    beds = {ROOM_TYPES[room][2] for room in hotel.rooms}
    point = _parse_poi(filters["poi"]) if "poi" in filters else None
    return (
        plain(filters.get("hotelName", "")) in plain(hotel.name)
        and hotel.rating >= {35: 7.0, 40: 8.0, 45: 9.0}.get(filters.get("guestRating", 0), 0.0)
        and set(filters.get("accessibility", [])) <= hotel.accessibility
        and set(filters.get("travelerType", [])) <= hotel.traveler_types
        and (not filters.get("mealPlan") or hotel.meal in filters["mealPlan"])
        and filters.get("regionId", hotel.region_id) in (hotel.region_id, hotel.region_id // 10 * 10)
        and (not filters.get("lodging") or hotel.lodging in filters["lodging"])
        and set(filters.get("amenities", [])) <= set(hotel.amenities)
        and (not filters.get("star") or hotel.stars * 10 in filters["star"])
        and all(terms[term] for term in filters.get("paymentType", []))
        and (not filters.get("bedroomFilter") or bool(set(filters["bedroomFilter"]) & beds))
        and (point is None or kilometres(*point, hotel.latitude, hotel.longitude) <= 5)
    )


def _large_enough(hotel: Hotel, party: list[int]) -> list[int]:
    """The types of rooms that hold the largest group; in a dormitory everybody has a bed."""
    return [room for room in hotel.rooms if ROOM_TYPES[room][1] >= max(party) or count_beds(room, 2) > 1]


def _rooms_needed(room: int, party: list[int]) -> int:
    """How many of a type of room a party takes."""
    return sum(count_beds(room, guests) for guests in party)


def _make_property(
    world: World, hotel: Hotel, dates: list[date], party: list[int], filters: Filters, city: City
) -> Property:
    """A hotel with the price of its cheapest rooms that hold the party, free ones first."""
    per_usd = currency_per_dollar(filters.get("currency", "USD"))
    fitting = _large_enough(hotel, party) or list(hotel.rooms[-1:])
    free = [
        room
        for room in fitting
        if rooms_left(world.seed, hotel, room, dates) // count_beds(room, max(party)) >= len(party)
    ]
    room = min(free or fitting, key=lambda kind: ROOM_TYPES[kind][3] * _rooms_needed(kind, party))
    total = stay_price_usd(world.seed, hotel, room, dates) * _rooms_needed(room, party)
    origin = filters.get("dest_coordinates", [city["latitude"], city["longitude"]])
    return {
        "id": hotel.id,
        "name": hotel.name,
        "stars": hotel.stars,
        "guest_rating": hotel.rating,
        "review_count": hotel.reviews,
        "neighborhood": hotel.area,
        "distance_km": kilometres(origin[0], origin[1], hotel.latitude, hotel.longitude),
        "price_per_night": dollars_to_currency(total / len(dates), per_usd),
        "total_price": dollars_to_currency(total, per_usd),
        "currency": filters.get("currency", "USD").strip().upper(),
        "available": bool(free),
    }


def _sort_properties(rows: list[Property], order: Sort) -> list[Property]:
    keys = {
        "REVIEW": lambda row: -row["guest_rating"],
        "DISTANCE": lambda row: row["distance_km"],
        "PRICE_LOW_TO_HIGH": lambda row: row["total_price"],
        "PROPERTY_CLASS": lambda row: -row["stars"],
        "RECOMMENDED": lambda row: -row["guest_rating"] * row["review_count"],
    }
    # Price together with what guests say: dollars per point of rating.
    return sorted(rows, key=keys.get(order, lambda row: row["total_price"] / row["guest_rating"]))


@GROUP.tool(
    examples=[
        {
            "dest_regionId": 600010, "check_in_date": [21, 6, 2024], "check_out_date": [24, 6, 2024],
            "num_adults_list": [2], "children_ages_list": [[]], "star": [40, 50], "sort": "PRICE_LOW_TO_HIGH",
        }
    ],
    phrase=(
        "list the hotels with prices for a stay in the region whose id is {dest_regionId}, checking in on "
        "{check_in_date} and checking out on {check_out_date} (day, month and year), with the adults in each "
        "room given as {num_adults_list} and the ages of the children in each room given as "
        "{children_ages_list}[, with the star class times ten set to {star}][, with names that contain "
        "{hotelName}][, with the amenities set to {amenities}][, sorted by {sort}][, priced in {currency}][, "
        "with {siteId} as the site id][, returning {resultSize} hotels]"
    ),
    noun="the list of hotels with prices for the stay",
    jobs=("hotels",),
)  # fmt: skip
def list_properties(
    world: World,
    *,
    dest_regionId: RegionId,
    check_in_date: DayMonthYear,
    check_out_date: DayMonthYear,
    num_adults_list: Adults,
    children_ages_list: Ages,
    **filters: Unpack[Filters],
) -> Properties:
    """Hotels of a region with prices for a stay, filtered, sorted and a few at a time.

    dest_regionId: Number of the region (gaiaId), from search_locations.
    check_in_date: Day of arrival as [day, month, year].
    check_out_date: Day of departure as [day, month, year].
    num_adults_list: Adults in each room, e.g. [2, 1] for two rooms.
    children_ages_list: Ages of the children in each room, e.g. [[4, 7], []]; empty where there are none.
    """
    city, area = city_of_region(dest_regionId)
    _check_filters(city, filters)
    dates, party = _stay(world, check_in_date, check_out_date), _guests(num_adults_list, children_ages_list)
    rows = [
        _make_property(world, hotel, dates, party, filters, city)
        for hotel in hotels(world.seed, city["id"])
        if area in (0, hotel.region_id % 10) and _suits_filters(hotel, filters)
    ]
    high, low = filters.get("price", [float("inf"), 0.0])
    rows = [row for row in rows if low <= row["price_per_night"] <= high]
    if "availableFilter" in filters:
        rows = [row for row in rows if row["available"]]
    start = filters.get("resultStartingIndex", 0)
    shown = _sort_properties(rows, filters.get("sort", "PRICE_RELEVANT"))[
        start : start + filters.get("resultSize", 3)
    ]
    areas: list[Neighborhood] = [
        {"name": name, "regionId": region_id(city, number)}
        for number, (name, *_) in enumerate(city_quarters(city), start=1)
    ]
    return {"region": city["name"], "total": len(rows), "properties": shown, "neighborhoods": areas}


@GROUP.tool(
    examples=[
        {
            "propertyId": 1003300, "dest_regionId": 600330, "check_in_date": [21, 6, 2024],
            "check_out_date": [24, 6, 2024], "num_adults_list": [2], "children_ages_list": [[]], "currency": "EUR",
        }
    ],
    phrase=(
        "get the room offers of the hotel whose property id is {propertyId} in the region whose id is "
        "{dest_regionId}, checking in on {check_in_date} and checking out on {check_out_date} (day, month "
        "and year), with the adults in each room given as {num_adults_list} and the ages of the children in "
        "each room given as {children_ages_list}[, priced in {currency}][, with {siteId} as the site id][, "
        "with {eapid} as the partner number][, with the locale set to {locale}]"
    ),
    noun="the room offers",
    jobs=("hotels",),
)  # fmt: skip
def get_property_offers(
    world: World,
    *,
    propertyId: Annotated[HotelId, Within("dest_regionId")],
    dest_regionId: RegionId,
    check_in_date: DayMonthYear,
    check_out_date: DayMonthYear,
    num_adults_list: Adults,
    children_ages_list: Ages,
    currency: CurrencyCode = "USD",
    eapid: Eapid | None = None,
    siteId: SiteId | None = None,
    locale: LocaleCode = "en_US",
    dest_coordinates: Point | None = None,
) -> Offers:
    """Free rooms of a hotel that hold the largest group, cheapest first, each with the price of one such room for the stay.

    propertyId: Number of the hotel, from list_properties or search_locations.
    dest_regionId: Number of the region that was searched.
    check_in_date: Day of arrival as [day, month, year].
    check_out_date: Day of departure as [day, month, year].
    num_adults_list: Adults in each room.
    children_ages_list: Ages of the children in each room; empty where there are none.
    currency: Currency of the prices; US dollars (USD) if left out.
    eapid: Partner number of the site, from get_meta_data.
    siteId: Number of the site, from get_meta_data.
    locale: Language and country of the caller.
    dest_coordinates: [latitude, longitude] of the destination.
    """
    known_site(siteId, locale, eapid, currency)
    _check_coordinates(dest_coordinates)
    hotel, per_usd, (city, _) = (
        find_hotel(world.seed, propertyId),
        currency_per_dollar(currency),
        city_of_region(dest_regionId),
    )
    if hotel.place["id"] != city["id"]:
        there = f"the hotel is in {hotel.place['name']}, whose region is {hotel.region_id // 10 * 10}"
        raise invalid("dest_regionId", dest_regionId, there)
    dates, party = _stay(world, check_in_date, check_out_date), _guests(num_adults_list, children_ages_list)
    kinds = ((room, count_beds(room, max(party))) for room in _large_enough(hotel, party))
    all_kinds = (_to_offer(world, hotel, room, dates, per_usd, taken) for room, taken in kinds)
    offers = [offer for offer in all_kinds if offer["rooms_left"] > 0]
    return {
        "propertyId": hotel.id,
        "hotel": hotel.name,
        "address": hotel.address,
        "nights": len(dates),
        "rooms_wanted": len(party),
        "currency": currency.strip().upper(),
        "offers": sorted(offers, key=lambda offer: offer["total_price"]),
    }


def _to_offer(world: World, hotel: Hotel, room: int, dates: list[date], per_usd: float, taken: int) -> Offer:
    """What a room costs, or as many beds of a dormitory as are taken together."""
    total = stay_price_usd(world.seed, hotel, room, dates) * taken
    return {
        "room": ROOM_TYPES[room][0],
        "sleeps": ROOM_TYPES[room][1] * taken,
        "bedrooms": ROOM_TYPES[room][2],
        "rooms_left": rooms_left(world.seed, hotel, room, dates) // taken,
        "total_price": dollars_to_currency(total, per_usd),
        "average_per_night": dollars_to_currency(total / len(dates), per_usd),
        "meal_plan": hotel.meal,
        "free_cancellation": hotel.free_cancellation,
    }
