"""Pages of the web; a search query taken apart, and which pages satisfy its operators."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from toolyard.world.tables import plain
from toolyard.world.types import DomainName, PageUrl

_OPERATOR = re.compile(r'(-?)(site|intitle|inurl|source|author):("[^"]{0,200}"|\S{1,200})')


class WebPage(TypedDict):
    """A page: what it says, and the extract of it that a search shows."""

    url: PageUrl
    title: str
    text: str
    site: DomainName
    kind: str
    date: str
    country: str
    extract: NotRequired[str]


def page_of(
    url: str, title: str, text: str, kind: str, day: str = "2024-01-01", country: str = "US"
) -> WebPage:
    """A page by its parts; the site is that of the address."""
    site = url.split("/")[2].removeprefix("www.")
    return WebPage(url=url, title=title, text=text, site=site, kind=kind, date=day, country=country)


@dataclass(frozen=True, slots=True)
class Query:
    """A query taken apart: words, operators such as site: and intitle:, and excluded words."""

    text: str
    wanted: tuple[tuple[str, str], ...]
    unwanted: tuple[tuple[str, str], ...]
    excluded: tuple[str, ...]


def parse_query(query: str) -> Query:
    """The parts of a search query; anything may be written."""
    query = query[:1000]
    operators = [(sign, name, value.strip('"').casefold()) for sign, name, value in _OPERATOR.findall(query)]
    parts = _OPERATOR.sub(" ", query).split()
    excluded = tuple(plain(part[1:]) for part in parts if part.startswith("-") and len(part) > 1)
    return Query(
        text=" ".join(part for part in parts if not part.startswith("-")),
        wanted=tuple((name, value) for sign, name, value in operators if not sign),
        unwanted=tuple((name, value) for sign, name, value in operators if sign),
        excluded=excluded,
    )


def _holds(page: WebPage, name: str, value: str) -> bool:
    field = {"site": page["site"], "inurl": page["url"], "intitle": page["title"]}.get(name, page["text"])
    return value in field.casefold()


def fits(query: Query, page: WebPage) -> bool:
    """Whether a page satisfies the operators of a query."""
    text = plain(f"{page['title']} {page['text']}") if query.excluded else ""
    return (
        all(_holds(page, *pair) for pair in query.wanted)
        and not any(_holds(page, *pair) for pair in query.unwanted)
        and not any(word in text for word in query.excluded)
    )
