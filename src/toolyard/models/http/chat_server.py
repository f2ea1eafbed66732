"""Any model behind a chat endpoint on this machine, so that what asks endpoints can ask it too.

POST /v1/chat/completions, whole or as a stream; an answer comes in one piece, because it is known only when it is done.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolyard.core.errors import CONTEXT_OVERFLOW, ProviderError, ToolyardError
from toolyard.core.types import Completion, Decoding, Failure, JsonValue, Message, Request, Role
from toolyard.models.base import Model
from toolyard.models.http.wire import decode_json, encode_json
from toolyard.text.json_values import mapping

if TYPE_CHECKING:
    from aiohttp import web

# The longest body that is read: 128 tools with their schemas take a small part of it.
LONGEST = 2**24
NUMBERS = ("temperature", "top_p", "max_tokens", "max_completion_tokens")
MOST = 10**12
ROLES: tuple[Role, ...] = ("system", "user", "assistant", "tool")


@dataclass(frozen=True, slots=True)
class Front:
    """Where the model is asked, and with which key."""

    base_url: str
    key: str = field(repr=False)


@asynccontextmanager
async def serve_model(model: Model) -> AsyncIterator[Front]:
    """The model's endpoint on this machine, for as long as the block lasts; the model is closed after it."""
    from aiohttp import web

    key = secrets.token_urlsafe(24)

    async def answer(asked: web.Request) -> web.Response:
        if asked.headers.get("Authorization") != f"Bearer {key}":
            return _error_response(401, "wrong key")
        return await _answer_request(model, await asked.read())

    app = web.Application(client_max_size=LONGEST)
    app.router.add_post("/v1/chat/completions", answer)
    # Whoever still waits when the block ends waits for nothing.
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        yield Front(f"http://127.0.0.1:{port}/v1", key)
    finally:
        await runner.cleanup()
        await model.close()


async def _answer_request(model: Model, data: bytes) -> web.Response:
    body = decode_json(data)
    if isinstance(body, Failure) or not isinstance(body, dict):
        return _error_response(400, "the body is no JSON object")
    request = read_request(body)
    if isinstance(request, Failure):
        return _error_response(400, request.detail)
    try:
        found = await model.generate(request)
    except ProviderError as error:
        return _error_response(400 if error.kind == "bad_request" else 500, str(error))
    except ToolyardError as error:
        return _error_response(500, str(error))
    if found.finish_reason == CONTEXT_OVERFLOW:
        return _error_response(400, "the prompt is longer than the context length")
    return _stream_response(found, body) if body.get("stream") else _whole_response(found)


def read_request(body: dict[str, JsonValue]) -> Request | Failure:
    """The request in a chat body, or what is wrong with it."""
    listed = body.get("messages")
    if not isinstance(listed, list) or not listed:
        return Failure("bad_request", "messages: wanted a list that is not empty")
    for each in listed:
        if not isinstance(each, dict) or each.get("role") not in ROLES:
            return Failure("bad_request", f"messages: wanted objects with a role of {', '.join(ROLES)}")
    tools = body.get("tools") or []
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        return Failure("bad_request", "tools: wanted a list of objects")
    for name in NUMBERS:
        value = body.get(name)
        if value is not None and not (isinstance(value, int | float) and 0 <= value <= MOST):
            return Failure("bad_request", f"{name}: wanted a number from 0 to {MOST}")
    most = body.get("max_tokens") or body.get("max_completion_tokens")
    stop, seed, parallel = body.get("stop"), body.get("seed"), body.get("parallel_tool_calls")
    return Request(
        tuple(map(_read_message, listed)),
        Decoding(
            temperature=_number_or_default(body.get("temperature"), 0.0),
            top_p=_number_or_default(body.get("top_p"), 1.0),
            max_tokens=int(_number_or_default(most, Decoding().max_tokens)),
            stop=(stop,)
            if isinstance(stop, str)
            else tuple(map(str, stop))
            if isinstance(stop, list)
            else (),
        ),
        seed=seed if isinstance(seed, int) else None,
        tools=tuple(tools),
        tool_choice=_tool_choice(body.get("tool_choice")),
        parallel_calls=parallel if isinstance(parallel, bool) else None,
    )


def _number_or_default(value: JsonValue, default: float) -> float:
    """The number that a setting holds; what is none, or 0, means the default."""
    return float(value) if isinstance(value, int | float) and value else default


def _read_message(each: dict[str, JsonValue]) -> Message:
    content = each.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    listed, answered = each.get("tool_calls"), each.get("tool_call_id")
    calls = tuple(call for call in listed if isinstance(call, dict)) if isinstance(listed, list) else ()
    return Message(
        next(role for role in ROLES if role == each["role"]),
        str(content or ""),
        tool_calls=calls,
        tool_call_id=answered if isinstance(answered, str) else None,
        reasoning=str(each.get("reasoning_content") or ""),
    )


def _tool_choice(value: JsonValue) -> str:
    if isinstance(value, dict):
        return str(mapping(value.get("function")).get("name", ""))
    return str(value or "")


def _whole_response(found: Completion) -> web.Response:
    message: dict[str, JsonValue] = {"role": "assistant", "content": found.text or None}
    if found.reasoning:
        message["reasoning_content"] = found.reasoning
    if found.tool_calls:
        message["tool_calls"] = _calls_with_own_ids(found)
    choice: dict[str, JsonValue] = {"index": 0, "message": message, "finish_reason": found.finish_reason}
    return _json_response(
        200, {**_response_head("chat.completion"), "choices": [choice], "usage": _usage_json(found)}
    )


def _stream_response(found: Completion, body: dict[str, JsonValue]) -> web.Response:
    from aiohttp import web

    lines = [f"data: {encode_json(event).decode()}\n\n" for event in _stream_events(found, body)]
    text = "".join([*lines, "data: [DONE]\n\n"])
    return web.Response(text=text, content_type="text/event-stream")


def _stream_events(found: Completion, body: dict[str, JsonValue]) -> Iterator[dict[str, JsonValue]]:
    head = _response_head("chat.completion.chunk")

    def chunk(delta: dict[str, JsonValue], finish: str | None = None) -> dict[str, JsonValue]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": ""})
    if found.reasoning:
        yield chunk({"reasoning_content": found.reasoning})
    if found.text:
        yield chunk({"content": found.text})
    if found.tool_calls:
        yield chunk(
            {
                "tool_calls": [
                    {"index": place, **call} for place, call in enumerate(_calls_with_own_ids(found))
                ]
            }
        )
    yield chunk({}, found.finish_reason)
    if mapping(body.get("stream_options")).get("include_usage"):
        yield {**head, "choices": [], "usage": _usage_json(found)}


def _calls_with_own_ids(found: Completion) -> list[dict[str, JsonValue]]:
    """The calls with ids that are unique across answers: a model in this process restarts its numbering each time."""
    return [{**call, "id": f"call_{secrets.token_hex(8)}"} for call in found.tool_calls]


def _response_head(kind: str) -> dict[str, JsonValue]:
    return {
        "id": f"chatcmpl-{secrets.token_hex(8)}",
        "object": kind,
        "created": int(time.time()),
        "model": "model",
    }


def _usage_json(found: Completion) -> dict[str, JsonValue]:
    read, written = found.usage.prompt_tokens, found.usage.completion_tokens
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _error_response(status: int, why: str) -> web.Response:
    return _json_response(status, {"error": {"message": why[:500], "type": "invalid_request_error"}})


def _json_response(status: int, value: dict[str, JsonValue]) -> web.Response:
    from aiohttp import web

    return web.Response(body=encode_json(value), status=status, content_type="application/json")
