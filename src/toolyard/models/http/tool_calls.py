"""Native tool calls: the choice as endpoints want it, and calls read from whatever shape a server sends.

{"id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{\"city\": \"Oslo\"}"}}

Every call leaves here in that shape, with an id of its own. What was odd about it is named, so that a test of
the server can tell.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from toolyard.core.types import JsonValue
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.core.untrusted.limits import CALLS_PER_REPLY
from toolyard.models.key_scrubbing import json_or_none
from toolyard.text.json_values import mapping

NAMES = ("name", "tool_name", "tool", "recipient_name")
ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input")
PART_TYPES = ("tool_use", "tool_call", "function_call")
CHOICES = ("auto", "required", "none")


@dataclass(frozen=True, slots=True)
class ReadCalls:
    """The first calls of one reply in one shape, what was wrong with the shape they came in, how many more came."""

    calls: tuple[Mapping[str, JsonValue], ...] = ()
    faults: tuple[str, ...] = ()
    dropped: int = 0


def read_calls(message: Mapping[str, JsonValue]) -> ReadCalls:
    """The calls of a message: `tool_calls`, the older `function_call`, or parts of the content."""
    calls: list[Mapping[str, JsonValue]] = []
    faults: list[str] = []
    seen: set[str] = set()
    free = (name for name in map("call_{}".format, count()) if name not in seen)
    found = _raw_calls(message, faults)
    dropped = max(0, len(found) - CALLS_PER_REPLY)
    if dropped:
        faults.append("too_many_calls")
    for raw in found[:CALLS_PER_REPLY]:
        name, arguments = _called_name(raw), _arguments_text(raw, faults)
        # The Responses API names an item and its call apart; results go by the call's name.
        identity = str(raw.get("call_id") or raw.get("id") or "")
        if not identity or identity in seen:
            faults.append("repeated_id" if identity else "missing_id")
            identity = next(free)
        seen.add(identity)
        calls.append({"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}})
    return ReadCalls(tuple(calls), tuple(dict.fromkeys(faults)), dropped)


def _raw_calls(message: Mapping[str, JsonValue], faults: list[str]) -> list[Mapping[str, JsonValue]]:
    listed = message.get("tool_calls")
    if isinstance(listed, str):
        faults.append("calls_as_text")
        listed = json_or_none(listed)
    if isinstance(listed, Mapping):
        faults.append("calls_not_a_list")
        listed = [listed]
    found = [call for call in listed if isinstance(call, Mapping)] if isinstance(listed, list) else []
    older = message.get("function_call")
    if not found and isinstance(older, Mapping) and _called_name(older):
        faults.append("older_function_call")
        found = [older]
    content = message.get("content")
    if not found and isinstance(content, list):
        found = [part for part in content if isinstance(part, Mapping) and part.get("type") in PART_TYPES]
    return found


def _function_body(raw: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    function = raw.get("function")
    return function if isinstance(function, Mapping) else raw


def _called_name(raw: Mapping[str, JsonValue]) -> str:
    body = _function_body(raw)
    function = raw.get("function")
    named = (body.get(name) for name in NAMES)
    return next((value for value in (*named, function) if isinstance(value, str) and value), "")


def _arguments_text(raw: Mapping[str, JsonValue], faults: list[str]) -> str:
    body = _function_body(raw)
    value = next((body[name] for name in ARGUMENTS if body.get(name) is not None), "")
    if not isinstance(value, str):
        faults.append("arguments_not_text")
        return json.dumps(json_safe(value), ensure_ascii=False)
    inner = json_or_none(value)
    if isinstance(inner, str) and isinstance(json_or_none(inner), dict):
        faults.append("arguments_encoded_twice")
        return inner
    return value.strip() or "{}"


def chat_choice(choice: str) -> JsonValue:
    """A tool choice in the chat format."""
    return choice if choice in CHOICES else {"type": "function", "function": {"name": choice}}


def strict_tools(tools: Sequence[Mapping[str, JsonValue]]) -> list[dict[str, JsonValue]]:
    """The tools with strict schemas: every object closed, every property required, optional ones nullable."""
    return [_strict_tool(tool) for tool in tools]


def _strict_tool(tool: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    function = mapping(tool.get("function"))
    return {
        **tool,
        "function": {
            **function,
            "strict": True,
            "parameters": strict_schema(function.get("parameters") or {}),
        },
    }


def strict_schema(schema: JsonValue) -> JsonValue:
    """The schema in the form that strict decoding requires, at every level."""
    if not isinstance(schema, Mapping):
        return schema
    known = {
        key: strict_schema(value) for key, value in schema.items() if key not in ("properties", "required")
    }
    for key in ("anyOf", "oneOf", "allOf"):
        if isinstance(united := schema.get(key), list):
            known[key] = [strict_schema(each) for each in united]
    properties = schema.get("properties")
    if schema.get("type") != "object" and not isinstance(properties, Mapping):
        return known
    required = schema.get("required")
    required = required if isinstance(required, list) else []
    given = mapping(properties)
    closed = {
        name: strict_schema(each) if name in required else _nullable_schema(strict_schema(each))
        for name, each in given.items()
    }
    return {**known, "properties": closed, "required": list(closed), "additionalProperties": False}


def _nullable_schema(schema: JsonValue) -> JsonValue:
    known = mapping(schema)
    kind, values = known.get("type"), known.get("enum")
    if not isinstance(kind, str) or kind == "null":
        return {"anyOf": [schema, {"type": "null"}]}
    nullable: dict[str, JsonValue] = {**known, "type": [kind, "null"]}
    if isinstance(values, list):
        nullable["enum"] = [*values, None]
    return nullable
