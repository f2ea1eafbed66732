"""Entertainment/Google_play_store: apps, games, books and films like those asked for."""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypedDict

from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.media import Work, listed, named, related, works
from toolyard.world.shared.store_apps import (
    fitting,
    for_purpose,
    known_for,
    named_app,
    of_genre,
    of_maker,
    play_apps,
    with_kin,
)
from toolyard.world.state import World
from toolyard.world.tables import plain
from toolyard.world.types import PersonName, Semantic, Url, Year
from toolyard.world.worlds.entertainment.store_shelves import (
    about,
    begun,
    by_maker,
    for_children,
    kin_of,
    more_works,
    on_topic,
    titled,
    told,
)
from toolyard.world.worlds.product.store_categories import play_category

GROUP = "Entertainment/Google_play_store"
COUNT = 10
_ENOUGH = 4
_WITH_KIN = 5
# Books that are sold under two titles.
_SAME_BOOKS = {
    "nineteen eighty-four": "1984",
    "harry potter and the philosopher's stone": "harry potter and the sorcerer's stone",
}
_ON_APPLE_ONLY = frozenset(("Adobe Photoshop", "Procreate"))
AppName = Annotated[str, Semantic("app")]
GameName = Annotated[str, Semantic("game")]
BookName = Annotated[str, Semantic("book")]
FilmName = Annotated[str, Semantic("film")]
AppQuery = Annotated[str, Semantic("app_query", accepts=("app", "company", "topic"))]
GameQuery = Annotated[str, Semantic("game_query", accepts=("game", "topic"))]
BookQuery = Annotated[str, Semantic("book_query", accepts=("book", "topic", "person"))]
FilmQuery = Annotated[str, Semantic("film_query", accepts=("film", "topic", "person"))]


class Sold(TypedDict):
    genres: list[str]
    rating: float
    price_usd: float
    description: str
    link: Url


class App(Sold):
    title: AppName
    app_id: str
    developer: str
    installs: str | None


class Game(Sold):
    title: GameName
    app_id: str
    studio: str
    installs: str | None


class Book(Sold):
    title: BookName
    author: PersonName
    published: Year


class Film(Sold):
    title: FilmName
    director: PersonName
    released: Year


def _genres(row: Work) -> list[str]:
    """The genres of a work; of an app the category of its store, because its shelf here holds others, too."""
    if row["kind"] == "app":
        return [play_category(row)]
    return row["genres"] if row["kind"] != "game" or row in works() else row["genres"][:1]


def _sold(row: Work, shelf: str) -> Sold:
    return {
        "genres": _genres(row),
        "rating": row["stars"],
        "price_usd": row["price"],
        "description": f"{row['about'][0].upper()}{row['about'][1:]}.",
        "link": f"https://play.example/store/{shelf}/details?id={play_id(row)}",
    }


def _once(rows: list[Work]) -> list[Work]:
    """Works without those that come again under the same or another title."""
    found: dict[str, Work] = {}
    for row in rows:
        title = plain(row["title"])
        if _SAME_BOOKS.get(title, "?") not in found:
            found.setdefault(title, row)
    return list(found.values())


def _fitting(world: World, kind: str, query: str) -> list[Work]:
    """Works that fit a query: of a genre, of a maker, the one that it names with its kin, or those about it."""
    query = for_children(kind, query)
    known = [*(row for row in works() if row["kind"] == kind), *more_works(kind)]
    if topical := on_topic(kind, query):
        return topical
    if genre := of_genre(kind, query, more_works(kind)):
        return _once(genre)
    titles = {plain(row["title"]) for row in known}
    further = [told(row) for row in listed(world.seed, kind, query) if plain(row["title"]) not in titles]
    theirs = by_maker(kind, query)
    if theirs or any(plain(row["creator"]) == plain(query) for row in further):
        return _once([*theirs, *further])
    found = _of_its_kind(kind, query, related(kind, query)) if named(kind, query) else []
    own = titled(kind, query)
    exact = [*([own] if own else ()), *(row for row in further if plain(row["title"]) == plain(query))]
    if exact or found:
        first = [*exact, *found][0]
        near = kin_of(first, known)
        kin = near if len(near) >= _ENOUGH else found
        return _once([*exact, *([first] if not exact else ()), *further, *begun(query, known), *kin])[
            :_WITH_KIN
        ]
    return _once([*begun(query, known), *further, *about(kind, query)])


def _of_its_kind(kind: str, query: str, rows: list[Work]) -> list[Work]:
    """The work that a query names and its kin, less those that have nothing in common but to be classics."""
    own = named(kind, query)
    if own is None:
        return rows
    genres = set(own["genres"]) - {"classic"}
    return [row for row in rows if row is own or genres & set(row["genres"])]


