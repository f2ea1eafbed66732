"""Search/MultimodelSearch: images and videos about what the web of this world writes about; Engine news searches."""

import re
from datetime import date, timedelta
from typing import Annotated, Literal, NamedTuple, TypedDict, get_args
from urllib.parse import unquote

from toolyard.world.index import words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import (
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
from toolyard.world.kernel.views import View
from toolyard.world.reference.encyclopaedia.entries import suggest_titles
from toolyard.world.reference.people import name_of
from toolyard.world.reference.places.geography import find_country
from toolyard.world.simulated.articles import (
    Article,
    all_stories,
    article,
    count_readers,
    found_stories,
    near_headlines,
    publish_times,
)
from toolyard.world.simulated.pages import Subject, check_query, fits, news_page, parse_query, query_subject

GROUP, ENGINE = Group("Search/MultimodelSearch"), Group("Search/EngineSearch")
Period = Literal["day", "week", "month", "year"]
ImageType = Literal["photo", "clipart", "linedrawing", "gif", "transparent"]
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


class Picture(NamedTuple):
    """A picture: what it shows, its type, where it lies, the page that shows it, when it was added, and its size."""

    caption: str
    type: ImageType
    file: str
    page: str
    day: date
    width: int
    height: int
    kilobytes: int


class Video(NamedTuple):
    """A video and the page that tells more about its subject."""

    title: str
    key: str
    page: str
    day: date
    seconds: int
    is_4k: bool
    views: int
    channel: str


def _find_subject(query: str, what: str) -> Subject:
    """What a query is about; a not_found fault with near titles where nothing is."""
    found = query_subject(query)
    if found is None:
        raise not_found(what, query[:80], nearest=suggest_titles(query))
    return found


_ALBUMS = (("", 1), (" - Picture Desk", 25), (" - Image Archive", 200), (" - Image Index", 360))
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


def find_pictures(seed: int, query: str, today: date) -> list[Picture]:
    """A picture of every type from each collection, the photographs first; day and size are drawn."""
    subject, found = _find_subject(query, "picture of"), []
    for kind in get_args(ImageType):
        for album, oldest in _ALBUMS:
            key = (subject.title, kind, album)
            chance, ending = (
                seeds.stream(seed, "picture", *key),
                {"photo": "jpg", "gif": "gif"}.get(kind, "png"),
            )
            found.append(
                Picture(
                    f"{subject.title}{album}" if kind == "photo" else f"{subject.title} ({kind}){album}", kind,
                    f"https://images.example/{seeds.token(16, 'image', *key)}.{ending}", subject.url,
                    today - timedelta(days=chance.randrange(oldest + 1)), *chance.choice(_SIZES), chance.randrange(40, 940),
                )
            )  # fmt: skip
    return found


# What videos on a subject are called, with the least and the most minutes that they last.
_TITLES = (("{}", 3, 12), ("{}: a documentary", 40, 90), ("{} in one minute", 0.5, 1))


def find_videos(seed: int, query: str, today: date) -> list[Video]:
    """The videos on what a query is about; length, day and views are drawn."""
    subject, found = _find_subject(query, "video about"), []
    for number, (form, shortest, longest) in enumerate(_TITLES):
        key = f"{subject.title}#{number}"
        chance = seeds.stream(seed, "video", key)
        age = 3 + chance.randrange(700)
        found.append(
            Video(
                form.format(subject.title), key, subject.url, today - timedelta(days=age),
                round(60 * chance.uniform(shortest, longest)), chance.random() < 0.5 or number == 1,
                int(10 ** chance.uniform(3.4, 5.6) * age**0.4), name_of(0, "channel", subject.title, chance.randrange(4)),
            )
        )  # fmt: skip
    return found


BING_IMAGE = View[BingImage](
    {
        "title": "caption",
        "image": "file",
        "thumbnail": lambda picture: picture.file.replace("/images.", "/thumbs."),
        "page": "page",
        "width": "width",
        "height": "height",
    }
)
YAHOO_IMAGE = View.of(
    YahooImage,
    original="file",
    found_on="page",
    date=lambda picture: picture.day.isoformat(),
    size_kb="kilobytes",
)
CLIP = View.of(
    YandexVideo,
    link=lambda video: f"https://clips.example/watch/{seeds.token(11, 'clip', video.key)}",
    about="page",
    host=lambda _: "clips.example",
    duration_s="seconds",
)
VIDEO = View.of(
    YoutubeVideo,
    video_url=lambda video: f"https://video.example/watch?v={seeds.token(11, 'video', video.key)}",
    published=lambda video: video.day.isoformat(),
    length_s="seconds",
    about="page",
)


@GROUP.tool(
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
    found = find_pictures(world.seed, query, world.today)[:count]
    return [{**BING_IMAGE.row(picture), "market": market} for picture in found]


@GROUP.tool(
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
    found = (
        picture
        for picture in find_pictures(world.seed, query, world.today)
        if picture.day.isoformat() >= since and imgty in (None, picture.type)
    )
    return YAHOO_IMAGE.rows(found)[:10]


@GROUP.tool(
    examples=[{"query": "how a car engine works"}],
    phrase="find videos on Yandex about {query}",
    noun="the Yandex video results",
    jobs=("videos",),
)
def yandex_videos_search(world: World, *, query: SearchText) -> list[YandexVideo]:
    """A few videos for a query, and a page that tells more about it.

    query: What the videos should be about.
    """
    return CLIP.rows(find_videos(world.seed, query, world.today))


@GROUP.tool(
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
    found = find_videos(world.seed, query, world.today)
    if code == "EgJwAQ":
        found = [video for video in found if video.is_4k]
    if code == "CAI":
        found.sort(key=lambda video: video.day, reverse=True)
    return VIDEO.rows(found)


_FILTER = re.compile(r'interval="[4789]"|sortbydate')


def _matching_stories(world: World, query: str) -> list[int]:
    """The places of the stories for a query with operators, best first; of all, newest first, where it has no words."""
    parsed = parse_query(check_query(query))
    found = found_stories(parsed.text) if words(parsed.text) else list(range(len(all_stories())))[::-1]
    if not found:
        raise not_found("news about", query[:80], nearest=near_headlines(parsed.text))
    narrowed = parsed.wanted or parsed.unwanted or parsed.excluded
    return [place for place in found if not narrowed or fits(parsed, news_page(world.seed, place))]


NEWS = View.of(
    NewsHit,
    link="url",
    source="domain",
    published=lambda row: row["published_at"][:10],
    snippet="description",
)
BAIDU = View[BaiduNewsHit](
    {
        "headline": "title",
        "page": "url",
        "outlet": "source",
        "reporter": "author",
        "day": lambda row: row["published_at"][:10],
        "readers": "popularity",
    }
)


def _articles_by_number(world: World, places: list[int]) -> list[Article]:
    return [article(world.seed, place) for place in places]


@ENGINE.tool(
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
    cc: Two-letter code of a country; its outlets come first, unless the newest shall.
    qft: interval="7", "8" or "9" for the past day, week or 30 days; sortbydate="1" for newest first.
    """
    found, wanted = _matching_stories(world, query), qft or ""
    if wanted and not _FILTER.search(wanted):
        raise invalid("qft", wanted[:40], 'want interval="7", "8" or "9", or sortbydate="1"')
    for code, days in (("4", 1), ("7", 1), ("8", 7), ("9", 30)):
        if f'interval="{code}"' in wanted:
            since = (world.today - timedelta(days=days)).isoformat()
            found = [place for place in found if publish_times(world.seed)[place] >= since]
    if "sortbydate" in wanted:
        found.sort(key=lambda place: publish_times(world.seed)[place], reverse=True)
    elif cc:
        home = find_country(cc)["code"]
        found.sort(key=lambda place: all_stories()[place].source["country"] != home)
    return NEWS.rows(_articles_by_number(world, found[:10]))


@ENGINE.tool(
    examples=[{"query": "quantum computing", "rn": 5}],
    phrase="search Baidu News for articles on {query}[, with the number of articles set to {rn}]",
    noun="the Baidu news results",
    jobs=("news",),
)
def baidu_news_search(
    world: World, *, query: SearchText, rn: Annotated[int, Range(1, 50)] = 10
) -> list[BaiduNewsHit]:
    """News articles for a query, most read first.

    query: Words; site:, intitle: and -word narrow the search.
    rn: How many articles to list at most.
    """
    found = sorted(_matching_stories(world, query)[:100], key=lambda place: -count_readers(world.seed, place))
    return BAIDU.rows(_articles_by_number(world, found[:rn]))
