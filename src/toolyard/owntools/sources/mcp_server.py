"""MCP servers, started as a command or reached at a URL; what they send is bounded and taken as text."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

from toolyard.core.errors import DataError, MissingExtra, ToolyardError, UsageError
from toolyard.core.processes.stopping import run_async
from toolyard.core.types import JsonValue, Observation, Record
from toolyard.owntools.sources.server_streams import (
    ServerNotes,
    drop_odd_tools,
    quieten_client,
    reached_server,
    started_server,
)
from toolyard.owntools.sources.tool_source import (
    MOST_TOOLS,
    Call,
    SourcePlace,
    ToolSource,
    WrittenTool,
    file_slug,
    name_tools,
)
from toolyard.text.printable import printable_line

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult, Tool

SECONDS = 30.0
LONGEST_ANSWER = 2_000_000
MOST_PAGES = 200
ADDRESSES = ("http://", "https://")
# Opens the streams of a server and notes what is odd about it.
Streams: TypeAlias = Callable[[ServerNotes], AbstractAsyncContextManager[tuple[object, object]]]


def read_server(target: str, headers: Mapping[str, str], variables: tuple[str, ...] = ()) -> ToolSource:
    """The tools of a server: `target` is a URL, or the command that starts it."""
    refuse_missing()
    connect = _stream_opener(target, headers, variables)
    notes = ServerNotes()
    try:
        name, found = run_async(_list_tools(connect, notes))
    except ToolyardError:
        raise
    except BaseExceptionGroup as group:
        raise _unreachable_error(target, _first_error(group), notes) from None
    except Exception as error:  # the client of the protocol raises whatever its transport does
        raise _unreachable_error(target, error, notes) from None
    if not found and notes.odd_tools:
        raise DataError(f"{target} lists nothing but odd tools: {_listed_names_text(notes)}; mend its list")
    odd = f"left out, as their documents are not tools of the protocol: {_listed_names_text(notes)}"
    return ToolSource(
        file_slug(name or target),
        "mcp",
        name_tools(found, target),
        lambda: _connect_server(connect),
        (odd,) if notes.odd_tools else (),
    )


def _listed_names_text(notes: ServerNotes) -> str:
    names = [printable_line(name)[:80] for name in notes.odd_tools]
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def refuse_missing() -> None:
    """An error with the install line where the package for the protocol is not there."""
    try:
        import mcp  # noqa: F401
    except ImportError as error:
        raise MissingExtra("MCP servers need mcp: pip install 'toolyard[mcp]'") from error


def _first_error(group: BaseExceptionGroup[BaseException]) -> BaseException:
    inner = group.exceptions[0]
    return _first_error(inner) if isinstance(inner, BaseExceptionGroup) else inner


def _unreachable_error(target: str, error: BaseException, notes: ServerNotes) -> UsageError:
    why = notes.cut_off or printable_line(" ".join(str(error).split()))[:160] or type(error).__name__
    hint = f"its last words: {notes.last_line}" if notes.last_line else "start it by hand to see why"
    if target.startswith(ADDRESSES):
        hint = "check the address, and give --header Authorization=VARIABLE where it wants a token"
    if isinstance(error, FileNotFoundError):
        hint = "install it, or give the path of its command"
    return UsageError(f"{target} does not answer as an MCP server ({why}); {hint}")


def _stream_opener(target: str, headers: Mapping[str, str], variables: tuple[str, ...]) -> Streams:
    """A function that opens a server's streams for each connection."""
    if target.startswith(ADDRESSES):
        return lambda notes: reached_server(target, headers, notes)
    from mcp.client.stdio import get_default_environment

    try:
        words = shlex.split(target)
    except ValueError as error:
        raise UsageError(f"mcp: {target!r} is not a command ({error}); close its quotes") from None
    if not words:
        raise UsageError("mcp: names no command; wanted e.g. 'mcp:python -m mcp_server_time'")
    lacking = [name for name in variables if name not in os.environ]
    if lacking:
        raise UsageError(f"--env {lacking[0]} names a variable that is not set; export it first")
    given = {name: os.environ[name] for name in (*variables, "PYTHONPATH") if name in os.environ}
    return lambda notes: started_server(words, {**get_default_environment(), **given}, notes)


@asynccontextmanager
async def _connect_client(connect: Streams, notes: ServerNotes) -> AsyncIterator[Client]:
    import mcp

    quieten_client()
    streams = drop_odd_tools(connect(notes), notes)
    async with mcp.Client(streams, read_timeout_seconds=SECONDS, cache=None) as client:
        yield client


async def _list_tools(connect: Streams, notes: ServerNotes) -> tuple[str, list[WrittenTool]]:
    async with asyncio.timeout(2 * SECONDS), _connect_client(connect, notes) as client:
        name = str(getattr(client.server_info, "name", "") or "")
        found: list[WrittenTool] = []
        cursor = None
        for _ in range(MOST_PAGES):
            page = await client.list_tools(cursor=cursor)
            found += [_written_tool(tool, name) for tool in page.tools]
            cursor = page.next_cursor
            if not cursor or len(found) > MOST_TOOLS:
                return name, found
        raise DataError(
            f"{name or 'the server'} lists its tools on more than {MOST_PAGES} pages; give a part"
        )


def _written_tool(tool: Tool, server: str) -> WrittenTool:
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
async def _connect_server(connect: Streams) -> AsyncIterator[Call]:
    from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT

    async with _connect_client(connect, ServerNotes()) as client:

        async def call(name: str, arguments: Record) -> Observation:
            try:
                return answer_observation(await client.call_tool(name, dict(arguments)))
            except Exception as error:  # as above: whatever the transport raises is this call's answer
                silent = getattr(error, "code", None) in (CONNECTION_CLOSED, REQUEST_TIMEOUT)
                text = printable_line(" ".join(str(error).split()))[:300]
                return Observation(text, error="unreachable" if silent else "protocol")

        yield call


def answer_observation(answer: CallToolResult) -> Observation:
    """An answer as text and data; text that is JSON counts as data."""
    texts = [part.text for part in answer.content if part.type == "text"]
    text = "\n".join(texts)[:LONGEST_ANSWER]
    value: JsonValue = answer.structured_content
    if value is None:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = text
    return Observation(text, value, "tool_error" if answer.is_error else None)
