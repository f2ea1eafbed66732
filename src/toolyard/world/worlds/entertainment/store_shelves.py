"""Books and films of the store beyond the table of works: by title, maker, subject and genre.

store_books.tsv: Emma	Jane Austen	1815	fiction,classic,romance	a young matchmaker is wrong about everyone
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from toolyard.world import seeds
from toolyard.world.reference.films import Film, credits_of
from toolyard.world.search import Index, words
from toolyard.world.shared.media import Work, package_of, works
from toolyard.world.tables import plain, read_table

_TABLES = {"book": "store_books.tsv", "film": "store_films.tsv"}
_MAKERS = {"book": "author", "film": "director"}
_FREE = 1929  # what was published before belongs to everybody in the United States
_OLD_FILM, _NEW_FILM = 1980, 2022
# Words that say nothing of what a work is about.
_EMPTY = frozenset(
    "book novel film movi stori best good top about of the a an and for in on to read watch".split()
)
_SHELF_WORDS = re.compile(
    r"\b(?:best|good|great|top|classic|popular|famous|books?|novels?|films?|movies?|about|on|introduction to)\b"
)
_MOSTLY = 0.5
_SHARED = 2
_WELL_KNOWN = 4
_FOR_KIDS = re.compile(r"\b(?:for )?(?:kids|children|toddlers)\b", re.IGNORECASE)


def _price(kind: str, year: int, title: str) -> float:
    if kind == "film":
        return 2.99 if year < _OLD_FILM else 5.99 if year >= _NEW_FILM else 3.99
    return 0.0 if year < _FREE else 6.99 + seeds.number("price of a book", title) % 9


def _work(kind: str, title: str, creator: str, year: int, genres: list[str], about: str) -> Work:
    return Work(
        kind=kind, title=title, creator=creator, year=year, genres=genres, price=round(_price(kind, year, title), 2),
        stars=round(4.2 + seeds.number("stars of a work", title) % 6 / 10, 1), about=about,
        apple_id=400_000_000 + seeds.number("apple", title) % 10**9, package=package_of(creator, title),
    )  # fmt: skip


@functools.cache
def more_works(kind: str) -> tuple[Work, ...]:
    """Well-known books or films that the table of works does not hold; none of other kinds."""
    if kind not in _TABLES:
        return ()
    known = {plain(row["title"]) for row in works() if row["kind"] == kind}
    return tuple(
        _work(
            kind,
            row["title"],
            row[_MAKERS[kind]],
            int(row["year"]),
            row["genres"].split(","),
            row["about"],
        )
        for row in read_table(_TABLES[kind])
        if plain(row["title"]) not in known
    )


@functools.cache
def _index(kind: str) -> Index[Work]:
    rows = [*(row for row in works() if row["kind"] == kind), *more_works(kind)]
    return Index(rows, ("title", "genres", "genres", "about", "creator"))


@functools.cache
def _topics() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(kind, what is asked for) -> titles of well-known works about it, the best known first."""
    return {
        (row["kind"], text): tuple(row["titles"].split(";"))
        for row in read_table("work_topics.tsv")
        for text in row["asked"].split(";")
    }


def on_topic(kind: str, query: str) -> list[Work]:
    """The well-known works about the subject that a query is; none where it is no such subject."""
    said = plain(query).replace("-", " ")
    bare = " ".join(_SHELF_WORDS.sub(" ", said).split())
    asked = said if (kind, said) in _topics() else bare
    by_title = {row["title"]: row for row in (*more_works(kind), *works()) if row["kind"] == kind}
    return [by_title[title] for title in _topics().get((kind, asked), ()) if title in by_title]


def about(kind: str, query: str) -> list[Work]:
    """Works whose title, genres or text have most words of a query that say something."""
    asked = " ".join(word for word in words(query[:200]) if word not in _EMPTY)
    return _index(kind).search(asked, bound=_MOSTLY)[:20] if asked else []


def begun(query: str, rows: Sequence[Work]) -> list[Work]:
    """Works whose titles go on from a query: Harry Potter begins several."""
    wanted = plain(query)
    return [
        row
        for row in rows
        if len(wanted) > 3 and plain(row["title"]).startswith((f"{wanted} ", f"{wanted}:"))
    ]


