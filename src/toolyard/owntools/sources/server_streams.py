"""Message streams to and from untrusted MCP servers: bounded in size, and limited to one address.

The client of the protocol reads lines of any length, prints what it cannot parse, and refuses a whole list for one odd
tool. Here a line that is no message is ignored, a tool that is none is left out and named, and a server that sends too
much is cut off with the reason.
"""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from toolyard.core.processes.parent import die_with_parent_hook
from toolyard.core.types import JsonValue, Record
from toolyard.owntools.sources.tool_source import MOST_TOOLS
from toolyard.text.printable import printable_line

LONGEST_LINE = 16_000_000
# Bytes and messages that nobody asked for: other lines, notifications, requests of the server.
MOST_UNASKED = 32_000_000
MOST_UNASKED_MESSAGES = 10_000
LONGEST_LOG = 4_000
# A server that is asked to end gets so long before it is killed.
GRACE_SECONDS = 2.0
# A connection, TLS included, and the silence in an answer that may come in events.
CONNECT_SECONDS, READ_SECONDS = 30.0, 300.0
_PIECE = 65_536
_POLL_SECONDS = 0.02


@dataclass(slots=True)
class ServerNotes:
    """What was noticed about a server while it was connected."""

    said: str = ""
    cut_off: str = ""
    odd_tools: dict[str, None] = field(default_factory=dict)
    unasked: int = 0
    unasked_messages: int = 0

    def add_log(self, piece: bytes) -> None:
        """Keeps the end of what the server writes to its standard error."""
        self.said = (self.said + piece.decode("utf-8", "replace"))[-LONGEST_LOG:]

    @property
    def last_line(self) -> str:
        """The last thing that the server wrote to its standard error."""
        lines = [line.strip() for line in self.said.splitlines() if line.strip()]
        return printable_line(lines[-1])[:300] if lines else ""

    def is_flooded(self, size: int) -> bool:
        """Whether one more unrequested message exceeds the limit."""
        self.unasked += size
        self.unasked_messages += 1
        if self.unasked <= MOST_UNASKED and self.unasked_messages <= MOST_UNASKED_MESSAGES:
            return False
        self.cut_off = "it floods its standard output with lines that nobody asked for"
        return True


def quieten_client() -> None:
    """Keeps the protocol's client from printing tracebacks of what servers send."""
    for name in ("mcp", "client", "httpx2", "httpcore2"):
        log = logging.getLogger(name)
        log.propagate = False
        if not log.handlers:
            log.addHandler(logging.NullHandler())


@asynccontextmanager
async def started_server(
    words: Sequence[str], environment: Mapping[str, str], notes: ServerNotes
) -> AsyncIterator[tuple[object, object]]:
    """A server that is started as a command, and ended with all that it started."""
    import anyio

    process = await asyncio.create_subprocess_exec(
        *words,
        env=dict(environment),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
        preexec_fn=die_with_parent_hook(),
    )
    heard, messages = anyio.create_memory_object_stream[object](0)
    outgoing, to_send = anyio.create_memory_object_stream[object](0)
    tasks = [
        asyncio.create_task(_receive_messages(process, heard, notes)),
        asyncio.create_task(_send_messages(process, to_send)),
        asyncio.create_task(_keep_log(process, notes)),
    ]
    try:
        yield messages, outgoing
    finally:
        await _end_server(process)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for stream in (heard, messages, outgoing, to_send):
            stream.close()


async def _receive_messages(process: asyncio.subprocess.Process, heard: Any, notes: ServerNotes) -> None:
    """Hands on the messages on a server's standard output, until it ends or sends too much."""
    import anyio

    assert process.stdout is not None
    with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
        async with heard:
            line = bytearray()
            while piece := await process.stdout.read(_PIECE):
                whole, newline, rest = piece.rpartition(b"\n")
                line += whole if newline else piece
                if len(line) > LONGEST_LINE:
                    notes.cut_off = f"it sent a line of more than {LONGEST_LINE:,} bytes"
                    return
                if not newline:
                    continue
                for each in bytes(line).split(b"\n"):
                    if not await _forward_message(each, heard, notes):
                        return
                line = bytearray(rest)


async def _forward_message(line: bytes, heard: Any, notes: ServerNotes) -> bool:
    """Forwards a line that is a message; False once there were too many unrequested ones."""
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False) if line.strip() else None
    except (ValueError, RecursionError):
        message = None
    if (message is None or hasattr(message, "method")) and notes.is_flooded(len(line)):
        return False
    # Answers and requests; of what a server only tells, nothing is needed here.
    if message is not None and hasattr(message, "id"):
        await heard.send(SessionMessage(message))
    return True


async def _send_messages(process: asyncio.subprocess.Process, to_send: Any) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        async for each in to_send:
            text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
            process.stdin.write(text.encode("utf-8", "replace") + b"\n")
            await process.stdin.drain()


