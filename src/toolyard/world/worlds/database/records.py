"""Database/non_local: books, poems and rents."""

from __future__ import annotations

import functools
import json as json_format
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import ToolFault, invalid, not_found
from toolyard.world.reference.packed import packed
from toolyard.world.registry import tool
from toolyard.world.shared.geography import (
    City,
    city_in_address,
    nearest_city,
    plain,
    read_table,
)
from toolyard.world.state import World
from toolyard.world.tables import kilometres, page
from toolyard.world.types import (
    CityName,
    LanguageCode,
    Latitude,
    Longitude,
    Page,
    PersonName,
    Range,
    SearchText,
    Semantic,
    StreetAddress,
    Unit,
    Within,
)
from toolyard.world.worlds.database.rent_levels import rent_level
from toolyard.world.worlds.database.translated_books import translation_at, translations

GROUP = "Database/non_local"
BookId = Annotated[int, Semantic("gutenberg_id")]
PropertyType = Literal["Single Family", "Condo", "Apartment", "Townhouse", "Studio"]
PoemField = Literal["author", "title", "lines", "linecount"]


class Book(TypedDict):
    id: BookId
    title: Annotated[str, Semantic("book_title", is_a=("topic",))]
    author: PersonName
    birth_year: int | None
    death_year: int | None
    languages: list[LanguageCode]
    subjects: list[str]
    copyright: bool
    formats: list[str]
    download_count: int


class Poem(TypedDict, total=False):
    title: str
    author: PersonName
    lines: list[str]
    linecount: int


class Comparable(TypedDict):
    address: StreetAddress
    rent: Annotated[int, Unit("USD")]
    bedrooms: int
    bathrooms: int
    square_feet: int
    distance_miles: Annotated[float, Unit("mi")]
    days_old: int


class Rent(TypedDict):
    city: CityName
    rent: Annotated[int, Unit("USD")]
    rent_range_low: Annotated[int, Unit("USD")]
    rent_range_high: Annotated[int, Unit("USD")]
    comparables: list[Comparable]


@functools.cache
def _books() -> tuple[Book, ...]:
    return tuple(
        Book(
            id=int(row["id"]),
            title=row["title"],
            author=row["author"] or "Anonymous",
            birth_year=int(row["born"]) if row["born"] else None,
            death_year=int(row["died"]) if row["died"] else None,
            languages=[row["language"]],
            subjects=[name for name in row["subjects"].split(";") if name or row["id"] == _QUOTED],
            copyright=False,
            formats=["text/plain; charset=utf-8", "text/html", "application/epub+zip"],
            download_count=int(row["downloads"]),
        )
        for row in _catalogue()
    )


def _catalogue() -> Iterator[Mapping[str, str]]:
    """The rows of our own, then those of the catalogue that they do not have."""
    own = list(read_table("gutenberg.tsv"))
    taken = {row["id"] for row in own}
    yield from own
    columns = packed("free_books").columns
    rows = (dict(zip(columns, row, strict=True)) for row in packed("free_books"))
    yield from ({**row, "title": _SUBFIELD.sub(": ", row["title"])} for row in rows if row["id"] not in taken)


_QUOTED = "34079"  # a starter set shows this book with an empty subject
# The mark of a part of a title in a library's own format.
_SUBFIELD = re.compile(r"[ .:]*\s\$[a-z] ")


@functools.cache
def _tongues() -> Mapping[str, str]:
    """Language code by code and English name."""
    from babel import Locale

    names = {plain(name): code for code, name in Locale("en").languages.items() if len(code) <= 3}
    return names | {code: code for code in names.values()}


def _language(text: str) -> str:
    """The code of a language; a fault where there is none."""
    wanted = plain(text).replace("_", "-").split("-")[0]
    if wanted not in _tongues():
        held = ", ".join(sorted({book["languages"][0] for book in _books()}))
        raise invalid(
            "languages", text[:40], f"want codes of languages such as en; there are books in {held}"
        )
    return _tongues()[wanted]


