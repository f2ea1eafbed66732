"""Database/non_local: what homes are let for."""

from random import Random
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import ToolFault, invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, table_words
from toolyard.world.kernel.types import CityName, Latitude, Longitude, Range, StreetAddress, Unit, Within
from toolyard.world.reference.places.geography import City, city_in_address, nearest_city
from toolyard.world.reference.places.streets import COUNT, street_address
from toolyard.world.simulated.rent_levels import rent_level

GROUP = Group("Database/non_local")
PropertyType = Literal["Single Family", "Condo", "Apartment", "Townhouse", "Studio"]


class Comparable(TypedDict):
    address: StreetAddress
    rent: Annotated[int, Unit("USD")]
    bedrooms: int
    bathrooms: int
    square_feet: int
    distance_miles: Annotated[float, Unit("mi")]
    days_old: int


class Rent(TypedDict):
    city: CityName
    rent: Annotated[int, Unit("USD")]
    rent_range_low: Annotated[int, Unit("USD")]
    rent_range_high: Annotated[int, Unit("USD")]
    comparables: list[Comparable]


def _place(address: str | None, latitude: float | None, longitude: float | None) -> tuple[City, float, float]:
    if latitude is not None and longitude is not None:
        city = nearest_city(latitude, longitude)
        if kilometres(latitude, longitude, city["latitude"], city["longitude"]) > 150:
            raise not_found(
                "rents near", f"{latitude}, {longitude}", such_as=("40.71, -74.01", "34.05, -118.24")
            )
        return city, latitude, longitude
    if (latitude is None) != (longitude is None) and address is None:
        missing = "latitude" if latitude is None else "longitude"
        raise invalid(missing, None, "latitude and longitude go together")
    if address is None:
        raise invalid("address", None, "give an address that ends in a city, or latitude and longitude")
    found = city_in_address(address)
    if found:
        return found, found["latitude"], found["longitude"]
    raise not_found("city in address", address[:80], such_as=("12 Main Street, Austin, TX", "New York"))


# What streets of the United States are called most often, numbers among them; a town has some of them.
_AMERICAN = table_words("rents.american")
_IN_A_TOWN = 24


def _draw_address(seed: int, city: City, chance: Random) -> str:
    """A made-up address as it is written in the country."""
    code = city["country_code"]
    if code == "US":
        streets = seeds.stream(seed, "streets", city["id"]).sample(_AMERICAN, _IN_A_TOWN)
        return f"{chance.randrange(12, 4800)} {chance.choice(streets)}, {city['name']}"
    return f"{street_address(code, chance.randrange(1, 180), chance.randrange(COUNT))}, {city['name']}"


def _draw_comparable(
    seed: int, city: City, number: int, kind: str, beds: int, given: int | None, feet: int
) -> Comparable:
    chance = seeds.stream(seed, "rent", city["id"], kind, number)
    usual = 1 if beds < 2 else 2 if beds < 5 else 3
    baths = given or max(
        usual + (seeds.unit(seed, "baths", city["id"], kind, number) < 0.3) * (-1 if usual > 1 else 0), 1
    )
    level = rent_level(seed, city)
    size = int(feet * (0.85 + 0.3 * chance.random()))
    rent = level * (350 + size * 0.9 + 180 * beds + 120 * baths) * (0.92 + 0.16 * chance.random())
    return {
        "address": _draw_address(seed, city, chance),
        "rent": round(rent / 5) * 5,
        "bedrooms": beds,
        "bathrooms": baths,
        "square_feet": size,
        "distance_miles": round(0.1 + 8 * chance.random() ** 1.5, 2),
        "days_old": chance.randrange(1, 400),
    }


@GROUP.tool(
    examples=[
        {"address": "5500 Grand Lake Drive, San Antonio, TX", "bedrooms": 4, "squareFootage": 1600},
        {"latitude": 40.7128, "longitude": -74.006, "maxRadius": 5, "propertyType": "Studio"},
    ],
    phrase=(
        "estimate the monthly rent of a home[ at {address}][, with the latitude set to {latitude}][, with "
        "the longitude set to {longitude}][, with the property type set to {propertyType}][, with {bedrooms} "
        "bedrooms][, with {bathrooms} bathrooms][, with a floor space in square feet of {squareFootage}][, "
        "comparing within a radius in miles of {maxRadius}][, with {compCount} comparable homes]"
    ),
    noun="the rent estimate",
)
def rent_estimate(
    world: World,
    *,
    address: StreetAddress | None = None,
    latitude: Annotated[Latitude, Within("longitude")] | None = None,
    longitude: Annotated[Longitude, Within("latitude")] | None = None,
    propertyType: PropertyType = "Apartment",
    bedrooms: Annotated[int, Range(0, 10)] | None = None,
    bathrooms: Annotated[int, Range(1, 8)] | None = None,
    squareFootage: Annotated[float, Range(100, 20000), Unit("sq ft")] | None = None,
    maxRadius: Annotated[float, Range(0.1, 50), Unit("mi")] = 5.0,
    daysOld: Annotated[int, Range(1, 1000)] = 365,
    compCount: Annotated[int, Range(5, 25)] = 10,
) -> Rent:
    """The monthly rent in US dollars to expect for a home, from comparable ones nearby.

    address: Street and city; a level of rents is known per city. Not needed where latitude and longitude are given.
    latitude: Latitude of the home.
    longitude: Longitude of the home.
    propertyType: Kind of home.
    bedrooms: Number of bedrooms; none for a studio, else two, if left out.
    bathrooms: Number of bathrooms; as homes of that size mostly have, one to three, if left out.
    squareFootage: Floor space in square feet (100 square metres are 1,076).
    maxRadius: How far away comparable homes may be.
    daysOld: How old their listings may be.
    compCount: How many comparable homes to use, 5 to 25; fewer where there are no more within maxRadius and daysOld.
    """
    city, _, _ = _place(address, latitude, longitude)
    if propertyType == "Studio" and bedrooms:
        raise invalid("bedrooms", bedrooms, "a studio has no bedroom of its own; leave it out or take 0")
    beds = bedrooms if bedrooms is not None else 0 if propertyType == "Studio" else 2
    house = propertyType in ("Single Family", "Townhouse")
    feet = int(squareFootage or (600 + 350 * beds if house else 450 + 250 * beds))
    if feet > 1500 * (beds + 1):
        raise invalid("squareFootage", squareFootage, f"too much for a home with {beds} bedrooms")
    pool = (_draw_comparable(world.seed, city, n, propertyType, beds, bathrooms, feet) for n in range(80))
    near = [row for row in pool if row["distance_miles"] <= maxRadius and row["days_old"] <= daysOld]
    once = {row["address"]: row for row in reversed(near)}
    used = sorted(once.values(), key=lambda row: row["distance_miles"])[:compCount]
    if not used:
        raise ToolFault(
            "not_found",
            f"no comparable home within {maxRadius:g} mi whose listing is at most {daysOld} days old; "
            "want a larger maxRadius or daysOld",
            parameter="maxRadius",
        )
    return _rent_summary(city, used)


def _rent_summary(city: City, used: list[Comparable]) -> Rent:
    rents = sorted(row["rent"] for row in used)
    return {
        "city": city["name"],
        "rent": round(sum(rents) / len(rents)),
        "rent_range_low": rents[0],
        "rent_range_high": rents[-1],
        "comparables": used,
    }
