"""Words that mean nothing, for names that must not give a tool away."""

import random
from collections.abc import Iterator

_BEGIN = (
    "b", "br", "d", "dr", "f", "fl", "g", "gr", "k", "kl", "m", "n", "p", "pl", "r", "s", "sk", "t", "tr", "v", "z",
)  # fmt: skip
_MIDDLE = ("a", "e", "i", "o", "u", "au", "ei")
_END = ("", "b", "g", "k", "l", "m", "n", "p", "r", "sk", "t", "x")


def nonsense_words(rng: random.Random) -> Iterator[str]:
    """Different words without end, each of two or three syllables."""
    seen: set[str] = set()
    while True:
        word = "".join(
            rng.choice(_BEGIN) + rng.choice(_MIDDLE) + (rng.choice(_END) if last else "")
            for last in [False] * rng.choice((1, 1, 2)) + [True]
        )
        if word not in seen:
            seen.add(word)
            yield word
