"""Local businesses of every city: shops, restaurants and services, generated when a city is first asked about.

{"id": "Y012004d41d8cd98f00b20", "alias": "maison-sucre-new-york", "name": "Maison Sucre", "city": "New York",
 "category_aliases": ["patisserie", "food"], "price": 2, "rating": 4.5, "phone": "+15550120004", ...}
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.derived import derived, noted, titled, well_formed
from toolyard.world.faults import not_found
from toolyard.world.search import Index
from toolyard.world.shared.gazetteer import beginning, city_at, number_of
from toolyard.world.shared.geography import City, cities, find_city, find_country, plain, read_table
from toolyard.world.shared.post_codes import post_code
from toolyard.world.shared.streets import COUNT, street_address
from toolyard.world.shared.subjects import known_words
from toolyard.world.types import (
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

ATTRIBUTES = ("hot_and_new", "request_a_quote", "reservation", "waitlist_reservation", "deals",
              "gender_neutral_restrooms", "open_to_all", "wheelchair_accessible")  # fmt: skip
_CITIES_KEPT = 32  # the businesses of so many cities are kept in memory
CHAIN_PHONE = "+18001234567"
_CHAIN_CITIES = ("new york", "los angeles", "chicago", "houston", "san francisco", "seattle")
# What is one thing though it is written in two words.
_PAIRS = re.compile(
    r"pad thai|ice cream|dry cleaning|dog walking|legal advice|family medicine|live music|steak frites|car repair|banh mi"
    r"|nail salon|second hand|used clothes|gas station|car wash|car rental|car park|real estate agent|child care"
    r"|driving school|dance school|movie theater|bowling alley|golf course|pet groomer|dog grooming|tattoo studio"
    r"|bicycle shop|antique shop|thrift store|hardware store|toy store|shoe store|furniture store|music shop|pet store"
    r"|travel agency|post office|print shop|phone repair|air conditioning|parking garage|self storage|street food"
    r"|food truck|odd jobs|pest control|physical therapy|urgent care|martial arts|climbing gym|escape room|tow truck"
    r"|swimming pool|farmers market|wine bar|dry cleaner|walk-in clinic|reading rooms"
)
_NEVER_CLOSED = ("hotels", "hostels", "hospitals", "servicestations", "parking", "taxis")
_ID = re.compile(r"Y(\d{3,6})(\d{3})[0-9a-f]{15}")
_PHONE = re.compile(r"\+\d{1,7}?555(\d{3,6})(\d{4})")


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
    hours: list[tuple[int, int] | None]


def single_offers(offers: str) -> list[str]:
    """The things that businesses of a kind offer, one by one."""
    return [
        part.replace("_", " ") for part in _PAIRS.sub(lambda pair: pair[0].replace(" ", "_"), offers).split()
    ]


@functools.cache
def kinds() -> tuple[BusinessKind, ...]:
    """The categories that lists show."""
    return _kinds_of("business_categories.tsv")


@functools.cache
def more_kinds() -> tuple[BusinessKind, ...]:
    """Further categories, which a search for them finds."""
    return _kinds_of("more_business_categories.tsv")


def _kinds_of(name: str) -> tuple[BusinessKind, ...]:
    return tuple(
        BusinessKind(
            alias=row["alias"],
            title=row["title"],
            group=row["group"],
            parents=[part for part in row["parent"].split(",") if part],
            offers=row["offers"],
            names=row["names"].split(";"),
        )
        for row in read_table(name)
    )


@functools.lru_cache(maxsize=_CITIES_KEPT)
def businesses(seed: int, place_id: str) -> tuple[Business, ...]:
    """The businesses of a city: two to six of each category, more in larger cities."""
    return _businesses(seed, place_id, kinds(), 0)


@functools.lru_cache(maxsize=_CITIES_KEPT)
def more_businesses(seed: int, place_id: str) -> tuple[Business, ...]:
    """The businesses of the further categories."""
    return _businesses(seed, place_id, more_kinds(), len(businesses(seed, place_id)))


def _businesses(seed: int, place_id: str, of: Sequence[BusinessKind], start: int) -> tuple[Business, ...]:
    number, city = number_of(place_id), find_city(place_id)
    each = 6 if city["population"] > 3_000_000 else 3 if city["population"] > 500_000 else 2
    found: list[Business] = []
    seen: dict[str, int] = {}
    for kind in of:
        for turn in range(each):
            business = _business(seed, city, number, start + len(found), kind, turn)
            count = seen[business["alias"]] = seen.get(business["alias"], 0) + 1
            alias = business["alias"] if count == 1 else f"{business['alias']}-{count}"
            found.append({**business, "alias": alias})
    return tuple(found)


def _business(seed: int, city: City, number: int, row: int, kind: BusinessKind, turn: int) -> Business:
    chance = seeds.stream(seed, "business", city["id"], row)
    chain = row == 0 and plain(city["name"]) in _CHAIN_CITIES and city["country_code"] == "US"
    name = "Golden Bowl Express" if chain else _name(chance, kind, turn)
    area = f"{plain(name)}-{plain(city['name'])}"
    postal = post_code(city, chance.randrange(30))
    where = f"{city['name']}, {city['region_code']} {postal}" if postal else city["name"]
    street = street_address(city["country_code"], chance.randrange(1, 400), chance.randrange(COUNT))
    eats = kind["group"] in ("restaurants", "food")
    phone = f"{find_country(city['country_code'])['calling_code'].replace('-', '')}555{number:03d}{row:04d}"
    return Business(
        id=f"Y{number:03d}{row:03d}{seeds.token(15, seed, 'business', number, row)}",
        alias=re.sub(r"[^a-z0-9]+", "-", area).strip("-"),
        name=name,
        group=kind["group"],
        category_aliases=[kind["alias"], *kind["parents"]],
        category_titles=[kind["title"]],
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
        website=f"{re.sub(r'[^a-z0-9]+', '-', plain(name)).strip('-')}.example",
        price=chance.choice((1, 2, 2, 3, 4) if kind["group"] == "restaurants" else (1, 2, 2, 3)),
        rating=min(5.0, 3.0 + chance.randrange(0, 5) * 0.5),
        review_count=int(10 ** (1 + 2.2 * chance.random())),
        attributes=[name for name in ATTRIBUTES if chance.random() < (0.6 if "wheel" in name else 0.3)],
        delivers=eats and chance.random() < 0.6,
        seats=chance.randrange(8, 80) if eats else 0,
        hours=[(0, 1440)] * 7 if kind["alias"] in _NEVER_CLOSED else _hours(chance, kind["group"]),
    )


def _name(chance: Random, kind: BusinessKind, turn: int) -> str:
    base = kind["names"][turn % len(kind["names"])]
    if turn < len(kind["names"]):
        return base
    return f"{base} {chance.choice(('Downtown', 'Uptown', 'Riverside', 'Old Town', 'North', 'Station'))}"


def _hours(chance: Random, group: str) -> list[tuple[int, int] | None]:
    opens, closes = {
        "restaurants": (10, 22),
        "food": (7, 19),
        "nightlife": (12, 24),
        "services": (8, 18),
    }.get(group, (9, 19))
    # Some houses never close, so that something is open at any hour.
    if chance.random() < (0.3 if group == "restaurants" else 0.12):
        return [(0, 1440)] * 7
    shift = chance.choice((-60, 0, 0, 60))
    start, end = opens * 60 + shift, min(1440, closes * 60 + shift)
    closed = chance.choice((None, 0, 6))
    return [None if day == closed else (start, end) for day in range(7)]


@functools.lru_cache(maxsize=_CITIES_KEPT)
def _index(seed: int, place_id: str) -> Index[Business]:
    return Index(businesses(seed, place_id), ("name", "category_titles", "category_aliases", "offers"))


@functools.lru_cache(maxsize=_CITIES_KEPT)
def _more_index(seed: int, place_id: str) -> Index[Business]:
    return Index(more_businesses(seed, place_id), ("name", "category_titles", "category_aliases", "offers"))


# Words that ask for a business and do not say of what kind.
_ASKING = frozenset(
    "best good great nice cheap affordable top rated near nearby me local closest open now find some any place places spot "
    "spots shop shops store stores service services company companies restaurant restaurants".split()
)


def matching(seed: int, city: City, text: str | None) -> list[Business]:
    """The businesses of a city that fit some words, best first; all for None.

    Those with all the words come first, then those with most of them; what people know and no category has is derived.
    """
    if text is None:
        return list(businesses(seed, city["id"]))
    asked = " ".join(word for word in plain(text).split() if word not in _ASKING) or text
    listed, more = _index(seed, city["id"]), _more_index(seed, city["id"])
    if plain(asked) in _CHAINS:
        return unlisted(seed, city, asked)
    return (
        listed.search(asked, bound=1.0)
        or more.search(asked, bound=1.0)
        or more.search(asked, bound=0.6)
        or listed.search(asked, bound=0.5)
        or unlisted(seed, city, asked)
        or listed.search(asked)
    )


def matching_group(seed: int, city: City, text: str, group: str) -> list[Business]:
    """The businesses of a city in one group that fit most of some words, best first; none is derived."""
    asked = " ".join(word for word in plain(text).split() if word not in _ASKING) or text
    indexes = (_index(seed, city["id"]), _more_index(seed, city["id"]))
    for bound in (1.0, 0.6, 0.4):
        for index in indexes:
            found = index.search(asked, where=lambda row: row["group"] == group, bound=bound)
            if found:
                return found
    return []


FIRST_UNLISTED = 900
# Chains that everybody knows, in plain words -> how they write themselves, and the category of their branches.
_CHAINS = {
    "starbucks": ("Starbucks", "coffee"), "mcdonald's": ("McDonald's", "burgers"), "mcdonalds": ("McDonald's", "burgers"),
    "burger king": ("Burger King", "burgers"), "kfc": ("KFC", "restaurants"), "subway": ("Subway", "delis"),
    "domino's": ("Domino's Pizza", "pizza"), "dominos": ("Domino's Pizza", "pizza"), "pizza hut": ("Pizza Hut", "pizza"),
    "costa coffee": ("Costa Coffee", "coffee"), "dunkin": ("Dunkin'", "coffee"), "ikea": ("IKEA", "furniture"),
    "zara": ("Zara", "fashion"), "h&m": ("H&M", "fashion"), "uniqlo": ("Uniqlo", "fashion"),
    "decathlon": ("Decathlon", "sportgoods"),
    "apple store": ("Apple Store", "electronics"),
}  # fmt: skip


def unlisted(seed: int, city: City, text: str) -> list[Business]:
    """Three businesses of a kind that no category names, in a city; none where nobody knows the words."""
    if plain(text) not in _CHAINS and (
        len(text.split()) > 3 or not (well_formed(text) and known_words(text))
    ):
        return []
    kind = _unlisted_kind(text, city)
    first = FIRST_UNLISTED + seeds.number("kind", kind["alias"]) % 33 * 3

    def built(_: Random) -> list[Business]:
        number = number_of(city["id"])
        rows = [_business(seed, city, number, first + turn, kind, turn) for turn in range(3)]
        names = [row["alias"] for row in rows]
        return [
            row if row["alias"] not in names[:turn] else {**row, "alias": f"{row['alias']}-{turn + 1}"}
            for turn, row in enumerate(rows)
        ]

    return derived(seed, "businesses", f"{plain(text)} @ {city['id']}", built)


def _unlisted_kind(text: str, city: City) -> BusinessKind:
    """The kind of business that some words ask for: branches of a chain, else houses that are called after it."""
    chain = _CHAINS.get(plain(text))
    if chain:
        name, alias = chain
        like = next((kind for kind in (*kinds(), *more_kinds()) if kind["alias"] == alias), kinds()[0])
        return {**like, "names": [name] * 3}
    title = titled(text)
    return BusinessKind(
        alias=re.sub(r"[^a-z0-9]", "", plain(text)), title=title, group="services", parents=[], offers=plain(text),
        names=[f"{city['name']} {title}", f"Old Town {title}", f"North Side {title}"],
    )  # fmt: skip


def _noted(seed: int, wanted: str, key: Literal["id", "alias", "phone"] = "id") -> list[Business]:
    """The derived business with this id, alias or phone number that the running world has named."""
    for name in noted("businesses"):
        text, _, place = name.partition(" @ ")
        found = [row for row in unlisted(seed, find_city(place), text) if row[key] == wanted]
        if found:
            return found
    return []


def by_phone(seed: int, phone: str) -> list[Business]:
    """The businesses with a phone number, blanks and dashes aside."""
    number = "+" + re.sub(r"\D", "", phone)
    if number == CHAIN_PHONE:
        places = [
            row for row in cities() if plain(row["name"]) in _CHAIN_CITIES and row["country_code"] == "US"
        ]
        return [businesses(seed, row["id"])[0] for row in places]
    match = _PHONE.fullmatch(number)
    city = city_at(int(match[1])) if match else None
    if match is None or city is None:
        return []
    rows = (*businesses(seed, city["id"]), *more_businesses(seed, city["id"]))
    found = [row for row in rows[int(match[2]) :][:1] if row["phone"] == number]
    return found or _noted(seed, number, "phone")


def find_business(seed: int, wanted: str) -> Business:
    """The business of an id or alias; a not_found fault otherwise."""
    match = _ID.fullmatch(wanted.strip())
    city = city_at(int(match[1])) if match else None
    if match and city:
        rows = (*businesses(seed, city["id"]), *more_businesses(seed, city["id"]))
        found = [row for row in rows[int(match[2]) :][:1] if row["id"] == wanted.strip()]
        found = found or _noted(seed, wanted.strip())
    else:
        alias = plain(wanted)[:200]
        found = _by_alias(seed, alias) or _noted(seed, alias, "alias")
    if not found:
        raise not_found(
            "business", wanted[:80], such_as=[row["alias"] for row in businesses(seed, "US-NY-new-york")[:3]]
        )
    return found[0]


def _by_alias(seed: int, alias: str) -> list[Business]:
    """The business of an alias, which ends in its city: a well-known one, else any town or suburb called so."""
    for city in (*(city for city in cities() if f"-{_slug(city)}" in alias), *_ending(alias)):
        rows = (*businesses(seed, city["id"]), *more_businesses(seed, city["id"]))
        found = [row for row in rows if row["alias"] == alias]
        if found:
            return found
    return []


def _slug(city: City) -> str:
    return re.sub(r"[^a-z0-9]+", "-", plain(city["name"])).strip("-")


def _ending(alias: str) -> Iterator[City]:
    """The towns whose name an alias ends in, the longest names first."""
    parts = alias.split("-")
    for size in range(min(4, len(parts) - 1), 0, -1):
        name = " ".join(parts[-size:])
        if len(name) > 2:
            yield from [city for city in beginning(name, 60) if _slug(city) == name.replace(" ", "-")][:12]
