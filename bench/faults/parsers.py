"""Drives every parser and loader with mutated input, guided by the lines it reaches, and keeps what breaks them.

    python bench/faults/parsers.py [--group NAME,NAME|all] [--minutes 3] [--engine both] [--seed 0] [--out FILE]

Doors and seeds are those of tests/parser_targets.py. A fault is an exception that is no ToolyardError, more than
SLOW seconds of processor time, or more memory than LIMIT; its input is written to tests/faults/corpus/ and its place
printed. Coverage is taken by a trace function, so that nothing needs to be compiled; with `--engine both` atheris has
half of the time, where it is installed (it compiles its counters into the bytecode and knows comparisons), and what it
kept is where the tracer begins. Parts are written as they go. Exit 1 when something was found. `--groups` prints the
names of the groups.
"""

from __future__ import annotations

import argparse
import base64
import copy
import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from shards import write_shard  # noqa: E402

from parser_targets import Target, targets  # noqa: E402
from toolyard.core.errors import ToolyardError  # noqa: E402

CORPUS = ROOT / "tests" / "faults" / "corpus"
SOURCE = str(ROOT / "src" / "toolyard")
SLOW, LIMIT = 5.0, 6 << 30
LONGEST, LONG = 60_000, 150_000
# Bytes of the slowest input that are written down.
SHOWN = 2_000
CHUNKS = (
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r\n", b"\xe2\x80\xa8", b"NaN", b"-Infinity", b"1e999",
    b"null", b"true", b"{}", b"[]", b'""', b"-1", b"9" * 400, b"9" * 5000, b"[" * 1200, b'{"a":' * 1200, b"(" * 300,
    b"\\ud800", b"\\u0000", b"```json\n", b"<think>", b"</think>", b"Action:", b"Action Input:", b"Thought:",
    b"Evaluation Score: ", b"\n", b"  ", b"'", b'"', b",", b":", b"}", b"]", b"{", b"{{tools}}", b"API_call_0",
    b"1_0", b"0x" + b"f" * 5000, b"\xd9\xa1", b"a" * 5000, b"\t" * 500, b"\\" * 500, b"1." * 300, b"**" * 300,
    b"-" * 3000, b"[1," * 500, b"lambda:", b"f'{x}'", b'{"a": "', b"<answer>", b"1. A: b\n", b'\\"', b"([{",
    b"Scoring Reason:", b"\xcc\xb6", b"#" * 300, b"> ",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 3.5, 10**30, float("nan"), float("inf"), "", "x", "\ud800", "\x00", [], {}, [[]], [None], {"": None},
    "a" * 3000, ["x"] * 300, {"a": {"a": {"a": []}}}, 1e308, -0.0, "1", "API_call_0", {"$ref": "#"}, {"type": []},
    {"name": 1},
)  # fmt: skip


def mutated_bytes(data: bytes, rng: random.Random, pool: list[bytes]) -> bytes:
    """The data with a few places cut, doubled, overwritten or spliced."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        first, second = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
        second = min(second, first + rng.choice((1, 4, 30, 400)))
        other = rng.choice(pool)
        start = rng.randint(0, len(other))
        data = rng.choice(
            (
                data[:first] + data[second:],
                data[:first] + rng.choice(CHUNKS) + data[first:],
                data[:first] + rng.choice(CHUNKS) + data[second:],
                data[:second] + data[first:second] * rng.choice((1, 3, 50)) + data[second:],
                data[:first] + bytes([rng.randrange(256)]) + data[first + 1 :],
                data[:first] + other[start : start + rng.choice((5, 50, 500))] + data[second:],
                data[:first],
            )
        )
    return data[:LONGEST]


def mutated_json(data: bytes, rng: random.Random) -> bytes:
    """The data with one value of its JSON lines, or of the whole, replaced, dropped, doubled or renamed."""
    lines = data.split(b"\n")
    place = rng.randrange(len(lines))
    for text, put in ((lines[place], True), (data, False)):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        written = json.dumps(_changed(value, rng)).encode()
        return b"\n".join([*lines[:place], written, *lines[place + 1 :]]) if put else written
    return mutated_bytes(data, rng, [data])


def _changed(value: Any, rng: random.Random) -> Any:
    value = copy.deepcopy(value)
    spots: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        node = stack.pop()
        keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        spots += [(node, key) for key in keys]
        stack += [node[key] for key in keys]
    if not spots or rng.random() < 0.05:
        return rng.choice(VALUES)
    for _ in range(rng.choice((1, 1, 2))):
        node, key = rng.choice(spots)
        kind = rng.randrange(6)
        if isinstance(node, dict) and key in node:
            if kind == 0:
                del node[key]
            elif kind == 1:
                node[rng.choice(("", "x", "name", "id", key * 2))] = node.pop(key)
            else:
                node[key] = rng.choice(VALUES) if kind < 5 else _retyped(node[key])
        elif isinstance(node, list) and isinstance(key, int) and key < len(node):
            if kind == 0:
                del node[key]
            elif kind == 1:
                node.append(copy.deepcopy(node[key]))
            else:
                node[key] = rng.choice(VALUES) if kind < 5 else _retyped(node[key])
    return value


def _retyped(value: Any) -> Any:
    """The same content as another type."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, list):
        return {str(place): item for place, item in enumerate(value)}
    return [value] if isinstance(value, dict) else "None"


