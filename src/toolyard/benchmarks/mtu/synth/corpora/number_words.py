"""Numbers written in words as digits: "seven" -> "7", "twenty-one" -> "21"."""

from __future__ import annotations

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_WORDS = {word: number for number, word in enumerate(_SMALL)} | _TENS


def digits(text: str) -> str:
    """The number that the whole text names, up to 99, as digits; any other text as it is."""
    parts = text.lower().replace("-", " ").split()
    if len(parts) == 1 and parts[0] in _WORDS:
        return str(_WORDS[parts[0]])
    if len(parts) == 2 and parts[0] in _TENS and 1 <= _WORDS.get(parts[1], 0) <= 9:
        return str(_TENS[parts[0]] + _WORDS[parts[1]])
    return text
