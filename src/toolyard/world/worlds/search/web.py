"""Search: web engines, suggestions, questions, and pages to read."""

from __future__ import annotations

from typing import Annotated, TypedDict

from toolyard.world.facts import THE_WEB
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared import pages
from toolyard.world.shared.entries import about, named, related
from toolyard.world.shared.entry import Entry, EntryTitle
from toolyard.world.shared.entry_questions import answer_to
from toolyard.world.shared.geography import find_country, plain
from toolyard.world.shared.page_query import WebPage, parse_query
from toolyard.world.shared.page_search import check_sense, search_pages, snippet
from toolyard.world.state import World
from toolyard.world.types import (
    CountryCode,
    DomainName,
    PageUrl,
    PastDate,
    Range,
    SearchText,
)

CUSTOM, ENGINE, MULTI = "Search/CostumizeSearch", "Search/EngineSearch", "Search/MultimodelSearch"
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
    related_searches: list[EntryTitle]


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
    market: CountryCode


class DuckAnswer(TypedDict):
    abstract: str
    abstract_source: PageUrl | None
    topics: list[EntryTitle]
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
    also_read: list[EntryTitle]


def _hits(found: list[WebPage], query: str, count: int) -> list[Hit]:
    return [
        {
            "position": number,
            "title": page["title"],
            "link": page["url"],
            "snippet": snippet(page, query),
        }
        for number, page in enumerate(found[:count], start=1)
    ]


def _panel(query: str) -> Panel | None:
    group = named(query)
    if not group:
        return None
    entry = group[0]
    return {
        "title": entry["title"],
        "kind": entry["kind"],
        "description": pages.sentences(entry["text"])[0],
        "source": pages.entry_url(entry["title"]),
    }


def _found(world: World, query: str, engine: str) -> list[WebPage]:
    """The pages for a query; a fault where it makes no sense."""
    found = search_pages(world.seed, query, engine=engine)
    if not found:
        check_sense(query)
    return found


def _searched_next(query: str) -> list[str]:
    """What is searched for around a query: not itself, and no common noun out of a longer query."""
    several = len(words(query)) > 1
    return [
        entry["title"]
        for entry in about(query, 8)
        if plain(entry["title"]) != plain(query) and not (several and _is_lone_noun(entry))
    ][:5]


def _is_lone_noun(entry: Entry) -> bool:
    return "P279" in entry["properties"] and " " not in entry["title"] and entry["qid"].startswith("X")


@tool(
    ENGINE,
    examples=[{"query": "top attractions in Paris"}, {"query": "Mars", "num": 3}],
    phrase="search the web on Google for {query}[, with the number of pages set to {num}]",
    noun="the Google web results",
    stands_in_for=(THE_WEB,),
)
def google_search(world: World, *, query: SearchText, num: Count = 10) -> GoogleAnswer:
    """Up to 30 web pages for a query, with a fact panel where the query names something and searches nearby.

    The web is a small one, of common knowledge; none is listed where no page has the words of a query together.

    query: Words; site:, intitle:, inurl: and -word narrow the search.
    num: How many pages to list.
    """
    found = _found(world, query, "google")
    return {
        "total": len(found),
        "knowledge_panel": _panel(query),
        "organic_results": _hits(found, query, num),
        "related_searches": _searched_next(parse_query(query).text),
    }


@tool(
    ENGINE,
    examples=[{"query": "quantum computing", "rn": 5}],
    phrase="search the web on Baidu for {query}[, with the number of pages set to {rn}]",
    noun="the Baidu web results",
    stands_in_for=(THE_WEB,),
)
def baidu_search(world: World, *, query: SearchText, rn: Count = 10) -> list[BaiduHit]:
    """Web pages for a query, with the day on which each was stored.

    None is listed where no page of this small web has the words of a query together.

    query: Words; site:, intitle:, inurl: and -word narrow the search.
    rn: How many pages to list.
    """
    found = _found(world, query, "baidu")[:rn]
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


