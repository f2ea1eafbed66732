"""How positive a text sounds: VADER, a lexicon with rules for negation and strength, out of the package `vaderSentiment`."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

# Words of reviews that the lexicon lacks.
_FURTHER = {
    "overpriced": -1.9, "overrated": -1.5, "unreliable": -1.9, "slow": -1.0, "bland": -1.3, "mediocre": -1.1,
    "stale": -1.2, "cramped": -1.2, "tasty": 2.0, "cozy": 1.8, "spacious": 1.2, "reliable": 1.7,
}  # fmt: skip


@functools.cache
def _analyser() -> SentimentIntensityAnalyzer:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyser = SentimentIntensityAnalyzer()
    analyser.lexicon.update(_FURTHER)
    return analyser


# "I don't think it is bad" says that it is not bad.
_THOUGHT = re.compile(
    r"\b(?:do|does|did)(?:n['’]t| not) (think|believe|feel)( [^.;,!?]{1,40}?\b(?:is|are|was|were))\b",
    re.IGNORECASE,
)


def said_plainly(text: str) -> str:
    """A text whose negations stand before what they deny."""
    return _THOUGHT.sub(r"\1\2 not", text)


def score(text: str) -> float:
    """From -1 (very negative) to 1 (very positive); 0 where no word has a mood."""
    return float(_analyser().polarity_scores(said_plainly(text))["compound"])


def mood_of(word: str) -> float:
    """How positive a single word is, from -4 to 4; 0 where it says nothing."""
    return float(_analyser().lexicon.get(word.lower(), 0))
