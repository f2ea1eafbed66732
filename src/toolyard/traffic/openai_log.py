"""Logs of chat requests and their responses, one JSON object a line.

    {"id": "r1", "request": {"model": "m", "messages": [...], "tools": [...]},
     "response": {"choices": [{"message": {"role": "assistant", "tool_calls": [...]}}]}}

`request` may also be left out, its fields standing beside `response`; a line with `messages` alone is a whole conversation.
A request that repeats an earlier one and its response goes on with that conversation.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from toolyard.core.types import JsonValue
from toolyard.traffic.trajectory import RecordedTurn, TracedEpisode, recorded_call, says_error

Row = tuple[str, Mapping[str, JsonValue]]


def is_openai_log(row: Mapping[str, JsonValue]) -> bool:
    """Whether a line has the form."""
    return isinstance(_request_fields(row).get("messages"), list)


def _request_fields(row: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """The fields of the request, in an object of their own or beside the response."""
    request = row.get("request")
    return request if isinstance(request, Mapping) and "messages" in request else row


def read_openai_log(rows: Iterable[Row]) -> list[TracedEpisode]:
    """The conversations of a log, each in its longest form."""
    found: dict[str, TracedEpisode] = {}
    ends: dict[str, str] = {}
    for where, row in rows:
        request = _request_fields(row)
        listed = request.get("messages")
        messages = [
            item for item in (listed if isinstance(listed, list) else ()) if isinstance(item, Mapping)
        ]
        whole = [*messages, *_reply_messages(row)]
        digests = _digests_of_beginnings(whole)
        earlier = next((ends[key] for key in digests[: max(0, len(messages) - 1)][::-1] if key in ends), "")
        if earlier:
            found.pop(earlier, None)
        name = earlier or str(row.get("conversation_id") or row.get("id") or where)
        name = name if name not in found else f"{name} ({where})"
        found[name] = TracedEpisode(
            name,
            tuple(map(read_turn, whole)),
            offered_tools(request.get("tools")),
            str(request.get("model") or ""),
        )
        if digests:
            ends[digests[-1]] = name
    return list(found.values())


def _reply_messages(row: Mapping[str, JsonValue]) -> Iterator[Mapping[str, JsonValue]]:
    response = row.get("response")
    response = response if isinstance(response, Mapping) else row
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else {}
    message = first.get("message") if isinstance(first, Mapping) else None
    if isinstance(message, Mapping):
        yield message


def _digests_of_beginnings(messages: Sequence[Mapping[str, JsonValue]]) -> list[str]:
    """One for each beginning, the shortest first; the same for messages that say the same, whatever else a log writes."""
    running, found = hashlib.sha256(), []
    for item in messages:
        said = [
            item.get("role"),
            read_text(item.get("content")),
            item.get("tool_calls") or None,
            item.get("tool_call_id"),
        ]
        running.update(json.dumps(said, sort_keys=True, default=str).encode() + b"\n")
        found.append(running.hexdigest())
    return found


def read_turn(message: Mapping[str, JsonValue]) -> RecordedTurn:
    """One message of the chat format."""
    text = read_text(message.get("content"))
    role = str(message.get("role") or "assistant")
    calls = []
    listed = message.get("tool_calls")
    for item in listed if isinstance(listed, list) else []:
        function: object = item.get("function", item) if isinstance(item, Mapping) else None
        if isinstance(function, Mapping):
            calls.append(recorded_call(item.get("id"), function.get("name"), function.get("arguments")))
    error = role == "tool" and says_error(text)
    return RecordedTurn(role, text, tuple(calls), str(message.get("tool_call_id") or ""), error)


def read_text(content: JsonValue) -> str:
    """The text of a message, whole or in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part["text"]) for part in parts if isinstance(part, Mapping) and "text" in part)


def offered_tools(listed: JsonValue) -> dict[str, Mapping[str, JsonValue]] | None:
    """The schemas of a list of tools by name; None where there is no list."""
    if not isinstance(listed, list):
        return None
    functions = [item.get("function", item) for item in list_objects(listed)]
    return {str(item.get("name")): item for item in functions if isinstance(item, Mapping)}


def list_objects(value: JsonValue) -> Iterator[Mapping[str, JsonValue]]:
    """The objects of a list; nothing where it is none."""
    return (item for item in value if isinstance(item, Mapping)) if isinstance(value, list) else iter(())
