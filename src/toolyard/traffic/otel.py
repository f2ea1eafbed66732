"""OpenTelemetry traces in OTLP JSON, under the GenAI conventions.

    {"resourceSpans": [{"scopeSpans": [{"spans": [
      {"traceId": "…", "spanId": "…", "startTimeUnixNano": "1", "attributes": [
        {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
        {"key": "gen_ai.input.messages", "value": {"stringValue": "[{\\"role\\": \\"user\\", \\"parts\\": […]}]"}}, …]}]}]}]}

A trace is one trajectory: the messages of its longest chat span, and where the spans hold no messages, its
`execute_tool` spans in order of time. Attributes may also stand on the span's events.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolyard.core.types import JsonValue
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.traffic.openai_log import Row, list_objects, offered_tools
from toolyard.traffic.trajectory import RecordedTurn, TracedEpisode, recorded_call, says_error

CHAT = ("chat", "generate_content", "text_completion", "invoke_agent")
EXECUTE = "execute_tool"
# Nanoseconds since 1970 have 19 digits, and will have 20 from 2286 on.
LONGEST_TIME = 20


def is_otlp(row: Mapping[str, JsonValue]) -> bool:
    """Whether an object has the form."""
    return isinstance(row.get("resourceSpans"), list)


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """One span with its attributes, those of its events among them."""

    trace: str
    start: int
    failed: bool
    attributes: Mapping[str, JsonValue]

    @property
    def operation(self) -> str:
        """What the model or agent did."""
        return str(self.attributes.get("gen_ai.operation.name") or "")


def read_otlp(rows: Iterable[Row]) -> list[TracedEpisode]:
    """One trajectory per trace that has anything of a model in it."""
    traces: dict[str, list[TraceSpan]] = {}
    for _, row in rows:
        for span in _spans_of_row(row):
            traces.setdefault(span.trace, []).append(span)
    found = (
        _trajectory_of_spans(name, sorted(spans, key=lambda span: span.start))
        for name, spans in traces.items()
    )
    return [item for item in found if item is not None]


def _spans_of_row(row: Mapping[str, JsonValue]) -> Iterator[TraceSpan]:
    for resource in list_objects(row.get("resourceSpans")):
        for scope in list_objects(resource.get("scopeSpans")):
            for span in list_objects(scope.get("spans")):
                attributes = _attributes_by_key(span.get("attributes"))
                for event in list_objects(span.get("events")):
                    attributes = {**_attributes_by_key(event.get("attributes")), **attributes}
                start = str(span.get("startTimeUnixNano") or "0")
                status = span.get("status")
                failed = isinstance(status, Mapping) and status.get("code") in (2, "STATUS_CODE_ERROR")
                number = int(start) if start.isdecimal() and len(start) <= LONGEST_TIME else 0
                yield TraceSpan(str(span.get("traceId") or ""), number, failed, attributes)


def _attributes_by_key(listed: JsonValue) -> dict[str, JsonValue]:
    return {str(item.get("key")): _plain_value(item.get("value")) for item in list_objects(listed)}


def _plain_value(value: JsonValue) -> JsonValue:
    """The plain value of an OTLP AnyValue."""
    if not isinstance(value, Mapping):
        return value
    if "arrayValue" in value:
        return [_plain_value(item) for item in _inner_values(value["arrayValue"])]
    if "kvlistValue" in value:
        return _attributes_by_key(_inner_values(value["kvlistValue"]))
    return next(iter(value.values()), None)


def _inner_values(value: JsonValue) -> list[JsonValue]:
    values = value.get("values") if isinstance(value, Mapping) else None
    return values if isinstance(values, list) else []


def _parse_json_text(value: JsonValue) -> JsonValue:
    """A value that may be written as JSON text."""
    if not isinstance(value, str):
        return value
    try:
        return json_safe(json.loads(value))
    except (ValueError, RecursionError):
        return value


def _trajectory_of_spans(name: str, spans: Sequence[TraceSpan]) -> TracedEpisode | None:
    chats = [span for span in spans if span.operation in CHAT]
    executed = [span for span in spans if span.operation == EXECUTE]
    longest = max(chats, key=lambda span: len(_messages_of_span(span)), default=None)
    turns = (
        []
        if longest is None
        else [turn for item in _messages_of_span(longest) for turn in _turns_of_message(item)]
    )
    if not turns:
        turns = [turn for span in executed for turn in _executed_turns(span)]
    if not turns:
        return None
    offered = next(
        (
            tools
            for span in reversed(chats)
            if (tools := _parse_json_text(span.attributes.get("gen_ai.tool.definitions")))
        ),
        None,
    )
    model = next(
        (
            str(span.attributes["gen_ai.request.model"])
            for span in chats
            if "gen_ai.request.model" in span.attributes
        ),
        "",
    )
    conversation = next((span.attributes.get("gen_ai.conversation.id") for span in chats), None)
    marked = {str(span.attributes.get("gen_ai.tool.call.id")) for span in executed if span.failed} - {"None"}
    steps = tuple(
        RecordedTurn(turn.role, turn.text, turn.calls, turn.answers, error=True)
        if turn.answers in marked
        else turn
        for turn in turns
    )
    return TracedEpisode(f"{conversation or name}", steps, offered_tools(offered), model)


def _messages_of_span(span: TraceSpan) -> list[Mapping[str, JsonValue]]:
    found: list[Mapping[str, JsonValue]] = []
    for key in ("gen_ai.input.messages", "gen_ai.output.messages"):
        found += list(list_objects(_parse_json_text(span.attributes.get(key))))
    return found


def _turns_of_message(message: Mapping[str, JsonValue]) -> Iterator[RecordedTurn]:
    """The turns of one message: its text with its calls, and each tool's response by itself."""
    role = str(message.get("role") or "assistant")
    parts = list(list_objects(message.get("parts")))
    texts = [str(part.get("content") or "") for part in parts if part.get("type") == "text"]
    calls = [
        recorded_call(part.get("id"), part.get("name"), part.get("arguments"))
        for part in parts
        if part.get("type") == "tool_call"
    ]
    if texts or calls:
        yield RecordedTurn(role, "\n".join(texts), tuple(calls))
    for part in parts:
        if part.get("type") == "tool_call_response":
            yield _tool_response(part.get("id"), part.get("response", part.get("result")))


def _tool_response(identity: JsonValue, result: JsonValue, *, failed: bool = False) -> RecordedTurn:
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
    return RecordedTurn("tool", text, (), str(identity or ""), says_error(text, marked=failed))


def _executed_turns(span: TraceSpan) -> Iterator[RecordedTurn]:
    """A call and its result out of an `execute_tool` span."""
    found = span.attributes
    identity = found.get("gen_ai.tool.call.id") or f"at {span.start}"
    call = recorded_call(identity, found.get("gen_ai.tool.name"), found.get("gen_ai.tool.call.arguments"))
    yield RecordedTurn("assistant", "", (call,))
    if "gen_ai.tool.call.result" in found or span.failed:
        yield _tool_response(identity, found.get("gen_ai.tool.call.result", ""), failed=span.failed)
