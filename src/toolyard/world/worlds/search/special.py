"""Search/CostumizeSearch beyond the web: Nobel prizes, events, the encyclopaedia, patents and scholarship."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import invalid, not_found, out_of_range
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared import scholarship as library
from toolyard.world.shared.entries import look_up, suggestions
from toolyard.world.shared.entry import EntryTitle, KnownThing
from toolyard.world.shared.events import coming_events, events_about
from toolyard.world.shared.further_papers import all_further, further_papers, known_about, known_papers
from toolyard.world.shared.geography import City, city_or_none, countries, plain, read_table
from toolyard.world.shared.leading import leading_to
from toolyard.world.shared.page_query import Query, parse_query
from toolyard.world.shared.pages import entry_url
from toolyard.world.shared.paper_graph import citations
from toolyard.world.shared.query_words import asked
from toolyard.world.state import World
from toolyard.world.types import (
    CityName,
    CountryCode,
    IsoDateTime,
    PageUrl,
    PersonName,
    Range,
    SearchText,
    Semantic,
    TicketEventId,
    Year,
)
from toolyard.world.views import View
from toolyard.world.worlds.search.events_sought import (
    check_place,
    events_in,
    fitting,
    is_performer,
    kinds_in,
    performer_in,
    when,
    without_idle_words,
)
from toolyard.world.worlds.search.local_shops import what_and_where
from toolyard.world.worlds.search.only_told import check_known

GROUP = "Search/CostumizeSearch"
_FIRST_PRIZES, _FIRST_ECONOMICS, _LAST_PRIZES = 1901, 1969, 2023
NobelCategory = Literal["che", "eco", "lit", "pea", "phy", "med"]
ScholarId = Annotated[str, Semantic("scholar_id")]
_CATEGORIES = {
    "che": "chemistry", "eco": "economic sciences", "lit": "literature", "pea": "peace", "phy": "physics",
    "med": "physiology or medicine",
}  # fmt: skip


class Prize(TypedDict):
    year: Year
    category: str
    laureates: list[PersonName]
    awarded_for: str


class EventHit(TypedDict):
    title: str
    event_id: TicketEventId
    starts: IsoDateTime
    venue: str
    city: CityName
    country_code: CountryCode
    lowest_price: int


EVENT_HIT = View[EventHit]({
    "title": "show.name", "event_id": "id", "starts": "starts", "venue": "venue.name", "city": "venue.city",
    "country_code": "venue.country_code", "lowest_price": "lowest_price",
})  # fmt: skip


class Encyclopaedia(TypedDict):
    title: EntryTitle
    kind: str
    summary: str
    url: PageUrl
    see_also: list[EntryTitle]


class ScholarHit(TypedDict):
    scholar_id: ScholarId
    title: library.Title
    link: PageUrl
    authors: list[PersonName]
    year: Year
    venue: str
    cited_by: int
    pdf: str | None


_AWARDED = {"phy": "work in physics", "che": "work in chemistry", "med": "work in physiology or medicine",
            "lit": "literary work", "pea": "work for peace", "eco": "work in economics"}  # fmt: skip


@functools.cache
def _earlier_prizes() -> tuple[Prize, ...]:
    """The prizes of 1901 to 2014 that are not among the best known ones."""
    return tuple(
        Prize(
            year=int(row["year"]),
            category=_CATEGORIES[row["category"]],
            laureates=row["laureates"].split(";"),
            awarded_for=_AWARDED[row["category"]],
        )
        for row in read_table("nobel_earlier.tsv")
    )


@functools.cache
def _prizes() -> tuple[Prize, ...]:
    return tuple(
        Prize(
            year=int(row["year"]),
            category=_CATEGORIES[row["category"]],
            laureates=row["laureates"].split(";"),
            awarded_for=row["reason"],
        )
        for row in read_table("nobel.tsv")
    )


@tool(
    GROUP,
    examples=[{"year": 2020, "nobelPrizeCategory": "phy"}, {"year": 2015}],
    phrase=(
        "list the Nobel prizes and their laureates[ in the year {year}][ in the prize category "
        "{nobelPrizeCategory}]"
    ),
    noun="the list of Nobel prizes",
)
def get_nobel_results(
    *, year: Year | None = None, nobelPrizeCategory: NobelCategory | None = None
) -> list[Prize]:
    """Nobel prizes with their laureates and what they were awarded for, newest first, 20 at most.

    From 1901 to 2023; what the earlier ones were awarded for is said in general words.

    year: Only prizes of this year.
    nobelPrizeCategory: Only this field: che(mistry), eco(nomics), lit(erature), pea(ce), phy(sics), med(icine).
    """
    wanted = _CATEGORIES[nobelPrizeCategory] if nobelPrizeCategory else None
    first = _FIRST_ECONOMICS if nobelPrizeCategory == "eco" else _FIRST_PRIZES
    if year is not None and not first <= year <= _LAST_PRIZES:
        kind = " in economic sciences" if first == _FIRST_ECONOMICS else ""
        raise out_of_range("year", year, f"prizes{kind} are known from {first} to {_LAST_PRIZES}")
    found = [
        row
        for row in (*_prizes(), *_earlier_prizes())
        if year in (None, row["year"]) and (wanted is None or row["category"] == wanted)
    ]
    if not found:
        raise invalid("year", year, f"no prize{f' for {wanted}' if wanted else ''} was awarded that year")
    found.sort(key=lambda row: -row["year"])
    return found[:20]


@tool(
    GROUP,
    examples=[{"query": "Los Angeles"}, {"query": "US"}],
    phrase="find upcoming events on Google for {query}",
    noun="the list of upcoming events",
    jobs=("events",),
)
def google_events_search(world: World, *, query: SearchText) -> list[EventHit]:
    """Up to ten coming concerts, shows and the like at a place, or of a performer or kind, soonest first.

    query: City, country (name or two-letter code), or words such as jazz in Chicago.
    """
    country = next(
        (c["code"] for c in countries() if plain(query) in (plain(c["name"]), plain(c["code"]))), None
    )
    query, first, last = when(query, world.today)
    played = performer_in(query)
    query = played or query
    what, where = what_and_where(asked(query)) if not is_performer(query) else (query, None)
    city = None if played else city_or_none(query) or where
    if city is None and not played and (named_first := _place_first(query)):
        what, where = named_first
        city = where
    if country:
        found = [row for row in coming_events(world.seed).values() if row.venue.country_code == country]
    elif city:
        found = events_in(world.seed, city, query, what if where else "", (first, last))
    else:
        found = events_about(world.seed, without_idle_words(query)) or fitting(
            list(coming_events(world.seed).values()) if kinds_in(query) else [], query, what, False
        )
    later = sorted((row for row in found if first <= row.date <= last), key=lambda row: row.starts)
    if not later:
        check_place(query, city is not None or country is not None)
    return [EVENT_HIT.row(event) for event in later[:10]]


def _place_first(query: str) -> tuple[str, City] | None:
    """A kind of events and the city that a query names before it, as in "Vienna opera"; None where it names none."""
    first, _, rest = query.partition(" ")
    city = city_or_none(first) if rest and first[:1].isupper() and kinds_in(rest) else None
    return (rest, city) if city else None


@tool(
    GROUP,
    examples=[{"entity": "Leonardo da Vinci"}, {"entity": "Tokyo"}],
    phrase="look up the encyclopaedia entry on {entity}",
    noun="the encyclopaedia entry",
    stands_in_for=("Art", "Entity", "Search"),
)
def wiki_search(*, entity: KnownThing) -> Encyclopaedia:
    """What the encyclopaedia says about a person, place or thing in a few sentences.

    entity: Name of what is looked for.
    """
    entry = look_up(asked(entity, "entity"))
    if entry is None:
        raise not_found("entry for", entity[:80], nearest=suggestions(entity))
    return {
        "title": entry["title"],
        "kind": entry["kind"],
        "summary": entry["text"],
        "url": entry_url(entry["title"]),
        "see_also": list(leading_to(entry["title"])),
    }


def scholar_id(paper_id: str) -> str:
    """The number by which citing papers are looked up."""
    return str(10**18 + seeds.number("scholar", paper_id) % 10**18)


@seeds.table
def _by_scholar_id(seed: int) -> dict[str, library.Paper]:
    return {scholar_id(paper["paper_id"]): paper for paper in library.papers(seed)}


@tool(
    GROUP,
    examples=[{"query": "computer vision", "as_ylo": 2018, "num": 5}, {"query": "author:goodfellow"}],
    phrase=(
        "search Google Scholar for {query}[, only among papers that cite {cites}][, with the earliest year "
        "set to {as_ylo}][, with the number of papers set to {num}]"
    ),
    noun="the list of Google Scholar papers",
    jobs=("papers",),
)
def google_scholar_search(
    world: World,
    *,
    query: SearchText,
    cites: ScholarId | None = None,
    as_ylo: Year | None = None,
    num: Annotated[int, Range(1, 20)] = 10,
) -> list[ScholarHit]:
    """Research papers for a query, or those that cite a given paper.

    Some well-known ones are real, with rounded citations and not always all authors; all others are simulated.

    query: Words; author:NAME and source:VENUE narrow the search. With cites it may be empty.
    cites: Number of a paper (scholar_id); only papers that cite it are searched.
    as_ylo: Earliest year of publication.
    num: How many papers to list.
    """
    if as_ylo is not None and as_ylo > world.today.year:
        raise out_of_range("as_ylo", as_ylo, f"papers are known up to {world.today.year}")
    parsed = parse_query(query if cites is not None else asked(query))
    known: Mapping[str, library.Paper] = library.by_key(world.seed)
    if cites is not None:
        own = {scholar_id(paper["paper_id"]): paper for paper in all_further(world.seed)}
        cited = _by_scholar_id(world.seed).get(cites.strip()) or own.get(cites.strip())
        if cited is None:
            raise not_found("paper with number", cites[:40], known=list(_by_scholar_id(world.seed)))
        known = {**known, **{paper["paper_id"]: paper for paper in own.values()}}
        pool = [known[paper_id] for paper_id in citations(world.seed, cited)]
    else:
        pool = [*known_papers(), *library.papers(world.seed)]
    if words(parsed.text) and cites is None:
        pool = [*known_about(parsed.text), *library.index(world.seed).search(parsed.text, bound=1.0)]
    elif words(parsed.text):
        chosen = {paper["paper_id"] for paper in pool}
        ranked = library.index(world.seed).search(parsed.text, bound=1.0)
        pool = [paper for paper in ranked if paper["paper_id"] in chosen]
    found = _chosen(pool, parsed, as_ylo)
    if cites is None and not found:
        sought = parsed.text if words(parsed.text) else dict(parsed.wanted).get("author", "")
        found = _chosen(further_papers(world.seed, sought), parsed, as_ylo)
        if not found:
            check_known("paper on", query)
    return [_hit(paper) for paper in found[:num]]


def _chosen(pool: Iterable[library.Paper], parsed: Query, since: int | None) -> list[library.Paper]:
    """The papers that a query narrows to, each once."""
    unique = {paper["paper_id"]: paper for paper in pool}.values()
    return [paper for paper in unique if _fits(paper, parsed.wanted) and paper["year"] >= (since or 0)]


def _fits(paper: library.Paper, wanted: tuple[tuple[str, str], ...]) -> bool:
    fields = {"author": paper["names"], "source": paper["venue"], "intitle": paper["title"]}
    return all(value in plain(fields.get(name, paper["abstract"])) for name, value in wanted)


def _hit(paper: library.Paper) -> ScholarHit:
    return {
        "scholar_id": scholar_id(paper["paper_id"]),
        "title": paper["title"],
        "link": paper["url"],
        "authors": [author["name"] for author in paper["authors"]],
        "year": paper["year"],
        "venue": paper["venue"],
        "cited_by": paper["citation_count"],
        "pdf": paper["pdf"],
    }
