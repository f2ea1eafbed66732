"""Product/Apple_Product: apps and games in Apple's store, with versions and reviews."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import invalid, not_found
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.media import (
    AppleApp,
    Work,
    apple_apps,
    apple_ids,
    apple_ratings,
    find_apple,
    related,
    works,
)
from toolyard.world.shared.store_apps import (
    beside,
    fitting,
    for_purpose,
    further_apple,
    is_made_up,
    known_for,
    like,
    named_app,
    of_maker,
    with_kin,
)
from toolyard.world.state import World
from toolyard.world.tables import page as page_of
from toolyard.world.tables import plain, read_table
from toolyard.world.types import Money, Page, Prose, Range, Semantic, Url
from toolyard.world.worlds.entertainment.play_store import AppName, AppQuery
from toolyard.world.worlds.product.buyers import Review, reviews
from toolyard.world.worlds.product.goods import Device
from toolyard.world.worlds.product.store_categories import description, store_category

GROUP = "Product/Apple_Product"
AppleId = Annotated[int, Semantic("apple_app_id")]
Order = Literal["mostrecent", "mosthelpful", "mostfavorable", "mostcritical"]
PAGE_SIZE = 25
LISTED = 50
RELEASE_NOTE = "Bug fixes and performance improvements."
# Words of a term that fit too many apps.
_SAY_NOTHING = frozenset(words("player app apps best free good online mobile phone new top for kids"))


class FoundApp(TypedDict):
    product_id: AppleId
    title: AppName
    developer: str
    price: Money
    rating: float
    devices: list[str]
    release_note: str


class Version(TypedDict):
    version: str
    released: str
    notes: str


class NamedApp(TypedDict):
    product_id: AppleId
    title: AppName


class AppPage(TypedDict):
    product_id: AppleId
    title: AppName
    developer: str
    bundle_id: NotRequired[str]
    description: Prose
    category: str
    rating: float
    rating_count: NotRequired[int]
    size_mb: NotRequired[int]
    age_rating: NotRequired[str]
    current_version: NotRequired[str]
    link: Url
    version_history: NotRequired[list[Version]]
    you_may_also_like: NotRequired[list[NamedApp]]
    more_by_this_developer: NotRequired[list[NamedApp]]


class Edition(NamedTuple):
    """For which devices the store had an app in May 2024, and what it cost where that differs."""

    devices: list[str]
    price: float | None


@functools.cache
def _editions() -> Mapping[str, Edition]:
    return {
        row["title"]: Edition(row["devices"].split(";"), float(row["price"]) if row["price"] else None)
        for row in read_table("apple_devices.tsv")
    }


def _devices(row: Work) -> list[str]:
    """The devices that have an app: of real ones iPhone and iPad where nothing else is on record."""
    known = _editions().get(row["title"])
    if known is not None:
        return known.devices
    return ["mobile", "tablet"]


def _price(row: Work) -> float:
    known = _editions().get(row["title"])
    return row["price"] if known is None or known.price is None else known.price


def _stars(row: Work) -> float:
    """The stars of an app in this store."""
    return apple_ratings().get(row["title"], row["stars"])


def _in_store(row: Work) -> bool:
    """Whether the id of an app in this store is on record; those of the table of works all are in it."""
    return row["title"] in apple_ids() or row["title"] in apple_apps() or row in works()


def _fits(row: Work, term: str) -> bool:
    """Whether a term names an app or shares a word with what is said of it."""
    told = words(" ".join([row["title"], *row["genres"], row["about"]]))
    return plain(row["title"]) in plain(term) or not (set(words(term)) - _SAY_NOTHING).isdisjoint(told)


def _theirs(term: str) -> list[Work]:
    """The apps of the maker that a term is the name of, where no app is called so."""
    rows = of_maker(term)
    called = any(plain(row["title"]) == plain(term) for row in rows)
    return [] if called else list({row["title"]: row for row in reversed(rows)}.values())[::-1]


def _further(term: str, known: list[Work]) -> list[Work]:
    """The works of the table that fit a term, else the further game or app that it names, else those for its purpose."""
    for kind in ("app", "game"):
        own = named_app(kind, term)
        if own is not None and plain(own["title"]).startswith(plain(term)):
            return with_kin(own)
    fit = [row for row in known if _fits(row, term)]
    if any(plain(row["title"]) in plain(term) for row in fit):
        return fit
    for kind in ("game", "app"):
        found = fitting(kind, term, [])
        if found:
            return [row for row in found if row is found[0] or _fits(row, term)]
    titles = {row["title"] for row in fit}
    return [*fit, *(row for row in for_purpose("app", term) if row["title"] not in titles)]


def _app(world: World, product_id: int) -> Work:
    row = find_apple(product_id) or further_apple(product_id)
    if row is None:
        raise not_found(
            "app with product id", product_id, such_as=("324684580 (Spotify)", "618783545 (Slack)")
        )
    return row


def _names(rows: list[Work], most: int = 6) -> list[NamedApp]:
    return [{"product_id": row["apple_id"], "title": row["title"]} for row in rows[:most]]


@tool(
    GROUP,
    examples=[{"term": "TestFlight"}, {"term": "coffee", "num": 5, "device": "tablet"}],
    phrase=(
        "search the Apple App Store for {term}[, with the device set to {device}][, showing {num} results on "
        "a page][, on page {page}]"
    ),
    noun="the App Store search results",
    jobs=("apps",),
)
def apple_app_store_search(
    world: World,
    *,
    term: AppQuery,
    num: Annotated[int, Range(1, 200)] = 10,
    page: Annotated[int, Range(0, 1000)] = 0,
    device: Device = "mobile",
) -> Page[FoundApp]:
    """Well-known apps and games of the App Store, a choice, that fit some words.

    term: Name of an app, or what it should do.
    num: How many results on a page.
    page: Which page, from 0.
    device: Which store: mobile for iPhone, tablet for iPad, desktop for Mac.
    """
    if not plain(term):
        raise invalid("term", term, "give the name of an app or what it should do")
    known = [row for kind in ("app", "game") for row in related(kind, term)]
    meant = [row for kind in ("app", "game") for row in known_for(kind, term)]
    meant = meant or _theirs(term) or _further(term, known)
    rows = [row for row in meant if device in _devices(row) and _in_store(row)]
    if "game" in words(term):
        rows = [row for row in rows if row["kind"] == "game"]
    found: list[FoundApp] = [
        {
            "product_id": row["apple_id"],
            "title": row["title"],
            "developer": row["creator"],
            "price": {"amount": _price(row), "currency": "USD"},
            "rating": _stars(row),
            "devices": _devices(row),
            "release_note": RELEASE_NOTE,
        }
        for row in rows
    ]
    return page_of(found, num, num * page)


@tool(
    GROUP,
    examples=[
        {"product_id": 899247664},
        {"product_id": 618783545, "history": True, "also_like": True, "more_by_this_developer": True},
    ],
    phrase=(
        "open the Apple App Store product page of the app whose product id is {product_id}[, with version "
        "history set to {history}][, with similar apps set to {also_like}][, with more by this developer set "
        "to {more_by_this_developer}]"
    ),
    noun="the App Store product page",
    jobs=("apps",),
)
def apple_product_search(
    world: World,
    *,
    product_id: AppleId,
    type_: Literal["app"] = "app",
    history: bool = False,
    also_like: bool = False,
    more_by_this_developer: bool = False,
) -> AppPage:
    """The store page of an app: what it does, category and rating; further fields only as far as they are known.

    product_id: Id of the app, as the App Store search returns it.
    type: Kind of product; apps only.
    history: Whether to add earlier versions; empty where there is none.
    also_like: Whether to add similar apps of the choice.
    more_by_this_developer: Whether to add the developer's other apps of the choice.
    """
    row = _app(world, product_id)
    found = _page(world, row)
    if history:
        found["version_history"] = []
    if also_like:
        found["you_may_also_like"] = _names(_alike(row))
    if more_by_this_developer:
        own = {
            app["title"]: app
            for app in of_maker(row["creator"])
            if app["title"] != row["title"] and _in_store(app)
        }
        found["more_by_this_developer"] = _names(list(own.values()), 15)
    return found


def _alike(row: Work) -> list[Work]:
    """Similar apps that the store has: of the table of works where it has some of the same main genre, else of all."""
    near = beside(row)
    near += [app for app in related(row["kind"], row["title"])[1:] if row["genres"][0] in app["genres"]]
    near = list({app["title"]: app for app in reversed(near)}.values())[::-1]
    found = near if len(near) > 2 else [*near, *(app for app in like(row) if app not in near)]
    return [app for app in found if app["title"] != row["title"] and _in_store(app)]


def _on_record(world: World, row: Work) -> AppleApp | None:
    """What the store says of an app: of a real one what the table has, of a made-up one what is drawn for it."""
    if not is_made_up(row):
        return apple_apps().get(row["title"])
    chance = seeds.stream(world.seed, "app", row["apple_id"])
    return AppleApp(
        id=row["apple_id"],
        bundle=row["package"],
        ratings=int(10 ** (2 + 2 * chance.random())),
        age="4+",
        version="1.0",
        size_mb=chance.randrange(20, 200),
    )


def _page(world: World, row: Work) -> AppPage:
    known = _on_record(world, row)
    found = {
        "product_id": row["apple_id"],
        "title": row["title"],
        "developer": row["creator"],
        "bundle_id": known.bundle if known else None,
        "description": description(row),
        "category": store_category(row),
        "rating": _stars(row),
        "rating_count": known.ratings if known else None,
        "size_mb": known.size_mb if known else None,
        "age_rating": known.age if known else None,
        "current_version": known.version if known else None,
        "link": f"https://apps.example/app/id{row['apple_id']}",
    }
    return {key: value for key, value in found.items() if value}  # type: ignore[return-value]


@tool(
    GROUP,
    examples=[{"product_id": 899247664}, {"product_id": 546505307, "sort": "mostcritical", "limit": 2}],
    phrase=(
        "read the user reviews on the Apple App Store of the app whose product id is {product_id}[, sorted "
        "by {sort}][, returning {limit} reviews][, skipping the first {offset} reviews][, on page {page}]"
    ),
    noun="the App Store reviews",
)
def apple_reviews_search(
    world: World,
    *,
    product_id: AppleId,
    page: Annotated[int, Range(1, 100)] = 1,
    limit: Annotated[int, Range(1, PAGE_SIZE)] = 3,
    offset: Annotated[int, Range(0, PAGE_SIZE)] = 0,
    sort: Order = "mostrecent",
) -> Page[Review]:
    """What users wrote about an app, fifty reviews.

    product_id: Id of the app, as the App Store search returns it.
    page: Page of 25 reviews, from 1.
    limit: How many reviews of the page to return.
    offset: How many reviews of the page to skip.
    sort: mostrecent, mosthelpful, mostfavorable or mostcritical first.
    """
    row = _app(world, product_id)
    rows = list(reviews(world.seed, str(row["apple_id"]), _stars(row), LISTED, of_app=True))
    keys = {
        "mosthelpful": lambda review: -review["helpful_votes"],
        "mostfavorable": lambda review: -review["rating"],
        "mostcritical": lambda review: review["rating"],
    }
    if sort in keys:
        rows.sort(key=keys[sort])
    return page_of(rows, min(limit, PAGE_SIZE - offset), PAGE_SIZE * (page - 1) + offset)
