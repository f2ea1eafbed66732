"""What ends a command from outside: signals, a full disk, folders and files that are none."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from plain_service import Sent, chat_answer, plain_service


@contextmanager
def slow_endpoint() -> Iterator[str]:
    """Answers after a moment."""

    def answer(path: str, body: bytes) -> Sent:
        time.sleep(0.1)
        return chat_answer("[]", read=100, written=1)

    with plain_service(answer) as service:
        yield f"{service.address}/v1"


def started(url: str, runs: Path, *more: str) -> subprocess.Popen[str]:
    """A run under way, with a few answers in its file."""
    words = ["run", "nestools", "-m", f"openai/m?base_url={url}&price=1000,0", "--concurrency", "2"]
    child = subprocess.Popen(
        [sys.executable, "-m", "toolyard", *words, "--runs", str(runs), "--name", "r", *more],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    file = runs / "r" / "transcripts.jsonl"
    while time.monotonic() < deadline and not (file.exists() and file.read_bytes().count(b"\n") >= 3):
        assert child.poll() is None, child.stderr and child.stderr.read()
        time.sleep(0.02)
    return child


def usage_and_lines(runs: Path) -> tuple[int, int]:
    manifest = json.loads((runs / "r" / "manifest.json").read_text())
    lines = (runs / "r" / "transcripts.jsonl").read_bytes().count(b"\n")
    return manifest["usage"]["prompt_tokens"], lines


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_ends_a_run_cleanly_with_its_usage(tmp_path: Path, number: int) -> None:
    with slow_endpoint() as url:
        child = started(url, tmp_path)
        child.send_signal(number)
        _, said = child.communicate(timeout=60)
    assert child.returncode == 128 + number
    assert "Traceback" not in said
    assert "what was answered is kept" in said.splitlines()[-1]
    used, lines = usage_and_lines(tmp_path)
    assert lines >= 3
    assert used == 100 * lines


def test_usage_and_cost_after_a_kill_are_those_of_all_sessions(tmp_path: Path) -> None:
    with slow_endpoint() as url:
        child = started(url, tmp_path, "--limit", "8", "--no-report")
        child.kill()
        child.communicate()
        done = started(url, tmp_path, "--limit", "8", "--no-report")
        done.communicate(timeout=120)
    assert done.returncode == 0
    assert usage_and_lines(tmp_path) == (800, 8)
    assert json.loads((tmp_path / "r" / "manifest.json").read_text())["cost"] == pytest.approx(0.8)


STUDIES = [("ways", "--ways", "default,code,native"), ("curve", "--sizes", "8,16,32")]


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study[0])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_study_goes_on_from_there(tmp_path: Path, study: tuple[str, str, str], number: int) -> None:
    verb, *chosen = study
    words = [verb, "nestools", *chosen, "--limit=4", "--concurrency=1", "--runs", str(tmp_path), "--json"]
    with slow_endpoint() as url:
        command = [sys.executable, "-m", "toolyard", *words, "-m", f"openai/m?base_url={url}&price=1000,0"]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and len(answers_below(tmp_path)) < 6:
            assert child.poll() is None, child.stderr and child.stderr.read()
            time.sleep(0.02)
        child.send_signal(number)
        child.communicate(timeout=60)
        before = answers_below(tmp_path)
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        after = answers_below(tmp_path)
        assert done.returncode == 0, done.stderr
        again = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert child.returncode in (-number, 128 + number)
    assert (len(before) < 12, len(after)) == (True, 12)
    assert set(before) <= set(after), "what was answered is not asked again"
    assert (again.stdout, answers_below(tmp_path)) == (done.stdout, after)


def answers_below(runs: Path) -> list[tuple[str, str]]:
    """Every answer in a folder of runs, with the name of its run."""
    files = sorted(runs.glob("*/transcripts.jsonl"))
    return [(file.parent.name, line) for file in files for line in file.read_text().splitlines()]


CHILD = """
import asyncio, os, signal, sys
from toolyard.core.processes.stopping import finish_or_cancel

async def stubborn():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)
    finally:
        print("cleaning", flush=True)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)

finish_or_cancel(stubborn())
"""


def test_the_second_signal_ends_the_process_at_once() -> None:
    done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout) == (130, "cleaning\n")
    assert done.stderr == "toolyard: stopped at once\n"


GRADING = """
import asyncio, os, signal
from toolyard.core.processes.stopping import Stopped, finish_or_cancel

async def grading():
    os.kill(os.getpid(), signal.{name})
    while True:
        pass

