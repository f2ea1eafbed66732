"""What a run directory keeps of its batches: every step before the next one is taken, and all that was paid for.

batches/journal.jsonl     {"batch": 1, "step": "begun", "token": "...", "keys": ["1f0a", ...], "learned": {...}}
                          {"batch": 1, "step": "uploaded", "file": "file-1"}
                          {"batch": 1, "step": "submitted", "id": "batch_1"}
                          {"batch": 1, "step": "ended", "status": "completed"}
batches/1.answers.jsonl   {"key": "1f0a", "body": {...}}
batches/direct.jsonl      {"key": "77c1", "completion": {...}}    what a batch left open and was asked directly
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from toolyard.core.errors import DataError
from toolyard.core.types import Completion, JsonValue, Record
from toolyard.core.untrusted.typed_fields import typed_field, typed_items
from toolyard.lines import Appender, own_folder, read_records, write_whole
from toolyard.models.batch.batch_wire import kept_line
from toolyard.models.cache.stored_completions import completion_json, read_completion

FOLDER = "batches"
# Those of the judge, in the same form.
JUDGE_FOLDER = "judge_batches"
JOURNAL = "journal.jsonl"
DIRECT = "direct.jsonl"
# What each step after the first tells.
STEPS = {"uploaded": "file", "submitted": "id", "ended": "status"}


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
        self.learned_settings: Record | None = None

    def batches(self) -> list[BatchProgress]:
        """How far every batch is, in order; also finds what was learned about the endpoint."""
        found: dict[int, BatchProgress] = {}

        def step(line: JsonValue) -> None:
            number, name = typed_field(line, "batch", int), typed_field(line, "step", str)
            if name == "begun":
                keys = tuple(str(key) for key in typed_field(line, "keys", list))
                found[number] = BatchProgress(number, typed_field(line, "token", str), keys)
                self.learned_settings = _check_learned(typed_field(line, "learned", dict))
                return
            if number not in found:
                raise DataError(f"batch: found {number}, which no line before has begun")
            field = STEPS.get(name, "status")
            given: dict[str, Any] = {field: typed_field(line, field, str)}
            found[number] = replace(found[number], **given)

        for _ in read_records(self._folder / JOURNAL, step):
            pass
        return list(found.values())

    def begin(self, keys: Sequence[str], learned: Record) -> BatchProgress:
        """A new batch, noted with its requests before anything is sent."""
        number = max((each.number for each in self.batches()), default=0) + 1
        progress = BatchProgress(number, f"{number}-{uuid4().hex}", tuple(keys))
        self._note_step(progress, "begun", token=progress.token, keys=keys, learned=learned)
        return progress

    def record_upload(self, progress: BatchProgress, file: str) -> BatchProgress:
        """Its file is at the endpoint."""
        self._note_step(progress, "uploaded", file=file)
        return replace(progress, file=file)

    def record_submission(self, progress: BatchProgress, name: str) -> BatchProgress:
        """The endpoint has taken it, and will be paid for it."""
        self._note_step(progress, "submitted", id=name)
        return replace(progress, id=name)

    def finish(self, progress: BatchProgress, status: str) -> None:
        """Nothing more will come of it, and all that came is kept."""
        self._note_step(progress, "ended", status=status)

    def _note_step(self, progress: BatchProgress, step: str, **facts: object) -> None:
        own_folder(self._folder)
        with Appender(self._folder / JOURNAL) as journal:
            journal.append({"batch": progress.number, "step": step, **facts})

    def keep(self, progress: BatchProgress, answers: Iterable[tuple[str, JsonValue]]) -> None:
        """Keeps the answers of a batch, all at once."""
        own_folder(self._folder)
        lines = b"".join(kept_line(key, body) for key, body in answers)
        write_whole(self._folder / f"{progress.number}.answers.jsonl", lines)

    def keep_direct(self, key: str, completion: Completion) -> None:
        """Keeps an answer that was asked for directly."""
        own_folder(self._folder)
        with Appender(self._folder / DIRECT) as direct:
            direct.append({"key": key, "completion": completion_json(completion)})

    def answers(self) -> dict[str, JsonValue]:
        """Every answer of every batch, by the name of its request."""
        return {
            key: body
            for path in sorted(self._folder.glob("*.answers.jsonl"))
            for key, body in read_records(path, _parse_answer_line)
        }

    def direct(self) -> dict[str, Completion]:
        """Every answer that was asked for directly."""
        return dict(read_records(self._folder / DIRECT, _parse_direct_line))


def _parse_answer_line(line: JsonValue) -> tuple[str, JsonValue]:
    return typed_field(line, "key", str), typed_field(line, "body", dict)


def _parse_direct_line(line: JsonValue) -> tuple[str, Completion]:
    completion = read_completion(typed_field(line, "completion", dict))
    if completion is None:
        raise DataError("completion: found one without text, or with fields of another kind")
    return typed_field(line, "key", str), completion


def _check_learned(found: Record) -> Record:
    typed_items(found, "dropped", str)
    typed_field(found, "thought_tokens", int)
    return found
