"""News/news_search: articles and headlines of invented outlets."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Literal, TypedDict, Unpack

from toolyard.world.index import words
from toolyard.world.kernel.faults import invalid, not_found, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import filter_rows, fold_case, plain
from toolyard.world.kernel.types import (
    CountryCode,
    DomainName,
    IsoDateTime,
    LanguageCode,
    Page,
    PageUrl,
    PersonName,
    Range,
    SearchText,
    Semantic,
    Within,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import moment
from toolyard.world.reference.places.geography import find_country
from toolyard.world.simulated.articles import (
    Article,
    Category,
    Source,
    SourceId,
    all_stories,
    article,
    count_readers,
    found_stories,
    monthly_readers,
    near_headlines,
    news_sources,
    publish_times,
)

GROUP = Group("News/news_search")
# Outlets of a list: those of the table stand first, and a country leads to every other one.
SHOWN = 30
NewsMoment = Annotated[str, Semantic("news_moment", accepts=("past_date",))]
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


class Outlet(Source):
    monthly_readers: int


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
    from_date: Annotated[NewsMoment, Within("to_date")]
    to_date: Annotated[NewsMoment, Within("from_date")]
    language: LanguageCode
    sortBy: Literal["relevancy", "popularity", "publishedAt"]
    pageSize: PageSize
    page: PageNumber


def _known_sources(wanted: list[str]) -> set[str]:
    known = {fold_case(row["id"]): row["id"] for row in news_sources()} | {
        fold_case(row["name"]): row["id"] for row in news_sources()
    }
    for name in wanted:
        if fold_case(name) not in known:
            raise not_found("news source", name[:60], known=[row["id"] for row in news_sources()])
    return {known[fold_case(name)] for name in wanted}


def _known_language(code: str | None) -> str | None:
    """A code of a language as it was given; an invalid_value fault where no language has it."""
    from babel import Locale

    if code is not None and plain(code) not in Locale.parse("en").languages:
        raise invalid("language", code[:20], "want a two-letter code of a language such as en, de or fr")
    return code and plain(code)


def _stories_about(query: str | None) -> list[int]:
    """The places of the stories on some words, best first; of all stories, newest first, where none are given."""
    if query is None or not words(query):
        return list(range(len(all_stories())))[::-1]
    found = found_stories(query)
    if not found:
        raise not_found(
            "news about", query[:80], nearest=near_headlines(query), such_as=("technology", "health")
        )
    return found


def _has_words(row: Article, parts: Sequence[Literal["title", "description", "content"]], query: str) -> bool:
    held = set(words(" ".join(str(row[part]) for part in parts)))
    return set(words(query)) <= held


def _matching_stories(world: World, filters: Filters) -> list[int]:
    """The places of the stories that satisfy all filters."""
    first = moment(filters["from_date"], "from_date") if "from_date" in filters else ""
    last = moment(filters["to_date"], "to_date", end=True) if "to_date" in filters else "~"
    if first > last:
        raise invalid("from_date", filters["from_date"], f"it must not be after to_date={filters['to_date']}")
    if first[:10] > world.today.isoformat():
        raise out_of_range("from_date", filters["from_date"], f"news end today, {world.today.isoformat()}")
    chosen = _known_sources(filters.get("sources", []))
    kept = {fold_case(name) for name in filters.get("domains", [])}
    dropped = {fold_case(name) for name in filters.get("excludeDomains", [])}
    language, parts = _known_language(filters.get("language")), filters.get("searchIn", [])

    def fits(place: int) -> bool:
        story = all_stories()[place]
        return (
            (not chosen or story.source["id"] in chosen)
            and (not kept or story.source["domain"] in kept)
            and story.source["domain"] not in dropped
            and language in (None, story.source["language"])
            and first <= publish_times(world.seed)[place] <= last
        )

    found = [place for place in _stories_about(filters.get("q")) if fits(place)]
    if parts and "q" in filters:
        found = [one for one in found if _has_words(article(world.seed, one), [*parts], filters["q"])]
    return found


STORY = View.of(Story, publishedAt="published_at", readers="popularity")
HEADLINE = View.of(Headline, headline="title", publishedAt="published_at")


@GROUP.tool(
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
    """News articles from January 2023 to today by words, outlet, domain, date and language."""
    found = _matching_stories(world, filters)
    order = filters.get("sortBy", "relevancy" if "q" in filters else "publishedAt")
    if order == "popularity":
        found.sort(key=lambda place: -count_readers(world.seed, place))
    elif order == "publishedAt":
        found.sort(key=lambda place: publish_times(world.seed)[place], reverse=True)
    size = filters.get("pageSize", 5)
    start = size * (filters.get("page", 1) - 1)
    items = STORY.rows(article(world.seed, place) for place in found[start : start + size])
    return {"total": len(found), "offset": start, "items": items}


@GROUP.tool(
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
    """Headlines of the past 30 days, newest first.

    country: Two-letter code of a country: news from its outlets.
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

    def fits(place: int) -> bool:
        story = all_stories()[place]
        return (
            publish_times(world.seed)[place] >= since
            and category in (None, story.category)
            and (not chosen or story.source["id"] in chosen)
            and home in (None, story.source["country"])
        )

    found = [place for place in _stories_about(q) if fits(place)]
    found.sort(key=lambda place: publish_times(world.seed)[place], reverse=True)
    start = pageSize * (page - 1)
    items = HEADLINE.rows(article(world.seed, place) for place in found[start : start + pageSize])
    return {"total": len(found), "offset": start, "items": items}


@GROUP.tool(
    examples=[{"country": "US"}, {"country": "GB", "category": "technology"}],
    phrase=(
        "list the news outlets and their ids[ for {country}][ in the category {category}][ in the language "
        "{language}]"
    ),
    noun="the list of news outlets",
    described_as="Lists the outlets that news comes from, with their ids.",
)
def get_news_headlines_sources(
    world: World,
    *,
    country: CountryCode | None = None,
    category: Category | None = None,
    language: LanguageCode | None = None,
) -> list[Outlet]:
    """Outlets, with the ids that the other news tools take.

    country: Two-letter code of the outlet's country.
    category: What the outlet mostly writes about.
    language: Two-letter code of the language it writes in.
    """
    language = _known_language(language)
    code = find_country(country)["code"] if country is not None else None
    read = monthly_readers(world.seed)
    rows = filter_rows(news_sources(), country=code, category=category, language=language)
    return [{**row, "monthly_readers": read.get(row["id"], 0)} for row in rows[:SHOWN]]
