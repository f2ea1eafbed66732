"""People and works of common knowledge in tables of our own, where no package has them: facts, and entries made of them.

people.tsv: tennis player	Switzerland	Roger Federer 1981;Stan Wawrinka 1985;Martina Hingis 1980
"""

import functools
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, read_table, table_texts
from toolyard.world.reference.encyclopaedia.entry import Entry, article, compose_entry, join_names, land
from toolyard.world.reference.places.sight_kinds import SHARED_WITH, kind_by_name

_DATED = re.compile(r"(?P<name>.+?)(?: (?P<since>\d{3,4})(?:-(?P<until>\d{3,4}))?)?(?:@(?P<place>.+))?")
_FIELDS = table_texts("catalogue.fields")


class Dated(NamedTuple):
    """A name with its years and its place, as the tables write them: `David 1504@Galleria dell'Accademia`."""

    name: str
    since: str
    until: str
    place: str


class Song(NamedTuple):
    """A song of the table of artists."""

    title: str
    artist: str
    year: str
    genre: str


def parse_dated_names(text: str) -> list[Dated]:
    """The names of a list, each with its years and place where it has them."""
    found = (_DATED.fullmatch(part.strip()) for part in text.split(";") if part.strip())
    return [
        Dated(match["name"], match["since"] or "", match["until"] or "", match["place"] or "")
        for match in found
        if match is not None
    ]


@functools.cache
def _life_dates() -> Mapping[str, tuple[str, str]]:
    """Name -> days of birth and death of people whose days are well known; empty where one of them is not."""
    return {row["name"]: (row["born"], row["died"]) for row in read_table("life_dates.tsv")}


@functools.cache
def _person_facts() -> Mapping[str, tuple[str, list[str]]]:
    """Name -> place of birth ("" where it is not on record) and what somebody is besides the main occupation."""
    return {
        row["name"]: (row["born_in"], [trade for trade in row["also"].split("|") if trade])
        for row in read_table("person_facts.tsv")
    }


def _person_entry(one: Dated, occupation: str, country: str, field: str, known_for: list[str]) -> Entry:
    born, died = _life_dates().get(one.name, ("", ""))
    home, further = _person_facts().get(one.name, ("", []))
    one = one._replace(until=one.until or died[:4])
    years = f" ({one.since}-{one.until})" if one.until else f" (born in {one.since})" if one.since else ""
    works = f" Known for {join_names(known_for[:6])}." if known_for else ""
    text = f"{one.name}{years}: {article(occupation)} from {land(country)}.{works}"
    return compose_entry(
        one.name, "person", field, text,
        {"P31": ["human"], "P106": [occupation, *further], "P27": [country], "P569": [born or one.since],
         "P19": [home], "P570": [died or one.until], "P800": known_for[:6]},
    )  # fmt: skip


def _well_known() -> Iterator[Entry]:
    """Entries in words of their own, which go before those that other tables make."""
    for row in read_table("well_known.tsv"):
        pairs = (part.split("=", 1) for part in row["properties"].split(";") if part)
        aliases = [name for name in row["aliases"].split(";") if name]
        yield compose_entry(
            row["title"], row["kind"], row["field"], row["text"],
            {key: value.split("|") for key, value in pairs}, aliases, qid=row["qid"],
        )  # fmt: skip


def _people() -> Iterator[Entry]:
    for row in read_table("people.tsv"):
        field = _FIELDS.get(row["occupation"], "sport")
        for one in parse_dated_names(row["names"]):
            yield _person_entry(one, row["occupation"], row["country"], field, [])


def _genre(row: Mapping[str, str]) -> str:
    """A genre with its article within a sentence: a rock, but an R&B and a K-pop."""
    if row["genre"] == "R&B":
        return "an R&B"
    return article(row["genre"] if row["genre"] in ("K-pop", "Latin", "Arabic") else row["genre"].lower())


def _music() -> Iterator[Entry]:
    for row in read_table("artists.tsv"):
        songs = parse_dated_names(row["songs"])
        titles = [song.name for song in songs]
        if row["kind"] == "band":
            text = (
                f"{row['name']} is {_genre(row)} band from {land(row['country'])}, formed in {row['since']}. "
                f"Known for {join_names(titles[:6])}."
            )
            yield compose_entry(
                row["name"], "band", "music", text,
                {"P31": ["musical group"], "P17": [row["country"]], "P571": [row["since"]], "P136": [row["genre"]],
                 "P800": titles[:6]},
            )  # fmt: skip
        else:
            yield _person_entry(
                Dated(row["name"], row["since"], "", ""), row["kind"], row["country"], "music", titles
            )
        for song in songs:
            text = f"{song.name} is {_genre(row)} song by {row['name']} from {song.since}."
            yield compose_entry(
                song.name, "song", "music", text,
                {"P31": ["song"], "P175": [row["name"]], "P577": [song.since], "P136": [row["genre"]]},
            )  # fmt: skip