def for_children(kind: str, query: str) -> str:
    """A query in the words of the shelf: films for kids are family films, books for kids are children's books."""
    shelf = "family" if kind == "film" else "children"
    return _FOR_KIDS.sub(shelf, query)


def told(work: Work) -> Work:
    """A work of the wide catalogue with what is known of it, at the price of others of its year."""
    price = round(_price(work["kind"], work["year"], work["title"]), 2)
    about_it = (
        f"by {work['creator']}, first published in {work['year']}"
        if work["kind"] == "book"
        else _summary(work["genres"][0], work["creator"], work["year"])
    )
    return Work(**{**work, "about": about_it, "price": price})


def titled(kind: str, query: str) -> Work | None:
    """The further work that a query names, with or without its article."""
    wanted = plain(query).removeprefix("the ")
    return next((row for row in more_works(kind) if plain(row["title"]).removeprefix("the ") == wanted), None)


def kin_of(work: Work, rows: Sequence[Work]) -> list[Work]:
    """Of works those that share at least two genres with one, or its only one, or one and the maker, the nearest first."""
    own = [genre for genre in work["genres"] if genre != "classic"]

    def shared(row: Work) -> int:
        return len(set(own) & set(row["genres"]))

    def is_near(row: Work) -> bool:
        both = len(set(work["genres"]) & set(row["genres"]))
        alike = row["genres"][0] == work["genres"][0] and both >= _SHARED
        theirs = row["creator"] == work["creator"] and shared(row) > 0
        return shared(row) >= min(_SHARED, len(own)) or alike or theirs

    near = [row for row in rows if row["title"] != work["title"] and is_near(row)]
    return sorted(
        near,
        key=lambda row: (row["creator"] != work["creator"], -shared(row), own[:1] != row["genres"][:1]),
    )


@functools.cache
def _tabled() -> Mapping[tuple[str, int], Work]:
    rows = (row for row in (*more_works("film"), *works()) if row["kind"] == "film")
    return {(plain(row["title"]), row["year"]): row for row in rows}


def _on_film(film: Film) -> Work:
    known = _tabled().get((plain(film.title), film.year))
    if known:
        return known
    genres = [genre.lower() for genre in film.genres][:3] or ["drama"]
    director = film.directors[0] if film.directors else "unknown"
    return _work("film", film.title, director, film.year, genres, _summary(genres[0], director, film.year))


# Genres that are words for a film themselves.
_FILM_WORDS = frozenset(("comedy", "drama", "thriller", "musical", "western", "documentary", "romance"))


def _summary(genre: str, director: str, year: int) -> str:
    kind = genre if genre in _FILM_WORDS else f"{genre} film"
    return f"{kind} of {year}, directed by {director}"


def films_of(name: str) -> list[Work]:
    """The films that someone directed, else those that someone plays in; the most honoured first."""
    known = credits_of(name)
    if known is None:
        return []
    rows = known.directed if len(known.directed) >= _SHARED else max(known.directed, known.played, key=len)
    rows = tuple(sorted(rows, key=lambda film: (-film.oscars, film.year)))
    known_ones = [film for film in rows if film.oscars or (plain(film.title), film.year) in _tabled()]
    return [_on_film(film) for film in (known_ones if len(known_ones) >= _WELL_KNOWN else rows)]


def by_maker(kind: str, query: str) -> list[Work]:
    """The works of the maker that a query names: of the tables first, then other films."""
    rows = [row for row in (*works(), *more_works(kind)) if row["kind"] == kind]
    wanted = _whole_name(plain(query), rows)
    own = [row for row in rows if wanted in (plain(row["creator"]), *plain(row["creator"]).split(" and "))]
    return [*own, *(films_of(own[0]["creator"] if own else query) if kind == "film" else ())]


def _whole_name(name: str, rows: Sequence[Work]) -> str:
    """The maker whose family name a query is, where there is just one; else the query as it is."""
    makers = {plain(row["creator"]) for row in rows}
    named = [maker for maker in makers if " " not in name and len(name) > 4 and maker.split()[-1] == name]
    return named[0] if len(named) == 1 else name
