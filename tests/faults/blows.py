"""What happens to a session: signals, full and read-only disks, damaged files, a rival process, changed data."""

import random
import re
import shutil
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

from faults import run_files
from faults.answers import Told
from faults.foreign import visit
from faults.playing import SIGNAL_SECONDS, Stage, await_moment, cost_of, mount
from faults.schedules import DAMAGE, DISK, FOREIGN, KILLS, Blow
from json_files import read_json

SIGNALS = {"SIGKILL": signal.SIGKILL, "SIGTERM": signal.SIGTERM}
TEN_YEARS = 10 * 365 * 86400.0


def strike(at: Stage, blow: Blow) -> None:
    """One session with its blow."""
    if blow.kind in KILLS:
        kill(at, blow)
    elif blow.kind in DAMAGE:
        break_file(at, blow)
    elif blow.kind in DISK:
        full_disk(at, blow)
    elif blow.kind in FOREIGN:
        visit(at, blow)
    else:
        OTHERS[blow.kind](at, blow)


def kill(at: Stage, blow: Blow) -> None:
    """A signal at its moment."""
    command = at.start()
    await_moment(at, command, blow.phase, blow.requests, blow.delay)
    command.signal(SIGNALS.get(blow.kind, signal.SIGINT))
    if blow.kind == "Ctrl-C twice":
        command.wait_until(lambda: False, blow.drawn * 0.1)
        command.signal(signal.SIGINT)
    if not command.wait(SIGNAL_SECONDS):
        at.problem("signal", f"{blow.kind}: still there {SIGNAL_SECONDS:.0f} s later")
    at.end(command, blow.kind, signalled=True)


def break_file(at: Stage, blow: Blow) -> None:
    """A damaged file, then a session that must mend it or say what to do."""
    if not run_files.damage(at.runs, blow.kind, random.Random(blow.drawn)):
        at.outcome.codes.append((f"{blow.kind}: nothing there yet", None))
        return
    command = at.start()
    if at.end(command, blow.kind) == 1:
        do_as_told(at, command.err.read_text())


def do_as_told(at: Stage, said: str) -> None:
    """What a user does who reads the message: removes the line or the file that it names."""
    if named := re.search(r"(\S+\.jsonl), line (\d+)", said):
        path, number = Path(named[1]), int(named[2])
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join([*lines[: number - 1], *lines[number:]]))
    elif "manifest.json" in said:
        (at.run_folder / "manifest.json").unlink(missing_ok=True)
    elif "--cache" in said:
        shutil.rmtree(at.folder / "cache", ignore_errors=True)


def full_disk(at: Stage, blow: Blow) -> None:
    """A session on a disk that is full, or on which nothing can be written."""
    largest = max((path.stat().st_size for path in at.runs.rglob("*") if path.is_file()), default=0)
    if blow.kind == "read-only directory" and mount(at.runs, "remount,ro"):
        before = at.endpoint.requests
        command = at.start()
        code = at.end(command, blow.kind)
        mount(at.runs, "remount,rw")
        if code != 1 and at.endpoint.requests > before:
            at.problem(
                "exit code", f"{blow.kind}: exit code {code} after requests whose answers could not be kept"
            )
        return
    used = sum(path.stat().st_size + 4096 for path in at.runs.rglob("*") if path.is_file())
    room = used + int(blow.drawn * 60_000)
    if blow.kind == "disk full" and mount(at.runs, f"remount,size={max(room, 4096)}"):
        at.end(at.start(), blow.kind)
        mount(at.runs, "remount,size=64m")
        return
    at.end(at.start(file_size=max(largest, 4000) + int(blow.drawn * 20_000)), blow.kind)


def rival(at: Stage, blow: Blow) -> None:
    """A second process on the same run directory."""
    first = at.start()
    await_moment(at, first, blow.phase, blow.requests, blow.delay)
    second = at.start()
    at.end(second, f"{blow.kind}, the second")
    at.end(first, f"{blow.kind}, the first")
    if second.code == first.code == 1:
        said = first.err.read_text() + second.err.read_text()
        if said.count("another process") > 1:
            at.problem("files", "two processes: both gave way")


def change_data(at: Stage, blow: Blow) -> None:
    """Other data under a run that was begun; it must be refused, and leave the run as it was."""
    if not (at.run_folder / "transcripts.jsonl").exists():
        at.outcome.codes.append((f"{blow.kind}: nothing there yet", None))
        return
    files = sorted(path for path in at.data.iterdir() if path.is_file())
    path = random.Random(blow.drawn).choice(files)
    before, kept = path.read_bytes(), (at.run_folder / "transcripts.jsonl").read_bytes()
    path.write_bytes(before + b"\n")
    command = at.start()
    code = at.end(command, blow.kind)
    path.write_bytes(before)
    if code != 1:
        at.problem("files", f"changed data ({path.name}): exit code {code}, wanted 1")
    if (at.run_folder / "transcripts.jsonl").read_bytes() != kept:
        at.problem("files", f"changed data ({path.name}): the transcripts were touched")


