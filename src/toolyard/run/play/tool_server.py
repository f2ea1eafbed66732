"""An episode's tools behind a server of the Model Context Protocol, and a client that lists and calls them (`--style mcp`).

Server and client are those of `toolyard serve` and of the package `mcp`. They run on a thread of their own and speak
JSON-RPC from handshake to end; the episode waits, as it does for a program.
"""

from __future__ import annotations

import json
import logging
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from toolyard.core.errors import MissingExtra
from toolyard.core.types import Execute, Observation, Record
from toolyard.core.untrusted.json_safe import json_safe

if TYPE_CHECKING:
    from mcp_types import Tool

    from toolyard.world.mcp import Answers


class ToolServer:
    """One server and its only client, from handshake to end."""

    def __init__(self, answers: Answers) -> None:
        self._answers, self._stack = answers, ExitStack()

    def __enter__(self) -> Self:
        try:
            from anyio.from_thread import start_blocking_portal
            from mcp import Client

            from toolyard.world.mcp.http import make_server

            server = make_server(self._answers)
        except ImportError as error:
            raise MissingExtra("--style mcp needs mcp: pip install 'toolyard[mcp]'") from error
        # The client warns of every call of a tool that is not listed; the model is told of it.
        logging.getLogger("client").setLevel(logging.ERROR)
        self._portal = self._stack.enter_context(start_blocking_portal())
        client = self._portal.wrap_async_context_manager(Client(server, mode="legacy"))
        self._client = self._stack.enter_context(client)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def functions(self) -> tuple[Record, ...]:
        """The listed tools as an endpoint's functions, page by page."""
        found: list[Record] = []
        cursor = None
        while True:
            page = self._portal.call(lambda: self._client.list_tools(cursor=cursor))  # noqa: B023 - called at once
            found += [_function_of_tool(tool) for tool in page.tools]
            cursor = page.next_cursor
            if not cursor:
                return tuple(found)

    def call(self, effect: Execute) -> Observation:
        """What the server answers; an error of the protocol is one of the call."""
        from mcp import MCPError

        try:
            # JSON has no infinite number: where one was written, its name goes over the wire.
            arguments = {name: json_safe(value) for name, value in effect.arguments.items()}
            said = self._portal.call(lambda: self._client.call_tool(effect.tool, arguments))
        except (MCPError, RuntimeError, ValueError) as error:
            text = json.dumps({"error": {"kind": "protocol_error", "message": str(error)[:500]}})
            return Observation(text, error="protocol_error")
        (content,) = said.model_dump()["content"]
        value = said.structured_content
        kind = str(value["error"]["kind"]) if said.is_error else None
        return Observation(content["text"], value, kind)


def _function_of_tool(tool: Tool) -> Record:
    listed: dict[str, object] = tool.model_dump(by_alias=True, exclude_unset=True)
    described = {name: listed[name] for name in ("name", "description") if name in listed}
    return {"type": "function", "function": {**described, "parameters": listed["inputSchema"]}}
