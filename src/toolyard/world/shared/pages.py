"""The web of this world: encyclopaedia, explainers, travel guides, answers, news and papers, with one index."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from random import Random
from urllib.parse import quote, unquote

from toolyard.world import seeds
from toolyard.world.derived import derived
from toolyard.world.faults import not_found
from toolyard.world.search import Index, words
from toolyard.world.shared.articles import Article, articles
from toolyard.world.shared.entries import by_name, entries, mentioned, named
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.further_papers import paper_at
from toolyard.world.shared.geography import find_city, plain
from toolyard.world.shared.happened import happened, happenings_by_url
from toolyard.world.shared.often_asked import OftenAsked, all_asked, asked_just_on
from toolyard.world.shared.page_query import WebPage, fits, parse_query
from toolyard.world.shared.query_words import asked, says, telling
from toolyard.world.shared.reports import report_at
from toolyard.world.shared.scholarship import Paper, papers
from toolyard.world.shared.sights import famous_cities, sights
from toolyard.world.shared.subjects import spelled, subject_of

_STATED = re.compile(r"\S.*?(?<!\bInc)(?<!\bCorp)(?<!\bCo)(?<!\bLtd)(?<!\bSt)[.!?](?=\s|$)")
# The part of a query that a page must share to be found.
RELEVANT = 0.4
# News come after so many pages, and so many of them.
_BEFORE_NEWS, _NEWS = 3, 4
_ADDRESS = re.compile(
    r"https?://((?:[\w-]{1,63}\.)+[a-zA-Z]{2,24})(?::\d+)?(/[^\s?#]{0,300})?(?:[?#]\S{0,300})?"
)
_SUBJECT = re.compile(r"https://(?:explainers|answers|links)\.example/on/([^/]{1,200})")
_ASKED = re.compile(r"\s*(?:who|what|when|where|which|why|whose|how (?:many|much|old|tall|far|long))\b", re.I)
_NAMED = ("country", "city", "person", "company", "university", "landmark")


def sentences(text: str) -> list[str]:
    """The sentences of a text; a point behind Inc. or St. ends none."""
    return _STATED.findall(text)


def entry_url(title: str) -> str:
    """Where the encyclopaedia keeps an entry."""
    return f"https://encyclopedia.example/wiki/{quote(title.replace(' ', '_'))}"


def _page(
    url: str, title: str, text: str, kind: str, day: str = "2024-01-01", country: str = "US"
) -> WebPage:
    site = url.split("/")[2]
    return WebPage(url=url, title=title, text=text, site=site, kind=kind, date=day, country=country)


def _about(entry: Entry) -> Iterator[WebPage]:
    title, slug = entry["title"], plain(entry["title"]).replace(" ", "-")
    yield _page(entry_url(title), title, entry["text"], "encyclopedia", "2024-03-01")
    if entry["kind"] in ("country", "city", "company", "university"):
        return
    stated = sentences(entry["text"])
    sought = f" People also search for: {'; '.join(entry['aliases'])}." if entry["aliases"] else ""
    text = f"This page explains {title} in plain words. {entry['text']}{sought}"
    yield _page(
        f"https://explainers.example/{quote(slug)}", f"{title} explained", text, "guide", "2023-09-12", "GB"
    )
    question = f"What should everybody know about {title}?"
    answer = f"{stated[-1]} In short: {stated[0]}" if len(stated) > 1 else stated[0]
    yield _page(f"https://answers.example/q/{quote(slug)}", question, answer, "question", "2023-11-05")


def _guides() -> Iterator[WebPage]:
    for rank, city_id in enumerate(famous_cities()):
        city = find_city(city_id)
        listed = " ".join(f"{n}. {row['name']}." for n, row in enumerate(sights(0, city_id), start=1))
        slug = city_id.split("-")[-1]
        title = f"Top attractions in {city['name']}: what tourists must visit"
        text = f"The top attractions of {city['name']}, {city['country']}, that tourists must visit: {listed}"
        yield _page(
            f"https://wayfarer.example/{slug}-{rank}",
            title,
            text,
            "guide",
            "2024-02-20",
            city["country_code"],
        )


_FIXED = (
    _page(
        "https://zhuanlan.zhihu.com/p/645388566",
        "Notes on tool learning with large language models",
        "A reader's notes on how large language models learn to use tools. First the model decides whether a tool is "
        "needed, then it chooses one, fills in the parameters and reads what comes back. The notes compare prompting "
        "with fine-tuning and ask how such skills should be measured.",
        "blog",
        "2023-07-21",
        "CN",
    ),
    _page(
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
    return _page(row["url"], row["title"], row["content"], "news", row["published_at"][:10], row["country"])


def _paper_page(row: Paper) -> WebPage:
    return _page(row["url"], row["title"], row["abstract"], "paper", row["date"])


@seeds.table
def pages(seed: int) -> tuple[WebPage, ...]:
    """All pages of the web."""
    news = map(news_page, articles(seed))
    research = map(_paper_page, papers(seed))
    return (*_lasting(), *news, *research)


@functools.cache
def _lasting() -> tuple[WebPage, ...]:
    """The pages that are the same under every seed."""
    topics = (page for entry in entries() for page in _about(entry))
    return (*_FIXED, *topics, *_guides())


@functools.cache
def _lasting_by_url() -> Mapping[str, WebPage]:
    return {normal(row["url"]): row for row in _lasting()}


@seeds.table
def index(seed: int) -> Index[WebPage]:
    """All pages, searchable; titles weigh more."""
    return Index(pages(seed), ("title", "title", "title", "text"))


@seeds.table
def by_url(seed: int) -> Mapping[str, WebPage]:
    """Pages by their normalised address."""
    return {normal(row["url"]): row for row in pages(seed)}


def normal(url: str) -> str:
    """An address without scheme, www, fragment and closing slash, so that small differences do not matter."""
    text = unquote(url.strip()).casefold().split("#")[0].removeprefix("https://").removeprefix("http://")
    return text.removeprefix("www.").rstrip("/")


def _composed(url: str) -> WebPage | None:
    """The page about something of the wide part of the encyclopaedia, whose pages are made when they are asked for."""
    name = unquote(url.strip().rstrip("/").rsplit("/", 1)[-1]).replace("_", " ")
    spellings = (name, name.replace("-", " "))
    pages_about = (page for text in spellings for entry in named(text) for page in _about(entry))
    return next((page for page in pages_about if normal(page["url"]) == normal(url)), None)


def _outside(seed: int, url: str) -> WebPage | None:
    """The page at an address of the real web, of which only host and path are known; the sites here are listed in full."""
    match = _ADDRESS.fullmatch(url.strip())
    if match is None or match[1].casefold().endswith(".example"):
        return None
    host, path = match[1].casefold().removeprefix("www."), unquote(match[2] or "")
    parts = [word for part in path.split("/") for word in re.findall(r"[^\W_]{2,}", part.rsplit(".", 1)[0])]
    entry = next(iter(named(" ".join(parts[1:]))), None) if "wikipedia.org" in host else None
    title = entry["title"] if entry else f"{' '.join(parts).capitalize() or 'Front page'} - {host}"[:120]

    def built(chance: Random) -> WebPage:
        text = f"{title}. A page of {host}, stored without pictures and scripts: {chance.randrange(3, 30)} headings "
        text += f"and {chance.randrange(200, 4000)} words, with links to other pages of the site."
        day = date(2024, 5, 14) - timedelta(days=chance.randrange(400))
        return {**_page(url.strip(), title, text, "outside", day.isoformat()), "site": host}

    page = derived(seed, "page", normal(url), built)
    return {**page, "text": entry["text"]} if entry else page


def neighbours(page: WebPage) -> list[str]:
    """Other pages of the site that a page of the real web leads to: its front page, the parts above it and the like."""
    scheme, _, rest = page["url"].partition("://")
    host, *parts = rest.split("?")[0].strip("/").split("/")
    above = [f"{scheme}://{host}/" + "/".join(parts[:size]) for size in range(len(parts))]
    usual = [f"{scheme}://{host}/{name}" for name in ("about", "contact", "news")]
    return [url for url in dict.fromkeys((*above, *usual)) if normal(url) != normal(page["url"])][:4]


def _on_subject(seed: int, url: str) -> WebPage | None:
    """The derived page about a subject at an address."""
    match = _SUBJECT.fullmatch(url.strip())
    subject = subject_of(unquote(match[1]).replace("-", " ")) if match else None
    found = _subject_pages(seed, subject) if subject else []
    return next((page for page in found if normal(page["url"]) == normal(url)), None)


def find_page(seed: int, url: str) -> WebPage:
    """The page at an address; a not_found fault otherwise."""
    lasting = _lasting_by_url().get(normal(url)) or _answers_by_url().get(normal(url))
    if lasting is not None:
        return lasting
    report, paper = report_at(seed, url), paper_at(seed, url)
    event = happenings_by_url(seed).get(normal(url))
    page = (
        by_url(seed).get(normal(url))
        or (news_page(event) if event else None)
        or _composed(url)
        or _on_subject(seed, url)
        or (_paper_page(paper) if paper else None)
        or (news_page(report) if report else None)
        or _outside(seed, url)
    )
    if page is None:
        raise not_found("page at", url[:200], known=[row["url"] for row in pages(seed)])
    return page


def search_pages(seed: int, query: str, *, engine: str, kinds: tuple[str, ...] = ()) -> list[WebPage]:
    """Pages for a query, best first. Every engine misses some pages, each other ones."""
    parsed = parse_query(asked(query))

    def covered(page: WebPage) -> bool:
        if kinds and page["kind"] not in kinds:
            return False
        known = page["kind"] == "encyclopedia" or seeds.unit(engine, page["url"]) < 0.85
        return known and fits(parsed, page)

    if not words(parsed.text) and parsed.wanted:
        return [page for page in pages(seed) if covered(page)]
    sought = {term for word in plain(parsed.text).split() if says(word) for term in words(word)}
    found = [
        page
        for page in index(seed).search(parsed.text, where=covered, bound=RELEVANT)
        if not sought or not sought.isdisjoint(words(f"{page['title']} {page['text']}"))
    ]
    found = [page for page in _naming(seed, found, parsed.text) if covered(page)]
    found = telling(found, mentioned(parsed.text), set(words(parsed.text)), sought)
    own = _unlisted(seed, parsed.text, covered)
    made = [page for page in _mentioned(parsed.text, 1 if own else 4) if covered(page)]
    group = named(parsed.text)
    known = bool(found) and (not group or plain(group[0]["title"]) in by_name())
    ranked = [*_titled(found, sought, set(words(parsed.text))), *made] if known else [*made, *found]
    ranked = sorted(ranked, key=lambda page: _is_about_another(page, group))
    news = _in_the_news(seed, parsed.text, covered)
    place = next((n for n, page in enumerate(ranked[:_BEFORE_NEWS]) if page["kind"] == "news"), _BEFORE_NEWS)
    ranked = [
        *ranked[:place],
        *news,
        *(page for page in ranked[place:] if not news or page["kind"] != "news"),
    ]
    answered = [page for page in _answered(parsed.text) if covered(page)] if not group else []
    unique = {_told_once(page): page for page in reversed([*answered, *own, *ranked])}
    return list(reversed(unique.values())) or [
        page for page in _own_pages(seed, parsed.text) if covered(page)
    ]


def _answer_page(row: OftenAsked) -> WebPage:
    url = f"https://answers.example/asked/{row.place + 1}"
    return _page(url, row.question, row.answer, "question", "2024-02-12")


def _answered(text: str) -> list[WebPage]:
    """Pages with the questions that many people ask about what a query looks for."""
    return [_answer_page(row) for row in asked_just_on(text)]


@functools.cache
def _answers_by_url() -> Mapping[str, WebPage]:
    return {normal(page["url"]): page for page in map(_answer_page, all_asked())}


def _is_about_another(page: WebPage, group: tuple[Entry, ...]) -> bool:
    """Whether a query names a company, place or person and a page is not the one about it: Tesla is not Nikola Tesla."""
    return bool(group) and group[0]["kind"] in _NAMED and page["title"] != group[0]["title"]


def _in_the_news(seed: int, text: str, covered: Callable[[WebPage], bool]) -> list[WebPage]:
    """The newest pages on events that have all words of a query."""
    found = (news_page(row) for row in happened(seed, text)) if words(text) else ()
    return [page for page in found if covered(page)][:_NEWS]


def _told_once(page: WebPage) -> str:
    """What a page is listed by once: news by the headline, of which outlets use some again, other pages by the address."""
    return re.sub(r"\d+", "", page["title"]) if page["kind"] == "news" else page["url"]


def _own_pages(seed: int, text: str) -> list[WebPage]:
    """The encyclopaedia's pages on what a query names, where nothing tells about the rest of it."""
    found = (by_url(seed).get(normal(entry_url(entry["title"]))) for entry in mentioned(text))
    return [page for page in found if page]


