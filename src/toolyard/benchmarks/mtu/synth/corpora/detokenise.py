"""Text without the spaces that a tokeniser put in: "does n't matter ." -> "doesn't matter."."""

from __future__ import annotations

import re

_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\s+"), " "),
    (re.compile(r" (n't|'(?:s|m|d|re|ll|ve))\b", re.IGNORECASE), r"\1"),
    (re.compile(r" ([,.;:?!%)\]])"), r"\1"),
    (re.compile(r"([(\[$£#]) "), r"\1"),
    (re.compile(r"\b(can|Can) not\b"), r"\1not"),
    (re.compile(r"\b(gon|wan|got) (na|ta)\b", re.IGNORECASE), r"\1\2"),
)


def detokenise(text: str) -> str:
    """The text as a person would write it."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text.strip()
