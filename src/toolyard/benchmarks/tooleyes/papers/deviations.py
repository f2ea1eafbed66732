"""Where the paper's definitions and the released scorer part."""

from __future__ import annotations

from toolyard.benchmarks.tooleyes.scoring.official import substitutes
from toolyard.core.benchmark import Deviation

DEVIATIONS = (
    Deviation(
        "answer_organization",
        paper="pass times quality (Equation 5); no answer in time is worth 0",
        official="quality alone; the sentence that a forced stop puts in the model's place is judged like an answer",
        size="nine good rounds without an answer, judge 7: 0.0 against 0.7",
    ),
    Deviation(
        "tool_selection",
        paper="mean over valid rounds of reality times match (Equation 4), the answering round among them",
        official="mean reality of valid rounds before the last, times mean match with the last and the forced one",
        size="an answer at once, judge 10: 1.0 against 0.0",
    ),
    Deviation(
        "tool_reality",
        paper="every valid round is looked at by itself",
        official="after the first unknown tool no parameters are looked at; a required name once given is never missed",
        size="unknown tool, then wrong parameters, then finish: 0.333 against 0.5",
    ),
    Deviation(
        "format_alignment",
        paper="keywords, no redundant text, readable object, also when finishing; a forced turn is no round",
        official="replies are repaired before they are stored, so that a missing thought or chatter before it goes unseen; "
        "finish's arguments are not read; a forced turn is an invalid one",
        size="nine good rounds and a forced stop: 1.0 against 0.9; chatter before every thought: 0.0 against 1.0",
    ),
    Deviation(
        "format_alignment",
        paper="arguments may be JSON or a Python literal",
        official="arguments are evaluated as Python, so that true, false and null are errors and print(1) is none",
        size='{"names": true}, then finish: 1.0 against 0.5',
    ),
    Deviation(
        "answer_pass",
        paper="1 if the model finishes within nine rounds",
        official="0 only if the last turn is the one that the released loop wrote",
        size="a trajectory that ends without an answer: 0.0 against 1.0 or a crash",
    ),
    Deviation(
        "all judged",
        paper="a whole number from 1 to 10 on one line, one lenient second reading, unscored otherwise; a score that the "
        "judge quotes from what it grades does not count",
        official="the first digit after the first label; N/A is 0; without a label the evaluation crashes",
        size='"Evaluation Score: 8.5": 8.5 against 8; an injected 10 quoted before a 1: 1 against 10',
    ),
    Deviation(
        "answer_quality",
        paper="relevance and accuracy (Section 2.4); Table 19 repeats Table 15 and is taken for a misprint",
        official="relevance, accuracy and helpful suggestions, which our prompt asks for, too",
        size="changes what judges answer, not how it is scored",
    ),
    Deviation(
        "groups",
        paper="every trajectory counts in its own scenario",
        official="two RS queries share their text with TG ones, and the TG trajectory is counted for both",
        size="2 of 56 RS samples",
        substitutes=substitutes,
    ),
)