async def _keep_log(process: asyncio.subprocess.Process, notes: ServerNotes) -> None:
    assert process.stderr is not None
    while piece := await process.stderr.read(_PIECE):
        notes.add_log(piece)


async def _end_server(process: asyncio.subprocess.Process) -> None:
    """Closes a server's input, and kills it with what it started where that is not enough, even if we are cancelled."""
    try:
        if process.stdin is not None:
            process.stdin.close()
        await _is_gone(process)
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        try:
            await _is_gone(process)
        finally:
            # Its pipes may be held open by what it started elsewhere.
            with contextlib.suppress(KeyError, OSError):
                vars(process)["_transport"].close()


async def _is_gone(process: asyncio.subprocess.Process) -> bool:
    """Whether a process ended in time; `wait()` would also wait for those who hold its pipes."""
    for _ in range(int(GRACE_SECONDS / _POLL_SECONDS)):
        if process.returncode is not None:
            return True
        await asyncio.sleep(_POLL_SECONDS)
    return False


@asynccontextmanager
async def reached_server(
    url: str, headers: Mapping[str, str], notes: ServerNotes
) -> AsyncIterator[tuple[object, object]]:
    """A server at an address; no request leaves its origin, and no answer is longer than a line may be."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    home = httpx2.URL(url)

    async def stay(request: httpx2.Request) -> None:
        if (request.url.scheme, request.url.host, request.url.port) != (home.scheme, home.host, home.port):
            notes.cut_off = f"it sends requests on to {request.url.scheme}://{request.url.netloc.decode()}"
            raise httpx2.RequestError(notes.cut_off, request=request)

    async def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            notes.cut_off = "it sends compressed answers, though none were asked for"
            raise httpx2.DecodingError(notes.cut_off, request=response.request)
        response.stream = _bound_streams(response.stream, notes)

    # A client that makes its own transport would send requests, and headers with them, to the proxy of `http_proxy`.
    client = httpx2.AsyncClient(
        transport=httpx2.AsyncHTTPTransport(),
        headers={**headers, "Accept-Encoding": "identity"},
        timeout=httpx2.Timeout(CONNECT_SECONDS, read=READ_SECONDS),
        event_hooks={"request": [stay], "response": [bound]},
    )
    # The protocol's own transport leaves a client that it was given open.
    async with client, streamable_http_client(url, http_client=client) as streams:
        yield streams


def _bound_streams(inner: Any, notes: ServerNotes) -> Any:
    """A stream of bytes that breaks off where it gets too long."""
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for piece in inner:
                size += len(piece)
                if size > LONGEST_LINE:
                    notes.cut_off = f"it sent an answer of more than {LONGEST_LINE:,} bytes"
                    raise httpx2.StreamError(notes.cut_off)
                yield piece

        async def aclose(self) -> None:
            await inner.aclose()

    return Bounded()


@asynccontextmanager
async def drop_odd_tools(streams: Any, notes: ServerNotes) -> AsyncIterator[tuple[Any, Any]]:
    """The same streams, in which every list of tools holds only what the client takes for a tool."""
    import anyio

    async with streams as (incoming, outgoing):
        heard, messages = anyio.create_memory_object_stream[object](0)
        version = ""

        async def sort_out() -> None:
            nonlocal version
            with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                async with heard:
                    async for each in incoming:
                        result = getattr(getattr(each, "message", None), "result", None)
                        if isinstance(result, dict):
                            version = str(result.get("protocolVersion") or version)
                            _leave_out_odd(result, version, notes)
                        if not isinstance(each, Exception):
                            await heard.send(each)

        task = asyncio.create_task(sort_out())
        try:
            yield messages, outgoing
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            heard.close()
            messages.close()


def _leave_out_odd(result: dict[str, JsonValue], version: str, notes: ServerNotes) -> None:
    tools = result.get("tools")
    if not isinstance(tools, list):
        return
    kept = []
    for place, tool in enumerate(tools[: MOST_TOOLS + 1], 1):
        if _is_tool(tool, result, version):
            kept.append(tool)
        else:
            name = tool.get("name") if isinstance(tool, dict) else None
            notes.odd_tools[name if isinstance(name, str) and name.strip() else f"number {place}"] = None
    result["tools"] = kept


def _is_tool(tool: object, page: Record, version: str) -> bool:
    """Whether the client takes a page with this tool alone, where it takes an empty one."""
    from mcp_types import Tool, methods
    from mcp_types.version import LATEST_MODERN_VERSION

    if not isinstance(tool, dict) or not str(tool.get("name") or "").strip():
        return False
    try:
        Tool.model_validate(tool, by_name=False)
        methods.validate_server_result(
            "tools/list", version or LATEST_MODERN_VERSION, {**page, "tools": [tool]}
        )
    except KeyError:
        return True
    except (ValueError, RecursionError):
        return False
    return True
