"""Decisions: yes or no, and which of several; and which side is right by what the plan's calls returned.

{"if": {"$": "0.price"}, "over": {"$": "1.price"}}        the first is larger, or later
{"if": {"$": "0.status"}, "is": "open"}                   both are equal
{"if": {"$": "0.summary", "find": "rain (\\\\d+) mm"}, "over": 0}     a part of a text
{"if": {"$": "0.summary"}, "has": "rain|shower"}          a text or list holds one of these
{"if": {"$": "0.sponsors[name=Merck]"}}                   there is such a thing, and it is not false
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from toolyard.benchmarks.tooleyes.data.references import as_number, look_up, parse
from toolyard.benchmarks.tooleyes.scoring.checks.fact_verdicts import (
    Fact,
    StatementVerdict,
    is_unsure,
    label_spots,
)
from toolyard.benchmarks.tooleyes.scoring.checks.passages import Passage, fold_letters
from toolyard.benchmarks.tooleyes.scoring.checks.stated_values import Spot
from toolyard.core.types import Failure, JsonValue, Record

RELATIONS = frozenset({"over", "is", "has"})
COMPARISON = RELATIONS | {"if"}
# Verbs that speak of the name before them, whatever name follows: "Delhi beat Lucknow", "Lucknow lost to Delhi".
_OF_THE_FIRST = frozenset(
    {"beat", "beats", "exceeded", "exceeds", "surpassed", "surpasses", "topped", "lost", "loses", "lose"}
)
_EQUAL = re.compile(
    r"\b(?:about|roughly|exactly|takes?|ha(?:ve|s)|are|is|costs?) (?:the same|equal|equally|identical)\b|\bno difference\b"
)
_PART = re.compile(r",\s|[;:()]|\s-\s|\band\b|\bbut\b|\bso\b")
_CLAUSE = re.compile(r"[,;:()]|\s-\s|\b(?:but|however|although|though|whereas|while|because|since|so)\b")
_NO = re.compile(
    r"\bnot\b(?! (?:only|just|merely)\b)|n't\b|\bnever\b|\bno\b(?! (?:doubt|question|problem))|\bnone\b|"
    r"\bwithout\b|\bneither\b|"
    r"\bnor\b|\bhardly\b|\bcannot\b|\bfree of\b|\bunable\b|\bfails? to\b|\blacks?\b|\bunnecessary\b|\bavoid\b"
)
_NO_BEHIND = re.compile(
    r"(?:\s[\w-]+){0,3}?\s?(?:is|are|was|were|will|does|do|can)?(?:n't\b|\s?(?:not|never|no longer|cannot|"
    r"impossible)\b)|\s+(?:is|are) un\w+\b"
)
_YES = re.compile(
    r"^\W*(?:yes|yep|yeah|indeed|correct|certainly|absolutely|definitely|of course|sure|right|true|affirmative)\b"
)
_NAY = re.compile(
    r"^\W*(?:no|nope|negative|false|incorrect|unfortunately,? no|sorry,? no|not really)\b(?! (?:problem|worries|"
    r"doubt|\.?\s?\d))"
)


@dataclass(frozen=True, slots=True)
class YesOrNo:
    """A question with yes or no; `yes` and `no` are phrases that say so, `implied` ones may be left unsaid."""

    answer: bool
    yes: tuple[str, ...]
    no: tuple[str, ...]
    implied: bool = False
    said: str = ""
    denied: str = ""


@dataclass(frozen=True, slots=True)
class OneOfSeveral:
    """One of several: `more` are the words that single it out, `less` those that single out the others."""

    chosen: tuple[str, ...]
    others: tuple[str, ...]
    more: tuple[str, ...]
    less: tuple[str, ...] = ()
    said: str = ""
    denied: str = ""


def decision_verdict(
    decision: YesOrNo, said: Sequence[Passage], facts: Sequence[Fact] = ()
) -> StatementVerdict:
    """Whether the answer decides rightly; what it says twice must agree.

    Where nothing besides the facts is said there is no decision; other words may hold one that no rule knows.
    """
    spoken = {meaning for passage in said for meaning in _meanings_of_phrases(decision, passage.text)}
    for place, passage in enumerate(said):
        plain = fold_letters(passage.text)
        if place == 0 or len(plain.split()) <= 2:
            spoken |= {meaning for pattern, meaning in ((_YES, True), (_NAY, False)) if pattern.match(plain)}
    if len(spoken) == 2 or None in spoken:
        return StatementVerdict(False, "the answer says both yes and no")
    if spoken:
        return StatementVerdict(
            spoken == {decision.answer}, f"the answer says {'no' if decision.answer else 'yes'}"
        )
    if decision.implied:
        return StatementVerdict(True)
    if any(_says_more(passage.text, facts) for passage in said):
        return StatementVerdict(None, "the answer may decide in words that no rule knows")
    return StatementVerdict(False, "the answer does not decide")


def _says_more(text: str, facts: Sequence[Fact]) -> bool:
    """Whether a clause of some length states none of the facts."""
    spots = [spot for fact in facts for spot in fact.spots(text)]
    ends = [*((cut.start(), cut.end()) for cut in _PART.finditer(text)), (len(text), len(text))]
    starts = [0, *(end for _, end in ends)]
    return any(
        len(text[start:end].split()) >= 3 and not any(start <= spot.start < end for spot in spots)
        for start, (end, _) in zip(starts, ends, strict=False)
    )


def _meanings_of_phrases(decision: YesOrNo, text: str) -> Iterator[bool | None]:
    """What the phrases of a passage say, without those inside a longer phrase ("open" in "not open")."""
    every = label_spots(text, (*decision.yes, *decision.no), bent=False)
    for phrases, meaning in ((decision.yes, True), (decision.no, False)):
        for spot in dict.fromkeys(label_spots(text, phrases, bent=False)):
            if not any(one.start <= spot.start and spot.end <= one.end and one != spot for one in every):
                yield None if is_unsure(text, spot) else meaning != _phrase_denied(text, spot)


def _phrase_denied(text: str, spot: Spot) -> bool:
    """Whether a phrase such as "change planes" is denied: a negation before it in its clause, or right behind it."""
    plain = fold_letters(text)
    left = max((cut.end() for cut in _CLAUSE.finditer(plain, 0, spot.start)), default=0)
    following = _CLAUSE.search(plain, spot.end)
    after = plain[spot.end : following.start() if following else len(plain)]
    return (len(_NO.findall(plain[max(left, spot.start - 80) : spot.start])) % 2 == 1) != (
        _NO_BEHIND.match(after) is not None
    )


def choice_verdict(choice: OneOfSeveral, said: Sequence[Passage]) -> StatementVerdict:
    """Whether the answer singles out the right one, by name or by what it says of the others."""
    picked = {found for passage in said for found in _find_picks(choice, passage.text)}
    if picked:
        reason = (
            "the answer chooses both"
            if len(picked) == 2
            else f"the answer does not choose {choice.chosen[0]}"
        )
        return StatementVerdict(picked == {True}, reason)
    if any(_EQUAL.search(fold_letters(passage.text)) for passage in said):
        return StatementVerdict(False, "the answer calls them equal")
    named = any(
        label_spots(text, choice.chosen) for passage in said for text in (passage.text, *passage.context)
    )
    return StatementVerdict(named, f"the answer does not name {choice.chosen[0]}")


def _find_picks(choice: OneOfSeveral, text: str) -> Iterator[bool]:
    chosen = label_spots(text, choice.chosen)
    others = [
        at
        for at in label_spots(text, choice.others)
        if not any(one.start <= at.start and at.end <= one.end for one in chosen)
    ]
    names = sorted(
        [*((at, True) for at in chosen), *((at, False) for at in others)], key=lambda one: one[0].start
    )
    for at in re.finditer(r"\b(?:the )?(former|latter)\b", fold_letters(text)):
        before = [one for one in names if one[0].end <= at.start()]
        if before:
            names.append((Spot(*at.span()), before[0 if at[1] == "former" else -1][1]))
    names.sort(key=lambda one: one[0].start)
    for cues, more in ((choice.more, True), (choice.less, False)):
        for cue in label_spots(text, cues):
            subject = _subject_of_comparison(text, cue, names)
            if subject is not None:
                low, high = sorted((subject[0].end, cue.start))
                turned = (
                    re.search(r"\bnot\b|n't\b|\bno\b|\bnever\b", fold_letters(text[low:high])) is not None
                )
                yield (subject[1] == more) != turned


def _subject_of_comparison(
    text: str, cue: Spot, names: Sequence[tuple[Spot, bool]]
) -> tuple[Spot, bool] | None:
    """Of whom a comparison speaks: the name before it, or the first one behind it that no "than" parts from it."""
    plain = fold_letters(text)
    before = [one for one in names if one[0].end <= cue.start]
    than = re.search(r"\b(?:than|against|compared|versus|vs|over)\b", plain[cue.end :])
    limit = cue.end + than.start() if than else len(plain)
    behind = [one for one in names if cue.end <= one[0].start < limit]
    if before:
        gap = plain[before[-1][0].end : cue.start]
        if (
            not re.search(r"[;.](?!\d)|\band (?:the )?$", gap)
            and len(gap) < 120
            and not _owns_comparison(plain, cue, behind)
        ):
            return before[-1]
    return behind[0] if behind else before[-1] if before else None


def _owns_comparison(plain: str, cue: Spot, behind: Sequence[tuple[Spot, bool]]) -> bool:
    """Whether the name right behind the comparison is its subject: "the longer one is Cairo", "warmer in Lima"."""
    if not behind or plain[cue.start : cue.end] in _OF_THE_FIRST:
        return False
    little = (
        r"\s*(?:one|flight|option|of the two|city|wording|distance|is|in|for|was|at|:|the|would be|,|\s|\(|"
        r"-|has|goes to|to)*"
    )
    return re.fullmatch(little, plain[cue.end : behind[0][0].start]) is not None


@dataclass(frozen=True, slots=True)
class ComparedValues:
    """A reference, how it is compared, and with what: a value or a reference."""

    left: Record
    relation: str = ""
    right: object = None

    def holds(self, observations: Sequence[JsonValue]) -> bool | Failure | None:
        """Whether it is so; None where neither of two sides is larger."""
        found = find_reference(self.left, observations)
        if not self.relation:
            return not isinstance(found, Failure) and bool(found)
        other = find_reference(self.right, observations) if isinstance(self.right, Mapping) else self.right
        for side in (found, other):
            if isinstance(side, Failure):
                return side
        if self.relation == "has":
            text = " | ".join(map(str, found)) if isinstance(found, list) else str(found)
            return any(part.strip().lower() in text.lower() for part in str(other).split("|") if part.strip())
        first, second = as_number(found), as_number(other)
        if self.relation == "is":
            return str(found).lower() == str(other).lower() or (first is not None and first == second)
        if first is None or second is None:
            return None if str(found) == str(other) else str(found) > str(other)
        return None if first == second else first > second


def find_reference(written: Record, observations: Sequence[JsonValue]) -> JsonValue | Failure:
    """What a reference points to, as far as `find` matches it."""
    found = look_up(written["$"], observations)
    if isinstance(found, Failure) or not written.get("find"):
        return found
    part = re.search(written["find"], str(found), re.DOTALL)
    if part is None:
        return Failure("not_found", f"nothing like {written['find']!r} at {written['$']!r}")
    return part.group(1) if part.groups() else part.group()


def read_comparison(written: Record) -> ComparedValues | Failure | None:
    """The comparison of a decision; None where it has none, a failure where it is not written as one."""
    given = sorted(RELATIONS & set(written))
    if "if" not in written and not given:
        return None
    left, right = written.get("if"), written[given[0]] if given else None
    if len(given) > 1 or not _is_side(left) or (isinstance(right, Mapping) and not _is_side(right)):
        return Failure("wrong_field", 'a comparison is {"if": {"$": "0.a"}, "over": {"$": "1.b"}}')
    return ComparedValues(left, given[0] if given else "", right)


def _is_side(written: object) -> TypeGuard[Record]:
    if not isinstance(written, Mapping) or not set(written) <= {"$", "find"}:
        return False
    try:
        re.compile(written.get("find", ""))
    except (TypeError, re.error):
        return False
    return isinstance(written.get("$"), str) and parse(written["$"]) is not None
