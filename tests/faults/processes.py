"""Commands as processes: copies of one that has imported everything, or fresh interpreters."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

SOURCES = Path(__file__).resolve().parents[2] / "src"
TICK = 0.005
# How long a process that the kernel has been told to end may take for it on a machine with other things to do.
DYING_SECONDS = 2.0

Result = TypeVar("Result")


@dataclass(slots=True)
class Command:
    """One command that was started, and what became of it."""

    out: Path
    err: Path
    pid: int = 0
    code: int | None = None
    # bytes that it held at most
    peak: int = 0
    started: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal, unless the process has ended already."""
        if not self.ended.is_set():
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return

    def wait(self, seconds: float) -> bool:
        """Whether the process ended within that time."""
        return self.ended.wait(seconds)

    def wait_until(self, happened: Callable[[], bool], seconds: float) -> None:
        """Waits for something to happen, for the process to end, or for that long."""
        deadline = time.monotonic() + seconds
        while not happened() and not self.ended.is_set() and time.monotonic() < deadline:
            time.sleep(TICK)


class ForkServer:
    """Starts `toolyard` commands as copies of a process that has imported everything."""

    def __init__(self) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": f"{SOURCES}{os.pathsep}{Path(__file__).resolve().parents[1]}",
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("fork_server.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        self._commands: dict[int, Command] = {}
        self._lock = threading.Lock()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def start(self, arguments: Sequence[str], out: Path, err: Path, **limits: Any) -> Command:
        """Starts `toolyard ARGUMENTS`, its output in two files; limits are those of `fork_server.become`."""
        command = Command(out, err)
        out.touch()
        err.touch()
        with self._lock:
            number = len(self._commands)
            self._commands[number] = command
            job = {"job": number, "arguments": [*arguments], "out": str(out), "err": str(err), **limits}
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps({"env": {}, **job}).encode() + b"\n")
            self._process.stdin.flush()
        if not command.started.wait(60):
            raise RuntimeError("the fork server does not answer")
        return command

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = json.loads(line)
            command = self._commands[event["job"]]
            if "pid" in event:
                command.pid = event["pid"]
                command.started.set()
            else:
                command.code, command.peak = event["code"], event["peak"]
                command.ended.set()

    def close(self) -> None:
        """Ends the server; commands that still run are not touched."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._listener.join(30)
        self._process.stdout.close()


def start_interpreter(arguments: Sequence[str], out: Path, err: Path, env: Mapping[str, str]) -> Command:
    """Starts `python -m toolyard ARGUMENTS` as a user would."""
    with out.open("wb") as output, err.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "toolyard", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": str(SOURCES), **env},
            start_new_session=True,
        )
    command = Command(out, err, process.pid)
    command.started.set()

    def watch() -> None:
        _, status, used = os.wait4(process.pid, 0)
        command.code = process.returncode = os.waitstatus_to_exitcode(status)
        command.peak = used.ru_maxrss * 1024
        command.ended.set()

    threading.Thread(target=watch, daemon=True).start()
    return command


def takes_signals(process: int) -> bool:
    """Whether a process has a handler for SIGTERM, the first thing that a command sets up; so does one that is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return True
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(caught >> (signal.SIGTERM - 1) & 1)


def left_behind(session: int) -> list[str]:
    """Names of the processes that a command's session still holds after the time that dying takes."""
    deadline = time.monotonic() + DYING_SECONDS
    while (found := held(session)) and time.monotonic() < deadline:
        time.sleep(TICK)
    return found


def held(session: int) -> list[str]:
    """Names of the processes that a command's session holds now."""
    found = []
    for path in Path("/proc").iterdir():
        if not path.name.isdecimal():
            continue
        try:
            name, _, rest = path.joinpath("stat").read_text().rpartition(") ")
        except OSError:
            continue  # ended while we looked
        state, _, _, owner = rest.split()[:4]
        if int(owner) == session and state != "Z":
            found.append(name.partition("(")[2])
    return found


class Loop:
    """An event loop in a thread of its own, for endpoints."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The result of a coroutine that runs there."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def close(self) -> None:
        """Ends the loop with all that still hangs in it."""
        self.do(self._end_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()

    async def _end_all(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
