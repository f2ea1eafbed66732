"""Which processes still run, as Linux tells."""

import time
from collections.abc import Iterable
from pathlib import Path


def is_alive(process: int) -> bool:
    """Whether a process runs, and does not only wait to be buried."""
    return parent_of(process) is not None


def parent_of(process: int) -> int | None:
    """The parent of a process that runs."""
    try:
        state, parent = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(") ")[2].split()[:2]
    except OSError:
        return None
    return None if state == "Z" else int(parent)


def children_of(parent: int) -> set[int]:
    """The processes that a process has started or adopted and that still run."""
    found = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return {process for process in found if parent_of(process) == parent}


def are_gone(processes: Iterable[int], seconds: float = 10) -> bool:
    """Whether all of them end within so many seconds."""
    left, end = list(processes), time.monotonic() + seconds
    while left and time.monotonic() < end:
        time.sleep(0.02)
        left = [process for process in left if is_alive(process)]
    return not left
