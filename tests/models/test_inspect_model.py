"""inspect-ai's providers as models; needs the extra, and says so where it is not installed."""

import asyncio

import pytest
from aiohttp import web

from chat_endpoint import Body, serve
from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.types import Completion, Decoding, Message, Request, TokenLogprob, Usage
from toolyard.models.loading import load_model

pytest.importorskip("inspect_ai", reason="needs the extra: pip install 'toolyard[inspect]'")

CALL = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}
PARAMETERS = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
TOOL = {"type": "function", "function": {"name": "add", "description": "adds", "parameters": PARAMETERS}}
TOKEN = {"token": "h", "logprob": -0.1, "top_logprobs": [{"token": "h", "logprob": -0.1}]}


async def handler(request: web.Request, body: Body) -> web.StreamResponse:
    word = body["messages"][-1]["content"]
    if word == "wrong key":
        return web.json_response({"error": {"message": "no such key"}}, status=401)
    if word == "too long":
        complaint = {"message": "maximum context length is 8 tokens", "code": "context_length_exceeded"}
        return web.json_response({"error": complaint}, status=400)
    message: Body = {"role": "assistant", "content": "hi", "reasoning_content": "hm"}
    if word == "call":
        message = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    choice = {"index": 0, "finish_reason": "stop", "message": message, "logprobs": {"content": [TOKEN]}}
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    answer = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    return web.json_response({**answer, "usage": usage})


def ask(word: str, monkeypatch: pytest.MonkeyPatch) -> Completion:
    history = (Message("system", "s"), Message("assistant", "", tool_calls=(CALL,)))
    messages = (*history, Message("tool", "2", name="add", tool_call_id="c1"), Message("user", word))

    async def run() -> Completion:
        async with serve(handler) as url:
            monkeypatch.setenv("SERVED_BASE_URL", url)
            monkeypatch.setenv("SERVED_API_KEY", "none")
            model = load_model("inspect/openai-api/served/m", retries=1)
            try:
                return await model.generate(
                    Request(messages, Decoding(max_tokens=5, logprobs=True), seed=1, tools=(TOOL,))
                )
            finally:
                await model.close()

    return asyncio.run(run())


def test_an_answer_is_read_whole_and_calls_have_the_form_of_the_wire(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ask("hello", monkeypatch)
    assert (found.text, found.usage, found.reasoning) == ("hi", Usage(1, 2), "hm")
    assert found.logprobs == (TokenLogprob("h", -0.1, (("h", -0.1),)),)
    assert ask("call", monkeypatch).tool_calls == (CALL,)
    found = ask("too long", monkeypatch)
    assert (found.text, found.finish_reason) == ("", "context_overflow")


def test_a_wrong_key_is_a_provider_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ProviderError) as caught:
        ask("wrong key", monkeypatch)
    assert caught.value.kind == "bad_key"


def test_an_unknown_provider_is_the_users_mistake() -> None:
    with pytest.raises(UsageError, match="not recognized"):
        load_model("inspect/nosuch/model")
