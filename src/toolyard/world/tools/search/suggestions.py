"""Search: completions, related questions and the text of a page, beside a search."""

import functools
from typing import TypedDict

from toolyard.world.index.prefixes import Completions
from toolyard.world.kernel.facts import THE_WEB
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain, read_table
from toolyard.world.kernel.types import DomainName, PageUrl, PastDate, SearchText, Topic
from toolyard.world.reference.encyclopaedia.entries import complete_title, suggest_titles
from toolyard.world.reference.encyclopaedia.entry import EntryTitle
from toolyard.world.simulated.pages import find_page, related_questions
from toolyard.world.simulated.search_interest import term_popularity
from toolyard.world.tools.search.web import CUSTOM, ENGINE, MULTI


class Suggestion(TypedDict):
    value: Topic
    relevance: int


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


@CUSTOM.tool(
    examples=[{"query": "climate ch"}],
    phrase="get the custom search kit's Google autocomplete suggestions for {query}",
    noun="the autocomplete suggestions from the custom search kit",
    jobs=("completions",),
    listed_as="GoogleAutocomplete",
)
@ENGINE.tool(
    examples=[{"query": "machine le"}],
    phrase="get the web engine search kit's Google autocomplete suggestions for {query}",
    noun="the autocomplete suggestions from the web engine search kit",
)
@MULTI.tool(
    examples=[{"query": "black ho"}],
    phrase="get the multimodal search kit's Google autocomplete suggestions for {query}",
    noun="the autocomplete suggestions from the multimodal search kit",
)
def google_autocomplete_search(world: World, *, query: SearchText) -> list[Suggestion]:
    """Up to ten common searches that go on from what has been typed so far.

    query: The beginning of a search.
    """
    if not plain(query):
        raise invalid("query", query, "give the beginning of a search")
    typed = " ".join(plain(query).split())
    titles = [row["title"].lower() for row in complete_title(query, 10) if "(" not in row["title"]]
    every = list(dict.fromkeys((*usual_searches(typed), *titles)))
    found = [text for text in every if plain(text) != typed][:10] or every
    found = [text for text in found if plain(text).startswith(typed)] or found
    if not found:
        raise not_found("search that begins with", query[:60], nearest=suggest_titles(query))
    rows: list[Suggestion] = [{"value": text, "relevance": relevance(world.seed, text)} for text in found]
    return sorted(rows, key=lambda row: -row["relevance"])


def relevance(seed: int, text: str) -> int:
    """How strongly a search is suggested: the more often people search so, the more."""
    return round(100 * term_popularity(seed, text))


@functools.cache
def _usual_completions() -> Completions[dict[str, str]]:
    """The searches of many people."""
    listed = (row["text"] for row in read_table("completions.tsv"))
    beside = (text for row in read_table("related_searches.tsv") for text in row["queries"].split(";"))
    typed = (f"{row['start']} {end}" for row in read_table("typed_on.tsv") for end in row["ends"].split(";"))
    return Completions([{"text": text} for text in dict.fromkeys((*listed, *beside, *typed))], "text")


def usual_searches(typed: str) -> list[str]:
    """Searches of many people that begin with what was typed in plain letters."""
    found = (row["text"] for row in _usual_completions().starting(typed, 10)) if typed else ()
    return [text for text in found if plain(text).startswith(typed) and plain(text) != typed]


@CUSTOM.tool(
    examples=[{"query": "photosynthesis"}],
    phrase="get the custom search kit's Google list of questions people also ask about {query}",
    noun="the related questions from the custom search kit",
    jobs=("related questions", "answers to questions"),
    listed_as="GoogleRelatedQuestions",
)
@ENGINE.tool(
    examples=[{"query": "attractions in Paris"}],
    phrase="get the web engine search kit's Google list of questions people also ask about {query}",
    noun="the related questions from the web engine search kit",
)
@MULTI.tool(
    examples=[{"query": "climate change"}],
    phrase="get the multimodal search kit's Google list of questions people also ask about {query}",
    noun="the related questions from the multimodal search kit",
)
def google_related_question_search(world: World, *, query: SearchText) -> list[Question]:
    """Questions on a subject, each with a short answer and the article on what it is about.

    query: The subject.
    """
    if not plain(query):
        raise invalid("query", query, "give a subject")
    return [
        {"question": row.question, "answer": row.answer, "title": row.title, "link": row.url}
        for row in related_questions(world.seed, query)
    ]


@CUSTOM.tool(
    examples=[{"request_url": "https://zhuanlan.zhihu.com/p/645388566"}],
    phrase="use the custom search kit to open {request_url} and read out the whole text of the page",
    noun="the page text from the custom search kit",
    jobs=("reading a page",),
    stands_in_for=(THE_WEB,),
    listed_as="WebPageText",
)
@ENGINE.tool(
    examples=[{"request_url": "https://encyclopedia.example/wiki/Paris"}],
    phrase="use the web engine search kit to open {request_url} and read out the whole text of the page",
    noun="the page text from the web engine search kit",
    stands_in_for=(THE_WEB,),
)
@MULTI.tool(
    examples=[{"request_url": "https://readers.example/on/Climate%20change"}],
    phrase="use the multimodal search kit to open {request_url} and read out the whole text of the page",
    noun="the page text from the multimodal search kit",
    stands_in_for=(THE_WEB,),
)
def get_further_contents(world: World, *, request_url: PageUrl) -> Contents:
    """The text of a web page, with its date.

    request_url: Address of the page, as the search tools return it.
    """
    page = find_page(world.seed, request_url)
    return {
        "url": page["url"],
        "title": page["title"],
        "site": page["site"],
        "published": page["date"],
        "text": page["text"],
    }
