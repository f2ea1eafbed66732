"""Apps and games beyond the table of works: well-known names with their makers.

store_apps.tsv: app	dating	people near you who want to meet	Tinder/Match Group;Bumble/Bumble
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from toolyard.world import seeds
from toolyard.world.search import Index, words
from toolyard.world.shared.media import Work, apple_id_of, apple_ratings, package_of, works
from toolyard.world.tables import plain, read_table

_ASKED = re.compile(r"\b(?:the )?(?:apps?|games?|mobile|download|for (?:android|iphone|ios|ipad))\b")
_PRAISE = re.compile(r"\b(?:best|good|top|new|free|popular|cool|great|trackers?(?= app))\b")
_MAKERS = ("Bright Fern", "Kite & Compass", "Small Lantern", "Nine Acorns", "Harbour Pixel", "Quiet Otter")

# What costs something in the stores.
_PAID = {
    "Monument Valley 2": 4.99, "Terraria": 4.99, "Bloons TD 6": 6.99, "Geometry Dash": 1.99, "Kingdom Rush": 0.99,
    "Threes!": 5.99, "Procreate": 12.99, "Things": 9.99, "LumaFusion": 29.99, "Heads Up!": 1.99, "Carrot Weather": 4.99,
    "Five Nights at Freddy's": 2.99,
}  # fmt: skip


def _work(kind: str, title: str, creator: str, genres: list[str], about: str) -> Work:
    chance = seeds.stream("store app", kind, title)
    return Work(
        kind=kind, title=title, creator=creator, year=2009 + chance.randrange(13), genres=genres,
        price=_PAID.get(title, 0.0), stars=_stars(title, round(3.7 + chance.random(), 1)), about=about,
        apple_id=apple_id_of(title), package=package_of(creator, title),
    )  # fmt: skip


class PlayApp(NamedTuple):
    """What the store of Android says of an app: id, how often it was installed, and stars."""

    id: str
    installs: str
    stars: float


@functools.cache
def play_apps() -> Mapping[str, PlayApp]:
    """Title -> what the store of Android said in 2024."""
    return {
        row["title"]: PlayApp(row["id"], row["installs"], float(row["rating"]))
        for row in read_table("play_apps.tsv")
    }


def _stars(title: str, drawn: float) -> float:
    """The stars of an app: those of its store, else the drawn ones."""
    known = play_apps().get(title)
    return known.stars if known else apple_ratings().get(title, drawn)


@functools.cache
def _known() -> Mapping[tuple[str, str], Work]:
    """(kind, plain title) -> the app or game of the table."""
    found: dict[tuple[str, str], Work] = {}
    told = {row["title"]: row["about"] for row in read_table("app_abouts.tsv")}
    for row in read_table("store_apps.tsv"):
        for pair in row["names"].split(";"):
            title, _, creator = pair.rpartition("/")
            about = told.get(title, row["about"])
            work = _work(row["kind"], title, creator, row["genres"].split(","), about)
            found.setdefault((row["kind"], plain(title)), work)
    return found


def is_made_up(work: Work) -> bool:
    """Whether a work is by a studio that does not exist, so that everything about it is simulated."""
    return work["creator"] in _MAKERS


def further_app(kind: str, query: str) -> Work | None:
    """The app or game that a query names beyond the table of works."""
    for name in dict.fromkeys((plain(query), " ".join(_ASKED.sub(" ", plain(query)).split()))):
        if (kind, name) in _known():
            return _known()[kind, name]
    return None


def named_app(kind: str, query: str) -> Work | None:
    """The app or game that a query names, or whose name it begins: Candy Crush is Candy Crush Saga."""
    said = " ".join(_ASKED.sub(" ", plain(query)).split()) or plain(query)
    rows = [row for row in (*works(), *_known().values()) if row["kind"] == kind]
    exact = next((row for row in rows if plain(row["title"]) in (plain(query), said)), None)
    begun = (
        row for row in rows if len(said) > 3 and plain(row["title"]).startswith((f"{said} ", f"{said}:"))
    )
    return exact or next(begun, None)


def like(work: Work) -> list[Work]:
    """Works of the same main genre, those that share most first; of any shared genre where there are few."""
    shared = {row["title"]: len(set(row["genres"]) & set(work["genres"])) for row in kin(work)}
    near = list({row["title"]: row for row in reversed(kin(work)) if row["title"] != work["title"]}.values())[
        ::-1
    ]
    own = [row for row in near if work["genres"][0] in row["genres"]]
    return sorted(own if len(own) > 2 else near, key=lambda row: -shared[row["title"]])


def kin(work: Work) -> list[Work]:
    """Works of the same kind that share a genre, of the table of works first."""
    rows = (*works(), *_known().values())
    return [row for row in rows if row["kind"] == work["kind"] and set(row["genres"]) & set(work["genres"])]


def of_maker(creator: str) -> list[Work]:
    """Apps and games of a maker, of the table of works first."""
    rows = (*works(), *_known().values())
    wanted = plain(creator)
    return [row for row in rows if plain(row["creator"]) == wanted and row["kind"] in ("app", "game")]


def with_kin(own: Work) -> list[Work]:
    """An app or game with those for the same purpose, else with a few of its genre."""
    near = beside(own)
    rows = [own, *(near if len(near) > 1 else [*near, *like(own)[:_FOREMOST]])]
    return list({row["title"]: row for row in reversed(rows)}.values())[::-1]


def further_apple(apple_id: int) -> Work | None:
    """The further app or game with an id of the Apple store."""
    return next((row for row in _known().values() if row["apple_id"] == apple_id), None)


@functools.cache
def _index(kind: str) -> Index[Work]:
    rows = [work for (own, _), work in _known().items() if own == kind]
    return Index(rows, ("title", "genres", "genres", "about"))


@functools.cache
def _purposes() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(kind, what is asked for) -> titles of well-known apps or games for it, the best known first."""
    return {
        (row["kind"], " ".join(words(text))): tuple(row["titles"].split(";"))
        for row in read_table("app_purposes.tsv")
        for text in row["asked"].split(";")
    }


