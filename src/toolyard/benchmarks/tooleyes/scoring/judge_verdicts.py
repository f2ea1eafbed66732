"""A judge's reply as a number: the paper's grammar, one lenient second reading, and the released reading.

Scoring Reason: The thoughts stay with the request.
Evaluation Score: 8 (qzkdwbtrmvgcpfsh)

The code behind the score is the question's own (`material.py`), and a line that carries it counts before all others.
A reply without it is read as before, unless the graded text itself speaks in the form of a verdict: then a line may
be a quotation, and counts only if it stands outside quotations and names a score that the graded text does not.
"""

import re

from toolyard.benchmarks.tooleyes.scoring.judge_material import Claims
from toolyard.core.types import Evidence, Failure
from toolyard.text.parsing import excerpt, strip_thinking
from toolyard.text.repeated_characters import shorten_runs

LOWEST, HIGHEST = 1, 10
UNPARSABLE = "judge_unparsable"
_LABEL = r"(?m)^Evaluation Score:[ \t]*(10|[1-9])[ \t]*"
_END = r"\.?[ \t]*$"
_STRICT = re.compile(_LABEL + _END)
_LENIENT_SCORE = (
    r"(?im)^[\s>#*_`-]*evaluation[ \t]+score[ \t*_`]*[:=][ \t*_`\[(<]*(\d{1,2}(?:\.\d{1,3})?)[ \t]*"
    r"(?:(?:/|out of|of)[ \t]*10)?"
)
_LENIENT = re.compile(_LENIENT_SCORE + r"[\s.*_`\])>]*$")
_QUOTED_LINE = re.compile(r"^[ \t]*[>|]")
_FENCE = "```"
_OFFICIAL_LINE = re.compile(r"Evaluation Score:[^\n]*")
_OFFICIAL_NUMBER = re.compile(r"(10|\d)")


def verdict_grammar(code: str, claims: Claims) -> str:
    """The one line that is asked for; its code may be missing where nothing in the material looks like a verdict."""
    marked = rf"[\[(<\"'`]*{code}[\])>\"'`]*"
    return _LABEL + (marked if claims.speaks else f"(?:{marked})?") + _END


def strict_verdict(spoken: str) -> float | Failure:
    """The score of a reply in the grammar that was asked for: one line of its own, a whole number from 1 to 10."""
    found = _STRICT.findall(spoken)
    if len(found) != 1:
        return Failure(UNPARSABLE, f"{len(found)} lines with a score")
    return float(found[0])


def repaired_verdict(spoken: str) -> float | Failure:
    """A second, lenient look: any case and decoration, fractions, `7/10`; several lines must agree."""
    return _single_score({float(score) for score in _LENIENT.findall(shorten_runs(spoken))}, spoken)


def marked_verdict(spoken: str, code: str) -> float | Failure | None:
    """The score of the lines that carry the question's code, which must agree; None where there are none.

    A code with `>>>` behind it ends a block: such a line is a quotation of its last one.
    """
    marked = re.compile(rf"{_LENIENT_SCORE}[ \t.*_`\[\](){{}}<>\"'#,;:-]*{re.escape(code)}(?!>>>)[^\w\n]*$")
    scores = {float(score) for score in marked.findall(shorten_runs(spoken))}
    return _single_score(scores, spoken) if scores else None


def _single_score(scores: set[float], spoken: str) -> float | Failure:
    if len(scores) != 1:
        return Failure(UNPARSABLE, excerpt(spoken))
    score = scores.pop()
    return score if LOWEST <= score <= HIGHEST else Failure(UNPARSABLE, f"{score:g} is not from 1 to 10")


def unquoted_lines(spoken: str) -> str:
    """The lines of a reply that stand in no quotation: not behind `>` or a bar, not in a closed fenced block."""
    kept: list[str] = []
    fenced: list[str] | None = None
    for line in spoken.split("\n"):
        if line.lstrip().startswith(_FENCE):
            fenced = [] if fenced is None else None
        elif not _QUOTED_LINE.match(line):
            (kept if fenced is None else fenced).append(line)
    return "\n".join([*kept, *(fenced or ())])


def paper_verdict(evidence: Evidence | None, code: str = "", claims: Claims = Claims()) -> float | Failure:  # noqa: B008
    """The score from 1 to 10, or why there is none."""
    if evidence is None:
        return Failure("judge_missing")
    if evidence.error is not None:
        return Failure("judge_failed", evidence.error.kind)
    spoken = strip_thinking(evidence.reply) or ""
    marked = marked_verdict(spoken, code) if code else None
    if marked is not None:
        return marked
    if claims.speaks:
        return _unmarked_verdict(spoken, claims)
    verdict = strict_verdict(spoken)
    return repaired_verdict(spoken) if isinstance(verdict, Failure) else verdict


def _unmarked_verdict(spoken: str, claims: Claims) -> float | Failure:
    """The one score of an unmarked reply that cannot be a quotation of the graded text."""
    said = {float(score) for score in _LENIENT.findall(shorten_runs(unquoted_lines(spoken)))}
    own = said - claims.scores
    if said and not own:
        return Failure(UNPARSABLE, "the only score is one that the graded text claims for itself")
    return _single_score(own, spoken)


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
