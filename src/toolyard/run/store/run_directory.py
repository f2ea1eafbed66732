"""A run directory: its files by name, and the records they hold, each file read once."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import orjson

from toolyard.core.errors import DataError
from toolyard.core.types import Evidence, Record, Transcript, Usage
from toolyard.lines import (
    Appender,
    FileStamp,
    encode,
    encode_readable,
    file_stamp,
    lock_folder,
    path_exists,
    read_json_file,
    read_records,
    write_whole,
)
from toolyard.models.batch.batch_files import FOLDER as BATCHES
from toolyard.run.plan.former_manifests import upgrade_manifest
from toolyard.run.plan.manifest_shape import UNKNOWN, manifest_problem
from toolyard.run.plan.run_config import path_sha256
from toolyard.run.store import records
from toolyard.run.store.object_storage import is_copy, is_remote, local_copy, publish_changes
from toolyard.run.store.records import TRANSCRIPTS as TRANSCRIPTS

MANIFEST = "manifest.json"
EVIDENCE = "evidence.jsonl"
SCORES = "scores.jsonl"
BASELINES = "baselines.json"
# A file of more bytes than this is not held in memory while it is written.
LARGEST_HELD = 64 * 2**20
# Object stores cannot append: the whole file is sent again.
SECONDS_BETWEEN_COPIES = 60.0

Line = TypeVar("Line")


@dataclass(slots=True)
class LineFile(Generic[Line]):
    """One JSONL file of a run: read at the first use, and again only where somebody else has written to it."""

    path: Path
    write: Callable[[Line], object]
    read: Callable[[Record], Line]
    _lines: list[Line] = field(default_factory=list)
    _stamp: FileStamp | None = None
    # Of all complete lines, kept up with them, so that nobody reads the file for its hash alone.
    _digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    def lines(self) -> list[Line]:
        """All complete lines, in order."""
        stamp = file_stamp(self.path)
        if stamp != self._stamp:
            self._digest = hashlib.sha256()
            self._lines = list(read_records(self.path, self.read, self._digest.update))
            self._stamp = stamp
        return self._lines

    def sha256(self) -> str:
        """The hash of all complete lines; nothing where there is no file."""
        self.lines()
        return "" if self._stamp is None else self._digest.hexdigest()

    @contextmanager
    def appending(self) -> Iterator[Callable[[Line], Line]]:
        """A function that adds one line and gives back what a reader of the file will see.

        Of a file that has grown large nothing is held any more: it is read again when somebody asks for it.
        """
        lines = self.lines()
        size = 0 if self._stamp is None else self._stamp.size
        with Appender(self.path) as appender:

            def append(record: Line) -> Line:
                nonlocal size
                line = appender.append_line(self.write(record))
                seen = self.read(orjson.loads(line))
                self._digest.update(line)
                size += len(line)
                if size <= LARGEST_HELD:
                    lines.append(seen)
                else:
                    lines.clear()
                return seen

            try:
                yield append
            finally:
                self._stamp = file_stamp(self.path) if size <= LARGEST_HELD else None
                self._lines = lines if size <= LARGEST_HELD else []


class RunStore:
    """The files of one run."""

    def __init__(self, folder: Path) -> None:
        folder = local_copy(folder) if is_remote(folder) else folder
        self.folder = folder
        self._published = time.monotonic()
        self._is_locked = False
        # The manifest as it was read or written last, with the stamp of its file.
        self._manifest: tuple[FileStamp | None, Record] = (None, {})
        self._transcripts = LineFile(folder / TRANSCRIPTS, records.transcript_line, records.read_transcript)
        self._evidence = LineFile(folder / EVIDENCE, records.evidence_line, records.read_evidence)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the run directory against a second process; the lock ends with the process.

        Whoever holds it already goes on holding it.
        """
        if self._is_locked:
            yield
            return
        busy = f"{self.folder} is being written by another process; wait for it or choose another --name"
        with lock_folder(self.folder, busy):
            self._is_locked = True
            try:
                yield
            finally:
                self._is_locked = False
                publish_changes(self.folder)

    def manifest(self) -> dict[str, Any] | None:
        """What the run was started with, or None where nothing has started."""
        path = self.folder / MANIFEST
        if not path_exists(path):
            return None
        stamp = file_stamp(path)
        if stamp != self._manifest[0]:
            self._manifest = stamp, self._read_manifest(path)
        return dict(self._manifest[1])

    def _read_manifest(self, path: Path) -> Record:
        try:
            manifest = read_json_file(path)
        except ValueError as error:
            raise _damage_error(path, str(error)) from None
        wrong = manifest_problem(manifest)
        if wrong:
            raise _damage_error(path, wrong)
        return upgrade_manifest({**UNKNOWN, **manifest})

    def required_manifest(self) -> Record:
        """What the run was started with; a directory that is no run is the user's mistake."""
        manifest = self.manifest()
        if manifest is not None:
            return manifest
        if self.folder.is_dir() and any(self.folder.glob(f"*/{MANIFEST}")):
            raise DataError(f"{self.folder} is a folder of runs; give the runs in it, e.g. {self.folder}/*")
        raise DataError(
            f"{self.folder} holds no {MANIFEST}: no run has started there; repeat its `toolyard run` command, or give "
            "the directory of another run"
        )

    def write_manifest(self, manifest: Record) -> None:
        """Stores the manifest, readable by people."""
        path, content = self.folder / MANIFEST, encode_readable(manifest)
        write_whole(path, content)
        self._manifest = file_stamp(path), upgrade_manifest({**UNKNOWN, **orjson.loads(content)})

    def discard_if_empty(self) -> None:
        """Removes the directory of a run that never got an answer, e.g. for a wrong key."""
        answers = self.folder / TRANSCRIPTS
        if (answers.exists() and answers.stat().st_size) or (self.folder / BATCHES).exists():
            return
        for name in (MANIFEST, TRANSCRIPTS, BASELINES, ".lock"):
            (self.folder / name).unlink(missing_ok=True)
        if not any(self.folder.iterdir()):
            self.folder.rmdir()

    def transcripts(self) -> dict[tuple[str, int], Transcript]:
        """The last transcript of each (sample, trial)."""
        return {(item.sample, item.trial): item for item in self._transcripts.lines()}

    def sha256(self, name: str) -> str:
        """The hash of one of its files; nothing where it is not there."""
        for file in (self._transcripts, self._evidence):
            if file.path.name == name:
                return file.sha256()
        path = self.folder / name
        return path_sha256(path) if path_exists(path) else ""

    def usage(self) -> Usage:
        """Tokens of every request that any session got an answer to, those of failed episodes too."""
        return sum((item.usage for item in self._transcripts.lines()), Usage())

    def evidence(self) -> list[Evidence]:
        """All evidence, of every judge and embedder that was ever asked, in order."""
        return self._evidence.lines()

    @contextmanager
    def append_transcripts(self) -> Iterator[Callable[[Transcript], Transcript]]:
        """A function that keeps one more transcript."""
        with self._transcripts.appending() as append:
            yield self._publishing(append) if is_copy(self.folder) else append

    def _publishing(self, append: Callable[[Transcript], Transcript]) -> Callable[[Transcript], Transcript]:
        """The same, which also puts the files back into their store now and then."""

        def append_and_publish(transcript: Transcript) -> Transcript:
            found = append(transcript)
            if time.monotonic() - self._published > SECONDS_BETWEEN_COPIES:
                publish_changes(self.folder)
                self._published = time.monotonic()
            return found

        return append_and_publish

    @contextmanager
    def append_evidence(self) -> Iterator[Callable[[Evidence], Evidence]]:
        """A function that keeps one more piece of evidence."""
        with self._evidence.appending() as append:
            yield append

    def write_scores(self, lines: Iterable[Record]) -> None:
        """Replaces the scores file."""
        write_whole(self.folder / SCORES, b"".join(encode(line) for line in lines))


def _damage_error(path: Path, why: str) -> DataError:
    return DataError(
        f"{path} is damaged ({why}); the `toolyard run` command that made this run mends it when given again"
    )
