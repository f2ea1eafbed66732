"""Music/Music: invented binary genres, stories about them, and the iTunes catalogue."""

import functools
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world.index import Index, words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import EPOCH, World
from toolyard.world.kernel.tables import plain, read_table, share_keys, table_words, values_of
from toolyard.world.kernel.types import CountryCode, Money, Prose, Range, Semantic, Year
from toolyard.world.reference.encyclopaedia.catalogue import entries_by_kind, songs
from toolyard.world.reference.people import person
from toolyard.world.reference.places.geography import find_country
from toolyard.world.simulated.media import listing, works
from toolyard.world.simulated.prices import current_units_per_dollar
from toolyard.world.tools.product.app_store import AppleId

# Styles of all kinds, and those whose name alone says what is played.
STYLES = table_words("music_stories.styles")
STYLES_ALONE = table_words("music_stories.styles_alone")
_PLACES = table_words("music_stories.places")
_MEETINGS = table_words("music_stories.meetings")
_LAST_WORDS = table_words("music_stories.last_words")
_ENDINGS = table_words("music_stories.endings")


def _style_with_article(style: str) -> str:
    return f"{'an' if style[0] in 'AEIOU' else 'a'} {style}"


def write_story(hero: str, first: str, second: str, chance: Random) -> str:
    """How a musician brought two styles together, as chance has it."""
    meeting = chance.choice(_MEETINGS).format(
        hero=hero, first=first, second=second, place=chance.choice(_PLACES),
        a_first=_style_with_article(first), a_second=_style_with_article(second),
    )  # fmt: skip
    last = chance.choice(_LAST_WORDS).format(name=f"{first}-{second}")
    return f"{meeting}, {chance.choice(_ENDINGS)}. {last}"


GROUP = Group("Music/Music")
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
# What entries cost, in US dollars; works of the stores cost there what they cost here.
_PRICES = {"song": (0.69, 0.99, 1.29), "music-video": (1.49, 1.99, 2.49), "album": (6.99, 8.99, 9.99, 11.99, 13.99),
           "tv-season": (9.99, 14.99, 19.99, 24.99, 29.99)}  # fmt: skip
_FORMATS: Mapping[str, tuple[str, ...]] = values_of("music.formats")
_SECONDS = (110, 420)
_EXPLICIT = 0.12
# Which kinds of entries belong to a medium or an entity.
_KINDS: Mapping[str, tuple[str, ...]] = values_of("music.kinds")
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
    """Reference: an entry of the catalogue; `work` is its place in the works of the stores, -1 for music."""

    kind: str
    id: int
    name: str
    artist: str
    collection: str
    genre: str
    year: int
    work: int


class FoundTrack(TypedDict):
    kind: str
    trackId: int
    trackName: str
    artistName: ArtistName
    primaryGenreName: str
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


def _draw_styles(world: World) -> tuple[str, str]:
    first, second = world.draw("music").sample(STYLES, 2)
    return first, second


@GROUP.tool(
    phrase="generate a random new music type out of two styles",
    noun="the generated music type",
)
def generate_music(world: World) -> BinaryMusic:
    """A music type made of two styles that may never have met, another one each time."""
    first, second = _draw_styles(world)
    return {"binary_music_type": f"{first}-{second}", "first": first, "second": second}


@GROUP.tool(
    phrase="generate a random short story about how a new music type came into the world",
    noun="the generated music story",
)
def generate_story(world: World) -> Story:
    """A short story about how a music type of two styles came into the world, another one each time."""
    chance = world.draw("story")
    first, second = chance.sample(STYLES_ALONE, 2)
    hero = person(world.seed, "musician", chance.randrange(10_000))["name"]
    return {"binary_music_type": f"{first}-{second}", "story": write_story(hero, first, second, chance)}


def _music_rows() -> Iterator[tuple[str, str, str, str, str, int]]:
    """Kind, name, artist, collection, genre and year of all music."""
    listed = [
        (row["title"], row["artist"], row["album"], row["genre"], int(row["year"]))
        for row in read_table("songs.tsv")
    ]
    single = [(row.title, row.artist, f"{row.title} - Single", row.genre, int(row.year)) for row in songs()]
    for title, artist, album, genre, year in (*listed, *single):
        yield "song", title, artist, album, genre, year
        yield "music-video", title, artist, "", genre, year
        yield "artist", artist, artist, "", genre, year
    for _, artist, album, genre, year in listed:
        yield "album", album, artist, album, genre, year
    for row in read_table("albums.tsv"):
        for name, _, published in (album.rpartition("/") for album in row["albums"].split(";")):
            yield "album", name, row["artist"], name, row["genre"], int(published)


def _show_rows() -> Iterator[tuple[str, str, str, str, str, int]]:
    """The same of podcasts and series."""
    for row in read_table("podcasts.tsv"):
        yield "podcast", row["title"], row["publisher"], row["title"], row["genre"], int(row["year"])
    for entry in entries_by_kind()["television series"]:
        year = int(entry["properties"].get("P577", ["0"])[0])
        if 0 < year < EPOCH.year:
            yield "tv-season", entry["title"], entry["title"], "", "Series", year


