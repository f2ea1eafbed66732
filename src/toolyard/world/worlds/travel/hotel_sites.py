"""Travel/Hotels: booking sites, regions and hotels by name, old links, and what guests say."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.faults import ToolFault, not_found
from toolyard.world.registry import tool
from toolyard.world.shared.gazetteer import beginning
from toolyard.world.shared.geography import (
    City,
    all_airports,
    cities,
    city_or_none,
    countries,
    find_city,
    find_country,
    large_countries,
    plain,
)
from toolyard.world.shared.locales import check_locale
from toolyard.world.shared.sights import famous_cities
from toolyard.world.state import World
from toolyard.world.tables import complete
from toolyard.world.types import (
    CityName,
    CountryCode,
    CurrencyCode,
    Latitude,
    LocaleCode,
    Longitude,
    SearchText,
    Semantic,
)
from toolyard.world.worlds.travel.destinations import city_of_airport, city_of_sight
from toolyard.world.worlds.travel.fares import rate
from toolyard.world.worlds.travel.rooms import (
    Hotel,
    HotelId,
    HotelName,
    RegionId,
    find_hotel,
    hotel_of_legacy,
    hotels,
    name_words,
    region_id,
)

GROUP = "Travel/Hotels"
_TOWNS, _TOWN = 10, 5000
SiteName = Annotated[str, Semantic("hotel_site", accepts=("country_code",))]
SiteId = Annotated[int, Semantic("hotel_site_id")]
Eapid = Annotated[int, Semantic("hotel_eapid")]
LegacyId = Annotated[str, Semantic("legacy_hotel_id")]


class Site(TypedDict):
    site: SiteName
    country_code: CountryCode


class Locale(TypedDict):
    locale: LocaleCode
    language: str


class Metadata(TypedDict):
    site: SiteName
    siteId: SiteId
    EAPID: Eapid
    currency: CurrencyCode
    locales: list[Locale]


class Place(TypedDict):
    type: Literal["CITY", "HOTEL"]
    gaiaId: RegionId
    hotelId: HotelId | None
    name: str
    lastSearchName: str
    city: CityName
    country_code: CountryCode
    latitude: Latitude
    longitude: Longitude


class Resolved(TypedDict):
    legacy_id: LegacyId
    propertyId: HotelId
    name: HotelName
    regionId: RegionId


class Aspect(TypedDict):
    aspect: str
    score: float


class ReviewSummary(TypedDict):
    propertyId: HotelId
    overall: float
    label: str
    count: int
    aspects: list[Aspect]


def _site(text: str) -> tuple[int, CountryCode]:
    """Number and code of the site of a country where people live, by its code or name."""
    codes = [row["code"] for row in countries()]
    lived_in = {row["code"]: row["name"] for row in countries() if row["population"]}
    code = text.strip().upper().removeprefix("HOTELS_")
    named = {plain(name): key for key, name in lived_in.items()} | {"uk": "GB"}
    code = named.get(plain(code), code)
    if code not in lived_in:
        raise ToolFault(
            "not_found",
            f"no booking site {text[:40]!r}; want the two-letter code of a country where people live, such as US or GB",
        )
    return codes.index(code) + 1, code


def known_site(number: int | None, locale: str, eapid: int | None = None, currency: str = "USD") -> None:
    """Refuses numbers that no booking site or partner has, and a locale and a currency that do not exist."""
    check_locale(locale)
    rate(currency)
    if eapid is not None and not 1 <= eapid <= len(countries()):
        raise not_found("partner with eapid", eapid, known=range(1, 1 + len(countries())))
    if number is not None and not 300000001 <= number <= 300000000 + len(countries()):
        raise not_found("site with siteId", number, known=range(300000001, 300000001 + len(countries())))


@tool(
    GROUP,
    examples=[{}],
    phrase="list the hotel booking sites of all countries",
    noun="the list of booking sites",
)
def get_sites() -> list[Site]:
    """The booking sites of the countries of a million people or more; every other country has one, too."""
    return [{"site": row["code"], "country_code": row["code"]} for row in large_countries()]


@tool(
    GROUP,
    examples=[{"site": "AE"}],
    phrase="get the site number, partner number, currency and locales of the hotel booking site named {site}",
    noun="the booking site metadata",
)
def get_meta_data(*, site: SiteName) -> Metadata:
    """Site number, partner number, currency and locales of a booking site.

    site: Name of the site, which is a country code such as AE.
    """
    number, code = _site(site)
    country = find_country(code)
    return {
        "site": code,
        "siteId": 300000000 + number,
        "EAPID": number,
        "currency": country["currency"],
        "locales": [
            {"locale": f"{lang}_{code}", "language": lang}
            for lang in dict.fromkeys([*country["languages"], "en"])
        ],
    }


def _place(city: City, hotel: Hotel | None = None) -> Place:
    return {
        "type": "HOTEL" if hotel else "CITY",
        "gaiaId": region_id(city),
        "hotelId": hotel["id"] if hotel else None,
        "name": hotel["name"] if hotel else f"{city['name']}, {city['country']}",
        "lastSearchName": hotel["name"] if hotel else city["name"],
        "city": city["name"],
        "country_code": city["country_code"],
        "latitude": hotel["latitude"] if hotel else city["latitude"],
        "longitude": hotel["longitude"] if hotel else city["longitude"],
    }


def _towns_of(query: str) -> list[City]:
    """The best known towns of the country that a text names, then others with an airport, ten in all; none otherwise."""
    known = [city for city in cities() if plain(query) == plain(city["country"])]
    if not known or len(known) >= _TOWNS:
        return known[:_TOWNS]
    code = known[0]["country_code"]
    served = (
        city_or_none(f"{port['city']}, {code}") for port in all_airports() if port["country_code"] == code
    )
    towns = [city for city in served if city and city["country_code"] == code and city["population"] >= _TOWN]
    own = (*known, *sorted(towns, key=lambda city: -city["population"]))
    return list({city["id"]: city for city in own}.values())[:_TOWNS]


def search_places(seed: int, query: str) -> list[tuple[City, Hotel | None]]:
    """Cities and then hotels that a text names: a city (or its sight or airport) brings its hotels, a country its cities."""
    if plain(query) in name_words():
        best_known = [find_city(place) for place in famous_cities()[:40]]
        rows = ((city, hotel) for city in best_known for hotel in hotels(seed, city["id"]))
        bearers: list[tuple[City, Hotel | None]] = [
            (city, hotel) for city, hotel in rows if plain(query) in plain(hotel["name"])
        ]
        return bearers[:12]
    found = complete(cities(), query, "name", 5)
    meant = city_of_sight(query) or city_or_none(query)
    meant = meant or (city_of_airport(query) if "airport" in plain(query) else None)
    found = [meant, *found] if meant else found or beginning(query, 200)[:5]
    inland = _towns_of(query)
    # Who writes Brazil does not mean the town of that name in Indiana.
    found = inland or found
    named = [city for city in cities() if plain(city["name"]) in plain(query)][:3] if len(query) < 200 else []
    both: list[tuple[City, Hotel | None]] = [(city, None) for city in {c["id"]: c for c in found}.values()]
    for city in list({c["id"]: c for c in [*found[:2], *named]}.values()):
        own = hotels(seed, city["id"])
        exact = [hotel for hotel in own if _is_called(hotel["name"], query)]
        # The houses of a town are not only those that bear its name.
        rest = [hotel for hotel in own if hotel not in exact] if city in found and not inland else []
        both += [(city, hotel) for hotel in ([*exact, *rest] or own)[:6]]
    return both


def _is_called(name: str, query: str) -> bool:
    """Whether a name holds a text, or all its words in another order."""
    return plain(query) in plain(name) or set(plain(query).split()) <= set(plain(name).split())


@tool(
    GROUP,
    examples=[{"query": "Seattle"}, {"query": "Grand Hotel Rome", "locale": "en_US"}],
    phrase=(
        "find the booking regions and hotels with their region numbers that fit {query}[, with {siteId} as "
        "the site id][, with the locale set to {locale}]"
    ),
    noun="the matching booking regions",
    jobs=("find a city",),
    described_as="Lists cities and hotels that fit a text, with their region numbers.",
)
def search_locations(
    world: World, *, query: SearchText, siteId: SiteId | None = None, locale: LocaleCode = "en_US"
) -> list[Place]:
    """Cities and hotels (simulated houses) that fit a text, if any, with the region numbers that hotel searches take.

    query: Name of a country, city or hotel.
    siteId: Number of a booking site, from get_meta_data.
    locale: Language and country of the caller, e.g. en_US.
    """
    known_site(siteId, locale)
    found = search_places(world.seed, query)
    towns, houses = [row for row in found if row[1] is None][:5], [row for row in found if row[1] is not None]
    return [_place(city, hotel) for city, hotel in (*towns, *houses)][:12]


@tool(
    GROUP,
    examples=[{"id": "ho876544"}],
    phrase=(
        "resolve to its present number the hotel whose old number in a shared link is {id}[, with {siteId} "
        "as the site id][, with the locale set to {locale}]"
    ),
    noun="the resolved hotel number",
)
def resolve_url(
    world: World, *, id_: LegacyId, siteId: SiteId | None = None, locale: LocaleCode = "en_US"
) -> Resolved:
    """The present number of a hotel whose old number is in a shared link.

    id: The old number, ho and digits, e.g. ho876544.
    siteId: Number of the site, from get_meta_data.
    locale: Language and country of the caller.
    """
    known_site(siteId, locale)
    hotel = hotel_of_legacy(world.seed, id_)
    return {
        "legacy_id": hotel["legacy_id"],
        "propertyId": hotel["id"],
        "name": hotel["name"],
        "regionId": hotel["region_id"],
    }


@tool(
    GROUP,
    examples=[{"propertyId": 1003300}],
    phrase=(
        "summarize the guest reviews by aspect of the hotel whose property id is {propertyId}[, with "
        "{siteId} as the site id][, with {eapid} as the partner number][, with the currency set to "
        "{currency}][, with the locale set to {locale}]"
    ),
    noun="the guest review summary",
    jobs=("reviews of a hotel",),
)
def get_reviews_summary(
    world: World,
    *,
    propertyId: HotelId,
    currency: CurrencyCode = "USD",
    eapid: Eapid | None = None,
    siteId: SiteId | None = None,
    locale: LocaleCode = "en_US",
) -> ReviewSummary:
    """What guests say about a hotel, overall and by aspect, out of ten.

    propertyId: Number of the hotel.
    currency: Currency of the caller.
    eapid: Partner number of the site, from get_meta_data.
    siteId: Number of the site, from get_meta_data.
    locale: Language and country of the caller.
    """
    known_site(siteId, locale, eapid, currency)
    hotel = find_hotel(world.seed, propertyId)
    names = ("cleanliness", "staff", "comfort", "location", "value")
    drawn = [hotel["rating"] - 0.6 + 1.2 * seeds.unit(world.seed, name, hotel["id"]) for name in names]
    if not round(min(drawn), 1) <= hotel["rating"] <= round(max(drawn), 1):
        # The whole is no better and no worse than all its parts.
        drawn = [score + hotel["rating"] - added(drawn) / len(drawn) for score in drawn]
    scores: list[Aspect] = [
        {"aspect": name, "score": round(min(10.0, score), 1)}
        for name, score in zip(names, drawn, strict=True)
    ]
    limits = ((9.0, "Wonderful"), (8.0, "Very good"), (7.0, "Good"), (0.0, "Pleasant"))
    label = next(word for limit, word in limits if hotel["rating"] >= limit)
    return {
        "propertyId": hotel["id"],
        "overall": hotel["rating"],
        "label": label,
        "count": hotel["reviews"],
        "aspects": scores,
    }