def jump_clock(at: Stage, blow: Blow) -> None:
    """A clock that is ten years off, and files that were written by such a one."""
    jump = TEN_YEARS if blow.drawn < 0.5 else -TEN_YEARS
    if at.run_folder.exists():
        run_files.move_times(at.run_folder, -jump)
    command = at.start(clock_jump=jump)
    await_moment(at, command, blow.phase, blow.requests, blow.delay)
    command.signal(signal.SIGKILL)
    at.end(command, blow.kind, signalled=True)


def limit_cost(at: Stage, blow: Blow) -> None:
    """A session that may spend a part of what the whole run costs."""
    before = cost_of(spent(at))
    limit = round(cost_of(at.clean.spent) * (0.2 + blow.drawn), 6)
    of = at.endpoint
    sent, charged, doubtful = len(of.sent), len(of.charged), len(of.doubtful)
    at.end(at.start("--max-cost", str(limit)), blow.kind)
    after = cost_of(spent(at))
    bills, most = bills_of([*of.sent[sent:], *of.charged[charged:]]), bills_of(of.doubtful[doubtful:])
    # Nobody knows what a model charges before its first answer: two requests are in flight then, two to the judge.
    unknown = at.schedule.mix.charging != "by words"
    first = 2 * (1 + at.schedule.case.judged) if unknown else 0
    if after > max(limit, before) + most_beyond(bills, most, first) + 1e-9:
        at.problem("cost limit", f"{limit}: ${after:.6f} are recorded, ${before:.6f} before")
    really = before + sum(bills)
    if really > max(limit, before) + most_beyond(bills, [], first) + 1e-9:
        at.problem("cost limit", f"{limit}: the endpoint charged ${really:.6f}, ${before:.6f} before")


def bills_of(told: Sequence[Told]) -> list[float]:
    """What each request costs."""
    return [cost_of(run_files.Spent(item.read, item.written)) for item in told]


def most_beyond(bills: Sequence[float], most: Sequence[float], first: int) -> float:
    """What the first requests in flight may cost; one without an answer that can be read counts as the most it may be."""
    lost = sorted(most)[len(bills) :]
    return sum(sorted([*bills, *lost], reverse=True)[:first])


def spent(at: Stage) -> run_files.Spent:
    """All that the files of the run know of."""
    return run_files.spent_in_transcripts(at.run_folder) + run_files.spent_in_evidence(at.run_folder)


def look_early(at: Stage, blow: Blow) -> None:
    """Figures of a run that is not done: they must say how much is missing."""
    transcripts = at.run_folder / "transcripts.jsonl"
    if not transcripts.exists() or run_files.manifest_of(at.run_folder) is None:
        at.outcome.codes.append((f"{blow.kind}: nothing there yet", None))
        return
    lines = {(line["sample"], line["trial"]): line for line in run_files.json_lines(transcripts)}
    answered, total = sum(line["error"] is None for line in lines.values()), at.clean.scores.count(b"\n")
    verb = "score" if blow.kind == "scored half-way" else "report"
    command = at.start(verb=[verb, str(at.run_folder), "--json"])
    code = at.end(command, blow.kind)
    if code not in (0, 2) or at.schedule.case.judged:
        return  # a judge may not have been asked yet, or only in part
    told = read_json(command.out)
    if verb == "report":
        if (code == 2) != bool(told["withheld"]) or bool(told["withheld"]) != (answered < 0.98 * total):
            at.problem(
                "told",
                f"{blow.kind}: exit {code}, withheld {told['withheld']}, {answered} of {total} answered",
            )
        told = told["profiles"]["paper"]
    if (told["samples"], told["unscored"]) != (answered, total - answered):
        at.problem(
            "told",
            f"{blow.kind}: {told['samples']} and {told['unscored']} unscored for {answered} of {total}",
        )
    manifest = run_files.manifest_of(at.run_folder) or {}
    if len(lines) < total and manifest.get("finished"):
        at.problem("told", f"{blow.kind}: the manifest calls a run finished that has {len(lines)} of {total}")


OTHERS: dict[str, Callable[[Stage, Blow], None]] = {
    "two processes": rival,
    "changed data": change_data,
    "clock jump": jump_clock,
    "cost limit": limit_cost,
    "scored half-way": look_early,
    "reported half-way": look_early,
}
