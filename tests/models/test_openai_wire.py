"""What is sent to an OpenAI-compatible endpoint, what is read from its answers, and what if none comes."""

import asyncio
import json
import random
import time
from datetime import UTC, datetime

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from cases import cases, each_case
from chat_endpoint import Body, ChatEndpoint, answer_at, chat, serve
from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.types import Completion, Decoding, Failure, Message, Request, TokenLogprob, Usage
from toolyard.models.base import Limits
from toolyard.models.http import refusal as refusals
from toolyard.models.http import retry, wire
from toolyard.models.http.openai import OpenAIModel, load_openai, read_address
from toolyard.models.http.retry import backoff_seconds, parse_retry_after, pause_seconds
from toolyard.models.key_scrubbing import Scrubber
from toolyard.models.spec import ModelSpec

HELLO = (Message("user", "hello"),)


def test_a_request_is_sent_with_decoding_seed_tools_and_history() -> None:
    endpoint = ChatEndpoint(lambda body: chat("ok"))
    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    tool = {"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}
    messages = (
        Message("system", "be brief"),
        Message("user", "1+1"),
        Message("assistant", "", tool_calls=(call,)),
        Message("tool", "2", name="add", tool_call_id="c1"),
    )
    decoding = Decoding(temperature=0.7, top_p=0.9, max_tokens=33, stop=("\n",), logprobs=True)
    endpoint.ask(Request(messages, decoding, sample="s", trial=2, turn=1, seed=5, tools=(tool,)))
    assert "Authorization" not in endpoint.headers[0]
    assert endpoint.bodies == [
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
    top = [{"token": "a", "logprob": -0.1}, {"token": "b", "logprob": -3}]
    message = {"content": "a", "reasoning_content": "hmm", "tool_calls": [call]}
    tokens = {"content": [{"token": "a", "logprob": -0.1, "top_logprobs": top}]}
    choice = {"message": message, "finish_reason": "length", "logprobs": tokens}
    usage = {"prompt_tokens": 11, "completion_tokens": 3}
    answer = {"model": "m-2026", "choices": [choice], "usage": usage}
    endpoint = ChatEndpoint(lambda body: web.json_response(answer))
    _, (found,) = endpoint.ask(Request(HELLO, Decoding(logprobs=True)))
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
LLAMA_OVERFLOW = cases(__file__, "llama_overflow")


@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.parametrize("body", [OPENAI_OVERFLOW, VLLM_OVERFLOW, LLAMA_OVERFLOW])
def test_a_prompt_that_does_not_fit_is_an_empty_answer(status: int, body: Body) -> None:
    endpoint = ChatEndpoint(lambda sent: web.json_response(body, status=status))
    _, (found,) = endpoint.ask(Request(HELLO, Decoding()))
    assert (found.text, found.finish_reason) == ("", "context_overflow")


@each_case("message")
def test_a_token_limit_that_does_not_fit_beside_the_prompt_is_lowered(message: str) -> None:
    refusal = {"error": {"message": message}}
    endpoint = ChatEndpoint(
        lambda body: web.json_response(refusal, status=400) if body["max_tokens"] > 548 else chat("fits")
    )
    model, (found,) = endpoint.ask(Request(HELLO, Decoding(max_tokens=1000)))
    assert (found.text, model.adjustments) == ("fits", ())
    assert [body["max_tokens"] for body in endpoint.bodies] == [1000, 548]


def refusing(parameter: str, message: str, named: bool = True, answer: str = "ok") -> ChatEndpoint:
    """An endpoint that refuses a parameter."""
    refusal = {"error": {"message": message, **({"param": parameter} if named else {})}}
    return ChatEndpoint(
        lambda body: web.json_response(refusal, status=400) if parameter in body else chat(answer)
    )


@each_case("parameter, message, named")
def test_a_refused_parameter_is_left_out_once_and_for_all(parameter: str, message: str, named: bool) -> None:
    endpoint = refusing(parameter, message, named)
    tool = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}
    request = Request(HELLO, Decoding(top_p=0.5, logprobs=True), seed=1, tools=(tool,), parallel_calls=False)
    model, answers = endpoint.ask(request, request)
    assert [answer.text for answer in answers] == ["ok", "ok"]
    assert [parameter in body for body in endpoint.bodies] == [True, False, False]
    assert f"{parameter} not sent" in model.adjustments


def test_an_answer_that_could_not_be_stopped_is_cut_where_it_should_have_been() -> None:
    said = "Action: find\nObservation: invented\nUser: thanks"
    endpoint = refusing("stop", "'stop' is not supported with this model", answer=said)
    model, (answer,) = endpoint.ask(Request(HELLO, Decoding(stop=("\nUser:", "\nObservation:"))))
    assert answer.text == "Action: find"
    assert model.adjustments == ("stop not sent: answers cut where they should have stopped",)


def test_max_tokens_becomes_max_completion_tokens_where_the_endpoint_wants_it() -> None:
    words = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    endpoint = refusing("max_tokens", words)
    request = Request(HELLO, Decoding(max_tokens=9))
    model, _ = endpoint.ask(request, request)
    assert [body.get("max_completion_tokens") for body in endpoint.bodies] == [None, 9, 9]
    assert model.adjustments == ("max_tokens sent as max_completion_tokens",)


def test_a_refusal_that_comes_again_without_the_parameter_is_an_error() -> None:
    refusal = {"error": {"message": "seed and everything else is wrong"}}
    with pytest.raises(ProviderError, match="everything else is wrong"):
        ChatEndpoint(lambda body: web.json_response(refusal, status=400)).ask(
            Request(HELLO, Decoding(), seed=1)
        )


def test_lone_surrogates_in_the_history_do_not_stop_a_request() -> None:
    data = b'{"choices": [{"message": {"content": "x\\ud800y"}}]}'
    endpoint = ChatEndpoint(lambda body: web.Response(body=data))
    _, (found,) = endpoint.ask(Request((Message("user", "a\ud800b"),), Decoding()))
    assert endpoint.bodies[0]["messages"][0]["content"] == "a\\ud800b"
    assert found.text == "x\ud800y"


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


@each_case("text, says")
def test_a_wrong_address_says_what_was_wanted(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        read_address(ModelSpec.parse(f"openai/{text}"), {"EMPTY": ""})


def test_the_key_goes_out_as_a_bearer_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "k-1")
    endpoint = ChatEndpoint(lambda body: chat("ok"))
    endpoint.ask(Request(HELLO, Decoding()), settings="&key_env=MY_KEY")
    assert endpoint.headers[0]["Authorization"] == "Bearer k-1"


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


def ask(sample: str = "s") -> Request:
    return Request((Message("user", sample),), Decoding(), sample=sample, seed=1)


@each_case("status, body, kind")
def test_what_will_fail_again_is_asked_once(status: int, body: Body, kind: str) -> None:
    endpoint = ChatEndpoint(lambda sent: web.json_response(body, status=status))
    with pytest.raises(ProviderError) as caught:
        endpoint.ask(ask(), retries=8)
    assert (caught.value.kind, len(endpoint.bodies)) == (kind, 1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limited"), (503, "server_error"), (408, "timeout")])
def test_the_last_error_stands_in_the_end(monkeypatch: pytest.MonkeyPatch, status: int, kind: str) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.001)
    endpoint = ChatEndpoint(lambda body: web.Response(status=status))
    with pytest.raises(ProviderError) as caught:
        endpoint.ask(ask(), retries=3)
    assert (caught.value.kind, len(endpoint.bodies)) == (kind, 4)


def test_an_error_with_status_200_is_one_and_a_silent_host_is_unreachable_at_once() -> None:
    refusal = {"error": {"message": "no such key", "code": 401}}
    with pytest.raises(ProviderError, match="no such key") as caught:
        ChatEndpoint(lambda body: web.json_response(refusal)).ask(ask())
    assert caught.value.kind == "bad_key"
    with pytest.raises(ProviderError, match="check base_url") as caught:
        asyncio.run(answer_at("http://127.0.0.1:9/v1", ask(), retries=8))
    assert caught.value.kind == "unreachable"


def test_a_host_that_went_away_later_is_a_lost_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.001)

    async def run() -> None:
        async with serve(ChatEndpoint(lambda body: chat("here")).handle) as url:
            model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits(retries=2))
            assert (await model.generate(ask())).text == "here"
        try:
            await model.generate(ask())
        finally:
            await model.close()

    with pytest.raises(ProviderError) as caught:
        asyncio.run(run())
    assert caught.value.kind == "connection"


