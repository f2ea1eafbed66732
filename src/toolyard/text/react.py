"""Reading of `Thought: / Action: / Action Input:` replies, as tolerant as a careful reader would be.

    Thought: The hall is known, the seat is not.
    Action: find_seat
    Action Input: {"hall": "north"}

What the released parsers make of such text stands in the benchmarks' own folders.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from toolyard.core.types import Failure, JsonValue
from toolyard.text.json_scan import FoundValue, plain_json
from toolyard.text.parsing import excerpt, read_literal, strip_thinking, value_at

# Every step may cost one pass over the text; without a bound, a reply made of labels would be quadratic.
MAX_STEPS = 256
NO_ARGUMENTS = Failure("empty")

_NAMES = r"thought|action[ \t_-]?input|action"
_BEFORE = r"""^[ \t>*#`"'_-]*+"""
_AFTER = r"(?:[ \t]*+[0-9]++)?+[ \t*_`]*+[:：][ \t*_]*+"
_LABEL_ON_ITS_LINE = re.compile(
    rf"(?:{_BEFORE}(?P<own>(?i:{_NAMES}))|\b(?P<inside>Action Input)){_AFTER}", re.MULTILINE
)
_LABEL_ANYWHERE = re.compile(rf"(?P<own>(?i:\b(?:{_NAMES})))(?P<inside>){_AFTER}")
_FENCE_BEFORE = re.compile(r"\s*+(?:```[A-Za-z]*+\s*+)?+")
_USUAL = {"Thought": "thought", "Action": "action", "Action Input": "input"}
_OPENINGS = ("{", "[")
_USUAL_FORM = re.compile(
    r"Thought:[ \t*_]*+([^\n]*+)\nAction:[ \t*_]*+([^\n]*+)\nAction Input:[ \t*_]*+(?=[{\[])"
)
_AROUND_NAMES = " \t\r\n*`\"'<>[]"
# How a reply begins to play the tool or the user itself.
_PLAYED = re.compile(rf"{_BEFORE}(?i:observation|user|human){_AFTER}", re.MULTILINE)
_PLAYED_OR_THOUGHT = re.compile(rf"{_BEFORE}(?i:observation|user|human|thought){_AFTER}", re.MULTILINE)


class ReactStep(NamedTuple):
    """One thought and the call it leads to; the action is empty where none was written.

    `arguments` is what `arguments_text` means, or why it means nothing; `trailing_text` is whatever stands
    between the arguments and the next label.
    """

    thought: str = ""
    action: str = ""
    arguments_text: str = ""
    arguments: JsonValue | Failure = NO_ARGUMENTS
    trailing_text: str = ""


def read_react(text: str) -> tuple[ReactStep, ...] | Failure:
    """The steps of a reply in order, or why there are none.

    Labels count at the beginning of a line, in any case and decoration; only a reply without an `Action:` at
    the beginning of a line is searched for labels inside lines. A label inside the arguments is content.
    Text before the first label is the first step's thought.
    """
    spoken = strip_thinking(text)
    if spoken is None:
        return Failure("thinking_not_closed", excerpt(text))
    if not spoken.strip():
        return Failure("empty")
    usual = _usual_step(spoken)
    if usual is not None:
        return (usual,)
    labels = _find_labels(spoken)
    if not labels:
        return Failure("not_found", excerpt(spoken))
    return _read_steps(spoken, labels)


def _usual_step(text: str) -> ReactStep | None:
    """The one step of a reply in the form that prompts ask for, which needs no search for labels; None for any other."""
    form = _USUAL_FORM.match(text)
    if form is None or "Action Input" in form[1] or "Action Input" in form[2]:
        return None
    begin = form.end()
    found = plain_json(text, begin)
    if found is None or (found.end < len(text) and text[found.end :].strip()):
        return None
    return ReactStep(_strip_fence(form[1]), _action_name(form[2]), text[begin : found.end], found.value)


def before_played_turns(text: str, *, one_call: bool = False) -> str:
    """The reply up to where the model starts to write the tool's or the user's turn.

    What stands inside the arguments of its first call is content. With `one_call` a thought after that call
    counts as well: it can only follow a result that nobody gave.
    """
    calls = (label for label in _LABEL_ON_ITS_LINE.finditer(text) if _kind_of_label(label) == "input")
    first = next(calls, None)
    begun = first.start() if first is not None else len(text)
    spoken = len(text) - len(text.lstrip())
    played = _PLAYED.search(text, text.find("\n", spoken), begun) if "\n" in text[spoken:] else None
    if played is None and first is not None:
        found = _value_after(text, first.end())
        pattern = _PLAYED_OR_THOUGHT if one_call else _PLAYED
        played = pattern.search(text, first.end() if found is None else found.end)
    return text if played is None else text[: played.start()].rstrip()


def _find_labels(text: str) -> list[re.Match[str]]:
    """The labels of a reply: those at the beginning of a line, wherever they stand where none of these is an action."""
    if ":" not in text and "：" not in text:
        return []
    # Letters beyond ASCII may pass for those of the word.
    if not text.isascii() or "action" in text.lower():
        found = list(_LABEL_ON_ITS_LINE.finditer(text))
        if "action" in map(_kind_of_label, found):
            return found
    return list(_LABEL_ANYWHERE.finditer(text))


def _kind_of_label(label: re.Match[str]) -> str:
    written = label[1] or label[2]
    if written in _USUAL:
        return _USUAL[written]
    # By their ends: a dotless i passes for an i where case does not count.
    name = written.lower()
    return "input" if name.endswith("nput") else "thought" if name.startswith("t") else "action"


def _read_steps(text: str, labels: Sequence[re.Match[str]]) -> tuple[ReactStep, ...] | Failure:
    steps: list[ReactStep] = []
    draft = _Draft(_strip_fence(text[: labels[0].start()]))
    last, place = len(labels), 0
    while place < last:
        label, place = labels[place], place + 1
        begin, kind = label.end(), _kind_of_label(label)
        if draft.called if kind == "input" else draft.named or draft.called:
            steps.append(draft.step())
            draft = _Draft()
        if len(steps) >= MAX_STEPS:
            return Failure("too_long", f"more than {MAX_STEPS} actions in one reply")
        found = _value_after(text, begin) if kind == "input" else None
        if found is not None:
            # A label inside the arguments is content.
            while place < last and labels[place].start() < found.end:
                place += 1
        stop = labels[place].start() if place < last else len(text)
        draft.add(kind, text[begin:stop], found, stop)
    return (*steps, draft.step())


class _Draft:
    """What a step has so far."""

    __slots__ = ("action", "arguments", "arguments_text", "called", "named", "thought", "trailing_text")

    def __init__(self, thought: str = "") -> None:
        self.thought, self.action, self.arguments_text, self.trailing_text = thought, "", "", ""
        self.arguments: JsonValue | Failure = NO_ARGUMENTS
        # A label opens a new step where the step at hand already has its kind, or one that comes after it.
        self.named = self.called = False

    def add(self, kind: str, part: str, found: FoundValue | None, stop: int) -> None:
        """Puts what follows a label, up to `stop` in the text, where it belongs."""
        if kind == "thought":
            # Thoughts in a row are one thought.
            self.thought = f"{self.thought}\n{_strip_fence(part)}" if self.thought else _strip_fence(part)
        elif kind == "action":
            self.action, self.named = _action_name(part), True
        elif found is None:
            self.arguments_text, self.called = _strip_fence(part), True
            self.arguments = read_literal(self.arguments_text, lenient=True)
        else:
            written = part[: len(part) - (stop - found.end)]
            fence = None if written[:1] in _OPENINGS else _FENCE_BEFORE.match(written)
            self.arguments_text, self.called = written[fence.end() if fence else 0 :], True
            self.arguments = found.value
            self.trailing_text = _strip_fence(part[len(written) :]) if stop > found.end else ""

    def step(self) -> ReactStep:
        """The step as it is."""
        return ReactStep(self.thought, self.action, self.arguments_text, self.arguments, self.trailing_text)


def _value_after(text: str, position: int) -> FoundValue | None:
    if text[position : position + 1] not in _OPENINGS:
        fence = _FENCE_BEFORE.match(text, position)
        position = fence.end() if fence else position
    found = value_at(text, position, lenient=True)
    return found if isinstance(found, FoundValue) else None


def _action_name(part: str) -> str:
    """The first line that is not blank, without quotes, bold marks, back-ticks or brackets around it."""
    bare = part.strip(_AROUND_NAMES)
    if "\n" not in bare:
        return bare
    lines = (line.strip(_AROUND_NAMES) for line in part.split("\n"))
    return next((line for line in lines if line), "")


def _strip_fence(part: str) -> str:
    """A part without the white space and the code fence around it."""
    bare = part.strip()
    if "```" not in bare:
        return bare
    opened = re.match(r"```[A-Za-z]*+\s", bare)
    bare = bare[opened.end() :] if opened else bare
    return bare.removesuffix("```").strip()
