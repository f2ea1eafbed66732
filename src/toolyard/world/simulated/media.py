"""Apps, games, books and films: who exists is reference; what stores ask for them and how they are rated is drawn.

for work in search_works(("film",), "heist"): listing(seed, work).price
"""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

from toolyard.world.index import Index, words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import plain, read_table
from toolyard.world.reference.encyclopaedia.catalogue import entries_by_kind
from toolyard.world.reference.films import Film, film_credits, films_called

_NOISE = re.compile(
    r"\b(?:the )?(?:best|good|great|top|new|free|popular|famous|cool|mobile|apps?|games?|movies?|films?|books?|novels?|"
    r"android|iphone|ios|ipad|download|for|about|on|of|an?)\b"
)
_FOR_KIDS = re.compile(r"\b(?:for )?(?:kids|children|toddlers)\b")
_WORD = re.compile(r"[^\W_]+")
_MOSTLY, _MOST, _NEAR, _SHARED = 0.5, 24, 8, 2
_AGES = ("4+", "9+", "12+", "17+")
_INSTALLS = ("100K+", "500K+", "1M+", "5M+", "10M+", "50M+", "100M+", "500M+", "1B+")
_FREE = {"app": 0.7, "game": 0.6, "book": 0.15, "film": 0.0}
PRICES = {"app": (1, 15), "game": (1, 20), "book": (3, 25), "film": (3, 20)}
STARS, RATINGS = (2.8, 4.9), (200, 5_000_000)
_NOTES = ("Bug fixes and performance improvements.", "A fresh look for the start page.", "Faster start and smaller size.",
          "New: dark mode.", "Better search.", "Fixes a crash when sharing.")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Work:
    """Reference: an app, game, book or film; an app that a store does not have has no id there."""

    kind: str
    title: str
    creator: str
    year: int
    genres: tuple[str, ...]
    about: str
    apple_id: int = 0
    bundle: str = ""
    play_id: str = ""
    devices: tuple[str, ...] = ("mobile", "tablet")
    category: str = ""
    play_category: str = ""

    def __hash__(self) -> int:
        return hash((self.kind, self.title, self.year))


@dataclass(frozen=True, slots=True)
class Version:
    """Simulated: one version of an app."""

    version: str
    released: str
    notes: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Simulated: a work in the stores; price in US dollars."""

    price: float
    stars: float
    ratings: int
    installs: str
    size_mb: int
    age: str
    versions: tuple[Version, ...]


@seeds.cache_by_seed(8192)
def listing(seed: int, work: Work) -> Listing:
    """What the stores of a world say of a work."""
    chance = seeds.stream(seed, "listing", work.kind, work.title, work.year)
    low, high = PRICES[work.kind]
    free = chance.random() < _FREE[work.kind]
    major, minor, age = chance.randrange(1, 30), chance.randrange(4, 40), 0
    versions = []
    for turn in range(4):
        age += chance.randrange(3, 30)
        released = (EPOCH - timedelta(days=age)).date().isoformat()
        versions.append(Version(f"{major}.{minor - turn}", released, chance.choice(_NOTES)))
    return Listing(
        price=0.0 if free else round(chance.uniform(low, high), 2),
        stars=round(STARS[0] + (STARS[1] - STARS[0]) * chance.random(), 1),
        ratings=round(RATINGS[0] * (RATINGS[1] / RATINGS[0]) ** chance.random()),
        installs=chance.choice(_INSTALLS),
        size_mb=chance.randrange(12, 900),
        age=chance.choice(_AGES),
        versions=tuple(versions),
    )


def made_up_id(title: str) -> int:
    """The id of a work in Apple's stores where it has none in the tables."""
    return 400_000_000 + seeds.number("apple", title) % 10**9


def _title_slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", plain(text))


