"""Search/MultimodelSearch: images and videos about what the web of this world writes about; Engine news searches."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated, Literal, TypedDict
from urllib.parse import unquote

from toolyard.world import seeds
from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.shared.articles import Article
from toolyard.world.shared.articles import index as news_index
from toolyard.world.shared.found_pictures import ImageType, Picture, pictured, pictures
from toolyard.world.shared.geography import find_country
from toolyard.world.shared.happened import happenings
from toolyard.world.shared.page_query import fits, parse_query
from toolyard.world.shared.page_search import check_sense, search_pages
from toolyard.world.shared.pages import entry_url, news_page
from toolyard.world.shared.people import person
from toolyard.world.shared.query_words import asked
from toolyard.world.shared.reports import told_of
from toolyard.world.shared.videos import Video, filmed, page_about, videos, without_length
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
Period = Literal["day", "week", "month", "year"]
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


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


class BaiduNewsHit(TypedDict):
    headline: str
    page: PageUrl
    outlet: str
    reporter: PersonName
    day: PastDate
    readers: int


def _pictures(query: str) -> list[Picture]:
    """The pictures for a query; a fault where it makes no sense."""
    subject = pictured(asked(query))
    if subject is None:
        check_sense(query)
    return pictures(subject, query) if subject else []


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
    """Images for a query with their size and the page they are on.

    query: What the images should show.
    cc: Two-letter code of the country to search from, which is the market; US where left out.
    count: How many images to list at most.
    """
    market = find_country(cc)["code"] if cc is not None else "US"
    return [
        {
            "title": picture.caption,
            "image": picture.file,
            "thumbnail": picture.file.replace("/images.", "/thumbs."),
            "page": picture.page,
            "width": picture.width,
            "height": picture.height,
            "market": market,
        }
        for picture in _pictures(query)[:count]
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
    """Up to ten images for a query.

    query: What the images should show.
    imgt: Only images that appeared during the past day, week, month or year.
    imgty: Only images of this type.
    """
    since = (world.today - timedelta(days=_DAYS[imgt])).isoformat() if imgt else ""
    found: list[YahooImage] = [
        {
            "caption": picture.caption,
            "original": picture.file,
            "found_on": picture.page,
            "type": picture.type,
            "date": picture.day.isoformat(),
            "size_kb": 40 + seeds.number("size", picture.file) % 900,
        }
        for picture in _pictures(query)
        if picture.day.isoformat() >= since and imgty in (None, picture.type)
    ]
    return found[:10]


def _videos(world: World, query: str, engine: str) -> tuple[list[Video], str]:
    """The videos for a query and the page that tells more; a fault where it makes no sense."""
    subject = filmed(asked(query))
    title = page_about(subject) if subject else None
    page = next(iter(search_pages(world.seed, without_length(query), engine=engine)), None)
    if subject is None or (page is None and title is None):
        check_sense(query)
        return [], ""
    return videos(subject, query), page["url"] if page else entry_url(str(title))


@tool(
    GROUP,
    examples=[{"query": "how a car engine works"}],
    phrase="find videos on Yandex about {query}",
    noun="the Yandex video results",
    jobs=("videos",),
)
def yandex_videos_search(world: World, *, query: SearchText) -> list[YandexVideo]:
    """A few videos for a query, and a page that tells more about it.

    query: What the videos should be about.
    """
    found, page = _videos(world, query, "yandex")
    return [
        {
            "title": video.title,
            "link": f"https://clips.example/watch/{seeds.token(11, 'clip', video.key)}",
            "about": page,
            "host": "clips.example",
            "duration_s": video.seconds,
            "views": _views(world, video),
        }
        for video in found
    ]


def _views(world: World, video: Video) -> int:
    """More for older videos: from thousands to some millions."""
    age = (world.today - video.day).days
    lift = 12 if video.has_fans else 1
    return int(lift * 10 ** (3.4 + 1.4 * seeds.unit(world.seed, "views", video.key)) * (1 + age) ** 0.4)


@tool(
    GROUP,
    examples=[{"query": "machine learning"}, {"query": "black holes", "sp": "CAI%3D"}],
    phrase="find videos on YouTube about {query}[, with the filter code {sp}]",
    noun="the YouTube video results",
    jobs=("videos",),
)
def youtube_search(world: World, *, query: SearchText, sp: str | None = None) -> list[YoutubeVideo]:
    """A few YouTube videos for a query, each with its channel, and a page that tells more about it.

    query: What the videos should be about.
    sp: Filter code: CAI%3D lists the newest first, EgJwAQ%3D%3D only those in 4K.
    """
    code = unquote(unquote(sp or "")).rstrip("=")
    if code not in ("", "CAI", "EgJwAQ"):
        raise invalid(
            "sp", str(sp)[:40], "known filter codes are CAI%3D (newest first) and EgJwAQ%3D%3D (4K)"
        )
    found, page = _videos(world, query, "youtube")
    if code == "EgJwAQ":
        found = [video for video in found if video.is_4k]
    if code == "CAI":
        found.sort(key=lambda video: video.day, reverse=True)
    return [
        {
            "title": video.title,
            "video_url": f"https://video.example/watch?v={seeds.token(11, 'video', video.key)}",
            "channel": person(world.seed, "channel", video.key)["name"],
            "published": video.day.isoformat(),
            "length_s": video.seconds,
            "views": _views(world, video),
            "is_4k": video.is_4k,
            "about": page,
        }
        for video in found
    ]


_FILTER = re.compile(r'interval="[4789]"|sortbydate')


def _news(world: World, query: str) -> list[Article]:
    """Articles for a query with operators, best first; all of them where the query has no words."""
    parsed = parse_query(asked(query))
    everything = [*reversed(happenings(world.seed)), *news_index(world.seed).rows]
    ranked = told_of(world.seed, parsed.text) if parsed.text.strip() else everything
    return [row for row in ranked if fits(parsed, news_page(row))]


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
    """Up to ten news articles for a query: a small choice of what happened from January 2023 on.

    query: Words; site:, intitle: and -word narrow the search.
    cc: Two-letter code of a country; its outlets come first, unless the newest shall.
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
    """News articles for a query, most read first: a small choice of what happened from January 2023 on.

    query: Words; site:, intitle: and -word narrow the search.
    rn: How many articles to list at most.
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
