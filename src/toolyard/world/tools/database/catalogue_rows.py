"""Rows of the catalogue of free books made readable: English titles, plain names of authors, years."""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping

from toolyard.world.kernel.tables import read_table, values_of

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
