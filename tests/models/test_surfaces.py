"""Formats of answers: Responses, streams, extra parameters, tool calls in any shape, and thoughts kept apart."""

import json
from typing import Any

import pytest
from aiohttp import web

from cases import cases, each_case
from chat_endpoint import Body, ChatEndpoint, Handler, chat
from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.types import Completion, Decoding, Message, Request, Usage
from toolyard.core.untrusted.limits import CALLS_PER_REPLY
from toolyard.models.base import Price
from toolyard.models.cache.stored_completions import completion_json, read_completion
from toolyard.models.http.openai import CHAT, OpenAIModel, Surface
from toolyard.models.http.request_settings import read_asking
from toolyard.models.http.responses import RESPONSES
from toolyard.models.http.thoughts import split_thought
from toolyard.models.http.tool_calls import read_calls, strict_schema
from toolyard.models.spec import ModelSpec

TOOL = {"type": "function", "function": {"name": "find", "parameters": {"type": "object", "properties": {}}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"city": "Oslo"}'}}
ASK = Request((Message("user", "hello"),), Decoding(max_tokens=9), tools=(TOOL,), seed=1)


RESPONSE = cases(__file__, "RESPONSE")


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
    cut = {
        **RESPONSE,
        "output": RESPONSE["output"][1:2],
        "incomplete_details": {"reason": "max_output_tokens"},
    }
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


def test_a_stream_is_the_answer_that_it_would_have_been_or_none_where_it_breaks_off() -> None:
    model, answer = streamed(events(*CHUNKS))
    assert (answer.text, answer.reasoning, answer.tool_calls) == ("b", "a", (CALL,))
    assert (answer.finish_reason, answer.usage.prompt_tokens) == ("tool_calls", 5)
    assert 0 < answer.first_token <= answer.latency
    assert model.serving["streamed"] is True
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


SHAPES = cases(__file__, "shapes_of_a_call")


@pytest.mark.parametrize(("message", "faults"), SHAPES.values(), ids=SHAPES)
def test_a_call_has_one_shape_however_it_came(message: dict[str, Any], faults: list[str]) -> None:
    found = read_calls(message)
    assert (found.calls, [*found.faults]) == ((CALL,), faults)


def test_calls_without_ids_or_with_the_same_one_get_their_own() -> None:
    twice = read_calls({"tool_calls": [CALL, CALL, {"function": {"name": "find"}}]})
    assert [call["id"] for call in twice.calls] == ["c1", "call_0", "call_1"]
    assert twice.calls[2]["function"] == {"name": "find", "arguments": "{}"}
    assert twice.faults == ("repeated_id", "missing_id")
    older = read_calls({"function_call": {"name": "find", "arguments": "{}"}})
    assert (older.calls[0]["function"]["name"], older.faults[0]) == ("find", "older_function_call")
    many = read_calls({"tool_calls": [{}] * 20_000})
    assert len({call["id"] for call in many.calls}) == len(many.calls) == CALLS_PER_REPLY
    assert many.faults == ("too_many_calls", "missing_id")


def test_a_strict_schema_is_closed_all_the_way_down() -> None:
    schema = cases(__file__, "a_strict_schema_is_closed_all_the_way_down_schema")
    found = strict_schema(schema)
    assert found["required"] == ["city", "unit", "stops"]
    assert found["properties"]["unit"] == {"type": ["string", "null"], "enum": ["C", "F", None]}
    assert found["properties"]["stops"]["items"]["additionalProperties"] is False
    assert found["properties"]["stops"]["items"]["required"] == ["n"]


THINKING_ASK = Request((Message("user", "hello"),), Decoding(max_tokens=100))


def said(message: dict[str, Any], *, reason: str = "stop", **usage: Any) -> web.Response:
    counts = {"prompt_tokens": 50, "completion_tokens": 40, **usage}
    return web.json_response({"choices": [{"message": message, "finish_reason": reason}], "usage": counts})


@each_case("text, thought, answer, closed")
def test_a_reply_is_taken_apart(text: str, thought: str, answer: str, closed: bool) -> None:
    found = split_thought(text)
    assert (found.thought, found.answer, found.closed) == (thought, answer, closed)


@each_case("message", ids=["reasoning_content", "reasoning", "thinking", "details", "parts", "tags"])
def test_a_thought_is_no_part_of_the_answer_wherever_it_stands(message: dict[str, Any]) -> None:
    _, (answer,) = ChatEndpoint(lambda body: said(message)).ask(THINKING_ASK)
    assert (answer.text, answer.reasoning) == ("c", "a")
    assert answer.usage.reasoning_tokens == 20


def test_effort_and_room_are_sent_and_the_answers_limit_stays() -> None:
    long = {"content": "word " * 40, "reasoning_content": "a"}
    counts = {"completion_tokens": 500, "completion_tokens_details": {"reasoning_tokens": 300}}
    endpoint = ChatEndpoint(lambda body: said(long, **counts))
    stopping = Request(THINKING_ASK.messages, Decoding(max_tokens=100, stop=("\nUser:",)))
    model, (answer,) = endpoint.ask(stopping, settings="&reasoning=low&reasoning_tokens=1000")
    (body,) = endpoint.bodies
    assert (body["reasoning_effort"], body["max_tokens"]) == ("low", 1100)
    # a thought may mention the word at which the answer stops
    assert "stop" not in body
    # 200 tokens of answer, 100 allowed: half of the text is left
    assert (answer.text, answer.finish_reason) == ("word " * 20, "length")
    assert answer.usage == Usage(50, 500, 300)
    assert model.serving == {"surface": "chat", "server": model.serving["server"], "reasoning": "low",
                             "reasoning_tokens": 1000}  # fmt: skip


@pytest.mark.parametrize(
    "cut",
    [{"content": "<think>on and on"}, {"content": "", "reasoning_content": "on and on"}],
    ids=["tag", "field"],
)
def test_a_model_that_thinks_unasked_gets_room_and_its_first_thought_is_paid(cut: dict[str, str]) -> None:
    endpoint = ChatEndpoint(
        lambda body: (
            said(cut, reason="length")
            if body["max_tokens"] == 100
            else said({"content": "c", "reasoning": "a"})
        )
    )
    model, answers = endpoint.ask(THINKING_ASK, THINKING_ASK)
    assert [answer.text for answer in answers] == ["c", "c"]
    assert [body["max_tokens"] for body in endpoint.bodies] == [100, 8292, 8292]
    assert [answer.usage.completion_tokens for answer in answers] == [40, 40]
    assert [answer.paid.completion_tokens for answer in answers] == [80, 40]
    assert model.adjustments == ("the model thinks: 8192 tokens of room for it",)


def test_a_thought_that_takes_all_its_room_is_an_empty_answer_and_counted() -> None:
    endpoint = ChatEndpoint(lambda body: said({"content": "<think>on and on"}, reason="length"))
    model, (answer,) = endpoint.ask(THINKING_ASK, settings="&reasoning=low")
    assert (answer.text, answer.reasoning, answer.finish_reason) == ("", "on and on", "thought_cut")
    assert "1 answer ended inside the thought" in model.adjustments


def test_thoughts_go_back_only_where_they_are_wanted() -> None:
    endpoint = ChatEndpoint(lambda body: said({"content": "c"}))
    turn = Completion("b", reasoning="a").message
    again = Request((Message("user", "x"), turn, Message("user", "y")), Decoding())
    for settings in ("", "&thoughts=sent"):
        endpoint.ask(again, settings=settings)
    assert [body["messages"][1] for body in endpoint.bodies] == [
        {"role": "assistant", "content": "b"},
        {"role": "assistant", "content": "b", "reasoning_content": "a"},
    ]


def test_cached_and_thought_tokens_are_counted_and_priced() -> None:
    counts = {"prompt_tokens_details": {"cached_tokens": 30}, "total_tokens": 100,
              "completion_tokens_details": {"reasoning_tokens": 10}}  # fmt: skip
    endpoint = ChatEndpoint(lambda body: said({"content": "c"}, **counts))
    _, (answer,) = endpoint.ask(THINKING_ASK, settings="&price=10,20,1")
    # the total says that these ten are counted beside what is written
    assert answer.usage == Usage(50, 50, 10, 30)
    assert ModelSpec.parse("openai/m?price=10,20,1").price == Price(10, 20, 1)
    assert Price(10, 20, 1).cost(answer.usage) == pytest.approx((20 * 10 + 30 * 1 + 50 * 20) / 1e6)
    assert Price(10, 20).cost(answer.usage) == pytest.approx((50 * 10 + 50 * 20) / 1e6)


def test_a_completion_of_an_earlier_version_is_read() -> None:
    old = {"text": "x", "usage": {"prompt_tokens": 1, "completion_tokens": 2}, "reasoning": "r"}
    assert read_completion(old) == Completion("x", usage=Usage(1, 2), reasoning="r")
    new = Completion("x", usage=Usage(1, 2, 1, 1), first_token=0.5)
    assert read_completion(completion_json(new)) == new


@each_case("settings, said")
def test_a_wrong_setting_is_one_line(settings: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_asking(ModelSpec.parse(f"openai/m?{settings}"))
