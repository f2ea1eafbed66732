"""The tools of a case file: a mirror of their source, made on first use, or the real tools where the user says so."""

from __future__ import annotations

import asyncio
import atexit
import hashlib
import json
import logging
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

import toolyard
from toolyard.core.errors import UsageError
from toolyard.core.scene import Scene
from toolyard.core.types import JsonValue, Observation, Options, Record, Sample
from toolyard.models.assets import cache_folder
from toolyard.owntools.mirror.kernel import ABOUT, TwinTool
from toolyard.owntools.mirror.mirror_files import load_mirror, write_mirror
from toolyard.owntools.mirror.mirror_plan import plan_mirror
from toolyard.owntools.sources import load_source
from toolyard.owntools.sources.tool_source import Call, SourceTool, ToolSource
from toolyard.owntools.tool_meaning import CHANGING, tool_meanings
from toolyard.text.documents import ABSENT
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.registry import mount
from toolyard.world.kernel.state import World

LOG = logging.getLogger("toolyard")
LIVE_SECONDS = 60.0
CLOSING_SECONDS = 6.0
BUDGET_TOKENS = 4096
LIVE = "_live"


@dataclass(frozen=True, slots=True)
class MountedTools:
    """What a case may call: documents for the model, and what scoring must know of each tool."""

    source: str
    group: str
    documents: tuple[Record, ...]
    names: frozenset[str]
    changing: frozenset[str]
    defaults: Mapping[str, Record]
    live: bool = False


def mount_tools(
    text: str, case_file: Path, *, live: bool, trust: bool = False, real: str = ""
) -> MountedTools:
    """The tools of a source, callable in worlds of this process; `real` is what a mirror stands for."""
    beside = case_file.parent / text
    given = str(beside) if ":" not in text and beside.exists() else text
    folder = Path(given) if (Path(given) / ABOUT).is_file() else _mirror_path(given, case_file.parent)
    if not (folder / ABOUT).is_file():
        source = load_source(given, folders=(case_file.parent,))
        write_mirror(plan_mirror(source), folder)
        LOG.info("made a mirror of %s in %s", text, folder)
    mirror = load_mirror(folder, trust=trust)
    if live:
        if folder == Path(given) and not real:
            raise UsageError(
                f"{text} is a mirror, so there is nothing live to call; name its source with `live: SOURCE`"
            )
        _mount_live(load_source(real or given, folders=(case_file.parent,)), mirror.group, mirror.tools)
    tools = mirror.source.tools
    meanings = tool_meanings(tools)
    return MountedTools(
        source=text,
        group=mirror.group,
        documents=tuple(_document_of_tool(tool) for tool in tools),
        names=frozenset(tool.name for tool in tools),
        changing=frozenset(tool.name for tool in tools if _may_change(tool, meanings[tool.name].kind)),
        defaults={tool.name: _defaults_of_tool(tool) for tool in tools},
        live=live,
    )


def _mirror_path(source: str, beside: Path) -> Path:
    """Where the mirror of a source is kept; another one for each content of a file or module."""
    path = Path(source.removeprefix("openapi:"))
    if source.startswith("python:"):
        module = Path(source.split(":")[1].replace(".", "/") + ".py")
        path = next((each for each in (beside / module, module) if each.is_file()), path)
    content = path.read_bytes() if path.is_file() else str(Path.cwd()).encode()
    parts = (toolyard.__version__.encode(), source.encode("utf-8", "replace"), content)
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
    return cache_folder() / "mirrors" / digest


def _document_of_tool(tool: SourceTool) -> Record:
    return {"name": tool.name, "description": tool.description, "parameters": tool.schema}


def _may_change(tool: SourceTool, kind: str) -> bool:
    return not tool.reads if tool.reads is not None else kind in CHANGING


def _defaults_of_tool(tool: SourceTool) -> Record:
    return {each.name: each.default for each in tool.parameters if each.default is not ABSENT}


def scene(sample: Sample, options: Options) -> Scene:  # noqa: ARG001 - the signature of every scene
    """The mirror's tools in a fresh state for every case, or the real ones, for which the mirror stands in."""
    group = str(sample.input["path"])
    if not sample.input["live"]:
        return Scene(part=(group,), budget_tokens=BUDGET_TOKENS)
    return Scene(part=(group + LIVE,), budget_tokens=BUDGET_TOKENS, rehearsal=(group,))


@dataclass(frozen=True)
class LiveTool(TwinTool):
    """A tool whose calls go to the real source."""

    connection: LiveConnection | None = None
    called: str = ""

    def run(self, world: World, keywords: Mapping[str, object]) -> JsonValue:  # noqa: ARG002 - the real source has its own state
        """What the real tool returns; its refusal is a fault of the call."""
        assert self.connection is not None
        names = {each.keyword: each.name for each in self.document.parameters}
        answer = self.connection.call(self.called, {names[key]: value for key, value in keywords.items()})
        if answer.error is not None:
            raise ToolFault("denied", answer.text[:1000] or answer.error)
        return answer.value if answer.value is not None else _parse_or_wrap(answer.text)


def _parse_or_wrap(text: str) -> JsonValue:
    try:
        found: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return {"result": text}
    return found


def _mount_live(source: ToolSource, group: str, twins: tuple[TwinTool, ...]) -> None:
    """Makes the real tools callable beside their mirror."""
    if source.connect is None:
        raise UsageError(
            f"{source.name} is {source.kind} only, so there is nothing live to call; leave --live out"
        )
    connection = LiveConnection(source)
    called = {tool.name: tool.called for tool in source.tools}
    mount(
        LiveTool(
            f"{group}{LIVE}/{twin.name}", twin.function, (), written=twin.written, changes=twin.changes,
            connection=connection, called=called.get(twin.name, twin.name),
        )
        for twin in twins
    )  # fmt: skip


class LiveConnection:
    """One open connection to a real source, kept by a thread with an event loop of its own."""

    def __init__(self, source: ToolSource) -> None:
        self._source = source
        self._call: Call | None = None
        self._opening = threading.Lock()

    def call(self, tool: str, arguments: Record) -> Observation:
        """What the real tool answers; calls are made one at a time."""
        with self._opening:
            if self._call is None:
                self._call = self._open()
        waiting = asyncio.run_coroutine_threadsafe(self._ask(tool, arguments), self._loop)
        try:
            return waiting.result(LIVE_SECONDS)
        except TimeoutError:
            waiting.cancel()
            raise ToolFault("timeout", f"the tool did not answer within {LIVE_SECONDS:g} s") from None

    async def _ask(self, tool: str, arguments: Record) -> Observation:
        assert self._call is not None
        return await self._call(tool, arguments)

    def _open(self) -> Call:
        self._loop = asyncio.new_event_loop()
        ready: Future[Call] = Future()
        keeping = self._loop.create_task(self._keep_open(ready))
        thread = threading.Thread(target=self._work, args=(keeping, ready), daemon=True)
        thread.start()
        # A server that was started ends before the process does, whether it wants to or not.
        atexit.register(thread.join, CLOSING_SECONDS)
        atexit.register(lambda: self._loop.call_soon_threadsafe(keeping.cancel))
        return ready.result(LIVE_SECONDS)

    async def _keep_open(self, ready: Future[Call]) -> None:
        assert self._source.connect is not None
        async with self._source.connect() as call:
            ready.set_result(call)
            await asyncio.Event().wait()

    def _work(self, keeping: asyncio.Task[None], ready: Future[Call]) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(keeping)
        except asyncio.CancelledError:
            ready.cancel()
        except Exception as error:  # handed to the caller, who waits for it
            if not ready.done():
                ready.set_exception(error)
