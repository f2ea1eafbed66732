"""A local chat endpoint whose answers each test writes itself."""

import asyncio
import inspect
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from aiohttp import web

from toolyard.core.types import Completion, Request
from toolyard.models.base import Limits
from toolyard.models.http.openai import CHAT, OpenAIModel, Surface, load_openai
from toolyard.models.loading import load_model
from toolyard.models.spec import ModelSpec

Body: TypeAlias = dict[str, Any]
Handler: TypeAlias = Callable[..., Any]


@asynccontextmanager
async def serve(handler: Handler, prefix: str = "") -> AsyncIterator[str]:
    """Serves a handler of (request, JSON body) and gives the base URL."""

    async def post(request: web.Request) -> web.StreamResponse:
        return await handler(request, await request.json())

    app = web.Application(client_max_size=2**26)
    app.router.add_post(f"{prefix}/v1/chat/completions", post)
    app.router.add_post(f"{prefix}/v1/responses", post)
    app.router.add_post(f"{prefix}/v1/embeddings", post)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}{prefix}/v1"
    finally:
        await runner.cleanup()


def chat(text: str, **extra: Any) -> web.Response:
    """A whole chat answer with that text."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    return web.json_response({"model": "served", "choices": [choice], "usage": usage, **extra})


class ChatEndpoint:
    """An endpoint whose answers follow from a body, or a request and its body; it keeps bodies and headers."""

    def __init__(self, reply: Callable[..., Any]) -> None:
        self.reply, self.takes = reply, len(inspect.signature(reply).parameters)
        self.bodies: list[Body] = []
        self.headers: list[Any] = []

    async def handle(self, request: web.Request, body: Body) -> web.StreamResponse:
        self.bodies.append(body)
        self.headers.append(request.headers)
        found = self.reply(*(request, body)[-self.takes :])
        response: web.StreamResponse = await found if inspect.isawaitable(found) else found
        return response

    def ask(
        self, *requests: Request, settings: str = "", surface: Surface = CHAT, retries: int = 0, **limits: Any
    ) -> tuple[OpenAIModel, list[Completion]]:
        """The client, after it asked for each of these, and the answers."""

        async def run() -> tuple[OpenAIModel, list[Completion]]:
            async with serve(self.handle) as url:
                kind = "openai" if surface is CHAT else surface.name
                spec = ModelSpec.parse(f"{kind}/m?base_url={url}{settings}")
                model = load_openai(spec, Limits(retries=retries, **limits), surface)
                try:
                    return model, [await model.generate(request) for request in requests]
                finally:
                    await model.close()

        return asyncio.run(run())


async def answer_at(url: str, request: Request, **limits: Any) -> Completion:
    """What a model at that address says."""
    model = load_model(f"openai/m?base_url={url}", **{"retries": 0, **limits})
    try:
        return await model.generate(request)
    finally:
        await model.close()


def answer_of_bytes(data: bytes, request: Request, settings: str = "", **limits: Any) -> Completion:
    """What the client makes of a server that sends these bytes."""

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(data)
        await writer.drain()
        writer.close()

    async def run() -> Completion:
        async with await asyncio.start_server(send, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            return await answer_at(f"http://127.0.0.1:{port}/v1{settings}", request, **limits)

    return asyncio.run(run())


FAULTS = ("429", "429 with Retry-After", "500", "reset", "hang", "truncated", "half a body")


def fault_of(sample: str, attempt: int) -> str | None:
    """30 % of all attempts fail, each in one of seven ways, the same ones in every run of the test."""
    rng = random.Random(f"{sample}/{attempt}")
    return rng.choice(FAULTS) if rng.random() < 0.3 else None


async def fail(request: web.Request, fault: str) -> web.StreamResponse:
    """Fails a request in one of the ways that endpoints fail."""
    if fault == "429":
        return web.Response(status=429)
    if fault == "429 with Retry-After":
        return web.Response(status=429, headers={"Retry-After": "0"})
    if fault == "500":
        return web.Response(status=500, text="<html>oops")
    if fault == "truncated":
        return web.Response(text='{"choices": [{"message": {"cont', content_type="application/json")
    if fault == "hang":
        await asyncio.sleep(30)
    if fault == "half a body":
        response = web.StreamResponse(headers={"Content-Length": "500"})
        await response.prepare(request)
        await response.write(b'{"choices"')
    assert request.transport is not None
    request.transport.abort()
    return web.Response()
