"""Whether a passage affirms, denies or leaves open what it mentions."""

from __future__ import annotations

import re
from functools import lru_cache

from toolyard.benchmarks.tooleyes.checks.answer_layout import fold
from toolyard.benchmarks.tooleyes.checks.fact_values import Spot

_SMALL = (
    r"(?:a|an|the|in|at|on|of|by|from|to|as|for|with|exactly|actually|really|quite|be|been|called|named|equal|"
    r"worth|about|around|"
    r"approximately|since|until|[$€£¥₹\"'(#])"
)
_DENIAL = (
    r"(?:\bnot\b(?! (?:only|just|merely|until|later|more|less|far)\b)|n't\b|\bnever\b|\bno longer\b|\bneither\b|"
    r"\bnor\b|\brather than\b|"
    r"\binstead of\b|\bunlike\b|\bother than\b|\bexcept(?: for)?\b|\bexcluding\b|\bcontrary to\b|\bby no means\b|"
    r"\bfar from\b|"
    r"\bused to be\b|\bcannot be\b|\bincorrect(?:ly)?\b|\bwrong(?:ly)?\b|\bnicht\b|\bno es\b|\bpas\b)"
)
_DENIED_BEFORE = re.compile(rf"{_DENIAL}(?:\s+(?:[\w'-]+))?(?:\s*{_SMALL})*\s*$")
_DENIED_AFTER = re.compile(
    r"^[\s\"')]*(?:\w+ ){0,2}(?:is|was|are|were|does|do|did|has|have|would|will)(?:n't| not|"
    r",? however,? not)\s(?:the|an?|it|right|correct|among|"
    r"one|have|what|take|cost|that)\b|^[\s\"')]*(?:is|was|are|were) (?:wrong|incorrect|false|not (?:right|correct|true))\b|"
    r"^[\s\"')]*(?:is|are|does|do|has|was|were)(?:n't| not)[.,!]?\s*$"
)
_UNSURE = re.compile(
    r"\b(?:(?:could|might|may) (?:also |well |possibly )?(?:be|have|cost|lie)|not (?:\w+ )?(?:sure|certain)|"
    r"unsure|unclear|no idea|i guess|my guess|guessing|"
    r"can(?:no|')t (?:say|tell|be sure|confirm|verify|determine|decide)|cannot (?:say|tell|be sure|confirm|verify|"
    r"determine|decide)|either|maybe|perhaps|possibly|"
    r"hard to say|impossible to (?:say|tell)|don't know|do not know|somewhere between|anywhere from|"
    r"if i (?:remember|recall))\b"
)
_RETRACTED = re.compile(
    r"(?:\.\.\.|,|-)\s*sorry\b|"
    r"\b(?:no,? wait|wait,? no|scratch that|correction|on second thought|i take that back|strike that|actually,? no)\b"
)
_NO_DENIAL = re.compile(
    r"\bnot\b(?! (?:only|just|merely)\b)|n't\b|\bnever\b|\bno\b(?! (?:doubt|question|problem|worries))|\bnone\b|"
    r"\bwithout\b|\bneither\b|\bnor\b|\bno longer\b|"
    r"\bhardly\b|\bcannot\b|\bfree of\b|\bunable\b|\bfails? to\b|\blacks?\b|\bunnecessary\b|\bneedn't\b|\bavoid\b|"
    r"\bnicht\b|\bkein\w*\b|\bnada\b"
)
_CLAUSE = re.compile(r"[,;:()]|\s-\s|\b(?:but|however|although|though|whereas|while|because|since|so)\b")
YES = re.compile(
    r"^\W*(?:yes|yep|yeah|indeed|correct|certainly|absolutely|definitely|of course|sure|right|true|affirmative|ja|"
    r"oui|si|sí)\b"
)
NO = re.compile(
    r"^\W*(?:no|nope|nay|negative|false|incorrect|unfortunately,? no|sorry,? no|not really|nein|"
    r"non)\b(?! (?:problem|worries|doubt|\.?\s?\d))"
)


_UNSURE_AFTER = re.compile(
    r"^[^.]{0,14}?(?:,|\(|-)?\s*(?:i (?:cannot|can't|could not) (?:tell|say|be sure)|(?:i am|i'm) not sure|"
    r"not sure|or (?:maybe )?(?:not|something)|which is unclear)"
)
_MODAL = re.compile(r"could|might|may\b")


def denied(text: str, spot: Spot) -> bool:
    """Whether a negation reaches the mention: "is not X", "X isn't the one"."""
    before, after = text[max(0, spot.start - 90) : spot.start], text[spot.end : spot.end + 60]
    return _DENIED_BEFORE.search(fold(before)) is not None or _DENIED_AFTER.search(fold(after)) is not None


def unsure(text: str, spot: Spot) -> bool:
    """Whether the words before the mention leave it open."""
    if _UNSURE_AFTER.match(fold(text[spot.end : spot.end + 60])):
        return True
    before = fold(text[max(0, spot.start - 110) : spot.start])
    every = list(_UNSURE.finditer(before))
    if not every:
        return False
    found = every[-1]
    between = before[found.end() :]
    most = 2 if _MODAL.match(found.group()) else 6
    if re.search(r"sure|certain", found.group()):
        return len(between.split()) <= most and not re.search(r"\.\s|;", between)
    return len(between.split()) <= most and not re.search(r"\.\s|;|\bbut\b|\bmistaken\b", between)


def retracted(text: str) -> int:
    """Where the text takes back what it said before; -1 where it does not."""
    last = -1
    for found in _RETRACTED.finditer(fold(text)):
        last = found.start()
    return last


@lru_cache(maxsize=1024)
def clause_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The clause that holds a stretch of text."""
    plain = fold(text)
    left = max((cut.end() for cut in _CLAUSE.finditer(plain, 0, start)), default=0)
    following = _CLAUSE.search(plain, end)
    return left, following.start() if following else len(plain)


_DENIED_BEHIND = re.compile(
    r"\s*(?:is|are|was|were|will be|does|do)?\s?(?:not|n't|never|no longer)\b|n't\b|\s+(?:is|are) un\w+\b|"
    r"(?:\s[\w-]+){0,3}\s(?:is|are|was|were|does|do|will|can)(?:n't| not| no longer)\b|"
    r"(?:\s[\w-]+){0,3}\s(?:cannot|impossible)\b"
)


def phrase_denied(text: str, spot: Spot) -> bool:
    """Whether a phrase such as "change planes" is denied: a negation before it in its clause, or right behind it."""
    left, right = clause_around(text, spot.start, spot.end)
    before, after = fold(text[left : spot.start]), fold(text[spot.end : right])
    count = len(_NO_DENIAL.findall(before[-80:]))
    behind = _DENIED_BEHIND.match(after)
    return (count % 2 == 1) != (behind is not None)
