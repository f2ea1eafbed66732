"""Names of contests: tournaments, races and finals, which are nobody who performs."""

from __future__ import annotations

import re

from toolyard.world.tables import plain

_WORDS = frozenset(
    "cup league championship championships final finals open prix marathon olympics olympic paralympics paralympic bowl "
    "derby series copa euro euros giro vuelta playoffs playoff tournament trophy slam regatta triathlon nba wnba nfl mlb "
    "nhl mls ncaa uefa fifa rugby cricket golf cycling athletics".split()
)
_NAMES = re.compile(
    r"(?:the )?masters(?: tournament)?|march madness|tour de .+|grand national|.+ games|.+ grand slam"
)
_YEAR = re.compile(r"\b20[12]\d$")


def is_contest(text: str) -> bool:
    """Whether a text is called like a tournament or a race."""
    name = " ".join(plain(text).split())
    return bool(_WORDS.intersection(name.split()) or _NAMES.fullmatch(name))


def is_edition(text: str) -> bool:
    """Whether a text ends in a year, as what is held in it does."""
    return bool(_YEAR.search(text.strip()))
