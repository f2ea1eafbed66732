"""Work that a copy of this process does beside the rest."""

import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from toolyard.core.processes.parent import end_with

FAILED = 1
# Engines with threads of their own: a copy would wait for ever for what those threads hold.
WITH_THREADS = ("vl_convert", "onnxruntime", "pydantic_monty", "torch", "ray", "xllamacpp")
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Copy:
    """A copy of this process that works beside it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.exitcode: int | None = None
        atexit.register(self.end)

    def join(self) -> None:
        """Waits for the end of the copy."""
        if self.exitcode is None:
            try:
                self.exitcode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            except ChildProcessError:  # whoever started us lets the system take the status of every child
                self.exitcode = FAILED
            atexit.unregister(self.end)

    def end(self) -> None:
        """Ends the copy now, and leaves nothing of it."""
        if self.exitcode is None:
            # A signal may have come between the end of the copy and the note of it.
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self.join()


def is_fork_possible() -> bool:
    """Whether a copy of this process can work: nothing beside it that may hold a lock, and a core for it."""
    alone = threading.active_count() == 1 and not any(name in sys.modules for name in WITH_THREADS)
    return sys.platform == "linux" and alone and len(os.sched_getaffinity(0)) > 1


def fork_copy(work: Callable[[], object]) -> Copy:
    """A copy of this process that does the work and ends, at the latest with this one.

    What goes wrong there is not told there: whoever needs the result does the work again and meets it. Signals wait
    until the copy has made them its own; taken by the handlers that it is born with, they would be told twice.
    """
    parent = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        pid = os.fork()
        if pid == 0:
            _finish_work(work, parent)
        return Copy(pid)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _finish_work(work: Callable[[], object], parent: int) -> NoReturn:
    try:
        end_with(parent)
        # A signal ends the copy as the system does it: the process that it is a copy of tells the user.
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        work()
    except BaseException:
        os._exit(FAILED)
    os._exit(0)
