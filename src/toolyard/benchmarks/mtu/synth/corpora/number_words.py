"""Numbers written in words as digits: "seven" -> "7", "twenty-one" -> "21"."""

from __future__ import annotations

from toolyard.text.numbers import SMALL_NUMBERS, TENS

_WORDS = SMALL_NUMBERS | TENS


def digits(text: str) -> str:
    """The number that the whole text names, up to 99, as digits; any other text as it is."""
    parts = text.lower().replace("-", " ").split()
    if len(parts) == 1 and parts[0] in _WORDS:
        return str(_WORDS[parts[0]])
    if len(parts) == 2 and parts[0] in TENS and 1 <= _WORDS.get(parts[1], 0) <= 9:
        return str(TENS[parts[0]] + _WORDS[parts[1]])
    return text
