"""A copy of a process that works beside it: it ends with that process, however that goes."""

import os
import signal
import subprocess
import sys
from types import ModuleType

import pytest

from live_processes import are_gone, is_alive
from toolyard.run.grade.forked_work import FAILED, is_fork_possible

# A process that was started in the background may have been told to ignore Ctrl-C.
STARTED = """
import signal, time
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)
from toolyard.run.grade.forked_work import fork_copy
print(fork_copy(lambda: time.sleep(600)).pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name
)
def test_a_copy_does_not_outlive_the_process(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STARTED], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as parent:
        assert parent.stdout is not None
        copy = int(parent.stdout.readline())
        assert is_alive(copy)
        os.kill(parent.pid, number)
        parent.wait(60)
        assert are_gone([copy], 60)


def test_no_copy_is_made_beside_an_engine_with_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", ModuleType("onnxruntime"))
    assert not is_fork_possible()


FAILING = """
from toolyard.run.grade.forked_work import fork_copy

def fail():
    raise ValueError("told by whoever does it again")

process = fork_copy(fail)
process.join()
raise SystemExit(process.exitcode)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_a_copy_that_fails_says_nothing_and_ends() -> None:
    done = subprocess.run([sys.executable, "-c", FAILING], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout, done.stderr) == (FAILED, "", "")
