"""A process that imports a user's module and calls its functions, so that whatever the module does happens there.

It may raise, exit, hang, use up memory or print: the caller gets an answer or the reason why there is none.
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from toolyard.core.types import JsonValue, Record
from toolyard.text.printable import printable_line

IMPORT_SECONDS = 60.0
CALL_SECONDS = 10.0
MEMORY_BYTES = 4 * 2**30
LONGEST_REPLY = 8_000_000
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from toolyard.owntools.sources.function_worker import main; "
    "main(int(sys.argv[2]), json.loads(sys.argv[3]))"
)


class NoReply(Exception):
    """The process ended, hung or said something else; the text says which."""


class FunctionProcess:
    """One process, a context manager that ends it; it looks for modules in `folders`, then in the current one."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        first = [str(folder.absolute()) for folder in (*folders, Path.cwd())]
        path = [str(Path(entry).absolute()) for entry in sys.path]
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, our own program
            [sys.executable, "-P", "-c", _PROGRAM, json.dumps(path), str(MEMORY_BYTES), json.dumps(first)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )

    def __enter__(self) -> "FunctionProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def ask(self, request: Record, seconds: float) -> dict[str, JsonValue]:
        """The reply to a request; NoReply says why there is none."""
        assert self._process.stdin is not None
        content = memoryview(json.dumps(request).encode() + b"\n")
        try:
            while content:
                content = content[os.write(self._process.stdin.fileno(), content) :]
        except OSError:
            raise NoReply(self._ending()) from None
        line = self._line(time.monotonic() + seconds, seconds)
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            raise NoReply("the module wrote to a pipe that is not its own")
        return reply

    def _line(self, end: float, seconds: float) -> bytes:
        assert self._process.stdout is not None
        pipe, found = self._process.stdout.fileno(), bytearray()
        with selectors.DefaultSelector() as waiting:
            waiting.register(pipe, selectors.EVENT_READ)
            while not found.endswith(b"\n"):
                if not waiting.select(max(end - time.monotonic(), 0.0)):
                    self.stop()
                    raise NoReply(f"no end after {seconds:g} seconds")
                part = os.read(pipe, 2**20)
                found += part
                if not part:
                    raise NoReply(self._ending())
                if len(found) > LONGEST_REPLY:
                    self.stop()
                    raise NoReply(f"more than {LONGEST_REPLY:,} bytes")
        return bytes(found)

    def _ending(self) -> str:
        self.stop(seconds=1.0)
        status = self._process.returncode
        if status < 0:
            return f"the process was ended by {signal.Signals(-status).name}"
        return f"it ended the process (exit code {status})"

    def stop(self, seconds: float = 0.0) -> None:
        """Ends the process and what it started; `seconds` are for one that is ending by itself."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def exit_reason(error: object) -> str:
    """What a module or function said on its way out, on one line."""
    return printable_line(" ".join(str(error).split()))[:200]
