"""One answer of an endpoint in the same form for every surface, and the conversation that it continues."""

from dataclasses import dataclass
from typing import TypeAlias

from toolyard.core.types import JsonValue
from toolyard.core.untrusted.limits import CALLS_PER_REPLY, CHARACTERS_PER_REPLY


@dataclass(frozen=True, slots=True)
class EndpointCall:
    """A call as the endpoint sent it; `arguments` should be a text of JSON and may be anything."""

    id: str
    name: str
    arguments: JsonValue


@dataclass(frozen=True, slots=True)
class Count:
    """Tokens as the endpoint counted them; None where it sent no number."""

    prompt: int | None = None
    completion: int | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class EndpointTurn:
    """What the endpoint answered. `finish` is stop, calls, length, another word, or empty where none was sent.

    `faults` are names of defects that show in the form of the answer alone. What is beyond `limits.py` is not kept.
    """

    text: str = ""
    thought: str = ""
    calls: tuple[EndpointCall, ...] = ()
    finish: str = ""
    count: Count = Count()
    faults: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        kept = {
            "text": self.text[:CHARACTERS_PER_REPLY],
            "thought": self.thought[:CHARACTERS_PER_REPLY],
            "calls": self.calls[:CALLS_PER_REPLY],
        }
        for name, value in kept.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the system or the user."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    """What the assistant wrote and called."""

    text: str
    calls: tuple[EndpointCall, ...] = ()
    thought: str = ""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool answered to a call."""

    call: EndpointCall
    text: str


Item: TypeAlias = Said | AssistantTurn | ToolAnswer


def whole_number(value: JsonValue) -> int | None:
    """A count, where the value is one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def text_or_empty(value: object) -> str:
    """A text, where the value is one."""
    return value if isinstance(value, str) else ""


def object_or_empty(value: object) -> dict[str, JsonValue]:
    """An object, where the value is one."""
    return value if isinstance(value, dict) else {}


def objects_of_list(value: object) -> list[dict[str, JsonValue]]:
    """The objects of a list, where the value is one."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
