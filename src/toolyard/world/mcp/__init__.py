"""The library, or a part of it, over the Model Context Protocol: strict schemas, structured errors.

Every session has a world of its own, and its calls are made one after another; those of other sessions go on. Two
resources show a session's world: what it is, and what has changed in it since its start.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from toolyard.core.declared_world import DECLARATION
from toolyard.core.types import JsonValue, Observation, Record
from toolyard.world.kernel.effects import is_destructive, is_read_only
from toolyard.world.kernel.executor import Faults, Rules, call_async
from toolyard.world.kernel.naming import short_names
from toolyard.world.kernel.registry import Tool
from toolyard.world.kernel.state import World

PAGE = 100
ABOUT, CHANGES = "toolyard://world/about", "toolyard://world/changes"
RESET = "reset_world"
NAME, VERSION = "toolyard", "1"
INSTRUCTIONS = (
    f"{DECLARATION} Each session has a world of its own, and its clock stands still unless a tool lets time pass; the same "
    "calls give the same answers under the same seed. A failed call changes nothing and says what to do instead. "
    f"The resource {CHANGES} shows what this session has changed."
)
MAX_SESSIONS = 1_000
# A session that asks nothing for so long may be dropped; the names of the last dropped ones are remembered.
IDLE_SECONDS = 30 * 60.0
MAX_ENDED = 100_000
# An object of the protocol; a session's name and the seed it chose.
Message = dict[str, JsonValue]
Session = tuple[str, int | None]
Perform: TypeAlias = Callable[[str, Mapping[str, JsonValue]], Awaitable[Observation]]
_JSON = "application/json"
# What the executor says of a result that was too long, and the beginning of one of which nothing else is left.
CUT = "cut"
_BEGINNING: Message = {CUT: {"type": "array"}, "text": {"type": "string"}}
_RESOURCES: tuple[Message, ...] = (
    {
        "name": "world",
        "uri": ABOUT,
        "mimeType": _JSON,
        "description": "Seed, clock and number of calls of this session's world, and what it derived.",
    },
    {
        "name": "changes",
        "uri": CHANGES,
        "mimeType": _JSON,
        "description": "What this session has changed: store by store what was added, removed and changed.",
    },
)
_RESET_TOOL: Message = {
    "name": RESET,
    "title": "World/reset",
    "description": "Gives this session a fresh world, as if nothing had happened, of another seed where one is given.",
    "inputSchema": {
        "type": "object",
        "properties": {"seed": {"type": "integer", "minimum": 0, "description": "Seed of the new world."}},
        "additionalProperties": False,
    },
    "annotations": {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False},
}


@dataclass(slots=True)
class _Session:
    world: World
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    used: float = field(default_factory=time.monotonic)


class TooManySessions(Exception):
    """No room for one more session."""

    def __init__(self) -> None:
        super().__init__(
            f"this server has {MAX_SESSIONS:,} open sessions and takes no more; end one with DELETE, or wait until one "
            f"has been idle for {IDLE_SECONDS / 60:.0f} minutes"
        )


class Sessions:
    """The worlds of all sessions: at the limit those idle for long are dropped, else a new one is refused."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._known: dict[str, _Session] = {}
        # How many are being opened: they take room already.
        self.opening = 0
        # Names of dropped sessions, oldest first: whoever goes on with one must not get a fresh world in silence.
        self._ended: dict[str, None] = {}

    def is_open(self, name: str) -> bool:
        """Whether the session has a world; counts as a use of it."""
        if name in self._known:
            self._known[name].used = time.monotonic()
        return name in self._known

    def has_ended(self, name: str) -> bool:
        """Whether the session was dropped."""
        return name in self._ended

    def has_room(self) -> bool:
        """Whether one more session can be opened; drops idle ones where that makes room."""
        if len(self._known) + self.opening >= MAX_SESSIONS:
            oldest = time.monotonic() - IDLE_SECONDS
            for name in [name for name, each in self._known.items() if each.used < oldest]:
                self.end(name)
        return len(self._known) + self.opening < MAX_SESSIONS

    def open(self, name: str, seed: int | None) -> None:
        """Gives a session a world of its own; whoever opens it has asked for room."""
        self._known[name] = _Session(World.fresh(self._seed if seed is None else seed))

    def end(self, name: str) -> None:
        """Forgets the world of a session."""
        if self._known.pop(name, None) is not None:
            self._ended[name] = None
        if len(self._ended) > MAX_ENDED:
            del self._ended[next(iter(self._ended))]

    async def call(self, name: str, seed: int | None, tool: str, arguments: Record) -> Observation:
        """What the tool answers in the world of this session."""
        session = self._session(name, seed)
        async with session.turn:
            return await call_async(session.world, tool, arguments, self._rules)

    def _session(self, name: str, seed: int | None) -> _Session:
        if not self.is_open(name):
            if not self.has_room():
                raise TooManySessions
            self.open(name, seed)
        return self._known[name]

    async def reset(self, name: str, seed: int | None, wanted: JsonValue) -> Record:
        """Gives a session a fresh world, of another seed where one is wanted."""
        session = self._session(name, seed)
        async with session.turn:
            session.world = World.fresh(wanted if type(wanted) is int else session.world.seed)
            return self._world_facts(session.world)

    async def read(self, name: str, seed: int | None, address: str) -> JsonValue:
        """What a resource shows of the world of this session; None where there is no such resource."""
        session = self._session(name, seed)
        async with session.turn:
            known = {ABOUT: lambda: self._world_facts(session.world), CHANGES: lambda: session.world.diff()}
            return known[address]() if address in known else None

    @staticmethod
    def _world_facts(world: World) -> Record:
        simulated = [{"kind": kind, "name": name} for kind, name in sorted(world.simulated)]
        return {
            "seed": world.seed,
            "now": world.now.isoformat(),
            "calls": world.calls,
            "simulated": simulated,
        }


