"""A command that speaks MCP as client: it is started for every sample, with an address of its own for the tools.

The task stands in TOOLYARD_TASK and on standard input, the tools at TOOLYARD_MCP_URL (streamable HTTP on loopback); `{task}`
and `{url}` in the command are replaced as whole words. What the command prints is its answer. Every call it makes is
recorded where it arrives, whatever framework made it.
"""

import asyncio
import json
import os
import secrets
import shlex
import shutil
from collections.abc import Mapping
from contextlib import suppress

from aiohttp import web

from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.types import JsonValue, Record
from toolyard.models.agents.agent_steps import Assignment, Work
from toolyard.text.json_values import mapping

VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
METHOD_NOT_FOUND, INVALID = -32601, -32600
MOST_OUTPUT = 1_000_000


def command_work(command: str, timeout: float) -> Work:
    """The work of that command."""
    words = shlex.split(command)
    if not words:
        raise UsageError("agent: names no command; wanted e.g. agent:'python my_agent.py'")
    if shutil.which(words[0]) is None:
        raise UsageError(f"agent:{command}: no program is called {words[0]}; install it, or give its path")

    async def work(assignment: Assignment) -> str:
        path = f"/{secrets.token_urlsafe(12)}/mcp"
        runner = web.AppRunner(mcp_application(assignment, path), access_log=None)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            port = runner.addresses[0][1]
            return await _run_command(words, assignment.text, f"http://127.0.0.1:{port}{path}", timeout)
        finally:
            await runner.cleanup()

    return work


async def _run_command(words: list[str], task: str, url: str, timeout: float) -> str:
    """What the command prints; it is ended with its episode."""
    filled = [{"{task}": task, "{url}": url}.get(word, word) for word in words]
    environment = {**os.environ, "TOOLYARD_MCP_URL": url, "TOOLYARD_TASK": task}
    try:
        process = await asyncio.create_subprocess_exec(
            *filled,
            env=environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    except OSError as error:
        raise ProviderError("not_found", f"{words[0]} cannot be started ({error.strerror})") from None
    try:
        out, err = await asyncio.wait_for(process.communicate(task.encode()), timeout)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode:
        last = " ".join(err.decode("utf-8", "replace").split())[-300:]
        raise ProviderError("agent_failed", f"{words[0]} ended with {process.returncode}: {last}")
    return out[:MOST_OUTPUT].decode("utf-8", "replace").strip()


def mcp_application(assignment: Assignment, path: str) -> web.Application:
    """The assignment's tools at that path, as MCP over HTTP with plain JSON replies."""

    async def post(request: web.Request) -> web.Response:
        try:
            message = await request.json()
        except ValueError:
            return _error_response(None, INVALID, "no JSON")
        if not isinstance(message, Mapping):
            return _error_response(None, INVALID, "one JSON-RPC message at a time")
        if "id" not in message:
            return web.Response(status=202)
        result = await _answer_method(assignment, str(message.get("method")), message.get("params") or {})
        if result is None:
            return _error_response(message["id"], METHOD_NOT_FOUND, f"no method {message.get('method')!r}")
        return web.json_response({"jsonrpc": "2.0", "id": message["id"], "result": result})

    application = web.Application(client_max_size=4 * MOST_OUTPUT)
    application.router.add_post(path, post)
    return application


async def _answer_method(
    assignment: Assignment, method: str, parameters: Mapping[str, JsonValue]
) -> JsonValue:
    if method == "initialize":
        wanted = parameters.get("protocolVersion")
        return {
            "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "toolyard", "version": "1"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [_mcp_tool(tool) for tool in assignment.tools]}
    if method == "tools/call":
        arguments = parameters.get("arguments")
        text = await assignment.call(str(parameters.get("name")), mapping(arguments))
        return {"content": [{"type": "text", "text": text}], "isError": _is_error(text)}
    return None


def _mcp_tool(tool: Record) -> dict[str, JsonValue]:
    function = tool.get("function", tool)
    schema = function.get("parameters") or {"type": "object", "properties": {}}
    return {"name": function["name"], "description": function.get("description", ""), "inputSchema": schema}


def _is_error(text: str) -> bool:
    """Whether a result says of itself that the call failed."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and bool(value.get("error"))


def _error_response(identity: JsonValue, code: int, why: str) -> web.Response:
    return web.json_response({"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": why}})
