"""MCP servers, started as a command or reached at a URL; what they send is bounded and taken as text."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TextIO

from toolyard.core.errors import MissingExtra, ToolyardError, UsageError
from toolyard.core.types import Observation, Record
from toolyard.owntools.sources.source import (
    MOST_TOOLS,
    Call,
    SourcePlace,
    ToolSource,
    WrittenTool,
    slug_of,
    tools_of,
)
from toolyard.text.printable import printable_line

SECONDS = 30.0
LONGEST_ANSWER = 2_000_000
LONGEST_LOG = 4_000
ADDRESSES = ("http://", "https://")


def read_server(target: str, headers: Mapping[str, str], variables: tuple[str, ...] = ()) -> ToolSource:
    """The tools of a server: `target` is a URL, or the command that starts it."""
    refuse_missing()
    server = _server(target, headers, variables)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            name, found = asyncio.run(_listed(server, log))
        except ToolyardError:
            raise
        except BaseExceptionGroup as group:
            raise _unreachable(target, _first(group), _last_line(log)) from None
        except Exception as error:  # the client of the protocol raises whatever its transport does
            raise _unreachable(target, error, _last_line(log)) from None
    return ToolSource(slug_of(name or target), "mcp", tools_of(found, target), lambda: _connected(server))


def refuse_missing() -> None:
    """An error with the install line where the package for the protocol is not there."""
    try:
        import mcp  # noqa: F401
    except ImportError as error:
        raise MissingExtra("MCP servers need mcp: pip install 'toolyard[mcp]'") from error


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner


def _last_line(log: TextIO) -> str:
    """The last thing that a started server wrote to its standard error."""
    log.seek(max(0, log.seek(0, os.SEEK_END) - LONGEST_LOG))
    lines = [line.strip() for line in log.read().splitlines() if line.strip()]
    return printable_line(lines[-1])[:300] if lines else ""


def _unreachable(target: str, error: BaseException, said: str = "") -> UsageError:
    why = " ".join(str(error).split())[:160] or type(error).__name__
    hint = f"its last words: {said}" if said else "start it by hand to see why"
    if target.startswith(ADDRESSES):
        hint = "check the address, and give --header Authorization=VARIABLE where it wants a token"
    return UsageError(f"{target} does not answer as an MCP server ({why}); {hint}")


def _server(target: str, headers: Mapping[str, str], variables: tuple[str, ...]) -> Any:
    """What the client connects to, made anew for every connection."""
    if target.startswith(ADDRESSES):
        return lambda: _remote(target, headers)
    from mcp import StdioServerParameters

    words = shlex.split(target)
    if not words:
        raise UsageError("mcp: names no command; wanted e.g. 'mcp:python -m mcp_server_time'")
    lacking = [name for name in variables if name not in os.environ]
    if lacking:
        raise UsageError(f"--env {lacking[0]} names a variable that is not set; export it first")
    given = {name: os.environ[name] for name in (*variables, "PYTHONPATH") if name in os.environ}
    return lambda: StdioServerParameters(
        command=words[0], args=words[1:], env={"PATH": os.environ["PATH"], **given}
    )


@asynccontextmanager
async def _remote(url: str, headers: Mapping[str, str]) -> AsyncIterator[Any]:
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    # The transport leaves a client that it was given open.
    async with (
        create_mcp_http_client(headers=dict(headers)) as http,
        streamable_http_client(url, http_client=http) as streams,
    ):
        yield streams


@asynccontextmanager
async def _client(server: Any, log: TextIO | None = None) -> AsyncIterator[Any]:
    import mcp

    with Path(os.devnull).open("w") as silence:
        target = server()
        if isinstance(target, mcp.StdioServerParameters):
            from mcp.client.stdio import stdio_client

            target = stdio_client(target, errlog=log or silence)
        async with mcp.Client(target, read_timeout_seconds=SECONDS) as client:
            yield client


async def _listed(server: Any, log: TextIO) -> tuple[str, list[WrittenTool]]:
    async with asyncio.timeout(2 * SECONDS), _client(server, log) as client:
        info = client.server_info
        name = str(getattr(info, "name", "") or "")
        found: list[WrittenTool] = []
        cursor = None
        while len(found) <= MOST_TOOLS:
            page = await client.list_tools(cursor=cursor)
            found += [_tool(tool, name) for tool in page.tools]
            cursor = page.next_cursor
            if not cursor:
                break
        return name, found


def _tool(tool: Any, server: str) -> WrittenTool:
    hints = tool.annotations
    return WrittenTool(
        name=str(tool.name),
        description=tool.description or "",
        schema=tool.input_schema,
        result=tool.output_schema,
        reads=None if hints is None else hints.read_only_hint,
        destroys=bool(hints is not None and hints.destructive_hint),
        place=SourcePlace(f"{server}/{tool.name}"),
    )


@asynccontextmanager
async def _connected(server: Any) -> AsyncIterator[Call]:
    async with _client(server) as client:

        async def call(name: str, arguments: Record) -> Observation:
            try:
                answer = await client.call_tool(name, dict(arguments))
            except Exception as error:  # as above: whatever the transport raises is this call's answer
                return Observation(" ".join(str(error).split())[:300], error="protocol")
            return observed(answer)

        yield call


def observed(answer: Any) -> Observation:
    """An answer as text and data; text that is JSON counts as data."""
    texts = [str(part.text) for part in answer.content if getattr(part, "type", "") == "text"]
    text = "\n".join(texts)[:LONGEST_ANSWER]
    value: Any = answer.structured_content
    if value is None:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = text
    return Observation(text, value, "tool_error" if answer.is_error else None)