@functools.cache
def works() -> tuple[Work, ...]:
    """All works of the tables, the best known first; one of each kind and title."""
    found: dict[tuple[str, str], Work] = {}
    for work in (*_works_from_table(), *_app_works(), *_books_and_films(), *_encyclopaedia_works()):
        found.setdefault((work.kind, plain(work.title)), work)
    return tuple(found.values())


def _works_from_table() -> Iterator[Work]:
    for row in read_table("media.tsv"):
        yield _work(row["kind"], row["title"], row["creator"], int(row["year"]), row["genres"], row["about"])


def _app_works() -> Iterator[Work]:
    told = {row["title"]: row["about"] for row in read_table("app_abouts.tsv")}
    for row in read_table("store_apps.tsv"):
        for pair in row["names"].split(";"):
            title, _, creator = pair.rpartition("/")
            year = 2009 + seeds.number("store app", title) % 13
            yield _work(row["kind"], title, creator, year, row["genres"], told.get(title, row["about"]))


def _books_and_films() -> Iterator[Work]:
    for kind, maker in (("book", "author"), ("film", "director")):
        for row in read_table(f"store_{kind}s.tsv"):
            yield _work(kind, row["title"], row[maker], int(row["year"]), row["genres"], row["about"])


def _encyclopaedia_works() -> Iterator[Work]:
    """Books and films of the encyclopaedia."""
    for kind, maker in (("book", "P50"), ("film", "P57")):
        for entry in entries_by_kind()[kind]:
            known = entry["properties"]
            year, creator = int(known.get("P577", ["0"])[0]), known.get(maker, ["unknown"])[0]
            own = (
                [film.genres for film in films_called(entry["title"]) if abs(film.year - year) <= 1]
                if kind == "film"
                else []
            )
            genres = (
                known.get("P136")
                or next(filter(None, own), None)
                or ["fiction" if kind == "book" else "drama"]
            )
            if year < EPOCH.year:
                yield _work(
                    kind,
                    entry["title"],
                    creator,
                    year,
                    ",".join(genres).lower(),
                    f"a {kind} of {year} by {creator}",
                )


@functools.cache
def _app_ids() -> Mapping[tuple[str, str], Mapping[str, str]]:
    return {(row["kind"], row["title"]): row for row in read_table("app_ids.tsv")}


def _work(kind: str, title: str, creator: str, year: int, genres: str, about: str) -> Work:
    package, split = f"com.{_title_slug(creator)}.{_title_slug(title)}", tuple(genres.split(","))
    known = _app_ids().get((kind, title))
    if known is None:
        return Work(kind, title, creator, year, split, about, made_up_id(title), package, package)
    return Work(
        kind=kind,
        title=title,
        creator=creator,
        year=year,
        genres=split,
        about=about,
        apple_id=int(known["apple"] or 0),
        bundle=known["bundle"] or package,
        play_id=package if known["play"] == "=" else known["play"],
        devices=tuple(known["devices"].split(";")) if known["devices"] else ("mobile", "tablet"),
        category=known["category"],
        play_category=known["play_category"],
    )


@functools.cache
def _of_kinds(kinds: tuple[str, ...]) -> tuple[Work, ...]:
    return tuple(work for work in works() if work.kind in kinds)


