"""Plays one schedule: sessions with blows, then the same command until it is done; what is wrong is listed."""

import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faults import run_files
from faults.answers import AnswerBook, read_book
from faults.faulty_endpoint import FaultyEndpoint, Mix
from faults.processes import Command, ForkServer, Loop, left_behind, start_interpreter, takes_signals
from faults.run_files import Spent
from faults.schedules import Case, Schedule

KEY_VARIABLE = "TOOLYARD_PLANTED_KEY"
KEY = "sk-planted-9f3a7c51e0d2b846"
PRICE = (1000.0, 3000.0)
SESSION_SECONDS = 90.0
MOMENT_SECONDS = 20.0
SIGNAL_SECONDS = 10.0
MOST_MEMORY = 1.5e9
FINISHING_SESSIONS = 8
INTERRUPTED = 130
NAME = "run"
COMPLAINTS = ("Traceback", "Exception ignored", "never retrieved", "was never awaited", "Unclosed")
CODES = frozenset({0, 1, 2, 5})
SIGNALLED = frozenset({INTERRUPTED, 128 + signal.SIGTERM, -signal.SIGTERM, -signal.SIGINT, -signal.SIGKILL})


# What must hold, by the names under which breaches are listed.
INVARIANTS = {
    "scores": "every sample and trial occurs once, with the same bytes in the scores as an undisturbed run; "
    "failed samples are unscored with a reason",
    "told": "metrics are printed only with exit 0 or 2, with the number of unscored samples, and without a headline "
    "if there are too many",
    "accounts": "usage and cost in the manifest equal those of the transcripts: not more than the endpoint sent, not less "
    "than an undisturbed run needs",
    "cost limit": "a session with `--max-cost` exceeds the limit by at most the requests in flight when the real usage "
    "became known, two to each model",
    "signal": f"every session ends within {SIGNAL_SECONDS:.0f} s of a signal",
    "memory": f"no session takes more than {MOST_MEMORY / 1e6:,.0f} MB",
    "exit code": "0 done, 1 with one-line message, 2 with unscored samples, 5 at a cost limit, 130 or the signal's own code "
    "if interrupted",
    "no traceback": "no traceback and no interpreter message on standard error",
    "no hang": f"every session ends within {SESSION_SECONDS:.0f} s",
    "nothing left": "no process is left 2 s after its session",
    "key": "a planted key appears in no written byte",
    "files": "changed data are refused and the run stays as it was; damaged files are repaired or named; two processes "
    "never write to one run",
    "finished": "the same command finishes the run",
    "foreign": "of a foreign source nothing is sent to another address, no changing tool is called without `--allow`, no "
    "escape is printed; the run beside it and earlier recorded calls stay as they were",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A breach: which invariant, in which session, and what was seen."""

    invariant: str
    session: int
    text: str

    def __str__(self) -> str:
        return f"{self.invariant}, session {self.session}: {self.text}"


@dataclass(frozen=True, slots=True)
class Clean:
    """An undisturbed run on the same answers."""

    book: AnswerBook
    data: Path
    scores: bytes
    requests: int
    spent: Spent


def cost_of(spent: Spent) -> float:
    """Money for tokens."""
    return (spent.read * PRICE[0] + spent.written * PRICE[1]) / 1e6


@dataclass(slots=True)
class Outcome:
    """What came of a schedule."""

    schedule: Schedule
    problems: list[Problem] = field(default_factory=list)
    codes: list[tuple[str, int | None]] = field(default_factory=list)
    injected: Counter[str] = field(default_factory=Counter)
    unscored: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Stage:
    """The place where one schedule is played."""

    schedule: Schedule
    folder: Path
    clean: Clean
    endpoint: FaultyEndpoint
    server: ForkServer
    outcome: Outcome
    data: Path
    number: int = 0

    @property
    def runs(self) -> Path:
        """Where run directories go."""
        return self.folder / "runs"

    @property
    def run_folder(self) -> Path:
        """The run directory."""
        return self.runs / NAME

    def problem(self, invariant: str, text: str) -> None:
        """Lists something that is wrong."""
        assert invariant in INVARIANTS, invariant
        self.outcome.problems.append(Problem(invariant, self.number, text))

    def arguments(self, *more: str) -> list[str]:
        """The command of the schedule."""
        base = f"base_url=http://127.0.0.1:{self.endpoint.port}/v1&key_env={KEY_VARIABLE}"
        price = f"price={PRICE[0]:g},{PRICE[1]:g}"
        case = self.schedule.case
        judge = ["--judge", f"openai/judge?{base}&{price}"] if case.judged else []
        cache = ["--cache", str(self.folder / "cache")] if self.schedule.cached else []
        return [
            "run", case.benchmark, "-m", f"openai/m?{base}&{price}", *case.arguments, *judge, *cache,
            "--data", str(self.data), "--runs", str(self.runs), "--name", NAME, "--embedder", "hash",
            "--no-report", "--json", "--concurrency", str(self.schedule.concurrency), "--timeout", "1", *more,
        ]  # fmt: skip

    def start(self, *more: str, verb: list[str] | None = None, **limits: Any) -> Command:
        """Starts the command once more."""
        self.number += 1
        out, err = self.folder / f"{self.number}.out", self.folder / f"{self.number}.err"
        arguments = verb or self.arguments(*more)
        home = self.folder if self.schedule.cold else self.folder.parent
        env = {KEY_VARIABLE: KEY, "TOOLYARD_CACHE": str(home / "home")}
        if self.schedule.interpreter and not limits:
            return start_interpreter(arguments, out, err, env)
        return self.server.start(arguments, out, err, env=env, **limits)

    def end(
        self, command: Command, blow: str, *, signalled: bool = False, has_figures: bool = True
    ) -> int | None:
        """Waits for the end of a session and checks what it leaves; its exit code."""
        if not command.wait(SESSION_SECONDS):
            self.problem("no hang", f"{blow}: still there after {SESSION_SECONDS:.0f} s")
            command.signal(signal.SIGKILL)
            command.wait(10)
        code = command.code
        self.outcome.codes.append((blow, code))
        errors = command.err.read_text(errors="replace")
        if any(words in errors for words in COMPLAINTS):
            self.problem("no traceback", f"{blow}: {errors[-2000:]}")
        if code not in (CODES | SIGNALLED if signalled else CODES):
            self.problem("exit code", f"{blow}: {code} after {errors[-300:]!r}")
        if code in (1, 5) and not errors.rstrip().rpartition("\n")[2].startswith("toolyard: "):
            self.problem("exit code", f"{blow}: 1 without a line for the user: {errors[-300:]!r}")
        if has_figures and not signalled and code not in (0, 2) and command.out.read_bytes():
            self.problem("told", f"{blow}: figures were printed with exit {code}")
        if command.peak > MOST_MEMORY:
            self.problem("memory", f"{blow}: {command.peak / 1e9:.2f} GB")
        if left := left_behind(command.pid):
            self.problem("nothing left", f"{blow}: {left}")
        return code


@contextmanager
def stage(schedule: Schedule, folder: Path, clean: Clean, server: ForkServer, loop: Loop) -> Iterator[Stage]:
    """A folder, an endpoint and, where that is allowed, a small disk of its own."""
    folder.mkdir(parents=True)
    runs = folder / "runs"
    runs.mkdir()
    data = clean.data
    if any(blow.kind == "changed data" for blow in schedule.blows):
        data = folder / "data"
        shutil.copytree(clean.data, data)
    endpoint = FaultyEndpoint(clean.book, schedule.mix)
    loop.do(endpoint.start())
    mounted = any(blow.kind in ("disk full", "read-only directory") for blow in schedule.blows)
    mounted = mounted and mount(runs, "size=64m")
    try:
        yield Stage(schedule, folder, clean, endpoint, server, Outcome(schedule), data)
    finally:
        loop.do(endpoint.close())
        if mounted:
            subprocess.run(["umount", "-l", str(runs)], check=True)


def mount(folder: Path, options: str) -> bool:
    """Whether a disk in memory could be put there, or the one that is there be changed."""
    command = ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)]
    return shutil.which("mount") is not None and subprocess.run(command, capture_output=True).returncode == 0


def await_moment(at: Stage, command: Command, phase: str, requests: int, delay: float) -> None:
    """Waits for the moment of a blow; a fresh interpreter is left alone until the command itself answers signals."""
    if at.schedule.interpreter:
        command.wait_until(lambda: takes_signals(command.pid), MOMENT_SECONDS)
    seen = at.endpoint.requests
    if phase != "start":
        wanted = seen + requests if phase == "requests" else max(seen, at.clean.requests)
        command.wait_until(lambda: at.endpoint.requests >= wanted, MOMENT_SECONDS)
    command.wait_until(lambda: False, delay)


def play(schedule: Schedule, folder: Path, clean: Clean, server: ForkServer, loop: Loop) -> Outcome:
    """Plays a schedule and checks all that must hold after it; the folder is removed where nothing is wrong."""
    from faults.blows import strike
    from faults.invariants import check_end, finish

    started = time.monotonic()
    with stage(schedule, folder, clean, server, loop) as at:
        for blow in schedule.blows:
            strike(at, blow)
        finish(at)
        check_end(at)
        at.outcome.injected = at.endpoint.injected
        at.outcome.seconds = time.monotonic() - started
    if not at.outcome.problems:
        shutil.rmtree(folder)
    return at.outcome


def clean_run(case: Case, data: Path, folder: Path, server: ForkServer, loop: Loop) -> Clean:
    """The oracle's run, which gives the answers, and an undisturbed run on the answers of the endpoint."""
    folder.mkdir(parents=True)
    arguments = [
        "run", case.benchmark, "-m", "scripted/oracle", *case.arguments, "--data", str(data), "--runs", str(folder),
        "--name", "oracle", "--embedder", "hash", "--no-report",
    ]  # fmt: skip
    env = {"TOOLYARD_CACHE": str(folder / "home")}
    asked = server.start(arguments, folder / "oracle.out", folder / "oracle.err", env=env)
    require(asked)
    book = read_book(folder / "oracle" / "transcripts.jsonl")
    schedule = Schedule(0, case, 4, Mix(), ())
    nothing = Clean(book, data, b"", 0, Spent())
    with stage(schedule, folder / "clean", nothing, server, loop) as at:
        require(at.start())
        spent = run_files.spent_in_transcripts(at.run_folder)
        spent += run_files.spent_in_evidence(at.run_folder)
        scores = (at.run_folder / "scores.jsonl").read_bytes()
        return Clean(book, data, scores, at.endpoint.requests, spent)


def require(command: Command) -> None:
    """Stops the campaign where even an undisturbed run fails."""
    if not command.wait(600) or command.code != 0:
        raise RuntimeError(f"an undisturbed run ended with {command.code}: {command.err.read_text()[-2000:]}")
