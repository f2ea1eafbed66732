"""News/space_news: articles, blog posts and reports on spaceflight, tied to launches and events."""

import functools
import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Annotated, Literal, TypedDict, Unpack

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import fold_case, page, read_table, sort_rows, values_of
from toolyard.world.kernel.types import IsoDateTime, Moment, Page, Range, Semantic, Url
from toolyard.world.reference.days import moment
from toolyard.world.tools.filters import described_like

Kind = Literal["articles", "blogs", "reports"]
ArticleId = Annotated[int, Semantic("space_article_id")]
BlogId = Annotated[int, Semantic("space_blog_id")]
ReportId = Annotated[int, Semantic("space_report_id")]
LaunchId = Annotated[str, Semantic("space_launch_id")]
EventId = Annotated[int, Semantic("space_event_id")]


class Document(TypedDict):
    """A piece on spaceflight as it is kept; results show it with an id of their own kind."""

    number: int
    title: str
    summary: str
    news_site: str
    url: Url
    published_at: IsoDateTime
    updated_at: IsoDateTime
    launch: LaunchId | None
    event: EventId | None
    rocket: str | None
    word_count: int


class Body(TypedDict):
    title: str
    summary: str
    news_site: str
    published_at: IsoDateTime
    updated_at: IsoDateTime


class SpaceArticle(Body):
    id: ArticleId
    launch: LaunchId | None
    event: EventId | None


class SpaceBlog(Body):
    id: BlogId
    launch: LaunchId | None
    event: EventId | None


class SpaceReport(Body):
    id: ReportId


class Whole(TypedDict):
    rocket: str | None
    url: Url
    word_count: int


class WholeArticle(SpaceArticle, Whole):
    pass


class WholeBlog(SpaceBlog, Whole):
    pass


class WholeReport(SpaceReport, Whole):
    pass


class Info(TypedDict):
    version: str
    news_sites: list[str]
    articles: int
    blogs: int
    reports: int
    newest: IsoDateTime


class ReportFilters(TypedDict, total=False):
    """What documents must be like.

    limit: Documents per answer.
    offset: How many documents to skip.
    news_site: Only from these sites.
    ordering: Field to sort by (published_at, updated_at, title, news_site), descending with a minus.
    search: Phrase that title or summary must contain.
    published_at_gt: Published after this moment.
    published_at_gte: Published at or after this moment.
    published_at_lt: Published before this moment.
    published_at_lte: Published at or before this moment.
    summary_contains: Phrase that the summary must contain.
    summary_contains_all: Words that must all be in the summary.
    summary_contains_one: Words of which one must be in the summary.
    title_contains: Phrase that the title must contain.
    title_contains_all: Words that must all be in the title.
    title_contains_one: Words of which one must be in the title.
    updated_at_gt: Updated after this moment.
    updated_at_gte: Updated at or after this moment.
    updated_at_lt: Updated before this moment.
    updated_at_lte: Updated at or before this moment.
    """

    limit: Annotated[int, Range(1, 20)]
    offset: Annotated[int, Range(0, 100000)]
    news_site: list[str]
    ordering: str
    search: str
    published_at_gt: Moment
    published_at_gte: Moment
    published_at_lt: Moment
    published_at_lte: Moment
    summary_contains: str
    summary_contains_all: list[str]
    summary_contains_one: list[str]
    title_contains: str
    title_contains_all: list[str]
    title_contains_one: list[str]
    updated_at_gt: Moment
    updated_at_gte: Moment
    updated_at_lt: Moment
    updated_at_lte: Moment


@described_like(ReportFilters)
class Filters(ReportFilters, total=False):
    """What documents must be like.

    event: Number of an event that the document is about.
    has_event: Whether the document must be about an event.
    has_launch: Whether the document must be about a launch.
    launch: Id of a launch that the document is about.
    """

    event: EventId
    has_event: bool
    has_launch: bool
    launch: LaunchId


GROUP = Group("News/space_news")
# The numbers of the newest documents.
_LAST: Mapping[Kind, int] = {"articles": 320, "blogs": 140, "reports": 70}
_SITES: Mapping[Kind, tuple[str, ...]] = values_of("space.sites")


@functools.cache
def _launch_rows() -> tuple[Mapping[str, str], ...]:
    """Launches on record, oldest first; the last ones are still to come."""
    return tuple(read_table("space_launches.tsv"))


