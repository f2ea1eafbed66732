"""The library, or a part of it, over the Model Context Protocol: strict schemas, structured errors.

Every session has a world of its own, and its calls are made one after another; those of other sessions go on. Two
resources show a session's world: what it is, and what has changed in it since its start.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from toolyard.core.errors import MissingExtra
from toolyard.core.types import JsonValue, Observation
from toolyard.world.effects import destructive, read_only
from toolyard.world.executor import Faults, Rules, call_async
from toolyard.world.naming import short_names
from toolyard.world.registry import Tool, select
from toolyard.world.state import EPOCH, World

PAGE = 100
ABOUT, CHANGES = "toolyard://world/about", "toolyard://world/changes"
RESET = "reset_world"
INSTRUCTIONS = (
    "Offline tools over one simulated world per session. It is {now} UTC there unless a tool lets time pass; the same calls "
    "give the same answers under the same seed. A failed call changes nothing and says what to do instead. "
    "The resource {changes} shows what this session has changed."
)
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

    async def call(self, name: str, seed: int | None, tool: str, arguments: Any) -> Observation:
        """What the tool answers in the world of this session."""
        session = self._session(name, seed)
        async with session.turn:
            return await call_async(session.world, tool, arguments, self._rules)

    def _session(self, name: str, seed: int | None) -> _Session:
        key = name, self._seed if seed is None else seed
        session = self._known.setdefault(key, _Session(World.fresh(key[1])))
        self._known.move_to_end(key)
        if len(self._known) > MAX_SESSIONS:
            self._known.popitem(last=False)
        return session

    async def reset(self, name: str, seed: int | None, wanted: JsonValue) -> Any:
        """Gives a session a fresh world, of another seed where one is wanted."""
        session = self._session(name, seed)
        async with session.turn:
            session.world = World.fresh(wanted if type(wanted) is int else session.world.seed)
            return self._about(session.world)

    async def read(self, name: str, seed: int | None, address: str) -> JsonValue:
        """What a resource shows of the world of this session; None where there is no such resource."""
        session = self._session(name, seed)
        async with session.turn:
            known = {ABOUT: lambda: self._about(session.world), CHANGES: lambda: session.world.diff()}
            return known[address]() if address in known else None

    @staticmethod
    def _about(world: World) -> Any:
        simulated = [{"kind": kind, "name": name} for kind, name in sorted(world.simulated)]
        return {
            "seed": world.seed,
            "now": world.now.isoformat(),
            "calls": world.calls,
            "simulated": simulated,
        }


def build_server(
    tools: Sequence[Tool], *, seed: int = 0, faults: Faults | None = None, control: bool = False
) -> Any:
    """A low-level MCP server over these tools, with a fresh world for each session; `control` adds reset_world."""
    try:
        import mcp_types as wire
        from mcp.server import Server
    except ImportError as error:
        raise MissingExtra("serving tools needs mcp: pip install 'toolyard[mcp]'") from error
    answers = _Answers(
        wire, tools, Sessions(Rules(offered=[tool.id for tool in tools], faults=faults), seed), control
    )
    return Server(
        "toolyard",
        version="1",
        instructions=INSTRUCTIONS.format(now=EPOCH.strftime("%Y-%m-%d %H:%M"), changes=CHANGES),
        on_list_tools=answers.on_list,
        on_call_tool=answers.on_call,
        on_list_resources=answers.on_resources,
        on_read_resource=answers.on_read,
    )


class _Answers:
    """What the server says to each request of the protocol, in the words of its library `wire`."""

    def __init__(self, wire: Any, tools: Sequence[Tool], sessions: Sessions, control: bool) -> None:
        by_id = {tool.id: tool for tool in tools}
        self._wire, self._sessions, self._control = wire, sessions, control
        self._listed = [*_listed(tools, wire), *([_reset_tool(wire)] if control else ())]
        names = short_names(list(by_id))
        self._wrapped = {name for name, tool_id in names.items() if is_wrapped(by_id[tool_id])}

    async def on_list(self, context: Any, parameters: Any) -> Any:  # noqa: ARG002 - the protocol's signature
        """One page of the tools."""
        cursor = parameters.cursor if parameters and parameters.cursor else "0"
        whole = len(self._listed)
        start = int(cursor) if cursor.isascii() and cursor.isdigit() and len(cursor) < 7 else whole
        following = start + PAGE
        return self._wire.ListToolsResult(
            tools=self._listed[start:following], next_cursor=str(following) if following < whole else None
        )

    async def on_call(self, context: Any, parameters: Any) -> Any:
        """What a tool returned in the session's world."""
        name, wanted = session_of(context.request)
        if self._control and parameters.name == RESET:
            about = await self._sessions.reset(name, wanted, (parameters.arguments or {}).get("seed"))
            return _reply(self._wire, json.dumps(about), about)
        observation = await self._sessions.call(name, wanted, parameters.name, parameters.arguments or {})
        failed = observation.error is not None
        wrapped = parameters.name in self._wrapped and not failed
        value = {"result": observation.value} if wrapped else observation.value
        return _reply(self._wire, observation.text, value, failed=failed)

    async def on_resources(self, context: Any, parameters: Any) -> Any:  # noqa: ARG002 - the protocol's signature
        """The two resources."""
        return self._wire.ListResourcesResult(resources=_resources(self._wire))

    async def on_read(self, context: Any, parameters: Any) -> Any:
        """What a resource shows of the session's world."""
        name, wanted = session_of(context.request)
        address = str(parameters.uri)
        found = await self._sessions.read(name, wanted, address)
        if found is None:
            raise ValueError(f"no resource {address!r}; there are {ABOUT} and {CHANGES}")
        shown = json.dumps(found)
        text = self._wire.TextResourceContents(uri=address, mime_type="application/json", text=shown)
        return self._wire.ReadResourceResult(contents=[text])