async def in_a_group():
    async with asyncio.TaskGroup() as group:
        group.create_task(grading())

try:
    finish_or_cancel({work}())
except Stopped as stopped:
    print(stopped.number)
"""


@pytest.mark.parametrize(
    ("name", "work"), [("SIGINT", "grading"), ("SIGTERM", "grading"), ("SIGTERM", "in_a_group")]
)
def test_a_signal_while_grading_keeps_the_loop_busy_ends_it(name: str, work: str) -> None:
    command = [sys.executable, "-c", GRADING.format(name=name, work=work)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{signal.Signals[name]:d}\n", "")


WHILE_IMPORTED = """
import os, runpy, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "toolyard.cli":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
runpy.run_module("toolyard", run_name="__main__", alter_sys=True)
"""


def test_an_interrupt_while_the_command_is_imported_ends_it_without_a_word() -> None:
    done = subprocess.run([sys.executable, "-c", WHILE_IMPORTED], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_interrupts_in_the_first_milliseconds_show_no_line_of_ours() -> None:
    for delay in range(0, 60, 6):
        child = subprocess.Popen(
            [sys.executable, "-m", "toolyard", "list"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        for pause in (delay / 1000, 0.003):
            time.sleep(pause)
            child.send_signal(signal.SIGINT)
        shown, said = child.communicate(timeout=60)
        # Before a line of ours has run, the interpreter answers with words of its own, and with 1 or the signal. On a busy
        # machine the signal may come when everything has been printed.
        assert "toolyard/" not in said
        if "KeyboardInterrupt" not in said and "Fatal Python error" not in said:
            ended = child.returncode == 0 and "nestools" in shown
            assert ended or child.returncode in (-signal.SIGINT, 130), said


AT_EXIT = """
import atexit, os, signal, sys
from toolyard.cli import main

atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
sys.argv = ["toolyard", "list"]
main()
"""


def test_a_signal_while_the_process_ends_is_no_traceback() -> None:
    done = subprocess.run([sys.executable, "-c", AT_EXIT], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")
    assert "nestools" in done.stdout


TWICE = """
import os, signal, sys
import toolyard.cli as cli

def stubborn(message):
    sys.stderr.write(f"{message[:7]}\\n")
    sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGTERM)

cli._print_complaint = stubborn
cli._run_command = lambda: os.kill(os.getpid(), signal.SIGINT)
cli.main()
"""


def test_a_second_signal_while_the_first_is_reported_ends_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (-signal.SIGTERM, "stopped\n")


INSIDE = """
import os, runpy, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "toolyard.run.plan.data_sources":
            os.kill(os.getpid(), signal.{name})

sys.meta_path.insert(0, Interrupting())
sys.argv = ["toolyard", "stats", "nestools"]
runpy.run_module("toolyard", run_name="__main__", alter_sys=True)
"""
STOPS = ("SIGINT", "SIGTERM", "SIGHUP")


@pytest.mark.parametrize("name", STOPS)
def test_a_signal_inside_a_command_is_one_line(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INSIDE.format(name=name)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 128 + signal.Signals[name]
    assert done.stderr.splitlines() == ["toolyard: stopped; the same command begins anew"]


SWALLOWED = """
import os, signal, time
import toolyard.cli as cli

def run():
    try:
        os.kill(os.getpid(), signal.{name})
        time.sleep(60)
    except BaseException:
        pass
    time.sleep(60)

cli._run_command = run
cli.main()
"""


def test_a_signal_that_a_library_swallows_stops_all_the_same() -> None:
    source = SWALLOWED.format(name="SIGTERM")
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=30)
    assert done.returncode == 128 + signal.SIGTERM
    assert done.stderr.splitlines() == ["toolyard: stopped; the same command begins anew"]


def test_nohup_stays_nohup() -> None:
    source = INSIDE.format(name="SIGHUP").replace(
        "import os, runpy, signal, sys",
        "import os, runpy, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN)",
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("words", "code"), [(["list"], 0), (["tools", "list"], 128 + signal.SIGPIPE)])
def test_whoever_does_not_read_a_table_is_told_nothing(words: list[str], code: int) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "toolyard", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    assert (child.wait(60), child.stderr.read()) == (code, b"")
    child.stderr.close()


def test_a_complaint_is_never_as_long_as_what_was_found(tmp_path: Path) -> None:
    rows = tmp_path / "queries.jsonl"
    rows.write_text(json.dumps({f"key {number}": number for number in range(20_000)}) + "\n")
    said = complaint("stats", "tooleyes", "--data", str(tmp_path))
    assert len(said) < 2_000
    assert "docs/synth.md" in said


LOST = """
import os, signal, sys, time
import toolyard.cli as cli

