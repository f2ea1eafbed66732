"""Database/non_local: books and poems."""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from sys import intern
from typing import Annotated, Literal, NamedTuple, TypedDict

from toolyard.world.kernel.faults import ToolFault, invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.tables import page_of, plain, read_table, table_texts, values_of
from toolyard.world.kernel.types import LanguageCode, Page, PersonName, Range, SearchText, Semantic
from toolyard.world.reference.packed_tables import packed_table

Row = Mapping[str, str]
# The mark of a part of a title in a library's own format.
_SUBFIELD = re.compile(r"[ .:]*\s\$[a-z] ")
_TRANSLATED = re.compile(r"(.+)\. (English|French|German|Spanish)")
_DATED = re.compile(r"(\d+)\??( BC)?-(\d+)\??( BC)? (.+)")
# Authors of antiquity whose years the catalogue lacks.
_ANCIENT: Mapping[str, tuple[str, ...]] = values_of("catalogue_rows.ancient")
_NAMES = {
    "Emperor of Rome Marcus Aurelius": "Marcus Aurelius",
    "Alfred Tennyson Tennyson": "Alfred Tennyson",
}
_IN_TWO_LANGUAGES = frozenset(("14082", "29214"))
# Recordings of Pride and Prejudice, which are no texts.
RECORDINGS = frozenset(("20686", "20687", "26301"))


@functools.cache
def _corrected_titles() -> Mapping[str, Row]:
    """Number of a book -> title and author as readers know them."""
    rows = read_table("book_titles.tsv")
    return {number: row for row in rows for number in row["ids"].split(",")}


def _author_fields(name: str) -> dict[str, str]:
    """Name and years of an author, where the catalogue has the years in the name or not at all."""
    dated = _DATED.fullmatch(name) if name[:1].isdigit() else None
    if dated:
        born, died = (f"-{dated[n]}" if dated[n + 1] else dated[n] for n in (1, 3))
        return {"author": dated[5], "born": born, "died": died}
    years = _ANCIENT.get(name)
    return {"born": years[0], "died": years[1]} if years else {}


def readable_row(row: Row) -> dict[str, str]:
    """A row of the catalogue as a reader would write it."""
    known = _corrected_titles().get(row["id"])
    title = _SUBFIELD.sub(": ", row["title"]) if "$" in row["title"] else row["title"]
    if title.endswith(("English", "French", "German", "Spanish")):
        title = _TRANSLATED.sub(r"\1 (\2 translation)", title)
    named = {key: known[key] for key in ("title", "author") if known[key]} if known else {}
    named |= {"author": _NAMES[row["author"]]} if row["author"] in _NAMES else {}
    named |= {"language": "fr,en"} if row["id"] in _IN_TWO_LANGUAGES else {}
    return {**row, "title": title, **_author_fields(row["author"]), **named}


