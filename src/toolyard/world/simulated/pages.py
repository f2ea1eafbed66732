"""The web of this world: the encyclopaedia, guides, answers, what readers say, news and papers; one catalogue, one index.

    search_pages(seed, "top attractions in Paris")
    subject_of("latest climate change news").title      # Climate change
    find_page(seed, "https://encyclopedia.example/wiki/Mars")

Which pages there are is the same in every world; days, ratings and what readers say are drawn.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple, TypedDict
from urllib.parse import quote, unquote

from toolyard.world.index import Index, words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import plain, read_table, slug_of
from toolyard.world.kernel.types import DomainName, PageUrl
from toolyard.world.reference.encyclopaedia.entries import (
    core_entries,
    entries_named,
    look_up_entry,
    mentioned_entries,
    suggest_titles,
)
from toolyard.world.reference.encyclopaedia.entry import Entry, relations
from toolyard.world.reference.encyclopaedia.subjects import is_known_word
from toolyard.world.reference.places.geography import find_city
from toolyard.world.reference.places.sights import famous_cities, sights_in
from toolyard.world.simulated.articles import article, article_by_url, found_stories
from toolyard.world.simulated.scholarship import Paper, find_paper

_STATED = re.compile(
    r"\S.*?(?<!\bInc)(?<!\bCorp)(?<!\bCo)(?<!\bLtd)(?<!\b[A-Z])(?<!\bSt)(?<!\bMt)(?<!\bDr)[.!?](?=\s|$)"
)
_OPERATOR = re.compile(r'(-?)(site|intitle|inurl|source|author):("[^"]{0,200}"|\S{1,200})')
_WIKIPEDIA = re.compile(
    r"(?:https?://)?(?:en|simple|www)(?:\.m)?\.wikipedia\.org/wiki/([^?#]{1,200})(?:[?#].*)?", re.I
)
_ARXIV = re.compile(
    r"(?:https?://)?(?:www\.)?arxiv\.org/(?:abs|pdf)/(\d{4}\.\d{4,5})(?:v\d+)?(?:\.pdf)?/?", re.I
)
_GUTENBERG = re.compile(r"(?:https?://)?(?:www\.)?gutenberg\.org/ebooks/(\d{1,6})/?", re.I)
_SITES = ("handbook.example", "explainers.example", "householder.example", "goodtoknow.example")
_ENCYCLOPEDIA, _READERS = "https://encyclopedia.example/wiki/", "https://readers.example/on/"
_FLOOR, _MOST, _NEWS, _EXTRACT, _FIRST = 0.6, 30, 4, 240, 3
# Kinds of entries that are found by their names alone.
_NAMED = frozenset(("country", "city", "company", "university"))
# Words that ask for pages of any subject.
_ASKING = frozenset(
    words("news latest image picture photo video clip new best top about guide article page information")
)


class WebPage(TypedDict):
    """A page."""

    url: PageUrl
    title: str
    text: str
    site: DomainName
    kind: str
    date: str
    country: str


class Subject(NamedTuple):
    """What a query is about: its title, its page, and what that says."""

    title: str
    url: str
    text: str
    field: str


class Related(NamedTuple):
    """A question that people ask, its answer, the entry that it is about ("" for none) and its page."""

    question: str
    answer: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Query:
    """A query taken apart: words, operators such as site: and intitle:, and excluded words."""

    text: str
    wanted: tuple[tuple[str, str], ...]
    unwanted: tuple[tuple[str, str], ...]
    excluded: tuple[str, ...]


def check_query(query: str, parameter: str = "query") -> str:
    """A query that asks for something; a fault where it has neither letters nor digits."""
    if not re.search(r"\w", query):
        raise invalid(parameter, query[:40], "give words to search for")
    return query


def parse_query(query: str) -> Query:
    """The parts of a search query; anything may be written."""
    query = query[:1000]
    operators = [(sign, name, value.strip('"').casefold()) for sign, name, value in _OPERATOR.findall(query)]
    parts = _OPERATOR.sub(" ", query).split()
    return Query(
        text=" ".join(part for part in parts if not part.startswith("-")),
        wanted=tuple((name, value) for sign, name, value in operators if not sign),
        unwanted=tuple((name, value) for sign, name, value in operators if sign),
        excluded=tuple(plain(part[1:]) for part in parts if part.startswith("-") and len(part) > 1),
    )


def fits(query: Query, page: WebPage) -> bool:
    """Whether a page satisfies the operators of a query."""

    def holds(name: str, value: str) -> bool:
        field = {"site": page["site"], "inurl": page["url"], "intitle": page["title"]}.get(name, page["text"])
        return value in field.casefold()

    text = plain(f"{page['title']} {page['text']}") if query.excluded else ""
    return (
        all(holds(*pair) for pair in query.wanted)
        and not any(holds(*pair) for pair in query.unwanted)
        and not any(word in text for word in query.excluded)
    )


def sentences(text: str) -> list[str]:
    """The sentences of a text; a point behind Inc. or St. ends none."""
    return _STATED.findall(text) or [text]


def page_day(seed: int, url: str) -> str:
    """The day of a page, drawn from the year before today."""
    return (EPOCH.date() - timedelta(days=1 + seeds.number(seed, "page day", url) % 360)).isoformat()


def page_of(url: str, title: str, text: str, kind: str, day: str = "", country: str = "US") -> WebPage:
    """A page by its parts; the site is that of the address."""
    site = url.split("/")[2].removeprefix("www.")
    return WebPage(url=url, title=title, text=text, site=site, kind=kind, date=day, country=country)


def _date_page(seed: int, page: WebPage) -> WebPage:
    return page if page["date"] else {**page, "date": page_day(seed, page["url"])}


def entry_url(title: str) -> str:
    """Where the encyclopaedia keeps an entry."""
    return f"{_ENCYCLOPEDIA}{quote(title.replace(' ', '_'))}"


def entry_page(entry: Entry) -> WebPage:
    """The article of the encyclopaedia, without its day."""
    return page_of(entry_url(entry["title"]), entry["title"], entry["text"], "encyclopedia")


def readers_page(seed: int, title: str) -> WebPage:
    """What readers say about a subject; the figures are drawn."""
    chance, url = seeds.stream(seed, "readers", title), f"{_READERS}{quote(title, safe='')}"
    text = (
        f"{chance.randrange(120, 9000)} readers were asked about {title}. {chance.randrange(5, 96)} percent of them want to "
        f"know more about {title}. They rate what is written about {title} with {chance.randrange(20, 50) / 10} of 5."
    )
    return page_of(url, f"{title}: what readers say", text, "blog", page_day(seed, url), "GB")


def _guide_pages() -> Iterator[WebPage]:
    for row in read_table("web_guides.tsv"):
        kind, slug = "question" if row["title"].endswith("?") else "guide", slug_of(row["title"])
        yield page_of(f"https://{seeds.pick(_SITES, 'guide', slug)}/{slug}", row["title"], row["text"], kind)
    for place, row in enumerate(read_table("asked_questions.tsv"), start=1):
        yield page_of(f"https://answers.example/asked/{place}", row["question"], row["answer"], "question")
    for row in read_table("web_pages.tsv"):
        yield page_of(row["url"], row["title"], row["text"], row["kind"], country=row["country"])


def _city_guide(seed: int, rank: int) -> WebPage:
    """The sights of a famous city, each with the rating that visitors gave it."""
    city = find_city(famous_cities()[rank])
    rated = [
        (row["name"], seeds.number(seed, "sight", city["id"], row["name"])) for row in sights_in(city["id"])
    ]
    told = "; ".join(f"{name} (rated {3 + number % 20 / 10:.1f} of 5)" for name, number in rated)
    text = f"The top attractions of {city['name']}, {city['country']}, that tourists must visit: {told}."
    url = f"https://wayfarer.example/{city['id'].split('-')[-1]}-{rank}"
    title = f"Top attractions in {city['name']}: what tourists must visit"
    return page_of(url, title, text, "guide", country=city["country_code"])


class _Row(TypedDict):
    title: str
    text: str
    words: str
    place: int


@functools.cache
def _page_list() -> tuple[WebPage | int, ...]:
    """The listed pages, less their day; of a city's guide only its rank, as its text is drawn."""
    topics = (entry_page(entry) for entry in core_entries() if entry["kind"] not in _NAMED)
    return (*_guide_pages(), *range(len(famous_cities())), *topics)


