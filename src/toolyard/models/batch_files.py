"""What a run directory keeps of its batches: every step before the next one is taken, and all that was paid for.

batches/journal.jsonl     {"batch": 1, "step": "begun", "token": "...", "keys": ["1f0a", ...], "learned": {...}}
                          {"batch": 1, "step": "uploaded", "file": "file-1"}
                          {"batch": 1, "step": "submitted", "id": "batch_1"}
                          {"batch": 1, "step": "ended", "status": "completed"}
batches/1.answers.jsonl   {"key": "1f0a", "body": {...}}
batches/direct.jsonl      {"key": "77c1", "completion": {...}}    what a batch left open and was asked directly
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from toolyard.core.types import Completion, JsonValue, Record
from toolyard.lines import Appender, read_lines, write_whole
from toolyard.models.batch_wire import kept_line
from toolyard.models.stored import completion_json, read_completion

FOLDER = "batches"
# Those of the judge, in the same form.
JUDGE_FOLDER = "judge_batches"
JOURNAL = "journal.jsonl"
DIRECT = "direct.jsonl"


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How far one batch is: its token always, then its file, its name at the endpoint, its end."""

    number: int
    token: str
    keys: tuple[str, ...] = ()
    file: str = ""
    id: str = ""
    status: str = ""


class BatchFiles:
    """The batches of one run; nothing is written before the first begins."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.learned: Record | None = None

    def batches(self) -> list[BatchProgress]:
        """How far every batch is, in order; also finds what was learned about the endpoint."""
        found: dict[int, BatchProgress] = {}
        for line in read_lines(self._folder / JOURNAL):
            number, step = line["batch"], line["step"]
            if step == "begun":
                found[number] = BatchProgress(number, line["token"], tuple(line["keys"]))
                self.learned = line["learned"]
            elif step == "uploaded":
                found[number] = replace(found[number], file=line["file"])
            elif step == "submitted":
                found[number] = replace(found[number], id=line["id"])
            else:
                found[number] = replace(found[number], status=line["status"])
        return list(found.values())

    def begin(self, keys: Sequence[str], learned: Record) -> BatchProgress:
        """A new batch, noted with its requests before anything is sent."""
        self._folder.mkdir(parents=True, exist_ok=True)
        number = len(self.batches()) + 1
        progress = BatchProgress(number, f"{number}-{uuid4().hex}", tuple(keys))
        self._note(progress, "begun", token=progress.token, keys=keys, learned=learned)
        return progress

    def uploaded(self, progress: BatchProgress, file: str) -> BatchProgress:
        """Its file is at the endpoint."""
        self._note(progress, "uploaded", file=file)
        return replace(progress, file=file)

    def submitted(self, progress: BatchProgress, name: str) -> BatchProgress:
        """The endpoint has taken it, and will be paid for it."""
        self._note(progress, "submitted", id=name)
        return replace(progress, id=name)

    def ended(self, progress: BatchProgress, status: str) -> None:
        """Nothing more will come of it, and all that came is kept."""
        self._note(progress, "ended", status=status)

    def _note(self, progress: BatchProgress, step: str, **facts: object) -> None:
        with Appender(self._folder / JOURNAL) as journal:
            journal.append({"batch": progress.number, "step": step, **facts})

    def keep(self, progress: BatchProgress, answers: Iterable[tuple[str, JsonValue]]) -> None:
        """Keeps the answers of a batch, all at once."""
        lines = b"".join(kept_line(key, body) for key, body in answers)
        write_whole(self._folder / f"{progress.number}.answers.jsonl", lines)

    def keep_direct(self, key: str, completion: Completion) -> None:
        """Keeps an answer that was asked for directly."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with Appender(self._folder / DIRECT) as direct:
            direct.append({"key": key, "completion": completion_json(completion)})

    def answers(self) -> dict[str, JsonValue]:
        """Every answer of every batch, by the name of its request."""
        return {
            line["key"]: line["body"]
            for path in sorted(self._folder.glob("*.answers.jsonl"))
            for line in read_lines(path)
        }

    def direct(self) -> dict[str, Completion]:
        """Every answer that was asked for directly."""
        lines = read_lines(self._folder / DIRECT)
        found = ((line["key"], read_completion(line["completion"])) for line in lines)
        return {key: completion for key, completion in found if completion is not None}
