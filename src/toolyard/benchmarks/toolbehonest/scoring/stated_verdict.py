"""The verdict that words state: the clause with the verdict word decides, and a negation in it turns it round.

`solvable` and its kin count before a leading yes or no, and that before other words for enough. Questions and conditions
state nothing; words that contradict each other state nothing either.
"""

import re

VERDICTS = ("solvable", "unsolvable")

_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]*")
_SUPPOSED = re.compile(r"\bif\b(?![^.!?\n]*\b(?:otherwise|else)\b)[^.!?\n]*")
# "It is solvable, isn't it?" asks nothing.
_TAG = re.compile(r",\s?(?:is|are)n't (?:it|they)\?")
_CLAUSE = re.compile(
    r"[.!;:,\n()–—]|\s-\s|\b(?:but|so|because|since|therefore|hence|thus|although|though|however|while)\b"
)
_YES_OR_NO = re.compile(r"(?:^|[.?!]\s)\W{0,3}(?P<word>yes|no)(?=\s*(?:[,.:;!*–—]|-\s|$))")
_POSITIVE = re.compile(r"\b(?:solvable|solved)\b")
_NEGATIVE = re.compile(r"\b(?:unsolvable(?:query)?|unsolved)\b")
_DONE = r"(?:do(?:ne)?|(?:solv|complet|accomplish|fulfil|handl|achiev|finish|cover)(?:e?d?|led)|carr(?:y|ied) out)"
_ENOUGH = re.compile(
    r"\b(?:feasible|doable|achievable|possible|enough|suffic(?:es?|ient)|adequate|cover(?:s|ed)?"
    r"|all (?:that )?(?:is|i|you|we) needs?(?:ed)?"
    rf"|(?:can(?:not|'t)?|could|will|won't)(?: (?:not|never|be|fully|all|only|partly|partially))* {_DONE})\b"
)
_LACKING = re.compile(r"\b(?:infeasible|impossible|in(?:sufficient|adequate)|missing|lack(?:s|ing)?)\b")
_NO_TOOL = re.compile(r"\b(?:no|none|neither|nothing)\b[^.]{0,40}?\b(?:tools?|list(?:ed)?|does|gives|has)\b")
_TURNED = re.compile(
    r"\b(?:not|no|none|neither|never|nothing|nobody|cannot|doubt|hardly|barely|scarcely|far from)\b|n't\b"
)
_PARTIAL = re.compile(r"\b(?:partly|partial(?:ly)?|in part|half|part of|only (?:part|some|for))\b")
_CONDITION = re.compile(r"\b(?:whether|unless|were|would (?:only )?be)\b")
# A negation further before belongs to something else: "no tool for mails makes this unsolvable".
_NEAR_WORDS, _NEAR_LETTERS = 3, 100


def stated_verdict(text: str) -> str:
    """The verdict that a text states in words; empty where it states none, or two."""
    plain = _TAG.sub(".", text.lower().replace("’", "'").replace("*", ""))
    answers = {VERDICTS[found["word"] == "no"] for found in _YES_OR_NO.finditer(plain)}
    clauses = [
        clause
        for sentence in _SENTENCE.findall(plain)
        if "?" not in sentence
        for clause in _CLAUSE.split(_SUPPOSED.sub(" ", sentence))
        if not _CONDITION.search(clause)
    ]
    strong = {said for clause in clauses for said in _verdicts_in_clause(clause, _POSITIVE, _NEGATIVE)}
    weak = {
        said
        for clause in clauses
        for said in _verdicts_in_clause(clause, _ENOUGH, _LACKING)
        or ({VERDICTS[1]} if _NO_TOOL.search(clause) else set())
    }
    # One verdict if this and the other one if that is none.
    supposed = _CLAUSE.split("\n".join(_SUPPOSED.findall(plain)))
    depends = {said for clause in supposed for said in _verdicts_in_clause(clause, _POSITIVE, _NEGATIVE)}
    found = strong or (depends if len(depends) > 1 else answers or weak)
    return found.pop() if len(found) == 1 else ""


def _verdicts_in_clause(clause: str, positive: re.Pattern[str], negative: re.Pattern[str]) -> set[str]:
    found = set()
    turn, partial = _TURNED.search(clause), _PARTIAL.search(clause) is not None
    for match in positive.finditer(clause):
        found.add(VERDICTS[partial or (turn is not None and turn.end() <= match.end())])
    for match in negative.finditer(clause):
        near = " ".join(clause[max(0, match.start() - _NEAR_LETTERS) : match.start()].split()[-_NEAR_WORDS:])
        found.add(VERDICTS[_TURNED.search(near) is None])
    return found
