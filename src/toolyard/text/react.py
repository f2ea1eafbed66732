"""Reading of `Thought: / Action: / Action Input:` replies, as tolerant as a careful reader would be.

    Thought: The hall is known, the seat is not.
    Action: find_seat
    Action Input: {"hall": "north"}

What the released parsers make of such text stands in the benchmarks' own folders.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from toolyard.core.types import Failure, JsonValue
from toolyard.text.json_scan import FoundValue
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
# A label opens a new step when the step at hand already has one of these; thoughts in a row are one thought.
_BEGINS_AFTER = {"thought": {"action", "input"}, "action": {"action", "input"}, "input": {"input"}}
_USUAL = {"Thought": "thought", "Action": "action", "Action Input": "input"}
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
    labels = _labels_of(spoken)
    first = labels.search(spoken)
    if first is None:
        return Failure("not_found", excerpt(spoken))
    return _read_steps(spoken, labels, first)


def before_played_turns(text: str, *, one_call: bool = False) -> str:
    """The reply up to where it plays the tool or the user itself; all of it where it does not.

    What stands inside the arguments of its first call is content. With `one_call` a thought after that call
    counts as well: it can only follow a result that nobody gave.
    """
    calls = (label for label in _LABEL_ON_ITS_LINE.finditer(text) if _kind(label) == "input")
    first = next(calls, None)
    begun = first.start() if first is not None else len(text)
    spoken = len(text) - len(text.lstrip())
    played = _PLAYED.search(text, text.find("\n", spoken), begun) if "\n" in text[spoken:] else None
    if played is None and first is not None:
        found = _value_after(text, first.end())
        pattern = _PLAYED_OR_THOUGHT if one_call else _PLAYED
        played = pattern.search(text, first.end() if found is None else found.end)
    return text if played is None else text[: played.start()].rstrip()


def _labels_of(text: str) -> re.Pattern[str]:
    named = any(_kind(label) == "action" for label in _LABEL_ON_ITS_LINE.finditer(text))
    return _LABEL_ON_ITS_LINE if named else _LABEL_ANYWHERE


def _kind(label: re.Match[str]) -> str:
    written = label.group("own") or label.group("inside")
    if written in _USUAL:
        return _USUAL[written]
    name = written.lower()
    return "input" if name.endswith("input") else name


def _read_steps(text: str, labels: re.Pattern[str], label: re.Match[str]) -> tuple[ReactStep, ...] | Failure:
    steps: list[ReactStep] = []
    filled: set[str] = set()
    parts: dict[str, Any] = {"thought": _plain(text[: label.start()])}
    following: re.Match[str] | None = label
    while following is not None:
        label, kind = following, _kind(following)
        if filled & _BEGINS_AFTER[kind]:
            steps.append(ReactStep(**parts))
            parts, filled = {}, set()
        if len(steps) >= MAX_STEPS:
            return Failure("too_long", f"more than {MAX_STEPS} actions in one reply")
        found = _value_after(text, label.end()) if kind == "input" else None
        following = labels.search(text, label.end() if found is None else found.end)
        stop = len(text) if following is None else following.start()
        _add_part(parts, kind, text[label.end() : stop], found, text[found.end : stop] if found else "")
        filled.add(kind)
    return (*steps, ReactStep(**parts))


def _value_after(text: str, position: int) -> FoundValue | None:
    fence = _FENCE_BEFORE.match(text, position)
    found = value_at(text, fence.end() if fence else position, lenient=True)
    return found if isinstance(found, FoundValue) else None


def _add_part(parts: dict[str, Any], kind: str, part: str, found: FoundValue | None, rest: str) -> None:
    """Puts what follows a label where it belongs in a step."""
    if kind == "thought":
        before = parts.get("thought")
        parts["thought"] = f"{before}\n{_plain(part)}" if before else _plain(part)
    elif kind == "action":
        parts["action"] = _action_name(part)
    elif found is None:
        written = _plain(part)
        parts["arguments_text"], parts["arguments"] = written, read_literal(written, lenient=True)
    else:
        written = part[: len(part) - len(rest)]
        fence = _FENCE_BEFORE.match(written)
        parts["arguments_text"] = written[fence.end() if fence else 0 :]
        parts["arguments"], parts["trailing_text"] = found.value, _plain(rest)


def _action_name(part: str) -> str:
    """The first line that is not blank, without quotes, bold marks, back-ticks or brackets around it."""
    lines = (line.strip(_AROUND_NAMES) for line in part.split("\n"))
    return next((line for line in lines if line), "")


def _plain(part: str) -> str:
    """A part without the white space and the code fence around it."""
    bare = part.strip()
    if "```" not in bare:
        return bare
    opened = re.match(r"```[A-Za-z]*+\s", bare)
    bare = bare[opened.end() :] if opened else bare
    return bare.removesuffix("```").strip()
