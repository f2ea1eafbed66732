"""The web of this world: encyclopaedia, explainers, guides, answered questions, weather and news, found by address."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote, unquote

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.search import words
from toolyard.world.shared.articles import Article, articles
from toolyard.world.shared.entries import entries, named
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.entry_facts import asked_about
from toolyard.world.shared.found_pictures import picture_page
from toolyard.world.shared.further_papers import paper_at
from toolyard.world.shared.geography import find_city, plain, read_table
from toolyard.world.shared.happened import happenings_by_url
from toolyard.world.shared.often_asked import OftenAsked, all_asked
from toolyard.world.shared.page_query import WebPage, page_of
from toolyard.world.shared.scholarship import Paper, papers
from toolyard.world.shared.sights import famous_cities, sights
from toolyard.world.shared.web_guides import guides, weather_page, weather_page_at

_STATED = re.compile(
    r"\S.*?(?<!\bInc)(?<!\bCorp)(?<!\bCo)(?<!\bLtd)(?<!\b[A-Z])(?<!\bSt)(?<!\bMt)(?<!\bDr)(?<!\bMr)[.!?](?=\s|$)"
)
_WIKIPEDIA = re.compile(
    r"(?:https?://)?(?:en|simple|www)(?:\.m)?\.wikipedia\.org/wiki/([^?#]{1,200})(?:[?#].*)?", re.I
)
_ARXIV = re.compile(
    r"(?:https?://)?(?:www\.)?arxiv\.org/(?:abs|pdf)/(\d{4}\.\d{4,5})(?:v\d+)?(?:\.pdf)?/?", re.I
)
_GUTENBERG = re.compile(r"(?:https?://)?(?:www\.)?gutenberg\.org/ebooks/(\d{1,6})/?", re.I)
_FOR_EXAMPLES = re.compile(r"(?:https?://)?(?:www\.)?example\.(?:com|org|net)/?", re.I)
# What an address of the encyclopaedia adds to a name to tell it from others: Mercury (planet).
_TOLD_APART = re.compile(r"(.{1,80}?) \((.{1,60})\)")
# What articles tell that happened in March or April 2024, and in May.
_TOLD_SINCE = re.compile(r"Tortured Poets|(?:March|April) 2024|Cowboy Carter|In 2024 it was on 31 March")
_TOLD_IN_MAY = re.compile(r"May 2024|Borussia Dortmund against Real Madrid")
_YEARS_TOLD = re.compile(r"\b202[34]\b")
_OUTLINED = ("country", "city", "company", "university")


def sentences(text: str) -> list[str]:
    """The sentences of a text; a point behind Inc. or St. ends none."""
    return _STATED.findall(text)


def entry_url(title: str) -> str:
    """Where the encyclopaedia keeps an entry."""
    return f"https://encyclopedia.example/wiki/{quote(title.replace(' ', '_'))}"


def _slug(text: str) -> str:
    return quote(plain(text).replace(" ", "-").replace("?", "").replace("/", "-"))


def entry_page(entry: Entry) -> WebPage:
    """The article of the encyclopaedia."""
    since = _TOLD_SINCE.search(entry["text"]) or entry["properties"].get("P577", [""])[0].startswith("2024")
    day = "2024-05-14" if _TOLD_IN_MAY.search(entry["text"]) else "2024-05-02" if since else "2024-03-01"
    return page_of(entry_url(entry["title"]), entry["title"], entry["text"], "encyclopedia", day)


def fact_pages(entry: Entry) -> list[WebPage]:
    """A page for each question on a fact that the encyclopaedia knows about a thing."""
    return [
        page_of(
            f"https://answers.example/q/{_slug(row.question)}",
            row.question,
            row.answer,
            "question",
            _day_of(entry, "2023-11-05"),
        )
        for row in asked_about(entry)
    ]


def about_entry(entry: Entry) -> Iterator[WebPage]:
    """The pages about a thing: the article, an explainer where the article says enough, and answers on single facts."""
    yield entry_page(entry)
    if _has_explainer(entry):
        yield _explainer(entry)
    yield from fact_pages(entry)


def _has_explainer(entry: Entry) -> bool:
    return entry["kind"] not in _OUTLINED and len(sentences(entry["text"])) > 1


def _explainer(entry: Entry) -> WebPage:
    title, text = entry["title"], entry["text"]
    shown = f"{title}: a short biography" if entry["kind"] == "person" else f"{title} explained"
    url = f"https://explainers.example/{quote(plain(title).replace(' ', '-'))}"
    return page_of(url, shown, text, "guide", _day_of(entry, "2023-09-12"), "GB")


def _day_of(entry: Entry, usual: str) -> str:
    """The day of a page about a thing: not before what it tells of 2023 or 2024."""
    told = f"{entry['text']} {entry['properties'].get('P577', '')} {entry['properties'].get('P570', '')}"
    late = "2024-05-14" if _TOLD_IN_MAY.search(told) else "2024-05-02"
    return late if _YEARS_TOLD.search(told) else usual


def _city_guides() -> Iterator[WebPage]:
    for rank, city_id in enumerate(famous_cities()):
        city = find_city(city_id)
        listed = "; ".join(row["name"] for row in sights(city_id))
        slug = city_id.split("-")[-1]
        title = f"Top attractions in {city['name']}: what tourists must visit"
        text = (
            f"The top attractions of {city['name']}, {city['country']}, that tourists must visit: {listed}. "
            f"A travel guide to the sights and the best things to do and to see in {city['name']}."
        )
        url = f"https://wayfarer.example/{slug}-{rank}"
        yield page_of(url, title, text, "guide", "2024-02-20", city["country_code"])


_FIXED = (
    page_of(
        "https://zhuanlan.zhihu.com/p/645388566",
        "Notes on tool learning with large language models",
        "A reader's notes on how large language models learn to use tools. First the model decides whether a tool is "
        "needed, then it chooses one, fills in the parameters and reads what comes back. The notes compare prompting "
        "with fine-tuning and ask how such skills should be measured.",
        "blog",
        "2023-07-21",
        "CN",
    ),
    page_of(
        "https://www.example.org/climate/glaciers",
        "Glaciers in a warming climate",
        "Almost all glaciers of the world are losing ice. The glaciers of the Alps have lost more than half of their "
        "volume since 1900, and in the years 2022 and 2023 alone those of Switzerland lost a tenth of what was left. "
        "Melting glaciers raise the sea, feed rivers more for a time and then less, and leave lakes that may burst.",
        "guide",
        "2023-11-20",
    ),
    page_of(
        "https://wayfarer.example/europe",
        "The most popular tourist destinations in Europe",
        "The most popular tourist destinations in Europe are Paris, Rome, Barcelona, London, Istanbul, Amsterdam, "
        "Prague, Vienna, Venice and Lisbon. Spring and early autumn are the best seasons.",
        "guide",
        "2024-02-01",
    ),
)


def news_page(row: Article) -> WebPage:
    """The page of an article."""
    return page_of(row["url"], row["title"], row["content"], "news", row["published_at"][:10], row["country"])


def _paper_page(row: Paper) -> WebPage:
    return page_of(row["url"], row["title"], row["abstract"], "paper", row["date"])


def answer_page(row: OftenAsked) -> WebPage:
    """The page of a question that many people ask."""
    url = f"https://answers.example/asked/{row.place + 1}"
    return page_of(url, row.question, row.answer, "question", "2024-02-12")


@functools.cache
def lasting() -> tuple[WebPage, ...]:
    """The pages that are listed, the same under every seed; the others are made when they are asked for."""
    topics = map(entry_page, entries())
    told = map(_explainer, filter(_has_explainer, entries()))
    return (*_FIXED, *guides(), *topics, *told, *_city_guides())


@functools.cache
def _lasting_by_url() -> Mapping[str, WebPage]:
    answers = map(answer_page, all_asked())
    return {normal(row["url"]): row for row in (*lasting(), *answers)}


@seeds.table
def _told_by_url(seed: int) -> Mapping[str, WebPage]:
    """Invented news and the papers by address."""
    rows = (*map(news_page, articles(seed)), *map(_paper_page, papers(seed)))
    return {normal(row["url"]): row for row in rows}


def normal(url: str) -> str:
    """An address without scheme, www, fragment and closing slash, so that small differences do not matter."""
    text = unquote(url.strip()).casefold().split("#")[0].removeprefix("https://").removeprefix("http://")
    return text.removeprefix("www.").rstrip("/")


def _composed(url: str) -> WebPage | None:
    """The page about something of the wide part of the encyclopaedia, whose pages are made when they are asked for."""
    host, name = normal(url).split("/")[0], unquote(url.strip().rstrip("/").rsplit("/", 1)[-1])
    if host == "answers.example":
        return _fact_page(url, name.replace("-", " "))
    spellings = (name.replace("_", " "), name.replace("-", " "))
    pages_about = (page for text in spellings for entry in named(text) for page in about_entry(entry))
    return next((page for page in pages_about if normal(page["url"]) == normal(url)), None)


def _fact_page(url: str, question: str) -> WebPage | None:
    """The page of answers whose question names a thing: the longest run of its words that is a name."""
    parts = question.split()[1:]
    runs = (parts[n : n + size] for size in range(len(parts), 0, -1) for n in range(len(parts) - size + 1))
    for run in runs:
        for entry in named(" ".join(run)):
            for page in fact_pages(entry):
                if normal(page["url"]) == normal(url):
                    return page
    return None


@functools.cache
def _meant_there() -> Mapping[str, Mapping[str, str]]:
    """Plain title -> article, for titles under which Wikipedia tells of another thing than is first known here."""
    return {row["name"]: row for row in read_table("articles_meant.tsv")}


def _of_wikipedia(url: str) -> WebPage | None:
    """The encyclopaedia's article under the address that it has at Wikipedia."""
    match = _WIKIPEDIA.fullmatch(url.strip())
    if match is None:
        return None
    title = unquote(match[1]).replace("_", " ").strip()
    meant = _meant_there().get(plain(title))
    if meant:
        page = page_of(url.strip(), meant["title"], meant["text"], "encyclopedia", "2024-03-01")
        return {**page, "site": "en.wikipedia.org"}
    group = named(title)
    apart = _TOLD_APART.fullmatch(title)
    if not group and apart:
        wanted = set(words(apart[2]))
        group = tuple(
            entry
            for entry in sorted(named(apart[1]), key=lambda one: wanted.isdisjoint(words(one["kind"])))
            if wanted <= set(words(f"{entry['kind']} {entry['field']} {entry['text']}"))
        )
    if not group:
        return None
    return {**entry_page(group[0]), "url": url.strip(), "site": "en.wikipedia.org"}


