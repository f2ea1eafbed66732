"""`toolyard` commands as copies of one process that has imported everything: no command waits for its imports.

Started as a script it is that process: it reads one job a line, becomes the command in a copy of itself, and writes the
exit code.
"""

import atexit
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _server() -> subprocess.Popen[str]:
    words = [sys.executable, __file__]
    server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(_end, server)
    return server


def _end(server: subprocess.Popen[str]) -> None:
    server.communicate()


def toolyard(
    *words: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """What `python -m toolyard WORDS` prints and ends with."""
    server = _server()
    assert server.stdin is not None and server.stdout is not None
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("out", "err")]
        arguments = [str(word) for word in words]
        job = {
            "words": arguments,
            "cwd": str(cwd or Path.cwd()),
            "env": dict(env or os.environ),
            "files": files,
        }
        server.stdin.write(json.dumps(job) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        out, err = (Path(file).read_text("utf-8") for file in files)
    return subprocess.CompletedProcess(["toolyard", *arguments], code, out, err)


def _serve() -> dict[str, Any] | None:
    """The job of this copy; None at the end of the original."""
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            return dict(json.loads(line))
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        sys.stdout.write(f"{code}\n")
        sys.stdout.flush()
    return None


def _become(job: dict[str, Any]) -> None:
    os.setsid()
    for descriptor, path in zip((1, 2), job["files"], strict=True):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), descriptor)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ.clear()
    os.environ.update(job["env"])
    os.chdir(job["cwd"])
    sys.path[0] = job["cwd"]
    sys.argv = ["toolyard", *job["words"]]


def _import_all() -> None:
    """Imports what commands need on their way, once for all copies."""
    import importlib
    import pkgutil

    for part in ("cli", "run", "report", "benchmarks"):
        package = importlib.import_module(f"toolyard.{part}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            with suppress(ImportError):  # an extra that is not installed
                importlib.import_module(module.name)
    gc.freeze()


if __name__ == "__main__":
    from toolyard.__main__ import main

    _import_all()
    given = _serve()
    if given is not None:
        _become(given)
        main()
