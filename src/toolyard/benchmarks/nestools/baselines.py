"""Scripted answers: the perfect one, and the trivial ones that show what a figure is worth."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence

from toolyard.benchmarks.nestools.data import offered_tools
from toolyard.benchmarks.nestools.official import UNKNOWN
from toolyard.core.benchmark import Answerer
from toolyard.core.nesting import label
from toolyard.core.types import Json, Message, Sample

RANDOM_VALUES: Mapping[str, Callable[[random.Random], Json]] = {
    "int": lambda rng: rng.randint(0, 100),
    "float": lambda rng: round(rng.uniform(0, 100), 1),
    "bool": lambda rng: rng.random() < 0.5,
    "list": lambda rng: [rng.randint(0, 100)],
    "dict": lambda rng: {"key": rng.randint(0, 100)},
}
RANDOM_WORDS = ("alpha", "bravo", "delta", "echo", "lima", "oscar", "sierra", "tango")


def oracle(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The gold calls in the form that the prompt asks for."""
    declared = {tool["api_name"]: list(tool["responses"]) for tool in sample.input["tools"]}
    calls = []
    for call in sample.gold["calls"]:
        names = declared[call["api_name"]]
        # A record may give more labels than its tool declares return values; their order is what counts.
        names = [*names, *(f"value_{index}" for index in range(len(names), len(call["responses"])))]
        responses = dict(zip(names, call["responses"], strict=False))
        calls.append({**call, "responses": responses})
    return _written(calls)


def no_call(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """A well-formed answer without any call."""
    return "[]"


def first_tool(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The tool that the prompt shows first, with nothing known about its required parameters."""
    tool = _as_shown(sample, messages)[0]
    return _written([_call(tool, dict.fromkeys(tool["required"], UNKNOWN), 0)])


def copy_query(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The tool that the prompt shows first, with the query as the value of every parameter."""
    tool = _as_shown(sample, messages)[0]
    return _written([_call(tool, dict.fromkeys(tool["parameters"], sample.input["query"]), 0)])


def random_calls(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:
    """Three different offered tools at random, their required parameters filled at random or nested."""
    tools = _as_shown(sample, messages)
    calls: list[Json] = []
    given = 0
    for tool in rng.sample(tools, min(3, len(tools))):
        values = {name: _random_value(tool["parameters"].get(name), given, rng) for name in tool["required"]}
        calls.append(_call(tool, values, given))
        given += len(tool["responses"])
    return _written(calls)


def _random_value(declared: Json, given: int, rng: random.Random) -> Json:
    if given and rng.random() < 0.25:
        return label(rng.randrange(given))
    kind = str(declared.get("type")) if isinstance(declared, Mapping) else ""
    return RANDOM_VALUES[kind](rng) if kind in RANDOM_VALUES else rng.choice(RANDOM_WORDS)


def _as_shown(sample: Sample, messages: Sequence[Message]) -> list[Json]:
    """The offered tools by their place in the prompt, so that no answer can tell gold from distractor."""
    text = "\n".join(message.content for message in messages)
    tools = offered_tools(sample)
    places = [text.find(f'"api_id": {json.dumps(tool["api_id"])},') for tool in tools]
    order = sorted(
        range(len(tools)), key=lambda index: (places[index] < 0, places[index], str(tools[index]["api_id"]))
    )
    return [tools[index] for index in order]


def _call(tool: Json, parameters: Mapping[str, Json], first_label: int) -> dict[str, Json]:
    labels = {name: label(first_label + index) for index, name in enumerate(tool["responses"])}
    return {
        "api_name": tool["api_name"],
        "api_id": tool["api_id"],
        "parameters": dict(parameters),
        "responses": labels,
    }


def _written(calls: Sequence[Mapping[str, Json]]) -> str:
    # Not in ASCII: the release reads escaped surrogate pairs as two characters.
    return json.dumps(calls, ensure_ascii=False)


BASELINES: Mapping[str, Answerer] = {
    "random": random_calls,
    "no-call": no_call,
    "first-tool": first_tool,
    "copy-query": copy_query,
}
