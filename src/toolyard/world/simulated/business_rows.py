"""Rows of local businesses: shops, restaurants and services of a city, made when it is first asked about.

{"id": "Y012004d41d8cd98f00b20", "alias": "maison-sucre-new-york", "name": "Maison Sucre", "city": "New York",
 "category_aliases": ["patisserie", "food"], "price": 2, "rating": 4.5, "phone": "+15550120004", ...}
"""

import functools
import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import (
    kilometres,
    plain,
    read_record,
    read_table,
    share_keys,
    shared_list,
    slug_of,
    table_words,
)
from toolyard.world.kernel.types import (
    BusinessCategory,
    BusinessId,
    CityName,
    CountryCode,
    DomainName,
    Latitude,
    Longitude,
    PhoneNumber,
    PlaceId,
    PostalCode,
    StreetAddress,
    TimeZoneName,
)
from toolyard.world.reference.places.gazetteer import city_number
from toolyard.world.reference.places.geography import City, find_city, find_country
from toolyard.world.reference.places.post_codes import post_code, usual_post_code
from toolyard.world.reference.places.streets import COUNT, street_address
from toolyard.world.simulated.business_hours import ALWAYS, Week, draw_week, fair_price

ATTRIBUTES = ("hot_and_new", "request_a_quote", "reservation", "waitlist_reservation", "deals",
              "gender_neutral_restrooms", "open_to_all", "wheelchair_accessible")  # fmt: skip
CITIES_KEPT = 12  # the businesses of so many cities are kept in memory
CHAIN_PHONE = "+18001234567"
CHAIN_CITIES = ("new york", "los angeles", "chicago", "houston", "san francisco", "seattle")
# What is one thing though it is written in two words.
_PAIRS = re.compile("|".join(table_words("business_rows.pairs")))


class BusinessKind(TypedDict):
    """A category of businesses."""

    alias: BusinessCategory
    title: str
    group: str
    parents: list[str]
    offers: str
    names: list[str]


class Business(TypedDict):
    """A business; hours are minutes after local midnight, Monday first, None on days when it is closed."""

    id: BusinessId
    alias: str
    name: str
    group: str
    category_aliases: list[BusinessCategory]
    category_titles: list[str]
    offers: str
    city: CityName
    place_id: PlaceId
    region_code: str
    country_code: CountryCode
    postal_code: PostalCode
    address: StreetAddress
    latitude: Latitude
    longitude: Longitude
    time_zone: TimeZoneName
    phone: PhoneNumber
    website: DomainName
    price: int
    rating: float
    review_count: int
    attributes: list[str]
    delivers: bool
    seats: int
    hours: Week


def single_offers(offers: str) -> list[str]:
    """The things that businesses of a kind offer, one by one."""
    return [
        part.replace("_", " ") for part in _PAIRS.sub(lambda pair: pair[0].replace(" ", "_"), offers).split()
    ]


@functools.cache
def listed_kinds() -> tuple[BusinessKind, ...]:
    """The categories that lists show."""
    return _read_kinds("business_categories.tsv")


@functools.cache
def unlisted_kinds() -> tuple[BusinessKind, ...]:
    """Further categories, which a search for them finds."""
    return (*_read_unlisted_kinds(), *_read_kinds("further_business_categories.tsv"))


@functools.cache
def _read_unlisted_kinds() -> tuple[BusinessKind, ...]:
    return _read_kinds("more_business_categories.tsv")


def _read_kinds(name: str) -> tuple[BusinessKind, ...]:
    return tuple(
        read_record(BusinessKind, row, parents=[part for part in row["parent"].split(",") if part])
        for row in read_table(name)
    )


@functools.lru_cache(maxsize=CITIES_KEPT)
def businesses(seed: int, place_id: str) -> tuple[Business, ...]:
    """The businesses of a place: those of a village, else one to six of each category, more in larger cities."""
    return _businesses(seed, place_id, listed_kinds(), 0)


@functools.lru_cache(maxsize=CITIES_KEPT)
def more_businesses(seed: int, place_id: str) -> tuple[Business, ...]:
    """The businesses of the further categories."""
    return _businesses(seed, place_id, _read_unlisted_kinds(), len(businesses(seed, place_id)))


# People in a place -> how many businesses of each kind it has at least.
_EACH = ((3_000_001, 6), (500_001, 3), (5_000, 2), (0, 1))
# In smaller places there are the shops of a village, and a few others.
_VILLAGE = 5_000
_BASIC = frozenset(
    "restaurants pizza bakeries coffee grocery bars hotels cafes hair parks physicians autorepair pubs".split()
)


def _village_has_kind(place_id: str, alias: str) -> bool:
    return alias in _BASIC or seeds.unit("village", place_id, alias) < 0.12


