"""What buyers and users write: a title and one sentence that fit the stars they give, true of any good or any app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

_TITLES = (
    ("Disappointed", "Would not recommend", "No thanks", "Not for me"),
    ("Not great", "Expected more", "Has its problems", "Could be better"),
    ("It's okay", "Decent", "Mixed feelings", "Average"),
    ("Very good", "Happy with it", "Solid", "Nearly perfect"),
    ("Love it", "Excellent", "Highly recommended", "Five stars"),
)
_APP: Mapping[str, Sequence[str]] = {
    "praise": (
        "Simple and easy to learn.", "Does what it promises.", "I use it all the time.", "Works well on my phone.",
        "One of the best of its kind.", "No complaints so far.", "Just what I was looking for.",
    ),
    "mixed": ("Good, but it could be simpler.", "Nice, still a few bugs.", "All right, nothing special."),
    "anger": (
        "It keeps crashing on my phone.", "Support never replied to my mail.", "Far too slow on my phone.",
        "It was better before the last update.",
    ),
}  # fmt: skip
_GOODS: Mapping[str, Sequence[str]] = {
    "praise": (
        "Exactly as described.", "Would buy it again.", "Worth the price.", "Just what I was looking for.",
        "No complaints.", "Good quality.", "As good as I had hoped.", "Glad that I bought it.",
    ),
    "mixed": ("All right for the price.", "Not bad, but I had hoped for more.", "It is fine, nothing special."),
    "anger": ("Not worth the money.", "Not what I had hoped for.", "I would not buy it again."),
}  # fmt: skip


class Opinions:
    """Titles and texts of the reviews of one thing; a sentence comes back only after all others were said."""

    def __init__(self, chance: Random, *, of_app: bool) -> None:
        self._chance, self._texts = chance, _APP if of_app else _GOODS
        self._left: dict[tuple[str, ...], list[str]] = {}

    def _dealt(self, texts: Sequence[str]) -> str:
        left = self._left.setdefault(tuple(texts), [])
        if not left:
            left.extend(self._chance.sample(texts, len(texts)))
        return left.pop()

    def of(self, given: int) -> tuple[str, str]:
        """Title and text of the next review, which gives so many stars."""
        tone = "praise" if given > 3 else "mixed" if given == 3 else "anger"
        return self._dealt(_TITLES[given - 1]), self._dealt(self._texts[tone])
