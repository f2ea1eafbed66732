"""Shapes of Travel/Hotels: the hotels of a region, and the rooms that one offers for a stay."""

from __future__ import annotations

from typing import Annotated, TypedDict

from toolyard.world.types import CityName, CurrencyCode, StreetAddress, Unit
from toolyard.world.worlds.travel.rooms import HotelId, HotelName, RegionId


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
