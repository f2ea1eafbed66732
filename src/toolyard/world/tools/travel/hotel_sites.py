"""Travel/Hotels: booking sites, regions and hotels by name, old links, and what guests say."""

from typing import Annotated, Literal, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import ToolFault, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import (
    CityName,
    CountryCode,
    CurrencyCode,
    Latitude,
    LocaleCode,
    Longitude,
    SearchText,
    Semantic,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.locales import check_locale
from toolyard.world.reference.places.geography import countries, find_country, large_countries
from toolyard.world.simulated.travel.flights import currency_per_dollar
from toolyard.world.simulated.travel.hotel_search import search_places
from toolyard.world.simulated.travel.rooms import (
    HotelId,
    HotelName,
    RegionId,
    find_hotel,
    hotel_of_legacy,
    region_id,
)

GROUP = Group("Travel/Hotels")
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
    guestRating: float | None


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


def _find_site(text: str) -> tuple[int, CountryCode]:
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
    currency_per_dollar(currency)
    if eapid is not None and not 1 <= eapid <= len(countries()):
        raise not_found("partner with eapid", eapid, known=range(1, 1 + len(countries())))
    if number is not None and not 300000001 <= number <= 300000000 + len(countries()):
        raise not_found("site with siteId", number, known=range(300000001, 300000001 + len(countries())))


@GROUP.tool(
    phrase="list the hotel booking sites of all countries",
    noun="the list of booking sites",
)
def get_sites() -> list[Site]:
    """The booking sites of the countries of a million people or more; every other country has one, too."""
    return [{"site": row["code"], "country_code": row["code"]} for row in large_countries()]


@GROUP.tool(
    examples=[{"site": "AE"}],
    phrase="get the site number, partner number, currency and locales of the hotel booking site named {site}",
    noun="the booking site metadata",
)
def get_meta_data(*, site: SiteName) -> Metadata:
    """Site and partner number, currency and locales of a booking site.

    site: Name of the site, which is a country code such as AE.
    """
    number, code = _find_site(site)
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


PLACE_OF_CITY = View.of(
    Place,
    type=lambda _: "CITY",
    gaiaId=region_id,
    hotelId=lambda _: None,
    name=lambda city: f"{city['name']}, {city['country']}",
    lastSearchName="name",
    city="name",
    guestRating=lambda _: None,
)
PLACE_OF_HOTEL = View.of(
    Place,
    type=lambda _: "HOTEL",
    gaiaId=lambda hotel: region_id(hotel.place),
    hotelId="id",
    lastSearchName="name",
    city="place.name",
    country_code="place.country_code",
    guestRating="rating",
)
RESOLVED = View.of(Resolved, propertyId="id", regionId="region_id")


@GROUP.tool(
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
    """Cities and hotels that fit a text, if any, with the region numbers that hotel searches take.

    query: Name of a country, city or hotel.
    siteId: Number of a booking site, from get_meta_data.
    locale: Language and country of the caller, e.g. en_US.
    """
    known_site(siteId, locale)
    found = search_places(world.seed, query)
    towns = [city for city, hotel in found if hotel is None][:5]
    houses = [hotel for _, hotel in found if hotel is not None]
    return [*PLACE_OF_CITY.rows(towns), *PLACE_OF_HOTEL.rows(houses)][:12]


@GROUP.tool(
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
    return RESOLVED.row(hotel_of_legacy(world.seed, id_))


@GROUP.tool(
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
    """Ratings of a hotel by its guests, overall and by aspect, out of ten.

    propertyId: Number of the hotel.
    currency: Currency of the caller.
    eapid: Partner number of the site, from get_meta_data.
    siteId: Number of the site, from get_meta_data.
    locale: Language and country of the caller.
    """
    known_site(siteId, locale, eapid, currency)
    hotel = find_hotel(world.seed, propertyId)
    names = ("cleanliness", "staff", "comfort", "location", "value")
    drawn = [seeds.unit(world.seed, name, hotel.id) - 0.5 for name in names]
    mean = sum_in_order(drawn) / len(drawn)  # the aspects lie around the whole
    scores = [round(min(10.0, max(0.0, hotel.rating + part - mean)), 1) for part in drawn]
    limits = ((9.0, "Wonderful"), (8.0, "Very good"), (7.0, "Good"), (0.0, "Pleasant"))
    return {
        "propertyId": hotel.id,
        "overall": hotel.rating,
        "label": next(word for limit, word in limits if hotel.rating >= limit),
        "count": hotel.reviews,
        "aspects": [{"aspect": name, "score": score} for name, score in zip(names, scores, strict=True)],
    }