@tool(
    ENGINE,
    examples=[{"query": "renewable energy", "cc": "GB"}],
    phrase="search the web on Bing for {query}[, with the country set to {cc}]",
    noun="the Bing web results",
    stands_in_for=(THE_WEB,),
)
def bing_search(world: World, *, query: SearchText, cc: CountryCode | None = None) -> list[BingHit]:
    """Up to ten web pages for a query, those from the wanted country first.

    None is listed where no page of this small web has the words of a query together.

    query: Words; site:, intitle:, inurl: and -word narrow the search.
    cc: Two-letter code of the country to search from.
    """
    found = _found(world, query, "bing")[:50]
    market = find_country(cc)["code"] if cc else "US"
    home = plain(find_country(cc)["name"]) if cc else ""
    found.sort(key=lambda page: page["country"] != market and not (home and home in plain(page["title"])))
    return [
        {
            "name": page["title"],
            "url": page["url"],
            "display_domain": page["site"],
            "caption": snippet(page, query),
            "market": page["country"],
        }
        for page in found[:10]
    ]


def _is_word(entry: Entry) -> bool:
    """Whether an entry is a noun of the dictionary, beside which stand mere synonyms."""
    return "P279" in entry["properties"] and entry["text"].startswith(f"{entry['title']}: ")


def _is_sister(entry: Entry, title: str) -> bool:
    """Whether a title beside a capital of the dictionary names only another capital, or the class."""
    other = next(iter(named(title)), None)
    alike = other is not None and other["kind"] in ("national capital", "city")
    return entry["kind"] == "national capital" and (alike or title == "National capital")


@tool(
    ENGINE,
    examples=[{"query": "Marie Curie"}],
    phrase="search DuckDuckGo for {query}",
    noun="the DuckDuckGo results",
    stands_in_for=(THE_WEB,),
)
def duckduckgo_search(world: World, *, query: SearchText) -> DuckAnswer:
    """An abstract of what the query names, and up to eight web pages.

    None is listed where no page of this small web has the words of a query together.

    query: Words; site:, intitle:, inurl: and -word narrow the search.
    """
    entry = answer_to(query)
    found = _found(world, query, "duckduckgo")
    return {
        "abstract": entry["text"] if entry else "",
        "abstract_source": pages.entry_url(entry["title"]) if entry else None,
        "topics": [title for title in related(entry["title"]) if not _is_sister(entry, title)]
        if entry and not _is_word(entry)
        else [],
        "results": _hits(found, query, 8),
    }


@tool(
    ENGINE,
    examples=[{"query": "robotics"}],
    phrase="search Naver for {query}",
    noun="the Naver results",
    stands_in_for=(THE_WEB,),
)
def naver_search(world: World, *, query: SearchText) -> NaverAnswer:
    """Results for a query in three groups, each with its day: encyclopaedia and guides, answered questions, and news.

    None is listed where no page of this small web has the words of a query together.

    query: Words to search for.
    """
    groups = {
        "web": ("encyclopedia", "guide", "blog"),
        "question_and_answer": ("question",),
        "news": ("news",),
    }
    found: dict[str, list[DatedHit]] = {}
    for name, kinds in groups.items():
        shown = search_pages(world.seed, query, engine="naver", kinds=kinds)[:4]
        dated = zip(_hits(shown, query, 4), shown, strict=True)
        found[name] = [{**hit, "date": page["date"]} for hit, page in dated]
    if not any(found.values()):
        check_sense(query)
    return {"web": found["web"], "question_and_answer": found["question_and_answer"], "news": found["news"]}


def _next_to(page: WebPage) -> list[EntryTitle]:
    """Up to two subjects beside that of an article of the encyclopaedia; none beside other pages."""
    group = named(page["title"])[:1] if page["kind"] == "encyclopedia" else ()
    near = related(group[0]["title"])[:2] if group else ()
    return [title[0].upper() + title[1:] for title in near]


@tool(
    ENGINE,
    examples=[{"query": "healthy recipes"}],
    phrase="search the web on Yahoo for {query}",
    noun="the Yahoo web results",
    stands_in_for=(THE_WEB,),
)
def yahoo_search(world: World, *, query: SearchText) -> list[YahooHit]:
    """Up to seven web pages for a query, articles with subjects to read about next.

    None is listed where no page of this small web has the words of a query together.

    query: Words to search for.
    """
    found = _found(world, query, "yahoo")[:7]
    return [
        {
            "heading": page["title"],
            "address": page["url"],
            "site": page["site"],
            "summary": snippet(page, query),
            "also_read": _next_to(page),
        }
        for page in found
    ]