def test_cancelling_leaves_nothing_behind() -> None:
    arrived = asyncio.Event()

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        arrived.set()
        await asyncio.sleep(30)
        return web.Response()

    async def run() -> set[asyncio.Task[object]]:
        """Tasks that are left, apart from the server's own."""
        async with serve(handler) as url:
            model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits(concurrency=4))
            tasks = [asyncio.create_task(model.generate(ask(str(number)))) for number in range(20)]
            await arrived.wait()
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(result, asyncio.CancelledError) for result in ended)
            await model.close()
            await model.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            return {task for task in others if "RequestHandler" not in repr(task.get_coro())}

    assert asyncio.run(run()) == set()


def test_a_model_outlives_an_event_loop() -> None:
    async def closing(model: OpenAIModel) -> str:
        try:
            return (await model.generate(ask())).text
        finally:
            await model.close()

    async def twice() -> list[str]:
        async with serve(ChatEndpoint(lambda body: chat("again")).handle) as url:
            model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits())
            return [await asyncio.to_thread(asyncio.run, closing(model)) for _ in range(2)]

    assert asyncio.run(twice()) == ["again", "again"]


NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@each_case("header, seconds")
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert parse_retry_after(header, NOW) == seconds


def test_backoff_doubles_up_to_a_limit_and_is_half_jitter() -> None:
    rng = random.Random(0)
    for attempt, longest in enumerate([0.5, 1, 2, 4, 8, 16, 30, 30, 30]):
        waits = [backoff_seconds(attempt, rng) for _ in range(200)]
        assert longest / 2 <= min(waits) <= max(waits) <= longest
        assert max(waits) - min(waits) > longest / 4