def known_for(kind: str, query: str) -> list[Work]:
    """The well-known apps or games for the purpose that a query is; none where it is no purpose."""
    bare = _PRAISE.sub(" ", _ASKED.sub(" ", plain(query)))
    asked = " ".join(words(bare) or words(_PRAISE.sub(" ", plain(query))) or words(query))
    titles = _purposes().get((kind, asked), ())
    by_title = {row["title"]: row for row in (*_known().values(), *works()) if row["kind"] in ("app", "game")}
    return [by_title[title] for title in titles if title in by_title]


_FOREMOST = 4


def beside(work: Work) -> list[Work]:
    """The well-known apps or games for the purpose that one is among the first for; none where it is for none."""
    rows = [titles for (kind, _), titles in _purposes().items() if kind == work["kind"]]
    own = [titles for titles in rows if work["title"] in titles[:_FOREMOST]]
    first = min(own, key=lambda titles: (titles.index(work["title"]), -len(titles)), default=())
    by_title = {row["title"]: row for row in (*_known().values(), *works()) if row["kind"] == work["kind"]}
    return [by_title[title] for title in first if title in by_title and title != work["title"]]


def for_purpose(kind: str, query: str) -> list[Work]:
    """Apps or games of the table whose names, genres or texts have all words of a query."""
    asked = " ".join(_PRAISE.sub(" ", _ASKED.sub(" ", plain(query))).split())
    return _index(kind).search(asked, bound=1.0)[:12] if asked else []


def fitting(kind: str, query: str, found: list[Work]) -> list[Work]:
    """What the table of works has for a query, or the further app or game that it names with its kin."""
    if any(plain(row["title"]) in plain(query) for row in found[:1]):
        return found
    own = further_app(kind, query)
    if own is None:
        return found
    return [own, *(row for row in kin(own) if row["title"] != own["title"])][:12]


_NOISE = re.compile(
    r"\b(?:best|good|top|new|free|popular|mobile|apps?|video|games?|movies?|films?|books?|novels?|car|android|for|about)\b"
)
_SAID_AS = {
    "romantic": "romance", "sci fi": "science fiction", "scifi": "science fiction", "dystopian": "dystopia",
    "scary": "horror", "funny": "comedy", "animated": "animation", "rpg": "role playing", "thrillers": "thriller",
    "comedies": "comedy", "puzzles": "puzzle", "fantastic": "fantasy", "autobiography": "biography",
    "weather forecast": "weather", "edit photos": "photo editing", "photo editor": "photo editing",
    "edit pictures": "photo editing", "picture editor": "photo editing", "budget tracker": "budget", "budgeting": "budget",
    "expense tracker": "budget", "track expenses": "budget", "video call": "video conferencing",
    "video calls": "video conferencing", "workout": "fitness", "running": "fitness", "learn languages": "language learning",
    "dating": "dating", "music streaming": "music", "listen to music": "music", "play chess": "chess",
    "password manager": "passwords", "podcasts": "podcasts",
    "cookbooks": "cookbook", "classics": "classic",
}  # fmt: skip


def of_genre(kind: str, query: str, more: Sequence[Work] = ()) -> list[Work]:
    """The works of a kind, and of more of them, whose genres are what a query says, and nothing else is said."""
    rows = [row for row in (*works(), *_known().values(), *more) if row["kind"] == kind]
    said = " ".join(_NOISE.sub(" ", plain(query).replace("-", " ")).split())
    wanted = _genres(said, {genre for row in rows for genre in row["genres"]})
    found = [row for row in rows if wanted and wanted <= set(row["genres"])]
    titles = [plain(row["title"]) for row in found]
    # Asphalt 9 is Asphalt 9: Legends.
    return [
        row
        for place, row in enumerate(found)
        if titles[place] not in titles[:place]
        and not any(title.startswith(f"{titles[place]}:") for title in titles)
    ]


def _genres(text: str, known: set[str]) -> set[str]:
    """The genres that a text consists of; none where a part of it is no genre."""
    for said, meant in _SAID_AS.items():
        text = re.sub(rf"\b{said}\b", meant, text)
    found: set[str] = set()
    for genre in sorted(known, key=lambda name: (-len(name), name)):
        if re.search(rf"\b{re.escape(genre)}\b", text):
            found.add(genre)
            text = re.sub(rf"\b{re.escape(genre)}\b", " ", text)
    return set() if text.split() else found
