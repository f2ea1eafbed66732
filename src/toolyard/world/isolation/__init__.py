"""Workers for computing tools: a call there ends after its time whatever it does, and takes nothing with it.

Workers start when first needed, are reused, and are killed and replaced when a call runs over. They get a
bare environment and no standard streams, and they end with this process, however it ends.
"""

import atexit
import contextlib
import functools
import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from toolyard.core.types import JsonValue, Record
from toolyard.world.isolation.worker_messages import HEADER, MAX_MESSAGE, pack_message, unpack_message

CPU_SECONDS = 8.0
WALL_SECONDS = 20.0
START_SECONDS = 120.0
MEMORY_BYTES = 1_536 * 2**20
MAX_WORKERS = 4
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from toolyard.world.isolation.worker import main; main()"
)
# One hash seed and no threads of number libraries: the same call gives the same answer in every worker.
_ENVIRONMENT = {
    "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC",
    "MALLOC_ARENA_MAX": "2", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
    # numpy would set it where it is missing, and a worker may not.
    "OPENBLAS_MAIN_FREE": "1",
}  # fmt: skip


class TimedOut(Exception):
    """The call ran over its time and its worker was killed."""


class Died(Exception):
    """The worker ended without an answer."""


class Worker:
    """One process, and the pipes to it."""

    def __init__(self) -> None:
        # When the present call began to compute.
        self.started: float | None = None
        path = [str(Path(entry).absolute()) for entry in sys.path]
        held, self._lifeline = os.pipe()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, our own program
                [sys.executable, "-s", "-c", _PROGRAM, json.dumps(path), str(held), str(MEMORY_BYTES)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                pass_fds=(held,),
                env=_ENVIRONMENT,
                cwd="/",
                start_new_session=True,
            )
        except BaseException:
            os.close(self._lifeline)
            raise
        finally:
            os.close(held)

    def ask(self, request: Record) -> dict[str, JsonValue]:
        """The worker's answer; raises TimedOut or Died when there is none."""
        assert self._process.stdin is not None
        content = memoryview(pack_message(request))
        try:
            while content:
                content = content[os.write(self._process.stdin.fileno(), content) :]
        except OSError as error:
            raise Died(f"the worker is gone: {error}") from None
        self.started = None
        answer = self._receive(time.monotonic() + START_SECONDS)
        if "started" not in answer:
            return answer
        self.started = time.monotonic()
        return self._receive(self.started + WALL_SECONDS)

    def _receive(self, end: float) -> dict[str, JsonValue]:
        size = HEADER.unpack(self._read_exactly(HEADER.size, end))[0]
        if size > MAX_MESSAGE:
            raise Died("the worker sent more than it may")
        answer: dict[str, JsonValue] = unpack_message(self._read_exactly(size, end))
        return answer

    def _read_exactly(self, size: int, end: float) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        parts = []
        with selectors.DefaultSelector() as waiting:
            waiting.register(pipe, selectors.EVENT_READ)
            while size:
                if not waiting.select(max(end - time.monotonic(), 0.0)):
                    raise TimedOut
                part = os.read(pipe, min(size, 2**20))
                if not part:
                    raise self._describe_end()
                parts.append(part)
                size -= len(part)
        return b"".join(parts)

    def _describe_end(self) -> Exception:
        status = self._process.wait()
        if -status in (signal.SIGPROF, signal.SIGALRM):
            return TimedOut()
        return Died(f"the worker ended with status {status}")

    def kill(self) -> None:
        """Ends the process now; whoever waits for its answer is told."""
        self._process.kill()

    def stop(self) -> None:
        """Ends the process and leaves nothing of it behind."""
        self._process.kill()
        self._process.wait()
        self.close_pipes()

    def forget(self) -> None:
        """Gives up a worker of the parent, in a forked child: its pipes are closed, its end is the parent's to see."""
        self.close_pipes()
        # Without a code `Popen` warns, in the child and for each of its own, that the process still runs.
        self._process.returncode = 0

    def close_pipes(self) -> None:
        """Closes the pipes without touching the process."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()
        with contextlib.suppress(OSError):
            os.close(self._lifeline)


class Pool:
    """The workers of this process; at most so many calls run at once and the others wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._starting = 0

    def take(self) -> Worker:
        """A worker for one call."""
        with self._changed:
            while not self._idle and len(self._busy) + self._starting >= MAX_WORKERS:
                self._changed.wait()
            worker = self._idle.pop() if self._idle else None
            if worker:
                self._busy.add(worker)
                return worker
            self._starting += 1
        try:
            worker = Worker()
        finally:
            with self._changed:
                self._starting -= 1
                if worker:
                    self._busy.add(worker)
                self._changed.notify()
        return worker

    def give_back(self, worker: Worker, *, usable: bool) -> None:
        """Keeps the worker for the next call, or ends it."""
        if not usable:
            worker.stop()
        with self._changed:
            self._busy.discard(worker)
            if usable:
                self._idle.append(worker)
            self._changed.notify()

    def workers(self) -> list[Worker]:
        """All workers, busy or not."""
        return [*self._idle, *self._busy]

    def stop(self) -> None:
        """Ends all workers; calls under way fail."""
        with self._changed:
            idle, self._idle = self._idle, []
            busy = list(self._busy)
        for worker in idle:
            worker.stop()
        for worker in busy:
            worker.kill()


class Errand:
    """One request to some worker; it can be abandoned from another thread."""

    def __init__(self, request: Mapping[str, object]) -> None:
        self._request = {**request, "cpu_seconds": CPU_SECONDS}
        self._worker: Worker | None = None
        self._abandoned = False
        self.seconds = 0.0

    def run(self) -> dict[str, JsonValue]:
        """The answer of a worker; one that died before the call had begun is replaced without a word."""
        try:
            return self._ask_worker()
        except Died:
            if self.seconds or self._abandoned:
                raise
            return self._ask_worker()

    def _ask_worker(self) -> dict[str, JsonValue]:
        pool = _worker_pool()
        self._worker = worker = pool.take()
        usable = False
        try:
            if self._abandoned:
                raise TimedOut
            answer = worker.ask(self._request)
            usable = not answer["retire"]
            return answer
        finally:
            self.seconds = time.monotonic() - worker.started if worker.started else 0.0
            pool.give_back(worker, usable=usable)

    def abandon(self) -> None:
        """Ends the call at once."""
        self._abandoned = True
        if self._worker:
            self._worker.kill()


@functools.cache
def _worker_pool() -> Pool:
    atexit.register(stop_workers)
    return Pool()


@functools.cache
def waiting_threads() -> ThreadPoolExecutor:
    """Threads that wait for workers, so that an event loop need not."""
    return ThreadPoolExecutor(MAX_WORKERS, thread_name_prefix="toolyard-isolated-call")


def stop_workers() -> None:
    """Ends all workers now; calls under way fail, and the next call starts a new worker."""
    if _worker_pool.cache_info().currsize:
        _worker_pool().stop()


def _forget_workers() -> None:
    """A forked child starts with no workers and no threads of its parent."""
    if _worker_pool.cache_info().currsize:
        for worker in _worker_pool().workers():
            worker.forget()
    _worker_pool.cache_clear()
    waiting_threads.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_workers)
