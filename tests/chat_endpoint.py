"""A local chat endpoint whose answers each test writes itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from aiohttp import web

Body: TypeAlias = dict[str, Any]
Handler: TypeAlias = Callable[[web.Request, Body], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def serve(handler: Handler) -> AsyncIterator[str]:
    """Serves a handler of (request, JSON body) and gives the base URL."""

    async def post(request: web.Request) -> web.StreamResponse:
        return await handler(request, await request.json())

    app = web.Application(client_max_size=2**26)
    app.router.add_post("/v1/chat/completions", post)
    app.router.add_post("/v1/embeddings", post)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


def chat(text: str, **extra: Any) -> web.Response:
    """A whole chat answer with that text."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    return web.json_response({"model": "served", "choices": [choice], "usage": usage, **extra})