def test_retry_after_is_waited_for() -> None:
    times: list[float] = []

    def reply(body: Body) -> web.Response:
        times.append(time.monotonic())
        return web.Response(status=429, headers={"Retry-After": "0.3"}) if len(times) == 1 else chat("now")

    assert ChatEndpoint(reply).ask(ask(), retries=8)[1][0].text == "now"
    assert times[1] - times[0] >= 0.3


@pytest.mark.parametrize("header", ["3600", "99999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_long_pause_is_cut_and_the_sample_asked_again(monkeypatch: pytest.MonkeyPatch, header: str) -> None:
    monkeypatch.setattr(retry, "LONGEST_RETRY_AFTER", 0.01)
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.01)
    pauses = [web.Response(status=429, headers={"Retry-After": header}) for _ in range(2)]
    endpoint = ChatEndpoint(lambda body: pauses.pop() if pauses else chat("now"))
    assert endpoint.ask(ask(), retries=8)[1][0].text == "now"


def test_jitter_comes_on_top_of_a_pause() -> None:
    told = ProviderError("rate_limited", "", retry_after=10.0)
    waits = [pause_seconds(told, 0, random.Random(seed)) for seed in range(50)]
    assert 10.0 < min(waits) < max(waits) <= 10.5
    assert max(waits) - min(waits) > 0.1
    forever = ProviderError("rate_limited", "", retry_after=1e18)
    assert 120.0 < pause_seconds(forever, 0, random.Random(0)) <= 120.5
