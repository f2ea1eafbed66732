"""What a run directory says, read without Toolyard's own readers, and ways to damage it."""

import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens read and written."""

    read: int = 0
    written: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.read + other.read, self.written + other.written)


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a file: its whole lines that hold an object with a sample's name and all that belongs to it."""
    if not path.exists():
        return
    for line in path.read_bytes().split(b"\n")[:-1]:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("sample"), str) and line not in STRANGE:
            yield record


def spent_in(usage: dict[str, int]) -> Spent:
    """Tokens of a usage record, whose zeros may be left out."""
    return Spent(usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0))


def spent_in_transcripts(folder: Path) -> Spent:
    """Tokens of every request that the transcripts know of, those of failed episodes too; kept answers cost none."""
    total = Spent()
    for line in json_lines(folder / "transcripts.jsonl"):
        if "spent" in line["notes"]:
            total += spent_in(line["notes"]["spent"])
            continue
        for completion in line["completions"]:
            if not completion.get("kept"):
                total += spent_in(completion.get("usage", {})) + spent_in(completion.get("lost", {}))
    return total


def answered_in_transcripts(folder: Path) -> Spent:
    """Tokens of the answers alone."""
    completions = (each for line in json_lines(folder / "transcripts.jsonl") for each in line["completions"])
    return sum((spent_in(each.get("usage", {})) for each in completions if not each.get("kept")), Spent())


def spent_in_evidence(folder: Path) -> Spent:
    """Tokens of every question that the evidence knows of."""
    lines = json_lines(folder / "evidence.jsonl")
    return sum((spent_in(line["usage"]) for line in lines), Spent())


def manifest_of(folder: Path) -> dict[str, Any] | None:
    """The manifest, or None where it is not there or not whole."""
    try:
        found = json.loads((folder / "manifest.json").read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def all_bytes(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Every file below a folder with its content."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path, path.read_bytes()


FILES = {
    "manifest": "run/manifest.json",
    "evidence": "run/evidence.jsonl",
    "scores": "run/scores.jsonl",
    "baselines": "run/baselines.json",
    "cache": "../cache/completions.sqlite",
}
STRANGE_LINES = (
    b"{}\n",
    b"[]\n",
    b"null\n",
    b'"sample"\n',
    b'{"sample": 5, "trial": "x", "messages": [], "completions": [], "notes": {}, "error": null}\n',
    b'{"sample": "a", "trial": 0, "messages": [7], "completions": [], "notes": {}, "error": null}\n',
    b'{"sample": "a", "trial": 0, "messages": [], "completions": [null], "notes": null, "error": null}\n',
    b'{"sample": "a", "trial": 0, "messages": [], "completions": [], "notes": {"spent": 5}, "error": "no"}\n',
)
STRANGE = frozenset(line.rstrip(b"\n") for line in STRANGE_LINES)
STRANGE_MANIFESTS = (b"[]\n", b"null\n", b'{"digest": 5}\n', b"\x00\xff\xfe", b"<html>\n", b"{}\n")


def damage(runs: Path, kind: str, rng: random.Random) -> bool:
    """Damages a file of a run; whether there was something to damage."""
    path = runs / FILES.get(kind.split()[0], "run/transcripts.jsonl")
    if not path.exists() or not path.stat().st_size:
        return False
    if kind == "manifest lost":
        path.unlink()
        return True
    path.write_bytes(damaged(path.read_bytes(), kind, rng))
    return True


def damaged(data: bytes, kind: str, rng: random.Random) -> bytes:
    """The bytes of a file after an accident of that kind."""
    if kind.startswith("manifest"):
        return damaged_manifest(data, kind, rng)
    if kind in ("scores damaged", "baselines damaged"):
        return rng.choice((b"", b"{not a score\n\xff", b"[]", b"null\n"))
    if kind == "cache damaged":
        place = rng.randrange(len(data))
        return rng.choice((b"", data[:place], data[:place] + rng.randbytes(2000) + data[place + 2000 :]))
    whole = data[: data.rfind(b"\n") + 1]
    if "another shape" in kind:
        return whole + rng.choice(STRANGE_LINES)
    return damaged_lines(whole, kind, rng)


def damaged_lines(whole: bytes, kind: str, rng: random.Random) -> bytes:
    """Lines whose first or last one met with an accident."""
    start = whole.rfind(b"\n", 0, -1) + 1
    length = len(whole) - start
    if kind in ("last line torn", "evidence torn"):
        return whole[: len(whole) - rng.randint(1, max(1, length - 1))]
    if kind == "half a line added":
        return whole + whole[start : start + rng.randint(1, max(1, length - 1))]
    if kind == "zeros at the end":
        return whole + b"\0" * rng.randint(1, 5000)
    if kind == "first line corrupted":
        start, length = 0, whole.index(b"\n") + 1
    place = start + rng.randrange(max(1, length - 2))
    return whole[:place] + b"\xff\x00" + whole[place + 2 :]


def damaged_manifest(data: bytes, kind: str, rng: random.Random) -> bytes:
    """A manifest that met with an accident."""
    if kind == "manifest truncated":
        return data[: rng.randrange(1, len(data))]
    if kind == "manifest of odd types":
        try:
            manifest = json.loads(data)
            key = rng.choice(sorted(manifest))
        except (ValueError, TypeError, IndexError):
            return b"{}\n"
        return json.dumps({**manifest, key: rng.choice((None, 5, "x", [], {}, [None], {"a": 1}))}).encode()
    return b"" if kind == "manifest empty" else rng.choice(STRANGE_MANIFESTS)


def move_times(folder: Path, seconds: float) -> None:
    """Moves the times of all files of a folder, as a clock that was wrong would have left them."""
    for path in folder.glob("*"):
        moment = path.stat().st_mtime + seconds
        os.utime(path, (moment, moment))
