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
    "stale": -1.2, "cramped": -1.2, "tasty": 2.0, "cozy": 1.8, "spacious": 1.2, "reliable": 1.7, "expensive": -0.9,
    "pricey": -0.9, "laggy": -1.6, "buggy": -1.8, "noisy": -1.3, "dirty": -1.9, "soggy": -1.2, "refund": -0.8,
    "crashes": -1.6, "broke": -1.6, "flimsy": -1.6, "clunky": -1.3, "sturdy": 1.4, "durable": 1.5, "affordable": 1.3,
    "intuitive": 1.4, "fast": 0.9, "flawless": 2.3, "passable": 0.5, "underwhelming": -1.1, "want": 0.0, "wants": 0.0,
    "scratched": -1.2, "scratches": -1.1, "drains": -1.1, "predictable": -1.0, "wooden": -0.8, "broken": -1.7,
    "defective": -2.0, "faulty": -1.8, "leaks": -1.3, "leaked": -1.3, "cracked": -1.3, "stained": -1.2, "smelled": -0.9,
    "smelly": -1.7, "greasy": -1.1, "tasteless": -1.6, "undercooked": -1.6, "overcooked": -1.5, "uncomfortable": -1.7,
    "unhelpful": -1.8, "unprofessional": -1.9, "outdated": -1.1, "delayed": -1.3, "cancelled": -1.1,
    "regret": -1.8, "useless": -1.8, "spotless": 1.9, "delicious": 2.7, "attentive": 1.7, "seamless": 1.6, "smoothly": 1.3,
    "effortless": 1.4, "immaculate": 2.0, "thoughtful": 1.6, "recommend": 1.5, "bargain": 1.1, "speedy": 1.2,
    "championship": 0.5, "please": 0.0, "definitely": 0.0,
    "kinder": 2.2, "friendlier": 2.1, "happier": 2.4, "nicer": 1.8, "easier": 1.3, "smoother": 1.2, "finer": 1.2,
    "helpful": 1.8, "prouder": 2.0, "rotten": -2.0, "freezing": -0.9, "spoiled": -1.4, "wonderfully": 2.6,
    "disappointing": -2.2, "thrilling": 2.1, "gripping": 1.7, "heartwarming": 2.2, "unwatchable": -2.3,
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
            r"\b(?:customer |tech(?:nical)? )?support(?= (?:team|staff|line|desk|ticket|never|did|was|is|has|had|took)\b)",
            "helpdesk",
        ),
        (r"\b(?:hardly|scarcely|barely)\b(?= (?:an? )?\w+)", "not"),
    )
)
# What these stand for, as it is shown.
SHOWN = {
    "passable": "not the worst", "underwhelming": "not the best", "satisfied": "no complaint", "annoying": "too fast",
    "excellent": "five stars", "avoid": "do not buy", "regret": "never again",
}  # fmt: skip


def said_plainly(text: str) -> str:
    """A text whose negations stand before what they deny, and whose turns of phrase are said in plain words."""
    for pattern, plainly in _TURNS:
        text = pattern.sub(plainly, text)
    return _THOUGHT.sub(r"\1\2 not", text)


def score(text: str) -> float:
    """From -1 (very negative) to 1 (very positive); 0 where no word has a mood."""
    return float(_analyser().polarity_scores(said_plainly(text))["compound"])


def mood_of(word: str) -> float:
    """How positive a single word is, from -4 to 4; 0 where it says nothing."""
    return float(_analyser().lexicon.get(word.lower(), 0))
