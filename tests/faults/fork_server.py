"""A process that has imported everything and becomes one `toolyard` command after the other, in copies of itself.

It reads one job a line from standard input, writes `{"job", "pid"}` when the copy runs and `{"job", "code", "peak"}` when
it has ended. A copy runs the command to the end of the interpreter, as `python -m toolyard` does; only the waits
between attempts and the size of an answer are made small.
"""

import gc
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
from contextlib import suppress
from typing import Any

import aiohttp  # noqa: F401 - all that a command imports on its way, so that no copy has to
import tenacity  # noqa: F401

import toolyard.cli.progress
import toolyard.models.http.openai
import toolyard.report.content
import toolyard.report.tables.run_tables  # noqa: F401
from toolyard.cli import main
from toolyard.models.http import body, retry
from toolyard.owntools.probe import probe_run
from toolyard.owntools.sources import function_process, mcp_server, openapi_calls
from toolyard.run.run import Run
from toolyard.run.settings import Settings

with suppress(ImportError):  # an extra
    import mcp.client.streamable_http  # noqa: F401

FIRST_WAIT = 0.01
LONGEST_WAIT = 0.05
RESPONSE_LIMIT = 1 << 20
POLL_SECONDS = 0.01
# A foreign source that hangs; users wait half a minute.
FOREIGN_SECONDS = 3.0


def serve() -> dict[str, Any] | None:
    """Forks a copy for each job; in the copy it returns the job, here None when no more jobs come."""
    running: dict[int, int] = {}
    text = b""
    while True:
        ready, _, _ = select.select([0], [], [], POLL_SECONDS)
        if ready:
            data = os.read(0, 1 << 16)
            if not data:
                return None
            text += data
        *lines, text = text.split(b"\n")
        for line in lines:
            job = json.loads(line)
            pid = os.fork()
            if pid == 0:
                return dict(job)
            running[pid] = job["job"]
            tell({"job": job["job"], "pid": pid})
        reap(running)


def reap(running: dict[int, int]) -> None:
    """Tells of every copy that has ended."""
    while running:
        pid, status, used = os.wait4(-1, os.WNOHANG)
        if not pid:
            return
        code, peak = os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024
        tell({"job": running.pop(pid), "code": code, "peak": peak})


def tell(event: dict[str, int]) -> None:
    """One line to whoever started this process."""
    os.write(1, json.dumps(event).encode() + b"\n")


def warm_up() -> None:
    """Does once what every copy would do first; no tool is called, whose helpers the copies would share."""
    silence = os.open(os.devnull, os.O_WRONLY)
    kept = os.dup(1), os.dup(2)
    with tempfile.TemporaryDirectory() as folder:
        for benchmark in ("nestools", "mtu", "toolbehonest"):
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            sys.argv = f"toolyard run {benchmark} -m scripted/oracle --limit 1 --runs {folder}".split()
            sys.argv += ["--embedder", "hash", "--no-report", "--json"]
            try:
                main()
            except SystemExit as end:
                assert not end.code, benchmark
            finally:
                os.dup2(kept[0], 1)
                os.dup2(kept[1], 2)
    # Weights of an embedder are not there on every machine.
    defaults = probe_run.ProbeSettings.__init__.__defaults__ or ()
    probe_run.ProbeSettings.__init__.__defaults__ = tuple(
        "hash" if value == "minilm" else value for value in defaults
    )
    Run.plan(Settings(benchmark="tooleyes", model="scripted/empty", limit=1, embedder="hash"))
    # A copy that is no command yet just ends.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # What is there already belongs to all copies: none needs to look through it.
    gc.freeze()


def become(job: dict[str, Any]) -> None:
    """Makes this copy the command's own process: its session, files, surroundings and limits."""
    os.setsid()
    for descriptor, path in ((1, job["out"]), (2, job["err"])):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(file, descriptor)
        os.close(file)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.environ.update(job["env"])
    if job.get("file_size") is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["file_size"], job["file_size"]))
    jump = job.get("clock_jump") or 0.0
    if jump:
        real = time.time
        time.time = lambda: real() + jump
    retry.FIRST_WAIT, retry.LONGEST_WAIT, retry.LONGEST_RETRY_AFTER = FIRST_WAIT, LONGEST_WAIT, LONGEST_WAIT
    body.RESPONSE_LIMIT = RESPONSE_LIMIT
    mcp_server.SECONDS = openapi_calls.SECONDS = function_process.CALL_SECONDS = FOREIGN_SECONDS
    function_process.IMPORT_SECONDS = 2 * FOREIGN_SECONDS
    os.chdir(job.get("cwd") or ".")
    sys.argv = ["toolyard", *job["arguments"]]


if __name__ == "__main__":
    warm_up()
    given = serve()
    if given is not None:
        become(given)
        main()
