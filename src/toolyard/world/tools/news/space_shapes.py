"""News/space_news: filters, and what the tools return."""

from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.types import IsoDateTime, Moment, Range, Semantic, Url
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
