"""The library over standard input and output: JSON-RPC, a message a line, for clients that open with a handshake.

The protocol's own package is not needed here: its import alone takes longer than all the rest of a start.
"""

import asyncio
import json
import sys
import threading
from collections.abc import Awaitable
from typing import BinaryIO

from toolyard.core.types import JsonValue
from toolyard.world.kernel.executor import Faults
from toolyard.world.kernel.registry import select
from toolyard.world.mcp import INSTRUCTIONS, NAME, VERSION, Answers, Message

# Revisions of the protocol with a handshake, oldest first; a client that wants another is offered the newest.
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LONGEST_LINE = 64 * 2**20
_PARSE, _INVALID_REQUEST, _NO_METHOD, _INVALID_PARAMETERS, _INTERNAL = -32700, -32600, -32601, -32602, -32603
_NO_RESOURCE = -32002
_SESSION = "", None


class ProtocolFault(Exception):
    """A request that gets an error of the protocol for an answer."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def serve_stdio(
    part: str | None = None, *, seed: int = 0, faults: Faults | None = None, control: bool = False
) -> None:
    """Serve on standard input and output until the client closes them."""
    answers = Answers(select(part), seed=seed, faults=faults, control=control)
    asyncio.run(Connection(answers, sys.stdin.buffer, sys.stdout.buffer).serve())


class Connection:
    """One client: requests are answered as they are done; at the end of input what was asked is finished."""

    def __init__(self, answers: Answers, source: BinaryIO, target: BinaryIO) -> None:
        self._answers, self._source, self._target = answers, source, target
        self._running: dict[str, asyncio.Task[None]] = {}

    async def serve(self) -> None:
        """Answers every line until there are no more."""
        lines: asyncio.Queue[bytes] = asyncio.Queue()
        threading.Thread(
            target=self._read_lines, args=(asyncio.get_running_loop(), lines), daemon=True
        ).start()
        while line := await lines.get():
            if line.strip():
                self._take_line(line)
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _read_lines(self, loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[bytes]) -> None:
        """Hands on line after line, and an empty one at the end; one that is too long ends the connection."""
        while (line := self._source.readline(LONGEST_LINE)) and line.endswith(b"\n"):
            loop.call_soon_threadsafe(lines.put_nowait, line)
        if 0 < len(line) < LONGEST_LINE:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, b"")

    def _take_line(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._write_message(_rpc_error(None, _PARSE, "the line is not JSON"))
            return
        if isinstance(message, list) and message:
            self._start_answer(str(id(message)), self._answer_batch(message))
        elif _is_notification(message):
            self._handle_notification(message)
        elif not _is_reply(message):
            self._start_answer(_message_key(message), self._answer_single(message))

    def _start_answer(self, key: str, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._running[key] = task
        task.add_done_callback(
            lambda done: self._running.pop(key, None) if self._running.get(key) is done else None
        )

    def _handle_notification(self, message: Message) -> None:
        """A client that no longer wants an answer says so; other notes need nothing."""
        given = message.get("params")
        if message["method"] == "notifications/cancelled" and isinstance(given, dict):
            task = self._running.get(json.dumps(given.get("requestId")))
            if task is not None:
                task.cancel()

    async def _answer_single(self, message: JsonValue) -> None:
        self._write_message(await self._answer_message(message))

    async def _answer_batch(self, messages: list[JsonValue]) -> None:
        asked = [message for message in messages if not _is_notification(message) and not _is_reply(message)]
        if answered := [await self._answer_message(message) for message in asked]:
            self._write_message(answered)

    async def _answer_message(self, message: JsonValue) -> Message:
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return _rpc_error(None, _INVALID_REQUEST, "a request is an object with jsonrpc, id and method")
        given = message.get("params", {})
        try:
            if not isinstance(given, dict):
                raise ProtocolFault(_INVALID_PARAMETERS, "params must be an object")
            result = await self._method_result(message["method"], given)
        except ProtocolFault as fault:
            return _rpc_error(message.get("id"), fault.code, str(fault))
        except Exception as error:  # the client hears of it, and the next request is served
            return _rpc_error(message.get("id"), _INTERNAL, f"{type(error).__name__}: {error}")
        return {"jsonrpc": "2.0", "id": message.get("id"), "result": result}

    async def _method_result(self, method: str, given: Message) -> Message:
        match method:
            case "initialize":
                return _initialize_result(given.get("protocolVersion"))
            case "ping":
                return {}
            case "tools/list":
                return self._answers.tools(_required_text(given, "cursor", wanted=False))
            case "tools/call":
                arguments = given.get("arguments") or {}
                if not isinstance(arguments, dict):
                    raise ProtocolFault(_INVALID_PARAMETERS, "arguments must be an object")
                return await self._answers.call(_SESSION, _required_text(given, "name"), arguments)
            case "resources/list":
                return self._answers.resources()
            case "resources/templates/list":
                return {"resourceTemplates": []}
            case "resources/read":
                return await self._read_resource(_required_text(given, "uri"))
        raise ProtocolFault(_NO_METHOD, f"no method {method!r}")

    async def _read_resource(self, address: str) -> Message:
        try:
            return await self._answers.read(_SESSION, address)
        except ValueError as error:
            raise ProtocolFault(_NO_RESOURCE, str(error)) from error

    def _write_message(self, message: Message | list[Message]) -> None:
        self._target.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        self._target.flush()


def _initialize_result(revision: JsonValue) -> Message:
    return {
        "protocolVersion": revision if revision in REVISIONS else REVISIONS[-1],
        "capabilities": {
            "tools": {"listChanged": False},
            "resources": {"subscribe": False, "listChanged": False},
        },
        "serverInfo": {"name": NAME, "version": VERSION},
        "instructions": INSTRUCTIONS,
    }


def _required_text(given: Message, name: str, *, wanted: bool = True) -> str:
    value = given.get(name)
    if isinstance(value, str) or (value is None and not wanted):
        return value or ""
    raise ProtocolFault(_INVALID_PARAMETERS, f"{name} must be text")


def _message_key(message: JsonValue) -> str:
    return json.dumps(message.get("id") if isinstance(message, dict) else None)


def _is_notification(message: JsonValue) -> bool:
    return isinstance(message, dict) and "id" not in message and isinstance(message.get("method"), str)


def _is_reply(message: JsonValue) -> bool:
    return (
        isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message)
    )


def _rpc_error(number: JsonValue, code: int, message: str) -> Message:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}