def _reply(wire: Any, text: str, value: JsonValue, *, failed: bool = False) -> Any:
    return wire.CallToolResult(
        content=[wire.TextContent(type="text", text=text)],
        structured_content=_structured(value),
        is_error=failed,
    )


def _resources(wire: Any) -> list[Any]:
    return [
        wire.Resource(name="world", uri=ABOUT, mime_type="application/json",
                      description="Seed, clock and number of calls of this session's world, and what it derived."),
        wire.Resource(name="changes", uri=CHANGES, mime_type="application/json",
                      description="What this session has changed: store by store what was added, removed and changed."),
    ]  # fmt: skip


def _reset_tool(wire: Any) -> Any:
    return wire.Tool(
        name=RESET,
        title="World/reset",
        description="Gives this session a fresh world, as if nothing had happened, of another seed where one is given.",
        input_schema={
            "type": "object",
            "properties": {
                "seed": {"type": "integer", "minimum": 0, "description": "Seed of the new world."}
            },
            "additionalProperties": False,
        },
        annotations=wire.ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False),
    )


def _listed(tools: Sequence[Tool], wire: Any) -> list[Any]:
    by_id = {tool.id: tool for tool in tools}
    return [
        wire.Tool(
            name=name,
            title=tool_id,
            description=by_id[tool_id].document.description,
            input_schema=by_id[tool_id].document.schema(),
            output_schema=result_schema(by_id[tool_id]),
            annotations=wire.ToolAnnotations(
                read_only_hint=read_only(by_id[tool_id]),
                destructive_hint=destructive(by_id[tool_id]),
                open_world_hint=False,
            ),
        )
        for name, tool_id in short_names(list(by_id)).items()
    ]


def session_of(request: Any) -> tuple[str, int | None]:
    """Name and chosen seed of an HTTP request's session; one session without name where there is no request."""
    if request is None:
        return "", None
    query = request.query_params
    name = request.headers.get("mcp-session-id") or query.get("session", "")
    seed = query.get("seed", "")
    return name[:200], int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 10 else None


def result_schema(tool: Tool) -> dict[str, JsonValue] | None:
    """The schema of a tool's structured content, None where it has none: what is no object stands under `result`."""
    schema = tool.document.result
    if not schema:
        return None
    if not is_wrapped(tool):
        return dict(schema)
    return {"type": "object", "properties": {"result": schema}, "required": ["result"]}


def is_wrapped(tool: Tool) -> bool:
    """Whether the structured content of a tool is its result under `result`, as its schema says then."""
    schema = tool.document.result
    return bool(schema) and schema.get("type") != "object"


def _structured(value: JsonValue) -> JsonValue:
    return value if isinstance(value, dict) else {"result": value}


def serve_stdio(
    part: str | None = None, *, seed: int = 0, faults: Faults | None = None, control: bool = False
) -> None:
    """Serve on standard input and output until the client closes them."""
    server = build_server(select(part), seed=seed, faults=faults, control=control)
    from mcp.server.stdio import stdio_server

    async def run() -> None:
        async with stdio_server() as (reader, writer):
            await server.run(reader, writer, server.create_initialization_options())

    asyncio.run(run())
