"""Peak memory of every command that reads a file, on hostile input: a table of promise and measurement.

    python bench/faults/memory.py                                # all doors, one after the other
    python bench/faults/memory.py --only traffic gate            # doors whose name holds one of these words
    python bench/faults/memory.py --workers 12 --out FOLDER      # 12 at once; memory.json and memory.md

A door is a command and the place where a stranger's file enters it. Each door gets each input once, in a process of
its own. Promised: at most 1.5 GB, an end within a minute, no traceback, and one line where the input is refused.
Exit code 1 where a promise is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

CEILING_MB = 1_500
SECONDS = 60
# What a process may ask the system for before it is refused: far above the ceiling, below what hurts a machine.
ADDRESS_SPACE = 12 * 2**30
BENCHMARKS = Path(__file__).resolve().parents[2] / "src" / "toolyard" / "benchmarks"

INPUTS: dict[str, Callable[[], bytes]] = {
    "100 MB line": lambda: b'{"id": "' + b"a" * 100_000_000 + b'"}\n',
    "depth 100,000": lambda: b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "million digits": lambda: b'{"id": ' + b"7" * 1_000_000 + b"}\n",
    "million keys": lambda: b"{" + b", ".join(b'"k%d": %d' % (n, n) for n in range(1_000_000)) + b"}\n",
    "empty lists, 100 MB": lambda: b"[" + b"[]," * 33_000_000 + b"[]]\n",
}
# A row of a door's own form, 200,000 times with a number of its own; and no file at all.
ROWS, PIPE = "200,000 rows", "a pipe"


@dataclass(frozen=True, slots=True)
class Door:
    """A command, the place of the hostile file in its folder, and what lies beside it."""

    name: str
    words: tuple[str, ...]
    file: str
    beside: str = ""
    row: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """How one door took one input."""

    door: str
    input: str
    peak_mb: int
    seconds: float
    code: int
    said: str
    broken: str


DATA_ROWS = {
    "mtu": '{"id": "%d", "question": "user: hello", "answer": {"t": {"a": "b"}}}',
    "tooleyes": '{"id": "%d", "query": "Which ferry?", "path": "x", "scenario": "TG"}',
}
PREDICTED = {
    "nestools": '{"test_id": %d, "response": "[]"}',
    "mtu": '{"id": "%d", "response": "Action: t"}',
    "tooleyes": '{"id": "%d", "conversations": [{"from": "assistant", "value": "x"}], "path": "x", "scenario": "TG"}',
}
TRANSCRIPT = '{"sample": "%d", "trial": 0, "messages": [], "completions": [], "error": null}'
REQUEST = (
    '{"request": {"model": "m", "messages": [{"role": "user", "content": "hello %d"}]}, '
    '"response": {"choices": [{"message": {"role": "assistant", "content": "hi"}}]}}'
)


def doors() -> list[Door]:
    """Every door; {f} is the hostile file, {d} its folder, {run} a sound run, {data} sound rows of NesTools."""
    data = [
        Door(f"stats {name}", ("stats", name, "--data", "{d}"), file, name, DATA_ROWS.get(name, ""))
        for name, file in (
            ("nestools", "test_data.jsonl"),
            ("mtu", "S-S_eval.jsonl"),
            ("toolbehonest", "test_en.json"),
            ("tooleyes", "queries.jsonl"),
        )
    ]
    predictions = [
        Door(
            f"score {name} --predictions",
            ("score", name, "--predictions", where),
            file,
            "",
            PREDICTED.get(name, ""),
        )
        for name, file, where in (
            ("nestools", "answers.jsonl", "{f}"),
            ("mtu", "S-S.jsonl", "{d}"),
            ("toolbehonest", "answers.json", "{f}"),
            ("tooleyes", "answers.jsonl", "{f}"),
        )
    ]
    run_files = [
        Door(f"{words[0]}, {file}", (*words, "{d}"), file, "run", TRANSCRIPT if file[0] == "t" else "")
        for words, file in (
            (("report",), "transcripts.jsonl"),
            (("report",), "manifest.json"),
            (("score",), "evidence.jsonl"),
            (("compare", "{run}"), "scores.jsonl"),
            (("compare", "{run}"), "transcripts.jsonl"),
            (("export", "--to", "csv", "--out", "{d}/out"), "scores.jsonl"),
            (("gate", "--baseline", "{run}"), "scores.jsonl"),
        )
    ]
    nestools = ("run", "nestools", "--limit", "2", "--runs", "{d}/runs", "--no-report")
    return [
        *data,
        *predictions,
        *run_files,
        Door("gate --policy", ("gate", "{run}", "--baseline", "{run}", "--policy", "{f}"), "policy.yaml"),
        Door(
            "agreement --labels",
            ("agreement", "{run}", "{run}", "--labels", "{f}"),
            "votes.jsonl",
            "",
            '{"sample": "%d", "annotator": "a", "label": 1}',
        ),
        Door("compare --models", ("compare", "{run}", "{run}", "--models", "{f}"), "models.json"),
        Door("traffic", ("traffic", "{f}"), "log.jsonl", "", REQUEST),
        Door("review", ("review", "{f}", "--summary", "--out", "{d}/out"), "rows.jsonl"),
        Door("review, decisions", ("review", "{data}", "--summary", "--out", "{d}"), "ada.jsonl"),
        Door("tools lint", ("tools", "lint", "{f}", "--embedder", "words"), "tools.json"),
        Door("mirror", ("mirror", "{f}", "--out", "{d}/twin"), "tools.json"),
        Door("probe", ("probe", "{f}", "-m", "scripted/empty", "--out", "{d}/probe"), "tools.yaml"),
        Door(
            "run, replay",
            (*nestools, "-m", "scripted/replay:{f}"),
            "answers.jsonl",
            "",
            '{"id": "%d", "response": "x"}',
        ),
        Door("run, gguf", (*nestools, "-m", "gguf/{f}"), "model.gguf"),
        Door("run, templates", (*nestools, "-m", "scripted/empty", "--templates", "{d}"), "default.txt"),
        Door("synth, sources", ("synth", "mtu", "--sources", "{d}", "--out", "{d}/out"), "train.json"),
        Door(
            "train",
            ("train", "{f}", "--base", "smollm2", "--dry-run"),
            "rows.jsonl",
            "",
            '{"id": "%d", "messages": []}',
        ),
        Door(
            "certify, kept", ("certify", "scripted/empty", "--probes", "2", "--out", "{d}"), "answers.jsonl"
        ),
    ]


def measure(door: Door, name: str, content: Path, room: Path, run: Path) -> Measured:
    """How the door takes the input, in a folder of its own."""
    folder = Path(tempfile.mkdtemp(dir=room))
    if door.beside:
        source = run if door.beside == "run" else BENCHMARKS / door.beside / "starter"
        shutil.copytree(source, folder, dirs_exist_ok=True)
    file = folder / door.file
    file.unlink(missing_ok=True)
    if name == PIPE:
        os.mkfifo(file)
    elif name == ROWS:
        file.write_text("".join(door.row % number + "\n" for number in range(200_000)))
    else:
        os.link(content, file)
    places = {"f": file, "d": folder, "run": run, "data": BENCHMARKS / "nestools" / "starter"}
    measured = run_measured(door.name, name, [word.format(**places) for word in door.words], folder)
    shutil.rmtree(folder)
    return measured


def run_measured(door: str, name: str, words: list[str], folder: Path) -> Measured:
    """Time, peak memory and last words of one command."""
    with (folder / ".said").open("w+b") as said:
        started = time.monotonic()
        child = subprocess.Popen(
            [sys.executable, "-m", "toolyard", *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=said, start_new_session=True,
        )  # fmt: skip
        # Not before it starts: this process may have threads.
        resource.prlimit(child.pid, resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        status, used = _wait(child.pid, started + SECONDS)
        seconds = time.monotonic() - started
        child.returncode = code = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode("utf-8", "replace")
    peak = used.ru_maxrss // 1024
    last = text.strip().splitlines()[-1][:200] if text.strip() else ""
    return Measured(door, name, peak, round(seconds, 1), code, last, _broken(peak, seconds, code, text))


def _wait(pid: int, deadline: float) -> tuple[int, resource.struct_rusage]:
    """The end of a process and what it used; one that is late is killed with its children."""
    while True:
        ended, status, used = os.wait4(pid, os.WNOHANG)
        if ended:
            return status, used
        if time.monotonic() > deadline:
            os.killpg(pid, signal.SIGKILL)
            _, status, used = os.wait4(pid, 0)
            return status, used
        time.sleep(0.02)


def _broken(peak: int, seconds: float, code: int, text: str) -> str:
    """The promises that did not hold."""
    lines = [line for line in text.splitlines() if line.startswith("toolyard:")]
    checks = {
        f"more than {CEILING_MB:,} MB": peak > CEILING_MB,
        f"longer than {SECONDS} s": seconds >= SECONDS,
        "traceback": "Traceback" in text,
        "no single line": code == 1 and len(lines) != 1,
        "long line": any(len(line) > 2_000 for line in lines),
        f"ended by {-code}": code < 0 and seconds < SECONDS,
    }
    return ", ".join(name for name, is_broken in checks.items() if is_broken)


def sound_run(room: Path) -> Path:
    """A small run to compare with."""
    words = [
        "run",
        "nestools",
        "-m",
        "scripted/oracle",
        "--limit",
        "4",
        "--runs",
        str(room),
        "--name",
        "sound",
    ]
    subprocess.run(
        [sys.executable, "-m", "toolyard", *words], check=True, cwd=room, capture_output=True, timeout=300
    )
    return room / "sound"


HEAD = "| door | input | peak, MB | s | exit | broken | last words |\n" + "| --- " * 7 + "|"


def main() -> int:
    """Prints the table; 1 where a promise is broken."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--only", nargs="*", default=[""], help="doors whose name holds one of these words")
    options.add_argument(
        "--inputs", nargs="*", default=[""], help="inputs whose name holds one of these words"
    )
    options.add_argument("--workers", type=int, default=1, help="doors at once; each may take 1.5 GB")
    options.add_argument("--out", type=Path, help="folder for memory.json and memory.md")
    chosen = options.parse_args()
    lines, found = [HEAD], list[Measured]()
    print(HEAD)
    for one in all_measured(chosen):
        found.append(one)
        cells = (one.door, one.input, one.peak_mb, one.seconds, one.code, one.broken, one.said)
        lines.append(f"| {' | '.join(map(str, cells))} |")
        print(lines[-1], flush=True)
    broken, peak = sum(bool(one.broken) for one in found), max(one.peak_mb for one in found)
    lines.append(f"\n{len(found)} measured, {broken} broken; highest peak {peak} MB, promised {CEILING_MB}")
    print(lines[-1])
    if chosen.out:
        chosen.out.mkdir(parents=True, exist_ok=True)
        (chosen.out / "memory.json").write_text(json.dumps([asdict(one) for one in found], indent=1))
        (chosen.out / "memory.md").write_text("\n".join(lines) + "\n")
    return 1 if broken else 0


def write_input(name: str, path: Path) -> None:
    """Writes a hostile input; nothing where each door gets its own."""
    path.write_bytes(INPUTS[name]() if name in INPUTS else b"")


def all_measured(chosen: argparse.Namespace) -> Iterator[Measured]:
    """Every chosen door with every chosen input, as they come."""
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(chosen.workers) as pool:
        room = Path(place)
        run = sound_run(room)
        for name in (each for each in (*INPUTS, ROWS, PIPE) if any(word in each for word in chosen.inputs)):
            content = room / name.replace(" ", "_")
            # In a process of its own: a command's peak begins with that of the process which starts it.
            writer = get_context("spawn").Process(target=write_input, args=(name, content))
            writer.start()
            writer.join()
            wanted = [each for each in doors() if any(word in each.name for word in chosen.only)]
            if name == ROWS:
                wanted = [each for each in wanted if each.row]
            tasks = [pool.submit(measure, door, name, content, room, run) for door in wanted]
            yield from (task.result() for task in as_completed(tasks))
            content.unlink()


if __name__ == "__main__":
    sys.exit(main())
