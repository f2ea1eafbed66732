"""Answers that guess at the scorer: every tool, every value, nothing."""

import random
import re
from collections.abc import Mapping, Sequence

from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.benchmarks.nestools.scoring.baselines import make_call, no_call, tools_as_shown, write_calls
from toolyard.core.benchmark import Attack
from toolyard.core.types import Message, Record

_VALUES = re.compile(r'"([^"]+)"|\'([^\']+)\'|(\d[\d.,]*)|([A-Z]\w+(?: [A-Z]\w+)*)')


def call_everything(sample: NestoolsSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """Every offered tool once, each parameter the whole query."""
    calls: list[Record] = []
    labels = 0
    for tool in tools_as_shown(sample, messages):
        calls.append(make_call(tool, dict.fromkeys(tool["required"], sample.input["query"]), labels))
        labels += len(tool["responses"])
    return write_calls(calls)


def list_all(sample: NestoolsSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """Every offered tool once, each parameter a list of all values that the query seems to hold, and all labels."""
    found = [
        next(part for part in match.groups() if part) for match in _VALUES.finditer(sample.input["query"])
    ]
    calls: list[Record] = []
    labels = 0
    for tool in tools_as_shown(sample, messages):
        values = [*found, *(f"API_call_{number}" for number in range(labels))]
        calls.append(make_call(tool, dict.fromkeys(tool["parameters"], values), labels))
        labels += len(tool["responses"])
    return write_calls(calls)


ATTACKS: Mapping[str, Attack] = {
    "call-everything": Attack(call_everything, "every offered tool with the query in it"),
    "list-all": Attack(list_all, "every tool with every value"),
    "refuse-all": Attack(no_call, "no call at all"),
}
