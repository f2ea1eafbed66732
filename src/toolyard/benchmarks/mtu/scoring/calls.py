"""Tool calls as plain data: gold answers in their official spellings, and what a model called."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toolyard.benchmarks.mtu.data.sample import MtuCall, MtuPastCall
from toolyard.core.types import Failure, JsonValue
from toolyard.text.parsing import read_literal


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call."""

    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)

    def to_json(self) -> MtuCall:
        """The call as it is stored."""
        return {"name": self.name, "arguments": dict(self.arguments)}


@dataclass(frozen=True, slots=True)
class TurnPrediction:
    """What an answer calls, in order, and why it could not be read where it could not.

    `went_on` marks an answer that played the tool or the user after its call; it was read up to there.
    """

    calls: tuple[Call, ...] = ()
    failure: Failure | None = None
    # the whole answer, for turns in which words are what is wanted
    said: str = ""
    went_on: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The called tools in order."""
        return tuple(call.name for call in self.calls)


def gold_calls(answer: JsonValue) -> tuple[Call, ...] | Failure:
    """The calls of a gold answer: `{}` and `{"": {}}` both mean none, names lose outer spaces."""
    found = read_literal(answer) if isinstance(answer, str) else answer
    if not isinstance(found, dict):
        return Failure("answer_not_an_object", str(found)[:80])
    calls = []
    for name, value in found.items():
        arguments = read_literal(value) if isinstance(value, str) else value
        if not isinstance(arguments, dict):
            return Failure("arguments_not_an_object", f"{name}: {value}"[:80])
        if name.strip():
            calls.append(Call(name.strip(), arguments))
    return tuple(calls)


def calls_of(items: Sequence[MtuCall | MtuPastCall]) -> tuple[Call, ...]:
    """Stored calls as records."""
    return tuple(Call(item["name"], item["arguments"] or {}) for item in items)