@functools.cache
def _page_index() -> Index[_Row]:
    looked_for = {row["title"]: row["words"] for row in read_table("web_guides.tsv")}
    rows = []
    for place, page in enumerate(_page_list()):
        told = _city_guide(0, page) if isinstance(page, int) else page
        rows.append(
            _Row(title=told["title"], text=told["text"], words=looked_for.get(told["title"], ""), place=place)
        )
    return seeds.build_without_gc(Index, rows, ("title", "title", "title", "words", "text"), "title")


def _page(seed: int, place: int) -> WebPage:
    page = _page_list()[place]
    return _date_page(seed, _city_guide(seed, page) if isinstance(page, int) else page)


def paper_page(paper: Paper) -> WebPage:
    """The page of a paper."""
    return page_of(paper["url"], paper["title"], paper["abstract"], "paper", paper["date"])


@functools.lru_cache(maxsize=2048)
def _matching_pages(text: str) -> tuple[int, ...]:
    return tuple(row["place"] for row in _page_index().search(text, bound=_FLOOR)[:_MOST])


def _entries_about(text: str) -> list[Entry]:
    """The entries that a query names and that are a third of what it says; half and more beside a word that nobody knows."""
    asked_for = set(words(text)) - _ASKING or set(words(text))
    part = 3 if all(map(is_known_word, re.findall(r"[^\W_]{3,}", plain(text)))) else 1.9

    def names(entry: Entry) -> set[str]:
        found = (set(words(name)) for name in (entry["title"], *entry["aliases"]))
        return max(found, key=lambda one: (one <= asked_for, len(one & asked_for)))

    whole = entries_named(plain(text).strip(" ?.!"))
    return [*whole[:2]] or [
        one for one in mentioned_entries(text) if part * len(names(one) & asked_for) >= len(asked_for)
    ][:2]