def _naming(seed: int, found: list[WebPage], text: str) -> list[WebPage]:
    """The pages that have every name that a query has, where there are such: attractions of Paris are not those of Rome."""
    named_here = [entry for entry in mentioned(text) if "P279" not in entry["properties"]]
    names = [plain(entry["title"]) for entry in named_here]
    holding = [
        page for page in found if all(name in plain(f"{page['title']} {page['text']}") for name in names)
    ]
    own = [by_url(seed).get(normal(entry_url(entry["title"]))) for entry in named_here]
    return [*holding, *(page for page in own if page and page not in holding)] if holding else found


def _titled(found: list[WebPage], sought: set[str], asked: set[str]) -> list[WebPage]:
    """The pages found, those of the encyclopaedia first whose title is all that a query looks for."""

    def later(page: WebPage) -> bool:
        title = set(words(page["title"]))
        return page["kind"] != "encyclopedia" or not sought or not sought <= title <= asked

    return sorted(found, key=later)


def _unlisted(seed: int, text: str, covered: Callable[[WebPage], bool]) -> list[WebPage]:
    """Pages about a subject that people know and no page has all the words of; none for other texts."""
    if named(text) or _ASKED.match(text) or index(seed).search(text, bound=1.0):
        return []
    subject = subject_of(text)
    if subject and any(entry["kind"] in _NAMED for entry in mentioned(subject)):
        return []  # a page about the place or person answers better than one about the words
    return [page for page in _subject_pages(seed, subject) if covered(page)] if subject else []


