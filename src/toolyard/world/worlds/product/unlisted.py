"""Goods that the catalogue does not hold but that shops sell: derived from what is asked for.

"garlic press" is a thing that can be sold, so three makers sell one; "nintendo switch" is a product line of its own.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from toolyard.world.search import words
from toolyard.world.shared.subjects import known_words
from toolyard.world.tables import plain, read_table

_BRANDS = ("Brightmoor", "Oakline", "Fernhill", "Kestrel & Co", "Lumaro", "Havenway", "Pebble Lane", "Quillstone",
           "Alderbrook", "Crestwell")  # fmt: skip
# What belongs to a thing and costs little beside it: a case for a telephone is no telephone.
_BELONGING = frozenset(
    "case cases cover covers charger chargers cable cables adapter adapters protector protectors strap straps band bands "
    "stand mount holder battery batteries filter filters parts controller controllers game games skin sleeve remote "
    "stylus cartridge cartridges toner ink lens dock grip manual sticker stickers".split()
)


class Shelf(NamedTuple):
    """Where a thing stands in a shop, its prices in dollars, and the product line where it is one."""

    category: str
    low: int
    high: int
    line: str


class Unlisted(NamedTuple):
    """What a derived good is: title, brand, category and price in cents."""

    title: str
    brand: str
    category: list[str]
    cents: int


@functools.cache
def _lines() -> Mapping[str, Shelf]:
    return {
        plain(name): Shelf(row["category"], int(row["low"]), int(row["high"]), name)
        for row in read_table("product_lines.tsv")
        for name in row["names"].split(";")
    }


def line_of(name: str) -> Shelf | None:
    """The shelf of a maker or product line that is called so; None where shops know none."""
    return _lines().get(plain(name))


def named_line(query: str) -> Shelf | None:
    """The maker or product line that a query names; None where it names none."""
    return next((_lines()[run] for run in _runs(plain(query)) if run in _lines()), None)


def _runs(text: str) -> Iterator[str]:
    """All runs of words of a text, the longest first."""
    parts = text.split()
    for size in range(len(parts), 0, -1):
        yield from (" ".join(parts[start : start + size]) for start in range(len(parts) - size, -1, -1))


@functools.cache
def _plain_articles() -> Mapping[str, Shelf]:
    """Everyday things that cost much the same whoever makes them."""
    return {
        " ".join(words(name)): Shelf(row["category"], int(row["low"]), int(row["high"]), "")
        for row in read_table("plain_articles.tsv")
        for name in row["names"].split(";")
    }


@functools.cache
def everyday_names() -> tuple[str, ...]:
    """All names of everyday things."""
    return tuple(name for row in read_table("plain_articles.tsv") for name in row["names"].split(";"))


def belongs(title: str, query: str) -> bool:
    """Whether a title is of what belongs to a thing, and a query does not ask for that: a case for a telephone."""
    last = plain(title).rpartition(" ")[2]
    return last in _BELONGING and last not in plain(query).split()


def plain_article(text: str) -> tuple[Shelf, str] | None:
    """The shelf of the everyday thing that a text ends with, and its name; None where it ends with none."""
    stems = words(text)
    for start in range(len(stems)):
        name = " ".join(stems[start:])
        if name in _plain_articles():
            return _plain_articles()[name], name
    return None


@functools.lru_cache(maxsize=2048)
def shelf_of(query: str) -> Shelf | None:
    """Where shops put the everyday thing or what belongs to a line that a query asks for; None where it is neither."""
    text = plain(query)
    if not 0 < len(text.split()) <= 8:
        return None
    runs = list(_runs(text))
    if text not in _lines() and (everyday := plain_article(text)) is not None and not unheard_of(text):
        return everyday[0]
    line = next((_lines()[run] for run in runs if run in _lines()), None)
    if line is not None:
        rest = " ".join(word for word in text.split() if word not in plain(line.line).split())
        if rest and not known_words(rest) and not rest.isdigit():
            return None
        belongs = rest.rpartition(" ")[2] in _BELONGING
        return Shelf(f"{line.category.split(' > ')[0]} > Accessories", 9, 59, line.line) if belongs else line
    everyday = None if unheard_of(text) else plain_article(text)
    return everyday[0] if everyday else None


# What only stories have, and a thing with a model's number that no maker is known for.
_ONLY_TOLD = re.compile(
    r"\b(?:flux capacitors?|time machines?|unicorns?|unicorn horns?|dragon eggs?|dragons?|teleporters?|warp drives?|"
    r"hyperdrives?|perpetual motion(?: machines?)?|invisibility cloaks?|philosophers? stones?|magic wands?|flying carpets?|"
    r"death rays?|holodecks?|tricorders?|kryptonite|antimatter|love potions?)(?: \d+| pro| max| plus)*$"
)
_NUMBERED = re.compile(r"(?<!under )(?<!below )(?<!over )(?<!size )(?<!around )\b(?!(?:19|20)\d\d$)\d{3,}$")


# What is booked, applied for or looked up, and cars.
_NOT_ON_SHELVES = re.compile(
    r"\b(?:flights? to|flights? from|hotels?|tickets?|mortgages?|loans?|insurance|weather|news|"
    r"tesla model \w|jobs?|visa for)\b"
)


def unheard_of(query: str) -> bool:
    """Whether a query asks for what no shop can have."""
    return bool(_NOT_ON_SHELVES.search(plain(query))) or cannot_be(query)


def cannot_be(query: str) -> bool:
    """Whether a query asks for what only stories have, or for a number that no maker gave."""
    text = plain(query)
    numbered = _NUMBERED.search(text) and not any(run in _lines() for run in _runs(text))
    return bool(_ONLY_TOLD.search(text) or numbered)


_ACRONYMS = frozenset("cpu pc ram ssd usb hdmi led tv dvd vr rc uv hd 4k gps dj cd lcd ac dc".split())
# What shelves are called besides.
SHELVES_CALLED = {
    "car parts": "auto", "auto parts": "auto", "car accessories": "auto", "makeup": "beauty", "cosmetics": "beauty",
    "pet supplies": "pets", "school supplies": "office", "office supplies": "office", "home decor": "home",
    "jewellery": "jewelry",
    "clothes": "clothing", "sports equipment": "sports", "power tools": "tools", "baby products": "baby",
    "food": "groceries",
}  # fmt: skip
# What people write -> as titles have it.
_CALLS = {
    "ps5": "PlayStation 5", "ps5 console": "PlayStation 5", "ps5 slim": "PlayStation 5 Slim", "doc martens": "Dr. Martens",
    "dr martens": "Dr. Martens", "fifa 24": "FC 24", "gta 5": "Grand Theft Auto V", "gta v": "Grand Theft Auto V",
    "google home": "Google Nest", "galaxy watch 6": "Galaxy Watch6", "on cloud": "On Cloud 5",
    "galaxy z fold 5": "Galaxy Z Fold5", "galaxy z flip 5": "Galaxy Z Flip5", "gopro hero 12": "GoPro HERO12",
    "kitkat": "Kit Kat", "kitkats": "Kit Kat",
}  # fmt: skip
_CALLED = re.compile(rf"^(?:{'|'.join(sorted(_CALLS, key=len, reverse=True))})$", re.I)
_WISHES = re.compile(
    r"^(?:(?:the|best|top|cheap|cheapest|good|buy|affordable|a|an|some) )+|(?: for .+| under .+| near me| online)$"
)


_AT_MOST = re.compile(r"\b(?:under|below|less than|up to) \$?(\d{1,6})\b")


# What things can be besides what they are: they come in colours, and old or new.
_LOOKS = re.compile(
    r"\b(?:red|blue|black|white|green|yellow|pink|purple|orange|brown|grey|gray|silver|beige|navy|cute|nice|modern|used|"
    r"refurbished|second[- ]hand|vintage|retro|stylish|elegant|fancy|cool|colou?rful)\s+"
)


def as_titled(query: str) -> str:
    """A query in the words that titles use, where it is a short name of a thing."""
    return _CALLED.sub(lambda match: _CALLS[match[0].lower()], query.strip())


def without_wishes(query: str) -> str:
    """What is looked for, less what is wished of it: cheap tv under 300 is a tv, a red dress is a dress."""
    text = plain(query)
    return _LOOKS.sub("", _WISHES.sub("", text)) or text


def at_most(query: str) -> int | None:
    """The most dollars that a query names; None where it names none."""
    match = _AT_MOST.search(plain(query))
    return int(match[1]) if match else None


def _spelled(query: str, line: str) -> str:
    """A query as a title: the product line as its maker writes it, other words with capitals, without what is wished."""
    text = _WISHES.sub("", plain(query)) or plain(query)
    if line:
        before, _, after = f" {text} ".partition(f" {plain(line)} ")
        parts: Sequence[str] = [
            *map(str.capitalize, before.split()),
            line,
            *map(str.capitalize, after.split()),
        ]
    else:
        parts = [word.upper() if word in _ACRONYMS else word.capitalize() for word in text.split()]
    return " ".join(parts)


def unlisted(query: str, shelf: Shelf, chance: Random) -> list[Unlisted]:
    """Three makers' goods for a query that the catalogue has nothing for; none where it names a known maker."""
    if named_line(query) is not None and not shelf.category.endswith("Accessories"):
        return []
    name = _spelled(query, shelf.line)
    base = shelf.low * (shelf.high / shelf.low) ** (0.2 + 0.6 * chance.random())
    found = []
    for maker in chance.sample(_BRANDS, 3):
        asked = min(shelf.high, max(shelf.low, base * (0.75 + 0.5 * chance.random())))
        cents = max(199, round(100 * asked) - 1)
        found.append(Unlisted(f"{maker} {name}", maker, shelf.category.split(" > "), cents))
    return found