def query_subject(query: str) -> Subject | None:
    """What a query is about: what it names, else the page that says most of it; None where there is neither."""
    text = parse_query(check_query(query)).text
    page = next((_page(0, place) for place in _matching_pages(text)[:1]), None)
    titled = page is not None and plain(page["title"]) == plain(text)
    entry = None if titled else next(iter(_entries_about(text)), None)
    if page and entry is None:
        field = next((one["field"] for one in entries_named(page["title"])[:1]), "")
        return Subject(page["title"], page["url"], page["text"], field)
    entry = entry or (look_up_entry(text) if words(text) else None)
    return (
        Subject(entry["title"], entry_url(entry["title"]), entry["text"], entry["field"]) if entry else None
    )


def search_pages(seed: int, query: str, *, engine: str = "", kinds: tuple[str, ...] = ()) -> list[WebPage]:
    """Pages for a query, best first; a not_found fault with near titles where no page is about it."""
    parsed = parse_query(check_query(query))
    if words(parsed.text):
        found = _rank_pages(seed, parsed.text)
    else:
        found = [_page(seed, place) for place in range(len(_page_list()))] if parsed.wanted else []
    if not found:
        raise not_found("page about", query[:80], nearest=suggest_titles(parsed.text))
    unique: dict[str, WebPage] = {}
    for page in found:
        unique.setdefault(page["url"], page)
    kept = [page for page in unique.values() if fits(parsed, page) and (not kinds or page["kind"] in kinds)]
    # Every engine misses some pages, each other ones.
    heard = [row for place, row in enumerate(kept) if place < _FIRST or seeds.unit(engine, row["url"]) < 0.85]
    return heard[:_MOST]


def _rank_pages(seed: int, text: str) -> list[WebPage]:
    own = [_date_page(seed, entry_page(entry)) for entry in _entries_about(text)]
    pages = [_page(seed, place) for place in _matching_pages(text)]
    asked_for = set(words(text)) - _ASKING
    told_all = (
        pages and asked_for <= set(words(pages[0]["title"])) and not entries_named(plain(text).strip(" ?.!"))
    )
    first = pages[:1] if told_all else [*own, *pages][:1]
    told = [readers_page(seed, page["title"]) for page in first]
    news = [news_page(seed, place) for place in found_stories(text)[:_NEWS]]
    return [*first, *pages[:2], *told, *news, *own, *pages]


def news_page(seed: int, place: int) -> WebPage:
    """The page of a story."""
    row = article(seed, place)
    return page_of(row["url"], row["title"], row["content"], "news", row["published_at"][:10], row["country"])


def snippet(page: WebPage, query: str) -> str:
    """The sentence of a page that shares most words with a query, and the one behind it, as long as an extract may be."""
    asked_for, told = set(words(query)), sentences(page["text"])
    best = max(range(len(told)), key=lambda place: len(asked_for & set(words(told[place]))))
    text = " ".join(told[best : best + 2])
    return text if len(text) <= _EXTRACT else f"{text[:_EXTRACT].rpartition(' ')[0].rstrip(',;:')} ..."


