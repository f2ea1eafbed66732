"""Entertainment/Google_play_store: apps, games, books and films like those asked for."""

from __future__ import annotations

import functools
import re
from typing import Annotated, Literal, TypedDict

from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.shared.media import Work, books_on, listed, related
from toolyard.world.shared.store_apps import fitting, for_purpose, of_genre, quiz_about
from toolyard.world.state import World
from toolyard.world.tables import plain
from toolyard.world.types import PersonName, Semantic, Url, Year

GROUP = "Entertainment/Google_play_store"
COUNT = 10
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


def _sold(row: Work, shelf: str) -> Sold:
    return {
        "genres": row["genres"],
        "rating": row["stars"],
        "price_usd": row["price"],
        "description": f"{row['about'][0].upper()}{row['about'][1:]}.",
        "link": f"https://play.example/store/{shelf}/details?id={play_id(row)}",
    }


def _fitting(world: World, kind: str, query: str) -> list[Work]:
    """Works that fit a query; one of the catalogue that it names comes first, and of a maker only the own ones."""
    if genre := of_genre(kind, query):
        return genre
    found = related(kind, query)
    named = [
        row
        for row in listed(world.seed, kind, query)
        if plain(row["title"]) not in {plain(one["title"]) for one in found}
    ]
    theirs = [row for row in (*found, *named) if plain(row["creator"]) == plain(query)]
    if theirs:
        return theirs
    exact = [row for row in named if plain(row["title"]) == plain(query)]
    return [*exact, *found[:3], *(row for row in named if row not in exact), *found[3:]]


def _apps(world: World, query: str) -> list[Work]:
    """Apps for a query; a game that it names where no app is called so."""
    if genre := of_genre("app", query):
        return genre
    found = related("app", query)
    game = fitting(world.seed, "game", query, related("game", query))[:1]
    if not found and game and plain(game[0]["title"]) == plain(query):
        return game
    return fitting(world.seed, "app", query, found) or for_purpose(world.seed, "app", query)


def _games(world: World, query: str) -> list[Work]:
    """Games for a query; where there is none and it names an app, a quiz about it."""
    query = re.sub(r"\b(?:best |good )?(?:video )?games?\b", "", query, flags=re.IGNORECASE).strip() or query
    if genre := of_genre("game", query):
        return genre
    found = fitting(world.seed, "game", query, related("game", query))
    if any(plain(row["title"]) in plain(query) for row in found[:1]):
        return found
    app = None if found else next(iter(_apps(world, query)), None)
    return [quiz_about(world.seed, app["title"]), *found] if app and app["kind"] == "app" else found


# How often well-known ones had been installed by 2024, in millions.
_INSTALLED = {
    5000: "WhatsApp;Facebook;Instagram;Gmail;Google Maps;YouTube;Google Chrome;Google Photos;Google Drive;Messenger",
    1000: "TikTok;Spotify;Zoom;Netflix;Snapchat;Telegram;Twitter;X;LinkedIn;Microsoft Word;Microsoft Excel;Skype;"
          "Subway Surfers;Candy Crush Saga;Free Fire;Microsoft OneDrive;Truecaller;Viber;Dropbox;Shazam",
    500: "Duolingo;Pinterest;Uber;Clash of Clans;Clash Royale;Roblox;Temple Run 2;My Talking Tom;Among Us;Discord;Signal;"
         "Booking.com;Amazon Shopping;Garena Free Fire;PUBG Mobile;Call of Duty Mobile;Mobile Legends",
    100: "Microsoft Teams;Reddit;Airbnb;Evernote;Waze;Pokémon GO;Brawl Stars;Asphalt 9: Legends;Plants vs. Zombies 2;"
         "Chess.com;Genshin Impact;Twitch;Tinder;Strava;Slack;Trello;Canva;Shein;AliExpress",
    50: "Minecraft;Notion;Headspace;Calm;Fitbit;Block Craft 3D;Rise of Kingdoms;Hay Day;Boom Beach;Babbel",
    10: "The Battle of Polytopia;Todoist;Lichess;Duolingo ABC;Bitwarden;Plague Inc.",
    1: "Terraria;Stardew Valley;Monument Valley;Civilization VI",
}  # fmt: skip


@functools.cache
def _known_installs() -> dict[str, str]:
    return {
        plain(name): f"{count // 1000}B+" if count >= 1000 else f"{count}M+"
        for count, names in _INSTALLED.items()
        for name in names.split(";")
    }


def _installs(row: Work) -> str | None:
    return _known_installs().get(plain(row["title"]))


# Apps of Apple that this store has, too.
_OF_APPLE = frozenset(("Apple Music", "Shazam", "Shazam Lite", "Apple TV"))


def _on_android(rows: list[Work]) -> list[Work]:
    return [row for row in rows if row["creator"] != "Apple" or row["title"] in _OF_APPLE]


