"""Decisions and comparisons: yes or no, and which of several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolyard.benchmarks.tooleyes.checks.answer_layout import Passage, fold
from toolyard.benchmarks.tooleyes.checks.fact_checks import Fact, StatementVerdict
from toolyard.benchmarks.tooleyes.checks.fact_values import Spot
from toolyard.benchmarks.tooleyes.checks.labels import label_spots
from toolyard.benchmarks.tooleyes.checks.polarity import NO, YES, phrase_denied, unsure

# Verbs that speak of the name before them, whatever name follows: "Delhi beat Lucknow", "Lucknow lost to Delhi".
_OF_THE_FIRST = frozenset(
    ["beat", "beats", "exceeded", "exceeds", "surpassed", "surpasses", "topped", "lost", "loses", "lose"]
)
_EQUAL = re.compile(
    r"\b(?:about|take|takes|have|has|are|is|costs?) (?:about |roughly |nearly |almost |exactly )?"
    r"(?:the same|equal|equally|identical)\b|\bno difference\b"
)
_CLAUSE = re.compile(r",\s|[;:()]|\s-\s|\band\b|\bbut\b|\bso\b")


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
    spoken = set(_spoken(decision, said)) | set(_plain_words(said))
    if len(spoken) == 2 or None in spoken:
        return StatementVerdict(False, "the answer says both yes and no")
    if not spoken and decision.implied:
        return StatementVerdict(True)
    if not spoken and any(_says_more(passage.text, facts) for passage in said):
        return StatementVerdict(None, "the answer may decide in words that no rule knows")
    if not spoken:
        return StatementVerdict(False, "the answer does not decide")
    if spoken == {decision.answer}:
        return StatementVerdict(True)
    return StatementVerdict(False, f"the answer says {'no' if decision.answer else 'yes'}")


def _says_more(text: str, facts: Sequence[Fact]) -> bool:
    """Whether a clause of some length states none of the facts."""
    spots = [spot for fact in facts for spot in fact.spots(text)]
    start = 0
    for cut in [*_CLAUSE.finditer(text), None]:
        end = cut.start() if cut else len(text)
        if len(text[start:end].split()) >= 3 and not any(start <= spot.start < end for spot in spots):
            return True
        start = cut.end() if cut else end
    return False


def _plain_words(said: Sequence[Passage]) -> Iterator[bool]:
    """A yes or no that opens the answer, or stands alone."""
    for place, passage in enumerate(said):
        plain = fold(passage.text)
        alone = len(plain.split()) <= 2
        if (place == 0 or alone) and YES.match(plain):
            yield True
        if (place == 0 or alone) and NO.match(plain):
            yield False


def _spoken(decision: YesOrNo, said: Sequence[Passage]) -> Iterator[bool | None]:
    for passage in said:
        for phrases, meaning in ((decision.yes, True), (decision.no, False)):
            for spot in _longest(passage.text, phrases, decision):
                if unsure(passage.text, spot):
                    yield None
                elif phrase_denied(passage.text, spot):
                    yield not meaning
                else:
                    yield meaning


def _longest(text: str, phrases: Sequence[str], decision: YesOrNo) -> list[Spot]:
    """The phrases' places without those inside a longer phrase ("open" in "not open")."""
    every = label_spots(text, (*decision.yes, *decision.no), bent=False)
    mine = label_spots(text, phrases, bent=False)
    return [
        at
        for at in dict.fromkeys(mine)
        if not any(one.start <= at.start and at.end <= one.end and one != at for one in every)
    ]


def choice_verdict(choice: OneOfSeveral, said: Sequence[Passage]) -> StatementVerdict:
    """Whether the answer singles out the right one, by name or by what it says of the others."""
    picked = {found for passage in said for found in _picked(choice, passage)}
    if picked == {True}:
        return StatementVerdict(True)
    if picked:
        return StatementVerdict(
            False,
            f"the answer does not choose {choice.chosen[0]}"
            if picked == {False}
            else "the answer chooses both",
        )
    if any(_EQUAL.search(fold(passage.text)) for passage in said):
        return StatementVerdict(False, "the answer calls them equal")
    if not any(
        label_spots(text, choice.chosen) for passage in said for text in (passage.text, *passage.context)
    ):
        return StatementVerdict(False, f"the answer does not name {choice.chosen[0]}")
    return StatementVerdict(True)


def _picked(choice: OneOfSeveral, passage: Passage) -> Iterator[bool]:
    text = passage.text
    names = [(spot, True) for spot in label_spots(text, choice.chosen)]
    names += [(spot, False) for spot in label_spots(text, choice.others) if not _covered(spot, names)]
    names += _pointers(text, names)
    names.sort(key=lambda one: one[0].start)
    for cues, more in ((choice.more, True), (choice.less, False)):
        for cue in label_spots(text, cues):
            subject = _subject(text, cue, names)
            if subject is None:
                continue
            if _cue_denied(text, cue, subject[0]):
                yield subject[1] != more
            else:
                yield subject[1] == more


def _covered(spot: Spot, names: Sequence[tuple[Spot, bool]]) -> bool:
    return any(one.start <= spot.start and spot.end <= one.end for one, _ in names)


def _pointers(text: str, names: Sequence[tuple[Spot, bool]]) -> list[tuple[Spot, bool]]:
    """ "the former" and "the latter" stand for the first and the last name before them."""
    found = []
    for at in re.finditer(r"\b(?:the )?(former|latter)\b", fold(text)):
        before = sorted((one for one in names if one[0].end <= at.start()), key=lambda one: one[0].start)
        if before:
            found.append((Spot(*at.span()), (before[0] if at[1] == "former" else before[-1])[1]))
    return found


def _subject(text: str, cue: Spot, names: Sequence[tuple[Spot, bool]]) -> tuple[Spot, bool] | None:
    """Of whom a comparison speaks: the name before it, or the first one behind it that no "than" parts from it."""
    plain = fold(text)
    before = [one for one in names if one[0].end <= cue.start]
    after = [one for one in names if one[0].start >= cue.end]
    than = re.search(r"\b(?:than|against|compared|versus|vs|over)\b", plain[cue.end :])
    limit = cue.end + than.start() if than else len(plain)
    nearer = [one for one in after if one[0].start < limit]
    if before:
        gap = plain[before[-1][0].end : cue.start]
        if (
            not re.search(r"[;.](?!\d)|\band (?:the )?$", gap)
            and len(gap) < 120
            and not _owns(plain, cue, nearer)
        ):
            return before[-1]
    if nearer:
        return nearer[0]
    return before[-1] if before else None


def _owns(plain: str, cue: Spot, nearer: Sequence[tuple[Spot, bool]]) -> bool:
    """Whether the name right behind the comparison is its subject: "the longer one is Cairo", "warmer in Lima"."""
    if not nearer or plain[cue.start : cue.end] in _OF_THE_FIRST:
        return False
    gap = plain[cue.end : nearer[0][0].start]
    return (
        re.match(
            r"^\s*(?:one|flight|option|of the two|city|wording|distance|is|in|for|was|at|:|the|would be|,|\s|\(|-|"
            r"has|goes to|to)*$",
            gap,
        )
        is not None
    )


def _cue_denied(text: str, cue: Spot, name: Spot) -> bool:
    low, high = sorted((name.end, cue.start))
    return re.search(r"\bnot\b|n't\b|\bno\b|\bnever\b", fold(text[low:high])) is not None
