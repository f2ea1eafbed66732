"""Search: web engines, suggestions, questions, and pages to read."""

from typing import Annotated, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.facts import THE_WEB
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import CountryCode, DomainName, PageUrl, PastDate, Range, SearchText
from toolyard.world.reference.encyclopaedia.entries import entries_named, look_up_entry
from toolyard.world.reference.encyclopaedia.entry import EntryTitle
from toolyard.world.reference.places.geography import find_country
from toolyard.world.simulated.pages import WebPage, entry_url, search_pages, sentences, snippet

CUSTOM = Group("Search/CostumizeSearch")
ENGINE = Group("Search/EngineSearch")
MULTI = Group("Search/MultimodelSearch")
Count = Annotated[int, Range(1, 50)]


class Hit(TypedDict):
    position: int
    title: str
    link: PageUrl
    snippet: str


class Panel(TypedDict):
    title: EntryTitle
    kind: str
    description: str
    source: PageUrl


class GoogleAnswer(TypedDict):
    total: int
    knowledge_panel: Panel | None
    organic_results: list[Hit]


class BaiduHit(TypedDict):
    rank: int
    headline: str
    page: PageUrl
    extract: str
    cached_on: PastDate


class BingHit(TypedDict):
    name: str
    url: PageUrl
    display_domain: DomainName
    caption: str


class DuckAnswer(TypedDict):
    abstract: str
    abstract_source: PageUrl
    results: list[Hit]


class DatedHit(Hit):
    date: PastDate


class NaverAnswer(TypedDict):
    web: list[DatedHit]
    question_and_answer: list[DatedHit]
    news: list[DatedHit]


class YahooHit(TypedDict):
    heading: str
    address: PageUrl
    site: DomainName
    summary: str


def _search_hits(found: list[WebPage], query: str, count: int) -> list[Hit]:
    return [
        {"position": number, "title": page["title"], "link": page["url"], "snippet": snippet(page, query)}
        for number, page in enumerate(found[:count], start=1)
    ]


def _knowledge_panel(query: str) -> Panel | None:
    for entry in entries_named(query)[:1]:
        first = sentences(entry["text"])[0]
        source = entry_url(entry["title"])
        return {"title": entry["title"], "kind": entry["kind"], "description": first, "source": source}
    return None


@ENGINE.tool(
    examples=[{"query": "top attractions in Paris"}, {"query": "Mars", "num": 3}],
    phrase="search the web on Google for {query}[, with the number of pages set to {num}]",
    noun="the Google web results",
    stands_in_for=(THE_WEB,),
)
def google_search(world: World, *, query: SearchText, num: Count = 10) -> GoogleAnswer:
    """Web pages for a query, about how many there are in all, and a fact panel where the query names something.

    query: Words; site:, intitle:, inurl: and -word narrow the search.
    num: How many pages to list at most.
    """
    found = search_pages(world.seed, query, engine="google")
    return {
        "total": 1000 * (len(found) + seeds.number(world.seed, "hits", found[0]["url"]) % 90_000),
        "knowledge_panel": _knowledge_panel(query),
        "organic_results": _search_hits(found, query, num),
    }


@ENGINE.tool(
    examples=[{"query": "quantum computing", "rn": 5}],
    phrase="search the web on Baidu for {query}[, with the number of pages set to {rn}]",
    noun="the Baidu web results",
    stands_in_for=(THE_WEB,),
)
def baidu_search(world: World, *, query: SearchText, rn: Count = 10) -> list[BaiduHit]:
    """Web pages for a query, with the day on which each was stored.

    query: Words; site:, intitle:, inurl: and -word narrow the search.
    rn: How many pages to list at most.
    """
    found = search_pages(world.seed, query, engine="baidu")[:rn]
    return [
        {
            "rank": rank,
            "headline": page["title"],
            "page": page["url"],
            "extract": snippet(page, query),
            "cached_on": page["date"],
        }
        for rank, page in enumerate(found, start=1)
    ]


@ENGINE.tool(
    examples=[{"query": "renewable energy", "cc": "GB"}],
    phrase="search the web on Bing for {query}[, with the country set to {cc}]",
    noun="the Bing web results",
    stands_in_for=(THE_WEB,),
)
def bing_search(world: World, *, query: SearchText, cc: CountryCode | None = None) -> list[BingHit]:
    """Up to ten web pages for a query.

    query: Words; site:, intitle:, inurl: and -word narrow the search.
    cc: Two-letter code of the country to search from.
    """
    found = search_pages(world.seed, query, engine="bing")[:50]
    market = find_country(cc)["code"] if cc else "US"
    found.sort(key=lambda page: page["country"] != market)
    return [
        {
            "name": page["title"],
            "url": page["url"],
            "display_domain": page["site"],
            "caption": snippet(page, query),
        }
        for page in found[:10]
    ]


@ENGINE.tool(
    examples=[{"query": "Marie Curie"}],
    phrase="search DuckDuckGo for {query}",
    noun="the DuckDuckGo results",
    stands_in_for=(THE_WEB,),
)
def duckduckgo_search(world: World, *, query: SearchText) -> DuckAnswer:
    """An abstract of what the query names or asks for, where there is one, and up to eight web pages.

    query: Words; site:, intitle:, inurl: and -word narrow the search.
    """
    found = search_pages(world.seed, query, engine="duckduckgo")
    entry = look_up_entry(query)
    return {
        "abstract": entry["text"] if entry else " ".join(sentences(found[0]["text"])[:3]),
        "abstract_source": entry_url(entry["title"]) if entry else found[0]["url"],
        "results": _search_hits(found, query, 8),
    }


@ENGINE.tool(
    examples=[{"query": "robotics"}],
    phrase="search Naver for {query}",
    noun="the Naver results",
    stands_in_for=(THE_WEB,),
)
def naver_search(world: World, *, query: SearchText) -> NaverAnswer:
    """Results for a query in three groups, each with its day: encyclopaedia and guides, answered questions, and news.

    query: Words to search for.
    """
    found = search_pages(world.seed, query, engine="naver")

    def group(*kinds: str) -> list[DatedHit]:
        shown = [page for page in found if page["kind"] in kinds][:4]
        dated = zip(_search_hits(shown, query, 4), shown, strict=True)
        return [{**hit, "date": page["date"]} for hit, page in dated]

    return {
        "web": group("encyclopedia", "guide", "blog", "site", "paper"),
        "question_and_answer": group("question"),
        "news": group("news"),
    }


@ENGINE.tool(
    examples=[{"query": "healthy recipes"}],
    phrase="search the web on Yahoo for {query}",
    noun="the Yahoo web results",
    stands_in_for=(THE_WEB,),
)
def yahoo_search(world: World, *, query: SearchText) -> list[YahooHit]:
    """Up to seven web pages for a query.

    query: Words to search for.
    """
    found = search_pages(world.seed, query, engine="yahoo")[:7]
    return [
        {
            "heading": page["title"],
            "address": page["url"],
            "site": page["site"],
            "summary": snippet(page, query),
        }
        for page in found
    ]
