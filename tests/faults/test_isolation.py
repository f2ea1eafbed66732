"""Workers: bounded in time and memory, gone with their parent; no tool touches the host."""

import ast
import asyncio
import base64
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from live_processes import are_gone, children_of
from packed_pdf import image_pdf
from toolyard.world import World, call, isolation, reference, simulated, tools
from toolyard.world.kernel.executor import Rules, call_async

CALCULATOR = "Calculator/Calculator/calculator"
NEWTON = "Calculator/Calculator/newton_calculator"
PYTHON = "Execute/Execute/execute_pycode"
ENDLESS = {"operation": "integrate", "expression": "1/(x^40+x^3+1)"}


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second of work for each call."""
    monkeypatch.setattr(isolation, "CPU_SECONDS", 0.5)


def children(parent: int) -> list[int]:
    """The workers that a process has started and that still run; other tests leave other children."""
    program = isolation._PROGRAM.encode()
    found = ((process, Path(f"/proc/{process}/cmdline")) for process in children_of(parent))
    return [process for process, command in found if command.exists() and program in command.read_bytes()]


@pytest.mark.usefixtures("brief")
def test_a_call_without_end_is_stopped_and_the_next_one_is_answered() -> None:
    world = World.fresh()
    assert call(world, NEWTON, ENDLESS).error == "timeout"
    assert world.diff() == {}
    assert call(world, CALCULATOR, {"input_query": "6*7"}).value["result"] == 42


@pytest.fixture
def greedy() -> Callable[[str], dict[str, Any]]:
    """What a worker answers to a tool that does a deed."""
    request = {
        "tool": "Random/Random/greedy",
        "module": "greedy_tools",
        "seed": 0,
        "calls": 1,
        "seconds": 0.0,
    }
    whole = {**request, "draws": 0, "changes": {}}
    return lambda deed: isolation.Errand({**whole, "keywords": {"deed": deed}}).run()


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("deed", ["compute", "match"])
def test_work_inside_one_step_of_the_interpreter_is_stopped(deed: str, greedy: Callable[[str], Any]) -> None:
    with pytest.raises(isolation.TimedOut):
        greedy(deed)


def test_a_waiting_call_is_stopped(greedy: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "WALL_SECONDS", 0.5)
    with pytest.raises(isolation.TimedOut):
        greedy("sleep")


@each_case("deed, kind")
def test_what_a_tool_raises_is_in_the_answer(deed: str, kind: str, greedy: Callable[[str], Any]) -> None:
    assert greedy(deed)["failure"][0] == kind


@pytest.mark.parametrize(
    "deed", ["popen", "system", "spawn", "fork", "exec", "write", "temporary", "remove", "connect"]
)
def test_a_worker_cannot_use_the_host(deed: str, greedy: Callable[[str], Any]) -> None:
    assert greedy(deed)["failure"][0] == "HostAccess"
    assert not Path("/tmp/toolyard-greedy").exists()


@pytest.mark.parametrize("deed", ["abort", "crash"])
def test_a_worker_that_dies_takes_nothing_with_it(deed: str, greedy: Callable[[str], Any]) -> None:
    with pytest.raises(isolation.Died):
        greedy(deed)
    assert greedy("raise")["failure"][0] == "ZeroDivisionError"


def test_memory_and_output_are_bounded(greedy: Callable[[str], Any]) -> None:
    assert greedy("hoard")["memory"]
    assert greedy("talk")["fault"][0] == "limit_exceeded"
    assert greedy("import")["missing"] == "no_such_package"


def test_prints_of_a_library_vanish(greedy: Callable[[str], Any], capfd: pytest.CaptureFixture[str]) -> None:
    answer = greedy("print")
    assert (answer["text"], answer["retire"]) == ("5", False)
    assert list(answer["changes"].values()) == [{"deed": "print"}]
    assert capfd.readouterr() == ("", "")


def test_a_worker_that_was_killed_from_outside_is_replaced() -> None:
    assert call(World.fresh(), CALCULATOR, {"input_query": "1+1"}).value["result"] == 2
    before = children(os.getpid())
    isolation.stop_workers()
    assert are_gone(before)
    assert call(World.fresh(), CALCULATOR, {"input_query": "1+2"}).value["result"] == 3


def test_changes_made_in_a_worker_come_back_and_go_on_from_there() -> None:
    world = World.fresh()
    call(world, "File/file_operation/write_file", {"text": "one\n", "file_path": "/workspace/a.txt"})
    seen = call(world, PYTHON, {"code": "open('/workspace/a.txt', 'a').write('two\\n')"})
    assert seen.value["files_written"] == ["/workspace/a.txt"]
    shell = call(world, "Execute/Execute/execute_bash_code", {"commands": "rm notes.txt; cat a.txt; ls"})
    assert shell.value["stdout"].startswith("one\ntwo\n")
    changes = world.diff()["files"]
    assert changes["added"] == {"/workspace/a.txt": "one\ntwo\n"}
    assert list(changes["removed"]) == ["/workspace/notes.txt"]


def test_a_loop_goes_on_while_a_tool_computes() -> None:
    async def together() -> tuple[str | None, int]:
        beats = 0

        async def beat() -> None:
            nonlocal beats
            while True:
                beats += 1
                await asyncio.sleep(0.01)

        beating = asyncio.create_task(beat())
        seen = await call_async(World.fresh(), PYTHON, {"code": "x = 0\nwhile x < 10 ** 9: x += 1"})
        beating.cancel()
        return seen.error, beats

    error, beats = asyncio.run(together())
    assert error == "timeout"
    assert beats > 10


def test_a_call_can_be_awaited_without_a_loop() -> None:
    asked = call_async(World.fresh(), CALCULATOR, {"input_query": "6*7"})
    with pytest.raises(StopIteration) as done:
        asked.send(None)
    assert done.value.value.value["result"] == 42


def test_a_cancelled_call_leaves_no_worker_computing() -> None:
    async def abandoned() -> None:
        task = asyncio.create_task(call_async(World.fresh(), NEWTON, ENDLESS, Rules()))
        await asyncio.sleep(1.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(abandoned())
    assert call(World.fresh(), CALCULATOR, {"input_query": "2+2"}).value["result"] == 4


def finished(body: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(body)], capture_output=True, text=True, timeout=120
    )


@pytest.fixture
def busy() -> Iterator[subprocess.Popen[str]]:
    """A process with a worker that is computing."""
    script = f"""
        import signal, threading, time
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from toolyard.world import World, call
        call(World.fresh(), "{CALCULATOR}", {{"input_query": "1"}})
        threading.Thread(target=call, args=(World.fresh(), "{NEWTON}", {ENDLESS!r}), daemon=True).start()
        time.sleep(1)
        print("ready", flush=True)
        time.sleep(60)
        """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "ready\n"
        yield started
        started.kill()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent_however_it_ends(how: int, busy: subprocess.Popen[str]) -> None:
    workers = children(busy.pid)
    assert workers
    busy.send_signal(how)
    assert are_gone(workers, 5)


def test_a_program_that_ends_leaves_nothing_behind() -> None:
    done = finished(
        f"""
        import os
        from pathlib import Path
        from toolyard.world import World, call
        call(World.fresh(), "{CALCULATOR}", {{"input_query": "1"}})
        call(World.fresh(), "{PYTHON}", {{"code": "1"}})
        print(Path(f"/proc/{{os.getpid()}}/task/{{os.getpid()}}/children").read_text())
        """
    )
    workers = [int(word) for word in done.stdout.split()]
    assert done.returncode == 0
    assert len(workers) == 1
    assert are_gone(workers, 5)


def test_forked_children_and_threads_have_workers_of_their_own() -> None:
    done = finished(
        f"""
        import os, threading, warnings
        from concurrent.futures import ThreadPoolExecutor
        from toolyard.world import World, call
        warnings.simplefilter("always")  # a child says nothing of a process that is not its own
        def one(number): return call(World.fresh(), "{CALCULATOR}", {{"input_query": f"{{number}}+1"}}).value["result"]
        with ThreadPoolExecutor(8) as threads:
            assert list(threads.map(one, range(40))) == list(range(1, 41))
        child = os.fork()
        if child == 0:
            os._exit(one(6))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert one(1) == 2
        print("fine")
        """
    )
    assert (done.stdout, done.stderr) == ("fine\n", "")


def test_a_large_parent_keeps_its_worker() -> None:
    done = finished(
        f"""
        from pathlib import Path
        from toolyard.world import World, call
        held = bytearray(700_000_000)
        held[::4096] = b"x" * len(held[::4096])
        workers = set()
        for number in range(3):
            call(World.fresh(), "{CALCULATOR}", {{"input_query": str(number)}})
            workers.add(Path("/proc/self/task").joinpath(str(__import__("os").getpid()), "children").read_text())
        print(len(workers))
        """
    )
    assert done.stdout == "1\n", done.stderr


def test_a_worker_sees_nothing_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_SECRET", "hidden")
    isolation.stop_workers()
    assert call(World.fresh(), CALCULATOR, {"input_query": "1"}).error is None
    environments = [Path(f"/proc/{child}/environ").read_bytes() for child in children(os.getpid())]
    assert environments
    assert not any(b"hidden" in environment or b"PATH=" in environment for environment in environments)


def test_large_arguments_of_any_tool_are_left_to_a_worker() -> None:
    tool = "Comparison/Text_Similarity_Calculator/calculate_similarity"
    isolation.stop_workers()
    assert are_gone(children(os.getpid()))
    assert call(World.fresh(), tool, {"text1": "a b", "text2": "a c"}).error is None
    assert children(os.getpid()) == []
    assert call(World.fresh(), tool, {"text1": "a b " * 1500, "text2": "a c"}).error is None
    assert len(children(os.getpid())) == 1


FORBIDDEN_MODULES = {
    "subprocess", "socket", "tempfile", "shutil", "multiprocessing", "ctypes", "urllib.request", "http.client",
    "requests", "aiohttp", "pty", "ftplib", "smtplib", "pickle", "marshal", "shelve",
}  # fmt: skip
FORBIDDEN_CALLS = {"eval", "exec", "compile", "open", "__import__", "input", "breakpoint"}
FORBIDDEN_METHODS = {
    "write_text",
    "write_bytes",
    "unlink",
    "mkdir",
    "touch",
    "rmdir",
    "system",
    "popen",
    "sympify",
}
SOURCES = sorted(
    path
    for package in (tools, simulated, reference)
    for folder in package.__path__
    for path in Path(folder).rglob("*.py")
)


def reaches(tree: ast.AST) -> Iterator[str]:
    """Every import and call in a source that could reach the host."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in FORBIDDEN_MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in FORBIDDEN_MODULES:
            yield str(node.module)
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS
        ):
            yield f"{node.func.id}()"
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in FORBIDDEN_METHODS
        ):
            yield f".{node.func.attr}()"


