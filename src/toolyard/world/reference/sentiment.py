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


# Turns of phrase that word by word say something else.
_TURNS = tuple(
    (re.compile(pattern, re.IGNORECASE), plainly)
    for pattern, plainly in (
        (
            r"\b(?:can(?:no|['’])t|could(?: not|n['’]t)) (recommend|praise|thank)( [^.;!?]{0,40}?)enough\b",
            r"highly \1\2",
        ),
        (r"\b(?:is|was|are|were)(?:n['’]t| not) the worst\b", "was passable"),
        (r"\b(?:is|was|are|were)(?:n['’]t| not) the (?:best|greatest)\b", "was underwhelming"),
        (
            r"\b(?:oh,? |just )(?:great|wonderful|fantastic|perfect|brilliant|lovely)\b"
            r"(?=[^.!?]*\b(?:another|again|more)\b)",
            "oh",
        ),
        # "Great, the flight is cancelled again" is no praise.
        (
            r"(?:^|(?<=[.!?] ))(?:oh,? |well,? |just )?(?:great|wonderful|fantastic|perfect|brilliant|lovely|awesome)[,.!]"
            r"(?=[^.!?]*\b(?:again|another|cancell?ed|delayed|late|broken|broke|lost|crashed|stuck|missed|ruined)\b)",
            "oh,",
        ),
        # Never so much as now: "I have never been so disappointed".
        (
            r"\b(?:have|has|had|['’](?:ve|d|s)) never (been|felt|seen|had|tasted|eaten|met) "
            r"(?=(?:such|so|this|that|more)\b)",
            r"have \1 ",
        ),
        (
            r"\b(?:have|has|had|['’](?:ve|d|s)) never (been|felt) (?=(?:happier|prouder|better)\b)",
            r"have \1 very ",
        ),
        (r"\bcould do (?:a lot |much |far )?worse\b", "passable"),
        (r"\bcould do (?:a lot |much |far )?better\b", "underwhelming"),
        (r"\bnothing special\b", "mediocre"),
        (r"\bcan(?:no|['’])t stand\b", "hate"),
        (
            r"\bwould (?:definitely |gladly |happily )?(?:buy|come|stay|go|order|visit)(?: \w+)? again\b",
            "satisfied",
        ),
        (r"\b(?:never|not|won['’]t(?: be)?) (?:\w+ )?(?:com(?:e|ing) back|return(?:ing)?)\b", "regret"),
        (r"\b(?:nothing|not much) to (?:complain about|dislike|fault)\b", "satisfied"),
        (r"\bwaste of (?:time|money|space)\b", "awful"),
        (r"\bnot worth (?:it|the (?:money|price|wait|hype|trip))\b", "overpriced"),
        (r"\bworth every (?:penny|cent|minute)\b", "excellent"),
        (r"\b(?:exceeded|beyond|surpassed) (?:all )?(?:my|our|all) expectations\b", "excellent"),
        (r"\b(?:fell|falls) (?:far |well )?short of (?:my|our|all) expectations\b", "disappointing"),
        (r"\bexpected (?:much |a lot |far )?(?:more|better)\b", "underwhelming"),
        (r"\b(?:to die for|a must[- ](?:see|read|have|visit))\b", "excellent"),
        (
            r"\bfell apart\b|\bstopped working\b|\b(?:doesn|didn|don|won)['’]t work\b|\b(?:does|did|do) not work\b"
            r"|\bnever arrived\b",
            "defective",
        ),
        (r"\b(?:can(?:no|['’])t|could(?: not|n['’]t)) believe (?=how\b)", "see "),
        (
            r"\b(?:can(?:no|['’])t|could(?: not|n['’]t)) believe (?=it['’]?s\b|it is\b)",
            "it is amazing ",
        ),
        # Nothing could be above it: "could not have been kinder", "couldn't be happier".
        (
            r"\b(?:can(?:no|['’])t|could(?: not|n['’]t)) (?:have )?(?:be(?:en)?|get|feel|ask(?:ed)? for) (?:an? |any )?"
            r"(?=(?:more|better|happier|kinder|friendlier|nicer|easier|smoother|finer|prouder|cleaner|lovelier)\b)",
            "was very ",
        ),
        (
            r"\b(?:can(?:no|['’])t|could(?: not|n['’]t)) (?:have )?(?:be(?:en)?|get) (?:any )?"
            r"(?=(?:worse|slower|ruder|sadder|angrier)\b)",
            "was very ",
        ),
        (r"\bcan(?:no|['’])t wait\b", "eager"),
        (r"\bcan(?:no|['’])t complain\b", "satisfied"),
        (r"\bcould (?:have )?be(?:en)? (?:much |a lot |far )?better\b", "underwhelming"),
        (r"\bcould (?:have )?be(?:en)? (?:much |a lot |far )?worse\b", "passable"),
        (r"(?<![\w'’])no, (?=it|they|this|that|he|she|we|i\b)", ""),
        (r"\bkiller whales?\b", "orca"),
        (r"\btoo (?:fast|quick(?:ly)?)\b", "annoying"),
        (r"\b(?:five|5)[ -]stars?\b", "excellent"),
        (r"\b(?:one|1)[ -]star\b(?! (?:hotel|review))", "awful"),
        (r"\b(?:do not|don['’]t) buy\b", "avoid"),
        (r"\bnever again\b", "regret"),
        (r"\bneither good nor bad\b", "average"),
        (r"\b(?:no|without|zero) (?:issues?|problems?|complaints?)\b", "satisfied"),
        (
            r"\b(?:customer |tech(?:nical)? )?support"
            r"(?= (?:team|staff|line|desk|ticket|never|did|was|is|has|had|took|ignored|refused|failed|hung|kept|told)\b)",
            "helpdesk",
        ),
        (r"\b(?:hardly|scarcely|barely)\b(?= (?:an? )?\w+)", "not"),
    )
)


def said_plainly(text: str) -> str:
    """A text whose negations stand before what they deny, and whose turns of phrase are said in plain words."""
    return replace_idioms(text)[0]


def replace_idioms(text: str) -> tuple[str, dict[str, str]]:
    """A text said plainly, and the plain words that stand for turns of phrase -> these as they were written."""
    written: dict[str, str] = {}

    def plainly_said(match: re.Match[str], plainly: str) -> str:
        told = match.expand(plainly)
        written.update(
            {word: match[0].strip(" ,.").lower() for word in told.lower().split() if mood_of(word)}
        )
        return told

    for pattern, plainly in _TURNS:
        text = pattern.sub(functools.partial(plainly_said, plainly=plainly), text)
    return _THOUGHT.sub(r"\1\2 not", text), written


def score(text: str) -> float:
    """From -1 (very negative) to 1 (very positive); 0 where no word has a mood."""
    return float(_analyser().polarity_scores(said_plainly(text))["compound"])


def mood_of(word: str) -> float:
    """How positive a single word is, from -4 to 4; 0 where it says nothing."""
    return float(_analyser().lexicon.get(word.lower(), 0))