class Answers:
    """What a server says to each request of the protocol: objects as they go over the wire.

    With `perform`, calls are made there and not in the world of a session; `listed` are tools that only it knows.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        seed: int = 0,
        faults: Faults | None = None,
        control: bool = False,
        listed: Sequence[Message] = (),
        perform: Perform | None = None,
    ) -> None:
        by_id = {tool.id: tool for tool in tools}
        self._perform = perform
        self.sessions = Sessions(Rules(offered=list(by_id), faults=faults), seed)
        self._control = control
        self._listed = [*_list_tools(by_id), *listed, *([_RESET_TOOL] if control else ())]
        self._wrapped = {
            name for name, tool_id in short_names(list(by_id)).items() if is_wrapped(by_id[tool_id])
        }

    def tools(self, cursor: str | None) -> Message:
        """One page of the tools."""
        whole = len(self._listed)
        start = 0
        if cursor:
            start = int(cursor) if cursor.isascii() and cursor.isdigit() and len(cursor) < 7 else whole
        following = start + PAGE
        further: Message = {"nextCursor": str(following)} if following < whole else {}
        return {"tools": self._listed[start:following], **further}

    async def call(self, session: Session, name: str, arguments: Mapping[str, JsonValue]) -> Message:
        """What a tool returned in the session's world; `reset_world` gives it a fresh one."""
        if self._control and name == RESET:
            about = await self.sessions.reset(*session, arguments.get("seed"))
            return _tool_reply(json.dumps(about), about)
        if self._perform is not None:
            observation = await self._perform(name, arguments)
        else:
            observation = await self.sessions.call(*session, name, arguments)
        failed = observation.error is not None
        wrapped = name in self._wrapped and not failed
        value = _wrap_result(observation.value) if wrapped else observation.value
        return _tool_reply(observation.text, value, failed=failed)

    def resources(self) -> Message:
        """The two resources."""
        return {"resources": list(_RESOURCES)}

    async def read(self, session: Session, address: str) -> Message:
        """What a resource shows of the session's world."""
        found = await self.sessions.read(*session, address)
        if found is None:
            raise ValueError(f"no resource {address!r}; there are {ABOUT} and {CHANGES}")
        return {"contents": [{"uri": address, "mimeType": _JSON, "text": json.dumps(found)}]}


def _tool_reply(text: str, value: JsonValue, *, failed: bool = False) -> Message:
    structured = value if isinstance(value, dict) else {"result": value}
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": structured,
        "isError": failed,
    }


def _wrap_result(value: JsonValue) -> JsonValue:
    """A result that is no object under `result`; what was cut of it stands beside it, as its schema says."""
    if isinstance(value, list) and value and isinstance(value[-1], dict) and value[-1].keys() == {CUT}:
        return {"result": value[:-1], **value[-1]}
    is_beginning = isinstance(value, dict) and value.keys() == _BEGINNING.keys()
    return value if is_beginning else {"result": value}


def _list_tools(tools: Mapping[str, Tool]) -> list[Message]:
    return [_tool_entry(name, tools[tool_id]) for name, tool_id in short_names(list(tools)).items()]


def _tool_entry(name: str, tool: Tool) -> Message:
    returned = result_schema(tool)
    return {
        "name": name,
        "title": tool.id,
        "description": tool.document.description,
        "inputSchema": tool.document.schema(),
        **({"outputSchema": returned} if returned else {}),
        "annotations": {
            "readOnlyHint": is_read_only(tool),
            "destructiveHint": is_destructive(tool),
            "openWorldHint": False,
        },
    }


def result_schema(tool: Tool) -> dict[str, JsonValue] | None:
    """The schema of a tool's structured content, None where it has none: what is no object stands under `result`.

    A result that was cut to its budget says so under `cut`, and may lack what a whole one has.
    """
    schema = tool.document.result
    if not schema:
        return None
    if is_wrapped(tool):
        schema = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    needed = (list(schema.get("required", ())), [CUT])
    return {
        **{key: value for key, value in schema.items() if key != "required"},
        "properties": {**_BEGINNING, **schema.get("properties", {})},
        "anyOf": [{"required": names} for names in needed],
    }


def is_wrapped(tool: Tool) -> bool:
    """Whether the structured content of a tool is its result under `result`, as its schema says then."""
    schema = tool.document.result
    return bool(schema) and schema.get("type") != "object"
