"""Work that a copy of this process does beside the rest."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing.context import ForkProcess

from toolyard.core.parent import end_with

FAILED = 1
# Engines with threads of their own: a copy would wait for ever for what those threads hold.
WITH_THREADS = ("vl_convert", "onnxruntime", "torch", "ray", "xllamacpp")


def can_fork() -> bool:
    """Whether a copy of this process can work: nothing beside it that may hold a lock, and a core for it."""
    alone = threading.active_count() == 1 and not any(name in sys.modules for name in WITH_THREADS)
    return sys.platform == "linux" and alone and len(os.sched_getaffinity(0)) > 1


def forked(work: Callable[[], object]) -> ForkProcess:
    """A copy of this process that does the work and ends, at the latest with this one.

    What goes wrong there is not told there: whoever needs the result does the work again and meets it.
    """
    process = multiprocessing.get_context("fork").Process(
        target=_finish, args=(work, os.getpid()), daemon=True
    )
    process.start()
    return process


def _finish(work: Callable[[], object], parent: int) -> None:
    end_with(parent)
    # A signal ends the copy as the system does it: the process that it is a copy of tells the user.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    try:
        work()
    except Exception:
        os._exit(FAILED)