@pytest.mark.parametrize("path", SOURCES, ids=[f"{path.parent.name}/{path.name}" for path in SOURCES])
def test_no_source_of_a_tool_can_reach_the_host(path: Path) -> None:
    assert list(reaches(ast.parse(path.read_text("utf-8")))) == []


HOSTILE = """
import os, sys
seen = []
def notice(event, details):
    writes = event == "open" and isinstance(details[2], int) and details[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    started = event in ("subprocess.Popen", "os.system", "os.posix_spawn", "os.fork", "os.exec", "os.spawn")
    if writes and details[0] != os.devnull or started or event.startswith(("socket.connect", "tempfile.", "shutil.")):
        seen.append((event, str(details)[:200]))
sys.dont_write_bytecode = True
from toolyard.world import World, isolation, library
from toolyard.world.kernel.arguments import bind_arguments
from toolyard.world.kernel.faults import ToolFault
CALLS = CALLS_HERE
for tool_id in CALLS: library()[tool_id].run(World.fresh(), dict(library()[tool_id].examples[0]))
sys.addaudithook(notice)
world = World.fresh()
for tool_id, calls in CALLS.items():
    for arguments in calls:
        try: library()[tool_id].run(world, arguments)
        except ToolFault: pass
print(seen)
"""
CALLS = cases(__file__, "CALLS")


