"""Travel/BMTool_Travel and Travel/Railway: what a traveller needs at a destination, and Indian trains."""

from __future__ import annotations

import functools
from datetime import timedelta
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import invalid, not_found
from toolyard.world.registry import tool
from toolyard.world.shared.days import parse_date
from toolyard.world.shared.geography import (
    City,
    airport_city,
    plain,
    read_table,
)
from toolyard.world.shared.sights import sights
from toolyard.world.state import World
from toolyard.world.tables import kilometres
from toolyard.world.types import (
    AirlineCode,
    AirportCode,
    CityName,
    ClockTime,
    IsoDateTime,
    Latitude,
    Longitude,
    Range,
    Semantic,
    SightName,
    StreetAddress,
    Unit,
)
from toolyard.world.worlds.travel.air import FlightNumber, airlines, airports_near
from toolyard.world.worlds.travel.destinations import city_meant, destination_city, named_airport, point_of
from toolyard.world.worlds.travel.fares import Fare, TravelDate, departure, fares, period, two_cities
from toolyard.world.worlds.travel.frequencies import of_the_day
from toolyard.world.worlds.travel.rooms import HotelId, HotelName, hotels, stay_usd

TRAVEL, RAIL = "Travel/BMTool_Travel", "Travel/Railway"
Destination = Annotated[
    str, Semantic("destination", accepts=("city", "airport_code", "sight", "street_address"))
]
Day = Annotated[str, Semantic("travel_day", r"\d{4}-\d{2}-\d{2}", accepts=("travel_date", "forecast_date"))]
Shown = Annotated[int, Range(1, 12)]
TrainNumber = Annotated[str, Semantic("train_number")]
Dollars = Annotated[float, Unit("USD")]
_CARS = (("Economy", "Toyota Yaris", 34), ("Compact", "Volkswagen Golf", 41), ("Estate", "Škoda Octavia Combi", 52),
         ("SUV", "Nissan Qashqai", 66), ("Electric", "Tesla Model 3", 79), ("Van", "Ford Transit", 95))  # fmt: skip
_AMERICAN_CARS = (("Economy", "Nissan Versa", 34), ("Compact", "Toyota Corolla", 41), ("Midsize", "Toyota Camry", 52),
                  ("SUV", "Ford Escape", 66), ("Electric", "Tesla Model 3", 79), ("Van", "Ford Transit", 95))  # fmt: skip
_INDIAN_CARS = (("Economy", "Maruti Suzuki Swift", 24), ("Compact", "Hyundai i20", 28), ("Sedan", "Honda City", 36),
                ("SUV", "Hyundai Creta", 45), ("Electric", "Tata Nexon EV", 50), ("Van", "Toyota Innova", 60))  # fmt: skip
_JAPANESE_CARS = (("Economy", "Suzuki Swift", 40), ("Compact", "Toyota Yaris", 48), ("Hybrid", "Toyota Prius", 62),
                  ("SUV", "Toyota RAV4", 78), ("Electric", "Nissan Leaf", 80), ("Van", "Toyota Hiace", 110))  # fmt: skip
# What is rented where the cars of Europe are not sold.
_CARS_BY_COUNTRY = {
    **dict.fromkeys(("US", "CA", "MX"), _AMERICAN_CARS),
    **dict.fromkeys(("IN", "NP", "LK", "BD"), _INDIAN_CARS),
    "JP": _JAPANESE_CARS,
}
# What people call the towns of stations.
_CALLED = {"goa": "madgaon", "bombay": "mumbai", "calcutta": "kolkata", "madras": "chennai", "bangalore": "bengaluru",
           "secunderabad": "hyderabad", "howrah": "kolkata", "mysore": "mysuru"}  # fmt: skip
_SHORT_KM, _MANY_STOPS = 2500, 2
_DEAR_TO_DRIVE = frozenset("IS NO CH DK".split())
_RENTALS = ("Blue Road Rentals", "Swift Wheels", "City Drive")


class Lodging(TypedDict):
    hotelId: HotelId
    name: HotelName
    stars: int
    rating: float
    address: StreetAddress
    tonight_usd: Dollars


class Flight(TypedDict):
    airline: AirlineCode
    airline_name: str
    flight_number: FlightNumber
    from_airport: AirportCode
    to_airport: AirportCode
    date: TravelDate
    departs_at: IsoDateTime
    duration_minutes: Annotated[int, Unit("min")]
    stops: int
    total_usd: Dollars


class Landscape(TypedDict):
    name: SightName
    city: CityName
    entry_usd: Annotated[int, Unit("USD")] | None
    latitude: Latitude
    longitude: Longitude