def _literature() -> Iterator[Entry]:
    for row in read_table("authors.tsv"):
        books = parse_dated_names(row["books"])
        since, _, until = row["lived"].partition("-")
        author = Dated(row["author"], since, until, "")
        yield _person_entry(author, "writer", row["country"], "literature", [book.name for book in books])
        for book in books:
            year = f", published in {book.since}" if book.since else ""
            yield compose_entry(
                book.name, "book", "literature",
                f"{book.name} is a work by {row['author']}{year}.",
                {"P31": ["literary work"], "P50": [row["author"]], "P577": [book.since]},
            )  # fmt: skip


def _art() -> Iterator[Entry]:
    for row in read_table("artworks.tsv"):
        works = parse_dated_names(row["works"])
        since, _, until = row["lived"].partition("-")
        if row["artist"] != "Unknown":
            artist = Dated(row["artist"], since, until, "")
            yield _person_entry(artist, "artist", row["country"], "art", [work.name for work in works])
        maker = (
            row["artist"] if row["artist"] != "Unknown" else f"an unknown artist from {land(row['country'])}"
        )
        for work in works:
            year = f", made in {work.since}" if work.since else ""
            kept = f" It is kept in {work.place}." if work.place else ""
            yield compose_entry(
                work.name, "work of art", "art", f"{work.name} is a work by {maker}{year} ({row['style']}).{kept}",
                {"P31": ["work of art"], "P170": [row["artist"]], "P571": [work.since], "P276": [work.place]},
            )  # fmt: skip


def _films() -> Iterator[Entry]:
    for row in read_table("series.tsv"):
        for one in parse_dated_names(row["titles"]):
            yield compose_entry(
                one.name, "television series", "television",
                f"{one.name} is a television series from {land(row['country'])} that was first shown in {one.since}.",
                {"P31": ["television series"], "P495": [row["country"]], "P577": [one.since]},
            )  # fmt: skip
    for row in read_table("recent_films.tsv"):
        for part in row["films"].split(";"):
            title, _, director = part.partition("/")
            yield compose_entry(
                title, "film", "film", f"{title} is a film of {row['year']}, directed by {director}.",
                {"P31": ["film"], "P57": [director], "P577": [row["year"]]},
            )  # fmt: skip


def _sights() -> Iterator[Entry]:
    for row in read_table("sights_and_museums.tsv"):
        for one in parse_dated_names(row["names"]):
            where = one.place if one.place == row["country"] else f"{one.place}, {land(row['country'])}"
            told = kind_by_name(one.name) if row["kind"] == "landmark" else ""
            beyond = SHARED_WITH.get(one.name, ())
            countries = [row["country"], *beyond]
            where = join_names([land(name) for name in countries]) if beyond else where
            kind = told or row["kind"]
            yield compose_entry(
                one.name, row["kind"], "travel", f"{one.name} is {article(kind)} in {where}.",
                {"P31": [kind], "P17": countries, **({} if beyond else {"P131": [one.place]})},
            )  # fmt: skip


def _clubs() -> Iterator[Entry]:
    for row in read_table("clubs.tsv"):
        kind = f"{row['sport']} club" if row["sport"] == "football" else f"{row['sport']} team"
        for names in row["names"].split(";"):
            name, *aliases = names.split("/")
            yield compose_entry(
                name, kind, "sport",
                f"{name} is {article(kind)} from {land(row['country'])} that has played in the {row['league']}.",
                {"P31": [kind], "P641": [row["sport"]], "P17": [row["country"]], "P118": [row["league"]]}, aliases,
            )  # fmt: skip


@functools.cache
def catalogue() -> tuple[Entry, ...]:
    """All entries of these tables; a person who is in two of them has the entry of the first."""
    return seeds.build_without_gc(_build_catalogue)


def _build_catalogue() -> tuple[Entry, ...]:
    rows = (*_well_known(), *_sights(), *_art(), *_literature(), *_music(), *_people(), *_films(), *_clubs())
    found: dict[tuple[str, str, str], Entry] = {}
    for entry in rows:
        maker = (entry["properties"].get("P50") or entry["properties"].get("P175") or [""])[0]
        found.setdefault((plain(entry["title"]), entry["kind"], maker), entry)
    return tuple(found.values())


@functools.cache
def entries_by_kind() -> Mapping[str, list[Entry]]:
    """Entries by what they are: person, song, book, film, museum and so on."""
    return group_items(catalogue(), lambda entry: entry["kind"])


@functools.cache
def songs() -> tuple[Song, ...]:
    """All songs, by artist."""
    return tuple(
        Song(song.name, row["name"], song.since, row["genre"])
        for row in read_table("artists.tsv")
        for song in parse_dated_names(row["songs"])
    )
