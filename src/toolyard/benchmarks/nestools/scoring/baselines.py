"""Scripted answers: the perfect one, and the trivial ones that show what a figure is worth."""

import json
import math
import random
import re
from collections.abc import Callable, Mapping, Sequence

from toolyard.benchmarks.nestools.data.rows import offered_tools
from toolyard.benchmarks.nestools.data.sample import NestoolsSample, NestoolsTool
from toolyard.benchmarks.nestools.scoring.official import UNKNOWN
from toolyard.core.benchmark import Answerer
from toolyard.core.nesting import label_of_number
from toolyard.core.types import JsonValue, Message, Record
from toolyard.text.paraphrase import stem_of_word, words_of
from toolyard.text.word_overlap import overlap_scores, telling_stems

# 830 of the 1,000 official records want three calls.
USUAL_CALLS = 3
RANDOM_VALUES: Mapping[str, Callable[[random.Random], JsonValue]] = {
    "int": lambda rng: rng.randint(0, 100),
    "float": lambda rng: round(rng.uniform(0, 100), 1),
    "bool": lambda rng: rng.random() < 0.5,
    "list": lambda rng: [rng.randint(0, 100)],
    "dict": lambda rng: {"key": rng.randint(0, 100)},
}
# How the prompt shows the id of a tool, a number or a text.
_SHOWN_ID = re.compile(r'"api_id": ("(?:[^"\\]|\\.)*"|[^\s,]+),')
RANDOM_WORDS = ("alpha", "bravo", "delta", "echo", "lima", "oscar", "sierra", "tango")


def oracle(sample: NestoolsSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The gold calls in the form that the prompt asks for."""
    declared = {tool["api_name"]: list(tool["responses"]) for tool in sample.input["tools"]}
    calls = []
    for call in sample.gold["calls"]:
        names = declared[call["api_name"]]
        # A record may give more labels than its tool declares return values; their order is what counts.
        names = [*names, *(f"value_{index}" for index in range(len(names), len(call["responses"])))]
        responses = dict(zip(names, call["responses"], strict=False))
        calls.append({**call, "responses": responses})
    return write_calls(calls)


def no_call(sample: NestoolsSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """A well-formed answer without any call."""
    return "[]"


def first_tool(sample: NestoolsSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The tool that the prompt shows first, with nothing known about its required parameters."""
    tool = tools_as_shown(sample, messages)[0]
    return write_calls([make_call(tool, dict.fromkeys(tool["required"], UNKNOWN), 0)])


def copy_query(sample: NestoolsSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The tool that the prompt shows first, with the query as the value of every parameter."""
    tool = tools_as_shown(sample, messages)[0]
    return write_calls([make_call(tool, dict.fromkeys(tool["parameters"], sample.input["query"]), 0)])


def random_calls(sample: NestoolsSample, messages: Sequence[Message], rng: random.Random) -> str:
    """Three different offered tools at random, their required parameters filled at random or nested."""
    tools = tools_as_shown(sample, messages)
    calls: list[Record] = []
    given = 0
    for tool in rng.sample(tools, min(3, len(tools))):
        values = {name: _random_value(tool["parameters"].get(name), given, rng) for name in tool["required"]}
        calls.append(make_call(tool, values, given))
        given += len(tool["responses"])
    return write_calls(calls)


def word_overlap(sample: NestoolsSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The three offered tools that share most words with the query, in its order, their parameters unknown."""
    tools = tools_as_shown(sample, messages)
    shared = overlap_scores(
        sample.input["query"], [f"{tool['api_name']} {tool['api_description']}" for tool in tools]
    )
    best = sorted(range(len(tools)), key=lambda place: (-shared[place], place))[:USUAL_CALLS]
    calls: list[Record] = []
    for place in sorted(best, key=lambda place: _first_mention(sample.input["query"], tools[place])):
        labels = sum(len(call["responses"]) for call in calls)
        calls.append(make_call(tools[place], dict.fromkeys(tools[place]["required"], UNKNOWN), labels))
    return write_calls(calls)


def _first_mention(query: str, tool: NestoolsTool) -> int:
    """Where the query first has a word of the tool's name."""
    words = telling_stems(tool["api_name"])
    return next(
        (place for place, word in enumerate(words_of(query)) if stem_of_word(word) in words), len(query)
    )


def _random_value(declared: JsonValue, given: int, rng: random.Random) -> JsonValue:
    if given and rng.random() < 0.25:
        return label_of_number(rng.randrange(given))
    kind = str(declared.get("type")) if isinstance(declared, Mapping) else ""
    return RANDOM_VALUES[kind](rng) if kind in RANDOM_VALUES else rng.choice(RANDOM_WORDS)


def tools_as_shown(sample: NestoolsSample, messages: Sequence[Message]) -> list[NestoolsTool]:
    """The offered tools by their place in the prompt, so that no answer can tell gold from distractor."""
    text = "\n".join(message.content for message in messages)
    places: dict[str, int] = {}
    for shown in _SHOWN_ID.finditer(text):
        places.setdefault(shown[1], shown.start())

    def place(tool: NestoolsTool) -> tuple[float, str]:
        number = tool["api_id"]
        written = str(number) if type(number) is int else json.dumps(number)
        return places.get(written, math.inf), str(number)

    return sorted(offered_tools(sample), key=place)


def make_call(tool: NestoolsTool, parameters: Mapping[str, JsonValue], first_label: int) -> Record:
    """A call of the tool, its return values labelled from that number on."""
    labels = {name: label_of_number(first_label + index) for index, name in enumerate(tool["responses"])}
    return {
        "api_name": tool["api_name"],
        "api_id": tool["api_id"],
        "parameters": dict(parameters),
        "responses": labels,
    }


def write_calls(calls: Sequence[Mapping[str, object]]) -> str:
    """The calls in the form that the prompt asks for."""
    # Not in ASCII: the release reads escaped surrogate pairs as two characters.
    return json.dumps(calls, ensure_ascii=False)


BASELINES: Mapping[str, Answerer] = {
    "random": random_calls,
    "no-call": no_call,
    "first-tool": first_tool,
    "copy-query": copy_query,
    "word-overlap": word_overlap,
}
