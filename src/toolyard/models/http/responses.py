"""`responses/NAME`: the Responses format of OpenAI and of the servers that copy it.

{"model": "m", "input": [{"role": "user", "content": "..."}], "max_output_tokens": 64, "store": false}
{"output": [{"type": "reasoning", "summary": [...]}, {"type": "function_call", "call_id": "c", "name": "find",
 "arguments": "{}"}, {"type": "message", "content": [{"type": "output_text", "text": "..."}]}], "usage": {...}}

Nothing is stored at the endpoint: every request carries the whole conversation, thoughts left out. The format
has no stop sequences and no seed; answers are cut where they should have stopped.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace

from toolyard.core.types import Completion, Failure, JsonValue, Message, Request
from toolyard.models.base import estimated_usage
from toolyard.models.http.openai import Surface, provider_for
from toolyard.models.http.request_settings import Asking
from toolyard.models.http.stream import ResponsesStream
from toolyard.models.http.thoughts import reasoning_field, separate_thought
from toolyard.models.http.tool_calls import CHOICES, read_calls, strict_schema
from toolyard.models.http.usage import read_usage
from toolyard.models.http.wire import LABEL_LIMIT, PLAIN, cut_at_stop, read_text, written_text
from toolyard.text.json_values import mapping

REASONS = {"max_output_tokens": "length"}


def request_body(
    name: str, request: Request, dropped: Set[str] = frozenset(), asking: Asking = PLAIN, room: int = 0
) -> dict[str, JsonValue]:
    """What is posted for one request, less the parameters that this endpoint refused before."""
    decoding = request.decoding
    body: dict[str, JsonValue] = {
        "model": name,
        "input": [item for message in request.messages for item in _items_of_message(message)],
        "max_output_tokens": decoding.max_tokens + room,
        "temperature": decoding.temperature,
        "store": False,
    }
    if decoding.top_p != 1.0:
        body["top_p"] = decoding.top_p
    if request.tools:
        body["tools"] = [_tool_document(tool, asking) for tool in request.tools]
        if request.tool_choice:
            plain = request.tool_choice in CHOICES
            body["tool_choice"] = (
                request.tool_choice if plain else {"type": "function", "name": request.tool_choice}
            )
        if request.parallel_calls is not None:
            body["parallel_tool_calls"] = request.parallel_calls
    if asking.effort:
        body["reasoning"] = {"effort": asking.effort}
    if asking.streams:
        body["stream"] = True
    for refused in dropped:
        body.pop(refused, None)
    return {**body, **asking.extra}


def _items_of_message(message: Message) -> Iterator[dict[str, JsonValue]]:
    if message.role == "tool":
        yield {
            "type": "function_call_output",
            "call_id": message.tool_call_id or "",
            "output": message.content,
        }
        return
    if message.content or not message.tool_calls:
        yield {"role": message.role, "content": message.content}
    for call in message.tool_calls:
        function = mapping(call.get("function"))
        yield {
            "type": "function_call",
            "call_id": call.get("id", ""),
            "name": function.get("name", ""),
            "arguments": function.get("arguments", "{}"),
        }


def _tool_document(tool: Mapping[str, JsonValue], asking: Asking) -> dict[str, JsonValue]:
    function = mapping(tool.get("function"))
    parameters = function.get("parameters") or {"type": "object", "properties": {}}
    shape = strict_schema(parameters) if asking.strict else parameters
    return {"type": "function", **function, "parameters": shape, "strict": asking.strict}


def read_completion(payload: JsonValue, request: Request, latency: float) -> Completion | Failure:
    """The completion in a response; thoughts, calls and words each come as items of their own."""
    output = payload.get("output") if isinstance(payload, dict) else None
    if not isinstance(output, list) or not isinstance(payload, dict):
        return Failure("bad_response", f"no output in {str(payload)[:120]}")
    items = [item for item in output if isinstance(item, Mapping)]
    text = "".join(read_text(item.get("content")) for item in items if item.get("type") == "message")
    reasoning = "\n".join(filter(None, map(_reasoning_text, items)))
    calls = read_calls({"tool_calls": [item for item in items if item.get("type") == "function_call"]})
    estimate = estimated_usage(request, written_text(text, reasoning, calls.calls))
    completion = separate_thought(
        Completion(
            text=text,
            finish_reason=_finish_reason(payload, bool(calls.calls)),
            usage=read_usage(payload.get("usage"), estimate),
            latency=latency,
            model=str(payload.get("model") or "")[:LABEL_LIMIT],
            tool_calls=calls.calls,
            reasoning=reasoning,
            dropped_calls=calls.dropped,
        )
    )
    return replace(completion, text=cut_at_stop(completion.text, request.decoding.stop))


def _reasoning_text(item: Mapping[str, JsonValue]) -> str:
    if item.get("type") != "reasoning":
        return ""
    return reasoning_field({"reasoning": item.get("content") or item.get("summary")})


def _finish_reason(payload: Mapping[str, JsonValue], calls: bool) -> str:
    details = payload.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, Mapping) else None
    if reason:
        return REASONS.get(str(reason), str(reason))[:LABEL_LIMIT]
    return "tool_calls" if calls else "stop"


RESPONSES = Surface(
    "responses", "responses", request_body, read_completion, ResponsesStream, "max_output_tokens"
)
PROVIDER = provider_for(RESPONSES)
