"""Entertainment/Google_play_store: apps, games, books and films like those asked for."""

from typing import Annotated, Literal, NamedTuple, TypedDict

from toolyard.world.index import words
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import PersonName, Semantic, Url, Year
from toolyard.world.kernel.views import Field, View
from toolyard.world.simulated.media import Listing, Work, listing, search_works

GROUP = Group("Entertainment/Google_play_store")
COUNT = 10
AppName = Annotated[str, Semantic("app")]
GameName = Annotated[str, Semantic("game")]
BookName = Annotated[str, Semantic("book")]
FilmName = Annotated[str, Semantic("film")]
AppQuery = Annotated[str, Semantic("app_query", accepts=("app",))]
GameQuery = Annotated[str, Semantic("game_query", accepts=("game",))]
BookQuery = Annotated[str, Semantic("book_query", accepts=("book",))]
FilmQuery = Annotated[str, Semantic("film_query", accepts=("film",))]


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
    installs: str


class Game(Sold):
    title: GameName
    app_id: str
    studio: str
    installs: str


class Book(Sold):
    title: BookName
    author: PersonName
    published: Year


class Film(Sold):
    title: FilmName
    director: PersonName
    released: Year


class _Sold(NamedTuple):
    work: Work
    listing: Listing


def _describe_work(row: _Sold) -> str:
    return f"{row.work.about[0].upper()}{row.work.about[1:]}."


_SHOWN: dict[str, Field] = {
    "title": "work.title",
    "genres": lambda row: [row.work.play_category] if row.work.play_category else list(row.work.genres),
    "rating": "listing.stars",
    "price_usd": "listing.price",
    "description": _describe_work,
}
_PLAYED: dict[str, Field] = {**_SHOWN, "app_id": "work.play_id", "installs": "listing.installs"}
APP = View[App](_PLAYED | {"developer": "work.creator", "link": lambda row: _link(row, "apps")})
GAME = View[Game](_PLAYED | {"studio": "work.creator", "link": lambda row: _link(row, "games")})
BOOK = View[Book](
    _SHOWN | {"author": "work.creator", "published": "work.year", "link": lambda row: _link(row, "books")}
)
FILM = View[Film](
    _SHOWN | {"director": "work.creator", "released": "work.year", "link": lambda row: _link(row, "movies")}
)


def _link(row: _Sold, shelf: str) -> str:
    return f"https://play.example/store/{shelf}/details?id={row.work.play_id}"


def _search_store(world: World, kinds: tuple[str, ...], q: str, want: str) -> list[_Sold]:
    """The works of the store that fit a query; a fault where none does."""
    if not plain(q):
        raise invalid("q", q, f"give {want}")
    rows = [work for work in search_works(kinds, q) if work.play_id]
    if not rows:
        raise not_found(kinds[0], q[:60], such_as=_SUCH[kinds[0]])
    return [_Sold(work, listing(world.seed, work)) for work in rows]


_SUCH = {"app": ("Zoom", "meditation"), "game": ("Minecraft", "strategy"), "book": ("Dune", "psychology"),
         "film": ("Inception", "comedy")}  # fmt: skip


@GROUP.tool(
    examples=[{"q": "Zoom"}, {"q": "learn a new language"}, {"q": "Microsoft Word"}],
    phrase="find Google Play apps that fit {q}",
    noun="the list of Google Play apps",
    jobs=("apps",),
)
def apps_related_searches(world: World, *, q: AppQuery) -> list[App]:
    """Apps that fit a name, a purpose, a maker or an app one likes.

    q: Name of an app, or what it should do.
    """
    kinds = ("game",) if "game" in words(q) else ("app", "game")
    return APP.rows(_search_store(world, kinds, q, "the name of an app or what it should do")[:COUNT])


@GROUP.tool(
    examples=[{"q": "Artificial Intelligence"}, {"q": "psychology", "price": 1}],
    phrase="find Google Play books that fit {q}[, with the price filter set to {price}]",
    noun="the list of Google Play books",
    jobs=("books",),
)
def books_related_searches(world: World, *, q: BookQuery, price: Literal[1, 2] | None = None) -> list[Book]:
    """Books that fit a title, a subject, an author or a book one likes.

    q: Title, subject or author.
    price: 1 for free books only, 2 for books that cost something.
    """
    rows = _search_store(world, ("book",), q, "a title, a subject or an author")
    rows = [row for row in rows if price is None or (row.listing.price == 0) == (price == 1)]
    return BOOK.rows(rows[:COUNT])


@GROUP.tool(
    examples=[{"q": "Minecraft"}, {"q": "strategy games about ancient civilizations"}],
    phrase="find Google Play games that fit {q}",
    noun="the list of Google Play games",
    jobs=("apps",),
)
def games_related_searches(world: World, *, q: GameQuery) -> list[Game]:
    """Games that fit a name, a kind, a maker or a game one likes.

    q: Name of a game, or what kind of game it should be.
    """
    return GAME.rows(_search_store(world, ("game",), q, "the name or the kind of a game")[:COUNT])


@GROUP.tool(
    examples=[{"q": "The Godfather"}, {"q": "comedy"}],
    phrase="find Google Play movies that fit {q}",
    noun="the list of Google Play movies",
)
def movies_related_searches(world: World, *, q: FilmQuery) -> list[Film]:
    """Films that fit a title, a genre, a director or a film one likes.

    q: Title, genre or director.
    """
    return FILM.rows(_search_store(world, ("film",), q, "a title, a genre or a director")[:COUNT])
