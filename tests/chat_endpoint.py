"""A local chat endpoint whose answers each test writes itself."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from aiohttp import web

Body: TypeAlias = dict[str, Any]
Handler: TypeAlias = Callable[[web.Request, Body], Awaitable[web.StreamResponse]]


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
