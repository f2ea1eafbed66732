"""Travel/BMTool_Travel and Travel/Railway: what a traveller needs at a destination, and Indian trains."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, plain, read_table
from toolyard.world.kernel.types import (
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
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import parse_date
from toolyard.world.reference.places.geography import City, airport_city
from toolyard.world.reference.places.sights import Sight, sights_in
from toolyard.world.simulated.travel.destinations import city_meant, destination_city, named_airport, point_of
from toolyard.world.simulated.travel.flights import TravelDate, period, require_two_cities, trips
from toolyard.world.simulated.travel.network import FlightNumber, all_airlines
from toolyard.world.simulated.travel.rooms import HotelId, HotelName, hotels, stay_price_usd

TRAVEL, RAIL = Group("Travel/BMTool_Travel"), Group("Travel/Railway")
Destination = Annotated[
    str, Semantic("destination", accepts=("city", "airport_code", "sight", "street_address"))
]
Day = Annotated[str, Semantic("travel_day", r"\d{4}-\d{2}-\d{2}", accepts=("travel_date", "forecast_date"))]
Shown = Annotated[int, Range(1, 12)]
TrainNumber = Annotated[str, Semantic("train_number")]
Dollars = Annotated[float, Unit("USD")]
# Category, model, seats and usual price of a day.
_CARS = (("Economy", "Toyota Yaris", 5, 34), ("Compact", "Volkswagen Golf", 5, 41), ("Estate", "Škoda Octavia Combi", 5, 52),
         ("SUV", "Nissan Qashqai", 5, 66), ("Electric", "Tesla Model 3", 5, 79), ("Van", "Ford Transit", 9, 95))  # fmt: skip
_RENTALS = ("Blue Road Rentals", "Swift Wheels", "City Drive")
_WEEK = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


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
    entry_usd: Annotated[int, Unit("USD")]
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


@dataclass(frozen=True, slots=True)
class TrainRun:
    """A train of the table with its drawn times."""

    row: Mapping[str, str]
    departs: int
    minutes: int
    days: list[str]


@seeds.table
def train_runs(seed: int) -> tuple[TrainRun, ...]:
    """All trains: when they leave, how long they take at 50 to 110 km an hour, and on which days they run."""
    found = []
    for row in read_table("trains.tsv"):
        chance = seeds.stream(seed, "train", row["number"])
        days = sorted(chance.sample(range(7), chance.randint(3, 7)))
        minutes = round(60 * int(row["distance"]) / chance.uniform(50, 110))
        found.append(TrainRun(row, 5 * chance.randrange(288), minutes, [_WEEK[day] for day in days]))
    return tuple(found)


def _clock_time(minutes: int) -> ClockTime:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


TRAIN = View[Train]({
    "train_number": "row.number", "name": "row.name", "origin": "row.origin", "destination": "row.destination",
    "departs": lambda train: _clock_time(train.departs), "arrives": lambda train: _clock_time(train.departs + train.minutes),
    "duration_minutes": "minutes", "distance_km": lambda train: int(train.row["distance"]), "runs_on": "days",
})  # fmt: skip
FLIGHT = View.of(
    Flight,
    airline="first.airline",
    airline_name=lambda trip: all_airlines()[trip.first.airline].name,
    flight_number="first.number",
    from_airport="first.origin",
    to_airport=lambda trip: trip.legs[-1].destination,
    date=lambda trip: trip.day.isoformat(),
    departs_at="leaves_at",
    duration_minutes="minutes",
    total_usd="usd",
)


def entry_usd(seed: int, sight: Sight) -> int:
    """What it costs to see a sight."""
    return 3 + seeds.number(seed, "entry", sight["city"], sight["name"]) % 38


@TRAVEL.tool(
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
        near = sorted(houses, key=lambda hotel: kilometres(*point, hotel.latitude, hotel.longitude))
        houses = tuple(near[: max(exhibit_maxnum, len(near) // 2)])
    best = sorted(houses, key=lambda hotel: (-hotel.rating, hotel.id))
    return [
        {
            "hotelId": hotel.id,
            "name": hotel.name,
            "stars": hotel.stars,
            "rating": hotel.rating,
            "address": hotel.address,
            "tonight_usd": stay_price_usd(world.seed, hotel, hotel.rooms[0], [world.today]),
        }
        for hotel in best[:exhibit_maxnum]
    ]


@TRAVEL.tool(
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
    """Flights between two cities on a day, cheapest first, with the price for all travellers.

    origin: City to leave from.
    destination: City to go to.
    departureDate: Day of departure; tomorrow if left out.
    adult_num: Number of adults.
    exhibit_maxnum: How many flights to show.
    """
    start, target = city_meant(origin), city_meant(destination)
    require_two_cities(start, target, destination)
    day = parse_date(departureDate, "departureDate") if departureDate else world.today + timedelta(days=1)
    offered = trips(world, start, target, period(world, day.isoformat(), "departureDate"))
    found = sorted(offered, key=lambda trip: (trip.usd, trip.minutes))
    return [
        {**FLIGHT.row(trip), "total_usd": round(trip.usd * adult_num, 2)} for trip in found[:exhibit_maxnum]
    ]


@TRAVEL.tool(
    name="landscapeProducts",
    examples=[{"destination": "Paris"}],
    phrase=(
        "show the best known sights with entrance fees of {destination}[, limited to {exhibit_maxnum} sights]"
    ),
    noun="the list of sights",
)
def landscape_products(world: World, *, destination: CityName, exhibit_maxnum: Shown = 3) -> list[Landscape]:
    """Well-known sights of a city with the entrance fee.

    destination: The city.
    exhibit_maxnum: How many sights to show.
    """
    city = city_meant(destination)
    found = sights_in(city["id"])
    if not found:
        raise out_of_range(
            "destination", city["name"], "no sights of it are well known, but those of Paris or Rome are"
        )
    return [
        {
            "name": row["name"],
            "city": row["city"],
            "entry_usd": entry_usd(world.seed, row),
            "latitude": row["latitude"],
            "longitude": row["longitude"],
        }
        for row in found[:exhibit_maxnum]
    ]


@TRAVEL.tool(
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
    place = _pickup_place(pickup_location, city)
    level = seeds.stream(world.seed, "car level", city["id"]).uniform(0.7, 1.5)
    found: list[Car] = [
        {
            "company": company,
            "category": category,
            "model": model,
            "seats": count,
            "pickup_address": place,
            "per_day_usd": round(
                price * level * (0.7 + 0.6 * seeds.unit(world.seed, city["id"], company, model)), 2
            ),
        }
        for company in _RENTALS
        for category, model, count, price in _CARS
    ]
    return sorted(found, key=lambda car: car["per_day_usd"])[:exhibit_maxnum]


def _pickup_place(text: str, city: City) -> str:
    """Where the cars are handed over: at the airport that is named, else in the middle of the city."""
    port = named_airport(text)
    own = port is not None and airport_city(port)["id"] == city["id"]
    return f"{port['name'] if port and own else 'City centre'}, {city['name']}"


@RAIL.tool(
    examples=[{"search": "Rajdhani"}, {"search": "12951"}],
    phrase="search for Indian trains by number or name that match {search}",
    noun="the list of Indian trains",
)
def indian_railway_search(world: World, *, search: TrainNumber) -> list[Train]:
    """Indian trains by number, name or town, with times, distance and days; 20 at most.

    search: Number of a train, part of its name, or the town where it starts or ends.
    """
    wanted, runs = plain(search), train_runs(world.seed)
    named = [run for run in runs if wanted and wanted in plain(f"{run.row['number']} {run.row['name']}")]
    ends = [run for run in runs if wanted in (plain(run.row["origin"]), plain(run.row["destination"]))]
    numbered = [run for run in runs if wanted.isdigit() and run.row["number"].startswith(wanted)]
    found = numbered or [*named, *(run for run in ends if run not in named)]
    if not found:
        raise not_found(
            "train", search[:60], known=[f"{run.row['number']} {run.row['name']}" for run in runs]
        )
    return TRAIN.rows(found[:20])
