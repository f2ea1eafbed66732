"""Names of tools, parameters and fields as words."""

import re
from collections.abc import Sequence

_CAPITALS = frozenset([
    "ip", "url", "wmi", "vin", "upc", "doi", "iata", "icao", "isbn", "utc", "usd", "nav", "bmi", "nba", "f1", "pdf",
])  # fmt: skip
_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+[a-z]*|[^\W\d_a-zA-Z]+")
_LATIN_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def name_in_words(name: str) -> str:
    """A name such as `airportCode` or `airport_code` as words: `airport code`."""
    words = (word.lower() for word in _WORD.findall(name))
    return " ".join(word.upper() if word in _CAPITALS else word for word in words) or name


def name_words(name: str) -> list[str]:
    """The lower-case Latin words of a name: `searchOneway_flight` has three."""
    return [part.lower() for part in _LATIN_PART.findall(name)]


def join_with_and(names: Sequence[str], before_last: str = "") -> str:
    """`a, b and c`."""
    *first, last = names
    return f"{', '.join(first)} and {before_last}{last}" if first else last


def letters_of_name(name: str) -> str:
    """A name by its letters and digits alone, in one case."""
    return "".join(filter(str.isalnum, name)).casefold()


def capitalise(text: str) -> str:
    """The text with a capital in front; the rest stays as it is."""
    return text[:1].upper() + text[1:]