def _lived(book: Book, start: int | None, end: int | None) -> bool:
    return (start is None or (book["death_year"] or 0) >= start) and (
        end is None or (book["birth_year"] or 9999) <= end
    )


@functools.cache
def _searched() -> Mapping[int, str]:
    return {row["id"]: plain(f"{row['author']} {row['title']}") for row in _books()}


def _sorted(found: list[Book], search: str | None, order: str) -> list[Book]:
    """The books whose author and title have all the words, in an order."""
    words = dict.fromkeys(plain(search or "").replace("%20", " ").split())
    rows = [row for row in found if all(word in _searched()[row["id"]] for word in words)] if words else found
    orders = {"ascending": lambda row: row["id"], "descending": lambda row: -row["id"]}
    return sorted(rows, key=orders.get(order, lambda row: -row["download_count"]))


@tool(
    GROUP,
    examples=[{"search": "dickens great"}, {"topic": "children", "sort": "popular"}, {"id": 84}],
    phrase=(
        "find free books in the Gutendex catalogue[, with {search} in author or title][, on the topic of "
        "{topic}][, with the language set to {languages}][, by authors still alive in {author_year_start}][, "
        "by authors already born in {author_year_end}][, only the book whose number is {id}][, with the sort "
        "order set to {sort}]"
    ),
    noun="the list of free books",
    jobs=("books",),
    listed_as="GutendexCatalogue",
)
def gutendex(
    *,
    author_year_start: Annotated[int, Range(-3000, 2100)] | None = None,
    author_year_end: Annotated[int, Range(-3000, 2100)] | None = None,
    copyright: list[Literal["true", "false", "null"]] | None = None,  # noqa: A002 - the documented name
    ids: list[BookId] | None = None,
    languages: list[LanguageCode] | None = None,
    mime_type: str | None = None,
    search: SearchText | None = None,
    sort: Literal["ascending", "descending", "popular"] = "popular",
    topic: str | None = None,
    id_: BookId | None = None,
) -> Page[Book]:
    """Free books by author's lifetime, language, words or subject, ten at most.

    author_year_start: The author was still alive in this year.
    author_year_end: The author was already born in this year.
    copyright: Copyright states to include; all books on record are free (false).
    ids: Only books with these numbers.
    languages: Only books in one of these languages, by two-letter code.
    mime_type: Beginning of a file type that the book must exist in, e.g. text/.
    search: Words of author and title, all of which must occur.
    sort: By number, upward or downward, or most downloaded first.
    topic: Phrase in the subjects, e.g. children.
    id: Number of one book.
    """
    wanted = {_language(text) for text in languages or ()}
    found = [
        row
        for row in _books()
        if _lived(row, author_year_start, author_year_end)
        and (not copyright or "false" in copyright)
        and (not ids or row["id"] in ids)
        and id_ in (None, row["id"])
        and _kept(row, wanted, mime_type, topic)
    ]
    if not found and id_ is not None:
        return page([_translated(id_)], 10)
    if not found and wanted and not any((ids, search, topic, mime_type, author_year_start, author_year_end)):
        return page([book for code in sorted(wanted) for book in translations(code, _books())], 10)
    return page(_sorted(found, search, sort), 10)


def _kept(row: Book, languages: set[str], mime_type: str | None, topic: str | None) -> bool:
    kind = (mime_type or "").replace("%2F", "/")
    return (
        (not languages or row["languages"][0] in languages)
        and any(name.startswith(kind) for name in row["formats"])
        and (topic is None or plain(topic) in plain(" ".join(row["subjects"])))
    )


def _translated(number: int) -> Book:
    """The translation with a number that the list of books lacks; a not_found fault otherwise."""
    own = translation_at(number, _books())
    if own is None:
        raise not_found("book number", number, known=[row["id"] for row in _books()])
    return own


