"""A few calls of the real source, for a mirror to answer with; nothing is written there without permission.

A tool is called where the user allowed it by name, or where its source says that it only reads (MCP's `readOnlyHint`,
GET) and neither name nor description speaks of a change. What a GET operation gets is a thing: `getBook` books nothing.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from random import Random
from typing import TypeAlias

from toolyard.core.errors import UsageError
from toolyard.core.types import JsonValue, Record, derived_seed
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.owntools.drawn_values import draw_value
from toolyard.owntools.mirror.recorded_calls import RecordedCall, call_key
from toolyard.owntools.sources.tool_source import Call, SourceTool, ToolSource
from toolyard.owntools.tool_meaning import changing_verb, without_thing_read
from toolyard.text.counted_nouns import how_many
from toolyard.text.names import name_words
from toolyard.text.printable import printable_line

# A single one of these in a name or a description is enough to leave a tool alone, whatever its source says.
_CHANGES = re.compile(
    r"\b(?:delet|remov|eras|purg|destroy|overwrit|creat|updat|modif|insert|renam|replac|clear|reset|revok|cancel|"
    r"truncat|wip|pop|consum|mark|send|writ|enqueu|dequeu|trigger|restart|increment|decrement)(?:s|e|es|ies|y|ing|ping)?\b"
)
LARGEST_RESULT = 200_000
# Calls without an answer, one after another, that end a recording.
MOST_UNANSWERED = 3
UNANSWERED = frozenset({"protocol", "unreachable", "timeout"})


Show: TypeAlias = Callable[[Sequence[str]], None]
# What results held, by the name of the field.
Seen: TypeAlias = Mapping[str, list[JsonValue]]


def say_nothing(lines: Sequence[str]) -> None:
    """Shows nothing."""


@dataclass(frozen=True, slots=True)
class CallPermits:
    """Which tools of a source a recording calls, and why it leaves the others out."""

    called: tuple[SourceTool, ...]
    left_out: Mapping[str, str]

    def lines(self, number: int) -> list[str]:
        """What is printed before the first call."""
        names = ", ".join(tool.name for tool in self.called) or "no tool"
        calls = f"at most {how_many(number, 'call')} each"
        out = [f"  {name}: {why}; --allow {name} calls it too" for name, why in self.left_out.items()]
        head = [f"left out ({how_many(len(out), 'tool')}; --allow takes names and patterns):"] if out else []
        return [f"will call ({calls}): {names}", *head, *out]


def call_permits(source: ToolSource, allowed: Sequence[str] = ()) -> CallPermits:
    """The tools that may be called: those that the user allowed, and those that only read beyond doubt."""
    reasons = {tool.name: refusal_reason(tool, allowed) for tool in source.tools}
    # What needs least comes first: lists give the ids that others ask for.
    called = sorted(
        (tool for tool in source.tools if not reasons[tool.name]),
        key=lambda tool: len(tool.document.required),
    )
    return CallPermits(tuple(called), {name: why for name, why in reasons.items() if why})


def refusal_reason(tool: SourceTool, allowed: Sequence[str] = ()) -> str:
    """Why the real tool is not called; empty where it may be."""
    if any(fnmatchcase(tool.name, pattern) for pattern in allowed):
        return ""
    if tool.destroys:
        return "its source calls it destructive"
    if tool.reads is None:
        return "its source does not say that it only reads"
    if not tool.reads:
        return "its source says that it changes things"
    # A path begins with a noun: /orders lists what a name would order.
    path = f"get {re.sub(r'{[^}]*}|[^a-zA-Z0-9_-]', ' ', tool.route)}"
    names = (tool.called, tool.name)
    if tool.route:
        names = (without_thing_read(tool.called), without_thing_read(tool.name))
    for what, name in (("name", names[0]), ("name", names[1]), ("path", path)):
        if word := changing_verb(name):
            return f"its {what} holds {printable_line(word)!r}"
    found = _CHANGES.search(f"{' '.join(name_words(tool.name))} {tool.description.lower()}")
    return f"its name or description says {found[0]!r}" if found else ""


async def record_calls(
    source: ToolSource,
    number: int,
    *,
    allowed: Sequence[str] = (),
    given: Mapping[str, JsonValue] | None = None,
    seed: int = 0,
    show: Show = say_nothing,
) -> tuple[RecordedCall, ...]:
    """Up to `number` calls of each tool that may be called; `given` fixes values of parameters by name.

    `show` gets the lines that say what is called, before the first call.
    """
    if source.connect is None:
        raise UsageError(
            f"{source.name} is {source.kind} only, so that there is nothing to record; leave --record out"
        )
    permits = call_permits(source, allowed)
    show(permits.lines(number))
    seen: dict[str, list[JsonValue]] = {}
    calls: list[RecordedCall] = []
    if not permits.called:
        return ()
    async with source.connect() as call:
        for tool in permits.called:
            for arguments in _draw_arguments(tool, number, given or {}, seen, seed):
                calls.append(await _record_call(call, tool, arguments))
                if not calls[-1].error:
                    _remember_values(calls[-1].result, seen, 0)
                if _is_silent(calls):
                    show(
                        [
                            f"{source.name} did not answer {MOST_UNANSWERED} calls in a row; no more calls are made"
                        ]
                    )
                    return tuple(calls)
    return tuple(calls)


def _is_silent(calls: Sequence[RecordedCall]) -> bool:
    last = calls[-MOST_UNANSWERED:]
    return len(last) == MOST_UNANSWERED and all(each.error.split(":")[0] in UNANSWERED for each in last)


async def _record_call(call: Call, tool: SourceTool, arguments: Record) -> RecordedCall:
    answer = await call(tool.called, arguments)
    if answer.error is not None:
        return RecordedCall(tool.name, arguments, None, f"{answer.error}: {answer.text[:200]}")
    result = json_safe(answer.value)
    if len(str(result)) > LARGEST_RESULT:
        return RecordedCall(tool.name, arguments, None, "too_large")
    return RecordedCall(tool.name, arguments, result)


def _draw_arguments(
    tool: SourceTool, number: int, given: Record, seen: Seen, seed: int
) -> list[dict[str, JsonValue]]:
    """Different arguments for a tool: examples first, then values that were seen, shown or made up."""
    found: dict[bytes, dict[str, JsonValue]] = {}
    for example in tool.examples[:number]:
        found[call_key(tool.name, example.arguments)] = dict(example.arguments)
    for attempt in range(3 * number):
        if len(found) >= number:
            break
        rng = Random(derived_seed(seed, f"record/{tool.name}", attempt))
        arguments = {
            each.name: _value_for_parameter(tool, each.name, given, seen, rng)
            for each in tool.parameters
            if each.required or each.name in given
        }
        found.setdefault(call_key(tool.name, arguments), arguments)
    return list(found.values())


def _value_for_parameter(
    tool: SourceTool, name: str, given: Mapping[str, JsonValue], seen: Seen, rng: Random
) -> JsonValue:
    if name in given:
        return given[name]
    schema = tool.schema["properties"][name]
    known = seen.get(name) or []
    if known and "enum" not in schema:
        return rng.choice(known)
    return draw_value(schema, name, rng)


def _remember_values(value: object, seen: dict[str, list[JsonValue]], depth: int) -> None:
    """Remembers what results hold, by name of field, for later calls."""
    if depth > 5:
        return
    if isinstance(value, Mapping):
        for name, item in value.items():
            if isinstance(item, str | int) and not isinstance(item, bool):
                known = seen.setdefault(str(name), [])
                if item not in known and len(known) < 20:
                    known.append(item)
            else:
                _remember_values(item, seen, depth + 1)
    elif isinstance(value, list):
        for item in value[:20]:
            _remember_values(item, seen, depth + 1)
