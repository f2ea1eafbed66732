"""Tools in the text: described in a system message, called by a line of JSON, answered by a message of the user.

CALL {"name": "add", "arguments": {"a": 19, "b": 23}}
"""

import json
from collections.abc import Sequence
from dataclasses import replace

from toolyard.certify.endpoint_turn import EndpointCall, EndpointTurn, Item, Said, ToolAnswer, object_or_empty
from toolyard.certify.surfaces.chat import function_document
from toolyard.certify.task import ProbeTask
from toolyard.core.types import JsonValue
from toolyard.text.json_values import json_per_line
from toolyard.text.parsing import json_values

INSTRUCTIONS = """You can call these tools, given as JSON, one per line:
{tools}

To call a tool, write a line that begins with CALL and goes on with JSON, and write nothing after your calls:
CALL {{"name": "tool_name", "arguments": {{"argument": "value"}}}}
For several calls write several such lines. You then get each result in a line that begins with RESULT.
Without a need for a tool, answer in plain words."""


def conversation_as_text(task: ProbeTask, items: Sequence[Item]) -> list[Item]:
    """The conversation with tools, calls and results as plain messages."""
    said = [item if isinstance(item, Said) else _say_as_text(item) for item in items]
    if not task.tools:
        return list(said)
    tools = json_per_line(map(function_document, task.tools))
    system = INSTRUCTIONS.format(tools=tools)
    if said and said[0].role == "system":
        system, said = f"{said[0].text}\n\n{system}", said[1:]
    return [Said("system", system), *_merge_same_role(said)]


def _say_as_text(item: Item) -> Said:
    if isinstance(item, ToolAnswer):
        return Said("user", f"RESULT {item.call.name}: {item.text}")
    if isinstance(item, Said):
        return item
    calls = (
        f'CALL {{"name": {json.dumps(call.name)}, "arguments": {_json_text(call.arguments)}}}'
        for call in item.calls
    )
    return Said("assistant", "\n".join(part for part in (item.text, *calls) if part))


def _json_text(arguments: JsonValue) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _merge_same_role(said: Sequence[Said]) -> list[Said]:
    """Neighbours of the same role as one message, because many templates want roles in turn."""
    joined: list[Said] = []
    for item in said:
        if joined and joined[-1].role == item.role:
            joined[-1] = Said(item.role, f"{joined[-1].text}\n{item.text}")
        else:
            joined.append(item)
    return joined


def add_found_calls(task: ProbeTask, turn: EndpointTurn) -> EndpointTurn:
    """The turn with the calls that its text holds, numbered; the text before the first stays the text."""
    found = find_calls(task, turn.text)
    calls = tuple(
        EndpointCall(f"call_{place}", name, json.dumps(arguments, ensure_ascii=False))
        for place, (name, arguments) in enumerate(found, 1)
    )
    return replace(turn, calls=calls)


def find_calls(task: ProbeTask, text: str) -> list[tuple[str, dict[str, JsonValue]]]:
    """Calls of the task's own tools that stand in a text as JSON, however they are wrapped."""
    found: list[tuple[str, dict[str, JsonValue]]] = []
    for value in json_values(text):
        content = value.value
        for item in content if isinstance(content, list) else [content]:
            call = _call_in_text(task, object_or_empty(item))
            found += [call] if call is not None else []
    return found


def _call_in_text(task: ProbeTask, item: dict[str, JsonValue]) -> tuple[str, dict[str, JsonValue]] | None:
    inner = object_or_empty(item.get("function")) or item
    arguments = next((inner[key] for key in ("arguments", "parameters", "args") if key in inner), None)
    name = inner.get("name", item.get("tool"))
    if isinstance(arguments, dict) and isinstance(name, str) and name in task.by_name:
        return name, arguments
    return None
