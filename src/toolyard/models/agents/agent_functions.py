"""A Python function of messages, and of tools if it takes them, as a model."""

import asyncio
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.types import Completion, JsonValue, Request
from toolyard.models.base import CONCURRENCY, PerLoop, Price, estimated_usage, run_in_thread, user_code
from toolyard.models.http.tool_calls import read_calls
from toolyard.models.http.wire import request_body


class FunctionModel:
    """`function(messages, tools)` or `function(messages)` in the chat format.

    It returns text or `{"content": ..., "tool_calls": [...]}`.

    An async function is awaited, any other runs in a thread, one call at a time unless `concurrency` says otherwise.
    Whatever it raises leaves one request unanswered, with the reason.
    """

    price: Price | None = None

    def __init__(self, function: Callable[..., Any], *, name: str, concurrency: int | None = None) -> None:
        self.name = name
        self._function = function
        self._takes_tools = _takes_tools(function, name)
        self._is_async = inspect.iscoroutinefunction(function)
        self._turns = PerLoop(concurrency or CONCURRENCY if self._is_async else 1)

    async def generate(self, request: Request) -> Completion:
        """The function's answer."""
        body = request_body(self.name, request)
        given = (body["messages"], body.get("tools", []))[: 1 + self._takes_tools]
        async with self._turns.semaphore():
            started = asyncio.get_running_loop().time()
            with user_code(self.name):
                if self._is_async:
                    answer = await self._function(*given)
                else:
                    answer = await run_in_thread(self._function, *given)
            latency = asyncio.get_running_loop().time() - started
        return self._completion(answer, request, latency)

    def _completion(self, answer: JsonValue, request: Request, latency: float) -> Completion:
        message = {"content": answer} if isinstance(answer, str) else answer
        if not isinstance(message, Mapping):
            found = type(answer).__name__
            raise ProviderError("bad_answer", f"{self.name} returned {found}, wanted text or a message")
        text = message.get("content") or ""
        if not isinstance(text, str):
            raise ProviderError("bad_answer", f"{self.name}: content is {type(text).__name__}, wanted text")
        calls = read_calls(message)
        return Completion(
            text,
            usage=estimated_usage(request, text),
            latency=latency,
            model=self.name,
            tool_calls=calls.calls,
            dropped_calls=calls.dropped,
        )

    async def close(self) -> None:
        """Nothing to end."""


def _takes_tools(function: Callable[..., object], name: str) -> bool:
    """Whether it takes messages and tools, or messages alone; anything else is refused before a run begins."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some callables of C have none
        return True
    for count in (2, 1):
        try:
            signature.bind(*[None] * count)
        except TypeError:
            continue
        return count == 2
    raise UsageError(
        f"{name} is called as {name.rpartition(':')[2]}{signature}; wanted is f(messages) or f(messages, tools)"
    )
