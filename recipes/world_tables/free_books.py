"""Free books of Project Gutenberg: the most read ones, and some of every language.

python recipes/world_tables/free_books.py FOLDER    # with package (gutenberg, from npm) unpacked in it
"""

from __future__ import annotations

import html
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from packing import write

MOST_READ, OF_EACH = 11_000, 60
COLUMNS = ("id", "title", "author", "born", "died", "language", "subjects", "downloads")
_TEXT = re.compile(r'<pgterms:etext rdf:ID="etext(\d+)">(.*?)</pgterms:etext>', re.DOTALL)
_AUTHOR = re.compile(r"(.+?)(?:, (\d{3,4})\??-(\d{3,4})?\??)?(?: \[.*)?")


def first(pattern: str, text: str) -> str:
    """What the group of a pattern matches first, in plain text on one line."""
    match = re.search(pattern, text, re.DOTALL)
    return " ".join(html.unescape(match[1]).split()) if match else ""


def author(text: str) -> tuple[str, str, str]:
    """Name in natural order, year of birth and of death; of several authors the name of the first, without years."""
    named_first = first(r"<rdf:li[^>]*>(.*?)</rdf:li>", text)
    if named_first:
        return author(named_first)[0], "", ""
    match = _AUTHOR.fullmatch(text)
    if match is None:
        return text, "", ""
    parts = re.sub(r" \(.*?\)", "", match[1]).split(", ")
    name = f"{parts[1]} {parts[0]}" if len(parts) > 1 else parts[0]
    return name, match[2] or "", match[3] or ""


def books(folder: Path) -> Iterator[tuple[object, ...]]:
    """Every text with a title and a language."""
    with zipfile.ZipFile(folder / "package" / "test" / "samples" / "gutenberg.rdf.zip") as archive:
        catalogue = archive.read(archive.namelist()[0]).decode("utf-8", "replace")
    for number, body in _TEXT.findall(catalogue):
        title = first(r"<dc:title[^>]*>(.*?)</dc:title>", body)
        language = first(r"<dc:language>.*?<rdf:value>(.*?)</rdf:value>", body)
        subjects = re.findall(r"<dcterms:LCSH><rdf:value>(.*?)</rdf:value>", body)
        plain = dict.fromkeys(html.unescape(text).split(" -- ")[0].replace(";", ",") for text in subjects)
        downloads = int(first(r"<pgterms:downloads>.*?<rdf:value>(\d+)", body) or 0)
        if title and language:
            yield (
                int(number), title[:120], *author(first(r"<dc:creator[^>]*>(.*?)</dc:creator>", body)), language,
                ";".join(list(plain)[:3]), downloads,
            )  # fmt: skip


def chosen(folder: Path) -> list[tuple[object, ...]]:
    """The most read books and the most read of each language, by number."""
    ranked = sorted(books(folder), key=lambda row: (-int(str(row[7])), int(str(row[0]))))
    seen: Counter[object] = Counter()
    kept = []
    for place, row in enumerate(ranked):
        seen[row[5]] += 1
        if place < MOST_READ or seen[row[5]] <= OF_EACH:
            kept.append(row)
    return sorted(kept, key=lambda row: int(str(row[0])))


if __name__ == "__main__":
    write("free_books", COLUMNS, chosen(Path(sys.argv[1])), keyed=False)
