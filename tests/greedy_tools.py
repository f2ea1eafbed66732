"""Tools that do what no tool may; only workers import this module."""

import ctypes
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from toolyard.world.kernel.registry import tool
from toolyard.world.kernel.state import Store, World

NOTES = Store("greedy_notes")
_DEEP: list[Any] = []


def _deep() -> Any:
    value: Any = "x"
    for _ in range(5000):
        value = [value]
    return value


def _recursive(number: int = 0) -> int:
    return _recursive(number + 1)


DEEDS: Mapping[str, Callable[[], Any]] = {
    "compute": lambda: pow(7, 10**9) % 10,
    "match": lambda: re.match("(a+)+$", "a" * 60 + "b"),
    "sleep": lambda: time.sleep(600),
    "hoard": lambda: [bytes(50_000_000) for _ in range(100)],
    "recurse": _recursive,
    "raise": lambda: 1 // 0,
    "exit": lambda: sys.exit(3),
    "abort": lambda: os.abort(),
    "crash": lambda: ctypes.string_at(0),
    "print": lambda: print("noise") or sys.stderr.write("noise") or os.write(1, b"noise"),
    "talk": lambda: "x" * 5_000_000,
    "digits": lambda: 10**5000,
    "deep": _deep,
    "object": lambda: object(),
    "popen": lambda: subprocess.run(["true"], check=False),
    "system": lambda: os.system("true"),
    "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "fork": lambda: os.fork(),
    "exec": lambda: os.execv("/bin/true", ["true"]),
    "write": lambda: Path("/tmp/toolyard-greedy").write_text("x"),
    "temporary": lambda: tempfile.mkdtemp(),
    "remove": lambda: Path("/tmp/toolyard-greedy").unlink(),
    "connect": lambda: socket.create_connection(("127.0.0.1", 9)),
    "import": lambda: __import__("no_such_package"),
}


@tool("Random/Random", isolated=True, examples=[{"deed": "raise"}])
def greedy(world: World, *, deed: str) -> Any:
    """Does a deed after it has left a note.

    deed: Which.
    """
    world.store(NOTES)["deed"] = deed
    return DEEDS[deed]()
