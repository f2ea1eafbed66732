"""The Responses format, streams, extra parameters, and tool calls in whatever shape they come."""

import json
from typing import Any

import pytest
from aiohttp import web

from chat_endpoint import Body, ChatEndpoint, Handler, chat
from toolyard.core.errors import ProviderError
from toolyard.core.types import Completion, Decoding, Message, Request, Usage
from toolyard.models.http.openai import CHAT, OpenAIModel, Surface
from toolyard.models.http.responses import RESPONSES
from toolyard.models.http.tool_calls import read_calls, strict_schema

TOOL = {"type": "function", "function": {"name": "find", "parameters": {"type": "object", "properties": {}}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"city": "Oslo"}'}}
ASK = Request((Message("user", "hello"),), Decoding(max_tokens=9), tools=(TOOL,), seed=1)


OUTPUT = [
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "a"}]},
    {"type": "message", "content": [{"type": "output_text", "text": "b\nUser: c"}]},
    {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "find", "arguments": '{"city": "Oslo"}'},
]
RESPONSE = {
    "model": "served",
    "output": OUTPUT,
    "usage": {
        "input_tokens": 9,
        "output_tokens": 6,
        "input_tokens_details": {"cached_tokens": 4},
        "output_tokens_details": {"reasoning_tokens": 2},
    },
}


def test_the_responses_format_is_written_and_read() -> None:
    endpoint = ChatEndpoint(lambda body: web.json_response(RESPONSE))
    messages = (
        Message("system", "be brief"),
        Completion("", tool_calls=(CALL,)).message,
        Message("tool", "7", tool_call_id="c1"),
    )
    request = Request(messages, Decoding(max_tokens=9, stop=("\nUser:",)), tools=(TOOL,), tool_choice="find")
    thinking = "&reasoning=low&reasoning_tokens=50"
    model, (answer,) = endpoint.ask(request, surface=RESPONSES, settings=thinking)
    assert (answer.text, answer.reasoning, answer.tool_calls) == ("b", "a", (CALL,))
    assert (answer.usage, answer.finish_reason) == (Usage(9, 6, 2, 4), "tool_calls")
    (body,) = endpoint.bodies
    assert body["input"] == [
        {"role": "system", "content": "be brief"},
        {"type": "function_call", "call_id": "c1", "name": "find", "arguments": '{"city": "Oslo"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "7"},
    ]
    assert (body["max_output_tokens"], body["reasoning"]) == (59, {"effort": "low"})
    assert body["tools"][0]["name"] == "find"
    assert body["tool_choice"] == {"type": "function", "name": "find"}
    assert (model.name, model.serving["surface"]) == ("responses/m", "responses")
    cut = {**RESPONSE, "output": OUTPUT[1:2], "incomplete_details": {"reason": "max_output_tokens"}}
    ran_out = ChatEndpoint(lambda body: web.json_response(cut)).ask(ASK, surface=RESPONSES)
    assert ran_out[1][0].finish_reason == "length"


def events(*found: Any, end: bytes = b"data: [DONE]\n\n") -> Handler:
    data = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in found) + end

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        assert body["stream"] is True
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        # in pieces that end in the middle of lines
        for place in range(0, len(data), 17):
            await response.write(data[place : place + 17])
        return response

    return handler


def streamed(handler: Handler, surface: Surface = CHAT) -> tuple[OpenAIModel, Completion]:
    model, (answer,) = ChatEndpoint(handler).ask(ASK, surface=surface, settings="&stream=yes")
    return model, answer


def delta(reason: str | None = None, **parts: Any) -> dict[str, Any]:
    return {"model": "served", "choices": [{"delta": parts, "finish_reason": reason}]}


CHUNKS = [
    delta(role="assistant"),
    delta(reasoning_content="a"),
    delta(content="b"),
    delta(tool_calls=[{"index": 0, "id": "c1", "function": {"name": "find", "arguments": '{"city": '}}]),
    delta(tool_calls=[{"index": 0, "function": {"arguments": '"Oslo"}'}}]),
    delta("tool_calls"),
    {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 4}},
]


def test_a_stream_is_the_answer_that_it_would_have_been() -> None:
    model, answer = streamed(events(*CHUNKS))
    assert (answer.text, answer.reasoning, answer.tool_calls) == ("b", "a", (CALL,))
    assert (answer.finish_reason, answer.usage.prompt_tokens) == ("tool_calls", 5)
    assert 0 < answer.first_token <= answer.latency
    assert model.serving["streamed"] is True


