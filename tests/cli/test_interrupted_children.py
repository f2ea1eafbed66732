"""Ctrl-C twice, at several moments: within two seconds nothing is left of a run, whatever it had started."""

import ctypes
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import hostile_server
from cases import each_case
from faults.processes import takes_signals
from live_processes import are_gone, children_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux only")
PR_SET_CHILD_SUBREAPER = 36
SECONDS = 2.0


@pytest.fixture
def adopting() -> Iterator[None]:
    """Makes this process the parent of all whose own parents end, in whatever session they are."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    yield
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0)


def has_taken_signals(process: int, runs: Path) -> bool:
    return takes_signals(process)


def has_a_child(process: int, runs: Path) -> bool:
    return bool(children_of(process))


def has_written(process: int, runs: Path) -> bool:
    return any(runs.rglob("transcripts.jsonl"))


@pytest.mark.parametrize(
    "moment", [has_taken_signals, has_a_child, has_written], ids=lambda moment: moment.__name__
)
def test_nothing_outlives_a_run_that_was_interrupted_twice(
    tmp_path: Path, adopting: None, moment: Callable[[int, Path], bool]
) -> None:
    before = children_of(os.getpid())
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
    assert are_gone(children_of(os.getpid()) - before, SECONDS)


def source_of(mode: str, journal: Path) -> str:
    words = (sys.executable, hostile_server.__file__, mode, str(journal))
    return f"mcp:{shlex.join(map(str, words))}"


def commands(source: str, folder: Path) -> dict[str, list[str]]:
    """The commands that start a server of a stranger, each as far as it is wanted here."""
    file = folder / "cases.yaml"
    case = {"id": "bed", "request": "Which?", "expect": {"calls": [{"get_bed": {}}]}}
    file.write_text(json.dumps({"tools": source, "cases": [case]}))
    return {
        "lint": ["tools", "lint", source],
        "mirror": ["mirror", source, "--out", str(folder / "twin"), "--record", "1"],
        "cases": ["run", str(file), "-m", "scripted/oracle", "--runs", str(folder), "--no-report"],
        "live": ["run", str(file), "-m", "scripted/oracle", "--runs", str(folder), "--no-report", "--live", "yes"],
    }  # fmt: skip


@each_case("name, mode, noted, signals")
def test_a_hanging_server_ends(tmp_path: Path, name: str, mode: str, noted: str, signals: int) -> None:
    journal = tmp_path / "journal"
    command = subprocess.Popen(
        [sys.executable, "-m", "toolyard", *commands(source_of(mode, journal), tmp_path)[name]],
        env={**os.environ, "TOOLYARD_CACHE": str(tmp_path / "home")}, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not (journal.exists() and noted in journal.read_text()) and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.1)
    for _ in range(signals):
        command.terminate()
        time.sleep(0.3)
    _, errors = command.communicate(timeout=60)
    assert command.returncode in (128 + signal.SIGTERM, -signal.SIGTERM)
    words = ("Traceback", "Exception ignored", "Task ", "Unclosed")
    assert not any(each in errors for each in words), errors
    servers = [int(line.split()[1]) for line in journal.read_text().splitlines() if line.startswith("pid")]
    assert are_gone(servers, SECONDS)
