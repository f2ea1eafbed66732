"""One door under atheris; `parsers.py --engine both` starts it for half of a door's time.

python bench/faults/atheris_door.py DOOR SECONDS SEED FOLDER

FOLDER gets `corpus/` (inputs that reached something new) and `found.json`, which is written as it goes: how many inputs,
the slowest, and what broke. Faults are the same as those of parsers.py, so that libFuzzer itself never stops at one.
"""

from __future__ import annotations

import base64
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import atheris

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]
with atheris.instrument_imports(include=["toolyard"]):
    import parsers

    from parser_targets import targets

EVERY = 5.0
HEADROOM_SECONDS = 60
MEGABYTES = 4096


class Hunt:
    """What came of the door so far, and when its time is over."""

    def __init__(self, door: str, seconds: float, folder: Path) -> None:
        self.target = targets()[door]
        self.folder = folder
        self.end = time.monotonic() + seconds
        self.next = 0.0
        self.inputs = 0
        self.slowest = 0.0
        self.slowest_input = b""
        self.faults: dict[str, bytes] = {}

    def attempt(self, data: bytes) -> None:
        """One input; ends the process when the time is over, because libFuzzer never returns."""
        now = time.monotonic()
        if now > self.next:
            self.next = now + EVERY
            self.write()
            if now > self.end:
                os._exit(0)
        started = time.process_time()
        fault = parsers.fault_of(self.target, data, parsers.plain)
        spent = time.process_time() - started
        self.inputs += 1
        if spent > self.slowest:
            self.slowest, self.slowest_input = spent, data
        fault = fault or (f"slow: {spent:.0f} s" if spent > parsers.SLOW else "")
        if fault:
            self.faults.setdefault(fault.split("|")[0], data)

    def write(self) -> None:
        """Puts what was found where parsers.py reads it."""
        found: dict[str, Any] = {
            "inputs": self.inputs,
            "slowest": self.slowest,
            "slowest_input": base64.b64encode(self.slowest_input).decode(),
            "faults": {what: base64.b64encode(data).decode() for what, data in self.faults.items()},
        }
        part = self.folder / "found.part"
        part.write_text(json.dumps(found), encoding="utf-8")
        part.replace(self.folder / "found.json")


def changed(data: bytes, longest: int, seed: int) -> bytes:
    """A change that knows JSON and our own words, or one of libFuzzer's."""
    rng = random.Random(seed)
    kind = rng.random()
    if kind < 0.35:
        return parsers.mutated_json(data, rng)[:longest]
    if kind < 0.6:
        return parsers.mutated_bytes(data, rng, [data])[:longest]
    return bytes(atheris.Mutate(data, longest))


def main() -> None:
    """Fuzzes until the time is over."""
    door, seconds, seed, folder = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    if Path("/dev/shm").is_dir():
        tempfile.tempdir = "/dev/shm"
    hunt = Hunt(door, seconds, folder)
    corpus = folder / "corpus"
    corpus.mkdir(parents=True)
    for number, data in enumerate((*hunt.target.seeds, *parsers.kept(hunt.target))):
        (corpus / f"seed-{number}").write_bytes(data)
    options = [
        f"-seed={seed + 1}", f"-max_len={parsers.LONGEST}", f"-timeout={HEADROOM_SECONDS}",
        f"-rss_limit_mb={MEGABYTES}", f"-artifact_prefix={folder}/broken-", "-len_control=20", "-verbosity=0",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *options, str(corpus)], hunt.attempt, custom_mutator=changed)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
