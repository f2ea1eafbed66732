"""Processes that do not outlive the one that started them."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Arranges that the kernel ends this process when the thread that started it ends, however that happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def die_with_parent_hook() -> Callable[[], object] | None:
    """What a process that this thread starts must call first, so that the kernel ends it with the thread; None elsewhere."""
    if sys.platform != "linux":
        return None
    # Looked up before the fork: in the copy of a process with threads, the loader's lock may be held for ever.
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
