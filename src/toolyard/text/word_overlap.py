"""How far texts share words: what a solver without a model goes by."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import fsum

from toolyard.text.paraphrase import STOP_WORDS, stem_of_word, words_of

# A description says what is missing in words of its own, not in one word and not by copying the task.
FEWEST_SHARED_WORDS = 2
MOST_DESCRIBING_WORDS = 40
_COMMON_SHARE = 10
_FEWEST_COMMON = 3
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")


# The documents of tools come back with every sample that offers them.
@lru_cache(maxsize=8192)
def telling_stems(text: str) -> frozenset[str]:
    """The stems of the words that say something, those of joined names (`findBus`, `find_bus`) apart."""
    return frozenset(
        stem_of_word(word)
        for word in words_of(_HUMP.sub(" ", text))
        if word not in STOP_WORDS and len(word) > 2
    )


def describes_tool(said: str, about: frozenset[str], beside: str, most: int = MOST_DESCRIBING_WORDS) -> bool:
    """Whether a text says what a tool is for: a word that tells it from others, and one more or one of `beside`."""
    own = _all_stems(said) & about
    more = _all_stems(said) & _all_stems(beside) if own else own
    return len(said.split()) <= most and len(own | more) >= FEWEST_SHARED_WORDS


def distinctive_words(document: str, others: tuple[str, ...]) -> frozenset[str]:
    """The words that tell a tool from others: not those that one document in ten has, such as list or known."""
    said = _all_stems(document)
    own = said - _common_words(others)
    return own if len(own) >= FEWEST_SHARED_WORDS else said


@lru_cache(maxsize=64)
def _common_words(documents: tuple[str, ...]) -> frozenset[str]:
    spread = Counter(word for document in set(documents) for word in _all_stems(document))
    most = max(_FEWEST_COMMON, len(set(documents)) / _COMMON_SHARE)
    return frozenset(word for word, count in spread.items() if count > most)


def _all_stems(text: str) -> frozenset[str]:
    """The telling stems, and of Chinese, which is not cut into words, every two characters that stand together."""
    pairs = (text[place : place + 2] for place in range(len(text) - 1))
    return telling_stems(text) | {
        pair for pair in pairs if all("\u3400" <= sign <= "\u9fff" for sign in pair)
    }


def overlap_scores(text: str, documents: Sequence[str]) -> list[float]:
    """For each document the words that the text shares with it, a word of many documents counting less."""
    said = telling_stems(text)
    stems = [telling_stems(document) for document in documents]
    spread = Counter(word for each in stems for word in each)
    # Rounded once: a plain sum would depend on the order of a set, which changes from process to process.
    return [fsum(1 / spread[word] for word in said & each) for each in stems]
