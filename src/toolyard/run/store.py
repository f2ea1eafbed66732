"""A run directory: its files by name, and the records they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson

from toolyard.core.types import Evidence, Json, Transcript
from toolyard.lines import Appender, encode, locked, read_records, write_whole
from toolyard.run import records

MANIFEST = "manifest.json"
TRANSCRIPTS = "transcripts.jsonl"
EVIDENCE = "evidence.jsonl"
SCORES = "scores.jsonl"


class RunStore:
    """The files of one run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the run directory against a second process; the lock ends with the process."""
        busy = f"{self.folder} is being written by another process; wait for it or choose another --name"
        with locked(self.folder, busy):
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
        lines = read_records(self.folder / TRANSCRIPTS, records.read_transcript)
        return {(transcript.sample, transcript.trial): transcript for transcript in lines}

    def evidence(self) -> list[Evidence]:
        """All evidence, of every judge and embedder that was ever asked, in order."""
        return list(read_records(self.folder / EVIDENCE, records.read_evidence))

    def append_transcripts(self) -> Appender:
        """The open transcripts file."""
        return Appender(self.folder / TRANSCRIPTS)

    def append_evidence(self) -> Appender:
        """The open evidence file."""
        return Appender(self.folder / EVIDENCE)

    def write_scores(self, lines: Iterable[Json]) -> None:
        """Replaces the scores file."""
        write_whole(self.folder / SCORES, b"".join(encode(line) for line in lines))