def _elsewhere(seed: int, url: str) -> WebPage | None:
    """A preprint or free book under its address at the archive, or the page that is kept for examples."""
    match = _ARXIV.fullmatch(url.strip())
    if match:
        known = next((paper for paper in papers(seed) if paper["arxiv_id"] == match[1]), None)
        return {**_paper_page(known), "url": url.strip(), "site": "arxiv.org"} if known else None
    match = _GUTENBERG.fullmatch(url.strip())
    if match:
        book = next((row for row in read_table("gutenberg.tsv") if row["id"] == match[1]), None)
        if book is None:
            return None
        text = f"{book['title']} by {book['author']}, a book that is free to read, on {book['subjects'].replace(';', ', ')}."
        return page_of(url.strip(), book["title"], text, "site")
    if not _FOR_EXAMPLES.fullmatch(url.strip()):
        return None
    address = url.strip() if "://" in url else f"https://{url.strip()}"
    return page_of(
        address, "Example Domain", "A page that is kept for examples in documents, free to use.", "site"
    )


def find_page(seed: int, url: str) -> WebPage:
    """The page at an address; a not_found fault otherwise."""
    kept = _lasting_by_url().get(normal(url)) or _of_wikipedia(url) or _elsewhere(seed, url)
    page = kept or _composed(url) or _made(seed, url)
    if page is None:
        raise not_found("page at", url[:200], such_as=_OPENED)
    return page


_OPENED = (
    "links that a search of this world returned",
    "https://en.wikipedia.org/wiki/ with the title of an article",
)


def _made(seed: int, url: str) -> WebPage | None:
    """A page on an event, a picture, the weather of a city, a paper, or invented news."""
    if "." not in url:
        return None
    event = happenings_by_url(seed).get(normal(url))
    if event:
        return news_page(event)
    found = picture_page(url) or weather_page_at(url) or _told_by_url(seed).get(normal(url))
    if found:
        return found
    paper = paper_at(seed, url)
    return _paper_page(paper) if paper else None


__all__ = [
    "about_entry", "answer_page", "entry_page", "entry_url", "fact_pages", "find_page", "lasting", "news_page", "normal",
    "sentences", "weather_page",
]  # fmt: skip
