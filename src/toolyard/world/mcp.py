"""The library, or a part of it, over the Model Context Protocol: strict schemas, structured errors.

Every session has a world of its own, and its calls are made one after another; those of other sessions go on.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from toolyard.core.errors import MissingExtra
from toolyard.core.types import Json, Observation
from toolyard.world.executor import Faults, Rules, call_async
from toolyard.world.naming import short_names
from toolyard.world.registry import Tool, select
from toolyard.world.state import World

PAGE = 100
MAX_SESSIONS = 1_000


@dataclass(slots=True)
class _Session:
    world: World
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Sessions:
    """The worlds of all sessions; beyond the limit the one unused for longest is forgotten."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._known: OrderedDict[tuple[str, int], _Session] = OrderedDict()

    async def call(self, name: str, seed: int | None, tool: str, arguments: Json) -> Observation:
        """What the tool answers in the world of this session."""
        key = name, self._seed if seed is None else seed
        session = self._known.setdefault(key, _Session(World.fresh(key[1])))
        self._known.move_to_end(key)
        if len(self._known) > MAX_SESSIONS:
            self._known.popitem(last=False)
        async with session.turn:
            return await call_async(session.world, tool, arguments, self._rules)


def build_server(tools: Sequence[Tool], *, seed: int = 0, faults: Faults | None = None) -> Any:
    """A low-level MCP server over these tools, with a fresh world for each session."""
    try:
        import mcp_types as wire
        from mcp.server import Server
    except ImportError as error:
        raise MissingExtra("serving tools needs mcp: pip install 'toolyard[mcp]'") from error
    ids = [tool.id for tool in tools]
    listed = _listed(tools, wire)
    sessions = Sessions(Rules(offered=ids, faults=faults), seed)

    async def on_list(context: Any, parameters: Any) -> Any:  # noqa: ARG001 - the protocol's signature
        cursor = parameters.cursor if parameters and parameters.cursor else "0"
        start = int(cursor) if cursor.isascii() and cursor.isdigit() and len(cursor) < 7 else len(listed)
        following = start + PAGE
        return wire.ListToolsResult(
            tools=listed[start:following], next_cursor=str(following) if following < len(listed) else None
        )

    async def on_call(context: Any, parameters: Any) -> Any:
        name, wanted = session_of(context.request)
        observation = await sessions.call(name, wanted, parameters.name, parameters.arguments or {})
        return wire.CallToolResult(
            content=[wire.TextContent(type="text", text=observation.text)],
            structured_content=_structured(observation.value),
            is_error=observation.error is not None,
        )

    return Server("toolyard", version="1", on_list_tools=on_list, on_call_tool=on_call)


def _listed(tools: Sequence[Tool], wire: Any) -> list[Any]:
    by_id = {tool.id: tool for tool in tools}
    return [
        wire.Tool(
            name=name,
            title=tool_id,
            description=by_id[tool_id].document.description,
            input_schema=by_id[tool_id].document.schema(),
        )
        for name, tool_id in short_names(list(by_id)).items()
    ]


def session_of(request: Any) -> tuple[str, int | None]:
    """Name and wished seed of an HTTP request's session; one session without name where there is no request."""
    if request is None:
        return "", None
    query = request.query_params
    name = request.headers.get("mcp-session-id") or query.get("session", "")
    seed = query.get("seed", "")
    return name[:200], int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 10 else None


def _structured(value: Json) -> Json:
    return value if isinstance(value, dict) else {"result": value}


def serve_stdio(part: str | None = None, *, seed: int = 0, faults: Faults | None = None) -> None:
    """Serve on standard input and output until the client closes them."""
    server = build_server(select(part), seed=seed, faults=faults)
    from mcp.server.stdio import stdio_server

    async def run() -> None:
        async with stdio_server() as (reader, writer):
            await server.run(reader, writer, server.create_initialization_options())

    asyncio.run(run())
