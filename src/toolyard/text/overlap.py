"""How far texts share words: what a solver without a model goes by."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import fsum

from toolyard.text.paraphrase import STOP_WORDS, stem, words_of

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")


# The documents of tools come back with every sample that offers them.
@lru_cache(maxsize=8192)
def telling_stems(text: str) -> frozenset[str]:
    """The stems of the words that say something, those of joined names (`findBus`, `find_bus`) apart."""
    return frozenset(
        stem(word) for word in words_of(_HUMP.sub(" ", text)) if word not in STOP_WORDS and len(word) > 2
    )


def overlaps(text: str, documents: Sequence[str]) -> list[float]:
    """For each document the words that the text shares with it, a word of many documents counting less."""
    said = telling_stems(text)
    stems = [telling_stems(document) for document in documents]
    spread = Counter(word for each in stems for word in each)
    # Rounded once: a plain sum would depend on the order of a set, which changes from process to process.
    return [fsum(1 / spread[word] for word in said & each) for each in stems]
