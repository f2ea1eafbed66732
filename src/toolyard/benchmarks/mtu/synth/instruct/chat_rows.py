"""Dialogues as chat rows for training: as ReAct text, and as native tool calls.

    {"id": "M-S_12", "setting": "M-S", "messages": [{"role": "system", "content": "<instructions, tools>"},
      {"role": "user", "content": "..."}, {"role": "assistant", "content": "Thought: ...\\nAction: ..."},
      {"role": "user", "content": "Observation: {...}"}, {"role": "assistant", "content": "Response: ..."}]}

    {"id": "M-S_12", "setting": "M-S", "tools": [{"type": "function", ...}], "messages": [
      {"role": "user", "content": "..."},
      {"role": "assistant", "content": "", "tool_calls": [{"id": "call_0", "type": "function", "function": {...}}]},
      {"role": "tool", "tool_call_id": "call_0", "name": "FindBus", "content": "{...}"},
      {"role": "assistant", "content": "..."}]}

In ReAct text a call may refer to what an earlier one of its turn returns; native calls come one after the other
and hold the values themselves. A turn without a recorded reply ends with its call.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache

from toolyard.benchmarks.mtu.synth.corpora.sgd_calendar import TODAY
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import (
    Document,
    StandardCall,
    StandardRow,
    StandardTurn,
)
from toolyard.benchmarks.mtu.synth.instruct.evaluation_rows import head
from toolyard.benchmarks.mtu.synth.instruct.said_before import observed
from toolyard.core.types import JsonValue, Record
from toolyard.text.documents import from_mtu, to_openai

SYSTEM = f"You help a user by talking and, where it is needed, by calling tools. Today is {TODAY}."


def react_row(row: StandardRow, tools: Sequence[Document]) -> dict[str, JsonValue]:
    """The dialogue as alternating messages of text."""
    listing = "\n".join(_text(tool) for tool in tools)
    messages = [_message("system", head(row.setting, listing))]
    for turn in row.turns:
        messages += _react_turn(turn)
    return _row(row, messages)


def _react_turn(turn: StandardTurn) -> Iterator[dict[str, JsonValue]]:
    yield _message("user", turn.user)
    lines = [f"Thought: {turn.thought}"]
    for call in turn.calls:
        lines += [f"Action: {call.name}", f"Action Input: {_text(call.arguments)}"]
    if turn.calls:
        yield _message("assistant", "\n".join(lines))
        lines = []
        if turn.assistant:
            yield _message("user", f"Observation: {observed(turn.calls)}")
    if turn.assistant:
        lines.append(f"Response: {turn.assistant}")
    if lines:
        yield _message("assistant", "\n".join(lines))


def native_row(row: StandardRow, tools: Sequence[Document]) -> dict[str, JsonValue]:
    """The dialogue as messages with tool calls, in the form of OpenAI-compatible endpoints."""
    messages = [_message("system", SYSTEM)]
    for turn in row.turns:
        messages.append(_message("user", turn.user))
        for call in turn.calls:
            number = sum("tool_calls" in message for message in messages)
            messages += _native_call(call, f"call_{number}")
        if not turn.calls and not turn.assistant:
            messages.append(_message("assistant", turn.thought))
        elif turn.assistant:
            messages.append(_message("assistant", turn.assistant))
    return {**_row(row, messages), "tools": [_schema(_text(tool)) for tool in tools]}


def _native_call(call: StandardCall, name: str) -> Iterator[dict[str, JsonValue]]:
    arguments = call.arguments if call.resolved is None else call.resolved
    function = {"name": call.name, "arguments": _text(arguments)}
    yield {
        **_message("assistant", ""),
        "tool_calls": [{"id": name, "type": "function", "function": function}],
    }
    yield {"role": "tool", "tool_call_id": name, "name": call.name, "content": _text(call.observation)}


@lru_cache(maxsize=1024)
def _schema(document: str) -> Record:
    return to_openai(from_mtu(json.loads(document)), wrapped=True)


def _message(role: str, content: str) -> dict[str, JsonValue]:
    return {"role": role, "content": content}


def _text(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _row(row: StandardRow, messages: list[dict[str, JsonValue]]) -> dict[str, JsonValue]:
    return {
        "id": row.id,
        "source": row.source,
        "setting": row.setting,
        "topics": row.topics,
        "composed": row.composed,
        "hard": sorted({tag for tags in row.hard for tag in tags}),
        "messages": messages,
    }
