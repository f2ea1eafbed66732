"""Ctrl-C twice, at several moments: within two seconds nothing is left of a run, whatever it had started."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from faults.processes import takes_signals

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux only")
PR_SET_CHILD_SUBREAPER = 36
SECONDS = 2.0


@pytest.fixture
def adopting() -> Iterator[None]:
    """Makes this process the parent of all whose own parents end, in whatever session they are."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    yield
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0)


def children(parent: int) -> set[int]:
    """The living processes that a process has started or adopted."""
    found = set()
    for path in Path("/proc").iterdir():
        try:
            state, owner = path.joinpath("stat").read_text("utf-8").rpartition(") ")[2].split()[:2]
        except OSError:
            continue  # no process, or ended while we looked
        if int(owner) == parent and state != "Z":
            found.add(int(path.name))
    return found


def has_taken_signals(process: int, runs: Path) -> bool:
    return takes_signals(process)


def has_a_child(process: int, runs: Path) -> bool:
    return bool(children(process))


def has_written(process: int, runs: Path) -> bool:
    return any(runs.rglob("transcripts.jsonl"))


@pytest.mark.parametrize(
    "moment",
    [has_taken_signals, has_a_child, has_written],
    ids=lambda moment: moment.__name__,
)
def test_nothing_outlives_a_run_that_was_interrupted_twice(
    tmp_path: Path, adopting: None, moment: Callable[[int, Path], bool]
) -> None:
    before = children(os.getpid())
    words = ["run", "nestools", "-m", "scripted/oracle", "--embedder", "hash", "--no-report"]
    run = subprocess.Popen(
        [sys.executable, "-m", "toolyard", *words, "--runs", str(tmp_path / "runs"), "--concurrency", "4"],
        env={**os.environ, "TOOLYARD_CACHE": str(tmp_path / "home")},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not moment(run.pid, tmp_path / "runs") and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    for _ in range(2):
        run.send_signal(signal.SIGINT)
    assert run.wait(60) in (128 + signal.SIGINT, -signal.SIGINT, 0)
    deadline = time.monotonic() + SECONDS
    while (left := children(os.getpid()) - before) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left
