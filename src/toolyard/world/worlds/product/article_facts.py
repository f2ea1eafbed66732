"""What a title tells of an article: its maker or author, and its specifications."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from toolyard.world.search import words
from toolyard.world.tables import read_table
from toolyard.world.worlds.product.kinds import kind_of

_BY = re.compile(r" by (?P<author>[^,]+)$")
_SET_NUMBER = re.compile(r"\b\d{5}$")
# Novels that in May 2024 were sold bound in boards only.
_BOUND = ("The Women Novel", "Fourth Wing Novel")
# Makers whose telephones and tablets everyone buys.
_EVERYWHERE = frozenset(("Apple", "Samsung", "Google"))
_CARRIED = frozenset(("Phones", "Smartphones", "Tablets"))


def author_of(title: str, shelf: Sequence[str]) -> str:
    """Who wrote a book; empty for other things and where the title does not tell."""
    if shelf[0] != "Books":
        return ""
    match = _BY.search(title)
    return match["author"] if match else "J. K. Rowling" if title.startswith("Harry Potter") else ""


def maker_of(title: str, shelf: Sequence[str]) -> str:
    """The brand with which a title begins; games and books do not tell it."""
    if shelf[-1] == "Video Games" or "Video Game" in title or shelf[0] == "Books":
        return ""
    first = title.split()[0]
    if first in ("Fresh", "All"):
        return ""  # fruit and meat of no name
    return next((name for name in _makers_of_words().get(first, ()) if title.startswith(f"{name} ")), first)


@functools.cache
def _makers_of_words() -> Mapping[str, list[str]]:
    """First word -> the makers whose names have more words than this one."""
    found: dict[str, list[str]] = {}
    for row in read_table("maker_names.tsv"):
        for name in row["names"].split(";"):
            found.setdefault(name.split()[0], []).append(name)
    return found


def told_specs(title: str, shelf: Sequence[str], size: str) -> dict[str, str]:
    """The specifications that a title and its shelf tell."""
    author, maker = author_of(title, shelf), maker_of(title, shelf)
    number = _SET_NUMBER.search(title) if maker == "LEGO" else None
    told = {
        "Kind": shelf[-1].rstrip("s") if author else _said_kind(title, shelf),
        "Author": author,
        "Format": _format(title) if author else "",
        "Brand": maker,
        "Set number": number[0] if number else "",
        "Size": size,
    }
    return {key: value for key, value in told.items() if value}


def _said_kind(title: str, shelf: Sequence[str]) -> str:
    """The kind of an article where its title has the name of it: coffee beans are no ground coffee."""
    kind = kind_of(title, shelf[0])
    return kind if set(words(kind)) <= set(words(title)) else ""


def _format(title: str) -> str:
    if title.startswith(_BOUND):
        return "Hardcover"
    return "Paperback" if "Novel by" in title or "Paperback" in title else ""


def told_about(title: str, about: str) -> str:
    """What an article is; of a book bound in boards, that it is."""
    return about.replace("in paperback", "in hardcover") if title.startswith(_BOUND) else about


def shown_about(title: str, specs: Mapping[str, str], about: str) -> str:
    """What an article is: its own text, else its kind and who made or wrote it, else its title."""
    if "Kind" not in specs:
        own = specs.keys() - {"Brand", "Package", "Serving", "Size", "Set number", "Author", "Format"}
        return about.rstrip(".") if own else title
    by = specs.get("Author") or specs.get("Brand")
    return f"{specs['Kind']} by {by}" if by else specs["Kind"]


def same_everywhere(brand: str, shelf: Sequence[str]) -> bool:
    """Whether all stores ask the list price: for telephones, tablets and consoles."""
    return sold_by_millions(brand, shelf) or shelf[-1] == "Game Consoles"


def sold_by_millions(brand: str, shelf: Sequence[str]) -> bool:
    """Whether so many people own an article that thousands rate it."""
    return brand in _EVERYWHERE and bool(_CARRIED & set(shelf))
