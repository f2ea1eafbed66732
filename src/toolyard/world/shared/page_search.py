"""The web searched: pages that cover the words which carry a query, each with an extract of its own."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.search import Index, words
from toolyard.world.shared import pages
from toolyard.world.shared.entries import by_name, look_up, mentioned, named, suggestions
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.geography import cities, find_city, plain
from toolyard.world.shared.happened import happened
from toolyard.world.shared.often_asked import asked_just_on
from toolyard.world.shared.page_query import Query, WebPage, fits, parse_query
from toolyard.world.shared.query_words import ATTRIBUTES, asked
from toolyard.world.shared.reports import true_news
from toolyard.world.shared.subjects import known_word
from toolyard.world.shared.web_guides import asks_for_weather, guides_on, weather_page

# Words that ask for pages and say nothing of what they are about.
_ASIDE = frozenset(
    words(
        "best top good great cheap free new newest latest current easy simple quick fast real full complete popular famous "
        "guide guides tutorial tips tip ideas idea list lists review reviews example examples near online today now "
        "beginner beginners learn explained explain work works does did many much get use using does vs versus should "
        "would could find show tell give about most more ever page pages site website web article articles wikipedia "
        "information info facts fact 2023 2024 please need want know people thing things way ways meaning definition "
        "introduction overview basics course news picture pictures video videos image images"
    )
)
_QUESTION = re.compile(
    r"\b(?:who|whom|whose|why|if|there|they|his|her|its|their|he|she|we|our|us|than|into)\b"
)
_HOW_TO = re.compile(
    r"how (?:to|do i|can i|should i|does|do) |.*\b(?:recipe|tutorial|symptoms?)\b|what causes |why (?:is|are|do) "
)
_LONG = re.compile(r"[^\W_]{3,}")
_ZONE = re.compile(r"\btime zone \S+")  # Incheon is not about Seoul because its clock is
_ONLY_NEWS = ("news",)
_NEWS, _FACTS, _MOST, _EXTRACT = 4, 6, 30, 240


@functools.cache
def _index() -> Index[WebPage]:
    """The listed pages, searchable; titles weigh more."""
    return seeds.at_once(Index, pages.lasting(), ("title", "title", "title", "text"))


def _carrying(text: str) -> set[str]:
    """The words of a query that pages must have: all but those that only ask."""
    found = set(words(_QUESTION.sub(" ", plain(text))))
    return found - _ASIDE or found


def search_pages(seed: int, query: str, *, engine: str, kinds: tuple[str, ...] = ()) -> list[WebPage]:
    """Pages for a query, best first, each with an extract that no earlier one has; none where no page covers it."""
    if kinds == _ONLY_NEWS:  # of which some are derived for the world that asks
        return list(_searched(seed, query, engine, kinds))
    return list(_remembered(seed, query, engine, kinds))


def _searched(seed: int, query: str, engine: str, kinds: tuple[str, ...]) -> tuple[WebPage, ...]:
    parsed = parse_query(asked(query))

    def wanted(page: WebPage) -> bool:
        return (not kinds or page["kind"] in kinds) and fits(parsed, page)

    if not words(parsed.text):
        listed = pages.lasting() if parsed.wanted else ()
        return tuple(told_apart(filter(wanted, listed), "")[:_MOST])
    unique: dict[str, WebPage] = {}
    for page in filter(wanted, _ranked(seed, parsed, kinds)):
        unique.setdefault(page["url"], page)
    ordered = list(unique.values())
    heard = [page for place, page in enumerate(ordered) if place < 3 or _is_known_to(engine, page)]
    return tuple(told_apart(heard, parsed.text)[:_MOST])


@seeds.remembered(1024)
def _remembered(seed: int, query: str, engine: str, kinds: tuple[str, ...]) -> tuple[WebPage, ...]:
    return _searched(seed, query, engine, kinds)


def _is_known_to(engine: str, page: WebPage) -> bool:
    """Every engine misses some pages, each other ones."""
    return seeds.unit(engine, page["url"]) < 0.85


def _ranked(seed: int, parsed: Query, kinds: tuple[str, ...]) -> list[WebPage]:
    text = parsed.text
    carrying, whole = _carrying(text), _whole(text)
    if kinds == _ONLY_NEWS:
        return [pages.news_page(row) for row in true_news(seed, text)]
    news = [pages.news_page(row) for row in happened(seed, " ".join(sorted(carrying)))][:_NEWS]
    if _HOW_TO.match(plain(text)):  # nobody learns to do a thing from the news
        news = []
    answers = [pages.answer_page(row) for row in asked_just_on(text)]
    tips = [page for page in guides_on(text) if _covers(page, carrying, 0.5)]
    tips.sort(key=lambda page: -len(carrying & set(words(page["title"]))))
    weather = [weather_page(find_city(city)) for city in _cities_in(text)] if asks_for_weather(text) else []
    covering = [page for page in _index().search(text, bound=0.4) if _covers(page, carrying)]
    covering.sort(key=lambda page: not carrying <= set(words(page["title"])))
    if "capital of " in plain(text):  # which is answered
        covering = []
    if whole:  # who asks for the speed of light wants no shutter speed
        covering = [page for page in covering if _has_name(page, text)]
    if len(carrying) == 1 and not whole:  # one word beside mere asking ones: only what is about it
        covering = [page for page in covering if carrying <= set(words(page["title"]))]
        news = [page for page in news if carrying <= set(words(page["title"]))]
    if tips and _HOW_TO.match(plain(text)):  # a guide on just this says more than what shares a word
        covering = [page for page in covering if set(words(text)) <= set(words(page["title"]))]
    first = [page for entry in whole for page in _own(entry)]
    facts = [page for entry in _meant(text) for page in _asked_facts(entry, carrying)]
    meant = _meant(text)
    places = [entry for entry in meant if entry["kind"] in ("city", "country")]
    named_here = [] if whole else [page for entry in places or meant for page in _beside(entry, carrying)]
    if whole and _is_word(whole[0]):  # prices that rose are no roses
        news = [page for page in news if carrying <= set(words(page["title"]))]
    if whole:
        return [*first[:1], *answers[:3], *first[1:], *tips, *news, *covering, *answers]
    direct = [*weather, *facts, *tips, *answers, *news, *covering]
    if direct or named_here:
        return [*direct, *named_here]
    called = look_up(text)
    return [pages.entry_page(one) for one in ([called] if called else meant) if " " in one["title"]][:1]


def _has_name(page: WebPage, text: str) -> bool:
    """Whether a page has all words of a name one after the other."""
    name = " ".join(words(text))
    return name in " ".join(words(page["title"])) or name in " ".join(words(page["text"]))


# What searches call what questions say in other words.
_SAID = {
    "population": "people", "size": "large", "area": "large", "birthday": "born", "birthplace": "born", "birth": "born",
    "death": "die", "height": "tall", "length": "long", "author": "wrote", "director": "directed", "inhabitant": "people",
    "headquarter": "based", "ticker": "symbol", "employee": "work", "headquarters": "based",
}  # fmt: skip


def _asked_facts(entry: Entry, carrying: set[str]) -> list[WebPage]:
    """The answers on a thing that a query asks for: more of it than the name must be in them."""
    names = [set(words(name)) for name in (entry["title"], *entry["aliases"])]
    left = min((carrying - name for name in names), key=len)
    sought = {_SAID.get(word, word) for word in left}
    found = pages.fact_pages(entry) if sought else []
    return [page for page in found if sought <= set(words(f"{page['title']} {page['text']}"))]


def _whole(text: str) -> tuple[Entry, ...]:
    """What a query is the name of, alone or behind "what is" and the like."""
    bare = plain(text).strip(" ?.!")
    short = re.sub(r"^(?:who|what|where) (?:is|are|was|were) (?:an? |the )?", "", bare)
    found = () if short.startswith("capital of ") else named(bare) or named(short) or _alike(bare)
    # The first is meant; others of the same name are shown where they are names, too.
    return (*found[:1], *(entry for entry in found[1:2] if "P279" not in entry["properties"]))


def _alike(text: str) -> tuple[Entry, ...]:
    """What has a name of the same words, however it is written: Texas Hold Em."""
    entry = look_up(text) if " " in text else None
    return (entry,) if entry and words(entry["title"]) == words(text) else ()


def _own(entry: Entry) -> list[WebPage]:
    """The pages about a thing, as many facts as a page of results can bear."""
    first, *rest = pages.about_entry(entry)
    return [first] if _is_word(entry) else [first, *rest[: _FACTS + 1]]


def _is_word(entry: Entry) -> bool:
    """Whether an entry is a noun of the dictionary: one page says all that is known."""
    return entry["text"].startswith(f"{entry['title']}: ")


def _meant(text: str) -> list[Entry]:
    """What a query names beside other words; a small town of that name is not meant."""
    asked_for = re.sub(r"^.*\bcapital of ", "", plain(text))
    group = mentioned(asked_for if "capital of " in plain(text) else text)[:3]
    if any(" " in entry["title"] for entry in group):  # the laws of Isaac Newton are no book of the Bible
        group = tuple(entry for entry in group if " " in entry["title"] or entry["title"] in text)
    return [
        entry
        for entry in group
        if entry["kind"] not in ("city", "company") or plain(entry["title"]) in by_name() or _is_called(entry)
    ]


def _is_called(entry: Entry) -> bool:
    return any(plain(name) in by_name() for name in entry["aliases"])


def _beside(entry: Entry, carrying: set[str]) -> list[WebPage]:
    """The article on a thing that a query names beside other words: a name always, a common noun where little is left."""
    titles = [set(words(name)) for name in (entry["title"], *entry["aliases"])]
    left = min((carrying - title for title in titles), key=len)
    told = entry["field"] == "geography" or left <= set(words(entry["text"]))
    if _is_word(entry) and ("P279" in entry["properties"] or not told):
        return [pages.entry_page(entry)] if _asks_what_it_is(carrying - left, left) else []
    if left <= ATTRIBUTES:
        return [page for page in _own(entry) if page["kind"] != "question"]
    return [] if "P279" in entry["properties"] else [pages.entry_page(entry)]


def _asks_what_it_is(title: set[str], left: set[str]) -> bool:
    """Whether the words beside a noun ask for its meaning, history or the like; the best of its kind is another thing."""
    return bool(title) and left <= ATTRIBUTES


def _covers(page: WebPage, carrying: set[str], part: float = 1.0) -> bool:
    """Whether a page has the words that carry a query, or such a part of them."""
    held = set(words(_ZONE.sub("", f"{page['title']} {page['text']}")))
    return len(carrying & held) >= part * len(carrying)


def _cities_in(text: str) -> list[str]:
    """The ids of the cities that a query names."""
    meant = mentioned(text)
    titles = {plain(entry["title"]) for entry in meant if entry["kind"] == "city"}
    titles |= {
        plain(name)
        for entry in meant
        if entry["kind"] == "country"
        for name in entry["properties"].get("P36", ())
    }
    return [city["id"] for city in cities() if plain(city["name"]) in titles][:1]


def told_apart(found: Iterable[WebPage], query: str) -> list[WebPage]:
    """The pages with an extract each, which no two share; a page that only repeats earlier ones is left out."""
    seen: set[str] = set()
    kept: list[WebPage] = []
    for page in found:
        headline = re.sub(r"\d+", "", page["title"]) if page["kind"] == "news" else ""
        fresh = [text for text in _stated(page) if plain(text) not in seen]
        if not fresh or headline in seen:
            continue
        best = _nearest(fresh, query)
        seen |= {plain(best), headline} - {""}
        kept.append({**page, "extract": _shortened(best)})
    return kept


def _shortened(text: str) -> str:
    """A text as long as an extract may be, cut behind a word."""
    return text if len(text) <= _EXTRACT else f"{text[:_EXTRACT].rpartition(' ')[0].rstrip(',;:')} ..."


def _stated(page: WebPage) -> list[str]:
    """The sentences of a page without one that only repeats its title."""
    told = pages.sentences(page["text"]) or [page["text"]]
    return [text for text in told if plain(text).strip(" .") != plain(page["title"]).strip(" .")] or told


def _nearest(stated: list[str], query: str) -> str:
    """The sentence that shares most words with a query."""
    asked_for = set(words(query))
    other = {
        _SAID[word] for word in asked_for if word in _SAID
    }  # what is said in other words counts more than a name

    def shared(text: str) -> int:
        held = set(words(text))
        return len(asked_for & held) + 2 * len(other & held)

    return max(stated, key=shared)


def snippet(page: WebPage, query: str) -> str:
    """The extract that a search chose, else the sentence that shares most words with a query."""
    return page.get("extract") or _shortened(_nearest(_stated(page), query))


def check_sense(query: str) -> None:
    """A not_found fault where nobody knows a single word of a query; words that no page has together find nothing."""
    if not mentioned(query) and not any(map(known_word, _LONG.findall(plain(query)))):
        raise not_found("page with", query[:80], nearest=suggestions(query))
