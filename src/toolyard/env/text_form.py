"""The environment in plain text, for whoever can only read and write words: functions are listed, calls are tagged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from toolyard.core.types import Record
from toolyard.env.environment import TaskObservation
from toolyard.text.json_values import json_per_line
from toolyard.text.templates import render

_TEMPLATES = {
    name: files(__package__).joinpath(f"templates/{name}.txt").read_text("utf-8").strip()
    for name in ("tagged_calls", "two_tools")
}


@dataclass(frozen=True, slots=True)
class Opening:
    """The first words of a task: instructions with the functions, and what the user says."""

    system: str
    user: str


def opening_text(observation: TaskObservation, template: str = "tagged_calls") -> Opening:
    """A task as text; the template says how functions are called."""
    listed = json_per_line(tool["function"] for tool in observation.tools)
    how = render(_TEMPLATES[template], {"functions": listed})
    system, user = observation.messages[0]["content"], observation.messages[1]["content"]
    return Opening(f"{system}\n\n{how}", str(user))


def new_messages_text(before: TaskObservation, after: TaskObservation) -> str:
    """What came back since: results of calls and the user's words."""
    return "\n".join(_message_lines(after.messages[len(before.messages) :]))


def _message_lines(messages: Sequence[Record]) -> list[str]:
    return [
        f"<tool_response>{message['content']}</tool_response>"
        if message["role"] == "tool"
        else str(message["content"])
        for message in messages
        if message["role"] in ("tool", "user")
    ]
