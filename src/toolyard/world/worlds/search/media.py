"""Search/MultimodelSearch: images and videos about what the web of this world writes about; Engine news searches."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Annotated, Literal, TypedDict
from urllib.parse import unquote

from toolyard.world import seeds
from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.shared.articles import Article
from toolyard.world.shared.articles import index as news_index
from toolyard.world.shared.geography import find_country
from toolyard.world.shared.happened import happenings
from toolyard.world.shared.page_query import WebPage, fits, parse_query
from toolyard.world.shared.pages import news_page, search_pages
from toolyard.world.shared.people import person
from toolyard.world.shared.reports import news_about
from toolyard.world.state import World
from toolyard.world.types import (
    CountryCode,
    DomainName,
    PageUrl,
    PastDate,
    PersonName,
    Range,
    SearchText,
    Unit,
    Url,
)

GROUP, ENGINE = "Search/MultimodelSearch", "Search/EngineSearch"
ImageType = Literal["photo", "clipart", "linedrawing", "gif", "transparent"]
Period = Literal["day", "week", "month", "year"]
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_TYPES: tuple[ImageType, ...] = ("photo", "photo", "photo", "clipart", "linedrawing", "gif", "transparent")


_ALL_TYPES: tuple[ImageType, ...] = ("photo", "clipart", "linedrawing", "gif", "transparent")
_CALLED = {
    "photo": "photograph",
    "clipart": "clip art",
    "linedrawing": "drawing",
    "gif": "animation",
    "transparent": "cut-out",
}
_ENDINGS = {"clipart": "png", "linedrawing": "png", "gif": "gif", "transparent": "png"}
# How many days old the added pictures are at most, in turn; of each type there are ten.
_AGES = (2, 7, 30, 365, 900)
_MORE_IMAGES = 10 * len(_ALL_TYPES)


class BingImage(TypedDict):
    title: str
    image: Url
    thumbnail: Url
    page: PageUrl
    width: Annotated[int, Unit("px")]
    height: Annotated[int, Unit("px")]
    market: CountryCode


class YahooImage(TypedDict):
    caption: str
    original: Url
    found_on: PageUrl
    type: ImageType
    date: PastDate
    size_kb: Annotated[int, Unit("kB")]


class YandexVideo(TypedDict):
    title: str
    link: Url
    about: PageUrl
    host: DomainName
    duration_s: Annotated[int, Unit("s")]
    views: int


class YoutubeVideo(TypedDict):
    title: str
    video_url: Url
    channel: PersonName
    published: PastDate
    length_s: Annotated[int, Unit("s")]
    views: int
    is_4k: bool
    about: PageUrl


class NewsHit(TypedDict):
    title: str
    link: PageUrl
    source: DomainName
    published: PastDate
    snippet: str
    thumbnail: Url


class BaiduNewsHit(TypedDict):
    headline: str
    page: PageUrl
    outlet: str
    reporter: PersonName
    day: PastDate
    readers: int


def _picture(page: WebPage) -> str:
    return f"https://images.example/{seeds.token(16, 'image', page['url'])}.jpg"


def _type(page: WebPage) -> ImageType:
    return seeds.pick(_TYPES, "image type", page["url"])


@tool(
    GROUP,
    examples=[{"query": "climate change news"}, {"query": "Eiffel Tower", "cc": "FR", "count": 3}],
    phrase=(
        "find images on Bing for {query}[, with the country set to {cc}][, with the number of images set to "
        "{count}]"
    ),
    noun="the Bing image results",
    jobs=("pictures",),
)
def bing_image_search(
    world: World,
    *,
    query: SearchText,
    cc: CountryCode | None = None,
    count: Annotated[int, Range(1, 30)] = 10,
) -> list[BingImage]:
    """Images for a query with their size and the page they are on, those from the wanted country first.

    query: What the images should show.
    cc: Two-letter code of the country to search from.
    count: How many images to list at most.
    """
    found = search_pages(world.seed, query, engine="bing images")[:60]
    market = find_country(cc)["code"] if cc else ""
    found.sort(key=lambda page: page["country"] != market)
    return [
        {
            "title": page["title"],
            "image": _picture(page),
            "thumbnail": _picture(page).replace("/images.", "/thumbs."),
            "page": page["url"],
            "width": _size(page)[0],
            "height": _size(page)[1],
            "market": page["country"],
        }
        for page in found[:count]
    ]


@tool(
    GROUP,
    examples=[{"query": "climate change"}, {"query": "robot", "imgty": "photo", "imgt": "year"}],
    phrase=(
        "find images on Yahoo for {query}[, of the image type {imgty}][, with the age limited to the past "
        "{imgt}]"
    ),
    noun="the Yahoo image results",
    jobs=("pictures",),
)
def yahoo_image_search(
    world: World, *, query: SearchText, imgt: Period | None = None, imgty: ImageType | None = None
) -> list[YahooImage]:
    """Up to ten images for a query, by age and type where wanted.

    query: What the images should show.
    imgt: Only images that appeared during the past day, week, month or year.
    imgty: Only images of this type.
    """
    since = (world.today - timedelta(days=_DAYS[imgt])).isoformat() if imgt else ""
    pages = search_pages(world.seed, query, engine="yahoo images")
    first = [_image(page) for page in pages]
    added = [image for page in pages[:1] for image in _more_images(page, query, world.today)]
    found = [*first[:1], *added, *first[1:]] if imgt or imgty else [*first, *added]
    return [row for row in found if row["date"] >= since and imgty in (None, row["type"])][:10]


def _image(page: WebPage) -> YahooImage:
    """The picture that a page shows first."""
    return {
        "caption": page["title"],
        "original": _picture(page),
        "found_on": page["url"],
        "type": _type(page),
        "date": page["date"],
        "size_kb": 40 + seeds.number("size", page["url"]) % 900,
    }


def _more_images(page: WebPage, query: str, today: date) -> list[YahooImage]:
    """Pictures of what a query asks for that people added to the page that fits it best, of every type and age."""
    shown = " ".join(parse_query(query).text.split())[:80]
    found: list[YahooImage] = []
    for number in range(_MORE_IMAGES):
        kind = _ALL_TYPES[number % len(_ALL_TYPES)]
        key = f"{page['url']}#{shown}#{number}"
        age = _AGES[(number // len(_ALL_TYPES)) % len(_AGES)]
        day = today - timedelta(days=seeds.number("added", key) % age)
        found.append(
            {
                "caption": f"{shown[0].upper()}{shown[1:]} ({_CALLED[kind]} {1 + number // len(_ALL_TYPES)})",
                "original": f"https://images.example/{seeds.token(16, 'image', key)}.{_ENDINGS.get(kind, 'jpg')}",
                "found_on": page["url"],
                "type": kind,
                "date": day.isoformat(),
                "size_kb": 40 + seeds.number("size", key) % 900,
            }
        )
    return found


@tool(
    GROUP,
    examples=[{"query": "how a car engine works"}],
    phrase="find videos on Yandex about {query}",
    noun="the Yandex video results",
    jobs=("videos",),
)
def yandex_videos_search(world: World, *, query: SearchText) -> list[YandexVideo]:
    """Up to eight videos for a query, with their length and the page that tells more.

    query: What the videos should be about.
    """
    found = search_pages(world.seed, query, engine="yandex")[:8]
    return [
        {
            "title": f"{page['title']} (video)",
            "link": f"https://clips.example/watch/{seeds.token(11, 'clip', page['url'])}",
            "about": page["url"],
            "host": "clips.example",
            "duration_s": 30 + seeds.number("clip length", page["url"]) % 1200,
            "views": seeds.number(world.seed, "clip views", page["url"]) % 10**6,
        }
        for page in found
    ]


@tool(
    GROUP,
    examples=[{"query": "machine learning"}, {"query": "black holes", "sp": "CAI%3D"}],
    phrase="find videos on YouTube about {query}[, with the filter code {sp}]",
    noun="the YouTube video results",
    jobs=("videos",),
)
def youtube_search(world: World, *, query: SearchText, sp: str | None = None) -> list[YoutubeVideo]:
    """Up to eight videos for a query, with channel, date, length and views.

    query: What the videos should be about.
    sp: Filter code: CAI%3D lists the newest first, EgJwAQ%3D%3D only those in 4K.
    """
    code = unquote(unquote(sp or "")).rstrip("=")
    if code not in ("", "CAI", "EgJwAQ"):
        raise invalid(
            "sp", str(sp)[:40], "known filter codes are CAI%3D (newest first) and EgJwAQ%3D%3D (4K)"
        )
    found = search_pages(world.seed, query, engine="youtube")[:40]
    if code == "EgJwAQ":
        found = [page for page in found if _is_4k(page)]
    if code == "CAI":
        found.sort(key=lambda page: page["date"], reverse=True)
    return [
        {
            "title": page["title"],
            "video_url": f"https://video.example/watch?v={seeds.token(11, 'video', page['url'])}",
            "channel": person(world.seed, "channel", page["site"], page["country"])["name"],
            "published": page["date"],
            "length_s": 60 + seeds.number("length", page["url"]) % 1500,
            "views": seeds.number(world.seed, "views", page["url"]) % 10**7,
            "is_4k": _is_4k(page),
            "about": page["url"],
        }
        for page in found[:8]
    ]


# Width and height of the pictures that are usual on the web.
_SIZES = (
    (1920, 1080),
    (1600, 1200),
    (1280, 720),
    (1200, 800),
    (1080, 1080),
    (800, 1200),
    (1024, 768),
    (2048, 1365),
)


def _size(page: WebPage) -> tuple[int, int]:
    return _SIZES[seeds.number("size", page["url"]) % len(_SIZES)]


def _is_4k(page: WebPage) -> bool:
    return seeds.unit("4k", page["url"]) < 0.4


_FILTER = re.compile(r'interval="[4789]"|sortbydate')


def _news(world: World, query: str) -> list[Article]:
    """Articles for a query with operators, best first; all of them where the query has no words."""
    parsed = parse_query(query)
    shown = {
        page["url"]
        for page in search_pages(world.seed, query, engine="news", kinds=("news",))
        if fits(parsed, page)
    }
    index = news_index(world.seed)
    everything = [*reversed(happenings(world.seed)), *index.rows]
    ranked = news_about(world.seed, parsed.text) if parsed.text.strip() else everything
    return [
        row
        for row in ranked
        if row["url"] in shown or (row["id"] > len(index.rows) and fits(parsed, news_page(row)))
    ]


@tool(
    ENGINE,
    examples=[{"query": "artificial intelligence"}, {"query": "climate", "qft": 'sortbydate="1"'}],
    phrase=(
        "search Bing News for articles on {query}[, with the country set to {cc}][, with the filter {qft}]"
    ),
    noun="the Bing news results",
    jobs=("news",),
)
def bing_news_search(
    world: World, *, query: SearchText, cc: CountryCode | None = None, qft: str | None = None
) -> list[NewsHit]:
    """Up to ten news articles for a query.

    query: Words; site:, intitle: and -word narrow the search.
    cc: Two-letter code of a country; its outlets come first.
    qft: interval="7", "8" or "9" for the past day, week or 30 days; sortbydate="1" for newest first.
    """
    found, wanted = _news(world, query), qft or ""
    if wanted and not _FILTER.search(wanted):
        raise invalid("qft", wanted[:40], 'want interval="7", "8" or "9", or sortbydate="1"')
    for code, days in (("4", 1), ("7", 1), ("8", 7), ("9", 30)):
        if f'interval="{code}"' in wanted:
            since = (world.today - timedelta(days=days)).isoformat()
            found = [row for row in found if row["published_at"] >= since]
    if "sortbydate" in wanted:
        found.sort(key=lambda row: row["published_at"], reverse=True)
    elif cc:
        home = find_country(cc)["code"]
        found.sort(key=lambda row: row["country"] != home)
    return [
        {
            "title": row["title"],
            "link": row["url"],
            "source": row["domain"],
            "published": row["published_at"][:10],
            "snippet": row["description"],
            "thumbnail": row["image"],
        }
        for row in found[:10]
    ]


@tool(
    ENGINE,
    examples=[{"query": "quantum computing", "rn": 5}],
    phrase="search Baidu News for articles on {query}[, with the number of articles set to {rn}]",
    noun="the Baidu news results",
    jobs=("news",),
)
def baidu_news_search(
    world: World, *, query: SearchText, rn: Annotated[int, Range(1, 50)] = 10
) -> list[BaiduNewsHit]:
    """News articles for a query with reporter and number of readers, most read first.

    query: Words; site:, intitle: and -word narrow the search.
    rn: How many articles to list.
    """
    found = sorted(_news(world, query)[:100], key=lambda row: -row["popularity"])[:rn]
    return [
        {
            "headline": row["title"],
            "page": row["url"],
            "outlet": row["source"],
            "reporter": row["author"],
            "day": row["published_at"][:10],
            "readers": row["popularity"],
        }
        for row in found
    ]
