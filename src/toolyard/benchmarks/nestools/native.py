"""Nested calls through an endpoint's own interface, step by step (`--style native`).

Every call is answered with the labels of its return values, so that what a later call takes from an earlier
one shows in its arguments, as in the text styles:

    find_ferry(origin="Turku")  ->  {"ferry_code": "API_call_0"}      book_seats(ferry_code="API_call_0", seats=2)
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolyard.benchmarks.nestools.parse import IDENTITY, NAME, PARAMETERS, RESPONSES
from toolyard.benchmarks.nestools.prompt import NATIVE, prompt, prompt_tools
from toolyard.benchmarks.nestools.sample import NestoolsSample
from toolyard.core.benchmark import RunSetup
from toolyard.core.episodes import WRITTEN, Functions, call_loop, call_reply, one_shot, step_of
from toolyard.core.json_safe import json_safe
from toolyard.core.nesting import label
from toolyard.core.types import (
    Completion,
    Conversation,
    Episode,
    Failure,
    JsonValue,
    Message,
    Record,
    Request,
)
from toolyard.text.documents import from_nestools, to_openai
from toolyard.text.functions import function_names, name_of, read_arguments

# Three times as many as the longest official chain takes.
MOST_ROUNDS = 24
OR_LABEL = "the label of an earlier return value may stand here"


def episode(samples: tuple[NestoolsSample, ...], setup: RunSetup) -> Episode:
    """One answer in text, or calls one after the other in the native style."""
    if setup.options.style != NATIVE:
        return (yield from one_shot(samples, setup))
    conversations = []
    for sample in samples:
        chain = AnsweredCalls(prompt_tools(sample, setup.options))
        request = Request(prompt(sample, setup.options), setup.decoding, sample=sample.id)
        functions = Functions(chain.functions(), chain.answer, MOST_ROUNDS, one_by_one=True)
        messages, completions = yield from call_loop(request, functions)
        # Words without any call are an answer like that of the other styles, and read like it.
        notes = {WRITTEN: json.dumps(json_safe(chain.calls), ensure_ascii=False)} if chain.calls else {}
        conversations.append(Conversation(messages, completions, notes))
    return tuple(conversations)


@dataclass(slots=True)
class AnsweredCalls:
    """The calls of one sample so far, each with the labels that it was answered with."""

    tools: list[Any]
    calls: list[dict[str, Any]] = field(default_factory=list)
    labels: int = 0

    def functions(self) -> tuple[Mapping[str, JsonValue], ...]:
        """The offered tools as functions."""
        names = function_names([tool[NAME] for tool in self.tools])
        return tuple(_function(tool, name) for tool, name in zip(self.tools, names, strict=True))

    def answer(self, call: Record) -> str:
        """The labels of a call's return values; an error where there is no such function, or no arguments."""
        names = function_names([tool[NAME] for tool in self.tools])
        called, arguments = name_of(call), read_arguments(call)
        tool = self.tools[names.index(called)] if called in names else None
        if isinstance(arguments, Failure):
            # What cannot be read is kept as it is: the call was made, its format is at fault.
            self.calls.append({NAME: tool[NAME] if tool else called, PARAMETERS: None})
            return json.dumps({"error": "the arguments are no JSON object"})
        if tool is None:
            self.calls.append({NAME: called, IDENTITY: None, PARAMETERS: arguments, RESPONSES: {}})
            return json.dumps({"error": f"there is no function {called}"}, ensure_ascii=False)
        given = {name: label(self.labels + place) for place, name in enumerate(tool[RESPONSES])}
        self.labels += len(given)
        self.calls.append(
            {NAME: tool[NAME], IDENTITY: tool[IDENTITY], PARAMETERS: arguments, RESPONSES: given}
        )
        return json.dumps(given, ensure_ascii=False)


def gold_step(sample: NestoolsSample, messages: Sequence[Message]) -> Completion:
    """The next gold call, with labels where gold has them; words after the last."""
    number, calls = step_of(messages), sample.gold["calls"]
    if number >= len(calls):
        return Completion("Done.")
    (name,) = function_names([calls[number]["api_name"]])
    return call_reply(number, name, calls[number]["parameters"])


def _function(tool: Any, name: str) -> dict[str, JsonValue]:
    """The tool as a function whose every parameter also takes a label."""
    wrapped: dict[str, Any] = dict(to_openai(from_nestools(tool), wrapped=True))
    function = dict(wrapped["function"])
    schema = dict(function.get("parameters") or {"type": "object"})
    properties = {key: _with_label(entry) for key, entry in (schema.get("properties") or {}).items()}
    returned = ", ".join(f"{key} ({_described(entry)})" for key, entry in tool[RESPONSES].items())
    description = (
        f"{function.get('description', '')} Returns {returned}." if returned else function.get("description")
    )
    return {
        **wrapped,
        "function": {
            **function,
            "name": name,
            "description": description,
            "parameters": {**schema, "properties": properties},
        },
    }


def _described(entry: JsonValue) -> str:
    return str(entry.get("description") or "") if isinstance(entry, Mapping) else str(entry)


def _with_label(entry: Any) -> Any:
    kind = entry.get("type") if isinstance(entry, Mapping) else None
    if not isinstance(kind, str) or kind == "string":
        return entry
    described = f"{entry.get('description') or ''} ({OR_LABEL})".strip()
    # A server that holds the model to the schema must let it write a label in the place of a number.
    alternatives = [{key: value for key, value in entry.items() if key != "description"}, {"type": "string"}]
    return {"description": described, "anyOf": alternatives}