@functools.cache
def _poems(table: str) -> tuple[Poem, ...]:
    rows = ((row["title"], row["author"], row["lines"].split("/")) for row in read_table(table))
    return tuple({"title": t, "author": a, "lines": lines, "linecount": len(lines)} for t, a, lines in rows)


def _poem_fits(poem: Poem, field: PoemField, term: str, exact: bool) -> bool:
    value = " ".join(poem["lines"]) if field == "lines" else str(poem[field])
    if field == "linecount":
        return value == term.strip()
    return plain(value) == plain(term) if exact else plain(term) in plain(value)


def _no_poem(fields: Sequence[str], terms: Sequence[str]) -> ToolFault:
    every = [poem for table in ("poems.tsv", "more_poems.tsv") for poem in _poems(table)]
    asked = ", ".join(f"{field} {term[:60]!r}" for field, term in zip(fields, terms, strict=True))
    authors = sorted({poem["author"] for poem in every})
    return ToolFault(
        "not_found",
        f"no poem with {asked}; there are {len(every)} poems by {len(authors)} authors, such as "
        f"{', '.join(authors[4::11])}; without terms the tool lists titles and authors",
        parameter="search_term",
    )


@tool(
    GROUP,
    examples=[
        {"input_field": ["author"], "search_term": ["Shakespeare"]},
        {"input_field": ["title"], "search_term": ["Ozymandias"], "output_field": ["author", "lines"]},
    ],
    phrase=(
        "look up poems[, with {input_field} as the field to search][, with {search_term} as the term to "
        "find][, with the search type set to {search_type}][, showing only {output_field}][, with the output "
        "form set to {form}]"
    ),
    noun="the poems",
    listed_as="PoetryCollection",
)
def poetry(
    *,
    input_field: list[PoemField] | None = None,
    search_term: list[str] | None = None,
    search_type: Literal["abs", "Default"] = "Default",
    output_field: list[PoemField] | None = None,
    form: Literal["json", "text"] = "json",
) -> list[Poem] | str:
    """Poems by author, title, words or number of lines; without terms, titles and authors of all.

    input_field: Fields to search, one for each term.
    search_term: What each field must contain.
    search_type: abs wants the whole field to be equal, Default a part of it.
    output_field: What to show of each poem; everything if left out.
    form: json for records, text for plain text.
    """
    fields, terms = input_field or [], search_term or []
    if len(fields) != len(terms):
        raise invalid("search_term", terms, f"{len(fields)} fields need as many terms")
    found = [
        poem
        for poem in (*_poems("poems.tsv"), *(_poems("more_poems.tsv") if terms else ()))
        if all(
            _poem_fits(poem, field, term, search_type == "abs")
            for field, term in zip(fields, terms, strict=True)
        )
    ]
    if terms and not found:
        raise _no_poem(fields, terms)
    shown = output_field or (["title", "author", "lines", "linecount"] if terms else ["title", "author"])
    rows: list[Poem] = [{field: poem[field] for field in shown} for poem in found]  # type: ignore[misc]
    return rows if form == "json" else json_format.dumps(rows, ensure_ascii=False, indent=1)


def _place(address: str | None, latitude: float | None, longitude: float | None) -> tuple[City, float, float]:
    if latitude is not None and longitude is not None:
        city = nearest_city(latitude, longitude)
        if kilometres(latitude, longitude, city["latitude"], city["longitude"]) > 150:
            raise not_found(
                "rents near", f"{latitude}, {longitude}", such_as=("40.71, -74.01", "34.05, -118.24")
            )
        return city, latitude, longitude
    if address is None:
        raise invalid("address", None, "give an address that ends in a city, or latitude and longitude")
    found = city_in_address(address)
    if found:
        return found, found["latitude"], found["longitude"]
    raise not_found("city in address", address[:80], such_as=("12 Main Street, Austin, TX", "New York"))


