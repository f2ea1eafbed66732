"""The Responses format, whole and streamed.

{"status": "completed", "output": [{"type": "function_call", "call_id": "c1", "name": "add",
 "arguments": "{\\"a\\": 1}"}], "usage": {"input_tokens": 12, "output_tokens": 3}}
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from toolyard.certify.endpoint_turn import (
    Count,
    EndpointCall,
    EndpointTurn,
    Item,
    Said,
    ToolAnswer,
    object_or_empty,
    objects_of_list,
    text_or_empty,
    whole_number,
)  # fmt: skip
from toolyard.certify.probe import Probe
from toolyard.certify.stream_events import Events, read_events
from toolyard.certify.surfaces.chat import function_document
from toolyard.core.types import JsonValue
from toolyard.models.http.wire import decode_json

ENDS = ("response.completed", "response.incomplete", "response.failed")


def request_body(model: str, probe: Probe, items: Sequence[Item]) -> dict[str, JsonValue]:
    """The body of a request; the conversation is sent whole, nothing is kept at the endpoint."""
    task = probe.task
    body: dict[str, JsonValue] = {
        "model": model,
        "input": [part for item in items for part in input_items(item)],
        "temperature": 0,
        "max_output_tokens": task.room,
        "store": False,
    }
    if task.tools:
        body["tools"] = [
            {"type": "function", "strict": False, **function_document(tool)} for tool in task.tools
        ]
        plain = task.choice in ("auto", "required", "none")
        body["tool_choice"] = task.choice if plain else {"type": "function", "name": task.choice}
        if task.one_at_a_time:
            body["parallel_tool_calls"] = False
    return body | {"stream": True} if probe.is_streamed else body


def input_items(item: Item) -> Iterator[dict[str, JsonValue]]:
    """The input items of one step of the conversation; a thought of another turn is not sent."""
    if isinstance(item, Said):
        yield {"role": item.role, "content": item.text}
    elif isinstance(item, ToolAnswer):
        yield {"type": "function_call_output", "call_id": item.call.id, "output": item.text}
    else:
        if item.text:
            yield {"role": "assistant", "content": item.text}
        for call in item.calls:
            yield {
                "type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments,
            }  # fmt: skip


def read_whole(body: str) -> EndpointTurn:
    """The turn in a whole answer."""
    return read_response(object_or_empty(decode_json(body.encode("utf-8", "surrogatepass"))))


def read_response(payload: dict[str, JsonValue]) -> EndpointTurn:
    """The turn in a response object."""
    if not isinstance(payload.get("output"), list):
        return EndpointTurn(faults=("bad_shape",), count=read_count(payload))
    output = objects_of_list(payload["output"])
    calls = tuple(
        EndpointCall(
            text_or_empty(item.get("call_id")), text_or_empty(item.get("name")), item.get("arguments")
        )
        for item in output
        if item.get("type") == "function_call"
    )
    texts = [
        text for item in output if item.get("type") == "message" for text in _texts_of_field(item, "content")
    ]
    thoughts = [
        text
        for item in output
        if item.get("type") == "reasoning"
        for text in (*_texts_of_field(item, "content"), *_texts_of_field(item, "summary"))
    ]
    return EndpointTurn(
        "".join(texts), "".join(thoughts), calls, _finish_reason(payload, bool(calls)), read_count(payload)
    )


def _texts_of_field(item: dict[str, JsonValue], field: str) -> Iterator[str]:
    yield from (text_or_empty(part.get("text")) for part in objects_of_list(item.get(field)))


def _finish_reason(payload: dict[str, JsonValue], has_calls: bool) -> str:
    """Why the response ended; a completed one says nothing about calls, so they say it themselves."""
    status = text_or_empty(payload.get("status"))
    if status == "completed":
        return "calls" if has_calls else "stop"
    reason = text_or_empty(object_or_empty(payload.get("incomplete_details")).get("reason"))
    return "length" if reason in ("max_output_tokens", "max_tokens") else reason or status


def read_count(payload: dict[str, JsonValue]) -> Count:
    """The tokens, where they were counted."""
    usage = object_or_empty(payload.get("usage"))
    names = ("input_tokens", "output_tokens", "total_tokens")
    return Count(*(whole_number(usage.get(name)) for name in names))


def read_stream(body: str) -> EndpointTurn:
    """The turn in the last event of a stream; its faults say where the pieces before tell another story."""
    events = read_events(body)
    faults = ["stream_broken"] if events.broken else []
    last = next((event for event in reversed(events.items) if event.get("type") in ENDS), None)
    if last is None:
        return replace(_join_deltas(events), faults=(*faults, "stream_not_ended"))
    turn = read_response(object_or_empty(last.get("response")))
    pieces = _join_deltas(events)
    if turn.text != pieces.text or _arguments_of_calls(turn) != _arguments_of_calls(pieces):
        faults.append("stream_chunks_lost")
    elif [call.id for call in turn.calls] != [call.id for call in pieces.calls]:
        faults.append("stream_ids_changed")
    given = (event.get("sequence_number") for event in events.items)
    numbers = [number for number in given if isinstance(number, int)]
    if len(numbers) != len(set(numbers)) or numbers != sorted(numbers):
        faults.append("stream_out_of_order")
    return replace(turn, faults=(*turn.faults, *faults))


def _arguments_of_calls(turn: EndpointTurn) -> list[JsonValue]:
    """What the calls are given; a server may write the same object with other spaces at the end."""
    return [_json_or_text(text_or_empty(call.arguments)) for call in turn.calls]


def _json_or_text(text: str) -> JsonValue:
    try:
        found: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found


def _join_deltas(events: Events) -> EndpointTurn:
    """What the deltas of a stream add up to."""
    text, arguments, names = list[str](), dict[str, list[str]](), dict[str, dict[str, JsonValue]]()
    for event in events.items:
        kind, piece = event.get("type"), text_or_empty(event.get("delta"))
        key = text_or_empty(event.get("item_id")) or str(event.get("output_index"))
        if kind == "response.output_text.delta":
            text.append(piece)
        elif kind == "response.function_call_arguments.delta":
            arguments.setdefault(key, []).append(piece)
        elif kind == "response.output_item.added":
            item = object_or_empty(event.get("item"))
            if item.get("type") == "function_call":
                names[text_or_empty(item.get("id")) or str(event.get("output_index"))] = item
    calls = tuple(
        EndpointCall(
            text_or_empty(names.get(key, {}).get("call_id")),
            text_or_empty(names.get(key, {}).get("name")),
            "".join(pieces),
        )
        for key, pieces in arguments.items()
    )
    return EndpointTurn("".join(text), calls=calls)
