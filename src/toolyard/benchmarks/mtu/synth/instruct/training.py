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
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from toolyard.benchmarks.mtu.synth.corpora.dates import TODAY
from toolyard.benchmarks.mtu.synth.instruct.evaluation import instructions
from toolyard.benchmarks.mtu.synth.instruct.observations import observed
from toolyard.core.types import Json
from toolyard.synth.stages import Row
from toolyard.text.documents import from_mtu, to_openai

SYSTEM = f"You help a user by talking and, where it is needed, by calling tools. Today is {TODAY}."


def react_row(row: Row, tools: Sequence[Json]) -> dict[str, Json]:
    """The dialogue as alternating messages of text."""
    listing = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)
    system = f"{instructions(row['setting'][2] == 'M')}\nTools with their parameters:\n{listing}"
    messages = [_message("system", system)]
    for turn in row["turns"]:
        messages += _react_turn(turn)
    return _row(row, messages)


def _react_turn(turn: Json) -> Iterator[dict[str, Json]]:
    yield _message("user", turn["user"])
    lines = [f"Thought: {turn['thought']}"]
    for call in turn["calls"]:
        arguments = json.dumps(call["arguments"], ensure_ascii=False)
        lines += [f"Action: {call['name']}", f"Action Input: {arguments}"]
    if turn["calls"]:
        yield _message("assistant", "\n".join(lines))
        lines = []
        if turn["assistant"]:
            yield _message("user", f"Observation: {observed(turn['calls'])}")
    if turn["assistant"]:
        lines.append(f"Response: {turn['assistant']}")
    if lines:
        yield _message("assistant", "\n".join(lines))


def native_row(row: Row, tools: Sequence[Json]) -> dict[str, Json]:
    """The dialogue as messages with tool calls, in the form of OpenAI-compatible endpoints."""
    messages = [_message("system", SYSTEM)]
    for turn in row["turns"]:
        messages.append(_message("user", turn["user"]))
        for call in turn["calls"]:
            number = sum("tool_calls" in message for message in messages)
            messages += _native_call(call, f"call_{number}")
        if not turn["calls"] and not turn["assistant"]:
            messages.append(_message("assistant", turn["thought"]))
        elif turn["assistant"]:
            messages.append(_message("assistant", turn["assistant"]))
    schemas = [_schema(json.dumps(tool, ensure_ascii=False)) for tool in tools]
    return {**_row(row, messages), "tools": schemas}


def _native_call(call: Json, name: str) -> Iterator[dict[str, Json]]:
    arguments = json.dumps(call.get("resolved", call["arguments"]), ensure_ascii=False)
    function = {"name": call["name"], "arguments": arguments}
    yield {
        **_message("assistant", ""),
        "tool_calls": [{"id": name, "type": "function", "function": function}],
    }
    returned = json.dumps(call["returned"], ensure_ascii=False)
    yield {"role": "tool", "tool_call_id": name, "name": call["name"], "content": returned}


@lru_cache(maxsize=1024)
def _schema(document: str) -> Mapping[str, Json]:
    return to_openai(from_mtu(json.loads(document)), wrapped=True)


def _message(role: str, content: str) -> dict[str, Json]:
    return {"role": role, "content": content}


def _row(row: Row, messages: list[dict[str, Json]]) -> dict[str, Json]:
    kept = {name: row[name] for name in ("id", "source", "setting", "topics", "composed")}
    return {**kept, "hard": sorted({tag for tags in row["hard"] for tag in tags}), "messages": messages}


def render_chat(row: Mapping[str, Json], template: str) -> str:
    """The row through a chat template of the kind that models carry; the template runs in a sandbox."""
    from jinja2.exceptions import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def refuse(text: str) -> None:
        raise TemplateError(text)

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = refuse
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "sort_keys": False}
    return environment.from_string(template).render(
        messages=row["messages"],
        tools=row.get("tools"),
        bos_token="",
        eos_token="",
        add_generation_prompt=False,
    )