@functools.cache
def _pieces_by_kind() -> Mapping[str, list[dict[str, str]]]:
    """Pieces on what happened, by kind, oldest first."""
    return group_items(read_table("space_news.tsv"), lambda row: row["kind"])


@functools.cache
def _rocket_pattern() -> re.Pattern[str]:
    """The names of the rockets on record; of two that begin alike the longer one first."""
    listed = (row["names"].split(";") for row in read_table("space.tsv") if row["kind"] == "rocket")
    names = {re.sub(r" \d{4}$", "", name.partition("=")[0]) for row in listed for name in row}
    known = sorted({*names, *(row["rocket"] for row in _launch_rows())}, key=len)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, reversed(known)))})(?![\w-])")


def _rocket_in_row(row: Mapping[str, str], launch: int | None) -> str | None:
    """The rocket of the launch that a piece is about, else the first one that it names."""
    if launch is not None:
        return _launch_rows()[launch]["rocket"]
    named = _rocket_pattern().search(f"{row['title']} {row['summary']}")
    return named[0] if named else None


# What the articles before those of the table are about.
_EARLIER: tuple[tuple[str, str], ...] = tuple(values_of("space.earlier").values())


@functools.cache
def _earlier_articles() -> tuple[dict[str, str], ...]:
    """The articles before those of the table, so that the numbers begin with 1."""
    places = sorted({(row["rocket"], row["site"]) for row in _launch_rows()})
    found = []
    for number in range(1, _LAST["articles"] + 1 - len(_pieces_by_kind()["articles"])):
        rocket, site = places[number % len(places)]
        title, summary = _EARLIER[number // len(places) % len(_EARLIER)]
        day = date(2021, 1, 4) + timedelta(days=number * 5 // 3)
        told = {"title": title.format(rocket=rocket, site=site), "summary": summary, "day": day.isoformat()}
        found.append({**told, "launch": "", "event": ""})
    return tuple(found)


def _make_document(seed: int, kind: Kind, number: int, row: Mapping[str, str]) -> Document:
    chance = seeds.stream(seed, "space", kind, number)
    name = seeds.pick(_SITES[kind], "site", kind, number)
    launch = next((n for n, known in enumerate(_launch_rows()) if row["launch"] == known["day"]), None)
    # What happened on a day is told when the day is over.
    published = datetime.fromisoformat(f"{row['day']}T21:{chance.randrange(60):02d}:00")
    touched = published + timedelta(minutes=6 + chance.randrange(110))
    figures = {"n": chance.randrange(40, 600), "m": chance.randrange(2, 30)}
    return Document(
        number=number,
        title=row["title"],
        summary=row["summary"].format(**figures),
        news_site=name,
        url=f"https://{fold_case(name).replace(' ', '-')}.example/{kind}/{number}",
        published_at=f"{published:%Y-%m-%dT%H:%M:%SZ}",
        updated_at=f"{touched:%Y-%m-%dT%H:%M:%SZ}",
        launch=None if launch is None else _launch_id(launch),
        event=int(row["event"]) if row["event"] else None,
        rocket=_rocket_in_row(row, launch),
        word_count=chance.randrange(180, 1400),
    )


def _launch_id(number: int) -> str:
    text = seeds.token(32, "launch", number)
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


@seeds.table
def documents_by_kind(seed: int) -> Mapping[Kind, tuple[Document, ...]]:
    """Documents by kind, numbered one by one, newest last."""
    found = {}
    for kind, last in _LAST.items():
        rows = [*(_earlier_articles() if kind == "articles" else ()), *_pieces_by_kind()[kind]]
        numbered = enumerate(rows, start=last + 1 - len(rows))
        found[kind] = tuple(_make_document(seed, kind, number, row) for number, row in numbered)
    return found


def _is_in_time(row: Document, filters: ReportFilters) -> bool:
    for field in ("published_at", "updated_at"):
        for ending in ("gt", "gte", "lt", "lte"):
            text = filters.get(f"{field}_{ending}")
            if text is None:
                continue
            bound = moment(str(text), f"{field}_{ending}")
            value = str(row[field])
            if not {"gt": value > bound, "gte": value >= bound, "lt": value < bound, "lte": value <= bound}[
                ending
            ]:
                return False
    return True


def _in_words(row: Document, filters: ReportFilters) -> bool:
    for field in ("title", "summary"):
        text = fold_case(row[field])
        if fold_case(filters.get(f"{field}_contains", "")) not in text:
            return False
        every, one = filters.get(f"{field}_contains_all"), filters.get(f"{field}_contains_one")
        if isinstance(every, list) and not all(fold_case(word) in text for word in every):
            return False
        if isinstance(one, list) and not any(fold_case(word) in text for word in one):
            return False
    return fold_case(filters.get("search", "")) in fold_case(f"{row['title']} {row['summary']}")


def _fits_launch_and_event(row: Document, filters: Filters) -> bool:
    return (
        filters.get("event", row["event"]) == row["event"]
        and filters.get("launch", row["launch"]) == row["launch"]
        and filters.get("has_event", row["event"] is not None) == (row["event"] is not None)
        and filters.get("has_launch", row["launch"] is not None) == (row["launch"] is not None)
    )


_BOUNDS = (("gt", "lt"), ("gt", "lte"), ("gte", "lt"), ("gte", "lte"))


def _check_bounds(filters: ReportFilters) -> None:
    """An invalid_value fault where a span of time ends before it begins."""
    for field in ("published_at", "updated_at"):
        for first, last in _BOUNDS:
            low, high = filters.get(f"{field}_{first}"), filters.get(f"{field}_{last}")
            if low and high and moment(str(low), f"{field}_{first}") > moment(str(high), f"{field}_{last}"):
                raise invalid(f"{field}_{first}", low, f"it must not be after {field}_{last}={high}")


def _check_ties(world: World, ties: Filters) -> None:
    """A not_found fault where no launch has an id, or no event a number."""
    if "launch" in ties and ties["launch"] not in map(_launch_id, range(len(_launch_rows()))):
        raise not_found("launch", str(ties["launch"])[:40])
    rows = (row for kind in _LAST for row in documents_by_kind(world.seed)[kind])
    events = sorted({row["event"] for row in rows if row["event"] is not None})
    if "event" in ties and ties["event"] not in events:
        raise not_found("event", ties["event"], known=events)


def _select_documents(
    world: World, kind: Kind, filters: ReportFilters, ties: Filters | None = None
) -> Page[Document]:
    sites = {fold_case(name) for name in filters.get("news_site", [])}
    if sites and sites.isdisjoint(map(fold_case, _SITES[kind])):
        raise not_found("news_site", filters["news_site"][0][:40], known=_SITES[kind])
    _check_bounds(filters)
    if ties:
        _check_ties(world, ties)

    def fits(row: Document) -> bool:
        return (not sites or fold_case(row["news_site"]) in sites) and _is_in_time(row, filters)

    found = [
        row
        for row in documents_by_kind(world.seed)[kind]
        if fits(row) and (ties is None or _fits_launch_and_event(row, ties)) and _in_words(row, filters)
    ]
    order = filters.get("ordering", "-published_at")
    found = sort_rows(found, order, ("published_at", "updated_at", "title", "news_site"), "ordering")
    return page(found, filters.get("limit", 10), filters.get("offset", 0))


def _find_document(world: World, kind: Kind, number: int) -> Document:
    rows = documents_by_kind(world.seed)[kind]
    known = range(rows[0]["number"], rows[-1]["number"] + 1)
    if number not in known:
        raise not_found(f"{kind[:-1]} number", number, known=known)
    return rows[known.index(number)]


def _document_body(row: Document) -> Body:
    return {
        "title": row["title"],
        "summary": row["summary"],
        "news_site": row["news_site"],
        "published_at": row["published_at"],
        "updated_at": row["updated_at"],
    }


def _launch_fields(row: Document) -> Whole:
    return {"rocket": row["rocket"], "url": row["url"], "word_count": row["word_count"]}


def _make_article(row: Document) -> SpaceArticle:
    return {**_document_body(row), "id": row["number"], "launch": row["launch"], "event": row["event"]}


@GROUP.tool(
    examples=[{"search": "Falcon 9", "limit": 3}, {"has_event": True, "limit": 2}],
    phrase=(
        "list spaceflight news articles[ that mention {search}][, with the news sites set to {news_site}][, "
        "published at or after {published_at_gte}][, published at or before {published_at_lte}][, with the "
        "has-event flag set to {has_event}][, with the has-launch flag set to {has_launch}][, ordered by "
        "{ordering}][, with the limit set to {limit}]"
    ),
    noun="the list of space articles",
    jobs=("news",),
    listed_as="SpaceNewsArticles",
)
def get_news_articles(world: World, **filters: Unpack[Filters]) -> Page[SpaceArticle]:
    """Articles on spaceflight since 2021, newest first unless ordered otherwise."""
    found = _select_documents(world, "articles", filters, filters)
    return {
        "total": found["total"],
        "offset": found["offset"],
        "items": [_make_article(row) for row in found["items"]],
    }


@GROUP.tool(
    examples=[{"id": 225}, {"id": 218}, {"id": 123}],
    phrase="show me the spaceflight news article whose number is {id}",
    noun="the space article",
    jobs=("news",),
    listed_as="SpaceNewsArticleById",
)
def get_news_articles_by_id(world: World, *, id_: ArticleId) -> WholeArticle:
    """One article on spaceflight with its address, length and the rocket it is about or names, if any.

    id: Number of the article.
    """
    row = _find_document(world, "articles", id_)
    return {**_make_article(row), **_launch_fields(row)}


@GROUP.tool(
    examples=[{"has_launch": True, "limit": 3}, {"has_event": True, "limit": 2}],
    phrase=(
        "list spaceflight blog posts[ that mention {search}][, with the news sites set to {news_site}][, "
        "published at or after {published_at_gte}][, published at or before {published_at_lte}][, with the "
        "has-event flag set to {has_event}][, with the has-launch flag set to {has_launch}][, ordered by "
        "{ordering}][, with the limit set to {limit}]"
    ),
    noun="the list of space blog posts",
    jobs=("news",),
    listed_as="SpaceNewsBlogs",
)
def get_news_blogs(world: World, **filters: Unpack[Filters]) -> Page[SpaceBlog]:
    """Blog posts on spaceflight since 2021, newest first unless ordered otherwise."""
    found = _select_documents(world, "blogs", filters, filters)
    items: list[SpaceBlog] = [_make_article(row) for row in found["items"]]
    return {"total": found["total"], "offset": found["offset"], "items": items}


@GROUP.tool(
    examples=[{"id": 114}, {"id": 130}],
    phrase="show me the spaceflight blog post whose number is {id}",
    noun="the space blog post",
    jobs=("news",),
    listed_as="SpaceNewsBlogById",
)
def get_news_blogs_by_id(world: World, *, id_: BlogId) -> WholeBlog:
    """One blog post on spaceflight with its address, length and the rocket it is about or names, if any.

    id: Number of the post.
    """
    row = _find_document(world, "blogs", id_)
    return {**_make_article(row), **_launch_fields(row)}


@GROUP.tool(
    examples=[{"limit": 4, "ordering": "title"}],
    phrase=(
        "list daily spaceflight reports[ that mention {search}][, with the news sites set to {news_site}][, "
        "published at or after {published_at_gte}][, published at or before {published_at_lte}][, ordered by "
        "{ordering}][, with the limit set to {limit}]"
    ),
    noun="the list of space reports",
    jobs=("news",),
    listed_as="SpaceNewsReports",
)
def get_news_reports(world: World, **filters: Unpack[ReportFilters]) -> Page[SpaceReport]:
    """Reports from stations and control rooms, newest first unless ordered otherwise."""
    found = _select_documents(world, "reports", filters)
    items: list[SpaceReport] = [{**_document_body(row), "id": row["number"]} for row in found["items"]]
    return {"total": found["total"], "offset": found["offset"], "items": items}


@GROUP.tool(
    examples=[{"id": 60}],
    phrase="show me the spaceflight report whose number is {id}",
    noun="the space report",
    jobs=("news",),
    listed_as="SpaceNewsReportById",
)
def get_news_reports_by_id(world: World, *, id_: ReportId) -> WholeReport:
    """One report on spaceflight with its address, length and the rocket it is about or names, if any.

    id: Number of the report.
    """
    row = _find_document(world, "reports", id_)
    return {**_document_body(row), "id": row["number"], **_launch_fields(row)}


@GROUP.tool(
    phrase="tell me which sites the spaceflight news service covers and how many documents it holds",
    noun="the space news service information",
    listed_as="SpaceNewsInfo",
)
def get_news_info(world: World) -> Info:
    """Which sites the spaceflight news comes from, and how many documents of each kind there are."""
    return {
        "version": "4.0",
        "news_sites": [name for names in _SITES.values() for name in names],
        "articles": len(documents_by_kind(world.seed)["articles"]),
        "blogs": len(documents_by_kind(world.seed)["blogs"]),
        "reports": len(documents_by_kind(world.seed)["reports"]),
        "newest": max(row["published_at"] for rows in documents_by_kind(world.seed).values() for row in rows),
    }
