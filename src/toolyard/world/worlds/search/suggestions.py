"""Search: completions, related questions and the text of a page, beside a search."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import TypedDict

from toolyard.world.facts import THE_WEB
from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.shared import pages
from toolyard.world.shared.entries import completed, named, nearest_names
from toolyard.world.shared.entry import EntryTitle
from toolyard.world.shared.geography import cities, find_city
from toolyard.world.shared.page_search import check_sense
from toolyard.world.shared.sights import famous_cities
from toolyard.world.shared.subjects import known_words
from toolyard.world.state import World
from toolyard.world.tables import plain, read_table
from toolyard.world.types import (
    DomainName,
    PageUrl,
    PastDate,
    SearchText,
    Topic,
)
from toolyard.world.worlds.search.asked_about import questions_on
from toolyard.world.worlds.search.going_on import thing_searches
from toolyard.world.worlds.search.typed_on import whole_on, written_on
from toolyard.world.worlds.search.web import CUSTOM, ENGINE, MULTI

# To London one travels; what follows "how to" is no place.
_PLACED = re.compile(
    r"(.{3,80} (?:in|near)|(?:.{0,60} )?(?:flights?|trains?|bus|trip|travel|tickets?|route|drive|moving|cruise) to)"
    r"(?: (.{0,40}))?"
)
# What people leave out of the name of a company.
_SUFFIX = re.compile(
    r",? (?:Inc\.?|Incorporated|Corporation|Corp\.?|Company|plc|Ltd\.?|Limited|N\.V\.|S\.A\.|SE|AG|A/S)$"
)
_ENOUGH = 5  # completions that need no others


class Suggestion(TypedDict):
    value: Topic


class Question(TypedDict):
    question: str
    answer: str
    title: EntryTitle
    link: PageUrl


class Contents(TypedDict):
    url: PageUrl
    title: str
    site: DomainName
    published: PastDate
    text: str


@tool(
    CUSTOM,
    examples=[{"query": "climate ch"}],
    phrase="get the custom search kit's Google autocomplete suggestions for {query}",
    noun="the autocomplete suggestions from the custom search kit",
    jobs=("completions",),
    listed_as="GoogleAutocomplete",
)
@tool(
    ENGINE,
    examples=[{"query": "machine le"}],
    phrase="get the web engine search kit's Google autocomplete suggestions for {query}",
    noun="the autocomplete suggestions from the web engine search kit",
)
@tool(
    MULTI,
    examples=[{"query": "black ho"}],
    phrase="get the multimodal search kit's Google autocomplete suggestions for {query}",
    noun="the autocomplete suggestions from the multimodal search kit",
)
def google_autocomplete_search(*, query: SearchText) -> list[Suggestion]:
    """Up to ten common searches that go on from what has been typed so far; none where there is none.

    query: The beginning of a search.
    """
    if not plain(query):
        raise invalid("query", query, "give the beginning of a search")
    usual = usual_searches(query)
    shown = (_SUFFIX.sub("", row["title"]) for row in completed(query, 10))
    titles = [title for title in shown if not _NOT_TYPED.search(title)]
    heads = [title for title in titles if any(text.startswith(f"{plain(title)} ") for text in usual)]
    # What is asked about a word of the dictionary is asked where little else begins so.
    words_too = not any(titles) or len(usual) + len(titles) < _ENOUGH
    written = [] if usual else written_on(" ".join(plain(query).split()))
    found = [*heads, *usual[:6], *titles[:3], *written, *titles[3:], *usual[6:]]
    found += thing_searches(query) if words_too and len(written) < _FEW else ()
    if not found:
        near = (named(name) for name in nearest_names(query, 4, 85))
        found = [group[0]["title"] for group in (named(query), *near) if group]
    if not usual and len(titles) == 1:
        found += thing_searches(titles[0])
    return [{"value": text.lower()} for text in _shown(" ".join(plain(query).split()), found)]


def _shown(typed: str, found: list[str]) -> list[str]:
    """Ten texts at most that go on from what was typed, or correct it; never that alone, and none that is shorter."""
    going_on = [text for text in found if plain(text).startswith(typed)]
    if len(_beyond(typed, going_on)) < _FEW:
        going_on += written_on(typed)
    if not _beyond(typed, going_on):
        going_on += whole_on(typed)
    others = [text for text in found if text not in going_on and len(text) >= len(typed)]
    shown = going_on if len(going_on) >= _FEW else [*going_on, *others]
    return unlike(shown)[:10] if _beyond(typed, shown) else []


def _beyond(typed: str, texts: list[str]) -> list[str]:
    """Texts that say more than what was typed."""
    return [text for text in texts if plain(text).replace("-", " ") != typed.replace("-", " ")]


_FEW = 3
# What stands in titles and in no search: Mona Lisa, Age Twelve; Star Wars (Main Title).
_NOT_TYPED = re.compile(r"[(;]|, (?!inc\b)", re.I)


@functools.cache
def _usual() -> tuple[str, ...]:
    listed = (row["text"] for row in read_table("completions.tsv"))
    beside = (text for row in read_table("related_searches.tsv") for text in row["queries"].split(";"))
    return tuple(dict.fromkeys((*listed, *beside)))


def usual_searches(query: str) -> list[str]:
    """Searches of many people that begin with what was typed, and places after "restaurants in"."""
    typed = " ".join(plain(query).split())
    if not typed:
        return []
    found = [text for text in _usual() if text.startswith(typed) and text != typed]
    place = _PLACED.fullmatch(typed)
    if place and place[1].endswith(" near") and not place[2]:
        found.append(f"{typed} me")
    elif place and known_words(place[1]):
        known = (*map(find_city, famous_cities()), *cities()[:60])
        towns = [city["name"] for city in known if plain(city["name"]).startswith(place[2] or "")]
        found += [f"{place[1]} {name.lower()}" for name in towns[:10]]
    return unlike(found)


def unlike(texts: Iterable[str]) -> list[str]:
    """Texts without those that say the same as an earlier one."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(plain(text), text)
    return list(found.values())


