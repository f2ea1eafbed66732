"""Finance/Yelp: one business by phone, id or alias, its reviews, categories and suggestions."""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import complete, plain, table_texts
from toolyard.world.kernel.types import (
    BusinessCategory,
    BusinessId,
    CityName,
    Coordinates,
    DomainName,
    LocaleCode,
    Page,
    PastDate,
    PersonName,
    PhoneNumber,
    SearchText,
    StreetAddress,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import zone
from toolyard.world.reference.people import person
from toolyard.world.simulated.businesses import (
    Business,
    BusinessKind,
    businesses_by_phone,
    chain_or_dish_businesses,
    chains_beginning,
    find_business,
    listed_kinds,
    more_businesses,
    search_businesses,
    single_offers,
    unlisted_kinds,
)
from toolyard.world.simulated.finance.yelp_voices import review_text
from toolyard.world.tools.finance.yelp import (
    Alias,
    AnyBusinessId,
    Lat,
    Limit,
    Location,
    Long,
    Offset,
    Platform,
    category_aliases,
    is_business_open,
    place,
    require_locale,
)

PARENTS = table_texts("yelp_kinds.parents")

# Categories of categories that are part of another one.
ABOVE = {"fitness": ["active"]}
# Things that a category of categories names at most.
_NAMED = 12


def every_kind() -> tuple[BusinessKind, ...]:
    """All categories that have businesses, each once."""
    found: dict[str, BusinessKind] = {}
    for kind in (*listed_kinds(), *unlisted_kinds()):
        found.setdefault(kind["alias"], kind)
    return tuple(found.values())


def offers_below(below: Sequence[BusinessKind]) -> list[str]:
    """What the categories below one offer, the first thing of each."""
    return list(dict.fromkeys(single_offers(kind["offers"])[0] for kind in below))[:_NAMED]


def find_kind(alias: str) -> BusinessKind | None:
    """The category of an alias; None for one of categories, and where there is none."""
    return next((kind for kind in every_kind() if kind["alias"] == plain(alias)), None)


def terms(text: str) -> list[str]:
    """What people search for that begins so: things that businesses offer, and kinds of them."""
    all_kinds, begun = every_kind(), plain(text)
    offers = {word for kind in all_kinds for word in single_offers(kind["offers"])}
    found = sorted(word for word in offers if word.startswith(begun))
    titles = sorted(kind["title"].lower() for kind in all_kinds if plain(kind["title"]).startswith(begun))
    return list(dict.fromkeys(found or titles))


GROUP = Group("Finance/Yelp")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class ByPhone(TypedDict):
    id: BusinessId
    name: str
    city: CityName
    address: StreetAddress
    phone: PhoneNumber
    rating: float


class Hours(TypedDict):
    day: str
    opens: str
    closes: str


class Details(TypedDict):
    id: BusinessId
    alias: Alias
    name: str
    categories: list[BusinessCategory]
    offers: list[str]
    address: StreetAddress
    city: CityName
    coordinates: Coordinates
    phone: PhoneNumber
    website: DomainName
    mobile_link: str
    price: str
    rating: float
    review_count: int
    attributes: list[str]
    is_open_now: bool
    hours: list[Hours]


class Review(TypedDict):
    review_id: str
    rating: int
    user: PersonName
    date: PastDate
    text: str


class Category(TypedDict):
    alias: BusinessCategory
    title: str
    parent_aliases: list[str]


class CategoryDetails(TypedDict):
    alias: BusinessCategory
    title: str
    parent_aliases: list[BusinessCategory]
    subcategories: list[BusinessCategory]
    typical_offers: list[str]


class Named(TypedDict):
    id: BusinessId
    name: str
    rating: float


class Suggestions(TypedDict):
    terms: list[str]
    businesses: list[Named]
    categories: list[BusinessCategory]


@GROUP.tool(
    examples=[{"phone": "+18001234567"}],
    phrase="find the Yelp businesses whose phone number is {phone}[, with the locale set to {locale}]",
    noun="the Yelp phone search results",
    jobs=("businesses and places to eat",),
)
def yelp_phone_search(world: World, *, phone: PhoneNumber, locale: LocaleCode = "en_US") -> list[ByPhone]:
    """The businesses with a phone number; the branches of a chain may share one.

    phone: Number with + and country code, e.g. +18001234567.
    locale: Language and country of the caller.
    """
    require_locale(locale)
    if not 7 <= len(re.sub(r"\D", "", phone)) <= 15:
        raise invalid("phone", phone[:40], "want a number with + and country code, e.g. +18001234567")
    return View[ByPhone]({name: name for name in ByPhone.__annotations__}).rows(
        businesses_by_phone(world.seed, phone[:40])
    )


def _closing_clock(minutes: int) -> str:
    later = minutes - 1440 if minutes > 1440 else minutes
    return f"{later // 60:02d}:{later % 60:02d}"


@GROUP.tool(
    examples=[{"business_id_or_alias": "flour-and-salt-new-york"}],
    phrase=(
        "get the Yelp details with contact and opening hours of the business whose id or alias is "
        "{business_id_or_alias}[, with the locale set to {locale}][, with the mobile platform set to "
        "{device_platform}]"
    ),
    noun="the Yelp business details",
    jobs=("businesses and places to eat",),
    described_as=(
        "Gives contact, offers, features and opening hours of one business on Yelp, and whether it is open "
        "now."
    ),
)
def yelp_business_details(
    world: World,
    *,
    business_id_or_alias: AnyBusinessId,
    locale: LocaleCode = "en_US",
    device_platform: Platform | None = None,
) -> Details:
    """One business: offers, contact, features and hours, and whether it is open now.

    business_id_or_alias: Id or alias of the business, as the searches return it.
    locale: Language and country of the caller.
    device_platform: Platform for which a mobile link is wanted.
    """
    require_locale(locale)
    row = find_business(world.seed, business_id_or_alias)
    return View[Details](
        {
            **{name: name for name in Details.__annotations__},
            "categories": "category_aliases",
            "offers": lambda one: single_offers(one["offers"]),
            "coordinates": lambda one: f"{one['latitude']},{one['longitude']}",
            "mobile_link": lambda one: (
                f"https://local.example/{device_platform or 'mobile-generic'}/{one['alias']}"
            ),
            "price": lambda one: "$" * one["price"],
            "is_open_now": lambda one: is_business_open(one, world.now.astimezone(zone(one["time_zone"]))),
            "hours": lambda one: [
                {"day": day, "opens": _closing_clock(span[0]), "closes": _closing_clock(span[1])}
                for day, span in zip(_DAYS, one["hours"], strict=True)
                if span is not None
            ],
        }
    ).row(row)


# The oldest reviews of a business are at most so many days old.
_REVIEWED_FOR = 2_600


def _make_review(world: World, business: Business, number: int) -> Review:
    chance = seeds.stream(world.seed, "review", business["id"], number)
    # Half a star in the mean is as many above as below it.
    half = 0.5 * (seeds.unit(world.seed, "half a star", business["id"], number) - 0.5)
    rating = max(1, min(5, round(business["rating"] + chance.choice((-1, 0, 0, 0, 1)) + half)))
    most = min(_REVIEWED_FOR, 6 * business["review_count"])
    age = 1 + int((number + chance.random()) * most / business["review_count"])
    return {
        "review_id": seeds.token(12, world.seed, "review", business["id"], number),
        "rating": rating,
        "user": person(world.seed, "reviewer", business["id"], number)["name"],
        "date": (world.now - timedelta(days=age)).date().isoformat(),
        "text": review_text(business, rating, number),
    }


@GROUP.tool(
    examples=[{"business_id_or_alias": "flour-and-salt-new-york", "limit": 5}],
    phrase=(
        "read the Yelp customer reviews of the business whose id or alias is {business_id_or_alias}[, with "
        "the site's own order set to {if_sort_by_auto}][, with the locale set to {locale}][, with a limit of "
        "{limit}][, skipping the first {offset}]"
    ),
    noun="the Yelp customer reviews",
    jobs=("reviews of a business", "reviews of a hotel"),
)
def yelp_reviews(
    world: World,
    *,
    business_id_or_alias: AnyBusinessId,
    if_sort_by_auto: bool = True,
    locale: LocaleCode = "en_US",
    limit: Limit = 20,
    offset: Offset = 0,
) -> Page[Review]:
    """What customers wrote about a business.

    business_id_or_alias: Id or alias of the business.
    if_sort_by_auto: Whether the site chooses the order; it is newest first either way.
    locale: Language and country of the caller.
    limit: How many reviews to list.
    offset: How many reviews to skip.
    """
    require_locale(locale)
    business = find_business(world.seed, business_id_or_alias)
    count = business["review_count"]
    rows = [_make_review(world, business, number) for number in range(offset, min(count, offset + limit))]
    return {"total": count, "offset": offset, "items": rows}


@GROUP.tool(
    phrase="list all Yelp business categories[, with the locale set to {locale}]",
    noun="the list of Yelp categories",
)
def yelp_all_categories(*, locale: LocaleCode = "en_US") -> list[Category]:
    """The main categories of businesses with their aliases and parents; yelp_category_details names those below one.

    locale: Language and country of the caller; titles are English in all of them.
    """
    require_locale(locale)
    top: list[Category] = [
        {"alias": a, "title": t, "parent_aliases": ABOVE.get(a, [])} for a, t in PARENTS.items()
    ]
    return top + [
        {"alias": kind["alias"], "title": kind["title"], "parent_aliases": kind["parents"]}
        for kind in listed_kinds()
    ]


@GROUP.tool(
    examples=[{"alias": "bakeries"}, {"alias": "food"}],
    phrase="get the details of the Yelp category whose alias is {alias}[, with the locale set to {locale}]",
    noun="the Yelp category details",
)
def yelp_category_details(*, alias: BusinessCategory, locale: LocaleCode = "en_US") -> CategoryDetails:
    """One category: its title, what is above and below it, and what such businesses offer.

    alias: Alias of the category, from yelp_all_categories.
    locale: Language and country of the caller.
    """
    require_locale(locale)
    kind, key = find_kind(alias), plain(alias)
    if kind is None and key not in PARENTS:
        raise not_found(
            "category", alias[:40], known=category_aliases(), listed_by=f"{GROUP}/yelp_all_categories"
        )
    below = [one for one in every_kind() if key in one["parents"]]
    return {
        "alias": key,
        "title": kind["title"] if kind else PARENTS[key],
        "parent_aliases": kind["parents"] if kind else ABOVE.get(key, []),
        "subcategories": [
            *(one["alias"] for one in below),
            *(one for one in PARENTS if key in ABOVE.get(one, [])),
        ],
        "typical_offers": single_offers(kind["offers"]) if kind else offers_below(below),
    }


@GROUP.tool(
    examples=[{"text": "piz", "location": "New York"}, {"text": "gold"}],
    phrase=(
        "get Yelp autocomplete suggestions after typing {text}[, near {location}][, with the latitude set to "
        "{latitude}][, with the longitude set to {longitude}]"
    ),
    noun="the Yelp suggestions",
    jobs=("businesses and places to eat",),
)
def yelp_autocomplete(
    world: World,
    *,
    text: SearchText,
    location: Location | None = None,
    latitude: Lat | None = None,
    longitude: Long | None = None,
) -> Suggestions:
    """Search terms, businesses and categories with a word that begins with what has been typed.

    text: What has been typed so far.
    location: City or address; New York if no place is given.
    latitude: Latitude of the caller.
    longitude: Longitude of the caller.
    """
    if not plain(text):
        raise invalid("text", text, "type at least one letter, e.g. piz")
    city, _, _ = place(location or (None if latitude is not None else "New York"), latitude, longitude)
    chains = chains_beginning(text)
    branches = [row for name in chains for row in chain_or_dish_businesses(world.seed, city, name)]
    everywhere = [*search_businesses(world.seed, city, None), *more_businesses(world.seed, city["id"])]
    named = [*branches, *complete(everywhere, text, "name", 5)][:5]
    every = every_kind()
    begun = [kind["alias"] for kind in every if len(text) > 1 and kind["alias"].startswith(plain(text))]
    titled = [kind["alias"] for kind in complete(every, text, "title", 5)]
    categories = list(dict.fromkeys([*titled, *begun]))[:5]
    return {
        "terms": [*terms(text), *chains][:5],
        "businesses": [{"id": row["id"], "name": row["name"], "rating": row["rating"]} for row in named],
        "categories": categories,
    }
