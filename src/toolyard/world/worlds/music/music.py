"""Music/Music: invented binary genres, stories about them, and the iTunes catalogue."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world.faults import invalid
from toolyard.world.reference.films import films_beginning, films_called
from toolyard.world.registry import tool
from toolyard.world.search import Index, words
from toolyard.world.shared.catalogue import by_kind, songs
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.geography import find_country, plain, read_table
from toolyard.world.shared.media import film_genres, is_out, works
from toolyard.world.shared.people import person
from toolyard.world.state import World
from toolyard.world.types import CountryCode, Money, Prose, Range, Semantic, Year
from toolyard.world.worlds.music.music_shelves import (
    ALBUM_YEARS,
    COMEDIES,
    genre_by,
    is_explicit,
    per_usd,
    podcasts_known,
    shelf,
    shelf_price,
    style_of,
)
from toolyard.world.worlds.music.music_stories import STYLES, STYLES_ALONE, story
from toolyard.world.worlds.product.app_store import AppleId

GROUP = "Music/Music"
ArtistName = Annotated[str, Semantic("artist")]
SongName = Annotated[str, Semantic("song")]
MusicGenre = Annotated[str, Semantic("binary_music_type")]
Media = Literal[
    "all", "music", "musicVideo", "movie", "podcast", "audiobook", "shortFilm", "tvShow", "software", "ebook"
]
Entity = Literal["all", "music", "song", "album", "musicArtist", "musicVideo", "movie", "podcast", "audiobook", "shortFilm",
                 "tvShow", "software", "ebook"]  # fmt: skip
Attribute = Literal["all", "artistTerm", "songTerm", "albumTerm", "genreTerm", "titleTerm", "music", "musicVideo",
                    "podcast", "audiobook", "shortFilm", "tvShow", "software", "ebook"]  # fmt: skip
Term = Annotated[
    str,
    Semantic(
        "itunes_term", accepts=("song", "artist", "person", "film", "book", "app", "game", "word", "topic")
    ),
]
_JAPANESE = {"song": "曲", "album": "アルバム", "feature-movie": "映画", "software": "アプリ", "ebook": "電子書籍",
             "audiobook": "オーディオブック", "podcast": "ポッドキャスト", "music-video": "ミュージックビデオ",
             "artist": "アーティスト", "tv-season": "テレビ番組"}  # fmt: skip
_FIRST_RECORD = 1900
_FIRST_VIDEO = 1975  # before it few songs had a video
_FORMS = ("ebook", "audiobook", "tv-season", "feature-movie")
_PRICES = {"ebook": 9.99, "audiobook": 14.99, "tv-season": 19.99, "feature-movie": 14.99}
# Which kinds of entries belong to a medium or an entity.
_KINDS = {
    "music": ("song", "album", "music-video"), "song": ("song",), "album": ("album",), "musicArtist": ("artist",),
    "musicVideo": ("music-video",), "movie": ("feature-movie",), "podcast": ("podcast",), "audiobook": ("audiobook",),
    "shortFilm": (), "tvShow": ("tv-season",), "software": ("software",), "ebook": ("ebook",),
}  # fmt: skip
_FIELDS: dict[str, tuple[str, ...]] = {
    "artistTerm": ("artist",), "songTerm": ("name",), "titleTerm": ("name",), "albumTerm": ("collection",),
    "genreTerm": ("genre",),
}  # fmt: skip


class BinaryMusic(TypedDict):
    binary_music_type: MusicGenre
    first: str
    second: str


class Story(TypedDict):
    binary_music_type: MusicGenre
    story: Prose


class Track(TypedDict):
    """A row of the catalogue; price in US dollars."""

    kind: str
    id: int
    name: str
    artist: str
    collection: str
    genre: str
    year: int
    usd: float
    seconds: int
    explicit: bool


class FoundTrack(TypedDict):
    kind: str
    trackId: int
    trackName: str
    artistName: ArtistName
    primaryGenreName: NotRequired[str]
    releaseYear: NotRequired[Year]
    price: NotRequired[Money]
    collectionName: NotRequired[str]
    songName: NotRequired[SongName]
    trackTimeSeconds: NotRequired[int]
    appId: NotRequired[AppleId]


class ITunesResults(TypedDict):
    resultCount: int
    country: CountryCode
    results: list[FoundTrack]


def _pair(world: World) -> tuple[str, str]:
    first, second = world.draw("music").sample(STYLES, 2)
    return first, second


@tool(
    GROUP,
    examples=[{}],
    phrase="generate a random new music type out of two styles",
    noun="the generated music type",
)
def generate_music(world: World) -> BinaryMusic:
    """A music type made of two styles that may never have met, another one each time."""
    first, second = _pair(world)
    return {"binary_music_type": f"{first}-{second}", "first": first, "second": second}


@tool(
    GROUP,
    examples=[{}],
    phrase="generate a random short story about how a new music type came into the world",
    noun="the generated music story",
)
def generate_story(world: World) -> Story:
    """A short story about how a music type of two styles came into the world, another one each time."""
    chance = world.draw("story")
    first, second = chance.sample(STYLES_ALONE, 2)
    hero = person(world.seed, "musician", chance.randrange(10_000))["name"]
    return {"binary_music_type": f"{first}-{second}", "story": story(hero, first, second, chance)}


@functools.cache
def _tracks() -> tuple[Track, ...]:
    rows: list[Track] = []
    listed = list(read_table("songs.tsv"))
    for number, row in enumerate(listed):
        base = Track(kind="song", id=1_440_000_000 + number, name=row["title"], artist=row["artist"],
                     collection=row["album"], genre=row["genre"], year=int(row["year"]), usd=1.29,
                     seconds=int(row["seconds"]), explicit=row["explicit"] == "yes")  # fmt: skip
        rows.append(base)
        if base["year"] >= _FIRST_VIDEO:
            rows.append(
                {
                    **base,
                    "kind": "music-video",
                    "id": base["id"] + 10_000,
                    "usd": 1.99,
                    "collection": "",
                    "seconds": 0,
                }
            )
    for number, (album, artist) in enumerate(dict.fromkeys((row["album"], row["artist"]) for row in listed)):
        own = next(row for row in rows if (row["collection"], row["artist"]) == (album, artist))
        year = ALBUM_YEARS.get(album, own["year"])
        rows.append({**own, "kind": "album", "id": 1_450_000_000 + number, "name": album, "year": year, "usd": 9.99,
                     "seconds": 0, "explicit": is_explicit(artist, album)})  # fmt: skip
    for number, artist in enumerate(dict.fromkeys(row["artist"] for row in listed)):
        own = next(row for row in rows if row["artist"] == artist)
        rows.append({**own, "kind": "artist", "id": 1_460_000_000 + number, "name": artist, "collection": "", "usd": 0.0,
                     "seconds": 0, "explicit": False})  # fmt: skip
    return (
        *rows,
        *_known_albums(
            {(plain(row["name"]), plain(row["artist"])) for row in rows if row["kind"] == "album"}
        ),
        *_known_music({(plain(row["name"]), plain(row["artist"])) for row in rows}),
        *_other_media(),
    )


def _known_albums(taken: set[tuple[str, str]]) -> list[Track]:
    """Albums of well-known artists beyond those of the listed songs."""
    pairs = [
        (row["artist"], row["genre"], album.rpartition("/")[0], int(album.rpartition("/")[2]))
        for row in read_table("albums.tsv")
        for album in row["albums"].split(";")
    ]
    return [
        Track(kind="album", id=1_451_000_000 + number, name=name, artist=artist, collection=name, genre=genre, year=year,
              usd=9.99, seconds=0, explicit=is_explicit(artist, name))
        for number, (artist, genre, name, year) in enumerate(pairs)
        if (plain(name), plain(artist)) not in taken
    ]  # fmt: skip


def _known_music(taken: set[tuple[str, str]]) -> list[Track]:
    """Songs and artists of the catalogue; their albums and lengths are not known and are left out."""
    rows = [
        Track(kind="song", id=1_441_000_000 + number, name=song.title, artist=song.artist, collection="", genre=song.genre,
              year=int(song.year), usd=1.29, seconds=0, explicit=is_explicit(song.artist, song.title))
        for number, song in enumerate(songs())
        if (plain(song.title), plain(song.artist)) not in taken
    ]  # fmt: skip
    artists = {
        row["artist"]: row for row in rows if (plain(row["artist"]), plain(row["artist"])) not in taken
    }
    rows += [
        Track(kind="artist", id=1_461_000_000 + number, name=name, artist=name, collection="", genre=row["genre"],
              year=row["year"], usd=0.0, seconds=0, explicit=False)
        for number, (name, row) in enumerate(artists.items())
    ]  # fmt: skip
    return rows


def _other_media() -> list[Track]:
    kinds = {
        "film": ("feature-movie",),
        "book": ("ebook", "audiobook"),
        "app": ("software",),
        "game": ("software",),
    }
    rows = [
        Track(kind=kind, id=work["apple_id"] + (1 if kind == "audiobook" else 0), name=work["title"],
              artist=work["creator"], collection="", year=work["year"],
              genre="Games" if work["kind"] == "game" else work["genres"][0].title(),
              usd=work["price"], seconds=0, explicit=False)
        for work in works()
        for kind in kinds[work["kind"]]
    ]  # fmt: skip
    podcasts = [
        Track(kind="podcast", id=1_470_000_000 + number, name=name, artist=host, collection=name, genre=genre,
              year=year, usd=0.0, seconds=0, explicit=False)
        for number, (name, host, genre, year) in enumerate(podcasts_known())
    ]  # fmt: skip
    return rows + podcasts + _known_works({plain(row["name"]) for row in rows})


def _genre(entry: Entry, year: int) -> str:
    """The genre of a work as a store writes it; empty where none is known."""
    if entry["kind"] != "film":
        writer = entry["properties"].get("P50", [""])[0]
        return genre_by(writer) if entry["kind"] == "book" else "Comedy" if entry["title"] in COMEDIES else ""
    return next(iter(film_genres(entry["title"], year)), "")


def _maker(entry: Entry, maker: str) -> str:
    """Who made a work; a store files a series under its own name."""
    return entry["properties"].get(maker, [""])[0] if maker else entry["title"]


def _known_works(taken: set[str]) -> list[Track]:
    """Books, series and films of the catalogue that the store of apps does not hold."""
    found: list[Track] = []
    shelves = (("book", "P50", ("ebook", "audiobook")), ("television series", "", ("tv-season",)),
               ("film", "P57", ("feature-movie",)))  # fmt: skip
    for kind, maker, formats in shelves:
        for number, entry in enumerate(by_kind()[kind]):
            year = entry["properties"].get("P577", [""])[0]
            if plain(entry["title"]) in taken or not year or not is_out(entry["title"], int(year)):
                continue
            found += [
                Track(kind=form, id=1_480_000_000 + 10_000_000 * _FORMS.index(form) + number, name=entry["title"],
                      artist=_maker(entry, maker), collection="", genre=_genre(entry, int(year)), year=int(year),
                      usd=_PRICES[form], seconds=0, explicit=False)
                for form in formats
            ]  # fmt: skip
    return found


def _films(term: str) -> list[Track]:
    """The films of the reference table with this title, newest first, then those whose title goes on from it."""
    return [
        Track(kind="feature-movie", id=1_600_000_000 + film.number, name=film.title, artist=", ".join(film.directors[:2]),
              collection="", genre=shelf((*film.genres, "")[0]), year=film.year, usd=_PRICES["feature-movie"],
              seconds=0, explicit=False)
        for film in (*reversed(films_called(term)[-3:]), *films_beginning(term), *films_beginning(f"the {term}"))
    ]  # fmt: skip


# The part of the words that a result must have where none has all.
_MOST_WORDS = 0.6


@functools.cache
def _index(fields: tuple[str, ...]) -> Index[Track]:
    return Index([{**row, "genre": _filed(row)} for row in _tracks()], fields)


def _filed(row: Track) -> str:
    """Under which genre the store files an entry."""
    own = row["kind"] in ("song", "album", "music-video")
    return style_of(row["artist"], row["name"], row["genre"]) if own else shelf(row["genre"])


def _found(row: Track, currency: str, lang: str) -> FoundTrack:
    entry: FoundTrack = {
        "kind": _JAPANESE[row["kind"]] if lang == "ja_jp" else row["kind"],
        "trackId": row["id"],
        "trackName": row["name"],
        "artistName": row["artist"],
    }
    if row["genre"]:
        entry["primaryGenreName"] = row["genre"]
    # An artist has no day and no price, and old works came out long before there were records.
    if row["kind"] != "artist":
        if row["year"] >= _FIRST_RECORD or row["kind"] in _FORMS:
            entry["releaseYear"] = row["year"]
        price = row["usd"] * per_usd()[currency]
        entry["price"] = {"amount": shelf_price(price, currency), "currency": currency}
    if row["collection"]:
        entry["collectionName"] = row["collection"]
    if row["kind"] == "song":
        entry["songName"] = row["name"]
    if row["seconds"]:
        entry["trackTimeSeconds"] = row["seconds"]
    if row["kind"] == "software":
        entry["appId"] = row["id"]
    return entry


def _wanted(media: str, entity: str) -> Callable[[Track], bool]:
    every = tuple(_JAPANESE)
    allowed = set(_KINDS.get(media, every)) if media != "all" else set(every)
    if media == "music" and entity == "musicArtist":
        allowed.add("artist")
    narrower = set(_KINDS.get(entity, every))
    if not allowed & narrower and media != "shortFilm" and entity != "shortFilm":
        raise invalid("entity", entity, f"media={media} has none; leave out media or entity")
    return lambda row: row["kind"] in allowed & narrower


@tool(
    GROUP,
    examples=[
        {"term": "Adele", "country": "US", "media": "music", "entity": "song"},
        {"term": "Inception", "country": "JP", "lang": "ja_jp", "limit": 3},
        {"term": "zoom", "country": "GB", "media": "software"},
    ],
    phrase=(
        "search the iTunes store for {term}, with the store country set to {country}[, with the media set to "
        "{media}][, with the entity set to {entity}][, matching on the attribute {attribute}][, in the "
        "language {lang}][, with explicit songs set to {explicit}][, returning at most {limit} results]"
    ),
    noun="the iTunes search results",
)
def search_itunes(
    *,
    term: Term,
    country: CountryCode,
    media: Media = "all",
    entity: Entity = "all",
    attribute: Attribute = "all",
    limit: Annotated[int, Range(1, 200)] = 10,
    lang: Literal["en_us", "ja_jp"] = "en_us",
    explicit: bool = True,
) -> ITunesResults:
    """Well-known songs, albums, films, books, apps and podcasts that fit some words, a choice, with prices.

    term: Words to look for: a title, an artist, a genre.
    country: Two-letter code of the store's country; prices come in its currency.
    media: Kind of media to search.
    entity: Kind of result within the media, e.g. song or album.
    attribute: What the words must match: artistTerm, songTerm, albumTerm, genreTerm, titleTerm; anything by default.
    limit: How many results at most.
    lang: Language of the kinds: en_us or ja_jp.
    explicit: Whether to include songs and albums that are known to be explicit.
    """
    if not words(term):
        raise invalid("term", term, "give words to look for: a title, an artist, a genre")
    row = find_country(country)
    currency = row["currency"] if row["currency"] in per_usd() else "USD"
    fields = _FIELDS.get(attribute, ("name", "name", "artist", "collection", "genre"))
    asked = term.replace("+", " ")[:200]
    # James Taylor is not Taylor Swift: half of the words count only where nothing has them all.
    found = _index(fields).search(asked, where=_wanted(media, entity), bound=1.0)
    found = found or _index(fields).search(asked, where=_wanted(media, entity), bound=_MOST_WORDS)
    # What is called so or by whom is meant comes first, of that the songs that are known best.
    found.sort(
        key=lambda row: (plain(term) not in (plain(row["name"]), plain(row["artist"])), not row["seconds"])
    )
    called = any(plain(row["name"]) == plain(term) for row in found)
    if attribute in ("all", "titleTerm") and not called:
        known = {plain(row["name"]) for row in found if row["kind"] == "feature-movie"} - {plain(term)}
        films = [row for row in _films(term) if plain(row["name"]) not in known]
        found = [*filter(_wanted(media, entity), films), *found]
    results = [_found(track, currency, lang) for track in found if explicit or not track["explicit"]][:limit]
    return {"resultCount": len(results), "country": row["code"], "results": results}