def _comparable(
    seed: int, city: City, number: int, kind: str, beds: int, baths: int, feet: int
) -> Comparable:
    chance = seeds.stream(seed, "rent", city["id"], kind, number)
    level = rent_level(seed, city)
    size = int(feet * (0.85 + 0.3 * chance.random()))
    rent = level * (350 + size * 0.9 + 180 * beds + 120 * baths) * (0.92 + 0.16 * chance.random())
    return {
        "address": f"{chance.randrange(1, 900)} {chance.choice(('Oak', 'Pine', 'Lake', 'Hill'))} Street, {city['name']}",
        "rent": round(rent / 5) * 5,
        "bedrooms": beds,
        "bathrooms": baths,
        "square_feet": size,
        "distance_miles": round(0.1 + 8 * chance.random() ** 2, 2),
        "days_old": chance.randrange(1, 400),
    }


@tool(
    GROUP,
    examples=[
        {"address": "5500 Grand Lake Drive, San Antonio, TX", "bedrooms": 4, "squareFootage": 1600},
        {"latitude": 40.7128, "longitude": -74.006, "maxRadius": 5, "propertyType": "Studio"},
    ],
    phrase=(
        "estimate the monthly rent of a home[ at {address}][, with the latitude set to {latitude}][, with "
        "the longitude set to {longitude}][, with the property type set to {propertyType}][, with {bedrooms} "
        "bedrooms][, with {bathrooms} bathrooms][, with a floor space in square feet of {squareFootage}][, "
        "comparing within a radius in miles of {maxRadius}][, with {compCount} comparable homes]"
    ),
    noun="the rent estimate",
)
def rent_estimate(
    world: World,
    *,
    address: StreetAddress | None = None,
    latitude: Annotated[Latitude, Within("longitude")] | None = None,
    longitude: Annotated[Longitude, Within("latitude")] | None = None,
    propertyType: PropertyType = "Apartment",
    bedrooms: Annotated[int, Range(0, 10)] | None = None,
    bathrooms: Annotated[int, Range(1, 8)] = 1,
    squareFootage: Annotated[float, Range(100, 20000), Unit("sq ft")] | None = None,
    maxRadius: Annotated[float, Range(0.1, 50), Unit("mi")] = 5.0,
    daysOld: Annotated[int, Range(1, 1000)] = 365,
    compCount: Annotated[int, Range(5, 25)] = 10,
) -> Rent:
    """The monthly rent to expect for a home, from comparable ones nearby.

    address: Street and city; not needed where latitude and longitude are given.
    latitude: Latitude of the home.
    longitude: Longitude of the home.
    propertyType: Kind of home.
    bedrooms: Number of bedrooms; none for a studio, else two, if left out.
    bathrooms: Number of bathrooms.
    squareFootage: Floor space in square feet (100 square metres are 1,076).
    maxRadius: How far away comparable homes may be.
    daysOld: How old their listings may be.
    compCount: How many comparable homes to use.
    """
    city, _, _ = _place(address, latitude, longitude)
    beds = bedrooms if bedrooms is not None else 0 if propertyType == "Studio" else 2
    feet = int(squareFootage or 450 + 250 * beds)
    pool = (_comparable(world.seed, city, n, propertyType, beds, bathrooms, feet) for n in range(80))
    near = [row for row in pool if row["distance_miles"] <= maxRadius and row["days_old"] <= daysOld]
    used = sorted(near, key=lambda row: row["distance_miles"])[:compCount]
    if not used:
        raise not_found(
            "comparable home within miles of the place", maxRadius, such_as=("a larger maxRadius",)
        )
    return _rent(city, used)


def _rent(city: City, used: list[Comparable]) -> Rent:
    rents = sorted(row["rent"] for row in used)
    return {
        "city": city["name"],
        "rent": round(sum(rents) / len(rents)),
        "rent_range_low": rents[0],
        "rent_range_high": rents[-1],
        "comparables": used,
    }