def related_questions(seed: int, query: str) -> list[Related]:
    """Questions on what a query is about: what it is, facts about it, what is often asked, and what readers say."""
    subject = query_subject(query)
    if subject is None:
        raise not_found("questions about", query[:80], nearest=suggest_titles(query))
    entry = next(
        iter((*entries_named(subject.title), *mentioned_entries(query), *mentioned_entries(subject.title))),
        None,
    )
    found: list[Related] = []
    if entry:
        verb = "Who is" if entry["kind"] == "person" else "What is"
        first = " ".join(sentences(entry["text"])[:2])
        found.append(Related(f"{verb} {entry['title']}?", first, entry["title"], subject.url))
        found += [Related(*pair, entry["title"], subject.url) for pair in _entry_facts(entry)]
    title = entry["title"] if entry else ""
    pages = [
        page
        for place in _matching_pages(query)
        for page in [_page(seed, place)]
        if page["kind"] in ("guide", "question")
    ]
    found += [
        Related(page["title"], " ".join(sentences(page["text"])[:2]), title, page["url"])
        for page in pages[:3]
    ]
    told = readers_page(seed, subject.title)
    return [*found, Related(f"What do readers say about {subject.title}?", told["text"], title, told["url"])]


def _entry_facts(entry: Entry) -> list[tuple[str, str]]:
    """Questions and answers on what is stated about an entry, three at most."""
    found = []
    for key, values in entry["properties"].items():
        if key not in ("P31", "P279") and values and key in relations():
            what, name = relations()[key].name, entry["title"]
            found.append(
                (f"What is the {what} of {name}?", f"The {what} of {name} is {', '.join(values[:4])}.")
            )
    return found[:3]


def normalise_url(url: str) -> str:
    """An address without scheme, www, fragment and closing slash, so that small differences do not matter."""
    text = unquote(url.strip()).casefold().split("#")[0].removeprefix("https://").removeprefix("http://")
    return text.removeprefix("www.").rstrip("/")


@functools.cache
def _pages_by_url() -> Mapping[str, int]:
    pages: Iterable[tuple[int, WebPage]] = (
        (place, _city_guide(0, page) if isinstance(page, int) else page)
        for place, page in enumerate(_page_list())
    )
    return {normalise_url(page["url"]): place for place, page in pages}


def _archive_page(seed: int, url: str) -> WebPage | None:
    """An article, preprint or free book under its address at Wikipedia, arXiv or Project Gutenberg."""
    match = _WIKIPEDIA.fullmatch(url.strip())
    group = entries_named(unquote(match[1]).replace("_", " ").strip()) if match else ()
    if group:
        return {**_date_page(seed, entry_page(group[0])), "url": url.strip(), "site": "en.wikipedia.org"}
    match = _ARXIV.fullmatch(url.strip())
    paper = find_paper(seed, match[1]) if match else None
    if paper:
        return {**paper_page(paper), "url": url.strip(), "site": "arxiv.org"}
    match = _GUTENBERG.fullmatch(url.strip())
    book = next((row for row in read_table("gutenberg.tsv") if match and row["id"] == match[1]), None)
    if book is None:
        return None
    text = f"{book['title']} by {book['author']}, a book that is free to read, on {book['subjects'].replace(';', ', ')}."
    return page_of(url.strip(), book["title"], text, "site", date(2024, 1, 1).isoformat())


def _page_at_address(seed: int, url: str) -> WebPage | None:
    """An article of the encyclopaedia, what readers say, news or a paper at an address."""
    wanted = url.strip().rstrip("/")
    title = unquote(wanted.rpartition("/")[2]).replace("_", " ")
    if normalise_url(url).startswith(normalise_url(_ENCYCLOPEDIA)) and entries_named(title):
        return _date_page(seed, entry_page(entries_named(title)[0]))
    if normalise_url(url).startswith(normalise_url(_READERS)):
        subject = query_subject(title) if re.search(r"\w", title) else None
        return readers_page(seed, subject.title) if subject and subject.title == title else None
    story = article_by_url(seed, normalise_url(url))
    if story:
        return news_page(seed, story["id"] - 1)
    paper = find_paper(seed, wanted) if normalise_url(url).startswith("papers.example/") else None
    return paper_page(paper) if paper else None


def find_page(seed: int, url: str) -> WebPage:
    """The page at an address; a not_found fault otherwise."""
    place = _pages_by_url().get(normalise_url(url))
    page = (
        _page(seed, place) if place is not None else _archive_page(seed, url) or _page_at_address(seed, url)
    )
    if page is None:
        raise not_found(
            "page at",
            url[:200],
            such_as=("https://en.wikipedia.org/wiki/Climate_change", "a link of a search"),
        )
    return page
