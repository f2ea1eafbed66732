"""The form of a NesTools sample, as `data.py` has checked it."""

from typing import NotRequired, TypeAlias, TypedDict

from toolyard.benchmarks.execution_verdict import WorldRow
from toolyard.core.types import JsonValue, Record, Sample


class NestoolsTool(TypedDict):
    """A tool as the prompt shows it: the document and its number."""

    api_name: str
    api_id: int | str
    api_description: str
    parameters: dict[str, JsonValue]
    required: list[str]
    responses: dict[str, JsonValue]


class NestoolsCall(TypedDict):
    """A gold call; labels such as `API_call_0` stand for what an earlier call returned.

    An accepted call of another tool has no number.
    """

    api_name: str
    api_id: NotRequired[int | str]
    parameters: dict[str, JsonValue]
    responses: list[str]


class NestoolsInput(TypedDict):
    """What a prompt may show; saved predictions of the release come without `distractors`."""

    query: str
    tools: list[NestoolsTool]
    distractors: NotRequired[list[NestoolsTool]]
    rewritten_query: NotRequired[str]
    perturb: NotRequired[Record]


class NestoolsGold(TypedDict):
    """What only scoring may read; `alternatives.py` says what else is right, `execution` how gold was executed."""

    calls: list[NestoolsCall]
    alternatives: NotRequired[list[JsonValue]]
    execution: NotRequired[WorldRow]


NestoolsSample: TypeAlias = Sample[NestoolsInput, NestoolsGold]
