"""Answers read exactly as the released scorer reads them, its strictness included.

Level 3 steps follow one pattern there: `Subgoal N:`, text, ` Planned tool:` on the same line, and a name of
word characters, blanks, `+` and `-` that runs to the end of a line; anything else is dropped and all later
steps move up. The pattern is walked here by hand, because a backtracking search over it takes quadratic time.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from toolyard.benchmarks.toolbehonest.scoring.plan_progress import PlanStep, without_finish_step

_OPEN, _CLOSE = "<answer>", "</answer>"
_START = re.compile(r"Subgoal \d+[:：]")
_PLANNED = re.compile(r" Planned tool[:：]")
_NAME_CHARACTERS = re.compile(r"[\w\s+\-]*")
_BLANKS = re.compile(r"\s*")
_SUBGOAL_LABEL = re.compile(r"Subgoal\s*\d+[:：]\s*(.*)")


def official_verdict(text: str) -> str:
    """The level-1 label in lower case; empty without a pair of tags on one line."""
    return (one_line_body(text) or "").strip().lower()


def planned_names(text: str) -> tuple[str, ...]:
    """The level-2 lines as they are, only the whole stripped; one empty name without tags."""
    body = text_in_answer_tags(text)
    return ("",) if body is None else tuple(body.strip().split("\n"))


def planned_steps(text: str) -> tuple[PlanStep, ...]:
    """The level-3 steps without a closing Finish; none without tags."""
    body = text_in_answer_tags(text)
    return () if body is None else without_finish_step(tuple(_steps_in_order(body.strip())))


def text_in_answer_tags(text: str) -> str | None:
    """What stands in the first pair of answer tags."""
    start = text.find(_OPEN)
    end = text.find(_CLOSE, start + len(_OPEN)) if start >= 0 else -1
    return text[start + len(_OPEN) : end] if end >= 0 else None


def one_line_body(text: str) -> str | None:
    """What stands in the first pair of answer tags that no line break parts."""
    for line in text.split("\n"):
        body = text_in_answer_tags(line)
        if body is not None:
            return body
    return None


@dataclass(frozen=True, slots=True)
class _Planned:
    """A ` Planned tool:` whose name can be read: where it begins, where the name ends, the name."""

    begin: int
    end: int
    name: str


def _steps_in_order(body: str) -> Iterator[PlanStep]:
    planned = list(_readable_steps(body))
    begins = [place.begin for place in planned]
    breaks = [match.start() for match in re.finditer("\n", body)]
    resume = 0
    for start in _START.finditer(body):
        if start.start() < resume:
            continue
        place = _closing_plan_label(body, start.end(), planned, begins, breaks)
        if place is None:
            continue
        resume = place.end
        label = body[start.start() : place.begin].strip()
        yield PlanStep(_SUBGOAL_LABEL.sub(r"\1", label), place.name)


def _readable_steps(body: str) -> Iterator[_Planned]:
    for match in _PLANNED.finditer(body):
        begin = match.end()
        run = _NAME_CHARACTERS.match(body, begin)
        end = run.end() if run else begin
        if end < len(body):
            end = body.rfind("\n", begin + 1, end)
        if end > begin:
            yield _Planned(match.start(), end, body[begin:end].strip())


def _closing_plan_label(
    body: str, colon: int, planned: list[_Planned], begins: list[int], breaks: list[int]
) -> _Planned | None:
    """The ` Planned tool:` that closes the step whose label ends at `colon`."""
    blanks = _BLANKS.match(body, colon)
    first = blanks.end() if blanks else colon
    line = bisect_left(breaks, first)
    line_end = breaks[line] if line < len(breaks) else len(body)
    after = bisect_left(begins, first)
    if after < len(begins) and begins[after] < line_end:
        return planned[after]
    # An empty description: the blank before "Planned" is the last one after the colon.
    before = bisect_left(begins, first - 1)
    if colon < first and before < len(begins) and begins[before] == first - 1:
        return planned[before]
    return None
