"""Answers read as a person would: white space, numbering, brackets, bold marks and full stops do not count.

Still wanted is the contract of the prompt: one closed pair of answer tags with one tool per line (level 2) or
`Subgoal N: ... Planned tool: NAME` (level 3). Of several pairs the last that is not empty counts, because
models quote the example first.
"""

import re
from collections.abc import Collection, Iterator

from toolyard.benchmarks.toolbehonest.scoring.plan_progress import PlanStep, without_finish_step
from toolyard.core.types import Failure
from toolyard.text.parsing import strip_thinking

_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)
_NUMBER = re.compile(r"(?:[-*•]\s+)?(?:(?:step\s*)?\d{1,4}\s*[.):：、]\s*)?", re.IGNORECASE)
_SUBGOAL = re.compile(r"(?:Subgoal|子目标)\s{0,4}\d{1,6}\s{0,4}(?:\*\*)?[:：]", re.IGNORECASE)
_PLANNED = re.compile(r"(?:Planned tool|计划工具)\s{0,4}(?:\*\*)?[:：]", re.IGNORECASE)
_BRACKETS = {"[": "]", "(": ")", "{": "}", "<": ">", "`": "`", '"': '"', "'": "'", "“": "”", "【": "】"}
_STOPS = frozenset(".。;；,，")
_MARKS = frozenset("*")


def answer_body(text: str) -> str | Failure:
    """What stands in the last pair of answer tags that is not empty."""
    visible = strip_thinking(text)
    if visible is None:
        return Failure("thinking_not_closed")
    body: str | None = None
    opened: int | None = None
    for tag in _TAG.finditer(visible):
        if not tag.group(1):
            opened = tag.end()
        elif opened is not None:
            found = visible[opened : tag.start()].strip()
            body, opened = found or body, None
    return Failure("no_answer_tags", visible[-80:]) if body is None else body


def paper_verdict(body: str) -> str:
    """The label in lower case, without marks and stops around it."""
    return bare_name(body).lower()


def planned_steps_of_names(body: str, known: Collection[str]) -> tuple[PlanStep, ...]:
    """The level-2 plan: one name per line, blank lines aside, without a closing Finish."""
    # Models copy the separator of the instruction literally; no tool name may hold a backslash.
    lines = (line.strip() for line in body.replace("\\n", "\n").splitlines())
    return without_finish_step(tuple(PlanStep("", _name_on_line(line, known)) for line in lines if line))


def planned_steps(body: str, known: Collection[str]) -> tuple[PlanStep, ...]:
    """The level-3 plan; a subgoal without a planned tool is a step with an empty name."""
    return without_finish_step(tuple(_steps_of_plan(body.replace("\\n", "\n"), known)))


def _steps_of_plan(body: str, known: Collection[str]) -> Iterator[PlanStep]:
    labels = list(_SUBGOAL.finditer(body))
    ends = [*(label.start() for label in labels[1:]), len(body)]
    for label, end in zip(labels, ends, strict=False):
        segment = body[label.end() : end]
        planned = _PLANNED.search(segment)
        if planned is None:
            yield PlanStep(bare_subgoal(segment), "")
            continue
        lines = segment[planned.end() :].strip().splitlines()
        yield PlanStep(
            bare_subgoal(segment[: planned.start()]), _name_on_line(lines[0], known) if lines else ""
        )


def _name_on_line(line: str, known: Collection[str]) -> str:
    line = line.strip()
    if line in known:
        return line
    number = _NUMBER.match(line)
    return bare_name(line[number.end() :] if number else line)


def bare_name(text: str) -> str:
    """The text without white space, bold marks, brackets and quotes around it, and without closing stops."""
    low, high = 0, len(text)
    while low < high:
        first, last = text[low], text[high - 1]
        if first.isspace() or first in _MARKS:
            low += 1
        elif last.isspace() or last in _MARKS or last in _STOPS:
            high -= 1
        elif high - low > 1 and _BRACKETS.get(first) == last:
            low, high = low + 1, high - 1
        else:
            break
    return text[low:high]


def bare_subgoal(text: str) -> str:
    """The description without white space and bold marks around it, and without brackets that hold all of it."""
    text = text.strip().strip("*").strip()
    if text.startswith("[") and text.find("]") == len(text) - 1:
        return text[1:-1].strip()
    return text