@functools.cache
def _topics() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(kind, stems of what is asked for) -> titles of well-known works for it, the best known first."""
    return {
        (row["kind"], " ".join(words(text))): tuple(row["titles"].split(";"))
        for row in read_table("work_topics.tsv")
        for text in row["asked"].split(";")
    }


@functools.cache
def _work_index(kinds: tuple[str, ...]) -> Index[dict[str, str]]:
    asked: dict[tuple[str, str], list[str]] = {}
    for (kind, text), titles in _topics().items():
        for title in titles:
            asked.setdefault((kind, title), []).append(text)
    rows = [
        {
            "place": str(place),
            "title": work.title,
            "asked": " ".join(asked.get((work.kind, work.title), ())),
            "genres": " ".join(work.genres),
            "about": work.about,
            "creator": work.creator,
        }
        for place, work in enumerate(_of_kinds(kinds))
    ]
    return Index(rows, ("title", "title", "asked", "genres", "genres", "about", "creator"))


@functools.lru_cache(maxsize=512)
def search_works(kinds: tuple[str, ...], query: str) -> tuple[Work, ...]:
    """Works that fit a query: the one that it names with its kin, those for a purpose, of a maker, or about it."""
    said = _FOR_KIDS.sub("family" if "film" in kinds else "children", plain(query[:200]).replace("-", " "))
    bare = " ".join(_NOISE.sub(" ", said).split()) or said
    rows = _of_kinds(kinds)
    exact = [work for work in rows if plain(work.title) in (plain(query), said, bare)]
    begun = tuple(f"{bare}{sign}" for sign in " :") if len(bare) > 3 else ("\0",)
    named = exact + [work for work in rows if plain(work.title).startswith(begun)]
    made = [work for work in rows if plain(work.creator) in (said, bare)]
    if exact or (named and not made):
        return tuple(dict.fromkeys((*named, *similar_works(named[0]))))[:_MOST]
    topic = [title for kind in kinds for title in _topics().get((kind, " ".join(words(bare))), ())]
    if topic:
        by_title = {work.title: work for work in reversed(rows)}
        return tuple(by_title[title] for title in topic if title in by_title)
    genre = tuple(work for work in rows if bare in work.genres)
    if genre:
        return genre[:_MOST]
    films = _search_films(query) if "film" in kinds else ()
    if made or films:
        return tuple({plain(work.title): work for work in reversed((*made, *films))}.values())[::-1]
    text = f" {' '.join(_WORD.findall(said))} "
    inside = [work for work in rows if f" {' '.join(_WORD.findall(plain(work.title)))} " in text]
    if inside:
        own = max(inside, key=lambda work: len(work.title))
        return (own, *dict.fromkeys(similar_works(own)))
    found = _work_index(kinds).search(bare, bound=1.0) or _work_index(kinds).search(bare, bound=_MOSTLY)
    return tuple(rows[int(hit["place"])] for hit in found[:_MOST])


def similar_works(work: Work) -> list[Work]:
    """Works of the same kind for the same purpose, then those that share most genres with one."""
    beside = next(
        (titles for (kind, _), titles in _topics().items() if kind == work.kind and work.title in titles[:4]),
        (),
    )
    rows = [one for one in _of_kinds((work.kind,)) if one.title != work.title]
    own = set(work.genres)
    near = [one for one in rows if len(own & set(one.genres)) >= min(_SHARED, len(own))]
    near.sort(key=lambda one: (one.creator != work.creator, -len(own & set(one.genres))))
    return [*(one for one in rows if one.title in beside), *near[:_NEAR]]


def works_of_maker(creator: str) -> list[Work]:
    """Apps and games of a maker."""
    return [work for work in _of_kinds(("app", "game")) if plain(work.creator) == plain(creator)]


def _search_films(query: str) -> tuple[Work, ...]:
    """The films of the film table that are called so, or that someone of this name directed or played in."""
    known = film_credits(query)
    theirs = (
        (known.directed if len(known.directed) > 1 else max(known.directed, known.played, key=len))
        if known
        else ()
    )
    ranked = sorted(theirs, key=lambda film: (-film.oscars, film.year))
    return tuple(_work_of_film(film) for film in (*reversed(films_called(query)[-3:]), *ranked[:_MOST]))


def _work_of_film(film: Film) -> Work:
    known = next(
        (work for work in _of_kinds(("film",)) if (work.title, work.year) == (film.title, film.year)), None
    )
    director = film.directors[0] if film.directors else "unknown"
    genres = ",".join(genre.lower() for genre in film.genres[:3]) or "drama"
    about = f"a film of {film.year}, directed by {director}"
    return known or _work("film", film.title, director, film.year, genres, about)
