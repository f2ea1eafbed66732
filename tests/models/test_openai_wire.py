"""What is sent to an OpenAI-compatible endpoint, and what is read from its answers."""

import asyncio
import json

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from cases import cases
from chat_endpoint import Body, Handler, chat, serve
from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.types import Completion, Decoding, Failure, Message, Request, TokenLogprob, Usage
from toolyard.models.base import Limits
from toolyard.models.http import refusal as refusals
from toolyard.models.http import wire
from toolyard.models.http.openai import OpenAIModel, load_openai, read_address
from toolyard.models.key_scrubbing import Scrubber
from toolyard.models.spec import ModelSpec

HELLO = (Message("user", "hello"),)


def exchange(handler: Handler, *requests: Request) -> tuple[OpenAIModel, list[Completion]]:
    async def run() -> tuple[OpenAIModel, list[Completion]]:
        async with serve(handler) as url:
            model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits(retries=0))
            try:
                return model, [await model.generate(request) for request in requests]
            finally:
                await model.close()

    return asyncio.run(run())


def test_a_request_is_sent_with_decoding_seed_tools_and_history() -> None:
    bodies = []

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        bodies.append(body)
        assert "Authorization" not in request.headers
        return chat("ok")

    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    tool = {"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}
    messages = (
        Message("system", "be brief"),
        Message("user", "1+1"),
        Message("assistant", "", tool_calls=(call,)),
        Message("tool", "2", name="add", tool_call_id="c1"),
    )
    decoding = Decoding(temperature=0.7, top_p=0.9, max_tokens=33, stop=("\n",), logprobs=True)
    exchange(handler, Request(messages, decoding, sample="s", trial=2, turn=1, seed=5, tools=(tool,)))
    assert bodies == [
        {
            "model": "m",
            "messages": [
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": "1+1"},
                {"role": "assistant", "content": "", "tool_calls": [call]},
                {"role": "tool", "content": "2", "name": "add", "tool_call_id": "c1"},
            ],
            "temperature": 0.7,
            "top_p": 0.9,
            "max_tokens": 33,
            "stop": ["\n"],
            "logprobs": True,
            "top_logprobs": 5,
            "seed": 5,
            "tools": [tool],
        }
    ]


def test_an_answer_is_read_whole() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    tokens = [
        {
            "token": "a",
            "logprob": -0.1,
            "top_logprobs": [{"token": "a", "logprob": -0.1}, {"token": "b", "logprob": -3}],
        }
    ]

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        message = {"content": "a", "reasoning_content": "hmm", "tool_calls": [call]}
        choice = {"message": message, "finish_reason": "length", "logprobs": {"content": tokens}}
        usage = {"prompt_tokens": 11, "completion_tokens": 3}
        return web.json_response({"model": "m-2026", "choices": [choice], "usage": usage})

    _, (found,) = exchange(handler, Request(HELLO, Decoding(logprobs=True)))
    assert found.latency > 0
    assert found == Completion(
        "a",
        finish_reason="length",
        usage=Usage(11, 3),
        latency=found.latency,
        model="m-2026",
        tool_calls=(call,),
        logprobs=(TokenLogprob("a", -0.1, (("a", -0.1), ("b", -3.0))),),
        reasoning="hmm",
    )


OPENAI_OVERFLOW = {
    "error": {
        "message": "This model's maximum context length is 8 tokens.",
        "code": "context_length_exceeded",
    }
}
VLLM_OVERFLOW = {
    "object": "error",
    "message": "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
    "code": 400,
}
LLAMA_OVERFLOW = {
    "error": {
        "code": 400,
        "message": "request (9031 tokens) exceeds the available context size (8192 tokens), try increasing it",
        "type": "exceed_context_size_error",
    }
}


@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.parametrize("body", [OPENAI_OVERFLOW, VLLM_OVERFLOW, LLAMA_OVERFLOW])
def test_a_prompt_that_does_not_fit_is_an_empty_answer(status: int, body: Body) -> None:
    async def handler(request: web.Request, sent: Body) -> web.StreamResponse:
        return web.json_response(body, status=status)

    _, (found,) = exchange(handler, Request(HELLO, Decoding()))
    assert (found.text, found.finish_reason) == ("", "context_overflow")


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 2048 tokens. However, you requested 2500 tokens "
        "(1500 in the messages, 1000 in the completion).",
        "'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length is "
        "2048 tokens and your request has 1500 input tokens (1000 > 2048 - 1500).",
    ],
)
def test_a_token_limit_that_does_not_fit_beside_the_prompt_is_lowered(message: str) -> None:
    limits = []

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        limits.append(body["max_tokens"])
        if body["max_tokens"] > 548:
            return web.json_response({"error": {"message": message}}, status=400)
        return chat("fits")

    model, (found,) = exchange(handler, Request(HELLO, Decoding(max_tokens=1000)))
    assert found.text == "fits"
    assert limits == [1000, 548]
    assert model.adjustments == ()


def refuse(parameter: str, message: str, named: bool) -> Body:
    return {"error": {"message": message, **({"param": parameter} if named else {})}}


