"""The library, or a part of it, over the Model Context Protocol: strict schemas, structured errors."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from toolyard.core.errors import MissingExtra
from toolyard.core.types import Json
from toolyard.world.executor import Faults, call
from toolyard.world.naming import short_names
from toolyard.world.registry import Tool, select
from toolyard.world.state import World

PAGE = 100


def build_server(tools: Sequence[Tool], *, seed: int = 0, faults: Faults | None = None) -> Any:
    """A low-level MCP server over these tools; one world lives as long as the server."""
    try:
        import mcp_types as wire
        from mcp.server import Server
    except ImportError as error:
        raise MissingExtra("serving tools needs mcp: pip install 'toolyard[mcp]'") from error
    ids = [tool.id for tool in tools]
    by_id = {tool.id: tool for tool in tools}
    names = short_names(ids)
    world = World.fresh(seed)
    listed = [
        wire.Tool(
            name=name,
            title=tool_id,
            description=by_id[tool_id].document.description,
            input_schema=by_id[tool_id].document.schema(),
        )
        for name, tool_id in names.items()
    ]

    async def on_list(context: Any, parameters: Any) -> Any:  # noqa: ARG001 - the protocol's signature
        cursor = parameters.cursor if parameters and parameters.cursor else "0"
        start = int(cursor) if cursor.isascii() and cursor.isdigit() and len(cursor) < 7 else len(listed)
        following = start + PAGE
        return wire.ListToolsResult(
            tools=listed[start:following], next_cursor=str(following) if following < len(listed) else None
        )

    async def on_call(context: Any, parameters: Any) -> Any:  # noqa: ARG001 - the protocol's signature
        observation = call(world, parameters.name, parameters.arguments or {}, offered=ids, faults=faults)
        return wire.CallToolResult(
            content=[wire.TextContent(type="text", text=observation.text)],
            structured_content=_structured(observation.value),
            is_error=observation.error is not None,
        )

    return Server("toolyard", version="1", on_list_tools=on_list, on_call_tool=on_call)


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


def serve_http(
    part: str | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8123,
    seed: int = 0,
    faults: Faults | None = None,
) -> None:
    """Serve streamable HTTP at http://host:port/mcp."""
    server = build_server(select(part), seed=seed, faults=faults)
    import uvicorn

    app = server.streamable_http_app(json_response=True, stateless_http=True)
    uvicorn.run(app, host=host, port=port, log_level="warning")