@functools.cache
def _all_tracks() -> tuple[Track, ...]:
    """All entries of the catalogue, one of each kind, name and artist."""
    sold = [
        (
            kind,
            work.title,
            work.creator,
            "",
            "Games" if work.kind == "game" else work.genres[0].title(),
            work.year,
            place,
        )
        for place, work in enumerate(works())
        for kind in _FORMATS[work.kind]
    ]
    rows: dict[tuple[str, str, str], Track] = {}
    for kind, name, artist, collection, genre, year, work in (
        *((*row, -1) for row in (*_music_rows(), *_show_rows())),
        *sold,
    ):
        key = (kind, plain(name), plain(artist))
        first = 1_440_000_000 + 10_000_000 * list(_JAPANESE).index(kind)
        rows.setdefault(
            key,
            Track(
                kind=kind,
                id=first + seeds.number(*key) % 9_000_000,
                name=name,
                artist=artist,
                collection=collection,
                genre=genre,
                year=year,
                work=work,
            ),
        )
    return tuple(map(share_keys, rows.values()))


# The part of the words that a result must have where none has all.
_MOST_WORDS = 0.6


@functools.cache
def _track_index(fields: tuple[str, ...]) -> Index[Track]:
    return Index(_all_tracks(), fields)


def _price_usd(seed: int, row: Track) -> float:
    """What an entry costs in US dollars."""
    if row["work"] >= 0:
        return listing(seed, works()[row["work"]]).price
    return seeds.pick(_PRICES.get(row["kind"], (0.0,)), seed, "itunes", row["kind"], row["id"])


def _is_explicit(seed: int, row: Track) -> bool:
    named = (plain(row["artist"]), plain(row["name"]))
    return (
        row["kind"] in ("song", "album", "music-video") and seeds.unit(seed, "explicit", *named) < _EXPLICIT
    )


def _track_row(seed: int, row: Track, currency: str, lang: str) -> FoundTrack:
    work = works()[row["work"]] if row["work"] >= 0 else None
    entry: FoundTrack = {
        "kind": _JAPANESE[row["kind"]] if lang == "ja_jp" else row["kind"],
        "trackId": work.apple_id if work and row["kind"] == "software" else row["id"],
        "trackName": row["name"],
        "artistName": row["artist"],
        "primaryGenreName": row["genre"],
    }
    if row["kind"] != "artist":
        amount = _price_usd(seed, row) * current_units_per_dollar()[currency]
        digits = 2 if current_units_per_dollar()[currency] < 50 else 0
        entry["releaseYear"] = row["year"]
        entry["price"] = {"amount": round(amount, digits), "currency": currency}
    if row["collection"]:
        entry["collectionName"] = row["collection"]
    if row["kind"] == "song":
        entry["songName"] = row["name"]
    if row["kind"] in ("song", "music-video"):
        low, high = _SECONDS
        drawn = seeds.unit(seed, "length", plain(row["artist"]), plain(row["name"]))
        entry["trackTimeSeconds"] = low + int((high - low) * drawn)
    if row["kind"] == "software":
        entry["appId"] = entry["trackId"]
    return entry


def _track_filter(media: str, entity: str) -> Callable[[Track], bool]:
    every = tuple(_JAPANESE)
    allowed = set(_KINDS.get(media, every)) if media != "all" else set(every)
    if media == "music" and entity == "musicArtist":
        allowed.add("artist")
    narrower = set(_KINDS.get(entity, every))
    if not allowed & narrower and media != "shortFilm" and entity != "shortFilm":
        raise invalid("entity", entity, f"media={media} has none; leave out media or entity")
    return lambda row: row["kind"] in allowed & narrower


@GROUP.tool(
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
    world: World,
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
    """Songs, albums, films, books, apps and podcasts that fit some words, with prices in the currency of the store.

    term: Words to look for: a title, an artist, a genre.
    country: Two-letter code of the store's country; prices come in its currency.
    media: Kind of media to search.
    entity: Kind of result within the media, e.g. song or album.
    attribute: What the words must match: artistTerm, songTerm, albumTerm, genreTerm, titleTerm; anything by default.
    limit: How many results at most.
    lang: Language of the kinds: en_us or ja_jp.
    explicit: Whether to include songs and albums that are marked as explicit.
    """
    if not words(term):
        raise invalid("term", term, "give words to look for: a title, an artist, a genre")
    row = find_country(country)
    currency = row["currency"] if row["currency"] in current_units_per_dollar() else "USD"
    fields = _FIELDS.get(attribute, ("name", "name", "artist", "collection", "genre"))
    asked, wanted = term.replace("+", " ")[:200], _track_filter(media, entity)
    # James Taylor is not Taylor Swift: half of the words count only where nothing has them all.
    found = _track_index(fields).search(asked, where=wanted, bound=1.0)
    found = found or _track_index(fields).search(asked, where=wanted, bound=_MOST_WORDS)
    found.sort(key=lambda row: plain(asked) not in (plain(row["name"]), plain(row["artist"])))
    shown = [row for row in found if explicit or not _is_explicit(world.seed, row)][:limit]
    results = [_track_row(world.seed, one, currency, lang) for one in shown]
    return {"resultCount": len(results), "country": row["code"], "results": results}
