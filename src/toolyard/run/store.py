"""A run directory: append-only lines that survive any kill, and whole files that are replaced at once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import orjson

from toolyard.core.errors import DataError, RunMismatch
from toolyard.core.types import Evidence, Json, Transcript
from toolyard.run import records

MANIFEST = "manifest.json"
TRANSCRIPTS = "transcripts.jsonl"
EVIDENCE = "evidence.jsonl"
SCORES = "scores.jsonl"


class Appender:
    """An open JSONL file; each line is written with one call, so a kill can tear only the last."""

    def __init__(self, path: Path) -> None:
        drop_torn_line(path)
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def append(self, record: Json) -> None:
        """Adds one line."""
        data = records.encode(record)
        while data:
            data = data[os.write(self._descriptor, data) :]

    def __enter__(self) -> Appender:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)


def drop_torn_line(path: Path) -> None:
    """Cuts a last line that a kill left without its end."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        keep = last_line_end(file.fileno(), size)
        if keep < size:
            file.truncate(keep)


def last_line_end(descriptor: int, size: int, block: int = 65536) -> int:
    """The offset just behind the last newline, read from the end."""
    position = size
    while position > 0:
        start = max(0, position - block)
        found = os.pread(descriptor, position - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        position = start
    return 0


def read_lines(path: Path) -> Iterator[Json]:
    """The complete lines of a JSONL file; a torn last line is passed over."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise DataError(
                    f"{path}, line {number} is not JSON ({error}); remove that line and run again"
                ) from None


def write_whole(path: Path, data: bytes) -> None:
    """Replaces a file in one step, so that a reader sees the old or the new one."""
    temporary = path.with_name(path.name + ".part")
    temporary.write_bytes(data)
    temporary.replace(path)


class RunStore:
    """The files of one run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the run directory against a second process; the lock ends with the process."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / ".lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise RunMismatch(
                    f"{self.folder} is being written by another process; wait for it or choose another --name"
                ) from None
            yield

    def manifest(self) -> dict[str, Json] | None:
        """What the run was started with, or None where nothing has started."""
        path = self.folder / MANIFEST
        if not path.exists():
            return None
        manifest: dict[str, Json] = orjson.loads(path.read_bytes())
        return manifest

    def write_manifest(self, manifest: Json) -> None:
        """Stores the manifest, readable by people."""
        write_whole(self.folder / MANIFEST, orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n")

    def discard_if_empty(self) -> None:
        """Removes the directory of a run that never got an answer, e.g. for a wrong key."""
        answers = self.folder / TRANSCRIPTS
        if answers.exists() and answers.stat().st_size:
            return
        for name in (MANIFEST, TRANSCRIPTS, ".lock"):
            (self.folder / name).unlink(missing_ok=True)
        if not any(self.folder.iterdir()):
            self.folder.rmdir()

    def transcripts(self) -> dict[tuple[str, int], Transcript]:
        """The last transcript of each (sample, trial)."""
        lines = map(records.read_transcript, read_lines(self.folder / TRANSCRIPTS))
        return {(transcript.sample, transcript.trial): transcript for transcript in lines}

    def evidence(self) -> list[Evidence]:
        """All evidence, of every judge and embedder that was ever asked, in order."""
        return list(map(records.read_evidence, read_lines(self.folder / EVIDENCE)))

    def append_transcripts(self) -> Appender:
        """The open transcripts file."""
        return Appender(self.folder / TRANSCRIPTS)

    def append_evidence(self) -> Appender:
        """The open evidence file."""
        return Appender(self.folder / EVIDENCE)

    def write_scores(self, lines: Iterable[Json]) -> None:
        """Replaces the scores file."""
        write_whole(self.folder / SCORES, b"".join(records.encode(line) for line in lines))
