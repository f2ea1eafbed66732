"""Travel/Flight_Data_v2: what the tools return."""

from __future__ import annotations

from typing import Annotated, TypedDict

from toolyard.world.types import (
    AirlineCode,
    CityName,
    CountryCode,
    CountryName,
    IsoDateTime,
    Latitude,
    Longitude,
    Unit,
)
from toolyard.world.worlds.travel.air import (
    CityCode,
)
from toolyard.world.worlds.travel.fares import (
    TravelDate,
)

Kilometres = Annotated[float, Unit("km")]


class Price(TypedDict):
    origin: CityCode
    destination: CityCode
    depart_date: TravelDate
    return_date: TravelDate | None
    value: float
    number_of_changes: int
    distance: Kilometres
    airline: AirlineCode
    found_at: IsoDateTime


class MonthDay(TypedDict):
    depart_date: TravelDate
    value: float
    number_of_changes: int
    airline: AirlineCode


class Nearby(TypedDict):
    origin: CityCode
    origin_city: CityName
    destination: CityCode
    destination_city: CityName
    depart_date: TravelDate
    return_date: TravelDate | None
    distance: Kilometres
    value: float
    duration_minutes: Annotated[int, Unit("min")]


class WeekDay(TypedDict):
    depart_date: TravelDate
    return_date: TravelDate
    total: float
    changes_out: int
    changes_back: int


class Location(TypedDict):
    iata: CityCode
    name: CityName
    country_name: CountryName
    country_code: CountryCode
    latitude: Latitude
    longitude: Longitude
