"""What an agent may do in one step, read from whatever it gives: words, calls, or both.

    "It leaves at nine."                                                      words
    '<tool_call>{"name": "find_bus", "arguments": {"to": "Bergen"}}</tool_call>'        calls in text
    {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "function": {...}}]}       a message
    '{"tool_calls": [...]}'                                                   a message as JSON

Nothing here raises: what cannot be read is a Failure with its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolyard.core.types import Failure, JsonValue, Record
from toolyard.core.untrusted.json_safe import safe_object
from toolyard.text.parsing import read_json, strip_thinking
from toolyard.text.tool_calling import name_of, read_arguments

LONGEST_ACTION = 100_000
MOST_CALLS = 64
_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MadeCall:
    """One call as the agent wrote it; arguments that are no object are a Failure."""

    id: str
    name: str
    arguments: Record | Failure


@dataclass(frozen=True, slots=True)
class Action:
    """Words, calls, or both."""

    text: str
    calls: tuple[MadeCall, ...] = ()


def read_action(given: object) -> Action | Failure:
    """The action, or why it is none."""
    if isinstance(given, str):
        return _action_from_text(given)
    if isinstance(given, Mapping):
        return _action_from_message(given)
    return Failure("not_an_action", f"got {type(given).__name__}, want text or an assistant message")


def _action_from_text(text: str) -> Action | Failure:
    if len(text) > LONGEST_ACTION:
        return Failure("too_long", f"{len(text)} characters, at most {LONGEST_ACTION} are read")
    said = strip_thinking(text)
    if said is None:
        return Failure("thinking_not_closed")
    if not said.strip():
        return Failure("empty", "nothing was said and nothing called")
    tagged = _TAGGED.findall(said)
    if tagged:
        return _action_with_calls(_TAGGED.sub("", said).strip(), [read_json(each) for each in tagged])
    value = read_json(said) if said.lstrip()[:1] in ("{", "[") else None
    if isinstance(value, Mapping) and ("tool_calls" in value or "content" in value):
        return _action_from_message(value)
    listed = value if isinstance(value, list) else [value]
    if value and all(isinstance(each, Mapping) and isinstance(each.get("name"), str) for each in listed):
        return _action_with_calls("", listed)
    return Action(said.strip())


def _action_from_message(message: Mapping[str, JsonValue]) -> Action | Failure:
    text, calls = message.get("content") or "", message.get("tool_calls") or ()
    if not isinstance(text, str):
        return Failure("content_not_text", f"content is {type(text).__name__}, want text")
    if len(text) > LONGEST_ACTION:
        return Failure("too_long", f"{len(text)} characters, at most {LONGEST_ACTION} are read")
    if not isinstance(calls, Sequence) or isinstance(calls, str | bytes):
        return Failure("calls_not_a_list", f"tool_calls is {type(calls).__name__}, want a list")
    if not calls:
        return _action_from_text(text)
    return _action_with_calls(text.strip(), calls)


def _action_with_calls(text: str, written: Sequence[object]) -> Action | Failure:
    if len(written) > MOST_CALLS:
        return Failure("too_many_calls", f"{len(written)} calls, at most {MOST_CALLS} are read")
    return Action(text, tuple(_read_calls(written)))


def _read_calls(written: Sequence[object]) -> Iterator[MadeCall]:
    for number, call in enumerate(written):
        if not isinstance(call, Mapping):
            yield MadeCall(f"call_{number}", "", Failure("not_a_call", type(call).__name__))
            continue
        wrapped = call if isinstance(call.get("function"), Mapping) else {"function": call}
        arguments = read_arguments(wrapped)
        known = arguments if isinstance(arguments, Failure) else safe_object(arguments)
        yield MadeCall(str(call.get("id") or f"call_{number}")[:80], name_of(wrapped)[:200], known)