# What well-known apps are called in this store.
_PLAY_IDS = {
    "WeChat": "com.tencent.mm", "WhatsApp": "com.whatsapp", "Telegram": "org.telegram.messenger",
    "Signal": "org.thoughtcrime.securesms", "LINE": "jp.naver.line.android", "Zoom": "us.zoom.videomeetings",
    "Microsoft Teams": "com.microsoft.teams", "Google Meet": "com.google.android.apps.tachyon", "Skype": "com.skype.raider",
    "Slack": "com.Slack", "Discord": "com.discord", "Trello": "com.trello", "Notion": "notion.id", "Asana": "com.asana.app",
    "Microsoft Word": "com.microsoft.office.word", "Google Docs": "com.google.android.apps.docs.editors.docs",
    "WPS Office": "cn.wps.moffice_eng", "Evernote": "com.evernote", "Adobe Photoshop Express": "com.adobe.psmobile",
    "Snapseed": "com.niksoftware.snapseed", "PicsArt": "com.picsart.studio", "Canva": "com.canva.editor",
    "Duolingo": "com.duolingo", "Babbel": "com.babbel.mobile.android.en", "Memrise": "com.memrise.android.memrisecompanion",
    "Busuu": "com.busuu.android.enc", "HelloTalk": "com.hellotalk", "Khan Academy": "org.khanacademy.android",
    "Spotify": "com.spotify.music", "YouTube": "com.google.android.youtube", "Netflix": "com.netflix.mediaclient",
    "Google Maps": "com.google.android.apps.maps", "Uber": "com.ubercab", "Airbnb": "com.airbnb.android",
    "Strava": "com.strava", "MyFitnessPal": "com.myfitnesspal.android", "Headspace": "com.getsomeheadspace.android",
    "Starbucks": "com.starbucks.mobilecard", "Minecraft": "com.mojang.minecraftpe", "Roblox": "com.roblox.client",
    "Terraria": "com.and.games505.TerrariaPaid", "Stardew Valley": "com.chucklefish.stardewvalley",
    "Clash of Clans": "com.supercell.clashofclans", "Plague Inc.": "com.miniclip.plagueinc", "Chess": "com.chess",
    "PUBG Mobile": "com.tencent.ig", "Genshin Impact": "com.miHoYo.GenshinImpact", "Brawl Stars": "com.supercell.brawlstars",
    "Subway Surfers": "com.kiloo.subwaysurf", "Grand Theft Auto: San Andreas": "com.rockstargames.gtasa",
    "Monument Valley": "com.ustwo.monumentvalley", "2048": "com.androbaby.game2048",
    "Call of Duty: Mobile": "com.activision.callofduty.shooter",
}  # fmt: skip


def play_id(row: Work) -> str:
    """What a work is called in the store."""
    return _PLAY_IDS.get(row["title"], row["package"])


@tool(
    GROUP,
    examples=[{"q": "Zoom"}, {"q": "learn a new language"}, {"q": "Microsoft Word"}],
    phrase="find Google Play apps that fit {q}",
    noun="the list of Google Play apps",
    jobs=("apps",),
)
def apps_related_searches(world: World, *, q: AppQuery) -> list[App]:
    """Apps that fit a name, a purpose or an app one likes, ten at most, the closest first.

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
        for row in _on_android(_apps(world, q))[:COUNT]
    ]


@tool(
    GROUP,
    examples=[{"q": "Artificial Intelligence"}, {"q": "psychology", "price": 1}],
    phrase="find Google Play books that fit {q}[, with the price filter set to {price}]",
    noun="the list of Google Play books",
    jobs=("books",),
)
def books_related_searches(world: World, *, q: BookQuery, price: Literal[1, 2] | None = None) -> list[Book]:
    """Books that fit a title, a subject or a book one likes, ten at most, the closest first.

    q: Title, subject or author.
    price: 1 for free books only, 2 for books that cost something.
    """
    fitting_books = _fitting(world, "book", q) or books_on(world.seed, q)
    rows = [row for row in fitting_books if price is None or (row["price"] == 0) == (price == 1)]
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
def games_related_searches(world: World, *, q: GameQuery) -> list[Game]:
    """Games that fit a name, a kind or a game one likes, ten at most, the closest first.

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
        for row in _games(world, q)[:COUNT]
    ]


@tool(
    GROUP,
    examples=[{"q": "The Godfather"}, {"q": "comedy"}],
    phrase="find Google Play movies that fit {q}",
    noun="the list of Google Play movies",
)
def movies_related_searches(world: World, *, q: FilmQuery) -> list[Film]:
    """Films that fit a title, a genre or a film one likes, ten at most, the closest first.

    q: Title, genre or director.
    """
    return [
        {"title": row["title"], "director": row["creator"], "released": row["year"], **_sold(row, "movies")}
        for row in _fitting(world, "film", q)[:COUNT]
    ]
