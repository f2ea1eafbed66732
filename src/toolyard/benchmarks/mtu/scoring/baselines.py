"""Answers without a model: the perfect one from gold, and the trivial ones that put figures in proportion."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence

from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.calls import Call, calls_of
from toolyard.core.types import JsonValue, Message, Record
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.text.functions import python_arguments, python_names
from toolyard.text.overlap import overlaps

NO_CALL = "Thought: No tool is needed."


def answer_text(calls: Iterable[Call]) -> str:
    """Calls in the answer format, or an answer without any."""
    lines = ["Thought: These calls do what was asked."]
    for call in calls:
        arguments = json.dumps(json_safe(dict(call.arguments)), ensure_ascii=False)
        lines += [f"Action: {call.name}", f"Action Input: {arguments}"]
    return "\n".join(lines) if len(lines) > 1 else NO_CALL


def oracle(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The gold calls."""
    return answer_text(calls_of(sample.gold["calls"]))


def gold_program(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:
    """The gold calls as a program, a result as what an earlier call returned; words where no call is wanted."""
    calls = calls_of(sample.gold["calls"])
    if not calls:
        return oracle(sample, messages, rng)
    names = python_names(tool_names(sample.input["tools"]))
    called = dict(zip(tool_names(sample.input["tools"]), names, strict=True))
    sources: dict[str, str] = {}
    lines = []
    for number, call in enumerate(calls):
        given = {key: _value_expression(value, sources) for key, value in call.arguments.items()}
        lines.append(f"r{number} = {called.get(call.name, call.name)}({python_arguments(given)})")
        sources[call.name] = f"r{number}"
    return "```python\n" + "\n".join(lines) + "\n```"


def _value_expression(value: JsonValue, sources: Mapping[str, str]) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_value_expression(item, sources) for item in value)}]"
    tool, _, result = value.partition(".") if isinstance(value, str) else ("", "", "")
    return f"{sources[tool]}.get({result!r}, {value!r})" if tool in sources else repr(value)


def no_call(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """Never a call."""
    return NO_CALL


def first_tool(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """Always the first listed tool, with nothing filled in."""
    names = tool_names(sample.input["tools"])
    return answer_text([Call(names[0])] if names else [])


def random_tool(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """A listed tool by chance, or none, its required parameters filled with words of the user."""
    names = tool_names(sample.input["tools"])
    choice = rng.randrange(len(names) + 1)
    if choice == len(names):
        return NO_CALL
    words = sample.input["user"].split() or [""]
    required = required_parameters(sample.input["tools"], names[choice])
    return answer_text([Call(names[choice], {name: rng.choice(words) for name in required})])


def copy_query(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The tool whose name and description share most words with the user's turn, each required value
    the whole turn."""
    user = set(sample.input["user"].lower().split())
    documents = [document for document in sample.input["tools"] if isinstance(document, Mapping)]
    if not documents:
        return NO_CALL
    shared = [len(user & set(str(document.get("description", "")).lower().split())) for document in documents]
    name = str(documents[shared.index(max(shared))].get("name", ""))
    required = required_parameters(sample.input["tools"], name)
    return answer_text([Call(name, dict.fromkeys(required, sample.input["user"]))])


def word_overlap(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The tool that shares most words with the user's turn, none where no tool shares any."""
    documents = [document for document in sample.input["tools"] if isinstance(document, Mapping)]
    shared = overlaps(
        sample.input["user"],
        [f"{document.get('name', '')} {document.get('description', '')}" for document in documents],
    )
    if not shared or max(shared) < 1:
        return NO_CALL
    name = str(documents[shared.index(max(shared))].get("name", ""))
    required = required_parameters(sample.input["tools"], name)
    return answer_text([Call(name, dict.fromkeys(required, sample.input["user"]))])


def tool_names(documents: Iterable[Record]) -> list[str]:
    """The names in a list of tool documents."""
    return [
        str(document["name"])
        for document in documents
        if isinstance(document, Mapping) and "name" in document
    ]


def required_parameters(documents: Iterable[Record], name: str) -> list[str]:
    """The names of what a tool must be given, in whichever way its document lists them."""
    for document in documents:
        if isinstance(document, Mapping) and document.get("name") == name:
            section = document.get("required_parameters", [])
            return [str(entry["name"] if isinstance(entry, Mapping) else entry) for entry in section]
    return []


BASELINES = {
    "random": random_tool,
    "no-call": no_call,
    "first-tool": first_tool,
    "copy-query": copy_query,
    "word-overlap": word_overlap,
}
