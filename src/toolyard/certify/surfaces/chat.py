"""Chat Completions, whole and streamed.

{"choices": [{"message": {"content": null, "tool_calls": [{"id": "c1", "type": "function",
 "function": {"name": "add", "arguments": "{\\"a\\": 1}"}}]}, "finish_reason": "tool_calls"}], "usage": {...}}
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

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
from toolyard.certify.stream_events import read_events
from toolyard.certify.task import ProbeTool
from toolyard.core.types import JsonValue
from toolyard.core.untrusted.limits import CALLS_PER_REPLY
from toolyard.models.http.wire import decode_json

FINISHES = {"stop": "stop", "tool_calls": "calls", "function_call": "calls", "length": "length"}


def request_body(
    model: str, probe: Probe, items: Sequence[Item], *, native: bool = True
) -> dict[str, JsonValue]:
    """The body of a request; without `native` the tools stand in the text already."""
    task = probe.task
    body: dict[str, JsonValue] = {
        "model": model,
        "messages": [chat_message(item) for item in items],
        "temperature": 0,
        "max_tokens": task.room,
    }
    if native and task.tools:
        body["tools"] = [{"type": "function", "function": function_document(tool)} for tool in task.tools]
        body["tool_choice"] = tool_choice(task.choice)
        if task.one_at_a_time:
            body["parallel_tool_calls"] = False
    if probe.is_streamed:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    return body


def function_document(tool: ProbeTool) -> dict[str, JsonValue]:
    """A tool's document."""
    strict = {"strict": True} if tool.strict else {}
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters, **strict}


def tool_choice(wanted: str) -> JsonValue:
    """auto, required and none as they are, a tool by its name."""
    plain = wanted in ("auto", "required", "none")
    return wanted if plain else {"type": "function", "function": {"name": wanted}}


def chat_message(item: Item) -> dict[str, JsonValue]:
    """One message of the conversation."""
    if isinstance(item, Said):
        return {"role": item.role, "content": item.text}
    if isinstance(item, ToolAnswer):
        return {"role": "tool", "tool_call_id": item.call.id, "content": item.text}
    found: dict[str, JsonValue] = {"role": "assistant", "content": item.text or None}
    if item.thought:
        found["reasoning_content"] = item.thought
    if item.calls:
        found["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in item.calls
        ]
    return found


def read_whole(body: str) -> EndpointTurn:
    """The turn in a whole answer."""
    payload = object_or_empty(decode_json(body.encode("utf-8", "surrogatepass")))
    choices = objects_of_list(payload.get("choices"))
    if not choices or not isinstance(choices[0].get("message"), dict):
        return EndpointTurn(faults=("bad_shape",), count=read_count(payload))
    answer = object_or_empty(choices[0]["message"])
    content, calls = answer.get("content"), answer.get("tool_calls")
    odd = not (content is None or isinstance(content, str)) or not (calls is None or isinstance(calls, list))
    faults = ("bad_shape",) if odd or answer.get("role") != "assistant" else ()
    return EndpointTurn(
        text_or_empty(content),
        text_or_empty(answer.get("reasoning_content")) or text_or_empty(answer.get("reasoning")),
        tuple(read_call(call) for call in objects_of_list(calls)),
        finish_reason(choices[0].get("finish_reason")),
        read_count(payload),
        faults,
    )


def read_call(call: dict[str, JsonValue]) -> EndpointCall:
    """A call of a whole answer."""
    inner = object_or_empty(call.get("function"))
    return EndpointCall(
        text_or_empty(call.get("id")), text_or_empty(inner.get("name")), inner.get("arguments")
    )


def finish_reason(word: JsonValue) -> str:
    """Why the answer ended, in one vocabulary."""
    return FINISHES.get(text_or_empty(word), text_or_empty(word))


def read_count(payload: dict[str, JsonValue]) -> Count:
    """The tokens, where they were counted."""
    usage = object_or_empty(payload.get("usage"))
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    return Count(*(whole_number(usage.get(name)) for name in names))


def read_stream(body: str) -> EndpointTurn:
    """The turn that the chunks of a stream add up to."""
    events = read_events(body)
    faults = [] if events.done else ["stream_not_ended"]
    faults += ["stream_broken"] if events.broken else []
    parts = _Parts()
    for event in events.items:
        usage = read_count(event)
        if usage != Count():
            parts.count = usage
        for piece in objects_of_list(event.get("choices"))[:1]:
            parts.take(piece)
    if not parts.seen:
        faults.append("bad_shape")
    faults += sorted(parts.faults)
    calls = tuple(EndpointCall(call.id, call.name, "".join(call.arguments)) for call in parts.calls.values())
    text, thought = "".join(parts.text), "".join(parts.thought)
    return EndpointTurn(text, thought, calls, parts.finish, parts.count, tuple(faults))


@dataclass(slots=True)
class _PiecedCall:
    """A call of a stream so far; texts are put together once, at the end."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class _Parts:
    """What the chunks so far add up to."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.thought: list[str] = []
        self.finish = ""
        self.calls: dict[int, _PiecedCall] = {}
        self.count = Count()
        self.faults: set[str] = set()
        self.seen = False

    def take(self, piece: dict[str, JsonValue]) -> None:
        """Adds one chunk."""
        self.seen = True
        delta = object_or_empty(piece.get("delta"))
        self.text.append(text_or_empty(delta.get("content")))
        self.thought.append(
            text_or_empty(delta.get("reasoning_content")) or text_or_empty(delta.get("reasoning"))
        )
        self.finish = finish_reason(piece.get("finish_reason")) or self.finish
        for call in objects_of_list(delta.get("tool_calls")):
            self._take_call(call)

    def _take_call(self, call: dict[str, JsonValue]) -> None:
        place = whole_number(call.get("index"))
        if place is None:
            self.faults.add("stream_without_index")
            place = len(self.calls) if call.get("id") or not self.calls else max(self.calls)
        inner = object_or_empty(call.get("function"))
        if not isinstance(inner.get("arguments"), (str, type(None))):
            self.faults.add("arguments_not_text")
        if place not in self.calls and len(self.calls) >= CALLS_PER_REPLY:
            return
        known = self.calls.setdefault(place, _PiecedCall())
        # A name or an id that comes again with every chunk is the same one.
        known.id = known.id or text_or_empty(call.get("id"))
        known.name = known.name or text_or_empty(inner.get("name"))
        known.arguments.append(text_or_empty(inner.get("arguments")))