class Car(TypedDict):
    company: str
    category: str
    model: str
    seats: int
    pickup_address: StreetAddress
    per_day_usd: Dollars


class Train(TypedDict):
    train_number: TrainNumber
    name: str
    origin: CityName
    destination: CityName
    departs: ClockTime
    arrives: ClockTime
    duration_minutes: Annotated[int, Unit("min")]
    distance_km: Annotated[int, Unit("km")]
    runs_on: list[str]


@tool(
    TRAVEL,
    name="lodgingProducts",
    examples=[{"destination": "Seattle"}, {"destination": "Eiffel Tower", "exhibit_maxnum": 2}],
    phrase=(
        "show the best rated hotels with their price for tonight near {destination}[, limited to "
        "{exhibit_maxnum} hotels]"
    ),
    noun="the list of hotels for tonight",
    jobs=("hotels",),
)
def lodging_products(world: World, *, destination: Destination, exhibit_maxnum: Shown = 3) -> list[Lodging]:
    """Hotels in the city of a destination, best rated first, with the price of a simple room tonight.

    destination: City, address, airport code or sight.
    exhibit_maxnum: How many hotels to show.
    """
    houses = hotels(world.seed, destination_city(destination)["id"])
    point = point_of(destination)
    if point:  # of a sight or an airport, the nearer half of the houses
        away = {row["id"]: kilometres(*point, row["latitude"], row["longitude"]) for row in houses}
        houses = tuple(
            sorted(houses, key=lambda row: away[row["id"]])[: max(exhibit_maxnum, len(houses) // 2)]
        )
    own = sorted(houses, key=lambda hotel: -hotel["rating"])
    return [
        {
            "hotelId": hotel["id"],
            "name": hotel["name"],
            "stars": hotel["stars"],
            "rating": hotel["rating"],
            "address": hotel["address"],
            "tonight_usd": stay_usd(world.seed, hotel, hotel["rooms"][0], [world.today]),
        }
        for hotel in own[:exhibit_maxnum]
    ]


@tool(
    TRAVEL,
    name="flightProducts",
    examples=[
        {"origin": "Beijing", "destination": "Seattle", "departureDate": "2024-06-14"},
        {"origin": "Paris", "destination": "Madrid", "adult_num": 2},
    ],
    phrase=(
        "find flights between cities with prices for all travellers, from {origin} to {destination}[, "
        "leaving on {departureDate}][, for {adult_num} adults][, showing at most {exhibit_maxnum} flights]"
    ),
    noun="the list of flights",
    jobs=("fares",),
)
def flight_products(
    world: World,
    *,
    origin: CityName,
    destination: CityName,
    departureDate: Day | None = None,
    adult_num: Annotated[int, Range(1, 9)] = 1,
    exhibit_maxnum: Shown = 3,
) -> list[Flight]:
    """A choice of flights between two cities on a day, cheapest first, with the price for all.

    origin: City to leave from.
    destination: City to go to.
    departureDate: Day of departure; tomorrow if left out.
    adult_num: Number of adults.
    exhibit_maxnum: How many flights to show.
    """
    start, target = city_meant(origin), city_meant(destination)
    two_cities(start, target, destination)
    day = parse_date(departureDate, "departureDate") if departureDate else world.today + timedelta(days=1)
    shared = {port["iata"] for port in airports_near(start)} & {
        port["iata"] for port in airports_near(target)
    }
    if shared:
        raise invalid(
            "destination", destination[:40], f"{target['name']} has the same airport, {min(shared)}"
        )
    offered = _sensible(list(fares(world, start, target, period(world, day.isoformat(), "departureDate"))))
    found = sorted(of_the_day(world, start, target, offered), key=lambda fare: fare["usd"])
    return [
        {
            "airline": fare["way"]["airline"],
            "airline_name": airlines()[fare["way"]["airline"]]["name"],
            "flight_number": fare["way"]["legs"][0]["number"],
            "from_airport": fare["way"]["legs"][0]["origin"],
            "to_airport": fare["way"]["legs"][-1]["destination"],
            "date": fare["day"].isoformat(),
            "departs_at": departure(fare),
            "duration_minutes": fare["way"]["minutes"],
            "stops": fare["way"]["stops"],
            "total_usd": round(fare["usd"] * adult_num, 2),
        }
        for fare in found[:exhibit_maxnum]
    ]


def _sensible(found: list[Fare]) -> list[Fare]:
    """The fares that people compare: over a short way that is flown non-stop without a change, else with few."""
    direct = [fare for fare in found if not fare["way"]["stops"]]
    if direct and direct[0]["way"]["distance_km"] < _SHORT_KM:
        return direct
    return [fare for fare in found if fare["way"]["stops"] < _MANY_STOPS] or found


@tool(
    TRAVEL,
    name="landscapeProducts",
    examples=[{"destination": "Paris"}],
    phrase=(
        "show the best known sights with entrance fees of {destination}[, limited to {exhibit_maxnum} sights]"
    ),
    noun="the list of sights",
)
def landscape_products(world: World, *, destination: CityName, exhibit_maxnum: Shown = 3) -> list[Landscape]:
    """Well-known sights of a city with the usual entrance fee, where it is known; an empty list where there are none.

    destination: The city.
    exhibit_maxnum: How many sights to show.
    """
    city = city_meant(destination)
    found = sights(city["id"])
    return [
        {
            "name": row["name"],
            "city": row["city"],
            "entry_usd": row["entry_usd"],
            "latitude": row["latitude"],
            "longitude": row["longitude"],
        }
        for row in found[:exhibit_maxnum]
    ]


@tool(
    TRAVEL,
    name="carProducts",
    examples=[{"pickup_location": "Seattle"}],
    phrase="find rental cars to pick up at {pickup_location}[, showing at most {exhibit_maxnum} cars]",
    noun="the list of rental cars",
)
def car_products(world: World, *, pickup_location: Destination, exhibit_maxnum: Shown = 3) -> list[Car]:
    """Rental cars in a city with price per day, cheapest first.

    pickup_location: City, address, airport code or sight.
    exhibit_maxnum: How many cars to show.
    """
    city = destination_city(pickup_location)
    code = city["country_code"]
    level = (0.75 + 0.6 * seeds.unit(world.seed, "car level", city["id"])) * (
        1.6 if code in _DEAR_TO_DRIVE else 1.0
    )
    place = _pickup(pickup_location, city)
    found: list[Car] = [
        {
            "company": company,
            "category": category,
            "model": model,
            "seats": (9 if model == "Ford Transit" else 8) if category == "Van" else 5,
            "pickup_address": place,
            "per_day_usd": round(
                price * level * (0.9 + 0.2 * seeds.unit(world.seed, city["id"], company, model)), 2
            ),
        }
        for company in _RENTALS
        for category, model, price in _CARS_BY_COUNTRY.get(code, _CARS)
    ]
    return sorted(found, key=lambda car: car["per_day_usd"])[:exhibit_maxnum]


def _pickup(text: str, city: City) -> str:
    """Where the cars are handed over: at the airport that is named, else in the middle of the city."""
    port = named_airport(text)
    own = port is not None and airport_city(port)["id"] == city["id"]
    return f"{port['name'] if port and own else 'City centre'}, {city['name']}"


def _minutes(clock: str) -> int:
    return 60 * int(clock[:2]) + int(clock[3:])


@functools.cache
def _trains() -> tuple[Train, ...]:
    """Well-known trains with the times that the railway printed in 2024."""
    return tuple(
        Train(
            train_number=row["number"],
            name=row["name"],
            origin=row["origin"],
            destination=row["destination"],
            departs=row["departs"],
            arrives=row["arrives"],
            duration_minutes=1440 * int(row["nights"]) + _minutes(row["arrives"]) - _minutes(row["departs"]),
            distance_km=int(row["distance"]),
            runs_on=row["days"].split(),
        )
        for row in read_table("trains.tsv")
    )


@tool(
    RAIL,
    examples=[{"search": "Rajdhani"}, {"search": "12951"}],
    phrase="search for Indian trains by number or name that match {search}",
    noun="the list of Indian trains",
)
def indian_railway_search(*, search: TrainNumber) -> list[Train]:
    """A choice of well-known Indian trains by number, name or town, with times and days as of 2024; 20 at most.

    search: Number of a train, part of its name, or the town where it starts or ends.
    """
    wanted = plain(search)
    found = _numbered(wanted) if wanted.isdigit() else _named(_CALLED.get(wanted, wanted))
    if not found:
        known = [f"{train['train_number']} {train['name']}" for train in _trains()]
        raise not_found("train", search[:60], known=known)
    return found[:20]


def _numbered(wanted: str) -> list[Train]:
    return [train for train in _trains() if train["train_number"].startswith(wanted)]


def _named(wanted: str) -> list[Train]:
    """Trains whose name holds a text, then those that start or end there."""
    named = [train for train in _trains() if wanted and wanted in plain(train["name"])]
    stations = [
        train
        for train in _trains()
        if any(f" {plain(town)}".endswith(f" {wanted}") for town in (train["origin"], train["destination"]))
    ]
    return [*named, *(train for train in stations if train not in named)]
