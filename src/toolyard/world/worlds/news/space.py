"""News/space_news: articles, blog posts and reports on spaceflight, tied to launches and events."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import Unpack

from toolyard.world import seeds
from toolyard.world.derived import derived, noted
from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.days import moment
from toolyard.world.shared.entries import named
from toolyard.world.shared.subjects import subject_of
from toolyard.world.state import World
from toolyard.world.tables import fold, page, read_table, sort_rows
from toolyard.world.types import Page
from toolyard.world.worlds.news.space_shapes import (
    ArticleId,
    BlogId,
    Body,
    Document,
    Filters,
    Info,
    Kind,
    ReportFilters,
    ReportId,
    SpaceArticle,
    SpaceBlog,
    SpaceReport,
    Whole,
    WholeArticle,
    WholeBlog,
    WholeReport,
)

GROUP = "News/space_news"
_COUNTS: Mapping[Kind, int] = {"articles": 320, "blogs": 140, "reports": 70}
_SITES: Mapping[Kind, tuple[str, ...]] = {
    "articles": ("Orbit Daily", "Launchpad News", "Space Ledger", "Cosmos Wire"),
    "blogs": ("Rocket Notebook", "The Quiet Telescope"),
    "reports": ("Station Log", "Mission Control Bulletin"),
}
_EVENTS = ("spacewalk outside the station", "docking of a crew capsule", "return of a sample capsule", "press briefing",
           "landing attempt on the Moon")  # fmt: skip


@functools.cache
def _launches() -> tuple[Mapping[str, str], ...]:
    """Launches on record, oldest first; the last ones are still to come."""
    return tuple(read_table("space_launches.tsv"))


def _document(seed: int, kind: Kind, number: int) -> Document:
    chance = seeds.stream(seed, "space", kind, number)
    day = date(2024, 5, 14) - timedelta(days=(_COUNTS[kind] - number) * (2 if kind == "articles" else 5))
    coming = next(n for n, row in enumerate(_launches()) if row["day"] > day.isoformat())
    # Told by the number, so that launches, events and outlooks take turns under every seed.
    about = number * 0.37 % 1
    launch = coming - 1 if about < 0.6 else coming
    event = number % 5
    if about < 0.6:
        title, summary = _launched(_launches()[launch], day)
    elif about < 0.8:
        title = f"Coming up: {_EVENTS[event]}"
        summary = f"The {_EVENTS[event]} will be shown live, with times for viewers in all zones."
    else:
        row = _launches()[launch]
        title = f"What is next for {row['rocket']}"
        summary = f"Teams at {row['site']} prepare {row['rocket']} to carry {row['load']}."
    name = chance.choice(_SITES[kind])
    return Document(
        number=number,
        title=title,
        summary=summary,
        news_site=name,
        url=f"https://{fold(name).replace(' ', '-')}.example/{kind}/{number}",
        published_at=f"{day}T{chance.randrange(6, 20):02d}:{chance.randrange(60):02d}:00Z",
        updated_at=f"{day + timedelta(days=1)}T00:10:00Z",
        launch=_launch_id(launch) if about < 0.6 else None,
        event=600 + event if 0.6 <= about < 0.8 else None,
        rocket=None if 0.6 <= about < 0.8 else _launches()[launch]["rocket"],
    )


def _launched(row: Mapping[str, str], day: date) -> tuple[str, str]:
    """Title and summary of a piece about a launch: of the day after, or looking back."""
    then = date.fromisoformat(row["day"])
    title = f"{row['rocket']} launches with {row['load']}"
    if (day - then).days > 6:
        title = f"Looking back: {row['rocket']} and {row['load']}"
    summary = f"The rocket lifted off from {row['site']} on {then.day} {then:%B %Y} with {row['load']}. {row['outcome']}"
    return title, summary.strip()


def _launch_id(number: int) -> str:
    text = seeds.token(32, "launch", number)
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


@seeds.table
def documents(seed: int) -> Mapping[Kind, tuple[Document, ...]]:
    """Documents by kind, numbered from 1, newest last."""
    return {
        kind: tuple(_document(seed, kind, number) for number in range(1, count + 1))
        for kind, count in _COUNTS.items()
    }


def _in_time(row: Document, filters: ReportFilters) -> bool:
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
        text = fold(row[field])
        if fold(filters.get(f"{field}_contains", "")) not in text:
            return False
        every, one = filters.get(f"{field}_contains_all"), filters.get(f"{field}_contains_one")
        if isinstance(every, list) and not all(fold(word) in text for word in every):
            return False
        if isinstance(one, list) and not any(fold(word) in text for word in one):
            return False
    return fold(filters.get("search", "")) in fold(f"{row['title']} {row['summary']}")


def _tied(row: Document, filters: Filters) -> bool:
    return (
        filters.get("event", row["event"]) == row["event"]
        and filters.get("launch", row["launch"]) == row["launch"]
        and filters.get("has_event", row["event"] is not None) == (row["event"] is not None)
        and filters.get("has_launch", row["launch"] is not None) == (row["launch"] is not None)
    )


def _about(world: World, kind: Kind, text: str) -> list[Document]:
    """Two pieces about a thing of space travel or the sky that no document of the table names; none about other things."""
    subject = subject_of(text)
    known = named(subject) if subject else ()
    if subject is None or not any(entry["field"] == "space" for entry in known):
        return []
    shown = next(entry["title"] for entry in known if entry["field"] == "space")

    def built(chance: Random) -> list[Document]:
        return [_piece(kind, shown, subject, turn, chance) for turn in range(2)]

    return derived(world.seed, f"space {kind}", subject, built)


def _piece(kind: Kind, shown: str, subject: str, turn: int, chance: Random) -> Document:
    day = date(2024, 5, 10) - timedelta(days=chance.randrange(2, 200))
    name = chance.choice(_SITES[kind])
    number = 10_000 + seeds.number("space", kind, subject, turn) % 90_000
    title = (f"{shown}: what to know this week", f"Readers' questions about {shown}")[turn]
    return Document(
        number=number,
        title=title,
        summary=f"{name} collects what its readers ask about {shown} and where to read more.",
        news_site=name,
        url=f"https://{fold(name).replace(' ', '-')}.example/{kind}/{number}",
        published_at=f"{day}T{chance.randrange(6, 20):02d}:{chance.randrange(60):02d}:00Z",
        updated_at=f"{day + timedelta(days=1)}T00:10:00Z",
        launch=None,
        event=None,
        rocket=None,
    )


def _chosen(world: World, kind: Kind, filters: ReportFilters, ties: Filters | None = None) -> Page[Document]:
    sites = {fold(name) for name in filters.get("news_site", [])}
    if sites and sites.isdisjoint(map(fold, _SITES[kind])):
        raise not_found("news_site", filters["news_site"][0][:40], known=_SITES[kind])
    if ties and "launch" in ties and ties["launch"] not in map(_launch_id, range(len(_launches()))):
        raise not_found("launch", str(ties["launch"])[:40])
    found = [
        row
        for row in documents(world.seed)[kind]
        if (not sites or fold(row["news_site"]) in sites)
        and (ties is None or _tied(row, ties))
        and _in_words(row, filters)
        and _in_time(row, filters)
    ]
    if not found and "search" in filters:
        found = _about(world, kind, filters["search"])
    order = filters.get("ordering", "-published_at")
    found = sort_rows(found, order, ("published_at", "updated_at", "title", "news_site"), "ordering")
    return page(found, filters.get("limit", 10), filters.get("offset", 0))


def _find(world: World, kind: Kind, number: int) -> Document:
    rows = documents(world.seed)[kind]
    further = (row for subject in noted(f"space {kind}") for row in _about(world, kind, subject))
    own = next((row for row in further if row["number"] == number), None)
    if own is not None:
        return own
    if not 1 <= number <= len(rows):
        raise not_found(f"{kind[:-1]} number", number, known=range(1, len(rows) + 1))
    return rows[number - 1]


def _body(row: Document) -> Body:
    return {
        "title": row["title"],
        "summary": row["summary"],
        "news_site": row["news_site"],
        "published_at": row["published_at"],
        "updated_at": row["updated_at"],
    }


def _whole(row: Document) -> Whole:
    count = len(words(row["summary"])) * 20
    return {"rocket": row["rocket"], "url": row["url"], "word_count": count}


def _article(row: Document) -> SpaceArticle:
    return {**_body(row), "id": row["number"], "launch": row["launch"], "event": row["event"]}


@tool(
    GROUP,
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
    """Articles on spaceflight, newest first unless ordered otherwise."""
    found = _chosen(world, "articles", filters, filters)
    return {
        "total": found["total"],
        "offset": found["offset"],
        "items": [_article(row) for row in found["items"]],
    }


@tool(
    GROUP,
    examples=[{"id": 123}, {"id": 2}],
    phrase="show me the spaceflight news article whose number is {id}",
    noun="the space article",
    jobs=("news",),
    listed_as="SpaceNewsArticleById",
)
def get_news_articles_by_id(world: World, *, id_: ArticleId) -> WholeArticle:
    """One article on spaceflight with its address, length and the rocket it is about, if any.

    id: Number of the article.
    """
    row = _find(world, "articles", id_)
    return {**_article(row), **_whole(row)}


@tool(
    GROUP,
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
    """Blog posts on spaceflight, newest first unless ordered otherwise."""
    found = _chosen(world, "blogs", filters, filters)
    items: list[SpaceBlog] = [_article(row) for row in found["items"]]
    return {"total": found["total"], "offset": found["offset"], "items": items}


@tool(
    GROUP,
    examples=[{"id": 12}, {"id": 2}],
    phrase="show me the spaceflight blog post whose number is {id}",
    noun="the space blog post",
    jobs=("news",),
    listed_as="SpaceNewsBlogById",
)
def get_news_blogs_by_id(world: World, *, id_: BlogId) -> WholeBlog:
    """One blog post on spaceflight with its address, length and the rocket it is about, if any.

    id: Number of the post.
    """
    row = _find(world, "blogs", id_)
    return {**_article(row), **_whole(row)}


@tool(
    GROUP,
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
    """Daily reports from stations and control rooms, newest first unless ordered otherwise."""
    found = _chosen(world, "reports", filters)
    items: list[SpaceReport] = [{**_body(row), "id": row["number"]} for row in found["items"]]
    return {"total": found["total"], "offset": found["offset"], "items": items}


@tool(
    GROUP,
    examples=[{"id": 7}],
    phrase="show me the spaceflight report whose number is {id}",
    noun="the space report",
    jobs=("news",),
    listed_as="SpaceNewsReportById",
)
def get_news_reports_by_id(world: World, *, id_: ReportId) -> WholeReport:
    """One report on spaceflight with its address, length and the rocket it is about, if any.

    id: Number of the report.
    """
    row = _find(world, "reports", id_)
    return {**_body(row), "id": row["number"], **_whole(row)}


@tool(
    GROUP,
    examples=[{}],
    phrase="tell me which sites the spaceflight news service covers and how many documents it holds",
    noun="the space news service information",
    listed_as="SpaceNewsInfo",
)
def get_news_info(world: World) -> Info:
    """Which sites the spaceflight news comes from, and how many documents of each kind there are."""
    return {
        "version": "4.0",
        "news_sites": [name for names in _SITES.values() for name in names],
        "articles": _COUNTS["articles"],
        "blogs": _COUNTS["blogs"],
        "reports": _COUNTS["reports"],
        "newest": max(row["published_at"] for row in documents(world.seed)["articles"]),
    }
