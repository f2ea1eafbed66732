"""How positive a text sounds: VADER, a lexicon with rules for negation and strength, out of the package `vaderSentiment`."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer


@functools.cache
def _analyser() -> SentimentIntensityAnalyzer:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


def score(text: str) -> float:
    """From -1 (very negative) to 1 (very positive); 0 where no word has a mood."""
    return float(_analyser().polarity_scores(text)["compound"])


def mood_of(word: str) -> float:
    """How positive a single word is, from -4 to 4; 0 where it says nothing."""
    return float(_analyser().lexicon.get(word.lower(), 0))
