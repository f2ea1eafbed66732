"""Product/Apple_Product: apps and games in Apple's store, with versions and reviews."""

from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world.index import words
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import page as page_of
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import Money, Page, Prose, Range, Semantic, Url
from toolyard.world.kernel.views import View
from toolyard.world.simulated.media import Work, listing, search_works, similar_works, works, works_of_maker
from toolyard.world.simulated.product.buyers import Review, reviews
from toolyard.world.simulated.product.goods import Device

GROUP = Group("Product/Apple_Product")
# Not all apps are in both stores.
AppName = Annotated[str, Semantic("apple_app")]
AppQuery = Annotated[str, Semantic("apple_app_query", accepts=("apple_app",))]
AppleId = Annotated[int, Semantic("apple_app_id")]
Order = Literal["mostrecent", "mosthelpful", "mostfavorable", "mostcritical"]
PAGE_SIZE = 25
LISTED = 50


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
    bundle_id: str
    description: Prose
    category: str
    rating: float
    rating_count: int
    size_mb: int
    age_rating: str
    current_version: str
    link: Url
    version_history: NotRequired[list[Version]]
    you_may_also_like: NotRequired[list[NamedApp]]
    more_by_this_developer: NotRequired[list[NamedApp]]


VERSION = View[Version].of(Version)


def _find_app(product_id: int) -> Work:
    row = next(
        (work for work in works() if work.apple_id == product_id and work.kind in ("app", "game")), None
    )
    if row is None:
        raise not_found(
            "app with product id", product_id, such_as=("324684580 (Spotify)", "618783545 (Slack)")
        )
    return row


def _similar_apps(rows: list[Work], title: str, most: int) -> list[NamedApp]:
    own = dict.fromkeys(row for row in rows if row.apple_id and row.title != title)
    return [{"product_id": row.apple_id, "title": row.title} for row in list(own)[:most]]


@GROUP.tool(
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
    """Apps and games of the App Store that fit some words.

    term: Name of an app, or what it should do.
    num: How many results on a page.
    page: Which page, from 0.
    device: Which store: mobile for iPhone, tablet for iPad, desktop for Mac.
    """
    if not plain(term):
        raise invalid("term", term, "give the name of an app or what it should do")
    kinds = ("game",) if "game" in words(term) else ("app", "game")
    meant = [row for row in search_works(kinds, term) if row.apple_id]
    if not meant:
        raise not_found("app", term[:60], such_as=("Slack", "meditation"))
    found: list[FoundApp] = [
        {
            "product_id": row.apple_id,
            "title": row.title,
            "developer": row.creator,
            "price": {"amount": said.price, "currency": "USD"},
            "rating": said.stars,
            "devices": list(row.devices),
            "release_note": said.versions[0].notes,
        }
        for row in meant
        if device in row.devices
        for said in [listing(world.seed, row)]
    ]
    return page_of(found, num, num * page)


@GROUP.tool(
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
    """The store page of an app: what it does, category, rating, size, age rating and version.

    product_id: Id of the app, as the App Store search returns it.
    type: Kind of product; apps only.
    history: Whether to add the last versions with their dates and notes.
    also_like: Whether to add similar apps.
    more_by_this_developer: Whether to add the developer's other apps.
    """
    row = _find_app(product_id)
    found = _app_page(world, row)
    if history:
        found["version_history"] = VERSION.rows(listing(world.seed, row).versions)
    if also_like:
        found["you_may_also_like"] = _similar_apps(similar_works(row), row.title, 6)
    if more_by_this_developer:
        found["more_by_this_developer"] = _similar_apps(works_of_maker(row.creator), row.title, 15)
    return found


def _app_page(world: World, row: Work) -> AppPage:
    said = listing(world.seed, row)
    return {
        "product_id": row.apple_id,
        "title": row.title,
        "developer": row.creator,
        "bundle_id": row.bundle,
        "description": f"{row.title} by {row.creator}: {row.about}.",
        "category": row.category or row.genres[0].capitalize(),
        "rating": said.stars,
        "rating_count": said.ratings,
        "size_mb": said.size_mb,
        "age_rating": said.age,
        "current_version": said.versions[0].version,
        "link": f"https://apps.example/app/id{row.apple_id}",
    }


@GROUP.tool(
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
    """What users wrote about an app, the last fifty reviews.

    product_id: Id of the app, as the App Store search returns it.
    page: Page of 25 reviews, from 1.
    limit: How many reviews of the page to return.
    offset: How many reviews of the page to skip.
    sort: mostrecent, mosthelpful, mostfavorable or mostcritical first.
    """
    row = _find_app(product_id)
    rows = list(reviews(world.seed, str(row.apple_id), listing(world.seed, row).stars, LISTED, of_app=True))
    keys = {
        "mosthelpful": lambda review: -review["helpful_votes"],
        "mostfavorable": lambda review: -review["rating"],
        "mostcritical": lambda review: review["rating"],
    }
    if sort in keys:
        rows.sort(key=keys[sort])
    return page_of(rows, min(limit, PAGE_SIZE - offset), PAGE_SIZE * (page - 1) + offset)