Around = Callable[[Callable[[], object]], object]


@dataclass
class Hunt:
    """One door under fire: inputs that reached something new, and what broke."""

    target: Target
    rng: random.Random
    pool: list[bytes] = field(default_factory=list)
    seen: set[tuple[int, int, int]] = field(default_factory=set)
    faults: dict[str, bytes] = field(default_factory=dict)
    runs: int = 0
    slowest: float = 0.0
    slowest_input: bytes = b""
    atheris_runs: int = 0

    def go(self, seconds: float, more: Sequence[bytes] = ()) -> None:
        """Mutates until the time is over."""
        for seed in (*self.target.seeds, *kept(self.target), *more):
            self.pool.append(seed)
            self.attempt(seed)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            base = self.rng.choice(self.pool[-40:] if self.rng.random() < 0.4 else self.pool)
            change = self.rng.random()
            data = mutated_json(base, self.rng) if change < 0.5 else mutated_bytes(base, self.rng, self.pool)
            if change > 0.9995:
                data = data * (1_000_000 // max(1, len(data)))
            if self.attempt(data) and len(data) < LONGEST:
                self.pool.append(data)

    def long(self) -> None:
        """Much of every chunk and of every seed, alone and behind a seed."""
        for part in (*CHUNKS, *self.target.seeds):
            for data in (
                part * (LONG // len(part)),
                self.target.seeds[0] + part * (LONG // len(part)),
            ):
                self.attempt(data, plain)

    def attempt(self, data: bytes, around: Around | None = None) -> bool:
        """Whether the input reached lines in an order that none had before."""
        self.runs += 1
        before, started = len(self.seen), time.process_time()
        fault = fault_of(self.target, data, around or self.traced)
        spent = time.process_time() - started
        if spent > SLOW:
            started = time.process_time()
            fault = fault_of(self.target, data, plain)
            spent = time.process_time() - started
            fault = fault or (f"slow: {spent:.1f} s" if spent > SLOW else "")
        self.note(spent, data)
        self.broke(fault, data)
        return len(self.seen) > before

    def note(self, spent: float, data: bytes) -> None:
        """Remembers the slowest input."""
        if spent > self.slowest:
            self.slowest, self.slowest_input = spent, data

    def broke(self, fault: str, data: bytes) -> None:
        """Keeps the first input of each kind of fault."""
        if fault and fault.split("|")[0] not in self.faults:
            self.faults[fault.split("|")[0]] = data
            print(f"  {self.target.name}: {fault}", flush=True)
            keep(self.target, data)

    def by_atheris(self, seconds: float, seed: int) -> list[bytes]:
        """Lets atheris have that time in a process of its own; the inputs that it kept."""
        with tempfile.TemporaryDirectory(prefix="atheris") as name:
            folder = Path(name)
            command = [sys.executable, str(HERE / "atheris_door.py"), self.target.name]
            with (folder / "log").open("wb") as log:
                done = subprocess.run(
                    [*command, str(seconds), str(seed), name], stdout=log, stderr=subprocess.STDOUT
                )
            told = folder / "found.json"
            if done.returncode and not list(folder.glob("broken-*")):
                raise RuntimeError(
                    f"atheris ended with {done.returncode}: {(folder / 'log').read_text()[-2000:]}"
                )
            found = json.loads(told.read_text(encoding="utf-8"))
            self.runs += found["inputs"]
            self.atheris_runs = found["inputs"]
            self.note(found["slowest"], base64.b64decode(found["slowest_input"]))
            for what, data in found["faults"].items():
                self.broke(what, base64.b64decode(data))
            for file in folder.glob("broken-*"):
                self.broke(f"atheris: {file.name.split('-')[1]}", file.read_bytes())
            return [file.read_bytes() for file in sorted((folder / "corpus").iterdir())]

    def traced(self, run: Callable[[], object]) -> None:
        """Runs with every step between two lines of ours noted."""
        seen = self.seen

        def lines(frame: FrameType, _event: str, _arg: object) -> Any:
            last = frame.f_lineno
            code = id(frame.f_code)

            def inner(frame: FrameType, event: str, _arg: object) -> Any:
                nonlocal last
                if event == "line":
                    seen.add((code, last, frame.f_lineno))
                    last = frame.f_lineno
                return inner

            return inner if frame.f_code.co_filename.startswith(SOURCE) else None

        sys.settrace(lines)
        try:
            run()
        finally:
            sys.settrace(None)


def plain(run: Callable[[], object]) -> object:
    """Runs without a trace, at full speed."""
    return run()


def fault_of(target: Target, data: bytes, around: Around) -> str:
    """What broke, with its place; empty where the input was read or refused."""
    try:
        around(lambda: target.run(data))
    except ToolyardError as error:
        return "" if "\n" not in str(error) else f"message of several lines: {error!r}"
    except Exception as error:
        # Whatever leaves a door is what is looked for.
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if SOURCE in frame.filename]
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "outside"
        return f"{type(error).__name__} at {place}|{str(error)[:120]!r}"
    return ""


def kept(target: Target) -> list[bytes]:
    """What was found for this door before."""
    return [file.read_bytes() for file in sorted((CORPUS / slug(target)).glob("*"))]


def keep(target: Target, data: bytes) -> None:
    """Adds an input to the corpus that tests replay."""
    folder = CORPUS / slug(target)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file_of(data)).write_bytes(data)


def file_of(data: bytes) -> str:
    """The name of an input in the corpus."""
    return hashlib.sha256(data).hexdigest()[:12]


def slug(target: Target) -> str:
    """The folder of a door."""
    return target.name.replace(" ", "-").replace(".", "-")


def main() -> int:
    """Hunts through the doors of a group, each for its share of the time."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--group", default="all", help="names with commas between them")
    parser.add_argument("--groups", action="store_true", help="print the names of the groups")
    parser.add_argument("--minutes", type=float, default=3.0, help="for each group")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--engine", choices=("tracer", "both"), default="tracer", help="both: half by atheris"
    )
    parser.add_argument("--long", action="store_true", help="first 150 kB of every chunk")
    parser.add_argument("--out", type=Path, help="write what was found there, as a part for join.py")
    wanted = parser.parse_args()
    known = list(dict.fromkeys(item.group for item in targets().values()))
    groups = known if wanted.group == "all" else wanted.group.split(",")
    if wanted.groups or not set(groups) <= set(known):
        print(*known, sep="\n")
        return int(not wanted.groups)
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    if Path("/dev/shm").is_dir():
        # Loaders read files; in memory they do so ten times as often.
        tempfile.tempdir = "/dev/shm"
    doors: list[dict[str, Any]] = []
    for item in targets().values():
        if item.group in groups:
            doors.append(hunted(item, wanted))
            write_shard(wanted.out, "doors", {"seed": wanted.seed, "doors": doors})
    return int(any(door["faults"] for door in doors))


def hunted(target: Target, wanted: argparse.Namespace) -> dict[str, Any]:
    """What came of one door in its share of the group's time."""
    share = sum(other.group == target.group for other in targets().values())
    hunt, started = Hunt(target, random.Random(f"{wanted.seed}/{target.name}")), time.monotonic()
    if wanted.long:
        hunt.long()
    seconds = wanted.minutes * 60 / share
    found = hunt.by_atheris(seconds / 2, wanted.seed) if wanted.engine == "both" else []
    hunt.go(seconds - (time.monotonic() - started), found)
    print(
        f"{target.name:26} {hunt.runs:>8} inputs  {len(hunt.seen):>5} steps  {len(hunt.pool):>5} kept  "
        f"slowest {hunt.slowest:.2f} s  {len(hunt.faults)} faults",
        flush=True,
    )
    faults = [
        {"what": what, "file": file_of(data), "input": base64.b64encode(data).decode()}
        for what, data in hunt.faults.items()
    ]
    return {
        "name": target.name,
        "group": target.group,
        "slug": slug(target),
        "inputs": hunt.runs,
        "seconds": round(time.monotonic() - started, 1),
        "slowest": round(hunt.slowest, 2),
        "slowest_input": base64.b64encode(hunt.slowest_input[:SHOWN]).decode(),
        "by_atheris": hunt.atheris_runs,
        "kept": len(hunt.pool),
        "steps": len(hunt.seen),
        "faults": faults,
    }


if __name__ == "__main__":
    sys.exit(main())
