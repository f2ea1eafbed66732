"""A model without a server, asked as an endpoint."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import aiohttp
import pytest

from toolyard.core.errors import CONTEXT_OVERFLOW, ProviderError
from toolyard.core.types import Completion, Decoding, Failure, Message, Request, Usage
from toolyard.models.base import Limits, Price
from toolyard.models.http.chat_server import Front, read_request, serve_model
from toolyard.models.http.endpoint import Endpoint
from toolyard.models.http.openai import OpenAIModel
from toolyard.models.http.request_settings import Asking

FIND = {"type": "function", "function": {"name": "find", "parameters": {"type": "object", "properties": {}}}}


class Ferry:
    """Answers with a call where it has tools, with words otherwise, and keeps what it was asked."""

    name, price = "ferry", Price(0.0, 0.0)

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.closed = False

    async def generate(self, request: Request) -> Completion:
        self.asked.append(request)
        said = request.messages[-1].content
        if said == "too long":
            return Completion("", finish_reason=CONTEXT_OVERFLOW)
        if said == "broken":
            raise ProviderError("provider_failed", "no ferry today")
        call = {
            "id": "call_0",
            "type": "function",
            "function": {"name": "find", "arguments": '{"to": "Skye"}'},
        }
        calls = (call,) if request.tools else ()
        return Completion(
            "At noon.", "tool_calls" if calls else "stop", Usage(7, 3), tool_calls=calls, reasoning="Hm."
        )

    async def close(self) -> None:
        self.closed = True


def with_front(work: Callable[[Front], Coroutine[Any, Any, Any]]) -> tuple[Ferry, Any]:
    ferry = Ferry()

    async def run() -> Any:
        async with serve_model(ferry) as front:
            return await work(front)

    return ferry, asyncio.run(run())


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
def test_our_own_client_reads_what_the_model_said(streams: bool) -> None:
    request = Request(
        (Message("system", "Be brief."), Message("user", "When?")), Decoding(0.5, 0.9, 12, ("END",)), seed=4,
        tools=(FIND,), tool_choice="find", parallel_calls=False,
    )  # fmt: skip

    async def work(front: Front) -> Completion:
        model = OpenAIModel(
            "m", Endpoint(front.base_url, key=front.key, limits=Limits()), asking=Asking(streams=streams)
        )
        try:
            return await model.generate(request)
        finally:
            await model.close()

    ferry, found = with_front(work)
    assert (found.text, found.reasoning, found.finish_reason) == ("At noon.", "Hm.", "tool_calls")
    assert found.tool_calls[0]["function"] == {"name": "find", "arguments": '{"to": "Skye"}'}
    assert (found.usage.prompt_tokens, found.usage.completion_tokens) == (7, 3)
    asked = ferry.asked[0]
    assert (asked.messages, asked.decoding, asked.seed) == (request.messages, request.decoding, 4)
    assert (asked.tools, asked.tool_choice, asked.parallel_calls) == ((FIND,), "find", False)
    assert ferry.closed


def test_what_cannot_be_answered_is_refused_with_a_reason() -> None:
    async def work(front: Front) -> list[tuple[int, str]]:
        found = []
        good = {"Authorization": f"Bearer {front.key}"}
        said = '{"messages": [{"role": "user", "content": "%s"}]}'
        tries = [
            ("{", good),
            ("{}", good),
            (said % "too long", good),
            (said % "broken", good),
            (said % "x", {}),
        ]
        async with aiohttp.ClientSession() as session:
            for body, headers in tries:
                async with session.post(
                    f"{front.base_url}/chat/completions", data=body, headers=headers
                ) as answer:
                    found.append((answer.status, (await answer.json())["error"]["message"]))
        return found

    _, found = with_front(work)
    assert found == [
        (400, "the body is no JSON object"),
        (400, "messages: wanted a list that is not empty"),
        (400, "the prompt is longer than the context length"),
        (500, "no ferry today"),
        (401, "wrong key"),
    ]


def test_contents_in_parts_and_past_calls_are_read() -> None:
    past = {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    found = read_request(
        {
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
                {"role": "assistant", "content": None, "tool_calls": [past]},
                {"role": "tool", "tool_call_id": "c", "content": "noon"},
            ]
        }
    )
    assert isinstance(found, Request)
    assert [message.content for message in found.messages] == ["ab", "", "noon"]
    assert (found.messages[1].tool_calls, found.messages[2].tool_call_id) == ((past,), "c")
    assert isinstance(read_request({"messages": [{"role": "narrator"}]}), Failure)
    assert isinstance(read_request({"messages": [{"role": "user"}], "tools": "all"}), Failure)
    for size in (10**400, float("inf"), float("nan"), -1):
        assert isinstance(read_request({"messages": [{"role": "user"}], "max_tokens": size}), Failure)
