"""Answers without a model: the perfect one from gold, and the trivial ones that put figures in proportion."""

import json
import random
from collections.abc import Iterable, Mapping, Sequence

from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.calls import Call, calls_of
from toolyard.core.types import Message, Record
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.text.word_overlap import overlap_scores

CALLS_MADE = "Thought: These calls do what was asked."
NO_CALL = "Thought: No tool is needed."


def answer_text(calls: Iterable[Call]) -> str:
    """Calls in the answer format, or an answer without any."""
    lines = [line for call in calls for line in call_lines(call)]
    return "\n".join([CALLS_MADE, *lines]) if lines else NO_CALL


def call_lines(call: Call) -> list[str]:
    """One call in the answer format."""
    arguments = json.dumps(json_safe(dict(call.arguments)), ensure_ascii=False)
    return [f"Action: {call.name}", f"Action Input: {arguments}"]


def oracle(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The gold calls."""
    return answer_text(calls_of(sample.gold["calls"]))


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
    return _paste_turn(sample, documents[shared.index(max(shared))])


def word_overlap(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The tool that shares most words with the user's turn, none where no tool shares any."""
    documents = [document for document in sample.input["tools"] if isinstance(document, Mapping)]
    shared = overlap_scores(
        sample.input["user"],
        [f"{document.get('name', '')} {document.get('description', '')}" for document in documents],
    )
    if not shared or max(shared) < 1:
        return NO_CALL
    return _paste_turn(sample, documents[shared.index(max(shared))])


def _paste_turn(sample: MtuSample, document: Record) -> str:
    name = str(document.get("name", ""))
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