def add_subjects(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows; one without subjects has those of another edition of the book, where there is one."""
    rows = list(rows)
    known = {(row["author"], row["title"]): row["subjects"] for row in reversed(rows) if row["subjects"]}
    for row in rows:
        yield row if row["subjects"] else {**row, "subjects": known.get((row["author"], row["title"]), "")}


def with_years(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, each with the years of its author where other rows have them, all the same."""
    rows = list(rows)
    years: dict[str, set[tuple[str, str]]] = {}
    for row in rows:
        if row["born"]:
            years.setdefault(row["author"], set()).add((row["born"], row["died"]))
    for row in rows:
        found = years.get(row["author"], set())
        if not row["born"] and len(found) == 1:
            born, died = next(iter(found))
            row = {**row, "born": born, "died": died}
        yield row


GROUP = Group("Database/non_local")
BookId = Annotated[int, Semantic("gutenberg_id")]
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


class _Listed(NamedTuple):
    """A book of the catalogue, lists as it writes them: a tenth of the memory of what is shown of it."""

    id: int
    title: str
    author: str
    born: int | None
    died: int | None
    languages: str
    subjects: str
    downloads: int


@functools.cache
def _listed_books() -> tuple[_Listed, ...]:
    return tuple(
        _Listed(
            int(row["id"]),
            row["title"],
            intern(row["author"] or "Anonymous"),
            int(row["born"]) if row["born"] else None,
            int(row["died"]) if row["died"] else None,
            intern(row["language"]),
            intern(row["subjects"]),
            _download_count(int(row["downloads"]), int(row["id"])),
        )
        for row in _catalogue_rows()
    )


def _split_subjects(row: _Listed) -> list[str]:
    return [name for name in row.subjects.split(";") if name]


def _make_book(row: _Listed) -> Book:
    return Book(
        id=row.id,
        title=row.title,
        author=row.author,
        birth_year=row.born,
        death_year=row.died,
        languages=row.languages.split(","),
        subjects=_split_subjects(row),
        copyright=False,
        formats=list(_FORMATS),
        download_count=row.downloads,
    )


def _catalogue_rows() -> Iterator[Mapping[str, str]]:
    """The rows of our own, then those of the catalogue that they do not have."""
    own = list(read_table("gutenberg.tsv"))
    taken = {row["id"] for row in own}
    columns = packed_table("free_books").columns
    rows = (dict(zip(columns, row, strict=True)) for row in packed_table("free_books"))
    others = (readable_row(row) for row in rows if row["id"] not in taken | RECORDINGS)
    yield from add_subjects(with_years([*own, *others]))


def _download_count(downloads: int, number: int) -> int:
    """How often a book was fetched: those known by hundreds only get the rest of a count of their own."""
    return downloads if downloads % 100 else downloads - 50 + number * 7919 % 101


@functools.cache
def _language_codes() -> Mapping[str, str]:
    """Language code by code and English name."""
    from babel import Locale

    names = {plain(name): code for code, name in Locale("en").languages.items() if len(code) <= 3}
    return names | {code: code for code in names.values()}


def _find_language(text: str) -> str:
    """The code of a language; a fault where there is none."""
    wanted = plain(text).replace("_", "-").split("-")[0]
    if wanted not in _language_codes():
        held = ", ".join(sorted({book.languages.split(",")[0] for book in _listed_books()}))
        raise invalid(
            "languages", text[:40], f"want codes of languages such as en; there are books in {held}"
        )
    return _language_codes()[wanted]


def _author_lived_between(book: _Listed, start: int | None, end: int | None) -> bool:
    born, died = book.born, book.died
    if (start is None and end is None) or born is None:
        return start is None and end is None
    last = born + _LONGEST_LIFE if died is None else died
    return (start is None or last >= start) and (end is None or born <= end)


@functools.cache
def _search_text() -> bytes:
    """A line of plain text for each book: author and title."""
    return "\n".join(plain(f"{row.author} {row.title}") for row in _listed_books()).encode()


def _search_and_sort(found: list[_Listed], search: str | None, order: str) -> list[_Listed]:
    """The books whose author and title have all the words, in an order."""
    asked = plain(search or "").replace("%20", " ").split()
    words = [word.encode("utf-8", "surrogatepass") for word in dict.fromkeys(asked)]
    if words:
        lines = zip(_listed_books(), _search_text().split(b"\n"), strict=True)
        fit = {row.id for row, line in lines if all(word in line for word in words)}
        found = [row for row in found if row.id in fit]
    orders = {"ascending": lambda row: row.id, "descending": lambda row: -row.id}
    return sorted(found, key=orders.get(order, lambda row: -row.downloads))


@GROUP.tool(
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
    copyright: Copyright states to include; all books are free (false).
    ids: Only books with these numbers.
    languages: Only books in one of these languages, by two-letter code.
    mime_type: Beginning of a file type that the book must exist in, e.g. text/.
    search: Words of author and title, all of which must occur.
    sort: By number, upward or downward, or most downloaded first.
    topic: Phrase in the subjects, e.g. children; some books have none.
    id: Number of one book.
    """
    wanted = {_find_language(text) for text in languages or ()}
    _check_filters(author_year_start, author_year_end, mime_type)
    found = [
        row
        for row in _listed_books()
        if _author_lived_between(row, author_year_start, author_year_end)
        and (not copyright or "false" in copyright)
        and (not ids or row.id in ids)
        and id_ in (None, row.id)
        and _passes_filters(row, wanted, mime_type, topic)
    ]
    if not found and id_ is not None and id_ not in {row.id for row in _listed_books()}:
        raise not_found("book number", id_, known=[row.id for row in _listed_books()])
    rows = _search_and_sort(found, search, sort)
    return page_of(rows, _make_book, 10)


def _check_filters(start: int | None, end: int | None, mime_type: str | None) -> None:
    """Refuse years that no life spans and kinds of files that no book has."""
    if start is not None and end is not None and start - end > _LONGEST_LIFE:
        raise invalid("author_year_start", start, f"nobody born by author_year_end={end} was alive then")
    kind = (mime_type or "").replace("%2F", "/")
    if not any(name.startswith(kind) for name in _FORMATS):
        raise invalid("mime_type", kind[:40], f"the books are kept as {', '.join(_FORMATS)}")


_LONGEST_LIFE = 90
_FORMATS = ("text/plain; charset=utf-8", "text/html", "application/epub+zip")


# Topics that the subjects call otherwise.
_TOPICS = table_texts("records.topics")


def _is_about(subjects: str, topic: str) -> bool:
    return topic in subjects or _TOPICS.get(topic, topic) in subjects


def _passes_filters(row: _Listed, languages: set[str], mime_type: str | None, topic: str | None) -> bool:
    kind = (mime_type or "").replace("%2F", "/")
    return (
        (not languages or bool(languages & set(row.languages.split(","))))
        and any(name.startswith(kind) for name in _FORMATS)
        and (topic is None or _is_about(plain(" ".join(_split_subjects(row))), plain(topic)))
    )


@functools.cache
def _read_poems(table: str) -> tuple[Poem, ...]:
    rows = ((row["title"], row["author"], row["lines"].split("/")) for row in read_table(table))
    return tuple({"title": t, "author": a, "lines": lines, "linecount": len(lines)} for t, a, lines in rows)


def _poem_fits(poem: Poem, field: PoemField, term: str, exact: bool) -> bool:
    value = " ".join(poem["lines"]) if field == "lines" else str(poem[field])
    if field == "linecount":
        return value == term.strip()
    if exact and field == "title":
        return _title_letters(term) in (_title_letters(value), _title_letters(value.partition(":")[0]))
    return plain(value) == plain(term) if exact else plain(term) in plain(value)


def _title_letters(title: str) -> str:
    """The letters of a title, without the note that only its beginning is here."""
    return " ".join(re.findall(r"[a-z0-9]+", plain(title.removesuffix(" (beginning)"))))


def _poem_text(poem: Poem) -> str:
    """A poem as it stands in a book: title, author, lines."""
    head = [poem[field] for field in ("title", "author") if field in poem]
    lines = poem.get("lines", [])
    count = [f"{poem['linecount']} lines"] if "linecount" in poem else []
    return "\n\n".join(part for part in ("\n".join(head), "\n".join(lines), *count) if part)


def _no_poem_fault(fields: Sequence[str], terms: Sequence[str]) -> ToolFault:
    every = [poem for table in ("poems.tsv", "more_poems.tsv") for poem in _read_poems(table)]
    asked = ", ".join(f"{field} {term[:60]!r}" for field, term in zip(fields, terms, strict=True))
    authors = sorted({poem["author"] for poem in every})
    return ToolFault(
        "not_found",
        f"no poem with {asked}; there are {len(every)} poems by {len(authors)} authors, such as "
        f"{', '.join(authors[4::11])}; without terms the tool lists titles and authors",
        parameter="search_term",
    )


@GROUP.tool(
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

    The collection holds 75 well-known poems, long ones by their beginning.

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
        for poem in (*_read_poems("poems.tsv"), *_read_poems("more_poems.tsv"))
        if all(
            _poem_fits(poem, field, term, search_type == "abs")
            for field, term in zip(fields, terms, strict=True)
        )
    ]
    if terms and not found:
        raise _no_poem_fault(fields, terms)
    shown = output_field or (["title", "author", "lines", "linecount"] if terms else ["title", "author"])
    rows: list[Poem] = [{field: poem[field] for field in shown} for poem in found]  # type: ignore[misc]
    return rows if form == "json" else "\n\n\n".join(map(_poem_text, rows))