@pytest.mark.parametrize(
    ("parameter", "message", "named"), cases(__file__, "a_refused_parameter_is_left_out_once_and_for_all")
)
def test_a_refused_parameter_is_left_out_once_and_for_all(parameter: str, message: str, named: bool) -> None:
    sent = []

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        sent.append(parameter in body)
        return web.json_response(refuse(parameter, message, named), status=400) if sent[-1] else chat("ok")

    tool = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}
    request = Request(HELLO, Decoding(top_p=0.5, logprobs=True), seed=1, tools=(tool,), parallel_calls=False)
    model, answers = exchange(handler, request, request)
    assert [answer.text for answer in answers] == ["ok", "ok"]
    assert sent == [True, False, False]
    assert f"{parameter} not sent" in model.adjustments


def test_an_answer_that_could_not_be_stopped_is_cut_where_it_should_have_been() -> None:
    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        if "stop" in body:
            return web.json_response(
                refuse("stop", "'stop' is not supported with this model", True), status=400
            )
        return chat("Action: find\nObservation: invented\nUser: thanks")

    model, (answer,) = exchange(handler, Request(HELLO, Decoding(stop=("\nUser:", "\nObservation:"))))
    assert answer.text == "Action: find"
    assert model.adjustments == ("stop not sent: answers cut where they should have stopped",)


def test_max_tokens_becomes_max_completion_tokens_where_the_endpoint_wants_it() -> None:
    bodies = []

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        bodies.append(body)
        if "max_tokens" not in body:
            return chat("ok")
        words = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
        return web.json_response(refuse("max_tokens", words, True), status=400)

    request = Request(HELLO, Decoding(max_tokens=9))
    model, _ = exchange(handler, request, request)
    assert [body.get("max_completion_tokens") for body in bodies] == [None, 9, 9]
    assert model.adjustments == ("max_tokens sent as max_completion_tokens",)


def test_a_refusal_that_comes_again_without_the_parameter_is_an_error() -> None:
    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        return web.json_response({"error": {"message": "seed and everything else is wrong"}}, status=400)

    with pytest.raises(ProviderError, match="everything else is wrong"):
        exchange(handler, Request(HELLO, Decoding(), seed=1))


def test_lone_surrogates_in_the_history_do_not_stop_a_request() -> None:
    texts = []

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        texts.append(body["messages"][0]["content"])
        return web.Response(body=b'{"choices": [{"message": {"content": "x\\ud800y"}}]}')

    _, (found,) = exchange(handler, Request((Message("user", "a\ud800b"),), Decoding()))
    assert texts == ["a\\ud800b"]
    assert found.text == "x\ud800y"


def test_tokens_are_estimated_where_nobody_counted() -> None:
    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        return web.json_response({"choices": [{"message": {"content": "12345"}}]})

    _, (found,) = exchange(handler, Request(HELLO, Decoding()))
    assert found.usage == Usage(2, 2)


def test_addresses() -> None:
    environment = {"OPENAI_API_KEY": "sk-default", "OTHER": " sk-other\n"}
    plain = read_address(ModelSpec.parse("openai/gpt"), environment)
    assert (plain.base_url, plain.key) == ("https://api.openai.com/v1", "sk-default")
    own = read_address(ModelSpec.parse("openai/org/m:1?base_url=http://localhost:8000/v1"), environment)
    assert (own.name, own.key) == ("org/m:1", None)
    named = read_address(
        ModelSpec.parse("openai/m?key_env=OTHER&base_url=https%3A%2F%2Fhost%2Fv1"), environment
    )
    assert (named.base_url, named.key) == ("https://host/v1", "sk-other")
    # the same host without TLS would show the key to everybody on the way
    assert (
        read_address(ModelSpec.parse("openai/m?base_url=http://api.openai.com/v1"), environment).key is None
    )


@pytest.mark.parametrize(("text", "says"), cases(__file__, "a_wrong_address_says_what_was_wanted"))
def test_a_wrong_address_says_what_was_wanted(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        read_address(ModelSpec.parse(f"openai/{text}"), {"EMPTY": ""})


def test_the_key_goes_out_as_a_bearer_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "k-1")
    keys = []

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        keys.append(request.headers["Authorization"])
        return chat("ok")

    async def run() -> None:
        async with serve(handler) as url:
            model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}&key_env=MY_KEY"), Limits())
            await model.generate(Request(HELLO, Decoding()))
            await model.close()

    asyncio.run(run())
    assert keys == ["Bearer k-1"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "content", "error", "logprobs", "usage", "top_logprobs", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_no_answer_is_an_exception(payload: object) -> None:
    found = wire.read_completion(payload, Request(HELLO, Decoding()), 0.0)
    assert isinstance(found, Completion | Failure)
    choice = {"choices": [{"message": payload if isinstance(payload, dict) else {}, "logprobs": payload}]}
    assert isinstance(wire.read_completion(choice, Request(HELLO, Decoding()), 0.0), Completion)


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_no_refusal_is_an_exception(data: bytes) -> None:
    refusal = refusals.read_refusal(400, data, Scrubber())
    refusals.is_overflow(refusal)
    refusals.concerns_tools(refusal)
    refusals.remaining_tokens(refusal)
    assert refusals.refused_parameters(refusal, ("seed",)) <= {"seed"}


def test_deep_nesting_is_a_bad_response() -> None:
    assert isinstance(wire.from_json(b"[" * 100_000), Failure)
