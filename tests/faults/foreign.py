"""Sessions of other commands beside a run: what they read is a stranger's document, server or module."""

import json
import os
import random
import shlex
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import hostile_server
from faults.foreign_sources import (
    ANSWERS,
    CALLS,
    DOCUMENTS,
    GOOD,
    IMPORTS,
    PRINTS,
    SILENCE,
    WEB,
    Answer,
    Service,
    sent,
    serve_foreign,
)
from faults.playing import KEY, KEY_VARIABLE, SIGNAL_SECONDS, Stage
from faults.processes import Command, takes_signals
from faults.schedules import Blow
from live_processes import is_alive

COMMANDS = ("tools lint", "mirror", "probe", "cases", "cases live", "serve")
# Commands that may call real tools, and the only tools that they may call unasked.
CALLING = ("mirror", "cases live", "serve")
READING = frozenset({"get_bed", "list_beds"})
REDIRECTS = (301, 302, 303, 307, 308)
SEEN_SECONDS = 2.0
# In every OpenAPI document: a sound operation, and those that must not be called without --allow.
BESIDE = {
    "/bed": {"get": {"operationId": "get_bed"}},
    "/purge": {"get": {"operationId": "purge_beds"}, "post": {"operationId": "get_paid"}},
    "/beds": {"delete": {"operationId": "get_rid"}},
}
NOTED = "def delete_bed() -> str:\n    '''Deletes.'''\n    return _note('delete_bed')\n"
NOTES = "def _note(name):\n    with open('called', 'a') as file:\n        file.write(name + '\\n')\n    return name\n"
CASES = """tools: {source}
cases:
  - id: bed
    request: Which bed is free?
    expect: {{calls: [{{get_bed: {{}}}}]}}
"""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A source as it is named on the command line, what it does, and which tools of it were called."""

    text: str
    variant: str
    options: tuple[str, ...] = ()
    calls: Callable[[], list[str]] = list
    others: list[tuple[str, str, str]] = field(default_factory=list)
    processes: Callable[[], list[int]] = list


def visit(at: Stage, blow: Blow) -> None:
    """One session of a command with a foreign source, often with a signal; the run beside it is not touched."""
    rng = random.Random(f"{at.schedule.seed} {blow.drawn}")
    folder = at.folder / f"foreign {at.number}"
    folder.mkdir()
    before = _files(at.run_folder)
    with KINDS[blow.kind](folder, rng) as source:
        at.endpoint.injected[f"{blow.kind}: {source.variant}"] += 1
        name = rng.choice(COMMANDS)
        _play(at, f"{blow.kind}, {name}", name, source, folder, rng)
        _check(at, f"{blow.kind}, {name}, {source.variant}", name, source)
    if _files(at.run_folder) != before:
        at.problem("foreign", f"{blow.kind}, {name}: the run beside it was touched")


def _play(at: Stage, label: str, name: str, source: Foreign, folder: Path, rng: random.Random) -> None:
    twin, kept = folder / "twin", b""
    if name == "mirror" and rng.random() < 0.5:
        good = server_command("nothing odd", folder / "good")
        at.end(_start(at, folder, "mirror", Foreign(good, "")), f"{label}, before")
        kept = _recorded(twin)
    command = _start(at, folder, name if name != "serve" else "mirror", source, anew=bool(kept))
    is_signalled = rng.random() < 0.5 and name != "serve"
    _finish(at, command, label, rng if is_signalled else None)
    if kept and not _is_kept(_recorded(twin), kept, is_whole=command.code == 0 or is_signalled):
        at.problem("foreign", f"{label}: what was recorded before is lost")
    if name == "serve" and (twin / "mirror.json").exists():
        _serve(at, label, twin, folder, rng)


def _serve(at: Stage, label: str, twin: Path, folder: Path, rng: random.Random) -> None:
    """The mirror of the source over HTTP, beside a client that never ends its request."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["serve", str(twin), "--http", "--port", str(port)]
    command = at.start(verb=words, cwd=str(folder))
    command.wait_until(lambda: "/mcp" in command.err.read_text() + command.out.read_text(), 20.0)
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 2) as half_open:
        half_open.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{")
        _finish(at, command, label, rng)
        return
    _finish(at, command, label, rng)


def _start(at: Stage, folder: Path, name: str, source: Foreign, *, anew: bool = False) -> Command:
    file = folder / "cases.yaml"
    file.write_text(CASES.format(source=json.dumps(source.text)))
    own = ["-m", "scripted/oracle", "--runs", str(folder / "runs"), "--no-report", "--json"]
    base = [each for each in source.options if name == "mirror" or not each.startswith("--base-url")]
    words = {
        "tools lint": ["tools", "lint", source.text, "--embedder", "words", "--fail-on", "never", *base],
        "mirror": ["mirror", source.text, "--out", str(folder / "twin"), "--record", "2", *base],
        "probe": ["probe", source.text, "-m", "scripted/empty", "--rows", "1", "--out", str(folder / "p"), *base],
        "cases": ["run", str(file), *own],
        "cases live": ["run", str(file), *own, "--live", "yes"],
    }  # fmt: skip
    return at.start(verb=[*words[name], *(["--anew"] if anew else [])], cwd=str(folder))


def _finish(at: Stage, command: Command, label: str, rng: random.Random | None) -> None:
    """The end of a session, after a signal where `rng` is there to draw its moment."""
    if rng is not None:
        command.wait_until(lambda: takes_signals(command.pid), 20.0)
        command.wait_until(lambda: False, rng.random() ** 2 * 3.0)
        command.signal(rng.choice((signal.SIGTERM, signal.SIGINT)))
        if not command.wait(SIGNAL_SECONDS):
            at.problem("signal", f"{label}: still there {SIGNAL_SECONDS:.0f} s later")
    at.end(command, label, signalled=rng is not None, has_figures=False)
    if b"\x1b" in command.out.read_bytes() + command.err.read_bytes():
        at.problem("foreign", f"{label}: escapes of the source were printed")


def _check(at: Stage, label: str, name: str, source: Foreign) -> None:
    allowed = READING if name in CALLING else frozenset()
    if called := set(source.calls()) - allowed:
        at.problem("foreign", f"{label}: {', '.join(sorted(called))} was called")
    if source.others:
        has_key = any(KEY in headers for _, _, headers in source.others)
        at.problem("key" if has_key else "foreign", f"{label}: a request went to another address")
    deadline = time.monotonic() + SEEN_SECONDS
    while (left := [pid for pid in source.processes() if is_alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    if left:
        at.problem("nothing left", f"{label}: the server it started still runs")
        for pid in left:
            os.kill(pid, signal.SIGKILL)


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def _recorded(twin: Path) -> bytes:
    path = twin / "recorded.jsonl"
    return path.read_bytes() if path.exists() else b""


def _is_kept(found: bytes, before: bytes, *, is_whole: bool) -> bool:
    """Whether the calls of an earlier session are there, or whole new ones in their place where it was replaced."""
    if found == before or not is_whole:
        return found == before
    try:
        return all(json.loads(line) for line in found.splitlines())
    except ValueError:
        return False


def server_command(mode: str, journal: Path) -> str:
    """The source that starts a server which misbehaves in that way."""
    words = (sys.executable, str(hostile_server.__file__), mode, str(journal))
    return f"mcp:{shlex.join(words)}"


@contextmanager
def started(folder: Path, rng: random.Random) -> Iterator[Foreign]:
    """An MCP server that a command starts."""
    mode, journal = rng.choice(hostile_server.MODES), folder / "journal"

    def noted(kind: str) -> list[str]:
        lines = journal.read_text().splitlines() if journal.exists() else []
        return [line.partition(" ")[2] for line in lines if line.startswith(f"{kind} ")]

    yield Foreign(
        server_command(mode, journal), mode, calls=lambda: noted("call"),
        processes=lambda: [int(pid) for pid in noted("pid")],
    )  # fmt: skip


@contextmanager
def two_services() -> Iterator[tuple[Service, Service]]:
    """The service that the user names, and another one that must get nothing."""
    made = [serve_foreign(), serve_foreign()]
    try:
        yield made[0][0], made[1][0]
    finally:
        for _, server in made:
            server.shutdown()
            server.server_close()


@contextmanager
def reached(folder: Path, rng: random.Random) -> Iterator[Foreign]:
    """An address that is no MCP server, or sends to another one."""
    with two_services() as (mine, other):
        target = f"{other.address}/mcp"
        redirects: dict[str, Answer] = {
            f"redirect {status}": sent(status, b"", Location=target) for status in REDIRECTS
        }
        variants = {**WEB, **SILENCE, **redirects}
        name = rng.choice(sorted(variants))
        mine.answer = variants[name]
        headers = ("--header", f"X-Key={KEY_VARIABLE}")
        yield Foreign(f"{mine.address}/mcp", name, headers, others=other.seen)


@contextmanager
def documented(folder: Path, rng: random.Random) -> Iterator[Foreign]:
    """An OpenAPI document whose service answers as it likes."""
    with two_services() as (mine, other):
        answers = {**{name: answer for name, (answer, _) in ANSWERS.items()}, **SILENCE, "sound": None}
        document, answer = rng.choice(sorted(DOCUMENTS)), rng.choice(sorted(answers))
        mine.answer = answers[answer]
        made = DOCUMENTS[document](other.host)
        made["paths"] = {**made["paths"], **BESIDE}
        (folder / "service.json").write_text(json.dumps(made))
        options = ("--header", f"Authorization={KEY_VARIABLE}", f"--base-url={mine.address}/api")

        def called() -> list[str]:
            sound = ("GET", "/api/")
            return [
                "get_bed" if (method, path[:5]) == sound and "purge" not in path else f"{method} {path[:80]}"
                for method, path, _ in mine.seen
            ]

        yield Foreign("service.json", f"{document}; {answer}", options, called, other.seen)


@contextmanager
def imported(folder: Path, rng: random.Random) -> Iterator[Foreign]:
    """A Python module; none of its functions may be called unasked."""
    variants = {
        **{f"import {name}": (code, "") for name, (code, _) in IMPORTS.items()},
        **{f"call {name}": ("", code) for name, code in CALLS.items()},
        "prints": (PRINTS, ""),
    }
    name = rng.choice(sorted(variants))
    at_import, at_call = variants[name]
    odd = f"def get_it():\n    '''It.'''\n    _note('get_it')\n    {at_call}\n" if at_call else ""
    rest = "" if name == "import is no Python" else f"{NOTES}{NOTED}{odd}{GOOD}"
    (folder / "foreign_module.py").write_text(f"{at_import}\n{rest}")

    def called() -> list[str]:
        path = folder / "called"
        return path.read_text().split() if path.exists() else []

    yield Foreign("python:foreign_module", name, calls=called)


KINDS = {
    "foreign OpenAPI document": documented,
    "foreign MCP command": started,
    "foreign MCP address": reached,
    "foreign Python module": imported,
}