def _businesses(seed: int, place_id: str, of: Sequence[BusinessKind], start: int) -> tuple[Business, ...]:
    number, city = city_number(place_id), find_city(place_id)
    each = next(count for least, count in _EACH if city["population"] >= least)
    found: list[Business] = []
    seen: dict[str, int] = {}
    for kind in of:
        if city["population"] < _VILLAGE and not _village_has_kind(place_id, kind["alias"]):
            continue
        for turn in range(each):
            business = business_row(seed, city, number, start + len(found), kind, turn)
            count = seen[business["alias"]] = seen.get(business["alias"], 0) + 1
            alias = business["alias"] if count == 1 else f"{business['alias']}-{count}"
            named: Business = {**business, "alias": alias}
            found.append(share_keys(named))
    return tuple(found)


def _price_level(chance: Random, kind: BusinessKind) -> int:
    levels = (1, 2, 2, 3, 4) if kind["group"] == "restaurants" else (1, 2, 2, 3)
    return fair_price(kind["alias"], kind["group"], chance.choice(levels))


def business_row(seed: int, city: City, number: int, row: int, kind: BusinessKind, turn: int) -> Business:
    """The business with a number in a city, the turn-th of its kind there; who and where it is follows no seed."""
    chance = seeds.stream("business", city["id"], row)
    drawing = seeds.stream(seed, "business", city["id"], row)
    chain = row == 0 and plain(city["name"]) in CHAIN_CITIES and city["country_code"] == "US"
    name = "Golden Bowl Express" if chain else _business_name(chance, kind, turn)
    postal = post_code(city, chance.randrange(30))
    where = f"{city['name']}, {city['region_code']} {postal}" if postal else city["name"]
    street = street_address(city["country_code"], chance.randrange(1, 400), chance.randrange(COUNT))
    eats = kind["group"] in ("restaurants", "food")
    phone = f"{find_country(city['country_code'])['calling_code'].replace('-', '')}555{number:03d}{row:04d}"
    drawn = Business(
        id=f"Y{number:03d}{row:03d}{seeds.token(15, 'business', number, row)}",
        alias=slug_of(f"{name}-{city['name']}"),
        name=name,
        group=kind["group"],
        category_aliases=shared_list(kind["alias"], *kind["parents"]),
        category_titles=shared_list(kind["title"]),
        offers=kind["offers"],
        city=city["name"],
        place_id=city["id"],
        region_code=city["region_code"],
        country_code=city["country_code"],
        postal_code=postal,
        address=f"{street}, {where}",
        latitude=round(city["latitude"] + (chance.random() - 0.5) / 12, 5),
        longitude=round(city["longitude"] + (chance.random() - 0.5) / 12, 5),
        time_zone=city["time_zone"],
        phone=CHAIN_PHONE if chain else phone,
        website=f"{slug_of(name)}.example",
        price=_price_level(drawing, kind),
        rating=min(5.0, 3.0 + drawing.randrange(0, 5) * 0.5),
        review_count=int(10 ** (1 + 2.2 * drawing.random())),
        attributes=[name for name in ATTRIBUTES if drawing.random() < (0.6 if name in _COMMON else 0.3)],
        delivers=eats and drawing.random() < 0.6,
        seats=drawing.randrange(8, 80) if eats else 0,
        hours=draw_week(drawing, kind["alias"], kind["group"]),
    )
    return _make_believable(drawn)


# More customers than these never all give five stars, and a house that so many have rated is not new.
_UNANIMOUS, _NEW = 15, 60
_TABLES = ("restaurants", "nightlife")
# Where nobody books a table.
_QUICK = frozenset(table_words("business_rows.quick"))
_COMMON = ("wheelchair_accessible", "open_to_all")
_BY_QUOTE = frozenset(("homeservices", "auto", "localservices", "professional", "eventservices"))
_FREE = frozenset("parks playgrounds libraries postoffices banks hospitals hiking animalshelters".split())
_EVENINGS = (690, 1380)
# The dearest that is eaten in passing.
_SMALL_BILL = 2


def _dining_hours(group: str, price: int, hours: Week) -> Week:
    """Opening hours, but none of fine dining at four in the morning."""
    always = hours == ALWAYS
    return [_EVENINGS] * 7 if always and group == "restaurants" and price > _SMALL_BILL else hours


