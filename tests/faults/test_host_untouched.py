"""No tool starts a program, opens a connection or writes to the host: in the sources, and while hostile calls run."""

import ast
import base64
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from cases import cases
from packed_pdf import image_pdf
from toolyard.world import reference, simulated, tools

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
from toolyard.world.kernel.arguments import bind
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
CALLS = cases(__file__, "CALLS")  # fmt: skip


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