def test_hostile_calls_outside_of_a_worker_do_not_touch_the_host_either(tmp_path: Path) -> None:
    """The tools themselves, without the worker that would refuse: a decoder stands ready and is not started."""
    marker = tmp_path / "started"
    decoder = tmp_path / "jbig2dec"
    decoder.write_text(f"#!/bin/sh\ntouch {marker}\n")
    decoder.chmod(0o755)
    content = base64.b64encode(image_pdf(b"/JBIG2Decode", inline=False)).decode()
    script = HOSTILE.replace("CALLS_HERE", repr(CALLS).replace("PDF_HERE", content))
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True, text=True, timeout=120, env={"PATH": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert done.stdout == "[]\n", done.stderr
    assert not marker.exists()


FIRST_CALL = """
import os, sys
from toolyard.world import World, call, library
library()
seen = []
def notice(event, details):
    if event == "open" and isinstance(details[2], int) and details[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        seen.append(str(details)[:200])
sys.dont_write_bytecode = True
sys.addaudithook(notice)
name = "Translation/Translation/get_translation_baidu"
print(call(World.fresh(), name, dict(library()[name].examples[0])).error, seen)
"""


def test_what_a_tool_imports_late_does_not_try_the_temporary_folder() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout == "None []\n", done.stderr
