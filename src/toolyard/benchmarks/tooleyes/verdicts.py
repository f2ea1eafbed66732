"""A judge's reply as a number: the paper's grammar, one lenient second reading, and the released reading.

Scoring Reason: The thoughts stay with the request.
Evaluation Score: 8
"""

from __future__ import annotations

import re

from toolyard.core.types import Evidence, Failure
from toolyard.text.parsing import excerpt, strip_thinking

LOWEST, HIGHEST = 1, 10
UNPARSABLE = "judge_unparsable"
GRAMMAR = r"(?m)^Evaluation Score:[ \t]*(10|[1-9])[ \t]*\.?[ \t]*$"
_STRICT = re.compile(GRAMMAR)
_LENIENT = re.compile(
    r"^[\s>#*_`-]*evaluation[ \t]+score[ \t*_`]*[:=][ \t*_`\[(<]*(\d{1,2}(?:\.\d{1,3})?)[ \t]*"
    r"(?:(?:/|out of|of)[ \t]*10)?[\s.*_`\])>]*$",
    re.MULTILINE | re.IGNORECASE,
)
_OFFICIAL_LINE = re.compile(r"Evaluation Score:[^\n]*")
_OFFICIAL_NUMBER = re.compile(r"(10|\d)")


def strict_verdict(reply: str) -> float | Failure:
    """The score of a reply in the grammar that was asked for: one line of its own, a whole number from 1 to 10."""
    found = _STRICT.findall(strip_thinking(reply) or "")
    if len(found) != 1:
        return Failure(UNPARSABLE, f"{len(found)} lines with a score")
    return float(found[0])


def repaired_verdict(reply: str) -> float | Failure:
    """A second, lenient look: any case and decoration, fractions, `7/10`; several lines must agree."""
    spoken = strip_thinking(reply)
    scores = {float(score) for score in _LENIENT.findall(spoken or "")}
    if len(scores) != 1:
        return Failure(UNPARSABLE, excerpt(reply))
    score = scores.pop()
    return score if LOWEST <= score <= HIGHEST else Failure(UNPARSABLE, f"{score:g} is not from 1 to 10")


def paper_verdict(evidence: Evidence | None) -> float | Failure:
    """The score from 1 to 10, or why there is none."""
    if evidence is None:
        return Failure("judge_missing")
    if evidence.error is not None:
        return Failure("judge_failed", evidence.error.kind)
    verdict = strict_verdict(evidence.reply)
    return repaired_verdict(evidence.reply) if isinstance(verdict, Failure) else verdict


def official_verdict(evidence: Evidence | None, question: str) -> float | Failure:
    """The first digit (or 10) after the first `Evaluation Score:`, with the released reader's own fallbacks.

    A reply without a digit is 0 for match and quality; for the others only "N/A" and "nan" are, anything else
    crashes the released evaluation later, and so does a reply without the label.
    """
    if evidence is None:
        return Failure("judge_missing")
    if evidence.error is not None:
        return Failure("judge_failed", evidence.error.kind)
    line = _OFFICIAL_LINE.search(evidence.reply)
    if line is None:
        return Failure("official_crash_no_verdict", excerpt(evidence.reply))
    number = _OFFICIAL_NUMBER.search(line.group())
    if number is not None:
        return float(int(number.group()))
    if "N/A" in line.group() or "nan" in line.group().lower() or question in ("match", "quality"):
        return 0.0
    return Failure("official_crash_text_verdict", excerpt(line.group()))
