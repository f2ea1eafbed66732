"""What one agent did, from the first message to the last."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from toolyard.core.types import Failure, JsonValue
from toolyard.core.untrusted.json_safe import json_safe


@dataclass(frozen=True, slots=True)
class TracedCall:
    """A call as the model wrote it; `arguments` is a Failure where it is no JSON object."""

    id: str
    name: str
    arguments: Mapping[str, JsonValue] | Failure
    written: str

    @property
    def key(self) -> str:
        """The same for calls that ask for the same."""
        if isinstance(self.arguments, Failure):
            return f"{self.name} {self.written}"
        return f"{self.name} {json.dumps(self.arguments, sort_keys=True, default=str)}"


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One message; a tool's has the id of the call that it answers."""

    role: str
    text: str
    calls: tuple[TracedCall, ...] = ()
    answers: str = ""
    error: bool = False


@dataclass(frozen=True, slots=True)
class TracedEpisode:
    """A whole conversation; `tools` are the schemas that were offered, by name, None where the log does not say."""

    id: str
    turns: tuple[RecordedTurn, ...]
    tools: Mapping[str, Mapping[str, JsonValue]] | None = field(default=None)
    model: str = ""

    @property
    def calls(self) -> tuple[TracedCall, ...]:
        """All calls in order."""
        return tuple(call for turn in self.turns for call in turn.calls)

    @property
    def answer(self) -> str:
        """The last words of the assistant; empty where it ended with a call."""
        last = next((turn for turn in reversed(self.turns) if turn.role == "assistant"), None)
        return "" if last is None or last.calls else last.text

    def results(self) -> dict[str, RecordedTurn]:
        """The tools' messages by the call that each answers; the first where there are several."""
        found: dict[str, RecordedTurn] = {}
        for turn in self.turns:
            if turn.answers:
                found.setdefault(turn.answers, turn)
        return found


def recorded_call(identity: JsonValue, name: JsonValue, arguments: JsonValue) -> TracedCall:
    """A call of a log; arguments may be an object or the text of one."""
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, default=str)
    return TracedCall(str(identity or ""), str(name or ""), _arguments_object(arguments), written)


def _arguments_object(arguments: JsonValue) -> Mapping[str, JsonValue] | Failure:
    value = arguments
    if isinstance(arguments, str):
        try:
            value = json_safe(json.loads(arguments or "{}"))
        except (ValueError, RecursionError) as error:
            return Failure("not_json", str(error)[:80])
    if value is None:
        return {}
    return value if isinstance(value, dict) else Failure("no_object", type(value).__name__)


def says_error(text: str, *, marked: bool = False) -> bool:
    """Whether a tool's message reports a failure: marked as one, an object with an error, or a text that says so first."""
    if marked:
        return True
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text.lstrip().lower().startswith(("error", "exception", "traceback"))
    return isinstance(value, dict) and bool(value.get("error") or value.get("isError"))
