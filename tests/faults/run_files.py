"""What a run directory says, read without Toolyard's own readers, and ways to damage it."""

from __future__ import annotations

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

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.read + other.read, self.written + other.written)


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The whole lines of a file that can be read."""
    if not path.exists():
        return
    for line in path.read_bytes().split(b"\n")[:-1]:
        try:
            yield json.loads(line)
        except ValueError:
            continue


def spent_in(usage: dict[str, int]) -> Spent:
    """Tokens of a usage record, whose zeros may be left out."""
    return Spent(usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0))


def spent_in_transcripts(folder: Path) -> Spent:
    """Tokens of every request that the transcripts know of, those of failed episodes too."""
    total = Spent()
    for line in json_lines(folder / "transcripts.jsonl"):
        if "spent" in line["notes"]:
            total += spent_in(line["notes"]["spent"])
            continue
        for completion in line["completions"]:
            total += spent_in(completion.get("usage", {}))
    return total


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


def damage(folder: Path, kind: str, rng: random.Random) -> bool:
    """Damages a file of a run; whether there was something to damage."""
    name = {"manifest": "manifest.json", "evidence": "evidence.jsonl", "scores": "scores.jsonl"}.get(
        kind.split()[0], "transcripts.jsonl"
    )
    path = folder / name
    if not path.exists() or not path.stat().st_size:
        return False
    if kind == "manifest lost":
        path.unlink()
        return True
    path.write_bytes(damaged(path.read_bytes(), kind, rng))
    return True


def damaged(data: bytes, kind: str, rng: random.Random) -> bytes:
    """The bytes of a file after an accident of that kind."""
    whole = data[: data.rfind(b"\n") + 1]
    start = whole.rfind(b"\n", 0, -1) + 1 if whole else 0
    length = len(whole) - start
    if kind in ("last line torn", "evidence torn"):
        return whole[: len(whole) - rng.randint(1, max(1, length - 1))]
    if kind == "half a line added":
        return whole + whole[start : start + rng.randint(1, max(1, length - 1))]
    if kind == "zeros at the end":
        return whole + b"\0" * rng.randint(1, 5000)
    if kind == "last line corrupted":
        place = start + rng.randrange(max(1, length - 1))
        return whole[:place] + b"\xff\x00" + whole[place + 2 :].rstrip(b"\n") + b"\n"
    if kind == "manifest truncated":
        return data[: rng.randrange(1, len(data))]
    if kind == "manifest is something else":
        return rng.choice((b"[]\n", b"null\n", b'{"digest": 5}\n', b"\x00\xff\xfe", b"<html>\n", b"{}\n"))
    return b"" if kind == "manifest empty" else b"{not a score\n\xff"


def drop_unreadable_lines(path: Path) -> None:
    """Removes the lines that are not JSON, as the error message tells the user to."""
    if not path.exists():
        return
    kept = []
    for line in path.read_bytes().splitlines(keepends=True):
        try:
            json.loads(line)
        except ValueError:
            continue
        kept.append(line)
    path.write_bytes(b"".join(kept))


def move_times(folder: Path, seconds: float) -> None:
    """Moves the times of all files of a folder, as a clock that was wrong would have left them."""
    for path in folder.glob("*"):
        moment = path.stat().st_mtime + seconds
        os.utime(path, (moment, moment))
