"""The form of an MTU-Bench sample, as `data.py` has taken it apart."""

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypeAlias, TypedDict

from toolyard.benchmarks.execution_verdict import WorldRow
from toolyard.core.types import JsonValue, Record, Sample


class MtuCall(TypedDict):
    """A stored gold call."""

    name: str
    arguments: Mapping[str, JsonValue]


class MtuPastCall(TypedDict):
    """A call of an earlier turn; its arguments are None where their text cannot be read."""

    name: str
    arguments: Mapping[str, JsonValue] | None


class MtuTurn(TypedDict):
    """An earlier turn of the dialogue."""

    user: str
    thought: str
    calls: list[MtuPastCall]
    observation: str
    assistant: str


class MtuInput(TypedDict):
    """What a prompt may show; the documents of `tools` come in the spellings of text/documents/mtu.py."""

    setting: str
    kind: str
    question: str
    instructions: str
    tools: list[Record]
    shared_parameters: Sequence[JsonValue] | Mapping[str, JsonValue]
    history: list[MtuTurn]
    form: str
    user: str
    after: str


class MtuDialoguePlace(TypedDict):
    """Which dialogue a turn belongs to, and how many turns that has; None where the released scorer counts them."""

    dialogue: int
    turns: int | None


class MtuGold(TypedDict):
    """What only scoring may read; `alternatives.py` says what else is right, `execution` how gold was executed.

    `world` is the same of a turn that wants no call."""

    calls: list[MtuCall]
    unreadable: str
    row: int
    turn: int
    paper: MtuDialoguePlace
    official: MtuDialoguePlace
    alternatives: NotRequired[list[JsonValue]]
    inferred: NotRequired[list[str]]
    situation: NotRequired[str]
    reply: NotRequired[str]
    execution: NotRequired[WorldRow]
    world: NotRequired[WorldRow]


MtuSample: TypeAlias = Sample[MtuInput, MtuGold]