def _subject_pages(seed: int, subject: str) -> list[WebPage]:
    """An explainer, a page of answers and a list of links on a subject; they claim nothing about it."""

    def built(chance: Random) -> list[WebPage]:
        slug, told = quote(subject.replace(" ", "-")), spelled(subject)
        shown = told[0].upper() + told[1:]
        day = date(2024, 5, 1) - timedelta(days=chance.randrange(30, 700))
        parts, people, links = chance.randrange(4, 12), chance.randrange(3, 40), chance.randrange(8, 60)
        if subject.startswith("how to "):
            summary = (
                f"What you need, the steps in order, and mistakes to avoid when you want to {subject[7:]}."
            )
            return [
                _page(
                    f"https://explainers.example/on/{slug}",
                    f"{shown}: step by step",
                    summary,
                    "guide",
                    day.isoformat(),
                )
            ]
        about = " ".join(_first(entry) for entry in mentioned(subject)[:3])
        forms = (
            ("explainers", "an introduction", about or f"This introduction to {subject} has {parts} parts."),
            ("answers", "questions and answers", f"Readers ask about {subject} and {people} people answer."),
            ("links", "the best pages", f"A list of {links} pages, films and books on {subject}."),
        )  # fmt: skip
        return [
            _page(f"https://{site}.example/on/{slug}", f"{shown}: {what}", text, "guide", day.isoformat())
            for site, what, text in (forms[:1] if about else forms)
        ]

    return derived(seed, "pages", subject, built)


def _first(entry: Entry) -> str:
    """The first sentence of an entry."""
    return next(iter(sentences(entry["text"])), entry["text"])


def _mentioned(text: str, most: int) -> list[WebPage]:
    """Pages about so many of the things that a query names and the index of pages does not hold."""
    names = [plain(entry["title"]) for entry in mentioned(text)]
    wide = (
        entry
        for entry in mentioned(text)
        if (name := plain(entry["title"])) not in by_name()
        and not any(other.endswith(f" {name}") for other in names)  # van Beethoven is Ludwig van Beethoven
    )
    return [page for entry in list(wide)[:most] for page in _about(entry)]


# How sentences begin that only say what a page is.
_SAYS_NOTHING = ("This page explains", "People also search for")


def snippet(page: WebPage, query: str) -> str:
    """The sentence of a page that shares most words with a query."""
    wanted = set(words(query))
    told = sentences(page["text"]) or [page["text"]]
    stated = [text for text in told if not text.startswith(_SAYS_NOTHING)] or told
    best = max(stated, key=lambda text: len(wanted & set(words(text))))
    return best[:240]
