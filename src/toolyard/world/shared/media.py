"""Apps, games, books and films that are well known, with what they have in common.

{"kind": "film", "title": "Inception", "creator": "Christopher Nolan", "year": 2010, "genres": [...], ...}
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from random import Random
from typing import NamedTuple, TypedDict

from toolyard.world import seeds
from toolyard.world.derived import derived
from toolyard.world.reference.films import films_called
from toolyard.world.search import Index
from toolyard.world.shared.catalogue import by_kind
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.geography import plain, read_table
from toolyard.world.shared.wide import named as wide_named


def _other_id(title: str) -> int:
    return 400_000_000 + seeds.number("apple", title) % 10**9


class AppleApp(NamedTuple):
    """What the App Store says of a well-known app: id, bundle, how many rated it; the rest as far as it is on record."""

    id: int
    bundle: str
    ratings: int
    age: str
    version: str
    size_mb: int | None


@functools.cache
def apple_apps() -> Mapping[str, AppleApp]:
    """Title -> what the App Store says."""
    return {
        row["title"]: AppleApp(
            id=int(row["id"]),
            bundle=row["bundle"],
            ratings=round(1000 * float(row["thousand_ratings"])),
            age=row["age"],
            version=row["version"],
            size_mb=int(row["size_mb"]) if row["size_mb"] else None,
        )
        for row in read_table("apple_apps.tsv")
    }


def apple_id_of(title: str) -> int:
    """The id of an app in the App Store; one of its own for an app that is not well known."""
    known = apple_apps().get(title)
    listed = apple_ids().get(title)
    return known.id if known else listed or 400_000_000 + seeds.number("apple", title) % 10**9


@functools.cache
def apple_ids() -> Mapping[str, int]:
    """Title -> the id in the App Store, of apps of which it says nothing else here."""
    return {row["title"]: int(row["id"]) for row in read_table("apple_ratings.tsv") if row["id"]}


@functools.cache
def apple_ratings() -> Mapping[str, float]:
    """Title -> the stars in the App Store, where they differ from those elsewhere."""
    return {row["title"]: float(row["rating"]) for row in read_table("apple_ratings.tsv") if row["rating"]}


class Work(TypedDict):
    """An app, game, book or film; price in US dollars, `about` a phrase."""

    kind: str
    title: str
    creator: str
    year: int
    genres: list[str]
    price: float
    stars: float
    about: str
    apple_id: int
    package: str


@functools.cache
def works() -> tuple[Work, ...]:
    """All works, in the order of the table."""
    return tuple(
        Work(
            kind=row["kind"],
            title=row["title"],
            creator=row["creator"],
            year=int(row["year"]),
            genres=row["genres"].split(","),
            price=float(row["price"]),
            stars=float(row["rating"]),
            about=row["about"],
            apple_id=apple_id_of(row["title"]) if row["kind"] in ("app", "game") else _other_id(row["title"]),
            package=package_of(row["creator"], row["title"]),
        )
        for row in read_table("media.tsv")
    )


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", plain(text))


def package_of(creator: str, title: str) -> str:
    """The name of a package in a store: com.maker.title."""
    return f"com.{_slug(creator)}.{_slug(title)}"


@functools.cache
def _index(kind: str) -> Index[Work]:
    rows = [row for row in works() if row["kind"] == kind]
    return Index(rows, ("title", "title", "genres", "genres", "about", "creator"))


def named(kind: str, text: str) -> Work | None:
    """The work that a text names: its exact title, else the longest title inside the text."""
    wanted = plain(text[:200])
    rows = [row for row in works() if row["kind"] == kind and plain(row["title"]) in wanted]
    return max(rows, key=lambda row: len(row["title"]), default=None)


def related(kind: str, query: str) -> list[Work]:
    """What fits a query: the work it names and its kin by genre, else works that share words and their kin."""
    found = [row for row in [named(kind, query)] if row] or _index(kind).search(query[:200])
    if not found:
        return []
    wanted = found[0]["genres"]

    def kinship(row: Work) -> float:
        shared = set(wanted) & set(row["genres"])
        return -sum(1 + (len(wanted) - wanted.index(genre)) / 10 for genre in shared) - row["stars"] / 100

    kin = [
        row
        for row in works()
        if row["kind"] == kind and set(wanted) & set(row["genres"]) and row not in found
    ]
    return [*found, *sorted(kin, key=kinship)]


def listed(seed: int, kind: str, query: str) -> list[Work]:
    """Works of the wide catalogue that a query names by title or maker; what a store asks for them is derived."""
    shelf = {"book": ("book", "P50"), "film": ("film", "P57")}.get(kind)
    if shelf is None:
        return []
    wanted = plain(query)
    rows = [entry for entry in wide_named(wanted) if entry["kind"] == shelf[0]]
    rows += [
        entry for entry in by_kind()[shelf[0]] if plain(entry["properties"].get(shelf[1], [""])[0]) == wanted
    ]
    if not rows and len(wanted) > 3:
        # Star Wars is the beginning of several titles.
        begun = (f"{wanted} ", f"{wanted}:")
        rows = [entry for entry in by_kind()[shelf[0]] if plain(entry["title"]).startswith(begun)]
    rows = [entry for entry in rows if is_out(entry["title"], int(entry["properties"].get("P577", ["0"])[0]))]
    return [_work(seed, kind, entry, shelf[1]) for entry in rows[:8]]


# Films of the running year that were out by its middle of May.
_OUT = frozenset(
    ("dune: part two", "challengers", "civil war", "kung fu panda 4", "kingdom of the planet of the apes")
)
_THIS_YEAR = 2024


def is_out(title: str, year: int) -> bool:
    """Whether a store can have a work: it was not published later than the running world's today."""
    return year < _THIS_YEAR or plain(title) in _OUT


@functools.cache
def _listed_genres() -> Mapping[str, str]:
    pairs = (
        (row["genre"], film) for row in read_table("film_genres.tsv") for film in row["films"].split(";")
    )
    return {plain(film): genre for genre, film in pairs}


def film_genres(title: str, year: int) -> tuple[str, ...]:
    """The genres of a film; none where they are not known."""
    own = [film.genres for film in films_called(title) if abs(film.year - year) <= 1 and film.genres]
    listed_one = _listed_genres().get(plain(title))
    return own[0] if own else (listed_one,) if listed_one else ()


def _genres(kind: str, entry: Entry) -> list[str]:
    known = entry["properties"].get("P136")
    if known is None and kind == "film":
        known = list(film_genres(entry["title"], int(entry["properties"].get("P577", ["0"])[0]))) or ["drama"]
    return [genre.lower() for genre in known or [entry["field"]]]


def _work(seed: int, kind: str, entry: Entry, maker: str) -> Work:
    known = entry["properties"]
    creator = known.get(maker, ["unknown"])[0]

    def built(chance: Random) -> Work:
        return Work(
            kind=kind,
            title=entry["title"],
            creator=creator,
            year=int(known.get("P577", ["0"])[0]),
            genres=_genres(kind, entry),
            price=round(chance.randrange(4, 15) + 0.99, 2),
            stars=round(3.6 + chance.random(), 1),
            about=f"a {kind} by {creator}",
            apple_id=400_000_000 + seeds.number("apple", entry["title"]) % 10**9,
            package=package_of(creator, entry["title"]),
        )

    return derived(seed, "store listing", f"{kind} {entry['title']} {creator}", built)


def find_apple(apple_id: int) -> Work | None:
    """The app or game with an id of the Apple store; None where there is none."""
    return next(
        (row for row in works() if row["apple_id"] == apple_id and row["kind"] in ("app", "game")), None
    )