def test_a_stream_that_breaks_off_is_no_answer() -> None:
    with pytest.raises(ProviderError, match="breaks off") as caught:
        streamed(events(*CHUNKS[:4], end=b""))
    assert caught.value.kind == "bad_response"


def test_an_endpoint_that_does_not_stream_is_read_all_the_same() -> None:
    _, (answer,) = ChatEndpoint(lambda body: chat("whole")).ask(ASK, settings="&stream=yes")
    assert answer.text == "whole"


def test_a_streamed_response_is_in_its_last_event() -> None:
    delta_event = {"type": "response.output_text.delta", "delta": "b"}
    _, answer = streamed(events(delta_event, {"type": "response.completed", "response": RESPONSE}), RESPONSES)
    assert (answer.text, answer.tool_calls) == ("b\nUser: c", (CALL,))
    assert answer.first_token > 0


def test_extra_parameters_choice_and_parallel_calls_are_sent() -> None:
    endpoint = ChatEndpoint(lambda body: chat("ok"))
    request = Request(ASK.messages, Decoding(), tools=(TOOL,), tool_choice="required", parallel_calls=False)
    extra = '&extra={"top_k":20,"chat_template_kwargs":{"a":1}}&strict=yes'
    model, _ = endpoint.ask(request, settings=extra)
    (body,) = endpoint.bodies
    assert (body["top_k"], body["chat_template_kwargs"]) == (20, {"a": 1})
    assert (body["tool_choice"], body["parallel_tool_calls"]) == ("required", False)
    assert body["tools"][0]["function"]["strict"] is True
    assert '"top_k": 20' in model.identity


def test_tools_that_an_endpoint_refuses_are_reported_as_such() -> None:
    words = "Invalid schema for function 'find': 'oneOf' is not permitted."
    refusal = {"error": {"message": words, "param": "tools[0].function.parameters"}}
    with pytest.raises(ProviderError, match="refuses the tools") as caught:
        ChatEndpoint(lambda body: web.json_response(refusal, status=400)).ask(ASK)
    assert caught.value.kind == "schema_refused"


@pytest.mark.parametrize(
    ("message", "faults"),
    [
        ({"tool_calls": [CALL]}, ()),
        ({"tool_calls": CALL}, ("calls_not_a_list",)),
        ({"tool_calls": json.dumps([CALL])}, ("calls_as_text",)),
        (
            {"tool_calls": [{**CALL, "function": {"name": "find", "arguments": {"city": "Oslo"}}}]},
            ("arguments_not_text",),
        ),
        (
            {
                "tool_calls": [
                    {**CALL, "function": {"name": "find", "arguments": json.dumps('{"city": "Oslo"}')}}
                ]
            },
            ("arguments_encoded_twice",),
        ),
        (
            {"tool_calls": [{"id": "c1", "name": "find", "parameters": {"city": "Oslo"}}]},
            ("arguments_not_text",),
        ),
        (
            {"content": [{"type": "tool_use", "id": "c1", "name": "find", "input": {"city": "Oslo"}}]},
            ("arguments_not_text",),
        ),
    ],
    ids=["whole", "object", "text", "decoded", "twice", "flat", "part"],
)
def test_a_call_has_one_shape_however_it_came(message: dict[str, Any], faults: tuple[str, ...]) -> None:
    found = read_calls(message)
    assert (found.calls, found.faults) == ((CALL,), faults)


def test_calls_without_ids_or_with_the_same_one_get_their_own() -> None:
    twice = read_calls({"tool_calls": [CALL, CALL, {"function": {"name": "find"}}]})
    assert [call["id"] for call in twice.calls] == ["c1", "call_0", "call_1"]
    assert twice.calls[2]["function"] == {"name": "find", "arguments": "{}"}
    assert twice.faults == ("repeated_id", "missing_id")
    older = read_calls({"function_call": {"name": "find", "arguments": "{}"}})
    assert (older.calls[0]["function"]["name"], older.faults[0]) == ("find", "older_function_call")


def test_a_strict_schema_is_closed_all_the_way_down() -> None:
    schema = {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "unit": {"type": "string", "enum": ["C", "F"]},
            "stops": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
        },
        "required": ["city", "stops"],
    }
    found = strict_schema(schema)
    assert found["required"] == ["city", "unit", "stops"]
    assert found["properties"]["unit"] == {"type": ["string", "null"], "enum": ["C", "F", None]}
    assert found["properties"]["stops"]["items"]["additionalProperties"] is False
    assert found["properties"]["stops"]["items"]["required"] == ["n"]