def _apps(query: str) -> list[Work]:
    """Apps for a query: those for a purpose or of a maker, the one that it names with those like it, or games."""
    if "game" in words(query):
        return _games(query)
    if rows := known_for("app", query) or of_genre("app", query):
        return rows
    for kind in ("app", "game"):
        if own := named_app(kind, query):
            theirs = of_maker(query) if plain(own["title"]) != plain(query) else []
            return _once(theirs if len(theirs) > 1 else with_kin(own))
    return _once(of_maker(query)) or fitting("app", query, related("app", query)) or for_purpose("app", query)


def _games(query: str) -> list[Work]:
    """Games for a query: those of a genre or a maker, or the one that it names with its kin."""
    if rows := known_for("game", query):
        return rows
    query = re.sub(r"\b(?:best |good )?(?:video )?games?\b", "", query, flags=re.IGNORECASE).strip() or query
    if rows := known_for("game", query) or of_genre("game", query):
        return rows
    own = named_app("game", query)
    if own is not None:
        return _once(with_kin(own))
    theirs = [row for row in of_maker(query) if row["kind"] == "game"]
    return _once(theirs) or _once(fitting("game", query, related("game", query)))


def _installs(row: Work) -> str | None:
    known = play_apps().get(row["title"])
    return known.installs or None if known else None


def _on_android(rows: list[Work]) -> list[Work]:
    """Of works those that the store has: the ones with an id of its own, and those of the table of works."""
    own = {work["title"] for work in works() if work["creator"] != "Apple"} - _ON_APPLE_ONLY
    return [row for row in rows if row["title"] in own or row["title"] in play_apps()]


def play_id(row: Work) -> str:
    """What a work is called in the store."""
    known = play_apps().get(row["title"])
    return known.id if known else row["package"]


@tool(
    GROUP,
    examples=[{"q": "Zoom"}, {"q": "learn a new language"}, {"q": "Microsoft Word"}],
    phrase="find Google Play apps that fit {q}",
    noun="the list of Google Play apps",
    jobs=("apps",),
)
def apps_related_searches(*, q: AppQuery) -> list[App]:
    """Apps that fit a name, a purpose, a maker or an app one likes, out of a choice of well-known ones.

    q: Name of an app, or what it should do.
    """
    if not plain(q):
        raise invalid("q", q, "give the name of an app or what it should do")
    return [
        {
            "title": row["title"],
            "app_id": play_id(row),
            "developer": row["creator"],
            "installs": _installs(row),
            **_sold(row, "apps"),
        }
        for row in _on_android(_apps(q))[:COUNT]
    ]


@tool(
    GROUP,
    examples=[{"q": "Artificial Intelligence"}, {"q": "psychology", "price": 1}],
    phrase="find Google Play books that fit {q}[, with the price filter set to {price}]",
    noun="the list of Google Play books",
    jobs=("books",),
)
def books_related_searches(world: World, *, q: BookQuery, price: Literal[1, 2] | None = None) -> list[Book]:
    """Books that fit a title, a subject, an author or a book one likes, out of a choice.

    q: Title, subject or author.
    price: 1 for free books only, 2 for books that cost something.
    """
    if not plain(q):
        raise invalid("q", q, "give a title, a subject or an author")
    rows = [row for row in _fitting(world, "book", q) if price is None or (row["price"] == 0) == (price == 1)]
    return [
        {"title": row["title"], "author": row["creator"], "published": row["year"], **_sold(row, "books")}
        for row in rows[:COUNT]
    ]


@tool(
    GROUP,
    examples=[{"q": "Minecraft"}, {"q": "strategy games about ancient civilizations"}],
    phrase="find Google Play games that fit {q}",
    noun="the list of Google Play games",
    jobs=("apps",),
)
def games_related_searches(*, q: GameQuery) -> list[Game]:
    """Games that fit a name, a kind, a maker or a game one likes, out of a choice of well-known ones.

    q: Name of a game, or what kind of game it should be.
    """
    if not plain(q):
        raise invalid("q", q, "give the name or the kind of a game")
    return [
        {
            "title": row["title"],
            "app_id": play_id(row),
            "studio": row["creator"],
            "installs": _installs(row),
            **_sold(row, "games"),
        }
        for row in _on_android(_games(q))[:COUNT]
    ]


@tool(
    GROUP,
    examples=[{"q": "The Godfather"}, {"q": "comedy"}],
    phrase="find Google Play movies that fit {q}",
    noun="the list of Google Play movies",
)
def movies_related_searches(world: World, *, q: FilmQuery) -> list[Film]:
    """Films that fit a title, a genre, a director or a film one likes, out of a choice.

    q: Title, genre or director.
    """
    if not plain(q):
        raise invalid("q", q, "give a title, a genre or a director")
    return [
        {"title": row["title"], "director": row["creator"], "released": row["year"], **_sold(row, "movies")}
        for row in _fitting(world, "film", q)[:COUNT]
    ]
