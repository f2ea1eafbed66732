"""The process that computing tools run in: bounded by the kernel, cut off from the host, one call at a time.

Started by `isolation.py`; it reads calls from one pipe and writes answers to another.
"""

import contextlib
import fcntl
import importlib
import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path

from toolyard.core.types import JsonValue, Record
from toolyard.world.isolation.worker_messages import (
    HEADER,
    MAX_MESSAGE,
    own_pipes,
    pack_message,
    unpack_message,
)
from toolyard.world.kernel import registry
from toolyard.world.kernel.derived_rows import RECORD
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.result_text import encode
from toolyard.world.kernel.state import Snapshot, World

MAX_OUTPUT = 4_000_000
# A worker that has grown beyond this is replaced after its answer.
RETIRE_KILOBYTES = 500_000
_STATUS = Path("/proc/self/statm")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_REFUSED = (
    "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "pty.spawn", "subprocess.Popen",
    "socket.", "tempfile.", "shutil.", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink",
    "os.truncate", "os.chmod", "os.chown", "os.kill", "os.killpg", "os.putenv", "urllib.Request", "ftplib.", "smtplib.",
)  # fmt: skip


class HostAccess(Exception):
    """A tool, or a library under it, tried to use the host."""


def main() -> None:
    """Answers calls until the pipe is closed."""
    lifeline, memory = int(sys.argv[2]), int(sys.argv[3])
    requests, replies = own_pipes()
    _die_with_parent(lifeline)
    _limit_resources(memory)
    # Libraries ask for this folder when they are imported; it would be found by writing to it.
    tempfile.tempdir = os.sep
    sys.addaudithook(_refuse_host_access)
    while True:
        content = _receive(requests)
        if content is None:
            os._exit(0)
        request = unpack_message(content)
        answer = _prepare_module(request)
        if answer is None:
            _send(replies, pack_message({"started": True}))
            answer = _answer_within(request["cpu_seconds"], request)
        _send(replies, _pack_answer(answer))
        if answer["retire"]:
            os._exit(0)


def _die_with_parent(lifeline: int) -> None:
    """Has the kernel end this process, however busy, once the parent's end of the pipe is gone."""
    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC | os.O_NONBLOCK)
    with contextlib.suppress(BlockingIOError):
        if os.read(lifeline, 1) == b"":  # the parent went before the kernel was told to watch
            os._exit(0)


def _limit_resources(memory: int) -> None:
    bounds = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_NOFILE: 128}
    if sys.platform == "linux":  # elsewhere address space is reserved far beyond what is used
        bounds[resource.RLIMIT_AS] = memory
    for what, most in bounds.items():
        resource.setrlimit(what, (most, most))
    sys.dont_write_bytecode = True
    # Caught by nobody, so that the kernel ends a call even where the interpreter is busy in C.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _refuse_host_access(event: str, arguments: tuple[object, ...]) -> None:
    """Raises where the interpreter is about to start a program, reach a network or write to the host."""
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING
    if (writes and arguments[0] != os.devnull) or event.startswith(_REFUSED):
        raise HostAccess(f"{event} is not for tools")


def _receive(requests: int) -> bytes | None:
    header = _read_exactly(requests, HEADER.size)
    if header is None:
        return None
    size = HEADER.unpack(header)[0]
    return _read_exactly(requests, size) if size <= MAX_MESSAGE else None


def _read_exactly(pipe: int, size: int) -> bytes | None:
    parts = []
    while size:
        part = os.read(pipe, min(size, 2**20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _send(replies: int, content: bytes) -> None:
    view = memoryview(content)
    try:
        while view:
            view = view[os.write(replies, view) :]
    except BrokenPipeError:
        os._exit(0)


def _prepare_module(request: Record) -> Record | None:
    """None once the tool's module and what it loads late are there: that is not the call's work. Else why not.

    A module of isolated tools may define `warm_up()`, which loads what its tools import at their first call.
    """
    try:
        fresh = request["module"] not in sys.modules
        module = importlib.import_module(request["module"])
        if fresh and hasattr(module, "warm_up"):
            module.warm_up()
    except BaseException as error:  # the boundary of this process
        return _error_answer(error)
    return None


def _answer_within(seconds: float, request: Record) -> Record:
    """The answer, unless the kernel ends the process: after so much work, or four times that in waiting."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 4 * seconds)
    try:
        return _answer_request(request)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _answer_request(request: Record) -> Record:
    world = World(request["seed"])
    world.calls = request["calls"]
    before = request["changes"]
    world.restore(Snapshot(request["seconds"], request["draws"], before, world.seed))
    RECORD.set(world.simulated)
    try:
        text = encode(registry.registered_tool(request["tool"]).run(world, request["keywords"]))
        if len(text) > MAX_OUTPUT:
            raise ToolFault(
                "limit_exceeded", f"the result has more than {MAX_OUTPUT} characters; ask for less"
            )
    except BaseException as error:  # the boundary of this process
        return _error_answer(error)
    after = world.snapshot()
    changed = {store: now for store, now in after.changes.items() if not _same(now, before.get(store, {}))}
    state = {"seconds": after.seconds, "draws": after.draws, "changes": changed}
    state["simulated"] = sorted(world.simulated)
    return {"text": text, **state, "retire": _uses_too_much_memory()}


def _same(now: Mapping[str, object], before: Mapping[str, object]) -> bool:
    """Whether nothing was assigned; by identity, since 1 equals 1.0 and True."""
    return len(now) == len(before) and all(key in before and before[key] is now[key] for key in now)


def _error_answer(error: BaseException) -> dict[str, JsonValue]:
    retire = {"retire": _uses_too_much_memory()}
    if isinstance(error, ToolFault):
        wanted = None if error.wanted is None else str(error.wanted)
        fault = (error.kind, error.message, encode(error.details), error.listed_by, wanted)
        return {"fault": fault, **retire}
    if isinstance(error, ModuleNotFoundError):
        return {"missing": str(error.name or ""), **retire}
    if isinstance(error, MemoryError):
        return {"memory": True, "retire": True}
    trace = "".join(traceback.format_exception(error, limit=-8))[-4_000:]
    return {"failure": (type(error).__name__, trace.encode("utf-8", "replace").decode()), **retire}


def _pack_answer(answer: Record) -> bytes:
    try:
        return pack_message(answer)
    except (ValueError, MemoryError):
        return pack_message({"memory": True, "retire": True})


def _uses_too_much_memory() -> bool:
    """Whether this process holds more than it should keep."""
    try:
        # Not the peak that the kernel reports: a process starts with the peak of the one that started it.
        kilobytes = int(_STATUS.read_bytes().split()[1]) * resource.getpagesize() // 1024
    except OSError:
        return False
    return kilobytes > RETIRE_KILOBYTES
