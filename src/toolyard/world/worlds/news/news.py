"""News/news_search: articles and headlines of invented outlets."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal, TypedDict, Unpack, cast

from toolyard.world import seeds
from toolyard.world.faults import invalid, not_found, out_of_range
from toolyard.world.registry import tool
from toolyard.world.search import Index, words
from toolyard.world.shared.articles import (
    Article,
    Category,
    Source,
    SourceId,
    articles,
    known_language,
    outlet_of,
    outlets_in,
    sources,
)
from toolyard.world.shared.days import moment
from toolyard.world.shared.geography import countries, find_country
from toolyard.world.shared.happened import FIRST_EVENT, Happening, happenings
from toolyard.world.shared.reports import invented_news, true_news
from toolyard.world.shared.story_fit import told_once
from toolyard.world.state import World
from toolyard.world.tables import filter_rows, fold, page, plain
from toolyard.world.types import (
    CountryCode,
    DomainName,
    IsoDateTime,
    LanguageCode,
    Moment,
    Page,
    PageUrl,
    PersonName,
    Range,
    SearchText,
    Within,
)

GROUP = "News/news_search"
PageSize = Annotated[int, Range(1, 20)]
PageNumber = Annotated[int, Range(1, 10000)]


class Story(TypedDict):
    title: str
    description: str
    content: str
    author: PersonName
    source_id: SourceId
    source: str
    domain: DomainName
    url: PageUrl
    publishedAt: IsoDateTime
    readers: int


class Headline(TypedDict):
    headline: str
    source_id: SourceId
    source: str
    category: Category
    url: PageUrl
    publishedAt: IsoDateTime


class Filters(TypedDict, total=False):
    """What articles must be like.

    q: Words to find.
    searchIn: Parts to search: title, description, content; all of them if left out.
    sources: Ids of outlets, see get_news_headlines_sources.
    domains: Only articles of these domains.
    excludeDomains: No articles of these domains.
    from_date: Earliest date or time, as YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS.
    to_date: Latest date or time; a date includes the whole day.
    language: Two-letter language code, e.g. en.
    sortBy: Best match, most readers or newest first.
    pageSize: Articles per page.
    page: Number of the page, from 1.
    """

    q: SearchText
    searchIn: list[Literal["title", "description", "content"]]
    sources: list[SourceId]
    domains: list[DomainName]
    excludeDomains: list[DomainName]
    from_date: Annotated[Moment, Within("to_date")]
    to_date: Annotated[Moment, Within("from_date")]
    language: LanguageCode
    sortBy: Literal["relevancy", "popularity", "publishedAt"]
    pageSize: PageSize
    page: PageNumber


def _known_sources(wanted: list[str]) -> set[str]:
    known = {fold(row["id"]): row["id"] for row in sources()} | {
        fold(row["name"]): row["id"] for row in sources()
    }
    for name in wanted:
        if fold(name) not in known and _is_further(name):
            known[fold(name)] = fold(name)
        if fold(name) not in known:
            raise not_found("news source", name[:60], known=[row["id"] for row in sources()])
    return {known[fold(name)] for name in wanted}


def _is_further(name: str) -> bool:
    """Whether this is the id of the outlet of a country that has none on the list, which ends in its language."""
    language = fold(name).rpartition("-")[2]
    homes = (row["code"] for row in countries() if language in row["languages"])
    further = (*outlets_in(language), *(outlet_of(code, language) for code in homes))
    return any(row["id"] == fold(name) for row in further)


@seeds.remembered(16)
def _index(seed: int, parts: tuple[str, ...], invented: bool) -> Index[Article]:
    """The articles on events, or the invented ones, searchable in some parts."""
    return Index[Article](articles(seed) if invented else happenings(seed), parts)


def _told(world: World, query: str | None, parts: tuple[str, ...]) -> tuple[list[Article], ...]:
    """The articles on events and the invented ones that have the words of a query in some parts, best first."""
    seed = world.seed
    if query is None or not words(query):
        return [*reversed(happenings(seed))], [*reversed(articles(seed))]
    if parts:
        return tuple(_index(seed, parts, invented).search(query, bound=1.0) for invented in (False, True))
    return true_news(seed, query), invented_news(seed, query)


def _matching(world: World, filters: Filters) -> list[Article]:
    """Articles on events that satisfy all filters; where there are none, invented ones that do."""
    first = moment(filters["from_date"], "from_date") if "from_date" in filters else ""
    last = moment(filters["to_date"], "to_date", end=True) if "to_date" in filters else "~"
    if first > last:
        raise invalid("from_date", filters["from_date"], f"it must not be after to_date={filters['to_date']}")
    if first[:10] > world.today.isoformat():
        raise out_of_range("from_date", filters["from_date"], f"news end today, {world.today.isoformat()}")
    chosen = _known_sources(filters.get("sources", []))
    kept = {fold(name) for name in filters.get("domains", [])}
    dropped = {fold(name) for name in filters.get("excludeDomains", [])}
    language = known_language(filters.get("language"))

    def fits(row: Article) -> bool:
        return (
            (not chosen or row["source_id"] in chosen)
            and (not kept or row["domain"] in kept)
            and row["domain"] not in dropped
            and first <= row["published_at"] <= last
        )

    for told in _told(world, filters.get("q"), tuple(filters.get("searchIn", ()))):
        found = filter_rows([row for row in told if fits(row)], language=language)
        if found:
            return found
    return []


def _story(row: Article) -> Story:
    return {
        "title": row["title"],
        "description": row["description"],
        "content": row["content"],
        "author": row["author"],
        "source_id": row["source_id"],
        "source": row["source"],
        "domain": row["domain"],
        "url": row["url"],
        "publishedAt": row["published_at"],
        "readers": row["popularity"],
    }


@tool(
    GROUP,
    examples=[
        {"q": "technology", "from_date": "2023-08-01", "to_date": "2023-08-01", "sortBy": "popularity"},
        {"sources": ["signal-post"], "language": "en", "pageSize": 3, "page": 2},
    ],
    phrase=(
        "search the news archive for articles[ about {q}][ in the language {language}][, with the sources "
        "set to {sources}][, dated no earlier than {from_date}][, dated no later than {to_date}][, sorted by "
        "{sortBy}][, with the page size set to {pageSize}][, on page {page}]"
    ),
    noun="the list of archived news articles",
    jobs=("news",),
    general=True,
)
def get_news_everything(world: World, **filters: Unpack[Filters]) -> Page[Story]:
    """News articles from January 2023 to today by words, outlet, domain, date and language: a choice of what happened."""
    found = _matching(world, filters)
    order = filters.get("sortBy", "relevancy" if "q" in filters else "publishedAt")
    if order == "popularity":
        found = sorted(found, key=lambda row: -row["popularity"])
    elif order == "publishedAt":
        found = sorted(found, key=lambda row: row["published_at"], reverse=True)
    found = told_once(found, FIRST_EVENT, monthly=True)
    size = filters.get("pageSize", 5)
    return page([_story(row) for row in found], size, size * (filters.get("page", 1) - 1))


@tool(
    GROUP,
    examples=[
        {"country": "US"},
        {"category": "technology", "pageSize": 3},
        {"sources": ["signal-post"], "pageSize": 2},
    ],
    phrase=(
        "show the latest news headlines[ about {q}][ from outlets in {country}][ in the category "
        "{category}][, with the sources set to {sources}][, with the page size set to {pageSize}][, on page "
        "{page}]"
    ),
    noun="the list of latest headlines",
    jobs=("news",),
)
def get_news_headlines(
    world: World,
    *,
    country: CountryCode | None = None,
    category: Category | None = None,
    sources: list[SourceId] | None = None,
    q: SearchText | None = None,
    pageSize: PageSize = 5,
    page: PageNumber = 1,
) -> Page[Headline]:
    """Headlines of the past 30 days, newest first: a small choice of what happened.

    country: Two-letter code of a country: news from its outlets and on what happened there.
    category: Only this kind of news.
    sources: Ids of outlets; not together with country or category.
    q: Words to find.
    pageSize: Headlines per page.
    page: Number of the page, from 1.
    """
    if sources is not None and (country is not None or category is not None):
        raise invalid("sources", sources, "give sources or country and category, not both")
    since = (world.now - timedelta(days=30)).strftime("%Y-%m-%d")
    chosen = _known_sources(sources or [])
    home = find_country(country)["code"] if country else None

    def fits(row: Article) -> bool:
        recent = row["published_at"] >= since and category in (None, row["category"])
        return recent and (not chosen or row["source_id"] in chosen)

    events, invented = ([row for row in told if fits(row)] for told in _told(world, q, ()))
    near = [row for row in events if home is None or row["country"] == home or _is_in(row, home)]
    found = near or filter_rows(invented, country=home)
    found = told_once(sorted(found, key=lambda row: row["published_at"], reverse=True), FIRST_EVENT)
    start = pageSize * (page - 1)
    items = [_headline(row) for row in found[start : start + pageSize]]
    return {"total": len(found), "offset": start, "items": items}


def _is_in(row: Article, code: str) -> bool:
    """Whether an article tells of an event in a country."""
    return code in cast("Happening", row)["places"]


def _headline(row: Article) -> Headline:
    return {
        "headline": row["title"],
        "source_id": row["source_id"],
        "source": row["source"],
        "category": row["category"],
        "url": row["url"],
        "publishedAt": row["published_at"],
    }


@tool(
    GROUP,
    examples=[{}, {"country": "GB", "category": "technology"}],
    phrase=(
        "list the news outlets and their ids[ for {country}][ in the category {category}][ in the language "
        "{language}]"
    ),
    noun="the list of news outlets",
    described_as="Lists the outlets that news comes from, with their ids.",
)
def get_news_headlines_sources(
    *,
    country: CountryCode | None = None,
    category: Category | None = None,
    language: LanguageCode | None = None,
) -> list[Source]:
    """Outlets, with the ids that the other news tools take; of many, no article is kept.

    country: Two-letter code of the outlet's country.
    category: What the outlet mostly writes about.
    language: Two-letter code of the language it writes in.
    """
    language = known_language(language)
    home = find_country(country) if country is not None else None
    code = home["code"] if home else None
    found = filter_rows(sources(), country=code, category=category, language=language)
    if not found and language is not None and category in (None, "general"):
        found = filter_rows(outlets_in(plain(language)), country=code)
    if not found and home is not None and language is None and category in (None, "general"):
        found = [outlet_of(home["code"], next(iter(home["languages"]), "en"))]
    return found