def _make_believable(business: Business) -> Business:
    """A business whose mean and features fit its kind and how many people have rated it."""
    many, kind = business["review_count"], business["category_aliases"][0]
    tables = business["group"] in _TABLES
    fits = {
        "hot_and_new": many < _NEW,
        "request_a_quote": bool(_BY_QUOTE.intersection(business["category_aliases"][1:])),
        "deals": kind not in _FREE and business["group"] != "health",
        "reservation": (tables and kind not in _QUICK) or kind in ("hotels", "hostels"),
        "waitlist_reservation": tables and kind not in _QUICK,
    }
    return {
        **business,
        "hours": _dining_hours(business["group"], business["price"], business["hours"]),
        "rating": min(business["rating"], 4.5) if many > _UNANIMOUS else business["rating"],
        "attributes": shared_list(*(name for name in business["attributes"] if fits.get(name, True))),
    }


def _business_name(chance: Random, kind: BusinessKind, turn: int) -> str:
    base = kind["names"][turn % len(kind["names"])]
    if turn < len(kind["names"]):
        return base
    return f"{base} {chance.choice(('Downtown', 'Uptown', 'Riverside', 'Old Town', 'North', 'Station'))}"


FIRST_FURTHER = 1000
# People in a city -> how many further businesses of a kind to eat or drink at, and of other kinds.
_FURTHER = ((3_000_000, 18, 6), (1_000_000, 9, 3), (300_000, 6, 2), (100_000, 3, 1))
_OFTEN = ("restaurants", "food", "nightlife", "arts")
_PRICES = (1, 1, 2, 2, 2, 2, 2, 3, 3, 4)
# They lie within some kilometres of the middle, or within some hundred metres of a sight that is in town.
_SPREAD, _CLOSE, _IN_TOWN = 0.022, 0.002, 12.0


@functools.cache
def _further_names() -> Mapping[str, tuple[str, ...]]:
    """Category -> names of further businesses, each other word in turn."""
    found: dict[str, tuple[str, ...]] = {}
    for row in read_table("business_names.tsv"):
        firsts, seconds = row["firsts"].split(";"), row["seconds"].split(";")
        found[row["alias"]] = tuple(
            f"{first} {seconds[(place + turn) % len(seconds)]}"
            for turn in range(len(seconds))
            for place, first in enumerate(firsts)
        )
    return found


@functools.lru_cache(maxsize=CITIES_KEPT)
def further_businesses(seed: int, place_id: str) -> tuple[Business, ...]:
    """What larger cities have besides: the more of each category, the more people live there."""
    number, city = city_number(place_id), find_city(place_id)
    many, few = next(((many, few) for least, many, few in _FURTHER if city["population"] >= least), (0, 0))
    rows = (*businesses(seed, place_id), *more_businesses(seed, place_id)) if many else ()
    seen, found = {row["alias"] for row in rows}, list[Business]()
    for kind in (*listed_kinds(), *unlisted_kinds()):
        names = _further_names().get(kind["alias"], ())
        start = seeds.number("further", place_id, kind["alias"]) % max(1, len(names))
        for turn in range(min(len(names), many if kind["group"] in _OFTEN else few)):
            name = (
                names[(start + turn * 5) % len(names)]
                if len(names) % 5
                else names[(start + turn) % len(names)]
            )
            row = _extra_business(seed, city, number, FIRST_FURTHER + len(found), {**kind, "names": [name]})
            if row["alias"] not in seen:
                seen.add(row["alias"])
                found.append(share_keys(row))
    return tuple(found)


@functools.lru_cache(maxsize=CITIES_KEPT)
def _busy_points(place_id: str) -> tuple[tuple[float, float, float], ...]:
    """Where businesses of a city are, and how far around: its middle, and its well-known sights."""
    city = find_city(place_id)
    sights = ((float(row["latitude"]), float(row["longitude"])) for row in read_table("sight_points.tsv"))
    near = [(*at, _CLOSE) for at in sights if kilometres(city["latitude"], city["longitude"], *at) < _IN_TOWN]
    return ((city["latitude"], city["longitude"], _SPREAD), *near)


def _extra_business(seed: int, city: City, number: int, row: int, kind: BusinessKind) -> Business:
    business = business_row(seed, city, number, row, kind, 0)
    chance = seeds.stream("further business", city["id"], row)
    points = _busy_points(city["id"])
    latitude, longitude, around = points[row % len(points)]
    postal = usual_post_code(city, chance.randrange(30))
    further: Business = {
        **business,
        "id": f"X{number:03d}{row:04d}{seeds.token(14, 'business', number, row)}",
        "latitude": round(latitude + chance.gauss(0, around), 5),
        "longitude": round(longitude + chance.gauss(0, 1.5 * around), 5),
        "postal_code": postal,
        "address": business["address"].removesuffix(business["postal_code"]) + postal
        if postal
        else business["address"],
        "price": fair_price(
            kind["alias"], kind["group"], seeds.pick(_PRICES, seed, "price", city["id"], row)
        ),
    }
    return {**further, "hours": _dining_hours(further["group"], further["price"], further["hours"])}
