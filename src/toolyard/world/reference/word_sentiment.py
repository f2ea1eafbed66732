"""How positive a text sounds: VADER, a lexicon with rules for negation and strength, out of the package `vaderSentiment`."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from toolyard.world.kernel.tables import values_of

if TYPE_CHECKING:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

# Words of reviews that the lexicon lacks.
_FURTHER: Mapping[str, float] = values_of("sentiment.further")


@functools.cache
def _sentiment_analyser() -> SentimentIntensityAnalyzer:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyser = SentimentIntensityAnalyzer()
    analyser.lexicon.update(_FURTHER)
    return analyser


# "I don't think it is bad" says that it is not bad.
_THOUGHT = re.compile(
    r"\b(?:do|does|did)(?:n['’]t| not) (think|believe|feel)( [^.;,!?]{1,40}?\b(?:is|are|was|were))\b",
    re.IGNORECASE,
)


# Turns of phrase that word by word say something else.
_TURNS = tuple(
    (re.compile(pattern, re.IGNORECASE), plainly) for pattern, plainly in values_of("sentiment.turns").items()
)


def literal_wording(text: str) -> str:
    """A text whose negations stand before what they deny, and whose turns of phrase are said in plain words."""
    return replace_idioms(text)[0]


def replace_idioms(text: str) -> tuple[str, dict[str, str]]:
    """A text said plainly, and the plain words that stand for turns of phrase -> these as they were written."""
    written: dict[str, str] = {}

    def plainly_said(match: re.Match[str], plainly: str) -> str:
        told = match.expand(plainly)
        written.update(
            {word: match[0].strip(" ,.").lower() for word in told.lower().split() if word_sentiment(word)}
        )
        return told

    for pattern, plainly in _TURNS:
        text = pattern.sub(functools.partial(plainly_said, plainly=plainly), text)
    return _THOUGHT.sub(r"\1\2 not", text), written


def sentiment_score(text: str) -> float:
    """From -1 (very negative) to 1 (very positive); 0 where no word has a mood."""
    return float(_sentiment_analyser().polarity_scores(literal_wording(text))["compound"])


def word_sentiment(word: str) -> float:
    """How positive a single word is, from -4 to 4; 0 where it says nothing."""
    return float(_sentiment_analyser().lexicon.get(word.lower(), 0))
