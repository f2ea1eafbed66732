"""Search: what is only told of in tales, and what nobody offers or invents."""

from __future__ import annotations

import re

from toolyard.world.faults import invalid, not_found
from toolyard.world.shared.subjects import known_word
from toolyard.world.tables import plain

_ONLY_TOLD = re.compile(
    r"\b(?:dragons?(?! fruit| boat)|unicorns?|wizards?|mermaids?|vampires?|werewol(?:f|ves)|fairy|fairies|"
    r"flying carpets?|time travel|time machines?|teleport\w*|"
    r"perpetual motion|flux capacitors?|warp drives?|invisibility cloaks?|love potions?|magic spells?)\b"
)


def check_real(query: str) -> None:
    """An invalid_value fault where a query asks for what exists in tales only."""
    match = _ONLY_TOLD.search(plain(query))
    if match:
        raise invalid("query", query[:80], f"nobody offers {match[0]}; ask for something that exists")


def check_known(what: str, query: str, such_as: tuple[str, ...] = ()) -> None:
    """A not_found fault where nobody knows a single word of a query."""
    if not any(known_word(word) for word in _LONG.findall(plain(query)) if word not in _FIELDS):
        raise not_found(what, query[:80], such_as=such_as)


_FIELDS = ("author", "source", "intitle")
_LONG = re.compile(r"[^\W\d_]{3,}")
