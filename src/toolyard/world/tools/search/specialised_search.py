"""Search/CostumizeSearch beyond the web: Nobel prizes, events, the encyclopaedia, patents and scholarship."""

import functools
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, TypedDict

from toolyard.world.index import words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, plain, read_record, read_table
from toolyard.world.kernel.types import (
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
from toolyard.world.kernel.views import View
from toolyard.world.reference.encyclopaedia.entries import look_up_entry, see_also, suggest_titles
from toolyard.world.reference.encyclopaedia.entry import EntryTitle, KnownThing
from toolyard.world.reference.places.geography import City, city_or_none, countries
from toolyard.world.simulated import scholarship as library
from toolyard.world.simulated.events import Event, all_attractions, coming_events, events_about, events_by_id
from toolyard.world.simulated.pages import check_query, entry_url, parse_query
from toolyard.world.simulated.venues import all_venues
from toolyard.world.tools.search.local_shops import split_what_and_where

GROUP = Group("Search/CostumizeSearch")
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
def _all_prizes() -> tuple[Prize, ...]:
    """The prizes; what the earlier ones were awarded for is said in general words."""
    return tuple(
        read_record(
            Prize,
            row,
            category=_CATEGORIES[row["category"]],
            awarded_for=row.get("reason") or _AWARDED[row["category"]],
        )
        for table in ("nobel.tsv", "nobel_earlier.tsv")
        for row in read_table(table)
    )


@GROUP.tool(
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
        for row in _all_prizes()
        if year in (None, row["year"]) and (wanted is None or row["category"] == wanted)
    ]
    if not found:
        raise invalid("year", year, f"no prize{f' for {wanted}' if wanted else ''} was awarded that year")
    found.sort(key=lambda row: -row["year"])
    return found[:20]


@GROUP.tool(
    examples=[{"query": "Los Angeles"}, {"query": "US"}],
    phrase="find upcoming events on Google for {query}",
    noun="the list of upcoming events",
    jobs=("events",),
)
def google_events_search(world: World, *, query: SearchText) -> list[EventHit]:
    """Up to ten coming concerts, shows and the like at a place, or of a performer or kind, soonest first.

    query: City, country (name or two-letter code), or words such as jazz in Chicago.
    """
    today, text = world.today.isoformat(), check_query(query)
    codes = {plain(name): row["code"] for row in countries() for name in (row["name"], row["code"])}
    what, city = (text, None) if city_or_none(text) is None else ("", city_or_none(text))
    what, city = (what, city) if city else split_what_and_where(text)
    coming = coming_events(world.seed).values()
    if plain(text) in codes:
        found = [row for row in coming if row.venue.country_code == codes[plain(text)]]
    elif city is not None:
        found = _fitting_events(_events_near(world.seed, city), what)
    else:
        found = events_about(world.seed, text) or _fitting_events(coming, text)
    later = sorted((row for row in found if row.date >= today), key=lambda row: row.starts)
    # Who is called just as the query says comes whatever town is called so, too.
    shows = [show.id for show in all_attractions().values() if plain(show.name) == plain(text)]
    called = [row for show in shows for row in events_by_id(world.seed, show) if row.date >= today]
    once: dict[str, Event] = {}
    for row in [*sorted(called, key=lambda row: row.starts), *later]:
        once.setdefault(row.show.id, row)
    if not once:
        raise not_found("coming event for", query[:80], such_as=("Chicago", "jazz", "US"))
    shown = sorted(list(once.values())[:10], key=lambda row: row.starts)
    return EVENT.rows(shown)


EVENT = View.of(
    EventHit,
    title="show.name",
    event_id="id",
    venue="venue.name",
    city="venue.city",
    country_code="venue.country_code",
)


def _events_near(seed: int, city: City) -> Sequence[Event]:
    """What is on in a city, or at the venue nearest to it."""
    near = min(
        all_venues().values(),
        key=lambda venue: kilometres(city["latitude"], city["longitude"], venue.latitude, venue.longitude),
    )
    return events_by_id(seed, city["id"]) or events_by_id(seed, near.place_id)


def _fitting_events(found: Iterable[Event], what: str) -> list[Event]:
    """The events with a word of a query in their name, venue or kind; all where it only asks for events."""
    sought = set(words(what)) - _ANY_EVENT

    def told(event: Event) -> set[str]:
        kind = event.show.kind
        return {*event.words, *words(f"{kind.segment} {kind.genre} {kind.subgenre}")}

    return [event for event in found if not sought or sought & told(event)]


_ANY_EVENT = frozenset(words("events things to do shows happening tickets what is on upcoming concert"))


@GROUP.tool(
    examples=[{"entity": "Leonardo da Vinci"}, {"entity": "Tokyo"}],
    phrase="look up the encyclopaedia entry on {entity}",
    noun="the encyclopaedia entry",
    stands_in_for=("Art", "Entity", "Search"),
)
def wiki_search(*, entity: KnownThing) -> Encyclopaedia:
    """What the encyclopaedia says about a person, place or thing in a few sentences.

    entity: Name of what is looked for.
    """
    entry = look_up_entry(check_query(entity, "entity"))
    if entry is None:
        raise not_found("entry for", entity[:80], nearest=suggest_titles(entity))
    return {
        "title": entry["title"],
        "kind": entry["kind"],
        "summary": entry["text"],
        "url": entry_url(entry["title"]),
        "see_also": list(see_also(entry["title"])),
    }


def scholar_id(paper_id: str) -> str:
    """The number by which citing papers are looked up."""
    return str(10**18 + seeds.number("scholar", paper_id) % 10**18)


@seeds.table
def _papers_by_scholar_id(seed: int) -> dict[str, library.Paper]:
    return {scholar_id(paper["paper_id"]): paper for paper in library.papers(seed)}


SCHOLAR = View.of(
    ScholarHit,
    scholar_id=lambda paper: scholar_id(paper["paper_id"]),
    link="url",
    authors=lambda paper: [author["name"] for author in paper["authors"]],
    cited_by="citation_count",
)


@GROUP.tool(
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

    query: Words; author:NAME and source:VENUE narrow the search. With cites it may be empty.
    cites: Number of a paper (scholar_id); only papers that cite it are searched.
    as_ylo: Earliest year of publication.
    num: How many papers to list.
    """
    if as_ylo is not None and as_ylo > world.today.year:
        raise out_of_range("as_ylo", as_ylo, f"papers are known up to {world.today.year}")
    parsed = parse_query(query if cites is not None else check_query(query))
    if cites is not None:
        cited = _papers_by_scholar_id(world.seed).get(cites.strip())
        if cited is None:
            raise not_found("paper with number", cites[:40], known=list(_papers_by_scholar_id(world.seed)))
        known = library.papers_by_id(world.seed)
        pool = sorted((known[key] for key in cited["citations"]), key=lambda paper: -paper["citation_count"])
        pool = [
            paper
            for paper in pool
            if set(words(parsed.text)) <= set(words(f"{paper['title']} {paper['about']}"))
        ]
    elif words(parsed.text):
        pool = library.found_papers(world.seed, parsed.text)
    else:
        pool = list(library.papers(world.seed))
    found = [paper for paper in pool if _paper_fits(paper, parsed.wanted) and paper["year"] >= (as_ylo or 0)]
    if not found and cites is None and as_ylo is None:
        raise not_found("paper on", query[:80], nearest=library.near_titles(parsed.text))
    return SCHOLAR.rows(found[:num])


def _paper_fits(paper: library.Paper, wanted: tuple[tuple[str, str], ...]) -> bool:
    fields = {"author": paper["names"], "source": paper["venue"], "intitle": paper["title"]}
    return all(value in plain(fields.get(name, paper["abstract"])) for name, value in wanted)
