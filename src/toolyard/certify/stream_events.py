"""The events of a stream, out of its text.

data: {"choices": [{"delta": {"content": "Hel"}}]}

data: [DONE]
"""

from dataclasses import dataclass

from toolyard.core.types import JsonValue
from toolyard.models.http.wire import decode_json

DONE = "[DONE]"


@dataclass(frozen=True, slots=True)
class Events:
    """The JSON objects of a stream in order, whether it was ended by `[DONE]`, and how many were broken."""

    items: tuple[dict[str, JsonValue], ...]
    done: bool
    broken: int


def read_events(body: str) -> Events:
    """Every `data:` event of a body; lines of other fields are passed over."""
    items: list[dict[str, JsonValue]] = []
    done, broken = False, 0
    for data in _data_of_events(body):
        if data == DONE:
            done = True
            continue
        value = decode_json(data.encode("utf-8", "surrogatepass"))
        if isinstance(value, dict):
            items.append(value)
        else:
            broken += 1
    return Events(tuple(items), done, broken)


def _data_of_events(body: str) -> list[str]:
    """The data of each event; several data lines of one event are one text."""
    found: list[str] = []
    lines: list[str] = []
    for line in [*body.replace("\r\n", "\n").split("\n"), ""]:
        if line.startswith("data:"):
            lines.append(line[5:].removeprefix(" "))
        elif not line and lines:
            found.append("\n".join(lines))
            lines = []
    return found
