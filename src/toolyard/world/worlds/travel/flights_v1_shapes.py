"""Travel/Flight_Data_v1: what the tools return."""

from __future__ import annotations

from typing import Annotated, TypedDict

from toolyard.world.types import (
    AirlineCode,
    AirportCode,
    CityName,
    IsoDateTime,
    Unit,
)
from toolyard.world.worlds.travel.air import (
    CityCode,
    FlightNumber,
)
from toolyard.world.worlds.travel.fares import (
    TravelDate,
)
from toolyard.world.worlds.travel.fleets import AircraftCode


class Ticket(TypedDict):
    destination: CityCode
    number_of_changes: int
    price: float
    airline: AirlineCode
    flight_number: FlightNumber
    departure_at: IsoDateTime
    return_at: IsoDateTime | None
    minutes: Annotated[int, Unit("min")]


class DirectTicket(TypedDict):
    to: CityCode
    cost: float
    carrier: AirlineCode
    flight: FlightNumber
    from_airport: AirportCode
    to_airport: AirportCode
    aircraft: AircraftCode
    leaves_at: IsoDateTime
    returns_at: IsoDateTime | None


class DayTicket(TypedDict):
    date: TravelDate
    price: float
    number_of_changes: int
    airline: AirlineCode
    flight_number: FlightNumber
    return_date: TravelDate | None


class MonthTicket(TypedDict):
    month: str
    lowest: float
    changes: int
    airline: AirlineCode
    best_day: TravelDate


class AirlineRoute(TypedDict):
    origin: AirportCode
    destination: AirportCode
    destination_city: CityName
    passengers: int


class Direction(TypedDict):
    destination: CityCode
    city: CityName
    price: float
    airline: AirlineCode
    departure_at: IsoDateTime