class Interrupted:
    def __del__(self):
        os.kill(os.getpid(), signal.{name})
        time.sleep(1)

def run():
    Interrupted()
    time.sleep(60)

cli._run_command = run
cli.main()
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_where_nothing_can_be_raised_stops_a_moment_later(name: str) -> None:
    command = [sys.executable, "-c", LOST.format(name=name), "run"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert done.returncode == 128 + signal.Signals[name]
    assert done.stderr.splitlines() == [
        "toolyard: stopped; what was answered is kept, and the same command goes on from there"
    ]


def test_whoever_cannot_be_interrupted_stops_a_moment_later() -> None:
    command = [sys.executable, "-c", LOST.format(name="SIGINT"), "check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert done.stderr.splitlines() == ["toolyard: stopped; the same command begins anew"]
    source = LOST.format(name="SIGINT").replace("os.kill(os.getpid(), signal.SIGINT)", "raise ValueError(7)")
    source = source.replace("time.sleep(60)", "return 0")
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0
    assert "Exception ignored in" in done.stderr
    assert "ValueError: 7" in done.stderr


EARLY = """
import asyncio, os, signal
from toolyard.core.processes.stopping import Stopped, finish_or_cancel

class Policy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self):
        os.kill(os.getpid(), signal.SIGTERM)
        return super().new_event_loop()

async def work():
    await asyncio.sleep(60)

asyncio.set_event_loop_policy(Policy())
try:
    finish_or_cancel(work())
except Stopped as stopped:
    print(stopped.number)
"""


def test_a_signal_while_the_loop_is_made_ends_the_work() -> None:
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, "15\n", "")


CLOSING = """
import asyncio, os, signal
from toolyard.core.processes.stopping import Stopped, finish_or_cancel

class Loop(asyncio.SelectorEventLoop):
    def close(self):
        asyncio.selector_events.BaseSelectorEventLoop.close(self)
        os.kill(os.getpid(), signal.SIGINT)
        super().close()

class Policy(asyncio.DefaultEventLoopPolicy):
    _loop_factory = Loop

asyncio.set_event_loop_policy(Policy())
try:
    finish_or_cancel(asyncio.sleep(0))
except Stopped as stopped:
    print(stopped.number)
"""


def test_a_signal_while_the_loop_is_closed_is_no_complaint() -> None:
    done = subprocess.run([sys.executable, "-c", CLOSING], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


def complaint(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "toolyard", *words], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1, done
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_folders_that_cannot_be_written_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    run = ("run", "nestools", "-m", "scripted/oracle", "--limit", "1", "--runs")
    assert "Not a directory" in complaint(*run, str(file))
    assert "No such file" in complaint(*run, "/proc/nowhere")


NO_ROOM = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
from toolyard.cli import main
main()
"""


def test_no_room_is_one_line_and_the_same_command_goes_on_later(tmp_path: Path) -> None:
    words = f"run nestools -m scripted/oracle --limit 40 --runs {tmp_path} --name r".split()
    full = subprocess.run(
        [sys.executable, "-c", NO_ROOM, *words], capture_output=True, text=True, timeout=120
    )
    assert full.returncode == 1
    assert "Traceback" not in full.stderr
    assert "File too large" in full.stderr.splitlines()[-1]
    kept = (tmp_path / "r" / "transcripts.jsonl").read_bytes()
    whole = kept[: kept.rindex(b"\n") + 1]
    assert whole
    done = subprocess.run([sys.executable, "-m", "toolyard", *words, "--no-report"], timeout=120)
    assert done.returncode == 0
    lines = (tmp_path / "r" / "transcripts.jsonl").read_bytes()
    assert lines.startswith(whole)
    assert lines.count(b"\n") == 40


def test_a_pipe_as_predictions_or_data_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "neither a file nor a folder" in complaint("score", "nestools", "--predictions", str(pipe))
    assert "neither a file nor a folder" in complaint(
        "run", "nestools", "-m", "scripted/oracle", "--data", str(pipe)
    )
    assert "neither a file nor a folder" in complaint("review", str(pipe), "--summary")
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "test_data.jsonl").symlink_to("/dev/zero")
    assert f"{folder}/test_data.jsonl is neither" in complaint("stats", "nestools", "--data", str(folder))