@tool(
    CUSTOM,
    examples=[{"query": "photosynthesis"}],
    phrase="get the custom search kit's Google list of questions people also ask about {query}",
    noun="the related questions from the custom search kit",
    jobs=("related questions", "answers to questions"),
    listed_as="GoogleRelatedQuestions",
)
@tool(
    ENGINE,
    examples=[{"query": "attractions in Paris"}],
    phrase="get the web engine search kit's Google list of questions people also ask about {query}",
    noun="the related questions from the web engine search kit",
)
@tool(
    MULTI,
    examples=[{"query": "climate change"}],
    phrase="get the multimodal search kit's Google list of questions people also ask about {query}",
    noun="the related questions from the multimodal search kit",
)
def google_related_question_search(*, query: SearchText) -> list[Question]:
    """Questions on a subject, each with a short answer and the article on what it is about; none on some subjects.

    query: The subject.
    """
    if not plain(query):
        raise invalid("query", query, "give a subject")
    check_sense(query)
    return [
        {
            "question": row.question,
            "answer": row.answer,
            "title": row.entry["title"],
            "link": pages.entry_url(row.entry["title"]),
        }
        for row in questions_on(query)
    ]


@tool(
    CUSTOM,
    examples=[{"request_url": "https://zhuanlan.zhihu.com/p/645388566"}],
    phrase="use the custom search kit to open {request_url} and read out the whole text of the page",
    noun="the page text from the custom search kit",
    jobs=("reading a page",),
    stands_in_for=(THE_WEB,),
    listed_as="WebPageText",
)
@tool(
    ENGINE,
    examples=[{"request_url": "https://encyclopedia.example/wiki/Paris"}],
    phrase="use the web engine search kit to open {request_url} and read out the whole text of the page",
    noun="the page text from the web engine search kit",
    stands_in_for=(THE_WEB,),
)
@tool(
    MULTI,
    examples=[{"request_url": "https://explainers.example/climate-change"}],
    phrase="use the multimodal search kit to open {request_url} and read out the whole text of the page",
    noun="the page text from the multimodal search kit",
    stands_in_for=(THE_WEB,),
)
def get_further_contents(world: World, *, request_url: PageUrl) -> Contents:
    """The text of a web page, with its date.

    Kept are the pages that searches return, and the articles of the encyclopaedia under their English Wikipedia address,
    in a short form.

    request_url: Address of the page, as the search tools return it.
    """
    page = pages.find_page(world.seed, request_url)
    return {
        "url": page["url"],
        "title": page["title"],
        "site": page["site"],
        "published": page["date"],
        "text": page["text"],
    }
